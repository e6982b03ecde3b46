/* Gates: what the whole run, or the place of a candidate in it, says against a rule. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/condition.h"

#include "detect/samples.h"
#include "stalldoc/measure.h"

#include <math.h>
#include <string.h>

const char *const gate_names[GATE_COUNT] = {
    [GATE_PRETRAINED] = "pretrained",
    [GATE_ANNEALED] = "annealed",
    [GATE_CONVERGED] = "converged",
    [GATE_ADVERSARIAL] = "adversarial",
    [GATE_REINFORCEMENT] = "reinforcement",
    [GATE_MASKED_START] = "masked-start",
    [GATE_EVALUATION_NEAR] = "evaluation-near",
    [GATE_SETTING_CHANGE] = "setting-change",
    [GATE_RESTART_NEAR] = "restart-near",
    [GATE_WENT_ON] = "went-on",
    [GATE_LATE_EXCERPT] = "late-excerpt",
    [GATE_UNFINISHED] = "unfinished",
    [GATE_INPUTS_SCALED] = "inputs-scaled",
    [GATE_TARGETS_CLASSES] = "targets-classes",
    [GATE_TARGETS_BALANCED] = "targets-balanced",
    [GATE_WEIGHTS_SOUND] = "weights-sound",
    [GATE_WEIGHTS_MOVE] = "weights-move",
    [GATE_WEIGHTS_FRESH] = "weights-fresh",
    [GATE_EVALUATION_MOVES] = "evaluation-moves",
    [GATE_REWEIGHTED] = "reweighted",
    [GATE_HAS_ERROR] = "has-error",
    [GATE_HAS_WARNING] = "has-warning",
};

/* detectors.md 2.9 has these numbers. */
static const double NEAR = 0.02;            /* "just before": share of the run */
static const double PRETRAINED_SHARE = 0.6; /* of ln(vocabulary): no fresh model starts there */
static const double FAR_BELOW_CHANCE = 0.5; /* of ln K */
static const double LATE_SHARE = 0.05;      /* of the plan gone before the first reading */
/* Of the peak rate; schedules that end at a tenth stand a little over it before their last step. */
static const double ANNEALED_END = 0.12, ANNEALED_ONSET = 0.6;
static const double CONVERGED_DROP = 0.9, CONVERGED_HALF = 0.5;
static const double BOUND_SHARE = 0.9, GAIN = 0.05, GAIN_SHARE = 0.1;
static const double END_PRECISION = 10; /* printed units */
static const uint64_t SETTLED_READINGS = 20;
/* Other ranks may print a few more before they notice. */
static const uint64_t WENT_ON_READINGS = 5;
static const double FINISHED_INTERVALS = 1.5;

static enum truth truth_of(bool holds)
{
    return holds ? TRUE_ : FALSE_;
}

bool gate_needs_onset(enum gate gate)
{
    return gate == GATE_MASKED_START || gate == GATE_EVALUATION_NEAR ||
           gate == GATE_SETTING_CHANGE || gate == GATE_RESTART_NEAR || gate == GATE_WENT_ON;
}

double start_level(const struct series *series)
{
    enum { READINGS = 5 };
    return points_level(series->whole.head, series->whole.head_count, READINGS, false);
}

static const double FINE_TUNED_START = 4; /* nats */

static double fact_number(const struct run *run, const char *key)
{
    const struct fact_seen fact = fact_seen_at(run, key, STEP_NONE);
    return fact.known && !fact.none ? fact.number : (double)NAN;
}

/* Weights of the linear layers of a model that is printed as PyTorch does; 0: none is. */
static double printed_weights(const struct run *run)
{
    const struct track *in = NULL, *out = NULL;
    struct point from[BUCKETS_MAX], to[BUCKETS_MAX];
    for (size_t i = 0; i < run->series_count; i++) {
        const struct series *series = &run->series[i];
        if (text_is(series->tag, "in_features"))
            in = &series->whole;
        else if (text_is(series->tag, "out_features"))
            out = &series->whole;
    }
    if (!in || !out)
        return 0;
    const size_t count = track_readings(in, from);
    double sum = 0;
    if (track_readings(out, to) != count)
        return 0;
    for (size_t i = 0; i < count; i++)
        sum += from[i].value * to[i].value;
    return sum;
}

