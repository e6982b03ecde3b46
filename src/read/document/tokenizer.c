/* A JSON tokenizer that reads what Python, JavaScript and C++ really write: bare NaN and Infinity,
   integers of any length, invalid UTF-8, keys that come twice. It holds one window of the input. */
/* SPDX-License-Identifier: MIT */
#include "read/document/tokenizer.h"

#include <string.h>

enum { WINDOW = 64 << 10 };

bool tokenizer_open(struct tokenizer *tokenizer, struct input *input, struct arena *arena,
                    bool lines, struct error *error)
{
    memset(tokenizer, 0, sizeof(*tokenizer));
    tokenizer->buffer = arena_take(arena, WINDOW, 1);
    if (!tokenizer->buffer)
        return error_set(error, ERROR_MEMORY, input_place(input, 0), "out of memory");
    tokenizer->input = input;
    tokenizer->data = tokenizer->buffer;
    tokenizer->room = WINDOW;
    tokenizer->line = 1;
    tokenizer->number = input_number(input);
    tokenizer->lines = lines;
    return true;
}

void tokenizer_over(struct tokenizer *tokenizer, struct span span, bool lines)
{
    memset(tokenizer, 0, sizeof(*tokenizer));
    tokenizer->data = (const char *)span.data;
    tokenizer->end = span.size;
    tokenizer->line = 1;
    tokenizer->lines = lines;
}

/* The next byte, or -1 at the end; what it yields is not consumed. */
static int peek(struct tokenizer *tokenizer, struct error *error, bool *failed)
{
    if (tokenizer->at < tokenizer->end)
        return (unsigned char)tokenizer->data[tokenizer->at];
    if (!tokenizer->input || tokenizer->ended)
        return -1;
    size_t got = 0;
    tokenizer->base += tokenizer->end;
    tokenizer->at = tokenizer->end = 0;
    if (!input_read(tokenizer->input, tokenizer->buffer, tokenizer->room, &got, error)) {
        *failed = true;
        tokenizer->ended = true;
        return -1;
    }
    tokenizer->end = got;
    tokenizer->ended = got == 0;
    return got > 0 ? (unsigned char)tokenizer->data[0] : -1;
}

static void step(struct tokenizer *tokenizer)
{
    if (tokenizer->data[tokenizer->at++] == '\n') {
        tokenizer->line++;
        tokenizer->line_offset = tokenizer->base + tokenizer->at;
    }
}

static struct place here(const struct tokenizer *tokenizer)
{
    return (struct place){tokenizer->number, tokenizer->line, tokenizer->base + tokenizer->at};
}

static bool malformed(const struct tokenizer *tokenizer, struct error *error, const char *what)
{
    return error_set(error, ERROR_MALFORMED, here(tokenizer), "%s", what);
}

static void put(struct tokenizer *tokenizer, int byte)
{
    if (tokenizer->used < JSON_TEXT_MAX)
        tokenizer->text[tokenizer->used++] = (char)byte;
}

static void put_character(struct tokenizer *tokenizer, uint32_t code)
{
    if (code < 0x80) {
        put(tokenizer, (int)code);
    } else if (code < 0x800) {
        put(tokenizer, (int)(0xC0 | code >> 6));
        put(tokenizer, (int)(0x80 | (code & 0x3F)));
    } else if (code < 0x10000) {
        put(tokenizer, (int)(0xE0 | code >> 12));
        put(tokenizer, (int)(0x80 | (code >> 6 & 0x3F)));
        put(tokenizer, (int)(0x80 | (code & 0x3F)));
    } else {
        put(tokenizer, (int)(0xF0 | code >> 18));
        put(tokenizer, (int)(0x80 | (code >> 12 & 0x3F)));
        put(tokenizer, (int)(0x80 | (code >> 6 & 0x3F)));
        put(tokenizer, (int)(0x80 | (code & 0x3F)));
    }
}

static int hex_digit(int byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

static bool hex4(struct tokenizer *tokenizer, uint32_t *code, struct error *error, bool *failed)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(peek(tokenizer, error, failed));
        if (digit < 0)
            return false;
        *code = *code << 4 | (uint32_t)digit;
        step(tokenizer);
    }
    return true;
}

