/* Which inputs are one run: a log with its twin, event files and checkpoints of one folder, ranks,
   and parts that follow one another (design.md 7). */
/* SPDX-License-Identifier: MIT */
#include "grouping.h"
#include "keys.h"
#include "lines.h"

#include <stdlib.h>

#define ABSOLUTE_TIME 1e8
#define FOLLOW_SHARE 0.1 /* of a part's steps: how far the next may begin behind its end */

struct text folder_of(struct text path)
{
    return text_cut(path, 0, text_behind(path, '/'));
}

/* Event files of "train" and "validation" side by side belong to the folder above. */
static struct text folder_above(const struct collector *collector, struct text folder)
{
    if (folder.size == 0)
        return folder;
    const struct text inner = text_cut(folder, 0, folder.size - 1);
    const struct text above = folder_of(inner);
    const struct text word = text_cut(inner, above.size, inner.size - above.size);
    return vocabulary_phase(collector->options.vocabulary, word) == PHASE_NONE ? folder : above;
}

static bool is_validation(const struct collector *collector, struct text folder)
{
    const struct text inner = text_cut(folder, 0, folder.size > 0 ? folder.size - 1 : 0);
    const struct text above = folder_of(inner);
    const struct text word = text_cut(inner, above.size, inner.size - above.size);
    return vocabulary_phase(collector->options.vocabulary, word) == PHASE_VALIDATION;
}

static void steps_find(struct member *member)
{
    const struct portion *portion = member->portion;
    const struct track *best = NULL;
    for (size_t i = 0; i < portion->series_count; i++) {
        const struct series *series = &portion->series[i];
        const bool own = (series->grain & (GRAIN_STEP | GRAIN_BATCH)) != 0;
        if (series->whole.first.step != STEP_NONE && own &&
            (!best || series->whole.points > best->points))
            best = &series->whole;
    }
    member->first = best ? best->first.step : STEP_NONE;
    member->last = best ? best->last.step : STEP_NONE;
    const bool dates = portion->time.first > ABSOLUTE_TIME;
    member->begins = dates ? portion->time.first : (double)NAN;
    member->ends = dates ? portion->time.last : (double)NAN;
}

static struct group *group_open(struct grouping *grouping)
{
    return &grouping->groups[grouping->group_count++];
}

static bool group_add(struct grouping *grouping, struct group *group, struct member *member)
{
    if (!ROOM(grouping->collector->arena, group->portions, group->count, group->capacity))
        return false;
    group->portions[group->count++] = member->portion;
    member->group = group;
    return true;
}

bool group_absorb(struct grouping *grouping, struct group *into, struct group *from)
{
    for (size_t i = 0; i < grouping->count; i++)
        if (grouping->members[i].group == from && !group_add(grouping, into, &grouping->members[i]))
            return false;
    into->parts = into->parts || from->parts;
    from->count = 0;
    return true;
}

static bool is_log(const struct member *member)
{
    return member->portion->group == FORMAT_LOG && member->portion->of == 1;
}

static bool twins_join(struct grouping *grouping)
{
    for (size_t i = 0; i < grouping->count; i++)
        for (size_t k = i + 1; k < grouping->count; k++) {
            struct member *x = &grouping->members[i], *y = &grouping->members[k];
            if (x->group == y->group || !text_equal(x->folder, y->folder) || !is_log(x) ||
                !is_log(y) || x->file.size != y->file.size || text_equal(x->file, y->file) ||
                !text_equal(x->twin, y->twin))
                continue;
            if (!group_absorb(grouping, x->group, y->group))
                return false;
        }
    return true;
}

static bool overlap(const struct member *x, const struct member *y)
{
    const bool steps = x->first == STEP_NONE || y->first == STEP_NONE ||
                       (x->first <= y->last && y->first <= x->last);
    const bool dates =
        isnan(x->begins) || isnan(y->begins) || (x->begins <= y->ends && y->begins <= x->ends);
    return steps && dates;
}

static bool ranks_join(struct grouping *grouping)
{
    for (size_t i = 0; i < grouping->count; i++) {
        struct member *x = &grouping->members[i];
        if (!is_log(x) || x->portion->rank != -1 || x->ranks.size == 0)
            continue;
        for (size_t k = i + 1; k < grouping->count; k++) {
            struct member *y = &grouping->members[k];
            if (!is_log(y) || y->portion->rank != -1 || x->rank == y->rank ||
                !text_equal(x->ranks, y->ranks) || !overlap(x, y))
                continue;
            x->portion->rank = x->rank;
            y->portion->rank = y->rank;
            if (x->group != y->group && !group_absorb(grouping, x->group, y->group))
                return false;
        }
    }
    return true;
}

