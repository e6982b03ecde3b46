/* Flax checkpoints: one MessagePack map (msgpack's spec.md; numbers are big-endian).

   80-8f de df  map        90-9f dc dd  list       a0-bf d9-db  text     c4-c6  bytes
   c7-c9 d4-d8  extension: i8 type and so many bytes                     c0 c2 c3  nil, false, true
   ca cb        floats     cc-cf        unsigned   d0-d3        signed   00-7f e0-ff  themselves

   An array is an extension of type 1 with the list [shape, name of its dtype, bytes in C order]; 2
   is a complex number, 3 a NumPy scalar in the form of an array. Arrays over 1 GiB are a map of
   "__msgpack_chunked_array__", "shape" and "chunks", lists are maps of "0", "1", ... */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/pieces.h"

#include "stalldoc/limits.h"
#include "stalldoc/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    PATH_MOST = 4096,
    SETTING_DEPTH = 5,
    TOKENS_PROBED = 4096,
    EXTENSION_ARRAY = 1,
    HEAD_MOST = 9, /* a mark and the longest number behind it */
    WORD_MOST = 256,
};

enum item_kind {
    ITEM_NIL,
    ITEM_BOOL,
    ITEM_SIGNED,
    ITEM_UNSIGNED,
    ITEM_FLOAT,
    ITEM_TEXT,
    ITEM_BYTES,
    ITEM_LIST,
    ITEM_MAP,
    ITEM_EXTENSION,
    ITEM_NONE, /* no such mark */
};

struct item {
    enum item_kind kind;
    uint64_t size;   /* bytes behind the head; elements or pairs of lists and maps */
    uint64_t number; /* as stored, signed ones extended; a double's bits */
    int8_t type;     /* of an extension */
};

static uint64_t big(struct cursor *cursor, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | take_u8(cursor);
    return value;
}

static uint64_t single_bits(uint64_t bits)
{
    const uint32_t narrow = (uint32_t)bits;
    float value;
    uint64_t out;
    memcpy(&value, &narrow, sizeof(value));
    const double wide = (double)value;
    memcpy(&out, &wide, sizeof(out));
    return out;
}

static struct item marked(struct cursor *cursor, uint8_t mark)
{
    static const struct {
        uint8_t first, last; /* marks of 1, 2, 4 (, 8) bytes of length or value */
        uint8_t width;       /* of the first */
        enum item_kind kind;
    } rows[] = {
        {0xc4, 0xc6, 1, ITEM_BYTES},    {0xc7, 0xc9, 1, ITEM_EXTENSION},
        {0xcc, 0xcf, 1, ITEM_UNSIGNED}, {0xd0, 0xd3, 1, ITEM_SIGNED},
        {0xd9, 0xdb, 1, ITEM_TEXT},     {0xdc, 0xdd, 2, ITEM_LIST},
        {0xde, 0xdf, 2, ITEM_MAP},
    };
    struct item item = {.kind = ITEM_NONE};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (mark < rows[i].first || mark > rows[i].last)
            continue;
        const size_t width = (size_t)rows[i].width << (mark - rows[i].first);
        const uint64_t value = big(cursor, width);
        item.kind = rows[i].kind;
        if (item.kind == ITEM_SIGNED)
            item.number = (uint64_t)((int64_t)(value << (64 - 8 * width)) >> (64 - 8 * width));
        else if (item.kind == ITEM_UNSIGNED)
            item.number = value;
        else
            item.size = value;
    }
    return item;
}

static struct item item_parse(struct cursor *cursor)
{
    const uint8_t mark = take_u8(cursor);
    struct item item = {.kind = ITEM_NONE};
    if (mark < 0x80 || mark >= 0xe0)
        item = (struct item){.kind = ITEM_SIGNED, .number = (uint64_t)(int64_t)(int8_t)mark};
    else if (mark < 0x90)
        item = (struct item){.kind = ITEM_MAP, .size = mark & 15};
    else if (mark < 0xa0)
        item = (struct item){.kind = ITEM_LIST, .size = mark & 15};
    else if (mark < 0xc0)
        item = (struct item){.kind = ITEM_TEXT, .size = mark & 31};
    else if (mark == 0xc0)
        item.kind = ITEM_NIL;
    else if (mark == 0xc2 || mark == 0xc3)
        item = (struct item){.kind = ITEM_BOOL, .number = mark & 1};
    else if (mark == 0xca)
        item = (struct item){.kind = ITEM_FLOAT, .number = single_bits(big(cursor, 4))};
    else if (mark == 0xcb)
        item = (struct item){.kind = ITEM_FLOAT, .number = big(cursor, 8)};
    else if (mark >= 0xd4 && mark <= 0xd8)
        item = (struct item){.kind = ITEM_EXTENSION, .size = UINT64_C(1) << (mark - 0xd4)};
    else
        item = marked(cursor, mark);
    if (item.kind == ITEM_EXTENSION)
        item.type = (int8_t)take_u8(cursor);
    return item;
}

