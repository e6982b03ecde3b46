/* nonfinite: readings that are NaN or infinite, and what came before the first of them. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include <string.h>

enum { HISTORY, RISE, SEARCH, SEARCH_SHARE };
enum { HISTORY_MAX = 64, PARTS_LEAST = 2 };
static const double CLIMB = 1.25; /* above all that stands before */
static const double TORN = 10;    /* of a part in one reading, over all that stands before */
static const struct parameter parameters[] = {
    [HISTORY] = {"history", "readings", 2, HISTORY_MAX, 10, "how far back a rise is looked for"},
    [RISE] = {"rise", "ratio", 1, 1e6, 2, "from the lowest of them to the last: after-rise"},
    /* The search for a loss scale overflows once a halving. */
    [SEARCH] = {"search", "readings", 0, 1e6, 20, "that the search for a loss scale may cost"},
    [SEARCH_SHARE] = {"search-share", "share", 0, 1, 0.005, "and later, of all readings"},
};
static const char *const values[] = {"share",   "count",           "points", "row",       "at-end",
                                     "before",  "ratio",           "at",     "first",     "scaled",
                                     "rare",    "about",           "again",  "beside",    "sound",
                                     "history", "validation-only", "period", "untrained", NULL};
static const char *const forms[] = {"instant",  "after-rise", "torn", "out-of-the-blue",
                                    "isolated", "row",        "part", NULL};

/* The share of finite readings behind the first that is not. Weights that took such a gradient give
   no finite loss any more: where many follow, the steps were skipped, or the loss alone broke. */
static double sound_behind(const struct track *track)
{
    const double bad = (double)track_bad(track), points = (double)track->points;
    const double behind = points - (double)count_before(track, &track_nonfinite(track)->first);
    return behind > 0 ? fmax(0, behind - bad) / behind : 0;
}

static bool bad_end(const struct track *track)
{
    return track_nonfinite(track)->last_run > 0;
}

/* A part that has come back from a longer run of them than the last comes back from that one too.
 */
static bool part_ends(const struct track *track)
{
    const struct nonfinite *bad = track_nonfinite(track);
    return bad->last_run > 0 && bad->last_run >= bad->longest_run;
}

/* A loss scale is in use: overflowing norms are how it is found. */
static bool scaled(const struct use *use)
{
    if (!use->run)
        return false;
    return run_main(use->run, KIND_LOSS_SCALE) || fact_is(use, "precision", "fp16");
}

/* The last three stand clear of all that came before them. */
static bool climbs(const struct scale *scale, const struct point *before, size_t count)
{
    enum { LAST = 3, EARLIER = 3 };
    if (count < LAST + EARLIER)
        return false;
    double high = -(double)INFINITY, low = (double)INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double value = scale_up(scale, before[i].value);
        if (i + LAST < count)
            high = fmax(high, value);
        else
            low = fmin(low, value);
    }
    return low - high >= scale_ratio(scale, CLIMB);
}

/* What a reading strays from the one before it, over the readings in front of the last `count`;
   0: there are too few. */
static double strays(const struct track *track, const struct scale *scale, size_t count)
{
    enum { LEAST = 8 };
    struct point readings[HISTORY_MAX];
    double steps[HISTORY_MAX];
    const struct point *here = &track_nonfinite(track)->first;
    const size_t all = readings_before(track, here, readings, HISTORY_MAX);
    if (all < count + LEAST + 1)
        return 0;
    for (size_t i = 1; i < all - count; i++)
        steps[i - 1] =
            fabs(scale_up(scale, readings[i].value) - scale_up(scale, readings[i - 1].value));
    return median_of(steps, all - count - 1);
}

static const char *form_of(const struct use *use, const struct track *track,
                           const struct scale *scale, const struct point *before, size_t count,
                           double *ratio)
{
    static const double beyond = 3; /* times what readings stray: more than ten of them span */
    const bool stays = bad_end(track);
    *ratio = (double)NAN;
    if (count == 0)
        return "instant";
    double low = scale_up(scale, before[0].value), last = scale_up(scale, before[count - 1].value);
    for (size_t i = 1; i < count; i++)
        low = fmin(low, scale_up(scale, before[i].value));
    if (scale->logarithmic)
        *ratio = exp(last - low);
    else if (scale_down(scale, low) > 0)
        *ratio = scale_down(scale, last) / scale_down(scale, low);
    /* Of a run that was under way, the log shows the end alone. */
    enum { UNDER_WAY = 200 };
    const bool late = before[0].step != STEP_NONE && before[0].step >= UNDER_WAY;
    if (count < 2)
        return stays && !late ? "instant" : "out-of-the-blue";
    const double least =
        fmax(scale_ratio(scale, use->parameters[RISE]), beyond * strays(track, scale, count));
    bool rose = (last - low >= least && last > low) || climbs(scale, before, count);
    return rose ? "after-rise" : "out-of-the-blue";
}

