/* A cause as text: what it is, the curve, for and against, and what to do. */
/* SPDX-License-Identifier: MIT */
#include "report/text_cause.h"

#include "report/lines.h"
#include "report/quote.h"
#include "report/sparkline.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { INDENT = 3, FIX_INDENT = 10, CODE_INDENT = 5, FIXES_MAX = 3, PRINTED_MAX = 32 };

struct printed_fix { /* so that one is told once */
    struct text title, numbers;
    size_t cause, fix; /* from 1 */
};

struct teller {
    const struct diagnosis *diagnosis;
    const struct verdict *verdict;
    const struct report_options *options;
    struct out *out;
    struct quotes quotes;
    struct place quoted[8]; /* lines already shown */
    size_t quoted_count;
    struct printed_fix printed[PRINTED_MAX];
    size_t printed_count;
    const struct series *plotted;
    char bare[4096]; /* a line without its colours */
};

void text_heading(const char *words, struct out *out)
{
    out_literal(out, "\n");
    out_style(out, STYLE_STRONG);
    out_literal(out, words);
    out_style(out, STYLE_PLAIN);
    out_literal(out, "\n");
}

static void sentence(struct flow *flow, struct text text)
{
    char first[1] = {0};
    if (text.size == 0)
        return;
    first[0] = text.data[0];
    if (first[0] >= 'a' && first[0] <= 'z')
        first[0] = (char)(first[0] - 'a' + 'A');
    flow_text(flow, (struct text){first, 1});
    flow_text(flow, text_cut(text, 1, text.size));
    if (!text_ends(text, ".") && !text_ends(text, "?"))
        flow_string(flow, ".");
}

static void write_title(const struct teller *teller, const struct ranked *ranked, size_t rank)
{
    struct out *out = teller->out;
    char score[24];
    snprintf(score, sizeof(score), "score %.2f", ranked->score);
    out_print(out, "%zu  ", rank);
    out_style(out, STYLE_STRONG);
    out_literal(out, ranked->cause->id);
    out_style(out, STYLE_PLAIN);
    int width = out->width - 1 < 75 ? out->width - 1 : 75;
    do
        out_literal(out, " ");
    while (out->column < width - (int)strlen(score));
    out_print(out, "%s\n", score);
    struct flow flow;
    flow_begin(&flow, out, INDENT, INDENT);
    sentence(&flow, text_of(ranked->cause->title));
    flow_end(&flow);
}

/* The curve of the weightiest finding that has one; not the same curve twice. */
static void write_plot(struct teller *teller, const struct ranked *ranked)
{
    struct plot plot;
    const struct finding *finding = NULL;
    for (size_t i = 0; i < ranked->argument_count && !finding; i++)
        if (ranked->arguments[i].nats > 0 && ranked->arguments[i].finding &&
            ranked->arguments[i].finding->candidate.series)
            finding = ranked->arguments[i].finding;
    if (!finding || finding->candidate.series == teller->plotted)
        return;
    size_t label = text_width(finding->candidate.series->tag);
    label = label < 9 ? 9 : label > 24 ? 24 : label;
    size_t columns = (size_t)teller->out->width - 1 - INDENT - 2 - label;
    if (!plot_make(finding, columns, &plot))
        return;
    for (size_t i = 0; i < ranked->argument_count; i++) {
        const struct finding *other = ranked->arguments[i].finding;
        if (other && other != finding && ranked->arguments[i].nats > 0)
            plot_mark(&plot, other->candidate.onset.step, isfinite(other->candidate.onset.value),
                      other->symptom->id);
    }
    teller->plotted = finding->candidate.series;
    out_literal(teller->out, "\n");
    plot_print(&plot, INDENT, teller->out);
}

/* Where an argument rests on a line, that line. */
static struct text line_of(struct teller *teller, const struct argument *argument,
                           const struct place *place)
{
    struct text line = TEXT("");
    const struct finding *finding = argument->finding;
    if (finding && finding->candidate.message && finding->candidate.message->line.size)
        return finding->candidate.message->line;
    if (quote_line(&teller->quotes, place, &line))
        return line;
    return finding ? finding_line(finding, place) : TEXT("");
}

static bool is_word(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_';
}

