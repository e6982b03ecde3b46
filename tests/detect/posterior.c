/* The divergence from the prior falls to nothing. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { READINGS = 40 };
static struct used used;

/* From `first` down to `end`, beside a reconstruction that ends at `rest`. */
static const struct candidate *found(const char *tag, const char *beside, double first, double end,
                                     double rest)
{
    double divergence[READINGS], others[READINGS];
    for (int i = 0; i < READINGS; i++) {
        divergence[i] = end + (first - end) * exp(-i / 4.0);
        others[i] = rest * (1 + exp(-i / 8.0));
    }
    used_begin(&used);
    used_series(&used, KIND_LOSS, "loss", others, READINGS, 4);
    used_series(&used, KIND_OTHER, tag, divergence, READINGS, 4);
    used_series(&used, KIND_OTHER, beside, others, READINGS, 4);
    return used_run(&used, "posterior", "posterior", 1, NULL);
}

static void nothing_is_left(void **state)
{
    (void)state;
    const struct candidate *candidate = found("KL", "rec", 3.7, 0.001, 103);
    assert_non_null(candidate);
    assert_float_equal(used_value(candidate, "first"), 3.7, 1e-9);
    used_end(&used);
    assert_non_null(found("train/kld_loss", "train/recon_loss", 12, 0.002, 0.9));
    used_end(&used);
}

/* What is still used, what was never more, and divergences of other kinds. */
static void silent_where_the_code_is_used(void **state)
{
    (void)state;
    assert_null(found("KL", "rec", 3.7, 0.9, 103));
    used_end(&used);
    assert_null(found("KL", "rec", 0.02, 0.01, 103));
    used_end(&used);
    assert_null(found("approx_kl", "rec", 3.7, 0.001, 103));
    used_end(&used);
    assert_null(found("kl", "ce", 3.7, 0.001, 103));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left),
        cmocka_unit_test(silent_where_the_code_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