/* How far the series rose before it broke; 0: it did not. */
static double rise_before(const struct use *use, const struct series *series)
{
    const struct track *track = &series->segments[use->segment];
    const struct nonfinite *bad = track_nonfinite(track);
    struct point before[HISTORY_MAX];
    const size_t count =
        readings_before(track, &bad->first, before, (size_t)use->parameters[HISTORY]);
    const struct scale scale = scale_of(track, series->kind);
    double ratio;
    if (strcmp(form_of(use, track, &scale, before, count, &ratio), "after-rise") != 0)
        return 0;
    return isfinite(ratio) ? ratio : 1;
}

/* No whole loss is printed, and its parts broke as one: the part that rose the most speaks for it.
   NULL: none rose. */
static const struct series *risen_part(const struct use *use)
{
    const struct series *own = use->series[0], *found = NULL;
    double most = 0;
    for (size_t i = 0; use->run && i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        if (series->kind != own->kind || series->scope != SCOPE_PART || !series->speaks ||
            use->segment >= series->segment_count)
            continue;
        const double rise = rise_before(use, series);
        if (rise > most) {
            most = rise;
            found = series;
        }
    }
    return found;
}

/* What a part of the loss is made of, by its name: data that is marked by hand, or an operation
   with a domain. */
static const char *about(struct text tag)
{
    static const char *const marked[] = {
        "box",  "bbox", "boxes",    "giou", "iou",       "ciou",      "diou",   "reg",  "landmark",
        "mask", "kpt",  "keypoint", "pose", "keypoints", "landmarks", "offset", "rbox", NULL};
    static const char *const domain[] = {"kl",     "kld",    "kldiv", "log",      "nll", "entropy",
                                         "std",    "var",    "sigma", "variance", "cos", "cosine",
                                         "logvar", "logdet", "sqrt",  "exp",      NULL};
    return tag_has(tag, marked) ? "marks" : tag_has(tag, domain) ? "domain" : "";
}

/* An earlier attempt broke at the same step. */
static bool again(const struct use *use)
{
    const struct point *here = &track_nonfinite(use->tracks[0])->first;
    for (uint32_t i = 0; i < use->segment && here->step != STEP_NONE; i++) {
        const struct nonfinite *before = track_nonfinite(&use->series[0]->segments[i]);
        if (before->nan + before->inf > 0 && before->first.step == here->step)
            return true;
    }
    return false;
}

/* Readings from one that is no number to the next, where they come one by one and evenly: at the
   same samples of every epoch. 0: they do not. */
static double period(const struct track *track)
{
    enum { LEAST = 4, TIMES = 3 };
    struct point readings[BUCKETS_MAX];
    const size_t count = track_readings(track, readings);
    size_t last = 0, gap = 0, times = 0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(readings[i].value))
            continue;
        if (times > 1 && i - last != gap)
            return 0;
        gap = i - last;
        last = i;
        times++;
    }
    return times >= TIMES && gap >= LEAST ? (double)gap : 0;
}

/* What broke in the line in which this part did. */
struct breaking {
    bool all, total; /* every other of the kind did, and a whole one is among them */
    size_t parts;    /* besides this one */
};

static struct breaking breaking_of(const struct use *use)
{
    const struct series *own = use->series[0];
    const struct point *first = &track_nonfinite(use->tracks[0])->first;
    struct breaking breaking = {.all = true};
    for (size_t i = 0; use->run && i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        if (series == own || series->kind != own->kind || !series->speaks ||
            use->segment >= series->segment_count)
            continue;
        const struct nonfinite *bad = track_nonfinite(&series->segments[use->segment]);
        if (bad->nan + bad->inf == 0 || bad->first.line != first->line)
            breaking.all = false;
        breaking.total = breaking.total || series->scope == SCOPE_TOTAL;
        breaking.parts += series->scope == SCOPE_PART;
    }
    return breaking;
}

