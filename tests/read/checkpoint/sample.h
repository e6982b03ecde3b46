/* The samples of testdata/checkpoint/, read as they stand in their folders; tensors come with their
   values. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_SAMPLE_H
#define TEST_SAMPLE_H

#include "check.h"

#include "read/heard.h"

#include "stalldoc/statistics.h"

enum { SAMPLE_VALUES = 16, SAMPLE_MOST = 64 << 10 };

static inline bool sample_tensor(struct sink *sink, const struct tensor_view *tensor,
                                 struct error *error)
{
    struct heard *heard = (struct heard *)sink;
    char line[512];
    double values[SAMPLE_VALUES];
    struct text word = dtype_word(tensor->dtype, tensor->type);
    uint64_t count = tensor_count(tensor);
    int at = snprintf(line, sizeof(line), "%.*s %.*s [", (int)tensor->name.size, tensor->name.data,
                      (int)word.size, word.data);
    for (int i = 0; i < tensor->rank; i++)
        at += snprintf(line + at, sizeof(line) - (size_t)at, "%s%" PRId64, i ? "," : "",
                       tensor->shape[i]);
    at += snprintf(line + at, sizeof(line) - (size_t)at, tensor->absent ? "] absent" : "]");
    heard->tensors++;
    if (!tensor->absent && tensor->dtype != DTYPE_OPAQUE && count && count <= SAMPLE_VALUES) {
        if (!tensor_values(tensor, 0, (size_t)count, values, error))
            return false;
        for (uint64_t i = 0; i < count; i++)
            at += snprintf(line + at, sizeof(line) - (size_t)at, " %g", values[i]);
    }
    heard_add(heard, line);
    return true;
}

static inline bool sample_read_input(struct heard *heard, const struct format *format,
                                     struct input *input, size_t limit, struct error *error)
{
    static struct arena words;
    static const struct vocabulary *vocabulary;
    struct arena scratch = {.limit = limit};
    if (!vocabulary)
        vocabulary = embedded_vocabulary(&words, error);
    heard_init(heard);
    heard->sink.tensor = sample_tensor;
    const struct reading reading = {
        .input = input,
        .scratch = &scratch,
        .sink = &heard->sink,
        .vocabulary = vocabulary,
        .max_line = LIMIT_LINE_MESSAGE,
        .stats = true,
    };
    bool sound = format->read(&reading, error);
    input_close(input);
    arena_free(&scratch);
    return sound;
}

static inline const char *sample_path(const char *name)
{
    static char path[512];
    snprintf(path, sizeof(path), "%s/testdata/checkpoint/%s", getenv("SOURCE_ROOT"), name);
    return path;
}

/* Whole, from its folder. */
static inline bool sample_read(struct heard *heard, const struct format *format, const char *name,
                               struct error *error)
{
    struct input *input;
    *error = (struct error){0};
    return input_open(sample_path(name), 1, &input, error) &&
           sample_read_input(heard, format, input, 0, error);
}

static inline struct span sample_bytes(const char *name)
{
    static uint8_t bytes[SAMPLE_MOST];
    FILE *file = fopen(sample_path(name), "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    return (struct span){bytes, size};
}

static inline int sample_probe(const struct format *format, const char *name)
{
    return format->probe(sample_bytes(name), TEXT("a"));
}

/* The first `size` bytes, alone; `limit` bounds the memory. */
static inline bool sample_read_part(struct heard *heard, const struct format *format,
                                    struct span bytes, size_t size, size_t limit,
                                    struct error *error)
{
    struct input *input;
    *error = (struct error){0};
    uint8_t *copy = malloc(size + 1); /* of its own size, so that reading behind it shows */
    memcpy(copy, bytes.data, size);
    bool sound = input_memory((struct span){copy, size}, "a", 1, &input, error) &&
                 sample_read_input(heard, format, input, limit, error);
    free(copy);
    return sound;
}

/* Every cut says that it is one, or what is damaged, or what the whole says in memory. */
static inline void sample_cuts(struct heard *heard, const struct format *format, const char *name)
{
    struct span bytes = sample_bytes(name);
    struct error whole, error;
    sample_read_part(heard, format, bytes, bytes.size, 0, &whole);
    for (size_t size = 0; size < bytes.size; size++) {
        assert_false(sample_read_part(heard, format, bytes, size, 0, &error));
        assert_true(error.kind == ERROR_TRUNCATED || error.kind == ERROR_MALFORMED ||
                    error.kind == ERROR_CHECKSUM ||
                    (error.kind == whole.kind && whole.kind != ERROR_NONE));
    }
}

/* With every amount of memory: it succeeds, fails as it does with all of it, or says so. */
static inline void sample_limits(struct heard *heard, const struct format *format, const char *name)
{
    struct span bytes = sample_bytes(name);
    struct error whole, error;
    bool sound = sample_read_part(heard, format, bytes, bytes.size, 0, &whole);
    for (size_t limit = 1; limit < 4 << 20; limit = limit_after(limit))
        if (sample_read_part(heard, format, bytes, bytes.size, limit, &error) != sound ||
            error.kind != whole.kind)
            assert_int_equal(error.kind, ERROR_MEMORY);
}

/* Each byte turned: nothing is asked of the outcome but that a failure has its reason. */
static inline void sample_flips(struct heard *heard, const struct format *format, const char *name)
{
    static uint8_t bytes[SAMPLE_MOST];
    struct span whole = sample_bytes(name);
    memcpy(bytes, whole.data, whole.size);
    for (size_t i = 0; i < whole.size; i++) {
        static const uint8_t masks[] = {0x01, 0x80, 0xff};
        for (size_t k = 0; k < sizeof(masks); k++) {
            struct error error;
            bytes[i] ^= masks[k];
            if (!sample_read_part(heard, format, (struct span){bytes, whole.size}, whole.size,
                                  1 << 20, &error))
                assert_true(error.kind != ERROR_NONE && error.message[0]);
            bytes[i] ^= masks[k];
        }
    }
}

#endif
