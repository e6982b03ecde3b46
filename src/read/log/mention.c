/* The numbers of a line and the words that name them: left first, then heirs, then right. */
/* SPDX-License-Identifier: MIT */
#include "read/log/numeral.h"
#include "read/log/sentence.h"

#include <string.h>

enum { RIGHT_WORDS = 4, QUOTED_TOKENS = 6, IDEOGRAPHS_PLACE = 6 /* bytes */ };

static struct text text_of_token(const struct sentence *sentence, size_t i)
{
    return token_text(sentence->cut, token_at(sentence, i));
}

/* Is the number at token `at` derived from the one before it? The end of what to drop. */
static size_t derived_end(const struct sentence *sentence, size_t at, size_t left)
{
    if (left == 0)
        return 0;
    size_t i = solid_before(sentence, at, left - 1);
    if (i == SIZE_MAX)
        return 0;
    bool sign = false;
    if (is_punct(token_at(sentence, i), '*') || is_punct(token_at(sentence, i), '+') ||
        word_is(sentence, i, "\xC2\xB1")) {
        sign = true;
        i = solid_before(sentence, i, left - 1);
        if (i == SIZE_MAX)
            return 0;
    }
    const struct token *token = token_at(sentence, i);
    if (sign && i == left - 1)
        return at + 1;
    if (!is_punct(token, '('))
        return 0;
    const struct mention *before = &sentence->mentions[sentence->count - 1];
    size_t slash = solid_after(sentence, at), total = solid_after(sentence, slash);
    size_t comma = solid_before(sentence, i, left - 1);
    bool share = comma != SIZE_MAX && is_punct(token_at(sentence, comma), ',') &&
                 text_is(before->unit, "%") && is_punct(token_at(sentence, slash), '/') &&
                 solid_before(sentence, comma, left - 1) == left - 1; /* `21.5%, (43/200)` */
    if (!share && comma != left - 1)
        return 0;
    if (before->place != PLACE_NONE && before->total_number == NO_NUMBER &&
        number_is_plain(sentence, at) && is_punct(token_at(sentence, slash), '/') &&
        number_is_plain(sentence, total))
        return 0; /* `epoch 3 (10/400)`: a counter */
    for (size_t j = at; j < sentence->cut->count; j++)
        if (is_punct(token_at(sentence, j), ')'))
            return j + 1;
    return at + 1;
}

static bool wraps_value(struct text word)
{
    static const char *const words[] = {"tensor",     "array",       "np.float32", "np.float64",
                                        "np.float16", "np.int32",    "np.int64",   "float",
                                        "int",        "devicearray", NULL};
    return text_in(word, words);
}

/* Over opening brackets in front of the number; the token before them, SIZE_MAX none. */
static size_t skip_openers(const struct sentence *sentence, struct mention *mention, size_t at,
                           size_t left)
{
    size_t i = solid_before(sentence, at, left);
    for (int passed = 0; passed < 4 && i != SIZE_MAX; passed++) {
        const struct token *token = token_at(sentence, i);
        if (token->kind != TOKEN_PUNCT || !strchr("[(#~$\"'", token->byte))
            break;
        if (!mention->bracket && strchr("[(", token->byte))
            mention->bracket = token->byte;
        size_t next = solid_before(sentence, i, left);
        if (token->byte == '(' && next != SIZE_MAX && next + 1 == i &&
            token_at(sentence, next)->kind == TOKEN_WORD &&
            wraps_value(text_of_token(sentence, next))) {
            mention->bracket = '\0';
            next = solid_before(sentence, next, left);
        }
        i = next;
    }
    return i;
}

/* `Epoch - 3`, `loss - 0.5`, `loss | 0.5`: a word for places or series stands before the sign. */
static bool named_before(const struct sentence *sentence, size_t dash, size_t left)
{
    size_t i = solid_before(sentence, dash, left);
    if (i == SIZE_MAX || token_at(sentence, i)->kind != TOKEN_WORD)
        return false;
    struct text word = text_of_token(sentence, i);
    if (vocabulary_place(sentence->reader->vocabulary, word) != PLACE_NONE)
        return true;
    const struct naming naming = memo_naming(sentence->reader, word, TEXT(""), PHASE_NONE);
    return naming.known && !naming.refused && naming.kind <= KIND_VAL_METRIC;
}

