/* What was read, as rows for a spreadsheet: series by their kept points, or tensors. */
/* SPDX-License-Identifier: MIT */
#include "report/inspect.h"

#include "stalldoc/number.h"
#include <inttypes.h>
#include <math.h>

struct tensor_figures tensor_figures(const struct tensor_stats *stats)
{
    struct tensor_figures figures = {0};
    uint64_t bad = stats->nan + stats->inf;
    figures.finite = stats->count > bad ? stats->count - bad : 0;
    figures.norm = sqrt(stats->square);
    if (figures.finite == 0)
        return figures;
    double count = (double)figures.finite;
    figures.largest = fmax(fabs(stats->low), fabs(stats->high));
    figures.mean = stats->sum / count;
    double spread = stats->square / count - figures.mean * figures.mean;
    figures.deviation = isfinite(spread) ? sqrt(fmax(spread, 0)) : (double)INFINITY;
    return figures;
}

bool inspect_takes(const char *glob, struct text name)
{
    return !glob || text_glob(text_of(glob), name, false);
}

/* Quoted; a leading = + - @ would be a formula in a spreadsheet. */
static void csv_text(struct out *out, struct text text)
{
    out_literal(out, "\"");
    if (text.size &&
        (text.data[0] == '=' || text.data[0] == '+' || text.data[0] == '-' || text.data[0] == '@'))
        out_literal(out, "'");
    while (text.size) {
        size_t end = text_find(text, TEXT("\""));
        out_text(out, text_cut(text, 0, end));
        if (end < text.size)
            out_literal(out, "\"\"");
        text = text_cut(text, end + 1, text.size);
    }
    out_literal(out, "\"");
}

static void csv_number(struct out *out, double value)
{
    char printed[40];
    number_print(value, printed);
    out_print(out, ",%s", printed);
}

static void csv_point(struct out *out, const struct run *run, const struct series *series,
                      const struct bucket *bucket)
{
    csv_text(out, run->id);
    out_literal(out, ",");
    csv_text(out, series->tag);
    out_print(out, ",%s,", kind_name(series->kind));
    if (bucket->first_step != STEP_NONE)
        out_print(out, "%" PRId64, bucket->first_step);
    out_print(out, ",%" PRIu64 ",%" PRIu64, (uint64_t)bucket->first_line, bucket->count);
    csv_number(out, bucket->sum / (double)bucket->count);
    csv_number(out, bucket->low.value);
    csv_number(out, bucket->high.value);
    out_literal(out, "\n");
}

static void csv_series(const struct collection *collection, const struct inspect_options *options,
                       struct out *out)
{
    out_literal(out, "run,series,kind,step,line,readings,value,min,max\n");
    for (size_t i = 0; i < collection->run_count; i++)
        for (size_t k = 0; k < collection->runs[i].series_count; k++) {
            const struct series *series = &collection->runs[i].series[k];
            if (!inspect_takes(options->series_glob, series->tag))
                continue;
            size_t most = options->head && options->head < series->whole.bucket_count
                              ? options->head
                              : series->whole.bucket_count;
            for (size_t b = 0; b < most; b++)
                if (series->whole.buckets[b].count)
                    csv_point(out, &collection->runs[i], series, &series->whole.buckets[b]);
        }
}

static void csv_tensor(struct out *out, const struct run *run, const struct tensor *tensor)
{
    csv_text(out, run->id);
    out_literal(out, ",");
    csv_text(out, tensor->name);
    out_literal(out, ",");
    csv_text(out, dtype_word(tensor->dtype, tensor->type));
    out_literal(out, ",\"");
    for (int i = 0; i < tensor->rank; i++)
        out_print(out, "%s%" PRId64, i ? "x" : "", tensor->shape[i]);
    out_literal(out, "\"");
    if (tensor->measured) {
        struct tensor_figures figures = tensor_figures(&tensor->stats);
        csv_number(out, figures.norm);
        csv_number(out, figures.largest);
        csv_number(out, figures.mean);
        csv_number(out, figures.deviation);
        out_print(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, tensor->stats.nan, tensor->stats.inf,
                  tensor->stats.zero);
    } else {
        out_literal(out, ",,,,,,,");
    }
    out_literal(out, "\n");
}

void inspect_csv(const struct collection *collection, const struct inspect_options *options,
                 struct out *out)
{
    bool any = false;
    for (size_t i = 0; i < collection->run_count; i++)
        any = any || collection->runs[i].series_count > 0;
    if (options->series && (any || !options->tensors)) {
        csv_series(collection, options, out);
        return;
    }
    out_literal(out, "run,tensor,dtype,shape,l2,absmax,mean,std,nan,inf,zeros\n");
    for (size_t i = 0; i < collection->run_count; i++)
        for (size_t k = 0; k < collection->runs[i].tensor_count; k++)
            if (inspect_takes(options->tensors_glob, collection->runs[i].tensors[k].name))
                csv_tensor(out, &collection->runs[i], &collection->runs[i].tensors[k]);
}
