/* The bounded table of line templates, and the hash that names them. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/pattern.h"
#include "read/log/reader.h"

#include <string.h>

enum {
    INDEX_SIZE = 2 * LIMIT_TEMPLATES,
    FRESH_LINES = 65536, /* a dead template that was used within so many lines stays */
    FREE_CLASSES = 12,
};

struct free_plan {
    struct free_plan *next;
};

struct templates {
    struct entry *entries; /* LIMIT_TEMPLATES */
    size_t count;
    uint32_t index[INDEX_SIZE]; /* 0 or number of an entry + 1 */
    uint64_t seen[SEEN_MAX];
    struct entry once; /* of a line that is met for the first time */
    uint64_t clock;
    struct free_plan *plans, *values[FREE_CLASSES];
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 32);
}

/* Digits enter as one sign where `masked`. */
static uint64_t mix_text(uint64_t hash, struct text text, bool masked, bool *digits)
{
    uint64_t word = text.size;
    size_t filled = 0;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (byte_is_digit(c)) {
            *digits = true;
            if (masked) {
                while (i + 1 < text.size && byte_is_digit(text.data[i + 1]))
                    i++;
                c = '0';
            }
        }
        word = word << 8 | (unsigned char)c;
        if (++filled == 7) {
            hash = mix(hash, word);
            word = filled = 0;
        }
    }
    return mix(hash, word);
}

/* A word that separates lines though it is quoted. */
static bool literal_string(const struct reader *reader, struct text text)
{
    return text.size <= 16 && vocabulary_phase(reader->vocabulary, text) != PHASE_NONE;
}

/* Padding in front of a number makes no template. */
static bool is_padding(const struct cut *cut, size_t i)
{
    const struct token *next = &cut->tokens[i + 1];
    return next->kind == TOKEN_NUMBER || next->kind == TOKEN_TIME;
}

static void cut_hash(const struct reader *reader, struct cut *cut)
{
    uint64_t hash = 1, fine = 2;
    cut->guarded = false;
    for (size_t i = 0; i < cut->count; i++) {
        const struct token *token = &cut->tokens[i];
        bool digits = false;
        uint64_t kind = token->kind;
        switch (kind) {
        case TOKEN_WORD:
        case TOKEN_KEY:
            hash = mix_text(mix(hash, kind), token_text(cut, token), true, &digits);
            if (digits) {
                cut->guarded = true;
                fine = mix_text(fine + i, token_text(cut, token), false, &digits);
            }
            break;
        case TOKEN_STRING:
            if (literal_string(reader, token_inner(cut, token)) || string_names_value(cut, i))
                hash = mix_text(hash, token_inner(cut, token), false, &digits);
            hash = mix(hash, kind);
            break;
        case TOKEN_NUMBER:
            hash = mix_text(mix(hash, kind), token_unit(cut, token), false, &digits);
            break;
        case TOKEN_PUNCT:
            hash = mix(hash, kind << 8 | (unsigned char)token->byte);
            break;
        case TOKEN_BLANK:
        case TOKEN_GAP:
            if (!is_padding(cut, i))
                hash = mix(hash, kind);
            break;
        default:
            hash = mix(hash, kind);
        }
    }
    cut->hash = hash ? hash : 1;
    cut->fine = mix(hash, fine);
}

bool templates_open(struct reader *reader, struct error *error)
{
    struct templates *templates = arena_take(reader->arena, 1, sizeof *templates);
    if (templates)
        templates->entries = arena_take(reader->arena, LIMIT_TEMPLATES, sizeof *templates->entries);
    if (!templates || !templates->entries)
        return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                         "no memory for line templates");
    reader->templates = templates;
    return true;
}

/* ---- The index ---- */

static struct entry *look_up(struct templates *templates, uint64_t hash)
{
    for (size_t i = (size_t)(hash % INDEX_SIZE); templates->index[i]; i = (i + 1) % INDEX_SIZE) {
        struct entry *entry = &templates->entries[templates->index[i] - 1];
        if (entry->hash == hash)
            return entry;
    }
    return NULL;
}

static void index_add(struct templates *templates, size_t number)
{
    uint64_t hash = templates->entries[number].hash;
    size_t i = (size_t)(hash % INDEX_SIZE);
    while (templates->index[i])
        i = (i + 1) % INDEX_SIZE;
    templates->index[i] = (uint32_t)number + 1;
}

/* ---- Plans ---- */

static size_t class_of(size_t count)
{
    size_t class = 2;
    while (((size_t)1 << class) < count)
        class ++;
    return class;
}

static void plan_free(struct templates *templates, struct plan *plan)
{
    if (!plan)
        return;
    if (plan->value_count > 0) {
        struct free_plan *values = (void *)plan->values;
        size_t class = class_of(plan->value_count);
        values->next = templates->values[class];
        templates->values[class] = values;
    }
    struct free_plan *freed = (void *)plan;
    freed->next = templates->plans;
    templates->plans = freed;
}

static void *take_free(struct free_plan **list, struct arena *arena, size_t size)
{
    struct free_plan *taken = *list;
    if (!taken)
        return arena_take(arena, 1, size);
    *list = taken->next;
    return taken;
}

