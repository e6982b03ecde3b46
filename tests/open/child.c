/* Child processes: what they write arrives, what they do to themselves is an error. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/child.h"

#include "../check.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static const struct child_limits limits = {.memory = 64 << 20, .seconds = 1};
static const struct place place = {.input = 3, .offset = 5};

static void says_a_word(void *context, int out)
{
    child_write(out, context, strlen(context));
}

static void crashes(void *context, int out)
{
    says_a_word(context, out);
    raise(SIGSEGV);
}

static void runs_for_ever(void *context, int out)
{
    (void)context;
    (void)out;
    for (volatile unsigned long i = 0;; i++)
        ;
}

static void sleeps(void *context, int out)
{
    (void)context;
    (void)out;
    for (;;)
        pause();
}

#if defined(__SANITIZE_ADDRESS__)
enum { REFUSES_MEMORY = false }; /* a sanitizer's malloc ends the process instead */
#else
enum { REFUSES_MEMORY = true };
#endif

/* One letter a thing that succeeded. */
static void tries_what_is_sealed(void *context, int out)
{
    (void)context;
    child_seal(&limits);
    char found[4] = "----";
    if (REFUSES_MEMORY && malloc(256 << 20))
        found[0] = 'm';
    if (open("/dev/null", O_RDONLY) >= 0)
        found[1] = 'o';
    if (dup(out) >= 0)
        found[2] = 'd';
    if (!malloc(1 << 20))
        found[3] = 's';
    child_write(out, found, sizeof(found));
}

static void hands_over_what_is_written(void **unused)
{
    (void)unused;
    struct error error = {0};
    char word[8];
    struct child *child = child_start(says_a_word, "abcdef", &limits, place, &error);
    assert_non_null(child);
    assert_true(child_read(child, word, 4, &error));
    assert_true(child_read(child, word + 4, 2, &error));
    assert_memory_equal(word, "abcdef", 6);
    assert_false(child_read(child, word, 1, &error)); /* it is at its end */
    assert_int_equal(error.kind, ERROR_MALFORMED);
    assert_int_equal(error.place.input, 3);
    child_end(child);
    child_end(NULL);
}

static void turns_a_crash_into_an_error(void **unused)
{
    (void)unused;
    struct error error = {0};
    char word[8];
    struct child *child = child_start(crashes, "ab", &limits, place, &error);
    assert_true(child_read(child, word, 2, &error));
    assert_false(child_read(child, word, 1, &error));
    assert_int_equal(error.kind, ERROR_MALFORMED);
    child_end(child);
}

static void ends_what_does_not_end(void **unused)
{
    (void)unused;
    void (*const jobs[])(void *, int) = {runs_for_ever, sleeps};
    for (size_t i = 0; i < 2; i++) {
        struct error error = {0};
        char word;
        struct child *child = child_start(jobs[i], NULL, &limits, place, &error);
        assert_false(child_read(child, &word, 1, &error));
        assert_int_equal(error.kind, ERROR_LIMIT);
        child_end(child);
    }
}

static void seals_files_and_memory(void **unused)
{
    (void)unused;
    struct error error = {0};
    char found[4];
    struct child *child = child_start(tries_what_is_sealed, NULL, &limits, place, &error);
    assert_true(child_read(child, found, sizeof(found), &error));
    assert_memory_equal(found, "----", 4);
    child_end(child);
}

static void may_be_left_before_its_end(void **unused)
{
    (void)unused;
    struct error error = {0};
    for (int i = 0; i < 20; i++)
        child_end(child_start(sleeps, NULL, &limits, place, &error));
    assert_int_equal(error.kind, ERROR_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_over_what_is_written), cmocka_unit_test(turns_a_crash_into_an_error),
        cmocka_unit_test(ends_what_does_not_end),     cmocka_unit_test(seals_files_and_memory),
        cmocka_unit_test(may_be_left_before_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
