/* [bf16_]zero_pp_rank_<r>_mp_rank_<mm>_optim_states.pt
     optimizer_state_dict.partition_count    the number of ranks, or a list of it for each group
     optimizer_state_dict.fp32_flat_groups   stage 3: this rank's slices, a flat tensor a group
     optimizer_state_dict.single_partition_of_fp32_groups    stages 1 and 2: its part of each group
     optimizer_state_dict.{base_optimizer_state,optimizer_state_dict}.state.<group>.exp_avg, ..._sq
                                             as long, in stages 1 and 2 with what pads a group
   [zero_pp_rank_<r>_]mp_rank_<mm>_model_states.pt           the ranks' files: of stage 3 alone
     param_shapes                            a list of groups, each {name: torch.Size}
     module                                  stage 3: places without values

   zero/<parameter>/fp32.pt, exp_avg.pt, ...    of a universal checkpoint: {"param": tensor}

   Stages 1 and 2: the parameters of a group, one behind the other in the order of the shapes, are
   cut over the ranks; the end is padded, to a multiple of twice the ranks at the most.
   Stage 3: a parameter of n values is cut into ceil(n / ranks) a rank, the last ones padded; the
   slices of a rank follow one another in the order of the shapes, through all of its groups. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/zero.h"

#include "read/checkpoint/archive.h"
#include "read/checkpoint/pieces.h"
#include "read/checkpoint/tree_tensor.h"
#include "stalldoc/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { RANKS_MAX = 256, NAME_MOST = 256, GROUPS_MOST = 64, JOINED_MOST = 1 << 17 };

static struct text base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return text_of(slash ? slash + 1 : path);
}

static int64_t partitions(const struct pickle *pickle)
{
    const uint32_t state = pickle_member(pickle, pickle->root, "optimizer_state_dict");
    const struct node *count = pickle_node(pickle, pickle_member(pickle, state, "partition_count"));
    if (count->kind == NODE_LIST && count->count)
        count = pickle_node(pickle, count->items[0]);
    return count->kind == NODE_INTEGER ? count->integer : 0;
}

bool zero_complete(const struct reading *reading, const struct pickle *pickle, struct error *error)
{
    static const char first[] = "zero_pp_rank_0_";
    const struct text name = base_name(input_path(reading->input));
    const size_t at = text_find(name, text_of(first));
    if (at == name.size || !text_ends(name, "_optim_states.pt"))
        return true;
    const struct text rest = text_cut(name, at + sizeof(first) - 1, name.size);
    const int64_t ranks = partitions(pickle);
    for (int64_t rank = 1; rank < ranks && ranks <= RANKS_MAX; rank++) {
        char other[NAME_MOST];
        struct error here = {0};
        const int size = snprintf(other, sizeof(other), "%.*szero_pp_rank_%" PRId64 "_%.*s",
                                  (int)at, name.data, rank, (int)rest.size, rest.data);
        if (size < 0 || (size_t)size >= sizeof(other))
            return true;
        if (!input_sibling(reading->input, (struct text){other, (size_t)size}, &here) &&
            here.kind == ERROR_IO)
            return error_set(error, ERROR_MALFORMED, input_place(reading->input, 0),
                             "the save is not complete: of %" PRId64 " ranks %s is missing", ranks,
                             other);
    }
    return true;
}

struct flat { /* of a rank and a group */
    struct input *input;
    uint64_t offset, count; /* of values */
};

/* What there is of each parameter, in this order: the weights first. */
enum slot { SLOT_WEIGHTS, SLOT_MEAN, SLOT_SQUARE, SLOTS };
static const struct text slot_words[SLOTS] = {{"", 0}, {".exp_avg", 8}, {".exp_avg_sq", 11}};

struct rebuilding {
    const struct reading *reading;
    const struct pickle *pickle;
    size_t ranks;
    bool sliced;              /* stage 3: each parameter for itself */
    bool uneven;              /* groups of experts have fewer ranks */
    struct flat *flats;       /* [(rank * SLOTS + slot) * GROUPS_MOST + group] */
    struct input_part *parts; /* of one parameter */
    size_t part_count;
    uint64_t joined; /* what the parameters so far take, in inputs and 16 parts each */
};

