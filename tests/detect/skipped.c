/* The share of the last steps that were skipped. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX];

static const struct candidate *run(size_t count, int64_t stride)
{
    used_begin(&used);
    struct series *series = used_series(&used, KIND_COUNTER, "skipped", values, count, 0);
    make_track(&used.made[0], values, count, 0, stride);
    series->whole = used.made[0].track;
    return used_run(&used, "skipped", "skips", 1, NULL);
}

static void every_tenth_step_is_skipped(void **state)
{
    (void)state;
    for (int i = 0; i < 400; i++)
        values[i] = i >= 100 && i % 10 == 0; /* 10, then 20 */
    const struct candidate *found = run(400, 1);
    assert_non_null(found);
    assert_float_equal(used_value(found, "skips"), 10, 1.1); /* the first ten are spared */
    assert_float_equal(used_value(found, "share"), 0.05, 0.006);
    assert_float_equal(used_value(found, "steps"), 200, 0);
    used_end(&used);
}

static void a_count_that_goes_on_is_taken_as_one(void **state)
{
    (void)state;
    /* 16 in the search, then 40 of the last 200 steps, printed every tenth. */
    for (int i = 0; i < 100; i++)
        values[i] = i < 2 ? 8 * (i + 1) : i < 80 ? 16 : 16 + 2 * (i - 79);
    const struct candidate *found = run(100, 10);
    assert_non_null(found);
    assert_float_equal(used_value(found, "skips"), 36, 4.1);
    assert_float_equal(used_value(found, "share"), 0.18, 0.021);
    used_end(&used);
}

/* Of 1000 steps three, printed every tenth; and counts of ten steps each, from where none is
   taken. */
static void a_count_that_never_falls_goes_on(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++)
        values[i] = i < 30 ? 1 : i < 70 ? 2 : 3;
    assert_null(run(100, 10));
    used_end(&used);
    for (int i = 0; i < 100; i++)
        values[i] = i < 70 ? 0 : 10;
    const struct candidate *found = run(100, 10);
    assert_non_null(found);
    assert_float_equal(used_value(found, "share"), 0.9, 0.11);
    used_end(&used);
}

static void the_search_for_a_scale_is_spared(void **state)
{
    (void)state;
    memset(values, 0, sizeof(values));
    for (int i = 0; i < 17; i++)
        values[i] = 1;
    assert_null(run(150, 1));
    used_end(&used);
    /* So is one skipped step now and then, and a count that stands. */
    for (int i = 0; i < 400; i++)
        values[i] = i < 17 || i % 100 == 0;
    assert_null(run(400, 1));
    used_end(&used);
    for (int i = 0; i < 400; i++)
        values[i] = fmin(i, 17);
    assert_null(run(400, 1));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tenth_step_is_skipped),
        cmocka_unit_test(a_count_that_goes_on_is_taken_as_one),
        cmocka_unit_test(a_count_that_never_falls_goes_on),
        cmocka_unit_test(the_search_for_a_scale_is_spared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
