/* The series that stand for a run: one of each kind (reader.md 10). */
/* SPDX-License-Identifier: MIT */
#include "collector.h"

#define CLASS_PART 3.0
#define SPEAKS_SHARE 0.9 /* of the fullest rank's points: the lowest such rank speaks */
#define FEW_SHARE 0.02

static bool is_loss(const struct series *series)
{
    return series->kind == KIND_LOSS && series->basis != BASIS_ESTIMATED;
}

static uint64_t rank_points(const struct run *run, const struct series *series, int32_t rank,
                            bool losses)
{
    uint64_t most = 0;
    for (size_t i = 0; i < run->series_count; i++)
        if (series[i].rank == rank && (!losses || is_loss(&series[i])) &&
            series[i].whole.points > most)
            most = series[i].whole.points;
    return most;
}

/* The lowest rank that logs nearly as much as the fullest. */
static int32_t rank_speaking(const struct run *run, const struct series *series)
{
    bool losses = false;
    for (size_t i = 0; i < run->series_count; i++)
        losses = losses || is_loss(&series[i]);
    uint64_t most = 0;
    for (size_t i = 0; i < run->series_count; i++)
        if ((!losses || is_loss(&series[i])) && series[i].whole.points > most)
            most = series[i].whole.points;
    int32_t speaking = -1;
    bool any = false;
    for (size_t i = 0; i < run->series_count; i++) {
        const int32_t rank = series[i].rank;
        if (any && rank >= speaking)
            continue;
        if ((double)rank_points(run, series, rank, losses) >= SPEAKS_SHARE * (double)most) {
            speaking = rank;
            any = true;
        }
    }
    return speaking;
}

static bool shares(const struct details *a, const struct details *b)
{
    for (size_t i = 0; i < a->template_count; i++)
        for (size_t k = 0; k < b->template_count; k++)
            if (a->templates[i] == b->templates[k])
                return true;
    return false;
}

struct choice { /* of the main series of one kind */
    const struct run *run;
    struct series *series;
    const struct details *details;
    enum kind kind;
    const struct details *loss; /* of the main loss; NULL */
    uint64_t most;
    bool sharing; /* some series of the kind shares a template with the loss */
    uint32_t loss_input;
};

static bool is_test(struct text tag)
{
    return text_find(tag, TEXT("test")) < tag.size || text_find(tag, TEXT("Test")) < tag.size ||
           text_find(tag, TEXT("TEST")) < tag.size;
}

static double cost_of(const struct choice *choice, size_t i)
{
    const struct series *series = &choice->series[i];
    const struct details *details = &choice->details[i];
    const double few = FEW_SHARE * (double)choice->most;
    double cost = series->class;
    if (choice->sharing && !shares(details, choice->loss))
        cost += 0.6;
    if ((double)series->whole.points < (few > 2 ? few : 2) && series->whole.points < choice->most)
        cost += 3;
    if (!details->placed)
        cost += 0.3;
    if (series->basis == BASIS_ESTIMATED)
        cost += 100;
    if (choice->kind == KIND_VAL_LOSS && series->whole.points > 2 &&
        2 * track_signs(&series->whole)->zeros > series->whole.points)
        cost += 2; /* printed, but not computed */
    if ((choice->kind == KIND_VAL_LOSS || choice->kind == KIND_VAL_METRIC) && is_test(series->tag))
        cost += 0.1; /* what is validated on is watched, what is tested on looked at once */
    return cost;
}

static bool better(const struct choice *choice, size_t a, size_t b)
{
    const double x = cost_of(choice, a), y = cost_of(choice, b);
    const struct series *s = &choice->series[a], *t = &choice->series[b];
    if (fabs(x - y) > 1e-9)
        return x < y;
    if (s->whole.points != t->whole.points)
        return s->whole.points > t->whole.points;
    if (choice->details[a].own != choice->details[b].own)
        return choice->details[a].own;
    /* What a bar shows at its end is of a batch, or what the line behind it says. */
    const bool measured = choice->kind <= KIND_VAL_METRIC;
    if (measured && (s->origin == ORIGIN_BAR) != (t->origin == ORIGIN_BAR))
        return t->origin == ORIGIN_BAR;
    /* Beside `val_loss` what is called `train_loss` is its fellow, whatever else is printed. */
    if (choice->kind == KIND_LOSS && (s->phase == PHASE_TRAIN) != (t->phase == PHASE_TRAIN))
        return s->phase == PHASE_TRAIN;
    return s->tag.size < t->tag.size;
}

