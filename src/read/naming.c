/* What a name says: the patterns that take its pieces, and the words of places and phases. */
/* SPDX-License-Identifier: MIT */
#include "read/vocabulary.h"

#include <string.h>

static bool digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static uint64_t word_bit(struct text word)
{
    uint32_t hash = (uint32_t)word.size;
    for (size_t i = 0; i < word.size; i++)
        hash = hash * 31 + (unsigned char)word.data[i];
    return (uint64_t)1 << (hash * 0x9E3779B1u >> 26);
}

/* The first and the last byte of a word, in one set each: letters, and all digits as one. */
static uint64_t end_bits(struct text word)
{
    uint64_t bits = 0;
    for (int last = 0; last < 2 && word.size > 0; last++) {
        const unsigned char byte = (unsigned char)word.data[last ? word.size - 1 : 0];
        bits |= (uint64_t)1 << (digit(byte) ? 0 : byte & 31) << (last ? 32 : 0);
    }
    return bits;
}

/* What a word needs that matches a token with # and %: nothing where it may begin or end in %. */
static uint64_t glob_bits(struct text token)
{
    const struct text number = TEXT("0");
    const char first = token.data[0], last = token.data[token.size - 1];
    const uint64_t head = end_bits(first == '#' ? number : text_cut(token, 0, 1));
    const uint64_t tail =
        end_bits(last == '#' ? number : text_cut(token, token.size - 1, token.size));
    return (first == '%' ? 0 : head & UINT32_MAX) | (last == '%' ? 0 : tail >> 32 << 32);
}

/* Behind a `*` a word may open a part of the path or stand within one. */
static bool token_add(struct token *tokens, struct pattern *pattern, struct text text, bool head)
{
    if (text.size == 0)
        return true;
    if (pattern->count == TOKENS_MAX)
        return false;
    struct token *token = &tokens[pattern->count++];
    *token = (struct token){.text = text, .head = head, .any = text_is(text, "*")};
    token->either = !head && pattern->count > 1 && token[-1].any;
    token->plain = !memchr(text.data, '#', text.size) && !memchr(text.data, '%', text.size);
    return true;
}

bool pattern_compile(struct text text, struct token *tokens, struct pattern *pattern)
{
    *pattern = (struct pattern){.tokens = tokens};
    size_t start = 0;
    bool head = true, fits = true;
    for (size_t i = 0; i <= text.size; i++) {
        char c = i < text.size ? text.data[i] : '_';
        if (!strchr("_/*+", c))
            continue;
        size_t before = pattern->count;
        fits = fits && token_add(tokens, pattern, text_cut(text, start, i - start), head);
        head = head && pattern->count == before;
        if (c == '*') {
            fits = fits && token_add(tokens, pattern, text_cut(text, i, 1), false);
            head = false;
        }
        if (c == '/')
            head = pattern->whole = true;
        if (c == '+')
            pattern->unordered = true;
        start = i + 1;
    }
    for (size_t i = 0; i < pattern->count; i++)
        if (!pattern->tokens[i].plain)
            pattern->ends |= glob_bits(pattern->tokens[i].text);
        else if (!pattern->tokens[i].any)
            pattern->needs |= word_bit(pattern->tokens[i].text);
    return fits;
}

uint64_t pieces_bits(const struct pieces *pieces)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < pieces->count; i++)
        bits |= word_bit(pieces->piece[i].text);
    return bits;
}

uint64_t pieces_ends(const struct pieces *pieces)
{
    uint64_t ends = 0;
    for (size_t i = 0; i < pieces->count; i++)
        ends |= end_bits(pieces->piece[i].text);
    return ends;
}

/* A token with # and % against one piece. */
static bool token_glob(struct text token, struct text piece)
{
    size_t t = 0, p = 0;
    while (t < token.size) {
        if (token.data[t] == '%') {
            for (size_t i = p; i <= piece.size; i++)
                if (token_glob(text_cut(token, t + 1, token.size), text_cut(piece, i, piece.size)))
                    return true;
            return false;
        }
        if (token.data[t] == '#') {
            if (p == piece.size || !digit((unsigned char)piece.data[p]))
                return false;
            while (p < piece.size && digit((unsigned char)piece.data[p]))
                p++;
            t++;
            continue;
        }
        if (p == piece.size || token.data[t] != piece.data[p])
            return false;
        t++;
        p++;
    }
    return p == piece.size;
}

