/* Evaluations that stand, beside training that gains and training that does not. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { POINTS = 12 };
static struct used used;

/* Validation from `before` to 1, training from 1 to `end` through the noise of batches. */
static const struct candidate *found(double before, double end, double right)
{
    double validation[POINTS], train[POINTS], shares[POINTS];
    used_begin(&used);
    for (int i = 0; i < POINTS; i++) {
        validation[i] = 1 + (before - 1) * exp(-i) + 0.002 * sin(i);
        train[i] = 1 + (end - 1) * i / (POINTS - 1) + 0.15 * sin(i * 2.1);
        shares[i] = 0.3 + (right - 0.3) * i / (POINTS - 1);
    }
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, POINTS, 4);
    used_series(&used, KIND_LOSS, "loss", train, POINTS, 4);
    used_series(&used, KIND_VAL_METRIC, "val_acc", shares, POINTS, 4);
    return used_run(&used, "unmoved", "still", 2, NULL);
}

static void neither_of_both_gains(void **state)
{
    (void)state;
    const struct candidate *candidate = found(1.005, 1, 0.31);
    assert_non_null(candidate);
    assert_true(used_value(candidate, "band") < 0.012);
    used_end(&used);
}

static void silent_where_anything_gains(void **state)
{
    (void)state;
    assert_null(found(1.1, 1, 0.31)); /* validation */
    used_end(&used);
    assert_null(found(1.005, 0.5, 0.31)); /* training */
    used_end(&used);
    assert_null(found(1.005, 1, 0.6)); /* the metric */
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neither_of_both_gains),
        cmocka_unit_test(silent_where_anything_gains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
