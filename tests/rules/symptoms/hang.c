/* hang: where the rule speaks, and where it is silent. */
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

static void an_error_by_the_watchdog(void **state)
{
    (void)state;
    begin();
    judged_message(&used, "nccl-watchdog", 10);
    const struct finding *found = judged(&used, "hang");
    assert_int_equal(found->severity, SEVERITY_ERROR);
    assert_string_equal(found->form, "watchdog");
    used_end(&used);
}

static void a_warning_on_an_hour_of_silence_at_the_end(void **state)
{
    (void)state;
    begin();
    used.run.time = (struct run_time){.stamps = 100, .gap_count = 1};
    used.run.time.gaps[0] =
        (struct gap){.seconds = 3600, .usual = 2, .before = {1, 90, 9000}, .step = 90};
    assert_int_equal(judged(&used, "hang")->severity, SEVERITY_WARNING);
    used_end(&used);
}

static void a_remark_where_the_log_merely_ends(void **state)
{
    (void)state;
    begin();
    used.run.planned_steps = 1000;
    used.run.last_step = 400;
    used.run.time.stamps = 10;
    const struct finding *found = judged(&used, "hang");
    assert_int_equal(found->severity, SEVERITY_INFO);
    assert_string_equal(found->form, "end");
    used_end(&used);
}

static void silent_on_a_gap_that_an_evaluation_explains(void **state)
{
    (void)state;
    begin();
    used.run.time = (struct run_time){.stamps = 100, .gap_count = 1};
    used.run.time.gaps[0] = (struct gap){
        .seconds = 3600, .usual = 2, .before = {1, 90, 9000}, .step = 90, .explained = true};
    assert_null(judged(&used, "hang"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_by_the_watchdog),
        cmocka_unit_test(a_warning_on_an_hour_of_silence_at_the_end),
        cmocka_unit_test(a_remark_where_the_log_merely_ends),
        cmocka_unit_test(silent_on_a_gap_that_an_evaluation_explains),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
