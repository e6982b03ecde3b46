/* Training or validation: in the key, in words before it, in headings. */
/* SPDX-License-Identifier: MIT */
#include "read/log/sentence.h"

enum { HEADING_WORDS = 6 };

static bool camel_border(struct text name, size_t i)
{
    if (i == 0 || i >= name.size)
        return false;
    char before = name.data[i - 1], at = name.data[i];
    bool upper = at >= 'A' && at <= 'Z';
    if (before >= 'a' && before <= 'z' && upper)
        return true;
    return before >= 'A' && before <= 'Z' && upper && i + 1 < name.size &&
           name.data[i + 1] >= 'a' && name.data[i + 1] <= 'z';
}

/* `validloss`, `trainacc`: a phase word glued to the name of what was measured. */
static enum phase glued_phase(const struct vocabulary *vocabulary, struct text piece)
{
    static const char *const measured[] = {"loss", "acc", "ppl"};
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        const size_t size = strlen(measured[i]);
        if (piece.size <= size + 1)
            continue;
        const size_t stem = piece.size - size;
        if (text_folds_to(text_cut(piece, stem, piece.size), measured[i]))
            return vocabulary_phase(vocabulary, text_cut(piece, 0, stem));
    }
    return PHASE_NONE;
}

/* The phase that the last phase word among the pieces says. */
enum phase phase_of_name(const struct vocabulary *vocabulary, struct text name, bool *only)
{
    enum phase phase = vocabulary_phase(vocabulary, name);
    *only = phase != PHASE_NONE;
    if (phase != PHASE_NONE || name.size == 0)
        return phase;
    size_t start = 0, pieces = 0, phases = 0;
    for (size_t i = 0; i <= name.size; i++) {
        bool word = i < name.size && byte_is_word(name.data[i]) && name.data[i] != '_';
        if (word && !camel_border(name, i))
            continue;
        struct text piece = text_cut(name, start, i - start);
        if (piece.size > 0) {
            enum phase said = vocabulary_phase(vocabulary, piece);
            pieces++;
            if (said != PHASE_NONE) {
                phase = said;
                phases++;
            } else if (phase == PHASE_NONE) {
                phase = glued_phase(vocabulary, piece);
            }
        }
        start = word ? i : i + 1;
    }
    *only = pieces > 0 && phases == pieces;
    return phase;
}

static struct text file_name(const char *path)
{
    const struct text whole = text_of(path);
    return text_cut(whole, text_behind(whole, '/'), whole.size);
}

enum phase phase_of_file(const struct vocabulary *vocabulary, const char *path)
{
    static const char *const plain[] = {"loss",    "losses", "log",     "logs", "metrics", "metric",
                                        "history", "result", "results", "txt",  "csv",     "out",
                                        "tsv",     "data",   "curve",   NULL};
    const struct text name = file_name(path);
    size_t start = 0;
    bool said = false;
    for (size_t i = 0; i <= name.size; i++) {
        if (i < name.size && byte_is_word(name.data[i]) && name.data[i] != '_')
            continue;
        struct text piece = text_cut(name, start, i - start);
        start = i + 1;
        if (text_in(piece, plain))
            continue;
        /* `test.log` is as well any try of a program */
        if (piece.size < 3 || text_folds_to(piece, "test") ||
            vocabulary_phase(vocabulary, piece) != PHASE_VALIDATION)
            return PHASE_NONE;
        said = true;
    }
    return said ? PHASE_VALIDATION : PHASE_NONE;
}

struct text loss_of_file(const struct vocabulary *vocabulary, const char *path)
{
    struct text name = file_name(path);
    for (size_t i = name.size; i > 1; i--)
        if (name.data[i - 1] == '.') {
            name.size = i - 1;
            break;
        }
    const struct naming naming = vocabulary_naming(vocabulary, name, TEXT(""), PHASE_NONE);
    const bool loss = naming.known && !naming.refused &&
                      (naming.kind == KIND_LOSS || naming.kind == KIND_VAL_LOSS) &&
                      (naming.class < 3 || text_find(name, TEXT("loss")) < name.size);
    return loss ? name : TEXT("");
}

/* Evaluation measures without any word for a phase (bleu, wer, ...). */
static bool evaluation_measure(const struct mention *mention)
{
    static const char *const words[] = {"bleu", "wer", "cer",    "rouge", "map",
                                        "ndcg", "hr",  "meteor", "chrf",  NULL};
    struct text name = mention->name;
    size_t start = 0;
    for (size_t i = 0; i <= name.size; i++) {
        if (i < name.size && byte_is_letter(name.data[i]) && name.data[i] != '_')
            continue;
        if (text_in(text_cut(name, start, i - start), words))
            return true;
        start = i + 1;
    }
    return false;
}

