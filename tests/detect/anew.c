/* anew: counts of the optimizer that fall between two checkpoints. */
/* SPDX-License-Identifier: MIT */
#include "made_moves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static struct moves moves;

static const struct candidate *anew(double before, double after)
{
    const double relative[] = {0.1, 0.1};
    struct tensor tensors[] = {made_tensor("fc.weight", 8, 8, 0.1),
                               made_tensor("optimizer.state.0.step", 1, 1, 1)};
    used_begin(&used);
    moves_two(&moves, &used.run, 1000, 2000, tensors, 2, relative);
    moves.tensors[1].stats.sum = before;
    moves.tensors[3].stats.sum = after;
    return used_run(&used, "anew", "optimizer", 0, NULL);
}

static void finds_a_count_that_fell(void **unused)
{
    (void)unused;
    const struct candidate *candidate = anew(1000, 400);
    assert_non_null(candidate);
    assert_true(used_value(candidate, "before") == 1000 && used_value(candidate, "after") == 400);
    assert_true(used_value(candidate, "from") == 1000 && used_value(candidate, "to") == 2000);
    assert_true(text_is(candidate->subject, "optimizer.state.0.step"));
    used_end(&used);
}

static void is_silent_where_it_goes_on(void **unused)
{
    (void)unused;
    assert_null(anew(1000, 2000));
    used_end(&used);
    assert_null(anew(1000, 1000));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_a_count_that_fell),
                                       cmocka_unit_test(is_silent_where_it_goes_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
