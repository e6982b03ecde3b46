/* The series that stand for a run, their basis and scope; facts in force; silences. */
/* SPDX-License-Identifier: MIT */
#include "tape.h"

static void chooses_the_plain_loss_and_its_companions(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape train = {
        .names = {"loss", "box_loss", "lr", "grad_norm"}, .grain = GRAIN_STEP, .template = 1};
    const struct fed_shape elsewhere = {.names = {"lr"}, .grain = GRAIN_CARRIED, .template = 2};
    const uint32_t shape = fed_bind(&fed, &train), other = fed_bind(&fed, &elsewhere);
    for (int64_t i = 0; i < 30; i++) {
        struct position at = fed_nowhere;
        at.step = i;
        at.generation = (uint32_t)i;
        const double values[] = {3.5 - 0.01 * (double)i, 1.5, 0.001, 0.7 + 0.01 * (double)i};
        fed_row(&fed, shape, &at, values, 4);
        fed_row(&fed, other, &at, values, 1);
        fed_row(&fed, other, &at, values, 1);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_text(run_main(run, KIND_LOSS)->tag, "loss");
    assert_int_equal(run_main(run, KIND_LOSS)->scope, SCOPE_TOTAL);
    assert_int_equal(run_main(run, KIND_LOSS)->basis, BASIS_STEP);
    assert_int_equal(fed_series(run, "box_loss")->scope, SCOPE_PART);
    assert_int_equal(run_main(run, KIND_LEARNING_RATE)->grain, GRAIN_STEP);
    assert_text(run_main(run, KIND_GRAD_NORM)->tag, "grad_norm");
    fed_close(&fed);
}

/* One loss by a name of its own is the loss; beside another it is a part. */
static void takes_the_only_loss_for_the_whole(void **unused)
{
    (void)unused;
    for (size_t count = 1; count <= 2; count++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        const struct fed_shape train = {
            .names = {"triplet_loss", "center_loss"}, .grain = GRAIN_STEP, .template = 1};
        const struct fed_shape one = {
            .names = {"triplet_loss"}, .grain = GRAIN_STEP, .template = 1};
        const uint32_t shape = fed_bind(&fed, count == 1 ? &one : &train);
        for (int64_t i = 0; i < 30; i++) {
            struct position at = fed_nowhere;
            at.step = i;
            const double values[] = {0.3 - 0.001 * (double)i, 1.5};
            fed_row(&fed, shape, &at, values, count);
        }
        fed_end(&fed);
        const struct run *run = fed_finish(&fed);
        assert_int_equal(run_main(run, KIND_LOSS)->scope, count == 1 ? SCOPE_TOTAL : SCOPE_PART);
        fed_close(&fed);
    }
}

struct line { /* a series in a straight line */
    const char *name;
    double first, stride;
};

/* The run of thirty rows of two series. */
static const struct run *feed_two(struct fed *fed, struct line a, struct line b)
{
    fed_open(fed, RUN_AUTO);
    fed_begin(fed, "run.log", "", &fed_log);
    const struct fed_shape both = {.names = {a.name, b.name}, .grain = GRAIN_STEP, .template = 1};
    const uint32_t shape = fed_bind(fed, &both);
    for (int64_t i = 0; i < 30; i++) {
        struct position at = fed_nowhere;
        at.step = i;
        const double values[] = {a.first + a.stride * (double)i, b.first + b.stride * (double)i};
        fed_row(fed, shape, &at, values, 2);
    }
    fed_end(fed);
    return fed_finish(fed);
}

/* The first of the names is the main series of its kind; NULL: none is. */
/* A bar ends with the loss of its last batch, the line behind it tells the mean. */
static void prefers_the_line_of_an_epoch_to_its_bar(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape bar = {
        .names = {"Loss"}, .grain = GRAIN_EPOCH, .origin = ORIGIN_BAR, .template = 1};
    const struct fed_shape line = {.names = {"Train Loss"}, .grain = GRAIN_EPOCH, .template = 2};
    const uint32_t drawn = fed_bind(&fed, &bar), told = fed_bind(&fed, &line);
    for (int64_t i = 1; i <= 20; i++) {
        struct position at = fed_nowhere;
        at.epoch = i;
        const double batch = 2.5 - 0.1 * (double)(i % 3), mean = 2.5 - 0.1 * (double)i;
        fed_row(&fed, drawn, &at, &batch, 1);
        fed_row(&fed, told, &at, &mean, 1);
    }
    fed_end(&fed);
    assert_text(run_main(fed_finish(&fed), KIND_LOSS)->tag, "Train Loss");
    fed_close(&fed);
}

/* Three losses by names of their own: the first is the sum of the others, or is not. */
static void takes_the_sum_of_the_parts_for_the_whole(void **unused)
{
    (void)unused;
    for (int sums = 0; sums < 2; sums++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        const struct fed_shape train = {.names = {"avg_loss_a", "box_loss_a", "cls_loss_a"},
                                        .grain = GRAIN_STEP,
                                        .template = 1};
        const uint32_t shape = fed_bind(&fed, &train);
        for (int64_t i = 0; i < 30; i++) {
            struct position at = fed_nowhere;
            at.step = i;
            const double box = 2.5 - 0.01 * (double)i, cls = 1.5 - 0.02 * (double)i;
            const double values[] = {(sums ? 1 : 0.5) * (box + cls), box, cls};
            fed_row(&fed, shape, &at, values, 3);
        }
        fed_end(&fed);
        const struct series *loss = run_main(fed_finish(&fed), KIND_LOSS);
        assert_int_equal(text_is(loss->tag, "avg_loss_a"), sums);
        assert_int_equal(loss->scope, sums ? SCOPE_TOTAL : SCOPE_PART);
        fed_close(&fed);
    }
}

static void expect_main(const char *first, const char *second, enum kind kind, const char *main)
{
    struct fed fed;
    const struct run *run =
        feed_two(&fed, (struct line){first, 2.5, -0.01}, (struct line){second, 2.75, -0.01});
    const struct series *found = run_main(run, kind);
    assert_true((found != NULL) == (main != NULL));
    if (main)
        assert_text(found->tag, main);
    fed_close(&fed);
}

static void takes_an_error_where_no_loss_is(void **unused)
{
    (void)unused;
    expect_main("Error", "accuracy", KIND_LOSS, "Error");
    expect_main("Error", "loss", KIND_LOSS, "loss");
    expect_main("pixel error", "accuracy", KIND_LOSS, NULL);
}

/* Of two plain names the one that says that it is training's; a plain `loss` before `tot_loss`. */
static void prefers_the_fellow_of_the_validation(void **unused)
{
    (void)unused;
    static const enum phase phases[] = {PHASE_TRAIN, PHASE_NONE};
    for (int i = 0; i < 2; i++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        const struct fed_shape one = {
            .names = {"train_loss"}, .grain = GRAIN_EPOCH, .phase = phases[i]};
        const struct fed_shape other = {.names = {"tot_loss"}, .grain = GRAIN_EPOCH, .template = 1};
        const uint32_t train = fed_bind(&fed, &one), total = fed_bind(&fed, &other);
        for (int64_t epoch = 1; epoch < 12; epoch++) {
            struct position at = fed_nowhere;
            at.epoch = epoch;
            const double value = 3.5 - 0.1 * (double)epoch, beside = value - 0.25;
            fed_row(&fed, train, &at, &value, 1);
            fed_row(&fed, total, &at, &beside, 1);
        }
        fed_end(&fed);
        assert_text(run_main(fed_finish(&fed), KIND_LOSS)->tag, i ? "tot_loss" : "train_loss");
        fed_close(&fed);
    }
}

static void evidence_bounds_below_zero_are_no_losses(void **unused)
{
    (void)unused;
    struct fed fed;
    const struct run *run =
        feed_two(&fed, (struct line){"ELBO", -150, 1}, (struct line){"neg_elbo", 150, -1});
    assert_int_equal(fed_series(run, "ELBO")->kind, KIND_OTHER);
    assert_text(run_main(run, KIND_LOSS)->tag, "neg_elbo");
    fed_close(&fed);
}

/* A rate alone on a line of its own, which never moves: one that is told again at other steps is a
   series, one that is told twice may be a setting. */
static void takes_a_rate_told_again_for_a_series(void **unused)
{
    (void)unused;
    for (int64_t times = 2; times <= 3; times++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        const struct fed_shape losses = {.names = {"loss"}, .grain = GRAIN_STEP, .template = 1};
        const struct fed_shape rates = {.names = {"Current learning rate"}, .template = 2};
        const uint32_t loss = fed_bind(&fed, &losses), rate = fed_bind(&fed, &rates);
        for (int64_t i = 0; i < times; i++) {
            struct position at = fed_nowhere;
            at.step = i;
            const double values[] = {2.5 - 0.1 * (double)i, 0.1};
            fed_row(&fed, loss, &at, values, 1);
            fed_row(&fed, rate, &at, values + 1, 1);
        }
        fed_end(&fed);
        const struct series *found = run_main(fed_finish(&fed), KIND_LEARNING_RATE);
        assert_true((found != NULL) == (times == 3));
        fed_close(&fed);
    }
}

static void prefers_what_is_validated_on_to_tests(void **unused)
{
    (void)unused;
    expect_main("Test loss", "Valid loss", KIND_VAL_LOSS, "Valid loss");
}

static void prefers_what_is_computed_to_zeros(void **unused)
{
    (void)unused;
    for (int zero = 0; zero < 2; zero++) {
        struct fed fed;
        const struct run *run = feed_two(&fed, (struct line){"val_loss", zero ? 0 : 2.5, 0},
                                         (struct line){"val_nll", 1.5, -0.01});
        assert_text(run_main(run, KIND_VAL_LOSS)->tag, zero ? "val_nll" : "val_loss");
        fed_close(&fed);
    }
}

/* Moves by chance beside a score: a player learns, and its losses need no trend. */
static void knows_a_player_by_its_moves(void **unused)
{
    (void)unused;
    for (int score = 0; score < 2; score++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        const struct fed_shape shape = {
            .names = {"loss", "epsilon", score ? "Average Score" : "Privacy"},
            .grain = GRAIN_STEP,
            .template = 1};
        const uint32_t bound = fed_bind(&fed, &shape);
        for (int64_t i = 0; i < 30; i++) {
            struct position at = fed_nowhere;
            at.step = i;
            const double values[] = {0.3 + 0.1 * (double)i, 1 - 0.03 * (double)i, (double)i};
            fed_row(&fed, bound, &at, values, 3);
        }
        fed_end(&fed);
        assert_true(fed_finish(&fed)->reinforcement == (score == 1));
        fed_close(&fed);
    }
}

/* Autoencoders print a divergence too, and models of language an entropy. */
static void takes_a_divergence_for_a_policy_beside_a_reward_only(void **unused)
{
    (void)unused;
    static const char *const names[] = {"kl", "entropy", "kl_weight", "approx_kl"};
    for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
        for (int reward = 0; reward < 2; reward++) {
            struct fed fed;
            fed_open(&fed, RUN_AUTO);
            fed_begin(&fed, "run.log", "", &fed_log);
            const struct fed_shape shape = {
                .names = {"loss", names[n], reward ? "mean_reward" : "recon"},
                .grain = GRAIN_STEP,
                .template = 1};
            const uint32_t bound = fed_bind(&fed, &shape);
            for (int64_t i = 0; i < 30; i++) {
                struct position at = fed_nowhere;
                at.step = i;
                const double values[] = {3 - 0.05 * (double)i, 1 - 0.03 * (double)i, (double)i};
                fed_row(&fed, bound, &at, values, 3);
            }
            fed_end(&fed);
            assert_true(fed_finish(&fed)->reinforcement == (reward == 1));
            fed_close(&fed);
        }
}

static void prefers_the_print_with_more_decimals(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape rough = {.names = {"loss"}, .grain = GRAIN_STEP, .template = 1};
    const struct fed_shape fine = {
        .names = {"lm loss"}, .grain = GRAIN_STEP, .template = 2, .rank = 4};
    const uint32_t ids[] = {fed_bind(&fed, &rough), fed_bind(&fed, &fine)};
    for (int64_t i = 0; i < 20; i++)
        for (size_t k = 0; k < 2; k++) {
            struct position at = fed_nowhere;
            at.step = i;
            const double exact = 3.14159 - 0.012347 * (double)i;
            const double value = k ? exact : round(exact * 100) / 100, *values[] = {&value};
            const int16_t places = k ? 6 : 2;
            fed.line++;
            const struct rows rows = {.shape = ids[k],
                                      .count = 1,
                                      .values = values,
                                      .places = &places,
                                      .positions = &at,
                                      .lines = &fed.line,
                                      .offsets = &fed.line};
            assert_true(fed.sink->rows(fed.sink, &rows, NULL));
        }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_text(run_main(run, KIND_LOSS)->tag, "lm loss");
    assert_int_equal(run->speaking_rank, 3);
    fed_close(&fed);
}

static void lets_redraws_speak_only_where_one_bar_was_drawn(void **unused)
{
    (void)unused;
    for (int64_t bars = 1; bars <= 3; bars += 2) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        struct fed_shape shape = {.names = {"loss"}, .grain = GRAIN_BATCH, .origin = ORIGIN_REDRAW};
        const uint32_t redraw = fed_bind(&fed, &shape);
        shape.origin = ORIGIN_BAR;
        const uint32_t end = fed_bind(&fed, &shape);
        for (int64_t i = 0; i < bars * 10; i++) {
            struct position at = fed_nowhere;
            at.batch = i % 10 + 1;
            at.batch_total = 10;
            at.epoch = i / 10 + 1;
            const double value = 3.5 - 0.1 * (double)i;
            fed_row(&fed, i % 10 == 9 ? end : redraw, &at, &value, 1);
        }
        fed_end(&fed);
        const struct run *run = fed_finish(&fed);
        const struct series *loss = run_main(run, KIND_LOSS);
        assert_non_null(loss);
        assert_int_equal(loss->whole.points, bars == 1 ? 9 : 3);
        assert_int_equal(loss->basis, bars == 1 ? BASIS_RUNNING_MEAN : BASIS_EPOCH_MEAN);
        assert_int_equal(run->series_count, 1);
        fed_close(&fed);
    }
}

