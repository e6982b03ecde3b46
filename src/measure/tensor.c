/* Whole tensors: fixed chunks taken by any thread, folded in their order. */
/* SPDX-License-Identifier: MIT */
#include "measure/elements.h"
#include "measure/kernel/kernel.h"
#include "stalldoc/crc32.h"
#include "stalldoc/limits.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
    CHUNK = 4 << 20, /* bytes of one tensor that one thread takes at a time */
    WAVE = 256,      /* chunks between two folds: bounds the memory whatever the checkpoint */
    WORKERS_MAX = 64,
};

struct chunk {
    size_t tensor;
    uint64_t first, count; /* elements */
    struct partial partial;
    uint64_t *bins;
    uint32_t crc;
    struct error error; /* kind ERROR_NONE: measured */
};

struct wave {
    const struct tensor_view *views;
    const struct kernel *kernel;
    struct chunk chunks[WAVE];
    size_t count;
    uint64_t *bins; /* EXPONENT_BINS a chunk */
    uint8_t *windows[WORKERS_MAX];
    atomic_flag busy[WORKERS_MAX];
    size_t workers;
};

/* Values in the order of the view, or of the storage where it is dense: the same values. */
static bool chunk_read(const struct tensor_view *view, uint64_t first, size_t count, uint8_t *out,
                       bool straight, struct error *error)
{
    if (!straight)
        return elements_read(view, first, count, out, error);
    struct tensor_view flat = *view;
    flat.rank = 1;
    flat.shape[0] = (int64_t)tensor_count(view);
    flat.stride[0] = 1;
    return elements_read(&flat, first, count, out, error);
}

static void chunk_measure(struct wave *wave, struct chunk *chunk, uint8_t *window)
{
    const struct tensor_view *view = &wave->views[chunk->tensor];
    size_t size = dtype_size(view->dtype);
    bool straight = elements_dense(view);
    partial_clear(&chunk->partial);
    for (uint64_t done = 0; done < chunk->count;) {
        uint64_t left = chunk->count - done, most = LIMIT_WINDOW / size;
        size_t here = (size_t)(left < most ? left : most);
        if (!chunk_read(view, chunk->first + done, here, window, straight, &chunk->error))
            return;
        if (view->sealed != SEALED_NOT)
            chunk->crc = crc32_of(chunk->crc, window, here * size);
        done += here;
        if (view->sealed == SEALED_ONLY)
            continue;
        /* Under 1 KiB starting a tier costs more than it saves. */
        const struct kernel *kernel = here * size < 1024 ? &kernel_plain : wave->kernel;
        struct partial piece = {.exponents = chunk->bins};
        kernel->measure(view->dtype, window, here, &piece);
        partial_fold(&chunk->partial, &piece);
    }
}

static void chunk_job(void *context, size_t index)
{
    struct wave *wave = context;
    size_t worker = 0;
    while (atomic_flag_test_and_set(&wave->busy[worker]))
        worker = (worker + 1) % wave->workers;
    chunk_measure(wave, &wave->chunks[index], wave->windows[worker]);
    atomic_flag_clear(&wave->busy[worker]);
}

struct folding { /* across waves: the tensor whose chunks are being folded */
    struct partial partial;
    uint32_t crc;
    uint64_t bins[EXPONENT_BINS];
};

static bool stats_take(const struct tensor_view *view, const struct folding *folding,
                       struct arena *arena, struct tensor_stats *stats)
{
    const struct partial *partial = &folding->partial;
    const uint64_t *bins = folding->bins;
    int count = dtype_bins(view->dtype), first = 0, last = count - 1;
    while (first < count && bins[first] == 0)
        first++;
    while (last > first && bins[last] == 0)
        last--;
    *stats = (struct tensor_stats){
        .count = partial->count,
        .zero = partial->zero,
        .nan = partial->nan,
        .inf = partial->inf,
        .negative_inf = partial->negative_inf,
        .subnormal = partial->subnormal,
        .sum = partial->sum,
        .square = partial->square,
        .low = partial->low,
        .high = partial->high,
        .norm = sqrt(partial->square),
        .crc = folding->crc,
    };
    for (size_t i = 0; i < CHECK_LANES; i++) {
        /* Odd factors keep the lanes apart; what is equal stays equal. */
        stats->checksum[0] += partial->a[i] * (2 * i + 1);
        stats->checksum[1] += partial->b[i] * (2 * i + 1);
    }
    if (first >= count)
        return true;
    uint64_t *kept = arena_take(arena, (size_t)(last - first + 1), sizeof(*kept));
    if (!kept)
        return false;
    memcpy(kept, bins + first, (size_t)(last - first + 1) * sizeof(*kept));
    stats->exponents = kept;
    stats->first_exponent = first - dtype_bias(view->dtype);
    stats->exponent_count = last - first + 1;
    return true;
}

