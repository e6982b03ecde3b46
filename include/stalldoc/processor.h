/* Which processor a new thread starts on. Source: pthread_attr_setaffinity_np(3), sched_getcpu(3). */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_PROCESSOR_H
#define STALLDOC_PROCESSOR_H

#include <pthread.h>
#include <stdbool.h>

/* Lets the thread run on every processor the caller may use but the one it is on now. False, with
   the attributes as they were: there is no other one, or the system does not say. */
bool processor_beside(pthread_attr_t *attributes);

#endif
