/* Archives of torch.export (.pt2):

   <p>/data/weights/<model>_weights_config.json      {"config": {name: {"path_name": "weight_0",
   <p>/data/constants/<model>_constants_config.json   "use_pickle": false, "tensor_meta": {"dtype":
   7, "sizes": [{"as_int": 16}], "strides": [...], "storage_offset": {"as_int": 0}}}}}
   <p>/data/weights/weight_0 ...                     the raw storage of each
   <p>/byteorder                                     "little" or "big"

   Earlier ones are archives whose members are archives of torch.save. Sample inputs beside the
   weights are none. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/exported.h"

#include "read/checkpoint/coding.h"
#include "read/checkpoint/description.h"
#include "read/checkpoint/tree_tensor.h"

#include <string.h>

enum { CONFIG_MAX = 16 << 20, LAYOUT_STRIDED = 7 };

static const char *const configs[] = {"_weights_config.json", "_constants_config.json"};

static bool is_config(struct text name)
{
    for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++)
        if (text_ends(name, configs[i]))
            return true;
    return false;
}

bool exported_is(const struct zip *zip)
{
    for (size_t i = 0; i < zip->count; i++)
        if (is_config(zip->members[i].name))
            return true;
    return false;
}

static const enum dtype dtypes[] = {
    [1] = DTYPE_UINT8,
    [2] = DTYPE_INT8,
    [3] = DTYPE_INT16,
    [4] = DTYPE_INT32,
    [5] = DTYPE_INT64,
    [6] = DTYPE_FLOAT16,
    [7] = DTYPE_FLOAT32,
    [8] = DTYPE_FLOAT64,
    [9] = DTYPE_OPAQUE,
    [10] = DTYPE_COMPLEX64,
    [11] = DTYPE_COMPLEX128,
    [12] = DTYPE_BOOL,
    [13] = DTYPE_BFLOAT16,
    [28] = DTYPE_UINT16,
    [29] = DTYPE_FLOAT8_E4M3FN,
    [30] = DTYPE_FLOAT8_E5M2,
    [31] = DTYPE_FLOAT8_E4M3FNUZ,
    [32] = DTYPE_FLOAT8_E5M2FNUZ,
    [33] = DTYPE_OPAQUE,
    [34] = DTYPE_UINT32,
    [35] = DTYPE_UINT64,
};

struct exported {
    const struct reading *reading;
    const struct zip *zip;
    struct text folder; /* of the members that a config names */
    bool swapped;
    size_t coded;
    struct error damage;
};

static bool dtype_take(double number, enum dtype *dtype)
{
    const size_t known = sizeof(dtypes) / sizeof(dtypes[0]);
    /* Numbers between those that are written stand for nothing. */
    if (!(number >= 1) || !(number < (double)known) || (number > 13 && number < 28))
        return false;
    *dtype = dtypes[(size_t)number];
    return true;
}

/* [{"as_int": 16}, ...] */
static bool lengths_of(const cJSON *list, int64_t *lengths, uint8_t *rank)
{
    const cJSON *item;
    *rank = 0;
    cJSON_ArrayForEach(item, list)
    {
        const cJSON *number = json_member(item, "as_int");
        if (*rank == TENSOR_RANK_MAX || !cJSON_IsNumber(number) || !(number->valuedouble >= 0) ||
            number->valuedouble > 9e15)
            return false;
        lengths[(*rank)++] = (int64_t)number->valuedouble;
    }
    return cJSON_IsArray(list);
}

static void damage(struct exported *exported, const char *name, const char *what)
{
    if (exported->damage.kind == ERROR_NONE)
        error_set(&exported->damage, ERROR_MALFORMED, input_place(exported->reading->input, 0),
                  "tensor %.100s %s", name, what);
}

static const struct coded_type *coded_of(double number)
{
    return number == 33 ? &coded_e8m0 : number == 9 ? &coded_complex32 : NULL;
}