static int by_order(const void *a, const void *b)
{
    const struct member *const *x = a, *const *y = b;
    if ((*x)->order != (*y)->order)
        return (*x)->order < (*y)->order ? -1 : 1;
    return text_compare_natural((*x)->portion->path, (*y)->portion->path);
}

/* By date where all have one, else by first step, else by name. */
static void members_sort(struct member **members, size_t count)
{
    bool dates = true, steps = true;
    for (size_t i = 0; i < count; i++) {
        dates = dates && !isnan(members[i]->begins);
        steps = steps && members[i]->first != STEP_NONE;
    }
    for (size_t i = 0; i < count; i++)
        members[i]->order = dates ? members[i]->begins : steps ? (double)members[i]->first : 0;
    qsort(members, count, sizeof(struct member *), by_order);
}

static bool follows_on(const struct member *before, const struct member *next)
{
    if (before->first == STEP_NONE || next->first == STEP_NONE)
        return false;
    const double span = (double)before->last - (double)before->first;
    return next->first > before->first && next->last > before->last &&
           (double)next->first <= (double)before->last + FOLLOW_SHARE * span + 1 &&
           !(before->ends > next->ends);
}

/* Logs, or event files of one folder, that go on where the one before them ended. */
static bool parts_join(struct grouping *grouping)
{
    struct member **order =
        arena_take(grouping->collector->arena, grouping->count + 1, sizeof(struct member *));
    if (!order)
        return false;
    for (size_t i = 0; i < grouping->count; i++) {
        struct member *x = &grouping->members[i];
        size_t n = 0;
        if (!is_log(x) || x->group->parts || x->portion->rank != -1)
            continue;
        for (size_t k = i; k < grouping->count; k++) {
            struct member *y = &grouping->members[k];
            if (is_log(y) && y->portion->rank == -1 && !y->group->parts && y->first != STEP_NONE &&
                text_equal(x->part, y->part))
                order[n++] = y;
        }
        members_sort(order, n);
        for (size_t k = 1; k < n; k++) {
            if (order[k]->group == order[k - 1]->group || !follows_on(order[k - 1], order[k]))
                continue;
            order[k - 1]->group->parts = true;
            if (!group_absorb(grouping, order[k - 1]->group, order[k]->group))
                return false;
        }
    }
    return true;
}

/* A history that a later document tells again is no run, and nothing of it is lost. */
static bool retold_join(struct grouping *grouping)
{
    for (size_t i = 0; i < grouping->count; i++)
        for (size_t k = 0; k < grouping->count; k++) {
            struct member *x = &grouping->members[i], *y = &grouping->members[k];
            if (x == y || !line_retold(x->portion, y->portion))
                continue;
            if (x->group != y->group && !group_absorb(grouping, y->group, x->group))
                return false;
            x->portion->series_count = 0;
        }
    return true;
}

/* One run of all that shares a folder, or of all there is. */
static bool mode_join(struct grouping *grouping, bool all)
{
    for (size_t i = 0; i < grouping->count; i++)
        for (size_t k = i + 1; k < grouping->count; k++) {
            struct member *x = &grouping->members[i], *y = &grouping->members[k];
            if (x->group == y->group || (!all && !text_equal(x->folder, y->folder)))
                continue;
            if (!group_absorb(grouping, x->group, y->group))
                return false;
        }
    return true;
}

static bool keys_make(struct grouping *grouping, struct member *member)
{
    struct arena *arena = grouping->collector->arena;
    char bytes[KEY_MOST];
    struct text ranks = {"", 0};
    if (!is_log(member))
        return true;
    member->twin = arena_text(arena, twin_key(member->file, bytes));
    member->part = arena_text(arena, part_key(member->portion->path, bytes));
    if (!rank_key(member->portion->path, bytes, &ranks, &member->rank))
        ranks.size = 0;
    member->ranks = arena_text(arena, ranks);
    return member->twin.data && member->part.data && member->ranks.data;
}

