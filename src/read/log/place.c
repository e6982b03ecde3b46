/* Which numbers of a line are places: steps, batches, epochs, counters, indices. */
/* SPDX-License-Identifier: MIT */
#include "read/log/sentence.h"

#include <math.h>
#include <string.h>

enum { PLACE_WORDS = 4, PLACE_WORDS_FIRM = 8 };

/* Words beside a place word that make it a setting or a statistic. */
static bool spoils_place(struct text word)
{
    static const char *const words[] = {"num",       "max",   "min",    "per",    "every", "size",
                                        "save",      "log",   "warmup", "best",   "last",  "total",
                                        "new",       "final", "since",  "number", "time",  "each",
                                        "remaining", "until", "#of",    NULL};
    return text_in(word, words);
}

/* The part of a key that can be a place word: behind the last '/', of a pair (k/N) the first. */
static struct text place_part(struct text word, bool total)
{
    size_t slash = 0;
    if (total) {
        while (slash < word.size && word.data[slash] != '/')
            slash++;
        if (slash < word.size)
            return text_cut(word, 0, slash);
    }
    for (size_t i = 0; i < word.size; i++)
        if ((word.data[i] == '/' || word.data[i] == '.') && i + 3 < word.size)
            slash = i + 1;
    if (slash == 0 && text_find(word, TEXT("/")) < word.size)
        return (struct text){"", 0}; /* a rate: tok/s */
    struct text part = slash < word.size ? text_cut(word, slash, word.size) : word;
    while (part.size > 1 && strchr("._", part.data[part.size - 1]))
        part.size--;
    return part;
}

static bool named_spoilt(struct text name)
{
    size_t start = 0;
    for (size_t i = 0; i <= name.size; i++) {
        if (i < name.size && name.data[i] != ' ')
            continue;
        if (i > start && spoils_place(text_cut(name, start, i - start)))
            return true;
        start = i + 1;
    }
    return false;
}

/* "Tok/s", "ms/batch": what stands behind the slash is a unit, no place. */
static bool is_rate(const struct vocabulary *vocabulary, struct text word)
{
    if (text_find(word, TEXT("/")) == word.size)
        return false;
    enum kind kind = vocabulary_naming(vocabulary, word, TEXT(""), PHASE_NONE).kind;
    return kind == KIND_STEP_TIME || kind == KIND_THROUGHPUT;
}

static bool multiplies(struct text unit)
{
    return unit.size == 1 && (unit.data[0] == 'k' || unit.data[0] == 'K' || unit.data[0] == 'M');
}

/* `episode steps: 40`: how long the episode was. */
static bool counts_inside(struct text name)
{
    static const char *const insides[] = {"episode steps",      "episode_steps",
                                          "episode iterations", "episode timesteps",
                                          "episode_timesteps",  NULL};
    return text_in(name, insides);
}

/* `batch i: 4`, `epoch no 3`, `iterations_done: 40`: the word before says what is counted. */
static struct text place_word_of(struct text name)
{
    static const char done[] = "_done";
    static const char *const counts[] = {"i",   "idx",  "index", "no",        "id",
                                         "no.", "seen", "done",  "completed", NULL};
    struct text word = last_word(name);
    const size_t stem = word.size - (sizeof done - 1);
    if (word.size >= sizeof done && text_folds_to(text_cut(word, stem, word.size), done))
        return text_cut(word, 0, stem);
    if (word.size == name.size || !text_in(word, counts))
        return word;
    return last_word(text_trim(text_cut(name, 0, name.size - word.size)));
}

void place_by_name(struct sentence *sentence, struct mention *mention)
{
    const struct vocabulary *vocabulary = sentence->reader->vocabulary;
    bool total = mention->total_number != NO_NUMBER;
    if (mention->unit.size > 0 && mention->integer) {
        enum place_word place = vocabulary_place(vocabulary, mention->unit);
        if (place != PLACE_NONE && mention->unit.size > 3) { /* 3epoch, 180batch */
            mention->place = place;
            mention->place_rank = vocabulary_place_rank(vocabulary, mention->unit);
            mention->name = mention->unit;
            return;
        }
    }
    if (mention->name.size == 0 || mention->side == SIDE_NONE || mention->side == SIDE_HEIR ||
        (mention->unit.size > 0 && !multiplies(mention->unit)) || mention->words > PLACE_WORDS_FIRM)
        return;
    if (mention->side == SIDE_RIGHT && !total)
        return;
    if (mention->words > PLACE_WORDS && !mention->keyed &&
        !is_punct(token_at(sentence, solid_after(sentence, mention->end - 1u)), ':'))
        return;
    struct text word = mention->side == SIDE_RIGHT ? mention->name : place_word_of(mention->name);
    if (!total && is_rate(vocabulary, word))
        return;
    word = place_part(word, total);
    enum place_word place = vocabulary_place(vocabulary, word);
    bool whole =
        mention->integer || mention->keyed || place == PLACE_EPOCH || multiplies(mention->unit);
    if (place == PLACE_NONE || !whole)
        return;
    if (named_spoilt(mention->name) || counts_inside(mention->name))
        return;
    mention->place = place;
    mention->place_rank = vocabulary_place_rank(vocabulary, word);
}

