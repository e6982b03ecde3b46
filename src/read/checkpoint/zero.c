/* [bf16_]zero_pp_rank_<r>_mp_rank_<mm>_optim_states.pt; optimizer_state_dict.partition_count is the
   number of ranks, or a list of it for each group of parameters. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/zero.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { RANKS_MAX = 256, NAME_MOST = 256 };

static struct text base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return text_of(slash ? slash + 1 : path);
}

static int64_t partitions(const struct pickle *pickle)
{
    const uint32_t state = pickle_member(pickle, pickle->root, "optimizer_state_dict");
    const struct node *count = pickle_node(pickle, pickle_member(pickle, state, "partition_count"));
    if (count->kind == NODE_LIST && count->count)
        count = pickle_node(pickle, count->items[0]);
    return count->kind == NODE_INTEGER ? count->integer : 0;
}

bool zero_complete(const struct reading *reading, const struct pickle *pickle, struct error *error)
{
    static const char first[] = "zero_pp_rank_0_";
    const struct text name = base_name(input_path(reading->input));
    const size_t at = text_find(name, text_of(first));
    if (at == name.size || !text_ends(name, "_optim_states.pt"))
        return true;
    const struct text rest = text_cut(name, at + sizeof(first) - 1, name.size);
    const int64_t ranks = partitions(pickle);
    for (int64_t rank = 1; rank < ranks && ranks <= RANKS_MAX; rank++) {
        char other[NAME_MOST];
        struct error here = {0};
        const int size = snprintf(other, sizeof(other), "%.*szero_pp_rank_%" PRId64 "_%.*s",
                                  (int)at, name.data, rank, (int)rest.size, rest.data);
        if (size < 0 || (size_t)size >= sizeof(other))
            return true;
        if (!input_sibling(reading->input, (struct text){other, (size_t)size}, &here) &&
            here.kind == ERROR_IO)
            return error_set(error, ERROR_MALFORMED, input_place(reading->input, 0),
                             "the save is not complete: of %" PRId64 " ranks %s is missing", ranks,
                             other);
    }
    return true;
}
