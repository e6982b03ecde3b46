/* What stands beside a run and is of it: its checkpoints, its event files, what other tools wrote.
 */
/* SPDX-License-Identifier: MIT */
#include "grouping.h"
#include "lines.h"

/* A description of an array of Zarr, whose folder is the array. */
static bool is_array(const struct member *member)
{
    return text_is(member->file, ".zarray") || text_is(member->file, "zarr.json");
}

/* One of the files that are an Orbax checkpoint together, under the same names in each. */
static bool is_store(const struct member *member)
{
    return is_array(member) || text_is(member->file, "manifest.ocdbt") ||
           text_is(member->file, "_METADATA") || text_is(member->file, "_CHECKPOINT_METADATA") ||
           text_is(member->file, "_sharding") || text_starts(member->file, "process_");
}

/* The folder of a checkpoint: Megatron gives each rank one of its own below it, Zarr each array,
   DeepSpeed each parameter. */
static struct text shards_folder(const struct member *member)
{
    const struct text folder = member->folder;
    const struct text universal = standing_zero(member->portion->path);
    if (folder.size == 0 || universal.size > 0)
        return universal.size > 0 ? universal : folder;
    const struct text inner = text_cut(folder, 0, folder.size - 1);
    const struct text above = folder_of(inner);
    const struct text word = text_cut(inner, above.size, inner.size - above.size);
    const bool below = is_array(member) || text_starts(word, "mp_rank_") ||
                       text_starts(word, "ocdbt.process_") || text_is(word, "array_metadatas");
    return below ? above : folder;
}

/* Files of one checkpoint: weights, optimizer, schedule, what each rank saved. Of Orbax all saves
   of a folder are of one run. */
static bool is_beside(const struct member *x, const struct member *y)
{
    const struct text folder = shards_folder(x);
    if (x->portion->save.size > 0 && y->portion->save.size > 0)
        return text_equal(x->portion->home, y->portion->home);
    return x->portion->group == FORMAT_CHECKPOINT && y->portion->group == FORMAT_CHECKPOINT &&
           folder.size > 0 && text_equal(folder, shards_folder(y)) &&
           ((is_store(x) && is_store(y)) ||
            standing_inside(text_cut(x->portion->path, 0, folder.size + 1)));
}

/* Checkpoints of one line, and all that lies in the folder of one checkpoint. */
static bool lines_join(struct grouping *grouping)
{
    for (size_t i = 1; i < grouping->count; i++) {
        struct member *x = &grouping->members[i];
        bool alone = true;
        for (size_t k = i; k > 0; k--) {
            struct member *y = &grouping->members[k - 1];
            const bool named = x->portion->folder.size == 0 && y->portion->folder.size == 0;
            const bool beside = is_beside(x, y);
            const bool line =
                alone && x->portion->tensor_count &&
                line_shared(x->portion, y->portion, named && grouping->collector->options.together);
            alone = alone && !line;
            if ((line || beside) && x->group != y->group &&
                !group_absorb(grouping, y->group, x->group))
                return false;
        }
    }
    return true;
}

static bool events_join(struct grouping *grouping)
{
    for (size_t i = 0; i < grouping->count; i++) {
        struct member *x = &grouping->members[i];
        for (size_t k = i + 1; k < grouping->count; k++) {
            struct member *y = &grouping->members[k];
            if (x->group == y->group || x->portion->group != FORMAT_EVENTS ||
                y->portion->group != FORMAT_EVENTS || x->portion->of > 1 || y->portion->of > 1 ||
                !text_equal(x->folder, y->folder))
                continue;
            x->group->parts = true;
            if (!group_absorb(grouping, x->group, y->group))
                return false;
        }
    }
    return true;
}

static bool may_lead(const struct member *x, const struct member *y)
{
    const bool log = (y->portion->group == FORMAT_LOG || y->portion->group == FORMAT_DOCUMENT) &&
                     !y->portion->aside;
    return log || (y->portion->group == FORMAT_EVENTS && x->portion->group >= FORMAT_CHECKPOINT);
}

static bool led(const struct grouping *grouping, const struct member *x)
{
    for (size_t i = 0; i < grouping->count; i++)
        if (grouping->members[i].group == x->group && may_lead(x, &grouping->members[i]))
            return true;
    return false;
}

/* The one group of logs in a folder; NULL: none, or several. */
static struct group *leader(const struct grouping *grouping, const struct member *x,
                            struct text folder)
{
    struct group *found = NULL;
    for (size_t k = 0; k < grouping->count; k++) {
        struct member *y = &grouping->members[k];
        if (!may_lead(x, y) || !text_equal(folder, y->folder) || y->group == found)
            continue;
        if (found)
            return NULL;
        found = y->group;
    }
    return found;
}