static bool token_matches(const struct token *token, const struct piece *piece)
{
    if (token->plain)
        return text_equal(token->text, piece->text);
    return token_glob(token->text, piece->text);
}

static bool tokens_match(const struct pattern *pattern, size_t at, const struct piece *pieces,
                         size_t count)
{
    for (; at < pattern->count; at++, pieces++, count--) {
        const struct token *token = &pattern->tokens[at];
        if (token->any) {
            if (at + 1 == pattern->count)
                return true;
            for (size_t i = 0; i <= count; i++)
                if (tokens_match(pattern, at + 1, pieces + i, count - i))
                    return true;
            return false;
        }
        if (count == 0 || (pattern->whole && !token->either && token->head != pieces->head) ||
            !token_matches(token, pieces))
            return false;
    }
    return count == 0;
}

bool pattern_matches(const struct pattern *pattern, const struct piece *pieces, size_t count)
{
    if (!pattern->unordered)
        return tokens_match(pattern, 0, pieces, count);
    for (size_t t = 0; t < pattern->count; t++) {
        size_t i = 0;
        while (i < count && !token_matches(&pattern->tokens[t], &pieces[i]))
            i++;
        if (i == count)
            return false;
    }
    return true;
}

bool words_have(const struct words *words, struct text word)
{
    for (size_t i = 0; i < words->count; i++)
        if (text_equal(words->list[i], word))
            return true;
    return false;
}

struct form { /* one way to cut the name */
    struct pieces pieces;
    uint64_t bits, ends;
    bool same;                /* as the other way: nothing to ask a second time */
    const struct piece *name; /* the part of the path that decides */
    size_t name_count;
    struct piece stripped[PIECES_MAX]; /* the same without the words that do not matter */
    size_t stripped_count;
};

static enum phase phase_of(const struct vocabulary *vocabulary, struct text word)
{
    const struct word *known = lexicon_find(&vocabulary->lexicon, word);
    return known ? known->phase : PHASE_NONE;
}

static bool weak(const struct vocabulary *vocabulary, struct text word)
{
    while (word.size > 0 && digit((unsigned char)word.data[word.size - 1]))
        word.size--;
    const struct word *known = lexicon_find(&vocabulary->lexicon, word);
    return word.size == 0 || (known && (known->weak || known->phase != PHASE_NONE));
}

static bool all_digits(struct text word)
{
    size_t i = 0;
    while (i < word.size && digit((unsigned char)word.data[i]))
        i++;
    return i == word.size;
}

static void form_choose(const struct vocabulary *vocabulary, struct form *form)
{
    const struct piece *piece = form->pieces.piece;
    size_t end = form->pieces.count;
    for (size_t at = end; at > 0;) {
        size_t start = at - 1;
        while (start > 0 && !piece[start].head)
            start--;
        bool all_weak = true;
        for (size_t i = start; i < at; i++)
            all_weak = all_weak && weak(vocabulary, piece[i].text);
        if (!form->name || !all_weak) {
            form->name = piece + start;
            form->name_count = at - start;
        }
        if (!all_weak)
            break;
        at = start;
    }
    if (!form->name) /* no piece at all: still a place to begin at */
        form->name = piece;
    bool phase = false; /* the number behind says which of several sets: "valid_0's l2" */
    for (size_t i = 0; i < form->name_count; i++) {
        const struct word *known = lexicon_find(&vocabulary->lexicon, form->name[i].text);
        if (!(phase && all_digits(form->name[i].text)) &&
            (!known || (known->phase == PHASE_NONE && !known->strip)))
            form->stripped[form->stripped_count++] = form->name[i];
        phase = known && known->phase != PHASE_NONE;
    }
}

static bool pieces_same(const struct pieces *a, const struct pieces *b)
{
    for (size_t i = 0; a->count == b->count && i < a->count; i++)
        if (a->piece[i].head != b->piece[i].head || !text_equal(a->piece[i].text, b->piece[i].text))
            return false;
    return a->count == b->count;
}

static bool form_matches(const struct form *form, const struct pattern *pattern, bool stripped)
{
    if (pattern->whole)
        return pattern_matches(pattern, form->pieces.piece, form->pieces.count);
    if (pattern_matches(pattern, form->name, form->name_count))
        return true;
    return stripped && form->stripped_count > 0 && form->stripped_count < form->name_count &&
           pattern_matches(pattern, form->stripped, form->stripped_count);
}

