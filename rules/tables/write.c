/* Everything of one type becomes one array; a pointer becomes an index into it. */
/* SPDX-License-Identifier: MIT */
#include "write.h"

#include "fields.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { TYPES_MAX = 64 };

struct chunk { /* items that lie behind each other, in memory and in the array */
    const char *items;
    size_t count, first;
};

struct array { /* all items of a type */
    const struct type *type;
    struct chunk *lists;
    size_t list_count, list_capacity;
    size_t count;
};

struct writing {
    FILE *file;
    struct arena arena;
    struct error *error;
    struct array arrays[TYPES_MAX];
    size_t type_count;
};

static bool no_memory(struct writing *writing)
{
    return error_set(writing->error, ERROR_MEMORY, (struct place){0}, "no memory for the tables");
}

static struct array *array_of(struct writing *writing, const struct type *type)
{
    for (size_t i = 0; i < writing->type_count; i++)
        if (writing->arrays[i].type == type)
            return &writing->arrays[i];
    if (writing->type_count == TYPES_MAX) {
        error_set(writing->error, ERROR_LIMIT, (struct place){0}, "more than %d types", TYPES_MAX);
        return NULL;
    }
    const struct field *gap = type->fields ? type_gap(type) : NULL;
    if (gap) {
        error_set(writing->error, ERROR_LIMIT, (struct place){0},
                  "fields.c lacks a member of \"%s\" before %s", type->name,
                  gap->name ? gap->name : "its end");
        return NULL;
    }
    struct array *array = &writing->arrays[writing->type_count++];
    array->type = type;
    return array;
}

/* ---- Finding all items ---- */

static const struct chunk *list_at(const struct array *array, const char *items, size_t count)
{
    const size_t size = array->type->size;
    for (size_t i = 0; i < array->list_count; i++) {
        const struct chunk *list = &array->lists[i];
        if (items >= list->items && items + count * size <= list->items + list->count * size)
            return list;
    }
    return NULL;
}

static bool item_find(struct writing *writing, const struct type *type, const char *item);

static bool list_find(struct writing *writing, const struct type *type, const char *items,
                      size_t count)
{
    struct array *array = array_of(writing, type);
    if (!array)
        return false;
    if (list_at(array, items, count))
        return true;
    struct chunk *lists = arena_grow(&writing->arena, array->lists, array->list_count,
                                     &array->list_capacity, array->list_count + 1, sizeof(*lists));
    if (!lists)
        return no_memory(writing);
    array->lists = lists;
    lists[array->list_count++] = (struct chunk){items, count, array->count};
    array->count += count;
    for (size_t i = 0; i < count; i++)
        if (!item_find(writing, type, items + i * type->size))
            return false;
    return true;
}

static bool field_find(struct writing *writing, const struct field *field, const char *item)
{
    const char *items = field_items(field, item);
    const size_t count = field_count(field, item);
    if (field->list != LIST_HELD)
        return count == 0 || list_find(writing, field->type, items, count);
    if (!array_of(writing, field->type)) /* a check of its fields */
        return false;
    for (size_t i = 0; i < count; i++)
        if (!item_find(writing, field->type, items + i * field->type->size))
            return false;
    return true;
}

static bool item_find(struct writing *writing, const struct type *type, const char *item)
{
    if (type->form == FORM_POINTER) {
        const char *target;
        memcpy(&target, item, sizeof(target));
        return !target || list_find(writing, type->to, target, 1);
    }
    for (const struct field *field = type->fields; field && field->name; field++)
        if (!field_find(writing, field, item))
            return false;
    return true;
}

/* ---- Writing them ---- */

static void put_string(FILE *file, const char *bytes, size_t size)
{
    fputc('"', file);
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        if (byte == '"' || byte == '\\' || byte == '?') /* two of the last begin a trigraph */
            fprintf(file, "\\%c", byte);
        else if (byte >= ' ' && byte < 0x7f)
            fputc(byte, file);
        else
            fprintf(file, "\\%03o", byte);
    }
    fputc('"', file);
}

static void put_real(FILE *file, const char *item)
{
    double number;
    memcpy(&number, item, sizeof(number));
    if (isnan(number))
        fputs("NAN", file);
    else if (isinf(number))
        fputs(number > 0 ? "INFINITY" : "-INFINITY", file);
    else
        fprintf(file, "%a", number);
}

static void put_whole(FILE *file, const struct type *type, const char *item)
{
    uint8_t byte;
    uint32_t word;
    uint64_t number;
    if (type->size == sizeof(byte)) {
        memcpy(&byte, item, sizeof(byte));
        number = byte;
    } else if (type->size == sizeof(word)) {
        memcpy(&word, item, sizeof(word));
        number = word;
    } else {
        memcpy(&number, item, sizeof(number));
    }
    fprintf(file, number > INT32_MAX ? "%" PRIu64 "u" : "%" PRIu64, number);
}

static void put_detector(FILE *file, const char *item)
{
    const struct detector *detector;
    memcpy(&detector, item, sizeof(detector));
    fputs("&detector_", file);
    for (const char *at = detector->name; *at; at++)
        fputc(*at == '-' ? '_' : *at, file);
}

