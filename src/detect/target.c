/* target: the loss sits at a tell-tale value (detectors.md 3.9, 8.1 to 8.4). */
/* SPDX-License-Identifier: MIT */
#include "detect/chance.h"
#include "detect/common.h"

enum { TOLERANCE_KNOWN, TOLERANCE_LISTED, POINTS_KNOWN, POINTS_LISTED, SPREAD, START_SHARE };
static const struct parameter parameters[] = {
    [TOLERANCE_KNOWN] = {"tolerance", "share", 0, 0.1, 0.01, "around ln K, where K is known"},
    [TOLERANCE_LISTED] = {"tolerance-listed", "share", 0, 0.1, 0.003, "where K is a common one"},
    [POINTS_KNOWN] = {"points-known", "readings", 2, 1e6, 3, "where K is known"},
    [POINTS_LISTED] = {"points-listed", "readings", 2, 1e6, 10, "where K is a common one"},
    [SPREAD] = {"spread", "share", 0, 1, 0.05, "of the last readings around the value"},
    [START_SHARE] = {"start-share", "share", 0, 1, 0.9, "of the start that the loss still has"},
};
static const char *const values[] = {"level",       "target", "classes",  "source",
                                     "points",      "metric", "constant", "was-lower",
                                     "start-share", "exact",  NULL};
static const char *const forms[] = {"uniform",       "double-softmax", "prior", "clip-constant",
                                    "over-guessing", "other",          NULL};

/* -ln of the smallest probability a library lets through, and what it makes of 1 - p. */
static const double clips[] = {15.3332, 15.4249, 15.9424, 16.1181, 87.3365, 100, 27.631, 34.5388};

struct tail {
    double level, error, spread, start, low, high, precision;
    bool moving, was_lower;
    struct groups groups;
};

/* The last readings still move one way, by more than a hundredth. */
static bool moves(const struct groups *groups)
{
    double x[GROUPS_MAX], y[GROUPS_MAX];
    size_t count = 0, from = groups->count >= 12 ? groups->count / 2 : 0;
    for (size_t i = from; i < groups->count; i++, count++) {
        x[count] = groups->group[i].x;
        y[count] = groups->group[i].y;
    }
    struct trend trend = trend_of(x, y, count, groups->precision);
    double change = fabs(trend.slope) * (x[count - 1] - x[0]);
    return fabs(trend.z) > 1.96 && change > scale_ratio(&groups->scale, 1.01);
}

static bool tail_of(const struct use *use, struct tail *tail)
{
    const struct track *track = use->tracks[0];
    struct point points[TAIL_MAX];
    double readings[TAIL_MAX];
    size_t wanted = (size_t)fmin(fmax(3, ceil((double)track->points / 5)), TAIL_MAX);
    size_t count = track_tail(track, points, wanted);
    struct groups *groups = &tail->groups;
    if (count < 3 || !groups_of(track, use->series[0]->kind, 0, groups))
        return false;
    for (size_t i = 0; i < count; i++)
        readings[i] = points[i].value;
    tail->level = median_of(readings, count);
    tail->spread = deviation_of(readings, count);
    tail->error = 1.25 * tail->spread / sqrt((double)count);
    tail->precision = groups->scale.precision;
    tail->start = groups->start;
    tail->low = track->low.value;
    tail->high = track->high.value;
    double lowest = groups->smooth[0];
    for (size_t i = 0; i < groups->count; i++)
        lowest = fmin(lowest, groups->smooth[i]);
    tail->moving = moves(groups);
    tail->was_lower = scale_down(&groups->scale, lowest) < 0.9 * tail->level;
    return true;
}

/* Most of the run lay at the level: how it got there says nothing then. */
static bool stays_at(const struct tail *tail, double level, double limit)
{
    size_t at = 0;
    for (size_t i = 0; i < tail->groups.count; i++)
        at += fabs(scale_down(&tail->groups.scale, tail->groups.group[i].y) - level) <= limit;
    return tail->groups.points >= 30 && at * 2 >= tail->groups.count;
}

/* Every reading is at the value to more digits than batches of data would agree in: no other loss
   that goes by is so even. */
static bool exactly(const struct track *track, double expected)
{
    enum { READINGS = 6 };
    static const double apart = 6e-4;
    return track->points >= READINGS && track->high.value - expected <= apart * expected &&
           expected - track->low.value <= apart * expected;
}

