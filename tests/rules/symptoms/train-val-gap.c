/* train-val-gap: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static void begin(void)
{
    used_begin(&used);
}

static void a_warning_where_validation_is_perfect_at_once(void **state)
{
    (void)state;
    begin();
    const double validation[] = {0.05, 0.04, 0.03, 0.03}, train[] = {1.2, 0.8, 0.6, 0.5};
    const double val_acc[] = {0.99, 0.99, 1, 1}, acc[] = {0.5, 0.6, 0.7, 0.75};
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 4, 3);
    used_series(&used, KIND_LOSS, "loss", train, 4, 3);
    used_series(&used, KIND_VAL_METRIC, "val_acc", val_acc, 4, 3);
    used_series(&used, KIND_METRIC, "acc", acc, 4, 3);
    assert_true(judged_alarm(&used, "train-val-gap"));
    used_end(&used);
}

static void silent_where_dropout_explains_it(void **state)
{
    (void)state;
    begin();
    const double validation[] = {0.9, 0.6, 0.5}, train[] = {1.0, 0.7, 0.6};
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 3, 3);
    used_series(&used, KIND_LOSS, "loss", train, 3, 3);
    assert_null(judged(&used, "train-val-gap"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_validation_is_perfect_at_once),
        cmocka_unit_test(silent_where_dropout_explains_it),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