/* The trainer of transformers begins with a model that is loaded; one that learns to write from
   nothing starts at the logarithm of its vocabulary, which is far higher. Nobody loads a model of
   less than a million parameters. */
static bool fine_tunes(const struct run *run)
{
    const double least = 1e6, parameters = fact_number(run, "parameters");
    const double printed = printed_weights(run);
    if (parameters < least || (printed > 0 && printed < least))
        return false;
    return text_is(fact_seen_at(run, "framework", STEP_NONE).value, "transformers");
}

static enum truth pretrained(const struct context *context)
{
    const struct fact_seen fact = fact_seen_at(context->run, "pretrained", STEP_NONE);
    if (fact.known)
        return truth_of(text_is(fact.value, "true"));
    if (begins_warm(context->run) == TRUE_)
        return TRUE_;
    double words = fact_number(context->run, "vocabulary");
    const struct series *loss = run_main(context->run, KIND_LOSS);
    double start = loss ? start_level(loss) : (double)NAN;
    if (isnan(words) || words < 2)
        return fine_tunes(context->run) && start < FINE_TUNED_START ? TRUE_ : UNKNOWN;
    return isnan(start) ? UNKNOWN : truth_of(start < PRETRAINED_SHARE * log(words));
}

/* Where no rate is printed, its schedule tells that it goes to nothing; behind the middle of the
   run it is under half of its peak. */
static enum truth annealed_as_planned(const struct context *context)
{
    const struct run *run = context->run;
    const struct fact_seen schedule = fact_seen_at(run, "schedule", STEP_NONE);
    if (!text_is(schedule.value, "cosine") && !text_is(schedule.value, "linear"))
        return UNKNOWN;
    const int64_t onset = context->at ? context->at->candidate.onset.step : STEP_NONE;
    if (onset == STEP_NONE || run->first_step == STEP_NONE || run->last_step == STEP_NONE)
        return UNKNOWN;
    return truth_of(onset - run->first_step >= (run->last_step - run->first_step) / 2);
}

static enum truth annealed(const struct context *context)
{
    const struct series *rate = run_main(context->run, KIND_LEARNING_RATE);
    if (!rate || rate->whole.bucket_count == 0)
        return annealed_as_planned(context);
    double peak = rate->whole.high.value, end = rate->whole.last_finite.value;
    if (!(peak > 0) || end > ANNEALED_END * peak)
        return FALSE_;
    if (!context->at || context->at->candidate.onset.step == STEP_NONE)
        return TRUE_;
    const struct fact_seen there =
        fact_seen_at(context->run, "lr", context->at->candidate.onset.step);
    return truth_of(there.number < ANNEALED_ONSET * peak);
}

/* A metric near its bound that was seen to get there. */
static bool metric_converged(const struct series *series)
{
    const struct track *track = &series->whole;
    struct groups groups;
    if (series->direction != DIRECTION_UP || track->points < 3 || track->bucket_count == 0)
        return false;
    double bound = share_unit(track);
    if (track->high.value > bound || track->high.value < BOUND_SHARE * bound ||
        track->low.value < 0 || !groups_of(track, series->kind, 0, &groups))
        return false;
    double start = scale_down(&groups.scale, groups.smooth[0]);
    double end = scale_down(&groups.scale, groups.smooth[groups.count - 1]);
    double gain = track->high.value - fmin(start, track->first.value);
    bool improved = gain >= GAIN * bound || gain >= GAIN_SHARE * (bound - start);
    bool falls = track->high.value - end > GAIN * bound;
    return improved && !falls;
}

/* Validation stands at its best in the last quarter of the run. */
static bool validation_best_late(const struct run *run)
{
    const struct series *loss = run_main(run, KIND_VAL_LOSS);
    const struct series *metric = run_main(run, KIND_VAL_METRIC);
    const struct series *series = loss ? loss : metric;
    if (!series || series->whole.points < 3 || run->last_step == STEP_NONE ||
        run->first_step == STEP_NONE)
        return false;
    bool up = series->direction == DIRECTION_UP;
    int64_t best = up ? series->whole.high.step : series->whole.low.step;
    double length = (double)run->last_step - (double)run->first_step;
    return best != STEP_NONE && (double)best - (double)run->first_step >= 0.75 * length;
}