/* ---- Counters, indices and numbers that open the line ---- */

static bool only_phase(const struct sentence *sentence, const struct mention *mention)
{
    bool only = false;
    if (mention->name.size == 0)
        return true;
    phase_of_name(sentence->reader->vocabulary, mention->name, &only);
    return only;
}

static bool is_counter(const struct sentence *sentence, const struct mention *mention)
{
    if (mention->dropped || mention->place != PLACE_NONE || mention->total_number == NO_NUMBER ||
        mention->side == SIDE_RIGHT || mention->side == SIDE_HEIR)
        return false;
    if (sentence->cut->bar < sentence->cut->count && !mention->naming.known)
        return true; /* what else should a bar count */
    static const char *const indices[] = {"i", "j", "k", "n", "t", NULL};
    if (mention->words == 1 && !mention->keyed && text_in(mention->name, indices))
        return true;
    return only_phase(sentence, mention) || (mention->bracket && !mention->separator) ||
           (mention->words > 0 && mention->keyed == false && mention->separator == '\0' &&
            mention->place == PLACE_NONE && mention->words <= 2);
}

/* An integer alone in brackets. */
static bool is_index(const struct sentence *sentence, const struct mention *mention)
{
    if (mention->dropped || !mention->integer || mention->total_number != NO_NUMBER ||
        mention->unit.size > 0 || mention->bracket != '[' || mention->place != PLACE_NONE ||
        mention->separator || !only_phase(sentence, mention))
        return false;
    size_t open = solid_before(sentence, mention->first, 0);
    const struct token *close = token_at(sentence, solid_after(sentence, mention->end - 1u));
    return open != SIZE_MAX && is_punct(token_at(sentence, open), '[') && is_punct(close, ']');
}

static bool only_phase_before(const struct sentence *sentence, const struct mention *mention)
{
    for (size_t i = 0; i < mention->first; i++) {
        const struct token *token = token_at(sentence, i);
        bool only = false;
        if (token->kind != TOKEN_WORD)
            continue;
        phase_of_name(sentence->reader->vocabulary, token_text(sentence->cut, token), &only);
        if (!only)
            return false;
    }
    return true;
}

static bool has_place(const struct sentence *sentence, enum place_word place)
{
    for (size_t i = 0; i < sentence->count; i++)
        if (!sentence->mentions[i].dropped && sentence->mentions[i].place == place)
            return true;
    return false;
}

/* `0: TRAIN [3][10/1938]`: an epoch and a counter are place enough, what opens the line is a rank.
 */
static bool counts_in_epoch(const struct sentence *sentence)
{
    for (size_t i = 0; i < sentence->count && has_place(sentence, PLACE_EPOCH); i++)
        if (is_counter(sentence, &sentence->mentions[i]))
            return true;
    return false;
}

static void mark_leads(struct sentence *sentence)
{
    if (counts_in_epoch(sentence))
        return;
    size_t leads = leads_count(sentence);
    bool bracketed = leads == 2 && sentence->mentions[0].bracket == '[' &&
                     is_punct(token_at(sentence, sentence->mentions[0].end), ',');
    for (size_t i = 0; i < leads; i++) {
        sentence->mentions[i].lead = true;
        sentence->mentions[i].place = leads == 2 && i == 0 ? PLACE_EPOCH : PLACE_STEP;
        if (bracketed && i == 1)
            sentence->mentions[i].place = PLACE_BATCH;
        sentence->mentions[i].place_rank = 90;
    }
}

