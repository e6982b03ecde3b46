/* Cuts a line into tokens: words, numbers, times, quoted texts, bars (reader's section on slots).
 */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/numeral.h"
#include "read/log/reader.h"

#include <string.h>

#define C BYTE_CONTROL
#define B BYTE_BLANK
#define D BYTE_DIGIT
#define L BYTE_LETTER
#define P BYTE_PUNCT
#define L16 L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L
const uint8_t byte_classes[256] = {
    C,   C,   C,   C,   C,   C,   C,   C,   C, B, C, C, C, C, C, C, /* 00 */
    C,   C,   C,   C,   C,   C,   C,   C,   C, C, C, C, C, C, C, C, /* 10 */
    B,   P,   P,   P,   P,   P,   P,   P,   P, P, P, P, P, P, P, P, /* 20 */
    D,   D,   D,   D,   D,   D,   D,   D,   D, D, P, P, P, P, P, P, /* 30 */
    P,   L,   L,   L,   L,   L,   L,   L,   L, L, L, L, L, L, L, L, /* 40 */
    L,   L,   L,   L,   L,   L,   L,   L,   L, L, L, P, P, P, P, L, /* 50 */
    P,   L,   L,   L,   L,   L,   L,   L,   L, L, L, L, L, L, L, L, /* 60 */
    L,   L,   L,   L,   L,   L,   L,   L,   L, L, L, P, P, P, P, C, /* 70 */
    L16, L16, L16, L16, L16, L16, L16, L16,
};
#undef C
#undef B
#undef D
#undef L
#undef P
#undef L16

enum {
    QUOTED_MAX = 400,
    APOSTROPHED_MAX = 120,
    QUALIFIER_MAX = 80,
    LEADER_LEAST = 3,
};

struct cutter {
    struct reader *reader;
    struct cut *cut;
    struct text text;
    size_t at;
    bool glued;   /* a number follows the place word that it is glued to */
    bool chained; /* the line opens with such, and this goes on: `E3/10 B20/400` */
};

struct text token_text(const struct cut *cut, const struct token *token)
{
    return (struct text){cut->text.data + token->start, token->end - token->start};
}

struct text token_inner(const struct cut *cut, const struct token *token)
{
    return (struct text){cut->text.data + token->inner, token->inner_end - token->inner};
}

struct text token_unit(const struct cut *cut, const struct token *token)
{
    if (token->kind != TOKEN_NUMBER || (token->flags & FLAG_QUOTED) ||
        ((token->flags & FLAG_NAN) && token->end > token->inner_end &&
         cut->text.data[token->inner_end] == 'x'))
        return (struct text){"", 0};
    return (struct text){cut->text.data + token->inner_end, token->end - token->inner_end};
}

bool token_number(const struct reader *reader, const struct cut *cut, const struct token *token,
                  struct number *number)
{
    return numeral_take(token_inner(cut, token), reader->comma, number);
}

/* ---- Adding ---- */

static struct token *add(struct cutter *cutter, enum token_kind kind, size_t end)
{
    struct cut *cut = cutter->cut;
    struct token *token = &cut->tokens[cut->count];
    *token = (struct token){
        .kind = (uint8_t)kind,
        .start = (uint32_t)cutter->at,
        .end = (uint32_t)end,
        .inner = (uint32_t)cutter->at,
        .inner_end = (uint32_t)end,
    };
    if (kind == TOKEN_NUMBER) {
        if (cut->number_count == NUMBERS_MAX)
            token->kind = TOKEN_OPAQUE;
        else
            cut->numbers[cut->number_count++] = (uint16_t)cut->count;
    }
    cut->count++;
    cutter->at = end;
    return token;
}

static bool word_before(const struct cutter *cutter)
{
    if (cutter->at == 0)
        return false;
    char c = cutter->text.data[cutter->at - 1];
    const struct cut *cut = cutter->cut;
    if ((unsigned char)c >= 0x80 && cut->count > 0 &&
        (cut->tokens[cut->count - 1].kind == TOKEN_PUNCT ||
         cut->tokens[cut->count - 1].kind == TOKEN_BLANK))
        return false; /* a sign */
    return byte_is_word(c) ||
           (c == '.' && cutter->at > 1 && byte_is_word(cutter->text.data[cutter->at - 2]));
}

