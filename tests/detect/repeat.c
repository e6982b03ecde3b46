/* Identical printed values. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX], others[TEST_POINTS_MAX];

static void begin(void)
{
    used_begin(&used);
    memset(values, 0, sizeof(values));
    memset(others, 0, sizeof(others));
}

static void five_times_the_same_five_digits(void **state)
{
    (void)state;
    begin();
    const double same[] = {2.31, 2.305, 2.3026, 2.3026, 2.3026, 2.3026, 2.3026};
    used_series(&used, KIND_LOSS, "loss", same, 7, 4);
    const struct candidate *found = used_run(&used, "repeat", "constant", 1, NULL);
    assert_non_null(found);
    assert_int_equal(found->onset.step, 3);
    assert_true(used_value(found, "run") == 5);
    assert_true(used_value(found, "moved-before") == 1);
    used_end(&used);
}

static void two_digits_never_tell(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++)
        values[i] = 0.69;
    used_series(&used, KIND_LOSS, "loss", values, 50, 2);
    assert_null(used_run(&used, "repeat", "constant", 1, NULL));
    used_end(&used);
}

static void digits_of_series_that_stand_together_add_up(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 4; i++) {
        values[i] = 0.0266;
        others[i] = 0.9983;
    }
    used_series(&used, KIND_LOSS, "loss", values, 4, 4);
    assert_null(used_run(&used, "repeat", "constant", 1, NULL));
    used_series(&used, KIND_METRIC, "acc", others, 4, 4);
    used_series(&used, KIND_VAL_METRIC, "val_acc", others, 4, 4);
    assert_non_null(used_run(&used, "repeat", "constant", 1, NULL));
    used_end(&used);
}

static void a_loss_that_prints_as_zero_is_done(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++)
        values[i] = 0.0003;
    used_series(&used, KIND_LOSS, "loss", values, 50, 4);
    assert_null(used_run(&used, "repeat", "constant", 1, NULL));
    used_end(&used);
}

/* 0.025 apart: three digits tell, not the five that are printed. */
static void a_loss_on_a_coarse_grid_repeats_by_chance(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = i < 32 ? 5.0 - 0.025 * i + (i % 2 ? 0.0 : 0.05) : 4.2;
    used_series(&used, KIND_LOSS, "loss", values, 40, 4);
    assert_null(used_run(&used, "repeat", "constant", 1, NULL));
    used_end(&used);
}

static void without_a_grid_all_digits_tell(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = i < 32 ? 5.0 - 0.025 * i + 0.0007 * (i * i % 7) : 4.2013;
    used_series(&used, KIND_LOSS, "loss", values, 40, 4);
    const struct candidate *found = used_run(&used, "repeat", "constant", 1, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "digits") == 5);
    used_end(&used);
}

static void a_score_of_nothing_knows_the_accuracy_beside_it(void **state)
{
    (void)state;
    begin();
    double right[30];
    for (int i = 0; i < 30; i++)
        right[i] = 99.83;
    used_series(&used, KIND_METRIC, "f1", values, 30, 4);
    used_series(&used, KIND_METRIC, "acc", right, 30, 2)->main = false;
    const struct candidate *found = used_run(&used, "repeat", "constant", 1, NULL);
    assert_non_null(found);
    assert_float_equal(used_value(found, "accuracy"), 0.9983, 1e-9);
    used_end(&used);
}

/* Two places of a zero tell where nothing else ever stood there while the loss came down. */
static void a_score_that_never_left_zero(void **state)
{
    (void)state;
    static const struct {
        int points, moved;
        double to; /* the loss, from 2 */
    } cases[] = {{30, 0, 0.1}, {30, 0, 1.8}, {15, 0, 0.1}, {30, 4, 0.1}};
    for (int c = 0; c < 4; c++) {
        begin();
        for (int i = 0; i < cases[c].points; i++) {
            values[i] = i < cases[c].moved ? 0.03 : 0;
            others[i] = 2 + (cases[c].to - 2) * i / (cases[c].points - 1);
        }
        used_series(&used, KIND_METRIC, "f1", values, (size_t)cases[c].points, 2);
        used_series(&used, KIND_LOSS, "loss", others, (size_t)cases[c].points, 4);
        const struct candidate *found = used_run(&used, "repeat", "constant", 1, NULL);
        assert_true((found != NULL) == (c == 0));
        used_end(&used);
    }
}

