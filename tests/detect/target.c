/* Tell-tale values. */
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

static void ten_classes_at_ln_ten(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = 2.3027 + 0.0004 * sin(i * 2.1);
    used_series(&used, KIND_LOSS, "loss", values, 40, 4);
    const struct candidate *found = used_run(&used, "target", "uniform", 1, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "uniform");
    assert_true(used_value(found, "classes") == 10);
    used_end(&used);
}

static void a_level_that_was_reached_by_falling_is_a_coincidence(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = 2.3026 + 3.0 / (1 + i);
    used_series(&used, KIND_LOSS, "loss", values, 40, 4);
    assert_null(used_run(&used, "target", "uniform", 1, NULL));
    used_end(&used);
}

/* Who guesses loses the same on what he has not seen. */
static void a_fallen_level_beside_another_of_validation_is_a_coincidence(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        begin();
        for (int i = 0; i < 40; i++) {
            values[i] = 4.6050 + 1.2 * exp(-i / 2.0);
            others[i] = values[i] + 0.2 * apart;
        }
        used_series(&used, KIND_LOSS, "loss", values, 40, 4);
        used_series(&used, KIND_VAL_LOSS, "val_loss", others, 40, 4);
        const struct candidate *found = used_run(&used, "target", "uniform", 1, NULL);
        assert_true(apart ? found == NULL : found != NULL);
        used_end(&used);
    }
}

static void an_accuracy_of_a_quarter_names_four_classes(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 6; i++) {
        values[i] = 1.3863 + 0.001 * sin(i * 2.1);
        others[i] = 0.25 + 0.003 * sin(i);
    }
    used_series(&used, KIND_LOSS, "loss", values, 6, 4);
    assert_null(used_run(&used, "target", "uniform", 1, NULL));
    used_series(&used, KIND_METRIC, "acc", others, 6, 4);
    const struct candidate *found = used_run(&used, "target", "uniform", 1, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "classes") == 4);
    used_end(&used);
}

static void a_softmax_too_many_beside_a_good_accuracy(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++) {
        values[i] = 1.4612 + 0.84 * exp(-i * 0.4);
        others[i] = 0.99 - 0.8 * exp(-i * 0.4);
    }
    used_series(&used, KIND_LOSS, "loss", values, 40, 4);
    assert_null(used_run(&used, "target", "uniform", 1, NULL));
    used_series(&used, KIND_METRIC, "acc", others, 40, 4);
    assert_string_equal(used_run(&used, "target", "uniform", 1, NULL)->form, "double-softmax");
    used_end(&used);
}

/* A binary loss that falls through 0.3133 beside a good accuracy. */
static void what_passes_the_floor_of_two_classes_is_none(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 15; i++) {
        values[i] = 0.2 + 1.3 * exp(-(i + 1) / 6.0);
        others[i] = 0.95 - 0.5 * exp(-(i + 1) / 6.0);
    }
    used_series(&used, KIND_LOSS, "loss", values, 15, 3);
    used_series(&used, KIND_METRIC, "acc", others, 15, 4);
    assert_null(used_run(&used, "target", "uniform", 1, NULL));
    used_end(&used);
}

/* With 7 % wrong it stands up to 0.07 over the floor, and not where half are wrong. */
static void a_softmax_too_many_beside_some_wrong_answers(void **state)
{
    (void)state;
    for (int good = 0; good < 2; good++) {
        begin();
        for (int i = 0; i < 40; i++) {
            values[i] = 1.5212 + 0.7 * exp(-i * 0.4);
            others[i] = (good ? 0.93 : 0.5) - 0.4 * exp(-i * 0.4);
        }
        used_series(&used, KIND_LOSS, "loss", values, 40, 4);
        used_series(&used, KIND_METRIC, "acc", others, 40, 4);
        used_fact(&used, "classes", "10", 10);
        const struct candidate *found = used_run(&used, "target", "uniform", 1, NULL);
        if (good)
            assert_string_equal(found->form, "double-softmax");
        else
            assert_null(found);
        used_end(&used);
    }
}

/* Where many answers are wrong, loss and accuracy add up to ln(e + K - 1), whatever was learned; a
   timid model's sum drifts. */
static void a_softmax_too_many_beside_many_wrong_answers(void **state)
{
    (void)state;
    for (int timid = 0; timid < 2; timid++) {
        begin();
        for (int i = 0; i < 40; i++) {
            others[i] = 0.63 - 0.42 * exp(-i * 0.15);
            values[i] = log(exp(1) + 9) - others[i] + (timid ? 0.002 * i : 0.02);
        }
        used_series(&used, KIND_VAL_LOSS, "val_loss", values, 40, 4);
        used_series(&used, KIND_VAL_METRIC, "val_acc", others, 40, 4);
        const struct candidate *found = used_run(&used, "target", "uniform", 1, NULL);
        if (timid)
            assert_null(found);
        else
            assert_string_equal(found->form, "double-softmax");
        used_end(&used);
    }
}

