/* policy-collapse: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

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

static void a_warning_where_the_entropy_is_gone(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++) {
        values[i] = 1.5 * exp(-i * 0.12) + 0.001;
        others[i] = 5 + sin(i * 2.3);
    }
    used_series(&used, KIND_OTHER, "entropy", values, 60, 4);
    used_series(&used, KIND_REWARD, "reward", others, 60, 4);
    used.run.reinforcement = true;
    assert_true(judged_alarm(&used, "policy-collapse"));
    used_end(&used);
}

static void silent_while_the_reward_rises(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++) {
        values[i] = 1.5 * exp(-i * 0.12) + 0.001;
        others[i] = 5 + i;
    }
    used_series(&used, KIND_OTHER, "entropy", values, 60, 4);
    used_series(&used, KIND_REWARD, "reward", others, 60, 4);
    used.run.reinforcement = true;
    assert_null(judged(&used, "policy-collapse"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_the_entropy_is_gone),
        cmocka_unit_test(silent_while_the_reward_rises),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
