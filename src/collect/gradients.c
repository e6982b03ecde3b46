/* Gradient norms that checkpoints tell: stored ones, else what the optimizer keeps of them, else
   the way that the weights went (formats.md 2.9). They are estimates and stay series of their own:
   the tag begins with what they were taken from. */
/* SPDX-License-Identifier: MIT */
#include "gradients.h"

#include "kept.h"
#include "stalldoc/weights.h"
#include <math.h>

#define BETA_USUAL 0.999
#define ALPHA_USUAL 0.99
#define MOMENTUM_USUAL 0.9

enum { PARTS_MOST = 256, SIBLINGS = 4, PLACES = 30 };

static const struct text sources[] = {
    [FROM_STORED] = {"stored/grad_norm", 16},
    [FROM_SQUARES] = {"exp_avg_sq/grad_norm", 20},
    [FROM_MOMENTUM] = {"momentum_buffer/grad_norm", 25},
    [FROM_VELOCITY] = {"velocity/grad_norm", 18},
    [FROM_SUMS] = {"sum/grad_norm", 13},
    [FROM_MOVEMENT] = {"movement/grad_norm", 18},
};

struct sighting { /* of one tensor in one checkpoint */
    enum source_of_gradient source;
    struct text part;
    double norm;
    const struct tensor *tensor; /* that it was taken from */
    int64_t step;
};

struct estimating {
    struct arena *arena;
    const struct group *group;
    const struct run *run;
    bool adafactor;     /* the checkpoint that is read holds its means */
    double beta2_power; /* of the checkpoint that is read: beta2 to the steps taken and one more */
    const struct kept *
        *numbered; /* [tensors of it] slots without a name of their own; NULL: none */
    struct sighting *sightings;
    size_t count, capacity;
};

static bool same_shape(const struct tensor *a, const struct tensor *b)
{
    return a->rank == b->rank && memcmp(a->shape, b->shape, a->rank * sizeof(a->shape[0])) == 0;
}

static const struct group_told *told_by(const struct estimating *estimating, uint32_t input)
{
    for (size_t i = 0; i < estimating->group->count; i++)
        if (estimating->group->portions[i]->input == input)
            return &estimating->group->portions[i]->optimizer;
    return NULL;
}

static bool same_moment(const struct checkpoint *a, const struct checkpoint *b)
{
    return a->input == b->input ||
           (a->step != STEP_NONE && a->step == b->step && a->epoch == b->epoch);
}

/* Of DeepSpeed the settings of the optimizer stand beside what each rank keeps of it, its moments
   under the parameters' names in another file of the same step. */
static double beta2_of(const struct estimating *estimating, const struct checkpoint *checkpoint)
{
    const struct run *run = estimating->run;
    const struct group_told *own = told_by(estimating, checkpoint->input);
    double beta2 = own ? own->beta2 : (double)NAN;
    for (size_t i = 0; isnan(beta2) && i < run->checkpoint_count; i++) {
        const struct group_told *other = told_by(estimating, run->checkpoints[i].input);
        if (same_moment(&run->checkpoints[i], checkpoint) && other)
            beta2 = other->beta2;
    }
    return beta2;
}

static double or_usual(double told, double usual)
{
    return told > 0 && told < 1 ? told : usual;
}

/* What stands beside a tensor under another last word; NULL. */
static const struct tensor *beside(const struct estimating *estimating,
                                   const struct checkpoint *checkpoint, size_t at, struct text stem,
                                   const char *word)
{
    const size_t low = at > checkpoint->first + SIBLINGS ? at - SIBLINGS : checkpoint->first;
    for (size_t i = low; i <= at + SIBLINGS && i < checkpoint->first + checkpoint->count; i++) {
        const struct tensor *tensor = &estimating->run->tensors[i];
        if (tensor->measured && tensor->name.size == stem.size + strlen(word) &&
            memcmp(tensor->name.data, stem.data, stem.size) == 0 && text_ends(tensor->name, word))
            return tensor;
    }
    return NULL;
}

/* How many steps the optimizer has seen; NAN: unknown, then nothing is corrected. */
static double steps_of(const struct estimating *estimating, const struct checkpoint *checkpoint,
                       size_t at, struct text stem)
{
    const struct tensor *own = beside(estimating, checkpoint, at, stem, "step");
    if (own && own->stats.count == 1 && own->stats.sum > 0)
        return own->stats.sum;
    return checkpoint->step > 0 ? (double)checkpoint->step : (double)NAN;
}

