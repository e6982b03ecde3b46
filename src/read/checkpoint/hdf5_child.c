/* The walk over an HDF5 file, in the process that loads the library. Only hard links are followed;
   what stands in other files, behind filters of plug-ins or only as a promise is not read. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/hdf5.h"

#include "stalldoc/features.h"

#if WITH_HDF5
#include "read/checkpoint/hdf5_driver.h"
#include "read/checkpoint/hdf5_type.h"

#include <stdio.h>
#include <string.h>

enum {
    OBJECTS_MAX = 1000000,
    DEPTH_MAX = 64,
    ROW_MOST = 64 << 20,   /* of a slowest dimension: read at once */
    SLAB = 8 << 20,        /* read at once, where rows are shorter */
    CHUNK_MOST = 64 << 20, /* that the library unpacks at once */
    PROMISED = 256 << 20,  /* bytes that may be far more than are stored */
    PROMISED_TIMES = 1000,
    ATTRIBUTE_MOST = 16 << 20,
    SEEN_BITS = 21, /* of the table of objects */
    FILTERS_MAX = 32,
};

struct walk {
    const struct hdf5_job *job;
    struct hdf5 hdf5;
    int out;
    bool broken; /* nobody listens, or the library gave up: the walk ends */
    char path[HDF5_NAME_MOST];
    size_t path_size;
    int depth;
    uint64_t *seen; /* addresses of objects, plus 1; 0: free */
    size_t seen_count;
    uint64_t sent;
};

static bool say(struct walk *walk, struct hdf5_record *record, struct text name, struct text word)
{
    record->name_size = (uint32_t)name.size;
    record->word_size = (uint32_t)(word.size < HDF5_WORD_MOST ? word.size : HDF5_WORD_MOST);
    const bool sound = child_write(walk->out, record, sizeof(*record)) &&
                       child_write(walk->out, name.data, record->name_size) &&
                       child_write(walk->out, word.data, record->word_size);
    walk->broken = walk->broken || !sound;
    return sound;
}

static bool fail(struct walk *walk, enum error_kind kind, const char *reason)
{
    struct hdf5_record record = {.kind = HDF5_FAILED, .error = kind};
    say(walk, &record, TEXT(""), text_of(reason));
    walk->broken = true;
    return false;
}

/* True where the object was met before; the table is half full at most. */
static bool is_seen(struct walk *walk, uint64_t address)
{
    const size_t mask = ((size_t)1 << SEEN_BITS) - 1;
    size_t at = (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SEEN_BITS));
    for (; walk->seen[at]; at = (at + 1) & mask)
        if (walk->seen[at] == address + 1)
            return true;
    walk->seen[at] = address + 1;
    return false;
}

/* ---- Attributes ---- */

static bool text_put(struct walk *walk, const char *name, const char *value, size_t most)
{
    struct hdf5_record record = {.kind = HDF5_SETTING};
    size_t size = 0;
    while (size < most && value[size])
        size++;
    return say(walk, &record, text_of(name), (struct text){value, size});
}

/* One text of the root group, of fixed or variable length. */
static void attribute_put(struct walk *walk, hid_t object, const char *name)
{
    const struct hdf5 *h = &walk->hdf5;
    if (h->attribute_exists(object, name) <= 0)
        return;
    const hid_t attribute = h->attribute_open(object, name, H5P_DEFAULT);
    if (attribute < 0)
        return;
    const hid_t type = h->attribute_type(attribute), space = h->attribute_space(attribute);
    const size_t size = type < 0 ? 0 : h->type_size(type);
    if (type >= 0 && space >= 0 && h->type_class(type) == H5T_STRING &&
        h->space_points(space) == 1 && h->attribute_stored(attribute) <= ATTRIBUTE_MOST) {
        if (h->type_is_variable(type) > 0) {
            char *value = NULL;
            if (h->attribute_read(attribute, type, &value) >= 0 && value)
                text_put(walk, name, value, HDF5_WORD_MOST);
        } else if (size <= ATTRIBUTE_MOST) {
            char *value = block_take(size + 1);
            if (value && h->attribute_read(attribute, type, value) >= 0)
                text_put(walk, name, value, size);
            block_free(value);
        }
    }
    if (space >= 0)
        h->space_close(space);
    if (type >= 0)
        h->type_close(type);
    h->attribute_close(attribute);
}

/* ---- Data sets ---- */

