/* Last readings that stand orders of magnitude beyond all before them. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static const struct candidate *found_in(const double *values, size_t count)
{
    used_begin(&used);
    used_series(&used, KIND_LOSS, "loss", values, count, 4);
    return used_run(&used, "burst", "burst", 1, NULL);
}

/* Either way; the last one, or the last two. */
static void leaves_for_another_order_of_magnitude(void **state)
{
    (void)state;
    for (int sign = -1; sign < 2; sign += 2)
        for (int last = 0; last < 2; last++) {
            double values[] = {34.5 * sign, 35.5 * sign, 33.5 * sign, 34.5 * sign,
                               35 * sign,   3e29 * sign, 2e29 * sign};
            const struct candidate *found = found_in(values, 6 + (size_t)last);
            assert_non_null(found);
            assert_int_equal(found->onset.step, 6);
            assert_true(used_value(found, "before") == 35 * sign);
            assert_true(used_value(found, "end") == (last ? 2e29 : 3e29) * sign);
            used_end(&used);
        }
}

static void is_silent_about_what_comes_back_or_was_there(void **state)
{
    (void)state;
    static const double cases[][7] = {
        {34.5, 35.5, 33.5, 34.5, 3e29, 35, 34},     /* it comes back */
        {2.5, 1e-3, 1e-6, 1e-9, 1e-9, 1e-9, 1e-2},  /* from nothing to little */
        {34.5, 35.5, 33.5, 34.5, 35, 3e5, 3e6},     /* too large, but no burst */
        {34.5, 35.5, 3e29, 3e29, 3e29, 3e29, 3e29}, /* most of the run */
        {0, 0, 0, 0, 0, 0, 1},                      /* nothing to compare with */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_null(found_in(cases[i], 7));
        used_end(&used);
    }
}

/* Five of them, each over five times all before: short of a million times. */
static void some_readings_far_beyond_need_not_be_so_far(void **state)
{
    (void)state;
    static const double cases[][12] = {
        {2.5, 0.4, 0.5, 0.3, 0.3, 0.2, 0.25, 36, 85, 53, 3220, 19},
        {2.5, 0.4, 0.5, 0.3, 0.3, 0.2, 0.25, 36, 85, 53, 3220, 12},  /* one is not */
        {2.5, 0.4, 0.5, 0.3, 0.3, 0.2, 0.25, 0.3, 85, 53, 3220, 19}, /* four */
        {2.5, 0.4, 0.5, 0.3, 36, 85, 53, 3220, 19, 40, 50, 60},      /* after too few */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        used_begin(&used);
        used_series(&used, KIND_LOSS, "loss", cases[i], 12, 4);
        const struct candidate *found = used_run(&used, "burst", "burst", 1, "ratio", 5.0, "least",
                                                 5.0, "share", 0.2, "last", 5.0, NULL);
        assert_true((found != NULL) == (i == 0));
        if (found)
            assert_int_equal(found->onset.step, 8);
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_for_another_order_of_magnitude),
        cmocka_unit_test(some_readings_far_beyond_need_not_be_so_far),
        cmocka_unit_test(is_silent_about_what_comes_back_or_was_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
