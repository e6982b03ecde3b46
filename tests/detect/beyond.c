/* A loss of classes that begins where none can. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { EPOCHS = 12 };
static struct used used;

/* From `first` down to `last`, as a power each. */
static const struct candidate *found(const char *tag, double first, double last, bool accuracy)
{
    double losses[EPOCHS], rights[EPOCHS];
    for (int i = 0; i < EPOCHS; i++) {
        losses[i] = fmax(last, first * pow(0.4, i));
        rights[i] = 0.5 + 0.01 * i;
    }
    used_begin(&used);
    used_series(&used, KIND_LOSS, tag, losses, EPOCHS, 4);
    if (accuracy)
        used_series(&used, KIND_METRIC, "accuracy", rights, EPOCHS, 4);
    return used_run(&used, "beyond", "vast", 1, NULL);
}

static void raw_features_in_a_classifier(void **state)
{
    (void)state;
    const struct candidate *candidate = found("loss", 39483.9, 0.68, true);
    assert_non_null(candidate);
    assert_float_equal(used_value(candidate, "level"), 39483.9, 1e-9);
    used_end(&used);
    assert_non_null(found("log_loss", 912.4, 0.7, false));
    used_end(&used);
}

/* Regressions, sums over a batch, and losses that stay. */
static void silent_where_a_loss_may_be_so_large(void **state)
{
    (void)state;
    assert_null(found("loss", 39483.9, 0.68, false));
    used_end(&used);
    assert_null(found("loss", 88.7, 9.5, true));
    used_end(&used);
    assert_null(found("ctc", 900.5, 8.1, true));
    used_end(&used);
    assert_null(found("loss", 39483.9, 300, true));
    used_end(&used);
    assert_null(found("loss", 6.9, 0.02, true));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_features_in_a_classifier),
        cmocka_unit_test(silent_where_a_loss_may_be_so_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
