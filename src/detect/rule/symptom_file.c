/* One symptom file to one symptom: uses, gates, severity, confidence, absorbing, texts. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/loading.h"

#include "stalldoc/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const members[] = {
    "id",         "group",   "title",        "detect",  "gates", "severity",
    "confidence", "absorbs", "consequences", "message", "texts",
};
static const char *const groups[] = {
    "loss-and-metrics",
    "gradients-and-optimizer",
    "speed-and-life",
    "checkpoints",
    "inputs-and-targets",
    "evidence",
    "user",
};
static const char *const use_members[] = {
    "detector", "form", "series", "tag", "scope", "basis", "points", "when", "parameters",
};
static const char *const gate_members[] = {"if", "set", "then", "why"};
static const char *const step_members[] = {"is", "when"};
static const char *const absorb_members[] = {"symptom", "form", "within"};
static const char *const text_members[] = {"meaning", "evidence", "looks-like", "do", "reasons"};
static const char *const levels[] = {"none", "info", "warning", "error"};

/* Every symptom measures this one by itself: how many readings stood behind a candidate. */
static const char points_value[] = "points";

enum { STEPS_MAX = 8, SETS_MAX = 8 }; /* of a parameter, of a gate */

struct reading_file { /* of one symptom */
    const struct loading *loading;
    struct symptom *symptom;
    struct asker asker; /* of its candidates */
};

static bool detector_of(const struct loading *loading, const cJSON *use,
                        const struct detector **detector)
{
    const char *name = NULL;
    if (!load_string(loading, use, "detector", true, &name))
        return false;
    *detector = detector_named(text_of(name));
    if (*detector)
        return true;
    size_t count = 0;
    while (detectors[count])
        count++;
    const char **names = arena_take(loading->arena, count + 1, sizeof(*names));
    if (!names)
        return load_memory(loading);
    for (size_t i = 0; i < count; i++)
        names[i] = detectors[i]->name;
    return load_unknown(loading, load_member(use, "detector"), "detector", name,
                        (struct words){names, count});
}

/* Adds the values of a use's detector. */
static size_t add_values(const cJSON *use, const char **words)
{
    const cJSON *name = load_member(use, "detector");
    const struct detector *detector =
        cJSON_IsString(name) ? detector_named(text_of(name->valuestring)) : NULL;
    size_t count = 0;
    for (; detector && detector->values && detector->values[count]; count++)
        if (words)
            words[count] = detector->values[count];
    return count;
}

/* Adds the forms that fixed texts give a symptom, as far as they are new. */
static void add_message_forms(const struct message_table *table, const char *id, const char **forms,
                              size_t *count, size_t most)
{
    for (size_t i = 0; table && i < table->row_count; i++)
        for (size_t k = 0; table->rows[i].symptoms && table->rows[i].symptoms[k]; k++) {
            const char *form = table->rows[i].forms ? table->rows[i].forms[k] : NULL;
            if (form && strcmp(table->rows[i].symptoms[k], id) == 0 && *count < most &&
                !words_hold((struct words){forms, *count}, form))
                forms[(*count)++] = form;
        }
}

/* The forms are those that have a message or that fixed texts give, the values those of the
   detectors. */
bool symptom_declare(const struct loading *loading, struct declared *declared)
{
    enum { MESSAGE_FORMS = 16 };
    const cJSON *root = loading->root, *uses = load_member(root, "detect");
    const cJSON *message = load_member(root, "message");
    if (!load_string(loading, root, "id", true, &declared->id))
        return false;
    bool lines = cJSON_IsObject(message);
    size_t forms = (lines ? (size_t)cJSON_GetArraySize(message) : 0) + MESSAGE_FORMS, values = 1;
    for (const cJSON *use = uses ? uses->child : NULL; use; use = use->next)
        values += add_values(use, NULL);
    const char **words = arena_take(loading->arena, forms + values, sizeof(*words));
    if (!words)
        return load_memory(loading);
    declared->forms = (struct words){words, 0};
    declared->values = (struct words){words + forms, values};
    for (const cJSON *form = lines ? message->child : NULL; form; form = form->next)
        words[declared->forms.count++] = form->string;
    add_message_forms(loading->messages, declared->id, words, &declared->forms.count, forms);
    words += forms;
    *words++ = points_value;
    for (const cJSON *use = uses ? uses->child : NULL; use; use = use->next)
        words += add_values(use, words);
    return true;
}

