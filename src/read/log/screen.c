/* Passes over prose: a line without any word that could matter is not cut into tokens. */
/* SPDX-License-Identifier: MIT */
#include "read/log/screen.h"
#include "read/keywords.h"
#include "read/log/bytes.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    PROSE = 512,      /* lines that gave nothing, over those that did */
    PROSE_MOST = 768, /* so many are remembered */
    USEFUL = 8,       /* what one that gave something weighs */
    BLOCK = 64,
    SHORT_LINE = 120, /* a longer one without a number is no heading and no setting */
    HEAD_NAMES = 2,
    CLOCK_WITHIN = 48,
};

/* A bit for each byte of a block. */
struct classes {
    uint64_t letters, upper, digits, high, blanks, colons, signs;
};

#ifdef __SSE2__
static inline uint64_t range(__m128i bytes, char first, char count)
{
    const __m128i t = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
    const __m128i in = _mm_cmpeq_epi8(_mm_min_epu8(t, _mm_set1_epi8((char)(count - 1))), t);
    return (uint64_t)(unsigned)_mm_movemask_epi8(in);
}

static inline uint64_t same(__m128i bytes, char byte)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)));
}

static inline void classify(const char *text, struct classes *classes)
{
    *classes = (struct classes){0};
    for (unsigned at = 0; at < BLOCK; at += 16) {
        const __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(text + at));
        classes->letters |= range(_mm_or_si128(c, _mm_set1_epi8(0x20)), 'a', 26) << at;
        classes->upper |= range(c, 'A', 26) << at;
        classes->digits |= range(c, '0', 10) << at;
        classes->high |= (uint64_t)(unsigned)_mm_movemask_epi8(c) << at;
        classes->blanks |= (same(c, ' ') | same(c, '\t') | same(c, ',') | same(c, '|')) << at;
        classes->colons |= same(c, ':') << at;
        classes->signs |= (same(c, '-') | same(c, '.') | same(c, '(') | same(c, '[')) << at;
    }
}
#else
static inline void classify(const char *text, struct classes *classes)
{
    *classes = (struct classes){0};
    for (unsigned at = 0; at < BLOCK; at++) {
        const unsigned char c = (unsigned char)text[at], low = c | 0x20;
        classes->letters |= (uint64_t)(low >= 'a' && low <= 'z') << at;
        classes->upper |= (uint64_t)(c >= 'A' && c <= 'Z') << at;
        classes->digits |= (uint64_t)(c >= '0' && c <= '9') << at;
        classes->high |= (uint64_t)(c >= 0x80) << at;
        classes->blanks |= (uint64_t)(c == ' ' || c == '\t' || c == ',' || c == '|') << at;
        classes->colons |= (uint64_t)(c == ':') << at;
        classes->signs |= (uint64_t)(c == '-' || c == '.' || c == '(' || c == '[') << at;
    }
}
#endif

struct look { /* at one line */
    const struct keywords *keywords;
    struct text line;
    unsigned use;            /* of its words, bits of keyword_use */
    unsigned names;          /* words that name numbers */
    bool numbers;            /* some stand by themselves */
    unsigned figures, words; /* behind a blank: numbers, and words */
    bool high;               /* a byte of another script */
    bool clock;              /* near the start */
    /* The last byte of the block before. */
    uint64_t lower, alnum, opens;
};

/* Quotation marks and dashes are no letters. */
static bool other_script(struct text line, size_t at, uint64_t high)
{
    for (; high; high &= high - 1) {
        size_t i = at + (size_t)__builtin_ctzll(high);
        unsigned char c = (unsigned char)line.data[i];
        bool mark = i + 1 < line.size && c == 0xE2 && (unsigned char)line.data[i + 1] == 0x80;
        bool inside = c >= 0x80 && c < 0xC0;
        if (!mark && !inside)
            return true;
    }
    return false;
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || is_upper(c);
}

/* What follows a key: `lr: `, `lr = `, `"lr": `, `lr ......`. */
static bool sign_follows(struct text line, size_t at)
{
    while (at < line.size && (byte_is_word(line.data[at]) || strchr("-/\"'", line.data[at])))
        at++;
    while (at < line.size && line.data[at] == ' ')
        at++;
    char c = text_byte(line, at);
    return c == ':' || c == '=' || (c == '.' && text_byte(line, at + 1) == '.');
}