static enum truth converged(const struct context *context)
{
    const struct run *run = context->run;
    static const enum kind metrics[] = {KIND_VAL_METRIC, KIND_METRIC};
    for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
        const struct series *metric = run_main(run, metrics[i]);
        if (metric && metric_converged(metric))
            return TRUE_;
    }
    const struct series *loss = run_main(run, KIND_LOSS);
    struct groups groups;
    if (!loss || !groups_of(&loss->whole, KIND_LOSS, 0, &groups) || groups.count < 2)
        return UNKNOWN;
    if (track_nonfinite(&loss->whole)->last_run > 0)
        return FALSE_;
    double precision = pow(10, -(double)loss->whole.places);
    return truth_of(groups.drop >= CONVERGED_DROP || begins_warm(run) == TRUE_ ||
                    (groups.drop >= CONVERGED_HALF && validation_best_late(run)) ||
                    fabs(groups.end) <= END_PRECISION * precision);
}

static bool reinforcement(const struct run *run)
{
    const struct fact_seen fact = fact_seen_at(run, "objective", STEP_NONE);
    return run->reinforcement || (fact.known && text_is(fact.value, "rl"));
}

static bool adversarial(const struct run *run)
{
    const struct fact_seen fact = fact_seen_at(run, "objective", STEP_NONE);
    bool named = fact.known && text_is(fact.value, "gan");
    return !reinforcement(run) && (named || run_series(run, KIND_ADVERSARIAL, 0));
}

/* Where the loss scale first stays as it is for a while; false: it never does. */
static bool scale_settles(const struct series *scale, struct point *at)
{
    const struct track *track = &scale->whole;
    uint64_t readings = 0;
    double value = NAN;
    for (size_t i = 0; i < track->bucket_count; i++) {
        const struct bucket *bucket = &track->buckets[i];
        bool same = bucket->low.value == bucket->high.value && bucket->low.value == value;
        if (!same) {
            readings = 0;
            value = bucket->high.value;
            *at = bucket->low;
        }
        if (bucket->low.value == bucket->high.value)
            readings += bucket->count;
        if (readings >= SETTLED_READINGS)
            return true;
    }
    return false;
}

static enum truth masked_start(const struct context *context)
{
    const struct series *scale = run_main(context->run, KIND_LOSS_SCALE);
    struct point settled = {.step = STEP_NONE};
    if (!context->at)
        return UNKNOWN;
    if (!scale)
        return FALSE_;
    if (!scale_settles(scale, &settled))
        return FALSE_; /* a search that never ends is the symptom itself */
    const struct moment here = finding_moment(context->at);
    const struct moment there = {settled.step, NAN, settled.line, settled.input, 0};
    struct distance distance;
    if (!moment_distance(context->run, &here, &there, &distance))
        return UNKNOWN;
    return truth_of(distance.sign > 0);
}

/* True where `moment` lies at or just before the onset at hand. */
static bool just_before(const struct context *context, const struct moment *moment)
{
    const struct moment here = finding_moment(context->at);
    struct distance distance;
    if (!moment_distance(context->run, moment, &here, &distance) || distance.sign < 0)
        return false;
    return distance.sign == 0 || distance.share <= NEAR || distance.readings <= 1;
}

static enum truth evaluation_near(const struct context *context)
{
    const struct run *run = context->run;
    if (!context->at)
        return UNKNOWN;
    for (size_t i = 0; i < run->life_count; i++) {
        const struct life_seen *life = &run->lives[i];
        const struct moment moment = {life->step, life->time, life->place.line, life->place.input,
                                      0};
        struct distance distance;
        const struct moment here = finding_moment(context->at);
        if ((life->event == EVENT_EVALUATION || life->event == EVENT_SAVE) &&
            moment_distance(run, &moment, &here, &distance) && distance.sign >= 0 &&
            (distance.sign == 0 || distance.readings <= 1))
            return TRUE_;
    }
    return FALSE_;
}

