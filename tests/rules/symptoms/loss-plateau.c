/* loss-plateau: where the rule speaks, and where it is silent. */
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

static void an_error_where_hardly_anything_was_gained(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = (i < 15 ? 3.2 - 0.01 * i : 3.05) + 0.01 * sin(i * 2.1);
    used_series(&used, KIND_LOSS, "loss", values, 100, 4);
    const struct finding *found = judged(&used, "loss-plateau");
    assert_non_null(found);
    assert_int_equal(found->severity, SEVERITY_ERROR);
    used_end(&used);
}

static void a_remark_where_another_loss_falls(void **state)
{
    (void)state;
    double fellow[100];
    begin();
    for (int i = 0; i < 100; i++) {
        values[i] = (i < 15 ? 3.2 - 0.01 * i : 3.05) + 0.01 * sin(i * 2.1);
        fellow[i] = 4 - 0.02 * i;
    }
    used_series(&used, KIND_LOSS, "loss", values, 100, 4);
    used_series(&used, KIND_LOSS, "hard_loss", fellow, 100, 4)->main = false;
    assert_int_equal(judged(&used, "loss-plateau")->severity, SEVERITY_INFO);
    used_end(&used);
}

/* A third is gained, and it stands for two fifths of the run, or for six tenths. */
static void a_remark_where_much_was_gained_and_little_is_level(void **state)
{
    (void)state;
    for (int long_ = 0; long_ < 2; long_++) {
        const int knee = long_ ? 40 : 58;
        begin();
        for (int i = 0; i < 100; i++)
            values[i] = 0.7 - 0.21 * (i < knee ? i : knee) / knee + 0.002 * sin(i * 2.1);
        used_series(&used, KIND_LOSS, "loss", values, 100, 4);
        assert_non_null(judged(&used, "loss-plateau"));
        assert_true(judged_alarm(&used, "loss-plateau") == (long_ == 1));
        used_end(&used);
    }
}

/* The same gain and the same end: one comes down to it by ever smaller steps, one has stood there
   for long. */
static void a_remark_where_it_nears_a_floor(void **state)
{
    (void)state;
    for (int nears = 0; nears < 2; nears++) {
        begin();
        for (int i = 0; i < 100; i++)
            values[i] = 0.1825 + 0.02 * exp(-i / (nears ? 20.0 : 6.0)) + 1e-5 * sin(i * 2.1);
        used_series(&used, KIND_LOSS, "cost", values, 100, 6);
        assert_non_null(judged(&used, "loss-plateau"));
        assert_true(judged_alarm(&used, "loss-plateau") == (nears == 0));
        used_end(&used);
    }
}

/* Twenty epochs that gained an eighth before they levelled; the same with a twentieth. */
static void silent_on_few_epochs_that_gained(void **state)
{
    (void)state;
    for (int little = 0; little < 2; little++) {
        begin();
        for (int i = 0; i < 20; i++)
            values[i] = 0.53 + (little ? 0.02 : 0.08) * exp(-i / 2.0) + 0.002 * sin(i * 2.1);
        used_series(&used, KIND_LOSS, "loss", values, 20, 4);
        assert_true((judged(&used, "loss-plateau") != NULL) == (little == 1));
        used_end(&used);
    }
}

static void a_remark_where_the_column_has_no_name(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = (i < 15 ? 3.2 - 0.01 * i : 3.05) + 0.01 * sin(i * 2.1);
    used_series(&used, KIND_LOSS, "column 2", values, 100, 4)->origin = ORIGIN_BARE;
    assert_int_equal(judged(&used, "loss-plateau")->severity, SEVERITY_INFO);
    used_end(&used);
}

static void silent_on_a_power_law(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 200; i++)
        values[i] = 2 + 4 * pow(i + 1, -0.4) + 0.01 * sin(i * 2.1);
    used_series(&used, KIND_LOSS, "loss", values, 200, 4);
    assert_null(judged(&used, "loss-plateau"));
    used_end(&used);
}

static void held_back_where_the_loss_was_never_finite(void **state)
{
    (void)state;
    begin();
    /* The same as the error above, but for its first reading. */
    for (int i = 0; i < 100; i++)
        values[i] = i == 0 ? (double)NAN : (i < 15 ? 3.2 - 0.01 * i : 3.05) + 0.01 * sin(i * 2.1);
    used_series(&used, KIND_LOSS, "loss", values, 100, 4);
    assert_null(judged(&used, "loss-plateau"));
    assert_non_null(judged(&used, "nan-loss"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_where_hardly_anything_was_gained),
        cmocka_unit_test(a_remark_where_another_loss_falls),
        cmocka_unit_test(a_remark_where_much_was_gained_and_little_is_level),
        cmocka_unit_test(a_remark_where_it_nears_a_floor),
        cmocka_unit_test(silent_on_few_epochs_that_gained),
        cmocka_unit_test(a_remark_where_the_column_has_no_name),
        cmocka_unit_test(silent_on_a_power_law),
        cmocka_unit_test(held_back_where_the_loss_was_never_finite),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