/* A score that stands far down while the loss of its phase falls does not see what falls. */
static void a_score_that_is_blind(void **state)
{
    (void)state;
    static const struct {
        double score, to; /* where it stands; the loss, from 2 */
        int moved;
        enum kind loss;
        bool blind;
    } cases[] = {{0.1805, 1.4, 0, KIND_VAL_LOSS, true},  {18.05, 1.4, 0, KIND_VAL_LOSS, true},
                 {0.9333, 1.4, 0, KIND_VAL_LOSS, false}, /* few samples, nearly done */
                 {0.1805, 1.9, 0, KIND_VAL_LOSS, false}, {0.1805, 1.4, 3, KIND_VAL_LOSS, false},
                 {0.1805, 1.4, 0, KIND_LOSS, false}}; /* printed again, not measured again */
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        begin();
        for (int i = 0; i < 15; i++) {
            values[i] = i < cases[c].moved ? cases[c].score / 2 : cases[c].score;
            others[i] = 2 + (cases[c].to - 2) * i / 14;
        }
        used_series(&used, KIND_VAL_METRIC, "test acc", values, 15, 4);
        used_series(&used, cases[c].loss, "loss", others, 15, 4);
        const struct candidate *found = used_run(&used, "repeat", "constant", 1, NULL);
        assert_non_null(found);
        assert_true((used_value(found, "blind") == 1) == cases[c].blind);
        used_end(&used);
    }
}

/* The print of a loss at its floor stands still while the model learns on: a score beside it says
   so. */
static void a_score_gains_beside_a_loss_that_stands(void **state)
{
    (void)state;
    static const double gains[] = {0.004, 0, -0.004};
    for (size_t c = 0; c < sizeof(gains) / sizeof(gains[0]); c++) {
        begin();
        for (int i = 0; i < 40; i++) {
            values[i] = i < 10 ? 0.7 / (1 + i * i) : 0.0031;
            others[i] = 0.7 + gains[c] * i;
        }
        used_series(&used, KIND_LOSS, "logloss", values, 40, 5);
        used_series(&used, KIND_METRIC, "auc", others, 40, 5);
        const struct candidate *found = used_run(&used, "repeat", "constant", 1, NULL);
        assert_non_null(found);
        assert_true(used_value(found, "left") < 0.05);
        assert_true((used_value(found, "score-gains") == 1) == (c == 0));
        used_end(&used);
    }
}

/* Means of epochs that stand still are asked for by the name of the main loss. */
static void means_of_epochs_stand_for_their_steps(void **state)
{
    (void)state;
    static const char *const names[] = {"loss", "aux_loss"};
    for (int other = 0; other < 2; other++) {
        begin();
        for (int i = 0; i < 30; i++) {
            values[i] = 27.2237;
            others[i] = 27.23 + 0.01 * sin(i * 1.7);
        }
        used_series(&used, KIND_LOSS, names[other], values, 10, 4)->main = false;
        used_series(&used, KIND_LOSS, "loss", others, 30, 4);
        const struct candidate *found =
            used_run(&used, "repeat", "constant", 1, "others", 2.0, NULL);
        if (other)
            assert_null(found);
        else
            assert_true(used_value(found, "run") == 10);
        used_end(&used);
    }
}

/* An accuracy of three digits that came up to where it stands by its last ones, while the loss
   falls on; one that jumped there; one beside a loss that stands; one of four digits. */
static void an_accuracy_that_crept_up_to_its_print(void **state)
{
    (void)state;
    static const struct {
        double before, fall;
        int places, crept;
    } cases[] = {{0.001, 0.01, 3, 1}, {0.02, 0.01, 3, 0}, {0.001, 0, 3, 0}, {0.001, 0.01, 4, 0}};
    for (int c = 0; c < 4; c++) {
        begin();
        for (int i = 0; i < 60; i++) {
            values[i] = i < 20 ? 0.95 - cases[c].before * (double)((24 - i) / 5) : 0.95;
            others[i] = 2 * exp(-cases[c].fall * i);
        }
        used_series(&used, KIND_METRIC, "acc", values, 60, cases[c].places);
        used_series(&used, KIND_LOSS, "loss", others, 60, 4);
        const struct candidate *found =
            used_run(&used, "repeat", "constant", 1, "coarse-run", 8.0, NULL);
        assert_non_null(found);
        assert_true(used_value(found, "crept") == cases[c].crept);
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_times_the_same_five_digits),
        cmocka_unit_test(two_digits_never_tell),
        cmocka_unit_test(digits_of_series_that_stand_together_add_up),
        cmocka_unit_test(a_loss_that_prints_as_zero_is_done),
        cmocka_unit_test(a_loss_on_a_coarse_grid_repeats_by_chance),
        cmocka_unit_test(without_a_grid_all_digits_tell),
        cmocka_unit_test(a_score_of_nothing_knows_the_accuracy_beside_it),
        cmocka_unit_test(a_score_that_never_left_zero),
        cmocka_unit_test(a_score_that_is_blind),
        cmocka_unit_test(a_score_gains_beside_a_loss_that_stands),
        cmocka_unit_test(means_of_epochs_stand_for_their_steps),
        cmocka_unit_test(an_accuracy_that_crept_up_to_its_print),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
