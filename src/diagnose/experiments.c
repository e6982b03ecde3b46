/* What would decide where nothing does: the cheapest thing to log or to try. */
/* SPDX-License-Identifier: MIT */
#include "diagnosing.h"

#include <string.h>

enum { PROPOSALS_MAX = 3 };
static const double DECIDED = 0.5; /* score from which on a cause stands by itself */

enum { SYMPTOMS = 8, RIVALS = 8 };

/* In order of cost. A row applies where one of its symptoms was found, what it asks to be logged is
   not there, and a cause that it decides about is among the first three: all of them where it names
   none. */
static const struct proposal {
    const char *symptoms[SYMPTOMS]; /* NULL behind the last */
    enum kind missing;              /* KIND_COUNT: none */
    const char *fact;               /* unknown so far; NULL */
    const char *text;
    const char *rivals[RIVALS];                   /* causes; NULL behind the last */
    enum { LOGGED, SAMPLE, TWO_CHECKPOINTS } ask; /* what it asks for; not where it was given */
} proposals[] = {
    {{"nan-loss", "loss-divergence", "loss-spike", "grad-explosion", "loss-oscillation",
      "loss-plateau", "loss-slow"},
     KIND_LEARNING_RATE,
     "lr",
     "log the learning rate beside the loss",
     {0},
     LOGGED},
    {{"nan-loss", "loss-divergence", "loss-spike", "loss-oscillation", "loss-zero"},
     KIND_GRAD_NORM,
     NULL,
     "log the gradient norm at every step: growth before the loss moves speaks for the rate, a "
     "single reading for a batch, none at all for the loss or the data",
     {0},
     LOGGED},
    {{"loss-plateau", "loss-floor", "loss-constant", "loss-slow", "metric-constant"},
     KIND_GRAD_NORM,
     NULL,
     "log the gradient norm: exactly 0 speaks for a cut graph, tiny for saturated units, healthy "
     "for the rate, the loss or the labels",
     {0},
     LOGGED},
    {{"metric-constant", "loss-floor"},
     KIND_COUNT,
     NULL,
     "count the classes among the labels and among the answers of one validation pass: one class "
     "in "
     "both speaks for imbalance, in the answers alone for dead units or the loss",
     {"class-imbalance", "bad-encoding"},
     LOGGED},
    {{"nan-loss", "loss-plateau", "loss-floor", "loss-slow", "loss-spike", "metric-constant",
      "grad-explosion"},
     KIND_COUNT,
     NULL,
     "save a batch as it goes into the model with numpy.savez, and judge it along with the log "
     "(--inputs=FILE:x --targets=FILE:y): it shows values out of scale, missing or coded",
     {"unscaled-inputs", "unscaled-targets", "bad-data", "bad-encoding"},
     SAMPLE},
    {{"loss-plateau", "loss-floor", "loss-constant", "loss-slow", "metric-constant"},
     KIND_COUNT,
     NULL,
     "save two checkpoints 100 steps apart and pass both: equal bytes speak for a cut graph or "
     "another optimizer, first layers that stand still for vanishing gradients, small steps "
     "everywhere for the rate",
     {"graph-disconnected", "learning-rate-too-low", "vanishing-gradients", "dead-activations"},
     TWO_CHECKPOINTS},
    {{"nan-loss", "nan-gradient", "loss-scale-collapse", "loss-zero"},
     KIND_COUNT,
     "precision",
     "say the number format, and repeat some hundred steps in float32: what stays is no overflow",
     {0},
     LOGGED},
    {{"nan-loss", "nan-gradient"},
     KIND_COUNT,
     NULL,
     "repeat with another seed of the data order: a step that moves speaks for a sample, one that "
     "stays for the model",
     {0},
     LOGGED},
    {{"loss-plateau", "loss-floor", "loss-constant", "loss-slow", "metric-constant"},
     KIND_COUNT,
     NULL,
     "train on one batch until its loss is near 0: if it does not get there, model, loss or "
     "labels are at fault, not the data or the schedule",
     {0},
     LOGGED},
    {{"loss-divergence", "loss-spike", "grad-explosion", "loss-oscillation"},
     KIND_COUNT,
     NULL,
     "repeat the steps before it at a third of the learning rate: what stays is not the rate",
     {0},
     LOGGED},
    {{"loss-plateau", "loss-slow", "overfitting"},
     KIND_VAL_LOSS,
     NULL,
     "evaluate on held-out data now and then",
     {0},
     LOGGED},
    {{"hang"},
     KIND_COUNT,
     NULL,
     "take the stacks while it stands, on every rank (py-spy dump --pid PID): a queue speaks for "
     "the loaders, a collective for the ranks, a driver's call for the machine",
     {0},
     LOGGED},
    {{"throughput-drop", "step-time-outlier", "hang", "straggler"},
     KIND_DATA_TIME,
     NULL,
     "time the data loader alone, without the model, and log its share of each step",
     {0},
     LOGGED},
    {{"throughput-drop", "out-of-memory", "crash"},
     KIND_MEMORY,
     NULL,
     "log the memory in use beside the steps",
     {0},
     LOGGED},
};

