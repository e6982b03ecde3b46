/* Checksums of storages. They are taken while tensors are measured, since reading is what costs; a
   storage that is no one tensor's whole is read for its checksum alone. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"

#include "stalldoc/statistics.h"

#include <stdlib.h>

bool tape_seal(struct sink *sink, const struct seal *seal, struct error *error)
{
    struct tape *tape = (struct tape *)sink;
    if (!ROOM(&tape->arena, tape->seals, tape->seal_count, tape->seal_capacity))
        return memory_ended(error);
    struct seal_laid *laid = &tape->seals[tape->seal_count++];
    *laid = (struct seal_laid){.seal = *seal};
    laid->seal.name = arena_text(tape->collector->arena, seal->name);
    return laid->seal.name.data || memory_ended(error);
}

static int compare(const struct seal *a, const struct input *input, uint64_t offset)
{
    uintptr_t mine = (uintptr_t)a->input, other = (uintptr_t)input;
    return mine != other         ? (mine > other ? 1 : -1)
           : a->offset == offset ? 0
           : a->offset > offset  ? 1
                                 : -1;
}

static int by_place(const void *a, const void *b)
{
    const struct seal *other = &((const struct seal_laid *)b)->seal;
    return compare(&((const struct seal_laid *)a)->seal, other->input, other->offset);
}

/* The seal of the storage that the view is the whole of; NULL. */
static struct seal_laid *seal_of(const struct tape *tape, const struct tensor_view *view)
{
    size_t low = 0, high = tape->seal_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&tape->seals[middle].seal, view->input, view->offset) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == tape->seal_count ||
        compare(&tape->seals[low].seal, view->input, view->offset) != 0 ||
        tape->seals[low].view != SEAL_BARE)
        return NULL;
    uint64_t size;
    const bool whole = !view->absent && !view->swapped && view->dtype != DTYPE_OPAQUE &&
                       view->first == 0 && tensor_contiguous(view) &&
                       size_product(tensor_count(view), dtype_size(view->dtype), &size) &&
                       size == tape->seals[low].seal.size;
    return whole ? &tape->seals[low] : NULL;
}

bool seals_lay(struct tape *tape, size_t *count, struct error *error)
{
    const size_t tensors = *count;
    for (size_t i = 0; i < tape->seal_count; i++)
        tape->seals[i].view = SEAL_BARE;
    if (tape->seal_count)
        qsort(tape->seals, tape->seal_count, sizeof(*tape->seals), by_place);
    for (size_t i = 0; i < tensors; i++) {
        struct seal_laid *laid = seal_of(tape, &tape->views[i]);
        if (laid) {
            laid->view = i;
            tape->views[i].sealed = SEALED_BESIDE;
        }
    }
    for (size_t i = 0; i < tape->seal_count; i++) {
        struct seal_laid *laid = &tape->seals[i];
        if (laid->view != SEAL_BARE)
            continue;
        if (!ROOM(&tape->arena, tape->views, *count, tape->view_capacity))
            return memory_ended(error);
        laid->view = (*count)++;
        tape->views[laid->view] = (struct tensor_view){.name = laid->seal.name,
                                                       .dtype = DTYPE_UINT8,
                                                       .type = TEXT(""),
                                                       .rank = 1,
                                                       .shape = {(int64_t)laid->seal.size},
                                                       .stride = {1},
                                                       .input = laid->seal.input,
                                                       .offset = laid->seal.offset,
                                                       .size = laid->seal.size,
                                                       .sealed = SEALED_ONLY};
    }
    return true;
}

bool seals_hold(const struct tape *tape, const struct tensor_stats *stats, struct error *error)
{
    size_t wrong = 0;
    const struct seal *first = NULL;
    for (size_t i = 0; i < tape->seal_count; i++) {
        const struct seal_laid *laid = &tape->seals[i];
        if (stats[laid->view].crc != laid->seal.crc && wrong++ == 0)
            first = &laid->seal;
    }
    /* Wrong for all: the writer left them out (torch.serialization.set_crc32_options). */
    if (wrong == 0 || (wrong == tape->seal_count && wrong > 1))
        return true;
    return error_set(error, ERROR_CHECKSUM, input_place(first->input, first->offset),
                     "storage %.*s fails its checksum", (int)first->name.size, first->name.data);
}
