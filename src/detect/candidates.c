/* The list of what detectors measured. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/detector.h"

bool candidates_add(struct candidates *candidates, const struct candidate *candidate,
                    struct error *error)
{
    struct candidate *items =
        arena_grow(candidates->arena, candidates->items, candidates->count, &candidates->capacity,
                   candidates->count + 1, sizeof(*items));
    if (!items)
        return error_set(error, ERROR_MEMORY, (struct place){0}, "no memory for candidates");
    candidates->items = items;
    candidates->items[candidates->count++] = *candidate;
    return true;
}
