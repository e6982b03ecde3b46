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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_the_slow_one),
        cmocka_unit_test(equal_ranks_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