static bool has_bytes(const struct item *item)
{
    return item->kind == ITEM_TEXT || item->kind == ITEM_BYTES || item->kind == ITEM_EXTENSION;
}

/* A map whose keys are texts, and an array among the first items. */
static int probe(struct span head, struct text file_name)
{
    const int name = text_ends(file_name, ".msgpack") ? 60 : 0;
    struct cursor cursor = {.rest = head};
    for (int i = 0; i < TOKENS_PROBED && !cursor.overrun; i++) {
        const struct item item = item_parse(&cursor);
        if (cursor.overrun || item.kind == ITEM_NONE || (i == 0 && item.kind != ITEM_MAP) ||
            (i == 1 && item.kind != ITEM_TEXT))
            return name;
        if (item.kind == ITEM_EXTENSION && item.type == EXTENSION_ARRAY)
            return cursor.rest.size && cursor.rest.data[0] == 0x93 ? 94 : name;
        if (has_bytes(&item))
            take_bytes(&cursor, item.size);
    }
    return name;
}

struct pack {
    const struct reading *reading;
    struct input *input;
    uint64_t at, size;
    char path[PATH_MOST];
    size_t path_size;
    int depth;
    struct error *error;
};

static bool cut(struct pack *pack)
{
    return error_set(pack->error, ERROR_TRUNCATED, input_place(pack->input, pack->size),
                     "the file ends inside its map");
}

static bool broken(struct pack *pack, const char *what)
{
    return error_set(pack->error, ERROR_MALFORMED, input_place(pack->input, pack->at),
                     "msgpack: %s", what);
}

static bool item_take(struct pack *pack, struct item *item)
{
    struct span window;
    const uint64_t left = pack->size - pack->at;
    const size_t part = left < HEAD_MOST ? (size_t)left : HEAD_MOST;
    if (!input_window(pack->input, pack->at, part, &window, pack->error))
        return false;
    struct cursor cursor = {.rest = window};
    *item = item_parse(&cursor);
    if (cursor.overrun)
        return cut(pack);
    if (item->kind == ITEM_NONE)
        return broken(pack, "no such mark");
    pack->at += part - cursor.rest.size;
    if (has_bytes(item) && item->size > pack->size - pack->at)
        return cut(pack);
    return true;
}

/* The bytes of a text, which are passed. */
static bool text_take(struct pack *pack, const struct item *item, char *out, size_t room,
                      struct text *text)
{
    const size_t size = item->size < room ? (size_t)item->size : room;
    if (!input_pread(pack->input, pack->at, size, out, pack->error))
        return false;
    pack->at += item->size;
    *text = (struct text){out, size};
    return true;
}

/* Adds a component to the path; what does not fit is left out. */
static void path_add(struct pack *pack, struct text part)
{
    const size_t dot = pack->path_size > 0;
    if (part.size + dot > sizeof(pack->path) - pack->path_size)
        return;
    if (dot)
        pack->path[pack->path_size++] = '.';
    if (part.size)
        memcpy(pack->path + pack->path_size, part.data, part.size);
    pack->path_size += part.size;
}

static bool key_take(struct pack *pack, char *out, size_t room, struct text *key)
{
    struct item item;
    if (!item_take(pack, &item))
        return false;
    if (item.kind == ITEM_TEXT || item.kind == ITEM_BYTES)
        return text_take(pack, &item, out, room, key);
    if (item.kind != ITEM_SIGNED && item.kind != ITEM_UNSIGNED)
        return broken(pack, "a key that is neither text nor number");
    *key = (struct text){out, (size_t)snprintf(out, room, "%" PRId64, (int64_t)item.number)};
    return true;
}

