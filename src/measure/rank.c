/* Medians, quantiles and spreads of short lists. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/measure.h"

/* Puts at `rank` what sorting would put there, nothing larger before it and nothing smaller behind:
   a few passes over ever shorter parts, where sorting would take them all. */
static void rank_settle(double *values, size_t count, size_t rank)
{
    size_t low = 0, end = count;
    while (low + 1 < end) {
        const double pivot = values[rank];
        size_t i = low, j = end; /* behind the next from above */
        do {
            while (values[i] < pivot)
                i++;
            while (values[j - 1] > pivot)
                j--;
            if (i < j) {
                const double value = values[i];
                values[i++] = values[j - 1];
                values[--j] = value;
            }
        } while (i < j);
        if (j <= rank)
            low = i;
        if (rank < i)
            end = j;
    }
}

double quantile_of(double *values, size_t count, double share)
{
    if (count == 0)
        return NAN;
    const double at = share * (double)(count - 1);
    const size_t low = (size_t)at < count ? (size_t)at : count - 1;
    rank_settle(values, count, low);
    if (low + 1 >= count)
        return values[low];
    double next = values[low + 1];
    for (size_t i = low + 2; i < count; i++)
        next = values[i] < next ? values[i] : next;
    return values[low] + (at - (double)low) * (next - values[low]);
}

double median_of(double *values, size_t count)
{
    return quantile_of(values, count, 0.5);
}

double deviation_of(double *values, size_t count)
{
    double median = median_of(values, count);
    for (size_t i = 0; i < count; i++)
        values[i] = fabs(values[i] - median);
    return 1.4826 * median_of(values, count);
}
