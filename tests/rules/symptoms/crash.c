/* crash: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX];

static void begin(void)
{
    used_begin(&used);
    memset(values, 0, sizeof(values));
}

static void an_error_where_a_fixed_text_ends_the_run(void **state)
{
    (void)state;
    begin();
    judged_message(&used, "segfault", 10);
    const struct finding *found = judged(&used, "crash");
    assert_non_null(found);
    assert_int_equal(found->severity, SEVERITY_ERROR);
    assert_string_equal(found->form, "signal");
    assert_int_equal(found->candidate.onset.line, 10);
    used_end(&used);
}

static void a_remark_where_training_went_on(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = 3 - 0.01 * i;
    used_series(&used, KIND_LOSS, "loss", values, 40, 4);
    judged_message(&used, "segfault", 10);
    assert_false(judged_alarm(&used, "crash"));
    used_end(&used);
}

static void silent_without_such_a_text(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = 3 - 0.01 * i;
    used_series(&used, KIND_LOSS, "loss", values, 40, 4);
    assert_null(judged(&used, "crash"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_where_a_fixed_text_ends_the_run),
        cmocka_unit_test(a_remark_where_training_went_on),
        cmocka_unit_test(silent_without_such_a_text),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
