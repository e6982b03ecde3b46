/* Gates: what the run, or the place of a candidate in it, says against a rule. */
/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "detect/rule/condition.h"
#include "made_moves.h"
#include "made_samples.h"

static struct used used;
static double values[400];
static struct finding finding;
static const struct symptom spike = {.id = "loss-spike"};

static int open_run(void **state)
{
    (void)state;
    used_begin(&used);
    memset(values, 0, sizeof(values));
    used.run.first_step = 1;
    used.run.last_step = 200;
    used.run.step_count = 200;
    finding = (struct finding){.symptom = &spike, .form = "spike", .severity = SEVERITY_WARNING};
    finding.candidate.onset = (struct point){.step = 100, .line = 100, .input = 1};
    finding.candidate.time = NAN;
    return 0;
}

static int close_run(void **state)
{
    (void)state;
    used_end(&used);
    return 0;
}

static enum truth gate(enum gate gate)
{
    const struct context context = {
        .run = &used.run, .all = &finding, .all_count = 1, .at = &finding};
    return gate_truth(gate, &context);
}

static void falling_loss(double from, double to)
{
    for (size_t i = 0; i < 200; i++)
        values[i] = to + (from - to) * exp(-(double)i / 30);
    used_series(&used, KIND_LOSS, "loss", values, 200, 4);
}

static void the_trainer_of_transformers_loads_a_model(void **state)
{
    (void)state;
    falling_loss(1.5, 1);
    assert_int_equal(gate(GATE_PRETRAINED), UNKNOWN);
    used_fact(&used, "framework", "transformers", NAN);
    assert_int_equal(gate(GATE_PRETRAINED), TRUE_);
    used_fact(&used, "parameters", "124439808", 124439808);
    assert_int_equal(gate(GATE_PRETRAINED), TRUE_);
    used.facts[1].number = 78336; /* nobody loads so few */
    assert_int_equal(gate(GATE_PRETRAINED), UNKNOWN);
}

static void from_nothing_it_starts_high(void **state)
{
    (void)state;
    falling_loss(10.8, 4);
    used_fact(&used, "framework", "transformers", NAN);
    assert_int_equal(gate(GATE_PRETRAINED), UNKNOWN);
}

static void pretrained_is_a_fact_or_a_low_start(void **state)
{
    (void)state;
    falling_loss(2.5, 2);
    assert_int_equal(gate(GATE_PRETRAINED), UNKNOWN);
    used_fact(&used, "vocabulary", "32000", 32000);
    assert_int_equal(gate(GATE_PRETRAINED), TRUE_);
    used_fact(&used, "pretrained", "false", NAN);
    assert_int_equal(gate(GATE_PRETRAINED), FALSE_);
}

static void annealed_is_a_rate_that_ended_low_before(void **state)
{
    (void)state;
    assert_int_equal(gate(GATE_ANNEALED), UNKNOWN);
    for (size_t i = 0; i < 200; i++)
        values[i] = i < 80 ? 0.1 : 0.001;
    used_series(&used, KIND_LEARNING_RATE, "lr", values, 200, 4);
    assert_int_equal(gate(GATE_ANNEALED), TRUE_);
    finding.candidate.onset.step = 40; /* it levelled while the rate was high */
    assert_int_equal(gate(GATE_ANNEALED), FALSE_);
}

static void annealed_is_a_schedule_that_is_past_its_middle(void **state)
{
    (void)state;
    used_fact(&used, "schedule", "constant", NAN);
    assert_int_equal(gate(GATE_ANNEALED), UNKNOWN);
    used.facts[0].value = text_of("cosine");
    finding.candidate.onset.step = 120;
    assert_int_equal(gate(GATE_ANNEALED), TRUE_);
    finding.candidate.onset.step = 60;
    assert_int_equal(gate(GATE_ANNEALED), FALSE_);
}

static void converged_is_a_large_fall_or_a_metric_near_its_bound(void **state)
{
    (void)state;
    falling_loss(2.5, 0.1);
    assert_int_equal(gate(GATE_CONVERGED), TRUE_);
    used.run.series_count = 0;
    falling_loss(2.5, 1.5);
    assert_int_equal(gate(GATE_CONVERGED), FALSE_);
    static double accuracy[200];
    for (size_t i = 0; i < 200; i++)
        accuracy[i] = 0.95 - 0.5 * exp(-(double)i / 30);
    used_series(&used, KIND_METRIC, "accuracy", accuracy, 200, 4);
    assert_int_equal(gate(GATE_CONVERGED), TRUE_);
}