/* The same values printed twice: as many, and equal within the coarser print. */
static bool twins(const struct track *a, const struct track *b)
{
    if (a->points != b->points || a->points < 2)
        return false;
    const int places = a->places < b->places ? a->places : b->places;
    const double unit = 0.5001 * pow(10, -(double)places);
    const struct point *const pairs[][2] = {
        {&a->first, &b->first}, {&a->last, &b->last}, {&a->low, &b->low}, {&a->high, &b->high}};
    for (size_t i = 0; i < 4; i++) {
        const double x = pairs[i][0]->value, y = pairs[i][1]->value;
        if (!(fabs(x - y) <= unit || x == y || (isnan(x) && isnan(y))))
            return false;
    }
    for (size_t i = 0; i < a->head_count && i < b->head_count; i++) {
        const double x = a->head[i].value, y = b->head[i].value;
        if (!(fabs(x - y) <= unit || x == y || (isnan(x) && isnan(y))))
            return false;
    }
    return a->low.value < a->high.value || b->low.value < b->high.value;
}

/* More decimals of the same values: the print that stands. */
static size_t twin_precise(const struct choice *choice, size_t main)
{
    size_t best = main;
    for (size_t i = 0; i < choice->run->series_count; i++)
        if (i != main && choice->series[i].kind == choice->kind &&
            choice->series[i].whole.places > choice->series[best].whole.places &&
            twins(&choice->series[i].whole, &choice->series[main].whole))
            best = i;
    return best;
}

/* Index of the main series of the kind, or the count where there is none. */
static size_t main_of(struct choice *choice, bool speaking)
{
    const size_t count = choice->run->series_count;
    size_t best = count;
    choice->most = 0;
    choice->sharing = false;
    for (size_t i = 0; i < count; i++) {
        const struct series *series = &choice->series[i];
        if (series->kind != choice->kind || (speaking && !series->speaks))
            continue;
        if (series->whole.points > choice->most)
            choice->most = series->whole.points;
        choice->sharing =
            choice->sharing ||
            (choice->loss &&
             (choice->kind == KIND_LEARNING_RATE || choice->kind == KIND_GRAD_NORM) &&
             series->input == choice->loss_input && shares(&choice->details[i], choice->loss));
    }
    for (size_t i = 0; i < count; i++)
        if (choice->series[i].kind == choice->kind && (!speaking || choice->series[i].speaks) &&
            (best == count || better(choice, i, best)))
            best = i;
    return best;
}

/* A share of moves by chance, an entropy or a divergence beside a score: a player learns. */
static bool explores(const struct run *run, const struct series *series,
                     const struct details *details)
{
    bool chance = false, score = false;
    for (size_t i = 0; i < run->series_count; i++) {
        chance =
            chance || details[i].beside_reward || text_glob(TEXT("*epsilon"), series[i].tag, true);
        score = score || series[i].kind == KIND_REWARD ||
                text_glob(TEXT("*score"), series[i].tag, true);
    }
    return chance && score;
}

/* A script that prints one loss, of its actor, means that one. */
static void lone_adversary(const struct run *run, struct series *series)
{
    size_t count = 0, at = 0;
    for (size_t i = 0; i < run->series_count; i++) {
        if (series[i].kind == KIND_LOSS)
            return;
        if (series[i].kind == KIND_ADVERSARIAL && series[i].speaks) {
            count++;
            at = i;
        }
    }
    if (count == 1) {
        series[at].kind = KIND_LOSS;
        series[at].direction = DIRECTION_DOWN;
    }
}

