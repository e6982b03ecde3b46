/* Medians, quantiles and spreads of short lists. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/measure.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double quantile_of(double *values, size_t count, double share)
{
    if (count == 0)
        return NAN;
    qsort(values, count, sizeof(*values), compare);
    double at = share * (double)(count - 1);
    size_t low = (size_t)at;
    if (low + 1 >= count)
        return values[count - 1];
    return values[low] + (at - (double)low) * (values[low + 1] - values[low]);
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