static double corrected(double sum, double beta, double steps)
{
    const double seen = isnan(steps) ? 1 : 1 - pow(beta, steps);
    return sqrt(fmax(sum, 0) / (seen > 0 ? seen : 1));
}

/* What RMSprop keeps under the name of momentum are steps, scaled already by its means. */
static const struct kept *kept_at(const struct estimating *estimating,
                                  const struct checkpoint *checkpoint, size_t at)
{
    const struct tensor *tensor = &estimating->run->tensors[at];
    const struct kept *by = kept_by(tensor->name);
    const struct text stem = by ? kept_stem(tensor->name, by) : tensor->name;
    if (by && by->source == FROM_MOMENTUM && beside(estimating, checkpoint, at, stem, "square_avg"))
        return NULL;
    if (by && by->source == FROM_VELOCITY &&
        beside(estimating, checkpoint, at, stem, "/rms/.ATTRIBUTES/VARIABLE_VALUE"))
        return NULL;
    return by;
}

/* Adafactor keeps means over rows and over columns, of which the squares' sum follows: the columns'
   means times the rows. NAN: the tensor is none of its. */
static double adafactor_norm(const struct estimating *estimating,
                             const struct checkpoint *checkpoint, size_t at, struct text stem)
{
    const struct tensor *tensor = &estimating->run->tensors[at];
    const struct tensor *row = beside(estimating, checkpoint, at, stem, "exp_avg_sq_row");
    uint64_t rows = row && row->rank > 0 ? (uint64_t)row->shape[row->rank - 1] : 0;
    if (!row) { /* of torch: with the other dimension kept as 1 */
        row = beside(estimating, checkpoint, at, stem, "row_var");
        rows = row && row->rank > 1 ? (uint64_t)row->shape[row->rank - 2] : 0;
    }
    return rows > 0 ? sqrt(fmax(tensor->stats.sum, 0) * (double)rows) : (double)NAN;
}

/* Adafactor corrects nothing, its means over whole vectors either. */
static bool is_adafactor(const struct estimating *estimating, const struct checkpoint *checkpoint)
{
    for (size_t i = checkpoint->first; i < checkpoint->first + checkpoint->count; i++)
        if (text_ends(estimating->run->tensors[i].name, "exp_avg_sq_col"))
            return true;
    return false;
}

/* Between (1 - mu) of it, of a constant gradient, and this, of independent ones; dampening makes
   each gradient's share smaller. */
static double momentum_norm(const struct group_told *told, const struct tensor *tensor)
{
    const double mu = or_usual(told ? told->momentum : (double)NAN, MOMENTUM_USUAL);
    const double damped = told ? told->dampening : (double)NAN;
    const double share = damped > 0 && damped < 1 ? 1 - damped : 1;
    return sqrt(1 - mu * mu) * tensor->stats.norm / share;
}

/* Keras keeps v = mu v - rate * g: as momentum, but for the rate, without which nothing is known.
 */
static double velocity_norm(const struct group_told *told, const struct tensor *tensor,
                            double steps)
{
    const double mu = or_usual(told ? told->momentum : (double)NAN, MOMENTUM_USUAL);
    const double decay = told && told->decay > 0 && steps > 0 ? told->decay * steps : 0;
    const double rate = told ? told->rate / (1 + decay) : (double)NAN;
    return rate > 0 ? sqrt(1 - mu * mu) * tensor->stats.norm / rate : (double)NAN;
}