/* Over `: = := -> =>`; the token before. */
static size_t skip_separator(const struct sentence *sentence, struct mention *mention, size_t i,
                             size_t left)
{
    if (i == SIZE_MAX)
        return i;
    const struct token *token = token_at(sentence, i);
    const struct token *before = i > left ? token_at(sentence, i - 1) : NULL;
    if (is_punct(token, '=')) {
        mention->separator = '=';
        if (before && (is_punct(before, ':') || is_punct(before, '=')))
            i--;
    } else if (is_punct(token, ':') ||
               (is_punct(token, ',') && (sentence->marks & MARK_ALTERNATES))) {
        mention->separator = ':';
    } else if (is_arrow(token)) {
        mention->separator = '>';
    } else if (is_punct(token, '>') && before && (is_punct(before, '-') || is_punct(before, '='))) {
        mention->separator = '>';
        i--;
    } else if (!(is_punct(token, '-') || is_punct(token, '|')) || !before ||
               before->kind != TOKEN_BLANK || !named_before(sentence, i, left)) {
        return i;
    } else {
        mention->separator = ':';
    }
    return solid_before(sentence, i, left);
}

/* `and the training loss is`: words in front that name nothing. */
static struct text strip_lead(struct mention *mention, struct text name)
{
    static const char *const words[] = {"and", "the",  "with", "a",    "an",
                                        "of",  "then", "has",  "have", NULL};
    for (;;) {
        size_t end = 0;
        while (end < name.size && name.data[end] != ' ')
            end++;
        if (end == name.size || !text_in(text_cut(name, 0, end), words))
            break;
        name = text_cut(name, end + 1, name.size);
    }
    size_t count = name.size > 0;
    for (size_t i = 0; i < name.size; i++)
        count += name.data[i] == ' ';
    if (count < mention->words)
        mention->words = (uint8_t)count;
    return name;
}

/* `after 100 iterations: 2.3`, `After 100 iterations the loss is 2.3`: the word behind says what
   the number counts. */
static bool place_behind(struct sentence *sentence, struct mention *mention)
{
    const struct vocabulary *vocabulary = sentence->reader->vocabulary;
    size_t word = mention->end + 1u;
    if (!mention->integer || mention->unit.size > 0 || mention->separator || mention->words == 0 ||
        mention->side == SIDE_HEIR || token_at(sentence, mention->end)->kind != TOKEN_BLANK ||
        token_at(sentence, word)->kind != TOKEN_WORD)
        return false;
    const struct token *sign = token_at(sentence, solid_after(sentence, word));
    struct text name = text_of_token(sentence, word);
    struct text last = text_of_token(sentence, mention->word_end - 1u);
    const bool told = mention->side == SIDE_NONE && text_folds_to(last, "after") &&
                      (sign->kind == TOKEN_WORD || is_punct(sign, ','));
    if (!told && !is_punct(sign, ':') && !is_punct(sign, '='))
        return false;
    if (vocabulary_place(vocabulary, name) == PLACE_NONE || !word_is_weak(last))
        return false;
    mention->place = vocabulary_place(vocabulary, name);
    mention->place_rank = vocabulary_place_rank(vocabulary, name);
    mention->end = (uint16_t)(word + 1);
    return true;
}

/* The place that a word behind a number says, of scripts without blanks the longest at its start.
 */
static enum place_word place_ahead(const struct vocabulary *vocabulary, struct text *word)
{
    enum place_word place = vocabulary_place(vocabulary, *word);
    struct text part = *word;
    if (place != PLACE_NONE || !ideograph_begins(*word, 0))
        return place;
    for (size_t i = IDEOGRAPHS_PLACE; i > 0 && place == PLACE_NONE; i -= 3) {
        part = text_cut(*word, 0, i);
        place = vocabulary_place(vocabulary, part);
    }
    *word = part;
    return place;
}

