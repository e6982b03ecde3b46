/* Games that one side wins. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX], others[TEST_POINTS_MAX];

static void begin(void)
{
    used_begin(&used);
    memset(values, 0, sizeof(values));
    memset(others, 0, sizeof(others));
}

static void the_discriminator_is_at_its_floor(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 80; i++) {
        values[i] = 0.7 * exp(-i * 0.15) + 0.002;
        others[i] = 1 + 0.05 * i;
    }
    used_series(&used, KIND_ADVERSARIAL, "d_loss", values, 80, 4);
    used_series(&used, KIND_ADVERSARIAL, "g_loss", others, 80, 4);
    assert_string_equal(used_run(&used, "imbalance", "discriminator-wins", 1, NULL)->form,
                        "discriminator-wins");
    used_end(&used);
}

static void a_loser_stands_far_over_its_start(void **state)
{
    (void)state;
    for (int lost = 0; lost < 2; lost++) {
        begin();
        for (int i = 0; i < 80; i++) {
            values[i] = 0.7 * exp(-i * 0.15) + 0.002;
            others[i] = i < 10 ? 1 : (lost ? 5 : 2) + 0.1 * sin(i);
        }
        used_series(&used, KIND_ADVERSARIAL, "d_loss", values, 80, 4);
        used_series(&used, KIND_ADVERSARIAL, "g_loss", others, 80, 4);
        const struct candidate *found = used_run(&used, "imbalance", "discriminator-wins", 1, NULL);
        if (lost) {
            assert_non_null(found);
            assert_float_equal(used_value(found, "rise"), 4, 0.1);
        } else {
            assert_null(found);
        }
        used_end(&used);
    }
}

/* A first reading that is not finite is no start to have fallen from. */
static void an_infinite_start_is_none(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 80; i++) {
        values[i] = i == 0 ? (double)INFINITY : 0.7 + 0.01 * sin(i);
        others[i] = 1 + 0.05 * i;
    }
    used_series(&used, KIND_ADVERSARIAL, "d_loss", values, 80, 4);
    used_series(&used, KIND_ADVERSARIAL, "g_loss", others, 80, 4);
    assert_null(used_run(&used, "imbalance", "discriminator-wins", 1, NULL));
    used_end(&used);
}

static void a_balanced_game_is_fine(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 80; i++) {
        values[i] = 0.69 + 0.1 * sin(i);
        others[i] = 0.69 + 0.1 * cos(i);
    }
    used_series(&used, KIND_ADVERSARIAL, "d_loss", values, 80, 4);
    used_series(&used, KIND_ADVERSARIAL, "g_loss", others, 80, 4);
    assert_null(used_run(&used, "imbalance", "discriminator-wins", 1, NULL));
    used_end(&used);
}

static void the_sides_are_found_among_several(void **state)
{
    (void)state;
    begin();
    static double copied[TEST_POINTS_MAX];
    for (int i = 0; i < 80; i++) {
        values[i] = 0.7 * exp(-i * 0.15) + 0.002;
        others[i] = 1 + 0.05 * i;
        copied[i] = 20 + sin(i);
    }
    used_series(&used, KIND_ADVERSARIAL, "G_L1", copied, 80, 4);
    used_series(&used, KIND_ADVERSARIAL, "G_GAN", others, 80, 4);
    used_series(&used, KIND_ADVERSARIAL, "D_real", values, 80, 4);
    used_series(&used, KIND_ADVERSARIAL, "D_fake", values, 80, 4);
    assert_string_equal(used_run(&used, "imbalance", "discriminator-wins", 1, NULL)->form,
                        "discriminator-wins");
    used_end(&used);
}

static void two_halves_of_one_side_are_no_game(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 80; i++) {
        values[i] = 0.7 * exp(-i * 0.15) + 0.002;
        others[i] = 0.1 + 0.05 * i;
    }
    used_series(&used, KIND_ADVERSARIAL, "D_real", values, 80, 4);
    used_series(&used, KIND_ADVERSARIAL, "D_fake", others, 80, 4);
    assert_null(used_run(&used, "imbalance", "discriminator-wins", 1, NULL));
    used_end(&used);
}