static bool setting_put(struct pack *pack, const struct item *item)
{
    char printed[WORD_MOST];
    double number;
    struct setting setting = {
        .key = {pack->path, pack->path_size},
        .source = SETTING_CONFIG,
        .place = input_place(pack->input, pack->at),
        .rank = -1,
    };
    if (item->kind == ITEM_TEXT) {
        if (!text_take(pack, item, printed, sizeof(printed), &setting.value))
            return false;
        if (item->size > sizeof(printed))
            return true;
    } else if (item->kind == ITEM_FLOAT) {
        memcpy(&number, &item->number, sizeof(number));
        setting.value = (struct text){printed, number_print(number, printed)};
    } else if (item->kind == ITEM_BOOL) {
        setting.value = item->number ? TEXT("true") : TEXT("false");
    } else {
        const int size = item->kind == ITEM_SIGNED
                             ? snprintf(printed, sizeof(printed), "%" PRId64, (int64_t)item->number)
                             : snprintf(printed, sizeof(printed), "%" PRIu64, item->number);
        setting.value = (struct text){printed, (size_t)size};
    }
    return pack->depth > SETTING_DEPTH || setting.key.size == 0 ||
           pack->reading->sink->setting(pack->reading->sink, &setting, pack->error);
}

/* [shape, dtype, bytes]: fills the view but for its name. */
static bool array_take(struct pack *pack, struct tensor_view *view)
{
    struct item item;
    char word[WORD_MOST];
    if (!item_take(pack, &item))
        return false;
    if (item.kind != ITEM_LIST || item.size != 3)
        return broken(pack, "an array that is none");
    if (!item_take(pack, &item))
        return false;
    if (item.kind != ITEM_LIST || item.size > TENSOR_RANK_MAX)
        return broken(pack, "an array without a shape");
    view->rank = (uint8_t)item.size;
    for (int i = 0; i < view->rank; i++) {
        if (!item_take(pack, &item))
            return false;
        view->shape[i] = (int64_t)item.number;
        if ((item.kind != ITEM_SIGNED && item.kind != ITEM_UNSIGNED) || view->shape[i] < 0)
            return broken(pack, "an array without a shape");
    }
    if (!item_take(pack, &item))
        return false;
    if ((item.kind != ITEM_TEXT && item.kind != ITEM_BYTES) || item.size > sizeof(word))
        return broken(pack, "an array without a type");
    struct text type;
    if (!text_take(pack, &item, word, sizeof(word), &type))
        return false;
    view->dtype = dtype_named(type);
    if (view->dtype == DTYPE_OPAQUE)
        view->type = arena_text(pack->reading->scratch, type);
    if (!item_take(pack, &item))
        return false;
    if (item.kind != ITEM_BYTES)
        return broken(pack, "an array without bytes");
    view->input = pack->input;
    view->offset = pack->at;
    view->size = item.size;
    pack->at += item.size;
    return true;
}

static bool array_put(struct pack *pack, struct tensor_view *view)
{
    uint64_t bytes;
    view->name = pack->path_size ? (struct text){pack->path, pack->path_size} : TEXT("(array)");
    if (view->dtype != DTYPE_OPAQUE && (!view_pack(view, &bytes) || bytes != view->size))
        return broken(pack, "an array whose bytes are not those of its shape");
    return pack->reading->sink->tensor(pack->reading->sink, view, pack->error);
}

static bool extension_read(struct pack *pack, const struct item *item)
{
    const uint64_t end = pack->at + item->size;
    struct tensor_view view = {0};
    if (item->type != EXTENSION_ARRAY) {
        pack->at = end;
        return true;
    }
    if (!array_take(pack, &view))
        return false;
    if (pack->at != end)
        return broken(pack, "an array of another length");
    return array_put(pack, &view);
}

static bool chunk_shape_take(struct pack *pack, struct tensor_view *view)
{
    struct item item;
    char word[WORD_MOST];
    struct text key;
    if (!item_take(pack, &item))
        return false;
    if (item.kind != ITEM_MAP || item.size > TENSOR_RANK_MAX)
        return broken(pack, "chunks without a shape");
    view->rank = (uint8_t)item.size;
    for (int i = 0; i < view->rank; i++) {
        if (!key_take(pack, word, sizeof(word), &key) || !item_take(pack, &item))
            return false;
        view->shape[i] = (int64_t)item.number;
        if ((item.kind != ITEM_SIGNED && item.kind != ITEM_UNSIGNED) || view->shape[i] < 0)
            return broken(pack, "chunks without a shape");
    }
    return true;
}

