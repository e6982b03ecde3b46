/* What an input leaves when it ends: its runs, each with series, segments, messages and facts. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"
#include "stalldoc/measure.h"
#include "stalldoc/number.h"

#include <stdlib.h>

enum { TEMPLATES_LOSS = 256 };
#define EVIDENCE_LEAST 2.0 /* reader.md 9 */

struct settling {
    struct tape *tape;
    struct arena *kept; /* of the collector */
    struct route *routes;
    const struct route *primary;
    struct name **names; /* in order of appearance */
    size_t name_count;
    uint32_t run_count;
    struct draft *drafts;
    size_t draft_count;
    uint32_t templates[TEMPLATES_LOSS]; /* of accepted losses */
    size_t template_count;
};

static bool routes_make(struct settling *settling)
{
    struct tape *tape = settling->tape;
    settling->routes = arena_take(&tape->arena, tape->stream_count + 1, sizeof(*settling->routes));
    if (!settling->routes)
        return false;
    settling->run_count = 1;
    for (size_t i = 0; i < tape->stream_count; i++) {
        struct route *route = &settling->routes[i];
        if (!route_find(tape, tape->streams[i], route))
            return false;
        if (!settling->primary || route->lead_points > settling->primary->lead_points)
            settling->primary = route;
        if (route->run_count > settling->run_count)
            settling->run_count = route->run_count;
    }
    /* What nobody leads has no segments of its own beside what is led. */
    for (size_t i = 0; i < tape->stream_count; i++)
        for (uint32_t t = 0; t < tape->streams[i]->turn_count; t++)
            if (settling->routes[i].lead_points == 0)
                settling->routes[i].turnings[t] = (struct turning){0};
    return true;
}

static bool names_order(struct settling *settling)
{
    struct tape *tape = settling->tape;
    settling->names = arena_take(&tape->arena, tape->name_count + 1, sizeof(*settling->names));
    if (!settling->names)
        return false;
    for (size_t i = 0; i < tape->slot_count; i++)
        for (struct name *name = tape->slots[i]; name; name = name->next)
            settling->names[name->order] = name;
    settling->name_count = tape->name_count;
    return true;
}

static const struct route *route_of(const struct settling *settling, const struct stream *stream)
{
    for (size_t i = 0; i < settling->tape->stream_count; i++)
        if (settling->routes[i].stream == stream)
            return &settling->routes[i];
    return NULL;
}

static uint32_t segments_of(const struct settling *settling, uint32_t run)
{
    uint32_t most = 0;
    for (size_t i = 0; i < settling->tape->stream_count; i++) {
        const struct route *route = &settling->routes[i];
        for (uint32_t t = 0; t < route->stream->turn_count; t++)
            if (route->turnings[t].run == run && route->turnings[t].segment > most)
                most = route->turnings[t].segment;
    }
    return most + 1;
}

/* The same name at the ends of bars, for what was drawn before. */
static struct draft *ends_of(struct settling *settling, const struct draft *redraws)
{
    const struct name *name = redraws->name;
    for (size_t i = 0; i < settling->draft_count; i++) {
        struct draft *draft = &settling->drafts[i];
        if (!draft->name->redraw && draft->name->stream == name->stream &&
            draft->name->phase == name->phase && draft->name->origin == ORIGIN_BAR &&
            text_equal(draft->name->key, name->key))
            return draft;
    }
    return NULL;
}

/* Redraws are the series where but one bar ended; else they count for what is not finite. */
static void redraws_decide(struct settling *settling)
{
    for (size_t i = 0; i < settling->draft_count; i++) {
        struct draft *draft = &settling->drafts[i];
        if (!draft->name->redraw)
            continue;
        struct draft *ends = ends_of(settling, draft);
        if ((!ends || ends->whole->points <= 1) && draft->whole->points >= 3) {
            if (ends)
                ends->accepted = false;
        } else if (ends && track_bad(draft->whole) > 0 && track_bad(ends->whole) == 0) {
            draft->part = true;
        } else {
            draft->accepted = false;
        }
    }
}

static void templates_add(struct settling *settling, const struct name *name)
{
    for (size_t i = 0; i < name->template_count; i++)
        if (settling->template_count < TEMPLATES_LOSS)
            settling->templates[settling->template_count++] = name->templates[i];
}

static bool shares_template(const struct settling *settling, const struct name *name)
{
    for (size_t i = 0; i < name->template_count; i++)
        for (size_t k = 0; k < settling->template_count; k++)
            if (settling->templates[k] == name->templates[i])
                return true;
    return false;
}