static double norm_of(const struct estimating *estimating, const struct checkpoint *checkpoint,
                      size_t at, const struct kept *by, struct text stem)
{
    const struct tensor *tensor = &estimating->run->tensors[at];
    const struct group_told *told = told_by(estimating, checkpoint->input);
    if (tensor->stats.nan + tensor->stats.inf > 0)
        return (double)NAN;
    if (by->source == FROM_STORED)
        return tensor->stats.norm;
    if (by->source == FROM_MOMENTUM)
        return momentum_norm(told, tensor);
    if (by->source == FROM_VELOCITY)
        return velocity_norm(told, tensor, steps_of(estimating, checkpoint, at, stem));
    if (text_ends(tensor->name, "exp_avg_sq_col") || text_ends(tensor->name, "col_var"))
        return adafactor_norm(estimating, checkpoint, at, stem);
    if (text_ends(tensor->name, "variance") || estimating->adafactor)
        return sqrt(fmax(tensor->stats.sum, 0));
    const double steps = steps_of(estimating, checkpoint, at, stem);
    if (by->source == FROM_SUMS) /* of all squares so far */
        return sqrt(fmax(tensor->stats.sum, 0) / (steps > 0 ? steps : 1));
    const bool plain = text_ends(tensor->name, "square_avg") ||
                       text_ends(tensor->name, "/RMSProp") ||
                       text_find(tensor->name, TEXT("/rms/.ATTRIBUTES")) < tensor->name.size;
    const double beta = plain ? or_usual(told ? told->alpha : (double)NAN, ALPHA_USUAL)
                              : or_usual(beta2_of(estimating, checkpoint), BETA_USUAL);
    if (text_ends(tensor->name, "/Adam_1") && estimating->beta2_power < beta) {
        const double seen = 1 - estimating->beta2_power / beta;
        return sqrt(fmax(tensor->stats.sum, 0) / seen);
    }
    return corrected(tensor->stats.sum, beta, steps);
}

static bool sighting_add(struct estimating *estimating, const struct sighting *sighting)
{
    if (!ROOM(estimating->arena, estimating->sightings, estimating->count, estimating->capacity))
        return false;
    estimating->sightings[estimating->count++] = *sighting;
    return true;
}

/* State of torch is numbered in the order of the parameters: their names where all shapes agree. */
struct naming_of {
    const struct tensor **parameters;
    size_t count;
    bool agrees;
};

static bool is_parameter(const struct tensor *tensor)
{
    return tensor->role == ROLE_WEIGHTS && tensor->dtype <= DTYPE_FLOAT8_E5M2FNUZ &&
           tensor->measured && tensor->stats.count > 0 && !tensor_is_state(tensor->name) &&
           !kept_by(tensor->name) && !text_ends(tensor->name, ".step") &&
           !tensor_has(tensor->name, "running_") && !tensor_has(tensor->name, "state.");
}

static bool names_find(const struct estimating *estimating, const struct checkpoint *checkpoint,
                       struct naming_of *naming)
{
    const struct run *run = estimating->run;
    naming->parameters =
        arena_take(estimating->arena, run->tensor_count + 1, sizeof(struct tensor *));
    if (!naming->parameters)
        return false;
    for (size_t c = 0; c < run->checkpoint_count; c++)
        for (size_t i = 0;
             same_moment(&run->checkpoints[c], checkpoint) && i < run->checkpoints[c].count; i++) {
            const struct tensor *tensor = &run->tensors[run->checkpoints[c].first + i];
            if (is_parameter(tensor))
                naming->parameters[naming->count++] = tensor;
        }
    size_t nth = 0;
    naming->agrees = true;
    for (size_t i = 0; i < checkpoint->count; i++) {
        const struct tensor *tensor = &run->tensors[checkpoint->first + i];
        const struct kept *by = kept_at(estimating, checkpoint, checkpoint->first + i);
        if (!by || by->source == FROM_STORED || !tensor->measured)
            continue;
        naming->agrees =
            naming->agrees && nth < naming->count && same_shape(tensor, naming->parameters[nth]);
        nth++;
    }
    naming->agrees = naming->agrees && nth == naming->count;
    return true;
}

/* The number in "optimizer/vars/7"; -1: it has another name. */
static int64_t keras_slot(struct text name)
{
    static const struct text folder = {"optimizer/vars/", 15};
    int64_t number = 0;
    if (name.size <= folder.size || name.size > folder.size + 6 ||
        !text_equal(text_cut(name, 0, folder.size), folder))
        return -1;
    for (size_t i = folder.size; i < name.size; i++) {
        if (name.data[i] < '0' || name.data[i] > '9')
            return -1;
        number = 10 * number + (name.data[i] - '0');
    }
    return number;
}

