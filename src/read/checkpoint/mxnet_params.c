/* MXNet's parameter files (nd.save): u64 0x112, u64 0, then counted arrays. Named, not read. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/format.h"

static int probe(struct span head, struct text file_name)
{
    struct cursor cursor = {.rest = head};
    (void)file_name;
    return take_u64le(&cursor) == 0x112 && take_u64le(&cursor) == 0 && !cursor.overrun ? 95 : 0;
}

const struct format format_mxnet_params = {
    .name = "mxnet-params",
    .about = "MXNet parameters (.params)",
    .group = FORMAT_NAMED,
    .probe = probe,
};
