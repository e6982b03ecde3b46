/* Training learns, and validation guesses. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { EVALUATIONS = 12 };
static struct used used;
static double values[TEST_POINTS_MAX], others[TEST_POINTS_MAX];

static const struct candidate *found(const char *classes, double number)
{
    used_begin(&used);
    used_series(&used, KIND_VAL_METRIC, "val_acc", values, EVALUATIONS, 4)->direction =
        DIRECTION_UP;
    used_series(&used, KIND_METRIC, "train_acc", others, EVALUATIONS, 4)->direction = DIRECTION_UP;
    if (classes)
        used_fact(&used, "classes", classes, number);
    return used_run(&used, "unlearned", "chance", 1, NULL);
}

static void fill(double level, double wavers, double reached)
{
    for (int i = 0; i < EVALUATIONS; i++) {
        values[i] = level + wavers * sin(i * 2.3);
        others[i] = 0.22 + (reached - 0.22) * i / (EVALUATIONS - 1);
    }
}

static void labels_that_belong_to_nothing(void **state)
{
    (void)state;
    fill(0.2, 0.02, 0.98);
    assert_string_equal(found("5", 5)->form, "chance");
    used_end(&used);
    assert_string_equal(found(NULL, 0)->form, "chance"); /* where training began */
    used_end(&used);
}

static void labels_in_another_order(void **state)
{
    (void)state;
    fill(0.09, 0.02, 0.98);
    assert_string_equal(found("5", 5)->form, "below");
    used_end(&used);
    assert_null(found(NULL, 0));
    used_end(&used);
    fill(0.11, 0.07, 0.98); /* the best of few samples comes near to guessing */
    assert_string_equal(found("5", 5)->form, "below");
    used_end(&used);
    fill(0.15, 0.07, 0.98);
    assert_null(found("5", 5));
    used_end(&used);
}

/* Three evaluations, and nothing names the classes: losses of single batches that begin at ln 4,
   and validation far over that with hardly an answer right. Near guessing, or with a loss that is
   near it as well, so few tell nothing. */
static void names_in_another_order_of_few_evaluations(void **state)
{
    (void)state;
    enum { OTHER, NEAR, CALM, CASES };
    for (int k = OTHER; k < CASES; k++) {
        const double right[] = {k == NEAR ? 0.25 : 0.055, k == NEAR ? 0.26 : 0.05,
                                k == NEAR ? 0.24 : 0.043},
                     held[] = {k == CALM ? 1.5 : 4.1, k == CALM ? 1.4 : 4.6, k == CALM ? 1.6 : 5.1};
        used_begin(&used);
        for (int i = 0; i < 90; i++)
            values[i] = 0.27 + 1.1 * exp(-i * 0.1);
        used_series(&used, KIND_VAL_METRIC, "eval_accuracy", right, 3, 4);
        used_series(&used, KIND_LOSS, "loss", values, 90, 4)->basis = BASIS_STEP;
        used_series(&used, KIND_VAL_LOSS, "eval_loss", held, 3, 4);
        const struct candidate *one = used_run(&used, "unlearned", "chance", 1, NULL);
        assert_true((one != NULL) == (k == OTHER));
        if (one)
            assert_string_equal(one->form, "below");
        used_end(&used);
    }
}

/* Better than guessing, or training that learns as little. */
static void what_generalises_is_learned(void **state)
{
    (void)state;
    fill(0.4, 0.02, 0.98);
    assert_null(found("5", 5));
    used_end(&used);
    fill(0.2, 0.02, 0.3);
    assert_null(found("5", 5));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_that_belong_to_nothing),
        cmocka_unit_test(labels_in_another_order),
        cmocka_unit_test(names_in_another_order_of_few_evaluations),
        cmocka_unit_test(what_generalises_is_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