/* The moments of one variable under Adam: of one shape, and the second nowhere below 0. */
static bool keras_pair(const struct tensor *first, const struct tensor *second)
{
    return first->measured && second->measured && first->rank > 0 && same_shape(first, second) &&
           second->dtype <= DTYPE_BFLOAT16 && second->stats.low >= 0 &&
           (first->stats.low < 0 || first->stats.zero == first->stats.count);
}

/* Of Keras 3 the slots have numbers for names: behind the iteration and the rate, which a schedule
   leaves out, Adam has the two moments of each variable in turn, SGD the one velocity. Any other
   order is left alone. */
static bool numbered_find(struct estimating *estimating, const struct checkpoint *checkpoint)
{
    const struct tensor *tensors = estimating->run->tensors + checkpoint->first;
    const size_t most = checkpoint->count;
    size_t slot = 0;
    const struct group_told *told = told_by(estimating, checkpoint->input);
    const bool descent = told && told->descent && told->momentum > 0;
    estimating->numbered = arena_take(estimating->arena, most + 1, sizeof(*estimating->numbered));
    const struct tensor **slots = arena_take(estimating->arena, most + 2, sizeof(*slots));
    if (!estimating->numbered || !slots)
        return false;
    for (size_t i = 0; i < most; i++) {
        const int64_t number = keras_slot(tensors[i].name);
        if (number >= 0 && (uint64_t)number < most)
            slots[number] = &tensors[i];
    }
    while (slot < 2 && slots[slot] && slots[slot]->rank == 0)
        slot++;
    for (size_t i = slot; slot == 2 && descent && slots[i]; i++)
        estimating->numbered[slots[i] - tensors] = &unnamed_velocity;
    for (; !descent && slot > 0 && slots[slot] && slots[slot + 1] &&
           keras_pair(slots[slot], slots[slot + 1]);
         slot += 2)
        estimating->numbered[slots[slot + 1] - tensors] = &unnamed_square;
    return true;
}

static double beta2_power(const struct run *run, const struct checkpoint *checkpoint)
{
    for (size_t i = checkpoint->first; i < checkpoint->first + checkpoint->count; i++) {
        const struct tensor *tensor = &run->tensors[i];
        if (tensor->measured && tensor->stats.count == 1 && text_ends(tensor->name, "beta2_power"))
            return tensor->stats.sum;
    }
    return (double)NAN;
}

static bool checkpoint_read(struct estimating *estimating, const struct checkpoint *checkpoint)
{
    struct naming_of naming = {0};
    const struct run *run = estimating->run;
    size_t nth = 0;
    if (!numbered_find(estimating, checkpoint))
        return false;
    estimating->beta2_power = beta2_power(run, checkpoint);
    estimating->adafactor = is_adafactor(estimating, checkpoint);
    for (size_t i = checkpoint->first; i < checkpoint->first + checkpoint->count; i++) {
        const struct tensor *tensor = &run->tensors[i];
        const struct kept *numbered = estimating->numbered[i - checkpoint->first];
        const struct kept *by = numbered ? numbered : kept_at(estimating, checkpoint, i);
        if (!by || !tensor->measured || tensor->role != ROLE_WEIGHTS)
            continue;
        if (!naming.parameters && !names_find(estimating, checkpoint, &naming))
            return false;
        struct text stem = kept_stem(tensor->name, by);
        const double norm = norm_of(estimating, checkpoint, i, by, stem);
        const bool momentum = by->source == FROM_MOMENTUM;
        const size_t flax = flax_stem(stem, momentum);
        stem = flax < stem.size ? text_cut(stem, flax, stem.size) : stem;
        stem = text_cut(stem, 0, text_find(stem, TEXT("/.OPTIMIZER_SLOT/")));
        const bool unused = (checkpoint->step == 0 && norm == 0) || /* before the first step */
                            (by->source == FROM_VELOCITY && isnan(norm));
        while (stem.size > 0 && stem.data[stem.size - 1] == '.')
            stem.size--;
        const bool named = naming.agrees && by->source != FROM_STORED;
        const struct sighting sighting = {.source = by->source,
                                          .part = named ? naming.parameters[nth]->name : stem,
                                          .norm = norm,
                                          .tensor = tensor,
                                          .step = checkpoint->step};
        nth += by->source != FROM_STORED;
        if (!unused && !sighting_add(estimating, &sighting))
            return false;
    }
    return true;
}

