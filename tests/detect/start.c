/* The first readings against the loss of guessing. */
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

static void a_pretrained_model_that_starts_over_ln_v(void **state)
{
    (void)state;
    begin();
    const double readings[] = {18.6, 18.7, 18.5, 17.9};
    used_series(&used, KIND_LOSS, "loss", readings, 4, 4);
    assert_null(used_run(&used, "start", "start-high", 1, NULL));
    used_fact(&used, "vocabulary", "151936", 151936);
    used_fact(&used, "pretrained", "true", (double)NAN);
    const struct candidate *found = used_run(&used, "start", "start-high", 1, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "start-high");
    used_end(&used);
}

static void a_log_that_begins_late_has_no_start(void **state)
{
    (void)state;
    begin();
    const double readings[] = {18.6, 18.7, 18.5, 17.9};
    used_series(&used, KIND_LOSS, "loss", readings, 4, 4);
    used_fact(&used, "vocabulary", "151936", 151936);
    used.made[0].track.first.step = 5000;
    assert_null(used_run(&used, "start", "start-high", 1, NULL));
    used_end(&used);
}

/* Twice the loss of guessing at first, and never under it; or under it at last. */
static void tells_what_never_came_under_guessing(void **state)
{
    (void)state;
    for (int learned = 0; learned < 2; learned++) {
        begin();
        double readings[10];
        for (int i = 0; i < 10; i++)
            readings[i] = (learned ? 2.5 : 3.4) + 6 * exp(-i * 0.5);
        used_series(&used, KIND_LOSS, "loss", readings, 10, 4);
        used_fact(&used, "vocabulary", "24", 24);
        const struct candidate *found = used_run(&used, "start", "start-high", 1, NULL);
        assert_non_null(found);
        assert_int_equal(used_value(found, "never-under"), learned ? 0 : 1);
        used_end(&used);
    }
}

/* A first reading a million times over the rest, beside a share of right answers. */
static void a_first_reading_out_of_all_bounds(void **state)
{
    (void)state;
    const struct {
        double first;
        bool share, found;
    } cases[] = {{2.3e6, true, true}, {2.3e3, true, false}, {2.3e6, false, false}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        begin();
        const double readings[] = {cases[i].first, 2.3, 2.29, 2.28},
                     shares[] = {0.1, 0.1, 0.1, 0.2};
        used_series(&used, KIND_LOSS, "loss", readings, 4, 4);
        if (cases[i].share)
            used_series(&used, KIND_VAL_METRIC, "val_accuracy", shares, 4, 4);
        const struct candidate *found = used_run(&used, "start", "burst", 1, "burst", 1e4, NULL);
        assert_int_equal(found != NULL, cases[i].found);
        if (found)
            assert_float_equal(used_value(found, "ratio"), 1e6, 1);
        used_end(&used);
    }
}

/* Nothing names the classes, but the first loss is the batch times ln 10; one a hundredth off is
   any number. */
static void a_sum_over_the_batch_names_its_classes(void **state)
{
    (void)state;
    for (int off = 0; off < 2; off++) {
        double readings[12];
        begin();
        for (int i = 0; i < 12; i++)
            readings[i] = (i == 0 ? 1 : 1.02) * (off ? 1.01 : 1) * 64 * log(10);
        used_series(&used, KIND_LOSS, "loss", readings, 12, 2);
        used_fact(&used, "batch_size", "64", 64);
        const struct candidate *found = used_run(&used, "start", "start-high", 1, NULL);
        assert_true((found != NULL) == !off);
        if (found) {
            assert_true(used_value(found, "summed") == 1);
            assert_true(used_value(found, "classes") == 10);
        }
        assert_null(used_run(&used, "start", "log", 1, NULL));
        used_end(&used);
    }
}

/* A loss of yes and no by its name, beside answers that are counted; alone it may rebuild images.
 */
static void a_binary_loss_by_its_name(void **state)
{
    (void)state;
    const double readings[] = {5200, 4100, 3300, 2500}, right[] = {0.51, 0.49, 0.52, 0.5};
    for (int counted = 0; counted < 2; counted++) {
        begin();
        used_series(&used, KIND_LOSS, "train_bce", readings, 4, 2);
        if (counted)
            used_series(&used, KIND_VAL_METRIC, "valid_acc", right, 4, 2);
        const struct candidate *found = used_run(&used, "start", "start-high", 1, NULL);
        assert_true((found != NULL) == (counted == 1));
        if (found)
            assert_true(used_value(found, "classes") == 2);
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pretrained_model_that_starts_over_ln_v),
        cmocka_unit_test(a_log_that_begins_late_has_no_start),
        cmocka_unit_test(tells_what_never_came_under_guessing),
        cmocka_unit_test(a_first_reading_out_of_all_bounds),
        cmocka_unit_test(a_sum_over_the_batch_names_its_classes),
        cmocka_unit_test(a_binary_loss_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
