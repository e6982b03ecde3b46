/* Flight recorder dumps of PyTorch's collectives, one file a rank: which rank is late, differs or
   left none. The dump of the lowest rank speaks for its siblings (..._rank_0, ..._rank_1). */
/* SPDX-License-Identifier: MIT */
#include "read/side/flight.h"

#include "read/side/said.h"
#include "stalldoc/number.h"

#include <inttypes.h>
#include <string.h>

enum { WORLD_MOST = 256 }; /* dumps that are looked at: as many files are open at once */

static int probe(struct span head, struct text file_name)
{
    const struct text text = {(const char *)head.data, head.size};
    const bool named = text_glob(TEXT("*rank_*"), file_name, true);
    const bool first = head.size > 0 && (head.data[0] == '{' || head.data[0] == 0x80);
    const bool config = text_find(text, TEXT("pg_config")) < text.size;
    const bool status = text_find(text, TEXT("pg_status")) < text.size ||
                        text_find(text, TEXT("collective_seq_id")) < text.size;
    return first && config && status ? 97 : first && (config || status) && named ? 92 : 0;
}

struct fleet { /* all ranks */
    const struct reading *reading;
    struct flight_dump *dumps; /* [rank]; rank -1: no dump */
    uint32_t world;
    bool spoken;
};

/* Where the number of the rank stands in the name of a file; false: nowhere. */
static bool rank_place(struct text file, size_t *from, size_t *to)
{
    const size_t dot = text_find(file, TEXT("."));
    size_t end = dot < file.size ? dot : file.size;
    size_t begin = end;
    while (begin > 0 && file.data[begin - 1] >= '0' && file.data[begin - 1] <= '9')
        begin--;
    *from = begin;
    *to = end;
    return begin < end && end - begin <= 4;
}

static struct text file_of(const struct input *input)
{
    const struct text path = text_of(input_path(input));
    return text_cut(path, text_behind(path, '/'), path.size);
}

static bool say(struct fleet *fleet, struct text line, struct error *error)
{
    struct place place = input_place(fleet->reading->input, 0);
    if (!line.data)
        return error_set(error, ERROR_MEMORY, place, "out of memory");
    place.line = 1;
    fleet->spoken = true;
    return said_tell(fleet->reading, line, place, error);
}

static const char *name_of(const struct flight_group *group)
{
    return group->about[0] && strcmp(group->about, "undefined") != 0 ? group->about : group->id;
}

struct reached { /* one group over all dumps */
    const struct flight_group *first;
    int64_t low, high; /* last enqueued: least and most */
    int64_t completed; /* of those that are furthest */
    uint32_t late, late_count, ahead, count;
    int32_t missing; /* -1: none */
    uint32_t missing_count;
};

static void reached_add(struct reached *reached, const struct flight_group *group, uint32_t rank)
{
    if (reached->count == 0 || group->enqueued < reached->low) {
        reached->low = group->enqueued;
        reached->late = rank;
        reached->late_count = 0;
    }
    reached->late_count += group->enqueued == reached->low ? 1U : 0U;
    if (reached->count == 0 || group->enqueued > reached->high) {
        reached->high = group->enqueued;
        reached->completed = group->completed;
        reached->ahead = rank;
    }
    reached->count++;
}

static struct reached reached_of(const struct fleet *fleet, const struct flight_group *group)
{
    struct reached reached = {.first = group, .missing = -1};
    for (uint32_t rank = 0; rank < fleet->world; rank++) {
        const struct flight_dump *dump = &fleet->dumps[rank];
        const struct flight_group *own = dump->rank < 0 ? NULL : flight_group_of(dump, group->id);
        if (own && own->enqueued >= 0) {
            reached_add(&reached, own, rank);
        } else if (flight_member(group, rank) && dump->rank < 0) {
            reached.missing = reached.missing < 0 ? (int32_t)rank : reached.missing;
            reached.missing_count++;
        }
    }
    return reached;
}

static const char *operation_of(const struct fleet *fleet, const struct reached *reached,
                                uint32_t rank, int64_t sequence)
{
    const struct flight_group *group = flight_group_of(&fleet->dumps[rank], reached->first->id);
    const struct flight_entry *entry = group ? flight_entry_of(group, sequence) : NULL;
    return entry && entry->operation[0] ? entry->operation : "a collective";
}

/* Two ranks call different things at one place. */
static bool mismatch_say(struct fleet *fleet, const struct reached *reached, struct error *error)
{
    const struct flight_entry *first = NULL;
    uint32_t first_rank = 0;
    for (uint32_t rank = 0; rank < fleet->world; rank++) {
        const struct flight_dump *dump = &fleet->dumps[rank];
        const struct flight_group *own =
            dump->rank < 0 ? NULL : flight_group_of(dump, reached->first->id);
        const struct flight_entry *entry = own ? flight_entry_of(own, reached->low) : NULL;
        if (!entry || entry->state == FLIGHT_COMPLETED)
            continue;
        if (!first) {
            first = entry;
            first_rank = rank;
        } else if (strcmp(first->operation, entry->operation) != 0) {
            return say(fleet,
                       arena_print(fleet->reading->scratch,
                                   "flight recorder: ranks %" PRIu32 " and %" PRIu32
                                   " differ in collective %" PRId64 " of %s: %s against %s",
                                   first_rank, rank, reached->low, name_of(reached->first),
                                   first->operation, entry->operation),
                       error);
        }
    }
    return true;
}

