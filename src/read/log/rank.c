/* Learns from the head of a log whether its lines open with the rank that wrote them. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/reader.h"

enum {
    TOKEN_BYTES = 40,
    KINDS = 512,       /* different tokens that are told apart */
    SHARE = 30,        /* percent of the lines that have one */
    SHARE_SINGLE = 90, /* where all have the same */
    LINES_LEAST = 4,
    BACK_SHARE = 10, /* percent of the steps between them that do not go up */
};

struct ranks {
    bool learnt;
    uint64_t skeleton; /* of the token without its digits */
    bool piped;        /* `node3 | ` instead of `node3: ` */
};

/* The token in front of the first `: `, or the word with a digit at its end in front of ` | `. */
static size_t rank_token(struct text line, struct text *token, bool *piped)
{
    size_t i = 0, start;
    while (i < line.size && line.data[i] == ' ')
        i++;
    start = i;
    bool digit = false;
    for (; i < line.size && i - start < TOKEN_BYTES; i++) {
        char c = line.data[i];
        if (c == ':' && text_byte(line, i + 1) == ' ')
            break;
        if (c == ' ')
            break;
        if (!byte_is_word(c) && c != '.' && c != '-')
            return 0;
        digit = digit || byte_is_digit(c);
    }
    if (i == start || !digit)
        return 0;
    *token = text_cut(line, start, i - start);
    if (text_byte(line, i) == ':') {
        *piped = false;
        return i + 1;
    }
    while (text_byte(line, i) == ' ')
        i++;
    if (text_byte(line, i) != '|' || text_byte(line, i + 1) != ' ' ||
        !byte_is_digit(token->data[token->size - 1]) || !byte_is_letter(token->data[0]))
        return 0;
    *piped = true;
    return i + 1;
}

static uint64_t skeleton_of(struct text token)
{
    char bytes[TOKEN_BYTES];
    size_t size = 0;
    for (size_t i = 0; i < token.size && size < TOKEN_BYTES; i++)
        if (!byte_is_digit(token.data[i]))
            bytes[size++] = token.data[i];
    return text_hash((struct text){bytes, size}) | 1;
}

static int32_t number_of(struct text token)
{
    size_t end = token.size;
    while (end > 0 && !byte_is_digit(token.data[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && byte_is_digit(token.data[start - 1]) && end - start < 9)
        start--;
    int32_t number = 0;
    for (size_t i = start; i < end; i++)
        number = number * 10 + (token.data[i] - '0');
    return number;
}

struct census {
    uint64_t tokens[KINDS];
    size_t kinds, lines, with, steps, back;
    int64_t last;
    uint64_t skeleton;
    bool piped;
};

static void count_line(struct census *census, struct text line)
{
    struct text token;
    bool piped;
    census->lines++;
    if (rank_token(line, &token, &piped) == 0)
        return;
    uint64_t skeleton = skeleton_of(token), hash = text_hash(token);
    if (census->with == 0) {
        census->skeleton = skeleton;
        census->piped = piped;
    }
    if (skeleton != census->skeleton || piped != census->piped)
        return;
    int64_t number = number_of(token);
    if (census->with > 0) {
        census->steps++;
        census->back += number <= census->last;
    }
    census->last = number;
    census->with++;
    size_t i = 0;
    while (i < census->kinds && census->tokens[i] != hash)
        i++;
    if (i == census->kinds && census->kinds < KINDS)
        census->tokens[census->kinds++] = hash;
}

static bool is_prefix(const struct census *census)
{
    if (census->with < LINES_LEAST || census->kinds == KINDS)
        return false;
    if (census->kinds == 1)
        return census->with * 100 >= census->lines * SHARE_SINGLE;
    return census->with * 100 >= census->lines * SHARE && census->kinds * 3 <= census->with &&
           census->back * 100 > census->steps * BACK_SHARE;
}

bool ranks_learn(struct reader *reader, struct text head, struct error *error)
{
    struct census census = {0};
    reader->ranks = arena_take(reader->arena, 1, sizeof *reader->ranks);
    if (!reader->ranks)
        return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                         "no memory for ranks");
    size_t start = 0;
    for (size_t i = 0; i <= head.size; i++) {
        if (i < head.size && head.data[i] != '\n')
            continue;
        struct text line = text_trim(text_cut(head, start, i - start));
        if (line.size > 0)
            count_line(&census, line);
        start = i + 1;
    }
    if (is_prefix(&census)) {
        reader->ranks->learnt = true;
        reader->ranks->skeleton = census.skeleton;
        reader->ranks->piped = census.piped;
    }
    return true;
}

size_t rank_strip(const struct ranks *ranks, struct text line, int32_t *rank)
{
    struct text token;
    bool piped;
    if (!ranks || !ranks->learnt)
        return 0;
    size_t end = rank_token(line, &token, &piped);
    if (end == 0 || piped != ranks->piped || skeleton_of(token) != ranks->skeleton)
        return 0;
    *rank = number_of(token);
    return end;
}
