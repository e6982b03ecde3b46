/* input-damaged: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static void begin(void)
{
    used_begin(&used);
}

static void a_warning_at_the_byte_where_it_breaks(void **state)
{
    (void)state;
    begin();
    const uint32_t inputs[] = {1};
    struct source source = {.path = TEXT("a.npz"), .status = STATUS_DAMAGED};
    error_set(&source.error, ERROR_CHECKSUM, (struct place){1, 0, 4096}, "wrong checksum");
    const struct collection collection = {.sources = &source, .source_count = 1};
    used.run.collection = &collection;
    used.run.inputs = inputs;
    used.run.input_count = 1;
    assert_int_equal(judged(&used, "input-damaged")->severity, SEVERITY_WARNING);
    source.status = STATUS_PARTIAL;
    assert_int_equal(judged(&used, "input-damaged")->severity, SEVERITY_INFO);
    used_end(&used);
}

static void silent_on_sound_inputs(void **state)
{
    (void)state;
    begin();
    const double readings[] = {2, 1.5, 1.1};
    used_series(&used, KIND_LOSS, "loss", readings, 3, 1);
    assert_null(judged(&used, "input-damaged"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_at_the_byte_where_it_breaks),
        cmocka_unit_test(silent_on_sound_inputs),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