static void put_list(struct writing *writing, const struct type *type, const char *items,
                     size_t count)
{
    const struct chunk *list = count > 0 ? list_at(array_of(writing, type), items, count) : NULL;
    if (!list) {
        fputs("NULL", writing->file);
        return;
    }
    const size_t at = (size_t)(items - list->items) / type->size;
    fprintf(writing->file, "%s + %zu", type->rows, list->first + at);
}

static void put_item(struct writing *writing, const struct type *type, const char *item);

static bool is_zero(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static void put_field(struct writing *writing, const struct field *field, const char *item)
{
    const char *items = field_items(field, item);
    size_t count = field_count(field, item);
    fprintf(writing->file, ".%s = ", field->name);
    if (field->list != LIST_HELD) {
        put_list(writing, field->type, items, count);
        return;
    }
    if (count == 1) {
        put_item(writing, field->type, items);
        return;
    }
    while (count > 1 && is_zero(items + (count - 1) * field->type->size, field->type->size))
        count--;
    fputc('{', writing->file);
    for (size_t i = 0; i < count; i++) {
        put_item(writing, field->type, items + i * field->type->size);
        fputs(i + 1 < count ? ", " : "}", writing->file);
    }
}

static void put_struct(struct writing *writing, const struct type *type, const char *item)
{
    const char *before = "{";
    for (const struct field *field = type->fields; field->name; field++) {
        if (is_zero(item + field->offset, field->size))
            continue;
        fputs(before, writing->file);
        put_field(writing, field, item);
        before = ", ";
    }
    fputs(*before == '{' ? "{0}" : "}", writing->file);
}

static void put_item(struct writing *writing, const struct type *type, const char *item)
{
    const char *pointer = NULL;
    struct text text;
    switch (type->form) {
    case FORM_WHOLE:
        put_whole(writing->file, type, item);
        break;
    case FORM_REAL:
        put_real(writing->file, item);
        break;
    case FORM_STRING:
        memcpy(&pointer, item, sizeof(pointer));
        if (pointer)
            put_string(writing->file, pointer, strlen(pointer));
        else
            fputs("NULL", writing->file);
        break;
    case FORM_TEXT:
        memcpy(&text, item, sizeof(text));
        fputc('{', writing->file);
        put_string(writing->file, text.data, text.size);
        fprintf(writing->file, ", %zu}", text.size);
        break;
    case FORM_DETECTOR:
        put_detector(writing->file, item);
        break;
    case FORM_POINTER:
        memcpy(&pointer, item, sizeof(pointer));
        put_list(writing, type->to, pointer, pointer ? 1 : 0);
        break;
    case FORM_STRUCT:
        put_struct(writing, type, item);
        break;
    }
}

static void put_chunk(struct writing *writing, const struct type *type, const struct chunk *chunk)
{
    for (size_t i = 0; i < chunk->count; i++) {
        const char *item = chunk->items + i * type->size;
        if (is_zero(item, type->size))
            continue;
        fprintf(writing->file, "[%zu] = ", chunk->first + i);
        put_item(writing, type, item);
        fputs(",\n", writing->file);
    }
}

static void put_rows(struct writing *writing, const struct array *array)
{
    fprintf(writing->file, "\nstatic %s const %s[%zu] = {\n", array->type->name, array->type->rows,
            array->count);
    for (size_t i = 0; i < array->list_count; i++)
        put_chunk(writing, array->type, &array->lists[i]);
    fputs("};\n", writing->file);
}

static const char head[] = "/* Written by rules/tables from the files of rules/. */\n"
                           "#include \"detect/rule/condition.h\"\n"
                           "#include \"read/message.h\"\n"
                           "#include \"read/vocabulary.h\"\n"
                           "#include <math.h>\n"
                           "\n"
                           "#define DETECTOR(name) extern const struct detector detector_##name;\n"
                           "#include \"detect/detectors.def\"\n"
                           "#undef DETECTOR\n"
                           "\n";

static void put_all(struct writing *writing, const struct rules *rules)
{
    fputs(head, writing->file);
    for (size_t i = 0; i < writing->type_count; i++) {
        const struct array *array = &writing->arrays[i];
        if (array->count > 0)
            fprintf(writing->file, "static %s const %s[%zu];\n", array->type->name,
                    array->type->rows, array->count);
    }
    for (size_t i = 0; i < writing->type_count; i++)
        if (writing->arrays[i].count > 0)
            put_rows(writing, &writing->arrays[i]);
    fputs("\nconst struct rules rules_embedded = ", writing->file);
    put_struct(writing, type_of_rules, (const char *)rules);
    fputs(";\n", writing->file);
}

bool tables_write(FILE *file, const struct rules *rules, struct error *error)
{
    struct writing writing = {.file = file, .error = error};
    bool found = array_of(&writing, type_of_rules) &&
                 item_find(&writing, type_of_rules, (const char *)rules);
    if (found)
        put_all(&writing, rules);
    arena_free(&writing.arena);
    return found &&
           (!ferror(file) || error_set(error, ERROR_IO, (struct place){0}, "cannot be written"));
}
