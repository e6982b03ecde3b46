/* loss-divergence: where the rule speaks, and where it is silent. */
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

static void an_error_where_the_loss_doubles_for_good(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = i < 40 ? 3.0 / (1 + i * 0.1) : 0.6 * exp((i - 39) * 0.1);
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    assert_int_equal(judged(&used, "loss-divergence")->severity, SEVERITY_ERROR);
    used_end(&used);
}

static void silent_on_a_fall_with_noise(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 3.0 / (1 + i * 0.1) * (1 + 0.2 * sin(i * 2.3));
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    assert_false(judged_alarm(&used, "loss-divergence"));
    used_end(&used);
}

/* Three readings tell where both that follow are far above the first; one of them does not. */
static void three_readings_are_enough_for_a_factor_of_twenty(void **state)
{
    (void)state;
    static const struct {
        double values[3];
        bool alarm;
    } cases[] = {{{0.01, 0.6, 0.62}, true},
                 {{0.05, 0.3, 0.31}, false},
                 {{0.01, 0.012, 0.6}, false},
                 {{0.01, 0.6, 0.01}, false},
                 {{0.6, 0.62, 0.01}, false}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        begin();
        used_series(&used, KIND_LOSS, "loss", cases[i].values, 3, 4);
        assert_int_equal(judged_alarm(&used, "loss-divergence"), cases[i].alarm);
        used_end(&used);
    }
}

static void an_error_where_the_only_validation_is_astray(void **state)
{
    (void)state;
    begin();
    const double train[] = {12.5}, validation[] = {5e8};
    used_series(&used, KIND_LOSS, "loss", train, 1, 3);
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 1, 3);
    const struct finding *found = judged(&used, "loss-divergence");
    assert_non_null(found);
    assert_string_equal(found->candidate.form, "validation");
    assert_int_equal(found->severity, SEVERITY_ERROR);
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_where_the_loss_doubles_for_good),
        cmocka_unit_test(silent_on_a_fall_with_noise),
        cmocka_unit_test(three_readings_are_enough_for_a_factor_of_twenty),
        cmocka_unit_test(an_error_where_the_only_validation_is_astray),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