/* `--lr 0.1` */
static bool is_option(struct text line, size_t at)
{
    while (at > 0 && (byte_is_word(line.data[at - 1]) || line.data[at - 1] == '.'))
        at--;
    while (at > 1 && line.data[at - 1] == '-') {
        if (line.data[at - 2] == '-')
            return true;
        for (at--; at > 0 && byte_is_word(line.data[at - 1]);)
            at--;
    }
    return false;
}

/* What the word at `at` says, to its next border of any kind, to the last letter, with digits. */
static void look_at_word(struct look *look, size_t at, size_t piece, size_t letters, size_t all)
{
    const char *text = look->line.data + at;
    unsigned use = keyword_use(look->keywords, keyword_key(text, piece));
    if (letters != piece)
        use |= keyword_use(look->keywords, keyword_key(text, letters));
    if (all != letters)
        use |= keyword_use(look->keywords, keyword_key(text, all));
    if (!use)
        return;
    if ((use & KEYWORD_KEY) && (sign_follows(look->line, at) || is_option(look->line, at)))
        use |= KEYWORD_ALONE;
    look->use |= use & ~(unsigned)KEYWORD_KEY;
    look->names += (use & KEYWORD_VALUE) != 0;
}

/* Measures the word byte by byte: it goes on in the next block. */
static void look_across(struct look *look, size_t at)
{
    const char *text = look->line.data + at;
    size_t rest = look->line.size - at, piece = 1, letters, all;
    while (piece < rest && is_letter(text[piece]) &&
           !(is_upper(text[piece]) && !is_upper(text[piece - 1])))
        piece++;
    for (letters = piece; letters < rest && is_letter(text[letters]);)
        letters++;
    for (all = letters; all < rest && (is_letter(text[all]) || byte_is_digit(text[all]));)
        all++;
    look_at_word(look, at, piece, letters, all);
}

static void look_at_words(struct look *look, size_t at, uint64_t starts, uint64_t borders,
                          uint64_t letters, uint64_t alnum)
{
    for (; starts; starts &= starts - 1) {
        unsigned i = (unsigned)__builtin_ctzll(starts);
        uint64_t end = ~(alnum >> i); /* zeros come in from above: a bit is set where i > 0 */
        size_t all = end ? (size_t)__builtin_ctzll(end) : BLOCK;
        if (i + all >= BLOCK) {
            look_across(look, at + i);
            continue;
        }
        size_t last = (size_t)__builtin_ctzll(~(letters >> i)), piece = last;
        uint64_t border = borders >> i >> 1;
        if (border && (size_t)__builtin_ctzll(border) + 1 < last)
            piece = (size_t)__builtin_ctzll(border) + 1;
        look_at_word(look, at + i, piece, last, all);
    }
}

static bool has_clock(const struct classes *c)
{
    uint64_t d = c->digits;
    return (d & d >> 1 & c->colons >> 2 & d >> 3 & d >> 4 & ~(d << 1) &
            ((UINT64_C(1) << CLOCK_WITHIN) - 1)) != 0;
}

static void look_at_block(struct look *look, size_t at)
{
    struct classes c;
    classify(look->line.data + at, &c);
    size_t rest = look->line.size - at;
    uint64_t mask = rest < BLOCK ? (UINT64_C(1) << rest) - 1 : UINT64_MAX;
    uint64_t letters = c.letters & mask, lower = letters & ~c.upper, digits = c.digits & mask;
    uint64_t alnum = letters | digits, upper = c.upper & mask;
    uint64_t starts = letters & ~(alnum << 1 | look->alnum);
    uint64_t opens = c.blanks | (c.signs & (c.blanks << 1 | look->opens));
    look->words += (unsigned)__builtin_popcountll(starts & (opens << 1 | look->opens));
    look->figures += (unsigned)__builtin_popcountll(digits & (opens << 1 | look->opens));
    uint64_t borders = upper & (lower << 1 | look->lower); /* lossValue */
    uint64_t inner = upper & letters << 1 & lower >> 1;    /* IOULoss */
    look->numbers = look->numbers || (digits & ~(alnum << 1 | look->alnum)) != 0;
    look->high = look->high || other_script(look->line, at, c.high & mask);
    look->clock = look->clock || (at == 0 && has_clock(&c));
    look_at_words(look, at, starts | borders | inner, borders | inner, letters, alnum);
    look->lower = lower >> (BLOCK - 1);
    look->alnum = alnum >> (BLOCK - 1);
    look->opens = opens >> (BLOCK - 1);
}

