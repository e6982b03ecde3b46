/* Norms of layers that fall towards the input, and norms that do not. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { POINTS = 12 };
static struct used used;

static const struct candidate *found(const char *const tags[4], const double levels[4])
{
    double values[POINTS];
    used_begin(&used);
    for (size_t k = 0; k < 4; k++) {
        for (int i = 0; i < POINTS; i++)
            values[i] = levels[k] * (1 + 0.1 * sin(i));
        used_series(&used, KIND_OTHER, tags[k], values, POINTS, 12)->main = false;
    }
    return used_run(&used, "starved", "printed", 1, NULL);
}

static void the_first_layers_get_next_to_nothing(void **state)
{
    (void)state;
    static const char *const tags[] = {"grad_norm/layer0", "grad_norm/layer3", "grad_norm/layer6",
                                       "grad_norm/head"};
    static const double falls[] = {4e-9, 3e-7, 1e-4, 0.3}, even[] = {0.04, 0.2, 0.1, 0.3},
                        reversed[] = {0.3, 1e-4, 3e-7, 4e-9}, small[] = {2e-5, 1e-5, 4e-5, 3e-5};
    const struct candidate *candidate = found(tags, falls);
    assert_non_null(candidate);
    assert_float_equal(used_value(candidate, "late"), 0.3, 0.03);
    assert_true(used_value(candidate, "layers") == 4);
    used_end(&used);
    assert_null(found(tags, even));
    used_end(&used);
    assert_null(found(tags, reversed)); /* nothing is starved at the input */
    used_end(&used);
    assert_null(found(tags, small)); /* all alike */
    used_end(&used);
}

static void what_is_no_layer_is_left_alone(void **state)
{
    (void)state;
    static const char *const tags[] = {"grad_norm_min", "lr/bias", "grad_scale", "grad_norm_max"};
    static const double falls[] = {4e-9, 3e-7, 1e-4, 0.3};
    assert_null(found(tags, falls));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_layers_get_next_to_nothing),
        cmocka_unit_test(what_is_no_layer_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