static struct flat *flats_of(const struct rebuilding *rebuilding, size_t rank, enum slot slot)
{
    return rebuilding->flats + (rank * SLOTS + slot) * GROUPS_MOST;
}

struct catching { /* a sink that keeps the flat groups of a rank */
    struct sink sink;
    struct rebuilding *rebuilding;
    size_t rank;
};

/* "...fp32_groups.1", "...state.1.exp_avg": the number between the word and the ending;
   GROUPS_MOST: it is another name. */
static size_t group_of(struct text name, const char *word, struct text ending)
{
    size_t group = 0, begin = name.size - ending.size;
    if (ending.size >= name.size || !text_ends(name, ending.data))
        return GROUPS_MOST;
    const size_t end = begin;
    while (begin > 0 && name.data[begin - 1] >= '0' && name.data[begin - 1] <= '9')
        begin--;
    if (begin == end || end - begin > 2 || !text_ends(text_cut(name, 0, begin), word))
        return GROUPS_MOST;
    for (size_t i = begin; i < end; i++)
        group = 10 * group + (size_t)(name.data[i] - '0');
    return group < GROUPS_MOST ? group : GROUPS_MOST;
}

static bool catch_tensor(struct sink *sink, const struct tensor_view *tensor, struct error *error)
{
    static const struct {
        enum slot slot;
        const char *word;
    } words[] = {{SLOT_WEIGHTS, "fp32_flat_groups."},
                 {SLOT_WEIGHTS, "single_partition_of_fp32_groups."},
                 {SLOT_MEAN, "state."},
                 {SLOT_SQUARE, "state."}};
    const struct catching *catching = (struct catching *)sink;
    (void)error;
    if (tensor->dtype != DTYPE_FLOAT32 || tensor->absent || tensor->swapped || tensor->rank != 1 ||
        (tensor->shape[0] > 1 && tensor->stride[0] != 1))
        return true;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        const enum slot slot = words[i].slot;
        const size_t group = group_of(tensor->name, words[i].word, slot_words[slot]);
        if (group < GROUPS_MOST)
            flats_of(catching->rebuilding, catching->rank, slot)[group] =
                (struct flat){tensor->input, tensor->offset + 4 * (uint64_t)tensor->first,
                              (uint64_t)tensor->shape[0]};
    }
    return true;
}

static bool catch_setting(struct sink *sink, const struct setting *setting, struct error *error)
{
    const struct catching *catching = (struct catching *)sink;
    const struct text word = TEXT(".partition_count.");
    struct number number;
    (void)error;
    if (text_find(setting->key, word) < setting->key.size && number_parse(setting->value, &number))
        catching->rebuilding->uneven |= number.value != (double)catching->rebuilding->ranks;
    return true;
}

static struct input *partition_open(const struct reading *reading, struct text end, size_t rank)
{
    static const char *const before[] = {"", "bf16_", "fp16_"};
    struct input *found = NULL;
    for (size_t i = 0; !found && i < sizeof(before) / sizeof(before[0]); i++) {
        char name[NAME_MOST];
        struct error ignored;
        const int size = snprintf(name, sizeof(name), "%szero_pp_rank_%zu_%.*soptim_states.pt",
                                  before[i], rank, (int)end.size, end.data);
        if (size > 0 && (size_t)size < sizeof(name))
            found = input_sibling(reading->input, (struct text){name, (size_t)size}, &ignored);
    }
    return found;
}

/* The flat groups of a rank; false with ERROR_NONE where they cannot be had. */
static bool partition_read(struct rebuilding *rebuilding, struct text end, size_t rank,
                           struct error *error)
{
    const struct reading *reading = rebuilding->reading;
    struct catching catching = {.sink = {.tensor = catch_tensor, .setting = catch_setting},
                                .rebuilding = rebuilding,
                                .rank = rank};
    struct reading inner = *reading;
    struct error here = {0};
    struct zip zip;
    inner.input = partition_open(reading, end, rank);
    inner.sink = &catching.sink;
    inner.stats = false; /* checksums are held where the file itself is read */
    if (!inner.input)
        return false;
    if (zip_open(inner.input, reading->scratch, &zip, &here) &&
        zip_find_ending(&zip, TEXT("data.pkl")) &&
        torch_archive_read(&inner, inner.input, &zip, TEXT(""), &here))
        return true;
    if (here.kind == ERROR_MEMORY)
        *error = here;
    return false;
}

