/* The collector: inputs come one after the other, runs stand at the end. */
/* SPDX-License-Identifier: MIT */
#include "lines.h"
#include "stalldoc/statistics.h"

enum { TEMPLATE_BYTES = 240 };

struct collector *collector_open(struct arena *arena, const struct collector_options *options,
                                 struct error *error)
{
    struct collector *collector = arena_take(arena, 1, sizeof(*collector));
    if (!collector) {
        memory_ended(error);
        return NULL;
    }
    *collector = (struct collector){.arena = arena, .options = *options};
    return collector;
}

static struct source *source_add(struct collector *collector)
{
    if (!ROOM(collector->arena, collector->sources, collector->source_count,
              collector->source_capacity))
        return NULL;
    if (!ROOM(collector->arena, collector->again, collector->source_count,
              collector->again_capacity))
        return NULL;
    collector->again[collector->source_count] = (struct again){0};
    struct source *source = &collector->sources[collector->source_count++];
    *source = (struct source){.run = RUN_NONE,
                              .dialect = {"", 0},
                              .type = {"", 0},
                              .step = STEP_NONE,
                              .epoch = STEP_NONE};
    return source;
}

static bool tape_tensor(struct sink *sink, const struct tensor_view *tensor, struct error *error)
{
    struct tape *tape = (struct tape *)sink;
    if (!ROOM(&tape->arena, tape->views, tape->view_count, tape->view_capacity))
        return memory_ended(error);
    struct tensor_view *view = &tape->views[tape->view_count++];
    *view = *tensor;
    standing_tensor(&tape->standing, view);
    view->name = arena_text(tape->collector->arena, tensor->name);
    view->type = arena_text(tape->collector->arena, tensor->type);
    return (view->name.data && view->type.data) || memory_ended(error);
}

static bool tape_template(struct sink *sink, struct text text, uint64_t count, bool understood,
                          const struct place *first, struct error *error)
{
    struct tape *tape = (struct tape *)sink;
    struct collector *collector = tape->collector;
    if (!collector->options.keep_templates)
        return true;
    if (!collector->templates) {
        collector->templates =
            arena_take(collector->arena, TEMPLATES_SHOWN, sizeof(*collector->templates));
        if (!collector->templates)
            return memory_ended(error);
    }
    size_t at = collector->template_count;
    while (at > 0 && collector->templates[at - 1].count < count)
        at--;
    if (at == TEMPLATES_SHOWN)
        return true;
    if (collector->template_count < TEMPLATES_SHOWN)
        collector->template_count++;
    memmove(&collector->templates[at + 1], &collector->templates[at],
            (collector->template_count - at - 1) * sizeof(*collector->templates));
    text = arena_text(collector->arena, text_cut(text, 0, TEMPLATE_BYTES));
    collector->templates[at] = (struct template_seen){text, count, understood, *first};
    return text.data || memory_ended(error);
}

static bool tape_counts(struct sink *sink, const struct line_counts *counts, struct error *error)
{
    struct tape *tape = (struct tape *)sink;
    (void)error;
    tape->counts = *counts;
    if (counts->lines > tape->end.line)
        tape->end = (struct place){tape->input, counts->lines, tape->end.offset};
    return true;
}

bool collector_begin(struct collector *collector, const char *path, struct text folder,
                     const struct format *format, uint32_t number, struct sink **sink,
                     struct error *error)
{
    struct source *source = source_add(collector);
    struct tape *tape = arena_take(collector->arena, 1, sizeof(*tape));
    if (!source || !tape)
        return memory_ended(error);
    source->path = arena_text(collector->arena, text_of(path));
    source->type = text_of(format->name);
    source->binary = format->group == FORMAT_EVENTS || format->group == FORMAT_CHECKPOINT;
    source->named = folder.size == 0;
    *tape = (struct tape){.sink = {.bind = tape_bind,
                                   .rows = tape_rows,
                                   .message = tape_message,
                                   .setting = tape_setting,
                                   .life = tape_life,
                                   .tensor = tape_tensor,
                                   .seal = tape_seal,
                                   .time = tape_time,
                                   .times = tape_times,
                                   .template = tape_template,
                                   .counts = tape_counts},
                          .collector = collector,
                          .input = number,
                          .format = format,
                          .path = source->path,
                          .folder = arena_text(collector->arena, folder),
                          .end = {.input = number}};
    if (!source->path.data || !tape->folder.data)
        return memory_ended(error);
    tape->arena.limit = collector->arena->limit;
    standing_begin(&tape->standing);
    collector->tape = tape;
    *sink = &tape->sink;
    return true;
}