static bool take_kinds(const struct loading *loading, const cJSON *at, struct rule_use *use)
{
    const cJSON *item = load_member(at, "series");
    const char *names[KIND_COUNT];
    for (size_t i = 0; i < KIND_COUNT; i++)
        names[i] = kind_name((enum kind)i);
    const char *const *kinds = NULL;
    if (!item)
        return load_error(loading, at, "member \"series\" is missing");
    if (!load_names(loading, at, "series", "kind", WORDS(names), &kinds))
        return false;
    for (size_t i = 0; kinds[i]; i++) {
        if (i == USE_SERIES_MAX)
            return load_error(loading, item, "at most %d series", USE_SERIES_MAX);
        kind_of_name(text_of(kinds[i]), &use->kinds[i]);
        use->kind_count = i + 1;
    }
    return true;
}

static bool take_scope(const struct loading *loading, const cJSON *at, struct rule_use *use)
{
    const char *scope = NULL, *basis = NULL;
    const char *const scopes[] = {scope_name(SCOPE_TOTAL), scope_name(SCOPE_PART)};
    const char *bases[BASIS_ESTIMATED + 1];
    for (size_t i = 0; i <= BASIS_ESTIMATED; i++)
        bases[i] = basis_name((enum basis)i);
    if (!load_string(loading, at, "scope", false, &scope) ||
        !load_string(loading, at, "basis", false, &basis))
        return false;
    if (scope && !words_hold(WORDS(scopes), scope))
        return load_unknown(loading, load_member(at, "scope"), "scope", scope, WORDS(scopes));
    if (basis && !words_hold(WORDS(bases), basis))
        return load_unknown(loading, load_member(at, "basis"), "basis", basis, WORDS(bases));
    use->any_scope = !scope;
    use->any_basis = !basis;
    use->scope = scope && strcmp(scope, scopes[1]) == 0 ? SCOPE_PART : SCOPE_TOTAL;
    for (size_t i = 0; basis && i <= BASIS_ESTIMATED; i++)
        if (strcmp(basis, bases[i]) == 0)
            use->basis = (enum basis)i;
    return true;
}

static bool in_range(const struct loading *loading, const cJSON *at,
                     const struct parameter *parameter, double number)
{
    if (number >= parameter->low && number <= parameter->high)
        return true;
    return load_error(loading, at, "parameter \"%s\" is %g; it lies between %g and %g",
                      parameter->name, number, parameter->low, parameter->high);
}

static bool take_steps(const struct loading *loading, const cJSON *item,
                       const struct parameter *parameter, struct parameter_value *value)
{
    static const char *const one[] = {"from-points"};
    if (!load_members(loading, item, WORDS(one)))
        return false;
    const cJSON *steps = load_member(item, one[0]);
    if (!cJSON_IsObject(steps) || !steps->child)
        return load_error(loading, item, "\"from-points\" maps numbers of points to numbers");
    struct parameter_step *step = arena_take(loading->arena, STEPS_MAX, sizeof(*step));
    if (!step)
        return load_memory(loading);
    value->steps = step;
    for (const cJSON *at = steps->child; at; at = at->next, step++) {
        struct number points;
        if (!number_parse(text_of(at->string), &points) || !points.integer || points.value < 0)
            return load_error(loading, at, "\"%s\" is no number of points", at->string);
        if (!cJSON_IsNumber(at) || value->step_count == STEPS_MAX)
            return load_error(loading, at, "at most %d numbers stand here", STEPS_MAX);
        if (value->step_count > 0 && step[-1].points >= (uint64_t)points.value)
            return load_error(loading, at, "numbers of points ascend");
        if (!in_range(loading, at, parameter, at->valuedouble))
            return false;
        *step = (struct parameter_step){(uint64_t)points.value, at->valuedouble};
        value->step_count++;
    }
    return true;
}

