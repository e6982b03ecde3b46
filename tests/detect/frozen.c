/* frozen: what stands still without a design, and what does so on purpose. */
/* SPDX-License-Identifier: MIT */
#include "made_moves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static struct moves moves;

static const struct candidate *frozen(int64_t from, int64_t to, const struct tensor *tensors,
                                      size_t count, const double *relative)
{
    used_begin(&used);
    moves_two(&moves, &used.run, from, to, tensors, count, relative);
    return used_run(&used, "frozen", "all", 0, NULL);
}

static void tells_that_all_kernels_stand_still_while_statistics_move(void **unused)
{
    (void)unused;
    const struct tensor tensors[] = {made_tensor("a.weight", 8, 8, 0.1),
                                     made_tensor("b.weight", 8, 8, 0.1),
                                     made_tensor("bn.running_mean", 1, 8, 0.1)};
    const double relative[] = {0, 0, 0.5};
    const struct candidate *candidate = frozen(500, 1000, tensors, 3, relative);
    assert_non_null(candidate);
    assert_string_equal(candidate->form, "all");
    assert_true(used_value(candidate, "tensors") == 2 && used_value(candidate, "total") == 2);
    assert_true(used_value(candidate, "from") == 500 && used_value(candidate, "to") == 1000);
    assert_true(used_value(candidate, "moments") == 0);
    assert_int_equal(candidate->onset.step, 1000);
    assert_int_equal(candidate->onset.input, 2);
    used_end(&used);
}

static void is_silent_on_a_copy_and_on_saves_too_close(void **unused)
{
    (void)unused;
    const struct tensor tensors[] = {made_tensor("a.weight", 8, 8, 0.1),
                                     made_tensor("bn.running_mean", 1, 8, 0.1)};
    const double copy[] = {0, 0}, close[] = {0, 0.5};
    assert_null(frozen(500, 1000, tensors, 2, copy)); /* nothing says that training went on */
    used_end(&used);
    assert_null(frozen(499994, 500001, tensors, 2, close));
    used_end(&used);
    assert_null(frozen(1000, 1000, tensors, 2, close));
    used_end(&used);
}

static void takes_the_log_for_a_sign_that_training_went_on(void **unused)
{
    (void)unused;
    const struct tensor tensors[] = {made_tensor("a.weight", 8, 8, 0.1)};
    const double still[] = {0}, loss[] = {2.3, 2.3, 2.3, 2.3};
    used_begin(&used);
    moves_two(&moves, &used.run, 1, 300, tensors, 1, still);
    struct series *series = used_series(&used, KIND_LOSS, "loss", loss, 4, 4);
    series->grain = GRAIN_STEP;
    series->whole.first.step = 100;
    series->whole.last.step = 400;
    const struct candidate *candidate = used_run(&used, "frozen", "all", 0, NULL);
    assert_non_null(candidate);
    assert_string_equal(candidate->form, "all");
    series->whole.first.step = 300; /* begins behind them */
    assert_null(used_run(&used, "frozen", "all", 0, NULL));
    series->grain = GRAIN_EPOCH; /* another measure */
    assert_non_null(used_run(&used, "frozen", "all", 0, NULL));
    used_end(&used);
}

static void takes_numbers_of_files_for_epochs_beside_a_log_of_epochs(void **unused)
{
    (void)unused;
    const struct tensor tensors[] = {made_tensor("a.weight", 8, 8, 0.1)};
    const double still[] = {0}, loss[] = {2.3, 2.3, 2.3, 2.3, 2.3, 2.3, 2.3, 2.3};
    used_begin(&used);
    moves_two(&moves, &used.run, 3, 5, tensors, 1, still);
    used_series(&used, KIND_LOSS, "loss", loss, 8, 4)->grain = GRAIN_EPOCH;
    assert_null(used_run(&used, "frozen", "all", 0, NULL)); /* two steps apart */
    moves.movements[0].sure = false;
    assert_non_null(used_run(&used, "frozen", "all", 0, NULL));
    used_end(&used);
}

