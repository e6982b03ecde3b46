/* A name in one run of its input: its tracks, the evidence that it is a series, and what kind. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"

#define CLASS_PLAIN 1.5 /* up to here a name says loss plainly */
#define CLASS_PART 3.0  /* from here on it is a part of one (reader.md 10) */

/* Stretches that belong to one segment, as one track. */
static bool segment_make(struct tape *tape, const struct route *route, const struct name *name,
                         uint32_t run, uint32_t segment, struct track *track)
{
    struct track views[TURNS_MAX];
    struct join_part parts[TURNS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < name->stretch_count && count < TURNS_MAX; i++) {
        const struct turning *turning = &route->turnings[name->stretches[i].turn];
        if (turning->run != run || turning->segment != segment)
            continue;
        if (!track_view(name->stretches[i].track, &views[count]))
            return false;
        if (turning->retold && count > 0 && track_retold(&views[count - 1], &views[count]))
            continue;
        if (!laps_shift(tape, name, turning, &views[count]))
            return false;
        parts[count] = (struct join_part){&views[count], STEP_NONE};
        count++;
    }
    if (count == 1) {
        *track = views[0];
        return true;
    }
    return track_join(&tape->arena, name->naming.kind, parts, count, track);
}

static bool segment_drops(const struct route *route, uint32_t run, uint32_t segment)
{
    for (uint32_t t = 0; t < route->stream->turn_count; t++)
        if (route->turnings[t].run == run && route->turnings[t].segment == segment)
            return route->turnings[t].drops;
    return false;
}

bool draft_make(struct tape *tape, const struct route *route, struct name *name, uint32_t run,
                uint32_t segment_count, struct track *whole, struct draft *draft)
{
    struct join_part parts[TURNS_MAX];
    *draft = (struct draft){.name = name, .total = STEP_NONE, .whole = whole};
    for (size_t i = 0; i < name->stretch_count; i++)
        if (route->turnings[name->stretches[i].turn].run == run &&
            name->stretches[i].total != STEP_NONE)
            draft->total = name->stretches[i].total;
    if (segment_count == 1) { /* of a hundred thousand names a second track each is felt */
        draft->segments = whole;
        return segment_make(tape, route, name, run, 0, whole);
    }
    draft->segments = arena_take(&tape->arena, segment_count, sizeof(*draft->segments));
    if (!draft->segments)
        return false;
    for (uint32_t s = 0; s < segment_count; s++) {
        if (!segment_make(tape, route, name, run, s, &draft->segments[s]))
            return false;
        parts[s] = (struct join_part){&draft->segments[s], STEP_NONE};
        if (segment_drops(route, run, s))
            parts[s].drop = draft->segments[s].first.step;
    }
    return track_join(&tape->arena, name->naming.kind, parts, segment_count, whole);
}

static bool differs(const struct track *track)
{
    return track->low.value < track->high.value ||
           (track_bad(track) > 0 && track_bad(track) < track->points);
}

static bool fraction(double value)
{
    return isfinite(value) && value != floor(value);
}

/* A rate that is told anew between the records of other steps and never moves: nobody repeats a
   setting. */
static bool rate_repeated(const struct track *track, enum kind kind)
{
    return kind == KIND_LEARNING_RATE && track->points >= 3 && track->first.step < track->last.step;
}

/* A score or loss of validation, or a loss, that is told again and again: what never moves is what
 * is wrong. */
static bool score_repeated(const struct track *track, const struct name *name)
{
    enum { LOSS_LEAST = 5, LOSS_PLACES = 2 };
    const enum kind kind = name->naming.kind;
    /* So is a loss of training; one that is set, as a bound of it, has hardly a fraction. */
    if (kind == KIND_LOSS)
        return track->points >= LOSS_LEAST && track->places >= LOSS_PLACES;
    return (kind == KIND_VAL_METRIC || kind == KIND_VAL_LOSS) && name->phase == PHASE_VALIDATION &&
           track->points >= 3;
}