/* A document of results: each figure once, and sound. A log that ends so early is a run. */
static bool sums_up(const struct portion *portion)
{
    for (size_t i = 0; i < portion->series_count; i++)
        if (portion->series[i].whole.points > 1 || track_bad(&portion->series[i].whole) > 0)
            return false;
    return portion->group == FORMAT_DOCUMENT || portion->series_count == 0;
}

/* A configuration, a list of packages, notes, final results: nothing of what a training went
   through. A log that stands still has time stamps. */
static bool is_aside(const struct member *member)
{
    const struct portion *portion = member->portion;
    for (size_t i = 0; i < portion->message_count; i++)
        if (portion->messages[i].row->strength != STRENGTH_HARMLESS)
            return false;
    return (portion->group == FORMAT_LOG || portion->group == FORMAT_DOCUMENT) &&
           portion->of == 1 && member->group->count == 1 && sums_up(portion) &&
           portion->tensor_count == 0 && portion->life_count == 0 && portion->time.gap_count == 0;
}

/* What a file beside a run sets is the run's configuration; its results the run has told. */
static bool aside_absorb(struct grouping *grouping, struct group *run, struct member *member)
{
    struct portion *portion = member->portion;
    for (size_t k = 0; k < portion->told_count; k++)
        if (portion->told[k].fact.source == FACT_LOG)
            portion->told[k].fact.source = FACT_CONFIG;
    portion->group = FORMAT_SIDE;
    portion->series_count = 0;
    return group_absorb(grouping, run, member->group);
}

/* How many runs are in a folder itself, and the last of them. */
static size_t runs_in(const struct grouping *grouping, struct text folder, struct group **run)
{
    size_t count = 0;
    for (size_t k = 0; k < grouping->count; k++) {
        const struct member *y = &grouping->members[k];
        if (y->portion->aside || !text_equal(y->folder, folder) || (count && y->group == *run))
            continue;
        *run = y->group;
        count++;
    }
    return count;
}

/* To the one run of its folder, or of the one above (`.hydra/`, `conf/`) where its own has none.
   One that was found and is of no run that could be told is not worth a verdict beside those. */
static bool aside_join(struct grouping *grouping)
{
    size_t runs = 0;
    for (size_t i = 0; i < grouping->count; i++)
        runs += !grouping->members[i].portion->aside;
    for (size_t i = 0; i < grouping->count; i++) {
        struct member *x = &grouping->members[i];
        if (!x->portion->aside)
            continue;
        struct group *run = NULL;
        size_t count = runs_in(grouping, x->folder, &run);
        if (count == 0 && x->folder.size > 1)
            count = runs_in(grouping, folder_of(text_cut(x->folder, 0, x->folder.size - 1)), &run);
        if (count == 1 && !aside_absorb(grouping, run, x))
            return false;
        if (count != 1 && runs > 0 && x->portion->folder.size > 0)
            x->group->count = 0;
    }
    return true;
}

/* An earlier file of the same kind in the folder of member `i`; NULL: none. */
static struct group *neighbour(const struct grouping *grouping, size_t i)
{
    const struct member *x = &grouping->members[i];
    for (size_t k = 0; k < i; k++)
        if (grouping->members[k].portion->group == x->portion->group &&
            grouping->members[k].portion->samples == x->portion->samples &&
            text_equal(x->folder, grouping->members[k].folder))
            return grouping->members[k].group;
    return NULL;
}

/* Event files of one folder are one run; so are checkpoints beside the one log of a folder, or
   below it. Of logs beside several checkpoints of a line the one beside the last tells most. */
bool companions_join(struct grouping *grouping)
{
    for (size_t i = 0; i < grouping->count; i++)
        grouping->members[i].portion->aside = is_aside(&grouping->members[i]);
    if (!lines_join(grouping) || !events_join(grouping))
        return false;
    for (size_t i = grouping->count; i > 0; i--) {
        struct member *x = &grouping->members[i - 1];
        const bool tensors = x->portion->group == FORMAT_CHECKPOINT;
        const bool side = x->portion->group == FORMAT_SIDE;
        if (!(tensors || side || x->portion->group == FORMAT_EVENTS) ||
            (tensors && led(grouping, x)))
            continue;
        struct group *log = leader(grouping, x, x->folder);
        if (!log && (side || x->portion->samples))
            log = neighbour(grouping, i - 1);
        if (!log && tensors && x->portion->home.size != x->folder.size)
            log = leader(grouping, x, x->portion->home);
        if (log && log != x->group && !group_absorb(grouping, log, x->group))
            return false;
    }
    return aside_join(grouping);
}