struct data { /* of one that is being looked at */
    hid_t set, type, space, properties;
    struct hdf5_type kind;
    struct hdf5_record record;
    const char *refused; /* why its values are not read; NULL */
    enum error_kind error;
};

/* Keras marks types that HDF5 does not know. */
static void type_by_attribute(const struct walk *walk, struct data *data)
{
    const struct hdf5 *h = &walk->hdf5;
    char word[32] = {0};
    if (h->attribute_exists(data->set, "dtype") <= 0)
        return;
    const hid_t attribute = h->attribute_open(data->set, "dtype", H5P_DEFAULT);
    const hid_t type = attribute < 0 ? -1 : h->attribute_type(attribute);
    if (type >= 0 && h->type_class(type) == H5T_STRING) {
        if (h->type_is_variable(type) > 0) {
            char *value = NULL;
            if (h->attribute_stored(attribute) <= 64 &&
                h->attribute_read(attribute, type, &value) >= 0 && value)
                snprintf(word, sizeof(word), "%s", value);
        } else if (h->type_size(type) < sizeof(word)) {
            h->attribute_read(attribute, type, word);
        }
    }
    const enum dtype dtype = dtype_named(text_of(word));
    if (dtype != DTYPE_OPAQUE && dtype_size(dtype) == h->type_size(data->type)) {
        data->kind.dtype = dtype;
        data->kind.word[0] = 0;
    }
    if (type >= 0)
        h->type_close(type);
    if (attribute >= 0)
        h->attribute_close(attribute);
}

static bool refuse(struct data *data, enum error_kind kind, const char *why)
{
    data->refused = why;
    data->error = kind;
    return false;
}

static bool shape_take(const struct walk *walk, struct data *data)
{
    const struct hdf5 *h = &walk->hdf5;
    hsize_t dims[H5S_MAX_RANK] = {0};
    struct hdf5_record *record = &data->record;
    const int rank = h->space_rank(data->space);
    if (rank < 0 || rank > TENSOR_RANK_MAX || h->space_dims(data->space, dims, NULL) < 0)
        return refuse(data, ERROR_UNSUPPORTED, "has more dimensions than are read");
    record->rank = (uint8_t)rank;
    record->size = dtype_size(data->kind.dtype);
    for (int i = 0; i < rank; i++) {
        if (dims[i] > INT64_MAX || !size_product(record->size, dims[i], &record->size))
            return refuse(data, ERROR_MALFORMED, "has an impossible size");
        record->shape[i] = (int64_t)dims[i];
    }
    return true;
}

static bool filters_known(const struct walk *walk, const struct data *data)
{
    const struct hdf5 *h = &walk->hdf5;
    const int count = h->property_filters(data->properties);
    for (int i = 0; i < count; i++) {
        unsigned flags, settings;
        size_t values = 0;
        const H5Z_filter_t id = h->property_filter(data->properties, (unsigned)i, &flags, &values,
                                                   NULL, 0, NULL, &settings);
        if (id != H5Z_FILTER_DEFLATE && id != H5Z_FILTER_SHUFFLE && id != H5Z_FILTER_FLETCHER32 &&
            id != H5Z_FILTER_NBIT && id != H5Z_FILTER_SCALEOFFSET)
            return false;
    }
    return count >= 0 && count <= FILTERS_MAX;
}

static bool chunks_small(const struct walk *walk, const struct data *data)
{
    hsize_t dims[H5S_MAX_RANK] = {0};
    uint64_t bytes = dtype_size(data->kind.dtype);
    const int rank = walk->hdf5.property_chunk(data->properties, H5S_MAX_RANK, dims);
    for (int i = 0; i < rank; i++)
        if (!size_product(bytes, dims[i], &bytes))
            return false;
    return rank >= 0 && bytes <= CHUNK_MOST;
}

