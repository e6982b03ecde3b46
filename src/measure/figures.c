/* Figures that follow from a tensor's statistics. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/statistics.h"

#include <math.h>

uint64_t tensor_finite(const struct tensor_stats *stats)
{
    return stats->count - stats->nan - stats->inf;
}

double tensor_mean(const struct tensor_stats *stats)
{
    uint64_t finite = tensor_finite(stats);
    return finite ? stats->sum / (double)finite : (double)NAN;
}

double tensor_rms(const struct tensor_stats *stats)
{
    uint64_t finite = tensor_finite(stats);
    return finite ? sqrt(stats->square / (double)finite) : (double)NAN;
}

double tensor_deviation(const struct tensor_stats *stats)
{
    double mean = tensor_mean(stats), rms = tensor_rms(stats);
    if (isinf(rms))
        return rms; /* the squares overflowed: too wide to say more */
    double variance = rms * rms - mean * mean;
    return variance > 0 ? sqrt(variance) : isnan(variance) ? (double)NAN : 0;
}

double tensor_norm(const struct tensor_stats *stats)
{
    return stats->norm;
}

double tensor_absmax(const struct tensor_stats *stats)
{
    if (tensor_finite(stats) == 0)
        return (double)NAN;
    return -stats->low > stats->high ? -stats->low : stats->high;
}

double tensor_share_below(const struct tensor_stats *stats, int exponent)
{
    uint64_t below = 0, all = 0;
    for (int i = 0; i < stats->exponent_count; i++) {
        all += stats->exponents[i];
        below += stats->first_exponent + i < exponent ? stats->exponents[i] : 0;
    }
    return all ? (double)below / (double)all : 0;
}
