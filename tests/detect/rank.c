/* A rank that is slower than the others. */
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

static void tells_the_slow_one(void **state)
{
    (void)state;
    begin();
    for (int rank = 0; rank < 4; rank++) {
        for (int i = 0; i < 40; i++)
            values[i] = (rank == 2 ? 1.5 : 1) + 0.01 * sin(i + rank);
        used_series(&used, KIND_STEP_TIME, "time", values, 40, 3)->rank = rank;
    }
    const struct candidate *found = used_run(&used, "rank", "slow", 1, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "rank") == 2);
    used_end(&used);
}

static void equal_ranks_say_nothing(void **state)
{
    (void)state;
    begin();
    for (int rank = 0; rank < 4; rank++) {
        for (int i = 0; i < 40; i++)
            values[i] = 1 + 0.05 * sin(i + rank);
        used_series(&used, KIND_STEP_TIME, "time", values, 40, 3)->rank = rank;
    }
    assert_null(used_run(&used, "rank", "slow", 1, NULL));
    used_end(&used);
}

static struct series *series_of(int rank, enum kind kind, const char *tag, double level)
{
    for (int i = 0; i < 40; i++)
        values[i] = level + 0.01 * sin(i + rank);
    struct series *series = used_series(&used, kind, tag, values, 40, 3);
    series->rank = rank;
    series->unit = TEXT("s");
    return series;
}

/* The slow one waits least: its waiting is not held against the others' work. */
static void times_are_compared_by_name(void **state)
{
    (void)state;
    begin();
    for (int rank = 0; rank < 3; rank++) {
        series_of(rank, KIND_STEP_TIME, "step_time", 2);
        series_of(rank, KIND_STEP_TIME, "comm_time", 4);
    }
    assert_null(used_run(&used, "rank", "slow", 1, NULL));
    used_end(&used);
}

/* What is printed of the work of a rank, in seconds; a count of it is no time. */
static void tells_by_what_a_rank_computes(void **state)
{
    (void)state;
    for (int time = 0; time < 2; time++) {
        begin();
        for (int rank = 0; rank < 4; rank++) {
            struct series *series = series_of(rank, KIND_OTHER, "compute", rank == 1 ? 2.3 : 0.8);
            series->unit = time ? series->unit : TEXT("");
        }
        const struct candidate *found = used_run(&used, "rank", "slow", 1, NULL);
        if (time)
            assert_true(used_value(found, "rank") == 1);
        else
            assert_null(found);
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_the_slow_one),
        cmocka_unit_test(times_are_compared_by_name),
        cmocka_unit_test(tells_by_what_a_rank_computes),
        cmocka_unit_test(equal_ranks_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