static bool add_time(struct cutter *cutter)
{
    struct moment moment;
    size_t n = time_take(cutter->text, cutter->at, &moment);
    if (n == 0)
        return false;
    add(cutter, TOKEN_TIME, cutter->at + n);
    return true;
}

static bool add_number(struct cutter *cutter)
{
    struct text text = cutter->text;
    uint8_t flags = 0;
    if (word_before(cutter) && !cutter->glued)
        return false;
    char sign = text.data[cutter->at];
    if ((sign == '-' || sign == '+') && cutter->cut->count > 0 &&
        cutter->cut->tokens[cutter->cut->count - 1].kind == TOKEN_NUMBER)
        return false; /* a range or a deviation */
    size_t end = numeral_end(text, cutter->at, cutter->reader->comma, &flags);
    if (end == cutter->at)
        return false;
    bool whole;
    size_t unit = numeral_unit(text, end, &whole);
    if (unit > end && glued_record(cutter->reader->vocabulary, text, end, unit))
        cutter->text.size = unit = end; /* that is cut by itself */
    if (flags == 0 && glued_name(cutter->reader, text, end)) {
        unit = end;
        whole = true;
    }
    bool version = text_byte(text, end) == '.' && byte_is_digit(text_byte(text, end + 1));
    if (!whole || version || (unit > end && text_byte(text, end) == 'x' && flags == FLAG_INTEGER)) {
        if (flags & FLAG_NAN)
            return false;
        while (byte_is_word(text_byte(text, end)) ||
               (text_byte(text, end) == '.' && byte_is_word(text_byte(text, end + 1))))
            end++;
        add(cutter, TOKEN_OPAQUE, end);
        return true;
    }
    struct token *token = add(cutter, TOKEN_NUMBER, unit);
    token->inner_end = (uint32_t)end;
    token->flags = flags;
    if (unit == end + 1 && text.data[end] == '%' && cutter->cut->bar == SIZE_MAX &&
        undrawn_bar(text, unit)) {
        cutter->cut->bar = cutter->cut->count;
        add(cutter, TOKEN_BAR, unit); /* of no bytes */
    }
    return true;
}

/* ---- Quotes ---- */

static size_t closing_quote(struct text text, size_t at)
{
    char quote = text.data[at];
    size_t most = quote == '"' ? QUOTED_MAX : APOSTROPHED_MAX;
    for (size_t i = at + 1; i < text.size && i <= at + most; i++) {
        if (text.data[i] == '\\')
            i++;
        else if (text.data[i] == quote)
            return i;
    }
    return at;
}

static void add_quoted_value(struct cutter *cutter, size_t close)
{
    struct text text = cutter->text;
    size_t first = cutter->at + 1;
    uint8_t flags = 0;
    struct text inside = {text.data + first, close - first};
    size_t end = numeral_end(inside, 0, cutter->reader->comma, &flags);
    if (end > 0 && end == inside.size) {
        struct token *token = add(cutter, TOKEN_NUMBER, close + 1);
        token->inner = (uint32_t)first;
        token->inner_end = (uint32_t)close;
        token->flags = flags | FLAG_QUOTED;
        return;
    }
    if (end > 0 && flags == FLAG_INTEGER && text_byte(inside, end) == '/') {
        uint8_t more = 0;
        struct text rest = text_cut(inside, end + 1, inside.size);
        size_t size = numeral_end(rest, 0, COMMA_GROUPS, &more);
        if (size > 0 && size == rest.size && more == FLAG_INTEGER) {
            add(cutter, TOKEN_PUNCT, first)->byte = '"';
            add(cutter, TOKEN_NUMBER, first + end)->flags = FLAG_INTEGER;
            add(cutter, TOKEN_PUNCT, first + end + 1)->byte = '/';
            add(cutter, TOKEN_NUMBER, close)->flags = FLAG_INTEGER;
            add(cutter, TOKEN_PUNCT, close + 1)->byte = '"';
            return;
        }
    }
    struct token *token = add(cutter, TOKEN_STRING, close + 1);
    token->inner = (uint32_t)first;
    token->inner_end = (uint32_t)close;
}

