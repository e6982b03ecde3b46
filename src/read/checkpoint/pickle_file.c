/* A bare pickle: arrays where it holds some (statistics of environments, generator states), named
   for what it is otherwise. Nothing of it is executed. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/tree.h"

#include <string.h>

enum { PICKLE_MAX = 64 << 20 };

static int probe(struct span head, struct text file_name)
{
    bool name = text_ends(file_name, ".pkl") || text_ends(file_name, ".pickle");
    if (head.size < 2)
        return 0;
    if (head.data[0] == 0x80 && head.data[1] >= 2 && head.data[1] <= 5)
        return name ? 90 : 80;
    /* Protocols 0 and 1 have no mark: a name and an opcode that begins such a file. */
    return name && strchr("(}]c", head.data[0]) ? 70 : 0;
}

static bool no_storage(const struct tree *tree, struct text key, uint64_t bytes, uint64_t *offset)
{
    (void)tree;
    (void)key;
    (void)bytes;
    (void)offset;
    return false;
}

/* joblib puts raw arrays between the opcodes, or into files beside the pickle. */
static bool joblib_named(const struct reading *reading, struct span bytes, struct error *error)
{
    const struct text whole = {(const char *)bytes.data, bytes.size};
    if (text_find(whole, TEXT("joblib.numpy_pickle")) == whole.size)
        return false;
    error_set(error, ERROR_UNSUPPORTED, input_place(reading->input, 0),
              "arrays of joblib: they are named, not read");
    return true;
}

static bool read_pickle(const struct reading *reading, struct error *error)
{
    uint64_t size = input_size(reading->input);
    struct pickle pickle;
    if (!input_seekable(reading->input) || size > PICKLE_MAX)
        return error_set(error, ERROR_UNSUPPORTED, input_place(reading->input, 0),
                         "a pickle of more than 64 MiB, or in a stream, is not read");
    uint8_t *data = arena_take(reading->scratch, (size_t)size + 1, 1);
    if (!data)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0),
                         "no memory for the pickle");
    if (!input_pread(reading->input, 0, (size_t)size, data, error))
        return false;
    const struct span bytes = {data, (size_t)size};
    if (!pickle_read(bytes, input_place(reading->input, 0), reading->scratch, &pickle, error)) {
        if (error->kind != ERROR_MEMORY)
            joblib_named(reading, bytes, error);
        return false;
    }
    struct text unusual = pickle_unusual(&pickle, reading->scratch);
    struct tree tree = {
        .reading = reading,
        .pickle = &pickle,
        .input = reading->input,
        .bytes = bytes,
        .bytes_offset = 0,
        .storage = no_storage,
    };
    if (!tree_put(&tree, error))
        return false;
    if (unusual.size)
        return error_set(error, ERROR_UNSUPPORTED, input_place(reading->input, 0),
                         "a pickle that asks for %.*s when it is loaded; nothing was executed",
                         (int)(unusual.size < 100 ? unusual.size : 100), unusual.data);
    if (tree.tensors > 0)
        return true;
    return !joblib_named(reading, bytes, error) &&
           error_set(error, ERROR_UNSUPPORTED, input_place(reading->input, 0),
                     "a pickle without tensors");
}

const struct format format_pickle_file = {
    .name = "pickle",
    .about = "plain pickle that holds arrays; walked, never executed",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_pickle,
};
