/* What one test uses of cmocka, for machines that cmocka is not built for: tools/neon. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_ALONE_CMOCKA_H
#define TESTS_ALONE_CMOCKA_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define print_message printf
#define assert_true(what) alone_hold((what), #what, __FILE__, __LINE__)
#define assert_int_equal(a, b)                                                                     \
    alone_hold((unsigned long long)(a) == (unsigned long long)(b), #a " == " #b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, size)                                                            \
    alone_hold(memcmp((a), (b), (size)) == 0, #a " as " #b, __FILE__, __LINE__)

static inline void alone_hold(bool holds, const char *what, const char *file, int line)
{
    if (holds)
        return;
    printf("%s:%d: does not hold: %s\n", file, line, what);
    exit(1);
}

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(function)                                                                 \
    {                                                                                              \
#function, function                                                                        \
    }
#define cmocka_run_group_tests(tests, before, after)                                               \
    alone_run((tests), sizeof(tests) / sizeof((tests)[0]))

static inline int alone_run(const struct CMUnitTest *tests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tests[i].run(NULL);
        printf("ok: %s\n", tests[i].name);
    }
    return 0;
}

#endif
