/* A name as its pieces: words of lower case, cut at signs and where the case changes, translated.
 */
/* SPDX-License-Identifier: MIT */
#include "read/vocabulary.h"

#include <string.h>

/* Names in other scripts are letters from 0x80 on. Two-byte upper case of Latin-1 and Cyrillic is
   folded, so that the words of kinds.json stand there once. */
static bool letter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}

static bool digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static bool upper(unsigned char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool lower(unsigned char c)
{
    return c >= 'a' && c <= 'z';
}

void bytes_fold(char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];
        unsigned char next = i + 1 < size ? (unsigned char)bytes[i + 1] : 0;
        if (upper(c))
            bytes[i] = (char)(c + 0x20);
        else if (c == 0xC3 && next >= 0x80 && next <= 0x9E)
            bytes[++i] = (char)(next + 0x20);
        else if (c == 0xD0 && next >= 0x90 && next <= 0x9F)
            bytes[++i] = (char)(next + 0x20);
        else if (c == 0xD0 && next >= 0xA0 && next <= 0xAF) {
            bytes[i] = (char)0xD1;
            bytes[++i] = (char)(next - 0x20);
        }
    }
}

static void piece_add(struct pieces *pieces, struct text text, bool head)
{
    if (pieces->count == PIECES_MAX || text.size == 0)
        return;
    pieces->piece[pieces->count++] = (struct piece){text, head};
}

/* The longest translated word at the start of `text`. */
static const struct translation *translation_at(const struct vocabulary *vocabulary,
                                                struct text text)
{
    const struct translation *best = NULL;
    if (!vocabulary->lexicon.opens[(unsigned char)text.data[0]])
        return NULL;
    for (size_t i = 0; i < vocabulary->translation_count; i++) {
        const struct translation *row = &vocabulary->translations[i];
        if (row->from.size <= text.size && row->from.data[0] == text.data[0] &&
            (!best || row->from.size > best->from.size) &&
            memcmp(row->from.data, text.data, row->from.size) == 0)
            best = row;
    }
    return best;
}

/* Compound words stand for several: "Trainingsverlust" is train loss. */
static void words_add(struct pieces *pieces, struct text words, bool head)
{
    size_t start = 0;
    for (size_t i = 0; i <= words.size; i++) {
        if (i < words.size && words.data[i] != ' ')
            continue;
        piece_add(pieces, text_cut(words, start, i - start), head && start == 0);
        start = i + 1;
    }
}

/* Scripts without blanks join words: they are taken apart by the words that are known. Others have
   to be a known word as a whole. */
static void piece_translate(const struct vocabulary *vocabulary, struct pieces *pieces,
                            struct text text, bool head)
{
    size_t start = 0, i = 0;
    if (text.size < 3 || (unsigned char)text.data[0] < 0xE0) {
        const struct word *known = lexicon_find(&vocabulary->lexicon, text);
        words_add(pieces, known && known->translation ? known->translation->to : text, head);
        return;
    }
    while (i < text.size) {
        const struct translation *row = translation_at(vocabulary, text_cut(text, i, text.size));
        if (!row) {
            i++;
            continue;
        }
        size_t before = pieces->count;
        piece_add(pieces, text_cut(text, start, i - start), head);
        words_add(pieces, row->to, head && pieces->count == before);
        head = false;
        i += row->from.size;
        start = i;
    }
    piece_add(pieces, text_cut(text, start, text.size - start), head);
}

/* Whether a word ends between text[i - 1] and text[i], both letters or digits. */
static bool camel_border(struct text text, size_t i)
{
    unsigned char before = (unsigned char)text.data[i - 1], at = (unsigned char)text.data[i];
    if (!upper(at))
        return false;
    if (lower(before) || digit(before))
        return true;
    return upper(before) && i + 1 < text.size && lower((unsigned char)text.data[i + 1]);
}

static size_t word_end(struct text path, size_t start, bool camel)
{
    size_t i = start + 1;
    while (i < path.size) {
        unsigned char c = (unsigned char)path.data[i];
        if (!letter(c) && !digit(c))
            break;
        if (camel && camel_border(path, i))
            break;
        i++;
    }
    return i;
}

/* Behind a name that opens with a bar, the place of the bar that closes it, as of `|g|`. */
static size_t bars_close(struct text path, size_t open)
{
    size_t i = open + 1;
    while (i < path.size && (letter((unsigned char)path.data[i]) || path.data[i] == '_'))
        i++;
    return i > open + 1 && i < path.size && path.data[i] == '|' ? i : path.size;
}

static bool is_possessive(struct text path, size_t i)
{
    const unsigned char before = i > 0 ? (unsigned char)path.data[i - 1] : 0;
    return (letter(before) || digit(before)) && i + 1 < path.size && path.data[i + 1] == 's' &&
           (i + 2 == path.size || !letter((unsigned char)path.data[i + 2]));
}

struct cutting { /* a path on its way into pieces */
    struct text path;
    size_t at;
    bool head;   /* the next piece is the first of a part of the path */
    int depth;   /* of round brackets: a unit in them, "(s/it)", is no path */
    size_t norm; /* the bar that closes a norm, "|g|" */
};

/* What stands between two words. */
static void sign_pass(struct cutting *cutting, struct pieces *pieces)
{
    const struct text path = cutting->path;
    const size_t i = cutting->at;
    const char c = path.data[i];
    cutting->depth += c == '(' ? 1 : c == ')' && cutting->depth > 0 ? -1 : 0;
    cutting->head = cutting->head || (c == '/' && cutting->depth == 0);
    if (c == '|' && i == cutting->norm)
        piece_add(pieces, TEXT("norm"), false);
    cutting->at += c == '\'' && is_possessive(path, i) ? 2 : 1; /* "cv_agg's l2" */
    if (c == '|' && i != cutting->norm)
        cutting->norm = bars_close(path, i);
    if (c == '@' && cutting->at < path.size && path.data[cutting->at] == '[') /* under what */
        while (cutting->at < path.size && path.data[cutting->at - 1] != ']')
            cutting->at++;
    if (c == '@' || c == '#')
        while (cutting->at < path.size && digit((unsigned char)path.data[cutting->at]))
            cutting->at++;
}

void pieces_cut(const struct vocabulary *vocabulary, struct text path, bool camel,
                struct pieces *pieces)
{
    struct cutting cutting = {.path = path, .head = true, .norm = path.size};
    pieces->count = 0;
    pieces->used = 0;
    while (cutting.at < path.size) {
        const size_t start = cutting.at;
        const unsigned char c = (unsigned char)path.data[start];
        if (!letter(c) && !digit(c)) {
            sign_pass(&cutting, pieces);
            continue;
        }
        size_t end = word_end(path, start, camel), size = end - start;
        if (pieces->used + size > PIECES_BYTES)
            return;
        char *bytes = pieces->bytes + pieces->used;
        memcpy(bytes, path.data + start, size);
        bytes_fold(bytes, size);
        pieces->used += size;
        size_t before = pieces->count;
        piece_translate(vocabulary, pieces, (struct text){bytes, size}, cutting.head);
        cutting.head = cutting.head && pieces->count == before;
        cutting.at = end;
    }
}
