/* A metric that falls from its level. */
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

static void falls_to_the_start_again(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = (i < 25 ? 0.1 + 0.03 * i : 0.12) + 0.005 * sin(i * 2.3);
    used_series(&used, KIND_METRIC, "acc", values, 40, 4);
    const struct candidate *found = used_run(&used, "drop", "drop", 1, NULL);
    assert_non_null(found);
    assert_in_range(found->onset.step, 24, 28);
    assert_true(used_value(found, "lost") > 0.8);
    used_end(&used);
}

static void a_metric_that_rises_is_fine(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = 0.1 + 0.02 * i + 0.02 * sin(i * 2.3);
    used_series(&used, KIND_METRIC, "acc", values, 40, 4);
    assert_null(used_run(&used, "drop", "drop", 1, NULL));
    used_end(&used);
}

static void an_error_rate_is_turned_round(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = (i < 25 ? 0.9 - 0.03 * i : 0.85) + 0.005 * sin(i * 2.3);
    used_series(&used, KIND_METRIC, "wer", values, 40, 4)->direction = DIRECTION_DOWN;
    assert_non_null(used_run(&used, "drop", "drop", 1, NULL));
    used_end(&used);
}

static const struct candidate *first_of(const double *from, size_t count)
{
    begin();
    memcpy(values, from, count * sizeof(*from));
    used_series(&used, KIND_METRIC, "train_acc", values, count, 4);
    return used_run(&used, "drop", "first", 1, "first", 0.25, NULL);
}

static void the_first_reading_may_be_the_only_good_one(void **state)
{
    (void)state;
    const struct candidate *found = first_of((double[]){0.55, 0.02, 0.07, 0.01, 0}, 5);
    assert_non_null(found);
    assert_string_equal(found->form, "first");
    assert_true(used_value(found, "lost") > 0.9);
    used_end(&used);
}

static void a_lucky_first_reading_is_none(void **state)
{
    (void)state;
    assert_null(first_of((double[]){1, 0.55, 0.48, 0.52, 0.5}, 5)); /* of two classes */
    used_end(&used);
    assert_null(first_of((double[]){0.55, 0.02, 0.2, 0.3, 0.4}, 5)); /* it learns again */
    used_end(&used);
    assert_null(first_of((double[]){0.1, 0.01, 0.02, 0.01, 0}, 5)); /* no level at all */
    used_end(&used);
    assert_null(first_of((double[]){10, 1, 2, 1, 0}, 5)); /* nor in percent */
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_to_the_start_again),
        cmocka_unit_test(a_metric_that_rises_is_fine),
        cmocka_unit_test(an_error_rate_is_turned_round),
        cmocka_unit_test(the_first_reading_may_be_the_only_good_one),
        cmocka_unit_test(a_lucky_first_reading_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
