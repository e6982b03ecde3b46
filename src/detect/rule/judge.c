/* Judging a run: detectors, gates, severity, confidence, absorbing, in this order. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/judging.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(const struct judging *judging)
{
    return error_set(judging->error, ERROR_MEMORY, (struct place){0}, "no memory for findings");
}

static bool listed(const char *const *ids, const char *id)
{
    for (size_t i = 0; ids && ids[i]; i++) {
        const struct text pattern = text_of(ids[i]);
        if (text_is(text_of(id), ids[i]))
            return true;
        if (text_ends(pattern, "*") && strncmp(id, ids[i], pattern.size - 1) == 0)
            return true;
    }
    return false;
}

/* The level that an option fixes; false: the rule file decides. */
static bool fixed_severity(const struct detect_options *options, const char *id,
                           enum severity *severity)
{
    bool fixed = false;
    for (size_t i = 0; i < options->severity_count; i++)
        if (strcmp(options->severities[i].id, id) == 0) {
            *severity = options->severities[i].severity;
            fixed = true;
        }
    return fixed;
}

static bool wanted(const struct detect_options *options, const struct symptom *symptom)
{
    enum severity severity = SEVERITY_NONE;
    if (options->select && options->select[0] && !listed(options->select, symptom->id))
        return false;
    if (fixed_severity(options, symptom->id, &severity) && severity == SEVERITY_NONE)
        return false;
    return !listed(options->ignore, symptom->id);
}

struct context judging_context(const struct judging *judging, const struct finding *at)
{
    return (struct context){.run = judging->run,
                            .rules = judging->rules,
                            .all = judging->findings,
                            .all_count = judging->count,
                            .at = at};
}

/* How a candidate fares in its rule's gates. */
struct passing {
    bool off, info;
    double cap;
};

static bool note_gated(struct judging *judging, const struct finding *finding,
                       const struct gate_entry *gate)
{
    struct gated *gated =
        arena_grow(judging->arena, judging->gated, judging->gated_count, &judging->gated_capacity,
                   judging->gated_count + 1, sizeof(*gated));
    if (!gated)
        return no_memory(judging);
    judging->gated = gated;
    struct gated *entry = &gated[judging->gated_count++];
    entry->symptom = finding->symptom;
    entry->gate = condition_gate_name(gate->when);
    entry->text = arena_print(judging->arena, "%s: %.*s", gate->why, (int)finding->message.size,
                              finding->message.data);
    return entry->text.data || no_memory(judging);
}

static bool pass_gates(struct judging *judging, const struct finding *finding,
                       struct passing *passing)
{
    const struct symptom *symptom = finding->symptom;
    const struct context context = judging_context(judging, finding);
    *passing = (struct passing){.cap = 1};
    for (size_t i = 0; i < symptom->gate_count && !passing->off; i++) {
        const struct gate_entry *gate = &symptom->gates[i];
        if (gate->effect == GATE_SET || condition_truth(gate->when, &context) != TRUE_)
            continue;
        if (gate->effect == GATE_OFF)
            passing->off = true;
        if (gate->effect == GATE_INFO)
            passing->info = true;
        if (gate->effect == GATE_CAP)
            passing->cap = fmin(passing->cap, gate->cap);
        if (!note_gated(judging, finding, gate))
            return false;
    }
    return true;
}

static enum severity severity_of(const struct context *context)
{
    const struct symptom *symptom = context->at->symptom;
    for (size_t i = 0; i < symptom->severity_count; i++)
        if (condition_truth(symptom->severity[i].when, context) == TRUE_)
            return symptom->severity[i].is;
    return SEVERITY_NONE;
}

static double confidence_of(const struct context *context)
{
    const struct symptom *symptom = context->at->symptom;
    for (size_t i = 0; i < symptom->confidence_count; i++)
        if (condition_truth(symptom->confidence[i].when, context) == TRUE_)
            return symptom->confidence[i].is;
    return 0;
}

static const char *message_of(const struct finding *finding, const char *use_form)
{
    const struct symptom *symptom = finding->symptom;
    const char *const forms[] = {finding->form, use_form,
                                 finding->candidate.message ? "message" : NULL};
    for (size_t k = 0; k < sizeof(forms) / sizeof(forms[0]); k++)
        for (size_t i = 0; i < symptom->message_count && forms[k]; i++)
            if (strcmp(symptom->messages[i].form, forms[k]) == 0)
                return symptom->messages[i].text;
    return symptom->title;
}

