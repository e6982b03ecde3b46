/* Training and validation far from each other. */
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

static void a_gap_with_a_metric_that_shows_it(void **state)
{
    (void)state;
    begin();
    const double validation[] = {1.5, 1.5, 1.51, 1.5}, train[] = {0.9, 0.5, 0.3, 0.2};
    const double val_acc[] = {0.6, 0.6, 0.6, 0.6}, acc[] = {0.7, 0.8, 0.9, 0.95};
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 4, 3);
    used_series(&used, KIND_LOSS, "loss", train, 4, 3);
    used_series(&used, KIND_VAL_METRIC, "val_acc", val_acc, 4, 3);
    used_series(&used, KIND_METRIC, "acc", acc, 4, 3);
    const struct candidate *found = used_run(&used, "apart", "gap", 2, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "gap");
    used_end(&used);
}

/* The last evaluation has no place: the pairs are those of the same share of the run. */
static void the_end_may_have_no_place(void **state)
{
    (void)state;
    begin();
    const double validation[] = {1.5, 1.5, 1.51, 1.5}, train[] = {0.9, 0.5, 0.3, 0.2};
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 4, 3)->whole.last.step = STEP_NONE;
    used_series(&used, KIND_LOSS, "loss", train, 4, 3);
    const struct candidate *found = used_run(&used, "apart", "gap", 2, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "ratio") > 2);
    used_end(&used);
}

/* What is kept is the checkpoint of the best evaluation, not the first. */
static void a_gap_begins_at_the_best_evaluation(void **state)
{
    (void)state;
    begin();
    const double validation[] = {2.1, 1.4, 1.2, 1.25, 1.28, 1.3},
                 train[] = {2, 1, 0.5, 0.2, 0.1, 0.05};
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 6, 3);
    used_series(&used, KIND_LOSS, "loss", train, 6, 3);
    const struct candidate *found = used_run(&used, "apart", "gap", 2, NULL);
    assert_non_null(found);
    assert_true(found->onset.value == 1.2);
    used_end(&used);
}

static void another_reduction_keeps_its_ratio_from_the_first(void **state)
{
    (void)state;
    begin();
    const double validation[] = {40, 30, 25, 25}, train[] = {4, 3, 2.5, 2.5};
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 4, 3);
    used_series(&used, KIND_LOSS, "loss", train, 4, 3);
    used.made[0].track.tail_count = 4;
    const struct candidate *found = used_run(&used, "apart", "gap", 2, "still", 0.5, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "constant") == 1);
    assert_true(found->onset.value == 40);
    used_end(&used);
}

/* A single epoch, whose end has blown up: no sum over the samples makes such a ratio. */
static void a_validation_gone_astray_needs_one_pair(void **state)
{
    (void)state;
    const double train[] = {12.5};
    const double astray[] = {5e8}, summed[] = {6e5};
    begin();
    used_series(&used, KIND_VAL_LOSS, "val_loss", astray, 1, 3);
    used_series(&used, KIND_LOSS, "loss", train, 1, 3);
    const struct candidate *found = used_run(&used, "apart", "validation", 2, "ratio", 1e6, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "validation");
    assert_true(used_value(found, "ratio") == 4e7);
    used_end(&used);
    begin();
    used_series(&used, KIND_VAL_LOSS, "val_loss", summed, 1, 3);
    used_series(&used, KIND_LOSS, "loss", train, 1, 3);
    assert_null(used_run(&used, "apart", "validation", 2, "ratio", 1e6, NULL));
    used_end(&used);
}

static void near_perfect_at_once(void **state)
{
    (void)state;
    begin();
    const double validation[] = {0.05, 0.04, 0.03}, train[] = {1.2, 0.8, 0.6};
    const double val_acc[] = {0.99, 0.99, 1}, acc[] = {0.5, 0.6, 0.7};
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 3, 3);
    used_series(&used, KIND_LOSS, "loss", train, 3, 3);
    used_series(&used, KIND_VAL_METRIC, "val_acc", val_acc, 3, 3);
    used_series(&used, KIND_METRIC, "acc", acc, 3, 3);
    assert_string_equal(used_run(&used, "apart", "better", 2, "ratio", 0.5, NULL)->form, "at-once");
    used_end(&used);
}

static void a_little_better_is_dropout(void **state)
{
    (void)state;
    begin();
    const double validation[] = {0.9, 0.6, 0.5}, train[] = {1.0, 0.7, 0.6};
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 3, 3);
    used_series(&used, KIND_LOSS, "loss", train, 3, 3);
    assert_null(used_run(&used, "apart", "better", 2, "ratio", 0.5, NULL));
    used_end(&used);
}

/* A validation loss next to none beside training that still errs; beside training that does not. */
static void next_to_no_loss_needs_less_beside_it(void **state)
{
    (void)state;
    enum { MANY = 20 };
    for (int close = 0; close < 2; close++) {
        double validation[MANY], train[MANY], val_acc[MANY], acc[MANY];
        for (int i = 0; i < MANY; i++) {
            val_acc[i] = 0.99;
            acc[i] = close ? 0.985 : 0.93;
            train[i] = 0.2 + exp(-i);
            validation[i] = i < 3 ? 0.3 : 0.008;
        }
        begin();
        used_series(&used, KIND_VAL_LOSS, "val_loss", validation, MANY, 4);
        used_series(&used, KIND_LOSS, "loss", train, MANY, 4);
        used_series(&used, KIND_VAL_METRIC, "val_acc", val_acc, MANY, 4);
        used_series(&used, KIND_METRIC, "acc", acc, MANY, 4);
        const struct candidate *found = used_run(&used, "apart", "better", 2, "ratio", 0.5, NULL);
        assert_true((found && strcmp(found->form, "better") == 0) == (close == 0));
        used_end(&used);
    }
}

