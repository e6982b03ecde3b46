/* Flax checkpoints. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

extern const struct format format_msgpack;

static struct heard heard;

static void reads_all_that_is_in_it(void **unused)
{
    (void)unused;
    struct error error;
    assert_int_equal(sample_probe(&format_msgpack, "msgpack/checkpoint.msgpack"), 94);
    assert_true(sample_read(&heard, &format_msgpack, "msgpack/checkpoint.msgpack", &error));
    assert_string_equal(heard.text, "params.Dense_0.kernel float32 [2,2] 1 2 3 4\n"
                                    "params.Dense_0.bias bfloat16 [2] 1 2\n"
                                    "params.Dense_0.odd int4 [2]\n"
                                    "params.Dense_0.long float32 [3,1] 7 8 9\n"
                                    "opt_state.0.count int32 [] 300\n"
                                    "setting opt_state.0.rate=0.5\n"
                                    "setting step=-300\n");
}

static void says_a_cut_at_every_length(void **unused)
{
    (void)unused;
    sample_cuts(&heard, &format_msgpack, "msgpack/checkpoint.msgpack");
}

static void ends_with_its_memory(void **unused)
{
    (void)unused;
    sample_limits(&heard, &format_msgpack, "msgpack/checkpoint.msgpack");
}

static void survives_any_byte(void **unused)
{
    (void)unused;
    sample_flips(&heard, &format_msgpack, "msgpack/checkpoint.msgpack");
}

static void bounds_what_a_count_promises(void **unused)
{
    (void)unused;
    struct error error;
    static const uint8_t list[] = {0x81, 0xa1, 'a', 0xdd, 0xff, 0xff, 0xff, 0xff};
    static const uint8_t bytes[] = {0x81, 0xa1, 'a', 0xc6, 0xff, 0xff, 0xff, 0xff};
    static uint8_t deep[256];
    memset(deep, 0x91, sizeof(deep));
    const struct span cases[] = {{list, sizeof(list)}, {bytes, sizeof(bytes)}};
    for (size_t i = 0; i < 2; i++) {
        assert_false(sample_read_part(&heard, &format_msgpack, cases[i], cases[i].size, 0, &error));
        assert_int_equal(error.kind, ERROR_TRUNCATED);
    }
    assert_false(sample_read_part(&heard, &format_msgpack, (struct span){deep, sizeof(deep)},
                                  sizeof(deep), 0, &error));
    assert_non_null(strstr(error.message, "too deep"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_that_is_in_it),
        cmocka_unit_test(says_a_cut_at_every_length),
        cmocka_unit_test(ends_with_its_memory),
        cmocka_unit_test(survives_any_byte),
        cmocka_unit_test(bounds_what_a_count_promises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
