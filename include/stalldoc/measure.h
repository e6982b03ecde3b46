/* Numbers from series: groups, scale, noise, trends (detectors.md 2.4 to 2.7). */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_MEASURE_H
#define STALLDOC_MEASURE_H

#include "stalldoc/series.h"

enum { GROUPS_MAX = 64 };

struct scale {        /* u(v): comparable units of any series */
    bool logarithmic; /* u = ln(max(v, q/2)); else u = v / unit */
    double unit, precision;
    double level; /* median, as a value */
};
double scale_up(const struct scale *scale, double value); /* v -> u */
double scale_down(const struct scale *scale, double u);   /* u -> v */
/* A relative change by this ratio, in u: ln(ratio), or that share of the median level. */
double scale_ratio(const struct scale *scale, double ratio);
/* How a track is seen: by ratios where its kind is positive and no value is negative. */
struct scale scale_of(const struct track *track, enum kind kind);

struct group {
    double y;           /* mean, in u */
    double x;           /* mid step (or index where there are no steps) */
    double inside;      /* variance inside, in u */
    uint64_t count;     /* finite readings */
    struct point first; /* where it begins */
    int64_t last_step;
};

struct groups { /* what the end-of-run pass works on */
    struct group group[GROUPS_MAX];
    double smooth[GROUPS_MAX]; /* median of 3 of y; the edges from two values */
    size_t count;
    uint64_t points; /* finite readings behind them */
    struct scale scale;
    double sigma_group, sigma_point, sigma_inside; /* detectors.md 2.6, in u */
    double precision;                              /* q, in u at the median level */
    double drop;                                   /* D of detectors.md 2.9 */
    double start, end;                             /* levels of D, as values */
    double x_first, x_last;
};

/* Groups of a track after `skip` warm-up readings. False: no finite readings left. */
bool groups_of(const struct track *track, enum kind kind, uint64_t skip, struct groups *groups);
/* The same seen from below: y, smooth and the levels change their sign, so that "lower is better"
   holds of a metric as of a loss. The scale stays; scale_down(-y) is the value. */
void groups_turn(struct groups *groups);
/* Readings that count as warm-up (detectors.md 2.7); `rate` is the lr track or NULL. */
uint64_t warmup_of(const struct track *track, const struct track *rate, int64_t planned_steps);

double median_of(double *values, size_t count);    /* reorders; NAN for none */
double deviation_of(double *values, size_t count); /* 1.4826 * MAD; changes the values */
double quantile_of(double *values, size_t count, double share);
struct trend {
    double z, tau, slope; /* Mann-Kendall z and tau, Theil-Sen slope per x */
};
/* Of at most GROUPS_MAX points; differences up to `tie` are ties. */
struct trend trend_of(const double *x, const double *y, size_t count, double tie);

/* Where a bucket begins, with the mean of its finite readings (its value where there is one). */
struct point bucket_point(const struct bucket *bucket);
/* One point a bucket that holds a finite reading, in order; the readings themselves while
   `exact`. `points` holds BUCKETS_MAX. */
size_t track_points(const struct track *track, struct point *points, bool *exact);
/* Every reading of an exact track, NaN for those that are not finite; 0 where it is not exact. */
size_t track_readings(const struct track *track, struct point *points);
/* The finite readings at the end, oldest first: at most TAIL_MAX of a long track. */
size_t track_tail(const struct track *track, struct point *points, size_t most);
/* The middle of the first finite ones of `count` points, or of the last: of at most `most`, and
   TAIL_MAX, of them. NAN where there are none. */
double points_level(const struct point *points, size_t count, size_t most, bool last);
/* What 1 is in a track of shares: 100 where one of them is over 1, as percent are, else 1. */
double share_unit(const struct track *track);
/* The values that a track stands on, in order: a setting that is printed with every reading and
   seldom changes. 0: it takes more than `most`, or leaves one after a reading or two. */
struct tread {
    struct point first; /* where it begins */
    uint64_t points;
};
enum { TREADS_MOST = 8 };
size_t track_treads(const struct track *track, struct tread *treads, size_t most);
/* Upward excursions of an exact track or a short list (detectors.md 3.3), in u. */
struct excursions {
    double open_sigma, open_ratio, close_sigma, close_ratio;
    uint64_t skip; /* warm-up readings, which neither open one nor feed the level */
};
size_t episodes_of(const struct point *points, size_t count, const struct scale *scale,
                   const struct excursions *options, struct episode *episodes, size_t most);

#endif
