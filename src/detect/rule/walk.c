/* Which series a rule's uses see, and what fixed texts add: the candidates of a run. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/judging.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PARTS_MAX = 16 }; /* findings of one use: more parts of the same kind say no more */

struct seen { /* what a use sees of one kind */
    const struct series **series;
    size_t count;
};

enum { TAGS = 4 };

struct walk { /* one symptom over one run */
    struct judging *judging;
    const struct symptom *symptom;
    double (*parameters)[PARAMETERS_MAX]; /* beside the uses, as gates set them; NAN: the use's */
    bool possible;
    bool missing[KIND_COUNT]; /* kinds without any series */
    const char *tags[TAGS];   /* without any series, of kinds that there are */
    size_t tag_count;
    bool parts_only;      /* only components, and no total */
    uint64_t had, needed; /* the fullest series that was too short */
    enum kind short_kind;
};

static bool no_memory(const struct judging *judging)
{
    return error_set(judging->error, ERROR_MEMORY, (struct place){0}, "no memory for candidates");
}

static bool add(struct judging *judging, const struct finding *finding, const struct note *note)
{
    struct finding *findings =
        arena_grow(judging->arena, judging->findings, judging->count, &judging->capacity,
                   judging->count + 1, sizeof(*findings));
    if (!findings)
        return no_memory(judging);
    judging->findings = findings;
    struct note *notes = arena_grow(judging->arena, judging->notes, judging->count,
                                    &judging->note_capacity, judging->count + 1, sizeof(*notes));
    if (!notes)
        return no_memory(judging);
    judging->notes = notes;
    judging->findings[judging->count] = *finding;
    judging->notes[judging->count++] = *note;
    return true;
}

/* Non-finite values keep their level in every segment, and are looked for on every rank. */
static bool exact(const struct rule_use *use)
{
    return strcmp(use->detector->name, "nonfinite") == 0;
}

static double parameter_of(const struct parameter_value *value, uint64_t points)
{
    double number = value->number;
    if (value->step_count == 0)
        return number;
    number = value->steps[0].number;
    for (size_t i = 0; i < value->step_count && value->steps[i].points <= points; i++)
        number = value->steps[i].number;
    return number;
}

/* Parameters that gates change before anything is measured. */
static bool set_gates(struct walk *walk)
{
    const struct symptom *symptom = walk->symptom;
    const struct context context = {.run = walk->judging->run, .rules = walk->judging->rules};
    walk->parameters =
        arena_take(walk->judging->arena, symptom->use_count + 1, sizeof(*walk->parameters));
    if (!walk->parameters)
        return no_memory(walk->judging);
    for (size_t i = 0; i < symptom->use_count; i++)
        for (size_t k = 0; k < PARAMETERS_MAX; k++)
            walk->parameters[i][k] = NAN;
    for (size_t i = 0; i < symptom->gate_count; i++) {
        const struct gate_entry *gate = &symptom->gates[i];
        if (gate->effect != GATE_SET || condition_truth(gate->when, &context) != TRUE_)
            continue;
        for (size_t k = 0; k < gate->set_count; k++)
            walk->parameters[gate->sets[k].use][gate->sets[k].parameter] = gate->sets[k].number;
    }
    return true;
}

static bool add_found(struct walk *walk, const struct rule_use *use, const struct use *given,
                      const struct candidates *found)
{
    for (size_t i = 0; i < found->count; i++) {
        struct finding finding = {.symptom = walk->symptom, .candidate = found->items[i]};
        struct candidate *candidate = &finding.candidate;
        finding.form = candidate->form ? candidate->form : use->form;
        if (!candidate->series && given->series_count > 0 && !use->detector->once)
            candidate->series = given->series[0];
        if (candidate->subject.size == 0 && candidate->series)
            candidate->subject = candidate->series->tag;
        if (!candidate_value(candidate, "points") && candidate->value_count < VALUES_MAX &&
            given->series_count > 0) {
            const struct track *track = given->tracks[0];
            candidate->values[candidate->value_count++] = (struct value){
                "points",
                (double)(track->points - track_bad(track)),
                {0},
            };
        }
        const struct note note = {
            .use_form = use->form,
            .trend = !exact(use) && !use->detector->once,
        };
        if (!add(walk->judging, &finding, &note))
            return false;
    }
    return true;
}