/* The line of each candidate, once all values are there. */
static bool fill_messages(struct judging *judging)
{
    for (size_t i = 0; i < judging->count; i++) {
        struct finding *finding = &judging->findings[i];
        const struct context context = judging_context(judging, finding);
        finding->message = placeholder_fill(
            judging->arena, message_of(finding, judging->notes[i].use_form), &context, false, NULL);
        if (!finding->message.data)
            return no_memory(judging);
    }
    return true;
}

/* Gates, severity and confidence of all candidates. They are decided aside and written at the end,
   so that conditions about other candidates do not depend on the order of the rules. */
static bool decide(struct judging *judging)
{
    for (size_t i = 0; i < judging->count; i++) {
        struct finding *finding = &judging->findings[i];
        struct note *note = &judging->notes[i];
        const struct context context = judging_context(judging, finding);
        struct passing passing;
        enum severity fixed = SEVERITY_NONE;
        if (!pass_gates(judging, finding, &passing))
            return false;
        note->severity = passing.off ? SEVERITY_NONE : severity_of(&context);
        note->confidence = fmin(confidence_of(&context), passing.cap);
        bool earlier = note->trend && finding->candidate.segment + 1 < judging->run->segment_count;
        bool lowered = passing.info || earlier || note->remark;
        if (lowered && note->severity > SEVERITY_INFO)
            note->severity = SEVERITY_INFO;
        if (note->severity != SEVERITY_NONE &&
            fixed_severity(judging->options, finding->symptom->id, &fixed))
            note->severity = fixed;
        note->earlier = earlier;
    }
    for (size_t i = 0; i < judging->count; i++) {
        judging->findings[i].severity = judging->notes[i].severity;
        judging->findings[i].confidence = judging->notes[i].confidence;
        judging->findings[i].info_segment = judging->notes[i].earlier;
    }
    return true;
}

/* How far down the chains of absorbing a symptom stands: who absorbs comes before. */
static size_t depth_of(const struct rules *rules, const struct symptom *symptom, size_t most)
{
    size_t depth = 0;
    for (size_t i = 0; i < rules->symptom_count && most > 0; i++) {
        const struct symptom *other = &rules->symptoms[i];
        for (size_t k = 0; k < other->absorb_count; k++) {
            if (other == symptom || strcmp(other->absorbs[k].symptom, symptom->id) != 0)
                continue;
            size_t above = depth_of(rules, other, most - 1) + 1;
            if (above > depth)
                depth = above;
        }
    }
    return depth;
}

static bool absorbs(const struct judging *judging, const struct finding *specific,
                    const struct absorb *absorb, const struct finding *other)
{
    /* A remark takes no alarm away: what it says of is small. */
    const bool remark = specific->severity <= SEVERITY_INFO && other->severity > SEVERITY_INFO;
    if (other == specific || remark || strcmp(other->symptom->id, absorb->symptom) != 0 ||
        other->severity == SEVERITY_NONE || other->absorbed_by ||
        other->candidate.segment != specific->candidate.segment ||
        !form_listed(absorb->forms, other->form))
        return false;
    return moment_within(judging->run, specific, other, absorb->within);
}

static void absorb(struct judging *judging)
{
    enum { DEPTH_MAX = 8 };
    for (size_t depth = 0; depth <= DEPTH_MAX; depth++)
        for (size_t i = 0; i < judging->count; i++) {
            struct finding *finding = &judging->findings[i];
            const struct symptom *symptom = finding->symptom;
            if (finding->severity == SEVERITY_NONE || finding->absorbed_by ||
                symptom->absorb_count == 0 || depth_of(judging->rules, symptom, DEPTH_MAX) != depth)
                continue;
            for (size_t k = 0; k < symptom->absorb_count; k++)
                for (size_t o = 0; o < judging->count; o++)
                    if (absorbs(judging, finding, &symptom->absorbs[k], &judging->findings[o]))
                        judging->findings[o].absorbed_by = finding;
        }
}

static bool of_strength(const struct finding *finding, bool consequence)
{
    const struct message *message = finding->candidate.message;
    return message && (message->row->strength == STRENGTH_CONSEQUENCE) == consequence;
}

/* A line that only follows from another is a detail of the first failure before it: the launcher's
   word that a process ended, the other ranks' that their peer is gone. */
static void absorb_consequences(struct judging *judging)
{
    for (size_t i = 0; i < judging->count; i++) {
        struct finding *finding = &judging->findings[i];
        const struct finding *root = NULL;
        const struct moment here = finding_moment(finding);
        if (finding->severity == SEVERITY_NONE || finding->absorbed_by ||
            !of_strength(finding, true))
            continue;
        for (size_t k = 0; k < judging->count; k++) {
            const struct finding *other = &judging->findings[k];
            const struct moment there = finding_moment(other);
            struct distance distance;
            if (of_strength(other, false) && other->severity >= finding->severity &&
                !other->absorbed_by && other->candidate.segment == finding->candidate.segment &&
                moment_distance(judging->run, &there, &here, &distance) && distance.sign >= 0 &&
                !(distance.sign == 0 && there.line > here.line) &&
                (!root || there.line < root->candidate.onset.line))
                root = other;
        }
        finding->absorbed_by = root;
    }
}