/* Of five classes that nothing names; a sound run's sum is less from guessing on. */
static void a_softmax_too_many_over_few_classes(void **state)
{
    (void)state;
    for (int sound = 0; sound < 2; sound++) {
        begin();
        for (int i = 0; i < 40; i++) {
            others[i] = 0.78 - 0.5 * exp(-i * 0.1);
            values[i] =
                sound ? 1.609 - 1.55 * (others[i] - 0.2) : log(exp(1) + 4) - others[i] + 0.015;
        }
        used_series(&used, KIND_LOSS, "loss", values, 40, 4);
        used_series(&used, KIND_METRIC, "acc", others, 40, 4);
        const struct candidate *found = used_run(&used, "target", "uniform", 1, NULL);
        if (sound) {
            assert_null(found);
        } else {
            assert_non_null(found);
            assert_string_equal(found->form, "double-softmax");
            assert_float_equal(used_value(found, "classes"), 5, 0);
        }
        used_end(&used);
    }
}

/* Training prints no accuracy: loss and accuracy of validation add up, and training is at the
   floor. A sound run's do not, and another's training is far from it. */
static void a_softmax_too_many_beside_validation_alone(void **state)
{
    (void)state;
    enum { TWICE, SOUND, ELSEWHERE, CASES };
    for (int k = TWICE; k < CASES; k++) {
        begin();
        double losses[40];
        const double floor = log(1 + 4 / exp(1));
        for (int i = 0; i < 40; i++) {
            others[i] = 0.98 - 0.45 * exp(-i * 0.12);
            values[i] = k == SOUND ? 1.5 - 1.45 * others[i] : log(exp(1) + 4) - others[i];
            losses[i] = (k == ELSEWHERE ? 1.1 : floor) + 0.5 * exp(-i * 0.2);
        }
        used_series(&used, KIND_LOSS, "train_loss", losses, 40, 4);
        used_series(&used, KIND_VAL_LOSS, "val_loss", values, 40, 4);
        used_series(&used, KIND_VAL_METRIC, "val_acc", others, 40, 4);
        const struct candidate *found = used_run(&used, "target", "uniform", 1, NULL);
        assert_true((found && strcmp(found->form, "double-softmax") == 0) == (k == TWICE));
        used_end(&used);
    }
}

/* The F1 of a model that always answers yes is 0.667; its accuracy tells of two classes. */
static void an_accuracy_names_the_classes_beside_another_score(void **state)
{
    (void)state;
    static const char *const names[] = {"eval_accuracy", "eval_recall"};
    for (int k = 0; k < 2; k++) {
        begin();
        const double f1[] = {0.6667, 0.6667, 0.6667, 0.6667}, half[] = {0.5, 0.5, 0.5, 0.5},
                     evaluated[] = {0.6932, 0.6935, 0.6933, 0.6936};
        used_series(&used, KIND_VAL_LOSS, "eval_loss", evaluated, 4, 4);
        used_series(&used, KIND_VAL_METRIC, "eval_f1", f1, 4, 4);
        used_series(&used, KIND_VAL_METRIC, names[k], half, 4, 4);
        const struct candidate *found = used_run(&used, "target", "uniform", 1, NULL);
        assert_true((found != NULL) == (k == 0));
        used_end(&used);
    }
}

/* A contrastive loss that gives all samples of its batch one answer; one that has only begun; and
   another loss at the same level. */
static void all_samples_of_a_batch_alike(void **state)
{
    (void)state;
    static const struct {
        const char *tag, *batch;
        int points;
        double size, world, among;
    } cases[] = {{"Contrastive_loss", "512", 40, 512, 1, 512},
                 {"clip_loss", "64", 40, 64, 8, 512},
                 {"train/ntxent", "256", 40, 256, 1, 511},
                 {"Contrastive_loss", "512", 12, 512, 1, 0},
                 {"loss", "512", 40, 512, 1, 0}};
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        begin();
        for (int i = 0; i < cases[k].points; i++)
            values[i] = 6.2385 + 0.002 * sin(i * 2.1) + (i == 0 ? 0.05 : 0);
        used_series(&used, KIND_LOSS, cases[k].tag, values, (size_t)cases[k].points, 4);
        used_fact(&used, "batch_size", cases[k].batch, cases[k].size);
        used_fact(&used, "world_size", "", cases[k].world);
        const struct candidate *found = used_run(&used, "target", "uniform", 1, NULL);
        assert_true((found != NULL) == (cases[k].among > 0));
        if (found)
            assert_float_equal(used_value(found, "classes"), cases[k].among, 1.5);
        used_end(&used);
    }
}

static void wrong_answers_times_a_clip_level(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 5; i++) {
        values[i] = 7.666619;
        others[i] = 0.5;
    }
    used_series(&used, KIND_LOSS, "loss", values, 5, 6);
    used_series(&used, KIND_METRIC, "acc", others, 5, 4);
    assert_string_equal(used_run(&used, "target", "uniform", 1, NULL)->form, "clip-constant");
    used_end(&used);
}

