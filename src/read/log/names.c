/* Names and sets of columns, kept once for the whole input and bounded. */
/* SPDX-License-Identifier: MIT */
#include "read/log/reader.h"

#include <string.h>

enum {
    NAMES_CHAINS = 4096,
    NAMES_BYTES = 8 << 20, /* all names of one input */
    SHEET_CHAINS = SHEETS_MAX / 8,
};

struct name {
    struct name *next;
    uint64_t hash;
    struct text text;
};

struct names {
    struct name *chains[NAMES_CHAINS];
    size_t bytes;
};

bool column_again(const struct column *columns, size_t count, const struct column *column,
                  char mark[2])
{
    enum { MOST = 9 };
    const struct text name = column->name;
    int same = 1;
    for (size_t i = 0; i < count; i++) {
        const struct text other = columns[i].name;
        same += columns[i].phase == column->phase &&
                text_equal(text_cut(other, 0, name.size), name) &&
                (other.size == name.size || other.data[name.size] == '#');
    }
    mark[0] = '#';
    mark[1] = (char)('0' + same % 10);
    return same > 1 && same <= MOST;
}

struct text name_intern(struct reader *reader, struct text text)
{
    if (text.size == 0)
        return (struct text){"", 0};
    if (!reader->names)
        reader->names = arena_take(reader->arena, 1, sizeof *reader->names);
    reader->starved = reader->starved || !reader->names;
    if (!reader->names)
        return (struct text){NULL, 0};
    uint64_t hash = text_hash(text);
    struct name **chain = &reader->names->chains[hash % NAMES_CHAINS];
    for (struct name *name = *chain; name; name = name->next)
        if (name->hash == hash && text_equal(name->text, text))
            return name->text;
    if (reader->names->bytes + text.size > NAMES_BYTES)
        return (struct text){NULL, 0};
    struct name *name = arena_take(reader->arena, 1, sizeof *name);
    if (name)
        name->text = arena_text(reader->arena, text);
    reader->starved = reader->starved || !name || !name->text.data;
    if (!name || !name->text.data)
        return (struct text){NULL, 0};
    name->hash = hash;
    name->next = *chain;
    *chain = name;
    reader->names->bytes += text.size + sizeof *name;
    return name->text;
}

static uint64_t columns_hash(const struct column *columns, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ text_hash(columns[i].name)) * 0x9E3779B97F4A7C15u;
        hash = (hash ^ (hash >> 29) ^ text_hash(columns[i].unit)) * 0xBF58476D1CE4E5B9u;
        hash ^= (uint64_t)columns[i].phase + (hash >> 32);
    }
    return hash;
}

static bool columns_equal(const struct sheet *sheet, const struct column *columns, size_t count)
{
    if (sheet->count != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (sheet->columns[i].phase != columns[i].phase ||
            !text_equal(sheet->columns[i].name, columns[i].name) ||
            !text_equal(sheet->columns[i].unit, columns[i].unit))
            return false;
    return true;
}

/* NULL where no more are kept. */
const struct sheet *sheet_find(struct reader *reader, const struct column *columns, size_t count)
{
    if (!reader->sheets)
        reader->sheets = arena_take(reader->arena, SHEET_CHAINS, sizeof *reader->sheets);
    reader->starved = reader->starved || !reader->sheets;
    if (!reader->sheets || count == 0)
        return NULL;
    uint64_t hash = columns_hash(columns, count);
    struct sheet **chain = &reader->sheets[hash % SHEET_CHAINS];
    for (struct sheet *sheet = *chain; sheet; sheet = sheet->next)
        if (sheet->hash == hash && columns_equal(sheet, columns, count))
            return sheet;
    if (reader->sheet_count == SHEETS_MAX)
        return NULL;
    struct sheet *sheet = arena_take(reader->arena, 1, sizeof *sheet);
    struct column *copy = arena_take(reader->arena, count, sizeof *copy);
    reader->starved = reader->starved || !sheet || !copy;
    if (!sheet || !copy)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        copy[i].name = name_intern(reader, columns[i].name);
        copy[i].unit = name_intern(reader, columns[i].unit);
        copy[i].phase = columns[i].phase;
        if (!copy[i].name.data || !copy[i].unit.data)
            return NULL;
    }
    *sheet = (struct sheet){hash, reader->sheet_count++, (uint32_t)count, copy, *chain};
    *chain = sheet;
    return sheet;
}
