/* What the detectors share. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include "stalldoc/message.h"

#include <string.h>

struct candidate candidate_bare(const struct use *use, struct point onset)
{
    return (struct candidate){
        .segment = use->segment,
        .form = use->form,
        .onset = onset,
        .last_step = STEP_NONE,
        .time = (double)NAN,
    };
}

struct candidate candidate_at(const struct use *use, size_t nth, struct point onset)
{
    struct candidate candidate = candidate_bare(use, onset);
    if (nth < use->series_count) {
        candidate.series = use->series[nth];
        candidate.subject = candidate.series->tag;
        candidate.last_step = use->tracks[nth]->last.step;
    }
    return candidate;
}

void value_add(struct candidate *candidate, const char *name, double number)
{
    if (candidate->value_count < VALUES_MAX)
        candidate->values[candidate->value_count++] =
            (struct value){.name = name, .number = number};
}

void value_add_text(struct candidate *candidate, const char *name, const char *text)
{
    if (candidate->value_count < VALUES_MAX)
        candidate->values[candidate->value_count++] =
            (struct value){.name = name, .number = (double)NAN, .text = text_of(text)};
}

void evidence_add(struct candidate *candidate, const struct series *series, struct point point,
                  const char *text)
{
    if (candidate->evidence_count == EVIDENCE_MAX)
        return;
    candidate->evidence[candidate->evidence_count++] = (struct evidence){
        .kind = EVIDENCE_VALUE,
        .place = {.input = point.input, .line = point.line, .offset = point.offset},
        .step = point.step,
        .series = series ? series->tag : TEXT(""),
        .value = point.value,
        .text = text_of(text),
    };
}

const struct track *companion(const struct use *use, enum kind kind, const struct series **series)
{
    const struct series *found = use->run ? run_main(use->run, kind) : NULL;
    if (!found || found->basis == BASIS_ESTIMATED || use->segment >= found->segment_count)
        return NULL;
    const struct track *track = &found->segments[use->segment];
    if (track->points == 0)
        return NULL;
    if (series)
        *series = found;
    return track;
}

const struct track *companion_share(const struct use *use, enum kind kind, double *unit)
{
    const struct series *series = NULL;
    const struct track *track = companion(use, kind, &series);
    if (!track || series->direction != DIRECTION_UP || track_signs(track)->negatives ||
        track->high.value > 100)
        return NULL;
    *unit = share_unit(track);
    return track;
}

double tail_level(const struct track *track)
{
    double levels[TAIL_MAX];
    struct point points[TAIL_MAX];
    const size_t count = track_tail(track, points, TAIL_MAX);
    for (size_t i = 0; i < count; i++)
        levels[i] = points[i].value;
    return count ? median_of(levels, count) : 0;
}

bool line_tell(const struct use *use, const char *message,
               bool (*look)(const struct use *use, const struct message *message,
                            struct candidate *candidate),
               struct candidates *candidates, struct error *error)
{
    if (!run_main(use->run, KIND_LOSS)) /* nothing was trained */
        return true;
    for (size_t i = 0; i < use->run->message_count; i++) {
        const struct message *line = &use->run->messages[i];
        if (strcmp(line->row->id, message) != 0)
            continue;
        struct candidate candidate =
            candidate_bare(use, point_make(line->step, (double)NAN, line->place));
        candidate.form = use->form;
        candidate.message = line;
        if (look(use, line, &candidate))
            return candidates_add(candidates, &candidate, error);
    }
    return true;
}

bool metric_improves(const struct use *use, const struct point *since)
{
    const struct series *series = NULL;
    const struct track *track = companion(use, KIND_VAL_METRIC, &series);
    if (!track || series->direction == DIRECTION_NONE)
        return false;
    const struct point *best = series->direction == DIRECTION_UP ? &track->high : &track->low;
    return point_before(since, best) && best->line != since->line;
}

bool groups_for(const struct use *use, size_t nth, bool warm, struct groups *groups)
{
    const struct track *track = use->tracks[nth];
    uint64_t skip = 0;
    if (warm) {
        int64_t planned = use->run ? use->run->planned_steps : STEP_NONE;
        skip = warmup_of(track, companion(use, KIND_LEARNING_RATE, NULL), planned);
    }
    return groups_of(track, use->series[nth]->kind, skip, groups);
}

