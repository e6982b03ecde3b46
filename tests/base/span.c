/* Texts and the walk over bytes. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/span.h"

#include "../check.h"

static void compares_texts_by_bytes(void **state)
{
    (void)state;
    assert_true(text_equal(TEXT("loss"), TEXT("loss")));
    assert_false(text_equal(TEXT("loss"), TEXT("los")));
    assert_true(text_equal(text_of(NULL), TEXT("")));
    assert_true(text_is(TEXT("loss"), "loss"));
    assert_true(text_starts(TEXT("train/loss"), "train/"));
    assert_false(text_starts(TEXT("tr"), "train/"));
    assert_true(text_ends(TEXT("run.log"), ".log"));
    assert_true(text_ends(text_of(NULL), ""));
    assert_true(text_compare(TEXT("a"), TEXT("ab")) < 0);
    assert_true(text_compare(TEXT("\xff"), TEXT("a")) > 0);
    assert_int_equal(text_compare(TEXT("a"), TEXT("a")), 0);
}

static void cuts_within_the_text(void **state)
{
    (void)state;
    assert_text(text_cut(TEXT("abcdef"), 2, 3), "cde");
    assert_text(text_cut(TEXT("abcdef"), 4, SIZE_MAX), "ef");
    assert_text(text_cut(TEXT("abcdef"), 9, 3), "");
    assert_text(text_trim(TEXT("  \t a b\r\n")), "a b");
    assert_text(text_trim(TEXT(" \n ")), "");
}

static void finds_a_part(void **state)
{
    (void)state;
    struct text text = TEXT("ababac");
    assert_int_equal(text_find(text, TEXT("abac")), 2);
    assert_int_equal(text_find(text, TEXT("c")), 5);
    assert_int_equal(text_find(text, TEXT("")), 0);
    assert_int_equal(text_count(TEXT("a,b,,"), ','), 3);
    assert_int_equal(text_count(TEXT(""), ','), 0);
    assert_int_equal(text_behind(TEXT("runs/a/b.log"), '/'), 7);
    assert_int_equal(text_behind(TEXT("runs/"), '/'), 5);
    assert_int_equal(text_behind(TEXT("b.log"), '/'), 0);
    assert_int_equal(text_find(text, TEXT("abad")), text.size);
    assert_int_equal(text_find(TEXT("a"), TEXT("ab")), 1);
    assert_int_equal(text_find(text_of(NULL), TEXT("ab")), 0);
}

static void hashes_the_same_everywhere(void **state)
{
    (void)state;
    assert_true(text_hash(TEXT("train/loss")) == text_hash(TEXT("train/loss")));
    assert_true(text_hash(TEXT("train/loss")) != text_hash(TEXT("train/losx")));
    assert_true(text_hash(TEXT("")) != text_hash(TEXT("\0")));
    assert_true(text_hash(TEXT("\0")) != text_hash(TEXT("\0\0")));
    /* A changed value would change reports that are ordered by it. */
    assert_true(text_hash(TEXT("grad_norm")) == UINT64_C(0x10281daa90e5ff64));
}