static bool is_evaluation(const struct sentence *sentence)
{
    bool measure = false, loss = false, counted = false;
    for (size_t i = 0; i < sentence->count; i++) {
        const struct mention *mention = &sentence->mentions[i];
        counted = counted || ((mention->field == FIELD_STEP || mention->field == FIELD_BATCH) &&
                              mention->total_number != NO_NUMBER);
        if (mention->dropped || mention->field != FIELD_NONE)
            continue;
        loss = loss || mention->naming.kind == KIND_LOSS;
        if (mention->phase != PHASE_NONE || mention->naming.kind == KIND_GRAD_NORM ||
            mention->naming.kind == KIND_STEP_TIME || mention->naming.kind == KIND_THROUGHPUT)
            return false;
        measure = measure || evaluation_measure(mention);
    }
    return measure && !(loss && counted); /* `[17/80] loss: 2.5 wer: 0.8` trains */
}

/* "Saving dict for global step 12: ...": an estimator's evaluation. */
static bool says_saved_dict(const struct sentence *sentence)
{
    struct text text = sentence->cut->text;
    return text_find(text, TEXT("Saving dict for ")) < text.size;
}

struct walk {
    struct sentence *sentence;
    enum phase phase; /* of the line so far */
    size_t mention;   /* the next one */
    size_t words;     /* met so far that open no key */
    bool opened;      /* a phase word opened the first key */
};

/* The mention whose key holds token `i`; NULL: the word is free. */
static const struct mention *owner_of(const struct sentence *sentence, size_t i)
{
    for (size_t m = 0; m < sentence->count; m++) {
        const struct mention *mention = &sentence->mentions[m];
        if (!mention->dropped && mention->words > 0 && i >= mention->word_first &&
            i < mention->word_end)
            return mention;
    }
    return NULL;
}

/* `Val steps: 375` says how many there are, not what follows. */
static bool counts_all(const struct mention *mention)
{
    struct text name = mention->name;
    return mention->place != PLACE_NONE && mention->separator &&
           mention->total_number == NO_NUMBER && name.size > 5 &&
           (name.data[name.size - 1] | 0x20) == 's';
}

/* `eval: 100 batches, loss: 2`: it says over how many, and of which phase what follows is. */
static bool counts_things(const struct sentence *sentence, const struct mention *mention)
{
    const struct token *word = token_at(sentence, solid_after(sentence, mention->end - 1u));
    const struct token *own = token_at(sentence, mention->word_end - 1u);
    const bool right = mention->side == SIDE_RIGHT;
    return mention->integer && mention->total_number == NO_NUMBER && mention->unit.size == 0 &&
           (right ? own : word)->kind == TOKEN_WORD &&
           word_is_counted(token_text(sentence->cut, right ? own : word));
}

/* `train/val`: said of both, it is said of none. */
static bool says_both(const struct vocabulary *vocabulary, struct text word)
{
    const size_t sign = text_find(word, TEXT("/"));
    const struct text first = text_cut(word, 0, sign), second = text_cut(word, sign + 1, word.size);
    bool only[2] = {false, false};
    return phase_of_name(vocabulary, first, &only[0]) != PHASE_NONE && only[0] &&
           phase_of_name(vocabulary, second, &only[1]) != PHASE_NONE && only[1];
}

static void walk_word(struct walk *walk, size_t i)
{
    const struct sentence *sentence = walk->sentence;
    const struct token *token = token_at(sentence, i);
    struct text word = token->kind == TOKEN_STRING ? token_inner(sentence->cut, token)
                                                   : token_text(sentence->cut, token);
    bool only;
    enum phase said = phase_of_name(sentence->reader->vocabulary, word, &only);
    if (said == PHASE_NONE || (token->kind == TOKEN_STRING && !only) ||
        says_both(sentence->reader->vocabulary, word))
        return;
    const struct mention *owner = owner_of(sentence, i);
    if (owner && owner->field == FIELD_NONE && owner->place == PLACE_NONE &&
        !(only && owner->words == 1 && counts_things(sentence, owner))) {
        /* A key: only where a phase word opens the first one, in front of others; then those of
           the same line that open one go on in their turn. */
        bool opens = i == owner->word_first && owner->words > 1 && only && !owner->keyed;
        if (!opens || (walk->words > 0 && !walk->opened))
            return;
        walk->opened = true;
    }
    if (owner && counts_all(owner))
        return;
    walk->phase = said;
}