/* Where the values lie, and whether they are there. */
static bool values_find(struct exported *exported, const cJSON *node, struct tensor_view *view,
                        struct error *error)
{
    const cJSON *meta = json_member(node, "tensor_meta"), *path = json_member(node, "path_name");
    const cJSON *first = json_member(json_member(meta, "storage_offset"), "as_int");
    const cJSON *dtype = json_member(meta, "dtype");
    const struct coded_type *coded = coded_of(cJSON_IsNumber(dtype) ? dtype->valuedouble : 0);
    const size_t width = coded ? coded->coding.stored : dtype_size(view->dtype);
    const struct text folder = exported->folder;
    view->absent = true;
    if (!cJSON_IsString(path))
        return true;
    const struct text name = arena_print(exported->reading->scratch, "%.*s%s", (int)folder.size,
                                         folder.data, path->valuestring);
    if (!name.data)
        return error_set(error, ERROR_MEMORY, input_place(view->input, 0), "no memory for a name");
    const struct zip_member *member = zip_find(exported->zip, name);
    if (!member) {
        damage(exported, node->string, "has no values in the archive");
        return true;
    }
    if (cJSON_IsTrue(json_member(node, "use_pickle")) || member->method != ZIP_STORED ||
        member->encrypted || width == 0)
        return true;
    view->first = cJSON_IsNumber(first) && first->valuedouble >= 0 && first->valuedouble < 9e15
                      ? (int64_t)first->valuedouble
                      : 0;
    view->offset = member->offset;
    view->size = member->size;
    if (!view_inside(view, view->size / width)) {
        damage(exported, node->string, "reaches beyond its storage");
        return true;
    }
    view->absent = false;
    view->swapped = exported->swapped;
    return !coded || view->size == 0 || view_decode(coded, &exported->coded, view, error);
}

static bool tensor_put(struct exported *exported, const cJSON *node, struct error *error)
{
    const struct reading *reading = exported->reading;
    const cJSON *meta = json_member(node, "tensor_meta"), *dtype = json_member(meta, "dtype");
    const cJSON *layout = json_member(meta, "layout");
    struct tensor_view view = {
        .name = text_of(node->string), .dtype = DTYPE_OPAQUE, .input = reading->input};
    uint8_t strides;
    if (!cJSON_IsObject(meta)) /* another object */
        return true;
    if (!cJSON_IsNumber(dtype) || !dtype_take(dtype->valuedouble, &view.dtype) ||
        !lengths_of(json_member(meta, "sizes"), view.shape, &view.rank) ||
        !lengths_of(json_member(meta, "strides"), view.stride, &strides) || strides != view.rank) {
        damage(exported, node->string, "is not described as it should be");
        return true;
    }
    view.type = dtype->valuedouble == 33  ? TEXT("float8_e8m0fnu")
                : dtype->valuedouble == 9 ? TEXT("complex32")
                                          : TEXT("");
    view.absent = cJSON_IsNumber(layout) && layout->valuedouble != LAYOUT_STRIDED;
    return (view.absent || values_find(exported, node, &view, error)) &&
           reading->sink->tensor(reading->sink, &view, error);
}

static bool config_read(struct exported *exported, const struct zip_member *member,
                        struct error *error)
{
    const struct reading *reading = exported->reading;
    struct span bytes;
    struct json json = {0};
    struct error here = {0};
    if (!zip_read(reading->input, member, CONFIG_MAX, true, reading->scratch, &bytes, error))
        return false;
    if (!json_parse(reading->scratch, (struct text){(const char *)bytes.data, bytes.size},
                    input_path(reading->input), &json, &here))
        return error_set(error, here.kind == ERROR_MEMORY ? ERROR_MEMORY : ERROR_MALFORMED,
                         input_place(reading->input, member->offset),
                         "the description of the weights is no JSON");
    size_t folder = member->name.size;
    while (folder > 0 && member->name.data[folder - 1] != '/')
        folder--;
    exported->folder = text_cut(member->name, 0, folder);
    const cJSON *node;
    cJSON_ArrayForEach(node, json_member(json.root, "config"))
    {
        if (node->string && !tensor_put(exported, node, error))
            return false;
    }
    return archive_seals_put(reading, reading->input, exported->zip, exported->folder, error);
}

bool exported_read(const struct reading *reading, const struct zip *zip, struct error *error)
{
    struct exported exported = {.reading = reading, .zip = zip};
    const struct zip_member *order = zip_find_ending(zip, TEXT("byteorder"));
    struct span bytes;
    struct error ignored;
    if (order && zip_read(reading->input, order, 16, false, reading->scratch, &bytes, &ignored))
        exported.swapped = bytes.size == 3 && memcmp(bytes.data, "big", 3) == 0;
    for (size_t i = 0; i < zip->count; i++)
        if (is_config(zip->members[i].name) && !config_read(&exported, &zip->members[i], error))
            return false;
    if (exported.damage.kind == ERROR_NONE)
        return true;
    *error = exported.damage;
    return false;
}