static void a_motionless_metric_is_no_convergence(void **state)
{
    (void)state;
    falling_loss(2.5, 1.5);
    static double accuracy[200];
    for (size_t i = 0; i < 200; i++)
        accuracy[i] = 0.95;
    used_series(&used, KIND_METRIC, "accuracy", accuracy, 200, 4);
    assert_int_equal(gate(GATE_CONVERGED), FALSE_);
}

static void games_and_rewards_have_gates(void **state)
{
    (void)state;
    assert_int_equal(gate(GATE_ADVERSARIAL), FALSE_);
    falling_loss(2, 1);
    used.series[0].kind = KIND_ADVERSARIAL;
    assert_int_equal(gate(GATE_ADVERSARIAL), TRUE_);
    used.run.reinforcement = true;
    assert_int_equal(gate(GATE_REINFORCEMENT), TRUE_);
    assert_int_equal(gate(GATE_ADVERSARIAL), FALSE_);
}

static void the_start_is_masked_until_the_scale_settles(void **state)
{
    (void)state;
    assert_int_equal(gate(GATE_MASKED_START), FALSE_);
    for (size_t i = 0; i < 200; i++)
        values[i] = i < 6 ? 65536 / (double)(1 << i) : 2048;
    used_series(&used, KIND_LOSS_SCALE, "loss scale", values, 200, 0);
    assert_int_equal(gate(GATE_MASKED_START), FALSE_);
    finding.candidate.onset.step = 3;
    assert_int_equal(gate(GATE_MASKED_START), TRUE_);
}

static void a_scale_that_never_settles_masks_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < 200; i++)
        values[i] = 65536 / (1 + (double)i);
    used_series(&used, KIND_LOSS_SCALE, "loss scale", values, 200, 0);
    finding.candidate.onset.step = 3;
    assert_int_equal(gate(GATE_MASKED_START), FALSE_);
}

static void a_setting_changed_just_before(void **state)
{
    (void)state;
    used_fact(&used, "batch_size", "64", 64);
    assert_int_equal(gate(GATE_SETTING_CHANGE), FALSE_); /* so from the start */
    used_fact(&used, "batch_size", "128", 128);
    used.facts[1].step = 98;
    assert_int_equal(gate(GATE_SETTING_CHANGE), TRUE_);
    used.facts[1].step = 60;
    assert_int_equal(gate(GATE_SETTING_CHANGE), FALSE_);
    used.facts[1].step = 101;
    assert_int_equal(gate(GATE_SETTING_CHANGE), FALSE_);
}

/* A length of sequences that is printed in every line, and one that differs from line to line. */
static void a_printed_setting_changed_just_before(void **state)
{
    (void)state;
    double lengths[120];
    for (int varies = 0; varies < 2; varies++) {
        for (int i = 0; i < 120; i++)
            lengths[i] = varies ? 500 + 7 * (i * 13 % 31) : i < 98 ? 512 : 2048;
        used.run.series_count = 0;
        used_series(&used, KIND_OTHER, "seq_len", lengths, 120, 0);
        assert_int_equal(gate(GATE_SETTING_CHANGE), varies ? FALSE_ : TRUE_);
    }
}

/* A term that joins the loss there, and one that is printed once in a while. */
static void a_term_joined_the_loss_just_before(void **state)
{
    (void)state;
    for (int i = 0; i < 120; i++)
        values[i] = 2;
    for (int seldom = 0; seldom < 2; seldom++) {
        used.run.series_count = 0;
        used_series(&used, KIND_LOSS, "loss", values, 120, 3);
        assert_int_equal(gate(GATE_SETTING_CHANGE), FALSE_);
        used_series(&used, KIND_LOSS, "kl_loss", values, seldom ? 2 : 22, 3)->main = false;
        struct track *track = &used.made[1].track;
        track->first.step = 98;
        track->first.line = used.series[0].whole.buckets[97].first_line;
        track->last.step = 120;
        assert_int_equal(gate(GATE_SETTING_CHANGE), seldom ? FALSE_ : TRUE_);
    }
}

