/* A metric of MLflow's file store, mlruns/EXPERIMENT/RUN/metrics/KEY: lines of milliseconds, value
   and, in all but old files, step. The key is only in the path. */
/* SPDX-License-Identifier: MIT */
#include "read/document/lines.h"
#include "read/document/rows.h"

enum { FIELDS = 3, STAMP_DIGITS = 13 };

/* Milliseconds, value, step; 0: something else. */
static size_t line_cut(struct text line, struct number numbers[FIELDS], struct text texts[FIELDS])
{
    size_t count = 0;
    while ((line = text_trim(line)).size > 0) {
        size_t end = 0;
        while (end < line.size && line.data[end] != ' ' && line.data[end] != '\t')
            end++;
        if (count == FIELDS || !number_parse(text_cut(line, 0, end), &numbers[count]))
            return 0;
        texts[count++] = text_cut(line, 0, end);
        line = text_cut(line, end, line.size);
    }
    bool stamp = count >= 2 && texts[0].size == STAMP_DIGITS && numbers[0].integer;
    return stamp && (count == 2 || numbers[2].integer) ? count : 0;
}

static int probe(struct span head, struct text file_name)
{
    (void)file_name;
    struct text rest = {(const char *)head.data, head.size}, line, texts[FIELDS];
    struct number numbers[FIELDS];
    size_t lines = 0;
    while (lines_cut(&rest, &line)) {
        if (line_cut(line, numbers, texts) == 0)
            return 0;
        lines++;
    }
    return lines > 0 ? 90 : 0;
}

/* The path behind "metrics/", else the name of the file. */
static struct text key_of(const char *path)
{
    struct text text = text_of(path);
    size_t folder = text_find(text, TEXT("/metrics/"));
    if (folder < text.size)
        return text_cut(text, folder + sizeof("/metrics/") - 1, text.size);
    return text_cut(text, text_behind(text, '/'), text.size);
}

static bool line_take(struct writer *writer, struct text key, struct text line, struct place place,
                      struct error *error)
{
    static const char *const names[FIELDS] = {"timestamp", NULL, "step"};
    struct number numbers[FIELDS];
    struct text texts[FIELDS];
    size_t count = line_cut(line, numbers, texts);
    row_begin(writer, place);
    for (size_t i = 0; i < count; i++)
        row_add_number(writer, names[i] ? text_of(names[i]) : key, texts[i], &numbers[i]);
    return row_end(writer, error);
}

static bool read(const struct reading *reading, struct error *error)
{
    struct lines lines;
    struct writer *writer = writer_open(reading, error);
    if (!writer || !lines_open(&lines, reading->input, reading->scratch, error))
        return false;
    writer->row_steps = true;
    struct text line, key = key_of(input_path(reading->input));
    struct place place;
    bool sound = true;
    while (sound && (sound = lines_next(&lines, &line, &place, error)) && line.data)
        sound = line_take(writer, key, line, place, error);
    struct error *late = sound ? error : NULL; /* the first failure is the one to tell */
    return writer_close(writer, lines.number, late) && sound;
}

const struct format format_mlflow = {
    .name = "mlflow",
    .about = "a metric of MLflow's file store",
    .group = FORMAT_DOCUMENT,
    .probe = probe,
    .read = read,
};