/* The one loss that is printed is no part of another, whatever it is called. */
static bool alone(const struct run *run, const struct series *series, size_t main)
{
    for (size_t i = 0; i < run->series_count; i++)
        if (i != main && series[i].speaks &&
            (series[i].kind == series[main].kind || series[i].kind == KIND_ADVERSARIAL))
            return false;
    return !run->reinforcement;
}

static void whole_of(const struct run *run, struct series *series, size_t main)
{
    const enum kind kind = series[main].kind;
    if ((kind == KIND_LOSS || kind == KIND_VAL_LOSS) &&
        (series[main].class < CLASS_PART || alone(run, series, main)))
        series[main].scope = SCOPE_TOTAL;
}

/* A script that prints no loss but an error means that one. */
static void lone_error(const struct run *run, struct series *series)
{
    static const char *const names[] = {"error",           "err",          "current error",
                                        "*training error", "*train error", "train_error"};
    size_t count = 0, at = 0;
    for (size_t i = 0; i < run->series_count; i++) {
        if (series[i].kind == KIND_LOSS || series[i].kind == KIND_REWARD)
            return;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (series[i].kind == KIND_METRIC && series[i].speaks &&
                text_glob(text_of(names[k]), series[i].tag, true)) {
                count++;
                at = i;
            }
    }
    const struct track *track = count == 1 ? &series[at].whole : NULL;
    if (track && (track->low.value < track->high.value || track_bad(track) == track->points)) {
        series[at].kind = KIND_LOSS;
        series[at].direction = DIRECTION_DOWN;
    }
}

/* An evidence bound is below zero and rises; printed with its sign turned it is a loss. */
static void evidence_bounds(const struct run *run, struct series *series)
{
    for (size_t i = 0; i < run->series_count; i++)
        if ((series[i].kind == KIND_LOSS || series[i].kind == KIND_VAL_LOSS) &&
            series[i].whole.high.value < 0 && text_glob(TEXT("*elbo*"), series[i].tag, true))
            series[i].kind = KIND_OTHER;
}

/* Where the best are parts, one of them may be the sum of the others. */
static size_t or_their_sum(const struct run *run, struct series *series, size_t main)
{
    const enum kind kind = series[main].kind;
    if ((kind != KIND_LOSS && kind != KIND_VAL_LOSS) || series[main].class < CLASS_PART)
        return main;
    const size_t total = summed_total(run, series, kind);
    if (total == run->series_count)
        return main;
    series[total].class = 0;
    return total;
}

static void rank_speaks(struct run *run, struct series *series, int32_t rank)
{
    run->speaking_rank = rank;
    for (size_t i = 0; i < run->series_count; i++)
        series[i].speaks = series[i].rank == rank || series[i].rank == -1;
}

void mains_choose(struct run *run, struct series *series, const struct details *details)
{
    rank_speaks(run, series, rank_speaking(run, series));
    for (size_t i = 0; i < run->series_count; i++)
        run->reinforcement = run->reinforcement || details[i].reinforcement;
    run->reinforcement = run->reinforcement || explores(run, series, details);
    lone_adversary(run, series);
    lone_error(run, series);
    evidence_bounds(run, series);
    struct choice choice = {.run = run, .series = series, .details = details};
    for (enum kind kind = 0; kind < KIND_OTHER; kind++) {
        choice.kind = kind;
        size_t main = main_of(&choice, true);
        if (main == run->series_count)
            main = main_of(&choice, false);
        if (main == run->series_count)
            continue;
        main = twin_precise(&choice, or_their_sum(run, series, main));
        series[main].main = series[main].speaks = true;
        if (kind == KIND_LOSS) {
            if (series[main].rank != run->speaking_rank && series[main].rank != -1)
                rank_speaks(run, series, series[main].rank);
            choice.loss = &details[main];
            choice.loss_input = series[main].input;
            for (size_t i = 0; i < run->series_count; i++) /* what is printed beside it */
                if (series[i].rank == series[main].rank && shares(&details[i], choice.loss))
                    series[i].speaks = true;
        }
        whole_of(run, series, main);
    }
}
