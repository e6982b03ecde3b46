/* Busy time in bins: any order, any span, gaps seen. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "read/side/busy.h"

static void shares_hold_however_far_and_in_whatever_order(void **state)
{
    (void)state;
    static struct busy busy;
    assert_true(isnan(busy_share(&busy, 0, 10)));
    assert_true(busy_add(&busy, 1e15 + 500000, 250000));
    assert_true(busy_add(&busy, 1e15, 100000));
    assert_true(busy_add(&busy, 1e15 + 9000000, 500000));
    assert_true(fabs(busy_share(&busy, 1e15, 1e6) - 0.35) < 0.01);
    assert_true(fabs(busy_share(&busy, 1e15 + 1e6, 1e6)) < 0.01);
    assert_true(fabs(busy_share(&busy, 1e15 + 9e6, 5e5) - 1) < 0.02);
    assert_true(busy_share(&busy, 2e15, 1e6) == 0);
}

static void overlaps_are_never_more_than_all(void **state)
{
    (void)state;
    static struct busy busy;
    for (int i = 0; i < 5; i++)
        assert_true(busy_add(&busy, 100, 50));
    assert_true(busy_share(&busy, 100, 50) == 1);
    assert_true(fabs(busy_share(&busy, 100, 100) - 0.5) < 0.02);
}

static void what_is_no_time_is_refused(void **state)
{
    (void)state;
    static struct busy busy;
    assert_false(busy_add(&busy, (double)NAN, 1));
    assert_false(busy_add(&busy, 0, -1));
    assert_false(busy_add(&busy, (double)INFINITY, 1));
    assert_false(busy_add(&busy, 0, 1e300));
    assert_true(busy_add(&busy, -1e17, 1));
    assert_true(busy_add(&busy, 1e17, 1));
    assert_true(busy_share(&busy, -1e17, 2e17) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_hold_however_far_and_in_whatever_order),
        cmocka_unit_test(overlaps_are_never_more_than_all),
        cmocka_unit_test(what_is_no_time_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