/* `3rd epoch`, `第3轮`: the word behind says what is counted. */
static void place_of_ordinal(struct sentence *sentence, struct mention *mention)
{
    static const char *const endings[] = {"st", "nd", "rd", "th", NULL};
    const struct vocabulary *vocabulary = sentence->reader->vocabulary;
    size_t before = solid_before(sentence, mention->first, 0);
    bool ordinal = text_in(mention->unit, endings);
    bool counted = before != SIZE_MAX && token_at(sentence, before)->kind == TOKEN_WORD &&
                   text_ends(text_of_token(sentence, before), "\xE7\xAC\xAC");
    if (!mention->integer || !(ordinal || counted))
        return;
    mention->unit = TEXT("");
    size_t next = solid_after(sentence, mention->end - 1u);
    if (token_at(sentence, next)->kind != TOKEN_WORD)
        return;
    struct text word = text_of_token(sentence, next);
    enum place_word place = place_ahead(vocabulary, &word);
    if (place == PLACE_NONE)
        return;
    mention->name = word;
    mention->place = place;
    mention->place_rank = vocabulary_place_rank(vocabulary, word);
    mention->side = SIDE_RIGHT;
}

/* What a place leaves to its value, `loss` of `loss at step`; all of it where less would mean
   something else: `Score at iteration` is a loss, a score none. */
static struct text name_of_heir(struct sentence *sentence, struct text whole)
{
    const struct text name = words_strip(sentence, whole, true);
    const struct naming of_whole = memo_naming(sentence->reader, whole, TEXT(""), PHASE_NONE);
    if (name.size == 0 || !of_whole.known)
        return name;
    return memo_naming(sentence->reader, name, TEXT(""), PHASE_NONE).kind == of_whole.kind ? name
                                                                                           : whole;
}

/* `3-epoch (50/1251): `, at the start of a line: the word that it is joined to says what it counts.
 */
static void place_of_joined(const struct sentence *sentence, struct mention *mention)
{
    const struct vocabulary *vocabulary = sentence->reader->vocabulary;
    const size_t dash = mention->end;
    if (!mention->integer || mention->unit.size > 0 || mention->total_number != NO_NUMBER ||
        solid_before(sentence, mention->first, 0) != SIZE_MAX ||
        !is_punct(token_at(sentence, dash), '-') ||
        token_at(sentence, dash + 1)->kind != TOKEN_WORD)
        return;
    const struct token *next = token_at(sentence, solid_after(sentence, dash + 1));
    const struct text word = text_of_token(sentence, dash + 1);
    const enum place_word place = vocabulary_place(vocabulary, word);
    if (place == PLACE_NONE || next->kind != TOKEN_PUNCT || !strchr("([:,|", next->byte))
        return;
    mention->place = place;
    mention->place_rank = vocabulary_place_rank(vocabulary, word);
    mention->name = word;
    mention->side = SIDE_RIGHT;
    mention->end = (uint16_t)(dash + 2);
}

/* `scale 65536  0.43 s/it`: its own unit names it, glued or set off. */
static bool rate_behind(const struct sentence *sentence, const struct mention *mention)
{
    return unit_is_rate(mention->unit) ||
           (token_at(sentence, mention->end)->kind == TOKEN_BLANK &&
            token_at(sentence, mention->end + 1u)->kind == TOKEN_WORD &&
            unit_is_rate(text_of_token(sentence, mention->end + 1u)));
}