/* Values from `at` on of `count` flats, each `stride` behind the one before, as if they were one;
   false: there are not as many. */
static bool flats_take(struct rebuilding *rebuilding, const struct flat *flats, size_t count,
                       size_t stride, uint64_t at, uint64_t left)
{
    for (size_t i = 0; i < count && left > 0; i++) {
        const struct flat *flat = &flats[i * stride];
        if (at >= flat->count) {
            at -= flat->count;
            continue;
        }
        const uint64_t there = flat->count - at, here = left < there ? left : there;
        rebuilding->parts[rebuilding->part_count++] =
            (struct input_part){flat->input, flat->offset + 4 * at, 4 * here};
        at = 0;
        left -= here;
    }
    return left == 0;
}

/* Of one rank, over its groups. */
static bool slice_take(struct rebuilding *rebuilding, size_t rank, enum slot slot, uint64_t at,
                       uint64_t left)
{
    return flats_take(rebuilding, flats_of(rebuilding, rank, slot), GROUPS_MOST, 1, at, left);
}

/* Of one group, over the ranks. */
static bool row_take(struct rebuilding *rebuilding, size_t group, enum slot slot, uint64_t at,
                     uint64_t left)
{
    return flats_take(rebuilding, flats_of(rebuilding, 0, slot) + group, rebuilding->ranks,
                      (size_t)SLOTS * GROUPS_MOST, at, left);
}

static bool broken(const struct rebuilding *rebuilding, enum error_kind kind, const char *what,
                   struct text name, struct error *error)
{
    return error_set(error, kind, input_place(rebuilding->reading->input, 0), "%s parameter %.*s",
                     what, (int)(name.size < 100 ? name.size : 100), name.data);
}

struct running { /* through the shapes of a slot */
    enum slot slot;
    size_t group;
    uint64_t at; /* value of the next parameter: in the group, in stage 3 of each rank */
};

/* Finds where the values of a parameter lie, and moves behind them. */
static bool parts_find(struct rebuilding *rebuilding, struct running *running, uint64_t all)
{
    const uint64_t ranks = rebuilding->ranks, slice = all / ranks + (all % ranks > 0);
    const uint64_t at = running->at;
    rebuilding->part_count = 0;
    running->at += rebuilding->sliced ? slice : all;
    if (!rebuilding->sliced)
        return row_take(rebuilding, running->group, running->slot, at, all);
    for (size_t rank = 0; rank < ranks && rank * slice < all; rank++) {
        const uint64_t left = all - rank * slice;
        if (!slice_take(rebuilding, rank, running->slot, at, left < slice ? left : slice))
            return false;
    }
    return true;
}

static bool parameter_put(struct rebuilding *rebuilding, struct running *running,
                          struct tensor_view *view, struct error *error)
{
    const struct reading *reading = rebuilding->reading;
    const struct text word = slot_words[running->slot];
    uint64_t bytes;
    if (!view_pack(view, &bytes))
        return broken(rebuilding, ERROR_MALFORMED, "impossible is the size of", view->name, error);
    if (!parts_find(rebuilding, running, bytes / 4))
        return broken(rebuilding, ERROR_MALFORMED, "the partitions end before", view->name, error);
    rebuilding->joined += 1 + rebuilding->part_count / 16;
    if (rebuilding->joined > JOINED_MOST)
        return broken(rebuilding, ERROR_LIMIT, "too many are the parts before", view->name, error);
    view->name = arena_print(reading->scratch, "%.*s%.*s", (int)view->name.size, view->name.data,
                             (int)word.size, word.data);
    if (!view->name.data)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0),
                         "no memory for a name");
    view->input = input_joined(reading->input, rebuilding->parts, rebuilding->part_count, error);
    view->size = bytes;
    return view->input && reading->sink->tensor(reading->sink, view, error);
}