static void two_readings_of_a_clip_level(void **state)
{
    (void)state;
    begin();
    values[0] = 87.3363;
    values[1] = 87.3365;
    used_series(&used, KIND_LOSS, "loss", values, 2, 4);
    assert_string_equal(used_run(&used, "target", "uniform", 1, NULL)->form, "clip-constant");
    used_end(&used);
    begin();
    values[0] = 87.3363;
    values[1] = 87.5;
    used_series(&used, KIND_LOSS, "loss", values, 2, 4);
    assert_null(used_run(&used, "target", "uniform", 1, NULL));
    used_end(&used);
    begin();
    values[0] = values[1] = 100;
    used_series(&used, KIND_LOSS, "loss", values, 2, 4);
    assert_null(used_run(&used, "target", "uniform", 1, NULL));
    used_end(&used);
}

/* Batches of 32 score up to two thirds by chance; the level of the accuracy is that of guessing. */
static void lucky_batches_do_not_hide_two_classes(void **state)
{
    (void)state;
    for (int learns = 0; learns < 2; learns++) {
        begin();
        for (int i = 0; i < 400; i++) {
            values[i] = 0.6890 + 0.011 * sin(i * 2.1);
            others[i] =
                0.52 + 0.1 * sin(i * 1.3) + (i % 90 == 40 ? 0.09 : 0) + (learns ? 0.0005 * i : 0);
        }
        used_series(&used, KIND_LOSS, "loss", values, 400, 5);
        used_series(&used, KIND_METRIC, "acc", others, 400, 4);
        const struct candidate *found = used_run(&used, "target", "uniform", 1, NULL);
        if (learns)
            assert_null(found);
        else
            assert_true(used_value(found, "classes") == 2);
        used_end(&used);
    }
}

static void a_binary_objective_has_two_classes(void **state)
{
    (void)state;
    for (int binary = 0; binary < 2; binary++) {
        begin();
        for (int i = 0; i < 40; i++)
            values[i] = 0.6887 + 0.002 * sin(i * 2.1);
        used_series(&used, KIND_LOSS, "loss", values, 40, 4);
        used_fact(&used, "objective", binary ? "bce" : "mse", (double)NAN);
        const struct candidate *found = used_run(&used, "target", "uniform", 1, NULL);
        if (binary)
            assert_true(used_value(found, "classes") == 2);
        else
            assert_null(found);
        used_end(&used);
    }
}

/* The loss wavers over that of guessing and the share of right answers stays at it; once under it,
   or where training learns, something was learned. */
static void over_guessing_and_never_under_it(void **state)
{
    (void)state;
    static const struct {
        double share, dip, train;
        bool found;
    } cases[] = {{0.1, 2.35, 2.35, true},  {0.1, 2.2, 2.35, false}, {0.1, 2.35, 1.9, false},
                 {0.3, 2.35, 2.35, false}, {0.1, 9.0, 2.35, true},  {0.1, 2.35, 0, false}};
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        double train[TEST_POINTS_MAX] = {0};
        begin();
        for (int i = 0; i < 20; i++) {
            values[i] = i == 2 ? cases[c].dip : 2.41 + 0.03 * sin(i * 2.1);
            others[i] = cases[c].share + 0.003 * sin(i * 1.3);
            train[i] = i > 15 ? cases[c].train : 2.4 + 0.02 * sin(i * 2.7);
        }
        used_series(&used, KIND_VAL_LOSS, "val_loss", values, 20, 4);
        used_series(&used, KIND_VAL_METRIC, "val_acc", others, 20, 4);
        if (cases[c].train > 0)
            used_series(&used, KIND_LOSS, "loss", train, 20, 4);
        const struct candidate *found = used_run(&used, "target", "uniform", 1, NULL);
        assert_true((found != NULL) == cases[c].found);
        if (found)
            assert_string_equal(found->form, "over-guessing");
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_classes_at_ln_ten),
        cmocka_unit_test(a_level_that_was_reached_by_falling_is_a_coincidence),
        cmocka_unit_test(a_fallen_level_beside_another_of_validation_is_a_coincidence),
        cmocka_unit_test(an_accuracy_of_a_quarter_names_four_classes),
        cmocka_unit_test(a_softmax_too_many_beside_a_good_accuracy),
        cmocka_unit_test(a_softmax_too_many_beside_some_wrong_answers),
        cmocka_unit_test(a_softmax_too_many_beside_many_wrong_answers),
        cmocka_unit_test(what_passes_the_floor_of_two_classes_is_none),
        cmocka_unit_test(a_softmax_too_many_over_few_classes),
        cmocka_unit_test(a_softmax_too_many_beside_validation_alone),
        cmocka_unit_test(an_accuracy_names_the_classes_beside_another_score),
        cmocka_unit_test(all_samples_of_a_batch_alike),
        cmocka_unit_test(wrong_answers_times_a_clip_level),
        cmocka_unit_test(two_readings_of_a_clip_level),
        cmocka_unit_test(lucky_batches_do_not_hide_two_classes),
        cmocka_unit_test(a_binary_objective_has_two_classes),
        cmocka_unit_test(over_guessing_and_never_under_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