static bool run_use(struct walk *walk, size_t index, struct use *given)
{
    const struct rule_use *use = &walk->symptom->uses[index];
    uint64_t points = UINT64_MAX;
    for (size_t i = 0; i < given->series_count; i++)
        if (given->tracks[i]->points < points)
            points = given->tracks[i]->points;
    if (given->series_count > 0 && points < use->points) {
        if (points >= walk->had) {
            walk->had = points;
            walk->needed = use->points;
            walk->short_kind = given->series[0]->kind;
        }
        return true;
    }
    walk->possible = walk->possible || !use->detector->lines;
    given->run = walk->judging->run;
    given->form = use->form;
    given->arena = walk->judging->arena;
    for (size_t i = 0; i < use->detector->parameter_count; i++) {
        double set = walk->parameters[index][i];
        given->parameters[i] = isnan(set) ? parameter_of(&use->parameters[i], points) : set;
    }
    struct candidates found = {.arena = walk->judging->arena};
    return use->detector->detect(given, &found, walk->judging->error) &&
           add_found(walk, use, given, &found);
}

static bool fits(const struct rule_use *use, const struct series *series, bool first)
{
    if (use->tag)
        return text_glob(text_of(use->tag), series->tag, true) &&
               (use->any_basis || series->basis == use->basis) &&
               (use->any_scope || series->scope == use->scope);
    /* Estimated values are judged where a rule asks for them, and nowhere else. */
    if (use->any_basis ? series->basis == BASIS_ESTIMATED : series->basis != use->basis)
        return false;
    if (use->any_scope || use->scope == SCOPE_TOTAL)
        return series->scope == SCOPE_TOTAL && (first || !use->any_basis || exact(use));
    return series->scope == SCOPE_PART;
}

/* The series of a kind that a use may see, the main one first: all that fit where it asks for parts
   or by tag, else the first. */
static bool gather(const struct judging *judging, const struct rule_use *use, enum kind kind,
                   struct seen *seen)
{
    const struct run *run = judging->run;
    const struct series *main = run_main(run, kind);
    bool many = use->tag || exact(use) || (!use->any_scope && use->scope == SCOPE_PART);
    size_t count = 0;
    for (size_t i = 0; i < run->series_count; i++)
        count += run->series[i].kind == kind && run->series[i].speaks;
    seen->count = 0;
    seen->series = arena_take(judging->arena, count + 1, sizeof(struct series *));
    if (!seen->series)
        return no_memory(judging);
    if (main && main->speaks && fits(use, main, true))
        seen->series[seen->count++] = main;
    for (size_t i = 0; i < run->series_count && (many || seen->count == 0); i++) {
        const struct series *series = &run->series[i];
        if (series->kind == kind && series->speaks && series != main && fits(use, series, false))
            seen->series[seen->count++] = series;
    }
    return true;
}

/* All series of a use in one segment; the kinds behind the first have one each. */
static bool walk_segment(struct walk *walk, size_t index, const struct seen *seen, uint32_t segment)
{
    const struct rule_use *use = &walk->symptom->uses[index];
    struct use given = {.segment = segment, .series_count = use->kind_count};
    for (size_t i = 1; i < use->kind_count; i++) {
        given.series[i] = seen[i].series[0];
        given.tracks[i] = &given.series[i]->segments[segment];
    }
    if (use->kind_count == 0)
        return run_use(walk, index, &given);
    size_t before = walk->judging->count;
    size_t most = use->detector->once ? 1 : seen[0].count;
    for (size_t i = 0; i < most && walk->judging->count < before + PARTS_MAX; i++) {
        given.series[0] = seen[0].series[i];
        given.tracks[0] = &given.series[0]->segments[segment];
        if (!run_use(walk, index, &given))
            return false;
    }
    return true;
}

static bool later(const struct finding *a, const struct finding *b)
{
    int64_t x = a->candidate.onset.step, y = b->candidate.onset.step;
    return x != STEP_NONE && y != STEP_NONE && x >= y;
}

/* Ranks that do not speak for the run: the first non-finite value of all of them, where it comes
   before that of the rank that speaks. */
static bool walk_ranks(struct walk *walk, size_t index, uint32_t segment)
{
    const struct rule_use *use = &walk->symptom->uses[index];
    struct judging *judging = walk->judging;
    const struct run *run = judging->run;
    size_t before = judging->count, best = SIZE_MAX;
    if (use->kind_count != 1 || (!use->any_scope && use->scope == SCOPE_PART))
        return true;
    for (size_t i = 0; i < run->series_count; i++) {
        const struct series *series = &run->series[i];
        if (series->speaks || series->kind != use->kinds[0] || series->scope != SCOPE_TOTAL ||
            series->segment_count <= segment)
            continue;
        struct use given = {.segment = segment, .series_count = 1};
        given.series[0] = series;
        given.tracks[0] = &series->segments[segment];
        if (!run_use(walk, index, &given))
            return false;
    }
    for (size_t i = before; i < judging->count; i++)
        if (best == SIZE_MAX || !later(&judging->findings[i], &judging->findings[best]))
            best = i;
    if (best == SIZE_MAX)
        return true;
    for (size_t i = 0; i < before; i++)
        if (judging->findings[i].symptom == walk->symptom &&
            later(&judging->findings[best], &judging->findings[i])) {
            judging->count = before;
            return true;
        }
    judging->findings[before] = judging->findings[best];
    judging->notes[before] = judging->notes[best];
    judging->count = before + 1;
    return true;
}

