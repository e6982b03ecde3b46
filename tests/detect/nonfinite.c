/* Readings that are NaN or infinite, and what came before them. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX];

static void begin(void)
{
    used_begin(&used);
    memset(values, 0, sizeof(values));
}

static void points_at_the_first_nan(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++)
        values[i] = i < 40 ? 2 + 0.01 * sin(i) : (double)NAN;
    used_series(&used, KIND_LOSS, "loss", values, 50, 4);
    const struct candidate *found = used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "out-of-the-blue");
    assert_int_equal(found->onset.step, 41);
    assert_int_equal(found->onset.line, 41);
    assert_true(used_value(found, "row") == 10);
    assert_true(used_value(found, "at-end") == 1);
    used_end(&used);
}

/* Two in three readings behind the first NaN are finite; or none is. */
static void counts_what_is_sound_behind_it(void **state)
{
    (void)state;
    for (int returns = 0; returns < 2; returns++) {
        begin();
        for (int i = 0; i < 40; i++)
            values[i] = i >= 10 && (i % 3 == 1 || !returns) ? (double)NAN : 2 + 0.01 * sin(i);
        used_series(&used, KIND_LOSS, "loss", values, 40, 4);
        const struct candidate *found = used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL);
        assert_non_null(found);
        const double sound = used_value(found, "sound");
        assert_true(returns ? sound > 0.6 && sound < 0.7 : sound == 0);
        used_end(&used);
    }
}

static void tells_what_the_part_is_about(void **state)
{
    static const struct {
        const char *tag, *about;
    } parts[] = {{"loss_bbox", "marks"}, {"kl_loss", "domain"}, {"loss_cls", ""}};
    (void)state;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        begin();
        values[7] = (double)NAN;
        used_series(&used, KIND_LOSS, parts[i].tag, values, 20, 4);
        const struct candidate *found = used_run(&used, "nonfinite", "part", 1, NULL);
        struct text about = {"none", 4};
        for (size_t k = 0; k < found->value_count; k++)
            if (strcmp(found->values[k].name, "about") == 0)
                about = found->values[k].text;
        assert_true(text_is(about, parts[i].about));
        used_end(&used);
    }
}

/* The last run of NaN is no longer than ones that it came back from; or it is the longest. */
static void a_part_that_comes_back_again_and_again(void **state)
{
    (void)state;
    for (int longest = 0; longest < 2; longest++) {
        begin();
        for (int i = 0; i < 20; i++)
            values[i] =
                i == 2 || i == 3 || i == 8 || i == 9 || i >= 19 - 2 * longest ? (double)NAN : 1.5;
        used_series(&used, KIND_LOSS, "loss_obj", values, 20, 4);
        const struct candidate *found = used_run(&used, "nonfinite", "part", 1, NULL);
        assert_true(used_value(found, "at-end") == longest);
        used_end(&used);
    }
}

/* Three parts break with the total; or one of them does a reading before, or not at all. */
static void no_part_where_all_of_them_broke_at_once(void **state)
{
    (void)state;
    for (int other = 0; other < 3; other++) {
        begin();
        const char *const tags[] = {"loss_box", "loss_kl", "loss_cls", "loss"};
        for (int i = 0; i < 4; i++) {
            double own[20] = {0};
            own[7] = (double)NAN;
            if (i == 2 && other == 1)
                own[6] = (double)NAN;
            if (i == 2 && other == 2)
                own[7] = 1;
            used_series(&used, KIND_LOSS, tags[i], own, 20, 4)->scope =
                i < 3 ? SCOPE_PART : SCOPE_TOTAL;
        }
        assert_true((used_run(&used, "nonfinite", "part", 1, NULL) != NULL) == (other > 0));
        used_end(&used);
    }
}

/* Losses of single samples stray by factors: the last ten end over the lowest of them as often as
   not. Of a quiet loss the same end is a rise, and far over all that strays it is one too. */
static void a_rise_has_to_leave_what_readings_stray(void **state)
{
    (void)state;
    enum { STRAYS, QUIET, FAR, CASES };
    for (int k = STRAYS; k < CASES; k++) {
        begin();
        double own[70];
        for (int i = 0; i < 60; i++)
            own[i] = k == QUIET ? 0.1 : 0.1 * exp(sin(i * 2.4));
        for (int i = 60; i < 66; i++)
            own[i] = 0.1 * exp((k == FAR ? 1.2 : 0.2) * (i - 60));
        for (int i = 66; i < 70; i++)
            own[i] = (double)NAN;
        used_series(&used, KIND_LOSS, "step_loss", own, 70, 4);
        const struct candidate *found = used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL);
        assert_non_null(found);
        assert_string_equal(found->form, k == STRAYS ? "out-of-the-blue" : "after-rise");
        used_end(&used);
    }
}

