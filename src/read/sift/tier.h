/* What a tier does: bytes to lines and the starts of their words. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_SIFT_TIER_H
#define READ_SIFT_TIER_H

#include "read/sift/sift.h"

enum {
    BLOCK = 64,
    LOOK_LINES = 64,   /* at once: their bytes stay near */
    LOOK_WORDS = 1024, /* room for words that may be of use */
};

struct look {
    struct sift *sift;
    size_t at;    /* bytes that were looked at: whole lines */
    size_t lines; /* of them */
    size_t line;  /* that of the last word that was looked up */
    size_t words;
    uint32_t starts[LOOK_WORDS]; /* of words, from the start of the text */
};

struct sift_tier {
    const char *name;
    bool (*runs_here)(void);
    /* Looks at the next lines, LOOK_LINES at most; all but their words. */
    void (*look)(struct look *look);
};

/* Looks up the words of look->starts, for the lines known so far and the one behind them. */
void words_look(struct look *look);

extern const struct sift_tier *const sift_tiers[]; /* best first, plain last; NULL behind it */
const struct sift_tier *sift_best(void);           /* the first that runs here */
/* sift_run by a given tier. */
void sift_by(const struct sift_tier *tier, struct sift *sift);

#endif
