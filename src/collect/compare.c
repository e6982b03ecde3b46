/* Consecutive checkpoints of a run, read once more in pairs: what moved between them. */
/* SPDX-License-Identifier: MIT */
#include "lines.h"

#include "stalldoc/pool.h"

struct hearing {      /* the views of one input, as it is read again */
    struct sink sink; /* first: the sink is the hearing */
    struct arena arena, scratch;
    struct input *input;
    struct tensor_view *views;
    size_t view_count, view_capacity;
    uint32_t *slots; /* hash table of names: index + 1 of a view */
    size_t slot_count;
    const struct portion *portion;
};

static bool hear_bind(struct sink *sink, const struct shape *shape, uint32_t *id,
                      struct error *error)
{
    (void)sink, (void)shape, (void)error;
    *id = 0;
    return true;
}

static bool hear_rows(struct sink *sink, const struct rows *rows, struct error *error)
{
    (void)sink, (void)rows, (void)error;
    return true;
}

static bool hear_message(struct sink *sink, const struct message_seen *message, struct error *error)
{
    (void)sink, (void)message, (void)error;
    return true;
}

static bool hear_setting(struct sink *sink, const struct setting *setting, struct error *error)
{
    (void)sink, (void)setting, (void)error;
    return true;
}

static bool hear_life(struct sink *sink, const struct life *life, struct error *error)
{
    (void)sink, (void)life, (void)error;
    return true;
}

static bool hear_time(struct sink *sink, double time, const struct place *place, int32_t rank,
                      struct error *error)
{
    (void)sink, (void)time, (void)place, (void)rank, (void)error;
    return true;
}

static bool hear_template(struct sink *sink, struct text text, uint64_t count, bool understood,
                          const struct place *first, struct error *error)
{
    (void)sink, (void)text, (void)count, (void)understood, (void)first, (void)error;
    return true;
}

static bool hear_counts(struct sink *sink, const struct line_counts *counts, struct error *error)
{
    (void)sink, (void)counts, (void)error;
    return true;
}

static bool hear_tensor(struct sink *sink, const struct tensor_view *tensor, struct error *error)
{
    struct hearing *hearing = (struct hearing *)sink;
    if (!ROOM(&hearing->arena, hearing->views, hearing->view_count, hearing->view_capacity))
        return memory_ended(error);
    struct tensor_view *view = &hearing->views[hearing->view_count++];
    *view = *tensor;
    view->name = arena_text(&hearing->arena, tensor->name);
    return view->name.data || memory_ended(error);
}

static bool slots_make(struct hearing *hearing)
{
    hearing->slot_count = 16;
    while (hearing->slot_count < 2 * hearing->view_count)
        hearing->slot_count *= 2;
    hearing->slots = arena_take(&hearing->arena, hearing->slot_count, sizeof(*hearing->slots));
    for (size_t i = 0; hearing->slots && i < hearing->view_count; i++) {
        size_t slot = text_hash(hearing->views[i].name) & (hearing->slot_count - 1);
        while (hearing->slots[slot])
            slot = (slot + 1) & (hearing->slot_count - 1);
        hearing->slots[slot] = (uint32_t)i + 1;
    }
    return hearing->slots != NULL;
}

/* Index of the view, or the count. */
static size_t view_named(const struct hearing *hearing, struct text name)
{
    size_t slot = text_hash(name) & (hearing->slot_count - 1);
    for (; hearing->slots[slot]; slot = (slot + 1) & (hearing->slot_count - 1))
        if (text_equal(hearing->views[hearing->slots[slot] - 1].name, name))
            return hearing->slots[slot] - 1;
    return hearing->view_count;
}

static void hearing_end(struct hearing *hearing)
{
    if (hearing->input)
        input_close(hearing->input);
    arena_free(&hearing->scratch);
    arena_free(&hearing->arena);
    *hearing = (struct hearing){0};
}