/* The loss of step 0 is that of the weights the run began with; the mean of an epoch is not. */
static void a_first_loss_that_no_update_came_before(void **state)
{
    (void)state;
    enum { AT_ONCE, EPOCHS, LATER, CASES };
    for (int k = AT_ONCE; k < CASES; k++) {
        begin();
        double own[6];
        for (int i = 0; i < 6; i++)
            own[i] = k == LATER && i == 0 ? 2.5 : (double)NAN;
        struct series *series = used_series(&used, KIND_LOSS, "loss", own, 6, 4);
        used_apart(&used, 0, own, 6, 4, 0);
        series->basis = k == EPOCHS ? BASIS_EPOCH_MEAN : BASIS_STEP;
        const struct candidate *found = used_run(&used, "nonfinite", "instant", 1, NULL);
        assert_non_null(found);
        assert_true((used_value(found, "untrained") == 1) == (k == AT_ONCE));
        used_end(&used);
    }
}

/* No total is printed, and all parts break at one reading: the one that rose the most before speaks
   for all. Where none rose, or one goes on, it is a part. */
static void parts_that_rose_and_broke_as_one(void **state)
{
    (void)state;
    enum { SPEAKS, BEHIND, CALM, GOES_ON, CASES };
    static const char *const tags[] = {"box_loss", "cls_loss", "dfl_loss"};
    for (int k = SPEAKS; k < CASES; k++) {
        begin();
        for (int part = 0; part < 3; part++) {
            double own[12];
            const double slope = k == CALM ? 0 : k == BEHIND ? part : 2 - part;
            for (int i = 0; i < 12; i++)
                own[i] = 1 + 0.1 * (i % 2) + (i > 2 ? slope * (i - 2) : 0);
            for (int i = 8; i < 12 && !(k == GOES_ON && part == 2); i++)
                own[i] = (double)NAN;
            used_series(&used, KIND_LOSS, tags[part], own, 12, 4)->scope = SCOPE_PART;
        }
        const struct candidate *found = used_run(&used, "nonfinite", "part", 1, NULL);
        assert_true((found == NULL) == (k == BEHIND));
        if (found)
            assert_true((found->form && strcmp(found->form, "after-rise") == 0) == (k == SPEAKS));
        used_end(&used);
    }
}

/* In the line in which the total and one part break another part stands a hundred times over all it
   was: that one ran away. Or five times, or a line before. */
static void a_part_that_ran_away_tells_of_the_weights(void **state)
{
    (void)state;
    for (int other = 0; other < 3; other++) {
        begin();
        double cls[8] = {1.2, 1.4, 1.5, 1.4, 1.5, 1.5, 1.4, 1.5}, box[8], whole[8];
        cls[other == 2 ? 6 : 7] = other == 1 ? 7.5 : 150;
        for (int i = 0; i < 8; i++) {
            box[i] = i == 7 ? (double)NAN : 0.5;
            whole[i] = i == 7 ? (double)NAN : 2;
        }
        used_series(&used, KIND_LOSS, "loss", whole, 8, 4)->scope = SCOPE_TOTAL;
        used_series(&used, KIND_LOSS, "loss_cls", cls, 8, 4)->scope = SCOPE_PART;
        used_series(&used, KIND_LOSS, "loss_box", box, 8, 4)->scope = SCOPE_PART;
        const struct candidate *found = used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL);
        assert_non_null(found);
        assert_string_equal(found->form, other == 0 ? "torn" : "out-of-the-blue");
        if (other == 0)
            assert_float_equal(used_value(found, "ratio"), 100, 1e-9);
        used_end(&used);
    }
}

/* Averages over no sample, of which the line prints the count; or it prints another. */
static void an_average_over_nothing_is_no_broken_loss(void **state)
{
    (void)state;
    for (int some = 0; some < 2; some++) {
        begin();
        double own[12], count[12];
        for (int i = 0; i < 12; i++) {
            own[i] = i % 3 == 2 ? 0.7 : (double)NAN;
            count[i] = i % 3 == 2 ? 14 : some;
        }
        used_series(&used, KIND_LOSS, "Obj", own, 12, 6);
        used_series(&used, KIND_OTHER, "count", count, 12, 0);
        const struct candidate *found = used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL);
        assert_non_null(found);
        assert_int_equal(used_value(found, "beside"), some ? 0 : 1);
        used_end(&used);
    }
}