double draft_evidence(const struct draft *draft)
{
    const struct name *name = draft->name;
    const struct track *track = draft->whole;
    const bool own = (name->grain & (GRAIN_STEP | GRAIN_BATCH | GRAIN_EPOCH)) != 0;
    const bool different = differs(track);
    const enum kind kind = name->naming.kind;
    const bool loss = kind == KIND_LOSS || kind == KIND_VAL_LOSS;
    const bool judged = loss || kind == KIND_METRIC || kind == KIND_VAL_METRIC ||
                        kind == KIND_GRAD_NORM || kind == KIND_REWARD;
    double evidence = name->origin != ORIGIN_LINE ? 3 : 0;
    evidence += own ? 3 : name->placed ? 1 : 0;
    evidence += different;
    evidence += (track->points >= 3) + (track->points >= 8);
    if (!own && name->strong)
        evidence += 2;
    if (judged && different)
        evidence += 1;
    if (loss && name->naming.class <= CLASS_PLAIN &&
        (fraction(track->low.value) || fraction(track->high.value) || isnan(track->first.value)))
        evidence += 2;
    const bool finite = track_bad(track) == 0;
    if (!own && finite && (rate_repeated(track, kind) || score_repeated(track, name)))
        evidence += 1;
    else if (!own && finite && (track->points == 1 || !different))
        evidence -= 1;
    if (name->settings)
        evidence -= 2;
    if (name->origin == ORIGIN_BARE && track->points < 3)
        evidence -= 5;
    return evidence;
}

/* Words in a name that say its values are averages so far. */
static bool averaged(struct text key)
{
    static const struct text words[] = {{"avg", 3},       {"Avg", 3},     {"average", 7},
                                        {"Average", 7},   {"running", 7}, {"smooth", 6},
                                        {"mean_loss", 9}, {"ema", 3}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (text_find(key, words[i]) < key.size)
            return true;
    return false;
}

static enum basis basis_of(const struct name *name, enum kind kind)
{
    if (name->phase == PHASE_VALIDATION || kind == KIND_VAL_LOSS || kind == KIND_VAL_METRIC)
        return BASIS_EVALUATION;
    if (name->redraw)
        return BASIS_RUNNING_MEAN;
    if (name->epochs || name->origin == ORIGIN_BAR)
        return BASIS_EPOCH_MEAN;
    return averaged(name->key) ? BASIS_RUNNING_MEAN : BASIS_STEP;
}

void draft_series(const struct draft *draft, struct series *series, struct details *details)
{
    const struct name *name = draft->name;
    const enum kind kind = name->naming.kind;
    const bool loss = kind == KIND_LOSS || kind == KIND_VAL_LOSS;
    *series = (struct series){.tag = name->key,
                              .unit = name->unit,
                              .input = name->stream->tape->input,
                              .rank = name->stream->rank,
                              .kind = kind,
                              .basis = basis_of(name, kind),
                              .direction = name->naming.direction,
                              .phase = name->phase,
                              .grain = name->grain,
                              .settings = name->settings,
                              .origin = name->origin,
                              .class = name->naming.class};
    const bool part = draft->part || (loss && name->naming.class >= CLASS_PART);
    series->scope = part ? SCOPE_PART : SCOPE_TOTAL;
    *details =
        (struct details){.template_count = name->template_count,
                         .own = (name->grain & (GRAIN_STEP | GRAIN_BATCH | GRAIN_EPOCH)) != 0,
                         .placed = name->placed,
                         .epochs = name->epochs,
                         .total = draft->total,
                         .epoch_total = name->epoch_total,
                         .steps_per_epoch = name->steps_per_epoch,
                         .fractional = name->fractional,
                         .reinforcement = name->naming.reinforcement,
                         .beside_reward = name->naming.beside_reward};
    memcpy(details->templates, name->templates, sizeof(details->templates));
}
