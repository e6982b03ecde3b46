/* Conditions, thresholds and gates in words, for the reader of a page. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/condition.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const gate_words[GATE_COUNT] = {
    [GATE_PRETRAINED] = "the model is pretrained",
    [GATE_ANNEALED] = "the learning rate had been annealed",
    [GATE_CONVERGED] = "the run reached its floor",
    [GATE_ADVERSARIAL] = "losses are those of an adversarial game",
    [GATE_REINFORCEMENT] = "it is reinforcement learning",
    [GATE_MASKED_START] = "the loss scale is still being searched",
    [GATE_EVALUATION_NEAR] = "an evaluation or a save stands just before",
    [GATE_SETTING_CHANGE] = "a setting changed just before",
    [GATE_RESTART_NEAR] = "the run restarted just before",
    [GATE_WENT_ON] = "training went on behind it",
    [GATE_LATE_EXCERPT] = "the log begins late",
    [GATE_UNFINISHED] = "the plan was not reached",
    [GATE_INPUTS_SCALED] = "the inputs are scaled",
    [GATE_TARGETS_CLASSES] = "the targets are class numbers",
    [GATE_TARGETS_BALANCED] = "the classes are balanced",
    [GATE_WEIGHTS_SOUND] = "the weights saved behind it are finite",
    [GATE_WEIGHTS_MOVE] = "weights move between checkpoints",
    [GATE_WEIGHTS_FRESH] = "the first weights have the usual spread",
    [GATE_EVALUATION_MOVES] = "the validation loss changes from one evaluation to the next",
    [GATE_REWEIGHTED] = "the weight of a part of the loss grows",
    [GATE_HAS_ERROR] = "there is an error",
    [GATE_HAS_WARNING] = "there is a warning",
};

static void __attribute__((format(printf, 2, 3)))
say(struct phrase *phrase, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(phrase->text + phrase->size, sizeof(phrase->text) - phrase->size, format,
                           arguments);
    va_end(arguments);
    if (length > 0)
        phrase->size += (size_t)length;
    if (phrase->size >= sizeof(phrase->text))
        phrase->size = sizeof(phrase->text) - 1;
}

static void say_list(struct phrase *phrase, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        say(phrase, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", words[i]);
}

/* A word, or the number that stands there for one. */
static void say_options(struct phrase *phrase, const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++) {
        const char *between = i == 0 ? "" : i + 1 < comparison->count ? ", " : " or ";
        if (*comparison->words[i])
            say(phrase, "%s%s", between, comparison->words[i]);
        else
            say(phrase, "%s%.6g", between, comparison->numbers[i]);
    }
}

static size_t forms_count(const char *const *forms)
{
    size_t count = 0;
    while (forms && forms[count])
        count++;
    return count;
}

static void say_bound(struct phrase *phrase, const char *words, double number, bool *more)
{
    if (isnan(number))
        return;
    say(phrase, "%s %s %.6g", *more ? " and" : "", words, number);
    *more = true;
}

static void say_comparison(struct phrase *phrase, const struct comparison *comparison)
{
    bool more = false;
    if (comparison->ask == ASK_KNOWN)
        say(phrase, " is known");
    if (comparison->ask == ASK_UNKNOWN)
        say(phrase, " is not known");
    if (comparison->words) {
        say(phrase, " is ");
        say_options(phrase, comparison);
    }
    say_bound(phrase, "is above", comparison->above, &more);
    say_bound(phrase, "is below", comparison->below, &more);
    say_bound(phrase, "is at least", comparison->at_least, &more);
    say_bound(phrase, "is at most", comparison->at_most, &more);
}

static void say_when(struct phrase *phrase, const struct condition *condition)
{
    if (condition->when == WHEN_BEFORE)
        say(phrase, " before it");
    if (condition->when == WHEN_AFTER)
        say(phrase, " behind it");
    if (!isnan(condition->within))
        say(phrase, " within %.6g %% of the run", 100 * condition->within);
}

static void say_condition(struct phrase *phrase, const struct condition *condition, bool inner);

static void say_parts(struct phrase *phrase, const struct condition *condition, bool inner)
{
    bool brackets = inner && condition->part_count > 1;
    say(phrase, "%s", brackets ? "(" : "");
    for (size_t i = 0; i < condition->part_count; i++) {
        say(phrase, "%s", i == 0 ? "" : condition->subject == SUBJECT_ANY ? " or " : " and ");
        say_condition(phrase, condition->parts[i], true);
    }
    say(phrase, "%s", brackets ? ")" : "");
}

static void say_sighting(struct phrase *phrase, const struct condition *condition)
{
    bool message = condition->subject == SUBJECT_MESSAGE;
    say(phrase, message ? "the log holds the text %s" : "there is %s", condition->name);
    if (condition->forms) {
        say(phrase, " of the form ");
        say_list(phrase, condition->forms, forms_count(condition->forms));
    }
    say_when(phrase, condition);
}

