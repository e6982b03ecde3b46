/* Conditions of three values: what is not known neither holds nor fails. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/condition.h"

#include "stalldoc/number.h"

#include <math.h>
#include <string.h>

static enum truth truth_of(bool holds)
{
    return holds ? TRUE_ : FALSE_;
}

/* What one line says is one event, and does not come before itself: a time-out that is raised as an
   exception is no exception that led to a time-out. */
static bool in_same_line(const struct context *context, const struct moment *here,
                         const struct moment *other)
{
    return context->at->candidate.message && here->input == other->input && here->line > 0 &&
           here->line == other->line;
}

/* Is `other` where the condition wants it, seen from the onset at hand? */
static enum truth moment_fits(const struct condition *condition, const struct context *context,
                              const struct moment *other)
{
    if (condition->when == WHEN_ANY && isnan(condition->within))
        return TRUE_;
    if (!context->at)
        return UNKNOWN;
    const struct moment here = finding_moment(context->at);
    struct distance distance;
    if (!moment_distance(context->run, &here, other, &distance))
        return UNKNOWN;
    if (condition->when == WHEN_BEFORE && in_same_line(context, &here, other))
        return FALSE_;
    if ((condition->when == WHEN_BEFORE && distance.sign > 0) ||
        (condition->when == WHEN_AFTER && distance.sign < 0))
        return FALSE_;
    if (distance_within(&distance, condition->within))
        return TRUE_;
    return isnan(distance.share) ? UNKNOWN : FALSE_;
}

static bool word_fits(const char *word, double wanted, double number, struct text value, bool none)
{
    if (strcmp(word, "none") == 0)
        return none;
    if (none)
        return false;
    if (!isnan(wanted))
        return number == wanted;
    return text_is(value, word);
}

static enum truth comparison_truth(const struct comparison *comparison, double number,
                                   struct text value, bool none)
{
    if (comparison->words) {
        bool listed = false;
        for (size_t i = 0; i < comparison->count && !listed; i++)
            listed = word_fits(comparison->words[i], comparison->numbers[i], number, value, none);
        if (!listed)
            return FALSE_;
    }
    bool bounds = !isnan(comparison->above) || !isnan(comparison->below) ||
                  !isnan(comparison->at_least) || !isnan(comparison->at_most);
    if (!bounds)
        return TRUE_;
    if (none)
        return FALSE_; /* switched off: no number compares */
    if (isnan(number))
        return UNKNOWN;
    return truth_of(!(number <= comparison->above) && !(number >= comparison->below) &&
                    !(number < comparison->at_least) && !(number > comparison->at_most));
}

static enum truth fact_truth(const struct condition *condition, const struct context *context)
{
    int64_t step = context->at ? context->at->candidate.onset.step : STEP_NONE;
    const struct fact_seen fact = fact_seen_at(context->run, condition->name, step);
    const struct comparison *comparison = &condition->comparison;
    if (comparison->ask != ASK_COMPARE && fact.known != (comparison->ask == ASK_KNOWN))
        return FALSE_;
    if (comparison->ask == ASK_UNKNOWN)
        return TRUE_;
    if (!fact.known)
        return UNKNOWN;
    return comparison_truth(comparison, fact.number, fact.value, fact.none);
}

static enum truth value_truth(const struct condition *condition, const struct context *context)
{
    const struct value *value =
        context->at ? candidate_value(&context->at->candidate, condition->name) : NULL;
    if (!value)
        return UNKNOWN;
    return comparison_truth(&condition->comparison, value->number, value->text, false);
}

static enum truth or_of(enum truth a, enum truth b)
{
    if (a == TRUE_ || b == TRUE_)
        return TRUE_;
    return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : FALSE_;
}

static enum truth symptom_truth(const struct condition *condition, const struct context *context)
{
    enum truth truth = FALSE_;
    for (size_t i = 0; i < context->all_count && truth != TRUE_; i++) {
        const struct finding *finding = &context->all[i];
        if (finding == context->at || strcmp(finding->symptom->id, condition->name) != 0 ||
            !form_listed(condition->forms, finding->form) ||
            (context->findings && finding->absorbed_by))
            continue;
        const struct moment moment = finding_moment(finding);
        truth = or_of(truth, moment_fits(condition, context, &moment));
    }
    return truth;
}