/* What is as good as certain where a loss stands on the same line: a rate or a norm that never
   changes, or a score that stands still, which would be settings elsewhere. */
static bool goes_with_loss(const struct name *name)
{
    static const enum kind kinds[] = {KIND_LEARNING_RATE, KIND_GRAD_NORM, KIND_LOSS_SCALE,
                                      KIND_METRIC, KIND_VAL_METRIC};
    bool goes = false;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        goes = goes || name->naming.kind == kinds[i];
    return goes && !name->naming.refused;
}

static bool is_loss(enum kind kind)
{
    return kind == KIND_LOSS || kind == KIND_VAL_LOSS || kind == KIND_ADVERSARIAL;
}

static void evidence_weigh(struct settling *settling)
{
    settling->template_count = 0;
    for (size_t i = 0; i < settling->draft_count; i++) {
        struct draft *draft = &settling->drafts[i];
        const struct naming *naming = &draft->name->naming;
        draft->evidence = draft_evidence(draft);
        draft->accepted = draft->name->origin == ORIGIN_EVENT ||
                          (draft->evidence >= EVIDENCE_LEAST && !naming->refused);
        if (draft->accepted && is_loss(naming->kind))
            templates_add(settling, draft->name);
    }
    for (size_t i = 0; i < settling->draft_count; i++) {
        struct draft *draft = &settling->drafts[i];
        if (!draft->accepted && draft->whole->points >= 2 && goes_with_loss(draft->name))
            draft->accepted = shares_template(settling, draft->name);
    }
    redraws_decide(settling);
}

/* What looked like a series and is none may be a setting: constant, or changed now and then. */
static bool refused_tell(struct settling *settling, const struct draft *draft, struct error *error)
{
    const struct track *track = draft->whole;
    if (draft->name->redraw || track->points == 0 || !isfinite(track->last.value))
        return true;
    struct tape *tape = settling->tape;
    const struct text key = draft->name->key;
    struct tread treads[TREADS_MOST] = {{track->first, track->points}};
    const bool constant = !(track->low.value < track->high.value);
    const size_t count = constant ? 1 : track_treads(track, treads, TREADS_MOST);
    for (size_t i = 0; i < count; i++) {
        const struct point *at = &treads[i].first;
        char printed[40];
        const struct text value = {printed, number_print(at->value, printed)};
        const struct place place = {at->input, at->line, at->offset};
        const size_t told = tape->told_count;
        if (!(i == 0 && !draft->name->change
                  ? fact_tell(tape, key, value, FACT_LOG, false, &place, error)
                  : fact_tell_at(tape, key, value, FACT_LOG, false, &place, at->step, error)))
            return false;
        for (size_t k = told; k < tape->told_count; k++)
            tape->told[k].change = draft->name->change;
    }
    return true;
}

/* Names that may have points in the run. */
static size_t names_in(const struct settling *settling, uint32_t run)
{
    size_t count = 0;
    for (size_t i = 0; i < settling->name_count; i++) {
        const struct name *name = settling->names[i];
        const struct route *route = route_of(settling, name->stream);
        bool in = false;
        for (size_t k = 0; k < name->stretch_count && !in; k++)
            in = route->turnings[name->stretches[k].turn].run == run;
        count += in;
    }
    return count;
}

/* Each where its series will stand: of twenty thousand, tracks of their own would be felt. */
static bool drafts_make(struct settling *settling, struct portion *portion, uint32_t run,
                        uint32_t segments)
{
    struct tape *tape = settling->tape;
    settling->draft_count = 0;
    portion->series =
        arena_take(settling->kept, names_in(settling, run) + 1, sizeof(*portion->series));
    if (!portion->series)
        return false;
    if (!settling->drafts)
        settling->drafts =
            arena_take(&tape->arena, settling->name_count + 1, sizeof(*settling->drafts));
    if (!settling->drafts)
        return false;
    for (size_t i = 0; i < settling->name_count; i++) {
        struct draft *draft = &settling->drafts[settling->draft_count];
        const struct route *route = route_of(settling, settling->names[i]->stream);
        struct track *whole = &portion->series[settling->draft_count].whole;
        if (!draft_make(tape, route, settling->names[i], run, segments, whole, draft))
            return false;
        settling->draft_count += draft->whole->points > 0;
    }
    return true;
}

/* Mostly there is one input, and copies of all its tracks would be a third of the memory. Of
   several only the first stays, with what it no longer needs. */
static bool tape_stays(const struct tape *tape)
{
    const size_t limit = tape->collector->arena->limit;
    return tape->input == 1 && tape->view_count == 0 &&
           (limit == 0 || tape->arena.used + tape->collector->arena->used < limit / 2);
}

