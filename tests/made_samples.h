/* Arrays of inputs and targets of our own making, measured as the collector does. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_MADE_SAMPLES_H
#define TEST_MADE_SAMPLES_H

#include "judged.h"

#include <math.h>
#include <stdlib.h>

enum { MADE_ARRAYS = 4 };

struct made_samples {
    struct tensor tensors[MADE_ARRAYS];
    struct samples samples[MADE_ARRAYS];
    struct input *inputs[MADE_ARRAYS];
    float *data[MADE_ARRAYS];
    size_t count;
};

/* A generator of our own: the same numbers everywhere. */
static inline double made_random(void)
{
    static uint64_t state = 88172645463325252U;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static inline double made_normal(void)
{
    const double radius = sqrt(-2 * log(1 - made_random()));
    return radius * cos(6.283185307179586 * made_random());
}

/* A value of an array of inputs as a model wants it. */
static inline double made_standard(size_t row, size_t at)
{
    (void)row, (void)at;
    return made_normal();
}

/* value(row, column of all that is no row); `shape` ends with 0. */
static inline struct tensor *made_array(struct used *used, struct made_samples *made,
                                        enum tensor_role role, const char *name,
                                        const int64_t *shape, double (*value)(size_t, size_t))
{
    const size_t at = made->count++;
    struct tensor_view view = {.name = text_of(name), .dtype = DTYPE_FLOAT32};
    size_t width = 1;
    while (shape[view.rank] > 0) {
        view.shape[view.rank] = shape[view.rank];
        width *= view.rank > 0 ? (size_t)shape[view.rank] : 1;
        view.rank++;
    }
    const size_t count = (size_t)shape[0] * width;
    view.size = count * sizeof(float);
    int64_t stride = 1;
    for (int i = view.rank - 1; i >= 0; i--) {
        view.stride[i] = stride;
        stride *= view.shape[i];
    }
    made->data[at] = malloc(view.size);
    for (size_t i = 0; made->data[at] && i < count; i++)
        made->data[at][i] = (float)value(i / width, i % width);
    struct error error = {0};
    struct pool pool = {0};
    struct samples *samples = &made->samples[at];
    struct tensor *tensor = &made->tensors[at];
    *tensor = (struct tensor){.name = view.name,
                              .role = role,
                              .dtype = view.dtype,
                              .rank = view.rank,
                              .input = 2,
                              .measured = true,
                              .samples = samples,
                              .step = STEP_NONE};
    memcpy(tensor->shape, view.shape, sizeof(view.shape));
    samples->name = view.name;
    if (!input_memory((struct span){(const uint8_t *)made->data[at], view.size}, name, 2,
                      &made->inputs[at], &error))
        abort();
    view.input = made->inputs[at];
    if (!tensors_measure(&view, 1, &pool, &used->arena, &tensor->stats, &error) ||
        !tensor_features_measure(&view, &used->arena, &samples->features, &error) ||
        !tensor_labels_measure(&view, &samples->labels, &error))
        abort();
    used->run.tensors = made->tensors;
    used->run.tensor_count = made->count;
    return tensor;
}

static inline void made_end(struct made_samples *made)
{
    for (size_t i = 0; i < made->count; i++) {
        input_close(made->inputs[i]);
        free(made->data[i]);
    }
    *made = (struct made_samples){0};
}

#endif
