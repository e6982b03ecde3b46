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

/* An array of samples: what each feature of it looks like. */
struct feature {
    uint64_t count, nan, inf;          /* values read: finite ones, and the others */
    double mean, deviation, low, high; /* of the finite ones; NAN where there are none */
    uint64_t low_count, high_count;    /* values equal to the extremes */
    double median, spread;             /* of a sample of the values; spread is 1.4826 * MAD */
    double usual;                      /* at least this share of the values is one value */
    bool whole;                        /* integers only */
    uint32_t codes;                    /* distinct ones of 0 .. 255; 0: beyond, or not whole */
    bool humped;                       /* their counts rise once and fall once, as of a quantity */
};
enum { FEATURES_MAX = 4096 };
struct tensor_features {
    uint64_t rows, width; /* values of a feature, features of the array */
    uint64_t step;        /* every step-th feature was looked at; 1: all */
    uint64_t read;        /* values of the array that were; fewer than all of a very large one */
    bool grid;            /* pixels: the features are channels, or neighbours of one range */
    const struct feature *features;
    size_t count;
};
/* The dimension whose positions are features: the last, or that of the channels of images. An array
   of one dimension is one feature: its rank is returned. */
int tensor_feature_axis(const struct tensor_view *view);
/* Reads every value of an array of a few million, parts spread over all of it beyond; arrays whose
   values cannot be read are passed over: *features is all zero then. */
bool tensor_features_measure(const struct tensor_view *view, struct arena *arena,
                             struct tensor_features *features, struct error *error);

struct tensor_labels { /* whole numbers as classes */
    uint64_t count, distinct;
    int64_t low, high;
    int64_t common, rare; /* classes of the largest and the smallest count */
    uint64_t most, least; /* their counts */
    uint64_t passed;      /* negative ones (-1, -100: to be passed over) and what is no number */
    bool whole;           /* all others are whole numbers under 65,536; else nothing is counted */
};
bool tensor_labels_measure(const struct tensor_view *view, struct tensor_labels *labels,
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