/* The last readings are at the value to as many digits, and they are means of epochs, or the run is
   long past its start, where a loss that has learned nothing is near it as well. */
static bool settled(const struct use *use, double expected)
{
    enum { EPOCHS = 4, LATE_READINGS = 3, LATE = 1000 };
    static const double apart = 6e-4;
    const struct track *track = use->tracks[0];
    struct point points[TAIL_MAX];
    const size_t count = track_tail(track, points, TAIL_MAX);
    size_t at = 0;
    while (at < count && fabs(points[count - 1 - at].value - expected) <= apart * expected)
        at++;
    const bool epochs = use->series[0]->basis == BASIS_EPOCH_MEAN,
               late = track->first.step != STEP_NONE && track->first.step >= LATE;
    return ((epochs && at >= EPOCHS) || (late && at >= LATE_READINGS)) && 3 * at >= 2 * count;
}

static bool emit(const struct use *use, struct candidates *candidates, const struct tail *tail,
                 const char *form, double target, double classes, const char *source, double metric,
                 struct error *error)
{
    const struct track *track = use->tracks[0];
    const bool jumped = strcmp(form, "clip-constant") == 0 && track->current.count > 0;
    struct candidate candidate = candidate_at(use, 0, jumped ? track->current.first : track->first);
    candidate.form = form;
    candidate.end_line = track->last.line;
    value_add(&candidate, "level", tail->level);
    value_add(&candidate, "target", target);
    value_add(&candidate, "classes", classes);
    value_add_text(&candidate, "source", source);
    value_add(&candidate, "points", (double)track->points);
    value_add(&candidate, "metric", metric);
    value_add(&candidate, "constant", track->current.count >= 3);
    value_add(&candidate, "was-lower", tail->was_lower);
    value_add(&candidate, "start-share", tail->level / tail->start);
    value_add(&candidate, "exact", exactly(track, target) || settled(use, target));
    evidence_add(&candidate, use->series[0], track->last_finite, "the level it sits at");
    return candidates_add(candidates, &candidate, error);
}

#define STILL 0.008
/* The level of a metric of the same phase at the end, as a share; NAN where there is none. */
static double metric_level(const struct use *use, bool *still)
{
    static const enum kind kinds[] = {KIND_METRIC, KIND_VAL_METRIC};
    bool validation = use->series[0]->kind == KIND_VAL_LOSS;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        double unit;
        const struct track *track = companion_share(use, kinds[validation ? 1 - i : i], &unit);
        if (!track || track->points < 2)
            continue;
        /* Who always answers the same scores the same; a share that wavers has learned it. */
        *still = track->high.value - track->low.value <= STILL * unit;
        return track->last_finite.value / unit;
    }
    *still = false;
    return (double)NAN;
}

/* Who guesses evenly loses the same on what he never saw: the other phase ends elsewhere. */
static bool differs(const struct use *use, double expected)
{
    static const double apart = 0.02;
    const bool validation = use->series[0]->kind == KIND_VAL_LOSS;
    const struct series *series;
    const struct track *other = companion(use, validation ? KIND_LOSS : KIND_VAL_LOSS, &series);
    return other && fabs(tail_level(other) - expected) > apart * expected;
}

/* A contrastive loss guesses among the samples of its batch, of one process or of all; of two views
   of each among all others. */
static size_t add_batch(const struct use *use, struct classes *classes, size_t count)
{
    static const char *const names[] = {"contrastive", "clip", "infonce", "nce", "ntxent", NULL};
    const double batch = fact_number(use, "batch_size"),
                 all = fact_number(use, "global_batch_size"),
                 world = fact_number(use, "world_size");
    const double sizes[] = {batch, all, batch * world, 2 * batch - 1, 2 * all - 1};
    bool contrastive = fact_is(use, "objective", "contrastive");
    for (size_t i = 0; use->run && i < use->run->series_count; i++)
        contrastive = contrastive || (use->run->series[i].kind == KIND_LOSS &&
                                      tag_has(use->run->series[i].tag, names));
    for (size_t i = 0; contrastive && i < COUNT(sizes) && count < CLASSES_MAX; i++)
        if (sizes[i] >= 8)
            classes[count++] = (struct classes){sizes[i], CLASSES_BATCH};
    return count;
}