/* A line tells it, in front of the onset or at the very start. */
static void a_stage_began_just_before(void **state)
{
    (void)state;
    static const struct message_row row = {.id = "stage-begins"};
    for (int i = 0; i < 120; i++)
        values[i] = 2;
    for (int early = 0; early < 2; early++) {
        used.run.series_count = 0;
        used_series(&used, KIND_LOSS, "loss", values, 120, 3);
        const struct bucket *bucket = &used.series[0].whole.buckets[early ? 0 : 98];
        const struct place place = {1, bucket->first_line, bucket->first_offset};
        const struct message message = {.row = &row,
                                        .count = 1,
                                        .place = place,
                                        .last_place = place,
                                        .step = STEP_NONE,
                                        .last_step = STEP_NONE};
        used.run.messages = &message;
        used.run.message_count = 1;
        assert_int_equal(gate(GATE_SETTING_CHANGE), early ? FALSE_ : TRUE_);
        used.run.message_count = 0;
    }
}

static void a_restart_just_before(void **state)
{
    static const struct segment segments[] = {{.first_step = 1, .last_step = 98},
                                              {.first_step = 98, .last_step = 200}};
    (void)state;
    used.run.segments = segments;
    used.run.segment_count = 2;
    assert_int_equal(gate(GATE_RESTART_NEAR), FALSE_); /* the candidate is of the first */
    finding.candidate.segment = 1;
    assert_int_equal(gate(GATE_RESTART_NEAR), TRUE_);
    finding.candidate.onset.step = 150;
    assert_int_equal(gate(GATE_RESTART_NEAR), FALSE_);
}

static double wide(size_t row, size_t at)
{
    (void)row, (void)at;
    return 900 * made_normal();
}

static double classes(size_t row, size_t at)
{
    (void)at;
    return (double)(row % 4);
}

static double uneven(size_t row, size_t at)
{
    (void)at;
    return row % 10 == 0 ? 1 : 0;
}

static void samples_tell_whether_inputs_are_scaled_and_classes_even(void **state)
{
    static struct made_samples made;
    (void)state;
    assert_int_equal(gate(GATE_INPUTS_SCALED), UNKNOWN);
    assert_int_equal(gate(GATE_TARGETS_CLASSES), UNKNOWN);
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 4, 0}, made_standard);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){200, 0}, classes);
    assert_int_equal(gate(GATE_INPUTS_SCALED), TRUE_);
    assert_int_equal(gate(GATE_TARGETS_CLASSES), TRUE_);
    assert_int_equal(gate(GATE_TARGETS_BALANCED), TRUE_);
    made_array(&used, &made, ROLE_INPUTS, "x_test", (const int64_t[]){200, 4, 0}, wide);
    assert_int_equal(gate(GATE_INPUTS_SCALED), FALSE_);
    made_end(&made);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){200, 0}, uneven);
    assert_int_equal(gate(GATE_TARGETS_CLASSES), TRUE_);
    assert_int_equal(gate(GATE_TARGETS_BALANCED), FALSE_);
    made_end(&made);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){200, 0}, made_standard);
    assert_int_equal(gate(GATE_TARGETS_CLASSES), FALSE_);
    made_end(&made);
    used.run.tensor_count = 0;
}

static void training_went_on_behind_it(void **state)
{
    (void)state;
    falling_loss(2.5, 0.1);
    assert_int_equal(gate(GATE_WENT_ON), TRUE_);
    finding.candidate.onset.line = 197; /* a few more lines of other ranks */
    assert_int_equal(gate(GATE_WENT_ON), FALSE_);
}

static void an_evaluation_just_before(void **state)
{
    static const struct life_seen lives[] = {
        {.event = EVENT_EVALUATION, .place = {1, 99, 0}, .step = 99, .time = NAN}};
    (void)state;
    used.run.lives = lives;
    used.run.life_count = 1;
    assert_int_equal(gate(GATE_EVALUATION_NEAR), TRUE_);
    finding.candidate.onset.step = 150;
    assert_int_equal(gate(GATE_EVALUATION_NEAR), FALSE_);
}