/* The onset at hand lies among the readings of a bucket, or just behind them. */
static bool lies_before(const struct context *context, const struct bucket *bucket)
{
    const struct moment here = finding_moment(context->at);
    const struct moment first = {bucket->first_step, NAN, bucket->first_line, bucket->input, 0};
    const struct moment last = {bucket->last_step, NAN, bucket->first_line, bucket->input, 0};
    struct distance behind, distance;
    return moment_distance(context->run, &first, &here, &behind) && behind.sign >= 0 &&
           moment_distance(context->run, &last, &here, &distance) &&
           (distance.sign <= 0 || distance.share <= NEAR);
}

/* A setting that is printed with every reading and takes few values: where it changes. */
static bool printed_change(const struct context *context, const struct series *series)
{
    static const char *const names[] = {"seq_len",     "seqlen",     "sequence_length",
                                        "seq_length",  "batch_size", "global_batch_size",
                                        "bsz",         "img_size",   "image_size",
                                        "world_size",  "resolution", "context_length",
                                        "num_workers", "stage",      NULL};
    enum { CHANGES_MOST = 8 };
    size_t changes = 0, near = 0;
    bool named = false;
    for (size_t i = 0; names[i]; i++)
        named = named || text_glob(text_of(names[i]), series->tag, true);
    const struct track *track = &series->whole;
    for (size_t i = 1; named && i < track->bucket_count; i++) {
        const struct bucket *before = &track->buckets[i - 1], *bucket = &track->buckets[i];
        if (bucket->high.value == before->high.value && bucket->low.value == bucket->high.value)
            continue;
        changes++;
        near += lies_before(context, bucket);
    }
    return near > 0 && changes <= CHANGES_MOST;
}

/* Readings of a track that stand behind a place of its own input. */
static uint64_t readings_behind(const struct track *track, const struct point *place)
{
    uint64_t readings = 0;
    for (size_t i = 0; i < track->bucket_count; i++)
        if (track->buckets[i].input == place->input && track->buckets[i].first_line > place->line)
            readings += track->buckets[i].count;
    return readings;
}

/* Readings of a track that stand before a place of its own input. */
static uint64_t readings_before_it(const struct track *track, const struct point *place)
{
    uint64_t readings = 0;
    for (size_t i = 0; i < track->bucket_count; i++)
        if (track->buckets[i].input == place->input && track->buckets[i].first_line < place->line)
            readings += track->buckets[i].count;
    return readings;
}

static bool is_training_loss(const struct series *series, size_t segment)
{
    return series->kind == KIND_LOSS && series->phase != PHASE_VALIDATION &&
           segment < series->segment_count && series->segments[segment].points > 0;
}

/* The loss has a new term: a series of it begins just before, beside one that had begun earlier,
   and is printed as often from there on. */
static bool new_term(const struct context *context)
{
    enum { BEFORE_LEAST = 3, BEHIND_LEAST = 3 };
    const struct run *run = context->run;
    const size_t segment = context->at->candidate.segment;
    for (size_t i = 0; i < run->series_count; i++) {
        if (!is_training_loss(&run->series[i], segment))
            continue;
        const struct track *term = &run->series[i].segments[segment];
        const struct point *birth = &term->first;
        const struct moment moment = {birth->step, NAN, birth->line, birth->input, 0};
        if (!just_before(context, &moment))
            continue;
        for (size_t k = 0; k < run->series_count; k++) {
            const struct series *other = &run->series[k];
            if (!is_training_loss(other, segment) || other->rank != run->series[i].rank)
                continue;
            const struct track *track = &other->segments[segment];
            const uint64_t behind = readings_behind(track, birth);
            if (readings_before_it(track, birth) >= BEFORE_LEAST && behind >= BEHIND_LEAST &&
                2 * term->points > behind)
                return true;
        }
    }
    return false;
}

/* A line behind the first readings tells that a stage of the run begins, just before. */
static bool stage_at(const struct context *context, const struct series *loss, struct place place)
{
    enum { BEFORE_LEAST = 3 };
    const struct point point = point_make(STEP_NONE, (double)NAN, place);
    const struct moment moment = {STEP_NONE, NAN, place.line, place.input, 0};
    return readings_before_it(&loss->whole, &point) >= BEFORE_LEAST &&
           just_before(context, &moment);
}