static bool chunks_join(struct pack *pack, struct tensor_view *view)
{
    struct item item;
    char word[WORD_MOST];
    struct text key;
    if (!item_take(pack, &item))
        return false;
    if (item.kind != ITEM_MAP || item.size > LIMIT_SIBLINGS)
        return broken(pack, "chunks that are no map");
    const size_t count = (size_t)item.size;
    struct input_part *parts = arena_take(pack->reading->scratch, count + 1, sizeof(*parts));
    if (!parts)
        return error_set(pack->error, ERROR_MEMORY, input_place(pack->input, pack->at),
                         "no memory for the chunks");
    for (size_t i = 0; i < count; i++) {
        struct tensor_view chunk = {0};
        if (!key_take(pack, word, sizeof(word), &key) || !item_take(pack, &item))
            return false;
        if (item.kind != ITEM_EXTENSION || item.type != EXTENSION_ARRAY)
            return broken(pack, "a chunk that is no array");
        if (!array_take(pack, &chunk))
            return false;
        view->dtype = chunk.dtype;
        view->type = chunk.type;
        parts[i] = (struct input_part){pack->input, chunk.offset, chunk.size};
        view->size += chunk.size;
    }
    view->input = input_joined(pack->input, parts, count, pack->error);
    return view->input && array_put(pack, view);
}

/* The rest of a map that says it is an array in chunks. */
static bool chunked_read(struct pack *pack, uint64_t pairs)
{
    struct tensor_view view = {0};
    struct item item;
    char word[WORD_MOST];
    struct text key;
    if (!item_take(pack, &item))
        return false;
    for (uint64_t i = 1; i < pairs; i++) {
        if (!key_take(pack, word, sizeof(word), &key))
            return false;
        if (text_is(key, "shape")    ? !chunk_shape_take(pack, &view)
            : text_is(key, "chunks") ? !chunks_join(pack, &view)
                                     : !broken(pack, "chunks with something else"))
            return false;
    }
    return true;
}

static bool item_read(struct pack *pack);

/* NOLINTNEXTLINE(misc-no-recursion): bounded by the depth */
static bool map_read(struct pack *pack, uint64_t pairs)
{
    char word[PATH_MOST];
    struct text key;
    for (uint64_t i = 0; i < pairs; i++) {
        const size_t before = pack->path_size;
        if (!key_take(pack, word, sizeof(word), &key))
            return false;
        if (i == 0 && text_is(key, "__msgpack_chunked_array__"))
            return chunked_read(pack, pairs);
        path_add(pack, key);
        if (!item_read(pack))
            return false;
        pack->path_size = before;
    }
    return true;
}

/* NOLINTNEXTLINE(misc-no-recursion): bounded by the depth */
static bool list_read(struct pack *pack, uint64_t count)
{
    char word[24];
    for (uint64_t i = 0; i < count; i++) {
        const size_t before = pack->path_size;
        const int size = snprintf(word, sizeof(word), "%" PRIu64, i);
        path_add(pack, (struct text){word, (size_t)size});
        if (!item_read(pack))
            return false;
        pack->path_size = before;
    }
    return true;
}

/* NOLINTNEXTLINE(misc-no-recursion): bounded by the depth */
static bool item_read(struct pack *pack)
{
    struct item item;
    bool sound = true;
    if (!item_take(pack, &item))
        return false;
    if (++pack->depth > LIMIT_DEPTH)
        return broken(pack, "nested too deep");
    switch (item.kind) {
    case ITEM_MAP:
        sound = map_read(pack, item.size);
        break;
    case ITEM_LIST:
        sound = list_read(pack, item.size);
        break;
    case ITEM_EXTENSION:
        sound = extension_read(pack, &item);
        break;
    case ITEM_BYTES:
        pack->at += item.size;
        break;
    case ITEM_NIL:
    case ITEM_NONE:
        break;
    default:
        sound = setting_put(pack, &item);
    }
    pack->depth--;
    return sound;
}

static bool read_msgpack(const struct reading *reading, struct error *error)
{
    struct input *input = reading->input;
    if (!reading_seekable(reading, error))
        return false;
    struct pack *pack = arena_take(reading->scratch, 1, sizeof(*pack));
    if (!pack)
        return error_set(error, ERROR_MEMORY, input_place(input, 0), "no memory for the paths");
    pack->reading = reading;
    pack->input = input;
    pack->size = input_size(input);
    pack->error = error;
    if (!item_read(pack))
        return false;
    return pack->at == pack->size || broken(pack, "bytes behind the end");
}

const struct format format_msgpack = {
    .name = "flax",
    .about = "Flax checkpoint (msgpack)",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_msgpack,
};
