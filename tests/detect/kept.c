/* A loss that keeps a large part of its start, and one that does not. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { POINTS = 16 };
static struct used used;

/* A loss from 2 to `end`, validation at `apart` times it, right answers up to `most`. */
static const struct candidate *run(double end, double apart, double most)
{
    double losses[POINTS], validation[POINTS], shares[POINTS];
    used_begin(&used);
    for (int i = 0; i < POINTS; i++) {
        losses[i] = end + (2 - end) * exp(-i / 3.0);
        validation[i] = losses[i] * apart;
        shares[i] = most - (most - 0.2) * exp(-i / 3.0);
    }
    used_series(&used, KIND_LOSS, "train_loss", losses, POINTS, 3);
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, POINTS, 3);
    used_series(&used, KIND_VAL_METRIC, "val_acc", shares, POINTS, 3);
    return used_run(&used, "kept", "held", 1, "apart", 1.15, NULL);
}

static void both_level_off_far_above_nothing(void **state)
{
    (void)state;
    const struct candidate *found = run(1.2, 1.02, 0.55);
    assert_non_null(found);
    assert_float_equal(used_value(found, "start"), 2, 1e-9);
    assert_float_equal(used_value(found, "drop"), 0.4, 0.02);
    assert_float_equal(used_value(found, "metric"), 0.55, 0.02);
    used_end(&used);
}

static void silent_where_the_fit_is_good_or_overdone(void **state)
{
    (void)state;
    assert_null(run(0.3, 1.02, 0.55)); /* little is left of the loss */
    used_end(&used);
    assert_null(run(1.2, 1.02, 0.93)); /* most answers are right */
    used_end(&used);
    assert_null(run(1.2, 1.40, 0.55)); /* validation stands over training */
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_level_off_far_above_nothing),
        cmocka_unit_test(silent_where_the_fit_is_good_or_overdone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
