/* The running baseline of a track: median and spread of the last 32 accepted values. */
/* SPDX-License-Identifier: MIT */
#include "pair.h"
#include "track_state.h"

/* Noise of a point never counts as less than this, in u (detectors.md 2.6). */
#define DEVIATION_FLOOR 0.01
#define MAD_SCALE 1.4826
#define SQRT_HALF 0.7071067811865476
#define LN_OPEN 0.22314355131420976     /* ln 1.25 */
#define LN_OPEN_NORM 2.0794415416798357 /* ln 8: norms are heavy-tailed */
#define LN_CLOSE 0.09531017980432493    /* ln 1.1 */

/* A baseline is refreshed after 1/64 of the readings so far, between these. */
enum { DUE_FIRST = 8, DUE_LEAST = 32, DUE_MOST = 4096, DUE_SHARE = 64 };

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

static inline void pair_order(pair *a, pair *b)
{
    const pair x = *a, y = *b;
    *a = pair_lower(x, y);
    *b = pair_raise(x, y);
}

/* A bitonic sort of 32 values, two columns at once: the same compares whatever the values, so no
   branch is missed, and two columns cost one. */
static void sort_columns(pair a[BASELINE_VALUES])
{
    for (size_t k = 2; k <= BASELINE_VALUES; k *= 2) {
        for (size_t base = 0; base < BASELINE_VALUES; base += k)
            for (size_t i = 0; i < k / 2; i++)
                pair_order(&a[base + i], &a[base + k - 1 - i]);
        for (size_t j = k / 4; j >= 1; j /= 2)
            for (size_t base = 0; base < BASELINE_VALUES; base += 2 * j)
                for (size_t i = 0; i < j; i++)
                    pair_order(&a[base + i], &a[base + i + j]);
    }
}

static double middle(const pair *sorted, size_t column, size_t n)
{
    return n % 2 ? sorted[n / 2][column]
                 : 0.5 * (sorted[n / 2 - 1][column] + sorted[n / 2][column]);
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
    *baseline = (struct baseline){.ring = baseline->ring,
                                  .bound = (double)INFINITY,
                                  .due = baseline->ring ? BASELINE_LEAST : UINT64_MAX,
                                  .unit = 1,
                                  .quantum = 1};
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

/* Values in linear units are compared through this one. */
static double unit_of(const struct state *state, const pair *sorted, size_t n)
{
    const double spread = sorted[n * 3 / 4][0] - sorted[n / 4][0];
    const double least = 0.01 * fabs(state->baseline.median);
    double unit = spread > least ? spread : least;
    if (unit < state->baseline.quantum)
        unit = state->baseline.quantum;
    return unit > 0 && isfinite(unit) ? unit : 1;
}

/* The larger of the spread of u and of its differences (detectors.md 2.6). `sorted` holds the
   values and, beside them, the differences of their u: u rises with its value, so its middle is
   known. */
static double deviation_of_ring(const struct state *state, const double *u, const pair *sorted,
                                size_t n)
{
    pair middles[2] = {sorted[n / 2 - 1], sorted[n / 2]};
    middles[0][0] = baseline_up(state, middles[0][0]);
    middles[1][0] = baseline_up(state, middles[1][0]);
    const double level = n % 2 ? middles[1][0] : 0.5 * (middles[0][0] + middles[1][0]);
    const double slope = middle(sorted, 1, n - 1);
    pair columns[BASELINE_VALUES];
    for (size_t i = 0; i < BASELINE_VALUES; i++)
        columns[i] = (pair){i < n ? fabs(u[i] - level) : (double)INFINITY,
                            i + 1 < n ? fabs(u[i + 1] - u[i] - slope) : (double)INFINITY};
    sort_columns(columns);
    const double around = MAD_SCALE * middle(columns, 0, n);
    const double between = MAD_SCALE * middle(columns, 1, n - 1) * SQRT_HALF;
    return around > between ? around : between;
}

/* Linear u is taken before its unit is known: the spread is divided by it at the end. */
void baseline_refresh(struct state *state)
{
    struct baseline *b = &state->baseline;
    const size_t n = b->count, oldest = n < BASELINE_VALUES ? 0 : b->next;
    b->logarithmic = state->positive && !(state->signs && state->signs->negatives);
    b->quantum = precision(state);
    b->unit = 1;
    pair sorted[BASELINE_VALUES];
    double u[BASELINE_VALUES];
    for (size_t i = 0; i < BASELINE_VALUES; i++) {
        const double v = i < n ? b->ring[(oldest + i) % BASELINE_VALUES] : (double)INFINITY;
        u[i] = i < n ? baseline_up(state, v) : v;
        sorted[i] = (pair){v, (double)INFINITY};
        if (i > 0 && i < n)
            sorted[i - 1][1] = u[i] - u[i - 1];
    }
    sort_columns(sorted);
    b->median = middle(sorted, 0, n);
    b->deviation = deviation_of_ring(state, u, sorted, n);
    b->unit = unit_of(state, sorted, n);
    if (!b->logarithmic)
        b->deviation /= b->unit;
    const double level = b->logarithmic ? b->median : b->unit;
    const double floor = level > 0 ? b->quantum / level : 1;
    if (!(b->deviation > floor))
        b->deviation = floor;
    if (!(b->deviation > DEVIATION_FLOOR))
        b->deviation = DEVIATION_FLOOR;
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
    if (!b->ring)
        return;
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
