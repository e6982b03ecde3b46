/* One thread beside the calling one, for tasks whose results are taken in order. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_HELPER_H
#define STALLDOC_HELPER_H

#include <stdbool.h>

struct helper;

enum task_state { TASK_IDLE, TASK_QUEUED, TASK_BUSY, TASK_DONE };

struct task { /* the caller's; it stays where it is while it is not idle */
    void (*run)(void *context);
    void *context;
    bool urgent;           /* goes in front of what is queued */
    enum task_state state; /* the helper's alone */
    struct task *next;
};

/* NULL: the system gives no thread, or no memory. */
struct helper *helper_open(void);
/* Queues a task that is idle. Without a helper (NULL) it waits for task_finish. */
void task_give(struct helper *helper, struct task *task);
/* Returns when the task is done and idle again; at once where it is idle. Rather than wait the
   caller does it, or what is queued behind it. */
void task_finish(struct helper *helper, struct task *task);
/* The task has been run and waits to be finished. */
bool task_ready(struct helper *helper, const struct task *task);
/* Takes the task back: it is idle, run or not. */
void task_cancel(struct helper *helper, struct task *task);
/* All tasks are idle. NULL is fine. */
void helper_close(struct helper *helper);

#endif