bool template_keep(struct reader *reader, struct entry *entry, const struct plan *plan,
                   struct error *error)
{
    struct templates *templates = reader->templates;
    if (!(entry->flags & ENTRY_SHORT)) {
        entry->plan = NULL;
        return true;
    }
    struct plan *kept = take_free(&templates->plans, reader->arena, sizeof *kept);
    struct plan_value *values = NULL;
    if (kept && plan->value_count > 0) {
        size_t class = class_of(plan->value_count);
        values = take_free(&templates->values[class], reader->arena,
                           ((size_t)1 << class) * sizeof *values);
    }
    if (!kept || (plan->value_count > 0 && !values))
        return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                         "no memory for line templates");
    *kept = *plan;
    kept->values = values;
    if (values)
        memcpy(values, plan->values, plan->value_count * sizeof *values);
    entry->plan = kept;
    return true;
}

/* ---- Eviction ---- */

static void evict(struct reader *reader, uint64_t age, bool dead)
{
    struct templates *templates = reader->templates;
    size_t kept = 0;
    for (size_t i = 0; i < templates->count; i++) {
        struct entry *entry = &templates->entries[i];
        bool old = templates->clock - entry->last_use >= age;
        if (old && (!dead || !(entry->flags & ENTRY_LIVE))) {
            plan_free(templates, entry->plan);
            reader->counts.evicted++;
            continue;
        }
        if (kept != i)
            templates->entries[kept] = *entry;
        kept++;
    }
    templates->count = kept;
    patterns_forget(reader);
    memset(templates->index, 0, sizeof templates->index);
    for (size_t i = 0; i < kept; i++)
        index_add(templates, i);
}

static void make_room(struct reader *reader)
{
    enum { FULL = LIMIT_TEMPLATES - LIMIT_TEMPLATES / 4 };
    if (reader->templates->count < FULL)
        return;
    evict(reader, FRESH_LINES, true);
    for (uint64_t age = FRESH_LINES; age > 64 && reader->templates->count >= FULL; age /= 2)
        evict(reader, age, age > 4096);
    if (reader->templates->count >= FULL)
        evict(reader, 64, false);
    if (reader->templates->count >= LIMIT_TEMPLATES - 4)
        evict(reader, 0, false);
}

/* ---- Finding ---- */

static void text_write(struct entry *entry, const struct cut *cut)
{
    size_t size = 0;
    for (size_t i = 0; i < cut->count && size < TEMPLATE_TEXT - 1; i++) {
        const struct token *token = &cut->tokens[i];
        struct text part = token_text(cut, token);
        if (token->kind == TOKEN_NUMBER || token->kind == TOKEN_TIME ||
            token->kind == TOKEN_STRING || token->kind == TOKEN_OPAQUE ||
            token->kind == TOKEN_BAR || token->kind == TOKEN_ABSENT) {
            entry->text[size++] = '#';
            part = token_unit(cut, token);
        } else if (token->kind == TOKEN_GAP) {
            part = (struct text){"  ", 2};
        }
        for (size_t j = 0; j < part.size && size < TEMPLATE_TEXT; j++)
            entry->text[size++] = part.data[j];
    }
    entry->text_size = (uint16_t)size;
}

static struct entry *make(struct reader *reader, const struct line *line, uint64_t hash)
{
    struct templates *templates = reader->templates;
    uint64_t *seen = &templates->seen[hash % SEEN_MAX];
    bool again = *seen == hash;
    struct entry *entry = &templates->once;
    if (again) {
        make_room(reader);
        entry = &templates->entries[templates->count];
    }
    *seen = hash;
    memset(entry, 0, offsetof(struct entry, text));
    entry->hash = hash;
    entry->first = (struct place){reader->input, line->number, line->offset};
    if (again) {
        entry->flags = ENTRY_SHORT;
        text_write(entry, &reader->cut);
        index_add(templates, templates->count++);
    }
    return entry;
}

struct entry *template_find(struct reader *reader, const struct line *line, bool *fresh,
                            struct error *error)
{
    struct templates *templates = reader->templates;
    (void)error;
    cut_hash(reader, &reader->cut);
    templates->clock++;
    *fresh = false;
    struct entry *entry = look_up(templates, reader->cut.hash);
    if (entry && (entry->flags & ENTRY_GUARDED)) {
        entry->last_use = templates->clock;
        entry = look_up(templates, reader->cut.fine);
        if (!entry) {
            entry = make(reader, line, reader->cut.fine);
            *fresh = true;
        }
    } else if (!entry) {
        entry = make(reader, line, reader->cut.hash);
        *fresh = true;
    }
    entry->uses++;
    entry->last_use = templates->clock;
    return entry;
}

struct entry *template_guard(struct reader *reader, struct entry *entry, const struct line *line)
{
    if (!reader->cut.guarded || entry->hash == reader->cut.fine || !(entry->flags & ENTRY_SHORT))
        return entry;
    uint32_t flags = entry->flags;
    struct entry copy = *entry;
    entry->flags = ENTRY_GUARDED | ENTRY_KNOWN | ENTRY_SHORT;
    entry->plan = NULL;
    struct templates *templates = reader->templates;
    templates->seen[reader->cut.fine % SEEN_MAX] = reader->cut.fine;
    entry = make(reader, line, reader->cut.fine);
    entry->flags = flags;
    entry->event = copy.event;
    entry->phase = copy.phase;
    entry->uses = 1;
    entry->last_use = templates->clock;
    return entry;
}

bool templates_tell(struct reader *reader, struct error *error)
{
    struct templates *templates = reader->templates;
    for (size_t i = 0; i < templates->count; i++) {
        const struct entry *entry = &templates->entries[i];
        if (entry->flags & ENTRY_GUARDED)
            continue;
        if (!reader->sink->template(reader->sink, (struct text){entry->text, entry->text_size},
                                    entry->uses, (entry->flags & ENTRY_LIVE) != 0, &entry->first,
                                    error))
            return false;
    }
    reader->counts.templates = templates->count;
    return true;
}