/* All that the loss is made of broke with it at one reading: none of them is the part that did. */
static bool together(const struct breaking *breaking)
{
    return breaking->all && breaking->total && breaking->parts >= PARTS_LEAST;
}

/* Readings up to the line of `here`, the last one in it; 0: none is in it. */
static size_t readings_at(const struct track *track, const struct point *here,
                          struct point readings[HISTORY_MAX])
{
    struct point behind = *here;
    behind.line++;
    behind.offset++;
    if (behind.step != STEP_NONE)
        behind.step++;
    const size_t count = readings_before(track, &behind, readings, HISTORY_MAX);
    return count > 0 && readings[count - 1].line == here->line ? count : 0;
}

/* How far the reading in that line stands over all finite ones before it; 0: none there. */
static double jump_at(const struct track *track, const struct point *here)
{
    struct point readings[HISTORY_MAX];
    const size_t count = readings_at(track, here, readings);
    if (count < 3)
        return 0;
    double most = 0;
    for (size_t i = 0; i + 1 < count; i++)
        most = fmax(most, fabs(readings[i].value));
    return most > 0 ? fabs(readings[count - 1].value) / most : 0;
}

/* The whole loss broke in a line in which a part of it, still finite, had gone far over all that it
   was: the weights ran away, whichever part is no number. How far; 0: no such part. */
static double torn(const struct use *use)
{
    const struct point *first = &track_nonfinite(use->tracks[0])->first;
    double most = 0;
    bool total = false;
    for (size_t i = 0; use->run && i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        if (series->kind != KIND_LOSS || !series->speaks || use->segment >= series->segment_count)
            continue;
        const struct track *track = &series->segments[use->segment];
        const struct nonfinite *bad = track_nonfinite(track);
        if (series->scope == SCOPE_TOTAL)
            total = total || (bad->nan + bad->inf > 0 && bad->first.line == first->line);
        else if (bad->nan + bad->inf == 0)
            most = fmax(most, jump_at(track, first));
    }
    return total && most >= TORN ? most : 0;
}

/* Not one reading is a number, and a whole loss of training beside it, read as often, is one
   throughout: what was never computed is averaged here, and it is no part of what is trained. */
static bool never_was(const struct use *use)
{
    const struct series *own = use->series[0];
    const struct track *track = use->tracks[0];
    const struct nonfinite *bad = track_nonfinite(track);
    if (bad->nan < track->points || (own->kind != KIND_LOSS && own->kind != KIND_ADVERSARIAL))
        return false;
    for (size_t i = 0; use->run && i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        if (series == own || series->kind != KIND_LOSS || series->phase != own->phase ||
            series->rank != own->rank || series->scope != SCOPE_TOTAL ||
            use->segment >= series->segment_count)
            continue;
        const struct track *beside = &series->segments[use->segment];
        if (!track_bad(beside) && beside->points >= track->points && beside->points >= 3)
            return true;
    }
    return false;
}

/* The line says over how many the average was taken: over none. Elsewhere there were some. */
static bool over_nothing(const struct use *use)
{
    static const char *const counts[] = {"count", "counts", "num", "number", "samples", "n", NULL};
    const struct point *first = &track_nonfinite(use->tracks[0])->first;
    for (size_t i = 0; use->run && i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        if (!tag_has(series->tag, counts) || use->segment >= series->segment_count)
            continue;
        const struct track *track = &series->segments[use->segment];
        struct point readings[HISTORY_MAX];
        const size_t count = readings_at(track, first, readings);
        if (count > 0 && readings[count - 1].value == 0 && track->high.value > 0)
            return true;
    }
    return false;
}

/* Of what no name tells: it was a number for long enough, and is none any more to the end. */
static bool broke_for_good(const struct track *track)
{
    enum { BEFORE = 5, BEHIND = 3 };
    const struct nonfinite *bad = track_nonfinite(track);
    return bad->last_run >= BEHIND && bad->last_run >= bad->longest_run &&
           bad->nan + bad->inf + BEFORE <= track->points;
}

/* Where nothing is known to be the loss, the first that broke for good stands for it. */
static bool stands_for_loss(const struct use *use)
{
    const struct series *own = use->series[0];
    if (!use->run || !broke_for_good(use->tracks[0]))
        return false;
    const struct point *first = &track_nonfinite(use->tracks[0])->first;
    for (const struct series *series = use->run->series; series < own; series++)
        if (series->kind == KIND_OTHER && series->speaks && use->segment < series->segment_count &&
            broke_for_good(&series->segments[use->segment]) &&
            track_nonfinite(&series->segments[use->segment])->first.line <= first->line)
            return false;
    return true;
}

