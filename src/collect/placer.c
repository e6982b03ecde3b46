/* Positions as printed to steps that count through the run (reader.md 8). */
/* SPDX-License-Identifier: MIT */
#include "collector.h"

enum { PLACE_MOST = INT32_MAX }; /* products of what is larger are not steps */

static bool small(int64_t value)
{
    return value >= 0 && value <= PLACE_MOST;
}

static int64_t epochs_before(const struct placer *placer, int64_t epoch)
{
    const int64_t from =
        placer->first_epoch == 0 || placer->first_epoch == 1 ? placer->first_epoch : 1;
    return epoch > from ? epoch - from : 0;
}

static int64_t within_epoch(const struct placer *placer, int64_t epoch, int64_t total, int64_t k)
{
    if (!small(epoch) || !small(total) || !small(k))
        return k;
    return epochs_before(placer, epoch) * total + k;
}

static void placer_follow(struct placer *placer, int64_t epoch, int64_t k)
{
    if (placer->last != STEP_NONE && k > placer->last &&
        (epoch == placer->last_epoch || epoch == STEP_NONE)) {
        placer->stride = k - placer->last;
        placer->moved = true;
    }
    placer->last = k;
    placer->last_epoch = epoch;
    if (placer->first_epoch == STEP_NONE)
        placer->first_epoch = epoch;
}

bool placer_back(struct placer *placer, int64_t epoch)
{
    const int64_t first = placer->first_epoch, last = placer->last_epoch;
    if (!placer->within || epoch == STEP_NONE || !small(first) || !small(last) || epoch < first ||
        epoch >= last)
        return false;
    placer->offset = (epoch - first) * (placer->offset / (last - first));
    return true;
}

/* Its steps were through: the next lies behind the end. */
static bool is_whole(const struct placer *placer, int64_t total)
{
    return total != STEP_NONE && placer->last + placer->stride > total;
}

/* Steps of a pass that ends. */
static int64_t pass_of(const struct placer *placer, int64_t total)
{
    return small(total) ? total : placer->last + (placer->moved ? placer->stride : 0);
}

bool placer_laps(const struct placer *placer, const struct position *at)
{
    return at->epoch != STEP_NONE && placer->last_epoch == STEP_NONE && at->step != STEP_NONE &&
           placer->last != STEP_NONE && at->step <= placer->last &&
           (at->epoch <= 1 || is_whole(placer, at->step_total));
}

void placer_lap(struct placer *placer, const struct position *at)
{
    placer->offset += pass_of(placer, at->step_total);
    placer->lapped = placer->within = true;
    placer->last = STEP_NONE;
    placer->first_epoch = placer->last_epoch = at->epoch;
}

/* A named step: of the whole, until it falls as the epoch rises. */
static int64_t named_step(struct placer *placer, int64_t epoch, int64_t k, int64_t total)
{
    const bool rises =
        epoch != STEP_NONE && placer->last_epoch != STEP_NONE && epoch > placer->last_epoch;
    if (rises && placer->last != STEP_NONE &&
        (k < placer->last ||
         /* One that is printed once an epoch stands still. */
         (k == placer->last && (placer->within || !placer->moved)))) {
        placer->within = true;
        placer->offset += pass_of(placer, placer->lapped ? total : STEP_NONE);
    }
    placer_back(placer, epoch);
    placer_follow(placer, epoch, k);
    if (!placer->within)
        return k;
    return total != STEP_NONE && !placer->lapped ? within_epoch(placer, epoch, total, k)
                                                 : placer->offset + k;
}

/* A counter without an epoch that was through and begins again goes on. One that stands still while
   its end rises is printed the wrong way round. */
static int64_t lone_counter(struct placer *placer, int64_t k, int64_t total)
{
    const int64_t before = placer->last_total;
    placer->last_total = total;
    if (placer->last == k && before != STEP_NONE && total > before)
        placer->swapped = true;
    if (placer->swapped && total != STEP_NONE) {
        placer->last = k;
        return total;
    }
    if (placer->last != STEP_NONE && k < placer->last && is_whole(placer, total))
        placer->offset += total;
    placer_follow(placer, STEP_NONE, k);
    return placer->offset + k;
}

