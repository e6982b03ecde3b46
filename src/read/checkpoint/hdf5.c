/* HDF5 files, as Keras writes them (.h5, .hdf5, .weights.h5). The library that knows the format
   works in a limited child process (hdf5_child.c); data sets that stand in the file in one piece
   are measured where they are, others are sent.

   offset  size
   0       8     89 'H' 'D' 'F' 0d 0a 1a 0a; or at 512, 1024, 2048, ..., behind a user's block
   8       1     version of the superblock: 0 and 1 say the end of the file at 40 or 44, 2 and 3 at
   28; 9 (2, 3) or 13 (0, 1): bytes of an offset */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/hdf5.h"

#include "read/checkpoint/keras_config.h"
#include "read/checkpoint/pieces.h"
#include "stalldoc/features.h"

#include <inttypes.h>
#include <string.h>

static const uint8_t magic[8] = {0x89, 'H', 'D', 'F', 0x0d, 0x0a, 0x1a, 0x0a};

enum {
    SUPERBLOCK = 56, /* bytes that are looked at */
    USER_BLOCK_MOST = 32 << 10,
    CHILD_MEMORY = 256 << 20,
    CHILD_SECONDS = 30,
    SENT_MOST = 1 << 30, /* bytes of values, where --max-memory does not bound them */
    VALUE_MOST = 256,
};

static int probe(struct span head, struct text file_name)
{
    (void)file_name;
    if (head.size >= sizeof(magic) && memcmp(head.data, magic, sizeof(magic)) == 0)
        return 99;
    for (size_t at = 512; at + sizeof(magic) <= head.size && at <= USER_BLOCK_MOST; at *= 2)
        if (memcmp(head.data + at, magic, sizeof(magic)) == 0)
            return 90;
    return 0;
}

/* The file has a superblock and is as long as that says; the library's own word for a short one
   does not say how long. */
static bool length_holds(struct input *input, struct error *error)
{
    const uint64_t size = input_size(input);
    struct span window;
    for (uint64_t at = 0;; at = at ? 2 * at : 512) {
        if (at > size || size - at < SUPERBLOCK)
            return at == 0 ? error_set(error, ERROR_TRUNCATED, input_place(input, size),
                                       "the file ends before its superblock does")
                           : error_set(error, ERROR_MALFORMED, input_place(input, 0),
                                       "no HDF5 signature");
        if (!input_window(input, at, SUPERBLOCK, &window, error))
            return false;
        if (memcmp(window.data, magic, sizeof(magic)) == 0)
            break;
    }
    const uint8_t version = window.data[8], width = window.data[version < 2 ? 13 : 9];
    struct cursor cursor = {.rest = {window.data, window.size}};
    if (version > 3 || width != 8)
        return true; /* the library says what it thinks of it */
    take_bytes(&cursor, version == 0 ? 40 : version == 1 ? 44 : 28);
    const uint64_t end = take_u64le(&cursor);
    /* The address counts from the file's beginning, whatever stands before the superblock. */
    return end <= size || end == UINT64_MAX ||
           error_set(error, ERROR_TRUNCATED, input_place(input, size),
                     "the file says that it has %" PRIu64 " bytes, and ends", end);
}

struct listening {
    const struct reading *reading;
    struct input *input;
    struct child *child;
    struct hdf5_record record;
    struct text name, word;
    struct error damage; /* the first that does not end the reading */
};

static bool text_read(struct listening *listening, uint32_t size, struct text *text,
                      struct error *error)
{
    char *bytes = arena_take(listening->reading->scratch, (size_t)size + 1, 1);
    if (!bytes)
        return error_set(error, ERROR_MEMORY, input_place(listening->input, 0),
                         "no memory for a name");
    *text = (struct text){bytes, size};
    return child_read(listening->child, bytes, size, error);
}

/* What the other process says is checked as if the file said it. */
static bool record_read(struct listening *listening, struct error *error)
{
    struct hdf5_record *record = &listening->record;
    if (!child_read(listening->child, record, sizeof(*record), error))
        return false;
    if (record->kind > HDF5_DONE || record->error > ERROR_MEMORY || record->dtype >= DTYPE_COUNT ||
        record->rank > TENSOR_RANK_MAX || record->name_size > HDF5_NAME_MOST ||
        record->word_size > HDF5_WORD_MOST)
        return error_set(error, ERROR_MALFORMED, input_place(listening->input, 0),
                         "the process that read it broke down");
    for (int i = 0; i < record->rank; i++)
        if (record->shape[i] < 0)
            return error_set(error, ERROR_MALFORMED, input_place(listening->input, 0),
                             "a data set of a negative size");
    return text_read(listening, record->name_size, &listening->name, error) &&
           text_read(listening, record->word_size, &listening->word, error);
}

static void damage(struct listening *listening, enum error_kind kind, const char *what)
{
    if (listening->damage.kind == ERROR_NONE)
        error_set(&listening->damage, kind, input_place(listening->input, 0), "data set %.*s %s",
                  (int)(listening->name.size < 100 ? listening->name.size : 100),
                  listening->name.data, what);
}

