/* The catalogue as a list, and as the pages stalldoc-symptoms(7) and stalldoc-causes(7). */
/* SPDX-License-Identifier: MIT */
#include "report/flow.h"
#include "report/json_write.h"
#include "report/mdoc.h"
#include "report/text_cause.h"

#include <math.h>
#include <string.h>

static const char *worst_severity(const struct symptom *symptom)
{
    enum severity worst = SEVERITY_NONE;
    for (size_t i = 0; i < symptom->severity_count; i++)
        if (symptom->severity[i].is > worst)
            worst = symptom->severity[i].is;
    return worst == SEVERITY_NONE ? "info" : severity_name(worst);
}

/* Rules of a user's own are told from those whose meaning is promised. */
static const char *state_of(const char *id)
{
    return strncmp(id, "user-", 5) == 0 ? "user" : "stable";
}

static void kinds_of(const struct symptom *symptom, bool seen[KIND_COUNT])
{
    for (size_t i = 0; i < symptom->use_count; i++)
        for (size_t k = 0; k < symptom->uses[i].kind_count; k++)
            seen[symptom->uses[i].kinds[k]] = true;
}

/* `symptom` NULL: a cause. */
static void markdown_row(const struct symptom *symptom, const char *id, const char *title,
                         struct out *out)
{
    bool seen[KIND_COUNT] = {false};
    const char *between = "";
    out_print(out, "| `%s` | %s | %s | %s | ", id, symptom ? "symptom" : "cause",
              symptom ? worst_severity(symptom) : "", state_of(id));
    if (symptom)
        kinds_of(symptom, seen);
    for (int i = 0; i < KIND_COUNT; i++)
        if (seen[i]) {
            out_print(out, "%s%s", between, kind_name((enum kind)i));
            between = ", ";
        }
    out_literal(out, " | ");
    out_text(out, text_of(title));
    out_literal(out, " |\n");
}

static void text_row(const struct symptom *symptom, const char *id, const char *title,
                     struct out *out)
{
    enum { TITLE_COLUMN = 45 };
    struct flow flow;
    out_print(out, "%-26s %-8s%-9s", id, symptom ? "symptom" : "cause",
              symptom ? worst_severity(symptom) : "");
    flow_begin(&flow, out, TITLE_COLUMN, TITLE_COLUMN);
    flow_string(&flow, title);
    flow_end(&flow);
}

static void json_needs(struct json *json, const struct symptom *symptom)
{
    bool seen[KIND_COUNT] = {false};
    kinds_of(symptom, seen);
    json_open(json, "needs", '[', true);
    for (int i = 0; i < KIND_COUNT; i++)
        if (seen[i])
            json_string(json, NULL, kind_name((enum kind)i));
    json_close(json);
}

/* Numbers as gates address them, `form.parameter`; where one depends on the count of readings, that
   of the fewest. */
static void json_parameters(struct json *json, const struct symptom *symptom)
{
    json_open(json, "parameters", '{', true);
    for (size_t i = 0; i < symptom->use_count; i++) {
        const struct rule_use *use = &symptom->uses[i];
        bool told = false; /* a form may be looked for twice: the first is told */
        for (size_t k = 0; k < i && !told; k++)
            told = strcmp(symptom->uses[k].form, use->form) == 0;
        for (size_t k = 0; k < use->detector->parameter_count && !told; k++) {
            char name[128];
            const struct parameter_value *value = &use->parameters[k];
            snprintf(name, sizeof(name), "%s.%s", use->form, use->detector->parameters[k].name);
            json_number(json, name, value->step_count ? value->steps[0].number : value->number);
        }
    }
    json_close(json);
}

static void list_json(const struct rules *rules, bool symptoms, bool causes, struct out *out)
{
    struct json json = {.out = out};
    json_open(&json, NULL, '[', false);
    for (size_t i = 0; symptoms && i < rules->symptom_count; i++) {
        const struct symptom *symptom = &rules->symptoms[i];
        json_open(&json, NULL, '{', true);
        json_string(&json, "id", symptom->id);
        json_string(&json, "kind", "symptom");
        json_string(&json, "group", symptom->group);
        json_string(&json, "severity", worst_severity(symptom));
        json_string(&json, "state", state_of(symptom->id));
        json_needs(&json, symptom);
        json_parameters(&json, symptom);
        json_string(&json, "summary", symptom->title);
        json_close(&json);
    }
    for (size_t i = 0; causes && i < rules->cause_count; i++) {
        json_open(&json, NULL, '{', true);
        json_string(&json, "id", rules->causes[i].id);
        json_string(&json, "kind", "cause");
        json_string(&json, "state", state_of(rules->causes[i].id));
        json_string(&json, "summary", rules->causes[i].title);
        json_close(&json);
    }
    json_close(&json);
}

