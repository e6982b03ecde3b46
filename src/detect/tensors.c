/* tensors: weights and optimizer state of a checkpoint against what healthy ones look like. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include "stalldoc/statistics.h"

#include <string.h>

enum { PARAMETER_RMS, PARAMETER_LOOSE_RMS, PARAMETER_LARGEST, PARAMETER_SHARE };

static const struct parameter parameters[] = {
    /* Trained kernels stand within a factor of 20 of 1/sqrt(fan-in): 10 is out of all range. */
    [PARAMETER_RMS] = {"rms", "", 0, 1e300, 10, "root of the mean square of a kernel"},
    [PARAMETER_LOOSE_RMS] = {"loose-rms", "", 0, 1e300, 100, "the same of norm scales, embeddings"},
    [PARAMETER_LARGEST] = {"largest", "", 0, 1e300, 1e4, "magnitude of a single value"},
    [PARAMETER_SHARE] = {"share", "", 0, 1, 0.1, "of the rows of a kernel, or of its values"},
};
static const char *const values[] = {"tensors", "total", "tensor", "rms", "largest", "share", NULL};

static bool has(struct text name, const char *part)
{
    char pattern[64];
    size_t size = strlen(part);
    if (size + 2 > sizeof(pattern))
        return false;
    pattern[0] = pattern[size + 1] = '*';
    memcpy(pattern + 1, part, size);
    return text_glob((struct text){pattern, size + 2}, name, true);
}

static bool has_any(struct text name, const char *const *parts)
{
    for (; *parts; parts++)
        if (has(name, *parts))
            return true;
    return false;
}

/* What an optimizer keeps beside the weights. */
static bool is_state(struct text name)
{
    static const char *const parts[] = {"exp_avg",  "momentum",  "square_avg",    "/adam",
                                        "/rmsprop", "optimizer", "accumul",       "_slot",
                                        "state1",   "state2",    "moment",        "adagrad",
                                        "adadelta", "ftrl",      "movingaverage", NULL};
    return has_any(name, parts);
}

static bool is_float(enum dtype dtype)
{
    return dtype <= DTYPE_FLOAT8_E5M2FNUZ;
}

/* A matrix or a convolution that multiplies activations. */
static bool is_kernel(const struct tensor *tensor)
{
    static const char *const parts[] = {"weight", "kernel", NULL};
    return tensor->measured && tensor->rank >= 2 && is_float(tensor->dtype) &&
           has_any(tensor->name, parts) && !is_state(tensor->name);
}

static bool is_loose(struct text name)
{
    static const char *const parts[] = {"embed", "norm", "wte", "wpe", "token", NULL};
    return has_any(name, parts);
}

/* Zero at the start by design: adapters, gates, the last layer of a residual branch. */
static bool starts_at_zero(struct text name)
{
    static const char *const parts[] = {
        "lora_b", "lora_embedding_b", "adapter", "zero", "gate", "ada_ln", "adaln", "mask", NULL};
    return has_any(name, parts);
}

/* Masks and bounds hold infinities on purpose: 0 and -inf, or nothing but infinities. */
static bool is_mask(const struct tensor *tensor)
{
    static const char *const parts[] = {"mask", "bias_mask", "attn.bias", "bound", NULL};
    const struct tensor_stats *s = &tensor->stats;
    return s->nan == 0 && (has_any(tensor->name, parts) || s->inf == s->count ||
                           (s->inf == s->negative_inf && s->inf + s->zero == s->count));
}

struct met { /* tensors that show it */
    uint64_t count, total;
    const struct tensor *first, *worst;
    double most; /* of `worst` */
};

static void meet(struct met *met, const struct tensor *tensor, double how)
{
    if (met->count++ == 0)
        met->first = tensor;
    if (!met->worst || how > met->most) {
        met->worst = tensor;
        met->most = how;
    }
}

static void look_nonfinite(const struct tensor *tensor, bool state, struct met *met)
{
    if (!tensor->measured || !is_float(tensor->dtype) || is_state(tensor->name) != state)
        return;
    met->total++;
    if (tensor->stats.nan + tensor->stats.inf > 0 && !is_mask(tensor))
        meet(met, tensor, (double)(tensor->stats.nan + tensor->stats.inf));
}

