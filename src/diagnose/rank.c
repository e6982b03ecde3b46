/* The causes of a run, most probable first. */
/* SPDX-License-Identifier: MIT */
#include "diagnosing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SOMETHING_ELSE = 1.5; /* nats of what no cause file describes */
static const double LISTED = 0.5;         /* nats from which on a cause is listed */
static const double LEAST_SCORE = 0.05;   /* of causes behind the third */
enum { ALWAYS = 3, LINE_BYTES = 160 };

static bool text_of_piece(const struct diagnosing *diagnosing, const struct piece *piece,
                          struct argument *argument)
{
    const struct context context = diagnosing_context(diagnosing, piece->finding);
    const struct finding *finding = piece->finding;
    argument->finding = finding;
    argument->nats = piece->nats;
    if (piece->message) {
        argument->text = text_cut(text_trim(piece->message->line), 0, LINE_BYTES);
        argument->place = piece->message->place;
        return true;
    }
    bool complete = true;
    argument->text =
        placeholder_fill(diagnosing->arena, piece->item->text, &context, false, &complete);
    if (finding && !complete) /* the form did not measure what the text speaks of */
        argument->text = finding->message;
    if (finding) {
        const struct point *onset = &finding->candidate.onset;
        argument->place = (struct place){onset->input, onset->line, onset->offset};
    } else {
        argument->place = condition_place(piece->item->when, &context);
    }
    return argument->text.data || diagnosing_memory(diagnosing);
}

/* For, the largest first; then against, the largest first. */
static int by_weight(const void *left, const void *right)
{
    const struct piece *a = left, *b = right;
    bool for_a = a->nats > 0, for_b = b->nats > 0;
    if (for_a != for_b)
        return for_a ? -1 : 1;
    double x = fabs(a->nats), y = fabs(b->nats);
    return x > y ? -1 : x < y;
}

static void sort_pieces(struct sum *sum)
{
    /* Insertion: few, and equal weights keep the order of the file. */
    for (size_t i = 1; i < sum->count; i++)
        for (size_t k = i; k > 0 && by_weight(&sum->pieces[k - 1], &sum->pieces[k]) > 0; k--) {
            struct piece piece = sum->pieces[k];
            sum->pieces[k] = sum->pieces[k - 1];
            sum->pieces[k - 1] = piece;
        }
}

static bool rank_one(const struct diagnosing *diagnosing, struct sum *sum, struct ranked *ranked)
{
    sort_pieces(sum);
    struct argument *arguments = arena_take(diagnosing->arena, sum->count + 1, sizeof(*arguments));
    if (!arguments)
        return diagnosing_memory(diagnosing);
    for (size_t i = 0; i < sum->count; i++)
        if (!text_of_piece(diagnosing, &sum->pieces[i], &arguments[i]))
            return false;
    *ranked = (struct ranked){.cause = sum->cause,
                              .sum = sum->total,
                              .prior = sum->prior,
                              .order = sum->order,
                              .arguments = arguments,
                              .argument_count = sum->count,
                              .chain = sum->chain};
    return fixes_fill(diagnosing, sum, ranked);
}

static int by_sum(const void *left, const void *right)
{
    const struct sum *a = left, *b = right;
    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    return a->cause->rank < b->cause->rank ? -1 : a->cause->rank > b->cause->rank;
}

/* Where nothing is over a remark, only a cause that rules errors out by itself ("converged") can be
   one: facts and remarks alone accuse nobody. */
static bool considered(const struct diagnosing *diagnosing, const struct verdict *verdict,
                       const struct cause *cause)
{
    if (verdict->worst <= SEVERITY_INFO && !condition_asks_gate(cause->unless, "has-error"))
        return false;
    const struct context context = diagnosing_context(diagnosing, NULL);
    return !cause->unless || condition_truth(cause->unless, &context) != TRUE_;
}

bool causes_rank(const struct diagnosing *diagnosing, struct verdict *verdict)
{
    const struct rules *rules = diagnosing->rules;
    struct sum *sums = arena_take(diagnosing->arena, rules->cause_count + 1, sizeof(*sums));
    if (!sums)
        return diagnosing_memory(diagnosing);
    size_t count = 0;
    double total = exp(SOMETHING_ELSE);
    for (size_t i = 0; i < rules->cause_count; i++) {
        if (!considered(diagnosing, verdict, &rules->causes[i]))
            continue;
        if (!cause_sum(diagnosing, &rules->causes[i], &sums[count]))
            return false;
        if (sums[count].supported && sums[count].total >= LISTED)
            total += exp(sums[count++].total);
    }
    qsort(sums, count, sizeof(*sums), by_sum);
    struct ranked *ranked = arena_take(diagnosing->arena, count + 1, sizeof(*ranked));
    if (!ranked)
        return diagnosing_memory(diagnosing);
    for (size_t i = 0; i < count; i++) {
        double score = exp(sums[i].total) / total;
        if (i >= ALWAYS && score < LEAST_SCORE)
            break;
        if (!rank_one(diagnosing, &sums[i], &ranked[i]))
            return false;
        ranked[i].score = score;
        verdict->cause_count = i + 1;
    }
    verdict->causes = ranked;
    return true;
}
