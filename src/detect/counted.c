/* counted: a line of the log tells how many samples each class has. */
/* SPDX-License-Identifier: MIT */
#include "detect/chance.h"
#include "detect/common.h"

#include "stalldoc/message.h"

enum { LARGEST, RATIO, SAMPLES };
enum { CLASSES_MOST = 256, CLASSES_FEW = 20 };
static const struct parameter parameters[] = {
    [LARGEST] = {"largest", "share", 0, 1, 0.9, "of the most frequent class, at least"},
    [RATIO] = {"ratio", "ratio", 1, 1e9, 10, "of the most over the least, up to 20 classes"},
    [SAMPLES] = {"samples", "", 2, 1e15, 100, "that are counted in all, at least"},
};
static const char *const values[] = {"largest", "ratio",  "classes", "class",
                                     "labels",  "metric", "stuck",   NULL};

struct counts {
    double of[CLASSES_MOST];
    size_t count;
};

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The digits at *at as a number; with a point behind them they are a share, and no count: NAN. */
static double whole(struct text line, size_t *at)
{
    double number = 0;
    size_t i = *at;
    for (; i < line.size && digit(line.data[i]); i++)
        number = number * 10 + (line.data[i] - '0');
    const bool share = i + 1 < line.size && line.data[i] == '.' && digit(line.data[i + 1]);
    *at = i;
    return share ? (double)NAN : number;
}

/* The counts in the first list `[a, b]` or dictionary `{0: a, 1: b}` behind `from`. */
static bool counts_take(struct text line, size_t from, struct counts *counts)
{
    size_t i = from;
    while (i < line.size && line.data[i] != '[' && line.data[i] != '{')
        i++;
    const bool pairs = i < line.size && line.data[i] == '{';
    bool value = !pairs;
    counts->count = 0;
    for (i++; i < line.size && line.data[i] != (pairs ? '}' : ']');) {
        if (!digit(line.data[i])) {
            if (pairs && (line.data[i] == ':' || line.data[i] == ','))
                value = line.data[i] == ':';
            i++;
            continue;
        }
        const double number = whole(line, &i);
        if (!value)
            continue;
        if (isnan(number) || counts->count == CLASSES_MOST)
            return false;
        counts->of[counts->count++] = number;
    }
    return i < line.size && counts->count >= 2;
}

static bool look(const struct use *use, const struct message *message, struct candidate *candidate)
{
    const double *p = use->parameters;
    struct counts counts;
    double sum = 0, most = 0, least = (double)INFINITY, metric = (double)NAN;
    size_t class = 0;
    if (!counts_take(message->line, message->column, &counts))
        return false;
    for (size_t i = 0; i < counts.count; i++) {
        sum += counts.of[i];
        least = fmin(least, counts.of[i]);
        if (counts.of[i] > most) {
            most = counts.of[i];
            class = i;
        }
    }
    const double largest = most / sum, ratio = most / fmax(least, 1);
    const bool uneven = counts.count <= CLASSES_FEW && ratio >= p[RATIO];
    if (sum < p[SAMPLES] || !(largest >= p[LARGEST] || uneven))
        return false;
    const bool stuck = share_answered(use, largest, &metric);
    value_add(candidate, "largest", largest);
    value_add(candidate, "ratio", ratio);
    value_add(candidate, "classes", (double)counts.count);
    value_add(candidate, "class", (double)class);
    value_add(candidate, "labels", sum);
    value_add(candidate, "metric", metric);
    value_add(candidate, "stuck", stuck);
    return true;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    return line_tell(use, "class-counts", look, candidates, error);
}

const struct detector detector_counted = {
    .name = "counted",
    .about = "a line of the log tells how many samples each class has",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .once = true,
    .lines = true,
    .detect = detect,
};
