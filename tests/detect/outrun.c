/* Accuracies of training and validation far from each other. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static const struct candidate *run(const char *validation_tag, const double *validation,
                                   size_t validations, const char *tag, const double *train,
                                   size_t trained, enum direction direction)
{
    used_begin(&used);
    used_series(&used, KIND_VAL_METRIC, validation_tag, validation, validations, 2)->direction =
        direction;
    used_series(&used, KIND_METRIC, tag, train, trained, 2)->direction = direction;
    return used_run(&used, "outrun", "metrics", 2, NULL);
}

static void learned_by_heart(void **state)
{
    (void)state;
    const double validation[] = {51.2, 52.9, 50.8, 51.7}, train[] = {99.1, 99.4, 99.3};
    const struct candidate *found = run("Top1", validation, 4, "Prec@1", train, 3, DIRECTION_UP);
    assert_non_null(found);
    assert_true(used_value(found, "gap") > 0.4);
    used_end(&used);
}

/* The epochs from the start on; or validation still gains in the last of them. */
static void from_the_first_epoch_on(void **state)
{
    (void)state;
    const double train[] = {0.45, 0.71, 0.88, 0.97, 0.99, 1.0};
    double validation[] = {0.41, 0.52, 0.55, 0.56, 0.55, 0.54};
    assert_non_null(run("val_acc", validation, 6, "train_acc", train, 6, DIRECTION_UP));
    used_end(&used);
    validation[4] = 0.59;
    validation[5] = 0.61;
    assert_null(run("val_acc", validation, 6, "train_acc", train, 6, DIRECTION_UP));
    used_end(&used);
}

static void errors_tell_the_same(void **state)
{
    (void)state;
    const double validation[] = {0.55, 0.54, 0.56}, train[] = {0.04, 0.02, 0.01};
    assert_non_null(run("test error", validation, 3, "error", train, 3, DIRECTION_DOWN));
    used_end(&used);
}

static void says_nothing_of_other_pairs(void **state)
{
    (void)state;
    const double low[] = {51.2, 52.9, 50.8, 51.7}, rising[] = {31.2, 42.9, 50.8, 57.7},
                 near[] = {78.1, 77.9, 78.3, 78.2}, train[] = {99.1, 99.4, 99.3},
                 learning[] = {68.1, 74.4, 79.3};
    assert_null(run("val_acc", rising, 4, "acc", train, 3, DIRECTION_UP)); /* on its way */
    used_end(&used);
    assert_null(run("val_acc", near, 4, "acc", train, 3, DIRECTION_UP)); /* a usual gap */
    used_end(&used);
    assert_null(run("val_acc", low, 4, "acc", learning, 3, DIRECTION_UP));
    used_end(&used);
    assert_null(run("val mAP", low, 4, "acc", train, 3, DIRECTION_UP)); /* of another measure */
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learned_by_heart),
        cmocka_unit_test(from_the_first_epoch_on),
        cmocka_unit_test(errors_tell_the_same),
        cmocka_unit_test(says_nothing_of_other_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