/* An optimizer that keeps something scales its steps by it: their length says nothing. */
static bool keeps_state(const struct run *run, const struct movement *movement)
{
    for (size_t c = 0; c < run->checkpoint_count; c++) {
        const struct checkpoint *checkpoint = &run->checkpoints[c];
        for (size_t i = 0; checkpoint->input == movement->b && i < checkpoint->count; i++) {
            const struct tensor *tensor = &run->tensors[checkpoint->first + i];
            if (tensor_is_state(tensor->name) && tensor->stats.count > 1)
                return true;
        }
    }
    return false;
}

/* Where nothing else tells: weights that went so far in so many steps at that rate had at least
   this mean gradient under plain descent. */
static bool movement_read(struct estimating *estimating, const struct movement *movement)
{
    const struct group_told *told = told_by(estimating, movement->b);
    const double rate = told ? told->rate : (double)NAN;
    const double steps = (double)movement->b_step - (double)movement->a_step;
    if (!movement->ordered || !movement->sure || movement->a_step == STEP_NONE ||
        movement->b_step == STEP_NONE || !(rate > 0) || keeps_state(estimating->run, movement))
        return true;
    for (size_t i = 0; i < movement->tensor_count; i++) {
        const struct compared *compared = &movement->tensors[i];
        if (!is_parameter(compared->b) || tensor_is_buffer(compared->b->name))
            continue;
        const struct sighting sighting = {.source = FROM_MOVEMENT,
                                          .part = compared->b->name,
                                          .norm = compared->pair.diff_l2 / (rate * steps),
                                          .tensor = compared->b,
                                          .step = movement->b_step};
        if (!sighting_add(estimating, &sighting))
            return false;
    }
    return true;
}

/* The same step of the same line once more: a copy. */
static bool is_copy(const struct run *run, const struct checkpoint *checkpoint)
{
    for (size_t i = 0; i < run->movement_count; i++)
        if (run->movements[i].b == checkpoint->input && !run->movements[i].ordered)
            return true;
    return false;
}

/* A rank's part of an optimizer's state whose ranks share it, all its parameters in one. */
static bool is_flat(const struct sighting *sighting)
{
    const struct text name = sighting->tensor->name;
    return text_find(name, TEXT("base_optimizer_state.")) < name.size ||
           text_find(name, TEXT("optimizer_state_dict.optimizer_state_dict.")) < name.size;
}

/* Where the parts of all ranks were put together under the parameters' names they are not counted
   again. */
static void flat_drop(struct estimating *estimating)
{
    size_t kept_count = 0;
    bool *twice = arena_take(estimating->arena, estimating->count + 1, sizeof(*twice));
    for (size_t i = 0; twice && i < estimating->count; i++)
        for (size_t k = 0; is_flat(&estimating->sightings[i]) && !twice[i] && k < estimating->count;
             k++)
            twice[i] = !is_flat(&estimating->sightings[k]) &&
                       estimating->sightings[k].source == estimating->sightings[i].source &&
                       estimating->sightings[k].step == estimating->sightings[i].step;
    for (size_t i = 0; twice && i < estimating->count; i++)
        if (!twice[i])
            estimating->sightings[kept_count++] = estimating->sightings[i];
    estimating->count = twice ? kept_count : estimating->count;
}

static bool read_all(struct estimating *estimating)
{
    const struct run *run = estimating->run;
    for (size_t i = 0; i < run->checkpoint_count; i++)
        if (!is_copy(run, &run->checkpoints[i]) &&
            !checkpoint_read(estimating, &run->checkpoints[i]))
            return false;
    flat_drop(estimating);
    const bool told = estimating->count > 0;
    for (size_t i = 0; !told && i < run->movement_count; i++)
        if (run->movements[i].ordered && !movement_read(estimating, &run->movements[i]))
            return false;
    return true;
}

static bool point_add(struct track_builder *builder, double value, int64_t step,
                      const struct tensor *tensor, struct error *error)
{
    const uint64_t line = 0;
    const struct track_rows rows = {.count = 1,
                                    .values = &value,
                                    .steps = &step,
                                    .lines = &line,
                                    .offsets = &tensor->offset,
                                    .input = tensor->input,
                                    .places = PLACES};
    return track_add(builder, &rows, error);
}