static enum counting counting_of(const struct placer *placer, int64_t epoch, int64_t k,
                                 int64_t total)
{
    if (placer->counting == COUNTING_UNKNOWN && placer->last == STEP_NONE && k == epoch && k > 1)
        return COUNTING_EPOCHS;
    if (placer->counting == COUNTING_EPOCHS)
        return k == epoch ? COUNTING_EPOCHS : COUNTING_WITHIN;
    if (placer->counting == COUNTING_UNKNOWN || placer->counting == COUNTING_FULL) {
        if (placer->last == STEP_NONE)
            return k >= total ? COUNTING_FULL : COUNTING_UNKNOWN;
        if (placer->counting == COUNTING_FULL)
            return k >= total ? COUNTING_FULL : COUNTING_WITHIN;
        if (epoch == placer->last_epoch)
            return COUNTING_UNKNOWN;
        return k > placer->last && placer->last < total - placer->stride ? COUNTING_WHOLE
                                                                         : COUNTING_WITHIN;
    }
    return placer->counting;
}

static int64_t epoch_counter(struct placer *placer, int64_t epoch, int64_t k, int64_t total)
{
    placer->counting = counting_of(placer, epoch, k, total);
    placer_follow(placer, epoch, k);
    switch (placer->counting) {
    case COUNTING_FULL:
    case COUNTING_EPOCHS:
        return epoch;
    case COUNTING_WHOLE:
        return k;
    default:
        return within_epoch(placer, epoch, total, k);
    }
}

int64_t placer_step(struct placer *placer, const struct position *at, uint8_t grain)
{
    const bool carried = (grain & (GRAIN_STEP | GRAIN_BATCH | GRAIN_EPOCH)) == 0;
    if (at->step != STEP_NONE && (grain & GRAIN_STEP || carried))
        return named_step(placer, at->epoch, at->step, at->step_total);
    if (at->batch != STEP_NONE && (grain & GRAIN_BATCH || carried)) {
        if (at->epoch == STEP_NONE)
            return lone_counter(placer, at->batch, at->batch_total);
        if (at->batch_total == STEP_NONE)
            return named_step(placer, at->epoch, at->batch, STEP_NONE);
        return epoch_counter(placer, at->epoch, at->batch, at->batch_total);
    }
    if (at->step != STEP_NONE && !isnan(at->epoch_fraction))
        return at->step; /* that the bar in front of a part of an epoch told */
    if (at->epoch != STEP_NONE && placer->first_epoch == STEP_NONE)
        placer->first_epoch = at->epoch;
    return at->epoch;
}

int64_t still_step(struct still *still, int64_t step, int64_t trained)
{
    if (!still->begun) {
        *still = (struct still){.place = step, .trained = trained, .begun = true};
        return step;
    }
    still->moved = still->moved || step != still->place;
    if (still->moved)
        return step;
    still->stands = still->stands || (trained != still->trained && trained != step);
    still->trained = trained;
    return still->stands ? trained : step;
}

void still_train(struct still *still, int64_t step, int64_t *trained)
{
    if (step != STEP_NONE && (!still->begun || step != still->place))
        *trained = step;
    still->place = step;
    still->begun = true;
}

int64_t placer_total(const struct placer *placer, const struct position *at, uint8_t grain)
{
    const bool carried = (grain & (GRAIN_STEP | GRAIN_BATCH | GRAIN_EPOCH)) == 0;
    const bool step = at->step != STEP_NONE && (grain & GRAIN_STEP || carried);
    const bool batch = !step && at->batch != STEP_NONE && (grain & GRAIN_BATCH || carried);
    if (!step && !batch)
        return at->epoch_total;
    const int64_t total = step ? at->step_total : at->batch_total;
    if (at->epoch == STEP_NONE || placer->counting == COUNTING_WHOLE || (step && !placer->within))
        return total;
    if (placer->counting == COUNTING_EPOCHS)
        return total;
    if (placer->counting == COUNTING_FULL)
        return at->epoch_total;
    if (total == STEP_NONE || at->epoch_total == STEP_NONE || !small(total) ||
        !small(at->epoch_total))
        return STEP_NONE;
    return total * at->epoch_total;
}
