/* Inputs, series, facts and locations in JSON. */
/* SPDX-License-Identifier: MIT */
#include "report/json_parts.h"

#include "report/utf8.h"
#include "stalldoc/features.h"
#include "stalldoc/stamp.h"
#include <math.h>
#include <stdlib.h>

void json_tool(struct json *json)
{
    json_open(json, "tool", '{', false);
    json_string(json, "name", "stalldoc");
    json_string(json, "version", VERSION);
    json_string(json, "rules", VERSION);
    json_close(json);
}

void json_inputs(struct json *json, const struct collection *collection)
{
    json_open(json, "inputs", '[', false);
    for (size_t i = 0; i < collection->source_count; i++) {
        const struct source *source = &collection->sources[i];
        json_open(json, NULL, '{', false);
        json_unsigned(json, "id", i);
        json_text(json, "path", source->path);
        if (source->run < collection->run_count)
            json_text(json, "run", collection->runs[source->run].id);
        else
            json_null(json, "run");
        json_text(json, "type", source->type);
        if (source->dialect.size)
            json_text(json, "dialect", source->dialect);
        else
            json_null(json, "dialect");
        json_string(json, "status", input_status_name(source->status));
        if (source->error.kind != ERROR_NONE)
            json_string(json, "reason", source->error.message);
        if (source->error.place.offset)
            json_unsigned(json, "offset", source->error.place.offset);
        if (source->binary && source->step != STEP_NONE)
            json_signed(json, "step", source->step);
        if (source->binary && source->epoch != STEP_NONE)
            json_signed(json, "epoch", source->epoch);
        if (!source->unread)
            json_unsigned(json, "bytes", source->bytes);
        if (source->binary || source->unread)
            json_null(json, "lines");
        else
            json_unsigned(json, "lines", source->counts.lines);
        json_close(json);
    }
    json_close(json);
}

struct weighed {
    double value;
    uint64_t count;
};

static int weighed_order(const void *a, const void *b)
{
    double x = ((const struct weighed *)a)->value, y = ((const struct weighed *)b)->value;
    return (x > y) - (x < y);
}

double track_median(const struct track *track)
{
    struct weighed means[BUCKETS_MAX];
    size_t count = 0;
    uint64_t total = 0;
    for (size_t i = 0; i < track->bucket_count && count < BUCKETS_MAX; i++) {
        const struct bucket *bucket = &track->buckets[i];
        if (bucket->count == 0)
            continue;
        means[count++] = (struct weighed){bucket->sum / (double)bucket->count, bucket->count};
        total += bucket->count;
    }
    if (total == 0)
        return value_missing_make();
    qsort(means, count, sizeof(means[0]), weighed_order);
    uint64_t below = 0;
    for (size_t i = 0; i < count; i++) {
        below += means[i].count;
        if (below * 2 > total)
            return means[i].value;
        if (below * 2 == total && i + 1 < count)
            return (means[i].value + means[i + 1].value) / 2;
    }
    return means[count - 1].value;
}

static void json_point(struct json *json, const char *name, const struct point *point)
{
    json_open(json, name, '{', false);
    if (point->step == STEP_NONE)
        json_null(json, "step");
    else
        json_signed(json, "step", point->step);
    if (point->line)
        json_unsigned(json, "line", point->line);
    else
        json_null(json, "line");
    json_number(json, "value", point->value);
    json_close(json);
}

static void json_curve(struct json *json, const struct track *track, size_t points)
{
    json_open(json, "curve", '[', false);
    size_t shown = track->bucket_count < points ? track->bucket_count : points;
    for (size_t i = 0; i < shown; i++) {
        size_t from = track->bucket_count * i / shown, to = track->bucket_count * (i + 1) / shown;
        struct point low = track->buckets[from].low, high = track->buckets[from].high;
        for (size_t k = from + 1; k < to; k++) {
            if (track->buckets[k].low.value < low.value)
                low = track->buckets[k].low;
            if (track->buckets[k].high.value > high.value)
                high = track->buckets[k].high;
        }
        json_open(json, NULL, '[', true);
        if (track->buckets[from].first_step == STEP_NONE)
            json_null(json, NULL);
        else
            json_signed(json, NULL, track->buckets[from].first_step);
        json_number(json, NULL, low.value);
        json_number(json, NULL, high.value);
        json_close(json);
    }
    json_close(json);
}

