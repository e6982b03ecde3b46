/* tensors: weights and optimizer state of a checkpoint against what healthy ones look like. */
/* SPDX-License-Identifier: MIT */
#include "detect/moves.h"

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
static const char *const values[] = {"tensors", "total", "tensor", "rms", "largest",
                                     "share",   "from",  "to",     NULL};

enum { HIDDEN_LEAST = 3 }; /* biases; fewer may be a choice */

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
    if (!tensor->measured || !tensor_is_float(tensor) || tensor_is_state(tensor->name) != state)
        return;
    met->total++;
    if (tensor->stats.nan + tensor->stats.inf > 0 && !tensor_is_mask(tensor))
        meet(met, tensor, (double)(tensor->stats.nan + tensor->stats.inf));
}

static void look_exploded(const struct tensor *tensor, const double *p, struct met *met)
{
    if (!tensor_is_kernel(tensor) || tensor_finite(&tensor->stats) == 0)
        return;
    double most = tensor_is_loose(tensor->name) ? p[PARAMETER_LOOSE_RMS] : p[PARAMETER_RMS];
    met->total++;
    if (tensor_rms(&tensor->stats) > most || tensor_absmax(&tensor->stats) > p[PARAMETER_LARGEST])
        meet(met, tensor, tensor_absmax(&tensor->stats));
}

/* One magnitude throughout, far under that of a fresh layer: steps of the sign alone, without a
   gradient from the loss, led there. */
static bool is_signs(const struct tensor *tensor)
{
    const double largest = tensor_absmax(&tensor->stats);
    return tensor->stats.count >= 32 && tensor->stats.low < 0 && tensor->stats.high > 0 &&
           tensor_rms(&tensor->stats) >= 0.99 * largest && largest < 0.1 * kernel_expected(tensor);
}

static void look_collapsed(const struct tensor *tensor, const double *p, struct met *met)
{
    double rms = tensor_rms(&tensor->stats);
    if (!tensor_is_kernel(tensor) || tensor_starts_at_zero(tensor->name) || tensor->stats.count < 4)
        return;
    met->total++;
    if (rms > 0 && (rms < p[PARAMETER_RMS] || is_signs(tensor)))
        meet(met, tensor, 1 / rms);
}

/* Biases that begin at 0 are still exactly 0 in layer after layer, and that of the last has moved:
   no gradient came through the units in front of it. */
static void look_biases(const struct run *run, size_t first, size_t end, struct met *met)
{
    const struct tensor *last = NULL;
    for (size_t i = first; i < end; i++) {
        const struct tensor *tensor = &run->tensors[i];
        if (tensor->role != ROLE_WEIGHTS || !tensor->measured || tensor_is_state(tensor->name))
            continue;
        if (tensor_is_loose(tensor->name) || tensor_has(tensor->name, "running_") ||
            tensor_has(tensor->name, "moving_")) { /* in front of a norm a bias has no say */
            met->count = 0;
            return;
        }
        if (tensor->rank != 1 || !tensor_has(tensor->name, "bias"))
            continue;
        met->total++;
        last = tensor;
        if (tensor->stats.zero == tensor->stats.count && tensor->stats.count > 1)
            meet(met, tensor, 1);
    }
    if (!last || last->stats.zero > 0 || last->step == 0 || met->count < HIDDEN_LEAST ||
        met->count + 1 < met->total)
        met->count = 0;
}

static void look_dead(const struct tensor *tensor, const double *p, struct met *met)
{
    if (!tensor_is_kernel(tensor) || tensor_starts_at_zero(tensor->name) ||
        tensor_is_loose(tensor->name) || tensor->stats.count < 4 ||
        tensor->stats.nan + tensor->stats.inf > 0) /* another matter */
        return;
    const struct tensor_rows *rows = &tensor->rows;
    /* Keras, TensorFlow and flax keep a unit in a column: their rows are inputs. */
    bool units = rows->rows && !tensor_has(tensor->name, "kernel");
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
    if (!tensor->measured || !tensor_has(tensor->name, "running_var") || met->total > 0 ||
        tensor_is_state(tensor->name))
        return;
    met->total++; /* the first normalisation sees the inputs; the others see its outputs */
    if (tensor_absmax(&tensor->stats) > p[PARAMETER_LARGEST])
        meet(met, tensor, tensor_absmax(&tensor->stats));
}

