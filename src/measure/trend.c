/* Is there a trend at all (Mann-Kendall), and how steep is it (Theil-Sen). */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/measure.h"

#include <assert.h>
#include <stdlib.h>

enum { PAIRS_MAX = GROUPS_MAX * (GROUPS_MAX - 1) / 2 };

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Sum over tied values of t (t - 1) (2 t + 5), which ties take from the variance. */
static double ties_of(const double *y, size_t count, double tie, double *pairs)
{
    double sorted[GROUPS_MAX], sum = 0;
    for (size_t i = 0; i < count; i++)
        sorted[i] = y[i];
    qsort(sorted, count, sizeof(*sorted), compare);
    *pairs = 0;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sorted[end] - sorted[i] <= tie; end++)
            continue;
        double t = (double)(end - i);
        sum += t * (t - 1) * (2 * t + 5);
        *pairs += t * (t - 1) / 2;
    }
    return sum;
}

struct trend trend_of(const double *x, const double *y, size_t count, double tie)
{
    struct trend trend = {0, 0, 0};
    assert(count <= GROUPS_MAX);
    if (count < 2)
        return trend;
    double slopes[PAIRS_MAX];
    size_t slope_count = 0;
    double sum = 0;
    for (size_t i = 0; i + 1 < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            double rise = y[j] - y[i];
            if (fabs(rise) > tie)
                sum += rise > 0 ? 1 : -1;
            if (x[j] > x[i])
                slopes[slope_count++] = rise / (x[j] - x[i]);
        }
    double n = (double)count, pairs = 0;
    double ties = ties_of(y, count, tie, &pairs);
    double variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
    if (variance > 0 && sum != 0)
        trend.z = (sum > 0 ? sum - 1 : sum + 1) / sqrt(variance);
    double all = n * (n - 1) / 2;
    if (pairs < all)
        trend.tau = sum / sqrt(all * (all - pairs));
    if (slope_count)
        trend.slope = median_of(slopes, slope_count);
    return trend;
}
