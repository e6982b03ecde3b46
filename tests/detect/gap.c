/* One part far over the others. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static void begin(void)
{
    used_begin(&used);
}

static void the_largest_part_speaks(void **state)
{
    (void)state;
    begin();
    const double small[] = {0.1, 0.1}, large[] = {500, 500};
    used_series(&used, KIND_GRAD_NORM, "norm/head", large, 2, 1)->scope = SCOPE_PART;
    for (int i = 0; i < 4; i++)
        used_series(&used, KIND_GRAD_NORM, "norm/layer", small, 2, 1)->scope = SCOPE_PART;
    const struct candidate *found = used_run(&used, "gap", "layers", 1, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "ratio") == 5000);
    used_end(&used);
}

static void three_parts_are_too_few(void **state)
{
    (void)state;
    begin();
    const double small[] = {0.1, 0.1}, large[] = {500, 500};
    used_series(&used, KIND_GRAD_NORM, "norm/head", large, 2, 1)->scope = SCOPE_PART;
    for (int i = 0; i < 2; i++)
        used_series(&used, KIND_GRAD_NORM, "norm/layer", small, 2, 1)->scope = SCOPE_PART;
    assert_null(used_run(&used, "gap", "layers", 1, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_part_speaks),
        cmocka_unit_test(three_parts_are_too_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
