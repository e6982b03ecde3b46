/* JSON lines: one object a line, a record each. Written by mmcv (.log.json), LLaMA-Factory
   (trainer_log.jsonl), ms-swift (logging.jsonl), RLlib (result.json), DETR and its heirs (log.txt),
   StyleGAN (stats.jsonl), structured loggers and many hand-written loops. Lists are not read, a
   broken record is passed over; what stands between the records (a traceback) is read as a log. */
/* SPDX-License-Identifier: MIT */
#include "read/document/rows.h"
#include "read/document/tokenizer.h"
#include "read/log/bytes.h"
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
    struct log_feed *feed;    /* the records hold lines of a log, which are read instead; NULL */
    struct log_feed *prints;  /* of the lines between the records; NULL: none yet */
    bool readings;            /* a record had readings of its own: what others say is no log */
    bool told;                /* the record at hand has */
    char said[JSON_TEXT_MAX]; /* its message */
    size_t said_size;
    struct place said_place;
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

/* Collectors of logs keep what a program prints as a member of a record, beside the time, the host
   and the severity. */
static bool names_message(struct text path)
{
    static const char *const names[] = {"log",      "line",        "msg", "message",
                                        "@message", "textpayload", NULL};
    const size_t start = text_behind(path, '/'); /* {"jsonPayload": {"message": ..}} too */
    return text_in(text_cut(path, start, path.size), names);
}

static bool says_reading(const struct vocabulary *vocabulary, struct text name)
{
    struct naming naming = vocabulary_naming(vocabulary, name, TEXT(""), PHASE_NONE);
    return naming.known && !naming.refused &&
           (naming.kind <= KIND_LEARNING_RATE || naming.kind == KIND_REWARD);
}

/* A line of a training log: a number in it, and a word for one of its series. */
static bool says_training(const struct vocabulary *vocabulary, struct text text)
{
    bool digit = false, known = false;
    for (size_t i = 0, start = 0; i <= text.size; i++) {
        char c = i < text.size ? text.data[i] : ' ';
        digit = digit || (c >= '0' && c <= '9');
        if (i < text.size && (((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_'))
            continue;
        known = known || (i > start + 1 && says_reading(vocabulary, text_cut(text, start, i)));
        start = i + 1;
    }
    return digit && known;
}

/* *feed is opened at the first line. */
static bool log_take(const struct line *line, struct log_feed **feed, struct text text,
                     struct place place, struct error *error)
{
    if (!*feed)
        *feed = log_open(line->reading, error);
    if (!*feed)
        return false;
    while (text.size > 0 && text.data[text.size - 1] == '\n')
        text.size--;
    return log_line(*feed, text, place, error);
}

static bool message_take(struct line *line, struct text text, struct place place,
                         struct error *error)
{
    return log_take(line, &line->feed, text, place, error);
}

/* Docker and Kubernetes write {"log": "..\n", "stream": "stdout", ..}: the line end tells at the
   first record. Of others the first that speaks of training tells. */
static bool printed_take(struct line *line, const struct json_token *token, struct error *error)
{
    if (line->feed || (line->objects == 0 && text_is(path_text(&line->path), "log") &&
                       text_ends(token->text, "\n")))
        return message_take(line, token->text, token->place, error);
    line->said_size = token->text.size;
    line->said_place = token->place;
    memcpy(line->said, token->text.data, token->text.size);
    return true;
}

/* Behind a record: whether the lines that records hold are read from here on. */
static bool message_decide(struct line *line, struct error *error)
{
    struct text said = {line->said, line->said_size};
    line->readings = line->readings || line->told;
    if (line->readings || !says_training(line->reading->vocabulary, said))
        return true;
    return message_take(line, said, line->said_place, error);
}

/* A value under the path at hand, whose key was taken from it before. */
static bool value_take(struct line *line, const struct json_token *token, struct error *error)
{
    struct text path = path_text(&line->path);
    if (line->settings > 0)
        return line->objects > 0 ||
               writer_setting(line->writer, path, token->text, token->place, error);
    if (token->kind == JSON_STRING && token->first && !line->readings && names_message(path) &&
        !printed_take(line, token, error))
        return false;
    if (line->feed)
        return true;
    row_at(line->writer, token->place);
    if (token->kind == JSON_NUMBER && !line->readings && !line->told)
        line->told = says_reading(line->reading->vocabulary, path);
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
    if (token->kind == JSON_LINE_END && token->text.size > 0)
        return log_take(line, line->feed ? &line->feed : &line->prints, token->text, token->place,
                        error);
    row_begin(line->writer, token->place);
    line->path.size = line->name_size = line->said_size = 0;
    line->told = false;
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
    if (!line->feed && !message_decide(line, error))
        return false;
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
    if (line->prints)
        sound = log_close(line->prints, late) && sound;
    late = sound ? error : NULL;
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