static bool uniform(const struct use *use, const struct tail *tail, struct classes *found)
{
    enum { BATCHES_LEAST = 30 }; /* every such run begins there */
    struct classes classes[CLASSES_MAX];
    const size_t count = add_batch(use, classes, classes_of(use, classes));
    double points = (double)use->tracks[0]->points;
    if (tail->moving || has_parts(use))
        return false;
    bool fell = tail->level < use->parameters[START_SHARE] * tail->start;
    for (size_t i = 0; i < count; i++) {
        bool known = classes[i].source != CLASSES_LISTED;
        double expected = log(classes[i].count);
        double share = use->parameters[known ? TOLERANCE_KNOWN : TOLERANCE_LISTED];
        double limit = fmax(share * expected, 1.5 * tail->precision);
        if (known)
            limit = fmax(limit, fmin(3 * tail->error, 2 * share * expected));
        const double least = classes[i].source == CLASSES_BATCH
                                 ? BATCHES_LEAST
                                 : use->parameters[known ? POINTS_KNOWN : POINTS_LISTED];
        if ((points < least && !exactly(use->tracks[0], expected) && !settled(use, expected)) ||
            tail->spread > use->parameters[SPREAD] * expected ||
            fabs(tail->level - expected) > limit || (fell && !stays_at(tail, expected, limit)) ||
            (fell && !known && differs(use, expected)))
            continue;
        *found = classes[i];
        return true;
    }
    return false;
}

/* The share of right answers wavers in one phase at least: the answers change. */
static bool answers_change(const struct use *use)
{
    static const enum kind kinds[] = {KIND_METRIC, KIND_VAL_METRIC};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const struct track *track = companion(use, kinds[i], NULL);
        if (track && track->high.value > track->low.value)
            return true;
    }
    return false;
}

/* The share of right answers never left that of guessing, and no loss ever came under what guessing
   costs, nor stands far over it, and wavers there: the steps change much and lead nowhere. One that
   hardly moves is where it began. */
static bool hovers(const struct use *use, const struct tail *tail, struct classes *found)
{
    enum { READINGS = 8 };
    static const double under = 0.99, over = 1.02, far = 1.2, still = 0.002, spread = 0.1;
    const struct track *train = companion(use, KIND_LOSS, NULL);
    struct classes classes[CLASSES_MAX];
    const size_t count = classes_of(use, classes);
    if (!train || use->tracks[0]->points < READINGS || tail->moving || has_parts(use) ||
        is_glimpse(use, 0) || !answers_change(use))
        return false;
    for (size_t i = 0; i < count; i++) {
        const double expected = log(classes[i].count);
        if (classes[i].source != CLASSES_METRIC || train->low.value < under * expected ||
            tail->low < under * expected || tail->level > far * expected ||
            tail->level < over * expected || tail->spread < still * expected ||
            tail->spread > spread * expected)
            continue;
        *found = classes[i];
        return true;
    }
    return false;
}

/* Loss and accuracy of the same phase, reading by reading. Training that prints no accuracy lends
   the pair of validation. */
struct pair {
    const struct track *loss, *metric;
    double unit;
    bool lent;
};

static struct pair pair_of(const struct use *use)
{
    const enum kind kind = use->series[0]->kind == KIND_VAL_LOSS ? KIND_VAL_METRIC : KIND_METRIC;
    struct pair pair = {.loss = use->tracks[0]};
    pair.metric = companion_share(use, kind, &pair.unit);
    if (pair.metric || kind == KIND_VAL_METRIC)
        return pair;
    pair.lent = true;
    pair.loss = companion(use, KIND_VAL_LOSS, NULL);
    pair.metric = companion_share(use, KIND_VAL_METRIC, &pair.unit);
    return pair;
}

/* They add up to the loss of a confident error: with saturated outputs each wrong answer costs 1
   more than a right one, whatever is learned. */