/* The phase in brackets behind a value: `0.18 (train)`. */
static enum phase phase_behind(const struct sentence *sentence, const struct mention *mention)
{
    const size_t open = solid_after(sentence, mention->end - 1u);
    if (open + 2 >= sentence->cut->count || !is_punct(token_at(sentence, open), '(') ||
        token_at(sentence, open + 1)->kind != TOKEN_WORD ||
        !is_punct(token_at(sentence, open + 2), ')'))
        return PHASE_NONE;
    bool only;
    const enum phase said =
        phase_of_name(sentence->reader->vocabulary,
                      token_text(sentence->cut, token_at(sentence, open + 1)), &only);
    return only ? said : PHASE_NONE;
}

/* `loss 0.18 (train), 0.09 (dev)`: where both stand so, each belongs to the value before it, and a
   value without a name has that of its neighbour. */
static void phases_behind(struct sentence *sentence)
{
    bool trained = false, validated = false;
    for (size_t i = 0; i < sentence->count; i++) {
        const enum phase said = phase_behind(sentence, &sentence->mentions[i]);
        trained = trained || said == PHASE_TRAIN;
        validated = validated || said == PHASE_VALIDATION;
    }
    for (size_t i = 0; trained && validated && i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        const enum phase said = phase_behind(sentence, mention);
        if (mention->dropped || said == PHASE_NONE)
            continue;
        mention->phase = said;
        const struct mention *before = i > 0 ? &mention[-1] : NULL;
        if (mention->name.size > 0 || !before || before->name.size == 0 || before->phase == said)
            continue;
        mention->name = before->name;
        mention->unit = before->unit;
        mention->side = SIDE_HEIR;
    }
}

void phases_assign(struct sentence *sentence)
{
    struct walk walk = {.sentence = sentence};
    const struct vocabulary *vocabulary = sentence->reader->vocabulary;
    if (says_saved_dict(sentence))
        walk.phase = PHASE_VALIDATION;
    for (size_t i = 0; i < sentence->cut->count; i++) {
        const struct token *token = token_at(sentence, i);
        if (token->kind == TOKEN_WORD || token->kind == TOKEN_STRING) {
            walk_word(&walk, i);
            const struct mention *owner = owner_of(sentence, i);
            walk.words += owner && owner->field == FIELD_NONE && owner->place == PLACE_NONE;
        }
        while (walk.mention < sentence->count && sentence->mentions[walk.mention].first <= i) {
            struct mention *mention = &sentence->mentions[walk.mention++];
            mention->phase = phase_of_name(vocabulary, mention->name, &mention->phase_only);
            if (mention->phase == PHASE_NONE)
                mention->phase = walk.phase;
        }
    }
    phases_behind(sentence);
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (!mention->dropped && mention->name.size > 0)
            mention->naming =
                memo_naming(sentence->reader, mention->name, mention->unit, mention->phase);
    }
    if (is_evaluation(sentence))
        for (size_t i = 0; i < sentence->count; i++)
            sentence->mentions[i].phase = PHASE_VALIDATION;
}

/* `Resume training from ..`, `Loading validation data`: told of the run, no heading. */
static bool keeps_books(struct text word)
{
    static const char *const stems[] = {"resum", "restor", "load", "sav", "download", "checkpoint"};
    for (size_t s = 0; s < sizeof stems / sizeof *stems; s++) {
        size_t size = text_of(stems[s]).size;
        if (word.size >= size && text_folds_to(text_cut(word, 0, size), stems[s]))
            return true;
    }
    return false;
}

/* `val_loss did not improve`: it is told of a loss, and what follows is none of its phase. */
static bool is_measure(const struct sentence *sentence, struct text word)
{
    return memo_naming(sentence->reader, word, TEXT(""), PHASE_NONE).known;
}

bool phase_heading(const struct sentence *sentence, enum phase *phase)
{
    const struct cut *cut = sentence->cut;
    const bool opens = cut->count > 0 && is_punct(token_at(sentence, cut->count - 1), '{');
    size_t words = 0;
    *phase = PHASE_NONE;
    for (size_t i = 0; i < cut->count; i++) {
        const struct token *token = token_at(sentence, i);
        if (token->kind != TOKEN_WORD && !(opens && token->kind == TOKEN_KEY)) /* `"val": {` */
            continue;
        bool only;
        struct text word = token_inner(cut, token);
        enum phase said = phase_of_name(sentence->reader->vocabulary, word, &only);
        if (said != PHASE_NONE && (only || !is_measure(sentence, word)))
            *phase = said;
        words += keeps_books(word) ? HEADING_WORDS + 1 : 1;
    }
    return *phase != PHASE_NONE && words <= HEADING_WORDS;
}
