/* labels: numbers by their widest column, classes by their shares. */
/* SPDX-License-Identifier: MIT */
#include "made_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double boxes(size_t row, size_t at)
{
    (void)row;
    return made_normal() * (at == 2 ? 250 : 1);
}

static double classes(size_t row, size_t at)
{
    (void)at;
    return row % 30 == 0 ? 2 : (double)(row % 2);
}

static void measures_the_widest_column(void **state)
{
    (void)state;
    static struct used used;
    static struct made_samples made;
    used_begin(&used);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){300, 4, 0}, boxes);
    const struct candidate *candidate = used_run(&used, "labels", "values", 0, NULL);
    assert_non_null(candidate);
    assert_true(used_value(candidate, "deviation") > 200);
    assert_true(used_value(candidate, "nan-soon") == 0);
    assert_null(used_run(&used, "labels", "values", 0, "high", 1000.0, NULL));
    assert_null(used_run(&used, "labels", "shares", 0, NULL));
    used_end(&used);
    made_end(&made);
}

static void counts_the_shares_of_classes(void **state)
{
    (void)state;
    static struct used used;
    static struct made_samples made;
    used_begin(&used);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){300, 0}, classes);
    const struct candidate *candidate = used_run(&used, "labels", "shares", 0, NULL);
    assert_non_null(candidate);
    assert_true(used_value(candidate, "classes") == 3);
    assert_true(used_value(candidate, "class") == 1);
    assert_true(used_value(candidate, "ratio") == 15);
    assert_true(used_value(candidate, "largest") == 0.5);
    assert_null(used_run(&used, "labels", "shares", 0, "ratio", 20.0, NULL));
    assert_null(used_run(&used, "labels", "values", 0, NULL));
    used_end(&used);
    made_end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_the_widest_column),
        cmocka_unit_test(counts_the_shares_of_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