static bool add_quoted(struct cutter *cutter)
{
    struct text text = cutter->text;
    size_t close = closing_quote(text, cutter->at);
    if (close == cutter->at || (text.data[cutter->at] == '\'' && word_before(cutter)))
        return false;
    size_t next = close + 1;
    while (text_byte(text, next) == ' ')
        next++;
    char c = text_byte(text, next);
    if (text.data[cutter->at] == '\'' && c != '\0' && !strchr(":,)}]=", c))
        return false;
    if (c == ':' || c == '=') {
        size_t first = cutter->at + 1;
        struct token *token = add(cutter, TOKEN_KEY, close + 1);
        token->inner = (uint32_t)first;
        token->inner_end = (uint32_t)close;
        return true;
    }
    add_quoted_value(cutter, close);
    return true;
}

/* ---- Words ---- */

/* `loss0.541`: the name of a series, with a fraction glued to it that ends the word. */
static size_t glued_value(const struct cutter *cutter, size_t end)
{
    struct text text = cutter->text;
    size_t digits = cutter->at, last = end;
    while (digits < end && byte_is_letter(text.data[digits]))
        digits++;
    while (last > digits && byte_is_digit(text.data[last - 1]))
        last--;
    if (digits < cutter->at + GLUED_LEAST || !byte_is_digit(text_byte(text, digits)) ||
        last == end || last < digits + 2 || text.data[last - 1] != '.')
        return end;
    for (size_t i = digits; i + 1 < last; i++)
        if (!byte_is_digit(text.data[i]))
            return end;
    struct text word = {text.data + cutter->at, digits - cutter->at};
    struct naming naming = memo_naming(cutter->reader, word, (struct text){"", 0}, PHASE_NONE);
    return naming.known && !naming.refused && naming.kind <= KIND_LEARNING_RATE ? digits : end;
}

static bool absent_word(struct text word)
{
    static const char *const words[] = {"none", "n/a", "null", "na", NULL};
    return text_in(word, words) && (word.data[0] != 'n' || text_is(word, "null") ||
                                    text_is(word, "n/a") || text_is(word, "none"));
}

/* NaN between words is prose ("number of nan iterations") unless the word before names a series. */
static bool nan_in_prose(const struct cutter *cutter, size_t end)
{
    const struct cut *cut = cutter->cut;
    size_t n = cut->count;
    bool again; /* `nan nan`: columns */
    if (text_byte(cutter->text, end) != ' ' || !byte_is_letter(text_byte(cutter->text, end + 1)))
        return false;
    numeral_nan(cutter->text, end + 1, &again);
    if (again)
        return false;
    while (n > 0 &&
           (cut->tokens[n - 1].kind == TOKEN_BLANK || cut->tokens[n - 1].kind == TOKEN_GAP))
        n--;
    if (n == 0)
        return true;
    if (cut->tokens[n - 1].kind != TOKEN_WORD)
        return false;
    struct text word = token_text(cut, &cut->tokens[n - 1]);
    if (text_folds_to(word, "is") || text_folds_to(word, "from") || text_folds_to(word, "to"))
        return false;
    struct naming naming = memo_naming(cutter->reader, word, (struct text){"", 0}, PHASE_NONE);
    return !naming.known || naming.kind == KIND_COUNTER;
}

