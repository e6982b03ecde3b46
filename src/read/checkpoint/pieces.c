/* Boxes of a tensor as the runs of bytes they are, in the order of the whole. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/pieces.h"

#include <stdlib.h>

enum { RUNS_MAX = 1 << 20 };

struct run {     /* bytes that follow one another in the piece and in the whole */
    uint64_t at; /* in the whole */
    struct input_part part;
};

struct joining {
    struct arena *arena;
    const struct tensor_view *view;
    struct run *runs;
    size_t count, capacity;
    uint64_t width; /* of an element */
};

bool view_pack(struct tensor_view *view, uint64_t *bytes)
{
    uint64_t elements = 1;
    for (int i = view->rank - 1; i >= 0; i--) {
        view->stride[i] = (int64_t)elements;
        if (!size_product(elements, (uint64_t)view->shape[i], &elements) || elements > INT64_MAX)
            return false;
    }
    return size_product(elements, dtype_size(view->dtype), bytes);
}

static bool refuse(const struct joining *joining, enum error_kind kind, struct error *error,
                   const char *what)
{
    const struct text name = joining->view->name;
    return error_set(error, kind, input_place(joining->view->input, 0), "%s of tensor %.*s", what,
                     (int)(name.size < 100 ? name.size : 100), name.size ? name.data : "");
}

static bool inside(const struct tensor_view *view, const struct piece *piece)
{
    for (int i = 0; i < view->rank; i++)
        if (piece->start[i] < 0 || piece->length[i] < 0 || piece->start[i] > view->shape[i] ||
            piece->length[i] > view->shape[i] - piece->start[i])
            return false;
    return true;
}

/* The dimensions from *split on make one run: all but the first of them are whole. */
static void run_shape(const struct tensor_view *view, const struct piece *piece, int *split,
                      uint64_t *elements, uint64_t *count)
{
    int i = view->rank;
    *elements = *count = 1;
    while (i > 0 && piece->length[i - 1] == view->shape[i - 1])
        *elements *= (uint64_t)view->shape[--i];
    if (i > 0)
        *elements *= (uint64_t)piece->length[--i];
    *split = i;
    while (i > 0)
        *count *= (uint64_t)piece->length[--i];
}

static bool run_add(struct joining *joining, const struct run *run, struct error *error)
{
    if (joining->count >= RUNS_MAX)
        return refuse(joining, ERROR_LIMIT, error, "too many are the pieces");
    struct run *runs = arena_grow(joining->arena, joining->runs, joining->count, &joining->capacity,
                                  joining->count + 1, sizeof(*runs));
    if (!runs)
        return refuse(joining, ERROR_MEMORY, error, "no memory for the pieces");
    joining->runs = runs;
    runs[joining->count++] = *run;
    return true;
}

static bool piece_add(struct joining *joining, const struct piece *piece, struct error *error)
{
    const struct tensor_view *view = joining->view;
    uint64_t elements, count;
    int split;
    if (!inside(view, piece))
        return refuse(joining, ERROR_MALFORMED, error, "outside lies a piece");
    run_shape(view, piece, &split, &elements, &count);
    if (elements == 0 || count == 0)
        return true;
    if (count > RUNS_MAX)
        return refuse(joining, ERROR_LIMIT, error, "too many are the pieces");
    uint64_t base = 0;
    for (int i = split; i < view->rank; i++)
        base += (uint64_t)piece->start[i] * (uint64_t)view->stride[i];
    for (uint64_t n = 0; n < count; n++) {
        uint64_t at = base, rest = n;
        for (int i = split - 1; i >= 0; i--) {
            const uint64_t index = rest % (uint64_t)piece->length[i];
            rest /= (uint64_t)piece->length[i];
            at += ((uint64_t)piece->start[i] + index) * (uint64_t)view->stride[i];
        }
        const uint64_t bytes = elements * joining->width;
        const struct run run = {
            .at = at * joining->width,
            .part = {piece->input, piece->offset + n * bytes, bytes},
        };
        if (!run_add(joining, &run, error))
            return false;
    }
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->part.size < y->part.size) - (x->part.size > y->part.size);
}

bool pieces_join(const struct reading *reading, const struct piece *pieces,
                 struct tensor_view *view, struct error *error)
{
    struct joining joining = {
        .arena = reading->scratch, .view = view, .width = dtype_size(view->dtype)};
    uint64_t bytes, done = 0;
    size_t count = 0;
    view->absent = true;
    view->input = reading->input;
    if (!view_pack(view, &bytes) || joining.width == 0)
        return refuse(&joining, ERROR_MALFORMED, error, "impossible is the size");
    for (const struct piece *piece = pieces; piece; piece = piece->next)
        if (!piece_add(&joining, piece, error))
            return false;
    if (joining.count)
        qsort(joining.runs, joining.count, sizeof(*joining.runs), by_place);
    struct input_part *parts = arena_take(reading->scratch, joining.count + 1, sizeof(*parts));
    if (!parts)
        return refuse(&joining, ERROR_MEMORY, error, "no memory for the pieces");
    for (size_t i = 0; i < joining.count; i++) {
        const struct run *run = &joining.runs[i];
        if (run->at > done)
            return refuse(&joining, ERROR_MALFORMED, error, "missing is a piece");
        if (run->at + run->part.size <= done)
            continue;
        if (run->at < done)
            return refuse(&joining, ERROR_MALFORMED, error, "over one another lie the pieces");
        parts[count++] = run->part;
        done += run->part.size;
    }
    if (done != bytes)
        return refuse(&joining, ERROR_MALFORMED, error, "missing is a piece");
    struct input *joined = input_joined(reading->input, parts, count, error);
    if (!joined)
        return false;
    view->input = joined;
    view->offset = 0;
    view->size = bytes;
    view->absent = false;
    return true;
}
