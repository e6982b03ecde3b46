/* What the tiers share: words that may be of use, and what all of it says about a line. */
/* SPDX-License-Identifier: MIT */
#include "read/sift/tier.h"

#include "read/log/bytes.h"
#include "stalldoc/limits.h"

enum {
    SHORT_LINE = 120, /* a longer one without a number is no heading and no setting */
    HEAD_NAMES = 2,
};

/* What follows a key, `at` being within it or behind: `lr: `, `lr = `, `"lr": `, `lr ......`. */
static bool sign_follows(const char *at)
{
    while (byte_is_word(*at) || *at == '-' || *at == '/' || *at == '"' || *at == '\'')
        at++;
    while (*at == ' ')
        at++;
    return *at == ':' || *at == '=' || (*at == '.' && at[1] == '.');
}

/* `--lr 0.1` */
static bool is_option(const char *line, const char *at)
{
    while (at > line && (byte_is_word(at[-1]) || at[-1] == '.'))
        at--;
    while (at > line + 1 && at[-1] == '-') {
        if (at[-2] == '-')
            return true;
        for (at--; at > line && byte_is_word(at[-1]);)
            at--;
    }
    return false;
}

/* ---- Words ---- */

/* The line that the word belongs to; they come in order. */
static struct sifted *line_of(struct look *look, uint32_t start)
{
    while (look->line < look->lines && look->sift->lines[look->line].end <= start)
        look->line++;
    return &look->sift->lines[look->line];
}

/* `size`: of the word's bytes, those that were looked at. */
static void use_add(struct look *look, uint32_t start, unsigned size, unsigned use)
{
    struct sifted *line = line_of(look, start);
    const struct text text = look->sift->text;
    const char *from = text.data + (line == look->sift->lines ? 0 : line[-1].end);
    const char *at = text.data + start;
    if ((use & KEYWORD_KEY) && (sign_follows(at + size) || is_option(from, at)))
        use |= KEYWORD_ALONE;
    line->use |= (uint8_t)(use & ~(unsigned)KEYWORD_KEY);
    line->names = (uint16_t)(line->names + ((use & KEYWORD_VALUE) != 0));
}

/* ---- Eight bytes at once: the highest bit of each says what is asked ---- */

static const uint64_t ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);

static inline uint64_t bytes_within(uint64_t bytes, char first, char last)
{
    const uint64_t low = bytes & ~tops;
    return (low + ones * (uint64_t)(0x80 - first)) & ~(low + ones * (uint64_t)(0x7f - last)) &
           ~bytes & tops;
}

/* The bytes before the first of `marks`. */
static inline uint64_t bytes_before(uint64_t bytes, uint64_t marks)
{
    return bytes & (((marks & -marks) >> 7) - 1);
}

struct keys { /* of a word: to its next border of any kind, to the last letter, with digits */
    uint64_t piece, letters, all;
};

static inline struct keys keys_of(const char *at)
{
    const uint64_t bytes = keyword_load(at), key = bytes | ones * 0x20;
    const uint64_t letters = bytes_within(key, 'a', 'z') & ~(bytes & tops);
    const uint64_t upper = bytes_within(bytes, 'A', 'Z');
    const uint64_t digits = bytes_within(bytes, '0', '9');
    const uint64_t border = upper & ~(upper << 8) & ~(uint64_t)0xff;
    return (struct keys){
        .piece = bytes_before(key, (~letters & tops) | border),
        .letters = bytes_before(key, ~letters & tops),
        .all = bytes_before(key, ~(letters | digits) & tops),
    };
}

/* Letters and digits of the word, as far as the eight bytes hold them. */
static unsigned keys_size(const struct keys *keys)
{
    return keys->all ? 8 - (unsigned)__builtin_clzll(keys->all) / 8 : 0;
}

static unsigned keys_use(const struct keywords *keywords, const struct keys *keys)
{
    unsigned use = keyword_use(keywords, keys->piece);
    if (keys->letters != keys->piece)
        use |= keyword_use(keywords, keys->letters);
    if (keys->all != keys->letters)
        use |= keyword_use(keywords, keys->all);
    return use;
}

/* The starts of words that may be keywords, moved to the front; their number. In passes without a
   branch that is hard to foresee. */
static size_t starts_sift(const struct keywords *keywords, const char *text, uint32_t *starts,
                          size_t words)
{
    size_t first = 0, count = 0;
    for (size_t i = 0; i < words; i++) {
        const uint32_t start = starts[i];
        starts[first] = start;
        first += keyword_may_start(keywords, text + start);
    }
    for (size_t i = 0; i < first; i++) {
        const uint32_t start = starts[i];
        starts[count] = start;
        count += keyword_may_go_on(keywords, text + start);
    }
    return count;
}

void words_look(struct look *look)
{
    const struct keywords *keywords = look->sift->keywords;
    const char *text = look->sift->text.data;
    const size_t count = starts_sift(keywords, text, look->starts, look->words);
    for (size_t i = 0; i < count; i++) {
        const struct keys keys = keys_of(text + look->starts[i]);
        if (keyword_may_be(keywords, keys.piece) | keyword_may_be(keywords, keys.letters) |
            keyword_may_be(keywords, keys.all)) {
            const unsigned use = keys_use(keywords, &keys);
            if (use)
                use_add(look, look->starts[i], keys_size(&keys), use);
        }
    }
    look->words = 0;
}

/* ---- Lines ---- */

/* Quotation marks and dashes are no letters. */
static bool other_script(struct text line)
{
    for (size_t i = 0; i < line.size; i++) {
        const unsigned char c = (unsigned char)line.data[i];
        const bool mark = c == 0xE2 && (unsigned char)text_byte(line, i + 1) == 0x80;
        if (c >= 0xC0 && !mark)
            return true;
    }
    return false;
}

/* Whether the line can tell anything by its words and numbers. */
static bool speaks(const struct sifted *sifted, struct text line)
{
    size_t first = 0;
    while (text_byte(line, first) == ' ')
        first++;
    if (text_byte(line, first) == '|' || ((sifted->flags & SIFTED_HIGH) && other_script(line)))
        return true;
    if (sifted->figures > 0 && sifted->figures * 10 >= 6 * (sifted->words + sifted->figures))
        return true; /* may be the row of a table */
    if (sifted->flags & SIFTED_NUMBERS)
        return sifted->use != 0;
    if (sifted->names >= HEAD_NAMES)
        return true; /* may be the head of a table */
    return (sifted->use & KEYWORD_ALONE) && line.size <= SHORT_LINE;
}

static void line_judge(const struct sift *sift, struct sifted *sifted, size_t from)
{
    const struct text line = text_cut(sift->text, from, sifted->end - 1 - from);
    if (speaks(sifted, line) || (sift->messages && message_possible(sift->messages, line)))
        sifted->flags |= SIFTED_SPEAKS;
}

void sift_by(const struct sift_tier *tier, struct sift *sift)
{
    struct look look;
    look.sift = sift;
    look.at = look.lines = look.line = look.words = 0;
    while (look.at < sift->text.size && look.lines < SIFT_LINES) {
        size_t from = look.at, first = look.lines;
        tier->look(&look);
        words_look(&look);
        for (; first < look.lines; first++) {
            line_judge(sift, &sift->lines[first], from);
            from = sift->lines[first].end;
        }
    }
    sift->count = look.lines;
}

void sift_run(struct sift *sift)
{
    sift_by(sift_best(), sift);
}