/* That moves but for one in four, stands still, is not finite, or was read too seldom. */
static void evaluations_that_move(void **state)
{
    (void)state;
    static const double moving[] = {2.5, 2.5, 2.25, 2.125, 2, 1.75},
                        still[] = {2, 2, 2, 2, 2, 1.75};
    const double bad[] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    assert_int_equal(gate(GATE_EVALUATION_MOVES), UNKNOWN);
    const size_t at = used.run.series_count;
    used_series(&used, KIND_VAL_LOSS, "val_loss", moving, 6, 3);
    assert_int_equal(gate(GATE_EVALUATION_MOVES), TRUE_);
    used_apart(&used, at, moving, 3, 3, 1);
    assert_int_equal(gate(GATE_EVALUATION_MOVES), UNKNOWN);
    used_apart(&used, at, still, 6, 3, 1);
    assert_int_equal(gate(GATE_EVALUATION_MOVES), FALSE_);
    used_apart(&used, at, bad, 5, 3, 1);
    assert_int_equal(gate(GATE_EVALUATION_MOVES), FALSE_);
}

static void an_excerpt_begins_late(void **state)
{
    (void)state;
    assert_int_equal(gate(GATE_LATE_EXCERPT), FALSE_);
    used.run.first_step = 5000;
    used.run.last_step = 6000;
    assert_int_equal(gate(GATE_LATE_EXCERPT), TRUE_);
    used.run.last_step = 5000; /* all of one epoch: nothing tells where it lies */
    used.run.step_count = 5;
    assert_int_equal(gate(GATE_LATE_EXCERPT), FALSE_);
    used.run.first_step = 100; /* every hundredth step of ten readings is no excerpt */
    used.run.last_step = 1000;
    used.run.step_count = 10;
    assert_int_equal(gate(GATE_LATE_EXCERPT), FALSE_);
}

/* 0.09 is far below ln 10, and no sign of a late excerpt where distances are squared. */
static void a_squared_error_starts_low(void **state)
{
    (void)state;
    used_fact(&used, "classes", "10", 10);
    falling_loss(0.09, 0.089);
    assert_int_equal(gate(GATE_LATE_EXCERPT), TRUE_);
    used_fact(&used, "objective", "mse", NAN);
    assert_int_equal(gate(GATE_LATE_EXCERPT), FALSE_);
}

static void unfinished_needs_a_plan(void **state)
{
    (void)state;
    assert_int_equal(gate(GATE_UNFINISHED), UNKNOWN);
    used.run.planned_steps = 1000;
    assert_int_equal(gate(GATE_UNFINISHED), TRUE_);
    used.run.planned_steps = 201;
    assert_int_equal(gate(GATE_UNFINISHED), FALSE_);
}

static void findings_are_gates_of_causes(void **state)
{
    (void)state;
    assert_int_equal(gate(GATE_HAS_ERROR), FALSE_);
    assert_int_equal(gate(GATE_HAS_WARNING), TRUE_);
    finding.absorbed_by = &finding;
    assert_int_equal(gate(GATE_HAS_WARNING), FALSE_);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_run, close_run)

static struct moves moves;

static void saved(int64_t from, int64_t to, double deviation, const double *relative)
{
    const struct tensor tensors[] = {made_tensor("a.weight", 64, 64, deviation),
                                     made_tensor("b.weight", 64, 64, deviation)};
    moves_two(&moves, &used.run, from, to, tensors, 2, relative);
}

static void weights_are_sound_where_a_later_save_is_finite(void **state)
{
    (void)state;
    const double relative[] = {0.1, 0.1};
    for (size_t i = 0; i < 200; i++)
        values[i] = i < 100 ? 1.0 : (double)NAN;
    used_series(&used, KIND_LOSS, "loss", values, 200, 4);
    assert_int_equal(gate(GATE_WEIGHTS_SOUND), UNKNOWN);
    saved(50, 150, 0.1, relative);
    assert_int_equal(gate(GATE_WEIGHTS_SOUND), TRUE_);
    moves.tensors[3].stats.nan = 1;
    assert_int_equal(gate(GATE_WEIGHTS_SOUND), FALSE_);
    saved(20, 50, 0.1, relative); /* before it */
    assert_int_equal(gate(GATE_WEIGHTS_SOUND), UNKNOWN);
}

