/* The part that one time takes of another. */
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

static void two_thirds_of_the_step_is_waiting(void **state)
{
    (void)state;
    begin();
    const double wait[] = {0.9, 0.6, 0.62, 0.61}, step[] = {1.2, 0.9, 0.93, 0.9};
    used_series(&used, KIND_DATA_TIME, "data", wait, 4, 3);
    used_series(&used, KIND_STEP_TIME, "time", step, 4, 3);
    const struct candidate *found = used_run(&used, "share", "wait", 2, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "share") > 0.6);
    used_end(&used);
}

static void the_first_batch_alone_says_nothing(void **state)
{
    (void)state;
    begin();
    const double wait[] = {9, 0.01, 0.01, 0.01}, step[] = {10, 0.9, 0.93, 0.9};
    used_series(&used, KIND_DATA_TIME, "data", wait, 4, 3);
    used_series(&used, KIND_STEP_TIME, "time", step, 4, 3);
    assert_null(used_run(&used, "share", "wait", 2, NULL));
    used_end(&used);
}

/* Readings in pairs, `apart` steps from one to the next; the first of each pair waits. */
static const struct candidate *pairs(size_t count, int64_t apart)
{
    static double wait[800], step[800];
    for (size_t i = 0; i < count; i++) {
        wait[i] = i % 2 == 0 ? 1.7 : 0.01;
        step[i] = i % 2 == 0 ? 2.4 : 0.65;
    }
    begin();
    used_series(&used, KIND_DATA_TIME, "data", wait, count, 3);
    used_series(&used, KIND_STEP_TIME, "time", step, count, 3);
    used_apart(&used, 0, wait, count, 3, apart);
    used_apart(&used, 1, step, count, 3, apart);
    return used_run(&used, "share", "wait", 2, NULL);
}

static void the_first_batch_of_every_epoch_says_nothing(void **state)
{
    (void)state;
    assert_null(pairs(20, 50));
    used_end(&used);
    assert_null(pairs(800, 50)); /* merged */
    used_end(&used);
    assert_non_null(pairs(20, 1)); /* a loader that falls behind at every second step */
    used_end(&used);
}

/* Half of the readings wait, ten steps apart: one right behind another, or each alone. */
static void waits_that_hold_most_of_the_time(void **state)
{
    (void)state;
    const double alone[] = {1.7, 0.01, 0.01, 1.8, 0.01, 0.01, 1.6, 0.01, 0.01},
                 pairs[] = {1.7, 0.01, 0.01, 1.8, 1.5, 0.01, 1.6, 0.01, 0.01};
    double step[9];
    for (int paired = 0; paired < 2; paired++) {
        const double *wait = paired ? pairs : alone;
        for (size_t i = 0; i < 9; i++)
            step[i] = wait[i] + 0.3;
        begin();
        used_series(&used, KIND_DATA_TIME, "data", wait, 9, 3);
        used_series(&used, KIND_STEP_TIME, "time", step, 9, 3);
        used_apart(&used, 0, wait, 9, 3, 10);
        used_apart(&used, 1, step, 9, 3, 10);
        const struct candidate *found = used_run(&used, "share", "bursts", 2, "total", 0.5, NULL);
        assert_true((found != NULL) == (paired == 1));
        used_end(&used);
    }
}

/* A line of a profile tells the wait and the step beside it, in its own unit; lines of the run tell
   another time. */
static void the_lines_of_the_wait_tell_their_own_step(void **state)
{
    (void)state;
    const double wait[] = {450, 455, 460}, run[] = {0.5, 0.5, 0.5, 0.5}, step[] = {500, 500, 500};
    begin();
    used_series(&used, KIND_DATA_TIME, "input_wait", wait, 3, 0);
    used_series(&used, KIND_STEP_TIME, "time", run, 4, 1)->main = true;
    used_series(&used, KIND_STEP_TIME, "avg_step", step, 3, 0)->main = false;
    const struct candidate *found = used_run(&used, "share", "wait", 2, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "share") > 0.9 && used_value(found, "share") < 0.93);
    used_end(&used);
}

/* Few steps in a row: two that wait by turns tell, one does not, nor two behind each other. */
static void few_steps_that_wait_by_turns(void **state)
{
    (void)state;
    static const struct {
        const char *waits;
        bool told;
    } cases[] = {
        {"01010", true}, {"00100", false}, {"01100", false}, {"10001", false}, {"0101", false}};
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        double wait[5] = {0}, step[5] = {0};
        const size_t count = strlen(cases[c].waits);
        for (size_t i = 0; i < count; i++) {
            wait[i] = cases[c].waits[i] == '1' ? 9.5 : 0.01;
            step[i] = wait[i] + 0.6;
        }
        used_begin(&used);
        used_series(&used, KIND_DATA_TIME, "reader_cost", wait, count, 3);
        used_series(&used, KIND_STEP_TIME, "batch_cost", step, count, 3);
        const struct candidate *found = used_run(&used, "share", "bursts", 2, "total", 0.5, NULL);
        assert_true((found != NULL) == cases[c].told);
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_thirds_of_the_step_is_waiting),
        cmocka_unit_test(the_first_batch_alone_says_nothing),
        cmocka_unit_test(few_steps_that_wait_by_turns),
        cmocka_unit_test(waits_that_hold_most_of_the_time),
        cmocka_unit_test(the_first_batch_of_every_epoch_says_nothing),
        cmocka_unit_test(the_lines_of_the_wait_tell_their_own_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
