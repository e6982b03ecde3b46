/* Walks over tokens: what stands before and behind, and the words of a key. */
/* SPDX-License-Identifier: MIT */
#include "read/log/sentence.h"

#include <string.h>

enum { WORDS_MAX = 9, SHORT_WORD = 5 };

const struct token *token_at(const struct sentence *sentence, size_t i)
{
    return &sentence->cut->tokens[i];
}

static bool is_blank(const struct token *token)
{
    return token->kind == TOKEN_BLANK || token->kind == TOKEN_GAP;
}

size_t solid_before(const struct sentence *sentence, size_t i, size_t left)
{
    while (i > left) {
        i--;
        if (!is_blank(token_at(sentence, i)))
            return i;
    }
    return SIZE_MAX;
}

size_t solid_after(const struct sentence *sentence, size_t i)
{
    for (i++; i < sentence->cut->count; i++)
        if (!is_blank(token_at(sentence, i)))
            break;
    return i < sentence->cut->count ? i : sentence->cut->count;
}

bool is_punct(const struct token *token, char byte)
{
    return token->kind == TOKEN_PUNCT && token->byte == byte;
}

bool is_arrow(const struct token *token)
{
    return is_punct(token, '>') && token->end > token->start + 1;
}

static bool is_level(struct text word)
{
    static const char *const levels[] = {"info",  "warning",  "warn", "debug",
                                         "error", "critical", NULL};
    if (word.size < 4 || word.data[0] < 'A' || word.data[0] > 'Z' || word.data[1] > 'Z')
        return false;
    return text_in(word, levels);
}

size_t bracket_open(const struct sentence *sentence, size_t at, size_t left)
{
    const struct token *close = token_at(sentence, at);
    char opening = is_punct(close, ')') ? '(' : is_punct(close, ']') ? '[' : '\0';
    if (!opening)
        return SIZE_MAX;
    int depth = 0;
    for (size_t i = at + 1; i > left;) {
        i--;
        const struct token *token = token_at(sentence, i);
        if (is_punct(token, close->byte))
            depth++;
        else if (is_punct(token, opening) && --depth == 0)
            return i;
    }
    return SIZE_MAX;
}

static bool has_number(const struct sentence *sentence, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (token_at(sentence, i)->kind == TOKEN_NUMBER)
            return true;
    return false;
}

static bool is_abbreviation(struct text word)
{
    static const char *const words[] = {"avg", "max", "min",  "acc", "val",   "std", "no",
                                        "num", "ep",  "iter", "tr",  "valid", NULL};
    return text_in(word, words);
}

/* A phase that is cut short in another script, `Вал. потери`; of English words some are whole and
   end a sentence. */
static bool says_phase(const struct sentence *sentence, struct text word)
{
    bool only;
    return (unsigned char)word.data[0] >= 0x80 &&
           phase_of_name(sentence->reader->vocabulary, word, &only) != PHASE_NONE && only;
}

struct collect {
    const struct sentence *sentence;
    size_t left;
    struct mention *mention;
};

static void take_word(struct collect *collect, size_t i)
{
    struct mention *mention = collect->mention;
    if (mention->words == 0)
        mention->word_end = (uint16_t)(i + 1);
    mention->word_first = (uint16_t)i;
    mention->words++;
}

/* Does a key go on over the sign at *i? Moves *i to the last token of what is passed over. */
static bool passes(struct collect *collect, size_t *i)
{
    const struct sentence *sentence = collect->sentence;
    const struct token *token = token_at(sentence, *i);
    bool begun = collect->mention->words > 0;
    const struct token *before = *i > collect->left ? token_at(sentence, *i - 1) : NULL;
    switch (token->byte) {
    case '\'':
    case '/':
    case '-':
    case '@':
        return begun && before;
    case '#': /* `step#: 3` too */
        return before && (begun || before->kind == TOKEN_WORD);
    case '.': /* behind an abbreviation */
        if (!before || before->kind != TOKEN_WORD)
            return false;
        return begun ? is_abbreviation(token_text(sentence->cut, before)) ||
                           says_phase(sentence, token_text(sentence->cut, before))
                     : before->end - before->start <= SHORT_WORD &&
                           is_blank(token_at(sentence, *i + 1));
    case ')':
    case ']': {
        size_t open = bracket_open(sentence, *i, collect->left);
        if (open == SIZE_MAX || has_number(sentence, open, *i) || (token->byte == ']' && !begun))
            return false;
        *i = open;
        return true;
    }
    default:
        return false;
    }
}

bool word_is_counted(struct text word)
{
    static const char *const things[] = {
        "images", "samples",   "examples", "items",    "batches",  "steps",  "iterations",
        "iters",  "sentences", "tokens",   "words",    "episodes", "games",  "records",
        "points", "instances", "pairs",    "queries",  "frames",   "videos", "pictures",
        "graphs", "sequences", "files",    "patients", "clips",    NULL};
    return text_in(word, things);
}

