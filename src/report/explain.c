/* What a symptom or a cause means, from its rule file. */
/* SPDX-License-Identifier: MIT */
#include "report/flow.h"
#include "report/json_write.h"
#include "report/text_cause.h"

#include <string.h>

static void paragraph(const char *title, const char *text, struct out *out)
{
    struct flow flow;
    if (!text || !*text)
        return;
    out_print(out, "\n%s\n", title);
    flow_begin(&flow, out, 2, 2);
    flow_string(&flow, text);
    flow_end(&flow);
}

static void head(const char *id, const char *kind, const char *title, struct out *out)
{
    struct flow flow;
    out_style(out, STYLE_STRONG);
    out_literal(out, id);
    out_style(out, STYLE_PLAIN);
    out_print(out, " (%s)\n", kind);
    flow_begin(&flow, out, 2, 2);
    flow_string(&flow, title);
    flow_end(&flow);
}

static void item_text(const char *text, struct out *out)
{
    struct flow flow;
    flow_begin(&flow, out, 2, 4);
    flow_string(&flow, text);
    flow_end(&flow);
}

static void symptom_numbers(const struct symptom *symptom, struct out *out)
{
    struct phrase phrase;
    if (symptom->use_count)
        out_literal(out, "\nTHRESHOLDS\n");
    for (size_t i = 0; i < symptom->use_count; i++) {
        use_words(&symptom->uses[i], &phrase);
        item_text(phrase.text, out);
    }
    paragraph("WHY THESE", symptom->reasons, out);
    out_literal(out, "\nSEVERITY\n");
    for (size_t i = 0; i < symptom->severity_count; i++) {
        severity_words(&symptom->severity[i], &phrase);
        item_text(phrase.text, out);
    }
    if (symptom->gate_count)
        out_literal(out, "\nHELD BACK\n");
    for (size_t i = 0; i < symptom->gate_count; i++) {
        gate_entry_words(symptom, &symptom->gates[i], &phrase);
        item_text(phrase.text, out);
    }
}

static void said(const struct symptom *symptom, struct out *out)
{
    bool titled = false;
    for (size_t i = 0; i < symptom->message_count; i++) {
        if (!message_is_told(symptom, i))
            continue;
        if (!titled)
            out_literal(out, "\nWHAT IS SAID\n");
        titled = true;
        item_text(symptom->messages[i].text, out);
    }
}

static void symptom_text(const struct symptom *symptom, struct out *out)
{
    head(symptom->id, "symptom", symptom->title, out);
    paragraph("MEANING", symptom->meaning, out);
    paragraph("HOW IT IS FOUND", symptom->evidence, out);
    symptom_numbers(symptom, out);
    paragraph("WHAT ELSE LOOKS LIKE IT", symptom->looks_like, out);
    paragraph("WHAT TO DO", symptom->act, out);
    said(symptom, out);
}

static void code_text(const char *code, struct out *out)
{
    while (*code) {
        size_t size = strcspn(code, "\n");
        out_literal(out, "     ");
        out_text(out, (struct text){code, size});
        out_literal(out, "\n");
        code += size + (code[size] == '\n');
    }
}

static void fix_text(const struct fix *fix, size_t number, struct out *out)
{
    struct flow flow;
    out_print(out, "  %zu  ", number);
    flow_begin(&flow, out, 5, 5);
    flow_string(&flow, fix->title);
    if (fix->numbers)
        flow_string(&flow, " ");
    if (fix->numbers)
        flow_string(&flow, fix->numbers);
    flow_string(&flow, ".");
    if (fix->expect && *fix->expect) {
        flow_string(&flow, " Then: ");
        flow_string(&flow, fix->expect);
        flow_string(&flow, ".");
    }
    flow_end(&flow);
    for (size_t i = 0; i < fix->snippet_count; i++) {
        const char *title = framework_title(fix->snippets[i].framework);
        if (title)
            out_print(out, "     # %s\n", title);
        code_text(fix->snippets[i].code, out);
    }
}