static bool members_make(struct grouping *grouping)
{
    struct collector *collector = grouping->collector;
    const size_t count = collector->portion_count;
    size_t runs = 0;
    for (size_t i = 0; i < count; i++)
        runs += !collector->portions[i].offered;
    grouping->members = arena_take(collector->arena, count + 1, sizeof(*grouping->members));
    grouping->groups = arena_take(collector->arena, count + 1, sizeof(struct group));
    if (!grouping->members || !grouping->groups)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct portion *portion = &collector->portions[i];
        if (portion->offered && runs > 0)
            continue; /* it goes with every run */
        struct member *member = &grouping->members[grouping->count++];
        member->portion = portion;
        member->folder = folder_of(portion->path);
        member->file = text_cut(portion->path, member->folder.size, portion->path.size);
        if (portion->group == FORMAT_EVENTS) {
            member->folder = folder_above(collector, member->folder);
            portion->beside = is_validation(collector, folder_of(portion->path));
        }
        steps_find(member);
        if (!keys_make(grouping, member) || !group_add(grouping, group_open(grouping), member))
            return false;
    }
    return true;
}

static bool all_in(const struct group *group, struct text folder)
{
    for (size_t i = 0; i < group->count; i++)
        if (!text_equal(text_cut(group->portions[i]->path, 0, folder.size), folder))
            return false;
    return true;
}

/* A run that is all of its named folder bears the folder's name. */
static void folders_find(struct grouping *grouping)
{
    for (size_t g = 0; g < grouping->group_count; g++) {
        struct group *group = &grouping->groups[g];
        if (group->count == 0 || group->portions[0]->folder.size == 0)
            continue;
        struct text folder = folder_of(group->portions[0]->path);
        if (group->portions[0]->group == FORMAT_EVENTS)
            folder = folder_above(grouping->collector, folder);
        else if (group->portions[0]->group == FORMAT_CHECKPOINT &&
                 group->portions[0]->home.size > 0 && group->count > 1)
            folder = group->portions[0]->home;
        else if (group->portions[0]->group == FORMAT_DOCUMENT && !all_in(group, folder))
            folder = standing_home(group->portions[0]->path);
        group->folder = group->count > 1 || group->portions[0]->of == 1;
        for (size_t i = 0; i < grouping->count; i++)
            if (text_equal(grouping->members[i].folder, folder) &&
                grouping->members[i].group != group)
                group->folder = false;
        group->folder = group->folder && all_in(group, folder);
        group->name = folder;
    }
}

static int by_line(const void *a, const void *b)
{
    const struct portion *const *x = a, *const *y = b;
    return line_order(*x, *y);
}

/* Portions of a group: parts in their order, logs before what stands beside them, checkpoints by
   their steps. */
static bool groups_order(struct grouping *grouping)
{
    struct member **order =
        arena_take(grouping->collector->arena, grouping->count + 1, sizeof(struct member *));
    if (!order)
        return false;
    for (size_t g = 0; g < grouping->group_count; g++) {
        struct group *group = &grouping->groups[g];
        size_t n = 0, out = 0;
        for (size_t i = 0; i < grouping->count; i++)
            if (grouping->members[i].group == group && group->count > 0)
                order[n++] = &grouping->members[i];
        if (group->parts)
            members_sort(order, n);
        for (enum format_group kind = FORMAT_LOG; kind <= FORMAT_NAMED; kind++) {
            const size_t first = out;
            for (size_t i = 0; i < n; i++)
                if (order[i]->portion->group == kind)
                    group->portions[out++] = order[i]->portion;
            if (kind == FORMAT_CHECKPOINT)
                qsort(group->portions + first, out - first, sizeof(struct portion *), by_line);
        }
    }
    return true;
}

bool groups_make(struct collector *collector, struct group **groups, size_t *count)
{
    struct grouping grouping = {.collector = collector};
    const enum run_mode mode = collector->options.mode;
    if (!members_make(&grouping))
        return false;
    bool offered = grouping.count > 0; /* nothing but samples: they are one run */
    for (size_t i = 0; i < grouping.count; i++)
        offered = offered && grouping.members[i].portion->offered;
    for (size_t i = 0; offered && i < grouping.count; i++)
        grouping.members[i].portion->offered = false;
    const bool joined = offered            ? mode_join(&grouping, true)
                        : mode == RUN_FILE ? true
                        : mode == RUN_AUTO ? twins_join(&grouping) && ranks_join(&grouping) &&
                                                 parts_join(&grouping) && retold_join(&grouping) &&
                                                 companions_join(&grouping)
                                           : mode_join(&grouping, mode == RUN_ALL);
    if (!joined || !groups_order(&grouping))
        return false;
    folders_find(&grouping);
    *groups = grouping.groups;
    *count = 0;
    for (size_t i = 0; i < grouping.group_count; i++)
        if (grouping.groups[i].count > 0)
            grouping.groups[(*count)++] = grouping.groups[i];
    return true;
}
