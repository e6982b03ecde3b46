/* A diagnosis in progress: what its parts share. */
/* SPDX-License-Identifier: MIT */
#ifndef DIAGNOSING_H
#define DIAGNOSING_H

#include "stalldoc/diagnosis.h"
#include "stalldoc/moment.h"

struct diagnosing { /* of one run */
    const struct run *run;
    const struct rules *rules;
    const struct diagnose_options *options;
    const struct judgement *judgement;
    struct good good;
    struct arena *arena;
    struct error *error;
};

struct context diagnosing_context(const struct diagnosing *diagnosing, const struct finding *at);
bool diagnosing_memory(const struct diagnosing *diagnosing); /* says that it ended */
size_t diagnosing_tensors(const struct run *run);            /* whose values were read */
/* An error that few such findings would bear out counts as a warning. */
enum severity finding_level(const struct diagnose_options *options, const struct finding *finding);

/* sum.c: what speaks for and against one cause. False: no memory. */
struct piece { /* one piece of evidence, as it counts so far */
    const struct finding *finding;
    const struct message *message;    /* a fixed text names the cause; else NULL */
    const struct evidence_item *item; /* NULL for a fixed text */
    const char *group;
    double nats;
    bool weighed; /* within its group */
};
struct sum {
    const struct cause *cause;
    struct piece *pieces; /* only those that count, nats as applied */
    size_t count;
    double prior, order, total;
    bool supported; /* an item above 0 applied */
    struct text chain;
};
bool cause_sum(const struct diagnosing *diagnosing, const struct cause *cause, struct sum *sum);

/* said.c: what a fixed text says for a cause, in nats, and the finding that it made; NULL: none. */
double message_nats(const struct diagnosing *diagnosing, const struct message *message,
                    const struct cause *cause);
const struct finding *message_finding(const struct diagnosing *diagnosing,
                                      const struct message *message);

/* chain.c: are the onsets in the order that the cause expects? In nats. */
bool chain_order(const struct diagnosing *diagnosing, const struct cause *cause, double *nats,
                 struct text *chain);

/* rank.c: the causes of a run, most probable first. */
bool causes_rank(const struct diagnosing *diagnosing, struct verdict *verdict);

/* fixes.c: the fixes that apply, with their placeholders filled. */
bool fixes_fill(const struct diagnosing *diagnosing, const struct sum *sum, struct ranked *ranked);

/* good.c: where the run was last sound. */
struct good good_of(const struct diagnosing *diagnosing);
/* A run ends with it: the step before was sound. */
bool symptom_ends_run(const char *id);

/* headline.c, before.c, experiments.c: what the verdict says in words. */
const struct finding *leading_finding(const struct diagnosing *diagnosing,
                                      const struct verdict *verdict);
bool headline_write(const struct diagnosing *diagnosing, struct verdict *verdict);
bool before_gather(const struct diagnosing *diagnosing, struct verdict *verdict);
bool experiments_propose(const struct diagnosing *diagnosing, struct verdict *verdict);

#endif