/* Decides how the values come: in place, sent, or not at all. */
static bool values_judge(struct walk *walk, struct data *data)
{
    const struct hdf5 *h = &walk->hdf5;
    struct hdf5_record *record = &data->record;
    const H5D_layout_t layout = h->property_layout(data->properties);
    if (h->property_external(data->properties) != 0 || layout == H5D_VIRTUAL)
        return refuse(data, ERROR_UNSUPPORTED, "has its values in other files");
    const haddr_t place = layout == H5D_CONTIGUOUS ? h->data_offset(data->set) : HADDR_UNDEF;
    if (place != HADDR_UNDEF) {
        record->kind = HDF5_PLACED;
        record->offset = place;
        return true;
    }
    const uint64_t stored = h->data_stored(data->set);
    if (record->size > PROMISED && record->size / PROMISED_TIMES > stored)
        return refuse(data, ERROR_LIMIT, "says it is far larger than what is stored");
    if (layout == H5D_CHUNKED && !filters_known(walk, data))
        return refuse(data, ERROR_UNSUPPORTED, "is packed by a filter that is not read");
    if (layout == H5D_CHUNKED && !chunks_small(walk, data))
        return refuse(data, ERROR_LIMIT, "is stored in chunks of more than 64 MiB");
    if (record->size > walk->job->most - walk->sent)
        return refuse(data, ERROR_LIMIT, "is packed, and more than memory is left for");
    record->kind = HDF5_SENT;
    record->size = walk->job->stats ? record->size : 0;
    return true;
}

static bool part_send(struct walk *walk, const uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size && !walk->broken;) {
        const size_t left = size - done;
        const struct hdf5_part part = {(uint32_t)(left < HDF5_PART ? left : HDF5_PART)};
        walk->broken = !child_write(walk->out, &part, sizeof(part)) ||
                       !child_write(walk->out, bytes + done, part.size);
        done += part.size;
    }
    return !walk->broken;
}

/* Rows from `first` on, in their order in the file. */
static bool slab_send(struct walk *walk, const struct data *data, uint64_t first, uint64_t rows,
                      uint8_t *buffer, size_t size)
{
    const struct hdf5 *h = &walk->hdf5;
    hsize_t start[TENSOR_RANK_MAX] = {first}, count[TENSOR_RANK_MAX];
    hid_t memory = H5S_ALL;
    bool sound = true;
    if (data->record.rank > 0) {
        for (int i = 0; i < data->record.rank; i++)
            count[i] = (hsize_t)data->record.shape[i];
        count[0] = rows;
        memory = h->space_create(data->record.rank, count, NULL);
        sound = memory >= 0 &&
                h->space_select(data->space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0;
    }
    sound = sound &&
            h->data_read(data->set, data->type, memory,
                         data->record.rank > 0 ? data->space : H5S_ALL, H5P_DEFAULT, buffer) >= 0;
    if (memory > 0)
        h->space_close(memory);
    return sound && part_send(walk, buffer, size);
}

static void values_send(struct walk *walk, const struct data *data)
{
    const struct hdf5_record *record = &data->record;
    const struct hdf5_part end = {0};
    if (record->size == 0)
        return;
    const uint64_t rows = record->rank ? (uint64_t)record->shape[0] : 1;
    const uint64_t row = record->size / rows;
    const uint64_t most = row < SLAB ? SLAB / row : 1;
    uint8_t *buffer = row <= ROW_MOST ? block_take((size_t)(row * most)) : NULL;
    bool sound = buffer != NULL;
    for (uint64_t first = 0; sound && first < rows; first += most) {
        const uint64_t here = rows - first < most ? rows - first : most;
        sound = slab_send(walk, data, first, here, buffer, (size_t)(here * row));
    }
    block_free(buffer);
    walk->sent += record->size;
    if (!sound && !walk->broken)
        walk->broken = !child_write(walk->out, &end, sizeof(end));
}

static void data_put(struct walk *walk, struct data *data)
{
    const struct text name = {walk->path, walk->path_size};
    struct hdf5_record *record = &data->record;
    hdf5_type_of(&walk->hdf5, data->type, &data->kind);
    type_by_attribute(walk, data);
    bool good = shape_take(walk, data);
    if (good && data->kind.dtype != DTYPE_OPAQUE)
        good = values_judge(walk, data);
    else if (good)
        record->kind = HDF5_NAMED;
    record->dtype = data->kind.dtype;
    record->swapped = data->kind.swapped;
    if (!good) {
        record->kind = HDF5_ABSENT;
        record->error = data->error;
    }
    const struct text word = !good                        ? text_of(data->refused)
                             : record->kind == HDF5_NAMED ? text_of(data->kind.word)
                                                          : TEXT("");
    if (say(walk, record, name, word) && record->kind == HDF5_SENT)
        values_send(walk, data);
}

static void data_read(struct walk *walk, hid_t set)
{
    const struct hdf5 *h = &walk->hdf5;
    struct data data = {
        .set = set,
        .type = h->data_type(set),
        .space = h->data_space(set),
        .properties = h->data_properties(set),
    };
    if (data.type < 0 || data.space < 0 || data.properties < 0)
        fail(walk, ERROR_MALFORMED, "a data set is damaged");
    else if (h->space_simple(data.space) > 0)
        data_put(walk, &data);
    if (data.type >= 0)
        h->type_close(data.type);
    if (data.space >= 0)
        h->space_close(data.space);
    if (data.properties >= 0)
        h->property_close(data.properties);
}

/* ---- Groups ---- */

static void object_read(struct walk *walk, hid_t object);

/* Adds a component to the path; false where it does not fit. */
static bool path_add(struct walk *walk, const char *name)
{
    const size_t slash = walk->path_size > 0, size = strlen(name);
    if (size + slash > sizeof(walk->path) - walk->path_size)
        return false;
    if (slash)
        walk->path[walk->path_size++] = '/';
    memcpy(walk->path + walk->path_size, name, size);
    walk->path_size += size;
    return true;
}

static herr_t link_met(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    struct walk *walk = context;
    const size_t before = walk->path_size;
    if (info->type != H5L_TYPE_HARD || walk->broken)
        return walk->broken ? 1 : 0;
    if (walk->depth >= DEPTH_MAX || !path_add(walk, name))
        return 0;
    const hid_t object = walk->hdf5.object_open(group, name, H5P_DEFAULT);
    if (object < 0) {
        fail(walk, ERROR_MALFORMED, "an object of it is damaged");
    } else {
        walk->depth++;
        object_read(walk, object);
        walk->depth--;
        walk->hdf5.object_close(object);
    }
    walk->path_size = before;
    return walk->broken ? 1 : 0;
}

static uint64_t address_of(const struct walk *walk, hid_t object)
{
    hdf5_object_info info;
    uint64_t address = 0;
    if (walk->hdf5.object_info(object, &info, H5O_INFO_BASIC) < 0)
        return UINT64_MAX - 1;
#if H5_VERSION_GE(1, 12, 0)
    memcpy(&address, &info.token, sizeof(address));
#else
    address = info.addr;
#endif
    return address;
}

static void object_read(struct walk *walk, hid_t object)
{
    const H5I_type_t kind = walk->hdf5.id_type(object);
    if (is_seen(walk, address_of(walk, object)))
        return;
    if (++walk->seen_count > OBJECTS_MAX)
        fail(walk, ERROR_LIMIT, "it has more than 1,000,000 objects");
    else if (kind == H5I_DATASET)
        data_read(walk, object);
    else if (kind == H5I_GROUP &&
             walk->hdf5.links_iterate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, link_met, walk) <
                 0 &&
             !walk->broken)
        fail(walk, ERROR_MALFORMED, "a group of it is damaged");
}