/* No words of its own: the number before it is a place and gives its words. */
static void inherit_words(struct sentence *sentence, struct mention *mention, size_t at)
{
    if (sentence->count == 0 || at == SIZE_MAX)
        return;
    struct mention *before = &sentence->mentions[sentence->count - 1];
    size_t close = before->end;
    if (before->bracket && at == close) /* `step [100]: 0.5` */
        close++;
    if (at + 1 != close || before->dropped || before->words == 0 || before->side != SIDE_LEFT ||
        before->keyed)
        return;
    if (before->place != PLACE_NONE && (mention->separator || !mention->integer)) {
        mention->name = name_of_heir(sentence, before->name);
        for (size_t i = sentence->count - 1; i > 0 && mention->name.size == 0; i--) {
            const struct mention *further =
                &sentence->mentions[i - 1]; /* `at epoch 1 and step 5` */
            if (further->place == PLACE_NONE || further->dropped || further->separator ||
                further->side != SIDE_LEFT || further->keyed)
                break;
            mention->name = words_strip(sentence, further->name, true);
        }
        mention->side = mention->name.size > 0 ? SIDE_HEIR : SIDE_NONE;
        return;
    }
    struct naming naming =
        memo_naming(sentence->reader, before->name, (struct text){"", 0}, PHASE_NONE);
    if (!before->integer || before->separator || before->total_number != NO_NUMBER ||
        mention->integer || !naming.known || naming.refused || rate_behind(sentence, mention))
        return;
    mention->name = before->name; /* name INT FLOAT */
    mention->side = SIDE_HEIR;
    before->lead = true;
}

/* `loss: (100, 2.3)`: of a pair under the name of a series the integer is the step. */
static bool name_pair(struct sentence *sentence, struct mention *mention, size_t at)
{
    struct mention *before = sentence->count > 0 ? &sentence->mentions[sentence->count - 1] : NULL;
    if (!before || !before->separator || !before->bracket || before->dropped || !before->integer ||
        before->unit.size > 0 || before->total_number != NO_NUMBER || mention->integer ||
        before->side != SIDE_LEFT || before->place != PLACE_NONE)
        return false;
    size_t open = solid_before(sentence, before->first, 0), comma = solid_before(sentence, at, 0);
    size_t close = solid_after(sentence, mention->end - 1u);
    char closing = before->bracket == '(' ? ')' : ']';
    if (open == SIZE_MAX || !is_punct(token_at(sentence, open), before->bracket) ||
        comma == SIZE_MAX || !is_punct(token_at(sentence, comma), ',') || comma < before->end ||
        !is_punct(token_at(sentence, close), closing))
        return false;
    struct naming naming = memo_naming(sentence->reader, before->name, TEXT(""), PHASE_NONE);
    if (!naming.known || naming.refused)
        return false;
    mention->name = before->name;
    mention->side = SIDE_HEIR;
    before->lead = true;
    return true;
}

static void look_right(struct sentence *sentence, struct mention *mention)
{
    if (unit_is_rate(mention->unit)) {
        mention->name = mention->unit;
        mention->side = SIDE_RIGHT;
        return;
    }
    size_t i = mention->end;
    if (token_at(sentence, i)->kind != TOKEN_BLANK || mention->bracket == '[')
        return;
    size_t first = ++i, words = 0;
    for (; token_at(sentence, i)->kind == TOKEN_WORD && words < RIGHT_WORDS; words++) {
        if (token_at(sentence, i + 1)->kind != TOKEN_BLANK ||
            token_at(sentence, i + 2)->kind != TOKEN_WORD) {
            i++;
            words++;
            break;
        }
        i += 2;
    }
    size_t next = i;
    while (token_at(sentence, next)->kind == TOKEN_BLANK ||
           token_at(sentence, next)->kind == TOKEN_GAP)
        next++;
    const struct token *token = token_at(sentence, next);
    bool dashed = is_punct(token, '-') && token_at(sentence, next + 1)->kind == TOKEN_BLANK &&
                  token_at(sentence, next + 2)->kind == TOKEN_NUMBER &&
                  named_before(sentence, next, first);
    if (words == 0 || dashed || token->kind == TOKEN_NUMBER || is_punct(token, ':') ||
        is_punct(token, '=') || is_punct(token, '(') || is_punct(token, '['))
        return;
    mention->name = words_join(sentence, first, i);
    mention->word_first = (uint16_t)first;
    mention->word_end = (uint16_t)i;
    mention->words = (uint8_t)words;
    mention->side = SIDE_RIGHT;
    mention->end = (uint16_t)i;
}