static void weights_move_where_nearly_all_kernels_do(void **state)
{
    (void)state;
    const double both[] = {0.1, 0.1}, one[] = {0.1, 0}, rounding[] = {1e-6, 1e-6};
    assert_int_equal(gate(GATE_WEIGHTS_MOVE), UNKNOWN);
    saved(1000, 2000, 0.1, both);
    assert_int_equal(gate(GATE_WEIGHTS_MOVE), TRUE_);
    saved(1000, 2000, 0.1, one);
    assert_int_equal(gate(GATE_WEIGHTS_MOVE), FALSE_);
    saved(1000, 2000, 0.1, rounding);
    assert_int_equal(gate(GATE_WEIGHTS_MOVE), FALSE_);
    saved(1000, 1001, 0.1, both); /* too close to tell */
    assert_int_equal(gate(GATE_WEIGHTS_MOVE), UNKNOWN);
}

static void weights_are_fresh_where_the_start_is_usual(void **state)
{
    (void)state;
    const double relative[] = {0.1, 0.1};
    saved(0, 1000, 0.17, relative);
    assert_int_equal(gate(GATE_WEIGHTS_FRESH), TRUE_);
    saved(0, 1000, 3, relative);
    assert_int_equal(gate(GATE_WEIGHTS_FRESH), FALSE_);
    saved(500, 1000, 0.17, relative);
    assert_int_equal(gate(GATE_WEIGHTS_FRESH), UNKNOWN);
}

/* By degrees, twofold at least, and none of the model's or the optimizer's own weights. */
static void the_weight_of_a_part_grows(void **state)
{
    (void)state;
    static const struct {
        const char *tag;
        double from, to;
        size_t ramp; /* readings */
        enum truth truth;
    } cases[] = {{"beta", 0, 4, 100, TRUE_},          {"kl_weight", 0.1, 0.2, 150, TRUE_},
                 {"beta", 4, 4, 100, FALSE_},         {"beta", 0, 4, 1, FALSE_},
                 {"cons_weight", 4, 0, 100, FALSE_},  {"weight_norm", 1, 4, 100, FALSE_},
                 {"weight decay", 0, 1, 100, FALSE_}, {"kl", 0, 4, 100, FALSE_}};
    assert_int_equal(gate(GATE_REWEIGHTED), UNKNOWN);
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        close_run(state);
        open_run(state);
        falling_loss(8, 6);
        for (size_t i = 0; i < 200; i++)
            values[i] = cases[c].from +
                        (cases[c].to - cases[c].from) * fmin((double)i / (double)cases[c].ramp, 1);
        used_series(&used, KIND_OTHER, cases[c].tag, values, 200, 4);
        assert_int_equal(gate(GATE_REWEIGHTED), cases[c].truth);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(weights_are_sound_where_a_later_save_is_finite),
        CASE(weights_move_where_nearly_all_kernels_do),
        CASE(weights_are_fresh_where_the_start_is_usual),
        CASE(the_trainer_of_transformers_loads_a_model),
        CASE(from_nothing_it_starts_high),
        CASE(pretrained_is_a_fact_or_a_low_start),
        CASE(annealed_is_a_rate_that_ended_low_before),
        CASE(annealed_is_a_schedule_that_is_past_its_middle),
        CASE(converged_is_a_large_fall_or_a_metric_near_its_bound),
        CASE(a_motionless_metric_is_no_convergence),
        CASE(games_and_rewards_have_gates),
        CASE(the_start_is_masked_until_the_scale_settles),
        CASE(a_scale_that_never_settles_masks_nothing),
        CASE(a_setting_changed_just_before),
        CASE(a_printed_setting_changed_just_before),
        CASE(a_term_joined_the_loss_just_before),
        CASE(a_stage_began_just_before),
        CASE(a_restart_just_before),
        CASE(samples_tell_whether_inputs_are_scaled_and_classes_even),
        CASE(training_went_on_behind_it),
        CASE(an_evaluation_just_before),
        CASE(evaluations_that_move),
        CASE(an_excerpt_begins_late),
        CASE(a_squared_error_starts_low),
        CASE(unfinished_needs_a_plan),
        CASE(the_weight_of_a_part_grows),
        CASE(findings_are_gates_of_causes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
