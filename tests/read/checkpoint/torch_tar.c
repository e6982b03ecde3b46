/* PyTorch checkpoints of the oldest form. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

extern const struct format format_torch_tar;

static struct heard heard;

static void reads_all_that_is_in_it(void **unused)
{
    (void)unused;
    struct error error;
    assert_int_equal(sample_probe(&format_torch_tar, "torch_tar/model.tar"), 97);
    assert_true(sample_read(&heard, &format_torch_tar, "torch_tar/model.tar", &error));
    assert_string_equal(heard.text, "weight float32 [2,2] 1 3 2 4\n"
                                    "bias float32 [2] 5 6\n"
                                    "setting epoch=3\n");
}

static void says_a_cut_at_every_length(void **unused)
{
    (void)unused;
    /* What stands behind the last member is padding. */
    struct span bytes = sample_bytes("torch_tar/model.tar");
    struct error error;
    for (size_t size = 0; size < 3584 + 0226; size++)
        assert_false(sample_read_part(&heard, &format_torch_tar, bytes, size, 0, &error));
}

static void ends_with_its_memory(void **unused)
{
    (void)unused;
    sample_limits(&heard, &format_torch_tar, "torch_tar/model.tar");
}

static void survives_any_byte(void **unused)
{
    (void)unused;
    sample_flips(&heard, &format_torch_tar, "torch_tar/model.tar");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_that_is_in_it),
        cmocka_unit_test(says_a_cut_at_every_length),
        cmocka_unit_test(ends_with_its_memory),
        cmocka_unit_test(survives_any_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