/* Behind "\u". Halves of a pair are joined; a lone half becomes U+FFFD. */
static void take_unicode(struct tokenizer *tokenizer, struct error *error, bool *failed)
{
    uint32_t code, low;
    if (!hex4(tokenizer, &code, error, failed)) {
        put_character(tokenizer, 0xFFFD);
        return;
    }
    if (code < 0xD800 || code > 0xDFFF) {
        put_character(tokenizer, code);
        return;
    }
    if (code > 0xDBFF || peek(tokenizer, error, failed) != '\\') {
        put_character(tokenizer, 0xFFFD);
        return;
    }
    step(tokenizer);
    if (peek(tokenizer, error, failed) != 'u') {
        put_character(tokenizer, 0xFFFD);
        return;
    }
    step(tokenizer);
    if (hex4(tokenizer, &low, error, failed) && low >= 0xDC00 && low <= 0xDFFF)
        put_character(tokenizer, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
    else
        put_character(tokenizer, 0xFFFD);
}

static void take_escape(struct tokenizer *tokenizer, struct error *error, bool *failed)
{
    static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
    int byte = peek(tokenizer, error, failed);
    if (byte < 0 || (byte == '\n' && tokenizer->lines))
        return;
    step(tokenizer);
    const char *known = byte ? strchr(from, byte) : NULL;
    if (byte == 'u')
        take_unicode(tokenizer, error, failed);
    else
        put(tokenizer, known ? to[known - from] : byte);
}

enum end { END_QUOTE, END_FULL, END_BROKEN };

/* The bytes of a string up to its quote, or until the text is nearly full. */
static enum end string_bytes(struct tokenizer *tokenizer, struct error *error, bool *failed)
{
    enum { SPARE = 16 }; /* room for an escape */
    for (;;) {
        int byte = peek(tokenizer, error, failed);
        if (byte < 0 || (byte == '\n' && tokenizer->lines))
            return END_BROKEN;
        if (tokenizer->used >= JSON_TEXT_MAX - SPARE)
            return END_FULL;
        size_t start = tokenizer->at, stop = tokenizer->end;
        if (stop - start > JSON_TEXT_MAX - SPARE - tokenizer->used)
            stop = start + (JSON_TEXT_MAX - SPARE - tokenizer->used);
        while (tokenizer->at < stop) {
            char c = tokenizer->data[tokenizer->at];
            if (c == '"' || c == '\\' || c == '\n')
                break;
            tokenizer->at++;
        }
        memcpy(tokenizer->text + tokenizer->used, tokenizer->data + start, tokenizer->at - start);
        tokenizer->used += tokenizer->at - start;
        if (tokenizer->at == stop)
            continue;
        char c = tokenizer->data[tokenizer->at];
        if (c == '\n' && tokenizer->lines)
            return END_BROKEN;
        step(tokenizer);
        if (c == '"')
            return END_QUOTE;
        if (c == '\n')
            put(tokenizer, '\n');
        else
            take_escape(tokenizer, error, failed);
    }
}

static bool at_end(struct tokenizer *tokenizer, struct error *error, bool failed)
{
    if (failed)
        return false;
    if (!tokenizer->input) {
        tokenizer->cut = true;
        return true;
    }
    return error_set(error, ERROR_TRUNCATED, here(tokenizer),
                     "the document ends in the middle of a value");
}

/* A string that stands in the window as it is. */
static bool string_in_window(struct tokenizer *tokenizer, struct json_token *token)
{
    const char *start = tokenizer->data + tokenizer->at;
    size_t left = tokenizer->end - tokenizer->at, size = 0;
    if (left > JSON_TEXT_MAX / 2)
        left = JSON_TEXT_MAX / 2;
    while (size < left && start[size] != '"' && start[size] != '\\' && start[size] != '\n')
        size++;
    if (size == left || start[size] != '"')
        return false;
    tokenizer->at += size + 1;
    token->kind = tokenizer->key ? JSON_KEY : JSON_STRING;
    token->text = (struct text){start, size};
    token->first = token->last = true;
    tokenizer->expect = tokenizer->key ? EXPECT_COLON : EXPECT_COMMA;
    return true;
}

/* A part of the string or key at hand. */
static bool take_string(struct tokenizer *tokenizer, struct json_token *token, struct error *error)
{
    bool failed = false, first = !tokenizer->in_string;
    if (first && string_in_window(tokenizer, token))
        return true;
    tokenizer->used = 0;
    tokenizer->in_string = true;
    enum end end = string_bytes(tokenizer, error, &failed);
    token->text = (struct text){tokenizer->text, tokenizer->used};
    while (tokenizer->key && end == END_FULL) { /* what does not fit is no name */
        tokenizer->used = 0;
        end = string_bytes(tokenizer, error, &failed);
    }
    if (end == END_BROKEN) {
        tokenizer->in_string = false;
        if (tokenizer->lines && !failed)
            return malformed(tokenizer, error, "a string without its end");
        token->kind = JSON_END;
        return at_end(tokenizer, error, failed);
    }
    token->kind = tokenizer->key ? JSON_KEY : JSON_STRING;
    token->first = first;
    token->last = end == END_QUOTE;
    if (end == END_QUOTE) {
        tokenizer->in_string = false;
        tokenizer->expect = tokenizer->key ? EXPECT_COLON : EXPECT_COMMA;
    }
    return true;
}

/* Bytes of numbers and words. */
static const bool word_bytes[256] = {
    ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true,
    ['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true, ['+'] = true, ['-'] = true,
    ['.'] = true, ['_'] = true, ['#'] = true, ['a'] = true, ['b'] = true, ['c'] = true,
    ['d'] = true, ['e'] = true, ['f'] = true, ['g'] = true, ['h'] = true, ['i'] = true,
    ['j'] = true, ['k'] = true, ['l'] = true, ['m'] = true, ['n'] = true, ['o'] = true,
    ['p'] = true, ['q'] = true, ['r'] = true, ['s'] = true, ['t'] = true, ['u'] = true,
    ['v'] = true, ['w'] = true, ['x'] = true, ['y'] = true, ['z'] = true, ['A'] = true,
    ['B'] = true, ['C'] = true, ['D'] = true, ['E'] = true, ['F'] = true, ['G'] = true,
    ['H'] = true, ['I'] = true, ['J'] = true, ['K'] = true, ['L'] = true, ['M'] = true,
    ['N'] = true, ['O'] = true, ['P'] = true, ['Q'] = true, ['R'] = true, ['S'] = true,
    ['T'] = true, ['U'] = true, ['V'] = true, ['W'] = true, ['X'] = true, ['Y'] = true,
    ['Z'] = true,
};

static bool digits_only(struct text word, size_t sign)
{
    for (size_t i = sign; i < word.size; i++) {
        char c = word.data[i];
        if ((c < '0' || c > '9') && c != '.' && c != 'e' && c != 'E' && c != '+' && c != '-')
            return false;
    }
    return true;
}

static enum json_kind word_kind(struct text word)
{
    static const struct {
        const char *word;
        enum json_kind kind;
    } words[] = {
        {"true", JSON_TRUE},        {"false", JSON_FALSE}, {"null", JSON_NULL},
        {"NaN", JSON_NUMBER},       {"nan", JSON_NUMBER},  {"-nan", JSON_NUMBER},
        {"-NaN", JSON_NUMBER},      {"inf", JSON_NUMBER},  {"Inf", JSON_NUMBER},
        {"Infinity", JSON_NUMBER},  {"-inf", JSON_NUMBER}, {"-Inf", JSON_NUMBER},
        {"-Infinity", JSON_NUMBER}, {"None", JSON_NULL},   {"True", JSON_TRUE},
        {"False", JSON_FALSE},      {"nil", JSON_NULL},    {"undefined", JSON_NULL},
    };
    size_t sign = word.size > 0 && (word.data[0] == '-' || word.data[0] == '+');
    if (word.size > sign && word.data[sign] >= '0' && word.data[sign] <= '9')
        return digits_only(word, sign) ? JSON_NUMBER : JSON_END;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (text_is(word, words[i].word))
            return words[i].kind;
    return JSON_END;
}

/* Across the end of a window. */
static int word_copy(struct tokenizer *tokenizer, struct error *error, bool *failed)
{
    int byte;
    while ((byte = peek(tokenizer, error, failed)) >= 0 && word_bytes[byte]) {
        put(tokenizer, byte);
        step(tokenizer);
    }
    return byte;
}

static bool take_word(struct tokenizer *tokenizer, struct json_token *token, struct error *error)
{
    bool failed = false;
    const char *start = tokenizer->data + tokenizer->at;
    size_t left = tokenizer->end - tokenizer->at, size = 0;
    while (size < left && word_bytes[(unsigned char)start[size]])
        size++;
    token->text = (struct text){start, size};
    if (size < left) {
        tokenizer->at += size;
    } else {
        tokenizer->used = 0;
        int byte = word_copy(tokenizer, error, &failed);
        if (byte < 0 && (failed || (!tokenizer->input && tokenizer->depth > 0))) {
            token->kind = JSON_END;
            return at_end(tokenizer, error, failed);
        }
        token->text = (struct text){tokenizer->text, tokenizer->used};
    }
    token->first = token->last = true;
    token->kind = word_kind(token->text);
    if (token->kind == JSON_END)
        return malformed(tokenizer, error, "a value belongs here");
    tokenizer->expect = EXPECT_COMMA;
    return true;
}

static bool in_object(const struct tokenizer *tokenizer)
{
    return tokenizer->depth > 0 && (tokenizer->objects >> (tokenizer->depth - 1) & 1);
}

static bool take_open(struct tokenizer *tokenizer, struct json_token *token, bool object,
                      struct error *error)
{
    if (tokenizer->depth == LIMIT_DEPTH)
        return error_set(error, ERROR_LIMIT, here(tokenizer), "more than %d levels of nesting",
                         LIMIT_DEPTH);
    uint64_t bit = UINT64_C(1) << tokenizer->depth++;
    tokenizer->objects = object ? tokenizer->objects | bit : tokenizer->objects & ~bit;
    tokenizer->expect = object ? EXPECT_FIRST_KEY : EXPECT_FIRST_VALUE;
    token->kind = object ? JSON_OBJECT : JSON_LIST;
    step(tokenizer);
    return true;
}

static bool take_close(struct tokenizer *tokenizer, struct json_token *token, bool object,
                       struct error *error)
{
    bool fits = tokenizer->depth > 0 && in_object(tokenizer) == object &&
                (tokenizer->expect == EXPECT_COMMA || tokenizer->expect == EXPECT_FIRST_KEY ||
                 tokenizer->expect == EXPECT_FIRST_VALUE);
    if (!fits)
        return malformed(tokenizer, error, "a bracket closes what was not open");
    tokenizer->depth--;
    tokenizer->expect = EXPECT_COMMA;
    token->kind = object ? JSON_OBJECT_END : JSON_LIST_END;
    step(tokenizer);
    return true;
}

/* Blanks, commas and colons up to the next token. False: something else belongs here. */
static bool pass_blanks(struct tokenizer *tokenizer, int *byte, struct error *error, bool *failed)
{
    for (;;) {
        *byte = peek(tokenizer, error, failed);
        if (*byte == '\n' && tokenizer->lines)
            return true;
        if (*byte >= 0x80 && tokenizer->base + tokenizer->at < 3) {
            step(tokenizer); /* a byte order mark */
        } else if (*byte == ' ' || *byte == '\t' || *byte == '\r' || *byte == '\n') {
            step(tokenizer);
        } else if (*byte == ',' && tokenizer->depth > 0 && tokenizer->expect == EXPECT_COMMA) {
            tokenizer->expect = in_object(tokenizer) ? EXPECT_KEY : EXPECT_VALUE;
            step(tokenizer);
        } else if (*byte == ':' && tokenizer->expect == EXPECT_COLON) {
            tokenizer->expect = EXPECT_VALUE;
            step(tokenizer);
        } else {
            return *byte != ',' && *byte != ':';
        }
    }
}

static bool take_token(struct tokenizer *tokenizer, int byte, struct json_token *token,
                       struct error *error)
{
    if (byte == '}' || byte == ']')
        return take_close(tokenizer, token, byte == '}', error);
    bool key = tokenizer->expect == EXPECT_KEY || tokenizer->expect == EXPECT_FIRST_KEY;
    bool value = tokenizer->expect == EXPECT_VALUE || tokenizer->expect == EXPECT_FIRST_VALUE ||
                 (tokenizer->depth == 0 && tokenizer->expect == EXPECT_COMMA && !tokenizer->lines);
    if (byte == '"' && (key || value)) {
        tokenizer->key = key;
        step(tokenizer);
        return take_string(tokenizer, token, error);
    }
    if (value && (byte == '{' || byte == '['))
        return take_open(tokenizer, token, byte == '{', error);
    if (value && word_bytes[byte])
        return take_word(tokenizer, token, error);
    return malformed(tokenizer, error, key ? "a name in quotes belongs here" : "this is not JSON");
}

static void restart(struct tokenizer *tokenizer)
{
    tokenizer->depth = 0;
    tokenizer->expect = EXPECT_VALUE;
    tokenizer->in_string = tokenizer->in_line = false;
}

/* In line mode: what is left of a line, after which the next one begins anew. */
static bool pass_line(struct tokenizer *tokenizer, struct json_token *token, bool broken,
                      struct error *error)
{
    bool failed = false;
    int byte;
    while ((byte = peek(tokenizer, error, &failed)) >= 0 && byte != '\n')
        step(tokenizer);
    if (byte >= 0)
        step(tokenizer);
    token->kind = JSON_LINE_END;
    token->broken = broken;
    if (byte < 0 && !tokenizer->input && (broken || tokenizer->depth > 0))
        tokenizer->cut = true;
    restart(tokenizer);
    return !failed;
}

/* In line mode: a line that opens no object is what somebody printed between the records. */
static bool pass_print(struct tokenizer *tokenizer, struct json_token *token, struct error *error)
{
    bool failed = false;
    int byte;
    tokenizer->used = 0;
    for (uint64_t at = tokenizer->line_offset;
         at < tokenizer->place.offset && tokenizer->used < JSON_TEXT_MAX; at++)
        tokenizer->text[tokenizer->used++] = ' ';
    while ((byte = peek(tokenizer, error, &failed)) >= 0 && byte != '\n') {
        if (tokenizer->used < JSON_TEXT_MAX)
            tokenizer->text[tokenizer->used++] = (char)byte;
        step(tokenizer);
    }
    if (failed || !pass_line(tokenizer, token, true, error))
        return false;
    token->text = (struct text){tokenizer->text, tokenizer->used};
    return true;
}

bool tokenizer_next(struct tokenizer *tokenizer, struct json_token *token, struct error *error)
{
    *token = (struct json_token){.place = tokenizer->place};
    if (tokenizer->in_string)
        return take_string(tokenizer, token, error);
    int byte = 0;
    bool failed = false, sound;
    for (;;) {
        sound = pass_blanks(tokenizer, &byte, error, &failed);
        bool empty = tokenizer->lines && byte == '\n' && !tokenizer->in_line;
        if (!empty)
            break;
        step(tokenizer);
    }
    if (failed)
        return false;
    token->place = tokenizer->place = here(tokenizer);
    bool inside = tokenizer->depth > 0 || tokenizer->expect == EXPECT_COLON;
    if (tokenizer->lines && tokenizer->in_line && (byte == '\n' || byte < 0))
        return pass_line(tokenizer, token, inside, error);
    if (byte < 0)
        return inside ? at_end(tokenizer, error, false) : true;
    if (tokenizer->lines && !tokenizer->in_line && byte != '{')
        return pass_print(tokenizer, token, error);
    tokenizer->in_line = true;
    struct error what; /* not zeroed: a message is large, and this is every token */
    what.kind = ERROR_NONE;
    if (sound ? take_token(tokenizer, byte, token, &what)
              : malformed(tokenizer, &what, "this is not JSON"))
        return true;
    if (tokenizer->lines && what.kind != ERROR_IO && what.kind != ERROR_MEMORY &&
        what.kind != ERROR_CHECKSUM && !(what.kind == ERROR_TRUNCATED && tokenizer->ended))
        return pass_line(tokenizer, token, true, error);
    if (error)
        *error = what;
    return false;
}

uint64_t tokenizer_lines(const struct tokenizer *tokenizer)
{
    uint64_t end = tokenizer->base + tokenizer->at;
    return tokenizer->line - (end == tokenizer->line_offset);
}

bool tokenizer_skip(struct tokenizer *tokenizer, const struct json_token *token,
                    struct error *error)
{
    struct json_token next = *token;
    int depth = tokenizer->depth;
    if (token->kind == JSON_STRING)
        while (next.kind == JSON_STRING && !next.last)
            if (!tokenizer_next(tokenizer, &next, error))
                return false;
    if (token->kind != JSON_OBJECT && token->kind != JSON_LIST)
        return true;
    while (tokenizer->depth >= depth && next.kind != JSON_END && next.kind != JSON_LINE_END)
        if (!tokenizer_next(tokenizer, &next, error))
            return false;
    return true;
}
