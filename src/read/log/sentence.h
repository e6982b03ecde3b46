/* A line while it is being understood: its numbers with their names, groups, places and phases. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_SENTENCE_H
#define STALLDOC_READ_LOG_SENTENCE_H

#include "read/log/bytes.h"
#include "read/log/reader.h"

enum { GROUPS_OPEN = 16, GROUPS_KEPT = 64, SENTENCE_BYTES = 48 << 10, FIELD_NONE = 255 };

enum side { SIDE_NONE, SIDE_LEFT, SIDE_HEIR, SIDE_RIGHT };

struct mention {                   /* a number, or k/N, and what names it */
    uint16_t number, total_number; /* among the line's numbers; total NO_NUMBER: none */
    uint16_t first, end;           /* tokens [first, end) that it takes, derived ones too */
    uint16_t word_first, word_end; /* tokens of its key; equal: none */
    uint8_t words;                 /* how many */
    uint8_t side;                  /* enum side */
    uint8_t field;
    char separator; /* : = > or NUL */
    char bracket;   /* the innermost that opens in front of it */
    bool keyed;     /* a quoted key */
    bool integer, dropped, lead, index, qualified;
    bool changed; /* of two numbers, before and after, the latter */
    enum phase phase;
    bool phase_only; /* the key is a phase word and nothing else */
    enum place_word place;
    int place_rank;
    int16_t group; /* -1 none */
    uint16_t part;
    struct text name, unit;
    struct naming naming;
};

struct sentence {
    struct reader *reader;
    const struct line *line;
    const struct cut *cut;
    struct mention *mentions; /* NUMBERS_MAX */
    size_t count;
    struct text groups[GROUPS_KEPT];
    size_t group_count;
    int16_t *group_of; /* of each number; -1 none */
    bool *listed;      /* inside the brackets of a quoted key */
    char *bytes;       /* SENTENCE_BYTES, names are written here */
    size_t used;
    uint64_t marks; /* enum sentence_mark */
    uint16_t share; /* of a bar; NO_NUMBER none */
    struct plan plan;
    struct plan_value *values; /* NUMBERS_MAX */
    struct column *columns;    /* COLUMNS_MAX */
};

enum sentence_mark {
    MARK_COMMAND = 1,     /* --key in front of a number */
    MARK_BOOKKEEPING = 2, /* save, load, resume, download, checkpoint */
    MARK_CHANGE = 4,
    MARK_TICKER = 8,      /* a progress bar without a total: `29948it [35:34, 7.00s/it]` */
    MARK_LAYERS = 32,     /* values of layers, by name, under one heading */
    MARK_ALTERNATES = 16, /* commas stand for all signs: `epoch,3,loss,0.5` */
};

/* fuse.c */
bool number_is_plain(const struct sentence *sentence, size_t i); /* an integer without unit */
bool word_is(const struct sentence *sentence, size_t i, const char *lower);
/* Makes one mention of numbers that belong together; `at` is the token of the first. */
void numbers_fuse(struct sentence *sentence, struct mention *mention, size_t at);
/* mention.c */
void mentions_find(struct sentence *sentence);
/* Numbers inside tokens [first, end) belong to a name. */
void mentions_drop(struct sentence *sentence, size_t first, size_t end);
/* qualifier.c */
/* A bracket between key and separator: a unit or qualifier, or numbers that belong to the name.
   Returns the token in front of it; *left moves where earlier numbers are given up. */
size_t qualifier_skip(struct sentence *sentence, struct mention *mention, size_t i, size_t *left);
/* `Dims: ()` in front of the separator, and the type in front of it. */
size_t description_skip(struct sentence *sentence, size_t i, size_t *left);
/* `loss over 500 batches = 0.5`: what a mean was taken over, in front of the separator. */
size_t span_skip(struct sentence *sentence, size_t i, size_t *left);
/* `param_groups[0]['lr'] = 0.1`, `history['loss'][-1] = 2.5`: the subscript that is text names the
   value; the numbers of the others are none. `i` ends the key. */