/* Where in its line stands what the argument is about: the name of the series, the message. */
static size_t focus_of(const struct argument *argument, struct text line)
{
    const struct candidate *candidate = argument->finding ? &argument->finding->candidate : NULL;
    if (candidate && candidate->message)
        return candidate->message->column < line.size ? candidate->message->column : 0;
    if (!candidate || !candidate->series)
        return 0;
    struct text name = candidate->series->tag;
    for (size_t i = 0; i < name.size; i++)
        if (candidate->series->tag.data[i] == '/')
            name = text_cut(candidate->series->tag, i + 1, name.size);
    size_t at = 0;
    while (name.size && at < line.size) {
        at += text_find(text_cut(line, at, line.size), name);
        if (at < line.size && (at == 0 || !is_word(line.data[at - 1])))
            return at;
        at++;
    }
    return 0;
}

/* The line cut to `room` columns, so that what is at `focus` is seen with what follows. */
static void write_part(struct text line, size_t focus, size_t room, struct out *out)
{
    enum { DOTS = 3, BEFORE = 12, BEHIND = 24 }; /* columns beside the focus */
    if (text_width(line) <= room) {
        out_text(out, line);
        return;
    }
    if (text_width(text_cut(line, 0, focus)) + BEHIND > room) {
        size_t start = focus > BEFORE ? focus - BEFORE : 0;
        while (start > 0 && start < focus && ((unsigned char)line.data[start] & 0xc0) == 0x80)
            start++; /* not inside a code point */
        out_literal(out, "...");
        room -= DOTS;
        line = text_cut(line, start, line.size);
    }
    size_t size = text_fit(line, room);
    if (size < line.size)
        size = text_fit(line, room - DOTS);
    out_text(out, text_cut(line, 0, size));
    if (size < line.size)
        out_literal(out, "...");
}

/* Colours of a terminal take the room of what stands behind them. */
static struct text without_colours(struct teller *teller, struct text line)
{
    size_t size = 0;
    if (line.size > sizeof(teller->bare) || text_find(line, TEXT("\033[")) == line.size)
        return line;
    for (size_t i = 0; i < line.size; i++) {
        size_t end = i + 2;
        if (text_starts(text_cut(line, i, 2), "\033["))
            while (end < line.size && ((line.data[end] >= '0' && line.data[end] <= '9') ||
                                       line.data[end] == ';' || line.data[end] == ':'))
                end++;
        if (end > i + 1 && end < line.size && line.data[i] == '\033' && line.data[end] == 'm' &&
            line.data[i + 1] == '[')
            i = end;
        else
            teller->bare[size++] = line.data[i];
    }
    return (struct text){teller->bare, size};
}

/* `  1872 | the line`, once, and not where the argument is the line itself. True: it is shown. */
static bool write_quote(struct teller *teller, const struct argument *argument,
                        const struct place *place)
{
    struct out *out = teller->out;
    for (size_t i = 0; i < teller->quoted_count; i++)
        if (teller->quoted[i].input == place->input && teller->quoted[i].line == place->line)
            return true;
    struct text raw = line_of(teller, argument, place);
    struct text bare = without_colours(teller, raw);
    if (focus_of(argument, bare) > (size_t)out->width / 2)
        raw = bare;
    struct text line = text_trim(raw);
    if (line.size == 0 || teller->quoted_count == sizeof(teller->quoted) / sizeof(struct place) ||
        text_find(line, argument->text) < line.size)
        return false;
    teller->quoted[teller->quoted_count++] = *place;
    size_t focus = focus_of(argument, raw), skipped = (size_t)(line.data - raw.data);
    out_print(out, "     %" PRIu64 " | ", place->line);
    write_part(line, focus > skipped ? focus - skipped : 0, (size_t)(out->width - 1 - out->column),
               out);
    out_literal(out, "\n");
    return true;
}