static void add_word(struct cutter *cutter)
{
    struct text text = cutter->text;
    if (numeral_deviation(text, cutter->at)) {
        add(cutter, TOKEN_PUNCT, cutter->at + 2)->byte = '+';
        return;
    }
    bool nan;
    size_t end = numeral_nan(text, cutter->at, &nan);
    if (nan && !word_before(cutter) && !nan_in_prose(cutter, end)) {
        size_t pad = end;
        while (text_byte(text, pad) == 'x')
            pad++;
        size_t first = cutter->at;
        struct token *token = add(cutter, TOKEN_NUMBER, pad);
        token->inner = (uint32_t)first;
        token->inner_end = (uint32_t)end;
        token->flags = FLAG_NAN;
        return;
    }
    if (word_is_weekday(text_cut(text, cutter->at, 3)) && add_time(cutter))
        return;
    end = token_word_end(text, cutter->at);
    if (end == cutter->at)
        end++;
    const size_t line = source_line_end(text, cutter->at, end);
    if (line > end) {
        add(cutter, TOKEN_OPAQUE, line);
        return;
    }
    size_t place = glued_place(cutter->reader->vocabulary, text, cutter->at, end, cutter->chained);
    if (place == end)
        place = glued_value(cutter, end);
    cutter->glued = place < end && byte_is_digit(text.data[place]);
    cutter->chained = cutter->glued && (cutter->chained || cutter->at <= 1);
    end = place;
    struct text word = {text.data + cutter->at, end - cutter->at};
    size_t digits = 0;
    for (size_t i = 0; i < word.size; i++)
        digits += byte_is_digit(word.data[i]);
    enum token_kind kind = TOKEN_WORD;
    if (absent_word(word))
        kind = TOKEN_ABSENT;
    else if (digits > 4 && word.size > 12)
        kind = TOKEN_OPAQUE;
    add(cutter, kind, end);
}

/* ---- The rest ---- */

static bool opens_value(const struct cutter *cutter)
{
    return cutter->at == 0 || strchr(" \t=:,('\"[", cutter->text.data[cutter->at - 1]) != NULL;
}

static bool add_path(struct cutter *cutter)
{
    struct text text = cutter->text;
    char c = text.data[cutter->at], next = text_byte(text, cutter->at + 1);
    bool root = c == '/' && (byte_is_letter(next));
    bool here = (c == '.' || c == '~') && (next == '/' || (next == '.' && c == '.'));
    if (!(root || here) || !opens_value(cutter))
        return false;
    if (root && cutter->cut->count > 0 &&
        cutter->cut->tokens[cutter->cut->count - 1].kind == TOKEN_NUMBER)
        return false;
    size_t end = cutter->at;
    while (end < text.size && !strchr(" \t,;:'\"()[]{}=|", text.data[end]))
        end++;
    if (end <= cutter->at + 2)
        return false;
    add(cutter, TOKEN_OPAQUE, end);
    return true;
}

/* `|g_param|=`, `||g||: ` is a word. */
static bool add_piped_word(struct cutter *cutter)
{
    struct text text = cutter->text;
    const size_t pipes = text_byte(text, cutter->at + 1) == '|' ? 2 : 1;
    const size_t start = cutter->at + pipes;
    size_t end = token_word_end(text, start);
    if (end == start)
        return false;
    for (size_t i = 0; i < pipes; i++)
        if (text_byte(text, end++) != '|')
            return false;
    if (text_byte(text, end) != '=' && text_byte(text, end) != ':')
        return false;
    add(cutter, TOKEN_WORD, end);
    return true;
}

static bool add_bar(struct cutter *cutter)
{
    struct text text = cutter->text;
    char c = text.data[cutter->at];
    size_t end = cutter->at;
    if (c == '[')
        end = bracket_bar_end(text, cutter->at);
    else if (c == '|' && cutter->at > 0 && text.data[cutter->at - 1] == '%')
        end = pipe_bar_end(text, cutter->at);
    else if (bar_glyph(text, cutter->at))
        end = glyphs_end(text, cutter->at);
    if (end == cutter->at)
        return false;
    if (bar_glyph(text, cutter->at) && end - cutter->at < 4 * 3) { /* a cell border */
        add(cutter, TOKEN_PUNCT, end)->byte = '|';
        return true;
    }
    if (bar_glyph(text, cutter->at) && glyphs_rule(text_cut(text, cutter->at, end - cutter->at))) {
        add(cutter, TOKEN_PUNCT, end)->byte = '-';
        return true;
    }
    if (cutter->cut->bar == SIZE_MAX)
        cutter->cut->bar = cutter->cut->count;
    add(cutter, TOKEN_BAR, end);
    return true;
}

