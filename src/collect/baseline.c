/* The running baseline of a track: median and spread of the last 32 accepted values. */
/* SPDX-License-Identifier: MIT */
#include "track_state.h"

/* Noise of a point never counts as less than this, in u (detectors.md 2.6). */
#define DEVIATION_FLOOR 0.01
#define MAD_SCALE 1.4826
#define LN_OPEN 0.22314355131420976     /* ln 1.25 */
#define LN_OPEN_NORM 2.0794415416798357 /* ln 8: norms are heavy-tailed */
#define LN_CLOSE 0.09531017980432493    /* ln 1.1 */

/* A baseline is refreshed after 1/128 of the readings so far, between these. */
enum { DUE_FIRST = 8, DUE_LEAST = 32, DUE_MOST = 4096, DUE_SHARE = 128 };

double natural_log(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    int exponent = (int)(bits >> 52) - 1023;
    if (exponent == -1023) { /* subnormal */
        value *= 0x1p54;
        memcpy(&bits, &value, sizeof(bits));
        exponent = (int)(bits >> 52) - 1023 - 54;
    }
    bits = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000);
    double m;
    memcpy(&m, &bits, sizeof(m));
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exponent++;
    }
    const double t = (m - 1) / (m + 1), s = t * t;
    double p = 1.0 / 19;
    for (int k = 17; k >= 1; k -= 2)
        p = p * s + 1.0 / k;
    return 2 * t * p + exponent * 0.6931471805599453;
}

/* A bitonic sort of 32: the same compares whatever the values, so no branch is missed. */
static void compare_exchange(double *a, double *b)
{
    const double x = *a, y = *b;
    *a = y < x ? y : x;
    *b = y < x ? x : y;
}

static void sort_ring(double a[BASELINE_VALUES], size_t n)
{
    for (size_t i = n; i < BASELINE_VALUES; i++)
        a[i] = (double)INFINITY;
    for (size_t k = 2; k <= BASELINE_VALUES; k *= 2) {
        for (size_t base = 0; base < BASELINE_VALUES; base += k)
            for (size_t i = 0; i < k / 2; i++)
                compare_exchange(&a[base + i], &a[base + k - 1 - i]);
        for (size_t j = k / 4; j >= 1; j /= 2)
            for (size_t base = 0; base < BASELINE_VALUES; base += 2 * j)
                for (size_t i = 0; i < j; i++)
                    compare_exchange(&a[base + i], &a[base + i + j]);
    }
}

static double middle(const double *sorted, size_t n)
{
    return n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

static double deviation(double *values, size_t n)
{
    sort_ring(values, n);
    const double median = middle(values, n);
    for (size_t i = 0; i < n; i++)
        values[i] = fabs(values[i] - median);
    sort_ring(values, n);
    return MAD_SCALE * middle(values, n);
}

static double precision(const struct state *state)
{
    double q = 1;
    for (int i = state->places < 300 ? state->places : 300; i > 0; i--)
        q /= 10;
    for (int i = state->places > -300 ? state->places : -300; i < 0; i++)
        q *= 10;
    return q > 0 ? q : 1e-300;
}

double baseline_up(const struct state *state, double value)
{
    if (!state->baseline.logarithmic)
        return value / state->baseline.unit;
    const double least = 0.5 * state->baseline.quantum;
    return natural_log(value > least ? value : least);
}

double baseline_height(const struct state *state, double value)
{
    return baseline_up(state, value) - baseline_up(state, state->baseline.median);
}

double baseline_opens(const struct state *state)
{
    const double least = state->kind == KIND_GRAD_NORM ? LN_OPEN_NORM : LN_OPEN;
    const double noise = 6 * state->baseline.deviation;
    return noise > least ? noise : least;
}

double baseline_closes(const struct state *state)
{
    const double noise = 3 * state->baseline.deviation;
    return noise > LN_CLOSE ? noise : LN_CLOSE;
}

void baseline_restart(struct baseline *baseline)
{
    *baseline = (struct baseline){
        .bound = (double)INFINITY, .due = BASELINE_LEAST, .unit = 1, .quantum = 1};
}

static void set_bound(struct state *state)
{
    struct baseline *b = &state->baseline;
    /* The last digits of exp() differ between machines: the bound only filters, a hair low. */
    const double opens = baseline_opens(state) * (1 - 1e-9);
    b->bound = b->logarithmic ? b->median * exp(opens) : b->median + opens * b->unit;
    if (b->logarithmic && b->median <= 0)
        b->bound = b->quantum * 0.5 * exp(opens);
    if (!(b->bound == b->bound))
        b->bound = (double)INFINITY;
}

void baseline_refresh(struct state *state)
{
    struct baseline *b = &state->baseline;
    const size_t n = b->count;
    double v[BASELINE_VALUES], u[BASELINE_VALUES], d[BASELINE_VALUES];
    const size_t oldest = n < BASELINE_VALUES ? 0 : b->next;
    for (size_t i = 0; i < n; i++)
        v[i] = u[i] = b->ring[(oldest + i) % BASELINE_VALUES];
    sort_ring(v, n);
    b->median = middle(v, n);
    b->logarithmic = state->positive && state->negatives == 0;
    const double q = b->quantum = precision(state), level = fabs(b->median);
    const double spread = v[n * 3 / 4] - v[n / 4];
    b->unit = spread > 0.01 * level ? spread : 0.01 * level;
    if (b->unit < q)
        b->unit = q;
    if (!(b->unit > 0) || !isfinite(b->unit))
        b->unit = 1;
    for (size_t i = 0; i < n; i++)
        u[i] = baseline_up(state, u[i]);
    for (size_t i = 0; i + 1 < n; i++)
        d[i] = u[i + 1] - u[i];
    const double around = deviation(u, n), step = deviation(d, n - 1) * 0.7071067811865476;
    double floor = b->logarithmic ? (level > 0 ? q / level : 1) : q / b->unit;
    if (!(floor > DEVIATION_FLOOR))
        floor = DEVIATION_FLOOR;
    b->deviation = around > step ? around : step;
    if (!(b->deviation > floor))
        b->deviation = floor;
    set_bound(state);
    uint64_t due = DUE_LEAST;
    while (due < DUE_MOST && due * DUE_SHARE * 2 <= state->points)
        due *= 2;
    b->due = n < BASELINE_VALUES ? DUE_FIRST : due;
}

/* The caller hands over no more than `due` values. */
void baseline_accept(struct state *state, const double *values, size_t count)
{
    struct baseline *b = &state->baseline;
    const size_t skip = count > BASELINE_VALUES ? count - BASELINE_VALUES : 0;
    b->next = (unsigned)((b->next + skip) % BASELINE_VALUES);
    for (size_t i = skip; i < count; i++) {
        b->ring[b->next] = values[i];
        b->next = (b->next + 1) % BASELINE_VALUES;
    }
    b->count = b->count + count < BASELINE_VALUES ? b->count + (unsigned)count : BASELINE_VALUES;
    b->accepted += count;
    b->due -= count < b->due ? count : b->due;
    if (b->due == 0)
        baseline_refresh(state);
}
