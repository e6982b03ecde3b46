/* told: a line of the log tells the size of what is fed in, and it is far from 1. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include "stalldoc/message.h"
#include "stalldoc/number.h"

#include <string.h>

enum { MEAN, DEVIATION, REACH };
static const struct parameter parameters[] = {
    [MEAN] = {"mean", "", 0, 1e300, 30, "of the inputs, from 0, at least"},
    [DEVIATION] = {"deviation", "", 0, 1e300, 30, "of the inputs, at least"},
    [REACH] = {"reach", "", 0, 1e300, 100, "of the largest of them, from 0, at least"},
};
static const char *const values[] = {"mean", "deviation", "low", "high", "size", NULL};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool letter(char c)
{
    return lower(c) >= 'a' && lower(c) <= 'z';
}

/* Behind the first such word of the line from `from` on; SIZE_MAX: it has none. */
static size_t behind(struct text line, const char *word, size_t from)
{
    const size_t size = strlen(word);
    for (size_t at = from; at + size <= line.size; at++) {
        size_t same = 0;
        while (same < size && lower(line.data[at + same]) == word[same])
            same++;
        if (same == size && (at == 0 || !letter(line.data[at - 1])))
            return at + size;
    }
    return SIZE_MAX;
}

/* The number that follows at once, a sign of assignment, a bracket or blanks between. */
static double number_at(struct text line, size_t *at)
{
    static const char between[] = " \t=:,([<>'\"";
    struct number number;
    size_t i = *at;
    while (i < line.size && line.data[i] && strchr(between, line.data[i]))
        i++;
    if (i >= line.size || letter(line.data[i]) ||
        !number_take(text_cut(line, i, line.size), COMMA_GROUPS, &number) || !number.finite)
        return (double)NAN;
    *at = i + number.size;
    return number.value;
}

static double number_of(struct text line, size_t from, const char *const *words)
{
    for (size_t i = 0; words[i]; i++) {
        size_t at = behind(line, words[i], from);
        const double number = at == SIZE_MAX ? (double)NAN : number_at(line, &at);
        if (!isnan(number))
            return number;
    }
    return (double)NAN;
}

/* What the line speaks of comes before a scaling, or is what the scaling takes. */
static bool scales(struct text line)
{
    static const char *const words[] = {"before", "raw",   "original", "unnorm", "norm",
                                        "scal",   "stand", "subtract", NULL};
    for (size_t i = 0; words[i]; i++)
        if (behind(line, words[i], 0) != SIZE_MAX)
            return true;
    return false;
}

static bool look(const struct use *use, const struct message *message, struct candidate *candidate)
{
    static const char *const mean_words[] = {"mean", "avg", "average", NULL};
    static const char *const wide_words[] = {"std", "stddev", "deviation", "sd", NULL};
    static const char *const low_words[] = {"min", "minimum", NULL};
    static const char *const high_words[] = {"max", "maximum", NULL};
    const double *p = use->parameters;
    const struct text line = message->line;
    const size_t from = message->column;
    const double mean = number_of(line, from, mean_words);
    const double deviation = number_of(line, from, wide_words);
    double low = number_of(line, from, low_words), high = number_of(line, from, high_words);
    size_t at = behind(line, "range", from);
    if (isnan(high) && at != SIZE_MAX) {
        low = number_at(line, &at);
        high = number_at(line, &at);
    }
    const double size = fmax(fmax(fabs(low), fabs(high)), fabs(mean) + fabs(deviation));
    const bool far = !isnan(deviation) && (fabs(mean) >= p[MEAN] || deviation >= p[DEVIATION]);
    const bool wide = low < high && fmax(fabs(low), fabs(high)) >= p[REACH];
    if ((!far && !wide) || scales(line))
        return false;
    value_add(candidate, "mean", mean);
    value_add(candidate, "deviation", deviation);
    value_add(candidate, "low", low);
    value_add(candidate, "high", high);
    value_add(candidate, "size", size);
    return true;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    return line_tell(use, "input-statistics", look, candidates, error);
}

const struct detector detector_told = {
    .name = "told",
    .about = "a line of the log tells the size of what is fed in, and it is far from 1",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .once = true,
    .lines = true,
    .detect = detect,
};
