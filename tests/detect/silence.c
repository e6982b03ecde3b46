/* Gaps between time stamps. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static void begin(void)
{
    used_begin(&used);
}

static void a_gap_at_the_end_that_nothing_explains(void **state)
{
    (void)state;
    begin();
    used.run.time = (struct run_time){.stamps = 100, .gap_count = 1};
    used.run.time.gaps[0] =
        (struct gap){.seconds = 3600, .usual = 2, .before = {1, 90, 9000}, .step = 90};
    const struct candidate *found = used_run(&used, "silence", "gap", 0, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "gap");
    assert_int_equal(found->onset.line, 90);
    used.run.time.gaps[0].explained = true;
    assert_null(used_run(&used, "silence", "gap", 0, NULL));
    used_end(&used);
}

static void a_gap_with_progress_behind_it_was_a_pause(void **state)
{
    (void)state;
    begin();
    used.run.first_step = 0;
    used.run.last_step = 200;
    used.run.time = (struct run_time){.stamps = 100, .gap_count = 1};
    used.run.time.gaps[0] = (struct gap){
        .seconds = 3600, .usual = 2, .before = {1, 90, 9000}, .after = {1, 91, 9100}, .step = 90};
    assert_string_equal(used_run(&used, "silence", "gap", 0, NULL)->form, "pause");
    used.run.time.stamps = 30; /* too few to come evenly */
    assert_null(used_run(&used, "silence", "gap", 0, NULL));
    used.run.last_step = 90;
    assert_string_equal(used_run(&used, "silence", "gap", 0, NULL)->form, "gap");
    used_end(&used);
}

static void a_log_that_stops_inside_its_plan_has_an_end(void **state)
{
    (void)state;
    begin();
    used.run.planned_steps = 1000;
    used.run.last_step = 400;
    used.run.time.stamps = 10;
    assert_string_equal(used_run(&used, "silence", "gap", 0, NULL)->form, "end");
    used.run.last_step = 1000;
    assert_null(used_run(&used, "silence", "gap", 0, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_at_the_end_that_nothing_explains),
        cmocka_unit_test(a_gap_with_progress_behind_it_was_a_pause),
        cmocka_unit_test(a_log_that_stops_inside_its_plan_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