static void file_walk(struct walk *walk, hid_t root)
{
    static const char *const attributes[] = {"keras_version", "backend", "training_config"};
    struct hdf5_record done = {.kind = HDF5_DONE};
    for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
        attribute_put(walk, root, attributes[i]);
    object_read(walk, root);
    if (!walk->broken)
        say(walk, &done, TEXT(""), TEXT(""));
}

void hdf5_job_run(void *job, int out)
{
    struct walk *walk = block_take(sizeof(*walk));
    const size_t table = sizeof(uint64_t) << SEEN_BITS;
    if (!walk)
        return;
    memset(walk, 0, sizeof(*walk));
    walk->job = job;
    walk->out = out;
    walk->seen = block_take(table);
    if (!walk->seen || !hdf5_load(&walk->hdf5)) {
        fail(walk, ERROR_UNSUPPORTED,
             "libhdf5 is not installed here, or not the one this was made with");
        return;
    }
    memset(walk->seen, 0, table);
    child_seal(&walk->job->limits);
    const hid_t file = hdf5_open(&walk->hdf5, walk->job->input);
    const hid_t root = file < 0 ? -1 : walk->hdf5.object_open(file, "/", H5P_DEFAULT);
    if (root < 0)
        fail(walk, ERROR_MALFORMED, "libhdf5 cannot open it: its structure is damaged");
    else
        file_walk(walk, root);
    /* Nothing is closed: the process ends here. */
}

#else

void hdf5_job_run(void *job, int out)
{
    (void)job;
    (void)out;
}
#endif
