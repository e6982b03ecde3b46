/* Dumps of the flight recorder: pickles without names, or the same as JSON.

   {"version": "2.4", "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1]"}},
    "pg_status": {"0": {"last_enqueued_collective": 7, "last_started_collective": 7,
                        "last_completed_collective": 6}},
    "entries": [{"pg_id": 0, "collective_seq_id": 7, "profiling_name": "nccl:all_reduce",
                 "input_sizes": [[4096]], "state": "started", "is_p2p": false, ...}]} */
/* SPDX-License-Identifier: MIT */
#include "read/side/flight.h"

#include "read/checkpoint/pickle.h"
#include "read/document/tokenizer.h"
#include "stalldoc/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KEYS = 8, KEY = 64, PICKLE_MOST = 64 << 20, DEPTH = 16 };

struct taking { /* the members of a document as they come */
    struct arena *arena, *scratch;
    struct flight_dump *dump;
    char keys[KEYS][KEY]; /* [depth], from 1 */
    int depth;
    struct flight_entry entry;
    char entry_group[FLIGHT_NAME];
    bool full; /* memory ended */
};

static void text_keep(char *out, size_t size, struct text text)
{
    text = text_cut(text, 0, size - 1);
    memcpy(out, text.data, text.size);
    out[text.size] = 0;
}

static bool at(const struct taking *taking, int depth, const char *key)
{
    return depth <= taking->depth && depth < KEYS && strcmp(taking->keys[depth], key) == 0;
}

static struct flight_group *group_named(struct taking *taking, const char *id)
{
    struct flight_group **link = &taking->dump->groups;
    for (; *link; link = &(*link)->next)
        if (strncmp((*link)->id, id, FLIGHT_NAME - 1) == 0)
            return *link;
    if (taking->dump->group_count == FLIGHT_GROUPS)
        return NULL;
    struct flight_group *group = arena_take(taking->arena, 1, sizeof(*group));
    if (!group) {
        taking->full = true;
        return NULL;
    }
    text_keep(group->id, sizeof(group->id), text_of(id));
    group->enqueued = group->started = group->completed = -1;
    taking->dump->group_count++;
    return *link = group;
}

static void member_add(struct taking *taking, struct flight_group *group, double rank)
{
    if (!(rank >= 0) || rank >= FLIGHT_RANKS)
        return;
    const uint32_t at_rank = (uint32_t)rank;
    if (!group->members)
        group->members = arena_take(taking->arena, FLIGHT_RANKS / 8, 1);
    taking->full = taking->full || !group->members;
    if (!group->members || flight_member(group, at_rank))
        return;
    group->members[at_rank / 8] |= (uint8_t)(1U << (at_rank % 8));
    group->member_count++;
    group->member_top = at_rank + 1 > group->member_top ? at_rank + 1 : group->member_top;
}

/* "[0, 1, 2]" */
static void members_take(struct taking *taking, struct flight_group *group, struct text text)
{
    for (size_t i = 0; i < text.size;) {
        struct number number;
        const struct text rest = text_cut(text, i, text.size);
        const bool digit = text.data[i] >= '0' && text.data[i] <= '9';
        size_t end = i;
        while (end < text.size && text.data[end] >= '0' && text.data[end] <= '9')
            end++;
        if (digit && number_parse(text_cut(rest, 0, end - i), &number))
            member_add(taking, group, number.value);
        i = digit ? end : i + 1;
    }
}

static int64_t whole(struct text text)
{
    struct number number;
    if (!number_parse(text, &number) || !number.finite || number.value < -1 || number.value > 1e15)
        return -1;
    return (int64_t)number.value;
}

static void config_take(struct taking *taking, struct text text)
{
    struct flight_group *group = group_named(taking, taking->keys[2]);
    if (!group)
        return;
    if (at(taking, 3, "desc"))
        text_keep(group->about, sizeof(group->about), text);
    else if (at(taking, 3, "ranks"))
        members_take(taking, group, text);
}