static size_t parameter_index(const struct detector *detector, const char *name)
{
    size_t index = 0;
    while (index < detector->parameter_count && strcmp(detector->parameters[index].name, name) != 0)
        index++;
    return index;
}

static bool unknown_parameter(const struct loading *loading, const cJSON *at,
                              const struct detector *detector, const char *name)
{
    const char *names[PARAMETERS_MAX];
    for (size_t i = 0; i < detector->parameter_count; i++)
        names[i] = detector->parameters[i].name;
    return load_unknown(loading, at, "parameter", name,
                        (struct words){names, detector->parameter_count});
}

static bool take_parameters(const struct loading *loading, const cJSON *at, struct rule_use *use)
{
    const struct detector *detector = use->detector;
    for (size_t i = 0; i < detector->parameter_count; i++)
        use->parameters[i].number = detector->parameters[i].usual;
    const cJSON *parameters = load_member(at, "parameters");
    if (parameters && !cJSON_IsObject(parameters))
        return load_error(loading, parameters, "\"parameters\" is an object");
    for (const cJSON *item = parameters ? parameters->child : NULL; item; item = item->next) {
        size_t index = parameter_index(detector, item->string);
        if (index == detector->parameter_count)
            return unknown_parameter(loading, item, detector, item->string);
        const struct parameter *parameter = &detector->parameters[index];
        if (cJSON_IsObject(item)) {
            if (!take_steps(loading, item, parameter, &use->parameters[index]))
                return false;
            continue;
        }
        if (!cJSON_IsNumber(item))
            return load_error(loading, item, "parameter \"%s\" is a number", item->string);
        if (!in_range(loading, item, parameter, item->valuedouble))
            return false;
        use->parameters[index].number = item->valuedouble;
    }
    return true;
}

static bool take_use(const struct reading_file *reading, const cJSON *at, struct rule_use *use)
{
    const struct loading *loading = reading->loading;
    const struct asker early = {.early = true};
    double points = 1;
    if (!load_members(loading, at, WORDS(use_members)) ||
        !detector_of(loading, at, &use->detector) ||
        !load_string(loading, at, "form", true, &use->form) || !take_kinds(loading, at, use) ||
        !load_string(loading, at, "tag", false, &use->tag) || !take_scope(loading, at, use) ||
        !load_number(loading, at, "points", 1, 1e15, &points) ||
        !condition_member(loading, &early, at, "when", &use->when) ||
        !take_parameters(loading, at, use))
        return false;
    use->points = (uint64_t)points;
    /* A detector that sets forms of its own is used once for all of them. */
    const cJSON *messages = load_member(loading->root, "message");
    if (!use->detector->forms && cJSON_IsObject(messages) && !load_member(messages, use->form))
        return load_error(loading, load_member(at, "form"), "form \"%s\" has no message",
                          use->form);
    return true;
}

static bool take_uses(const struct reading_file *reading)
{
    const struct loading *loading = reading->loading;
    size_t count;
    const cJSON *at;
    if (!load_list(loading, loading->root, "detect", true, &count, &at))
        return false;
    struct rule_use *uses = arena_take(loading->arena, count + 1, sizeof(*uses));
    if (!uses)
        return load_memory(loading);
    for (size_t i = 0; i < count; i++, at = at->next)
        if (!take_use(reading, at, &uses[i]))
            return false;
    reading->symptom->uses = uses;
    reading->symptom->use_count = count;
    return true;
}

