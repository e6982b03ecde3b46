/* A straight and shallow fall. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

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

static void seven_per_cent_in_a_straight_line(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 4 * (1 - 0.075 * i / 60) + 0.005 * sin(i * 2.3);
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    const struct candidate *found = used_run(&used, "slow", "slow", 1, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "drop") < 0.1);
    used_end(&used);
}

static void a_bend_is_learning(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 4 + 0.4 * exp(-i * 0.08) + 0.002 * sin(i * 2.3);
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    assert_null(used_run(&used, "slow", "slow", 1, NULL));
    used_end(&used);
}

static void before_a_third_of_the_plan_nothing_is_said(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 4 * (1 - 0.075 * i / 60) + 0.005 * sin(i * 2.3);
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    used.run.planned_steps = 1000;
    assert_null(used_run(&used, "slow", "slow", 1, NULL));
    used_end(&used);
}

/* A fall of logarithms by 0.9 is one to two fifths; cross-entropies have a log in their name too.
 */
static void logarithms_fall_by_shares(void **state)
{
    (void)state;
    static const struct {
        const char *tag;
        bool silent;
    } cases[] = {{"loss_log", true},  {"LossLogY", true}, {"log10_loss", true},
                 {"log(loss)", true}, {"log_rmse", true}, {"log_loss", false},
                 {"LogLoss", false},  {"loss", false},    {"loss_logits", false}};
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        begin();
        for (int i = 0; i < 60; i++)
            values[i] = 12 * (1 - 0.075 * i / 60) + 0.005 * sin(i * 2.3);
        used_series(&used, KIND_LOSS, cases[c].tag, values, 60, 4);
        assert_true((used_run(&used, "slow", "slow", 1, NULL) == NULL) == cases[c].silent);
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seven_per_cent_in_a_straight_line),
        cmocka_unit_test(a_bend_is_learning),
        cmocka_unit_test(before_a_third_of_the_plan_nothing_is_said),
        cmocka_unit_test(logarithms_fall_by_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
