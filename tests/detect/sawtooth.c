/* Patterns of an epoch. */
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

static void jumps_up_where_an_epoch_begins(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 120; i++)
        values[i] = (1.5 - 0.02 * (i % 20)) * (1 + 0.01 * sin(i * 2.3));
    used_series(&used, KIND_LOSS, "loss", values, 120, 4);

    used_fact(&used, "steps_per_epoch", "20", 20);
    const struct candidate *found = used_run(&used, "sawtooth", "up", 1, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "up");
    used_end(&used);
}

/* Steps counted from 0, in an excerpt of few epochs that begins late. */
static void jumps_up_in_a_late_epoch(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 24; i++)
        values[i] = 2.2 - 0.15 * (i % 6);
    used_series(&used, KIND_LOSS, "loss", values, 24, 4);
    for (size_t i = 0; i < used.made[0].track.bucket_count; i++) {
        used.made[0].track.buckets[i].first_step += 599;
        used.made[0].track.buckets[i].last_step += 599;
    }
    used_fact(&used, "steps_per_epoch", "6", 6);
    const struct candidate *found = used_run(&used, "sawtooth", "up", 1, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "up");
    assert_true(used_value(found, "epochs") == 4);
    used_end(&used);
}

static void noise_has_no_phase(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 120; i++)
        values[i] = 1.5 * (1 + 0.1 * sin(i * 2.3));
    used_series(&used, KIND_LOSS, "loss", values, 120, 4);
    used_fact(&used, "steps_per_epoch", "20", 20);
    assert_null(used_run(&used, "sawtooth", "up", 1, NULL));
    used_end(&used);
}

/* What is left of a bend when a line is taken out of it repeats nothing. */
static void a_fall_that_bends_is_no_step(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        uint32_t random = seed;
        begin();
        for (int i = 0; i < 150; i++) {
            random = random * 1664525U + 1013904223U;
            values[i] = 2 + 8 * exp(-i / 60.0) + 0.15 * (random / 4294967296.0 - 0.5);
        }
        used_series(&used, KIND_LOSS, "loss", values, 150, 4);
        used_fact(&used, "steps_per_epoch", "50", 50);
        assert_null(used_run(&used, "sawtooth", "up", 1, NULL));
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jumps_up_where_an_epoch_begins),
        cmocka_unit_test(jumps_up_in_a_late_epoch),
        cmocka_unit_test(noise_has_no_phase),
        cmocka_unit_test(a_fall_that_bends_is_no_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