static void look(const struct use *use, const struct tensor *tensor, struct met *met)
{
    const double *p = use->parameters;
    const struct text form = text_of(use->form);
    if (text_is(form, "weights") || text_is(form, "turned") || text_is(form, "moments"))
        look_nonfinite(tensor, text_is(form, "moments"), met);
    else if (text_is(form, "exploded"))
        look_exploded(tensor, p, met);
    else if (text_is(form, "collapsed"))
        look_collapsed(tensor, p, met);
    else if (text_is(form, "dead"))
        look_dead(tensor, p, met);
    else if (text_is(form, "range"))
        look_range(tensor, p, met);
    else if (text_is(form, "unscaled"))
        look_statistics(tensor, p, met);
}

/* Tensors from `first` on that were saved at one moment: all files of one step. */
static size_t moment_end(const struct run *run, size_t *checkpoint)
{
    if (*checkpoint >= run->checkpoint_count)
        return run->tensor_count; /* in no checkpoint */
    const struct checkpoint *from = &run->checkpoints[*checkpoint];
    const struct checkpoint *last = from;
    while (++*checkpoint < run->checkpoint_count) {
        const struct checkpoint *next = &run->checkpoints[*checkpoint];
        if (next->step != from->step || next->epoch != from->epoch)
            break;
        last = next;
    }
    return last->first + last->count;
}

/* The checkpoint before, where the tensor was still finite; NULL: none. */
static const struct checkpoint *finite_before(const struct run *run, const struct tensor *tensor)
{
    const struct checkpoint *before = NULL;
    for (size_t i = 0; i < run->movement_count; i++) {
        const struct movement *movement = &run->movements[i];
        if (movement->b != tensor->input || !movement->ordered)
            continue;
        for (size_t k = 0; k < movement->tensor_count; k++)
            if (movement->tensors[k].b == tensor &&
                movement->tensors[k].a->stats.nan + movement->tensors[k].a->stats.inf == 0)
                before = checkpoint_at(run, movement->a);
    }
    return before;
}

static bool met_add(const struct use *use, const struct met *met, struct candidates *candidates,
                    struct error *error)
{
    const bool turned = strcmp(use->form, "turned") == 0;
    const struct checkpoint *before = NULL;
    if (turned || strcmp(use->form, "weights") == 0)
        before = finite_before(use->run, met->first);
    if (turned != (before != NULL))
        return true; /* the other of the two forms has it */
    /* Where it began says more than where it is most. */
    const struct tensor *shown = turned ? met->first : met->worst;
    struct candidate candidate = candidate_tensor(use, shown);
    value_add(&candidate, "tensors", (double)met->count);
    value_add(&candidate, "total", (double)met->total);
    value_add_name(&candidate, "tensor", shown->name);
    value_add(&candidate, "rms", tensor_rms(&shown->stats));
    value_add(&candidate, "largest", tensor_absmax(&shown->stats));
    value_add(&candidate, "share", met->most);
    if (before) {
        value_add_place(use, &candidate, "from", before->input);
        value_add_place(use, &candidate, "to", shown->input);
    }
    return candidates_add(candidates, &candidate, error);
}

/* The first moment that shows it is where to look. */
static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct run *run = use->run;
    size_t checkpoint = 0;
    for (size_t first = 0; first < run->tensor_count;) {
        struct met met = {0};
        const size_t end = moment_end(run, &checkpoint);
        for (size_t i = first; i < end; i++)
            if (run->tensors[i].role == ROLE_WEIGHTS)
                look(use, &run->tensors[i], &met);
        if (strcmp(use->form, "unmoved") == 0)
            look_biases(run, first, end, &met);
        if (met.count > 0)
            return met_add(use, &met, candidates, error);
        first = end;
    }
    return true;
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
