/* Scores that never were anything but 0. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

/* Two scores of which the second ends at `last`, beside a loss that falls by `share`. */
static const struct candidate *found(size_t count, const char *second, double last, double share)
{
    double zeros[TEST_POINTS_MAX] = {0}, ends[TEST_POINTS_MAX] = {0}, losses[TEST_POINTS_MAX];
    ends[count - 1] = last;
    for (size_t i = 0; i < count; i++)
        losses[i] = 1.6 * (1 - share * (double)i / (double)(count - 1));
    used_begin(&used);
    used_series(&used, KIND_METRIC, "mAP50", zeros, count, 0);
    used_series(&used, KIND_LOSS, "box_loss", losses, count, 4);
    used_series(&used, KIND_METRIC, second, ends, count, 3)->main = false;
    return used_run(&used, "scoreless", "no-score", 1, NULL);
}

static void nothing_is_ever_found(void **state)
{
    (void)state;
    const struct candidate *candidate = found(12, "mAP", 0, 0.25);
    assert_non_null(candidate);
    assert_float_equal(used_value(candidate, "scores"), 2, 0);
    used_end(&used);
    assert_non_null(found(24, "lr_other", 0, 0.6)); /* one alone, for longer */
    used_end(&used);
}

/* Too early, a loss that stands, one score alone, or a score in the end. */
static void silent_where_something_may_come(void **state)
{
    (void)state;
    assert_null(found(6, "mAP", 0, 0.25));
    used_end(&used);
    assert_null(found(12, "mAP", 0, 0.02));
    used_end(&used);
    assert_null(found(12, "lr_other", 0, 0.6));
    used_end(&used);
    assert_null(found(24, "mAP", 0.003, 0.6));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_ever_found),
        cmocka_unit_test(silent_where_something_may_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