bool subscript_name(struct sentence *sentence, struct mention *mention, size_t i);
/* `[Loss] nan`: the token that ends the words; `i` again where it is no such key. */
size_t bracketed_key(const struct sentence *sentence, size_t i, size_t left);
/* divide.c: `Loss (train/val): 2.5/2.75`, a name for each of the values */
void names_divide(struct sentence *sentence);
/* change.c: names the number behind `from .. to` by what stands between them and the verb */
void change_name(struct sentence *sentence, struct mention *mention);
/* words.c */
const struct token *token_at(const struct sentence *sentence, size_t i);
size_t solid_before(const struct sentence *sentence, size_t i, size_t left); /* SIZE_MAX none */
size_t solid_after(const struct sentence *sentence, size_t i);
bool is_punct(const struct token *token, char byte);
bool is_arrow(const struct token *token); /* in one sign; of two it is `-` or `=` and `>` */
/* Collects the words of a key that ends at token `at` (inclusive), not before `left`. */
void words_collect(const struct sentence *sentence, size_t at, size_t left,
                   struct mention *mention);
/* "accuracy on the 10000 test images: 55": the count belongs to the key that ends at `at`. Drops it
   and gives the key's new left end; else `left`. */
size_t count_skip(struct sentence *sentence, size_t at, size_t left);
struct text words_join(struct sentence *sentence, size_t first, size_t end);
struct text sentence_copy(struct sentence *sentence, struct text text);
struct text last_word(struct text name);
bool word_is_weak(struct text word); /* `at`, `is`: behind a name it is no part of it */
/* `images`, `batches`: what a mean is taken over. */
bool word_is_counted(struct text word);
bool unit_is_rate(struct text unit); /* `samples/s` */
/* `speed: 103.1 samples/s lr: 0.1`, `time 3 s loss: 2`: what a blank sets off is the unit of the
   number before it, where what is left of the key says enough. */
void words_shed_unit(struct sentence *sentence, struct mention *mention);
/* The word is the unit of the number before it, and names nothing. */
bool words_end_number(const struct sentence *sentence, const struct mention *mention);
/* Without trailing words that name nothing; with `places` without step words too. */
struct text words_strip(const struct sentence *sentence, struct text name, bool places);
/* `val_loss did not improve from 0.5`: what is told is another's value. */
bool name_denies(struct text name);
/* The word is the key of an option of a command line. */
bool is_option(const struct sentence *sentence, size_t word);
/* The bracket that closes at `at`: its opening token, SIZE_MAX where it is none. */
size_t bracket_open(const struct sentence *sentence, size_t at, size_t left);
/* record.c */
void groups_find(struct sentence *sentence);
/* lead.c */
/* Is there nothing but signs and blanks (and other leads) between the line's start and `mention`?
 */
bool opens_line(const struct sentence *sentence, const struct mention *mention);
/* A whole number that no word and no total is with. */
bool mention_nameless(const struct mention *mention);
/* Integers that open the line: the step, or epoch and step. How many. */
size_t leads_count(const struct sentence *sentence);
/* `1000 steps | loss 0.5`: the word behind the number that opens the line is its place. */
void lead_mark(struct sentence *sentence);
/* place.c */
void place_by_name(struct sentence *sentence, struct mention *mention);
void places_assign(struct sentence *sentence);
/* phase.c */
enum phase phase_of_name(const struct vocabulary *vocabulary, struct text name, bool *only);
void phases_assign(struct sentence *sentence);
/* `valid.log`, `val_loss.txt`: the phase of what says none in a file of such a name. */
enum phase phase_of_file(const struct vocabulary *vocabulary, const char *path);
/* `runs/train_loss.txt`: the name without folders and ending, where it is that of a loss; else
   empty. */
struct text loss_of_file(const struct vocabulary *vocabulary, const char *path);
bool phase_heading(const struct sentence *sentence, enum phase *phase);
/* layers.c: gradients that are listed by layer under one heading get `grad/` before their names */
void layers_name(struct sentence *sentence);
/* heading.c: `grad norms | L1 0.2`: the words in front of a sign are part of the names behind it */
void headings_apply(struct sentence *sentence);
/* implied.c: names that only the rest of the line makes clear */
void names_imply(struct sentence *sentence);
/* `ret=350.5 pi=-9.5`: something beside a `ret` is an agent's. */
bool tells_return(const struct sentence *sentence);
/* `Base Lr`: a setting, but beside readings of a loss. */
bool name_is_base_rate(struct text name);

#endif