static bool late_say(struct fleet *fleet, const struct reached *reached, struct error *error)
{
    const char *more = reached->late_count > 1 ? " (and others)" : "";
    return say(fleet,
               arena_print(fleet->reading->scratch,
                           "flight recorder: rank %" PRIu32 "%s stands at collective %" PRId64
                           " of %s, where rank %" PRIu32 " waits in %s, collective %" PRId64,
                           reached->late, more, reached->low, name_of(reached->first),
                           reached->ahead,
                           operation_of(fleet, reached, reached->ahead, reached->completed + 1),
                           reached->completed + 1),
               error);
}

static bool group_say(struct fleet *fleet, const struct flight_group *group, struct error *error)
{
    const struct reached reached = reached_of(fleet, group);
    struct arena *scratch = fleet->reading->scratch;
    /* What the furthest has completed it does not wait for. */
    if (reached.count == 0 || reached.completed >= reached.high)
        return true;
    if (!mismatch_say(fleet, &reached, error))
        return false;
    if (fleet->spoken)
        return true;
    const int64_t waits = reached.completed + 1;
    const char *operation = operation_of(fleet, &reached, reached.ahead, waits);
    if (reached.low < waits && reached.count > 1)
        return late_say(fleet, &reached, error);
    if (reached.missing >= 0 && reached.count > 1)
        return say(fleet,
                   arena_print(scratch,
                               "flight recorder: rank %" PRId32 "%s of %" PRIu32
                               " left no dump, the others wait in %s, collective %" PRId64 " of %s",
                               reached.missing, reached.missing_count > 1 ? " (and others)" : "",
                               group->member_count, operation, waits, name_of(group)),
                   error);
    if (reached.count > 1)
        return say(fleet,
                   arena_print(scratch,
                               "flight recorder: %" PRIu32 " ranks wait in %s, collective %" PRId64
                               " of %s, and none has completed it",
                               reached.count, operation, waits, name_of(group)),
                   error);
    return say(fleet,
               arena_print(scratch,
                           "flight recorder: rank %" PRIu32 " waits in %s, collective %" PRId64
                           " of %s",
                           reached.ahead, operation, waits, name_of(group)),
               error);
}

/* The dump of another rank; false: memory ended. What cannot be read counts as missing. */
static bool sibling_read(struct fleet *fleet, struct text file, size_t from, size_t to,
                         uint32_t rank, bool *there, struct error *error)
{
    const struct reading *reading = fleet->reading;
    struct error ignored = {0};
    const struct text name = arena_print(reading->scratch, "%.*s%" PRIu32 "%.*s", (int)from,
                                         file.data, rank, (int)(file.size - to), file.data + to);
    if (!name.data)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0), "out of memory");
    struct input *input = input_sibling(reading->input, name, &ignored);
    *there = input != NULL;
    if (!input || !fleet->dumps)
        return true;
    struct flight_dump *dump = &fleet->dumps[rank];
    struct arena passing = {.limit = reading->scratch->limit};
    const bool sound = flight_read(input, reading->scratch, &passing, dump, &ignored);
    arena_free(&passing);
    if (sound) {
        dump->rank = (int32_t)rank;
    } else if (ignored.kind == ERROR_MEMORY) {
        *error = ignored;
        return false;
    } else {
        dump->rank = -1;
    }
    return true;
}

static bool fleet_open(struct fleet *fleet, const struct flight_dump *own, uint32_t rank,
                       struct error *error)
{
    fleet->world = rank + 1;
    for (const struct flight_group *group = own->groups; group; group = group->next)
        fleet->world = group->member_top > fleet->world ? group->member_top : fleet->world;
    if (rank < WORLD_MOST && fleet->world > WORLD_MOST)
        fleet->world = WORLD_MOST;
    fleet->dumps = arena_take(fleet->reading->scratch, fleet->world, sizeof(*fleet->dumps));
    if (!fleet->dumps)
        return error_set(error, ERROR_MEMORY, input_place(fleet->reading->input, 0),
                         "out of memory");
    for (uint32_t i = 0; i < fleet->world; i++)
        fleet->dumps[i].rank = -1;
    fleet->dumps[rank] = *own;
    fleet->dumps[rank].rank = (int32_t)rank;
    return true;
}

static bool read(const struct reading *reading, struct error *error)
{
    struct flight_dump own;
    struct fleet fleet = {.reading = reading};
    size_t from, to;
    if (!flight_read(reading->input, reading->scratch, reading->scratch, &own, error))
        return false;
    if (own.foreign)
        return error_set(error, ERROR_UNSUPPORTED, input_place(reading->input, 0),
                         "a pickle that asks for names is no flight recorder dump");
    const struct text file = file_of(reading->input);
    const bool placed = rank_place(file, &from, &to);
    struct number number = {.value = own.rank >= 0 ? own.rank : 0};
    if (placed)
        number_parse(text_cut(file, from, to - from), &number);
    const uint32_t rank = number.value < FLIGHT_RANKS ? (uint32_t)number.value : 0;
    bool there = false;
    for (uint32_t lower = 0; placed && lower < rank && lower < WORLD_MOST && !there; lower++)
        if (!sibling_read(&fleet, file, from, to, lower, &there, error))
            return false;
    if (there)
        return true; /* that one speaks */
    if (!fleet_open(&fleet, &own, rank, error))
        return false;
    for (uint32_t other = rank + 1; placed && other < fleet.world; other++)
        if (!sibling_read(&fleet, file, from, to, other, &there, error))
            return false;
    for (const struct flight_group *group = own.groups; group && !fleet.spoken; group = group->next)
        if (!group_say(&fleet, group, error))
            return false;
    return true;
}

const struct format format_flight_recorder = {
    .name = "flight-recorder",
    .about = "flight recorder dumps of PyTorch's collectives (pickle, JSON)",
    .group = FORMAT_SIDE,
    .probe = probe,
    .read = read,
};
