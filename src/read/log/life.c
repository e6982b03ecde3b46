/* What a line says about the life of the run: resumed, saved, evaluated, ended. */
/* SPDX-License-Identifier: MIT */
#include "read/keywords.h"
#include "read/log/bytes.h"
#include "read/log/reader.h"

#include <string.h>

enum { LIFE_WITHIN = 300 }; /* bytes of a line that are looked at */

struct phrase {
    const char *text; /* in lower case */
    enum event event;
};

static const struct phrase phrases[] = {
    {"resuming from", EVENT_RESUME},
    {"resuming training", EVENT_RESUME},
    {"resume from", EVENT_RESUME},
    {"resumed from", EVENT_RESUME},
    {"resume training", EVENT_RESUME},
    {"resumed training", EVENT_RESUME},
    {"resume checkpoint", EVENT_RESUME},
    {"resume epoch", EVENT_RESUME},
    {"loading checkpoint", EVENT_RESUME},
    {"loaded checkpoint", EVENT_RESUME},
    {"load checkpoint from", EVENT_RESUME},
    {"restoring from", EVENT_RESUME},
    {"restored from", EVENT_RESUME},
    {"restoring checkpoint", EVENT_RESUME},
    {"restoring parameters from", EVENT_RESUME},
    {"continuing training", EVENT_RESUME},
    {"continue training from", EVENT_RESUME},
    {"saving checkpoint", EVENT_SAVE},
    {"saved checkpoint", EVENT_SAVE},
    {"saving model", EVENT_SAVE},
    {"saved model", EVENT_SAVE},
    {"save checkpoint", EVENT_SAVE},
    {"checkpoint saved", EVENT_SAVE},
    {"model saved", EVENT_SAVE},
    {"saving the model", EVENT_SAVE},
    {"saving checkpoints for", EVENT_SAVE},
    {"snapshotting to", EVENT_SAVE},
    {"running evaluation", EVENT_EVALUATION},
    {"starting evaluation", EVENT_EVALUATION},
    {"start evaluation", EVENT_EVALUATION},
    {"evaluating", EVENT_EVALUATION},
    {"starting validation", EVENT_EVALUATION},
    {"running validation", EVENT_EVALUATION},
    {"validating", EVENT_EVALUATION},
    {"training completed", EVENT_END},
    {"training complete", EVENT_END},
    {"training finished", EVENT_END},
    {"training is finished", EVENT_END},
    {"training is done", EVENT_END},
    {"training done", EVENT_END},
    {"finished training", EVENT_END},
    {"finish training", EVENT_END},
    {"done training", EVENT_END},
    {"optimization done", EVENT_END},
    {"optimization finished", EVENT_END},
    {"overall training speed", EVENT_END},
    {"loss for final step", EVENT_END},
    {"***** running training *****", EVENT_START},
    {"start training", EVENT_START},
    {"starting training", EVENT_START},
    {"training started", EVENT_START},
    {"begin training", EVENT_START},
    {"restarting job", EVENT_RESTART},
    {"restarting the job", EVENT_RESTART},
    {"restarting training job", EVENT_RESTART},
    {"restarting worker group", EVENT_RESTART},
    {"restart worker group", EVENT_RESTART},
    {"restarting workers", EVENT_RESTART},
    {"loading", EVENT_LOAD},
    {"loaded", EVENT_LOAD},
    {"load", EVENT_LOAD},
    {"restoring", EVENT_LOAD},
    {"restored", EVENT_LOAD},
    {"restore", EVENT_LOAD},
    {"resuming", EVENT_LOAD},
    {"resumed", EVENT_LOAD},
    {"resume", EVENT_LOAD},
};

static bool folds_at(struct text text, size_t at, const char *lower)
{
    size_t i = 0;
    for (; lower[i] && at + i < text.size; i++)
        if (byte_lower(text.data[at + i]) != lower[i])
            return false;
    return !lower[i];
}

