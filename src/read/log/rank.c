/* Learns from the head of a log whether its lines open with the rank that wrote them. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/reader.h"

enum {
    TOKEN_BYTES = 64,
    FORMS = 32,        /* of tokens */
    KINDS = 512,       /* different tokens that are told apart */
    SHARE = 30,        /* percent of the lines that have one */
    SHARE_SINGLE = 90, /* where all have the same */
    LINES_LEAST = 4,
    COMMAS_LEAST = 3,
    BACK_SHARE = 10, /* percent of the steps between them that do not go up */
};

struct ranks {
    bool learnt;
    bool numbered;     /* `[1743] `: a viewer numbered the lines */
    uint64_t skeleton; /* of the token without its digits */
    bool piped;        /* `node3 | ` instead of `node3: ` */
};

/* `node0.local gpu1: `: a host before the device. The end of the second word, 0: it is none. */
static size_t device_end(struct text line, size_t at)
{
    static const char *const words[] = {"rank", "gpu",    "worker", "proc", "process", "node",
                                        "host", "device", "task",   "cuda", "replica", NULL};
    size_t end = at;
    while (byte_is_letter(text_byte(line, end)))
        end++;
    size_t digits = end;
    while (byte_is_digit(text_byte(line, end)))
        end++;
    if (digits == end || text_byte(line, end) != ':' || text_byte(line, end + 1) != ' ')
        return 0;
    return text_in(text_cut(line, at, digits - at), words) ? end : 0;
}

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
    if (text_byte(line, i) == ' ' && device_end(line, i + 1)) {
        i = device_end(line, i + 1);
        *token = text_cut(line, start, i - start);
    }
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

/* The commonest form of such a token. */
struct forms {
    uint64_t skeletons[FORMS];
    bool piped[FORMS];
    size_t counts[FORMS], count;
};

static void count_form(struct forms *forms, struct text line)
{
    struct text token;
    bool piped;
    if (rank_token(line, &token, &piped) == 0)
        return;
    uint64_t skeleton = skeleton_of(token);
    size_t i = 0;
    while (i < forms->count && (forms->skeletons[i] != skeleton || forms->piped[i] != piped))
        i++;
    if (i == FORMS)
        return;
    forms->skeletons[i] = skeleton;
    forms->piped[i] = piped;
    forms->counts[i]++;
    forms->count += i == forms->count;
}

