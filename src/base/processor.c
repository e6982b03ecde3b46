/* Two threads that wake each other are drawn to one processor, where they take turns. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/processor.h"

#ifdef __linux__

#include <sched.h>

bool processor_beside(pthread_attr_t *attributes)
{
    cpu_set_t allowed;
    const int here = sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return false;
    CPU_CLR((size_t)here, &allowed);
    return CPU_COUNT(&allowed) > 0 &&
           pthread_attr_setaffinity_np(attributes, sizeof allowed, &allowed) == 0;
}

#else

bool processor_beside(pthread_attr_t *attributes)
{
    (void)attributes;
    return false;
}

#endif