static int by_severity_and_place(const void *left, const void *right)
{
    const struct finding *a = *(const struct finding *const *)left;
    const struct finding *b = *(const struct finding *const *)right;
    const struct point *p = &a->candidate.onset, *q = &b->candidate.onset;
    if (a->severity != b->severity)
        return a->severity > b->severity ? -1 : 1;
    if (p->input != q->input)
        return p->input < q->input ? -1 : 1;
    if (p->line != q->line)
        return p->line < q->line ? -1 : 1;
    if (p->offset != q->offset)
        return p->offset < q->offset ? -1 : 1;
    if (a->symptom->order != b->symptom->order)
        return a->symptom->order < b->symptom->order ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* What stays, sorted; pointers to absorbing findings follow. */
static bool keep(struct judging *judging, struct judgement *judgement)
{
    size_t count = judging->count, kept = 0, weak = 0;
    const struct finding **order = arena_take(judging->arena, count + 1, sizeof(*order));
    struct finding *result = arena_take(judging->arena, count + 1, sizeof(*result));
    if (!order || !result)
        return no_memory(judging);
    for (size_t i = 0; i < count; i++) {
        const struct finding *finding = &judging->findings[i];
        if (finding->severity == SEVERITY_NONE)
            continue;
        if (finding->confidence < judging->options->min_confidence) {
            if (!finding->absorbed_by)
                order[count - ++weak] = finding; /* from the far end */
            continue;
        }
        order[kept++] = finding;
    }
    qsort(order, kept, sizeof(*order), by_severity_and_place);
    qsort(order + count - weak, weak, sizeof(*order), by_severity_and_place);
    for (size_t i = 0; i < kept; i++)
        result[i] = *order[i];
    for (size_t i = count - weak; i < count; i++)
        result[i] = *order[i];
    for (size_t i = 0; i < kept; i++) {
        const struct finding *by = result[i].absorbed_by;
        result[i].absorbed_by = NULL; /* unless the absorbing one stayed too */
        for (size_t k = 0; by && k < kept; k++)
            if (order[k] == by)
                result[i].absorbed_by = &result[k];
    }
    judgement->findings = result;
    judgement->finding_count = kept;
    judgement->weak = result + count - weak;
    judgement->weak_count = weak;
    return true;
}

static void tell_unjudged(struct judging *judging, struct judgement *judgement)
{
    const struct context context = judging_context(judging, NULL);
    if (gate_truth(GATE_REINFORCEMENT, &context) == TRUE_)
        judgement->not_judged[judgement->not_judged_count++] =
            "losses of reinforcement learning have no trend";
    else if (gate_truth(GATE_ADVERSARIAL, &context) == TRUE_)
        judgement->not_judged[judgement->not_judged_count++] = "adversarial losses have no trend";
}

static bool detect_all(struct judging *judging, struct judgement *judgement)
{
    const struct rules *rules = judging->rules;
    const struct symptom **ran = arena_take(judging->arena, rules->symptom_count + 1, sizeof(*ran));
    struct skipped *skipped =
        arena_take(judging->arena, rules->symptom_count + 1, sizeof(*skipped));
    if (!ran || !skipped)
        return no_memory(judging);
    for (size_t i = 0; i < rules->symptom_count; i++) {
        const struct symptom *symptom = &rules->symptoms[i];
        struct text reason = {0};
        if (!wanted(judging->options, symptom))
            continue;
        if (!detect_symptom(judging, symptom, &reason))
            return false;
        if (reason.size > 0)
            skipped[judgement->skipped_count++] = (struct skipped){symptom, reason};
        else
            ran[judgement->ran_count++] = symptom;
    }
    judgement->ran = ran;
    judgement->skipped = skipped;
    return true;
}

bool judge(const struct run *run, const struct rules *rules, const struct detect_options *options,
           struct arena *arena, struct judgement *judgement, struct error *error)
{
    struct judging judging = {
        .run = run, .rules = rules, .options = options, .arena = arena, .error = error};
    *judgement = (struct judgement){0};
    tell_unjudged(&judging, judgement);
    if (!detect_all(&judging, judgement) || !fill_messages(&judging) || !decide(&judging))
        return false;
    absorb(&judging);
    absorb_consequences(&judging);
    judgement->gated = judging.gated;
    judgement->gated_count = judging.gated_count;
    return keep(&judging, judgement);
}
