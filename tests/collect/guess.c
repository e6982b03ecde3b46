/* Names of a phase alone: losses where both fall and nothing else is one. */
/* SPDX-License-Identifier: MIT */
#include "tape.h"

/* `train` and `val` of epochs, going from the first values to the last; a loss beside them where
   `named`. The run's main loss. */
static enum kind kinds_of(const double train[2], const double val[2], bool named)
{
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape shape = {.names = {"train", "val", named ? "loss" : NULL},
                                    .grain = GRAIN_EPOCH};
    const uint32_t id = fed_bind(&fed, &shape);
    struct position at = fed_nowhere;
    for (at.epoch = 0; at.epoch < 10; at.epoch++) {
        const double part = (double)at.epoch / 9;
        const double values[] = {train[0] + part * (train[1] - train[0]),
                                 val[0] + part * (val[1] - val[0]), 2.5};
        fed_row(&fed, id, &at, values, named ? 3 : 2);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    const enum kind kind = fed_series(run, "train")->kind;
    assert_int_equal(fed_series(run, "val")->kind, kind == KIND_LOSS ? KIND_VAL_LOSS : KIND_OTHER);
    fed_close(&fed);
    return kind;
}

static void phases_alone_are_losses_where_both_fall(void **unused)
{
    (void)unused;
    static const double falls[] = {0.875, 0.25}, rises[] = {0.25, 0.875}, stands[] = {0.5, 0.5};
    assert_int_equal(kinds_of(falls, falls, false), KIND_LOSS);
    assert_int_equal(kinds_of(rises, rises, false), KIND_OTHER);
    assert_int_equal(kinds_of(falls, rises, false), KIND_OTHER);
    assert_int_equal(kinds_of(stands, stands, false), KIND_OTHER);
    assert_int_equal(kinds_of(falls, falls, true), KIND_OTHER);
}

/* `0 val 10.5`, `0 train 10.75`: each on a line of its own. */
static void phases_may_stand_on_lines_of_their_own(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "log.txt", "", &fed_log);
    const struct fed_shape train = {.names = {"train"}, .grain = GRAIN_STEP, .template = 1};
    const struct fed_shape val = {.names = {"val"}, .grain = GRAIN_STEP, .template = 2};
    const uint32_t trained = fed_bind(&fed, &train), held = fed_bind(&fed, &val);
    for (int64_t i = 0; i < 40; i++) {
        if (i % 5 == 0)
            fed_step(&fed, held, i, 10.5 - 0.2 * (double)i);
        fed_step(&fed, trained, i, 10.75 - 0.2 * (double)i);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(run_main(run, KIND_LOSS)->whole.points, 40);
    assert_int_equal(run_main(run, KIND_VAL_LOSS)->whole.points, 8);
    fed_close(&fed);
}

/* `loss: 2.5 validation: 2.6`; an error rate beside a loss begins elsewhere. */
static void a_phase_alone_may_be_beside_a_loss(void **unused)
{
    (void)unused;
    for (int near = 0; near < 2; near++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        const struct fed_shape shape = {.names = {"loss", "validation"}, .grain = GRAIN_EPOCH};
        const uint32_t id = fed_bind(&fed, &shape);
        struct position at = fed_nowhere;
        for (at.epoch = 0; at.epoch < 20; at.epoch++) {
            const double loss = 2.5 * exp(-(double)at.epoch / 10);
            const double values[] = {loss, near ? loss + 0.1 : loss / 4};
            fed_row(&fed, id, &at, values, 2);
        }
        fed_end(&fed);
        const struct run *run = fed_finish(&fed);
        assert_int_equal(fed_series(run, "validation")->kind, near ? KIND_VAL_LOSS : KIND_OTHER);
        fed_close(&fed);
    }
}

/* `learn: 0.8 test: 0.7 best: 0.7` of a booster, from the first value to the last; with `best`
   there is no `learn`. */
static void booster(double first, double last, bool best, enum kind *learn, enum kind *test)
{
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape shape = {.names = {best ? "best" : "learn", "test"},
                                    .grain = GRAIN_STEP};
    const uint32_t id = fed_bind(&fed, &shape);
    struct position at = fed_nowhere;
    for (at.step = 0; at.step < 20; at.step++) {
        const double value = first + (last - first) * (double)at.step / 19;
        fed_row(&fed, id, &at, (const double[]){value, value}, 2);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    *learn = best ? KIND_OTHER : fed_series(run, "learn")->kind;
    *test = fed_series(run, "test")->kind;
    fed_close(&fed);
}

static void what_a_booster_counts_falls_or_climbs(void **unused)
{
    (void)unused;
    enum kind learn, test;
    booster(0.75, 0.25, false, &learn, &test);
    assert_int_equal(learn, KIND_LOSS);
    booster(0.5, 0.875, false, &learn, &test);
    assert_int_equal(learn, KIND_METRIC);
    assert_int_equal(test, KIND_VAL_METRIC);
    booster(0.5, 2.5, false, &learn, &test); /* no share: a loss that diverges */
    assert_int_equal(learn, KIND_LOSS);
    booster(0.5, 0.875, true, &learn, &test);
    assert_int_equal(test, KIND_VAL_METRIC);
    booster(0.75, 0.25, true, &learn, &test);
    assert_int_equal(test, KIND_VAL_LOSS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_alone_are_losses_where_both_fall),
        cmocka_unit_test(what_a_booster_counts_falls_or_climbs),
        cmocka_unit_test(a_phase_alone_may_be_beside_a_loss),
        cmocka_unit_test(phases_may_stand_on_lines_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
