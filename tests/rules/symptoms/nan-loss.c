/* nan-loss: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

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

static void an_error_from_the_first_nan_to_the_end(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++)
        values[i] = i < 40 ? 2 + 0.01 * sin(i) : (double)NAN;
    used_series(&used, KIND_LOSS, "loss", values, 50, 4);
    const struct finding *found = judged(&used, "nan-loss");
    assert_non_null(found);
    assert_int_equal(found->severity, SEVERITY_ERROR);
    assert_string_equal(found->form, "out-of-the-blue");
    assert_int_equal(found->candidate.onset.line, 41);
    used_end(&used);
}

/* Without steps the line says where it is. */
static void its_line_stands_for_an_unknown_step(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++)
        values[i] = i < 40 ? 2 + 0.01 * sin(i) : (double)NAN;
    struct series *series = used_series(&used, KIND_LOSS, "loss", values, 50, 4);
    used.made[0].nonfinite.first.step = used.made[0].nonfinite.first_nan.step = STEP_NONE;
    for (size_t i = 0; i < series->whole.tail_count; i++)
        used.made[0].tail[i].step = STEP_NONE;
    used.made[0].track = series->whole;
    const struct finding *found = judged(&used, "nan-loss");
    assert_non_null(found);
    assert_true(text_find(found->message, TEXT(" in line 41")) < found->message.size);
    used_end(&used);
}

static void a_single_one_is_a_warning(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++)
        values[i] = i == 20 ? (double)NAN : 2 + 0.01 * sin(i);
    used_series(&used, KIND_LOSS, "loss", values, 50, 4);
    assert_int_equal(judged(&used, "nan-loss")->severity, SEVERITY_WARNING);
    used_end(&used);
}

/* The second reading: the first ones where it stays so, one of its own where it does not. */
static void a_second_reading_begins_what_stays(void **state)
{
    (void)state;
    static const char *const forms[] = {"out-of-the-blue", "instant"};
    for (int stays = 0; stays < 2; stays++) {
        begin();
        for (int i = 0; i < 6; i++)
            values[i] = i == 1 || (stays && i > 1) ? (double)NAN : 0.3;
        used_series(&used, KIND_LOSS, "loss", values, 6, 4);
        assert_string_equal(judged(&used, "nan-loss")->form, forms[stays]);
        used_end(&used);
    }
}

static void a_loss_of_zero_with_a_mark_for_a_norm_hides_it(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 20; i++) {
        values[i] = i < 10 ? 2 : 0;
        others[i] = i < 10 ? 0.8 + 0.01 * i : 1.4142135;
    }
    used_series(&used, KIND_LOSS, "loss", values, 20, 4);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", others, 20, 7);
    assert_string_equal(judged(&used, "nan-loss")->form, "hidden");
    used_end(&used);
}

/* A column that was never filled beside a finite loss; one of them finite once, or the loss NaN. */
static void a_remark_where_it_never_was_a_number(void **state)
{
    (void)state;
    for (int variant = 0; variant < 3; variant++) {
        const enum kind kind = variant % 2 ? KIND_LOSS : KIND_ADVERSARIAL;
        begin();
        for (int i = 0; i < 40; i++) {
            values[i] = variant == 1 && i < 3 ? 0.7 : (double)NAN;
            others[i] = variant == 2 && i > 20 ? (double)NAN : 1.4 - 0.02 * i;
        }
        used_series(&used, kind, "adv_loss", values, 40, 3)->main = kind != KIND_LOSS;
        used_series(&used, KIND_LOSS, "train.loss", others, 40, 3);
        assert_int_equal(judged(&used, "nan-loss")->severity,
                         variant ? SEVERITY_ERROR : SEVERITY_INFO);
        used_end(&used);
    }
}

static void silent_on_large_but_finite_losses(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++)
        values[i] = 1e9 * (1 + 0.1 * sin(i));
    used_series(&used, KIND_LOSS, "loss", values, 50, 1);
    assert_null(judged(&used, "nan-loss"));
    used_end(&used);
}

/* Trainers that leave NaN steps out of the loss they print count them beside it. */
static void counts_steps_that_were_left_out(void **state)
{
    (void)state;
    static const enum severity severities[] = {SEVERITY_ERROR, SEVERITY_WARNING};
    for (int few = 0; few < 2; few++) {
        begin();
        for (int i = 0; i < 60; i++)
            values[i] = i < 30 ? 0 : !few || i == 40;
        used_series(&used, KIND_COUNTER, "number of nan iterations", values, 60, 0);
        const struct finding *found = judged(&used, "nan-loss");
        assert_non_null(found);
        assert_string_equal(found->form, "counted");
        assert_int_equal(found->severity, severities[few]);
        used_end(&used);
    }
}

static void silent_on_counts_of_none(void **state)
{
    (void)state;
    static const char *const tags[] = {"number of nan iterations", "number of skipped iterations"};
    for (int skipped = 0; skipped < 2; skipped++) {
        begin();
        for (int i = 0; i < 60; i++)
            values[i] = skipped;
        used_series(&used, KIND_COUNTER, tags[skipped], values, 60, 0);
        assert_null(judged(&used, "nan-loss"));
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_from_the_first_nan_to_the_end),
        cmocka_unit_test(its_line_stands_for_an_unknown_step),
        cmocka_unit_test(a_single_one_is_a_warning),
        cmocka_unit_test(a_second_reading_begins_what_stays),
        cmocka_unit_test(a_loss_of_zero_with_a_mark_for_a_norm_hides_it),
        cmocka_unit_test(a_remark_where_it_never_was_a_number),
        cmocka_unit_test(silent_on_large_but_finite_losses),
        cmocka_unit_test(counts_steps_that_were_left_out),
        cmocka_unit_test(silent_on_counts_of_none),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