static void orders_numbers_in_names_as_numbers(void **state)
{
    (void)state;
    static const char *const ordered[] = {"",
                                          "a",
                                          "ckpt-1",
                                          "ckpt-2",
                                          "ckpt-2.b",
                                          "ckpt-10",
                                          "ckpt-x",
                                          "step09",
                                          "step9",
                                          "step10",
                                          "step99999999999999999999999",
                                          "step100000000000000000000000"};
    for (size_t i = 0; i < sizeof(ordered) / sizeof(ordered[0]); i++)
        for (size_t j = 0; j < sizeof(ordered) / sizeof(ordered[0]); j++) {
            int order = text_compare_natural(text_of(ordered[i]), text_of(ordered[j]));
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
}

static void counts_edits_up_to_a_bound(void **state)
{
    (void)state;
    assert_int_equal(text_distance(TEXT("nan-loss"), TEXT("nan-loss"), 2), 0);
    assert_int_equal(text_distance(TEXT("nan-loss"), TEXT("nan-los"), 2), 1);
    assert_int_equal(text_distance(TEXT("kitten"), TEXT("sitting"), 5), 3);
    assert_int_equal(text_distance(TEXT("kitten"), TEXT("sitting"), 2), 3);
    assert_int_equal(text_distance(TEXT(""), TEXT("abc"), 3), 3);
}

static void matches_shell_patterns(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *text;
        bool fold, expected;
    } cases[] = {
        {"*", "", false, true},
        {"", "", false, true},
        {"", "a", false, false},
        {"*.log", "a/b.log", false, true},
        {"*.log", "a/b.logs", false, false},
        {"a*b*c", "aXbYbZc", false, true},
        {"a*b*c", "aXbYbZ", false, false},
        {"train?loss", "train/loss", false, true},
        {"loss_[0-9]", "loss_7", false, true},
        {"loss_[!0-9]", "loss_7", false, false},
        {"loss_[^0-9]", "loss_x", false, true},
        {"[]a]", "]", false, true},
        {"[", "[", false, true},
        {"x[", "x[", false, true},
        {"[a-", "a", false, false},
        {"LOSS*", "loss/train", true, true},
        {"LOSS*", "loss/train", false, false},
        {"[A-C]", "b", true, true},
        {"**a", "bba", false, true},
        {"?", "", false, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(
            text_glob(text_of(cases[i].pattern), text_of(cases[i].text), cases[i].fold),
            cases[i].expected);
}

static void takes_numbers_in_both_orders(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {1,    2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6,
                                    0x87, 8, 1, 2, 1, 2, 1, 2, 3, 4, 1, 2, 3, 4};
    struct cursor cursor = {.rest = {bytes, sizeof(bytes)}};
    assert_true(take_u64le(&cursor) == UINT64_C(0x0807060504030201));
    assert_true(take_u64be(&cursor) == UINT64_C(0x0102030405068708));
    assert_int_equal(take_u16le(&cursor), 0x0201);
    assert_int_equal(take_u16be(&cursor), 0x0102);
    assert_int_equal(take_u32le(&cursor), 0x04030201);
    assert_int_equal(take_u32be(&cursor), 0x01020304);
    assert_int_equal(cursor.place.offset, sizeof(bytes));
    assert_false(cursor.overrun);
    assert_int_equal(take_u8(&cursor), 0);
    assert_true(cursor.overrun);
}

static void stays_overrun_once_it_was(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {1, 2, 3};
    struct cursor cursor = {.rest = {bytes, sizeof(bytes)}};
    assert_int_equal(take_bytes(&cursor, UINT64_MAX).size, 0);
    assert_true(cursor.overrun);
    assert_int_equal(take_u8(&cursor), 0);
    assert_int_equal(cursor.rest.size, 3);
    struct cursor empty = {0};
    assert_int_equal(take_bytes(&empty, 0).size, 0);
    assert_false(empty.overrun);
}

static void refuses_sizes_that_overflow(void **state)
{
    (void)state;
    uint64_t result = 7;
    assert_false(size_product(UINT64_MAX, 2, &result));
    assert_false(size_sum(UINT64_MAX, 1, &result));
    assert_true(result == 7);
    assert_true(size_product(UINT64_C(1) << 32, (UINT64_C(1) << 32) - 1, &result));
    assert_true(size_product(0, UINT64_MAX, &result) && result == 0);
    assert_true(size_sum(UINT64_MAX, 0, &result) && result == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares_texts_by_bytes),
        cmocka_unit_test(cuts_within_the_text),
        cmocka_unit_test(finds_a_part),
        cmocka_unit_test(hashes_the_same_everywhere),
        cmocka_unit_test(orders_numbers_in_names_as_numbers),
        cmocka_unit_test(counts_edits_up_to_a_bound),
        cmocka_unit_test(matches_shell_patterns),
        cmocka_unit_test(takes_numbers_in_both_orders),
        cmocka_unit_test(stays_overrun_once_it_was),
        cmocka_unit_test(refuses_sizes_that_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