static void mark_indices(struct sentence *sentence)
{
    size_t found[2], count = 0;
    bool counter = false;
    for (size_t i = 0; i < sentence->count && count < 2; i++) {
        struct mention *mention = &sentence->mentions[i];
        counter = counter || is_counter(sentence, mention);
        if (is_index(sentence, mention) &&
            (count > 0 || opens_line(sentence, mention) || only_phase_before(sentence, mention)))
            found[count++] = i;
    }
    for (size_t i = 0; i < count; i++) {
        struct mention *mention = &sentence->mentions[found[i]];
        mention->index = true;
        mention->place_rank = 91;
        if (i == 0)
            mention->place = counter || count == 2 ? PLACE_EPOCH : PLACE_STEP;
        else
            mention->place = counter ? PLACE_NONE : PLACE_STEP;
    }
}

/* `[train: 3, 50 / 1251]`: both in the same brackets, and nothing else. */
static bool bracketed_together(const struct sentence *sentence, const struct mention *mention,
                               const struct mention *next)
{
    size_t open = solid_before(sentence, mention->word_first, 0);
    size_t comma = solid_after(sentence, mention->end - 1u);
    return open != SIZE_MAX && is_punct(token_at(sentence, open), '[') &&
           is_punct(token_at(sentence, comma), ',') &&
           solid_after(sentence, comma) == next->first &&
           is_punct(token_at(sentence, solid_after(sentence, next->end - 1u)), ']');
}

/* `Train 3, loss: 0.5`: it opens the line, and named values follow. */
static bool opens_epoch(const struct sentence *sentence, const struct mention *mention,
                        const struct mention *next)
{
    return mention == sentence->mentions && !mention->separator && mention->bracket == '\0' &&
           mention->unit.size == 0 && solid_before(sentence, mention->word_first, 0) == SIZE_MAX &&
           is_punct(token_at(sentence, mention->end), ',') && next->separator && next->words > 0 &&
           !has_place(sentence, PLACE_STEP) && !has_place(sentence, PLACE_BATCH);
}

/* `Train: 3 [ 50/1251 ..]`: a phase word names the epoch where a bracketed counter follows. */
static void mark_phase_epoch(struct sentence *sentence)
{
    for (size_t i = 0; i + 1 < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        const struct mention *next = &sentence->mentions[i + 1];
        bool only = false;
        if (mention->dropped || mention->words == 0 || !mention->integer ||
            mention->total_number != NO_NUMBER || mention->place != PLACE_NONE)
            continue;
        phase_of_name(sentence->reader->vocabulary, mention->name, &only);
        if (only && (opens_epoch(sentence, mention, next) ||
                     ((next->bracket == '[' || bracketed_together(sentence, mention, next)) &&
                      is_counter(sentence, next)))) {
            mention->place = PLACE_EPOCH;
            mention->place_rank = 50;
        }
    }
}

/* `2/100 * Epoch 2 (train)`: the counter that opens the line is the epoch's own. */
static void mark_epoch_counter(struct sentence *sentence)
{
    struct mention *mention = &sentence->mentions[0];
    if (sentence->count == 0 || mention->bracket || mention->words > 0 || !mention->integer ||
        mention->dropped || mention->unit.size > 0 || !opens_line(sentence, mention))
        return;
    size_t next = solid_after(sentence, mention->end - 1u);
    if (is_punct(token_at(sentence, next), '*'))
        next = solid_after(sentence, next);
    else if (mention->total_number == NO_NUMBER)
        return;
    const struct token *token = token_at(sentence, next);
    if (token->kind == TOKEN_WORD &&
        vocabulary_place(sentence->reader->vocabulary, token_text(sentence->cut, token)) ==
            PLACE_EPOCH) {
        mention->place = PLACE_EPOCH;
        mention->place_rank = -1;
    }
}

/* `Epoch: [3][50]`: an index at the epoch's own bracket counts the batches in it. */
static void mark_batch_index(struct sentence *sentence)
{
    for (size_t i = 0; i + 1 < sentence->count; i++) {
        const struct mention *epoch = &sentence->mentions[i];
        struct mention *index = &sentence->mentions[i + 1];
        if (epoch->dropped || epoch->place != PLACE_EPOCH || epoch->bracket != '[' ||
            index->dropped || !index->integer || index->bracket != '[' ||
            index->place != PLACE_NONE || index->total_number != NO_NUMBER || index->unit.size > 0)
            continue;
        const size_t close = solid_after(sentence, epoch->end - 1u);
        const size_t open = solid_after(sentence, close);
        if (!is_punct(token_at(sentence, close), ']') || !is_punct(token_at(sentence, open), '[') ||
            solid_after(sentence, open) != index->first ||
            !is_punct(token_at(sentence, solid_after(sentence, index->end - 1u)), ']'))
            continue;
        index->place = PLACE_BATCH;
        index->place_rank = 91;
        return;
    }
}

