/* Losses that come again to the last digit. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX];

static const struct candidate *found(int count, int places)
{
    used_begin(&used);
    used_series(&used, KIND_LOSS, "loss", values, (size_t)count, places);
    return used_run(&used, "cycle", "exact", 1, NULL);
}

/* Twenty batches a time; in the second case they fall by a hundredth from one time to the next. */
static void the_same_batches_and_the_same_losses(void **state)
{
    (void)state;
    for (int falls = 0; falls < 2; falls++) {
        for (int i = 0; i < 100; i++) {
            const double base = 2.3 + 0.01 * (i % 20 * 7 % 11);
            values[i] = base - (falls ? 0.01 * (i / 20) : 0.0);
        }
        const struct candidate *candidate = found(100, 4);
        if (falls) {
            assert_null(candidate);
        } else {
            assert_true(used_value(candidate, "period") == 20);
            assert_true(used_value(candidate, "times") == 5);
        }
        used_end(&used);
    }
}

static void what_stands_still_or_takes_turns_is_no_cycle(void **state)
{
    (void)state;
    for (int turns = 0; turns < 2; turns++) {
        for (int i = 0; i < 60; i++)
            values[i] = 2.3026 + (turns ? 0.1 * (i % 2) : 0.0);
        assert_null(found(60, 4));
        used_end(&used);
    }
}

static void two_times_are_two_runs_in_one_file(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++)
        values[i] = 2.3 - 0.031 * (i % 30);
    assert_null(found(60, 4));
    used_end(&used);
}

static void two_digits_repeat_by_chance(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++)
        values[i] = 0.3 + 0.1 * (i % 4);
    assert_null(found(60, 1));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_batches_and_the_same_losses),
        cmocka_unit_test(what_stands_still_or_takes_turns_is_no_cycle),
        cmocka_unit_test(two_times_are_two_runs_in_one_file),
        cmocka_unit_test(two_digits_repeat_by_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
