/* Manifests of Orbax checkpoints: whole or not, and named. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

extern const struct format format_ocdbt;

static struct heard heard;

static void names_what_is_whole(void **unused)
{
    (void)unused;
    struct error error;
    assert_int_equal(sample_probe(&format_ocdbt, "ocdbt/manifest.ocdbt"), 98);
    assert_false(sample_read(&heard, &format_ocdbt, "ocdbt/manifest.ocdbt", &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "Orbax"));
}

static void says_a_cut_and_a_flipped_bit(void **unused)
{
    (void)unused;
    struct error error;
    static uint8_t bytes[64];
    struct span whole = sample_bytes("ocdbt/manifest.ocdbt");
    for (size_t size = 0; size < whole.size; size++) {
        assert_false(sample_read_part(&heard, &format_ocdbt, whole, size, 0, &error));
        assert_int_equal(error.kind, ERROR_TRUNCATED);
    }
    memcpy(bytes, whole.data, whole.size);
    bytes[20] ^= 1;
    assert_false(sample_read_part(&heard, &format_ocdbt, (struct span){bytes, whole.size},
                                  whole.size, 0, &error));
    assert_int_equal(error.kind, ERROR_CHECKSUM);
    sample_limits(&heard, &format_ocdbt, "ocdbt/manifest.ocdbt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_what_is_whole),
        cmocka_unit_test(says_a_cut_and_a_flipped_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
