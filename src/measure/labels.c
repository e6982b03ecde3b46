/* Whole numbers as classes: how often each of them is met. */
/* SPDX-License-Identifier: MIT */
#include "measure/sampled.h"

#include <math.h>
#include <string.h>

enum { CLASSES = 1 << 16 };

struct counting {
    uint64_t *classes; /* [CLASSES] */
    struct tensor_labels labels;
};

static void visit(void *context, uint64_t first, const double *values, size_t count)
{
    struct counting *counting = context;
    struct tensor_labels *labels = &counting->labels;
    (void)first;
    for (size_t i = 0; i < count; i++) {
        const double value = values[i];
        if (!isfinite(value) || (value < 0 && value == floor(value))) {
            labels->passed++;
        } else if (value < 0 || value >= CLASSES || value != floor(value)) {
            labels->whole = false;
        } else {
            counting->classes[(size_t)value]++;
            labels->count++;
        }
    }
}

static void classes_look(struct counting *counting)
{
    struct tensor_labels *labels = &counting->labels;
    for (int64_t i = 0; i < CLASSES; i++) {
        const uint64_t count = counting->classes[i];
        if (count == 0)
            continue;
        if (labels->distinct++ == 0)
            labels->low = i;
        labels->high = i;
        if (count > labels->most) {
            labels->most = count;
            labels->common = i;
        }
        if (labels->least == 0 || count < labels->least) {
            labels->least = count;
            labels->rare = i;
        }
    }
}

bool tensor_labels_measure(const struct tensor_view *view, struct tensor_labels *labels,
                           struct error *error)
{
    struct sampled sampled;
    struct counting counting = {.labels = {.whole = true}};
    *labels = (struct tensor_labels){0};
    if (!sampled_plan(view, view->rank, &sampled))
        return true;
    counting.classes = block_take(CLASSES * sizeof(*counting.classes));
    if (!counting.classes)
        return error_set(error, ERROR_MEMORY, input_place(view->input, view->offset),
                         "no memory for the classes");
    memset(counting.classes, 0, CLASSES * sizeof(*counting.classes));
    const bool good = sampled_walk(&sampled, visit, &counting, error);
    if (good && counting.labels.whole && counting.labels.count > 0)
        classes_look(&counting);
    block_free(counting.classes);
    if (good)
        *labels = counting.labels;
    return good;
}
