/* out-of-memory: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX];

static void begin(void)
{
    used_begin(&used);
    memset(values, 0, sizeof(values));
}

static void an_error_of_the_device(void **state)
{
    (void)state;
    begin();
    judged_message(&used, "cuda-out-of-memory", 10);
    const struct finding *found = judged(&used, "out-of-memory");
    assert_non_null(found);
    assert_int_equal(found->severity, SEVERITY_ERROR);
    assert_string_equal(found->form, "device");
    used_end(&used);
}

static void an_error_of_the_host(void **state)
{
    (void)state;
    begin();
    judged_message(&used, "kernel-oom", 10);
    assert_string_equal(judged(&used, "out-of-memory")->form, "host");
    used_end(&used);
}

static void silent_on_much_memory_in_use(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = 79.5;
    used_series(&used, KIND_MEMORY, "memory", values, 40, 1);
    assert_null(judged(&used, "out-of-memory"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_of_the_device),
        cmocka_unit_test(an_error_of_the_host),
        cmocka_unit_test(silent_on_much_memory_in_use),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
