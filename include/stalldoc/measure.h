/* Numbers from series: groups, scale, noise, trends (detectors.md 2.4 to 2.7). */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_MEASURE_H
#define STALLDOC_MEASURE_H

#include "stalldoc/series.h"

enum { GROUPS_MAX = 64 };

struct scale { /* u(v): comparable units of any series */
    bool logarithmic; /* u = ln(max(v, q/2)); else u = v / unit */
    double unit, precision;
};
double scale_up(const struct scale *scale, double value);  /* v -> u */
double scale_down(const struct scale *scale, double u);    /* u -> v */

struct group {
    double y;       /* mean, in u */
    double x;       /* mid step (or index where there are no steps) */
    double inside;  /* variance inside, in u */
    uint64_t count;
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
    double drop;   /* D of detectors.md 2.9 */
    double start, end; /* levels of D, as values */
    double x_first, x_last;
};

/* Groups of a track after `skip` warm-up readings. False: no finite readings left. */
bool groups_of(const struct track *track, enum kind kind, uint64_t skip, struct groups *groups);
/* Readings that count as warm-up (detectors.md 2.7); `rate` is the lr track or NULL. */
uint64_t warmup_of(const struct track *track, const struct track *rate, int64_t planned_steps);

double median_of(double *values, size_t count);          /* reorders; NAN for none */
double deviation_of(double *values, size_t count);       /* 1.4826 * MAD; reorders */
double quantile_of(double *values, size_t count, double share);
struct trend {
    double z, tau, slope; /* Mann-Kendall z and tau, Theil-Sen slope per x */
};
struct trend trend_of(const double *x, const double *y, size_t count, double tie);

#endif