static void cause_text(const struct cause *cause, struct out *out)
{
    head(cause->id, "cause", cause->title, out);
    paragraph("MEANING", cause->meaning, out);
    struct phrase unless;
    condition_words(cause->unless, &unless);
    paragraph("OUT OF THE QUESTION WHERE", unless.text, out);
    for (int against = 0; against < 2; against++) {
        bool titled = false;
        for (size_t i = 0; i < cause->item_count; i++) {
            const struct evidence_item *item = &cause->items[i];
            struct flow flow;
            struct phrase phrase;
            if ((item->weight < 0) != (against == 1))
                continue;
            if (!titled)
                out_literal(out, against ? "\nAGAINST IT\n" : "\nFOR IT\n");
            titled = true;
            flow_begin(&flow, out, 2, 4);
            flow_string(&flow, item->text);
            evidence_words(item, &phrase);
            flow_string(&flow, " [");
            flow_string(&flow, phrase.text);
            flow_string(&flow, "]");
            flow_end(&flow);
        }
    }
    if (cause->order && cause->order[0])
        out_literal(out, "\nEXPECTED ORDER\n ");
    for (size_t i = 0; cause->order && cause->order[i]; i++)
        out_print(out, " %s%s", cause->order[i], cause->order[i + 1] ? "," : "\n");
    if (cause->fix_count)
        out_literal(out, "\nFIXES\n");
    for (size_t i = 0; i < cause->fix_count; i++)
        fix_text(&cause->fixes[i], i + 1, out);
}

static void symptom_json(struct json *json, const struct symptom *symptom)
{
    json_open(json, "symptom", '{', false);
    json_string(json, "id", symptom->id);
    json_string(json, "group", symptom->group);
    json_string(json, "title", symptom->title);
    json_string(json, "meaning", symptom->meaning);
    json_string(json, "evidence", symptom->evidence);
    json_string(json, "looks_like", symptom->looks_like);
    json_string(json, "do", symptom->act);
    json_close(json);
}

static void cause_json(struct json *json, const struct cause *cause)
{
    json_open(json, "cause", '{', false);
    json_string(json, "id", cause->id);
    json_string(json, "title", cause->title);
    json_string(json, "meaning", cause->meaning);
    json_open(json, "fixes", '[', false);
    for (size_t i = 0; i < cause->fix_count; i++) {
        json_open(json, NULL, '{', true);
        json_string(json, "title", cause->fixes[i].title);
        json_string(json, "effort", cause->fixes[i].effort);
        json_string(json, "expect", cause->fixes[i].expect);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

/* <name> is no tag. */
static void markdown_text(const char *text, struct out *out)
{
    while (*text) {
        size_t size = strcspn(text, "<");
        out_text(out, (struct text){text, size});
        text += size;
        if (*text == '<')
            out_literal(out, "\\<");
        text += *text == '<';
    }
}

static void markdown_part(const char *title, const char *text, struct out *out)
{
    if (!text || !*text)
        return;
    out_print(out, "\n**%s.** ", title);
    markdown_text(text, out);
    out_literal(out, "\n");
}

static void markdown_snippet(const struct snippet *snippet, struct out *out)
{
    const char *title = framework_title(snippet->framework);
    out_print(out, "\n```%s\n", snippet->language);
    if (title)
        out_print(out, "# %s\n", title);
    out_literal(out, snippet->code);
    out_literal(out, "\n```\n");
}

static void symptom_markdown(const struct symptom *symptom, struct out *out)
{
    out_print(out, "### %s\n\n", symptom->id);
    out_text(out, text_of(symptom->title));
    out_literal(out, "\n");
    markdown_part("Meaning", symptom->meaning, out);
    markdown_part("How it is found", symptom->evidence, out);
    markdown_part("What else looks like it", symptom->looks_like, out);
    markdown_part("What to do", symptom->act, out);
}

static void cause_markdown(const struct cause *cause, struct out *out)
{
    out_print(out, "### %s\n\n", cause->id);
    out_text(out, text_of(cause->title));
    out_literal(out, "\n");
    markdown_part("Meaning", cause->meaning, out);
    for (size_t i = 0; i < cause->fix_count; i++) {
        const struct fix *fix = &cause->fixes[i];
        out_print(out, "\n%zu. ", i + 1);
        markdown_text(fix->title, out);
        out_literal(out, "\n");
        for (size_t k = 0; k < fix->snippet_count; k++)
            markdown_snippet(&fix->snippets[k], out);
    }
}

void explain(const struct symptom *symptom, const struct cause *cause, enum manual_form form,
             struct out *out)
{
    if (form == MANUAL_JSON) {
        struct json json = {.out = out};
        json_open(&json, NULL, '{', false);
        if (symptom)
            symptom_json(&json, symptom);
        if (cause)
            cause_json(&json, cause);
        json_close(&json);
        return;
    }
    bool markdown = form == MANUAL_MARKDOWN;
    if (symptom)
        (markdown ? symptom_markdown : symptom_text)(symptom, out);
    if (symptom && cause)
        out_literal(out, "\n");
    if (cause)
        (markdown ? cause_markdown : cause_text)(cause, out);
}
