/* Upward excursions of a list of readings against a running level of accepted ones. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/measure.h"

enum { RING = 32, LEAST = 12, LONGEST = 32 };
static const double longest_share = 0.1, score_offset = 3, noise_floor = 0.01;

struct level { /* the last accepted readings */
    double ring[RING];
    size_t count, next;
    double median, sigma;
};

static void level_update(struct level *level)
{
    double values[RING], steps[RING];
    size_t count = level->count, oldest = count < RING ? 0 : level->next;
    for (size_t i = 0; i < count; i++)
        values[i] = level->ring[(oldest + i) % RING];
    for (size_t i = 0; i + 1 < count; i++)
        steps[i] = values[i + 1] - values[i];
    double sigma = count > 1 ? deviation_of(steps, count - 1) / sqrt(2) : 0;
    level->median = median_of(values, count);
    sigma = fmax(sigma, deviation_of(values, count));
    level->sigma = fmax(sigma, noise_floor);
}

static void level_feed(struct level *level, double u)
{
    level->ring[level->next] = u;
    level->next = (level->next + 1) % RING;
    if (level->count < RING)
        level->count++;
    level_update(level);
}

struct walk {
    const struct excursions *options;
    struct level level;
    struct episode now;
    double peak; /* in u */
    bool open;
};

/* From the opening back to where the readings left the level. */
static struct point opening(const struct walk *walk, const struct point *points, size_t at,
                            const struct scale *scale)
{
    double limit = walk->level.median + walk->options->open_sigma * walk->level.sigma;
    while (at > 0 && isfinite(points[at - 1].value) &&
           scale_up(scale, points[at - 1].value) > limit)
        at--;
    return points[at];
}

static void walk_open(struct walk *walk, struct point start, double u, const struct scale *scale)
{
    walk->open = true;
    walk->peak = u;
    walk->now = (struct episode){
        .start = start,
        .peak = start,
        .end = {.step = STEP_NONE, .value = NAN},
        .median = scale_down(scale, walk->level.median),
        .deviation = walk->level.sigma,
        .open = true,
    };
}

static void walk_in(struct walk *walk, const struct point *point, double u)
{
    double z = (u - walk->level.median) / walk->level.sigma;
    walk->now.score += fmax(0, z - score_offset);
    walk->now.readings++;
    if (u >= walk->peak) {
        walk->peak = u;
        walk->now.peak = *point;
    }
    walk->now.height = walk->peak - walk->level.median;
}

size_t episodes_of(const struct point *points, size_t count, const struct scale *scale,
                   const struct excursions *options, struct episode *episodes, size_t most)
{
    struct walk walk = {.options = options};
    size_t found = 0;
    for (size_t i = (size_t)options->skip; i < count && found < most; i++) {
        if (!isfinite(points[i].value)) {
            if (walk.open) {
                walk.now.cut = true;
                walk.now.open = false;
                walk.open = false;
                episodes[found++] = walk.now;
            }
            continue;
        }
        double u = scale_up(scale, points[i].value), over = u - walk.level.median;
        double limit =
            fmax(options->open_sigma * walk.level.sigma, scale_ratio(scale, options->open_ratio));
        if (!walk.open && walk.level.count >= LEAST && over > limit)
            walk_open(&walk, opening(&walk, points, i, scale), u, scale);
        if (!walk.open) {
            level_feed(&walk.level, u);
            continue;
        }
        double close =
            fmax(options->close_sigma * walk.level.sigma, scale_ratio(scale, options->close_ratio));
        bool back = over <= close;
        bool longer = (double)walk.now.readings > fmax(LONGEST, longest_share * (double)i);
        if (!back && !longer) {
            walk_in(&walk, &points[i], u);
            continue;
        }
        walk.now.end = points[i];
        walk.now.open = false;
        walk.now.level = !back;
        episodes[found++] = walk.now;
        walk.open = false;
        if (!back)
            walk.level.count = walk.level.next = 0;
        level_feed(&walk.level, u);
    }
    if (walk.open && found < most)
        episodes[found++] = walk.now;
    return found;
}