static bool adds_up(const struct pair *pair, double ceiling)
{
    enum { PAIRS_LEAST = 8 };
    static const double learned = 0.5, moved = 0.1, under = 0.01, over = 0.05, straight = 0.04;
    const struct track *loss = pair->loss, *metric = pair->metric;
    const double unit = pair->unit;
    struct point losses[TAIL_MAX], shares[TAIL_MAX];
    if (!metric || !loss || metric->points != loss->points ||
        metric->high.value - metric->low.value < moved * unit ||
        metric->last_finite.value < learned * unit)
        return false;
    const double half = fmax((double)loss->points / 2, PAIRS_LEAST);
    const size_t wanted = (size_t)fmin(half, TAIL_MAX);
    const size_t count = track_tail(loss, losses, wanted);
    if (count < PAIRS_LEAST || track_tail(metric, shares, wanted) != count)
        return false;
    double rests[TAIL_MAX];
    for (size_t i = 0; i < count; i++)
        rests[i] = losses[i].value + shares[i].value / unit - ceiling;
    median_of(rests, count); /* in order now: of single batches one in ten may stray either way */
    const double low = rests[count / 10], high = rests[count - 1 - count / 10];
    return low >= -under && high <= over && high - low <= straight;
}

/* Few classes that nothing names: their number follows from where loss and share add up to. */
static size_t add_few(struct classes *classes, size_t count)
{
    enum { FEWEST = 3, MOST = 10 };
    for (int k = FEWEST; k <= MOST && count < CLASSES_MAX; k++)
        classes[count++] = (struct classes){k, CLASSES_LISTED};
    return count;
}

/* How far over the floor the level may lie. Many readings that come down to that of the classes
   that are printed, none of them under it, may lie somewhat higher. */
static double room_over(const struct track *track, const struct tail *tail, double floor,
                        bool known)
{
    enum { MANY = 50 };
    static const double hugging = 0.02;
    const double room = fmax(fmax(0.004, fmin(3 * tail->error, 0.01)), 1.5 * tail->precision);
    const bool none_under = tail->low >= floor - tail->precision;
    return known && track->points >= MANY && none_under ? fmax(room, hugging) : room;
}

static bool twice(const struct use *use, const struct tail *tail, double metric,
                  struct classes *found, double *target)
{
    struct classes classes[CLASSES_MAX];
    const size_t told = classes_of(use, classes), count = add_few(classes, told);
    const bool smoothed = fact_number(use, "label_smoothing") > 0;
    const struct pair pair = pair_of(use);
    for (size_t i = 0; i < count; i++) {
        if (classes[i].count > 1000)
            continue;
        double classes_now = classes[i].count, one = exp(1);
        double floor = log(1 + (classes_now - 1) / one), ceiling = log(one + classes_now - 1);
        const bool known = classes[i].source != CLASSES_LISTED;
        const double limit = room_over(use->tracks[0], tail, floor, known);
        /* Each wrong answer costs up to 1 more; no other loss is so high beside such an accuracy,
           that of smoothed labels aside. */
        bool right = metric >= (floor > 1 ? 0.8 : 0.95) && !smoothed;
        /* Loss and share of a sound run of few classes add up to less, from guessing on; but a
           validation loss that turns may pass there. */
        const bool few = floor > 0.5 && use->series[0]->kind == KIND_LOSS;
        const bool there = !pair.lent || tail->level <= floor + limit;
        const bool along = (floor > 1 || few) && !smoothed && there && adds_up(&pair, ceiling);
        double over = along ? 1 : right ? limit + 1 - metric : limit;
        /* Of two classes other losses fall through that level: it has to stand there. */
        if (floor < 1 && !known && tail->moving && !along)
            continue;
        if (tail->level < floor - limit || tail->level > floor + over ||
            tail->start < floor + (right || along ? 0.15 : 0.3) || tail->low < floor - 0.02 ||
            tail->high > ceiling + 0.02)
            continue;
        if (!known && !along && (i >= told || !(metric >= 0.9)))
            continue;
        *found = classes[i];
        *target = floor;
        return true;
    }
    return false;
}

/* In the last records loss over the share of wrong answers is one and the same; of two alone to
   more digits. */
static double clip_of_records(const struct use *use)
{
    enum { RECORDS = 3 };
    static const double alike = 2e-3, of_two = 3e-4;
    static const enum kind kinds[] = {KIND_METRIC, KIND_VAL_METRIC};
    bool validation = use->series[0]->kind == KIND_VAL_LOSS;
    double unit, low = (double)INFINITY, high = 0;
    const struct track *track = companion_share(use, kinds[validation], &unit);
    struct point losses[RECORDS], metrics[RECORDS];
    const size_t count = track_tail(use->tracks[0], losses, RECORDS);
    if (!track || count < 2 || track_tail(track, metrics, RECORDS) != count)
        return 0;
    for (size_t i = 0; i < count; i++) {
        double wrong = 1 - metrics[i].value / unit;
        if (!(wrong > 0.02))
            return 0;
        low = fmin(low, losses[i].value / wrong);
        high = fmax(high, losses[i].value / wrong);
    }
    return high - low <= (count < RECORDS ? of_two : alike) * high ? (high + low) / 2 : 0;
}

