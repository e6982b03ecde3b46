/* What was read, as JSON. */
/* SPDX-License-Identifier: MIT */
#include "report/inspect.h"

#include <math.h>

static void write_stats(struct json *json, const struct tensor *tensor)
{
    const struct tensor_stats *stats = &tensor->stats;
    struct tensor_figures figures = tensor_figures(stats);
    json_unsigned(json, "count", stats->count);
    json_number(json, "l2", figures.norm);
    json_number(json, "absmax", figures.largest);
    if (figures.finite) {
        json_number(json, "min", stats->low);
        json_number(json, "max", stats->high);
        json_number(json, "mean", figures.mean);
        json_number(json, "std", figures.deviation);
    }
    json_unsigned(json, "nan", stats->nan);
    json_unsigned(json, "inf", stats->inf);
    json_unsigned(json, "zeros", stats->zero);
    json_unsigned(json, "subnormal", stats->subnormal);
}

static void write_tensor(struct json *json, const struct tensor *tensor)
{
    json_open(json, NULL, '{', true);
    json_text(json, "name", tensor->name);
    json_text(json, "dtype", dtype_word(tensor->dtype, tensor->type));
    json_open(json, "shape", '[', true);
    for (int i = 0; i < tensor->rank; i++)
        json_signed(json, NULL, tensor->shape[i]);
    json_close(json);
    if (tensor->measured)
        write_stats(json, tensor);
    json_unsigned(json, "input", tensor->input ? tensor->input - 1 : 0);
    json_unsigned(json, "offset", tensor->offset);
    if (tensor->step != STEP_NONE)
        json_signed(json, "step", tensor->step);
    json_close(json);
}

static void write_tensors(struct json *json, const struct collection *collection,
                          const struct inspect_options *options)
{
    size_t shown = 0;
    json_open(json, "tensors", '[', false);
    for (size_t i = 0; options->tensors && i < collection->run_count; i++) {
        const struct run *run = &collection->runs[i];
        for (size_t k = 0; k < run->tensor_count; k++)
            if (inspect_takes(options->tensors_glob, run->tensors[k].name) &&
                (!options->head || shown++ < options->head))
                write_tensor(json, &run->tensors[k]);
    }
    json_close(json);
}

static void write_compared(struct json *json, const struct compared *compared)
{
    const struct tensor_pair *pair = &compared->pair;
    json_open(json, NULL, '{', true);
    json_text(json, "name", compared->b->name);
    json_bool(json, "identical", pair->identical);
    json_number(json, "diff_l2", pair->diff_l2);
    json_number(json, "rel", pair->relative);
    if (isnan(pair->cosine))
        json_null(json, "cosine");
    else
        json_number(json, "cosine", pair->cosine);
    json_unsigned(json, "changed", pair->changed);
    json_close(json);
}

static void write_pair(struct json *json, const struct collection *collection,
                       const struct movement *movement, const struct inspect_options *options)
{
    json_open(json, NULL, '{', false);
    json_text(json, "a", collection->sources[movement->a - 1].path);
    json_text(json, "b", collection->sources[movement->b - 1].path);
    if (movement->a_step != STEP_NONE)
        json_signed(json, "a_step", movement->a_step);
    if (movement->b_step != STEP_NONE)
        json_signed(json, "b_step", movement->b_step);
    json_unsigned(json, "compared", movement->tensor_count);
    json_unsigned(json, "identical", movement->identical);
    json_unsigned(json, "not_comparable", movement->others);
    json_open(json, "tensors", '[', false);
    size_t shown = 0;
    for (size_t i = 0; i < movement->tensor_count; i++)
        if (inspect_takes(options->tensors_glob, movement->tensors[i].b->name) &&
            (!options->head || shown++ < options->head))
            write_compared(json, &movement->tensors[i]);
    json_close(json);
    json_close(json);
}

/* Consecutive checkpoints of a line. */
static void write_pairs(struct json *json, const struct collection *collection,
                        const struct inspect_options *options)
{
    json_open(json, "pairs", '[', false);
    for (size_t i = 0; options->tensors && i < collection->run_count; i++) {
        const struct run *run = &collection->runs[i];
        for (size_t k = 0; k < run->movement_count; k++)
            write_pair(json, collection, &run->movements[k], options);
    }
    json_close(json);
}

static void write_runs(struct json *json, const struct collection *collection,
                       struct quotes *quotes)
{
    json_open(json, "runs", '[', false);
    for (size_t i = 0; i < collection->run_count; i++) {
        const struct run *run = &collection->runs[i];
        json_open(json, NULL, '{', false);
        json_text(json, "id", run->id);
        json_unsigned(json, "segments", run->segment_count);
        json_unsigned(json, "names_lost", run->names_lost);
        json_facts(json, run, quotes);
        json_open(json, "messages", '[', false);
        for (size_t k = 0; k < run->message_count; k++) {
            json_open(json, NULL, '{', true);
            json_string(json, "id", run->messages[k].row->id);
            json_unsigned(json, "count", run->messages[k].count);
            json_text(json, "text", run->messages[k].line);
            json_location(json, "location",
                          &(struct spot){.place = run->messages[k].place,
                                         .line = run->messages[k].line,
                                         .step = run->messages[k].step},
                          quotes);
            json_close(json);
        }
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

static void write_templates(struct json *json, const struct collection *collection, size_t head)
{
    json_open(json, "templates", '[', false);
    for (size_t i = 0; i < collection->template_count && (!head || i < head); i++) {
        const struct template_seen *template = &collection->templates[i];
        json_open(json, NULL, '{', true);
        json_unsigned(json, "count", template->count);
        json_bool(json, "understood", template->understood);
        json_unsigned(json, "input", template->first.input ? template->first.input - 1 : 0);
        json_unsigned(json, "line", template->first.line);
        json_text(json, "text", template->text);
        json_close(json);
    }
    json_close(json);
}

static void write_lines(struct json *json, const struct collection *collection)
{
    json_open(json, "lines", '[', false);
    for (size_t i = 0; i < collection->source_count; i++) {
        const struct line_counts *counts = &collection->sources[i].counts;
        if (collection->sources[i].binary)
            continue;
        json_open(json, NULL, '{', true);
        json_unsigned(json, "input", i);
        json_unsigned(json, "lines", counts->lines);
        json_unsigned(json, "with_number", counts->with_number);
        json_unsigned(json, "understood", counts->understood);
        json_unsigned(json, "dead", counts->dead);
        json_unsigned(json, "cut", counts->cut);
        json_unsigned(json, "templates", counts->templates);
        json_unsigned(json, "evicted", counts->evicted);
        json_close(json);
    }
    json_close(json);
}

void inspect_json(const struct collection *collection, const struct inspect_options *options,
                  struct out *out)
{
    struct json json = {.out = out};
    struct quotes quotes = {.collection = collection, .unread = options->stdin_input};
    json_open(&json, NULL, '{', false);
    json_string(&json, "schema", "stalldoc-inspect/1");
    json_tool(&json);
    json_inputs(&json, collection);
    write_lines(&json, collection);
    write_runs(&json, collection, &quotes);
    if (options->series) {
        json_series(&json, collection, 0, options->series_glob, options->head);
    } else {
        json_open(&json, "series", '[', false);
        json_close(&json);
    }
    write_tensors(&json, collection, options);
    write_pairs(&json, collection, options);
    if (options->series && options->tensors)
        write_templates(&json, collection, options->head);
    json_close(&json);
    quotes_close(&quotes);
}