/* The first loss, of step 0: no update came before it. */
static bool untrained(const struct use *use)
{
    const struct track *track = use->tracks[0];
    const struct series *series = use->series[0];
    return use->segment == 0 && series->kind == KIND_LOSS && series->basis == BASIS_STEP &&
           track->first.step == 0 && track_nonfinite(track)->first.step == 0 &&
           track_nonfinite(track)->first.line == track->first.line;
}

/* Training goes on with finite losses behind it: validation broke alone, and no weights did. */
static bool only_validation(const struct use *use)
{
    const struct track *train = companion(use, KIND_LOSS, NULL);
    const struct point *first = &track_nonfinite(use->tracks[0])->first;
    return use->series[0]->kind == KIND_VAL_LOSS && train && train->points > 0 &&
           track_bad(train) == 0 && point_before(first, &train->last_finite);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    const struct nonfinite *bad = track_nonfinite(track);
    const struct series *series = use->series[0];
    double count = (double)(bad->nan + bad->inf), points = (double)track->points;
    if (count == 0 || (series->kind == KIND_OTHER && !stands_for_loss(use)))
        return true;
    const bool part = strcmp(use->form, "part") == 0,
               ends = part ? part_ends(track) : bad_end(track);
    const double tear = series->kind == KIND_LOSS ? torn(use) : 0;
    const struct breaking breaking = breaking_of(use);
    if (part && (together(&breaking) || tear > 0))
        return true;
    const bool split = part && breaking.all && !breaking.total && breaking.parts > 0;
    const struct series *risen = split ? risen_part(use) : NULL;
    if (risen && risen != series)
        return true;
    bool norm = series->kind == KIND_GRAD_NORM, fp16 = scaled(use);
    double tolerated = use->parameters[SEARCH] + use->parameters[SEARCH_SHARE] * points;
    if (norm && fp16 && count <= fmin(tolerated, points / 2) && !bad_end(track))
        return true;

    struct point before[HISTORY_MAX];
    size_t most = (size_t)use->parameters[HISTORY];
    size_t before_count = readings_before(track, &bad->first, before, most);
    struct scale scale = scale_of(track, series->kind);
    double ratio;
    const char *history = form_of(use, track, &scale, before, before_count, &ratio);
    if (tear > 0 && strcmp(history, "out-of-the-blue") == 0) {
        history = "torn";
        ratio = tear;
    }

    struct candidate candidate = candidate_at(use, 0, bad->first);
    if (norm)
        candidate.form = bad->longest_run >= 2 ? "row" : "isolated";
    else if (!part || risen)
        candidate.form = history;
    candidate.last_step = bad->last.step;
    value_add(&candidate, "share", count / points);
    value_add(&candidate, "count", count);
    value_add(&candidate, "points", points);
    value_add(&candidate, "row", (double)bad->longest_run);
    value_add(&candidate, "at-end", ends);
    value_add(&candidate, "before", before_count ? before[before_count - 1].value : (double)NAN);
    value_add(&candidate, "ratio", ratio);
    value_add(&candidate, "at", share_at(track, &bad->first));
    value_add(&candidate, "scaled", fp16);
    /* Only printed where it overflowed: few against all steps. */
    value_add(&candidate, "rare", use->run && (double)use->run->step_count > 5 * count);
    value_add_text(&candidate, "about", about(series->tag));
    value_add(&candidate, "again", again(use));
    value_add(&candidate, "period", period(track));
    value_add(&candidate, "beside", never_was(use) || over_nothing(use));
    value_add(&candidate, "validation-only", only_validation(use));
    value_add(&candidate, "history", (double)count_before(track, &bad->first));
    value_add(&candidate, "sound", sound_behind(track));
    value_add(&candidate, "untrained", untrained(use));
    value_add_text(&candidate, "first", isnan(bad->first.value) ? "nan" : "infinite");
    if (before_count)
        evidence_add(&candidate, series, before[before_count - 1], "the last finite reading");
    evidence_add(&candidate, series, bad->first, "the first that is not");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_nonfinite = {
    .name = "nonfinite",
    .about = "readings that are NaN or infinite",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .detect = detect,
};
