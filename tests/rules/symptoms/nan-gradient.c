/* nan-gradient: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX];

static void begin(void)
{
    used_begin(&used);
    memset(values, 0, sizeof(values));
}

static void an_error_where_norms_stay_nan(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 30; i++)
        values[i] = i < 20 ? 1 : (double)NAN;
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 30, 4);
    const struct finding *found = judged(&used, "nan-gradient");
    assert_int_equal(found->severity, SEVERITY_ERROR);
    assert_string_equal(found->form, "row");
    used_end(&used);
}

static void silent_on_the_search_for_a_loss_scale(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = i < 4 ? (double)INFINITY : 1;
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 100, 4);
    used_fact(&used, "precision", "fp16", (double)NAN);
    assert_null(judged(&used, "nan-gradient"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_where_norms_stay_nan),
        cmocka_unit_test(silent_on_the_search_for_a_loss_scale),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
