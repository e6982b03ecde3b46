/* A series that shrinks to nothing. */
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

static void a_norm_that_is_gone_beside_a_loss_that_stays(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++) {
        values[i] = i < 20 ? 1 : 1e-5;
        others[i] = 2.3;
    }
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 50, 8);
    used_series(&used, KIND_LOSS, "loss", others, 50, 4);
    assert_non_null(used_run(&used, "fade", "total", 1, "max-drop", 0.2, NULL));
    used_end(&used);
}

static void a_loss_that_fell_explains_it(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++) {
        values[i] = i < 20 ? 1 : 1e-5;
        others[i] = 2.3 / (1 + i);
    }
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 50, 8);
    used_series(&used, KIND_LOSS, "loss", others, 50, 4);
    assert_null(used_run(&used, "fade", "total", 1, "max-drop", 0.2, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_norm_that_is_gone_beside_a_loss_that_stays),
        cmocka_unit_test(a_loss_that_fell_explains_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