static bool walk_use(struct walk *walk, size_t index)
{
    const struct rule_use *use = &walk->symptom->uses[index];
    const struct run *run = walk->judging->run;
    const struct context context = {.run = run, .rules = walk->judging->rules};
    struct seen seen[USE_SERIES_MAX] = {{0}};
    if (use->when && condition_truth(use->when, &context) != TRUE_)
        return true;
    for (size_t i = 0; i < use->kind_count; i++) {
        if (!gather(walk->judging, use, use->kinds[i], &seen[i]))
            return false;
        if (seen[i].count > 0)
            continue;
        const struct series *any = run_main(run, use->kinds[i]);
        if (use->tag && walk->tag_count < TAGS)
            walk->tags[walk->tag_count++] = use->tag;
        else if (any && any->scope == SCOPE_PART)
            walk->parts_only = true;
        else
            walk->missing[use->kinds[i]] = true;
        return true;
    }
    uint32_t segments = use->detector->once ? 1 : (uint32_t)run->segment_count;
    for (uint32_t i = 0; i < segments; i++) {
        /* What looks at the whole run looks at its end. */
        uint32_t segment = use->detector->once ? (uint32_t)run->segment_count - 1 : i;
        if (!walk_segment(walk, index, seen, segment) ||
            (exact(use) && !walk_ranks(walk, index, segment)))
            return false;
    }
    return true;
}

static uint32_t segment_of(const struct run *run, const struct message *message)
{
    uint32_t segment = 0;
    for (uint32_t i = 1; i < run->segment_count; i++) {
        const struct place *place = &run->segments[i].place;
        if (place->input == message->place.input && place->line > 0 &&
            message->place.line >= place->line)
            segment = i;
    }
    return segment;
}

/* Of two lines of one symptom and form the earlier is the root, unless it only follows from
   something else. */
static bool more_of_a_root(const struct message *a, const struct message *b)
{
    bool consequence_a = a->row->strength == STRENGTH_CONSEQUENCE;
    bool consequence_b = b->row->strength == STRENGTH_CONSEQUENCE;
    if (consequence_a != consequence_b)
        return consequence_b;
    if (!isnan(a->time) && !isnan(b->time) && a->place.input != b->place.input)
        return a->time < b->time;
    return false; /* messages come in order of place */
}

static void add_evidence(struct candidate *candidate, const struct message *message)
{
    if (candidate->evidence_count == EVIDENCE_MAX)
        return;
    candidate->evidence[candidate->evidence_count++] = (struct evidence){
        .kind = EVIDENCE_TEXT,
        .place = message->place,
        .step = message->step,
        .value = value_missing_make(),
        .text = message->line,
    };
}

static void describe(const struct message *message, struct candidate *candidate)
{
    candidate->onset = point_make(message->step, (double)NAN, message->place);
    candidate->last_step = message->last_step;
    candidate->time = message->time;
    candidate->message = message;
}

/* One candidate a symptom, form and segment: the root line, with the others as its evidence. */
static bool add_message(struct walk *walk, const struct message *message, const char *form,
                        size_t from)
{
    struct judging *judging = walk->judging;
    uint32_t segment = segment_of(judging->run, message);
    for (size_t i = from; i < judging->count; i++) {
        struct finding *finding = &judging->findings[i];
        struct candidate *candidate = &finding->candidate;
        if (strcmp(finding->form, form) != 0 || candidate->segment != segment)
            continue;
        if (more_of_a_root(message, candidate->message))
            describe(message, candidate);
        add_evidence(candidate, message);
        return true;
    }
    struct finding finding = {.symptom = walk->symptom, .form = form};
    finding.candidate.segment = segment;
    describe(message, &finding.candidate);
    add_evidence(&finding.candidate, message);
    const struct note note = {.use_form = form};
    return add(judging, &finding, &note);
}

