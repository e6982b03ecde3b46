/* inputs: the first array that shows it speaks, and which feature is named. */
/* SPDX-License-Identifier: MIT */
#include "made_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double wide(size_t row, size_t at)
{
    (void)row;
    return made_normal() * (at == 1 ? 700 : at == 2 ? 150 : 1);
}

static void names_the_array_and_its_worst_feature(void **state)
{
    (void)state;
    static struct used used;
    static struct made_samples made;
    used_begin(&used);
    made_array(&used, &made, ROLE_INPUTS, "x_train", (const int64_t[]){300, 4, 0}, made_standard);
    made_array(&used, &made, ROLE_INPUTS, "x_test", (const int64_t[]){300, 4, 0}, wide);
    const struct candidate *candidate = used_run(&used, "inputs", "features", 0, NULL);
    assert_non_null(candidate);
    assert_true(text_is(candidate->subject, "x_test"));
    assert_true(used_value(candidate, "features") == 2);
    assert_true(used_value(candidate, "width") == 4);
    assert_true(used_value(candidate, "feature") == 1);
    assert_true(used_value(candidate, "deviation") > 500);
    assert_null(used_run(&used, "inputs", "features", 0, "high", 1000.0, NULL));
    assert_null(used_run(&used, "inputs", "pixels", 0, NULL));
    assert_null(used_run(&used, "inputs", "codes", 0, NULL));
    used_end(&used);
    made_end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_the_array_and_its_worst_feature)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
