/* Large blocks apart from arenas; a file of its own, so that a test can put a failing one in. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/arena.h"

#include <stdlib.h>

enum { ALIGNMENT = 64 };

void *block_take(size_t size)
{
    void *block = NULL;
    if (posix_memalign(&block, ALIGNMENT, size ? size : 1) != 0)
        return NULL;
    return block;
}

void block_free(void *block)
{
    free(block);
}