static void weighs_facts_by_their_source(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape by_step = {.names = {"loss"}, .grain = GRAIN_STEP};
    fed_setting(&fed, "max_grad_norm", "1.0", SETTING_COMMAND);
    fed_setting(&fed, "max_grad_norm", "5.0", SETTING_DUMP);
    fed_setting(&fed, "num_workers", "8", SETTING_DUMP);
    fed_setting(&fed, "num_workers", "16", SETTING_DUMP);
    fed_setting(&fed, "weight_decay", "0.1", SETTING_DUMP);
    fed_setting(&fed, "weight_decay", "0.2", SETTING_CONFIG);
    const uint32_t shape = fed_bind(&fed, &by_step);
    for (int64_t i = 0; i < 10; i++)
        fed_step(&fed, shape, i, 3.25 - 0.1 * (double)i);
    fed_setting(&fed, "num_workers", "32", SETTING_DUMP);
    for (int64_t i = 10; i < 20; i++)
        fed_step(&fed, shape, i, 3.25 - 0.1 * (double)i);
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_true(run_fact(run, "clip", STEP_NONE)->number == 1);
    assert_true(run_fact(run, "weight_decay", STEP_NONE)->number == 0.2);
    assert_true(run_fact(run, "workers", 3)->number == 16);
    assert_true(run_fact(run, "workers", 15)->number == 32);
    assert_true(run_fact(run, "workers", STEP_NONE)->number == 32);
    fed_close(&fed);
}