static uint64_t aligned(const struct rebuilding *rebuilding, uint64_t count)
{
    const uint64_t to = 2 * (uint64_t)rebuilding->ranks;
    return count / to + (count % to > 0);
}

/* The parameters of a group of stages 1 and 2 take what its partitions have, but for what pads. */
static bool row_ends(const struct rebuilding *rebuilding, const struct running *running,
                     struct error *error)
{
    uint64_t count = 0;
    for (size_t rank = 0; rank < rebuilding->ranks; rank++)
        count += flats_of(rebuilding, rank, running->slot)[running->group].count;
    return aligned(rebuilding, count) == aligned(rebuilding, running->at) ||
           error_set(error, ERROR_MALFORMED, input_place(rebuilding->reading->input, 0),
                     "the partitions of group %zu hold %" PRIu64 " values, its parameters %" PRIu64,
                     running->group, count, running->at);
}

static bool group_put(struct rebuilding *rebuilding, const struct node *shapes,
                      struct running *running, struct error *error)
{
    const struct pickle *pickle = rebuilding->pickle;
    for (uint32_t i = 0; i + 1 < shapes->count; i += 2) {
        const struct node *name = pickle_node(pickle, shapes->items[i]);
        struct tensor_view view = {.name = name->text, .dtype = DTYPE_FLOAT32};
        if (name->kind != NODE_TEXT ||
            !pickle_shape(pickle, pickle_node(pickle, shapes->items[i + 1]), view.shape,
                          &view.rank))
            return error_set(error, ERROR_MALFORMED, input_place(rebuilding->reading->input, 0),
                             "the shapes of its parameters are damaged");
        if (!parameter_put(rebuilding, running, &view, error))
            return false;
    }
    return rebuilding->sliced || row_ends(rebuilding, running, error);
}

/* Moments lie as the weights do: of one length, but for what pads the last rank that has any. */
static bool moments_match(const struct rebuilding *rebuilding, enum slot slot)
{
    for (size_t g = 0; g < GROUPS_MOST; g++) {
        bool ended = false;
        for (size_t rank = 0; rank < rebuilding->ranks; rank++) {
            const struct flat *weights = flats_of(rebuilding, rank, SLOT_WEIGHTS) + g;
            const struct flat *moment = flats_of(rebuilding, rank, slot) + g;
            if ((weights->input && !moment->input) || moment->count < weights->count ||
                (ended && weights->count > 0))
                return false;
            ended = ended || moment->count > weights->count;
        }
        if (ended && rebuilding->sliced)
            return false;
    }
    return true;
}

/* "mp_rank_00_" of the model states of rank 0, or of all; empty: the input is none. */
static struct text end_of(const struct reading *reading, bool *sliced)
{
    static const struct text first = {"zero_pp_rank_0_", 15}, last = {"model_states.pt", 15};
    const struct text name = base_name(input_path(reading->input));
    const size_t at = text_find(name, first);
    *sliced = at < name.size;
    if (!text_ends(name, last.data) || (!*sliced && !text_starts(name, "mp_rank_")))
        return (struct text){NULL, 0};
    const size_t begin = *sliced ? at + first.size : 0;
    return text_cut(name, begin, name.size - begin - last.size);
}

static bool slot_put(struct rebuilding *rebuilding, enum slot slot, const struct node *groups,
                     struct error *error)
{
    struct running running = {.slot = slot};
    for (; running.group < groups->count && running.group < GROUPS_MOST; running.group++) {
        const struct node *shapes = pickle_node(rebuilding->pickle, groups->items[running.group]);
        if (!group_put(rebuilding, shapes, &running, error))
            return false;
        running.at = rebuilding->sliced ? running.at : 0;
    }
    return true;
}