static bool any_matches(const struct patterns *patterns, const struct form forms[2], bool stripped)
{
    for (size_t i = 0; i < patterns->count; i++)
        for (int f = 0; f < 2 && !forms[f].same; f++)
            if (pattern_possible(&patterns->list[i], forms[f].bits, forms[f].ends) &&
                form_matches(&forms[f], &patterns->list[i], stripped))
                return true;
    return false;
}

static const struct series_row *row_of(const struct vocabulary *vocabulary, struct text path,
                                       const struct form forms[2])
{
    const struct text last = text_cut(path, text_behind(path, '/'), path.size);
    for (size_t i = vocabulary->map_count; i-- > 0;) {
        const struct series_row *row = &vocabulary->maps[i];
        if (text_glob(row->glob, path, true) || text_glob(row->glob, last, true) ||
            any_matches(&row->names, forms, false))
            return row;
    }
    for (size_t i = 0; i < vocabulary->series_count; i++) {
        const struct series_row *row = &vocabulary->series[i];
        if (any_matches(&row->names, forms, true) && !any_matches(&row->except, forms, false))
            return row;
    }
    return NULL;
}

static enum phase path_phase(const struct vocabulary *vocabulary, const struct form *form)
{
    for (size_t i = form->pieces.count; i-- > 0;) {
        enum phase phase = phase_of(vocabulary, form->pieces.piece[i].text);
        if (phase != PHASE_NONE)
            return phase;
    }
    return PHASE_NONE;
}

static double class_of(const struct vocabulary *vocabulary, const struct series_row *row,
                       const struct form *form)
{
    double class = row->class, extra = 0;
    for (size_t i = 0; i < form->name_count; i++) {
        const struct word *known = lexicon_find(&vocabulary->lexicon, form->name[i].text);
        class += known ? known->class : 0;
    }
    if (row->extra && form->stripped_count > 2)
        extra = 0.1 * (double)(form->stripped_count - 2);
    return class + (extra > 0.4 ? 0.4 : extra);
}

static bool in_loss_group(const struct form *form)
{
    for (size_t i = 0; i + 1 < form->pieces.count; i++) {
        struct text word = form->pieces.piece[i].text;
        if ((text_is(word, "loss") || text_is(word, "losses")) &&
            form->pieces.piece + i < form->name && form->pieces.piece[i + 1].head)
            return true;
    }
    return false;
}

static void naming_by_unit(const struct vocabulary *vocabulary, struct text unit,
                           struct naming *naming)
{
    char bytes[24];
    if (unit.size == 0 || unit.size > sizeof(bytes))
        return;
    memcpy(bytes, unit.data, unit.size);
    bytes_fold(bytes, unit.size);
    for (size_t i = 0; i < vocabulary->unit_count; i++)
        if (words_have(&vocabulary->units[i].units, (struct text){bytes, unit.size})) {
            naming->kind = vocabulary->units[i].kind;
            naming->known = true;
            return;
        }
}

static enum kind kind_in_phase(enum kind kind, enum phase phase)
{
    if (phase != PHASE_VALIDATION)
        return kind;
    if (kind == KIND_STEP_TIME || kind == KIND_DATA_TIME || kind == KIND_THROUGHPUT)
        return KIND_OTHER; /* how fast an evaluation is tells nothing of the training */
    return kind == KIND_LOSS ? KIND_VAL_LOSS : kind == KIND_METRIC ? KIND_VAL_METRIC : kind;
}

/* `rate: 1.2it/s` is no learning rate, `time 243 samples/sec` no time. */
static enum kind kind_with_unit(const struct vocabulary *vocabulary, enum kind kind,
                                struct text unit)
{
    struct naming by_unit = {.kind = KIND_OTHER};
    if (text_find(unit, TEXT("/")) == unit.size)
        return kind;
    if (kind == KIND_STEP_TIME) {
        naming_by_unit(vocabulary, unit, &by_unit);
        return by_unit.kind == KIND_THROUGHPUT ? KIND_THROUGHPUT : kind;
    }
    if (kind != KIND_LEARNING_RATE)
        return kind;
    return text_ends(unit, "/s") || text_ends(unit, "/sec") ? KIND_THROUGHPUT : KIND_OTHER;
}

enum { CLASS_GROUP_MEMBER = 4, CLASS_BARE = 7 };