/* ---- Fields ---- */

static bool same_key(const struct mention *a, const struct mention *b)
{
    return a->place == b->place && a->words > 0 && text_equal(a->name, b->name);
}

/* A place name that occurs again behind values opens a new record. */
static void split_parts(struct sentence *sentence)
{
    uint16_t part = 0;
    size_t begin = 0;
    bool values = false;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (mention->place != PLACE_NONE && !mention->dropped && values && part + 1 < PARTS_MAX)
            for (size_t j = begin; j < i; j++)
                if (same_key(&sentence->mentions[j], mention) && mention->group < 0) {
                    part++;
                    begin = i;
                    values = false;
                    break;
                }
        mention->part = part;
        values = values ||
                 (!mention->dropped && mention->place == PLACE_NONE && mention->side != SIDE_NONE);
    }
}

static struct mention *best_place(struct sentence *sentence, uint16_t part, enum place_word place,
                                  const struct mention *but)
{
    struct mention *best = NULL;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (mention->dropped || mention->part != part || mention->place != place || mention == but)
            continue;
        bool whole = best && mention->place_rank == best->place_rank && place == PLACE_STEP &&
                     best->total_number != NO_NUMBER && mention->total_number == NO_NUMBER;
        if (!best || mention->place_rank < best->place_rank || whole)
            best = mention;
    }
    return best;
}

/* `[1/200][100/391] loss`: of two counters the first is the epoch's. */
static void mark_two_counters(struct sentence *sentence)
{
    struct mention *first = NULL;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (!is_counter(sentence, mention) ||
            (mention->bracket != '[' && (first || !only_phase(sentence, mention))))
            continue;
        if (first) {
            first->place = PLACE_EPOCH;
            first->place_rank = 92;
            return;
        }
        first = mention;
    }
}

/* `Episode 3/100 | reward: 9.5 | steps: 104`: a plural behind the place that opens the line is the
   length of what that one counts. */
static struct mention *opening_place(struct sentence *sentence, struct mention *step)
{
    static const char *const plurals[] = {"steps", "timesteps", "iterations", "moves", NULL};
    if (!step || !step->separator || step->keyed || step->total_number != NO_NUMBER ||
        !text_in(step->name, plurals))
        return step;
    bool values = false;
    struct mention *opening = NULL;
    for (struct mention *mention = sentence->mentions; mention != step; mention++) {
        if (mention->part != step->part || mention->dropped)
            continue;
        if (mention->place == PLACE_STEP && !values)
            opening = mention;
        values = values || (mention->place == PLACE_NONE && mention->side != SIDE_NONE);
    }
    return opening && values ? opening : step;
}

/* `40/50000: episode: 1`: the steps are counted to their total, the episodes beside them not. */
static bool counts_episodes(const struct sentence *sentence, const struct mention *step)
{
    static const char *const episodes[] = {"episode", "episodes", NULL};
    const struct mention *first = sentence->mentions;
    return step && step->part == 0 && step != first && text_in(step->name, episodes) &&
           step->total_number == NO_NUMBER && first->total_number != NO_NUMBER &&
           first->words == 0 && solid_before(sentence, first->first, 0) == SIZE_MAX &&
           is_punct(token_at(sentence, solid_after(sentence, first->end - 1u)), ':');
}

/* `[500/50000] loss 0.05 | batch 16`: behind the readings of a counter stands its size. */
static bool tells_size(const struct sentence *sentence, const struct mention *batch)
{
    bool counter = false, values = false;
    if (batch->total_number != NO_NUMBER)
        return false;
    for (const struct mention *mention = sentence->mentions; mention != batch; mention++) {
        if (mention->part != batch->part || mention->dropped)
            continue;
        if (is_counter(sentence, mention))
            counter = true;
        else
            values = values || (counter && mention->side != SIDE_NONE);
    }
    return values;
}