/* Each line of the head that is not empty, to one of the two. */
static void head_walk(struct text head, struct forms *forms, struct census *census)
{
    size_t start = 0;
    for (size_t i = 0; i <= head.size; i++) {
        if (i < head.size && head.data[i] != '\n')
            continue;
        struct text line = text_trim(text_cut(head, start, i - start));
        start = i + 1;
        if (line.size == 0)
            continue;
        if (forms)
            count_form(forms, line);
        else
            count_line(census, line);
    }
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

static void ranks_learn(struct ranks *ranks, struct text head)
{
    struct census census = {0};
    struct forms forms = {.count = 0};
    head_walk(head, &forms, NULL);
    size_t best = 0;
    for (size_t i = 1; i < forms.count; i++)
        if (forms.counts[i] > forms.counts[best])
            best = i;
    census.skeleton = forms.skeletons[best];
    census.piped = forms.piped[best];
    if (forms.count > 0)
        head_walk(head, NULL, &census);
    if (is_prefix(&census)) {
        ranks->learnt = true;
        ranks->skeleton = census.skeleton;
        ranks->piped = census.piped;
    }
}

/* ---- Line numbers ---- */

static size_t line_number(struct text line, int64_t *number)
{
    size_t i = 1;
    if (text_byte(line, 0) != '[')
        return 0;
    *number = 0;
    for (; byte_is_digit(text_byte(line, i)) && i < 12; i++)
        *number = *number * 10 + (line.data[i] - '0');
    if (i == 1 || text_byte(line, i) != ']')
        return 0;
    if (i + 1 == line.size)
        return line.size;
    return line.data[i + 1] == ' ' ? i + 2 : 0;
}

/* What a line begins with, for telling lines of one form from lines of many. */
static uint32_t opening_of(struct text line)
{
    uint32_t opening = 0;
    for (size_t i = 0, taken = 0; i < line.size && taken < 3; i++)
        if (line.data[i] != ' ' && !byte_is_digit(line.data[i])) {
            opening = opening << 8 | (unsigned char)line.data[i];
            taken++;
        }
    return opening;
}

/* Nearly all lines have one, it goes up, and what stands behind it is of several forms: else it is
   the iteration that a program prints. */
static bool are_numbered(struct text head)
{
    enum { OPENINGS = 3 };
    uint32_t openings[OPENINGS];
    size_t start = 0, lines = 0, with = 0, different = 0;
    int64_t last = -1, number = 0;
    for (size_t i = 0; i <= head.size; i++) {
        if (i < head.size && head.data[i] != '\n')
            continue;
        struct text line = text_trim(text_cut(head, start, i - start));
        start = i + 1;
        size_t skip = line_number(line, &number);
        lines += line.size > 0;
        if (skip == 0)
            continue;
        if (number <= last)
            return false;
        last = number;
        with++;
        uint32_t opening = opening_of(text_cut(line, skip, line.size));
        size_t o = 0;
        while (o < different && openings[o] != opening)
            o++;
        if (o == different && different < OPENINGS)
            openings[different++] = opening;
    }
    return with >= LINES_LEAST && with * 100 >= lines * SHARE_SINGLE && different == OPENINGS;
}

/* ---- Commas ---- */

/* `loss: 0,693`: commas that cannot group, and hardly a point between digits. */
static bool commas_are_points(struct text head)
{
    size_t commas = 0, points = 0;
    for (size_t i = 1; i + 1 < head.size; i++) {
        char c = head.data[i];
        if ((c != ',' && c != '.') || !byte_is_digit(head.data[i - 1]) ||
            !byte_is_digit(head.data[i + 1]))
            continue;
        if (c == '.') {
            points++;
            continue;
        }
        size_t first = i - 1, end = i + 1;
        while (first > 0 && byte_is_digit(head.data[first - 1]))
            first--;
        while (end < head.size && byte_is_digit(head.data[end]))
            end++;
        char before = first > 0 ? head.data[first - 1] : ' ';
        char after = end < head.size ? head.data[end] : '\n';
        bool groups = end - i - 1 == 3 && i - first <= 3 && head.data[first] != '0';
        bool list = before == ',' || after == ',' || before == '[' || before == '(';
        commas += !groups && !list && before != ':';
    }
    return commas >= COMMAS_LEAST && points * 10 < commas;
}

bool head_learn(struct reader *reader, struct text head, struct error *error)
{
    bool first = !reader->ranks;
    if (first)
        reader->ranks = arena_take(reader->arena, 1, sizeof *reader->ranks);
    if (!reader->ranks)
        return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                         "no memory for ranks");
    if (!reader->ranks->learnt)
        ranks_learn(reader->ranks, head);
    if (first) {
        reader->ranks->numbered = are_numbered(head);
        if (commas_are_points(head))
            reader->comma = COMMA_DECIMAL;
    }
    return true;
}

/* `0: [default0]:[rank0]: `: a launcher's number in front of a rank. It is learnt at once. */
static bool is_launcher(struct text line)
{
    size_t i = 0;
    while (text_byte(line, i) == ' ')
        i++;
    size_t first = i;
    while (byte_is_digit(text_byte(line, i)) && i < first + 5)
        i++;
    if (i == first || text_byte(line, i) != ':' || text_byte(line, i + 1) != ' ')
        return false;
    struct text rest = text_cut(line, i + 2, 8);
    return text_starts(rest, "[default") || text_starts(rest, "[rank");
}

size_t rank_strip(struct ranks *ranks, struct text line, int32_t *rank)
{
    struct text token;
    bool piped;
    if (ranks && !ranks->learnt && !ranks->numbered && is_launcher(line)) {
        ranks->learnt = true;
        ranks->piped = false;
        ranks->skeleton = skeleton_of((struct text){"", 0});
    }
    int64_t number;
    if (ranks && ranks->numbered)
        return line_number(line, &number);
    if (!ranks || !ranks->learnt)
        return 0;
    size_t end = rank_token(line, &token, &piped);
    if (end == 0 || piped != ranks->piped || skeleton_of(token) != ranks->skeleton)
        return 0;
    *rank = number_of(token);
    return end;
}