static void look_exploded(const struct tensor *tensor, const double *p, struct met *met)
{
    if (!is_kernel(tensor) || tensor_finite(&tensor->stats) == 0)
        return;
    double most = is_loose(tensor->name) ? p[PARAMETER_LOOSE_RMS] : p[PARAMETER_RMS];
    met->total++;
    if (tensor_rms(&tensor->stats) > most || tensor_absmax(&tensor->stats) > p[PARAMETER_LARGEST])
        meet(met, tensor, tensor_absmax(&tensor->stats));
}

static void look_collapsed(const struct tensor *tensor, const double *p, struct met *met)
{
    double rms = tensor_rms(&tensor->stats);
    if (!is_kernel(tensor) || starts_at_zero(tensor->name) || tensor->stats.count < 4)
        return;
    met->total++;
    if (rms > 0 && rms < p[PARAMETER_RMS])
        meet(met, tensor, 1 / rms);
}

static void look_dead(const struct tensor *tensor, const double *p, struct met *met)
{
    if (!is_kernel(tensor) || starts_at_zero(tensor->name) || is_loose(tensor->name) ||
        tensor->stats.count < 4)
        return;
    const struct tensor_rows *rows = &tensor->rows;
    /* Keras, TensorFlow and flax keep a unit in a column: their rows are inputs. */
    bool units = rows->rows && !has(tensor->name, "kernel");
    double share = tensor->stats.zero == tensor->stats.count ? 1
                   : units ? (double)rows->small / (double)rows->rows
                           : 0;
    if (units && rows->rows >= 8 && rows->length >= 8 &&
        (double)rows->identical > share * (double)rows->rows)
        share = (double)rows->identical / (double)rows->rows;
    met->total++;
    if (share >= p[PARAMETER_SHARE])
        meet(met, tensor, share);
}

static void look_range(const struct tensor *tensor, const double *p, struct met *met)
{
    const struct tensor_stats *s = &tensor->stats;
    if (!tensor->measured || tensor->dtype != DTYPE_FLOAT16 || s->count == 0)
        return;
    uint64_t live = tensor_finite(s) - s->zero;
    double tiny = live ? (double)s->subnormal / (double)live : 0;
    met->total++;
    if (tensor_absmax(s) >= p[PARAMETER_LARGEST] || (live >= 16 && tiny >= p[PARAMETER_SHARE]))
        meet(met, tensor, tensor_absmax(s));
}

static void look_statistics(const struct tensor *tensor, const double *p, struct met *met)
{
    if (!tensor->measured || !has(tensor->name, "running_var") || met->total > 0 ||
        is_state(tensor->name))
        return;
    met->total++; /* the first normalisation sees the inputs; the others see its outputs */
    if (tensor_absmax(&tensor->stats) > p[PARAMETER_LARGEST])
        meet(met, tensor, tensor_absmax(&tensor->stats));
}

static void look(const struct use *use, const struct tensor *tensor, struct met *met)
{
    const double *p = use->parameters;
    const struct text form = text_of(use->form);
    if (text_is(form, "weights") || text_is(form, "moments"))
        look_nonfinite(tensor, text_is(form, "moments"), met);
    else if (text_is(form, "exploded"))
        look_exploded(tensor, p, met);
    else if (text_is(form, "collapsed"))
        look_collapsed(tensor, p, met);
    else if (text_is(form, "dead"))
        look_dead(tensor, p, met);
    else if (text_is(form, "range"))
        look_range(tensor, p, met);
    else
        look_statistics(tensor, p, met);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct run *run = use->run;
    struct met met = {0};
    for (size_t i = 0; i < run->tensor_count; i++)
        if (run->tensors[i].role == ROLE_WEIGHTS)
            look(use, &run->tensors[i], &met);
    if (met.count == 0)
        return true;
    struct candidate candidate = candidate_at(use, USE_SERIES_MAX,
                                              (struct point){
                                                  .step = met.first->step,
                                                  .value = (double)NAN,
                                                  .offset = met.first->offset,
                                                  .input = met.first->input,
                                              });
    candidate.form = use->form;
    candidate.subject = met.worst->name;
    value_add(&candidate, "tensors", (double)met.count);
    value_add(&candidate, "total", (double)met.total);
    candidate.values[candidate.value_count++] =
        (struct value){.name = "tensor", .number = (double)NAN, .text = met.worst->name};
    value_add(&candidate, "rms", tensor_rms(&met.worst->stats));
    value_add(&candidate, "largest", tensor_absmax(&met.worst->stats));
    value_add(&candidate, "share", met.most);
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_tensors = {
    .name = "tensors",
    .about = "tensors of a checkpoint that no healthy run has",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .once = true,
    .detect = detect,
};