/* The number at `i` counts what a value was taken over, `last` is the last word before the value:
   "accuracy on the 10000 test images". */
static bool is_count(const struct sentence *sentence, size_t i, size_t last)
{
    static const char *const links[] = {"the", "on",     "over", "of",    "for", "in",
                                        "all", "across", "last", "first", NULL};
    const size_t before = solid_before(sentence, i, 0);
    return before != SIZE_MAX && token_at(sentence, i)->kind == TOKEN_NUMBER &&
           token_at(sentence, before)->kind == TOKEN_WORD &&
           token_at(sentence, last)->kind == TOKEN_WORD &&
           text_in(token_text(sentence->cut, token_at(sentence, before)), links) &&
           word_is_counted(token_text(sentence->cut, token_at(sentence, last)));
}

size_t count_skip(struct sentence *sentence, size_t at, size_t left)
{
    enum { NOUNS = 5 }; /* tokens: "test images" */
    if (left == 0 || at < left || at - left >= NOUNS || !is_count(sentence, left - 1, at))
        return left;
    for (size_t i = 0; i < sentence->count; i++)
        if (sentence->mentions[i].first + 1u == left)
            sentence->mentions[i].dropped = true;
    return 0;
}

/* What was taken is `@[..]`: the name it belongs to stands anywhere before. */
static bool is_qualifier(const struct sentence *sentence, const struct mention *mention)
{
    return text_starts(token_text(sentence->cut, token_at(sentence, mention->word_first)), "@");
}

/* Blanks of a column stand in front of the name, unless all of it is what was taken of it. */
static bool gap_ends(const struct sentence *sentence, const struct mention *mention)
{
    return mention->words > 1 || (mention->words == 1 && !is_qualifier(sentence, mention));
}

void words_collect(const struct sentence *sentence, size_t at, size_t left, struct mention *mention)
{
    struct collect collect = {sentence, left, mention};
    mention->words = 0;
    mention->word_first = mention->word_end = (uint16_t)at;
    for (size_t i = at + 1; i > left && mention->words < WORDS_MAX;) {
        i--;
        const struct token *token = token_at(sentence, i);
        if (token->kind == TOKEN_KEY && mention->words == 0) {
            take_word(&collect, i);
            mention->keyed = true;
            return;
        }
        if (token->kind == TOKEN_WORD) {
            struct text word = token_text(sentence->cut, token);
            if (is_level(word)) {
                if (mention->words > 0)
                    return;
                continue;
            }
            take_word(&collect, i);
        } else if (token->kind == TOKEN_GAP) {
            if (gap_ends(sentence, mention))
                return;
        } else if (token->kind == TOKEN_PUNCT) {
            if (!passes(&collect, &i))
                return;
        } else if (token->kind != TOKEN_BLANK &&
                   !(mention->words > 0 && is_count(sentence, i, mention->word_end - 1u))) {
            return;
        }
    }
}

struct text sentence_copy(struct sentence *sentence, struct text text)
{
    if (text.size > SENTENCE_BYTES - sentence->used)
        return (struct text){"", 0};
    char *out = sentence->bytes + sentence->used;
    if (text.size > 0)
        memcpy(out, text.data, text.size);
    sentence->used += text.size;
    return (struct text){out, text.size};
}

/* A qualifier in brackets is passed over: where it closes, `at` if it does not. */
static size_t qualifier_end(const struct sentence *sentence, size_t at, size_t end)
{
    char close = token_at(sentence, at)->byte == '(' ? ')' : ']';
    for (size_t i = at; i < end; i++)
        if (is_punct(token_at(sentence, i), close))
            return i;
    return at;
}

/* A qualifier is padded as columns are, or not: blanks are no part of its name. */
static void copy_word(struct sentence *sentence, struct text word)
{
    if (!text_starts(word, "@")) {
        sentence_copy(sentence, word);
        return;
    }
    for (size_t i = 0; i < word.size; i++)
        if (word.data[i] != ' ')
            sentence_copy(sentence, (struct text){word.data + i, 1});
}

struct text words_join(struct sentence *sentence, size_t first, size_t end)
{
    size_t start = sentence->used;
    size_t last_kind = TOKEN_END;
    for (size_t i = first; i < end; i++) {
        const struct token *token = token_at(sentence, i);
        if (is_punct(token, '(') || is_punct(token, '[')) {
            i = qualifier_end(sentence, i, end);
            continue;
        }
        if (token->kind != TOKEN_WORD && token->kind != TOKEN_KEY)
            continue;
        struct text part = token->kind == TOKEN_KEY ? token_inner(sentence->cut, token)
                                                    : token_text(sentence->cut, token);
        if (sentence->used - start + part.size + 1 > NAME_MAX)
            break;
        if (last_kind != TOKEN_END)
            sentence_copy(sentence, (struct text){" ", 1});
        copy_word(sentence, part);
        last_kind = token->kind;
    }
    return (struct text){sentence->bytes + start, sentence->used - start};
}

