/* Threads for independent jobs. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/pool.h"

#include "../check.h"

static void count_job(void *context, size_t index)
{
    ((int *)context)[index]++;
}

static void runs_each_job_once(void **state)
{
    (void)state;
    for (size_t threads = 0; threads <= 100; threads += threads < 4 ? 1 : 48) {
        struct pool pool = {.threads = threads};
        int done[1000] = {0};
        pool_run(&pool, 1000, count_job, done);
        for (size_t i = 0; i < 1000; i++)
            assert_int_equal(done[i], 1);
        pool_run(&pool, 1, count_job, done);
        assert_int_equal(done[0], 2);
        pool_run(&pool, 0, count_job, done);
        assert_int_equal(done[0], 2);
    }
    int once = 0;
    pool_run(NULL, 1, count_job, &once);
    assert_int_equal(once, 1);
}

static void knows_the_processors(void **state)
{
    (void)state;
    assert_true(pool_processors() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_each_job_once),
        cmocka_unit_test(knows_the_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
