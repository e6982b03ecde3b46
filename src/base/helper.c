/* A thread beside the calling one: tasks in a queue, the oldest first. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/helper.h"
#include "stalldoc/arena.h"
#include "stalldoc/processor.h"

#include <pthread.h>
#include <stddef.h>

struct helper {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t given, done;
    struct task *first, *last; /* queued */
    bool sleeping, awaited, ending;
};

static struct task *queue_take(struct helper *helper)
{
    struct task *task = helper->first;
    if (!task)
        return NULL;
    helper->first = task->next;
    if (!helper->first)
        helper->last = NULL;
    task->next = NULL;
    task->state = TASK_BUSY;
    return task;
}

/* With the lock held, but for the task itself. */
static void run_one(struct helper *helper, struct task *task)
{
    pthread_mutex_unlock(&helper->lock);
    task->run(task->context);
    pthread_mutex_lock(&helper->lock);
    task->state = TASK_DONE;
}

static void *help(void *argument)
{
    struct helper *helper = argument;
    pthread_mutex_lock(&helper->lock);
    while (!helper->ending) {
        struct task *task = queue_take(helper);
        if (!task) {
            helper->sleeping = true;
            pthread_cond_wait(&helper->given, &helper->lock);
            helper->sleeping = false;
            continue;
        }
        run_one(helper, task);
        if (helper->awaited)
            pthread_cond_signal(&helper->done);
    }
    pthread_mutex_unlock(&helper->lock);
    return NULL;
}

static bool start_beside(struct helper *helper)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    const bool started = processor_beside(&attributes) &&
                         pthread_create(&helper->thread, &attributes, help, helper) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

struct helper *helper_open(void)
{
    struct helper *helper = block_take(sizeof *helper);
    if (!helper)
        return NULL;
    *helper = (struct helper){.first = NULL};
    pthread_mutex_init(&helper->lock, NULL);
    pthread_cond_init(&helper->given, NULL);
    pthread_cond_init(&helper->done, NULL);
    if (start_beside(helper) || pthread_create(&helper->thread, NULL, help, helper) == 0)
        return helper;
    block_free(helper);
    return NULL;
}

void task_give(struct helper *helper, struct task *task)
{
    task->next = NULL;
    task->state = TASK_QUEUED;
    if (!helper)
        return;
    pthread_mutex_lock(&helper->lock);
    if (task->urgent || !helper->last) {
        task->next = helper->first;
        helper->first = task;
        helper->last = helper->last ? helper->last : task;
    } else {
        helper->last->next = task;
        helper->last = task;
    }
    if (helper->sleeping)
        pthread_cond_signal(&helper->given);
    pthread_mutex_unlock(&helper->lock);
}

static void queue_leave(struct helper *helper, const struct task *task)
{
    struct task *before = NULL;
    for (struct task *t = helper->first; t != task; t = t->next)
        before = t;
    if (before)
        before->next = task->next;
    else
        helper->first = task->next;
    if (helper->last == task)
        helper->last = before;
}

static void await(struct helper *helper)
{
    helper->awaited = true;
    pthread_cond_wait(&helper->done, &helper->lock);
    helper->awaited = false;
}

void task_finish(struct helper *helper, struct task *task)
{
    if (!helper) {
        if (task->state == TASK_QUEUED)
            task->run(task->context);
        task->state = TASK_IDLE;
        return;
    }
    pthread_mutex_lock(&helper->lock);
    if (task->state == TASK_QUEUED) {
        queue_leave(helper, task);
        task->state = TASK_BUSY;
        run_one(helper, task);
    }
    while (task->state == TASK_QUEUED || task->state == TASK_BUSY) {
        struct task *other = queue_take(helper);
        if (other)
            run_one(helper, other);
        else
            await(helper);
    }
    task->state = TASK_IDLE;
    pthread_mutex_unlock(&helper->lock);
}

bool task_ready(struct helper *helper, const struct task *task)
{
    if (!helper)
        return false;
    pthread_mutex_lock(&helper->lock);
    const bool ready = task->state == TASK_DONE;
    pthread_mutex_unlock(&helper->lock);
    return ready;
}

void task_cancel(struct helper *helper, struct task *task)
{
    if (!helper) {
        task->state = TASK_IDLE;
        return;
    }
    pthread_mutex_lock(&helper->lock);
    if (task->state == TASK_QUEUED)
        queue_leave(helper, task);
    else
        while (task->state == TASK_BUSY)
            await(helper);
    task->state = TASK_IDLE;
    pthread_mutex_unlock(&helper->lock);
}

void helper_close(struct helper *helper)
{
    if (!helper)
        return;
    pthread_mutex_lock(&helper->lock);
    helper->ending = true;
    pthread_cond_signal(&helper->given);
    pthread_mutex_unlock(&helper->lock);
    pthread_join(helper->thread, NULL);
    pthread_cond_destroy(&helper->given);
    pthread_cond_destroy(&helper->done);
    pthread_mutex_destroy(&helper->lock);
    block_free(helper);
}
