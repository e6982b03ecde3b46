/* One thread beside the calling one: every task is run once, or taken back. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/helper.h"

#include "../check.h"

#include <stdatomic.h>

enum { TASKS = 16 };

static void count_up(void *context)
{
    ++*(int *)context;
}

static void runs_every_task_once(void **state)
{
    (void)state;
    struct helper *helpers[] = {NULL, helper_open()};
    for (size_t h = 0; h < 2; h++) {
        int runs[TASKS] = {0};
        struct task tasks[TASKS];
        for (int round = 1; round <= 200; round++) {
            for (size_t i = 0; i < TASKS; i++) {
                tasks[i] = (struct task){.run = count_up, .context = &runs[i]};
                task_give(helpers[h], &tasks[i]);
            }
            for (size_t i = 0; i < TASKS; i++) {
                const size_t at = round % 2 ? i : TASKS - 1 - i;
                task_finish(helpers[h], &tasks[at]);
                assert_int_equal(runs[at], round);
                assert_int_equal(tasks[at].state, TASK_IDLE);
            }
        }
        helper_close(helpers[h]);
    }
}

static void takes_tasks_back(void **state)
{
    (void)state;
    struct helper *helpers[] = {NULL, helper_open()};
    for (size_t h = 0; h < 2; h++) {
        int runs[TASKS] = {0};
        struct task tasks[TASKS];
        for (size_t i = 0; i < TASKS; i++) {
            tasks[i] = (struct task){.run = count_up, .context = &runs[i]};
            task_give(helpers[h], &tasks[i]);
        }
        for (size_t i = TASKS; i-- > 0;) {
            task_cancel(helpers[h], &tasks[i]);
            assert_int_equal(tasks[i].state, TASK_IDLE);
            assert_in_range(runs[i], 0, helpers[h] ? 1 : 0);
        }
        helper_close(helpers[h]);
    }
}

static void tells_a_task_that_was_run(void **state)
{
    (void)state;
    struct helper *helper = helper_open();
    int runs = 0;
    struct task task = {.run = count_up, .context = &runs, .state = TASK_IDLE};
    assert_false(task_ready(helper, &task));
    assert_false(task_ready(NULL, &task));
    task_give(helper, &task);
    while (!task_ready(helper, &task))
        ;
    assert_int_equal(runs, 1);
    task_finish(helper, &task);
    assert_false(task_ready(helper, &task));
    assert_int_equal(runs, 1);
    helper_close(helper);
}

struct turn { /* what is written down, where and when */
    int mark;
    atomic_int *next;
    int *marks;
};

static void write_down(void *context)
{
    const struct turn *turn = context;
    turn->marks[atomic_fetch_add(turn->next, 1)] = turn->mark;
}

static void wait_for(void *context)
{
    while (!atomic_load((atomic_bool *)context))
        ;
}

static void runs_what_is_urgent_first(void **state)
{
    (void)state;
    struct helper *helper = helper_open();
    atomic_bool go = false;
    atomic_int next = 0;
    int marks[3] = {0};
    struct turn turns[] = {{1, &next, marks}, {2, &next, marks}, {3, &next, marks}};
    struct task first = {.run = wait_for, .context = &go}, tasks[3];
    task_give(helper, &first);
    for (size_t i = 0; i < 3; i++) {
        tasks[i] = (struct task){.run = write_down, .context = &turns[i], .urgent = i == 2};
        task_give(helper, &tasks[i]);
    }
    atomic_store(&go, true);
    for (size_t i = 0; i < 3; i++)
        while (!task_ready(helper, &tasks[i]))
            ;
    for (size_t i = 0; i < 3; i++)
        task_finish(helper, &tasks[i]);
    task_finish(helper, &first);
    helper_close(helper);
    assert_int_equal(marks[0], 3);
    assert_int_equal(marks[1], 1);
    assert_int_equal(marks[2], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_every_task_once),
        cmocka_unit_test(takes_tasks_back),
        cmocka_unit_test(tells_a_task_that_was_run),
        cmocka_unit_test(runs_what_is_urgent_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
