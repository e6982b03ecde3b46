/* One target a format: its probe and its reader over any bytes. FORMAT is the row's name. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/format.h"
#include "fuzz.h"
#include "stalldoc/rule.h"

#define NAME_(name) format_##name
#define NAME(name) NAME_(name)
extern const struct format NAME(FORMAT);

/* Memory of a reader, small enough that what grows without bound shows here. */
enum { MEMORY_MOST = 256 << 20 };

static volatile uint64_t seen; /* so that every byte handed over is looked at */

static void look(const void *bytes, size_t size)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += ((const uint8_t *)bytes)[i];
    seen += sum;
}

static void look_text(struct text text)
{
    look(text.data, text.size);
}

struct listener {
    struct sink sink;
    uint32_t shapes;
    size_t columns[1 << 16];
};

static bool bind(struct sink *sink, const struct shape *shape, uint32_t *id, struct error *error)
{
    struct listener *listener = (struct listener *)sink;
    if (listener->shapes == sizeof(listener->columns) / sizeof(listener->columns[0]))
        return error_set(error, ERROR_LIMIT, (struct place){0}, "enough shapes");
    for (size_t i = 0; i < shape->column_count; i++)
        look_text(shape->columns[i].name);
    listener->columns[listener->shapes] = shape->column_count;
    *id = listener->shapes++;
    return true;
}

static bool take_rows(struct sink *sink, const struct rows *rows, struct error *error)
{
    (void)error;
    const struct listener *listener = (const struct listener *)sink;
    if (rows->shape >= listener->shapes)
        abort();
    size_t columns = listener->columns[rows->shape];
    for (size_t i = 0; i < columns; i++)
        look(rows->values[i], rows->count * sizeof(double));
    if (columns)
        look(rows->places, columns * sizeof(*rows->places));
    look(rows->positions, rows->count * sizeof(*rows->positions));
    look(rows->lines, rows->count * sizeof(*rows->lines));
    look(rows->offsets, rows->count * sizeof(*rows->offsets));
    if (rows->times)
        look(rows->times, rows->count * sizeof(*rows->times));
    for (size_t i = 0; rows->texts && i < rows->count; i++)
        look_text(rows->texts[i]);
    return true;
}

static bool take_message(struct sink *sink, const struct message_seen *message, struct error *error)
{
    (void)sink;
    (void)error;
    look_text(message->line);
    return true;
}

static bool take_setting(struct sink *sink, const struct setting *setting, struct error *error)
{
    (void)sink;
    (void)error;
    look_text(setting->key);
    look_text(setting->value);
    return true;
}

static bool take_life(struct sink *sink, const struct life *life, struct error *error)
{
    (void)sink;
    (void)error;
    look(life, sizeof(life->event));
    return true;
}

static bool take_tensor(struct sink *sink, const struct tensor_view *tensor, struct error *error)
{
    (void)sink;
    (void)error;
    look_text(tensor->name);
    if (tensor->rank > TENSOR_RANK_MAX)
        abort();
    return true;
}

static bool take_seal(struct sink *sink, const struct seal *seal, struct error *error)
{
    (void)sink;
    (void)error;
    look_text(seal->name);
    return true;
}

static bool take_time(struct sink *sink, double time, const struct place *place, int32_t rank,
                      struct error *error)
{
    (void)sink;
    (void)rank;
    (void)error;
    look(&time, sizeof(time));
    look(&place->line, sizeof(place->line));
    return true;
}

static bool take_template(struct sink *sink, struct text text, uint64_t count, bool understood,
                          const struct place *first, struct error *error)
{
    (void)sink;
    (void)count;
    (void)understood;
    (void)error;
    look_text(text);
    look(&first->line, sizeof(first->line));
    return true;
}

static bool take_counts(struct sink *sink, const struct line_counts *counts, struct error *error)
{
    (void)sink;
    (void)error;
    look(&counts->lines, sizeof(counts->lines));
    return true;
}

static const struct rules *rules_once(void)
{
    static struct arena arena;
    static const struct rules *rules;
    struct error error;
    if (!rules && !(rules = rules_load(&arena, NULL, &error)))
        abort();
    return rules;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct rules *rules = rules_once();
    uint8_t *copy = exact_copy(data, size);
    struct input *input = NULL;
    struct error error = {0};
    struct listener *listener = calloc(1, sizeof(*listener));
    struct arena arena = {.limit = MEMORY_MOST};
    if (!listener)
        abort();
    listener->sink =
        (struct sink){bind,      take_rows,     take_message, take_setting, take_life, take_tensor,
                      take_time, take_template, take_counts,  take_seal,    NULL};
    if (input_memory((struct span){copy, size}, "input", 1, &input, &error)) {
        struct span head;
        if (input_head(input, &head, &error))
            seen += (uint64_t)NAME(FORMAT).probe(head, TEXT("input"));
        const struct reading reading = {
            .input = input,
            .scratch = &arena,
            .sink = &listener->sink,
            .vocabulary = rules->vocabulary,
            .messages = rules->messages,
            .max_line = 1 << 20,
            .stats = true,
        };
        if (NAME(FORMAT).read && !NAME(FORMAT).read(&reading, &error) &&
            (error.kind == ERROR_NONE || !error.message[0]))
            abort(); /* a failure has a reason */
    }
    input_close(input);
    arena_free(&arena);
    free(listener);
    free(copy);
    return 0;
}
