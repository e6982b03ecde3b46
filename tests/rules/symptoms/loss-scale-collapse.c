/* loss-scale-collapse: where the rule speaks, and where it is silent. */
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

static void an_error_where_the_scale_is_at_its_floor(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = i < 30 ? 65536 : fmax(1, ldexp(1, 46 - i));
    used_series(&used, KIND_LOSS_SCALE, "loss_scale", values, 60, 0);
    assert_int_equal(judged(&used, "loss-scale-collapse")->severity, SEVERITY_ERROR);
    used_end(&used);
}

static void silent_on_the_search_for_it(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = i < 12 ? ldexp(1, 32 - i) : ldexp(1, 21);
    used_series(&used, KIND_LOSS_SCALE, "loss_scale", values, 60, 0);
    assert_null(judged(&used, "loss-scale-collapse"));
    used_end(&used);
}

static void grades_skipped_steps_by_their_share(void **state)
{
    (void)state;
    static const struct {
        int every;
        enum severity severity;
    } rows[] = {{8, SEVERITY_WARNING}, {3, SEVERITY_ERROR}};
    for (size_t k = 0; k < 2; k++) {
        begin();
        for (int i = 0; i < 500; i++)
            values[i] = i < 17 || (i > 250 && i % rows[k].every == 0);
        used_series(&used, KIND_COUNTER, "number of skipped iterations", values, 500, 0);
        assert_int_equal(judged(&used, "loss-scale-collapse")->severity, rows[k].severity);
        used_end(&used);
    }
}

static void silent_on_a_step_skipped_now_and_then(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 500; i++)
        values[i] = i < 17 || i % 60 == 0;
    used_series(&used, KIND_COUNTER, "number of skipped iterations", values, 500, 0);
    assert_null(judged(&used, "loss-scale-collapse"));
    used_end(&used);
}

static const struct finding *judge_saved(double first, double last)
{
    begin();
    values[0] = first;
    values[1] = last;
    used_series(&used, KIND_LOSS_SCALE, "saved/loss_scale", values, last > 0 ? 2 : 1, 30)->basis =
        BASIS_ESTIMATED;
    return judged(&used, "loss-scale-collapse");
}

static void an_error_where_what_was_saved_is_below_one(void **state)
{
    (void)state;
    const struct finding *finding = judge_saved(0.25, 0);
    assert_non_null(finding);
    assert_string_equal(finding->form, "saved");
    assert_int_equal(finding->severity, SEVERITY_ERROR);
    used_end(&used);
    assert_null(judge_saved(1, 0));
    used_end(&used);
    assert_null(judge_saved(65536, 32768));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_where_the_scale_is_at_its_floor),
        cmocka_unit_test(an_error_where_what_was_saved_is_below_one),
        cmocka_unit_test(silent_on_the_search_for_it),
        cmocka_unit_test(grades_skipped_steps_by_their_share),
        cmocka_unit_test(silent_on_a_step_skipped_now_and_then),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
