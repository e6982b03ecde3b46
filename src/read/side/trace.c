/* Traces of profilers in Chrome's form: an object with traceEvents, or a bare list of events, whose
   times are microseconds. Of torch.profiler the steps, the waits for the loader and the kernels:

   {"traceEvents": [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "ts": 10.5,
                     "dur": 800.0, "pid": 1, "tid": 1}, ...]} */
/* SPDX-License-Identifier: MIT */
#include "read/document/rows.h"
#include "read/document/tokenizer.h"
#include "read/side/busy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MOST = 4096, WAITS_MOST = 1 << 16, NAME = 64, FIELD = 32, STEPS_LEAST = 2 };

struct span_of_time {
    double begin, length;
    double number; /* of a step */
    struct place place;
};

struct trace_event {
    char name[NAME], category[FIELD], phase[FIELD], field[FIELD];
    double begin, length;
    struct place place;
};

struct trace {
    struct tokenizer tokenizer;
    int depth, events; /* events: the depth of their objects; 0: not yet met */
    bool in_list;      /* the key of the document is traceEvents */
    struct trace_event event;
    struct span_of_time *steps, *waits;
    size_t step_count, wait_count;
    struct busy kernels;
};

static int probe(struct span head, struct text file_name)
{
    const struct text text = text_trim((struct text){(const char *)head.data, head.size});
    const bool phase = text_find(text, TEXT("\"ph\"")) < text.size;
    (void)file_name;
    if (text.size == 0 || (text.data[0] != '{' && text.data[0] != '['))
        return 0;
    /* With many devices and groups of ranks the events begin far behind. */
    if (text.data[0] == '{')
        return text_find(text, TEXT("\"traceEvents\"")) < text.size ||
                       (text_find(text, TEXT("\"schemaVersion\"")) < text.size &&
                        text_find(text, TEXT("\"deviceProperties\"")) < text.size)
                   ? 96
                   : 0;
    return phase && text_find(text, TEXT("\"ts\"")) < text.size ? 94 : 0;
}

static void text_keep(char *out, size_t size, struct text text)
{
    text = text_cut(text, 0, size - 1);
    memcpy(out, text.data, text.size);
    out[text.size] = 0;
}

static void span_add(struct span_of_time *spans, size_t *count, size_t most,
                     const struct trace_event *event, double number)
{
    if (*count < most)
        spans[(*count)++] =
            (struct span_of_time){event->begin, event->length, number, event->place};
}

/* Steps and waits of the program itself: the same names stand on the device's side too. */
static void event_take(struct trace *trace)
{
    static const char step[] = "ProfilerStep#", wait[] = "enumerate(DataLoader)#";
    const struct trace_event *event = &trace->event;
    const struct text name = text_of(event->name);
    struct number number;
    if (strcmp(event->phase, "X") != 0 || !(event->length >= 0) || !isfinite(event->begin))
        return;
    if (strcmp(event->category, "kernel") == 0 || strcmp(event->category, "Kernel") == 0)
        busy_add(&trace->kernels, event->begin, event->length);
    else if (strncmp(event->category, "gpu_", 4) == 0)
        return;
    else if (text_starts(name, step) &&
             number_parse(text_cut(name, sizeof(step) - 1, name.size), &number) && number.finite)
        span_add(trace->steps, &trace->step_count, STEPS_MOST, event, number.value);
    else if (text_starts(name, wait))
        span_add(trace->waits, &trace->wait_count, WAITS_MOST, event, 0);
}

static void field_take(struct trace *trace, const struct json_token *token)
{
    struct trace_event *event = &trace->event;
    struct number number;
    if (strcmp(event->field, "name") == 0)
        text_keep(event->name, NAME, token->text);
    else if (strcmp(event->field, "cat") == 0)
        text_keep(event->category, FIELD, token->text);
    else if (strcmp(event->field, "ph") == 0)
        text_keep(event->phase, FIELD, token->text);
    else if (strcmp(event->field, "ts") == 0 && number_parse(token->text, &number))
        event->begin = number.value;
    else if (strcmp(event->field, "dur") == 0 && number_parse(token->text, &number))
        event->length = number.value;
}