/* True: its line is quoted. */
static bool write_argument(struct teller *teller, const struct argument *argument, bool quote)
{
    struct flow flow;
    struct place place = argument->place;
    if (place.input == 0 && argument->finding)
        place = finding_place(teller->verdict->run, argument->finding);
    flow_begin(&flow, teller->out, INDENT, INDENT + 2);
    if (place.input)
        line_place(&flow, teller->diagnosis, &place);
    bool whole = teller->options->verbose;
    bool own =
        argument->finding && argument->finding->candidate.message &&
        text_equal(argument->text, text_cut(argument->finding->message, 0, argument->text.size));
    flow_quoted(&flow, own && !whole ? finding_core(argument->finding) : argument->text,
                whole ? SIZE_MAX : QUOTED_COLUMNS);
    if (argument->finding)
        flow_print(&flow, " [%s]", argument->finding->symptom->id);
    flow_end(&flow);
    return quote && place.line && write_quote(teller, argument, &place);
}

static void write_arguments(struct teller *teller, const struct ranked *ranked)
{
    struct out *out = teller->out;
    bool any = false;
    out_print(out, "\n%*sbecause\n", INDENT, "");
    for (size_t i = 0; i < ranked->argument_count; i++)
        if (ranked->arguments[i].nats >= 0) {
            any = write_argument(teller, &ranked->arguments[i], !any) || any;
        }
    if (ranked->chain.size && ranked->order > 0) {
        struct flow flow;
        flow_begin(&flow, out, INDENT, INDENT + 2);
        flow_string(&flow, "in the expected order: ");
        flow_text(&flow, ranked->chain);
        flow_end(&flow);
    }
    any = false;
    for (size_t i = 0; i < ranked->argument_count; i++)
        if (ranked->arguments[i].nats < 0) {
            if (!any)
                out_print(out, "%*sagainst\n", INDENT, "");
            write_argument(teller, &ranked->arguments[i], false);
            any = true;
        }
    if (ranked->order < 0) {
        if (!any)
            out_print(out, "%*sagainst\n", INDENT, "");
        out_print(out, "%*snot in the expected order\n", INDENT, "");
    }
}

const char *framework_title(const char *name)
{
    static const struct {
        const char *name, *title;
    } titles[] = {
        {"pytorch", "PyTorch"},
        {"transformers", "Transformers"},
        {"lightning", "Lightning"},
        {"keras", "Keras"},
        {"jax", "JAX"},
        {"megatron", "Megatron-LM"},
        {"deepspeed", "DeepSpeed"},
    };
    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
        if (strcmp(name, titles[i].name) == 0)
            return titles[i].title;
    return NULL;
}

static const struct snippet *snippet_named(const struct fix *fix, struct text framework)
{
    for (size_t i = 0; i < fix->snippet_count; i++)
        if (text_is(framework, fix->snippets[i].framework))
            return &fix->snippets[i];
    return NULL;
}

/* The framework asked for, that of the log, what it is built on, code for all, else the first. */
static const struct snippet *choose_snippet(const struct teller *teller, const struct fix *fix)
{
    struct text wanted = text_of(teller->options->framework);
    if (wanted.size == 0) {
        const struct fact *fact = run_fact(teller->verdict->run, "framework", STEP_NONE);
        if (fact && fact->state == FACT_KNOWN)
            wanted = fact->value;
    }
    const struct snippet *snippet = snippet_named(fix, wanted);
    bool torch = text_is(wanted, "transformers") || text_is(wanted, "lightning") ||
                 text_is(wanted, "deepspeed") || text_is(wanted, "megatron") ||
                 text_is(wanted, "fairseq");
    if (!snippet && text_is(wanted, "tensorflow"))
        snippet = snippet_named(fix, TEXT("keras"));
    if (!snippet && torch)
        snippet = snippet_named(fix, TEXT("pytorch"));
    if (!snippet)
        snippet = snippet_named(fix, TEXT("any"));
    if (!snippet && fix->snippet_count && wanted.size == 0)
        snippet = &fix->snippets[0];
    return snippet;
}

static void write_snippet(const struct teller *teller, const struct filled_fix *filled)
{
    struct out *out = teller->out;
    const struct snippet *snippet = choose_snippet(teller, filled->fix);
    if (!snippet)
        return;
    const char *title = framework_title(snippet->framework);
    if (title && strcmp(snippet->language, "json") != 0)
        out_print(out, "%*s# %s\n", CODE_INDENT, "", title);
    struct text rest = filled->codes[snippet - filled->fix->snippets];
    while (rest.size) {
        size_t end = text_find(rest, TEXT("\n"));
        out_print(out, "%*s", CODE_INDENT, "");
        out_text(out, text_cut(rest, 0, end));
        out_literal(out, "\n");
        rest = text_cut(rest, end + 1, rest.size);
    }
}

