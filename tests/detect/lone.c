/* One class has all the answers. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { EVALUATIONS = 6 };
static struct used used;
static double scores[EVALUATIONS], rights[EVALUATIONS];

static void fill(double score, double right)
{
    for (int i = 0; i < EVALUATIONS; i++) {
        scores[i] = score;
        rights[i] = right;
    }
}

static const struct candidate *found(const char *score, int places, const char *right)
{
    used_begin(&used);
    used_series(&used, KIND_VAL_METRIC, score, scores, EVALUATIONS, places);
    used_series(&used, KIND_VAL_METRIC, right, rights, EVALUATIONS, 4)->main = false;
    return used_run(&used, "lone", "one-class", 1, NULL);
}

static void a_score_of_nothing(void **state)
{
    (void)state;
    fill(0, 0.9531);
    const struct candidate *candidate = found("eval_f1", 1, "eval_accuracy");
    assert_non_null(candidate);
    assert_string_equal(candidate->form, "one-class");
    used_end(&used);
    assert_non_null(found("val/recall", 4, "val/acc"));
    used_end(&used);
    scores[0] = 0.1; /* it had named the other class once */
    assert_non_null(found("eval_f1", 4, "eval_accuracy"));
    used_end(&used);
}

static void a_mean_over_the_classes(void **state)
{
    (void)state;
    fill(50, 97.81);
    assert_non_null(found("mAcc", 4, "aAcc"));
    used_end(&used);
    fill(0.3333, 0.7412);
    assert_non_null(found("val_balanced_accuracy", 4, "val_accuracy"));
    used_end(&used);
    fill(0.3412, 0.7412); /* the mean of none */
    assert_null(found("val_balanced_accuracy", 4, "val_accuracy"));
    used_end(&used);
}

/* Right answers that still move, few of them, or a score that moves at the end. */
static void silent_where_answers_differ(void **state)
{
    (void)state;
    fill(0, 0.9531);
    rights[3] = 0.9528;
    assert_null(found("eval_f1", 1, "eval_accuracy"));
    used_end(&used);
    fill(0, 0.2531);
    assert_null(found("eval_f1", 1, "eval_accuracy"));
    used_end(&used);
    fill(0, 0.9531);
    scores[EVALUATIONS - 1] = 0.12;
    assert_null(found("eval_f1", 4, "eval_accuracy"));
    used_end(&used);
    fill(0.2, 0.2); /* guessing among five even classes */
    assert_null(found("mAcc", 4, "aAcc"));
    used_end(&used);
    fill(0, 0.9531); /* a score that has another 0 */
    assert_null(found("eval_reward", 4, "eval_accuracy"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_score_of_nothing),
        cmocka_unit_test(a_mean_over_the_classes),
        cmocka_unit_test(silent_where_answers_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
