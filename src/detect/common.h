/* What the detectors share: candidates, companions and the readings before a point. */
/* SPDX-License-Identifier: MIT */
#ifndef DETECT_COMMON_H
#define DETECT_COMMON_H

#include "stalldoc/detector.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* A candidate of the use's segment and form that names no series. */
struct candidate candidate_bare(const struct use *use, struct point onset);
/* The same of the use's nth series, if it has so many. */
struct candidate candidate_at(const struct use *use, size_t nth, struct point onset);
void value_add(struct candidate *candidate, const char *name, double number);
void value_add_text(struct candidate *candidate, const char *name, const char *text);
/* A reading that shows it, with a word of what it is. */
void evidence_add(struct candidate *candidate, const struct series *series, struct point point,
                  const char *text);

/* The segment's track of the main series of a kind; NULL: none, or nothing in the segment. */
const struct track *companion(const struct use *use, enum kind kind, const struct series **series);
/* The metric of that kind where it is a share that should grow, of 1 or of 100 as *unit says; else
   NULL. */
const struct track *companion_share(const struct use *use, enum kind kind, double *unit);
/* The main validation metric has its best value well behind that point. */
bool metric_improves(const struct use *use, const struct point *since);
/* The middle of the last readings of a track; 0: it has none. */
double tail_level(const struct track *track);
/* The first of a run's lines with that message of which `look` finds something to tell, told in
   the form of the use; none in a run that trains nothing. */
bool line_tell(const struct use *use, const char *message,
               bool (*look)(const struct use *use, const struct message *message,
                            struct candidate *candidate),
               struct candidates *candidates, struct error *error);
/* Groups of the nth series after its warm-up, or from its first reading. */
bool groups_for(const struct use *use, size_t nth, bool warm, struct groups *groups);
/* D over the whole log: what the warm-up gained counts as gained. `up`: of a metric. */
double whole_drop(const struct use *use, size_t nth, bool up);
/* Of the mean course of an epoch, one place inside it stands out and the rest is level: a batch of
   its own, no order. */
bool course_single(const double *means, size_t bins);
/* The name says that what is printed is the logarithm of a loss: `loss_log`, `log10 loss`,
   `log_mse`; `log_loss` is none, which is the cross-entropy. */
bool is_logarithm(struct text tag);
/* Where a reading stands in the run, 0 to 1. */
double share_at(const struct track *track, const struct point *point);
/* The same of the run as it was planned, by steps where they are known: a log may stop early or
   begin late. */
double run_share_at(const struct use *use, const struct track *track, const struct point *point);
/* A bar's reading behind the last step that was planned, or that a loss has: it is of another loop.
 */
bool behind_plan(const struct use *use, const struct point *point);
/* A stands before B: by step, else by place in one file. */
bool point_before(const struct point *a, const struct point *b);
/* The last finite readings before a point, oldest first; `most` at most. */
size_t readings_before(const struct track *track, const struct point *point, struct point *readings,
                       size_t most);
/* How many finite readings stand before it. */
uint64_t count_before(const struct track *track, const struct point *point);
/* Number of a fact in force at the end; NAN where it is unknown or a word. */
double fact_number(const struct use *use, const char *key);
bool fact_is(const struct use *use, const char *key, const char *value);
/* A few readings of single batches, over fewer steps than any trend needs to speak for a run. */
bool is_glimpse(const struct use *use, size_t nth);
/* Any piece of the tag, in any case, equals one of the words. */
bool tag_has(struct text tag, const char *const *words);
/* A step time that is printed as steps in a second. */
bool is_rate(const struct series *series);
/* The value of a metric that cannot be beaten: 1, 100 or 0; NAN where there is none. */
double metric_bound(const struct series *series, const struct track *track);

#endif