/* The letters of `word` stand there, in any case. */
static bool letters_at(struct text tag, size_t at, const char *word)
{
    for (size_t i = 0; word[i]; i++)
        if (at + i >= tag.size || (tag.data[at + i] | 0x20) != word[i])
            return false;
    return true;
}

static size_t separators(struct text tag, size_t at)
{
    while (at < tag.size && strchr("_-/. (", tag.data[at]))
        at++;
    return at;
}

bool is_logarithm(struct text tag)
{
    static const char *const whole[] = {"log10", "log2", NULL};
    static const char *const errors[] = {"mse", "mae", "rmse", NULL};
    if (tag_has(tag, whole))
        return true;
    for (size_t at = 0; at < tag.size; at++) {
        const size_t then = separators(tag, at + 4);
        if (letters_at(tag, at, "loss") && letters_at(tag, then, "log") &&
            !letters_at(tag, then, "logi")) /* logits, logistic */
            return true;
        const size_t behind = separators(tag, at + 3);
        if (!letters_at(tag, at, "log") || behind == at + 3)
            continue;
        for (size_t i = 0; errors[i]; i++)
            if (letters_at(tag, behind, errors[i]))
                return true;
        if (tag.data[behind - 1] == '(' && letters_at(tag, behind, "loss"))
            return true;
    }
    return false;
}

/* What a fall of logarithms is a fall by, as a share of the start, at the least of the usual
   bases. */
static double drop_of(const struct use *use, size_t nth, const struct groups *groups)
{
    if (!is_logarithm(use->series[nth]->tag))
        return groups->drop;
    return 1 - exp(groups->end - groups->start);
}

double whole_drop(const struct use *use, size_t nth, bool up)
{
    struct groups groups;
    if (!groups_for(use, nth, false, &groups))
        return 0;
    if (up)
        groups_turn(&groups);
    double drop = drop_of(use, nth, &groups);
    /* A segment that goes on where another ended has the fall of that behind it. */
    if (use->segment > 0 &&
        groups_of(&use->series[nth]->whole, use->series[nth]->kind, 0, &groups)) {
        if (up)
            groups_turn(&groups);
        drop = fmax(drop, drop_of(use, nth, &groups));
    }
    return drop;
}

uint64_t count_before(const struct track *track, const struct point *point)
{
    uint64_t count = 0;
    for (size_t i = 0; i < track->bucket_count; i++) {
        const struct bucket *bucket = &track->buckets[i];
        struct point first = bucket_point(bucket);
        first.step = bucket->first_step;
        if (!point_before(&first, point))
            break;
        count += bucket->count;
    }
    return count;
}

double share_at(const struct track *track, const struct point *point)
{
    if (track->points == 0)
        return 0;
    return fmin((double)count_before(track, point) / (double)track->points, 1);
}

double run_share_at(const struct use *use, const struct track *track, const struct point *point)
{
    const int64_t planned = use->run ? use->run->planned_steps : STEP_NONE;
    const int64_t end =
        planned != STEP_NONE && planned >= track->last.step ? planned : track->last.step;
    if (point->step == STEP_NONE || point->step < 0 || end == STEP_NONE || end <= 0)
        return share_at(track, point);
    return fmin((double)point->step / (double)end, 1);
}

bool behind_plan(const struct use *use, const struct point *point)
{
    const struct series *series = use->series[0];
    const struct track *track = use->tracks[0];
    if (!use->run || point->step == STEP_NONE ||
        (series->origin != ORIGIN_BAR && series->origin != ORIGIN_REDRAW))
        return false;
    int64_t end = use->run->planned_steps;
    if (end <= 0 && use->run->last_step != STEP_NONE)
        end = use->run->last_step + 1;
    uint64_t within = 0; /* else the two count different things */
    for (size_t i = 0; i < track->bucket_count; i++)
        within += track->buckets[i].last_step < end ? track->buckets[i].count : 0;
    return end > 0 && point->step >= end && 2 * within >= track->points;
}

bool point_before(const struct point *a, const struct point *b)
{
    if (a->step != STEP_NONE && b->step != STEP_NONE && a->step != b->step)
        return a->step < b->step;
    return a->input == b->input ? a->offset < b->offset : a->input < b->input;
}

static size_t keep_last(struct point *readings, size_t count, size_t most, struct point point)
{
    if (count < most) {
        readings[count] = point;
        return count + 1;
    }
    for (size_t i = 0; i + 1 < most; i++)
        readings[i] = readings[i + 1];
    readings[most - 1] = point;
    return most;
}