/* Whether the line can tell anything by its words and numbers. */
static bool speaks(struct look *look)
{
    look->opens = 1;
    for (size_t at = 0; at < look->line.size; at += BLOCK)
        look_at_block(look, at);
    size_t first = 0;
    while (first < look->line.size && look->line.data[first] == ' ')
        first++;
    if (look->high || (first < look->line.size && look->line.data[first] == '|'))
        return true;
    if (look->figures > 0 && look->figures * 10 >= 6 * (look->words + look->figures))
        return true; /* may be the row of a table */
    if (look->numbers)
        return look->use != 0;
    if (look->names >= HEAD_NAMES)
        return true; /* may be the head of a table */
    return (look->use & KEYWORD_ALONE) && look->line.size <= SHORT_LINE;
}

static struct keywords *words_open(struct reader *reader)
{
    static const char *const words[] = {"nan", "inf", "infinity", "namespace", "stalldoc"};
    struct keywords *keywords = keywords_make(reader->vocabulary, reader->arena);
    if (!keywords)
        return NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        keywords_add(keywords, text_of(words[i]), KEYWORD_ALONE);
    life_keywords(keywords);
    return keywords;
}

void screen_note(struct reader *reader, bool useful)
{
    if (useful)
        reader->prose -= reader->prose < USEFUL ? reader->prose : USEFUL;
    else if (reader->prose < PROSE_MOST)
        reader->prose++;
}

/* Nothing is open that the next line could go on with. */
static bool is_quiet(const struct reader *reader)
{
    const struct stream *stream = reader->stream;
    return reader->stream_count == 1 && !vocabulary_has_maps(reader->vocabulary) &&
           !(stream->box && (stream->box->count > 0 || stream->box->group.size > 0)) &&
           !(stream->traceback && traceback_wants(stream->traceback, NULL, 0));
}

/* Its time, where it has one; *other: it is of another rank. */
static bool time_pass(struct reader *reader, struct text text, const struct place *place,
                      bool *other, struct error *error)
{
    struct line line = {.raw = text, .number = place->line, .offset = place->offset};
    prefix_strip(reader, &line);
    *other = line.rank != reader->stream->rank;
    return *other || isnan(line.time) ||
           reader->sink->time(reader->sink, line.time, place, line.rank, error);
}

bool screen_pass(struct reader *reader, struct text rest, uint64_t number, uint64_t offset,
                 size_t *used, size_t *lines, struct error *error)
{
    *used = *lines = 0;
    if (reader->prose < PROSE || !is_quiet(reader))
        return true;
    if (!reader->keywords && !(reader->keywords = words_open(reader)))
        return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                         "no memory to read a log");
    const struct message_table *messages = reader->reading->messages;
    while (*used < rest.size) {
        const char *text = rest.data + *used;
        const char *newline = memchr(text, '\n', rest.size - *used);
        if (!newline || newline - text > LIMIT_LINE_PART)
            break;
        struct look look = {.keywords = reader->keywords, .line = {text, (size_t)(newline - text)}};
        if (speaks(&look) || (messages && message_possible(messages, look.line)))
            break;
        bool other = false;
        const struct place place = {reader->input, number + *lines, offset + *used};
        if (look.clock && !time_pass(reader, look.line, &place, &other, error))
            return false;
        if (other)
            break;
        reader->counts.with_number += look.numbers;
        reader->counts.dead += look.numbers;
        reader->stream->lines += look.line.size > 0;
        *used += look.line.size + 1;
        (*lines)++;
    }
    reader->counts.lines += *lines;
    return true;
}
