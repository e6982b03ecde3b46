/* Values that jump at a restart. */
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

static void a_loss_that_is_higher_behind_it(void **state)
{
    (void)state;
    begin();
    const double before[] = {1.2, 1.1, 1.05, 1.04, 1.03, 1.02}, after[] = {2.2, 2.1, 2.0, 2.1, 2.0};
    used_series(&used, KIND_LOSS, "loss", before, 6, 3);
    make_track(&used.made[1], after, 5, 3, 1);
    struct track both[] = {used.made[0].track, used.made[1].track};
    const struct segment segments[] = {{.first_step = 1}, {.first_step = 7}};
    used.series[0].segments = both;
    used.series[0].segment_count = 2;
    used.run.segments = segments;
    used.run.segment_count = 2;
    const struct candidate *found = used_run(&used, "border", "jump", 0, NULL);
    assert_non_null(found);
    assert_int_equal(found->segment, 1);
    const double smooth[] = {1.02, 1.01, 1.0, 0.99, 0.99};
    make_track(&used.made[1], smooth, 5, 3, 1);
    both[1] = used.made[1].track;
    assert_null(used_run(&used, "border", "jump", 0, NULL));
    used_end(&used);
}

/* Its schedule had begun to fall and warms up again; or goes on falling. */
static void a_rate_that_warms_up_again(void **state)
{
    (void)state;
    for (int anew = 0; anew < 2; anew++) {
        begin();
        const double before[] = {3e-4, 1.9e-4, 1.85e-4, 1.8e-4, 1.75e-4, 1.7e-4};
        const double rising[] = {0.6e-4, 1.2e-4, 1.8e-4, 2.4e-4, 3e-4};
        const double falling[] = {1.65e-4, 1.6e-4, 1.55e-4, 1.5e-4, 1.45e-4};
        used_series(&used, KIND_LEARNING_RATE, "lr", before, 6, 8);
        make_track(&used.made[1], anew ? rising : falling, 5, 8, 1);
        const struct track both[] = {used.made[0].track, used.made[1].track};
        const struct segment segments[] = {{.first_step = 1}, {.first_step = 7}};
        used.series[0].segments = both;
        used.series[0].segment_count = 2;
        used.run.segments = segments;
        used.run.segment_count = 2;
        const struct candidate *found = used_run(&used, "border", "jump", 0, NULL);
        if (anew)
            assert_true(used_value(found, "warming") == 1);
        else
            assert_null(found);
        used_end(&used);
    }
}

/* The rates of the start, in a few steps up and down again, are another schedule than before; a
   run that begins at its first step has them by right. */
static void a_rate_that_runs_its_schedule_again(void **state)
{
    (void)state;
    for (int c = 0; c < 3; c++) {
        begin();
        const double before[] = {1e-4, 4e-4, 3.9e-4, 3.8e-4, 3.4e-4, 2.9e-4, 2.2e-4};
        const double others[] = {1e-4, 4e-4, 3.7e-4, 3.3e-4, 3.1e-4};
        used_series(&used, KIND_LEARNING_RATE, "lr", before, 7, 8);
        make_track(&used.made[1], c == 1 ? others : before, 5, 8, 1);
        struct track both[] = {used.made[0].track, used.made[1].track};
        struct point head[HEAD_MAX];
        for (size_t i = 0; i < both[1].head_count; i++) {
            head[i] = both[1].head[i];
            head[i].step += c == 2 ? 0 : 7;
        }
        both[1].head = head;
        const struct segment segments[] = {{.first_step = 1}, {.first_step = 8}};
        used.series[0].segments = both;
        used.series[0].segment_count = 2;
        used.run.segments = segments;
        used.run.segment_count = 2;
        const struct candidate *found = used_run(&used, "border", "jump", 0, NULL);
        assert_true((found && used_value(found, "warming") == 1) == (c == 0));
        used_end(&used);
    }
}

/* What it printed at these steps before is what it has to come back to. */
static void a_return_to_an_earlier_step_is_no_jump(void **state)
{
    (void)state;
    begin();
    double before[60], after[30];
    for (int i = 0; i < 60; i++)
        before[i] = 3.0 - 0.04 * i;
    for (int i = 0; i < 30; i++)
        after[i] = before[i + 30]; /* printed again from step 31 on */
    used_series(&used, KIND_LOSS, "loss", before, 60, 3);
    make_track(&used.made[1], after, 30, 3, 1);
    struct track both[] = {used.made[0].track, used.made[1].track};
    struct point head[HEAD_MAX];
    for (size_t i = 0; i < both[1].head_count; i++) {
        head[i] = both[1].head[i];
        head[i].step += 30;
    }
    both[1].head = head;
    const struct segment segments[] = {{.first_step = 1}, {.first_step = 31}};
    used.series[0].segments = both;
    used.series[0].segment_count = 2;
    used.run.segments = segments;
    used.run.segment_count = 2;
    assert_null(used_run(&used, "border", "jump", 0, NULL));
    for (size_t i = 0; i < both[1].head_count; i++)
        head[i].value += 5;
    const struct candidate *found = used_run(&used, "border", "jump", 0, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "before") < 1.9 && used_value(found, "before") > 1.7);
    used_end(&used);
}

/* A job that is started again at its first step has lost all that stood at the end. */
static void a_return_to_the_start_loses_all(void **state)
{
    (void)state;
    begin();
    double before[20], after[5];
    for (int i = 0; i < 20; i++)
        before[i] = 1 + 4 * exp(-i / 2.0);
    memcpy(after, before, sizeof(after));
    used_series(&used, KIND_LOSS, "loss", before, 20, 3);
    make_track(&used.made[1], after, 5, 3, 1);
    const struct track both[] = {used.made[0].track, used.made[1].track};
    const struct segment segments[] = {{.first_step = 1}, {.first_step = 1}};
    used.series[0].segments = both;
    used.series[0].segment_count = 2;
    used.run.segments = segments;
    used.run.segment_count = 2;
    const struct candidate *found = used_run(&used, "border", "jump", 0, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "before") < 1.1);
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loss_that_is_higher_behind_it),
        cmocka_unit_test(a_rate_that_warms_up_again),
        cmocka_unit_test(a_rate_that_runs_its_schedule_again),
        cmocka_unit_test(a_return_to_an_earlier_step_is_no_jump),
        cmocka_unit_test(a_return_to_the_start_loses_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
