/* Loss scales that collapse. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

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

static void falls_to_its_floor(void **state)
{
    (void)state;
    begin();
    double scale = 65536;
    for (int i = 0; i < 40; i++) {
        values[i] = scale;
        if (i > 10 && scale > 1)
            scale /= 2;
    }
    used_series(&used, KIND_LOSS_SCALE, "loss_scale", values, 40, 0);
    assert_string_equal(used_run(&used, "scale", "floor", 1, NULL)->form, "floor");
    used_end(&used);
}

static void the_search_at_the_start_is_none(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = i < 12 ? ldexp(1, 32 - i) : ldexp(1, 21);
    used_series(&used, KIND_LOSS_SCALE, "loss_scale", values, 40, 0);
    assert_null(used_run(&used, "scale", "floor", 1, NULL));
    used_end(&used);
}

static void a_scale_that_is_always_one_is_off(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = 1;
    used_series(&used, KIND_LOSS_SCALE, "loss_scale", values, 40, 0);
    assert_null(used_run(&used, "scale", "floor", 1, NULL));
    used_end(&used);
}

/* Printed where it changes only: the excerpt ends while it still falls. */
static void falls_through_its_floor(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 15; i++)
        values[i] = ldexp(1, 13 - i);
    used_series(&used, KIND_LOSS_SCALE, "loss scale", values, 15, 0);
    assert_string_equal(used_run(&used, "scale", "floor", 1, NULL)->form, "floor");
    used_end(&used);
}

static void falls_far_below_its_floor(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 4; i++)
        values[i] = ldexp(1, -4 - i);
    used_series(&used, KIND_LOSS_SCALE, "loss scale", values, 4, 0);
    assert_string_equal(used_run(&used, "scale", "floor", 1, NULL)->form, "floor");
    used_end(&used);
}

/* Losses that are summed over a batch need less than 1. */
static void a_search_that_ends_little_below_one_is_none(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = i < 9 ? ldexp(1, 7 - i) : i % 7 < 4 ? 0.25 : 0.5;
    used_series(&used, KIND_LOSS_SCALE, "loss scale", values, 40, 0);
    assert_null(used_run(&used, "scale", "halving", 1, NULL));
    used_end(&used);
}

/* Told where it changes only: eight overflows in a row, behind epochs that went well. */
static void halves_again_and_again_in_a_run_under_way(void **state)
{
    (void)state;
    static const double losses[] = {0.31, 0.29, 0.28, 0.29};
    begin();
    for (int i = 0; i < 8; i++)
        values[i] = ldexp(1, 8 - i);
    used_series(&used, KIND_LOSS_SCALE, "loss scale", values, 8, 0);
    assert_null(used_run(&used, "scale", "halving", 1, NULL));
    used_series(&used, KIND_VAL_LOSS, "val_loss", losses, 4, 4);
    used.made[0].track.first.line = 90;
    assert_string_equal(used_run(&used, "scale", "halving", 1, NULL)->form, "halving");
    used_end(&used);
}

static const struct candidate *row_of(const double *from, size_t count)
{
    begin();
    memcpy(values, from, count * sizeof(*from));
    used_series(&used, KIND_LOSS_SCALE, "loss_scale", values, count, 0);
    return used_run(&used, "scale", "row", 1, "floor", 0.0, "halvings", 1000.0, "row", 4.0, NULL);
}

static void halved_in_every_reading(void **state)
{
    (void)state;
    assert_string_equal(row_of((double[]){64, 32, 16, 8, 4}, 5)->form, "row");
    used_end(&used);
}

static void some_halvings_of_a_large_scale_are_none(void **state)
{
    (void)state;
    assert_null(row_of((double[]){4096, 2048, 1024, 512}, 4));
    used_end(&used);
    assert_null(row_of((double[]){64, 32, 32, 16, 8}, 5));
    used_end(&used);
}

/* Three are enough down to 4, which no search ends at. */
static void three_halvings_lead_low(void **state)
{
    static const struct {
        double values[3];
        bool found;
    } rows[] = {{{8, 4, 2}, true}, {{32, 16, 8}, false}, {{8, 4, 4}, false}, {{64, 16, 4}, false}};
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin();
        memcpy(values, rows[i].values, sizeof(rows[i].values));
        used_series(&used, KIND_LOSS_SCALE, "loss_scale", values, 3, 0);
        assert_int_equal(used_run(&used, "scale", "row", 1, "floor", 0.0, "halvings", 1000.0, "row",
                                  3.0, "low", 4.0, NULL) != NULL,
                         rows[i].found);
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_to_its_floor),
        cmocka_unit_test(the_search_at_the_start_is_none),
        cmocka_unit_test(a_scale_that_is_always_one_is_off),
        cmocka_unit_test(falls_through_its_floor),
        cmocka_unit_test(falls_far_below_its_floor),
        cmocka_unit_test(halves_again_and_again_in_a_run_under_way),
        cmocka_unit_test(a_search_that_ends_little_below_one_is_none),
        cmocka_unit_test(halved_in_every_reading),
        cmocka_unit_test(some_halvings_of_a_large_scale_are_none),
        cmocka_unit_test(three_halvings_lead_low),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