size_t readings_before(const struct track *track, const struct point *point, struct point *readings,
                       size_t most)
{
    for (size_t i = 0; i < track->frozen_count; i++) {
        const struct frozen *frozen = track->frozen[i];
        const struct point *cause = &frozen->points[frozen->at];
        if (frozen->count == 0 || cause->offset != point->offset || cause->step != point->step)
            continue;
        size_t count = 0;
        for (size_t k = 0; k < frozen->at; k++)
            if (isfinite(frozen->points[k].value))
                count = keep_last(readings, count, most, frozen->points[k]);
        return count;
    }
    struct point points[BUCKETS_MAX];
    bool exact;
    size_t all = track_points(track, points, &exact), count = 0;
    for (size_t i = 0; i < all && point_before(&points[i], point); i++)
        count = keep_last(readings, count, most, points[i]);
    return count;
}

double fact_number(const struct use *use, const char *key)
{
    const struct fact *fact = use->run ? run_fact(use->run, key, STEP_NONE) : NULL;
    return fact && fact->state == FACT_KNOWN ? fact->number : (double)NAN;
}

bool fact_is(const struct use *use, const char *key, const char *value)
{
    const struct fact *fact = use->run ? run_fact(use->run, key, STEP_NONE) : NULL;
    return fact && fact->state == FACT_KNOWN && text_is(fact->value, value);
}

static bool letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool word_at(struct text tag, size_t at, const char *word)
{
    size_t size = strlen(word);
    if (at + size > tag.size || (at > 0 && letter_or_digit(tag.data[at - 1])))
        return false;
    if (at + size < tag.size && letter_or_digit(tag.data[at + size]))
        return false;
    for (size_t i = 0; i < size; i++) {
        char c = tag.data[at + i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c + 'a' - 'A');
        if (c != word[i])
            return false;
    }
    return true;
}

bool tag_has(struct text tag, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        for (size_t at = 0; at < tag.size; at++)
            if (word_at(tag, at, words[i]))
                return true;
    return false;
}

/* Often enough to span epochs. */
static bool is_evaluated(const struct use *use)
{
    enum { EVALUATIONS = 3 };
    static const enum kind kinds[] = {KIND_VAL_LOSS, KIND_VAL_METRIC};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const struct track *track = companion(use, kinds[i], NULL);
        if (track && track->points >= EVALUATIONS)
            return true;
    }
    return false;
}

bool is_glimpse(const struct use *use, size_t nth)
{
    enum { READINGS = 20, STEPS = 500 };
    const struct track *track = use->tracks[nth];
    if (use->series[nth]->basis != BASIS_STEP || track->points >= READINGS || is_evaluated(use))
        return false;
    /* A trainer that prints a reading every few steps, and no step. */
    if (track->first.step == STEP_NONE || track->last.step == STEP_NONE)
        return fact_is(use, "framework", "transformers");
    const double steps = (double)(track->last.step - track->first.step);
    return steps < STEPS && steps >= (double)track->points; /* of each step: they may be epochs */
}

bool is_rate(const struct series *series)
{
    static const char *const endings[] = {"/s",    "/sec",    "/second",
                                          "per_s", "per_sec", "per_second"};
    if (series->kind != KIND_STEP_TIME)
        return false;
    for (size_t i = 0; i < COUNT(endings); i++)
        if (text_ends(series->unit, endings[i]) || text_ends(series->tag, endings[i]))
            return true;
    return false;
}

double metric_bound(const struct series *series, const struct track *track)
{
    if (series->direction == DIRECTION_DOWN)
        return 0;
    if (series->direction != DIRECTION_UP || series->kind == KIND_REWARD ||
        track_signs(track)->negatives)
        return (double)NAN;
    double highest = track->high.value;
    if (highest <= 1)
        return 1;
    return highest <= 100 ? 100 : (double)NAN;
}

bool course_single(const double *means, size_t bins)
{
    const double level = 0.25; /* of the height, that the rest stays within */
    size_t out = 0;
    for (size_t i = 1; i < bins; i++)
        if (fabs(means[i]) > fabs(means[out]))
            out = i;
    double low = (double)INFINITY, high = -low, far = 0;
    for (size_t i = 0; i < bins; i++) {
        if (i != out) {
            low = fmin(low, means[i]);
            high = fmax(high, means[i]);
        }
        far = fmax(far, fabs(means[i] - means[out]));
    }
    return out > 0 && out + 1 < bins && high - low < level * far;
}