enum { ROWS_WITHIN = 16 << 20 }; /* elements of a kernel whose rows are looked at one by one */

/* Rows of zeros and rows that are equal: a pass of its own, so for matrices of usual size only. */
static void rows_look(const struct tape *tape, const struct tensor_view *view,
                      struct tensor *tensor)
{
    struct error ignored; /* the bytes were read a moment ago */
    const bool wanted = !tape->collector->options.unjudged && tensor->measured &&
                        tensor->role == ROLE_WEIGHTS && view->rank >= 2 && view->rank <= 5 &&
                        view->dtype <= DTYPE_BFLOAT16 && tensor->stats.count <= ROWS_WITHIN &&
                        view->shape[0] >= 2;
    if (wanted && !tensor_rows_measure(view, &tensor->rows, &ignored))
        tensor->rows = (struct tensor_rows){0};
}

/* How far training had come, also where there are no tensors: of a scaler, a schedule. */
static void portion_stand(struct tape *tape, struct portion *portion)
{
    standing_path(&tape->standing, tape->path);
    portion->step = tape->standing.step;
    portion->epoch = tape->standing.epoch;
    portion->bare = tape->standing.bare;
    portion->last = tape->standing.last;
    portion->sure = tape->standing.sure;
    portion->optimizer = tape->standing.optimizer;
}

/* Which checkpoint of a run it is. */
static bool portion_line(struct tape *tape, struct portion *portion, struct error *error)
{
    if (tape->format->group != FORMAT_CHECKPOINT)
        return true;
    portion_stand(tape, portion);
    /* Bare arrays are as often data as weights. */
    return strcmp(tape->format->name, "numpy") == 0 || line_keys(tape->collector->arena, portion) ||
           memory_ended(error);
}

static bool tensors_keep(struct tape *tape, struct error *error)
{
    struct collector *collector = tape->collector;
    struct portion *portion = &collector->portions[collector->portion_count - 1];
    enum tensor_role *roles = NULL;
    if (!samples_find(tape, &roles, error))
        return false;
    if (tape->view_count == 0) {
        if (tape->format->group == FORMAT_CHECKPOINT)
            portion_stand(tape, portion);
        return true;
    }
    size_t all = tape->view_count;
    struct tensor *tensors = arena_take(collector->arena, tape->view_count, sizeof(*tensors));
    if (!tensors || !seals_lay(tape, &all, error))
        return memory_ended(error);
    struct tensor_stats *stats = arena_take(&tape->arena, all, sizeof(*stats));
    if (!stats)
        return memory_ended(error);
    struct pool pool = {collector->options.threads};
    struct error damage = {0};
    const bool measure = !collector->options.unmeasured;
    bool good =
        measure && tensors_measure(tape->views, all, &pool, collector->arena, stats, &damage);
    bool sound = good && seals_hold(tape, stats, &damage);
    if (damage.kind == ERROR_MEMORY) {
        *error = damage;
        return false;
    }
    portion->samples = true;
    for (size_t i = 0; i < tape->view_count; i++) {
        const struct tensor_view *view = &tape->views[i];
        struct tensor *tensor = &tensors[i];
        portion->samples = portion->samples && roles[i] != ROLE_WEIGHTS;
        *tensor = (struct tensor){.name = view->name,
                                  .role = roles[i],
                                  .dtype = view->dtype,
                                  .type = view->type,
                                  .rank = view->rank,
                                  .offset = view->offset,
                                  .input = tape->input,
                                  .measured = measure && view->dtype != DTYPE_OPAQUE &&
                                              !view->absent && (good || stats[i].count > 0),
                                  .stats = stats[i],
                                  .step = STEP_NONE};
        memcpy(tensor->shape, view->shape, sizeof(tensor->shape));
        rows_look(tape, view, tensor);
        if (!samples_measure(tape, view, tensor, error))
            return false;
    }
    struct source *source = &collector->sources[tape->input - 1];
    if (measure && !sound && source->error.kind == ERROR_NONE) {
        source->error = damage;
        source->status = STATUS_DAMAGED;
    }
    portion->tensors = tensors;
    portion->tensor_count = tape->view_count;
    return portion->samples || portion_line(tape, portion, error);
}

