/* What was read, for a person: inputs, facts, series, tensors, and the lines by their form. */
/* SPDX-License-Identifier: MIT */
#include "report/inspect.h"

#include "report/flow.h"
#include "stalldoc/number.h"
#include <inttypes.h>
#include <math.h>

enum { TEMPLATES_SHOWN = 20 };

static void pad(struct out *out, int column)
{
    do
        out_literal(out, " ");
    while (out->column < column);
}

/* Without the path, where that leads it. */
static const char *reason_of(const struct source *source)
{
    const char *message = source->error.message;
    const char *behind = message + source->path.size;
    struct text text = text_of(message);
    bool led = text.size > source->path.size + 2 &&
               text_equal(text_cut(text, 0, source->path.size), source->path) && behind[0] == ':' &&
               behind[1] == ' ';
    return led ? behind + 2 : message;
}

static void write_input(const struct source *source, struct out *out)
{
    struct flow flow;
    flow_begin(&flow, out, 0, 2);
    flow_text(&flow, source->path);
    flow_string(&flow, ": ");
    if (source->unread) {
        flow_print(&flow, "%s: %s", input_status_name(source->status), reason_of(source));
        flow_end(&flow);
        return;
    }
    flow_text(&flow, source->type.size ? source->type : TEXT("not read"));
    if (source->dialect.size) {
        flow_string(&flow, " (");
        flow_text(&flow, source->dialect);
        flow_string(&flow, ")");
    }
    flow_print(&flow, ", %" PRIu64 " bytes", source->bytes);
    if (!source->binary)
        flow_print(&flow,
                   ", %" PRIu64 " lines: %" PRIu64 " understood of %" PRIu64 " with a number",
                   source->counts.lines, source->counts.understood, source->counts.with_number);
    if (source->counts.cut)
        flow_print(&flow, ", %" PRIu64 " cut", source->counts.cut);
    if (source->binary && source->step != STEP_NONE)
        flow_print(&flow, ", step %" PRId64, source->step);
    if (source->binary && source->epoch != STEP_NONE)
        flow_print(&flow, ", epoch %" PRId64, source->epoch);
    if (source->status != STATUS_OK)
        flow_print(&flow, "; %s: %s", input_status_name(source->status), reason_of(source));
    flow_end(&flow);
}

/* "line 3"; of a run of several inputs "config.yaml:3". */
static void print_place(struct flow *flow, const struct run *run, const struct place *place)
{
    const struct collection *collection = run->collection;
    if (run->input_count < 2 || !collection || place->input > collection->source_count) {
        flow_print(flow, ", line %" PRIu64, place->line);
        return;
    }
    const struct text path = collection->sources[place->input - 1].path;
    flow_string(flow, ", ");
    flow_text(flow, text_cut(path, text_behind(path, '/'), path.size));
    flow_print(flow, ":%" PRIu64, place->line);
}

static void write_facts(const struct run *run, struct out *out)
{
    if (run->fact_count)
        out_literal(out, "\nFACTS\n");
    for (size_t i = 0; i < run->fact_count; i++) {
        const struct fact *fact = &run->facts[i];
        struct flow flow;
        flow_begin(&flow, out, 2, 4);
        flow_text(&flow, fact->key);
        flow_string(&flow, " = ");
        flow_text(&flow, fact->state == FACT_NONE ? TEXT("none") : fact->value);
        flow_print(&flow, " (%s", fact_source_name(fact->source));
        if (fact->place.line && fact->place.input)
            print_place(&flow, run, &fact->place);
        if (fact->step != STEP_NONE)
            flow_print(&flow, ", from step %" PRId64, fact->step);
        flow_string(&flow, fact->in_force ? ")" : ", not in force)");
        flow_end(&flow);
    }
}

static void print_point(struct out *out, const struct point *point)
{
    char value[40];
    number_print_short(point->value, value);
    out_print(out, "%s", value);
    if (point->step != STEP_NONE)
        out_print(out, " @ %" PRId64, point->step);
}

