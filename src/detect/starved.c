/* starved: norms are printed layer by layer, and those of the first are next to nothing. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { RATIO, EARLY, LAYERS, RISING };
enum { KEPT_MAX = 128 };
static const struct parameter parameters[] = {
    [RATIO] = {"ratio", "ratio", 0, 1, 1e-3, "of the first layer's norm to the last one's"},
    [EARLY] = {"early", "", 0, 1e12, 1e-4, "norm of the first layer, at most"},
    [LAYERS] = {"layers", "layers", 2, KEPT_MAX, 3, "that are printed at least"},
    [RISING] = {"rising", "share", 0, 1, 0.6, "of them that stand over the one before"},
};
static const char *const values[] = {"ratio", "early", "late", "layers", "tensor", "last", NULL};

struct layer {
    const struct series *series;
    double level;
};

/* A norm of one layer: named after the gradient and after something besides. */
static bool is_layer(const struct series *series)
{
    static const char *const gradient[] = {"grad", "grads", "gradient", "gradients", "gnorm", NULL};
    static const char *const others[] = {"max",  "min",   "clip",   "clipped", "scale", "scaler",
                                         "std",  "var",   "ratio",  "cos",     "total", "global",
                                         "accu", "steps", "update", "all",     NULL};
    if (series->kind != KIND_OTHER && series->kind != KIND_GRAD_NORM)
        return false;
    return series->speaks && !series->main && series->basis != BASIS_ESTIMATED &&
           tag_has(series->tag, gradient) && !tag_has(series->tag, others);
}

/* The layers, in the order in which the log prints them: as a model lists them, inputs first. */
static size_t layers_of(const struct use *use, struct layer layers[KEPT_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < use->run->series_count && count < KEPT_MAX; i++) {
        const struct series *series = &use->run->series[i];
        if (!is_layer(series) || use->segment >= series->segment_count)
            continue;
        const double level = tail_level(&series->segments[use->segment]);
        if (level > 0) /* 0 and below are another matter */
            layers[count++] = (struct layer){series, level};
    }
    return count;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct layer layers[KEPT_MAX];
    const size_t count = layers_of(use, layers);
    if ((double)count < use->parameters[LAYERS])
        return true;
    size_t rising = 0, unknown = 0;
    for (size_t i = 0; i < count; i++) {
        rising += i > 0 && layers[i].level > layers[i - 1].level;
        unknown += layers[i].series->kind == KIND_OTHER;
    }
    /* A rule asks once by the one kind and once by the other. */
    if ((use->series[0]->kind == KIND_OTHER) != (unknown > 0))
        return true;
    const struct layer *first = &layers[0], *last = &layers[count - 1];
    if (first->level > use->parameters[EARLY] ||
        first->level >= use->parameters[RATIO] * last->level ||
        (double)rising < use->parameters[RISING] * (double)(count - 1))
        return true;
    struct candidate candidate = candidate_bare(use, first->series->segments[use->segment].first);
    candidate.subject = first->series->tag;
    value_add(&candidate, "ratio", first->level / last->level);
    value_add(&candidate, "early", first->level);
    value_add(&candidate, "late", last->level);
    value_add(&candidate, "layers", (double)count);
    candidate.values[candidate.value_count++] =
        (struct value){.name = "tensor", .number = (double)NAN, .text = first->series->tag};
    candidate.values[candidate.value_count++] =
        (struct value){.name = "last", .number = (double)NAN, .text = last->series->tag};
    evidence_add(&candidate, first->series, first->series->whole.last_finite, "the first layer");
    evidence_add(&candidate, last->series, last->series->whole.last_finite, "the last layer");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_starved = {
    .name = "starved",
    .about = "norms are printed layer by layer, and those of the first are next to nothing",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .once = true,
    .detect = detect,
};