/* "form.parameter", or "parameter" where there is one use. */
static bool take_address(const struct reading_file *reading, const cJSON *at, uint32_t *use_index,
                         uint32_t *parameter_at)
{
    const struct symptom *symptom = reading->symptom;
    const char *dot = strchr(at->string, '.');
    if (!dot && symptom->use_count != 1)
        return load_error(reading->loading, at, "\"%s\" is addressed as form.parameter",
                          at->string);
    for (uint32_t i = 0; i < symptom->use_count; i++) {
        const struct rule_use *use = &symptom->uses[i];
        const struct text form = {at->string, dot ? (size_t)(dot - at->string) : 0};
        if (dot && !text_is(form, use->form))
            continue;
        const char *name = dot ? dot + 1 : at->string;
        size_t index = parameter_index(use->detector, name);
        if (index == use->detector->parameter_count)
            return unknown_parameter(reading->loading, at, use->detector, name);
        *use_index = i;
        *parameter_at = (uint32_t)index;
        return true;
    }
    return load_unknown(reading->loading, at, "form", at->string, reading->asker.forms);
}

static bool take_set(const struct reading_file *reading, const cJSON *set, struct gate_entry *entry)
{
    const struct loading *loading = reading->loading;
    if (!cJSON_IsObject(set))
        return load_error(loading, set, "\"set\" is an object");
    struct parameter_set *sets = arena_take(loading->arena, SETS_MAX, sizeof(*sets));
    if (!sets)
        return load_memory(loading);
    entry->sets = sets;
    for (const cJSON *at = set->child; at; at = at->next) {
        if (entry->set_count == SETS_MAX || !cJSON_IsNumber(at))
            return load_error(loading, at, "at most %d numbers are set", SETS_MAX);
        uint32_t use = 0, parameter = 0;
        if (!take_address(reading, at, &use, &parameter))
            return false;
        const struct rule_use *at_use = &reading->symptom->uses[use];
        if (!in_range(loading, at, &at_use->detector->parameters[parameter], at->valuedouble))
            return false;
        sets[entry->set_count++] = (struct parameter_set){use, parameter, at->valuedouble};
    }
    return true;
}

static bool take_effect(const struct loading *loading, const cJSON *at, struct gate_entry *entry)
{
    static const char *const effects[] = {"off", "info"};
    const cJSON *then = load_member(at, "then");
    if (!then)
        return load_error(loading, at, "a gate sets parameters or has a \"then\"");
    if (cJSON_IsNumber(then)) {
        entry->effect = GATE_CAP;
        return load_number(loading, at, "then", 0, 1, &entry->cap);
    }
    if (!cJSON_IsString(then) || !words_hold(WORDS(effects), then->valuestring))
        return load_unknown(loading, then, "value",
                            cJSON_IsString(then) ? then->valuestring : "then", WORDS(effects));
    entry->effect = strcmp(then->valuestring, "off") == 0 ? GATE_OFF : GATE_INFO;
    return true;
}

static bool take_gate(const struct reading_file *reading, const cJSON *at, struct gate_entry *entry)
{
    const struct loading *loading = reading->loading;
    const struct asker early = {.early = true};
    if (!load_members(loading, at, WORDS(gate_members)))
        return false;
    const cJSON *set = load_member(at, "set");
    const cJSON *when = load_member(at, "if");
    if (!when)
        return load_error(loading, at, "member \"if\" is missing");
    if (set && load_member(at, "then"))
        return load_error(loading, at, "a gate has one effect, here are \"set\" and \"then\"");
    entry->why = "";
    if (!load_string(loading, at, "why", !set, &entry->why) ||
        !condition_load(loading, set ? &early : &reading->asker, when, &entry->when))
        return false;
    return set ? take_set(reading, set, entry) : take_effect(loading, at, entry);
}

static bool take_gates(const struct reading_file *reading)
{
    const struct loading *loading = reading->loading;
    size_t count;
    const cJSON *at;
    if (!load_list(loading, loading->root, "gates", false, &count, &at))
        return false;
    struct gate_entry *gates = arena_take(loading->arena, count + 1, sizeof(*gates));
    if (!gates)
        return load_memory(loading);
    for (size_t i = 0; i < count; i++, at = at->next)
        if (!take_gate(reading, at, &gates[i]))
            return false;
    reading->symptom->gates = gates;
    reading->symptom->gate_count = count;
    return true;
}