static void status_take(struct taking *taking, struct text text)
{
    struct flight_group *group = group_named(taking, taking->keys[2]);
    if (!group)
        return;
    if (at(taking, 3, "last_enqueued_collective"))
        group->enqueued = whole(text);
    else if (at(taking, 3, "last_started_collective"))
        group->started = whole(text);
    else if (at(taking, 3, "last_completed_collective"))
        group->completed = whole(text);
}

static void entry_take(struct taking *taking, struct text text)
{
    struct flight_entry *entry = &taking->entry;
    if (at(taking, 3, "input_sizes") || at(taking, 3, "output_sizes") ||
        at(taking, 3, "input_dtypes") || at(taking, 3, "output_dtypes"))
        entry->form =
            (entry->form ^ text_hash(text)) * UINT64_C(0x100000001b3) + (uint64_t)taking->depth;
    if (taking->depth != 3)
        return;
    if (at(taking, 3, "collective_seq_id") || at(taking, 3, "seq_id"))
        entry->sequence = whole(text);
    else if (at(taking, 3, "pg_id"))
        text_keep(taking->entry_group, sizeof(taking->entry_group), text);
    else if (at(taking, 3, "profiling_name"))
        text_keep(entry->operation, sizeof(entry->operation), text);
    else if (at(taking, 3, "is_p2p"))
        entry->peer = text_is(text, "true");
    else if (at(taking, 3, "state"))
        entry->state = text_is(text, "completed") ? FLIGHT_COMPLETED
                       : text_is(text, "started") ? FLIGHT_STARTED
                                                  : FLIGHT_SCHEDULED;
}

static void scalar_take(struct taking *taking, struct text text)
{
    if (taking->depth == 1 && at(taking, 1, "rank"))
        taking->dump->rank = (int32_t)whole(text);
    else if (taking->depth >= 3 && at(taking, 1, "pg_config"))
        config_take(taking, text);
    else if (taking->depth == 3 && at(taking, 1, "pg_status"))
        status_take(taking, text);
    else if (taking->depth >= 3 && at(taking, 1, "entries"))
        entry_take(taking, text);
}

static void open_take(struct taking *taking)
{
    if (++taking->depth < KEYS)
        taking->keys[taking->depth][0] = 0;
    if (taking->depth == 3 && at(taking, 1, "entries")) {
        taking->entry = (struct flight_entry){.sequence = -1};
        taking->entry_group[0] = 0;
    }
}

static void close_take(struct taking *taking)
{
    if (taking->depth == 3 && at(taking, 1, "entries") && !taking->entry.peer &&
        taking->entry.sequence >= 0) {
        struct flight_group *group = group_named(taking, taking->entry_group);
        if (group)
            group->last[group->entries++ % FLIGHT_LAST] = taking->entry;
    }
    taking->depth--;
}

static bool json_take(struct taking *taking, struct input *input, struct error *error)
{
    struct tokenizer *tokenizer = arena_take(taking->scratch, 1, sizeof(*tokenizer));
    struct json_token token;
    if (!tokenizer)
        return error_set(error, ERROR_MEMORY, input_place(input, 0), "out of memory");
    if (!tokenizer_open(tokenizer, input, taking->scratch, false, error))
        return false;
    do {
        if (!tokenizer_next(tokenizer, &token, error))
            return false;
        if (token.kind == JSON_OBJECT || token.kind == JSON_LIST)
            open_take(taking);
        else if (token.kind == JSON_OBJECT_END || token.kind == JSON_LIST_END)
            close_take(taking);
        else if (token.kind == JSON_KEY && taking->depth < KEYS)
            text_keep(taking->keys[taking->depth], KEY, token.text);
        else if (token.kind == JSON_TRUE || token.kind == JSON_FALSE)
            scalar_take(taking, token.kind == JSON_TRUE ? TEXT("true") : TEXT("false"));
        else if (token.kind == JSON_NUMBER || (token.kind == JSON_STRING && token.first))
            scalar_take(taking, token.text);
    } while (token.kind != JSON_END);
    return true;
}

