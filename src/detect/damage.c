/* damage: an input of the run is broken or cut. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include <inttypes.h>

static const char *const values[] = {"offset", "what", "where", NULL};
static const char *const forms[] = {"broken", "cut-tail", NULL};

/* Byte 0 says little to a reader, and a place that was told is not told again. */
static const char *where_of(struct arena *arena, uint64_t offset, const char *what)
{
    if (offset == 0)
        return ", at its very beginning";
    if (strstr(what, " at byte "))
        return "; what was sound before it is judged";
    const char *text =
        arena_print(arena, " at byte %" PRIu64 "; what was sound before it is judged", offset).data;
    return text ? text : "";
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
        struct candidate candidate =
            candidate_at(use, USE_SERIES_MAX, point_make(STEP_NONE, (double)NAN, place));
        candidate.form = cut ? "cut-tail" : "broken";
        candidate.subject = source->path;
        value_add(&candidate, "offset", (double)place.offset);
        value_add_text(&candidate, "what", source->error.message);
        value_add_text(&candidate, "where",
                       where_of(use->arena, place.offset, source->error.message));
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
