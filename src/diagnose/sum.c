/* The sum of one cause: evidence for and against, in nats. */
/* SPDX-License-Identifier: MIT */
#include "diagnosing.h"

#include <math.h>
#include <string.h>

/* What follows from something earlier says little for causes that do not explain the earlier. */
static const double CONSEQUENCE = 0.3;
/* A cause that explains nothing of what is worst is beside the point. */
static const double BESIDE_THE_POINT = 0.3;
static const double SECOND_OF_GROUP = 0.5;
static const double LEAST_AGAINST = -5;

struct summing {
    const struct diagnosing *diagnosing;
    struct sum *sum;
    size_t capacity;
};

static bool add(struct summing *summing, const struct piece *piece)
{
    struct sum *sum = summing->sum;
    struct piece *pieces = arena_grow(summing->diagnosing->arena, sum->pieces, sum->count,
                                      &summing->capacity, sum->count + 1, sizeof(*pieces));
    if (!pieces)
        return diagnosing_memory(summing->diagnosing);
    sum->pieces = pieces;
    sum->pieces[sum->count++] = *piece;
    return true;
}

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* The best finding that an item is about; NULL: none. */
static const struct finding *best_match(const struct diagnosing *diagnosing,
                                        const struct evidence_item *item)
{
    const struct judgement *judgement = diagnosing->judgement;
    const struct finding *best = NULL;
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *finding = &judgement->findings[i];
        const struct context context = diagnosing_context(diagnosing, finding);
        if (finding->absorbed_by || !same(finding->symptom->id, item->symptom) ||
            !form_listed(item->forms, finding->form) || finding->severity < item->severity ||
            condition_truth(item->where, &context) != TRUE_)
            continue;
        if (!best || finding->confidence > best->confidence)
            best = finding;
    }
    return best;
}

/* Has an item on the same symptom and of the same sign applied already? */
static bool taken(const struct sum *sum, const struct evidence_item *item)
{
    for (size_t i = 0; i < sum->count; i++) {
        const struct evidence_item *other = sum->pieces[i].item;
        if (other && other->symptom && same(other->symptom, item->symptom) &&
            (other->weight > 0) == (item->weight > 0))
            return true;
    }
    return false;
}

static bool gather_items(struct summing *summing)
{
    const struct diagnosing *diagnosing = summing->diagnosing;
    const struct cause *cause = summing->sum->cause;
    const struct context context = diagnosing_context(diagnosing, NULL);
    for (size_t i = 0; i < cause->item_count; i++) {
        const struct evidence_item *item = &cause->items[i];
        struct piece piece = {.item = item, .group = item->group, .nats = item->weight};
        if (item->symptom) {
            piece.finding = taken(summing->sum, item) ? NULL : best_match(diagnosing, item);
            if (!piece.finding)
                continue;
            piece.nats *= piece.finding->confidence;
        } else if (condition_truth(item->when, &context) != TRUE_) {
            continue;
        }
        if (piece.nats != 0 && !add(summing, &piece))
            return false;
    }
    return true;
}

/* The piece that a further line adds nothing to: of the same row in another stream, or of the same
   failure; NULL: it is new. */
static struct piece *said_before(struct sum *sum, const struct piece *piece)
{
    for (size_t i = 0; i < sum->count; i++) {
        struct piece *other = &sum->pieces[i];
        if (other->message && (other->message->row == piece->message->row ||
                               (piece->finding && other->finding == piece->finding)))
            return other;
    }
    return NULL;
}

static bool gather_messages(struct summing *summing)
{
    const struct run *run = summing->diagnosing->run;
    struct sum *sum = summing->sum;
    for (size_t i = 0; i < run->message_count; i++) {
        const struct message *message = &run->messages[i];
        const struct piece piece = {.message = message,
                                    .group = "messages",
                                    .finding = message_finding(summing->diagnosing, message),
                                    .nats = message_nats(summing->diagnosing, message, sum->cause)};
        if (piece.nats <= 0)
            continue;
        struct piece *before = said_before(sum, &piece);
        if (before && piece.nats > before->nats)
            *before = piece;
        if (!before && !add(summing, &piece))
            return false;
    }
    return true;
}

static bool is_found(const struct diagnosing *diagnosing, const struct symptom *symptom)
{
    const struct judgement *judgement = diagnosing->judgement;
    for (size_t i = 0; i < judgement->finding_count; i++)
        if (judgement->findings[i].symptom == symptom)
            return true;
    return false;
}

