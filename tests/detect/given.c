/* Trees that rank everything right from the first rounds on. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROUNDS = 30 };
static struct used used;

/* The area goes from `first` to `last`, and the loss falls by `rate` a round. */
static const struct candidate *found(const char *tag, double first, double last, double rate)
{
    double areas[ROUNDS], losses[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        areas[i] = fmin(last, first + (last - first) * i / 3);
        losses[i] = 0.27 * pow(rate, i);
    }
    used_begin(&used);
    used_series(&used, KIND_VAL_METRIC, tag, areas, ROUNDS, 4);
    used_series(&used, KIND_VAL_LOSS, "valid_1's binary_logloss", losses, ROUNDS, 5);
    return used_run(&used, "given", "given-away", 1, NULL);
}

static void a_feature_that_is_the_label(void **state)
{
    (void)state;
    const struct candidate *candidate = found("valid_1's auc", 0.9988, 1, 0.95);
    assert_non_null(candidate);
    assert_float_equal(used_value(candidate, "first"), 0.9988, 1e-9);
    used_end(&used);
    assert_non_null(found("eval-auc", 1, 1, 0.97));
    used_end(&used);
}

/* What is learned round by round, or ends short of it, or is no ranking. */
static void silent_on_what_is_learned(void **state)
{
    (void)state;
    assert_null(found("valid_1's auc", 0.93, 0.9999, 0.95));
    used_end(&used);
    assert_null(found("valid_1's auc", 0.9975, 0.9985, 0.95));
    used_end(&used);
    assert_null(found("val_accuracy", 0.9988, 1, 0.95));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_feature_that_is_the_label),
        cmocka_unit_test(silent_on_what_is_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
