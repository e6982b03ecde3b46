/* Courses that every epoch takes again. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { EPOCH = 20, COUNT_ALL = 160 };
static struct used used;
static double values[TEST_POINTS_MAX];

static const struct candidate *found(void)
{
    used_begin(&used);
    used_series(&used, KIND_LOSS, "loss", values, COUNT_ALL, 4);
    used_fact(&used, "steps_per_epoch", "20", EPOCH);
    return used_run(&used, "order", "order", 1, NULL);
}

/* The same where steps are counted from 0. */
static const struct candidate *found_from_0(void)
{
    used_begin(&used);
    used_series(&used, KIND_LOSS, "loss", values, COUNT_ALL, 4);
    struct bucket *buckets = used.made[0].track.buckets;
    for (size_t i = 0; i < used.made[0].track.bucket_count; i++) {
        buckets[i].first_step--;
        buckets[i].last_step--;
    }
    used_fact(&used, "steps_per_epoch", "20", EPOCH);
    return used_run(&used, "order", "order", 1, NULL);
}

/* Up to the middle and down again: at the border nothing jumps. */
static void the_same_hill_in_every_epoch(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_ALL; i++)
        values[i] = exp(-i / 100.0) * (1 + 0.8 * sin(3.1416 * (i % EPOCH) / EPOCH)) *
                    (1 + 0.03 * sin(i * 2.3));
    const struct candidate *candidate = found();
    assert_non_null(candidate);
    assert_true(used_value(candidate, "epochs") == 8);
    assert_float_equal(used_value(candidate, "height"), 0.6, 0.3);
    used_end(&used);
    candidate = found_from_0();
    assert_non_null(candidate);
    assert_true(used_value(candidate, "epochs") == 8);
    used_end(&used);
}

/* The same below 0, where heights are shares of the level as well. */
static void a_hill_below_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_ALL; i++)
        values[i] = -2 + 0.8 * sin(3.1416 * (i % EPOCH) / EPOCH) + 0.02 * sin(i * 2.3);
    const struct candidate *candidate = found();
    assert_non_null(candidate);
    assert_float_equal(used_value(candidate, "height"), 0.5, 0.25);
    used_end(&used);
}

static void what_wavers_by_itself_has_no_order(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_ALL; i++)
        values[i] = exp(-i / 100.0) * (1 + 0.3 * sin(i * i * 0.7));
    assert_null(found());
    used_end(&used);
}

/* A mean that begins anew with every epoch, and stairs from epoch to epoch. */
static void means_and_stairs_have_no_order(void **state)
{
    (void)state;
    for (int stairs = 0; stairs < 2; stairs++) {
        for (int i = 0; i < COUNT_ALL; i++) {
            const double noise = 1 + 0.01 * sin(i * i * 0.7);
            values[i] = (stairs ? exp(-(i / EPOCH) / 4.0) : 1 + 2.0 / (1 + i % EPOCH)) * noise;
        }
        assert_null(found());
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_hill_in_every_epoch),
        cmocka_unit_test(a_hill_below_nothing),
        cmocka_unit_test(what_wavers_by_itself_has_no_order),
        cmocka_unit_test(means_and_stairs_have_no_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
