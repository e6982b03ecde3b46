/* Bins that grow twice as wide when the span outgrows them. */
/* SPDX-License-Identifier: MIT */
#include "read/side/busy.h"

#include <math.h>
#include <string.h>

#define FIRST_WIDTH 1.0 /* in whatever unit the times have */

static void widen(struct busy *busy)
{
    for (size_t i = 0; i < BUSY_BINS / 2; i++)
        busy->bins[i] = busy->bins[2 * i] + busy->bins[2 * i + 1];
    memset(busy->bins + BUSY_BINS / 2, 0, BUSY_BINS / 2 * sizeof(*busy->bins));
    busy->width *= 2;
}

/* Room before bin 0, where the end is empty. */
static bool shift(struct busy *busy, size_t by)
{
    for (size_t i = BUSY_BINS - by; i < BUSY_BINS; i++)
        if (busy->bins[i] > 0)
            return false;
    memmove(busy->bins + by, busy->bins, (BUSY_BINS - by) * sizeof(*busy->bins));
    memset(busy->bins, 0, by * sizeof(*busy->bins));
    busy->base -= (double)by * busy->width;
    return true;
}

static bool reach(struct busy *busy, double begin, double end)
{
    enum { WIDER_MOST = 1100 }; /* every double lies within */
    for (int i = 0; i < WIDER_MOST; i++) {
        const double before = ceil((busy->base - begin) / busy->width);
        if (before <= 0 && (end - busy->base) / busy->width < BUSY_BINS)
            return true;
        if (before > 0 && before < BUSY_BINS && shift(busy, (size_t)before))
            continue;
        widen(busy);
    }
    return false;
}

bool busy_add(struct busy *busy, double begin, double length)
{
    static const double FAR = 1e18;
    if (!(length >= 0) || !(fabs(begin) < FAR) || !(length < FAR))
        return false;
    if (busy->width == 0) {
        busy->base = begin;
        busy->width = FIRST_WIDTH;
    }
    const double end = begin + length;
    if (!reach(busy, begin, end))
        return false;
    const size_t first = (size_t)((begin - busy->base) / busy->width);
    const size_t last = (size_t)((end - busy->base) / busy->width);
    for (size_t i = first; i <= last && i < BUSY_BINS; i++) {
        const double from = busy->base + (double)i * busy->width;
        busy->bins[i] += fmax(fmin(end, from + busy->width) - fmax(begin, from), 0);
    }
    return true;
}

double busy_share(const struct busy *busy, double begin, double length)
{
    double sum = 0;
    const double end = begin + length;
    if (busy->width == 0 || !(length > 0))
        return (double)NAN;
    const double at = floor((begin - busy->base) / busy->width);
    for (size_t i = at > 0 ? (size_t)fmin(at, BUSY_BINS) : 0; i < BUSY_BINS; i++) {
        const double from = busy->base + (double)i * busy->width;
        if (from >= end)
            break;
        const double part = fmin(end, from + busy->width) - fmax(begin, from);
        sum += fmax(part, 0) / busy->width * fmin(busy->bins[i], busy->width);
    }
    return fmin(sum / length, 1);
}
