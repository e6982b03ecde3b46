/* adversarial-imbalance: where the rule speaks, and where it is silent. */
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

static void an_error_where_the_discriminator_has_won(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 80; i++) {
        values[i] = 0.7 * exp(-i * 0.15) + 0.002;
        others[i] = 1 + 0.05 * i;
    }
    used_series(&used, KIND_ADVERSARIAL, "d_loss", values, 80, 4);
    used_series(&used, KIND_ADVERSARIAL, "g_loss", others, 80, 4);
    assert_int_equal(judged(&used, "adversarial-imbalance")->severity, SEVERITY_ERROR);
    used_end(&used);
}

static void silent_on_a_balanced_game(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 80; i++) {
        values[i] = 0.69 + 0.1 * sin(i);
        others[i] = 0.69 + 0.1 * cos(i);
    }
    used_series(&used, KIND_ADVERSARIAL, "d_loss", values, 80, 4);
    used_series(&used, KIND_ADVERSARIAL, "g_loss", others, 80, 4);
    assert_null(judged(&used, "adversarial-imbalance"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_where_the_discriminator_has_won),
        cmocka_unit_test(silent_on_a_balanced_game),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