/* The steps of severity and confidence: the last one always holds. */
static bool step_when(const struct reading_file *reading, const cJSON *at, const char *name,
                      const struct condition **when)
{
    const struct loading *loading = reading->loading;
    if (!load_members(loading, at, WORDS(step_members)) ||
        !condition_member(loading, &reading->asker, at, "when", when))
        return false;
    if (!at->next && *when)
        return load_error(loading, at, "the last %s has a condition; it is what else applies",
                          name);
    return true;
}

static bool take_severity(const struct reading_file *reading)
{
    const struct loading *loading = reading->loading;
    size_t count;
    const cJSON *at;
    if (!load_list(loading, loading->root, "severity", true, &count, &at))
        return false;
    struct severity_step *steps = arena_take(loading->arena, count + 1, sizeof(*steps));
    if (!steps)
        return load_memory(loading);
    if (!at)
        return load_error(loading, load_member(loading->root, "severity"), "\"severity\" is empty");
    for (size_t i = 0; i < count; i++, at = at->next) {
        const char *level = NULL;
        if (!step_when(reading, at, "severity", &steps[i].when) ||
            !load_string(loading, at, "is", true, &level))
            return false;
        if (!words_hold(WORDS(levels), level))
            return load_unknown(loading, load_member(at, "is"), "value", level, WORDS(levels));
        severity_of_name(text_of(level), &steps[i].is);
    }
    reading->symptom->severity = steps;
    reading->symptom->severity_count = count;
    return true;
}

static bool take_confidence(const struct reading_file *reading)
{
    const struct loading *loading = reading->loading;
    size_t count;
    const cJSON *at;
    if (!load_list(loading, loading->root, "confidence", true, &count, &at))
        return false;
    struct confidence_step *steps = arena_take(loading->arena, count + 1, sizeof(*steps));
    if (!steps)
        return load_memory(loading);
    if (!at)
        return load_error(loading, load_member(loading->root, "confidence"),
                          "\"confidence\" is empty");
    for (size_t i = 0; i < count; i++, at = at->next) {
        if (!step_when(reading, at, "confidence", &steps[i].when))
            return false;
        if (!load_member(at, "is"))
            return load_error(loading, at, "member \"is\" is missing");
        if (!load_number(loading, at, "is", 0, 1, &steps[i].is))
            return false;
    }
    reading->symptom->confidence = steps;
    reading->symptom->confidence_count = count;
    return true;
}

static bool take_absorb(const struct loading *loading, const cJSON *at, struct absorb *absorb)
{
    absorb->within = NAN;
    if (!load_members(loading, at, WORDS(absorb_members)) ||
        !load_string(loading, at, "symptom", true, &absorb->symptom) ||
        !load_number(loading, at, "within", 0, 1, &absorb->within))
        return false;
    if (!words_hold(loading->symptoms, absorb->symptom))
        return load_unknown(loading, load_member(at, "symptom"), "symptom", absorb->symptom,
                            loading->symptoms);
    const struct declared *declared = load_declared(loading, absorb->symptom);
    return declared ? load_names(loading, at, "form", "form", declared->forms, &absorb->forms)
                    : load_strings(loading, at, "form", &absorb->forms);
}

static bool take_relations(const struct reading_file *reading)
{
    static const char *const none[] = {NULL};
    const struct loading *loading = reading->loading;
    struct symptom *symptom = reading->symptom;
    size_t count;
    const cJSON *at;
    if (!load_list(loading, loading->root, "absorbs", false, &count, &at))
        return false;
    struct absorb *absorbs = arena_take(loading->arena, count + 1, sizeof(*absorbs));
    if (!absorbs)
        return load_memory(loading);
    for (size_t i = 0; i < count; i++, at = at->next)
        if (!take_absorb(loading, at, &absorbs[i]))
            return false;
    symptom->absorbs = absorbs;
    symptom->absorb_count = count;
    symptom->consequences = none;
    return load_names(loading, loading->root, "consequences", "symptom", loading->symptoms,
                      &symptom->consequences);
}