static bool stem_ends(struct text text, size_t end)
{
    static const char *const stems[] = {
        "ck",   "ckp",   "ckpt", "chkpt",     "checkpoint", "snapshot", "state", "model",
        "step", "steps", "iter", "iteration", "update",     "epoch",    "ep",    NULL};
    if (end > 0 && strchr("_-=.", text.data[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && byte_is_letter(text.data[start - 1]) && text.data[start - 1] != '_')
        start--;
    return text_in(text_cut(text, start, end - start), stems);
}

/* The number in the name of a state that a line names behind `from`: `ck_18000.pt`, `step-2800`.
   0: there is none, or the state is loaded to be looked at. */
static int64_t state_number(struct text text, size_t from)
{
    static const char *const others[] = {"best", "test", "eval", "final", "teacher"};
    size_t size = text.size < LIFE_WITHIN ? text.size : LIFE_WITHIN;
    int64_t found = 0;
    for (size_t i = from; i < size; i++) {
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            if (folds_at(text, i, others[k]))
                return 0;
        if (!byte_is_digit(text.data[i]) || (i > 0 && byte_is_digit(text.data[i - 1])))
            continue;
        size_t end = i;
        int64_t number = 0;
        for (; end < size && byte_is_digit(text.data[end]) && number < INT64_MAX / 100; end++)
            number = 10 * number + (text.data[end] - '0');
        if (found == 0 && i > from && stem_ends(text, i))
            found = number;
    }
    return found;
}

/* The first letters that any phrase begins with. */
static bool may_begin(char lower)
{
    return strchr("rlcsmetdofb*v", lower) != NULL && lower != '\0';
}

/* One of the two words in front of `at` denies what follows: `Unable to resume training`. */
static bool denied_before(struct text text, size_t at)
{
    static const char *const words[] = {"not",      "no",     "cannot",   "unable",
                                        "without",  "failed", "can't",    "never",
                                        "couldn't", "skip",   "skipping", NULL};
    for (int word = 0; word < 2; word++) {
        while (at > 0 && text.data[at - 1] == ' ')
            at--;
        const size_t end = at;
        while (at > 0 && (byte_is_word(text.data[at - 1]) || text.data[at - 1] == '\''))
            at--;
        if (text_in(text_cut(text, at, end - at), words))
            return true;
    }
    return false;
}

/* What was said of a checkpoint is none: `resume from checkpoint: None`, `Resume training is
   disabled`. */
static bool denied_behind(struct text text, size_t at)
{
    static const char *const ends[] = {": none",    ":none",   "=none",  ": false", "=false",
                                       ":false",    ": no",    "= none", " none",   " is disabled",
                                       " disabled", "= false", ": null", " is off", " not found",
                                       " failed",   " is not", NULL};
    static const char checkpoint[] = " checkpoint";
    at += folds_at(text, at, checkpoint) ? sizeof checkpoint - 1 : 0;
    for (size_t i = 0; ends[i]; i++)
        if (folds_at(text, at, ends[i]) && !byte_is_word(text_byte(text, at + strlen(ends[i]))))
            return true;
    return false;
}

static bool is_denied(struct text text, size_t at, const struct phrase *phrase)
{
    return phrase->event == EVENT_RESUME &&
           (denied_before(text, at) || denied_behind(text, at + strlen(phrase->text)));
}

uint32_t life_look(struct text text, uint8_t *event)
{
    size_t size = text.size < LIFE_WITHIN ? text.size : LIFE_WITHIN;
    for (size_t i = 0; i + 8 < size; i++) {
        char c = byte_lower(text.data[i]);
        if (!may_begin(c) || (i > 0 && byte_is_word(text.data[i - 1])))
            continue;
        for (size_t p = 0; p < sizeof phrases / sizeof *phrases; p++)
            if (phrases[p].text[0] == c && folds_at(text, i, phrases[p].text) &&
                !folds_at(text, i, "loading checkpoint shards") && /* of a model, at any time */
                !byte_is_word(text_byte(text, i + strlen(phrases[p].text))) &&
                (phrases[p].event != EVENT_LOAD || state_number(text, i) > 0)) {
                *event = (uint8_t)phrases[p].event;
                return is_denied(text, i, &phrases[p]) ? 0 : ENTRY_LIFE;
            }
    }
    return 0;
}

/* Is `word` the word of the phrase that begins at `at`? */
static bool word_at(const char *at, struct text word)
{
    size_t i = 0;
    while (i < word.size && byte_lower(word.data[i]) == at[i])
        i++;
    return i == word.size && (at[i] == ' ' || at[i] == '\0');
}

void life_lengths(uint64_t lengths[FIRST_LETTERS])
{
    for (size_t p = 0; p < sizeof phrases / sizeof *phrases; p++)
        for (const char *word = phrases[p].text; *word;) {
            size_t size = strcspn(word, " ");
            if (*word >= 'a' && *word <= 'z')
                lengths[first_letters((struct text){word, size})] |= UINT64_C(1) << size;
            word += size + (word[size] == ' ');
        }
}

void life_keywords(struct keywords *keywords)
{
    for (size_t p = 0; p < sizeof phrases / sizeof *phrases; p++)
        keywords_add(keywords, text_of(phrases[p].text), KEYWORD_ALONE);
}

bool life_word(struct text word)
{
    for (size_t p = 0; p < sizeof phrases / sizeof *phrases; p++) {
        const char *text = phrases[p].text;
        for (size_t i = 0; text[i]; i++)
            if ((i == 0 || text[i - 1] == ' ') && word_at(text + i, word))
                return true;
    }
    return false;
}

bool life_line(struct reader *reader, const struct line *line, enum event event,
               struct error *error)
{
    struct stream *stream = reader->stream;
    if (!batch_flush(reader, error))
        return false;
    if (stream->traceback && event == EVENT_END)
        traceback_done(stream->traceback);
    if (stream->traceback &&
        (event == EVENT_START || event == EVENT_RESUME || event == EVENT_RESTART) &&
        !traceback_restart(stream->traceback, reader->sink, error))
        return false;
    const struct life life = {
        .event = event,
        .place = {reader->input, line->number, line->offset},
        .rank = stream->rank,
        .step = stream->placed ? stream->position.step : STEP_NONE,
        .time = line->time,
        .state = event == EVENT_LOAD || event == EVENT_SAVE ? state_number(line->content, 0) : 0,
    };
    if (event == EVENT_START)
        stream_reset(stream);
    return reader->sink->life(reader->sink, &life, error);
}