/* The track and all it points to, in memory that lives as long as the collector. */
static bool track_keep(struct settling *settling, enum kind kind, struct track *track)
{
    const struct join_part part = {track, STEP_NONE};
    if (settling->tape->stays) {
        if (track_bad(track) == track->points)
            track->last_finite = (struct point){.step = STEP_NONE, .value = (double)NAN};
        return true;
    }
    return track_join(settling->kept, kind, &part, 1, track);
}

static bool series_keep(struct settling *settling, const struct draft *draft, uint32_t segments,
                        struct series *series, struct details *details)
{
    const struct track whole = *draft->whole; /* it may be of this very series */
    draft_series(draft, series, details);
    series->tag = arena_text(settling->kept, series->tag);
    series->unit = arena_text(settling->kept, series->unit);
    series->part = (struct text){"", 0};
    series->whole = whole;
    series->segment_count = segments;
    if (!series->tag.data || !series->unit.data ||
        !track_keep(settling, series->kind, &series->whole))
        return false;
    if (segments == 1)
        return true;
    struct track *own = arena_take(settling->kept, segments, sizeof(*own));
    if (!own)
        return false;
    for (uint32_t s = 0; s < segments; s++) {
        own[s] = draft->segments[s];
        if (!track_keep(settling, series->kind, &own[s]))
            return false;
    }
    series->segments = own;
    return true;
}

static bool portion_series(struct settling *settling, struct portion *portion, uint32_t segments,
                           struct error *error)
{
    size_t count = 0;
    for (size_t i = 0; i < settling->draft_count; i++)
        count += settling->drafts[i].accepted;
    portion->details = arena_take(settling->kept, count + 1, sizeof(*portion->details));
    if (!portion->details)
        return memory_ended(error);
    for (size_t i = 0; i < settling->draft_count; i++) {
        const struct draft *draft = &settling->drafts[i];
        if (!draft->accepted) {
            if (!refused_tell(settling, draft, error))
                return false;
            continue;
        }
        if (!series_keep(settling, draft, segments, &portion->series[portion->series_count],
                         &portion->details[portion->series_count]))
            return memory_ended(error);
        portion->series_count++;
    }
    return true;
}

/* Segments as the primary stream has them; steps are those of its lead. */
static bool portion_segments(struct settling *settling, struct portion *portion, uint32_t run,
                             uint32_t segments)
{
    portion->segments = arena_take(settling->kept, segments, sizeof(*portion->segments));
    if (!portion->segments)
        return false;
    portion->segment_count = segments;
    for (uint32_t s = 0; s < segments; s++)
        portion->segments[s] = (struct segment){.first_step = STEP_NONE, .last_step = STEP_NONE};
    const struct route *route = settling->primary;
    for (uint32_t t = route ? route->stream->turn_count : 0; t > 0; t--) {
        const struct turning *turning = &route->turnings[t - 1];
        const struct turn *turn = &route->stream->turns[t - 1];
        if (turning->run != run)
            continue;
        struct segment *segment = &portion->segments[turning->segment];
        segment->place = (struct place){settling->tape->input, turn->line, turn->offset};
        segment->resumed = turn->resumed;
    }
    return true;
}

struct border {           /* lines of one run of several in an input */
    uint64_t from, to;    /* of messages; UINT64_MAX: its end */
    uint64_t settings_to; /* what is set between two runs is set for the second */
};

static struct border border_of(const struct settling *settling, uint32_t run)
{
    struct border border = {.to = UINT64_MAX, .settings_to = UINT64_MAX};
    const struct route *route = settling->primary;
    for (uint32_t t = 1; route && t < route->stream->turn_count; t++) {
        const struct turn *turn = &route->stream->turns[t];
        const uint64_t begins = turn->started ? turn->started_line : turn->line;
        if (route->turnings[t].run == route->turnings[t - 1].run)
            continue;
        if (route->turnings[t].run == run) {
            border.from = begins;
        } else if (route->turnings[t].run == run + 1) {
            border.to = begins;
            border.settings_to = turn->line_before + 1;
        }
    }
    return border;
}

static bool inside(const struct border *border, const struct place *place)
{
    return place->line >= border->from && place->line < border->to;
}

static int by_place(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    if (x->place.line != y->place.line)
        return x->place.line < y->place.line ? -1 : 1;
    return (x->place.offset > y->place.offset) - (x->place.offset < y->place.offset);
}