/* What is said again and again tells no beginning. */
static bool stage_begins(const struct context *context)
{
    enum { STAGES_MOST = 8 };
    const struct run *run = context->run;
    const struct series *loss = run_main(run, KIND_LOSS);
    for (size_t i = 0; loss && i < run->message_count; i++) {
        const struct message *message = &run->messages[i];
        if (strcmp(message->row->id, "stage-begins") == 0 && message->count <= STAGES_MOST &&
            (stage_at(context, loss, message->place) ||
             stage_at(context, loss, message->last_place)))
            return true;
    }
    return false;
}

static enum truth setting_change(const struct context *context)
{
    static const char *const keys[] = {
        "batch_size", "global_batch_size", "sequence_length", "world_size", "stage", "dataset",
    };
    const struct run *run = context->run;
    if (!context->at)
        return UNKNOWN;
    for (size_t i = 0; i < run->fact_count; i++) {
        const struct fact *fact = &run->facts[i];
        if (fact->step == STEP_NONE || fact->step == run->first_step)
            continue; /* as it was from the start */
        const struct moment moment = {fact->step, NAN, fact->place.line, fact->place.input, 0};
        for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
            if (text_is(fact->key, keys[k]) && just_before(context, &moment))
                return TRUE_;
    }
    for (size_t i = 0; i < run->series_count; i++)
        if (printed_change(context, &run->series[i]))
            return TRUE_;
    return truth_of(new_term(context) || stage_begins(context));
}

static enum truth restart_near(const struct context *context)
{
    const struct run *run = context->run;
    if (!context->at)
        return UNKNOWN;
    for (size_t i = 1; i < run->segment_count; i++) {
        const struct segment *segment = &run->segments[i];
        const struct moment moment = {segment->first_step, NAN, segment->place.line,
                                      segment->place.input, 0};
        if (context->at->candidate.segment == i && just_before(context, &moment))
            return TRUE_;
    }
    return FALSE_;
}

/* Training goes on behind what looks like its end: it was survived, or ended an attempt that had
   not begun to train. */
static enum truth went_on(const struct context *context)
{
    static const enum kind kinds[] = {KIND_LOSS, KIND_VAL_LOSS, KIND_METRIC, KIND_GRAD_NORM};
    if (!context->at)
        return UNKNOWN;
    const struct candidate *candidate = &context->at->candidate;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const struct series *series = run_main(context->run, kinds[i]);
        if (!series || candidate->segment >= series->segment_count)
            continue;
        const struct track *own = &series->segments[candidate->segment];
        const struct track *track = own->points > 0 ? own : &series->whole;
        if (readings_behind(track, &candidate->onset) >= WENT_ON_READINGS)
            return TRUE_;
    }
    return FALSE_;
}

/* The loss is none of guessing among classes. */
static bool measures_distance(const struct run *run)
{
    static const char *const objectives[] = {"mse", "mae", "huber", "elbo", "contrastive", "gan"};
    const struct fact_seen fact = fact_seen_at(run, "objective", STEP_NONE);
    for (size_t i = 0; fact.known && i < sizeof(objectives) / sizeof(objectives[0]); i++)
        if (text_is(fact.value, objectives[i]))
            return true;
    return false;
}

static bool starts_below_chance(const struct run *run)
{
    const struct series *loss = run_main(run, KIND_LOSS);
    double classes = fact_number(run, "vocabulary");
    if (isnan(classes))
        classes = fact_number(run, "classes");
    if (!loss || !(classes >= 2) || measures_distance(run) ||
        pretrained(&(struct context){.run = run}) == TRUE_)
        return false;
    return start_level(loss) < FAR_BELOW_CHANCE * log(classes);
}