struct text last_word(struct text name)
{
    size_t start = name.size;
    while (start > 0 && name.data[start - 1] != ' ')
        start--;
    return text_cut(name, start, name.size);
}

bool word_is_weak(struct text word)
{
    static const char *const words[] = {
        "at",       "in",        "for",       "of",      "after",   "on",   "the",     "from",
        "to",       "and",       "is",        "was",     "are",     "with", "reached", "reaches",
        "improved", "decreased", "increased", "changed", "dropped", NULL};
    return text_in(word, words);
}

struct text words_strip(const struct sentence *sentence, struct text name, bool places)
{
    for (;;) {
        struct text word = last_word(name);
        if (word.size == 0)
            return name;
        bool place = places && vocabulary_place(sentence->reader->vocabulary, word) != PLACE_NONE;
        if (!place && !word_is_weak(word))
            return name;
        name.size -= word.size;
        while (name.size > 0 && name.data[name.size - 1] == ' ')
            name.size--;
    }
}

bool name_denies(struct text name)
{
    const size_t at = text_find(name, TEXT(" not "));
    return at < name.size || text_ends(name, " not");
}

/* `--key`; a rule of three dashes, or one that opens the line before a capital, is a flourish. */
bool is_option(const struct sentence *sentence, size_t word)
{
    if (word < 2 || !is_punct(token_at(sentence, word - 1), '-') ||
        !is_punct(token_at(sentence, word - 2), '-'))
        return false;
    const char first = text_byte(token_text(sentence->cut, token_at(sentence, word)), 0);
    const bool opens = solid_before(sentence, word - 2, 0) == SIZE_MAX;
    return !(word > 2 && is_punct(token_at(sentence, word - 3), '-')) &&
           !(opens && first >= 'A' && first <= 'Z');
}

bool unit_is_rate(struct text unit)
{
    return text_find(unit, TEXT("/")) < unit.size;
}

/* What the number before counts, `time` of `time 3 s loss: 2`, is a time or bytes. */
static bool is_measured(const struct sentence *sentence, const struct mention *mention)
{
    static const char *const spans[] = {"elapsed", "took",    "eta",      "remaining",
                                        "passed",  "runtime", "duration", NULL};
    const struct naming naming = memo_naming(sentence->reader, mention->name, TEXT(""), PHASE_NONE);
    return text_in(last_word(mention->name), spans) ||
           (naming.known && (naming.kind == KIND_STEP_TIME || naming.kind == KIND_DATA_TIME ||
                             naming.kind == KIND_MEMORY));
}

/* The word may be the unit of that number, which a blank sets off. */
static bool is_unit(const struct sentence *sentence, struct text word, const struct mention *before)
{
    static const char *const units[] = {"s",    "sec",     "secs",  "seconds", "ms", "min",
                                        "mins", "h",       "hrs",   "gb",      "mb", "gib",
                                        "mib",  "minutes", "hours", NULL};
    if (unit_is_rate(word))
        return before->separator != '\0';
    return text_in(word, units) && is_measured(sentence, before);
}

void words_shed_unit(struct sentence *sentence, struct mention *mention)
{
    const struct mention *before =
        sentence->count > 0 ? &sentence->mentions[sentence->count - 1] : NULL;
    const size_t first = mention->word_first, used = sentence->used;
    if (!before || before->end + 1u != first || mention->words < 2 || mention->keyed ||
        !mention->separator || before->unit.size > 0 ||
        !is_unit(sentence, token_text(sentence->cut, token_at(sentence, first)), before))
        return;
    size_t next = solid_after(sentence, first);
    struct text rest = words_join(sentence, next, mention->word_end);
    struct naming naming = memo_naming(sentence->reader, rest, TEXT(""), PHASE_NONE);
    sentence->used = used;
    if (!naming.known || naming.refused || token_at(sentence, next)->kind != TOKEN_WORD)
        return;
    mention->word_first = (uint16_t)next;
    mention->words--;
}

/* `15.2  29.0 s  (9 utt/s)`: one word between a number and a bracket belongs to that number. */
bool words_end_number(const struct sentence *sentence, const struct mention *mention)
{
    static const char *const units[] = {"s", "sec", "secs", "seconds", "ms", "min", "h", NULL};
    const struct mention *before =
        sentence->count > 0 ? &sentence->mentions[sentence->count - 1] : NULL;
    const size_t at = mention->word_first;
    return mention->words == 1 && mention->bracket == '(' && !mention->separator && before &&
           before->unit.size == 0 && !before->separator &&
           solid_before(sentence, at, before->first) + 1u == before->end &&
           text_in(token_text(sentence->cut, token_at(sentence, at)), units);
}