static bool walk_messages(struct walk *walk)
{
    const struct run *run = walk->judging->run;
    size_t from = walk->judging->count;
    for (size_t i = 0; i < run->message_count; i++) {
        const struct message *message = &run->messages[i];
        const struct message_row *row = message->row;
        if (row->strength == STRENGTH_HARMLESS)
            continue; /* looks bad, is not */
        for (size_t k = 0; row->symptoms && row->symptoms[k]; k++) {
            if (strcmp(row->symptoms[k], walk->symptom->id) != 0)
                continue;
            const char *form = row->forms && row->forms[k] ? row->forms[k] : "message";
            if (!add_message(walk, message, form, from))
                return false;
        }
    }
    return true;
}

static const char *kind_word(enum kind kind)
{
    switch (kind) {
    case KIND_VAL_LOSS:
    case KIND_VAL_METRIC:
        return "validation";
    case KIND_GRAD_NORM:
        return "gradient norm";
    case KIND_LEARNING_RATE:
        return "learning rate";
    case KIND_LOSS_SCALE:
        return "loss scale";
    default:
        return kind_name(kind);
    }
}

/* "no series named *entropy* or *kl*" */
static struct text tags_reason(const struct walk *walk)
{
    struct text reason = TEXT("no series named ");
    for (size_t i = 0; i < walk->tag_count && reason.data; i++)
        reason = arena_print(walk->judging->arena, "%.*s%s%s", (int)reason.size, reason.data,
                             i == 0                     ? ""
                             : i + 1 == walk->tag_count ? " or "
                                                        : ", ",
                             walk->tags[i]);
    return reason;
}

/* "no metric, validation or reward series" */
static struct text missing_reason(const struct walk *walk)
{
    struct arena *arena = walk->judging->arena;
    const char *words[KIND_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        const char *word = kind_word((enum kind)i);
        if (walk->missing[i] && (count == 0 || strcmp(words[count - 1], word) != 0))
            words[count++] = word;
    }
    struct text reason = TEXT("no ");
    for (size_t i = 0; i < count && reason.data; i++)
        reason = arena_print(arena, "%.*s%s%s", (int)reason.size, reason.data,
                             i == 0           ? ""
                             : i + 1 == count ? " or "
                                              : ", ",
                             words[i]);
    if (count == 0 && walk->tag_count > 0)
        return tags_reason(walk);
    if (count == 0 || !reason.data)
        return (struct text){0};
    return arena_print(arena, "%.*s series", (int)reason.size, reason.data);
}

static struct text impossible_reason(const struct walk *walk)
{
    if (walk->needed > 0)
        return arena_print(walk->judging->arena, "too few %s readings (%" PRIu64 " of %" PRIu64 ")",
                           kind_word(walk->short_kind), walk->had, walk->needed);
    if (walk->parts_only)
        return TEXT("no total loss");
    const struct text missing = missing_reason(walk);
    return missing.size > 0 ? missing : TEXT("not for a run of this kind");
}

/* Rules about checkpoints and data need some. */
static struct text nothing_there(const struct walk *walk)
{
    const struct run *run = walk->judging->run;
    const char *group = walk->symptom->group;
    size_t roles[ROLE_TARGETS + 1] = {0};
    for (size_t i = 0; i < run->tensor_count; i++)
        roles[run->tensors[i].role]++;
    if (strcmp(group, "checkpoints") == 0 && roles[ROLE_WEIGHTS] == 0)
        return TEXT("no checkpoint");
    if (strcmp(group, "inputs-and-targets") != 0)
        return (struct text){0};
    const bool targets = strncmp(walk->symptom->id, "targets-", strlen("targets-")) == 0;
    if (targets && roles[ROLE_TARGETS] == 0)
        return TEXT("no sample of targets");
    const bool either = strcmp(walk->symptom->id, "inputs-nonfinite") == 0;
    if (!targets && roles[ROLE_INPUTS] == 0 && !(either && roles[ROLE_TARGETS] > 0))
        return TEXT("no sample of inputs");
    return (struct text){0};
}

bool detect_symptom(struct judging *judging, const struct symptom *symptom, struct text *reason)
{
    struct walk walk = {.judging = judging, .symptom = symptom};
    size_t before = judging->count;
    if (!set_gates(&walk))
        return false;
    const struct text nothing = nothing_there(&walk);
    for (size_t i = 0; i < symptom->use_count; i++) {
        const struct rule_use *use = &symptom->uses[i];
        /* What is seen in series, or in lines, needs none. */
        const bool data = use->kind_count == 0 && !use->detector->lines;
        if ((nothing.size == 0 || !data) && !walk_use(&walk, i))
            return false;
    }
    if (!walk_messages(&walk))
        return false;
    bool ran = walk.possible || symptom->use_count == 0 || judging->count > before;
    if (ran)
        return true;
    *reason = nothing.size > 0 ? nothing : impossible_reason(&walk);
    return reason->data || no_memory(judging);
}
