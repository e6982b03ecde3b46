/* Threads for independent jobs. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_POOL_H
#define STALLDOC_POOL_H

#include <stddef.h>

struct pool {
    size_t threads; /* 0 or 1: everything runs on the calling thread */
};

/* Runs job(context, i) for all i < count, on any thread, and returns when all are done. */
void pool_run(struct pool *pool, size_t count, void (*job)(void *context, size_t index),
              void *context);
size_t pool_processors(void);

#endif
