/* piled: a norm that grows from the first step on, smoothly: gradients are added up, not anew. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#define EARLY 0.35  /* of the climb, in ln, within a quarter of the readings */
#define ON 2.5      /* times the second group: one odd reading at the start makes no climb */
#define STEADY 0.95 /* tau of a climb that hardly ever pauses */

enum { RATIO, TAU, NOISE };
static const struct parameter parameters[] = {
    [RATIO] = {"ratio", "ratio", 1, 1e12, 4, "of the end over the first reading"},
    [TAU] = {"tau", "", 0, 1, 0.7, "Mann-Kendall tau of all readings"},
    /* The gradient of a batch differs from that of the next by a fifth and more; a sum does not. */
    [NOISE] = {"noise", "", 0, 10, 0.1, "deviation of a reading from its neighbours, in ln"},
};
static const char *const values[] = {"ratio", "tau", "noise", "start", "end", "points", NULL};

/* Of single readings, from one to the next behind the first third, where a sum still climbs fast.
 */
static double noise_of(const struct groups *groups)
{
    double steps[GROUPS_MAX];
    size_t count = 0;
    for (size_t i = groups->count / 3 + 1; i < groups->count; i++)
        steps[count++] = groups->group[i].y - groups->group[i - 1].y;
    const double each = (double)groups->points / (double)groups->count;
    return deviation_of(steps, count) / sqrt(2) * sqrt(each);
}

/* A sum climbs fast at first, and by ever smaller ratios; what runs away by ever larger ones. */
static bool slackens(const struct groups *groups)
{
    const size_t last = groups->count - 1;
    const double all = groups->group[last].y - groups->group[0].y;
    return groups->group[groups->count / 4].y - groups->group[0].y >= EARLY * all;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    struct groups groups;
    double x[GROUPS_MAX], y[GROUPS_MAX];
    if (use->segment > 0 || track_bad(track) > 0 || !groups_for(use, 0, false, &groups) ||
        !groups.scale.logarithmic || groups.count < 8)
        return true;
    for (size_t i = 0; i < groups.count; i++) {
        x[i] = groups.group[i].x;
        y[i] = groups.group[i].y;
    }
    const struct trend trend = trend_of(x, y, groups.count, groups.precision);
    const double start = track->first.value, end = groups.end;
    /* One reading an epoch is far from the next; that none falls tells as much. */
    const double noise = use->parameters[NOISE] * (trend.tau >= STEADY ? 2 : 1);
    if (!(start > 0) || end < use->parameters[RATIO] * start || trend.tau < use->parameters[TAU] ||
        noise_of(&groups) > noise || !slackens(&groups) ||
        end < ON * scale_down(&groups.scale, groups.group[1].y))
        return true;
    struct candidate candidate = candidate_at(use, 0, track->first);
    candidate.end_line = track->last.line;
    value_add(&candidate, "ratio", end / start);
    value_add(&candidate, "tau", trend.tau);
    value_add(&candidate, "noise", noise_of(&groups));
    value_add(&candidate, "start", start);
    value_add(&candidate, "end", end);
    value_add(&candidate, "points", (double)groups.points);
    evidence_add(&candidate, use->series[0], track->first, "the first reading");
    evidence_add(&candidate, use->series[0], track->last_finite, "the end");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_piled = {
    .name = "piled",
    .about = "a norm that grows from the first step on, smoothly, as a sum does",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