/* A stage begins where a text tells of it; other things are told once and held from the start. */
static void what_texts_tell_of_a_stage_begins_there(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape by_step = {.names = {"loss"}, .grain = GRAIN_STEP};
    const uint32_t shape = fed_bind(&fed, &by_step);
    for (int64_t i = 0; i < 10; i++)
        fed_step(&fed, shape, i, 3.25 - 0.1 * (double)i);
    fed_setting(&fed, "stage", "frozen", SETTING_MESSAGE);
    fed_setting(&fed, "precision", "fp16", SETTING_MESSAGE);
    for (int64_t i = 10; i < 20; i++)
        fed_step(&fed, shape, i, 3.25 - 0.1 * (double)i);
    fed_setting(&fed, "stage", "unfrozen", SETTING_MESSAGE);
    fed_step(&fed, shape, 20, 1);
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_null(run_fact(run, "stage", 5));
    assert_int_equal(run_fact(run, "stage", 12)->step, 9);
    assert_int_equal(run_fact(run, "stage", STEP_NONE)->step, 19);
    assert_int_equal(run_fact(run, "precision", 5)->step, STEP_NONE);
    fed_close(&fed);
}

enum { STAMPS = 300 };

/* Time stamps told by themselves, or so many at once. */
static void stamps_tell(const struct fed *fed, const double *times, const uint64_t *lines,
                        size_t from, size_t to, size_t at_once)
{
    static const uint64_t offsets[STAMPS];
    for (size_t i = from; i < to; i += at_once) {
        const struct place place = {1, lines[i], 0};
        const struct rows rows = {.count = at_once < to - i ? at_once : to - i,
                                  .times = times + i,
                                  .lines = lines + i,
                                  .offsets = offsets};
        if (at_once == 1)
            assert_true(fed->sink->time(fed->sink, times[i], &place, -1, NULL));
        else
            assert_true(fed->sink->times(fed->sink, &rows, 1, -1, NULL));
    }
}