static struct text join_group(struct sentence *sentence, int16_t group, struct text name)
{
    if (group < 0 || name.size == 0)
        return name;
    struct text path = sentence_copy(sentence, sentence->groups[group]);
    path.size += sentence_copy(sentence, (struct text){"/", 1}).size;
    path.size += sentence_copy(sentence, name).size;
    return path.size <= NAME_MAX ? path : name;
}

/* The last word of the key of the number before says what that one counts. */
static bool counts_place(const struct sentence *sentence, const struct mention *mention)
{
    const struct vocabulary *vocabulary = sentence->reader->vocabulary;
    return mention->words > 0 && mention->integer && !mention->separator &&
           mention->side == SIDE_LEFT &&
           vocabulary_place(vocabulary, text_of_token(sentence, mention->word_end - 1u)) !=
               PLACE_NONE;
}

/* That word alone is its key. */
static void place_by_last(const struct sentence *sentence, struct mention *mention)
{
    const struct vocabulary *vocabulary = sentence->reader->vocabulary;
    mention->word_first = (uint16_t)(mention->word_end - 1u);
    mention->words = 1;
    mention->name = text_of_token(sentence, mention->word_first);
    mention->place = vocabulary_place(vocabulary, mention->name);
    mention->place_rank = vocabulary_place_rank(vocabulary, mention->name);
}

static size_t quote_open(const struct sentence *sentence, size_t close)
{
    size_t i = close;
    while (i > 0 && close - i < QUOTED_TOKENS)
        if (is_punct(token_at(sentence, --i), '\''))
            return i;
    return SIZE_MAX;
}

/* `Average loss for 'dev' for batches 10-19 is 2.3`: the words in front and the quoted one. */
static void name_sentence(struct sentence *sentence, struct mention *mention)
{
    struct mention *before = sentence->count > 0 ? &sentence->mentions[sentence->count - 1] : NULL;
    size_t i = solid_before(sentence, mention->word_first, 0);
    if (i == SIZE_MAX || !word_is(sentence, mention->word_first, "is"))
        return;
    const bool placed = before && before->end == i + 1 && counts_place(sentence, before);
    if (placed)
        i = solid_before(sentence, before->word_end - 1u, 0);
    if (i != SIZE_MAX && word_is(sentence, i, "for"))
        i = solid_before(sentence, i, 0);
    if (i == SIZE_MAX || !is_punct(token_at(sentence, i), '\''))
        return;
    size_t open = quote_open(sentence, i),
           at = open == SIZE_MAX ? open : solid_before(sentence, open, 0);
    struct mention words = {0};
    if (at == SIZE_MAX)
        return;
    words_collect(sentence, at, 0, &words);
    struct text name =
        words_strip(sentence, words_join(sentence, words.word_first, words.word_end), false);
    struct text quoted = words_join(sentence, open + 1, i);
    if (words.words == 0 || name.size == 0 || quoted.size == 0)
        return;
    if (placed)
        place_by_last(sentence, before);
    mention->name = sentence_copy(sentence, name);
    mention->name.size += sentence_copy(sentence, TEXT(" ")).size;
    mention->name.size += sentence_copy(sentence, quoted).size;
    mention->words = words.words;
    mention->separator = '=';
}

/* The words that were collected, as a name; `--` before them tells a command line. */
static void name_words(struct sentence *sentence, struct mention *mention)
{
    words_shed_unit(sentence, mention);
    if (is_option(sentence, mention->word_first))
        sentence->marks |= MARK_COMMAND;
    struct text name = words_join(sentence, mention->word_first, mention->word_end);
    if (!mention->keyed)
        name = words_strip(sentence, name, false);
    if (!mention->keyed && mention->words > 1)
        name = strip_lead(mention, name);
    mention->name = name;
    mention->dropped = mention->dropped || (mention->words > 2 && name_denies(name));
    if (name.size == 0)
        name_sentence(sentence, mention);
    mention->side = mention->name.size > 0 ? SIDE_LEFT : SIDE_NONE;
}

