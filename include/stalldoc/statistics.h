/* Statistics of tensors: one pass each over their bytes, on several threads, the same bits on any
   number of them. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_STATISTICS_H
#define STALLDOC_STATISTICS_H

#include "stalldoc/arena.h"
#include "stalldoc/input.h"
#include "stalldoc/pool.h"
#include "stalldoc/tensor.h"

/* Measures views[i] into stats[i]; exponents are taken from `arena`, trimmed to what is there. The
   inputs of the views must be seekable. On false (a read failed, memory ended) the stats of the
   tensors before the failure are complete, the rest have count 0. */
bool tensors_measure(const struct tensor_view *views, size_t count, struct pool *pool,
                     struct arena *arena, struct tensor_stats *stats, struct error *error);

uint64_t tensor_count(const struct tensor_view *view);  /* elements; UINT64_MAX on overflow */
bool tensor_contiguous(const struct tensor_view *view); /* row-major without holes */

uint64_t tensor_finite(const struct tensor_stats *stats);
double tensor_mean(const struct tensor_stats *stats); /* NAN where nothing is finite */
double tensor_deviation(const struct tensor_stats *stats);
double tensor_rms(const struct tensor_stats *stats);
double tensor_norm(const struct tensor_stats *stats); /* l2 over the finite values */
double tensor_absmax(const struct tensor_stats *stats);
/* Share of the finite non-zero values whose magnitude is below 2^exponent. */
double tensor_share_below(const struct tensor_stats *stats, int exponent);

struct tensor_rows {        /* the first dimension against the rest: output units, channels */
    uint64_t rows, length;  /* of a row; 0 rows where the tensor has under two dimensions */
    uint64_t zero;          /* rows of zeros only */
    uint64_t small;         /* norm under 1e-3 of the median norm, zero rows included */
    uint64_t identical;     /* rows whose bytes another row has too; zero rows left out */
    double median, largest; /* norms */
};
bool tensor_rows_measure(const struct tensor_view *view, struct tensor_rows *rows,
                         struct error *error);

struct tensor_pair {
    double diff_l2;   /* norm of b - a over positions finite in both */
    double relative;  /* diff_l2 over the norm of a */
    double cosine;    /* NAN where a norm is 0 */
    uint64_t changed; /* elements whose bits differ */
    bool identical;   /* same bytes */
};
/* Same dtype and shape, else ERROR_UNSUPPORTED. */
bool tensor_pair_measure(const struct tensor_view *a, const struct tensor_view *b,
                         struct tensor_pair *pair, struct error *error);
/* `count` elements from element `first` (row-major order of the view) as doubles; complex values
   as their magnitude. For small uses; reads through the input's pread. */
bool tensor_values(const struct tensor_view *view, uint64_t first, size_t count, double *values,
                   struct error *error);

#endif