static enum truth message_truth(const struct condition *condition, const struct context *context)
{
    enum truth truth = FALSE_;
    const struct run *run = context->run;
    for (size_t i = 0; i < run->message_count && truth != TRUE_; i++) {
        const struct message *message = &run->messages[i];
        if (strcmp(message->row->id, condition->name) != 0)
            continue;
        const struct moment moment = message_moment(message);
        truth = or_of(truth, moment_fits(condition, context, &moment));
    }
    return truth;
}

static enum truth parts_truth(const struct condition *condition, const struct context *context)
{
    bool all = condition->subject == SUBJECT_ALL;
    enum truth truth = truth_of(all);
    for (size_t i = 0; i < condition->part_count; i++) {
        enum truth part = condition_truth(condition->parts[i], context);
        if (part == truth_of(!all))
            return part;
        if (part == UNKNOWN)
            truth = UNKNOWN;
    }
    return truth;
}

static enum truth series_truth(const struct condition *condition, const struct context *context)
{
    const struct run *run = context->run;
    for (size_t i = 0; i < run->series_count; i++) {
        const struct series *series = &run->series[i];
        if (series->speaks && series->basis != BASIS_ESTIMATED && series->kind == condition->kind &&
            series->whole.points >= condition->points)
            return TRUE_;
    }
    return FALSE_;
}

enum truth condition_truth(const struct condition *condition, const struct context *context)
{
    if (!condition)
        return TRUE_;
    switch (condition->subject) {
    case SUBJECT_VALUE:
        return value_truth(condition, context);
    case SUBJECT_FORM:
        return context->at ? truth_of(form_listed(condition->forms, context->at->form)) : UNKNOWN;
    case SUBJECT_FACT:
        return fact_truth(condition, context);
    case SUBJECT_GATE:
        return gate_truth(condition->gate, context);
    case SUBJECT_SERIES:
        return series_truth(condition, context);
    case SUBJECT_SYMPTOM:
        return symptom_truth(condition, context);
    case SUBJECT_MESSAGE:
        return message_truth(condition, context);
    case SUBJECT_ALL:
    case SUBJECT_ANY:
        return parts_truth(condition, context);
    case SUBJECT_NOT: {
        enum truth truth = condition_truth(condition->parts[0], context);
        return truth == UNKNOWN ? UNKNOWN : truth_of(truth == FALSE_);
    }
    }
    return UNKNOWN;
}

/* Of the first part that a place can be named for; a line that was met comes before the rest. */
static bool place_of(const struct condition *condition, const struct context *context,
                     struct place *place)
{
    if (condition->subject == SUBJECT_FACT) {
        *place = fact_seen_at(context->run, condition->name, STEP_NONE).place;
        return place->input != 0;
    }
    const struct run *run = context->run;
    for (size_t i = 0; condition->subject == SUBJECT_MESSAGE && i < run->message_count; i++)
        if (strcmp(run->messages[i].row->id, condition->name) == 0) {
            *place = run->messages[i].place;
            return true;
        }
    for (size_t i = 0; condition->subject == SUBJECT_SYMPTOM && i < context->all_count; i++)
        if (strcmp(context->all[i].symptom->id, condition->name) == 0) {
            const struct point *onset = &context->all[i].candidate.onset;
            *place = (struct place){onset->input, onset->line, onset->offset};
            return true;
        }
    for (int line = 1; condition->subject != SUBJECT_NOT && line >= 0; line--)
        for (size_t i = 0; i < condition->part_count; i++)
            if ((!line || condition->parts[i]->subject == SUBJECT_MESSAGE) &&
                condition_truth(condition->parts[i], context) == TRUE_ &&
                place_of(condition->parts[i], context, place))
                return true;
    return false;
}

struct place condition_place(const struct condition *condition, const struct context *context)
{
    struct place place = {0};
    return condition && place_of(condition, context, &place) ? place : (struct place){0};
}

bool condition_asks_gate(const struct condition *condition, const char *gate)
{
    if (!condition)
        return false;
    if (condition->subject == SUBJECT_GATE && strcmp(condition->name, gate) == 0)
        return true;
    for (size_t i = 0; i < condition->part_count; i++)
        if (condition_asks_gate(condition->parts[i], gate))
            return true;
    return false;
}