/* Is `later` in the file of `first` as its consequence, directly or through others that were
   found too? */
static bool leads_to(const struct diagnosing *diagnosing, const struct symptom *first,
                     const struct symptom *later, size_t depth)
{
    for (size_t i = 0; first->consequences[i] && depth > 0; i++) {
        const struct symptom *next =
            rules_symptom(diagnosing->rules, text_of(first->consequences[i]));
        if (!next || next == first)
            continue;
        if (next == later ||
            (is_found(diagnosing, next) && leads_to(diagnosing, next, later, depth - 1)))
            return true;
    }
    return false;
}

/* B follows A: a known consequence that does not begin before it. */
static bool follows(const struct diagnosing *diagnosing, const struct finding *a,
                    const struct finding *b)
{
    enum { CHAIN_MAX = 4 };
    const struct moment from = finding_moment(a), to = finding_moment(b);
    struct distance distance;
    if (a == b || a->absorbed_by || a->symptom == b->symptom ||
        !leads_to(diagnosing, a->symptom, b->symptom, CHAIN_MAX))
        return false;
    return !moment_distance(diagnosing->run, &from, &to, &distance) || distance.sign >= 0;
}

/* Does the cause explain a finding: by an item above 0, or by the line that it rests on? */
static bool explains(const struct sum *sum, const struct finding *finding)
{
    for (size_t i = 0; i < sum->count; i++) {
        const struct piece *piece = &sum->pieces[i];
        if (piece->nats > 0 && (piece->finding == finding ||
                                (piece->message && piece->message == finding->candidate.message)))
            return true;
    }
    return false;
}

static bool is_told_as_consequence(const struct finding *finding)
{
    return finding->candidate.message &&
           finding->candidate.message->row->strength == STRENGTH_CONSEQUENCE;
}

/* A fixed text that only ever follows something, and there is something that it follows. */
static bool follows_a_root(const struct diagnosing *diagnosing, const struct finding *finding)
{
    const struct judgement *judgement = diagnosing->judgement;
    const struct moment here = finding_moment(finding);
    for (size_t i = 0; is_told_as_consequence(finding) && i < judgement->finding_count; i++) {
        const struct finding *root = &judgement->findings[i];
        const struct moment there = finding_moment(root);
        struct distance distance;
        if (root == finding || root->absorbed_by || root->severity < SEVERITY_WARNING ||
            is_told_as_consequence(root))
            continue;
        if (!moment_distance(diagnosing->run, &there, &here, &distance) || distance.sign >= 0)
            return true;
    }
    return false;
}

static bool mere_consequence(const struct diagnosing *diagnosing, const struct sum *sum,
                             const struct finding *finding)
{
    const struct judgement *judgement = diagnosing->judgement;
    if (follows_a_root(diagnosing, finding))
        return true;
    bool consequence = false;
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *first = &judgement->findings[i];
        /* Of a remark an alarm is no mere consequence. */
        if (first->severity < SEVERITY_WARNING && finding->severity >= SEVERITY_WARNING)
            continue;
        if (!follows(diagnosing, first, finding))
            continue;
        if (explains(sum, first))
            return false;
        consequence = true;
    }
    return consequence;
}

static void weigh_consequences(const struct diagnosing *diagnosing, struct sum *sum)
{
    for (size_t i = 0; i < sum->count; i++) {
        struct piece *piece = &sum->pieces[i];
        if (piece->finding && piece->item && piece->nats > 0 &&
            mere_consequence(diagnosing, sum, piece->finding))
            piece->nats *= CONSEQUENCE;
    }
}

static bool row_names(const struct message_row *row, const char *symptom)
{
    for (size_t i = 0; row->symptoms && row->symptoms[i]; i++)
        if (same(row->symptoms[i], symptom))
            return true;
    return false;
}

/* A fixed text and a finding of a symptom that it names are one piece of evidence: the larger
   counts. */
static void join_messages(struct sum *sum)
{
    for (size_t i = 0; i < sum->count; i++) {
        struct piece *message = &sum->pieces[i];
        for (size_t k = 0; message->message && k < sum->count; k++) {
            struct piece *other = &sum->pieces[k];
            if (!other->item || !other->item->symptom || other->nats <= 0 ||
                !row_names(message->message->row, other->item->symptom))
                continue;
            if (message->nats >= other->nats)
                other->nats = 0;
            else
                message->nats = 0;
        }
    }
}