/* The line shape that most readings came from. */
static struct text dialect_of(const struct tape *tape)
{
    static const char *const words[] = {
        [ORIGIN_LINE] = "pairs",        [ORIGIN_TABLE] = "table", [ORIGIN_BOX] = "box",
        [ORIGIN_BAR] = "bar",           [ORIGIN_REDRAW] = "bar",  [ORIGIN_BARE] = "bare columns",
        [ORIGIN_DOCUMENT] = "document", [ORIGIN_EVENT] = "",
    };
    size_t best = ORIGIN_EVENT;
    for (size_t i = 0; i <= ORIGIN_EVENT; i++)
        if (tape->readings[i] > tape->readings[best])
            best = i;
    return text_of(words[best]);
}

bool collector_again(struct collector *collector, const char *path, struct error *error)
{
    struct tape *tape = collector->tape;
    struct again *again = &collector->again[tape->input - 1];
    if (tape->format->group != FORMAT_CHECKPOINT)
        return true;
    again->format = tape->format;
    again->path = arena_string(collector->arena, text_of(path));
    return again->path || memory_ended(error);
}

void collector_offer(struct collector *collector, enum tensor_role role, struct text name)
{
    collector->tape->role = role;
    collector->tape->role_name = name;
}

bool collector_offered(const struct collector *collector, struct error *why)
{
    *why = collector->unoffered;
    return why->kind == ERROR_NONE;
}

bool collector_end(struct collector *collector, enum input_status status, uint64_t bytes,
                   const struct error *damage, struct error *error)
{
    struct tape *tape = collector->tape;
    struct source *source = &collector->sources[tape->input - 1];
    source->status = status;
    source->bytes = bytes;
    source->counts = tape->counts;
    source->dialect = dialect_of(tape);
    if (damage)
        source->error = *damage;
    const size_t before = collector->portion_count;
    const bool good = tape_settle(tape, error) &&
                      (collector->portion_count == before || tensors_keep(tape, error));
    if (tape->stays)
        arena_adopt(collector->arena, &tape->arena);
    else
        arena_free(&tape->arena);
    collector->tape = NULL;
    return good;
}

bool collector_note(struct collector *collector, const char *path, struct text type, bool named,
                    enum input_status status, const struct error *damage, struct error *error)
{
    struct source *source = source_add(collector);
    if (!source)
        return memory_ended(error);
    source->path = arena_text(collector->arena, text_of(path));
    source->type = arena_text(collector->arena, type);
    source->named = named;
    source->unread = true;
    source->status = status;
    if (damage)
        source->error = *damage;
    return (source->path.data && source->type.data) || memory_ended(error);
}

/* A file that was found beside several runs, and is of none. */
static void asides_skip(struct collector *collector)
{
    for (size_t i = 0; i < collector->portion_count; i++) {
        struct source *source = &collector->sources[collector->portions[i].input - 1];
        if (!collector->portions[i].aside || source->run != RUN_NONE || source->status != STATUS_OK)
            continue;
        source->status = STATUS_SKIPPED;
        error_set(&source->error, ERROR_UNSUPPORTED, (struct place){0},
                  "it tells nothing of a training, and not of which run it is");
    }
}

bool collector_finish(struct collector *collector, struct collection *collection,
                      struct error *error)
{
    struct group *groups = NULL;
    size_t count = 0;
    lines_number(collector->portions, collector->portion_count);
    if (!lines_saves(collector->arena, collector->portions, collector->portion_count) ||
        !groups_make(collector, &groups, &count))
        return memory_ended(error);
    struct run *runs = arena_take(collector->arena, count + 1, sizeof(*runs));
    if (!runs)
        return memory_ended(error);
    for (size_t i = 0; i < count; i++) {
        if (!run_make(collector, &groups[i], &runs[i], error))
            return false;
        runs[i].collection = collection;
        for (size_t k = 0; k < runs[i].input_count; k++) {
            struct source *source = &collector->sources[runs[i].inputs[k] - 1];
            if (source->run == RUN_NONE)
                source->run = (uint32_t)i;
        }
        for (size_t k = 0; k < runs[i].series_count; k++)
            ((struct series *)runs[i].series)[k].run = (uint32_t)i;
    }
    asides_skip(collector);
    *collection = (struct collection){.sources = collector->sources,
                                      .source_count = collector->source_count,
                                      .runs = runs,
                                      .run_count = count,
                                      .templates = collector->templates,
                                      .template_count = collector->template_count};
    return true;
}
