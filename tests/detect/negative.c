/* Losses below 0. */
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

static void a_cross_entropy_cannot_be(void **state)
{
    (void)state;
    begin();
    const double readings[] = {0.5, -0.2, -0.9, -1.5};
    used_series(&used, KIND_LOSS, "train/bce", readings, 4, 3);
    assert_string_equal(used_run(&used, "negative", "named", 1, NULL)->form, "named");
    used_end(&used);
}

static void a_probability_runs_towards_minus_one(void **state)
{
    (void)state;
    begin();
    const double readings[] = {-0.1, -0.4, -0.7, -0.9}, acc[] = {0.1, 0.4, 0.7, 0.9};
    used_series(&used, KIND_LOSS, "loss", readings, 4, 3);
    used_series(&used, KIND_METRIC, "acc", acc, 4, 3);
    assert_string_equal(used_run(&used, "negative", "named", 1, NULL)->form, "probability");
    used_end(&used);
}

/* Named a likelihood it may be one of a density: the accuracy beside it tells. */
static void a_likelihood_of_a_class_is_its_probability(void **state)
{
    (void)state;
    const double readings[] = {-0.1, -0.4, -0.7, -0.9}, acc[] = {0.3, 0.5, 0.7, 0.9},
                 percent[] = {30, 50, 70, 90}, other[] = {0.3, 0.31, 0.33, 0.34};
    const double *const beside[] = {acc, percent, other};
    for (int i = 0; i < 3; i++) {
        begin();
        used_series(&used, KIND_LOSS, "nll", readings, 4, 3);
        used_series(&used, KIND_VAL_METRIC, "acc", beside[i], 4, 3);
        const struct candidate *found = used_run(&used, "negative", "named", 1, NULL);
        if (i < 2)
            assert_string_equal(found->form, "probability");
        else
            assert_null(found);
        used_end(&used);
    }
}

/* The wrong sign: every step gains more than the one before. A density gains less and less. */
static void what_falls_ever_faster_has_no_floor(void **state)
{
    (void)state;
    for (int density = 0; density < 2; density++) {
        double values[10];
        for (int i = 0; i < 10; i++)
            values[i] = density ? 2 - 40 * (1 - exp(-i * 0.4)) : -1 - 1.5 * i * i;
        begin();
        used_series(&used, KIND_LOSS, "loss", values, 10, 4);
        const struct candidate *found = used_run(&used, "negative", "named", 1, NULL);
        if (density) {
            assert_true(!found || strcmp(found->form, "faster") != 0);
        } else {
            assert_non_null(found);
            assert_string_equal(found->form, "faster");
        }
        used_end(&used);
    }
}

static void a_likelihood_may_be_negative(void **state)
{
    (void)state;
    begin();
    const double readings[] = {-0.1, -0.4, -0.7, -0.9};
    used_series(&used, KIND_LOSS, "nll", readings, 4, 3);
    assert_null(used_run(&used, "negative", "named", 1, NULL));
    used_end(&used);
    begin(); /* said in brackets behind the name */
    const double fell[] = {2.5, 1.5, -0.7, -0.9};
    for (int told = 0; told < 2; told++) {
        used_series(&used, KIND_LOSS, "loss", fell, 4, 3)->unit = told ? TEXT("NLL") : TEXT("");
        assert_true((used_run(&used, "negative", "named", 1, NULL) == NULL) == told);
        used_end(&used);
        begin();
    }
    used_end(&used);
}

/* Marks of 0 and 255 in a cross-entropy; overlaps of many classes with their sign turned. */
static void a_loss_of_areas_has_a_floor(void **state)
{
    (void)state;
    static const char *const names[] = {"Validation Dice score", "val_mIoU", "val/jaccard"};
    const double unbounded[] = {-756, -2474, -1271, -5510}, turned[] = {-2, -9, -14, -17},
                 scores[] = {0.2, 0.1, 0, 0};
    for (size_t i = 0; i < 3; i++)
        for (int deep = 0; deep < 2; deep++) {
            begin();
            used_series(&used, KIND_LOSS, "loss", deep ? unbounded : turned, 4, 1);
            used_series(&used, KIND_VAL_METRIC, names[i], scores, 4, 3);
            const struct candidate *found = used_run(&used, "negative", "named", 1, NULL);
            assert_true((found && strcmp(found->form, "overlap") == 0) == deep);
            used_end(&used);
        }
}

/* A score without areas: the loss may be a density. */
static void a_loss_without_areas_may_have_none(void **state)
{
    (void)state;
    const double readings[] = {-756, -2474, -1271, -5510}, scores[] = {0.2, 0.3, 0.4, 0.5};
    begin();
    used_series(&used, KIND_LOSS, "loss", readings, 4, 1);
    used_series(&used, KIND_VAL_METRIC, "val_psnr", scores, 4, 3);
    assert_null(used_run(&used, "negative", "named", 1, NULL));
    used_end(&used);
}

static void an_unnamed_loss_that_is_negative_from_the_start_says_nothing(void **state)
{
    (void)state;
    begin();
    const double readings[] = {-0.1, -0.4, -0.7, -0.9};
    used_series(&used, KIND_LOSS, "loss", readings, 4, 3);
    assert_null(used_run(&used, "negative", "named", 1, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cross_entropy_cannot_be),
        cmocka_unit_test(a_probability_runs_towards_minus_one),
        cmocka_unit_test(a_likelihood_of_a_class_is_its_probability),
        cmocka_unit_test(what_falls_ever_faster_has_no_floor),
        cmocka_unit_test(a_likelihood_may_be_negative),
        cmocka_unit_test(a_loss_of_areas_has_a_floor),
        cmocka_unit_test(a_loss_without_areas_may_have_none),
        cmocka_unit_test(an_unnamed_loss_that_is_negative_from_the_start_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
