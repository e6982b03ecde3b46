/* straggler: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

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

static void a_warning_for_the_slow_rank(void **state)
{
    (void)state;
    begin();
    for (int rank = 0; rank < 4; rank++) {
        for (int i = 0; i < 40; i++)
            values[i] = (rank == 2 ? 1.5 : 1) + 0.01 * sin(i + rank);
        used_series(&used, KIND_STEP_TIME, "time", values, 40, 3)->rank = rank;
    }
    assert_int_equal(judged(&used, "straggler")->severity, SEVERITY_WARNING);
    used_end(&used);
}

static void silent_where_ranks_are_alike(void **state)
{
    (void)state;
    begin();
    for (int rank = 0; rank < 4; rank++) {
        for (int i = 0; i < 40; i++)
            values[i] = 1 + 0.05 * sin(i + rank);
        used_series(&used, KIND_STEP_TIME, "time", values, 40, 3)->rank = rank;
    }
    assert_null(judged(&used, "straggler"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_for_the_slow_rank),
        cmocka_unit_test(silent_where_ranks_are_alike),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
