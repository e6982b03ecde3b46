/* depth: gradients of the first layers against those of the last. */
/* SPDX-License-Identifier: MIT */
#include "made_tensor.h"
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LAYERS = 6 };

static struct used used;
static struct tensor tensors[LAYERS];
static char names[LAYERS][32], tags[LAYERS][64];

/* A kernel of 64 values in each layer, whose gradient has this root mean square. */
static const struct candidate *depth(const double *rms)
{
    used_begin(&used);
    for (size_t i = 0; i < LAYERS; i++) {
        const double norm = 8 * rms[i];
        snprintf(names[i], sizeof(names[i]), "layers.%zu.weight", i);
        snprintf(tags[i], sizeof(tags[i]), "exp_avg_sq/grad_norm/layers.%zu.weight", i);
        tensors[i] = made_tensor(names[i], 8, 8, 1);
        tensors[i].offset = 1000 * i;
        struct series *series = used_series(&used, KIND_GRAD_NORM, tags[i], &norm, 1, 30);
        series->basis = BASIS_ESTIMATED;
        series->scope = SCOPE_PART;
        series->part = text_of(names[i]);
        series->whole.last_finite = series->whole.last =
            (struct point){.step = 100, .value = norm, .input = 1, .offset = 1000 * i};
    }
    used.run.tensors = tensors;
    used.run.tensor_count = LAYERS;
    return used_run(&used, "depth", "layers", 1, NULL);
}

static void finds_layers_that_get_nothing(void **unused)
{
    (void)unused;
    const double rms[] = {1e-9, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3};
    const struct candidate *candidate = depth(rms);
    assert_non_null(candidate);
    assert_true(text_is(candidate->subject, "layers.0.weight"));
    assert_true(used_value(candidate, "early") < 1e-6);
    assert_true(used_value(candidate, "layers") == 6);
    used_end(&used);
}

static void finds_a_steady_fall_from_layer_to_layer(void **unused)
{
    (void)unused;
    const double rms[] = {1e-4, 1e-3, 1e-2, 1e-1, 1, 10};
    assert_non_null(depth(rms));
    used_end(&used);
}

static void is_silent_on_an_even_net_and_on_a_loud_head(void **unused)
{
    (void)unused;
    const double even[] = {2e-4, 1e-4, 3e-4, 2e-4, 1e-4, 5e-4};
    const double head[] = {2e-4, 1e-4, 3e-4, 2e-4, 1e-4, 5};
    const double none[] = {0, 0, 1e-4, 2e-4, 1e-4, 5e-4};
    assert_null(depth(even));
    used_end(&used);
    assert_null(depth(head));
    used_end(&used);
    assert_null(depth(none)); /* frozen */
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_layers_that_get_nothing),
        cmocka_unit_test(finds_a_steady_fall_from_layer_to_layer),
        cmocka_unit_test(is_silent_on_an_even_net_and_on_a_loud_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
