/* Games that one side wins. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

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

static void the_discriminator_is_at_its_floor(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 80; i++) {
        values[i] = 0.7 * exp(-i * 0.15) + 0.002;
        others[i] = 1 + 0.05 * i;
    }
    used_series(&used, KIND_ADVERSARIAL, "d_loss", values, 80, 4);
    used_series(&used, KIND_ADVERSARIAL, "g_loss", others, 80, 4);
    assert_string_equal(used_run(&used, "imbalance", "discriminator-wins", 1, NULL)->form,
                        "discriminator-wins");
    used_end(&used);
}

static void a_balanced_game_is_fine(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 80; i++) {
        values[i] = 0.69 + 0.1 * sin(i);
        others[i] = 0.69 + 0.1 * cos(i);
    }
    used_series(&used, KIND_ADVERSARIAL, "d_loss", values, 80, 4);
    used_series(&used, KIND_ADVERSARIAL, "g_loss", others, 80, 4);
    assert_null(used_run(&used, "imbalance", "discriminator-wins", 1, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_discriminator_is_at_its_floor),
        cmocka_unit_test(a_balanced_game_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
