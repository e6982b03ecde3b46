/* Steps that begin anew in every epoch, where nothing but what stands beside or behind tells it. */
/* SPDX-License-Identifier: MIT */
#include "tape.h"

enum { LAP = 20, STRIDE = 10 };

static double falling(int64_t lap, int64_t i)
{
    return 0.25 + 2.5 / (1 + 0.04 * (double)(LAP * lap + i));
}

/* A run counts its epochs through: where they begin anew another one does, whatever the loss. */
static void epochs_that_begin_anew_are_runs(void **unused)
{
    (void)unused;
    static const struct fed_shape by_epoch = {.names = {"loss"}, .grain = GRAIN_EPOCH};
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &by_epoch);
    for (int64_t lap = 0; lap < 4; lap++)
        for (int64_t i = 0; i < LAP; i++) {
            struct position at = fed_nowhere;
            const double value = falling(lap, i);
            at.epoch = i;
            fed_row(&fed, shape, &at, &value, 1);
        }
    fed_end(&fed);
    fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 4);
    fed_close(&fed);
}

struct made {
    int64_t laps, last; /* readings of the last one */
    int64_t back;       /* laps after which the loss is back at its start */
    bool counts;        /* of samples that go on */
    bool wanders;       /* they are of each batch, and count nothing */
    bool uneven;        /* the first lap is half as long */
    bool level;         /* nothing is learned */
    bool told;          /* an epoch behind each */
};

/* The number of runs; the points of the first one's loss in *points, its last step in *last. */
static size_t runs_of(const struct made *made, uint64_t *points, int64_t *last)
{
    static const struct fed_shape by_step = {.names = {"loss", "samples"}, .grain = GRAIN_STEP},
                                  by_epoch = {.names = {"val_loss"},
                                              .grain = GRAIN_EPOCH,
                                              .phase = PHASE_VALIDATION,
                                              .template = 1};
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t steps = fed_bind(&fed, &by_step), epochs = fed_bind(&fed, &by_epoch);
    int64_t seen = 0;
    for (int64_t lap = 0; lap < made->laps; lap++) {
        const int64_t whole = made->uneven && lap == 0 ? LAP / 2 : LAP;
        const int64_t end = lap + 1 < made->laps ? whole : made->last;
        const int64_t at_lap = made->back ? lap % made->back : lap;
        const int64_t before = made->counts ? seen : 0;
        seen += end;
        for (int64_t i = 0; i < end; i++) {
            struct position at = fed_nowhere;
            at.step = STRIDE * i;
            const double values[] = {made->level ? 2.5 : falling(at_lap, i),
                                     (double)(made->wanders ? 10 * lap + i % 7 : before + i + 1)};
            fed_row(&fed, steps, &at, values, 2);
        }
        struct position at = fed_nowhere;
        at.epoch = at_lap + 1;
        const double value = falling(at_lap, LAP);
        if (made->told && end == LAP)
            fed_row(&fed, epochs, &at, &value, 1);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    const struct series *loss = run_main(run, KIND_LOSS), *val = run_main(run, KIND_VAL_LOSS);
    const size_t count = fed.collection.run_count;
    *points = loss->whole.points;
    *last = loss->whole.last.step;
    if (made->told && count == 1)
        assert_int_equal(val->whole.last.step, made->last == LAP ? made->laps : made->laps - 1);
    fed_close(&fed);
    return count;
}

static void laps_are_one_run_where_something_goes_on(void **unused)
{
    (void)unused;
    static const struct {
        struct made made;
        size_t runs;
    } cases[] = {
        {{.laps = 4, .last = LAP}, 1},                 /* the loss alone */
        {{.laps = 2, .last = LAP}, 2},                 /* once is not enough */
        {{.laps = 2, .last = LAP, .told = true}, 1},   /* with an epoch behind it is */
        {{.laps = 2, .last = LAP, .counts = true}, 1}, /* or a count */
        {{.laps = 4, .last = 7, .told = true}, 1},     /* broken off */
        {{.laps = 3, .last = LAP, .counts = true, .level = true}, 1},
        {{.laps = 3, .last = LAP, .level = true}, 3},
        {{.laps = 4, .last = LAP, .uneven = true}, 2}, /* other steps are no laps */
        {{.laps = 4, .last = LAP, .uneven = true, .counts = true}, 1},
        {{.laps = 3, .last = LAP, .level = true, .wanders = true}, 3},
        {{.laps = 4, .last = LAP, .back = 1}, 4}, /* runs, each from the start */
        {{.laps = 4, .last = LAP, .back = 1, .told = true}, 4},
        {{.laps = 6, .last = LAP, .back = 3, .told = true}, 2}, /* two of three epochs */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t points;
        int64_t last;
        const struct made *made = &cases[i].made;
        assert_int_equal(runs_of(made, &points, &last), cases[i].runs);
        const int64_t readings = LAP * (made->laps - 1) + made->last - (made->uneven ? LAP / 2 : 0);
        if (cases[i].runs == 1) {
            assert_int_equal(points, readings);
            assert_int_equal(last, STRIDE * (readings - 1));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laps_are_one_run_where_something_goes_on),
        cmocka_unit_test(epochs_that_begin_anew_are_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
