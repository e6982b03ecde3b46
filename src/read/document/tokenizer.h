/* JSON as a stream of tokens, in constant memory whatever the size of the document. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_DOCUMENT_TOKENIZER_H
#define READ_DOCUMENT_TOKENIZER_H

#include "stalldoc/arena.h"
#include "stalldoc/input.h"
#include "stalldoc/limits.h"

enum json_kind {
    JSON_END, /* of the input */
    JSON_OBJECT,
    JSON_OBJECT_END,
    JSON_LIST,
    JSON_LIST_END,
    JSON_KEY,
    JSON_STRING,
    JSON_NUMBER, /* also NaN, Infinity, -Infinity, nan, inf */
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
    JSON_LINE_END, /* in line mode, behind every non-empty line */
};

enum { JSON_TEXT_MAX = 4096 };

struct json_token {
    enum json_kind kind;
    /* Of keys, strings and numbers, escapes resolved; of a line that opens no object its bytes,
       cut, with its indentation. Until the next call. */
    struct text text;
    bool first, last;   /* long strings come in parts; a key's further parts are passed over */
    bool broken;        /* of JSON_LINE_END: the line is no JSON; what came before it is sound */
    struct place place; /* where the value begins: physical line, offset of its first byte */
};

enum json_expect {
    EXPECT_VALUE,
    EXPECT_FIRST_VALUE,
    EXPECT_KEY,
    EXPECT_FIRST_KEY,
    EXPECT_COLON,
    EXPECT_COMMA
};

struct tokenizer {
    struct input *input; /* NULL: `data` is all there is */
    char *buffer;
    const char *data;
    size_t at, end, room;
    uint64_t base;        /* offset of data[0] */
    uint64_t line;        /* of data[at] */
    uint64_t line_offset; /* of the first byte of that line */
    uint32_t number;      /* of the input */
    bool lines, ended, in_string, key, in_line, cut;
    enum json_expect expect;
    uint64_t objects; /* bit d: depth d is an object */
    int depth;
    struct place place;
    char text[JSON_TEXT_MAX];
    size_t used;
};

/* `lines`: every line is a document of its own (JSON lines). */
bool tokenizer_open(struct tokenizer *tokenizer, struct input *input, struct arena *arena,
                    bool lines, struct error *error);
/* Over memory, for probes. An end in the middle is then no error: JSON_END comes, `cut` is set. */
void tokenizer_over(struct tokenizer *tokenizer, struct span span, bool lines);
bool tokenizer_next(struct tokenizer *tokenizer, struct json_token *token, struct error *error);
/* Physical lines so far, the last one counted where it has bytes. */
uint64_t tokenizer_lines(const struct tokenizer *tokenizer);
/* Passes over the value that `token` began (object, list, or the rest of a string). */
bool tokenizer_skip(struct tokenizer *tokenizer, const struct json_token *token,
                    struct error *error);

#endif
