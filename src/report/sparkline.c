/* Curves for the text report: the extreme of each column, for a mean would hide the spike. */
/* SPDX-License-Identifier: MIT */
#include "report/sparkline.h"

#include "stalldoc/number.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LEAST_CELLS = 5, LABEL_LEAST = 9, LABEL_MOST = 24 };

static bool wants_low(const struct series *series)
{
    return series->direction == DIRECTION_UP || series->kind == KIND_THROUGHPUT ||
           series->kind == KIND_UTILISATION || series->kind == KIND_LOSS_SCALE;
}

static void fill(struct plot *plot, size_t column, double value, int64_t at)
{
    struct plot_cell *cell = &plot->cells[column];
    if (!cell->placed)
        cell->at = at;
    cell->placed = true;
    if (!isfinite(value)) {
        cell->nonfinite = true;
        return;
    }
    if (!cell->filled || (wants_low(plot->series) ? value < cell->value : value > cell->value))
        cell->value = value;
    cell->filled = true;
}

static int64_t point_at(const struct point *point, bool steps)
{
    return steps ? point->step : (int64_t)point->line;
}

static size_t index_of(const struct frozen *frozen, const struct point *point)
{
    size_t at = 0;
    while (at < frozen->count &&
           !(frozen->points[at].line == point->line && frozen->points[at].step == point->step))
        at++;
    return at;
}

/* Where what began at index `at` is over, or has come to its non-finite end; frozen->count where
   that lies behind the kept points. */
static size_t end_of(const struct frozen *frozen, size_t at, int64_t last_step)
{
    for (size_t i = at; i < frozen->count; i++)
        if (!isfinite(frozen->points[i].value) || frozen->points[i].step >= last_step)
            return i;
    return frozen->count;
}

/* The raw points around the finding, about two fifths of the columns before its onset. */
static bool plot_frozen(const struct track *track, const struct candidate *candidate,
                        size_t columns, struct plot *plot)
{
    for (size_t i = 0; i < track->frozen_count; i++) {
        const struct frozen *frozen = track->frozen[i];
        size_t at = index_of(frozen, &candidate->onset);
        size_t end = end_of(frozen, at, candidate->last_step);
        if (end == frozen->count)
            continue;
        size_t length = end - at, before = columns * 2 / 5, after = length / 4 + 2;
        if (before < length * 3 / 5)
            before = length * 3 / 5;
        if (before + length + after < columns)
            after = columns - before - length;
        size_t first = at > before ? at - before : 0;
        size_t last = end + after < frozen->count ? end + after : frozen->count;
        if (last - first < columns)
            first = last > columns ? last - columns : 0;
        plot->count = last - first < columns ? last - first : columns;
        plot->steps = frozen->points[first].step != STEP_NONE;
        plot->first = point_at(&frozen->points[first], plot->steps);
        plot->last = point_at(&frozen->points[last - 1], plot->steps);
        for (size_t k = first; k < last; k++)
            fill(plot, (k - first) * plot->count / (last - first), frozen->points[k].value,
                 point_at(&frozen->points[k], plot->steps));
        return true;
    }
    return false;
}

/* The last column that begins at or before `at`; behind it, where a non-finite gap begins there. */
static size_t column_of(const struct plot *plot, int64_t at, bool finite)
{
    size_t column = 0;
    for (size_t i = 0; i < plot->count; i++)
        if (plot->cells[i].placed && plot->cells[i].at <= at)
            column = i;
    if (!finite && column + 1 < plot->count && !plot->cells[column].nonfinite &&
        plot->cells[column + 1].nonfinite)
        column++;
    return column;
}

/* All readings in their order: a column holds as many as any other, whatever their steps. */
static void plot_whole(const struct track *track, size_t columns, struct plot *plot)
{
    plot->steps = track->first.step != STEP_NONE && track->last.step != STEP_NONE &&
                  track->first.step < track->last.step;
    plot->first = point_at(&track->first, plot->steps);
    plot->last = point_at(&track->last, plot->steps);
    plot->count = track->points < columns ? (size_t)track->points : columns;
    if (plot->last <= plot->first)
        plot->count = 0;
    for (size_t i = 0; plot->count && i < track->bucket_count; i++) {
        const struct bucket *bucket = &track->buckets[i];
        if (bucket->count == 0 || bucket->index + bucket->count > track->points)
            continue;
        size_t from = (size_t)(bucket->index * plot->count / track->points);
        size_t to = (size_t)((bucket->index + bucket->count - 1) * plot->count / track->points);
        for (size_t column = from; column <= to; column++)
            fill(plot, column, wants_low(plot->series) ? bucket->low.value : bucket->high.value,
                 plot->steps ? bucket->first_step : (int64_t)bucket->first_line);
    }
    const struct nonfinite *nonfinite = track_nonfinite(track);
    if (plot->count == 0 || nonfinite->nan + nonfinite->inf == 0)
        return;
    for (size_t i = 0; i < plot->count; i++)
        plot->cells[i].nonfinite = !plot->cells[i].filled;
    plot->cells[column_of(plot, point_at(&nonfinite->first, plot->steps), false)].nonfinite = true;
}

static void find_range(struct plot *plot)
{
    bool any = false;
    for (size_t i = 0; i < plot->count; i++) {
        const struct plot_cell *cell = &plot->cells[i];
        plot->any_nonfinite = plot->any_nonfinite || cell->nonfinite;
        if (!cell->filled)
            continue;
        plot->low = any && plot->low < cell->value ? plot->low : cell->value;
        plot->high = any && plot->high > cell->value ? plot->high : cell->value;
        any = true;
    }
    const double decades = 20; /* a wider range shows nothing on a linear scale */
    plot->logarithmic = any && plot->low > 0 && plot->high / plot->low > decades;
}