/* Squares overflowed: once more, scaled by the power of two of the largest value. */
static bool norm_scaled(const struct tensor_view *view, uint8_t *window, struct tensor_stats *stats,
                        struct error *error)
{
    uint64_t all = tensor_count(view), most = LIMIT_WINDOW / dtype_size(view->dtype);
    int exponent = ilogb(tensor_absmax(stats));
    double sum = 0;
    for (uint64_t first = 0; first < all; first += most) {
        size_t here = (size_t)(all - first < most ? all - first : most);
        if (!elements_read(view, first, here, window, error))
            return false;
        for (size_t i = 0; i < here; i++) {
            double value;
            elements_numbers(view->dtype, window + i * dtype_size(view->dtype), 1, &value);
            value = ldexp(value, -exponent);
            sum += isfinite(value) ? value * value : 0;
        }
    }
    stats->norm = ldexp(sqrt(sum), exponent);
    return true;
}

static bool wave_fold(struct wave *wave, struct folding *folding, struct arena *arena,
                      struct tensor_stats *stats, struct error *error)
{
    for (size_t i = 0; i < wave->count; i++) {
        struct chunk *chunk = &wave->chunks[i];
        const struct tensor_view *view = &wave->views[chunk->tensor];
        if (chunk->error.kind != ERROR_NONE) {
            *error = chunk->error;
            return false;
        }
        if (chunk->first == 0) {
            partial_clear(&folding->partial);
            folding->crc = 0;
            memset(folding->bins, 0, sizeof(folding->bins));
        }
        partial_fold(&folding->partial, &chunk->partial);
        if (view->sealed != SEALED_NOT)
            folding->crc =
                crc32_joined(folding->crc, chunk->crc, chunk->count * dtype_size(view->dtype));
        for (int bin = 0; bin < dtype_bins(view->dtype); bin++)
            folding->bins[bin] += chunk->bins[bin];
        if (chunk->first + chunk->count < tensor_count(view))
            continue;
        if (!stats_take(view, folding, arena, &stats[chunk->tensor]))
            return error_set(error, ERROR_MEMORY, input_place(view->input, view->offset),
                             "no memory for the statistics of %zu tensors", chunk->tensor + 1);
        if (isinf(folding->partial.square) &&
            !norm_scaled(view, wave->windows[0], &stats[chunk->tensor], error))
            return false;
    }
    return true;
}

static bool wave_run(struct wave *wave, struct folding *folding, struct pool *pool,
                     struct arena *arena, struct tensor_stats *stats, struct error *error)
{
    for (size_t i = 0; i < wave->count; i++) {
        struct chunk *chunk = &wave->chunks[i];
        chunk->bins = wave->bins + i * EXPONENT_BINS;
        memset(chunk->bins, 0,
               (size_t)dtype_bins(wave->views[chunk->tensor].dtype) * sizeof(*chunk->bins));
    }
    pool_run(pool, wave->count, chunk_job, wave);
    bool sound = wave_fold(wave, folding, arena, stats, error);
    wave->count = 0;
    return sound;
}

static bool measure_all(struct wave *wave, size_t count, struct folding *folding, struct pool *pool,
                        struct arena *arena, struct tensor_stats *stats, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        const struct tensor_view *view = &wave->views[i];
        uint64_t all = tensor_count(view);
        stats[i] = (struct tensor_stats){0};
        if (!dtype_measured(view->dtype) || view->absent)
            continue;
        if (all == UINT64_MAX)
            return error_set(error, ERROR_MALFORMED, input_place(view->input, view->offset),
                             "shape of tensor %.*s overflows", (int)view->name.size,
                             view->name.data);
        uint64_t most = CHUNK / dtype_size(view->dtype);
        for (uint64_t first = 0; first < all; first += most) {
            wave->chunks[wave->count++] = (struct chunk){
                .tensor = i, .first = first, .count = all - first < most ? all - first : most};
            if (wave->count == WAVE && !wave_run(wave, folding, pool, arena, stats, error))
                return false;
        }
    }
    return wave->count == 0 || wave_run(wave, folding, pool, arena, stats, error);
}

bool tensors_measure(const struct tensor_view *views, size_t count, struct pool *pool,
                     struct arena *arena, struct tensor_stats *stats, struct error *error)
{
    struct place nowhere = {0};
    struct wave *wave = block_take(sizeof(*wave));
    struct folding *folding = block_take(sizeof(*folding));
    bool sound = wave && folding;
    if (sound) {
        *wave = (struct wave){.views = views, .kernel = kernel_best()};
        wave->workers = pool->threads > 1 ? pool->threads : 1;
        wave->workers = wave->workers < WORKERS_MAX ? wave->workers : WORKERS_MAX;
        wave->bins = block_take(WAVE * EXPONENT_BINS * sizeof(*wave->bins));
        sound = wave->bins;
        for (size_t i = 0; sound && i < wave->workers; i++) {
            wave->windows[i] = block_take(LIMIT_WINDOW);
            atomic_flag_clear(&wave->busy[i]);
            sound = wave->windows[i];
        }
    }
    if (!sound)
        error_set(error, ERROR_MEMORY, nowhere, "no memory to measure tensors");
    struct pool bounded = {.threads = wave ? wave->workers : 1};
    sound = sound && measure_all(wave, count, folding, &bounded, arena, stats, error);
    for (size_t i = 0; wave && i < wave->workers; i++)
        block_free(wave->windows[i]);
    if (wave)
        block_free(wave->bins);
    block_free(folding);
    block_free(wave);
    return sound;
}