/* A message is of a form that a use or a fixed text can give. */
static bool form_given(const struct reading_file *reading, const char *form)
{
    const struct symptom *symptom = reading->symptom;
    if (strcmp(form, "message") == 0)
        return true;
    for (size_t i = 0; i < symptom->use_count; i++) {
        const struct rule_use *use = &symptom->uses[i];
        if (strcmp(use->form, form) == 0)
            return true;
        for (size_t k = 0; use->detector->forms && use->detector->forms[k]; k++)
            if (strcmp(use->detector->forms[k], form) == 0)
                return true;
    }
    const struct message_table *table = reading->loading->messages;
    for (size_t i = 0; table && i < table->row_count; i++)
        for (size_t k = 0; table->rows[i].symptoms && table->rows[i].symptoms[k]; k++)
            if (strcmp(table->rows[i].symptoms[k], symptom->id) == 0 && table->rows[i].forms[k] &&
                strcmp(table->rows[i].forms[k], form) == 0)
                return true;
    return false;
}

static bool take_messages(const struct reading_file *reading)
{
    const struct loading *loading = reading->loading;
    const cJSON *message = load_member(loading->root, "message");
    if (!message)
        return load_error(loading, loading->root, "member \"message\" is missing");
    if (!cJSON_IsObject(message) || !message->child)
        return load_error(loading, message, "\"message\" has a line for each form");
    size_t count = (size_t)cJSON_GetArraySize(message);
    struct form_message *messages = arena_take(loading->arena, count, sizeof(*messages));
    if (!messages)
        return load_memory(loading);
    const cJSON *at = message->child;
    for (size_t i = 0; i < count; i++, at = at->next) {
        if (!form_given(reading, at->string))
            return load_error(loading, at, "no use gives the form \"%s\"", at->string);
        messages[i].form = at->string;
        if (!load_string(loading, message, at->string, true, &messages[i].text) ||
            !placeholder_check(loading, at, reading->asker.values, false))
            return false;
    }
    reading->symptom->messages = messages;
    reading->symptom->message_count = count;
    return true;
}

static bool take_texts(const struct reading_file *reading)
{
    const struct loading *loading = reading->loading;
    struct symptom *symptom = reading->symptom;
    const cJSON *texts = load_member(loading->root, "texts");
    if (!texts)
        return load_error(loading, loading->root, "member \"texts\" is missing");
    return load_members(loading, texts, WORDS(text_members)) &&
           load_string(loading, texts, "meaning", true, &symptom->meaning) &&
           load_string(loading, texts, "evidence", true, &symptom->evidence) &&
           load_string(loading, texts, "looks-like", true, &symptom->looks_like) &&
           load_string(loading, texts, "do", true, &symptom->act) &&
           load_string(loading, texts, "reasons", false, &symptom->reasons);
}

bool symptom_load(const struct loading *loading, struct symptom *symptom)
{
    const struct declared *declared = load_declared(loading, symptom->id);
    const struct reading_file reading = {
        loading, symptom, {declared->forms, declared->values, .candidate = true}};
    const cJSON *root = loading->root;
    if (!load_members(loading, root, WORDS(members)) ||
        !load_string(loading, root, "group", true, &symptom->group) ||
        !load_string(loading, root, "title", true, &symptom->title))
        return false;
    if (!words_hold(WORDS(groups), symptom->group))
        return load_unknown(loading, load_member(root, "group"), "group", symptom->group,
                            WORDS(groups));
    symptom->path = loading->file->path;
    return take_uses(&reading) && take_gates(&reading) && take_severity(&reading) &&
           take_confidence(&reading) && take_relations(&reading) && take_messages(&reading) &&
           take_texts(&reading);
}