static bool series_set(const struct estimating *estimating, const struct sighting *first,
                       struct track_builder *builder, bool part, struct series *series)
{
    struct text tag = sources[first->source];
    if (part)
        tag = arena_print(estimating->arena, "%.*s/%.*s", (int)tag.size, tag.data,
                          (int)first->part.size, first->part.data);
    *series = (struct series){.tag = tag,
                              .part = part ? first->part : (struct text){"", 0},
                              .unit = {"", 0},
                              .input = first->tensor->input,
                              .rank = -1,
                              .kind = KIND_GRAD_NORM,
                              .scope = part ? SCOPE_PART : SCOPE_TOTAL,
                              .basis = BASIS_ESTIMATED,
                              .grain = GRAIN_STEP,
                              .origin = ORIGIN_DOCUMENT,
                              .segment_count = 1};
    return tag.data && track_view(builder, &series->whole);
}

static bool at_once(const struct sighting *a, const struct sighting *b)
{
    return a->step == b->step && (a->step != STEP_NONE || a->tensor->input == b->tensor->input);
}

/* One tensor over the checkpoints. */
static bool part_make(struct estimating *estimating, size_t from, bool *taken,
                      struct series *series)
{
    const struct sighting *first = &estimating->sightings[from];
    struct track_builder *builder = track_open(estimating->arena, KIND_GRAD_NORM, false);
    if (!builder)
        return false;
    for (size_t i = from; i < estimating->count; i++) {
        const struct sighting *sighting = &estimating->sightings[i];
        if (taken[i] || sighting->source != first->source ||
            !text_equal(sighting->part, first->part))
            continue;
        /* Ranks that share the optimizer's state hold parts of the tensor under one name. */
        double square = 0;
        for (size_t k = i; k < estimating->count && at_once(&estimating->sightings[k], sighting);
             k++) {
            const struct sighting *other = &estimating->sightings[k];
            if (other->source != first->source || !text_equal(other->part, first->part))
                continue;
            taken[k] = true;
            square += other->norm * other->norm;
        }
        if (!point_add(builder, sqrt(square), sighting->step, sighting->tensor, NULL))
            return false;
    }
    return series_set(estimating, first, builder, true, series);
}

/* All tensors of a moment together: the root of the sum of squares. */
static bool total_make(struct estimating *estimating, enum source_of_gradient source,
                       struct series *series, bool *made)
{
    struct track_builder *builder = NULL;
    const struct sighting *first = NULL;
    for (size_t i = 0; i < estimating->count;) {
        const struct sighting *sighting = &estimating->sightings[i];
        double square = 0;
        size_t of_moment = 0;
        for (; i < estimating->count && at_once(&estimating->sightings[i], sighting); i++) {
            const struct sighting *other = &estimating->sightings[i];
            if (other->source != source)
                continue;
            sighting = of_moment++ ? sighting : other;
            square += other->norm * other->norm;
        }
        if (of_moment == 0)
            continue;
        first = first ? first : sighting;
        builder = builder ? builder : track_open(estimating->arena, KIND_GRAD_NORM, false);
        if (!builder || !point_add(builder, sqrt(square), sighting->step, sighting->tensor, NULL))
            return false;
    }
    *made = first != NULL;
    return !first || series_set(estimating, first, builder, false, series);
}

size_t gradients_most(const struct run *run)
{
    return run->checkpoint_count ? PARTS_MOST + FROM_MOVEMENT + 1 : 0;
}

bool gradients_make(struct arena *arena, const struct group *group, const struct run *run,
                    struct series *series, size_t *count)
{
    struct estimating estimating = {.arena = arena, .group = group, .run = run};
    *count = 0;
    if (!read_all(&estimating))
        return false;
    bool *taken = arena_take(arena, estimating.count + 1, sizeof(*taken));
    if (!taken)
        return false;
    for (enum source_of_gradient source = 0; source <= FROM_MOVEMENT; source++) {
        bool made = false;
        if (!total_make(&estimating, source, &series[*count], &made))
            return false;
        *count += made;
    }
    for (size_t i = 0, parts = 0; i < estimating.count && parts < PARTS_MOST; i++)
        if (!taken[i]) {
            if (!part_make(&estimating, i, taken, &series[(*count)++]))
                return false;
            parts++;
        }
    return true;
}
