/* Threads for independent jobs: each takes the next index until none is left. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS_MOST = 64 };

struct work {
    void (*job)(void *context, size_t index);
    void *context;
    size_t count;
    atomic_size_t next;
};

static void *work_on(void *argument)
{
    struct work *work = argument;
    for (;;) {
        size_t index = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed);
        if (index >= work->count)
            return NULL;
        work->job(work->context, index);
    }
}

void pool_run(struct pool *pool, size_t count, void (*job)(void *context, size_t index),
              void *context)
{
    struct work work = {.job = job, .context = context, .count = count};
    atomic_init(&work.next, 0);
    size_t helpers = pool && pool->threads > 1 ? pool->threads - 1 : 0;
    if (helpers > THREADS_MOST)
        helpers = THREADS_MOST;
    if (count && helpers > count - 1)
        helpers = count - 1;
    pthread_t threads[THREADS_MOST];
    size_t started = 0;
    /* A thread that the system refuses is only a slower run. */
    while (count && started < helpers &&
           pthread_create(&threads[started], NULL, work_on, &work) == 0)
        started++;
    work_on(&work);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

size_t pool_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (size_t)count : 1;
}