static bool rebuild(struct rebuilding *rebuilding, struct text end, const struct node *groups,
                    struct error *error)
{
    struct arena *arena = rebuilding->reading->scratch;
    const size_t most = rebuilding->ranks;
    error->kind = ERROR_NONE;
    rebuilding->flats = arena_take(arena, most * SLOTS * GROUPS_MOST, sizeof(*rebuilding->flats));
    rebuilding->parts = arena_take(arena, most * GROUPS_MOST, sizeof(*rebuilding->parts));
    if (!rebuilding->flats || !rebuilding->parts)
        return error_set(error, ERROR_MEMORY, input_place(rebuilding->reading->input, 0),
                         "no memory for the partitions");
    for (size_t rank = 0; rank < most; rank++)
        if (!partition_read(rebuilding, end, rank, error) ||
            !flats_of(rebuilding, rank, SLOT_WEIGHTS)->input) /* or it holds none */
            return error->kind == ERROR_NONE;
    if (rebuilding->uneven && !rebuilding->sliced)
        return true;
    if (!slot_put(rebuilding, SLOT_WEIGHTS, groups, error))
        return false;
    if (rebuilding->joined > JOINED_MOST / SLOTS)
        return true;
    for (enum slot slot = SLOT_MEAN; slot < SLOTS; slot++)
        if (moments_match(rebuilding, slot) && !slot_put(rebuilding, slot, groups, error))
            return false;
    return true;
}

bool zero_parameters(const struct reading *reading, const struct pickle *pickle,
                     struct error *error)
{
    struct rebuilding rebuilding = {.reading = reading, .pickle = pickle};
    const struct text end = end_of(reading, &rebuilding.sliced);
    const struct node *groups =
        pickle_node(pickle, pickle_member(pickle, pickle->root, "param_shapes"));
    const struct node *ranks =
        pickle_node(pickle, pickle_member(pickle, pickle->root, "dp_world_size"));
    if (end.size == 0 || groups->kind != NODE_LIST || ranks->kind != NODE_INTEGER ||
        ranks->integer < 1 || ranks->integer > RANKS_MAX)
        return true;
    rebuilding.ranks = (size_t)ranks->integer;
    return rebuild(&rebuilding, end, groups, error);
}

static bool named_tensor(struct sink *sink, const struct tensor_view *tensor, struct error *error)
{
    struct zero_naming *naming = (struct zero_naming *)sink;
    struct tensor_view view = *tensor;
    if (text_is(view.name, "param") || text_is(view.name, "(root)"))
        view.name = naming->name;
    return naming->to->tensor(naming->to, &view, error);
}

static bool named_setting(struct sink *sink, const struct setting *setting, struct error *error)
{
    struct zero_naming *naming = (struct zero_naming *)sink;
    return naming->to->setting(naming->to, setting, error);
}

static bool named_seal(struct sink *sink, const struct seal *seal, struct error *error)
{
    struct zero_naming *naming = (struct zero_naming *)sink;
    return naming->to->seal(naming->to, seal, error);
}

/* Takes the last component off the path. */
static struct text part_off(struct text *path)
{
    size_t begin = path->size;
    while (begin > 0 && path->data[begin - 1] != '/')
        begin--;
    const struct text part = text_cut(*path, begin, path->size - begin);
    path->size = begin > 0 ? begin - 1 : 0;
    return part;
}

bool zero_named(const struct reading *reading, struct zero_naming *naming)
{
    static const char *const slots[] = {"fp32.pt", "exp_avg.pt", "exp_avg_sq.pt", "step.pt"};
    struct text path = text_of(input_path(reading->input));
    const struct text file = part_off(&path), parameter = part_off(&path);
    bool slot = false;
    for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++)
        slot = slot || text_is(file, slots[i]);
    if (!slot || !text_is(part_off(&path), "zero"))
        return false;
    const struct text word = text_cut(file, 0, file.size - strlen(".pt"));
    naming->name = text_is(word, "fp32")
                       ? parameter
                       : arena_print(reading->scratch, "%.*s.%.*s", (int)parameter.size,
                                     parameter.data, (int)word.size, word.data);
    naming->to = reading->sink;
    naming->sink = (struct sink){.tensor = named_tensor,
                                 .setting = named_setting,
                                 .seal = reading->sink->seal ? named_seal : NULL};
    return naming->name.data != NULL;
}