static enum severity worst_level(const struct diagnosing *diagnosing)
{
    const struct judgement *judgement = diagnosing->judgement;
    enum severity worst = SEVERITY_NONE;
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *finding = &judgement->findings[i];
        enum severity level = finding_level(diagnosing->options, finding);
        if (!finding->absorbed_by && level > worst)
            worst = level;
    }
    return worst;
}

/* Is the finding one of the worst, or does one of them follow from it? */
static bool behind_the_worst(const struct diagnosing *diagnosing, const struct finding *finding,
                             enum severity worst)
{
    const struct judgement *judgement = diagnosing->judgement;
    if (finding_level(diagnosing->options, finding) == worst)
        return true;
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *other = &judgement->findings[i];
        if (!other->absorbed_by && finding_level(diagnosing->options, other) == worst &&
            follows(diagnosing, finding, other))
            return true;
    }
    return false;
}

static void weigh_relevance(const struct diagnosing *diagnosing, struct sum *sum)
{
    enum severity worst = worst_level(diagnosing);
    if (worst <= SEVERITY_INFO)
        return;
    for (size_t i = 0; i < sum->count; i++) {
        const struct piece *piece = &sum->pieces[i];
        bool remark =
            piece->finding && finding_level(diagnosing->options, piece->finding) <= SEVERITY_INFO;
        if (piece->nats > 0 &&
            ((piece->message && !remark) ||
             (piece->finding && behind_the_worst(diagnosing, piece->finding, worst))))
            return;
    }
    for (size_t i = 0; i < sum->count; i++)
        if (sum->pieces[i].nats > 0)
            sum->pieces[i].nats *= BESIDE_THE_POINT;
}

/* Of each group the largest counts in full and the second half. */
static void weigh_group(struct sum *sum, size_t from)
{
    struct piece *first = NULL, *second = NULL;
    const char *group = sum->pieces[from].group;
    for (size_t i = from; i < sum->count; i++) {
        struct piece *piece = &sum->pieces[i];
        if (piece->nats <= 0 || !same(piece->group, group))
            continue;
        piece->weighed = true;
        if (!first || piece->nats > first->nats) {
            second = first;
            first = piece;
        } else if (!second || piece->nats > second->nats) {
            second = piece;
        }
    }
    for (size_t i = from; i < sum->count; i++) {
        struct piece *piece = &sum->pieces[i];
        if (piece->nats > 0 && same(piece->group, group) && piece != first)
            piece->nats = piece == second ? piece->nats * SECOND_OF_GROUP : 0;
    }
}

static void weigh_groups(struct sum *sum)
{
    for (size_t i = 0; i < sum->count; i++)
        if (sum->pieces[i].nats > 0 && !sum->pieces[i].weighed)
            weigh_group(sum, i);
}

static void bound_against(struct sum *sum)
{
    double against = 0;
    for (size_t i = 0; i < sum->count; i++)
        against += fmin(sum->pieces[i].nats, 0);
    if (against >= LEAST_AGAINST)
        return;
    for (size_t i = 0; i < sum->count; i++)
        if (sum->pieces[i].nats < 0)
            sum->pieces[i].nats *= LEAST_AGAINST / against;
}

bool cause_sum(const struct diagnosing *diagnosing, const struct cause *cause, struct sum *sum)
{
    struct summing summing = {.diagnosing = diagnosing, .sum = sum};
    *sum = (struct sum){.cause = cause, .prior = cause->prior};
    if (!gather_items(&summing) || !gather_messages(&summing))
        return false;
    weigh_consequences(diagnosing, sum);
    weigh_relevance(diagnosing, sum);
    join_messages(sum);
    weigh_groups(sum);
    bound_against(sum);
    size_t kept = 0;
    for (size_t i = 0; i < sum->count; i++) {
        if (sum->pieces[i].nats == 0)
            continue;
        sum->total += sum->pieces[i].nats;
        sum->supported = sum->supported || sum->pieces[i].nats > 0;
        sum->pieces[kept++] = sum->pieces[i];
    }
    sum->count = kept;
    if (!chain_order(diagnosing, cause, &sum->order, &sum->chain))
        return false;
    sum->total += sum->prior + sum->order;
    return true;
}
