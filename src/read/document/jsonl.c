/* JSON lines: one object a line, a record each. Written by mmcv (.log.json), LLaMA-Factory
   (trainer_log.jsonl), ms-swift (logging.jsonl), RLlib (result.json), DETR and its heirs (log.txt),
   StyleGAN (stats.jsonl), structured loggers and many hand-written loops. Lists are not read; a
   broken line is passed over. */
/* SPDX-License-Identifier: MIT */
#include "read/document/rows.h"
#include "read/document/tokenizer.h"
#include "read/log/feed.h"

#include <string.h>

enum { LINES_TESTED = 64, NAME_ROOM = 120 };

static int probe(struct span head, struct text file_name)
{
    struct tokenizer tokenizer;
    struct json_token token;
    struct error error;
    tokenizer_over(&tokenizer, head, true);
    size_t lines = 0;
    bool named = text_ends(file_name, ".jsonl") || text_ends(file_name, ".ndjson");
    while (lines < LINES_TESTED) {
        if (!tokenizer_next(&tokenizer, &token, &error))
            return 0;
        if (token.kind == JSON_END)
            break;
        if (token.kind != JSON_OBJECT)
            return 0;
        while (token.kind != JSON_LINE_END && token.kind != JSON_END)
            if (!tokenizer_next(&tokenizer, &token, &error))
                return 0;
        if (tokenizer.cut || token.kind == JSON_END)
            break;
        if (token.broken)
            return 0;
        lines++;
    }
    bool first_cut = lines == 0 && tokenizer.cut && head.size >= (size_t)LIMIT_LINE;
    if (lines == 0)
        return first_cut && named ? 70 : 0;
    return lines > 1 || named ? 90 : 60;
}

struct line {
    const struct reading *reading;
    struct log_feed *feed; /* the records hold lines of a log, which are read instead; NULL */
    struct writer *writer;
    struct tokenizer tokenizer;
    struct path path;
    uint64_t objects;     /* read so far */
    int settings;         /* depth below a member of settings; 0: not in one */
    char name[NAME_ROOM]; /* of {"metric": "loss", "value": 0.5} */
    size_t name_size;
};

static bool names_value(struct text path)
{
    return text_is(path, "metric") || text_is(path, "name") || text_is(path, "key") ||
           text_is(path, "tag") || text_is(path, "metric_name");
}

/* Docker and Kubernetes keep what a container prints as {"log": "..\n", "stream": "stdout", ..}:
   the first record tells, its own line comes first. */
static bool printed_take(struct line *line, const struct json_token *token, struct error *error)
{
    struct text text = token->text;
    if (!line->feed && !text_ends(text, "\n"))
        return true;
    if (!line->feed)
        line->feed = log_open(line->reading, error);
    if (!line->feed)
        return false;
    while (text.size > 0 && text.data[text.size - 1] == '\n')
        text.size--;
    return log_line(line->feed, text, token->place, error);
}

/* A value under the path at hand, whose key was taken from it before. */
static bool value_take(struct line *line, const struct json_token *token, struct error *error)
{
    struct text path = path_text(&line->path);
    if (line->settings > 0)
        return line->objects > 0 ||
               writer_setting(line->writer, path, token->text, token->place, error);
    if (token->kind == JSON_STRING && text_is(path, "log") && token->first &&
        (line->feed || line->objects == 0))
        return printed_take(line, token, error);
    if (line->feed)
        return true;
    row_at(line->writer, token->place);
    if (token->kind == JSON_STRING && names_value(path) && token->text.size < NAME_ROOM) {
        memcpy(line->name, token->text.data, token->text.size);
        line->name_size = token->text.size;
        return true;
    }
    if (token->kind == JSON_NUMBER && line->name_size > 0 && text_is(path, "value"))
        path = (struct text){line->name, line->name_size};
    if (token->kind == JSON_NUMBER || token->kind == JSON_STRING)
        row_add(line->writer, path, token->text, token->kind == JSON_STRING);
    return true;
}

static bool literal_take(struct line *line, struct json_token *token, struct error *error)
{
    if (token->kind == JSON_TRUE)
        token->text = TEXT("true");
    else if (token->kind == JSON_FALSE)
        token->text = TEXT("false");
    else
        token->text = TEXT("none");
    if (line->settings > 0)
        return value_take(line, token, error);
    return true;
}

static bool token_take(struct line *line, struct json_token *token, struct error *error)
{
    bool closes = true; /* the value of a member ends here */
    switch (token->kind) {
    case JSON_KEY:
        path_push(&line->path, token->text);
        if (line->settings > 0 || settings_name(token->text))
            line->settings++;
        return true;
    case JSON_OBJECT:
        return true;
    case JSON_LIST:
        if (!tokenizer_skip(&line->tokenizer, token, error))
            return false;
        break;
    case JSON_STRING:
        if (!value_take(line, token, error) || !tokenizer_skip(&line->tokenizer, token, error))
            return false;
        break;
    case JSON_NUMBER:
        if (!value_take(line, token, error))
            return false;
        break;
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
        if (!literal_take(line, token, error))
            return false;
        break;
    default:
        closes = token->kind == JSON_OBJECT_END;
        break;
    }
    if (closes && line->path.depth > 0) {
        path_pop(&line->path);
        line->settings -= line->settings > 0;
    }
    return true;
}

static bool line_take(struct line *line, struct json_token *token, struct error *error)
{
    bool object = token->kind == JSON_OBJECT;
    row_begin(line->writer, token->place);
    line->path.size = line->name_size = 0;
    line->path.depth = line->settings = 0;
    while (token->kind != JSON_LINE_END && token->kind != JSON_END) {
        if (object && !token_take(line, token, error))
            return false;
        if (!tokenizer_next(&line->tokenizer, token, error))
            return false;
    }
    if (!object || token->broken || token->kind == JSON_END)
        return true;
    line->objects++;
    return line->feed || row_end(line->writer, error);
}

static bool read(const struct reading *reading, struct error *error)
{
    struct line *line = arena_take(reading->scratch, 1, sizeof(struct line));
    if (!line)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0), "out of memory");
    line->reading = reading;
    line->writer = writer_open(reading, error);
    if (line->writer)
        line->writer->drop_summaries = true;
    if (!line->writer ||
        !tokenizer_open(&line->tokenizer, reading->input, reading->scratch, true, error))
        return false;
    struct json_token token = {0};
    bool sound = true;
    while ((sound = tokenizer_next(&line->tokenizer, &token, error)) && token.kind != JSON_END)
        if (!(sound = line_take(line, &token, error)))
            break;
    struct error *late = sound ? error : NULL; /* the first failure is the one to tell */
    if (line->feed)
        return log_close(line->feed, late) && sound;
    return writer_close(line->writer, tokenizer_lines(&line->tokenizer), late) && sound;
}

const struct format format_jsonl = {
    .name = "jsonl",
    .about = "JSON lines, one object a record",
    .group = FORMAT_DOCUMENT,
    .probe = probe,
    .read = read,
};