/* The values that are sent, as an input; absent where the sender failed. */
static bool sent_take(struct listening *listening, uint64_t bytes, struct tensor_view *view,
                      struct error *error)
{
    uint8_t *values = arena_take(listening->reading->scratch, (size_t)bytes + 1, 1);
    if (!values)
        return error_set(error, ERROR_MEMORY, input_place(listening->input, 0),
                         "no memory for the values of a data set");
    for (uint64_t done = 0; done < bytes;) {
        struct hdf5_part part;
        if (!child_read(listening->child, &part, sizeof(part), error))
            return false;
        if (part.size == 0) {
            view->absent = true;
            damage(listening, ERROR_MALFORMED, "cannot be unpacked");
            return true;
        }
        if (part.size > bytes - done)
            return error_set(error, ERROR_MALFORMED, input_place(listening->input, 0),
                             "the process that read it broke down");
        if (!child_read(listening->child, values + done, part.size, error))
            return false;
        done += part.size;
    }
    view->input = input_inside(listening->input, (struct span){values, (size_t)bytes}, error);
    return view->input != NULL;
}

static bool tensor_put(struct listening *listening, struct error *error)
{
    const struct reading *reading = listening->reading;
    const struct hdf5_record *record = &listening->record;
    uint64_t bytes;
    struct tensor_view view = {
        .name = listening->name,
        .dtype = record->dtype,
        .rank = record->rank,
        .swapped = record->swapped,
        .input = listening->input,
    };
    memcpy(view.shape, record->shape, sizeof(view.shape));
    if (!view_pack(&view, &bytes)) {
        view.absent = true;
        damage(listening, ERROR_MALFORMED, "has an impossible size");
    } else if (record->kind == HDF5_NAMED) {
        view.dtype = DTYPE_OPAQUE;
        view.type = listening->word;
    } else if (record->kind == HDF5_ABSENT) {
        view.absent = true;
        damage(listening, record->error, listening->word.data);
    } else if (record->kind == HDF5_PLACED) {
        const uint64_t size = input_size(listening->input);
        view.offset = record->offset;
        view.size = bytes;
        view.absent = record->offset > size || bytes > size - record->offset;
        if (view.absent)
            damage(listening, ERROR_TRUNCATED, "goes on behind the end of the file");
    } else {
        view.size = record->size;
        view.absent = record->size != bytes; /* names only were asked for */
        if (record->size > 0 && !sent_take(listening, record->size, &view, error))
            return false;
    }
    return reading->sink->tensor(reading->sink, &view, error);
}

static bool setting_put(struct listening *listening, struct text key, struct text value,
                        struct error *error)
{
    const struct reading *reading = listening->reading;
    const struct setting setting = {
        .key = key,
        .value = value,
        .source = SETTING_CONFIG,
        .place = input_place(listening->input, 0),
        .rank = -1,
    };
    return value.size > VALUE_MOST || reading->sink->setting(reading->sink, &setting, error);
}

static bool listen(struct listening *listening, struct error *error)
{
    for (;;) {
        if (!record_read(listening, error))
            return false;
        switch (listening->record.kind) {
        case HDF5_DONE:
            return true;
        case HDF5_FAILED:
            return error_set(error, listening->record.error, input_place(listening->input, 0),
                             "%.*s", (int)listening->word.size, listening->word.data);
        case HDF5_SETTING:
            if (text_is(listening->name, "training_config")
                    ? !keras_config_put(listening->reading, listening->input, listening->word,
                                        TEXT(""), error)
                    : !setting_put(listening, listening->name, listening->word, error))
                return false;
            break;
        default:
            if (!tensor_put(listening, error))
                return false;
        }
    }
}

bool hdf5_read(const struct reading *reading, struct input *input, struct error *error)
{
    const struct arena *arena = reading->scratch;
    const struct place place = input_place(input, 0);
    struct hdf5_job job = {
        .input = input,
        .most = arena->limit ? arena->limit - arena->used : SENT_MOST,
        .stats = reading->stats,
        .limits = {.memory = CHILD_MEMORY, .seconds = CHILD_SECONDS},
    };
    struct listening listening = {.reading = reading, .input = input};
    if (!reading_seekable(reading, error))
        return false;
    if (!length_holds(input, error))
        return false;
    if (!WITH_HDF5)
        return error_set(error, ERROR_UNSUPPORTED, place,
                         "this program was built without HDF5 (the feature hdf5 of its build)");
    listening.child = child_start(hdf5_job_run, &job, &job.limits, place, error);
    bool sound = listening.child && listen(&listening, error);
    child_end(listening.child);
    if (sound && listening.damage.kind != ERROR_NONE) {
        *error = listening.damage;
        sound = false;
    }
    return sound;
}

static bool read_hdf5(const struct reading *reading, struct error *error)
{
    return hdf5_read(reading, reading->input, error);
}

const struct format format_hdf5 = {
    .name = "hdf5",
    .about = "Keras weights and other HDF5 files (.h5, .hdf5)",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_hdf5,
};