static void a_side_that_is_zero_throughout(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 10; i++)
        others[i] = 55 + 9 * sin(i);
    used_series(&used, KIND_ADVERSARIAL, "g_loss", values, 10, 8);
    used_series(&used, KIND_ADVERSARIAL, "d_loss", others, 10, 8);
    assert_string_equal(used_run(&used, "imbalance", "discriminator-wins", 1, NULL)->form,
                        "zero-side");
    used_end(&used);
    begin(); /* a game that has not begun */
    for (int i = 0; i < 10; i++)
        others[i] = 1.386;
    used_series(&used, KIND_ADVERSARIAL, "g_loss", values, 10, 8);
    used_series(&used, KIND_ADVERSARIAL, "d_loss", others, 10, 8);
    assert_null(used_run(&used, "imbalance", "discriminator-wins", 1, NULL));
    used_end(&used);
}

/* Won in the last half: to the last digit, and with the other side far off; or not quite. */
static void a_side_that_is_zero_over_the_last_half(void **state)
{
    static const struct {
        double won, lost;
        bool told;
    } ends[] = {{0, 30, true}, {0.0001, 30, true}, {0.01, 30, false}, {0, 2, false}};
    (void)state;
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        begin();
        for (int k = 0; k < 9; k++) {
            values[k] = k < 4 ? 1.3 - 0.3 * k : k % 2 ? 0 : ends[i].won;
            others[k] = k < 4 ? 1 + k : ends[i].lost + sin(k);
        }
        used_series(&used, KIND_ADVERSARIAL, "d_loss", values, 9, 4);
        used_series(&used, KIND_ADVERSARIAL, "g_loss", others, 9, 4);
        const struct candidate *found = used_run(&used, "imbalance", "discriminator-wins", 1, NULL);
        assert_true((found != NULL) == ends[i].told);
        if (found)
            assert_true(used_value(found, "points") == 4);
        used_end(&used);
    }
}

/* Under the logarithm of the last place, and moving: no loss of logarithms. */
static void a_loss_with_a_margin_is_told(void **state)
{
    static const struct {
        double level, moves;
        int places;
        bool margin;
    } games[] = {
        {8, 2, 6, true},    /* hinge: 0 as soon as the margin is kept */
        {8, 0.2, 6, false}, /* squares of several judges, all lost */
        {18, 3, 6, false},  /* logarithms */
        {8, 2, 3, false},   /* logarithms, of fewer places */
        {20, 14, 6, true},  /* far up at times */
    };
    (void)state;
    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
        begin();
        for (int k = 0; k < 8; k++)
            others[k] = games[i].level + games[i].moves * sin(2 * k);
        used_series(&used, KIND_ADVERSARIAL, "d_loss", values, 8, games[i].places);
        used_series(&used, KIND_ADVERSARIAL, "g_loss", others, 8, 4);
        const struct candidate *found = used_run(&used, "imbalance", "discriminator-wins", 1, NULL);
        assert_non_null(found);
        assert_true((used_value(found, "margin") == 1) == games[i].margin);
        used_end(&used);
    }
}

/* What the game was before a side won it says nothing of the loss. */
static void a_margin_shows_where_the_side_is_lost(void **state)
{
    (void)state;
    begin();
    for (int k = 0; k < 12; k++) {
        values[k] = k < 5 ? 1.3 - 0.2 * k : 0;
        others[k] = k < 5 ? 1 + k : 19 + 4 * sin(k);
    }
    used_series(&used, KIND_ADVERSARIAL, "d_loss", values, 12, 5);
    used_series(&used, KIND_ADVERSARIAL, "g_loss", others, 12, 5);
    const struct candidate *found = used_run(&used, "imbalance", "discriminator-wins", 1, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "margin") == 0);
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_discriminator_is_at_its_floor),
        cmocka_unit_test(a_loser_stands_far_over_its_start),
        cmocka_unit_test(an_infinite_start_is_none),
        cmocka_unit_test(a_balanced_game_is_fine),
        cmocka_unit_test(the_sides_are_found_among_several),
        cmocka_unit_test(a_side_that_is_zero_throughout),
        cmocka_unit_test(a_side_that_is_zero_over_the_last_half),
        cmocka_unit_test(a_loss_with_a_margin_is_told),
        cmocka_unit_test(a_margin_shows_where_the_side_is_lost),
        cmocka_unit_test(two_halves_of_one_side_are_no_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