/* Validation over training by a fifth in most of many evaluations, or by next to nothing. */
static void a_middle_over_many_evaluations(void **state)
{
    (void)state;
    enum { MANY = 14 };
    for (int close = 0; close < 2; close++) {
        double validation[MANY], train[MANY], val_acc[MANY], acc[MANY];
        for (int i = 0; i < MANY; i++) {
            const bool odd = i < 2 || i == 9; /* single ones tell another story */
            acc[i] = 0.45 + 0.01 * i;
            val_acc[i] = acc[i] + (odd || close ? 0.02 : 0.22);
            train[i] = 1.2 - 0.01 * i;
            validation[i] = train[i] * (close ? 0.97 : 0.68);
        }
        begin();
        used_series(&used, KIND_VAL_LOSS, "val_loss", validation, MANY, 3);
        used_series(&used, KIND_LOSS, "loss", train, MANY, 3);
        used_series(&used, KIND_VAL_METRIC, "val_acc", val_acc, MANY, 3);
        used_series(&used, KIND_METRIC, "acc", acc, MANY, 3);
        const struct candidate *found = used_run(&used, "apart", "better", 2, "ratio", 0.5, NULL);
        assert_true((found != NULL) == (close == 0));
        if (found)
            assert_float_equal(used_value(found, "gap"), 0.22, 1e-9);
        used_end(&used);
    }
}

/* One metric alone: perfect in the first evaluations beside a loss of training that is not, or
   where easy samples are mixed for training. */
static void one_metric_at_its_bound_at_once(void **state)
{
    (void)state;
    enum { EPOCHS = 6 };
    for (int mixed = 0; mixed < 2; mixed++) {
        double validation[EPOCHS], train[EPOCHS], right[EPOCHS];
        for (int i = 0; i < EPOCHS; i++) {
            train[i] = 0.8 - 0.05 * i;
            validation[i] = mixed ? 0.05 - 0.004 * i : 0.004 - 0.0004 * i;
            right[i] = mixed ? 0.985 + 0.002 * i : 0.998 + 0.0002 * i;
        }
        begin();
        used_series(&used, KIND_VAL_LOSS, "valid_loss", validation, EPOCHS, 5);
        used_series(&used, KIND_LOSS, "train_loss", train, EPOCHS, 5);
        used_series(&used, KIND_METRIC, "accuracy", right, EPOCHS, 5);
        const struct candidate *found = used_run(&used, "apart", "better", 2, "ratio", 0.5, NULL);
        assert_true((found && strcmp(found->form, "at-once") == 0) == (mixed == 0));
        used_end(&used);
    }
}

/* Training is nearly as good: it takes a validation without a flaw, and losses that stay apart. */
static void without_a_flaw_at_once(void **state)
{
    (void)state;
    enum { EPOCHS = 8 };
    static const struct {
        double wrong, share, last; /* of validation; its loss in that of training, and at the end */
        bool found;
    } cases[] = {{0.0006, 0.1, 0.1, true},
                 {0, 0.1, 0.1, true},
                 {0.0006, 0.1, 0.4, false},
                 {0.0006, 0.3, 0.3, false},
                 {0.004, 0.1, 0.1, false}};
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        double validation[EPOCHS], train[EPOCHS], val_auc[EPOCHS], auc[EPOCHS];
        for (int i = 0; i < EPOCHS; i++) {
            auc[i] = 0.98 - 0.07 / (1 + i);
            val_auc[i] = 1 - cases[c].wrong / (1 + i);
            train[i] = 0.3 / (1 + 0.2 * i);
            validation[i] = train[i] * (i == EPOCHS - 1 ? cases[c].last : cases[c].share);
        }
        begin();
        used_series(&used, KIND_VAL_LOSS, "val_loss", validation, EPOCHS, 4);
        used_series(&used, KIND_LOSS, "train_loss", train, EPOCHS, 4);
        used_series(&used, KIND_VAL_METRIC, "val_auc", val_auc, EPOCHS, 4);
        used_series(&used, KIND_METRIC, "train_auc", auc, EPOCHS, 4);
        const struct candidate *found = used_run(&used, "apart", "better", 2, "ratio", 0.5, NULL);
        assert_true((found && strcmp(found->form, "at-once") == 0) == cases[c].found);
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_with_a_metric_that_shows_it),
        cmocka_unit_test(the_end_may_have_no_place),
        cmocka_unit_test(a_gap_begins_at_the_best_evaluation),
        cmocka_unit_test(another_reduction_keeps_its_ratio_from_the_first),
        cmocka_unit_test(a_validation_gone_astray_needs_one_pair),
        cmocka_unit_test(near_perfect_at_once),
        cmocka_unit_test(one_metric_at_its_bound_at_once),
        cmocka_unit_test(without_a_flaw_at_once),
        cmocka_unit_test(next_to_no_loss_needs_less_beside_it),
        cmocka_unit_test(a_middle_over_many_evaluations),
        cmocka_unit_test(a_little_better_is_dropout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
