/* What a series is about, and how names tell it (rules/kinds.json). */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_KIND_H
#define STALLDOC_KIND_H

#include "stalldoc/arena.h"
#include "stalldoc/span.h"

enum kind { /* order of the contract `stalldoc/1` */
    KIND_LOSS,
    KIND_VAL_LOSS,
    KIND_METRIC,
    KIND_VAL_METRIC,
    KIND_GRAD_NORM,
    KIND_LEARNING_RATE,
    KIND_LOSS_SCALE,
    KIND_STEP_TIME,
    KIND_DATA_TIME,
    KIND_THROUGHPUT,
    KIND_MEMORY,
    KIND_UTILISATION,
    KIND_REWARD,
    KIND_ADVERSARIAL,
    KIND_COUNTER,
    KIND_OTHER,
    KIND_COUNT
};

enum direction { DIRECTION_NONE, DIRECTION_DOWN, DIRECTION_UP };
enum phase { PHASE_NONE, PHASE_TRAIN, PHASE_VALIDATION };

/* What a place word names: "step", "Iteration", "轮次", ... */
enum place_word { PLACE_NONE, PLACE_STEP, PLACE_BATCH, PLACE_EPOCH };

const char *kind_name(enum kind kind); /* "val-loss" */
bool kind_of_name(struct text name, enum kind *kind);

struct naming { /* what a name says */
    enum kind kind;
    enum direction direction;
    bool refused;    /* the name is a setting or bookkeeping (port, seed, version, ...), no series */
    bool setting;    /* refused, but beside a loss each print is heard: it may change */
    double class;    /* of a loss name, reader.md 10: 0 is the plain loss; larger is less of a total */
    bool known;      /* some row took it: not merely `other` for want of a row */
    bool reinforcement; /* policy, value, critic, ...: the gate of that name */
    bool beside_reward; /* entropy, kl: where there is a reward too; autoencoders print them */
    enum phase phase;   /* that the path itself says; PHASE_NONE where it says nothing */
};

/* The loaded kinds.json. Const after loading; shared by reader and collector. */
struct vocabulary;

/* `text` is the file's text, `path` its name for errors. Lives in `arena`. NULL with *error. */
struct vocabulary *vocabulary_load(struct arena *arena, struct text text, const char *path,
                                   struct error *error);
/* One for vocabulary_map to change; NULL: no memory. */
struct vocabulary *vocabulary_copy(struct arena *arena, const struct vocabulary *vocabulary);
/* One more row in front of all (--map NAME=GLOB). */
bool vocabulary_map(struct vocabulary *vocabulary, struct arena *arena, enum kind kind,
                    struct text glob, struct error *error);
/* `path` is the whole key path joined with '/', `unit` what is glued to the number ("it/s", "") and
   `phase` what the line or heading says; a validation phase turns loss and metric into their twins. */
struct naming vocabulary_naming(const struct vocabulary *vocabulary, struct text path,
                                struct text unit, enum phase phase);
/* A single lower- or mixed-case word (no blanks). */
enum place_word vocabulary_place(const struct vocabulary *vocabulary, struct text word);
/* How strong a step word is among several in a line: lowest first (reader.md 6). 0 is strongest. */
int vocabulary_place_rank(const struct vocabulary *vocabulary, struct text word);
/* The first two letters of a word, for tables of words; the first of them is small. */
enum { FIRST_LETTERS = 26 * 27 };
static inline size_t first_letters(struct text word)
{
    const bool both = word.size > 1 && word.data[1] >= 'a' && word.data[1] <= 'z';
    return (size_t)(word.data[0] - 'a') * 27 + (both ? (size_t)(word.data[1] - 'a') + 1 : 0);
}
/* Quick for words that say nothing: of small letters only, no place and no phase. */
bool vocabulary_is_filling(const struct vocabulary *vocabulary, struct text word);
/* Names were added by vocabulary_map. */
bool vocabulary_has_maps(const struct vocabulary *vocabulary);
enum phase vocabulary_phase(const struct vocabulary *vocabulary, struct text word);
/* The fact that a settings key names ("--max_grad_norm" -> "clip"), its canonical value for a
   printed value ("16-mixed" -> "fp16"); an empty key where it names none. */
struct fact_naming {
    struct text key;   /* warmup_steps below 1 are a share of the planned steps */
    struct text value; /* canonical, or as printed */
    double number;     /* of the value, suffixes k M B multiplied; NAN where it is a word */
    bool none;         /* the printed value says: switched off */
    bool refused;      /* the value says nothing about this fact (precision: 0.3, fp16: False) */
};
struct fact_naming vocabulary_fact(const struct vocabulary *vocabulary, struct text key,
                                   struct text value);
/* A key may tell of several facts (betas, learning_rate): all of them, at most `most`; returns how
   many. vocabulary_fact gives the first. */
size_t vocabulary_facts(const struct vocabulary *vocabulary, struct text key, struct text value,
                        struct fact_naming *facts, size_t most);
/* What a framework does where its log is silent: the nth fact of its defaults; false behind the
   last. Given by the value of the fact `framework`. */
bool vocabulary_assumed(const struct vocabulary *vocabulary, struct text framework, size_t nth,
                        struct fact_naming *fact);
/* Canonical fact keys; NULL behind the last. */
extern const char *const fact_keys[];

#endif