static void write_series_row(const struct series *series, int width, struct out *out)
{
    const struct track *track = &series->whole;
    out_literal(out, series->main ? "* " : "  ");
    out_text(out, series->tag);
    pad(out, width);
    out_print(out, "%s", kind_name(series->kind));
    pad(out, width + 15);
    out_print(out, "%" PRIu64, track->points);
    pad(out, width + 24);
    if (track->points) {
        print_point(out, &track->first);
        out_literal(out, " -> ");
        print_point(out, &track->last);
    }
    if (track_bad(track))
        out_print(out, "  %" PRIu64 " not finite", track_bad(track));
    out_literal(out, "\n");
}

static void write_series(const struct run *run, const struct inspect_options *options,
                         struct out *out)
{
    enum { NAME_MOST = 40 };
    size_t shown = 0;
    int width = 10;
    for (size_t i = 0; i < run->series_count; i++) {
        int size = (int)text_width(run->series[i].tag);
        if (size > width && inspect_takes(options->series_glob, run->series[i].tag))
            width = size < NAME_MOST ? size : NAME_MOST;
    }
    width += 4;
    for (size_t i = 0; i < run->series_count; i++) {
        if (!inspect_takes(options->series_glob, run->series[i].tag))
            continue;
        if (shown == 0) {
            out_literal(out, "\nSERIES (* stands for its kind)");
            out_literal(out, "\n  name");
            pad(out, width);
            out_literal(out, "kind");
            pad(out, width + 15);
            out_literal(out, "points");
            pad(out, width + 24);
            out_literal(out, "first -> last (value @ step)\n");
        }
        if (options->head && shown >= options->head)
            break;
        shown++;
        write_series_row(&run->series[i], width, out);
    }
}

static void write_tensor(const struct tensor *tensor, struct out *out)
{
    char norm[40], largest[40], mean[40], deviation[40];
    out_literal(out, "  ");
    out_text(out, tensor->name);
    out_literal(out, "  ");
    out_text(out, dtype_word(tensor->dtype, tensor->type));
    out_literal(out, " [");
    for (int i = 0; i < tensor->rank; i++)
        out_print(out, "%s%" PRId64, i ? ", " : "", tensor->shape[i]);
    out_literal(out, "]");
    if (tensor->measured) {
        struct tensor_figures figures = tensor_figures(&tensor->stats);
        number_print_short(figures.norm, norm);
        number_print_short(figures.largest, largest);
        number_print_short(figures.mean, mean);
        number_print_short(figures.deviation, deviation);
        out_print(out, "  norm %s, largest %s, mean %s, deviation %s", norm, largest, mean,
                  deviation);
        if (tensor->stats.nan)
            out_print(out, ", %" PRIu64 " NaN", tensor->stats.nan);
        if (tensor->stats.inf)
            out_print(out, ", %" PRIu64 " infinite", tensor->stats.inf);
    }
    out_literal(out, "\n");
}

static void write_tensors(const struct run *run, const struct inspect_options *options,
                          struct out *out)
{
    size_t shown = 0;
    for (size_t i = 0; i < run->tensor_count; i++) {
        if (!inspect_takes(options->tensors_glob, run->tensors[i].name))
            continue;
        if (shown == 0)
            out_literal(out, "\nTENSORS\n");
        if (options->head && shown >= options->head)
            break;
        shown++;
        write_tensor(&run->tensors[i], out);
    }
}

static void write_compared(const struct compared *compared, struct out *out)
{
    char change[40], angle[40];
    const struct tensor_pair *pair = &compared->pair;
    out_literal(out, "  ");
    out_text(out, compared->b->name);
    if (pair->identical) {
        out_literal(out, "  identical\n");
        return;
    }
    number_print_short(pair->diff_l2, change);
    out_print(out, "  moved by %s", change);
    if (isfinite(pair->relative)) {
        number_print_short(pair->relative, change);
        out_print(out, ", %s of its norm", change);
    }
    if (!isnan(pair->cosine)) {
        number_print_short(pair->cosine, angle);
        out_print(out, ", cosine %s", angle);
    }
    out_literal(out, "\n");
}