static enum truth late_excerpt(const struct context *context)
{
    const struct run *run = context->run;
    if (run->first_step != STEP_NONE && run->last_step > run->first_step && run->step_count > 1) {
        double plan =
            run->planned_steps != STEP_NONE ? (double)run->planned_steps : (double)run->last_step;
        double interval =
            ((double)run->last_step - (double)run->first_step) / (double)(run->step_count - 1);
        /* The first reading of a sparse log stands an interval behind the start. */
        if ((double)run->first_step > LATE_SHARE * plan && (double)run->first_step > 2 * interval)
            return TRUE_;
    }
    return truth_of(starts_below_chance(run));
}

static enum truth unfinished(const struct context *context)
{
    const struct run *run = context->run;
    if (run->planned_steps == STEP_NONE || run->last_step == STEP_NONE)
        return UNKNOWN;
    double interval = 1;
    if (run->first_step != STEP_NONE && run->step_count > 1)
        interval =
            ((double)run->last_step - (double)run->first_step) / (double)(run->step_count - 1);
    return truth_of((double)run->last_step + FINISHED_INTERVALS * fmax(interval, 1) <
                    (double)run->planned_steps);
}

/* A sample of the inputs is there, and every array of it is as a model wants it. */
static enum truth inputs_scaled(const struct run *run)
{
    const struct tensor *tensor;
    enum truth truth = UNKNOWN;
    for (size_t i = 0; (tensor = sample_array(run, ROLE_INPUTS, i)) != NULL; i++) {
        struct unscaled unscaled;
        if (!sample_numbers(tensor))
            continue;
        inputs_scale(tensor, &unscaled_usual, &unscaled);
        if (unscaled.form)
            return FALSE_;
        truth = TRUE_;
    }
    return truth;
}

/* A sample of the targets is there, and it is class numbers, or classes of like size. */
static enum truth targets_are(const struct run *run, bool balanced)
{
    static const double LIKE = 3; /* of the largest class over the smallest */
    const struct tensor *tensor = sample_array(run, ROLE_TARGETS, 0);
    struct shares shares;
    if (!tensor)
        return UNKNOWN;
    const bool classes = targets_shares(tensor, &shares) && shares.classes >= 2;
    return truth_of(classes && (!balanced || shares.ratio <= LIKE));
}

static enum truth has(const struct context *context, enum severity severity)
{
    for (size_t i = 0; i < context->all_count; i++)
        if (!context->all[i].absorbed_by && context->all[i].severity == severity)
            return TRUE_;
    return FALSE_;
}

enum truth gate_truth(enum gate gate, const struct context *context)
{
    switch (gate) {
    case GATE_PRETRAINED:
        return pretrained(context);
    case GATE_ANNEALED:
        return annealed(context);
    case GATE_CONVERGED:
        return converged(context);
    case GATE_ADVERSARIAL:
        return truth_of(adversarial(context->run));
    case GATE_REINFORCEMENT:
        return truth_of(reinforcement(context->run));
    case GATE_MASKED_START:
        return masked_start(context);
    case GATE_EVALUATION_NEAR:
        return evaluation_near(context);
    case GATE_SETTING_CHANGE:
        return setting_change(context);
    case GATE_RESTART_NEAR:
        return restart_near(context);
    case GATE_WENT_ON:
        return went_on(context);
    case GATE_LATE_EXCERPT:
        return late_excerpt(context);
    case GATE_UNFINISHED:
        return unfinished(context);
    case GATE_INPUTS_SCALED:
        return inputs_scaled(context->run);
    case GATE_TARGETS_CLASSES:
        return targets_are(context->run, false);
    case GATE_TARGETS_BALANCED:
        return targets_are(context->run, true);
    case GATE_WEIGHTS_SOUND:
        return weights_sound(context->run);
    case GATE_WEIGHTS_MOVE:
        return weights_move(context->run);
    case GATE_WEIGHTS_FRESH:
        return weights_fresh(context->run);
    case GATE_EVALUATION_MOVES:
        return evaluation_moves(context->run);
    case GATE_REWEIGHTED:
        return reweighted(context->run);
    case GATE_HAS_ERROR:
        return has(context, SEVERITY_ERROR);
    case GATE_HAS_WARNING:
        return has(context, SEVERITY_WARNING);
    case GATE_COUNT:
        break;
    }
    return UNKNOWN;
}
