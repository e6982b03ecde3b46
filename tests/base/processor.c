/* A thread beside the calling one may run anywhere but where the caller is. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/processor.h"
#include "stalldoc/pool.h"

#include "../check.h"

static void *answer(void *argument)
{
    *(int *)argument = 1;
    return NULL;
}

static void starts_a_thread_where_there_is_another_processor(void **state)
{
    (void)state;
    pthread_attr_t attributes;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    const bool beside = processor_beside(&attributes);
    if (pool_processors() < 2)
        assert_false(beside);
    pthread_t thread;
    int answered = 0;
    assert_int_equal(pthread_create(&thread, &attributes, answer, &answered), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(answered, 1);
    pthread_attr_destroy(&attributes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_a_thread_where_there_is_another_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