static void write_step(int64_t step, struct out *out)
{
    if (step != STEP_NONE)
        out_print(out, " (step %" PRId64 ")", step);
}

/* Consecutive checkpoints of a line. */
static void write_pair(const struct collection *collection, const struct movement *movement,
                       const struct inspect_options *options, struct out *out)
{
    size_t shown = 0;
    out_literal(out, "\nFROM ");
    out_text(out, collection->sources[movement->a - 1].path);
    write_step(movement->a_step, out);
    out_literal(out, " TO ");
    out_text(out, collection->sources[movement->b - 1].path);
    write_step(movement->b_step, out);
    out_print(out, ": %zu tensors compared, %" PRIu64 " identical", movement->tensor_count,
              movement->identical);
    if (movement->others)
        out_print(out, ", %" PRIu64 " of another form", movement->others);
    out_literal(out, "\n");
    for (size_t i = 0; i < movement->tensor_count; i++) {
        if (!inspect_takes(options->tensors_glob, movement->tensors[i].b->name))
            continue;
        if (options->head && shown++ >= options->head)
            break;
        write_compared(&movement->tensors[i], out);
    }
}

static void write_messages(const struct run *run, struct out *out)
{
    if (run->message_count)
        out_literal(out, "\nKNOWN MESSAGES\n");
    for (size_t i = 0; i < run->message_count; i++) {
        const struct message *message = &run->messages[i];
        out_print(out, "  %s x%" PRIu64 ", first in line %" PRIu64 "\n", message->row->id,
                  message->count, message->place.line);
    }
}

static void write_templates(const struct collection *collection,
                            const struct inspect_options *options, bool understood, struct out *out)
{
    size_t most = options->head ? options->head : TEMPLATES_SHOWN, shown = 0, left = 0;
    for (size_t i = 0; i < collection->template_count; i++) {
        const struct template_seen *template = &collection->templates[i];
        if (template->understood != understood)
            continue;
        if (shown >= most) {
            left++;
            continue;
        }
        if (shown++ == 0)
            out_literal(out, understood ? "\nLINES UNDERSTOOD (# a number)\n"
                                        : "\nLINES NOT UNDERSTOOD\n");
        out_print(out, "%8" PRIu64 " x  ", template->count);
        struct text text = text_trim(template->text);
        size_t room = (size_t)(out->width - 1 - out->column);
        bool cut = text.size > room;
        out_text(out, cut ? text_cut(text, 0, room - 3) : text);
        out_literal(out, cut ? "...\n" : "\n");
    }
    if (left)
        out_print(out, "%8zu forms more (--head=N shows N)\n", left);
}

void inspect_text(const struct collection *collection, const struct inspect_options *options,
                  struct out *out)
{
    bool all = options->series && options->tensors;
    for (size_t i = 0; all && i < collection->source_count; i++)
        write_input(&collection->sources[i], out);
    for (size_t i = 0; i < collection->run_count; i++) {
        const struct run *run = &collection->runs[i];
        if (collection->run_count > 1 || all) {
            out_literal(out, "\nRUN ");
            out_text(out, run->id);
            out_literal(out, "\n");
        }
        if (all)
            write_facts(run, out);
        if (options->series)
            write_series(run, options, out);
        if (options->tensors)
            write_tensors(run, options, out);
        for (size_t k = 0; options->tensors && k < run->movement_count; k++)
            write_pair(collection, &run->movements[k], options, out);
        if (all)
            write_messages(run, out);
    }
    if (all) {
        write_templates(collection, options, true, out);
        write_templates(collection, options, false, out);
    }
}