static const struct track *track_of(const struct finding *finding)
{
    const struct series *series = finding->candidate.series;
    if (!series)
        return NULL;
    return finding->candidate.segment < series->segment_count
               ? &series->segments[finding->candidate.segment]
               : &series->whole;
}

void plot_mark(struct plot *plot, int64_t step, bool finite, const char *text)
{
    if (!plot->steps || step == STEP_NONE || step < plot->first || step > plot->last ||
        plot->mark_count == PLOT_MARKS_MAX)
        return;
    size_t column = column_of(plot, step, finite);
    for (size_t i = 0; i < plot->mark_count; i++)
        if (plot->marks[i].column == column)
            return;
    struct plot_mark *mark = &plot->marks[plot->mark_count++];
    mark->column = column;
    snprintf(mark->text, sizeof(mark->text), "%" PRId64 ": %.24s", step, text);
}

bool plot_make(const struct finding *finding, size_t columns, struct plot *plot)
{
    const struct track *track = track_of(finding);
    *plot = (struct plot){.series = finding->candidate.series};
    if (!track)
        return false;
    if (columns > PLOT_COLUMNS_MAX)
        columns = PLOT_COLUMNS_MAX;
    if (!plot_frozen(track, &finding->candidate, columns, plot))
        plot_whole(track, columns, plot);
    size_t filled = 0;
    for (size_t i = 0; i < plot->count; i++)
        filled += plot->cells[i].filled;
    if (filled < LEAST_CELLS)
        return false;
    find_range(plot);
    if (plot->low >= plot->high && !plot->any_nonfinite)
        return false; /* a level line tells nothing that its number does not */
    plot_mark(plot, finding->candidate.onset.step, isfinite(finding->candidate.onset.value),
              finding->symptom->id);
    const struct nonfinite *nonfinite = track_nonfinite(track);
    if (nonfinite->nan + nonfinite->inf)
        plot_mark(plot, nonfinite->first.step, false,
                  isnan(nonfinite->first.value) ? "NaN" : "inf");
    return true;
}

static const char *glyph(const struct plot *plot, const struct plot_cell *cell, bool unicode)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const ascii[] = {".", ":", "-", "=", "+", "*", "#", "%", "@"};
    size_t levels = unicode ? 8 : 9;
    if (cell->nonfinite)
        return unicode ? "×" : "!";
    if (!cell->filled)
        return " ";
    double share = plot->high > plot->low
                       ? plot->logarithmic
                             ? log(cell->value / plot->low) / log(plot->high / plot->low)
                             : (cell->value - plot->low) / (plot->high - plot->low)
                       : 0;
    size_t level = share > 0 ? (size_t)(share * (double)(levels - 1) + 0.5) : 0;
    level = level < levels ? level : levels - 1;
    return unicode ? blocks[level] : ascii[level];
}

static void pad(struct out *out, int column)
{
    while (out->column < column)
        out_literal(out, " ");
}

/* Left to right; a mark that finds no room is left out. */
static void print_marks(const struct plot *plot, int begin, struct out *out)
{
    struct plot_mark marks[PLOT_MARKS_MAX];
    memcpy(marks, plot->marks, sizeof(marks));
    for (size_t i = 1; i < plot->mark_count; i++) /* few: insertion */
        for (size_t k = i; k > 0 && marks[k].column < marks[k - 1].column; k--) {
            struct plot_mark swapped = marks[k];
            marks[k] = marks[k - 1];
            marks[k - 1] = swapped;
        }
    for (size_t i = 0; i < plot->mark_count; i++) {
        int column = begin + (int)marks[i].column, size = (int)strlen(marks[i].text);
        int limit = i + 1 < plot->mark_count ? begin + (int)marks[i + 1].column : out->width;
        if (column + 2 + size < limit && out->column <= column) {
            pad(out, column);
            out_print(out, "^ %s", marks[i].text);
        } else if (out->column <= column - size - 1) {
            pad(out, column - size - 1);
            out_print(out, "%s ^", marks[i].text);
        } else if (out->column <= column) {
            pad(out, column);
            out_literal(out, "^");
        }
    }
}

void plot_print(const struct plot *plot, int indent, struct out *out)
{
    char low[40], high[40];
    struct text name = plot->series->tag;
    if (text_width(name) > LABEL_MOST)
        name = text_cut(name, name.size - LABEL_MOST, LABEL_MOST);
    int width = (int)text_width(name);
    int begin = indent + (width < LABEL_LEAST ? LABEL_LEAST : width) + 2;
    pad(out, indent);
    out_text(out, name);
    pad(out, begin);
    for (size_t i = 0; i < plot->count; i++)
        out_literal(out, glyph(plot, &plot->cells[i], out->unicode));
    out_literal(out, "\n");
    if (plot->logarithmic || plot->mark_count) {
        pad(out, indent);
        out_literal(out, plot->logarithmic ? "log scale" : "");
        print_marks(plot, begin, out);
        out_literal(out, "\n");
    }
    number_print_short(plot->low, low);
    number_print_short(plot->high, high);
    pad(out, begin);
    out_print(out, "%s %" PRId64 "-%" PRId64 ", %s to %s", plot->steps ? "steps" : "lines",
              plot->first, plot->last, low, high);
    if (plot->any_nonfinite)
        out_literal(out, out->unicode ? ", × = not finite" : ", ! = not finite");
    out_literal(out, "\n");
}
