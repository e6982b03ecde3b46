/* damage: an input of the run is broken or cut. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include <inttypes.h>

static const char *const values[] = {"offset", "what", "where", NULL};
static const char *const forms[] = {"broken", "cut-tail", NULL};

/* Byte 0 says little to a reader. */
static const char *where_broken(struct arena *arena, uint64_t offset)
{
    if (offset == 0)
        return ", at its very beginning";
    const char *text =
        arena_print(arena, " at byte %" PRIu64 "; what was sound before it is judged", offset).data;
    return text ? text : "";
}

static const char *where_cut(const struct source *source)
{
    return source->counts.lines || source->binary ? "; all before it is sound"
                                                  : ", before anything of it could be read";
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct run *run = use->run;
    for (size_t i = 0; run->collection && i < run->input_count; i++) {
        const struct source *source = &run->collection->sources[run->inputs[i] - 1];
        bool cut = source->status == STATUS_PARTIAL;
        if (!cut && source->status != STATUS_DAMAGED)
            continue;
        struct place place = source->error.place;
        place.input = run->inputs[i];
        struct candidate candidate = candidate_bare(use, point_make(STEP_NONE, (double)NAN, place));
        candidate.form = cut ? "cut-tail" : "broken";
        candidate.subject = source->path;
        value_add(&candidate, "offset", (double)place.offset);
        value_add_text(&candidate, "what", source->error.message);
        value_add_text(&candidate, "where",
                       cut ? where_cut(source) : where_broken(use->arena, place.offset));
        if (!candidates_add(candidates, &candidate, error))
            return false;
    }
    return true;
}

const struct detector detector_damage = {
    .name = "damage",
    .about = "an input of the run is broken or cut",
    .values = values,
    .forms = forms,
    .once = true,
    .detect = detect,
};