static void name_left(struct sentence *sentence, struct mention *mention, size_t at, size_t left)
{
    size_t i = skip_openers(sentence, mention, at, left);
    i = skip_separator(sentence, mention, i, left);
    if (mention->separator && subscript_name(sentence, mention, i))
        return;
    if (mention->separator || mention->bracket == '[')
        i = qualifier_skip(sentence, mention, i, &left);
    if (mention->separator)
        i = span_skip(sentence, description_skip(sentence, i, &left), &left);
    if (i != SIZE_MAX && i >= left && !mention->separator && !mention->bracket)
        i = bracketed_key(sentence, i, left);
    left = i != SIZE_MAX && mention->separator ? count_skip(sentence, i, left) : left;
    if (i != SIZE_MAX && i >= left)
        words_collect(sentence, i, left, mention);
    if (words_end_number(sentence, mention))
        return;
    if (mention->words > 0) {
        name_words(sentence, mention);
        if (mention->side == SIDE_NONE && !mention->separator) /* `loss at step 5 is 0.5` */
            inherit_words(sentence, mention,
                          solid_before(sentence, mention->word_first, left > 0 ? left - 1 : 0));
        return;
    }
    if (name_pair(sentence, mention, at))
        return;
    size_t before = skip_openers(sentence, &(struct mention){0}, at, left > 0 ? left - 1 : 0);
    if (mention->separator) {
        struct mention probe = {0};
        before = skip_separator(sentence, &probe, before, left > 0 ? left - 1 : 0);
    }
    inherit_words(sentence, mention, before);
}

static void mention_add(struct sentence *sentence, size_t number, size_t left)
{
    size_t at = sentence->cut->numbers[number];
    const struct token *token = token_at(sentence, at);
    struct mention *mention = &sentence->mentions[sentence->count];
    *mention = (struct mention){
        .number = (uint16_t)number,
        .total_number = NO_NUMBER,
        .first = (uint16_t)at,
        .end = (uint16_t)(at + 1),
        .field = FIELD_NONE,
        .integer = (token->flags & FLAG_INTEGER) != 0,
        .group = sentence->group_of[number],
        .unit = token_unit(sentence->cut, token),
        .name = {"", 0},
        .dropped = sentence->listed[number],
    };
    numbers_fuse(sentence, mention, at);
    size_t drop = derived_end(sentence, at, left);
    if (drop > 0) {
        mention->dropped = true;
        mention->end = (uint16_t)drop;
        sentence->count++;
        return;
    }
    name_left(sentence, mention, at, left);
    if (!mention->separator && mention->integer && text_count(mention->unit, '_') > 0)
        mention->dropped = true; /* `loss  2d_iou`: a name in a head */
    place_of_ordinal(sentence, mention);
    if (mention->side == SIDE_NONE)
        place_of_joined(sentence, mention);
    const bool counted = mention->place == PLACE_NONE && place_behind(sentence, mention);
    if (mention->side == SIDE_NONE && !counted)
        look_right(sentence, mention);
    if (mention->place == PLACE_NONE)
        place_by_name(sentence, mention);
    mention->name = join_group(sentence, mention->group, mention->name);
    sentence->count++;
}

void mentions_find(struct sentence *sentence)
{
    size_t left = 0;
    sentence->count = 0;
    for (size_t number = 0; number < sentence->cut->number_count; number++) {
        size_t at = sentence->cut->numbers[number];
        if (at < left)
            continue; /* taken with the one before, or dropped */
        mention_add(sentence, number, left);
        left = sentence->mentions[sentence->count - 1].end;
    }
    for (size_t i = 0; i < sentence->count; i++)
        if (!sentence->mentions[i].dropped && !sentence->mentions[i].keyed)
            change_name(sentence, &sentence->mentions[i]);
}
