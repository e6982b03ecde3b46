/* loss-sawtooth: where the rule speaks, and where it is silent. */
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

static void a_warning_where_each_epoch_begins_higher(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 120; i++)
        values[i] = (1.5 - 0.02 * (i % 20)) * (1 + 0.01 * sin(i * 2.3));
    used_series(&used, KIND_LOSS, "loss", values, 120, 4);
    used_fact(&used, "steps_per_epoch", "20", 20);
    assert_true(judged_alarm(&used, "loss-sawtooth"));
    used_end(&used);
}

static void silent_where_nothing_repeats(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 120; i++)
        values[i] = 1.5 * (1 + 0.1 * sin(i * i * 0.7));
    used_series(&used, KIND_LOSS, "loss", values, 120, 4);
    used_fact(&used, "steps_per_epoch", "20", 20);
    assert_null(judged(&used, "loss-sawtooth"));
    used_end(&used);
}

static void no_more_than_a_warning_where_the_same_losses_come_again(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 120; i++)
        values[i] = round(1e6 * (1.5 + 0.3 * sin((i % 20) * 2.3))) / 1e6;
    used_series(&used, KIND_LOSS, "loss", values, 120, 6);
    const struct finding *finding = judged(&used, "loss-sawtooth");
    assert_non_null(finding);
    assert_string_equal(finding->form, "exact");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_each_epoch_begins_higher),
        cmocka_unit_test(silent_where_nothing_repeats),
        cmocka_unit_test(no_more_than_a_warning_where_the_same_losses_come_again),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