static void assign_part(struct sentence *sentence, uint16_t part)
{
    struct mention *step = opening_place(sentence, best_place(sentence, part, PLACE_STEP, NULL));
    if (counts_episodes(sentence, step))
        step = NULL;
    struct mention *epoch = best_place(sentence, part, PLACE_EPOCH, NULL);
    struct mention *batch = best_place(sentence, part, PLACE_BATCH, NULL);
    if (step)
        step->field = FIELD_STEP;
    if (epoch)
        epoch->field = FIELD_EPOCH;
    if (batch && !step && !epoch && tells_size(sentence, batch))
        batch = NULL;
    if (!batch)
        for (size_t i = 0; i < sentence->count && !batch; i++) {
            struct mention *mention = &sentence->mentions[i];
            bool second = mention->place == PLACE_STEP && mention != step &&
                          mention->total_number != NO_NUMBER;
            if (mention->part == part && !mention->dropped &&
                (second || is_counter(sentence, mention)))
                batch = mention;
        }
    if (batch)
        batch->field = FIELD_BATCH;
}

/* Iterations counted one by one or in thousands: `120it`, `10.0kit`. */
static bool counts_iterations(const struct mention *mention)
{
    static const char *const units[] = {"kit", "mit", NULL};
    return !mention->dropped && mention->total_number == NO_NUMBER &&
           ((mention->integer && text_is(mention->unit, "it")) || text_in(mention->unit, units));
}

/* `29948it [35:34, 7.00s/it]`: a bar without a total; without brackets too what opens a line. */
static void mark_ticker(struct sentence *sentence)
{
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (!counts_iterations(mention))
            continue;
        size_t open = solid_after(sentence, mention->end - 1u);
        bool ticks = is_punct(token_at(sentence, open), '[') &&
                     token_at(sentence, open + 1)->kind == TOKEN_TIME;
        if (!ticks && (i > 0 || sentence->count < 2 || !opens_line(sentence, mention)))
            continue;
        mention->place = ticks ? PLACE_BATCH : PLACE_STEP;
        mention->place_rank = 70;
        sentence->marks |= ticks ? MARK_TICKER : 0;
        return;
    }
}

/* `(5000 6%) 2.85`: how far it is, as a number and as a share. */
static void mark_share(struct sentence *sentence)
{
    for (size_t i = 0; i + 1 < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i], *share = mention + 1;
        if (mention->dropped || !mention_nameless(mention) || mention->bracket != '(' ||
            mention->place != PLACE_NONE || !text_is(share->unit, "%") || share->words > 0 ||
            solid_after(sentence, mention->end - 1u) != share->first ||
            !is_punct(token_at(sentence, share->end), ')'))
            continue;
        mention->place = PLACE_STEP;
        mention->place_rank = 89;
        share->dropped = true;
        return;
    }
}

/* `-- 010 / 437 --`: a counter alone between rules stands over what follows. */
static void mark_ruled_counter(struct sentence *sentence)
{
    struct mention *mention = &sentence->mentions[0];
    const size_t count = sentence->cut->count;
    if (sentence->count != 1 || mention->total_number == NO_NUMBER || mention->place != PLACE_NONE)
        return;
    for (size_t i = 0; i < count; i++) {
        const struct token *token = token_at(sentence, i);
        const bool ruled = token->kind == TOKEN_PUNCT && strchr("-=*", token->byte);
        if (!ruled && (i < 2 || i + 2 >= count || token->kind == TOKEN_WORD))
            return;
    }
    mention->place = PLACE_BATCH;
    mention->place_rank = 93;
}

void places_assign(struct sentence *sentence)
{
    mark_ticker(sentence);
    mark_share(sentence);
    lead_mark(sentence);
    bool named = has_place(sentence, PLACE_STEP);
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (mention->lead && mention->place == PLACE_NONE) { /* name INT FLOAT */
            mention->place = PLACE_STEP;
            mention->place_rank = 80;
            named = true;
        }
    }
    mark_epoch_counter(sentence);
    mark_ruled_counter(sentence);
    if (!named) {
        mark_indices(sentence);
        mark_leads(sentence);
    } else if (!has_place(sentence, PLACE_EPOCH)) {
        mark_indices(sentence);
    }
    if (!has_place(sentence, PLACE_EPOCH))
        mark_phase_epoch(sentence);
    if (!has_place(sentence, PLACE_EPOCH) && !has_place(sentence, PLACE_BATCH))
        mark_two_counters(sentence);
    if (!has_place(sentence, PLACE_STEP) && !has_place(sentence, PLACE_BATCH))
        mark_batch_index(sentence);
    split_parts(sentence);
    uint16_t parts = sentence->count > 0 ? sentence->mentions[sentence->count - 1].part : 0;
    for (uint16_t part = 0; part <= parts; part++)
        assign_part(sentence, part);
}