static void node_take(struct taking *taking, const struct pickle *pickle, uint32_t index)
{
    const struct node *node = pickle_node(pickle, index);
    char bytes[32];
    if (node->kind == NODE_TEXT || node->kind == NODE_BYTES) {
        scalar_take(taking, node->text);
    } else if (node->kind == NODE_INTEGER) {
        const int size = snprintf(bytes, sizeof(bytes), "%" PRId64, node->integer);
        scalar_take(taking, (struct text){bytes, (size_t)size});
    } else if (node->kind == NODE_BOOL) {
        scalar_take(taking, node->integer ? TEXT("true") : TEXT("false"));
    } else if (node->kind == NODE_GLOBAL || node->kind == NODE_OBJECT) {
        taking->dump->foreign = true;
    } else if (node->kind >= NODE_LIST && node->kind <= NODE_DICT && taking->depth < DEPTH) {
        const uint32_t stride = node->kind == NODE_DICT ? 2 : 1;
        open_take(taking);
        for (uint32_t i = 0; i + stride <= node->count; i += stride) {
            if (stride == 2 && taking->depth < KEYS) {
                const struct node *key = pickle_node(pickle, node->items[i]);
                struct text text = {bytes, 0};
                if (key->kind == NODE_TEXT || key->kind == NODE_BYTES)
                    text = key->text;
                else if (key->kind == NODE_INTEGER)
                    text.size = (size_t)snprintf(bytes, sizeof(bytes), "%" PRId64, key->integer);
                text_keep(taking->keys[taking->depth], KEY, text);
            }
            node_take(taking, pickle, node->items[i + stride - 1]);
        }
        close_take(taking);
    }
}

static bool pickle_take(struct taking *taking, struct input *input, struct error *error)
{
    const uint64_t size = input_size(input);
    struct pickle pickle;
    if (!input_seekable(input) || size > PICKLE_MOST)
        return error_set(error, ERROR_UNSUPPORTED, input_place(input, 0),
                         "a pickle of more than 64 MiB, or in a stream, is not read");
    uint8_t *data = arena_take(taking->scratch, (size_t)size + 1, 1);
    if (!data)
        return error_set(error, ERROR_MEMORY, input_place(input, 0), "no memory for the pickle");
    if (!input_pread(input, 0, (size_t)size, data, error) ||
        !pickle_read((struct span){data, (size_t)size}, input_place(input, 0), taking->scratch,
                     &pickle, error))
        return false;
    node_take(taking, &pickle, pickle.root);
    return true;
}

bool flight_read(struct input *input, struct arena *arena, struct arena *scratch,
                 struct flight_dump *dump, struct error *error)
{
    struct span head;
    *dump = (struct flight_dump){.rank = -1};
    struct taking taking = {.arena = arena, .scratch = scratch, .dump = dump};
    if (!input_head(input, &head, error))
        return false;
    const bool json = head.size == 0 || head.data[0] != 0x80;
    if (!(json ? json_take(&taking, input, error) : pickle_take(&taking, input, error)))
        return false;
    return !taking.full || error_set(error, ERROR_MEMORY, input_place(input, 0), "out of memory");
}

const struct flight_group *flight_group_of(const struct flight_dump *dump, const char *id)
{
    for (const struct flight_group *group = dump->groups; group; group = group->next)
        if (strcmp(group->id, id) == 0)
            return group;
    return NULL;
}

bool flight_member(const struct flight_group *group, uint32_t rank)
{
    return group->members && rank < FLIGHT_RANKS &&
           (group->members[rank / 8] & (1U << (rank % 8))) != 0;
}

const struct flight_entry *flight_entry_of(const struct flight_group *group, int64_t sequence)
{
    for (size_t i = 0; i < FLIGHT_LAST && i < group->entries; i++)
        if (group->last[i].sequence == sequence)
            return &group->last[i];
    return NULL;
}
