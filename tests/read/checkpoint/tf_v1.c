/* TensorFlow checkpoints of the first form. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

extern const struct format format_tf_v1;

static struct heard heard;

static void reads_all_that_is_in_it(void **unused)
{
    (void)unused;
    struct error error;
    assert_int_equal(sample_probe(&format_tf_v1, "tf_v1/model.ckpt"), 93);
    assert_true(sample_read(&heard, &format_tf_v1, "tf_v1/model.ckpt", &error));
    assert_string_equal(heard.text, "count int64 [] -5\n"
                                    "half float16 [2] 1 2\n"
                                    "rows float32 [2,2] 1 2 3 4\n"
                                    "word string [1]\n");
}

static void says_a_cut_at_every_length(void **unused)
{
    (void)unused;
    sample_cuts(&heard, &format_tf_v1, "tf_v1/model.ckpt");
}

static void ends_with_its_memory(void **unused)
{
    (void)unused;
    sample_limits(&heard, &format_tf_v1, "tf_v1/model.ckpt");
}

static void survives_any_byte(void **unused)
{
    (void)unused;
    sample_flips(&heard, &format_tf_v1, "tf_v1/model.ckpt");
}

static void reads_packed_blocks_too(void **unused)
{
    (void)unused;
    struct error error;
    assert_int_equal(sample_probe(&format_tf_v1, "tf_v1/packed.ckpt"), 92);
    assert_true(sample_read(&heard, &format_tf_v1, "tf_v1/packed.ckpt", &error));
    assert_non_null(strstr(heard.text, "rows float32 [2,2] 1 2 3 4\n"));
}

static void leaves_bundles_alone(void **unused)
{
    (void)unused;
    assert_int_equal(sample_probe(&format_tf_v1, "tf_bundle/model.index"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_that_is_in_it), cmocka_unit_test(says_a_cut_at_every_length),
        cmocka_unit_test(ends_with_its_memory),    cmocka_unit_test(survives_any_byte),
        cmocka_unit_test(reads_packed_blocks_too), cmocka_unit_test(leaves_bundles_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
