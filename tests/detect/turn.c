/* Validation that turns while training goes on. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static void begin(void)
{
    used_begin(&used);
}

static void rises_from_its_best_while_training_falls(void **state)
{
    (void)state;
    begin();
    const double validation[] = {1.0, 0.8, 0.7, 0.75, 0.85, 0.95, 1.1};
    const double train[] = {1.0, 0.7, 0.5, 0.35, 0.25, 0.2, 0.15};
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 7, 3);
    used_series(&used, KIND_LOSS, "loss", train, 7, 3);
    const struct candidate *found = used_run(&used, "turn", "turn", 2, NULL);
    assert_non_null(found);
    assert_int_equal(found->onset.step, 3);
    assert_true(used_value(found, "after") == 4);
    used_end(&used);
}

/* What single evaluations swing by is told apart from what their level rose by. */
static void a_rise_is_steady_or_a_swing(void **state)
{
    (void)state;
    const double train[] = {1.0, 0.7, 0.5, 0.35, 0.25, 0.2, 0.18, 0.16, 0.14, 0.12, 0.11, 0.1};
    const double climbs[] = {1.0, 0.7, 0.6, 0.55, 0.5, 0.45, 0.5, 0.57, 0.64, 0.72, 0.8, 0.9};
    const double swings[] = {1.0, 0.7, 0.6, 0.55, 0.5, 0.3, 0.52, 0.5, 0.47, 0.55, 0.48, 0.6};
    for (int swing = 0; swing < 2; swing++) {
        begin();
        used_series(&used, KIND_VAL_LOSS, "val_loss", swing ? swings : climbs, 12, 3);
        used_series(&used, KIND_LOSS, "loss", train, 12, 3);
        const struct candidate *found = used_run(&used, "turn", "turn", 2, NULL);
        assert_non_null(found);
        assert_true((used_value(found, "steady") < 0.5) == (swing == 1));
        used_end(&used);
    }
}

static void both_rising_is_no_overfitting(void **state)
{
    (void)state;
    begin();
    const double validation[] = {1.0, 0.8, 0.7, 0.75, 0.85, 0.95, 1.1};
    const double train[] = {1.0, 0.7, 0.5, 0.55, 0.6, 0.7, 0.8};
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 7, 3);
    used_series(&used, KIND_LOSS, "loss", train, 7, 3);
    assert_null(used_run(&used, "turn", "turn", 2, NULL));
    used_end(&used);
}

static void one_high_evaluation_is_no_turn(void **state)
{
    (void)state;
    begin();
    const double validation[] = {1.0, 0.8, 0.7, 0.9, 0.65, 0.6, 0.62};
    const double train[] = {1.0, 0.7, 0.5, 0.35, 0.25, 0.2, 0.15};
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 7, 3);
    used_series(&used, KIND_LOSS, "loss", train, 7, 3);
    assert_null(used_run(&used, "turn", "turn", 2, NULL));
    used_end(&used);
    /* At the end it is none either: the one before it is as good as the best. */
    begin();
    const double late[] = {1.0, 0.8, 0.6, 0.61, 0.62, 0.605, 2.0};
    used_series(&used, KIND_VAL_LOSS, "val_loss", late, 7, 3);
    used_series(&used, KIND_LOSS, "loss", train, 7, 3);
    assert_null(used_run(&used, "turn", "turn", 2, NULL));
    used_end(&used);
}

static void validation_under_training_leaves_no_gap(void **state)
{
    (void)state;
    for (int under = 0; under < 2; under++) {
        begin();
        const double validation[] = {1.0, 0.8, 0.7, 0.75, 0.85, 0.95, 1.1};
        double train[] = {1.0, 0.7, 0.5, 0.35, 0.25, 0.2, 0.15};
        for (int i = 0; under && i < 7; i++)
            train[i] += 1.2;
        used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 7, 3);
        used_series(&used, KIND_LOSS, "loss", train, 7, 3);
        const struct candidate *found = used_run(&used, "turn", "turn", 2, NULL);
        assert_non_null(found);
        assert_int_equal(used_value(found, "gap") < 1, under);
        used_end(&used);
    }
}

/* Sets whose batches get harder and harder, twenty a set: each set ends where it began. Read as
   evaluations the same values turn. */
static void batches_of_an_evaluation_hide_their_swings(void **state)
{
    (void)state;
    static double validation[500], train[500];
    for (int i = 0; i < 500; i++) {
        validation[i] = i < 250 ? 2 + 0.6 * (i % 20) / 19 : 2.2 + 0.6 * (i % 20) / 19;
        train[i] = 3 * exp(-i / 100.0) + 0.1;
    }
    for (int batches = 0; batches < 2; batches++) {
        begin();
        used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 500, 3)->grain =
            batches ? GRAIN_BATCH : GRAIN_STEP;
        used_series(&used, KIND_LOSS, "loss", train, 500, 3);
        assert_true((used_run(&used, "turn", "turn", 2, NULL) == NULL) == (batches == 1));
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rises_from_its_best_while_training_falls),
        cmocka_unit_test(a_rise_is_steady_or_a_swing),
        cmocka_unit_test(both_rising_is_no_overfitting),
        cmocka_unit_test(one_high_evaluation_is_no_turn),
        cmocka_unit_test(validation_under_training_leaves_no_gap),
        cmocka_unit_test(batches_of_an_evaluation_hide_their_swings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
