/* overfitting: where the rule speaks, and where it is silent. */
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

static void a_warning_where_validation_turns(void **state)
{
    (void)state;
    begin();
    const double validation[] = {1.0, 0.8, 0.7, 0.75, 0.85, 0.95, 1.1, 1.2};
    const double train[] = {1.0, 0.8, 0.7, 0.65, 0.6, 0.56, 0.53, 0.5};
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 8, 3);
    used_series(&used, KIND_LOSS, "loss", train, 8, 3);
    const struct finding *found = judged(&used, "overfitting");
    assert_non_null(found);
    assert_int_equal(found->severity, SEVERITY_WARNING);
    assert_int_equal(found->candidate.onset.step, 3);
    used_end(&used);
}

static void silent_where_both_improve(void **state)
{
    (void)state;
    begin();
    const double validation[] = {1.0, 0.8, 0.7, 0.65, 0.62, 0.6, 0.59, 0.58};
    const double train[] = {1.0, 0.7, 0.6, 0.55, 0.52, 0.5, 0.49, 0.48};
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 8, 3);
    used_series(&used, KIND_LOSS, "loss", train, 8, 3);
    assert_null(judged(&used, "overfitting"));
    used_end(&used);
}

/* The event file of the validation alone: it turned and stays up, or it only swings. */
static void a_warning_where_validation_turns_alone(void **state)
{
    (void)state;
    begin();
    const double turned[] = {1.0, 0.8, 0.7, 0.72, 0.75, 0.78, 0.82, 0.85, 0.86, 0.9};
    used_series(&used, KIND_VAL_LOSS, "val_loss", turned, 10, 3);
    const struct finding *found = judged(&used, "overfitting");
    assert_non_null(found);
    assert_string_equal(found->candidate.form, "alone");
    assert_int_equal(found->severity, SEVERITY_WARNING);
    assert_int_equal(found->candidate.onset.step, 3);
    used_end(&used);
    begin();
    const double swinging[] = {1.0, 0.8, 0.95, 0.7, 0.9, 0.72, 0.88, 0.71, 0.93, 0.8};
    used_series(&used, KIND_VAL_LOSS, "val_loss", swinging, 10, 3);
    assert_null(judged(&used, "overfitting"));
    used_end(&used);
}

/* The same rise over the best among evaluations that swing, and among steady ones. */
static void a_remark_where_the_best_was_chance(void **state)
{
    (void)state;
    double validation[60], train[60];
    for (int steady = 0; steady < 2; steady++) {
        begin();
        for (int i = 0; i < 60; i++) {
            validation[i] = 1 + exp(-i / 5.0) + (steady ? 0.002 : 0.09) * sin(i * 2.3);
            train[i] = 0.8 + exp(-i / 12.0);
        }
        validation[35] = 0.86;
        for (int i = 36; steady && i < 60; i++)
            validation[i] += 0.02;
        used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 60, 3);
        used_series(&used, KIND_LOSS, "loss", train, 60, 3);
        assert_non_null(judged(&used, "overfitting"));
        assert_true(judged_alarm(&used, "overfitting") == (steady == 1));
        used_end(&used);
    }
}

/* Training comes to nothing: validation that stands at its best, or beside a metric at its best, is
   no alarm; validation that came back by a third is. */
static void a_remark_where_validation_keeps_its_best(void **state)
{
    (void)state;
    const double train[] = {1.0, 0.3, 0.1, 0.04, 0.02, 0.01, 0.008, 0.006, 0.005, 0.005};
    const double kept[] = {1.0, 0.4, 0.2, 0.12, 0.1, 0.09, 0.08, 0.081, 0.08, 0.081};
    const double risen[] = {1.0, 0.4, 0.2, 0.12, 0.1, 0.09, 0.08, 0.12, 0.119, 0.12};
    const double metric[] = {0.5, 0.6, 0.7, 0.8, 0.83, 0.86, 0.88, 0.9, 0.91, 0.92};
    begin();
    used_series(&used, KIND_VAL_LOSS, "val_loss", kept, 10, 3);
    used_series(&used, KIND_LOSS, "loss", train, 10, 3);
    assert_string_equal(judged(&used, "overfitting")->candidate.form, "gap");
    assert_false(judged_alarm(&used, "overfitting"));
    used_end(&used);
    begin();
    used_series(&used, KIND_VAL_LOSS, "val_loss", risen, 10, 3);
    used_series(&used, KIND_LOSS, "loss", train, 10, 3);
    assert_true(judged_alarm(&used, "overfitting"));
    used_end(&used);
    begin();
    used_series(&used, KIND_VAL_LOSS, "val_loss", risen, 10, 3);
    used_series(&used, KIND_LOSS, "loss", train, 10, 3);
    used_series(&used, KIND_VAL_METRIC, "val_acc", metric, 10, 3);
    assert_false(judged_alarm(&used, "overfitting"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_validation_turns),
        cmocka_unit_test(silent_where_both_improve),
        cmocka_unit_test(a_warning_where_validation_turns_alone),
        cmocka_unit_test(a_remark_where_the_best_was_chance),
        cmocka_unit_test(a_remark_where_validation_keeps_its_best),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
