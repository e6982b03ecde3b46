/* What would decide where nothing does: the cheapest thing to log or to try. */
/* SPDX-License-Identifier: MIT */
#include "diagnosing.h"

#include <string.h>

enum { PROPOSALS_MAX = 3 };
static const double DECIDED = 0.5; /* score from which on a cause stands by itself */

enum { SYMPTOMS = 9, RIVALS = 8 };

/* In order of cost. A row applies where one of its symptoms was found (the last one where no other
   row does), what it asks to be logged is not there, and a cause that it decides about is among the
   first three: all of them where it names none. */
static const struct proposal {
    const char *symptoms[SYMPTOMS]; /* NULL behind the last */
    enum kind missing;              /* KIND_COUNT: none */
    const char *fact;               /* unknown so far; NULL */
    const char *text;
    const char *rivals[RIVALS];                   /* causes; NULL behind the last */
    enum { LOGGED, SAMPLE, TWO_CHECKPOINTS } ask; /* what it asks for; not where it was given */
} proposals[] = {
    {{"nan-loss", "loss-divergence", "loss-spike", "grad-explosion", "loss-oscillation",
      "loss-plateau", "loss-slow", "metric-drop", "policy-collapse"},
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
    {{"metric-drop"},
     KIND_VAL_LOSS,
     NULL,
     "log the validation loss beside the metric: one that rises as it falls speaks for a "
     "fit that was lost, one that stays for the metric or its threshold",
     {0},
     LOGGED},
    {{"policy-collapse"},
     KIND_COUNT,
     NULL,
     "log the KL of each update beside the value loss: a KL that jumps first speaks for "
     "the rate, a value loss that grows for the scale of the rewards",
     {0},
     LOGGED},
    {{"step-time-outlier"},
     KIND_COUNT,
     NULL,
     "write a line where a checkpoint is saved or an evaluation begins: slow steps right "
     "behind one are no fault",
     {0},
     LOGGED},
    {{"memory-growth"},
     KIND_COUNT,
     NULL,
     "log the memory of the host (VmRSS) and of the card (torch.cuda.memory_allocated) "
     "apart: the card speaks for tensors kept with their graph, the host for the loader, "
     "lists or a cache",
     {0},
     LOGGED},
    {{"lr-zero", "lr-spike"},
     KIND_COUNT,
     NULL,
     "print at each epoch which step the scheduler is at and for how many it was made",
     {0},
     LOGGED},
    {{"loss-zero", "loss-negative"},
     KIND_COUNT,
     NULL,
     "print the terms of the loss of one batch and how many labels count in it: none "
     "speaks for the mask or the labels, a term below 0 for a wrong sign",
     {0},
     LOGGED},
    {{"loss-floor", "inputs-unscaled"},
     KIND_COUNT,
     NULL,
     "print mean and largest of the first outputs, before any step: far from 0 speaks for "
     "the weights that it starts with, near 0 for the labels or the reduction of the loss",
     {"bad-init"},
     LOGGED},
    {{"grad-vanishing", "nan-gradient"},
     KIND_COUNT,
     NULL,
     "print the norm of each layer's gradient once: where it goes from one layer to the "
     "next tells which layer it is",
     {0},
     LOGGED},
    {{"train-val-gap"},
     KIND_COUNT,
     NULL,
     "evaluate a part of the training data the way validation is done (no dropout, no "
     "augmentation): a gap that closes was regularisation, one that stays speaks for "
     "samples that both hold",
     {0},
     LOGGED},
    {{"train-val-gap"},
     KIND_COUNT,
     NULL,
     "look for samples of the validation data among those of the training data, by hash "
     "and by group",
     {0},
     LOGGED},
    {{"ckpt-nonfinite", "ckpt-weights-exploded", "ckpt-weights-collapsed", "ckpt-dead-units",
      "ckpt-frozen", "ckpt-update-ratio", "ckpt-bad-init", "ckpt-fp16-range", "ckpt-norm-stats"},
     KIND_LOSS,
     NULL,
     "pass the log of the run along with its checkpoints: what loss and norm did before "
     "tells the cause",
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
    {{"metric-drop"},
     KIND_COUNT,
     NULL,
     "evaluate the checkpoint from before the fall once more: a metric that is low there "
     "too speaks for the evaluation or its data, not for the training",
     {0},
     LOGGED},
    {{"loss-sawtooth"},
     KIND_COUNT,
     NULL,
     "shuffle with another seed: a pattern that changes speaks for the order of the "
     "batches, one that stays for the schedule",
     {0},
     LOGGED},
    {{"resume-jump"},
     KIND_COUNT,
     NULL,
     "compare what the checkpoint holds with what is loaded: optimizer, scheduler, scaler, "
     "step and the position in the data",
     {0},
     LOGGED},
    {{"memory-growth"},
     KIND_COUNT,
     NULL,
     "repeat 200 steps with one batch and no loader: growth that stays is that of the "
     "step, growth that goes that of the loader",
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
    {{"throughput-drop", "straggler"},
     KIND_COUNT,
     NULL,
     "look at the clocks while it is slow (nvidia-smi -q -d CLOCK,PERFORMANCE): low ones "
     "speak for the machine, full ones for the loader or the network",
     {0},
     LOGGED},
    {{"straggler"},
     KIND_COUNT,
     NULL,
     "give the slow rank another card or node: slowness that goes along speaks for its "
     "data or code, one that stays behind for the machine",
     {0},
     LOGGED},
    {{"crash"},
     KIND_COUNT,
     NULL,
     "repeat it with python -X faulthandler and CUDA_LAUNCH_BLOCKING=1: the last frame "
     "names the call",
     {0},
     LOGGED},
    {{"throughput-drop", "out-of-memory", "crash"},
     KIND_MEMORY,
     NULL,
     "log the memory in use beside the steps",
     {0},
     LOGGED},
    {{"input-damaged"},
     KIND_COUNT,
     NULL,
     "compare the file with its original in size and sum, and pass that or the one before it",
     {0},
     LOGGED},
    /* Where no row applies: what most of them would need. */
    {{NULL},
     KIND_GRAD_NORM,
     NULL,
     "log the gradient norm and the learning rate beside the loss, and pass two "
     "checkpoints 100 steps apart along with the log",
     {0},
     LOGGED},
};

/* One of them was found; a row without any is for all. */
static bool found(const struct judgement *judgement, const char *const *symptoms)
{
    if (!symptoms[0])
        return true;
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
            (proposals[i].symptoms[0] || count == 0) && !proposed(texts, count, proposals[i].text))
            texts[count++] = text_of(proposals[i].text);
    verdict->experiments = texts;
    verdict->experiment_count = count;
    return true;
}