static void say_condition(struct phrase *phrase, const struct condition *condition, bool inner)
{
    switch (condition->subject) {
    case SUBJECT_VALUE:
    case SUBJECT_FACT:
        say(phrase, "%s", condition->name);
        say_comparison(phrase, &condition->comparison);
        break;
    case SUBJECT_FORM:
        say(phrase, "the form is ");
        say_list(phrase, condition->forms, forms_count(condition->forms));
        break;
    case SUBJECT_GATE:
        say(phrase, "%s", gate_words[condition->gate]);
        break;
    case SUBJECT_SERIES:
        say(phrase, "there is a %s series", kind_name(condition->kind));
        if (condition->points > 1)
            say(phrase, " of %llu readings", (unsigned long long)condition->points);
        break;
    case SUBJECT_SYMPTOM:
    case SUBJECT_MESSAGE:
        say_sighting(phrase, condition);
        break;
    case SUBJECT_NOT:
        say(phrase, "not (");
        say_condition(phrase, condition->parts[0], false);
        say(phrase, ")");
        break;
    case SUBJECT_ALL:
    case SUBJECT_ANY:
        say_parts(phrase, condition, inner);
        break;
    }
}

void condition_words(const struct condition *condition, struct phrase *phrase)
{
    *phrase = (struct phrase){0};
    if (condition)
        say_condition(phrase, condition, false);
}

static void say_number(struct phrase *phrase, const struct parameter *parameter, double number)
{
    bool share = strcmp(parameter->unit, "share") == 0,
         ratio = strcmp(parameter->unit, "ratio") == 0;
    if (share)
        say(phrase, "%.6g %%", 100 * number);
    else if (ratio)
        say(phrase, "x%.6g", number);
    else
        say(phrase, "%.6g%s%s", number, *parameter->unit ? " " : "", parameter->unit);
}

/* A bound that the rule leaves out, and what it does not switch on. */
static bool left_out(const struct parameter *parameter, const struct parameter_value *value)
{
    if (value->step_count > 0)
        return false;
    return fabs(value->number) >= 1e300 ||
           (value->number == 0 &&
            (strncmp(parameter->about, "1: ", 3) == 0 || strstr(parameter->about, "0: ") != NULL));
}

static void say_parameter(struct phrase *phrase, const struct parameter *parameter,
                          const struct parameter_value *value)
{
    if (left_out(parameter, value))
        return;
    say(phrase, "; %s ", parameter->name);
    say_number(phrase, parameter, value->step_count > 0 ? value->steps[0].number : value->number);
    for (size_t i = 1; i < value->step_count; i++) {
        say(phrase, ", from %llu readings on ", (unsigned long long)value->steps[i].points);
        say_number(phrase, parameter, value->steps[i].number);
    }
    if (*parameter->about)
        say(phrase, " (%s)", parameter->about);
}

void use_words(const struct rule_use *use, struct phrase *phrase)
{
    *phrase = (struct phrase){0};
    say(phrase, "%s", use->form);
    for (size_t i = 0; i < use->kind_count; i++)
        say(phrase, "%s%s", i == 0 ? ": " : " against ", kind_name(use->kinds[i]));
    if (!use->any_scope && use->scope == SCOPE_PART)
        say(phrase, " of a part");
    if (!use->any_basis)
        say(phrase, " (%s)", basis_name(use->basis));
    if (use->tag)
        say(phrase, " named %s", use->tag);
    if (use->points > 1)
        say(phrase, ", from %llu readings on", (unsigned long long)use->points);
    if (use->when) {
        say(phrase, ", where ");
        say_condition(phrase, use->when, false);
    }
    for (size_t i = 0; i < use->detector->parameter_count; i++)
        say_parameter(phrase, &use->detector->parameters[i], &use->parameters[i]);
}

void gate_entry_words(const struct symptom *symptom, const struct gate_entry *gate,
                      struct phrase *phrase)
{
    *phrase = (struct phrase){0};
    if (gate->effect == GATE_OFF)
        say(phrase, "not told where ");
    if (gate->effect == GATE_INFO)
        say(phrase, "a remark only where ");
    if (gate->effect == GATE_CAP)
        say(phrase, "a confidence of %.6g at most where ", gate->cap);
    for (size_t i = 0; i < gate->set_count; i++) {
        const struct parameter_set *set = &gate->sets[i];
        const struct rule_use *use = &symptom->uses[set->use];
        const struct parameter *parameter = &use->detector->parameters[set->parameter];
        say(phrase, "%s%s.%s ", i == 0 ? "" : " and ", use->form, parameter->name);
        say_number(phrase, parameter, set->number);
    }
    if (gate->set_count > 0)
        say(phrase, " where ");
    size_t start = phrase->size;
    say_condition(phrase, gate->when, false);
    if (*gate->why && strcmp(phrase->text + start, gate->why) != 0)
        say(phrase, ": %s", gate->why);
}

void severity_words(const struct severity_step *step, struct phrase *phrase)
{
    *phrase = (struct phrase){0};
    say(phrase, "%s", step->is == SEVERITY_NONE ? "not told" : severity_name(step->is));
    say(phrase, step->when ? " where " : " else");
    if (step->when)
        say_condition(phrase, step->when, false);
}

void evidence_words(const struct evidence_item *item, struct phrase *phrase)
{
    *phrase = (struct phrase){0};
    say(phrase, "%s", item->symptom ? item->symptom : "");
    if (item->forms) {
        say(phrase, " ");
        say_list(phrase, item->forms, forms_count(item->forms));
    }
    if (item->severity != SEVERITY_NONE)
        say(phrase, " as %s", severity_name(item->severity));
    const struct condition *when = item->symptom ? item->where : item->when;
    if (when) {
        say(phrase, item->symptom ? " where " : "where ");
        say_condition(phrase, when, false);
    }
    say(phrase, "; %+.1f", item->weight);
}