struct naming vocabulary_naming(const struct vocabulary *vocabulary, struct text path,
                                struct text unit, enum phase phase)
{
    struct naming naming = {.kind = KIND_OTHER};
    struct form forms[2] = {0};
    for (int f = 0; f < 2; f++) {
        pieces_cut(vocabulary, path, f == 0, &forms[f].pieces);
        forms[f].same = f > 0 && pieces_same(&forms[0].pieces, &forms[f].pieces);
        if (forms[f].same)
            break;
        forms[f].bits = pieces_bits(&forms[f].pieces);
        forms[f].ends = pieces_ends(&forms[f].pieces);
        form_choose(vocabulary, &forms[f]);
    }
    naming.phase = path_phase(vocabulary, &forms[0]);
    const bool excepted = any_matches(&vocabulary->reinforcement_except, forms, false);
    naming.reinforcement = any_matches(&vocabulary->reinforcement, forms, false) && !excepted;
    naming.beside_reward =
        any_matches(&vocabulary->reinforcement_beside, forms, false) && !excepted;
    const struct series_row *row = row_of(vocabulary, path, forms);
    if (row) {
        naming.known = true;
        naming.refused = row->refused;
        naming.setting = row->setting;
        naming.kind = kind_with_unit(vocabulary, row->kind, unit);
        naming.direction = row->direction;
        naming.class = class_of(vocabulary, row, &forms[0]);
    } else if (in_loss_group(&forms[0])) {
        naming.known = true;
        naming.kind = KIND_LOSS;
        naming.direction = DIRECTION_DOWN;
        naming.class = CLASS_GROUP_MEMBER;
    } else {
        naming_by_unit(vocabulary, unit, &naming);
    }
    if (!naming.known && forms[0].pieces.count == 0) {
        naming.kind = KIND_LOSS;
        naming.direction = DIRECTION_DOWN;
        naming.class = CLASS_BARE;
    }
    naming.kind = kind_in_phase(naming.kind, naming.phase != PHASE_NONE ? naming.phase : phase);
    return naming;
}

/* A word for the lists of places and phases: its pieces joined with '_'. */
static struct text word_normal(const struct vocabulary *vocabulary, struct text word, bool camel,
                               char *out, size_t room)
{
    struct pieces pieces;
    pieces_cut(vocabulary, word, camel, &pieces);
    size_t used = 0;
    for (size_t i = 0; i < pieces.count; i++) {
        struct text piece = pieces.piece[i].text;
        if (used + piece.size + 1 > room)
            return TEXT("");
        if (i > 0)
            out[used++] = '_';
        memcpy(out + used, piece.data, piece.size);
        used += piece.size;
    }
    if (pieces.count == 0 && word.size == 1 && word.data[0] == '#')
        return TEXT("#");
    return (struct text){out, used};
}

enum { WORD_MAX = 64 };

static const struct place_row *place_of(const struct vocabulary *vocabulary, struct text word)
{
    char bytes[WORD_MAX];
    for (int camel = 0; camel < 2 && word.size < WORD_MAX; camel++) {
        struct text normal = word_normal(vocabulary, word, camel == 1, bytes, sizeof(bytes));
        const struct word *known = lexicon_find(&vocabulary->lexicon, normal);
        if (known && known->place)
            return &vocabulary->places[known->place - 1];
    }
    return NULL;
}

enum place_word vocabulary_place(const struct vocabulary *vocabulary, struct text word)
{
    const struct place_row *row = place_of(vocabulary, word);
    return row ? row->place : PLACE_NONE;
}

int vocabulary_place_rank(const struct vocabulary *vocabulary, struct text word)
{
    const struct place_row *row = place_of(vocabulary, word);
    return row ? (int)(row - vocabulary->places) : (int)vocabulary->place_count;
}

enum phase vocabulary_phase(const struct vocabulary *vocabulary, struct text word)
{
    char bytes[WORD_MAX];
    if (word.size >= WORD_MAX)
        return PHASE_NONE;
    return phase_of(vocabulary, word_normal(vocabulary, word, false, bytes, sizeof(bytes)));
}

bool vocabulary_is_filling(const struct vocabulary *vocabulary, struct text word)
{
    for (size_t i = 0; i < word.size; i++)
        if (word.data[i] < 'a' || word.data[i] > 'z')
            return false;
    if (word.size == 0 || word.size > 63)
        return false;
    if (!(vocabulary->lengths[first_letters(word)] >> word.size & 1))
        return true;
    return vocabulary_phase(vocabulary, word) == PHASE_NONE &&
           vocabulary_place(vocabulary, word) == PLACE_NONE;
}