/* The second attempt breaks at step 8 as the first did; or two steps later. */
static void the_same_step_again(void **state)
{
    (void)state;
    for (int later = 0; later < 2; later++) {
        begin();
        values[7] = (double)NAN;
        struct series *first = used_series(&used, KIND_LOSS, "loss", values, 20, 4);
        values[7] = 1;
        values[7 + 2 * later] = (double)NAN;
        const struct series *second = used_series(&used, KIND_LOSS, "other", values, 20, 4);
        const struct track both[] = {first->whole, second->whole};
        first->segments = both;
        first->segment_count = 2;
        used.run.series_count = 1;
        assert_true(used_value(used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL), "again") ==
                    0);
        used.use.segment = 1;
        used.use.tracks[0] = &both[1];
        used.found.count = 0;
        struct error error;
        assert_true(detector_named(text_of("nonfinite"))->detect(&used.use, &used.found, &error));
        assert_true(used_value(&used.found.items[0], "again") == !later);
        used_end(&used);
    }
}

static void tells_a_rise_before_it(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 30; i++)
        values[i] = i < 24 ? 2 : i < 29 ? values[i - 1] * 1.6 : (double)INFINITY;
    used_series(&used, KIND_LOSS, "loss", values, 30, 4);
    const struct candidate *found = used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "after-rise");
    assert_true(used_value(found, "ratio") > 10);
    used_end(&used);
}

/* Less than the double, but clear of the readings before. */
static void three_readings_that_stand_clear_are_a_rise(void **state)
{
    (void)state;
    static const double told[] = {10.2, 9.9, 10.1, 13.5, 14.2, 15.8, NAN};
    static const double noise[] = {10.2, 9.9, 12.1, 11.5, 12.2, 13.1, NAN};
    begin();
    memcpy(values, told, sizeof told);
    used_series(&used, KIND_LOSS, "loss", values, 7, 4);
    assert_string_equal(used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL)->form,
                        "after-rise");
    used_end(&used);
    begin();
    memcpy(values, noise, sizeof noise);
    used_series(&used, KIND_LOSS, "loss", values, 7, 4);
    assert_string_equal(used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL)->form,
                        "out-of-the-blue");
    used_end(&used);
}

static void the_first_readings_make_it_instant(void **state)
{
    (void)state;
    begin();
    values[0] = 2.3;
    values[1] = values[2] = (double)NAN;
    used_series(&used, KIND_LOSS, "loss", values, 3, 4);
    assert_string_equal(used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL)->form, "instant");
    used_end(&used);
}

static void finite_readings_say_nothing(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 30; i++)
        values[i] = 1e30;
    used_series(&used, KIND_LOSS, "loss", values, 30, 0);
    assert_null(used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL));
    used_end(&used);
}

static void the_search_for_a_loss_scale_may_overflow(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = i < 5 ? (double)INFINITY : 1;
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 100, 4);
    assert_non_null(used_run(&used, "nonfinite", "row", 1, NULL));
    used_fact(&used, "precision", "fp16", (double)NAN);
    assert_null(used_run(&used, "nonfinite", "row", 1, NULL));
    used_end(&used);
}

/* One by one at the same samples of every epoch, or in two places, or in a row. */
static void one_in_every_epoch_has_a_period(void **state)
{
    (void)state;
    static const struct {
        int second, row;
        double period;
    } cases[] = {{0, 1, 25}, {7, 1, 0}, {0, 2, 0}};
    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
        begin();
        for (int i = 0; i < 200; i++) {
            const int phase = i % 25;
            const bool other = cases[n].second && phase == cases[n].second;
            const bool bad = other || (phase >= 13 && phase < 13 + cases[n].row);
            values[i] = bad ? (double)NAN : 2 + 0.01 * sin(i);
        }
        used_series(&used, KIND_LOSS, "loss", values, 200, 4);
        const struct candidate *found = used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL);
        assert_float_equal(used_value(found, "period"), cases[n].period, 1e-9);
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_at_the_first_nan),
        cmocka_unit_test(counts_what_is_sound_behind_it),
        cmocka_unit_test(tells_what_the_part_is_about),
        cmocka_unit_test(a_part_that_comes_back_again_and_again),
        cmocka_unit_test(no_part_where_all_of_them_broke_at_once),
        cmocka_unit_test(a_rise_has_to_leave_what_readings_stray),
        cmocka_unit_test(a_first_loss_that_no_update_came_before),
        cmocka_unit_test(parts_that_rose_and_broke_as_one),
        cmocka_unit_test(a_part_that_ran_away_tells_of_the_weights),
        cmocka_unit_test(an_average_over_nothing_is_no_broken_loss),
        cmocka_unit_test(the_same_step_again),
        cmocka_unit_test(tells_a_rise_before_it),
        cmocka_unit_test(three_readings_that_stand_clear_are_a_rise),
        cmocka_unit_test(the_first_readings_make_it_instant),
        cmocka_unit_test(finite_readings_say_nothing),
        cmocka_unit_test(one_in_every_epoch_has_a_period),
        cmocka_unit_test(the_search_for_a_loss_scale_may_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
