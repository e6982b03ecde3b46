/* depth: the kernels nearest the input get next to no gradient against those of the end. */
/* SPDX-License-Identifier: MIT */
#include "detect/moves.h"

#include <string.h>

enum { RATIO, EARLY, STEP, LAYERS };
enum { KERNELS_MAX = 256 };
static const struct parameter parameters[] = {
    [RATIO] = {"ratio", "ratio", 0, 1, 1e-3, "of the first kernels to the last"},
    [EARLY] = {"early", "", 0, 1e12, 1e-6, "root mean square of the first kernels' gradients"},
    [STEP] = {"step", "ratio", 1, 1e9, 3.1622776601683795, "fall from layer to layer"},
    [LAYERS] = {"layers", "layers", 2, KERNELS_MAX, 4, "that fall one behind the other"},
};
static const char *const values[] = {"ratio", "early", "late", "layers", "tensor", "last", NULL};

struct layer {
    const struct series *series;
    const struct tensor *tensor;
    double rms;
};

/* The tensor that a point was taken from. */
static const struct tensor *tensor_behind(const struct run *run, const struct point *point)
{
    for (size_t i = 0; i < run->tensor_count; i++)
        if (run->tensors[i].input == point->input && run->tensors[i].offset == point->offset &&
            run->tensors[i].stats.count > 0)
            return &run->tensors[i];
    return NULL;
}

static size_t layers_find(const struct use *use, struct layer *layers)
{
    const struct run *run = use->run;
    const struct series *first = use->series[0];
    const struct text *tag = &first->tag;
    size_t count = 0, source = 0;
    while (source < tag->size && tag->data[source] != '/')
        source++;
    for (size_t i = 0; i < run->series_count && count < KERNELS_MAX; i++) {
        const struct series *series = &run->series[i];
        const struct point *last = &series->whole.last_finite;
        if (series->basis != BASIS_ESTIMATED || series->scope != SCOPE_PART ||
            series->kind != first->kind || series->whole.points == 0 ||
            !text_equal(text_cut(series->tag, 0, source), text_cut(*tag, 0, source)))
            continue;
        const struct tensor *tensor = tensor_behind(run, last);
        if (!tensor || tensor->rank < 2 || tensor_is_loose(series->part) ||
            tensor_starts_at_zero(series->part) || tensor_is_adapter(series->part) ||
            !(last->value > 0)) /* what never got any is another matter */
            continue;
        layers[count++] =
            (struct layer){series, tensor, last->value / sqrt((double)tensor->stats.count)};
    }
    return count;
}

static double level(const struct layer *layers, size_t count)
{
    double rms[KERNELS_MAX];
    for (size_t i = 0; i < count; i++)
        rms[i] = layers[i].rms;
    return median_of(rms, count);
}

/* Layers in a row, from the end towards the input, each far under the one behind it. */
static size_t falling(const struct layer *layers, size_t count, double step)
{
    size_t longest = 1, run = 1;
    for (size_t i = count - 1; i > 0; i--) {
        run = layers[i - 1].rms * step <= layers[i].rms ? run + 1 : 1;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct layer layers[KERNELS_MAX];
    const size_t count = layers_find(use, layers);
    if ((double)count < use->parameters[LAYERS])
        return true;
    const size_t part = (count + 3) / 4;
    const double early = level(layers, part), late = level(layers + count - part, part);
    const size_t fall = falling(layers, count, use->parameters[STEP]);
    const bool small = early < use->parameters[RATIO] * late && early < use->parameters[EARLY];
    /* Heads alone are trained harder often enough: a fall has to go through the layers. */
    if (!small &&
        !((double)fall >= use->parameters[LAYERS] && early < use->parameters[RATIO] * late))
        return true;
    struct candidate candidate = candidate_tensor(use, layers[0].tensor);
    candidate.subject = layers[0].series->part;
    value_add(&candidate, "ratio", early / late);
    value_add(&candidate, "early", early);
    value_add(&candidate, "late", late);
    value_add(&candidate, "layers", (double)fall);
    value_add_name(&candidate, "tensor", layers[0].series->part);
    value_add_name(&candidate, "last", layers[count - 1].series->part);
    evidence_add_tensor(&candidate, layers[0].tensor, "the first layer");
    evidence_add_tensor(&candidate, layers[count - 1].tensor, "the last layer");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_depth = {
    .name = "depth",
    .about = "the first layers get next to no gradient against the last",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .once = true,
    .detect = detect,
};
