/* metric-constant: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX], others[TEST_POINTS_MAX];

static void begin(void)
{
    used_begin(&used);
    memset(values, 0, sizeof(values));
    memset(others, 0, sizeof(others));
}

static void a_warning_where_the_accuracy_stands_still(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 8; i++)
        values[i] = 0.1135;
    used_series(&used, KIND_VAL_METRIC, "val_acc", values, 8, 4);
    assert_true(judged_alarm(&used, "metric-constant"));
    used_end(&used);
}

static void silent_on_a_perfect_one(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 8; i++)
        values[i] = 1;
    used_series(&used, KIND_VAL_METRIC, "val_acc", values, 8, 4);
    assert_null(judged(&used, "metric-constant"));
    used_end(&used);
}

/* A return at its ceiling is as constant as one of who never gets there: its sign tells. */
static void a_remark_on_a_return_over_nothing(void **state)
{
    (void)state;
    for (int over = 0; over < 2; over++) {
        begin();
        for (int i = 0; i < 8; i++)
            values[i] = over ? 200 : -200;
        used_series(&used, KIND_REWARD, "return", values, 8, 2);
        assert_int_equal(judged(&used, "metric-constant")->severity,
                         over ? SEVERITY_INFO : SEVERITY_WARNING);
        used_end(&used);
    }
}

static void a_remark_while_the_loss_still_falls(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 8; i++) {
        values[i] = 0.1135;
        others[i] = 2.3 - 0.1 * i;
    }
    used_series(&used, KIND_METRIC, "acc", values, 8, 4);
    used_series(&used, KIND_LOSS, "loss", others, 8, 4);
    assert_int_equal(judged(&used, "metric-constant")->severity, SEVERITY_INFO);
    used_end(&used);
}

/* Of two classes: the loss comes down from ln 2 while the accuracy stands at `share`. */
static const struct finding *standing(double first, double share, double lowest)
{
    begin();
    for (int i = 0; i < 15; i++) {
        values[i] = i < 7 ? first + (share - first) * sqrt(i / 7.0) : share;
        others[i] = 0.69 - (0.69 - lowest) * i / 14;
    }
    used_series(&used, KIND_VAL_METRIC, "val_acc", values, 15, 4);
    used_series(&used, KIND_VAL_LOSS, "val_loss", others, 15, 4);
    return judged(&used, "metric-constant");
}

static void a_warning_where_only_the_bias_is_learned(void **state)
{
    (void)state;
    assert_int_equal(standing(0.666, 0.9883, 0.28)->severity, SEVERITY_WARNING);
    used_end(&used);
    assert_int_equal(standing(0.6309, 0.9863, 0.28)->severity, SEVERITY_WARNING); /* not of 73 */
    used_end(&used);
}

static void a_remark_where_the_loss_is_as_low_as_the_share(void **state)
{
    (void)state;
    assert_int_equal(standing(0.666, 0.9883, 0.1)->severity, SEVERITY_INFO);
    used_end(&used);
}

static void a_remark_where_few_samples_have_the_share(void **state)
{
    (void)state;
    assert_int_equal(standing(0.7, 0.9833, 0.35)->severity, SEVERITY_INFO); /* 42, 59 of 60 */
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_the_accuracy_stands_still),
        cmocka_unit_test(silent_on_a_perfect_one),
        cmocka_unit_test(a_remark_on_a_return_over_nothing),
        cmocka_unit_test(a_remark_while_the_loss_still_falls),
        cmocka_unit_test(a_warning_where_only_the_bias_is_learned),
        cmocka_unit_test(a_remark_where_the_loss_is_as_low_as_the_share),
        cmocka_unit_test(a_remark_where_few_samples_have_the_share),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