static void json_one_series(struct json *json, const struct collection *collection, size_t id,
                            const struct series *series, size_t points)
{
    const struct track *track = &series->whole;
    json_open(json, NULL, '{', false);
    json_unsigned(json, "id", id);
    json_text(json, "run", collection->runs[series->run].id);
    json_text(json, "name", series->tag);
    json_string(json, "kind", kind_name(series->kind));
    json_string(json, "scope", scope_name(series->scope));
    json_string(json, "basis", basis_name(series->basis));
    json_bool(json, "main", series->main);
    json_unsigned(json, "input", series->input ? series->input - 1 : 0);
    if (series->rank >= 0)
        json_signed(json, "rank", series->rank);
    if (series->part.size)
        json_text(json, "part", series->part);
    if (series->unit.size)
        json_text(json, "unit", series->unit);
    json_unsigned(json, "points", track->points);
    json_unsigned(json, "nan", track_nonfinite(track)->nan);
    json_unsigned(json, "inf", track_nonfinite(track)->inf);
    double median = track_median(track);
    if (!value_missing(median)) {
        json_number(json, "min", track->low.value);
        json_number(json, "max", track->high.value);
        json_number(json, "median", median);
    }
    if (track->points) {
        json_point(json, "first", &track->first);
        json_point(json, "last", &track->last);
    }
    if (points)
        json_curve(json, track, points);
    json_close(json);
}

void json_series(struct json *json, const struct collection *collection, size_t points,
                 const char *glob, size_t head)
{
    size_t id = 0, shown = 0;
    json_open(json, "series", '[', false);
    for (size_t i = 0; i < collection->run_count; i++) {
        const struct run *run = &collection->runs[i];
        for (size_t k = 0; k < run->series_count; k++, id++) {
            if (glob && !text_glob(text_of(glob), run->series[k].tag, false))
                continue;
            if (head && shown >= head)
                continue;
            json_one_series(json, collection, id, &run->series[k], points);
            shown++;
        }
    }
    json_close(json);
}

void json_facts(struct json *json, const struct run *run, struct quotes *quotes)
{
    json_open(json, "facts", '[', false);
    for (size_t i = 0; i < run->fact_count; i++) {
        const struct fact *fact = &run->facts[i];
        json_open(json, NULL, '{', false);
        json_text(json, "key", fact->key);
        if (fact->state == FACT_NONE)
            json_null(json, "value");
        else if (isfinite(fact->number))
            json_number(json, "value", fact->number);
        else if (text_is(fact->value, "true") || text_is(fact->value, "false"))
            json_bool(json, "value", text_is(fact->value, "true"));
        else
            json_text(json, "value", fact->value);
        json_string(json, "source", fact_source_name(fact->source));
        if (fact->step != STEP_NONE)
            json_signed(json, "from_step", fact->step);
        if (fact->place.input)
            json_location(json, "location", &(struct spot){.place = fact->place, .step = STEP_NONE},
                          quotes);
        json_close(json);
    }
    json_close(json);
}

void json_location(struct json *json, const char *name, const struct spot *spot,
                   struct quotes *quotes)
{
    const struct collection *collection = quotes->collection;
    uint32_t number = spot->place.input;
    json_open(json, name, '{', false);
    json_unsigned(json, "input", number ? number - 1 : 0);
    json_text(json, "path",
              number && number <= collection->source_count ? collection->sources[number - 1].path
                                                           : TEXT(""));
    char stamped[STAMP_MAX];
    struct text line, stamp = {stamped, 0};
    if (spot->place.line) {
        bool quoted = quote_line(quotes, &spot->place, &line);
        json_unsigned(json, "line", spot->place.line);
        if (spot->end_line > spot->place.line) {
            json_unsigned(json, "end_line", spot->end_line);
        } else if (quoted) {
            json_unsigned(json, "column", 1);
            json_unsigned(json, "end_line", spot->place.line);
            json_unsigned(json, "end_column", utf8_count(line) + 1);
        }
        stamp.size = stamp_take(quoted ? line : spot->line, stamped);
    }
    if (spot->step != STEP_NONE)
        json_signed(json, "step", spot->step);
    if (stamp.size)
        json_text(json, "time", stamp);
    if (spot->ranked)
        json_signed(json, "rank", spot->rank);
    if (spot->tensor.size)
        json_text(json, "tensor", spot->tensor);
    if (spot->tag.size)
        json_text(json, "tag", spot->tag);
    if (number && spot->place.line == 0)
        json_unsigned(json, "offset", spot->place.offset);
    if (number && spot->place.line == 0 && spot->length)
        json_unsigned(json, "length", spot->length);
    json_close(json);
}