/* Dots between a name and its value, `loss ....... 0.23`: a colon; in front of one: a gap. */
static bool add_leader(struct cutter *cutter)
{
    struct text text = cutter->text;
    size_t end = cutter->at;
    while (text_byte(text, end) == '.')
        end++;
    size_t next = end, dots = end - cutter->at;
    while (text_byte(text, next) == ' ')
        next++;
    char c = text_byte(text, next);
    bool nan;
    numeral_nan(text, next, &nan);
    if (dots < LEADER_LEAST || cutter->at == 0)
        return false;
    if (c == ':' || c == '=') {
        add(cutter, TOKEN_GAP, end);
        return true;
    }
    if (next == end || byte_class_of(text.data[cutter->at - 1]) != BYTE_BLANK ||
        !(byte_is_digit(c) || c == '-' || nan))
        return false;
    add(cutter, TOKEN_PUNCT, end)->byte = ':';
    return true;
}

/* A sign that is no letter: what ASCII writes for it. */
static bool add_sign(struct cutter *cutter)
{
    char byte;
    const size_t size = sign_glyph(cutter->text, cutter->at, &byte);
    if (size == 0)
        return false;
    if (byte == ' ')
        add(cutter, TOKEN_BLANK, cutter->at + size);
    else
        add(cutter, TOKEN_PUNCT, cutter->at + size)->byte = byte;
    return true;
}

static void add_blank(struct cutter *cutter)
{
    size_t end = cutter->at;
    bool tab = false;
    for (; end < cutter->text.size && byte_class_of(cutter->text.data[end]) == BYTE_BLANK; end++)
        tab = tab || cutter->text.data[end] == '\t';
    bool gap = tab || end > cutter->at + 1;
    add(cutter, gap ? TOKEN_GAP : TOKEN_BLANK, end)->flags = tab ? FLAG_TAB : 0;
}

/* `@[ IoU=0.50:0.95 | area=all ] = 0.327`: with a value behind it, the qualifier is a word. */
static bool add_qualifier(struct cutter *cutter)
{
    struct text text = cutter->text;
    size_t end = cutter->at + 1;
    while (text_byte(text, end) == ' ')
        end++;
    if (text_byte(text, end++) != '[')
        return false;
    while (end < text.size && end < cutter->at + QUALIFIER_MAX && !strchr("[]", text.data[end]))
        end++;
    if (text_byte(text, end++) != ']')
        return false;
    size_t sign = end;
    while (text_byte(text, sign) == ' ')
        sign++;
    if (text_byte(text, sign) != '=' && text_byte(text, sign) != ':')
        return false;
    add(cutter, TOKEN_WORD, end);
    return true;
}

/* `{3}`, `<3>`: a number in brackets of its own. */
static bool add_wrapped(struct cutter *cutter)
{
    const struct text text = cutter->text;
    const size_t first = cutter->at + 1;
    uint8_t flags = 0;
    const size_t end = numeral_end(text, first, cutter->reader->comma, &flags);
    if (!byte_is_digit(text_byte(text, first)) ||
        text_byte(text, end) != (text.data[cutter->at] == '{' ? '}' : '>'))
        return false;
    struct token *token = add(cutter, TOKEN_NUMBER, end + 1);
    token->inner = (uint32_t)first;
    token->inner_end = (uint32_t)end;
    token->flags = flags | FLAG_QUOTED;
    return true;
}