void catalogue_list(const struct rules *rules, bool symptoms, bool causes, enum manual_form form,
                    struct out *out)
{
    if (form == MANUAL_JSON) {
        list_json(rules, symptoms, causes, out);
        return;
    }
    bool markdown = form == MANUAL_MARKDOWN;
    void (*row)(const struct symptom *, const char *, const char *, struct out *) =
        markdown ? markdown_row : text_row;
    if (markdown)
        out_literal(out, "| id | kind | severity | state | needs | summary |\n"
                         "| --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; symptoms && i < rules->symptom_count; i++)
        row(&rules->symptoms[i], rules->symptoms[i].id, rules->symptoms[i].title, out);
    for (size_t i = 0; causes && i < rules->cause_count; i++)
        row(NULL, rules->causes[i].id, rules->causes[i].title, out);
}

static void thresholds(const struct symptom *symptom, struct out *out)
{
    struct phrase phrase;
    if (symptom->use_count)
        mdoc_list("Thresholds", out);
    for (size_t i = 0; i < symptom->use_count; i++) {
        use_words(&symptom->uses[i], &phrase);
        mdoc_item(phrase.text, NULL, out);
    }
    if (symptom->use_count)
        mdoc_list_end(out);
    mdoc_paragraph("Why these", symptom->reasons, out);
}

static void verdicts(const struct symptom *symptom, struct out *out)
{
    struct phrase phrase;
    mdoc_list("Severity", out);
    for (size_t i = 0; i < symptom->severity_count; i++) {
        severity_words(&symptom->severity[i], &phrase);
        mdoc_item(phrase.text, NULL, out);
    }
    mdoc_list_end(out);
    if (symptom->gate_count)
        mdoc_list("Held back", out);
    for (size_t i = 0; i < symptom->gate_count; i++) {
        gate_entry_words(symptom, &symptom->gates[i], &phrase);
        mdoc_item(phrase.text, NULL, out);
    }
    if (symptom->gate_count)
        mdoc_list_end(out);
}

static void said(const struct symptom *symptom, struct out *out)
{
    bool titled = false;
    for (size_t i = 0; i < symptom->message_count; i++) {
        if (!message_is_told(symptom, i))
            continue;
        if (!titled)
            mdoc_list("What is said", out);
        titled = true;
        mdoc_item(symptom->messages[i].text, NULL, out);
    }
    if (titled)
        mdoc_list_end(out);
}

static double speaks_for(const struct cause *cause, const char *symptom)
{
    double most = 0;
    for (size_t i = 0; i < cause->item_count; i++)
        if (cause->items[i].symptom && strcmp(cause->items[i].symptom, symptom) == 0 &&
            cause->items[i].weight > most)
            most = cause->items[i].weight;
    return most;
}

/* The causes that the symptom speaks for, by the largest weight that it can have. */
static void symptom_causes(const struct rules *rules, const char *symptom, struct out *out)
{
    enum { STEPS = 40 }; /* weights are tenths of a nat, 4 at most */
    bool any = false;
    for (int tenths = STEPS; tenths > 0; tenths--)
        for (size_t i = 0; i < rules->cause_count; i++) {
            if ((int)lround(10 * speaks_for(&rules->causes[i], symptom)) != tenths)
                continue;
            if (!any)
                out_literal(out, ".Pp\n.Em Speaks for :\n");
            out_print(out, "%s%s %.1f", any ? ", " : "", rules->causes[i].id, tenths / 10.0);
            any = true;
        }
    if (any)
        out_literal(out, ".\n");
}

static void symptom_section(const struct rules *rules, const struct symptom *symptom,
                            struct out *out)
{
    mdoc_subsection(symptom->id, out);
    mdoc_paragraph(NULL, symptom->title, out);
    mdoc_paragraph("Meaning", symptom->meaning, out);
    mdoc_paragraph("Evidence", symptom->evidence, out);
    thresholds(symptom, out);
    verdicts(symptom, out);
    mdoc_paragraph("What else looks like it", symptom->looks_like, out);
    mdoc_paragraph("What to do", symptom->act, out);
    symptom_causes(rules, symptom->id, out);
    said(symptom, out);
}

static void symptoms_page(const struct rules *rules, struct out *out)
{
    const char *group = "";
    mdoc_head("stalldoc-symptoms", "what training runs show when they stall", out);
    mdoc_paragraph(
        NULL,
        "Every symptom that stalldoc looks for, by its id, with what it means, the "
        "evidence and its thresholds, when it is an error and when it is held back, "
        "what else looks like it, and what to do. A threshold stands behind its name; "
        "a rule file of the same id given with --rules changes it (stalldoc-rules(5)). Of the "
        "severities the first that holds is "
        "taken. Behind \"Speaks for\" stand causes with the most that the symptom weighs "
        "for them, in nats. In what is said, words in angle brackets stand "
        "for what was measured. \"stalldoc explain ID\" prints one section.",
        out);
    mdoc_paragraph(
        NULL,
        "Conditions speak of what is known of the run, by the keys of --fact, and of what was "
        "measured: points are the readings of the series, share the part of them that shows it, "
        "run and row how many in a row, ratio the factor over the usual, drop the part of the "
        "first loss that was gained, at the place in the run from 0 to 1, period the steps "
        "between repetitions. What is 1 or 0 says yes or no: at-end (it lasts to the end), "
        "sustained, moved-before, loss-falling, stuck (a metric stands at the share of one class).",
        out);
    for (size_t i = 0; i < rules->symptom_count; i++) {
        const struct symptom *symptom = &rules->symptoms[i];
        if (symptom->group && strcmp(symptom->group, group) != 0) {
            group = symptom->group;
            mdoc_section(group, out);
        }
        symptom_section(rules, symptom, out);
    }
    mdoc_tail("stalldoc-causes", out);
}

static void cause_items(const struct cause *cause, bool against, struct out *out)
{
    struct phrase phrase;
    bool any = false;
    for (size_t i = 0; i < cause->item_count; i++) {
        const struct evidence_item *item = &cause->items[i];
        if ((item->weight < 0) != against)
            continue;
        if (!any)
            mdoc_list(against ? "Against it" : "For it", out);
        any = true;
        evidence_words(item, &phrase);
        mdoc_item(item->text, phrase.text, out);
    }
    if (any)
        mdoc_list_end(out);
}

static void cause_order(const struct cause *cause, struct out *out)
{
    if (!cause->order || !cause->order[0])
        return;
    out_literal(out, ".Pp\n.Em Expected order :\n");
    for (size_t i = 0; cause->order[i]; i++)
        out_print(out, "%s%s", i == 0 ? "" : ", then ", cause->order[i]);
    out_literal(out, ".\n");
}

static void fix_title(const struct fix *fix, struct out *out)
{
    const char *numbers = fix->numbers ? fix->numbers : "";
    const size_t size = strlen(fix->title) + strlen(numbers) + strlen(fix->expect) + 16;
    char *text = block_take(size);
    if (!text) {
        out->failed = true;
        return;
    }
    snprintf(text, size, "%s%s%s. Then: %s.", fix->title, fix->numbers ? " " : "", numbers,
             fix->expect);
    mdoc_item(text, NULL, out);
    block_free(text);
}

/* One for each framework, which stands over it as a comment of its language. */
static void snippet_code(const struct snippet *snippet, struct out *out)
{
    mdoc_code(framework_title(snippet->framework), snippet->code, out);
}

static void cause_section(const struct cause *cause, struct out *out)
{
    struct phrase phrase;
    mdoc_subsection(cause->id, out);
    mdoc_paragraph(NULL, cause->title, out);
    mdoc_paragraph("Meaning", cause->meaning, out);
    condition_words(cause->unless, &phrase);
    mdoc_paragraph("Out of the question where", phrase.text, out);
    cause_items(cause, false, out);
    cause_items(cause, true, out);
    cause_order(cause, out);
    if (cause->fix_count)
        mdoc_list("Fixes", out);
    for (size_t i = 0; i < cause->fix_count; i++) {
        fix_title(&cause->fixes[i], out);
        for (size_t k = 0; k < cause->fixes[i].snippet_count; k++)
            snippet_code(&cause->fixes[i].snippets[k], out);
    }
    if (cause->fix_count)
        mdoc_list_end(out);
}

void catalogue_manual(const struct rules *rules, bool causes, struct out *out)
{
    if (!causes) {
        symptoms_page(rules, out);
        return;
    }
    mdoc_head("stalldoc-causes", "why training runs stall", out);
    mdoc_paragraph(
        NULL,
        "Every cause that stalldoc knows, by its id, with what speaks for it and "
        "against it, and what to change. The symptom in brackets is a section of "
        "stalldoc-symptoms(7); behind it stands how much it weighs, in nats: 0.7 is "
        "2 to 1, 1.4 is 4 to 1, 2.3 is 10 to 1, 3 is 20 to 1. Words in angle brackets "
        "stand for what is known of the run; numbers in code are those that stand there "
        "where nothing is. \"stalldoc explain ID\" prints one section, with the code for every "
        "framework.",
        out);
    mdoc_section("causes", out);
    for (size_t i = 0; i < rules->cause_count; i++)
        cause_section(&rules->causes[i], out);
    mdoc_tail("stalldoc-symptoms", out);
}
