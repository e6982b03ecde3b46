/* What Orbax says of its checkpoints: arrays by name and shape, saves that were never committed. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

extern const struct format format_orbax;

static struct heard heard;

static void names_arrays_with_their_shapes(void **unused)
{
    (void)unused;
    struct error error;
    assert_int_equal(sample_probe(&format_orbax, "orbax/_METADATA"), 97);
    assert_true(sample_read(&heard, &format_orbax, "orbax/_METADATA", &error));
    assert_string_equal(heard.text, "params.w opaque [4,5] absent\nstep opaque [] absent\n");
}

static void tells_a_save_that_was_not_committed(void **unused)
{
    (void)unused;
    struct error error;
    assert_int_equal(sample_probe(&format_orbax, "orbax/whole/_CHECKPOINT_METADATA"), 97);
    assert_true(sample_read(&heard, &format_orbax, "orbax/whole/_CHECKPOINT_METADATA", &error));
    assert_false(
        sample_read(&heard, &format_orbax, "orbax/incomplete/_CHECKPOINT_METADATA", &error));
    assert_int_equal(error.kind, ERROR_MALFORMED);
    assert_non_null(strstr(error.message, "not complete"));
}

static void fails_cleanly(void **unused)
{
    (void)unused;
    sample_cuts(&heard, &format_orbax, "orbax/_METADATA");
    sample_flips(&heard, &format_orbax, "orbax/_METADATA");
    sample_limits(&heard, &format_orbax, "orbax/_METADATA");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_arrays_with_their_shapes),
        cmocka_unit_test(tells_a_save_that_was_not_committed),
        cmocka_unit_test(fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