static void check_silences(size_t at_once)
{
    struct fed fed;
    double times[STAMPS];
    uint64_t lines[STAMPS];
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    for (size_t i = 0; i < STAMPS; i++) {
        times[i] = 1.7e9 + 10 * (double)i + (i >= 99 ? 4000 : 0) + (i >= 199 ? 900 : 0);
        lines[i] = 10 * (i + 1);
    }
    times[STAMPS - 1] = (double)NAN; /* of a line without one */
    stamps_tell(&fed, times, lines, 0, 199, at_once);
    fed.line = 1995;
    fed_life(&fed, EVENT_EVALUATION);
    stamps_tell(&fed, times, lines, 199, STAMPS, at_once);
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(run->time.stamps, STAMPS - 1);
    assert_true(run->time.gap_count == GAPS_MAX);
    assert_true(run->time.gaps[0].seconds == 4010);
    assert_int_equal(run->time.gaps[0].after.line, 1000);
    assert_false(run->time.gaps[0].explained);
    assert_true(run->time.gaps[1].seconds == 910 && run->time.gaps[1].explained);
    assert_true(run->time.gaps[0].usual >= 10 && run->time.gaps[0].usual < 15);
    fed_close(&fed);
}

static void finds_the_longest_silences(void **unused)
{
    (void)unused;
    check_silences(1);
    check_silences(7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chooses_the_plain_loss_and_its_companions),
        cmocka_unit_test(takes_the_only_loss_for_the_whole),
        cmocka_unit_test(prefers_the_line_of_an_epoch_to_its_bar),
        cmocka_unit_test(takes_the_sum_of_the_parts_for_the_whole),
        cmocka_unit_test(prefers_the_fellow_of_the_validation),
        cmocka_unit_test(takes_an_error_where_no_loss_is),
        cmocka_unit_test(evidence_bounds_below_zero_are_no_losses),
        cmocka_unit_test(takes_a_rate_told_again_for_a_series),
        cmocka_unit_test(prefers_what_is_validated_on_to_tests),
        cmocka_unit_test(prefers_what_is_computed_to_zeros),
        cmocka_unit_test(knows_a_player_by_its_moves),
        cmocka_unit_test(takes_a_divergence_for_a_policy_beside_a_reward_only),
        cmocka_unit_test(prefers_the_print_with_more_decimals),
        cmocka_unit_test(lets_redraws_speak_only_where_one_bar_was_drawn),
        cmocka_unit_test(weighs_facts_by_their_source),
        cmocka_unit_test(what_texts_tell_of_a_stage_begins_there),
        cmocka_unit_test(finds_the_longest_silences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
