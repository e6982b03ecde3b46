/* loss-spike: where the rule speaks, and where it is silent. */
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

static void a_warning_where_it_trebles(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = 2 + 0.03 * sin(i * 2.3);
    values[70] = 8;
    values[71] = 5;
    used_series(&used, KIND_LOSS, "loss", values, 100, 4);
    const struct finding *found = judged(&used, "loss-spike");
    assert_non_null(found);
    assert_int_equal(found->severity, SEVERITY_WARNING);
    assert_int_equal(found->candidate.onset.step, 71);
    used_end(&used);
}

static void a_remark_where_the_program_plans_them(void **state)
{
    (void)state;
    for (int off = 0; off < 2; off++) {
        begin();
        for (int i = 0; i < 200; i++)
            values[i] = 2 + 0.03 * sin(i * 2.3);
        for (int i = 30; i < 150; i += 30)
            values[i + 15 * off] = 12;
        used_series(&used, KIND_LOSS, "loss", values, 200, 4);
        used_apart(&used, 0, values, 200, 4, 100);
        assert_int_equal(judged(&used, "loss-spike")->severity,
                         off ? SEVERITY_WARNING : SEVERITY_INFO);
        used_end(&used);
    }
}

/* What it fell to behind says whether it did harm. */
static void a_remark_where_the_loss_goes_on_to_fall(void **state)
{
    (void)state;
    for (int falls = 0; falls < 2; falls++) {
        begin();
        for (int i = 0; i < 100; i++)
            values[i] =
                (falls && i > 40 ? 2 * exp((40 - i) / 20.0) : 2) * (1 + 0.015 * sin(i * 2.3));
        values[38] = 18;
        values[39] = 15;
        used_series(&used, KIND_LOSS, "loss", values, 100, 4);
        assert_int_equal(judged(&used, "loss-spike")->severity,
                         falls ? SEVERITY_INFO : SEVERITY_WARNING);
        used_end(&used);
    }
}

static void silent_on_batch_noise(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 200; i++)
        values[i] = 2 + 0.3 * sin(i * 2.3) + 0.2 * sin(i * 5.1);
    used_series(&used, KIND_LOSS, "loss", values, 200, 4);
    assert_null(judged(&used, "loss-spike"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_it_trebles),
        cmocka_unit_test(a_remark_where_the_program_plans_them),
        cmocka_unit_test(a_remark_where_the_loss_goes_on_to_fall),
        cmocka_unit_test(silent_on_batch_noise),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
