/* tensors: what is counted, and which tensor is named. */
/* SPDX-License-Identifier: MIT */
#include "made_tensor.h"
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void names_the_worst_and_counts_the_rest(void **state)
{
    (void)state;
    static struct used used;
    struct tensor tensors[3] = {made_tensor("a.weight", 4, 4, 0.1),
                                made_tensor("b.weight", 4, 4, 0.1),
                                made_tensor("c.weight", 4, 4, 0.1)};
    tensors[1].stats.nan = 1;
    tensors[2].stats.nan = 5;
    used_begin(&used);
    used.run.tensors = tensors;
    used.run.tensor_count = 3;
    const struct candidate *candidate = used_run(&used, "tensors", "weights", 0, NULL);
    assert_non_null(candidate);
    assert_true(used_value(candidate, "tensors") == 2);
    assert_true(used_value(candidate, "total") == 3);
    assert_true(text_is(candidate->subject, "c.weight"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_the_worst_and_counts_the_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