static void names_the_layer_that_stands_still_amid_its_like(void **unused)
{
    (void)unused;
    const struct tensor tensors[] = {
        made_tensor("layers.0.weight", 8, 8, 0.1), made_tensor("layers.1.weight", 8, 8, 0.1),
        made_tensor("layers.2.weight", 8, 8, 0.1), made_tensor("layers.3.weight", 8, 8, 0.1)};
    const double amid[] = {0.1, 0.1, 0, 0.1}, first[] = {0, 0.1, 0.1, 0.1};
    const struct candidate *candidate = frozen(500, 1000, tensors, 4, amid);
    assert_non_null(candidate);
    assert_string_equal(candidate->form, "part");
    assert_true(text_is(candidate->subject, "layers.2.weight"));
    used_end(&used);
    assert_null(frozen(500, 1000, tensors, 4, first)); /* the first layers may be frozen */
    used_end(&used);
}

static void is_silent_on_what_is_frozen_by_design(void **unused)
{
    (void)unused;
    const struct tensor adapters[] = {made_tensor("q.weight", 8, 8, 0.1),
                                      made_tensor("q.lora_A.weight", 2, 8, 0.1),
                                      made_tensor("q.bias", 1, 8, 0.1)};
    const double adapted[] = {0, 0.3, 0};
    assert_null(frozen(500, 1000, adapters, 3, adapted));
    used_end(&used);
    const struct tensor embedded[] = {made_tensor("embed_tokens.weight", 8, 8, 0.1),
                                      made_tensor("fc.weight", 8, 8, 0.1)};
    const double still[] = {0, 0.3};
    assert_null(frozen(500, 1000, embedded, 2, still));
    used_end(&used);
    const struct tensor biases[] = {
        made_tensor("a.weight", 8, 8, 0.1), made_tensor("a.bias", 1, 8, 0.1),
        made_tensor("b.weight", 8, 8, 0.1), made_tensor("b.bias", 1, 8, 0.1)};
    const double fitted[] = {0, 0.3, 0, 0.3}; /* biases alone are trained */
    assert_null(frozen(500, 1000, biases, 4, fitted));
    used_end(&used);
}

static void believes_the_optimizer_that_it_holds_a_kernel(void **unused)
{
    (void)unused;
    const struct tensor tensors[] = {made_tensor("a.weight", 8, 8, 0.1),
                                     made_tensor("b.weight", 8, 8, 0.1),
                                     made_tensor("optimizer.state.0.exp_avg", 8, 8, 0.1),
                                     made_tensor("optimizer.state.1.exp_avg", 8, 8, 0.1)};
    const double relative[] = {0, 0.1, 0.2, 0.2};
    const struct candidate *candidate = frozen(500, 1000, tensors, 4, relative);
    assert_non_null(candidate);
    assert_true(text_is(candidate->subject, "a.weight"));
    assert_true(used_value(candidate, "moments") == 1);
    used_end(&used);
}

static void finds_steps_that_rounding_swallows(void **unused)
{
    (void)unused;
    struct tensor tensor = made_tensor("a.weight", 64, 64, 0.1);
    const double relative[] = {1e-5};
    tensor.dtype = DTYPE_BFLOAT16;
    used_begin(&used);
    moves_two(&moves, &used.run, 500, 1000, &tensor, 1, relative);
    moves.compared[0][0].pair.changed = 20;
    const struct candidate *candidate = used_run(&used, "frozen", "all", 0, NULL);
    assert_non_null(candidate);
    assert_string_equal(candidate->form, "rounding");
    moves.compared[0][0].pair.changed = 400;
    assert_null(used_run(&used, "frozen", "all", 0, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_that_all_kernels_stand_still_while_statistics_move),
        cmocka_unit_test(is_silent_on_a_copy_and_on_saves_too_close),
        cmocka_unit_test(takes_the_log_for_a_sign_that_training_went_on),
        cmocka_unit_test(takes_numbers_of_files_for_epochs_beside_a_log_of_epochs),
        cmocka_unit_test(names_the_layer_that_stands_still_amid_its_like),
        cmocka_unit_test(is_silent_on_what_is_frozen_by_design),
        cmocka_unit_test(believes_the_optimizer_that_it_holds_a_kernel),
        cmocka_unit_test(finds_steps_that_rounding_swallows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