static bool found(const struct judgement *judgement, const char *const *symptoms)
{
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *finding = &judgement->findings[i];
        if (finding->absorbed_by || finding->severity <= SEVERITY_INFO)
            continue;
        for (size_t k = 0; k < SYMPTOMS && symptoms[k]; k++)
            if (strcmp(finding->symptom->id, symptoms[k]) == 0)
                return true;
    }
    return false;
}

static bool decides(const struct verdict *verdict, const char *const *rivals)
{
    if (!rivals[0])
        return true;
    for (size_t i = 0; i < verdict->cause_count && i < PROPOSALS_MAX; i++)
        for (size_t k = 0; k < RIVALS && rivals[k]; k++)
            if (strcmp(verdict->causes[i].cause->id, rivals[k]) == 0)
                return true;
    return false;
}

static bool given(const struct run *run, const struct proposal *proposal)
{
    if (proposal->ask == TWO_CHECKPOINTS)
        return run->movement_count > 0;
    for (size_t i = 0; proposal->ask == SAMPLE && i < run->tensor_count; i++)
        if (run->tensors[i].role == ROLE_INPUTS)
            return true;
    return false;
}

static bool applies(const struct diagnosing *diagnosing, const struct verdict *verdict,
                    const struct proposal *proposal)
{
    if (given(diagnosing->run, proposal) || !decides(verdict, proposal->rivals) ||
        !found(diagnosing->judgement, proposal->symptoms))
        return false;
    if (proposal->missing != KIND_COUNT && run_main(diagnosing->run, proposal->missing))
        return false;
    return !proposal->fact || !fact_seen_at(diagnosing->run, proposal->fact, STEP_NONE).known;
}

static bool proposed(const struct text *texts, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (text_is(texts[i], text))
            return true;
    return false;
}

/* Where all that is left of the end is a line that follows from another, that one is looked for. */
static size_t from_consequence(const struct judgement *judgement, struct text *texts)
{
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *finding = &judgement->findings[i];
        const struct message *message = finding->candidate.message;
        if (!finding->absorbed_by && finding->severity == SEVERITY_ERROR && message &&
            message->row->strength == STRENGTH_CONSEQUENCE && message->row->suggest &&
            message->row->suggest[0]) {
            texts[0] = text_of(message->row->suggest);
            return 1;
        }
    }
    return 0;
}

/* What the catalogue of fixed texts suggests for the lines that were met comes first. */
static size_t from_messages(const struct diagnosing *diagnosing, struct text *texts)
{
    const struct run *run = diagnosing->run;
    size_t count = from_consequence(diagnosing->judgement, texts);
    for (size_t i = 0; i < run->message_count && count < PROPOSALS_MAX; i++) {
        const struct message_row *row = run->messages[i].row;
        bool says = row->strength == STRENGTH_DECIDES || row->strength == STRENGTH_SUPPORTS ||
                    row->strength == STRENGTH_SIGN;
        if (says && row->suggest && row->suggest[0] && !proposed(texts, count, row->suggest))
            texts[count++] = text_of(row->suggest);
    }
    return count;
}

bool experiments_propose(const struct diagnosing *diagnosing, struct verdict *verdict)
{
    bool decided = verdict->cause_count > 0 && verdict->causes[0].score >= DECIDED;
    if (decided || verdict->worst <= SEVERITY_INFO)
        return true;
    struct text *texts = arena_take(diagnosing->arena, PROPOSALS_MAX, sizeof(*texts));
    if (!texts)
        return diagnosing_memory(diagnosing);
    size_t count = from_messages(diagnosing, texts);
    for (size_t i = 0; i < sizeof(proposals) / sizeof(proposals[0]) && count < PROPOSALS_MAX; i++)
        if (applies(diagnosing, verdict, &proposals[i]) &&
            !proposed(texts, count, proposals[i].text))
            texts[count++] = text_of(proposals[i].text);
    verdict->experiments = texts;
    verdict->experiment_count = count;
    return true;
}