/* Reads the names and places once more; what cannot be read again is not compared. */
static bool hearing_begin(struct hearing *hearing, const struct collector *collector,
                          const struct portion *portion)
{
    const struct again *again = &collector->again[portion->input - 1];
    struct error ignored = {0};
    *hearing = (struct hearing){.sink = {.bind = hear_bind,
                                         .rows = hear_rows,
                                         .message = hear_message,
                                         .setting = hear_setting,
                                         .life = hear_life,
                                         .tensor = hear_tensor,
                                         .time = hear_time,
                                         .template = hear_template,
                                         .counts = hear_counts},
                                .portion = portion};
    hearing->arena.limit = hearing->scratch.limit = collector->arena->limit;
    if (!again->path || !input_open(again->path, portion->input, &hearing->input, &ignored))
        return false;
    const struct reading reading = {.input = hearing->input,
                                    .scratch = &hearing->scratch,
                                    .sink = &hearing->sink,
                                    .vocabulary = collector->options.vocabulary,
                                    .messages = collector->options.messages,
                                    .max_line = LIMIT_LINE_MESSAGE};
    again->format->read(&reading, &ignored); /* what is sound before damage is compared too */
    return ignored.kind != ERROR_MEMORY && slots_make(hearing);
}

struct measuring { /* of all tensors of one pair, on several threads */
    const struct hearing *a, *b;
    struct compared *compared; /* beside the places: which views */
    size_t (*places)[2];
    bool *sound;
};

static void measure_one(void *context, size_t i)
{
    struct measuring *measuring = context;
    struct error ignored;
    measuring->sound[i] = tensor_pair_measure(&measuring->a->views[measuring->places[i][0]],
                                              &measuring->b->views[measuring->places[i][1]],
                                              &measuring->compared[i].pair, &ignored);
}

static bool comparable(const struct tensor_view *a, const struct tensor_view *b)
{
    return !a->absent && !b->absent && a->dtype == b->dtype && dtype_size(a->dtype) > 0 &&
           a->rank == b->rank && memcmp(a->shape, b->shape, a->rank * sizeof(a->shape[0])) == 0;
}

static const struct checkpoint *checkpoint_of(const struct run *run, uint32_t input)
{
    for (size_t i = 0; i < run->checkpoint_count; i++)
        if (run->checkpoints[i].input == input)
            return &run->checkpoints[i];
    return NULL;
}

static const struct tensor *tensor_at(const struct run *run, const struct checkpoint *checkpoint,
                                      size_t index, struct text name)
{
    if (index >= checkpoint->count)
        return NULL; /* the file is another one by now */
    const struct tensor *tensor = &run->tensors[checkpoint->first + index];
    return text_equal(tensor->name, name) ? tensor : NULL;
}

static bool ordered(const struct portion *a, const struct portion *b)
{
    if (a->step != STEP_NONE && b->step != STEP_NONE)
        return a->step < b->step;
    if (b->last && b->step == STEP_NONE && b->epoch == STEP_NONE)
        return a->step != STEP_NONE || a->epoch != STEP_NONE;
    return a->epoch != STEP_NONE && b->epoch != STEP_NONE && a->epoch < b->epoch;
}

/* The tensors that can be compared, and how many cannot. */
static size_t pairs_find(const struct run *run, struct measuring *measuring,
                         struct movement *movement)
{
    const struct checkpoint *first = checkpoint_of(run, movement->a);
    const struct checkpoint *second = checkpoint_of(run, movement->b);
    size_t count = 0, common = 0;
    for (size_t i = 0; i < measuring->b->view_count; i++) {
        const struct tensor_view *view = &measuring->b->views[i];
        const size_t at = view_named(measuring->a, view->name);
        if (at == measuring->a->view_count)
            continue;
        common++;
        struct compared *compared = &measuring->compared[count];
        compared->a = tensor_at(run, first, at, view->name);
        compared->b = tensor_at(run, second, i, view->name);
        if (!compared->a || !compared->b || !comparable(&measuring->a->views[at], view))
            continue;
        measuring->places[count][0] = at;
        measuring->places[count++][1] = i;
    }
    movement->others = common - count;
    movement->whole = common == measuring->a->view_count && common == measuring->b->view_count;
    return count;
}

