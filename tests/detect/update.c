/* update: steps that are too small or too large for the weights they change. */
/* SPDX-License-Identifier: MIT */
#include "made_moves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static struct moves moves;

static const struct candidate *update(int64_t from, int64_t to, double first, double second)
{
    const struct tensor tensors[] = {made_tensor("a.weight", 8, 8, 0.1),
                                     made_tensor("b.weight", 8, 8, 0.1)};
    const double relative[] = {first, second};
    used_begin(&used);
    moves_two(&moves, &used.run, from, to, tensors, 2, relative);
    return used_run(&used, "update", "low", 0, NULL);
}

static void finds_steps_of_a_millionth(void **unused)
{
    (void)unused;
    const struct candidate *candidate = update(100, 10100, 5e-5, 2e-5);
    assert_non_null(candidate);
    assert_string_equal(candidate->form, "low");
    assert_true(text_is(candidate->subject, "b.weight"));
    assert_true(fabs(used_value(candidate, "per-step") - 2e-7) < 1e-12);
    assert_true(used_value(candidate, "steps") == 10000);
    used_end(&used);
}

static void finds_steps_that_replace_the_weights(void **unused)
{
    (void)unused;
    const struct candidate *candidate = update(100, 110, 0.9, 0.2);
    assert_non_null(candidate);
    assert_string_equal(candidate->form, "high");
    assert_true(fabs(used_value(candidate, "per-step") - 0.09) < 1e-12);
    used_end(&used);
    candidate = update(1000, 2000, 5, 4);
    assert_non_null(candidate);
    assert_string_equal(candidate->form, "high");
    used_end(&used);
}

static void is_silent_in_the_healthy_band(void **unused)
{
    (void)unused;
    assert_null(update(1000, 2000, 0.3, 0.05));
    used_end(&used);
    assert_null(update(0, 10, 0.9, 0.9)); /* the first steps of Adam on small weights */
    used_end(&used);
    assert_null(update(0, 100000, 5, 5)); /* from the start to the end */
    used_end(&used);
    assert_null(update(1000, 1001, 0.05, 0.01));
    used_end(&used);
    assert_non_null(update(10, 20, 0.9, 0.9));
    moves.movements[0].sure = false; /* "ckpt_10" may be the tenth epoch */
    assert_null(used_run(&used, "update", "low", 0, NULL));
    used_end(&used);
    assert_null(update(100, 10100, 0, 0)); /* another matter */
    used_end(&used);
}

static void is_silent_where_a_run_slows_down_to_its_end(void **unused)
{
    (void)unused;
    const struct tensor tensor = made_tensor("a.weight", 8, 8, 0.1);
    const double fast[] = {0.2}, slow[] = {1e-6};
    memset(&moves, 0, sizeof(moves));
    used_begin(&used);
    for (int64_t step = 1; step <= 3; step++)
        moves_save(&moves, 1000 * step, &tensor, 1);
    moves_between(&moves, 0, fast);
    moves_between(&moves, 1, slow);
    moves_give(&moves, &used.run);
    assert_null(used_run(&used, "update", "low", 0, NULL));
    moves_between(&moves, 0, slow);
    assert_non_null(used_run(&used, "update", "low", 0, NULL));
    used_end(&used);
}

static const struct candidate *layers(const double *relative)
{
    struct tensor tensors[6];
    static const char *const names[] = {"l.0.weight", "l.1.weight", "l.2.weight",
                                        "l.3.weight", "l.4.weight", "l.5.weight"};
    used_begin(&used);
    for (size_t i = 0; i < 6; i++)
        tensors[i] = made_tensor(names[i], 8, 8, 0.1);
    moves_two(&moves, &used.run, 1000, 2000, tensors, 6, relative);
    return used_run(&used, "update", "low", 0, NULL);
}

static void finds_first_layers_that_hardly_move(void **unused)
{
    (void)unused;
    const double fading[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};
    const double frozen[] = {0, 0, 0, 0.1, 0.1, 0.1}, head[] = {1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 2};
    const struct candidate *candidate = layers(fading);
    assert_non_null(candidate);
    assert_string_equal(candidate->form, "early");
    assert_true(text_is(candidate->subject, "l.0.weight"));
    used_end(&used);
    assert_null(layers(frozen));
    used_end(&used);
    assert_null(layers(head));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_first_layers_that_hardly_move),
        cmocka_unit_test(finds_steps_of_a_millionth),
        cmocka_unit_test(finds_steps_that_replace_the_weights),
        cmocka_unit_test(is_silent_in_the_healthy_band),
        cmocka_unit_test(is_silent_where_a_run_slows_down_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