/* `loss 0.5  <-- spike at step 10`: what somebody noted behind a record. */
static bool is_note(const struct cutter *cutter)
{
    const struct text text = cutter->text;
    const struct cut *cut = cutter->cut;
    const char sign = text_byte(text, cutter->at + 1);
    size_t end = cutter->at + 1;
    while (text_byte(text, end) == sign && (sign == '-' || sign == '='))
        end++;
    return end > cutter->at + 2 && cut->number_count > 0 && cutter->at > 0 &&
           byte_class_of(text.data[cutter->at - 1]) == BYTE_BLANK &&
           (text_byte(text, end) == ' ' || byte_is_letter(text_byte(text, end)));
}

static void add_punct(struct cutter *cutter)
{
    char c = cutter->text.data[cutter->at];
    char next = text_byte(cutter->text, cutter->at + 1);
    if ((c == '"' || c == '\'') && add_quoted(cutter))
        return;
    if ((c == '[' || c == '|') && add_bar(cutter))
        return;
    if (c == '|' && add_piped_word(cutter))
        return;
    if ((c == '{' || c == '<') && add_wrapped(cutter))
        return;
    if (c == '<' && is_note(cutter)) {
        cutter->at = cutter->text.size;
        return;
    }
    if (c == '@' && add_qualifier(cutter))
        return;
    if (c == '.' && next == '.' && add_leader(cutter))
        return;
    if ((c == '.' || c == '/' || c == '~') && add_path(cutter))
        return;
    if ((c == '+' || c == '-' || (c == '.' && byte_is_digit(next))) && add_number(cutter))
        return;
    add(cutter, TOKEN_PUNCT, cutter->at + 1)->byte = c;
}

static void add_token(struct cutter *cutter)
{
    char c = cutter->text.data[cutter->at];
    switch (byte_class_of(c)) {
    case BYTE_BLANK:
        add_blank(cutter);
        return;
    case BYTE_DIGIT:
        if (c == '0' && (text_byte(cutter->text, cutter->at + 1) | 0x20) == 'x')
            break;
        if (!(!cutter->glued && add_time(cutter)) && !add_number(cutter))
            break;
        cutter->glued = false;
        return;
    case BYTE_LETTER:
        if ((unsigned char)c >= 0xC2 && (add_bar(cutter) || add_sign(cutter)))
            return;
        add_word(cutter);
        return;
    default:
        add_punct(cutter);
        return;
    }
    size_t end = cutter->at + 1;
    while (byte_is_word(text_byte(cutter->text, end)))
        end++;
    add(cutter, TOKEN_OPAQUE, end);
}

bool string_names_value(const struct cut *cut, size_t i)
{
    static const char *const members[] = {"metric", "name", "key", "tag", "metric_name", NULL};
    size_t signs = 0;
    while (i > 0 && (cut->tokens[i - 1].kind == TOKEN_BLANK ||
                     (cut->tokens[i - 1].kind == TOKEN_PUNCT && cut->tokens[i - 1].byte == ':' &&
                      signs++ == 0)))
        i--;
    return signs == 1 && i > 0 && cut->tokens[i - 1].kind == TOKEN_KEY &&
           text_in(token_inner(cut, &cut->tokens[i - 1]), members);
}

void line_cut(struct reader *reader, struct text text, struct cut *cut)
{
    struct cutter cutter = {.reader = reader, .cut = cut, .text = text};
    cut->text = text;
    cut->count = cut->number_count = 0;
    cut->bar = SIZE_MAX;
    while (cutter.at < cutter.text.size && cut->count < TOKENS_MAX - 8) {
        char next = text_byte(text, cutter.at + 1);
        if (cut->bar != SIZE_MAX && text.data[cutter.at] == '{' && (next == '\'' || next == '"'))
            break; /* a record behind a bar is a line of its own */
        if (cut->bar != SIZE_MAX && text.data[cutter.at] == '[' &&
            text_starts(text_cut(text, cutter.at, 6), "[rank"))
            break; /* what another rank wrote into it too */
        add_token(&cutter);
    }
    cut->size = cutter.at;
    cut->tokens[cut->count] =
        (struct token){.kind = TOKEN_END, .start = (uint32_t)cutter.at, .end = (uint32_t)cutter.at};
}