/* It is a library's clip level; or the loss stands at that level or at half of it. */
static bool clipped(const struct use *use, const struct tail *tail, double *target)
{
    double records = clip_of_records(use);
    bool constant = use->tracks[0]->current.count >= 3;
    for (size_t i = 0; i < COUNT(clips); i++) {
        bool of_share = fabs(records - clips[i]) <= 2e-3 * clips[i];
        bool whole = fabs(tail->level - clips[i]) <= 2e-4 * clips[i];
        bool half = fabs(tail->level - clips[i] / 2) <= 2e-4 * clips[i];
        if (!of_share && !(constant && (whole || half)))
            continue;
        *target = clips[i];
        return true;
    }
    return false;
}

/* Two readings at the end are enough where both are a clip level to six digits: it is no round
   number. So is one where the loss stood under half of it before: it jumped there. */
static bool pair_clipped(const struct use *use, double *target)
{
    const struct track *track = use->tracks[0];
    struct point last[2];
    if (track_tail(track, last, 2) < 2)
        return false;
    if (last[0].value < last[1].value / 2)
        last[0] = last[1];
    for (size_t i = 0; i < COUNT(clips); i++) {
        const double limit = 5e-6 * clips[i];
        if (clips[i] == round(clips[i]) || fabs(last[0].value - clips[i]) > limit ||
            fabs(last[1].value - clips[i]) > limit || pow(10, -track->places) > 2e-5 * clips[i])
            continue;
        *target = clips[i];
        return true;
    }
    return false;
}

/* Too few readings for a tail, but two records that share a clip level which is no round number. */
static bool records_clipped(const struct use *use, double *target)
{
    const double records = use->tracks[0]->points == 2 ? clip_of_records(use) : 0;
    for (size_t i = 0; i < COUNT(clips); i++)
        if (clips[i] != round(clips[i]) && fabs(records - clips[i]) <= 3e-4 * clips[i]) {
            *target = clips[i];
            return true;
        }
    return false;
}

/* Nats that the shares of two samples of a few hundred cost beside each other, 1 / 2n each. */
#define PRIOR_SAMPLED 0.005
static double entropy(double share)
{
    if (!(share > 0 && share < 1))
        return 0;
    return -share * log(share) - (1 - share) * log(1 - share);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct tail tail;
    double target, metric = (double)NAN;
    struct classes found;
    bool still = false;
    const bool pair = pair_clipped(use, &target) || records_clipped(use, &target);
    if (tail_of(use, &tail) && tail.level > 0)
        metric = metric_level(use, &still);
    else if (pair) /* too few for a tail */
        tail = (struct tail){.level = use->tracks[0]->last_finite.value,
                             .start = use->tracks[0]->first.value};
    else
        return true;
    if (pair || clipped(use, &tail, &target))
        return emit(use, candidates, &tail, "clip-constant", target, (double)NAN, "", metric,
                    error);
    if (twice(use, &tail, metric, &found, &target))
        return emit(use, candidates, &tail, "double-softmax", target, found.count,
                    class_source_name(found.source), metric, error);
    if (uniform(use, &tail, &found))
        return emit(use, candidates, &tail, "uniform", log(found.count), found.count,
                    class_source_name(found.source), metric, error);
    if (hovers(use, &tail, &found))
        return emit(use, candidates, &tail, "over-guessing", log(found.count), found.count,
                    class_source_name(found.source), metric, error);
    double prior = entropy(metric);
    bool at_prior = still && metric >= 0.5 && prior > 0.02 && !tail.moving &&
                    fabs(tail.level - prior) <= fmax(0.02 * prior, PRIOR_SAMPLED) &&
                    use->tracks[0]->points >= 4;
    if (at_prior)
        return emit(use, candidates, &tail, "prior", prior, 2, "metric", metric, error);
    return true;
}

const struct detector detector_target = {
    .name = "target",
    .about = "the loss sits at a tell-tale value",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .detect = detect,
};