static const struct printed_fix *
printed_before(struct teller *teller, const struct filled_fix *filled, size_t cause, size_t fix)
{
    for (size_t i = 0; i < teller->printed_count; i++)
        if (text_equal(teller->printed[i].title, filled->title) &&
            text_equal(teller->printed[i].numbers, filled->numbers))
            return &teller->printed[i];
    if (teller->printed_count < PRINTED_MAX)
        teller->printed[teller->printed_count++] =
            (struct printed_fix){filled->title, filled->numbers, cause, fix};
    return NULL;
}

static void write_fix(struct teller *teller, const struct filled_fix *filled, size_t cause,
                      size_t fix)
{
    struct flow flow;
    const struct printed_fix *before = printed_before(teller, filled, cause, fix);
    out_print(teller->out, "%*sfix %zu  ", INDENT, "", fix);
    flow_begin(&flow, teller->out, FIX_INDENT, FIX_INDENT);
    if (before) {
        flow_text(&flow, filled->title);
        flow_print(&flow, ": fix %zu of cause %zu.", before->fix, before->cause);
        flow_end(&flow);
        return;
    }
    flow_text(&flow, filled->title);
    if (filled->numbers.size) {
        flow_string(&flow, " ");
        flow_text(&flow, filled->numbers);
    }
    if (!text_ends(filled->numbers.size ? filled->numbers : filled->title, "."))
        flow_string(&flow, ".");
    if (filled->expect.size) {
        flow_string(&flow, " Then: ");
        flow_text(&flow, filled->expect);
        if (!text_ends(filled->expect, "."))
            flow_string(&flow, ".");
    }
    flow_end(&flow);
    write_snippet(teller, filled);
}

static void write_resume(const struct teller *teller)
{
    const struct verdict *verdict = teller->verdict;
    if (verdict->last_good_step == STEP_NONE)
        return;
    struct flow flow;
    flow_begin(&flow, teller->out, INDENT, INDENT + 2);
    flow_print(&flow, "Resume from step %" PRId64 " or earlier", verdict->last_good_step);
    if (verdict->last_good_checkpoint.size) {
        flow_string(&flow, ": ");
        flow_text(&flow, verdict->last_good_checkpoint);
    }
    flow_string(&flow, ".");
    flow_end(&flow);
}

static void write_cause(struct teller *teller, size_t index)
{
    const struct ranked *ranked = &teller->verdict->causes[index];
    out_literal(teller->out, "\n");
    write_title(teller, ranked, index + 1);
    if (teller->options->evidence) {
        if (teller->options->sparkline)
            write_plot(teller, ranked);
        write_arguments(teller, ranked);
    }
    if (!teller->options->fixes)
        return;
    size_t most = teller->options->verbose ? SIZE_MAX : FIXES_MAX;
    if (ranked->fix_count)
        out_literal(teller->out, "\n");
    for (size_t i = 0; i < ranked->fix_count && i < most; i++)
        write_fix(teller, &ranked->fixes[i], index + 1, i + 1);
    if (index == 0)
        write_resume(teller);
}

void text_causes(const struct diagnosis *diagnosis, const struct verdict *verdict,
                 const struct report_options *options, struct out *out)
{
    const double least = 0.15; /* weaker ones help nobody at night; -v shows them */
    struct teller teller = {
        .diagnosis = diagnosis,
        .verdict = verdict,
        .options = options,
        .out = out,
        .quotes = {.collection = diagnosis->collection, .unread = options->stdin_input},
    };
    size_t shown = 0, count = 0;
    while (count < verdict->cause_count && count < options->causes &&
           (count == 0 || verdict->causes[count].score >= least || options->verbose))
        count++;
    if (verdict->cause_count == 0 && options->causes && verdict->status == STATUS_FAILING)
        text_heading("NO KNOWN CAUSE fits what was found", out);
    if (count)
        text_heading(count == 1 ? "CAUSE" : "CAUSES, most likely first", out);
    while (shown < count)
        write_cause(&teller, shown++);
    quotes_close(&teller.quotes);
}