static bool portion_messages(struct settling *settling, struct portion *portion,
                             const struct border *border)
{
    const struct tape *tape = settling->tape;
    size_t messages = 0, lives = 0;
    for (size_t i = 0; i < tape->stream_count; i++) {
        messages += tape->streams[i]->message_count;
        lives += tape->streams[i]->life_count;
    }
    portion->messages = arena_take(settling->kept, messages + 1, sizeof(*portion->messages));
    portion->lives = arena_take(settling->kept, lives + 1, sizeof(*portion->lives));
    if (!portion->messages || !portion->lives)
        return false;
    for (size_t i = 0; i < tape->stream_count; i++) {
        const struct stream *stream = tape->streams[i];
        for (size_t k = 0; k < stream->message_count; k++) {
            if (!inside(border, &stream->messages[k].place))
                continue;
            struct message *message = &portion->messages[portion->message_count++];
            *message = stream->messages[k];
            for (size_t j = 0; j < message->kept_count; j++) {
                message->kept[j] = arena_text(settling->kept, message->kept[j]);
                if (!message->kept[j].data)
                    return false;
            }
            message->line = message->kept[0];
        }
        for (size_t k = 0; k < stream->life_count; k++)
            if (inside(border, &stream->lives[k].place))
                portion->lives[portion->life_count++] = stream->lives[k];
    }
    qsort(portion->messages, portion->message_count, sizeof(*portion->messages), by_place);
    return true;
}

/* Facts told before the run stay true in it until they are told anew. */
static bool portion_facts(struct settling *settling, struct portion *portion,
                          const struct border *border)
{
    const struct tape *tape = settling->tape;
    portion->told = arena_take(settling->kept, tape->told_count + 1, sizeof(*portion->told));
    if (!portion->told)
        return false;
    for (size_t i = 0; i < tape->told_count; i++) {
        struct told told = tape->told[i];
        if (told.fact.place.line >= border->settings_to)
            continue;
        if (told.fact.place.line < border->from)
            told.fact.step = STEP_NONE;
        told.fact.key = arena_text(settling->kept, told.fact.key);
        told.fact.value = arena_text(settling->kept, told.fact.value);
        if (!told.fact.key.data || !told.fact.value.data)
            return false;
        portion->told[portion->told_count++] = told;
    }
    return true;
}

static void portion_time(const struct settling *settling, struct portion *portion,
                         const struct border *border)
{
    portion->time = (struct run_time){.first = (double)NAN, .last = (double)NAN};
    for (size_t i = 0; i < settling->tape->stream_count; i++) {
        struct run_time time;
        stream_time(settling->tape->streams[i], &time);
        size_t kept = 0;
        for (size_t k = 0; k < time.gap_count; k++)
            if (inside(border, &time.gaps[k].after))
                time.gaps[kept++] = time.gaps[k];
        time.gap_count = kept;
        gaps_merge(&portion->time, &time);
    }
}

static bool portion_make(struct settling *settling, uint32_t run, struct error *error)
{
    struct collector *collector = settling->tape->collector;
    if (!ROOM(collector->arena, collector->portions, collector->portion_count,
              collector->portion_capacity))
        return memory_ended(error);
    struct portion *portion = &collector->portions[collector->portion_count];
    const struct tape *tape = settling->tape;
    const uint32_t segments = segments_of(settling, run);
    const struct border border = border_of(settling, run);
    *portion = (struct portion){.input = tape->input,
                                .path = tape->path,
                                .folder = tape->folder,
                                .group = tape->format->group,
                                .number = run,
                                .of = settling->run_count,
                                .end = tape->end,
                                .names_lost = tape->names_lost,
                                .step = STEP_NONE,
                                .epoch = STEP_NONE,
                                .bare = STEP_NONE,
                                .rank = -1,
                                .offered = tape->role != ROLE_WEIGHTS};
    if (border.to != UINT64_MAX)
        portion->end.line = border.to - 1;
    if (!drafts_make(settling, portion, run, segments))
        return memory_ended(error);
    evidence_weigh(settling);
    if (!portion_series(settling, portion, segments, error))
        return false;
    if (!portion_segments(settling, portion, run, segments) ||
        !portion_messages(settling, portion, &border) || !portion_facts(settling, portion, &border))
        return memory_ended(error);
    portion_time(settling, portion, &border);
    collector->portion_count++;
    return true;
}

bool tape_settle(struct tape *tape, struct error *error)
{
    struct settling settling = {.tape = tape, .kept = tape->collector->arena};
    tape->stays = tape_stays(tape);
    if (!routes_make(&settling) || !names_order(&settling) ||
        !guesses_decide(settling.names, settling.name_count))
        return memory_ended(error);
    for (uint32_t run = 0; run < settling.run_count; run++)
        if (!portion_make(&settling, run, error))
            return false;
    return true;
}
