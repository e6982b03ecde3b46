/* revisit: lines that say a loss is no number come at the same batch of every epoch. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include "stalldoc/message.h"

#include <string.h>

enum { NUMBERS_MAX = 16, LINES = 3 };
enum { EPOCHS };
static const struct parameter parameters[] = {
    [EPOCHS] = {"epochs", "lines", 3, 1e6, 3, "that name the batch, one an epoch"},
};
static const char *const values[] = {"batch", "lines", NULL};

/* The whole numbers of a line, without the parts of times, dates and fractions. */
struct numbers {
    double of[NUMBERS_MAX];
    bool batch[NUMBERS_MAX]; /* a word before it says so, or it is of a total */
    size_t count;
};

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Another number is joined to it on that side. */
static bool joined(struct text line, size_t at, int side)
{
    static const char joints[] = ":-.,";
    const size_t next = side < 0 ? at - 2 : at + 1;
    if ((side < 0 && at < 2) || (side > 0 && next >= line.size))
        return false;
    const char c = line.data[side < 0 ? at - 1 : at];
    return c != 0 && strchr(joints, c) && digit(line.data[next]);
}

/* The word that ends before `at`, behind what is between it and the number. */
static bool named_batch(struct text line, size_t at)
{
    static const char *const words[] = {"b",         "batch",     "idx",  "i",      "it",
                                        "iter",      "mb",        "step", "sample", "index",
                                        "iteration", "batch_idx", "item"};
    char word[16];
    size_t end = at, size = 0;
    while (end > 0 && !letter(line.data[end - 1]) && !digit(line.data[end - 1]) && at - end < 4)
        end--;
    for (size_t i = end; i > 0 && letter(line.data[i - 1]) && size + 1 < sizeof(word); i--)
        size++;
    for (size_t i = 0; i < size; i++)
        word[i] = (char)(line.data[end - size + i] | 0x20);
    word[size] = 0;
    for (size_t i = 0; i < COUNT(words); i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static void numbers_take(struct text line, struct numbers *numbers)
{
    numbers->count = 0;
    for (size_t i = 0; i < line.size && numbers->count < NUMBERS_MAX;) {
        if (!digit(line.data[i])) {
            i++;
            continue;
        }
        const size_t from = i;
        double number = 0;
        for (; i < line.size && digit(line.data[i]); i++)
            number = number * 10 + (line.data[i] - '0');
        if (joined(line, from, -1) || joined(line, i, 1))
            continue;
        numbers->batch[numbers->count] =
            (i < line.size && line.data[i] == '/') || named_batch(line, from);
        numbers->of[numbers->count++] = number;
    }
}

/* One number goes up by one from line to line, and the batch stays. NAN: they do not. */
static double batch_of(const struct numbers lines[LINES])
{
    double batch = (double)NAN;
    bool counts = false;
    for (size_t i = 0; i < lines[0].count; i++) {
        const double a = lines[0].of[i], b = lines[1].of[i], c = lines[2].of[i];
        counts = counts || (b - a == 1 && c - b == 1);
        if (a == b && b == c && lines[0].batch[i] && isnan(batch))
            batch = a;
    }
    return counts ? batch : (double)NAN;
}

static bool look(const struct use *use, const struct message *message, struct candidate *candidate)
{
    struct numbers lines[LINES];
    if (message->kept_count < LINES || (double)message->count < use->parameters[EPOCHS])
        return false;
    for (size_t i = 0; i < LINES; i++)
        numbers_take(message->kept[i], &lines[i]);
    if (lines[0].count != lines[1].count || lines[1].count != lines[2].count)
        return false;
    const double batch = batch_of(lines);
    if (isnan(batch))
        return false;
    value_add(candidate, "batch", batch);
    value_add(candidate, "lines", (double)message->count);
    return true;
}

static bool tells(const struct message *message)
{
    static const char *const rows[] = {"loss-nan-stop", "input-nan", "lightning-nan"};
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(message->row->id, rows[i]) == 0)
            return true;
    return false;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    for (size_t i = 0; i < use->run->message_count; i++) {
        const struct message *message = &use->run->messages[i];
        struct candidate candidate =
            candidate_bare(use, point_make(message->step, (double)NAN, message->place));
        candidate.message = message;
        if (tells(message) && look(use, message, &candidate))
            return candidates_add(candidates, &candidate, error);
    }
    return true;
}

const struct detector detector_revisit = {
    .name = "revisit",
    .about = "lines that say a loss is no number come at the same batch of every epoch",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .once = true,
    .lines = true,
    .detect = detect,
};