static void token_take(struct trace *trace, const struct json_token *token)
{
    switch (token->kind) {
    case JSON_LIST:
        trace->depth++;
        if (trace->events == 0 && (trace->depth == 1 || (trace->depth == 2 && trace->in_list)))
            trace->events = trace->depth + 1;
        break;
    case JSON_OBJECT:
        trace->depth++;
        if (trace->depth == trace->events)
            trace->event = (struct trace_event){
                .begin = (double)NAN, .length = (double)NAN, .place = token->place};
        break;
    case JSON_OBJECT_END:
        if (trace->depth == trace->events)
            event_take(trace);
        trace->depth--;
        break;
    case JSON_LIST_END:
        trace->depth--;
        if (trace->depth + 2 == trace->events && trace->depth > 0)
            trace->events = -1; /* what follows is no event */
        break;
    case JSON_KEY:
        if (trace->depth == 1)
            trace->in_list = text_is(token->text, "traceEvents");
        if (trace->depth == trace->events)
            text_keep(trace->event.field, FIELD, token->text);
        break;
    case JSON_STRING:
    case JSON_NUMBER:
        if (trace->depth == trace->events && token->first)
            field_take(trace, token);
        break;
    default:
        break;
    }
}

static int by_begin(const void *a, const void *b)
{
    const double x = ((const struct span_of_time *)a)->begin;
    const double y = ((const struct span_of_time *)b)->begin;
    return (x > y) - (x < y);
}

/* Where no step is marked, one lasts from one wait to the next. */
static void steps_between_waits(struct trace *trace)
{
    for (size_t i = 0; i + 1 < trace->wait_count && trace->step_count < STEPS_MOST; i++) {
        struct span_of_time step = trace->waits[i];
        step.number = (double)i;
        step.length = trace->waits[i + 1].begin - step.begin;
        trace->steps[trace->step_count++] = step;
    }
}

static void value_put(struct writer *writer, struct text name, double value, bool integer)
{
    const struct number number = {
        .value = value, .integer = integer, .places = integer ? 0 : 6, .finite = true};
    row_add_number(writer, name, TEXT(""), &number);
}

/* The waits of a step are those that begin in it; both lists are in order. */
static bool step_put(struct trace *trace, struct writer *writer, size_t i, size_t *wait,
                     struct error *error)
{
    static const double SECONDS = 1e-6, PERCENT = 100;
    const struct span_of_time *step = &trace->steps[i];
    double waited = 0;
    while (*wait < trace->wait_count && trace->waits[*wait].begin < step->begin)
        (*wait)++;
    for (; *wait < trace->wait_count && trace->waits[*wait].begin < step->begin + step->length;
         (*wait)++)
        waited += trace->waits[*wait].length;
    const double busy = busy_share(&trace->kernels, step->begin, step->length);
    row_begin(writer, step->place);
    value_put(writer, TEXT("step"), step->number, true);
    if (trace->wait_count > 0)
        value_put(writer, TEXT("data_time"), waited * SECONDS, false);
    value_put(writer, TEXT("step_time"), step->length * SECONDS, false);
    if (!isnan(busy))
        value_put(writer, TEXT("gpu_util"), floor(busy * PERCENT + 0.5), true);
    return row_end(writer, error);
}

static bool steps_put(struct trace *trace, struct writer *writer, struct error *error)
{
    size_t wait = 0;
    qsort(trace->waits, trace->wait_count, sizeof(*trace->waits), by_begin);
    if (trace->step_count == 0)
        steps_between_waits(trace);
    qsort(trace->steps, trace->step_count, sizeof(*trace->steps), by_begin);
    if (trace->step_count < STEPS_LEAST)
        return true;
    for (size_t i = 0; i < trace->step_count; i++)
        if (!step_put(trace, writer, i, &wait, error))
            return false;
    return true;
}

static bool read(const struct reading *reading, struct error *error)
{
    struct trace *trace = arena_take(reading->scratch, 1, sizeof(*trace));
    if (trace) {
        trace->steps = arena_take(reading->scratch, STEPS_MOST, sizeof(*trace->steps));
        trace->waits = arena_take(reading->scratch, WAITS_MOST, sizeof(*trace->waits));
    }
    if (!trace || !trace->steps || !trace->waits)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0), "out of memory");
    struct writer *writer = writer_open(reading, error);
    if (!writer ||
        !tokenizer_open(&trace->tokenizer, reading->input, reading->scratch, false, error))
        return false;
    writer->always = true;
    struct json_token token = {.kind = JSON_NULL};
    bool sound = true;
    while (sound && token.kind != JSON_END) {
        sound = tokenizer_next(&trace->tokenizer, &token, error);
        if (sound)
            token_take(trace, &token);
    }
    /* A program that was killed leaves a list without its end: what stands there is sound. */
    struct error *late = sound ? error : NULL;
    const bool put = steps_put(trace, writer, late);
    return writer_close(writer, tokenizer_lines(&trace->tokenizer), late) && put && sound;
}

const struct format format_trace = {
    .name = "trace",
    .about = "traces of torch.profiler and others (Chrome's trace events)",
    .group = FORMAT_SIDE,
    .probe = probe,
    .read = read,
};
