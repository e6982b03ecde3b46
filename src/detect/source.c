/* source: lines of the log name the same files for training and for validation. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include "stalldoc/message.h"

#include <string.h>

/* Sets that come with a framework to try it, in which both are meant to be one. */
static bool is_of_a_demo(struct text path)
{
    static const char *const names[] = {"coco8", "coco128", "imagenet10"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (text_find(path, text_of(names[i])) < path.size)
            return true;
    return false;
}

/* A file of samples of one part, by its ending: archives and folders may hold both. */
static bool is_of_one_part(struct text path)
{
    static const char *const ends[] = {".csv", ".tsv",     ".json",  ".jsonl",
                                       ".txt", ".parquet", ".arrow", ".tfrecord"};
    for (size_t i = 0; i < COUNT(ends); i++)
        if (text_ends(path, ends[i]))
            return true;
    return false;
}

/* What a line names behind the words it was found by: all up to three dots, which follow what is
   being read, or one word that ends as a file of samples does. Empty: neither. */
static struct text source_of(const struct message *message)
{
    const struct text line =
        text_cut(message->line, message->column, message->line.size - message->column);
    const size_t sign = text_find(line, TEXT(": ")), dots = text_find(line, TEXT("..."));
    if (dots < line.size && sign < dots)
        return text_cut(line, sign, dots - sign);
    for (size_t at = 0; at < line.size;) {
        const struct text rest = text_cut(line, at, line.size - at);
        const struct text word = text_cut(rest, 0, text_find(rest, TEXT(" ")));
        if (is_of_one_part(word))
            return word;
        at += word.size + 1;
    }
    return (struct text){"", 0};
}

static const struct message *line_of(const struct use *use, const char *row)
{
    for (size_t i = 0; i < use->run->message_count; i++)
        if (strcmp(use->run->messages[i].row->id, row) == 0)
            return &use->run->messages[i];
    return NULL;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct message *train = line_of(use, "source-train");
    const struct message *validation = line_of(use, "source-validation");
    if (!train || !validation)
        return true;
    const struct text source = source_of(validation);
    if (source.size == 0 || !text_equal(source, source_of(train)) || is_of_a_demo(source))
        return true;
    struct candidate candidate =
        candidate_bare(use, point_make(validation->step, (double)NAN, validation->place));
    candidate.message = validation;
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_source = {
    .name = "source",
    .about = "lines of the log name the same files for training and for validation",
    .once = true,
    .lines = true,
    .detect = detect,
};