static bool pair_compare(struct collector *collector, struct run *run, const struct hearing *a,
                         struct hearing *b, struct movement *movement)
{
    const size_t most = b->view_count + 1;
    struct compared *compared = arena_take(collector->arena, most, sizeof(*compared));
    struct measuring measuring = {.a = a, .b = b, .compared = compared};
    measuring.places = arena_take(&b->arena, most, sizeof(*measuring.places));
    measuring.sound = arena_take(&b->arena, most, sizeof(*measuring.sound));
    if (!compared || !measuring.places || !measuring.sound)
        return false;
    *movement = (struct movement){.a = a->portion->input,
                                  .b = b->portion->input,
                                  .a_step = a->portion->step,
                                  .b_step = b->portion->step,
                                  .a_epoch = a->portion->epoch,
                                  .b_epoch = b->portion->epoch,
                                  .ordered = ordered(a->portion, b->portion),
                                  .sure = a->portion->sure && b->portion->sure,
                                  .tensors = compared};
    const size_t count = pairs_find(run, &measuring, movement);
    struct pool pool = {collector->options.threads};
    pool_run(&pool, count, measure_one, &measuring);
    for (size_t i = 0; i < count; i++) {
        movement->others += !measuring.sound[i];
        if (!measuring.sound[i])
            continue;
        movement->identical += compared[i].pair.identical;
        compared[movement->tensor_count++] = compared[i];
    }
    return true;
}

/* The next of the line behind `i`; the count where it ends. */
static size_t next_of_line(const struct portion *const *line, size_t count, size_t i,
                           const bool *taken, bool together)
{
    for (size_t k = i + 1; k < count; k++)
        if (!taken[k] &&
            line_shared(line[i], line[k],
                        together && line[i]->folder.size == 0 && line[k]->folder.size == 0))
            return k;
    return count;
}

struct chain {
    struct collector *collector;
    struct run *run;
    const struct portion **portions;
    size_t count;
    bool *taken;
    struct movement *movements;
};

/* A line from its first checkpoint to its last: two are open at a time. */
static bool chain_walk(struct chain *chain, size_t i)
{
    struct hearing hearings[2];
    memset(hearings, 0, sizeof(hearings));
    bool open = false, good = true;
    struct run *run = chain->run;
    for (int side = 0; good; side = !side) {
        const size_t next = next_of_line(chain->portions, chain->count, i, chain->taken,
                                         chain->collector->options.together);
        if (next == chain->count)
            break;
        struct hearing *a = &hearings[side], *b = &hearings[!side];
        chain->taken[next] = true;
        open = open || hearing_begin(a, chain->collector, chain->portions[i]);
        const bool second = hearing_begin(b, chain->collector, chain->portions[next]);
        if (open && second) {
            good =
                pair_compare(chain->collector, run, a, b, &chain->movements[run->movement_count]);
            run->movement_count += good;
        }
        hearing_end(a);
        open = second;
        i = next;
        if (!second)
            hearing_end(b);
    }
    hearing_end(&hearings[0]);
    hearing_end(&hearings[1]);
    return good;
}

bool run_compare(struct collector *collector, const struct group *group, struct run *run,
                 struct error *error)
{
    struct chain chain = {.collector = collector, .run = run};
    struct arena *arena = collector->arena;
    if (run->checkpoint_count < 2 || collector->options.unmeasured)
        return true;
    chain.portions = arena_take(arena, group->count, sizeof(struct portion *));
    chain.taken = arena_take(arena, group->count, sizeof(bool));
    chain.movements = arena_take(arena, group->count, sizeof(*chain.movements));
    if (!chain.portions || !chain.taken || !chain.movements)
        return memory_ended(error);
    for (size_t i = 0; i < group->count; i++)
        if (group->portions[i]->group == FORMAT_CHECKPOINT && group->portions[i]->tensor_count)
            chain.portions[chain.count++] = group->portions[i];
    for (size_t i = 0; i < chain.count; i++)
        if (!chain.taken[i] && !chain_walk(&chain, i))
            return memory_ended(error);
    run->movements = chain.movements;
    return true;
}
