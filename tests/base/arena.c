/* Memory of one lifetime, its limit and its end. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/arena.h"

#include "../check.h"

static void gives_zeroed_and_aligned_memory(void **state)
{
    (void)state;
    struct arena arena = {0};
    for (size_t size = 0; size < 3000; size += 7) {
        uint8_t *taken = arena_take(&arena, size, 1);
        assert_non_null(taken);
        assert_int_equal((uintptr_t)taken % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(taken[i], 0);
        if (size)
            memset(taken, 0xff, size);
    }
    assert_true(arena.used > 0);
    arena_free(&arena);
    assert_int_equal(arena.used, 0);
    assert_non_null(arena_take(&arena, 5 << 20, 1));
    arena_free(&arena);
}

static void keeps_what_was_taken_apart(void **state)
{
    (void)state;
    struct arena arena = {0};
    uint32_t *items[500];
    for (uint32_t i = 0; i < 500; i++) {
        items[i] = arena_take(&arena, i % 50 + 1, sizeof(uint32_t));
        for (uint32_t j = 0; j <= i % 50; j++)
            items[i][j] = i;
        if (i % 100 == 50)
            assert_non_null(arena_take(&arena, 1 << 21, 1)); /* larger than any common block */
    }
    for (uint32_t i = 0; i < 500; i++)
        for (uint32_t j = 0; j <= i % 50; j++)
            assert_int_equal(items[i][j], i);
    arena_free(&arena);
}

static void never_exceeds_its_limit(void **state)
{
    (void)state;
    for (size_t limit = 1; limit < 20000; limit = limit_after(limit)) {
        struct arena arena = {.limit = limit};
        size_t taken = 0;
        while (arena_take(&arena, 100, 1))
            taken += 100;
        assert_true(taken <= arena.used && arena.used <= limit);
        assert_null(arena_take(&arena, limit, 1));
        arena_free(&arena);
    }
}

static void refuses_products_that_overflow(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_null(arena_take(&arena, SIZE_MAX / 2, 3));
    assert_null(arena_take(&arena, SIZE_MAX, 1));
    size_t capacity = 4;
    int items[4] = {1, 2, 3, 4};
    assert_null(arena_grow(&arena, items, 4, &capacity, SIZE_MAX / 2, sizeof(int)));
    assert_int_equal(capacity, 4);
    arena_free(&arena);
}

static void copies_and_prints_texts(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct text copy = arena_text(&arena, TEXT("loss"));
    assert_text(copy, "loss");
    assert_int_equal(copy.data[4], '\0');
    assert_string_equal(arena_string(&arena, text_of(NULL)), "");
    assert_text(arena_print(&arena, "step %d of %s", 7, "run"), "step 7 of run");
    arena_free(&arena);
    arena.limit = 8;
    assert_null(arena_text(&arena, TEXT("loss")).data);
    assert_null(arena_print(&arena, "%s", "loss").data);
    arena_free(&arena);
}

static void grows_arrays_and_keeps_their_items(void **state)
{
    (void)state;
    struct arena arena = {.limit = 100000};
    uint64_t *items = NULL;
    size_t count = 0, capacity = 0;
    for (;; count++) {
        uint64_t *grown = arena_grow(&arena, items, count, &capacity, count + 1, sizeof(*items));
        if (!grown)
            break;
        items = grown;
        items[count] = count;
    }
    assert_true(count > 2000);
    for (size_t i = 0; i < count; i++)
        assert_true(items[i] == i);
    arena_free(&arena);
}

static void gives_large_blocks_on_a_boundary(void **state)
{
    (void)state;
    uint8_t *block = block_take(1000);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % 64, 0);
    memset(block, 1, 1000);
    block_free(block);
    block_free(NULL);
}

static void takes_over_what_another_holds(void **state)
{
    (void)state;
    struct arena into = {0}, from = {0};
    char *own = arena_string(&into, TEXT("own")), *other = NULL;
    for (size_t i = 0; i < 1000; i++)
        other = arena_string(&from, TEXT("a text of the other arena"));
    const size_t used = into.used + from.used;
    arena_adopt(&into, &from);
    assert_int_equal(into.used, used);
    assert_int_equal(from.used, 0);
    assert_null(from.blocks);
    char *next = arena_string(&into, TEXT("next"));
    assert_string_equal(own, "own");
    assert_string_equal(other, "a text of the other arena");
    assert_string_equal(next, "next");
    arena_adopt(&from, &into);
    arena_free(&into);
    assert_string_equal(other, "a text of the other arena");
    arena_free(&from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_zeroed_and_aligned_memory),
        cmocka_unit_test(keeps_what_was_taken_apart),
        cmocka_unit_test(never_exceeds_its_limit),
        cmocka_unit_test(refuses_products_that_overflow),
        cmocka_unit_test(copies_and_prints_texts),
        cmocka_unit_test(grows_arrays_and_keeps_their_items),
        cmocka_unit_test(gives_large_blocks_on_a_boundary),
        cmocka_unit_test(takes_over_what_another_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
