/* Features: which dimension they are, their scale, their codes, and very large arrays in parts. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stalldoc/statistics.h"

static struct input *source;
static struct arena arena;

static struct tensor_view array(const float *data, size_t count, int rank, const int64_t *shape)
{
    struct error error = {0};
    assert_true(input_memory((struct span){(const uint8_t *)data, count * sizeof(*data)}, "memory",
                             1, &source, &error));
    struct tensor_view view = {.dtype = DTYPE_FLOAT32,
                               .rank = (uint8_t)rank,
                               .input = source,
                               .size = count * sizeof(*data)};
    int64_t stride = 1;
    for (int i = rank - 1; i >= 0; i--) {
        view.shape[i] = shape[i];
        view.stride[i] = stride;
        stride *= shape[i];
    }
    return view;
}

static struct tensor_features measured(const struct tensor_view *view)
{
    struct tensor_features features;
    struct error error = {0};
    assert_true(tensor_features_measure(view, &arena, &features, &error));
    return features;
}

static void done(void)
{
    input_close(source);
    arena_free(&arena);
}

static void each_feature_has_its_own_scale(void **state)
{
    (void)state;
    const float data[] = {1, 1000, 0, 2, 3000, 0, 3, 2000, NAN, 6, 2000, INFINITY};
    const struct tensor_view view = array(data, 12, 2, (const int64_t[]){4, 3});
    const struct tensor_features features = measured(&view);
    assert_int_equal(features.width, 3);
    assert_int_equal(features.rows, 4);
    assert_int_equal(features.count, 3);
    const struct feature *c = features.features;
    assert_true(c[0].mean == 3 && c[0].low == 1 && c[0].high == 6);
    assert_true(fabs(c[0].deviation - sqrt(3.5)) < 1e-12);
    assert_true(c[1].mean == 2000 && c[1].low == 1000);
    assert_true(c[2].nan == 1 && c[2].inf == 1 && c[2].count == 2 && c[2].usual == 1);
    assert_int_equal(c[2].low_count, 2);
    done();
}

static void storage_order_does_not_matter(void **state)
{
    (void)state;
    const float data[] = {1, 2, 3, 6, 1000, 3000, 2000, 2000};
    struct tensor_view view = array(data, 8, 2, (const int64_t[]){4, 2});
    view.stride[0] = 1;
    view.stride[1] = 4;
    const struct tensor_features features = measured(&view);
    assert_int_equal(features.width, 2);
    assert_true(features.features[0].mean == 3 && features.features[1].mean == 2000);
    done();
}

static void channels_of_images_are_features_wherever_they_stand(void **state)
{
    (void)state;
    float data[2 * 3 * 8 * 8];
    for (size_t i = 0; i < 384; i++)
        data[i] = (float)(i / 64 % 3) + (i % 2 ? 0.5F : 0);
    const struct tensor_view first = array(data, 384, 4, (const int64_t[]){2, 3, 8, 8});
    const struct tensor_features features = measured(&first);
    assert_int_equal(features.width, 3);
    assert_true(features.grid);
    assert_true(features.features[2].low == 2 && features.features[2].high == 2.5);
    done();
    const struct tensor_view last = {.rank = 4, .shape = {2, 8, 8, 3}};
    assert_int_equal(tensor_feature_axis(&last), 3);
    const struct tensor_view grey = {.rank = 3, .shape = {60000, 28, 28}};
    assert_int_equal(tensor_feature_axis(&grey), 3);
    const struct tensor_view sequence = {.rank = 3, .shape = {500, 100, 6}};
    assert_int_equal(tensor_feature_axis(&sequence), 2);
    const struct tensor_view plain = {.rank = 1, .shape = {500}};
    assert_int_equal(tensor_feature_axis(&plain), 1);
}

static void counts_of_codes_stand_in_any_order_and_those_of_quantities_do_not(void **state)
{
    (void)state;
    static float data[3000 * 2];
    static const int codes[] = {900, 100, 1200, 200, 600}, sizes[] = {300, 900, 1200, 450, 150};
    size_t at[2] = {0, 0};
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < codes[k]; i++)
            data[2 * at[0]++] = (float)k;
        for (int i = 0; i < sizes[k]; i++)
            data[2 * at[1]++ + 1] = (float)k;
    }
    const struct tensor_view view = array(data, 6000, 2, (const int64_t[]){3000, 2});
    const struct tensor_features features = measured(&view);
    assert_int_equal(features.features[0].codes, 5);
    assert_false(features.features[0].humped);
    assert_int_equal(features.features[1].codes, 5);
    assert_true(features.features[1].humped);
    done();
}

static void the_sample_tells_the_spread_without_its_outlier(void **state)
{
    (void)state;
    static float data[1000];
    for (size_t i = 0; i < 1000; i++)
        data[i] = (float)(i % 11) - 5;
    data[7] = -9999;
    const struct tensor_view view = array(data, 1000, 1, (const int64_t[]){1000});
    const struct tensor_features features = measured(&view);
    assert_int_equal(features.width, 1);
    assert_true(features.features[0].low == -9999 && features.features[0].low_count == 1);
    assert_true(features.features[0].spread > 2 && features.features[0].spread < 7);
    done();
}

static void a_very_large_array_is_read_in_parts_that_meet_every_feature(void **state)
{
    (void)state;
    const size_t rows = 3000, width = 4096; /* a period that evenly spread parts would fall into */
    float *data = malloc(rows * width * sizeof(*data));
    assert_non_null(data);
    for (size_t i = 0; i < rows * width; i++)
        data[i] = (float)(i % width);
    const struct tensor_view view =
        array(data, rows * width, 2, (const int64_t[]){(int64_t)rows, (int64_t)width});
    const struct tensor_features features = measured(&view);
    assert_true(features.read < rows * width && features.read > 1000000);
    assert_int_equal(features.count, width);
    for (size_t i = 0; i < features.count; i++) {
        assert_true(features.features[i].count > 500);
        assert_true(features.features[i].low == (double)i &&
                    features.features[i].high == (double)i);
    }
    done();
    free(data);
}

static void features_beyond_the_bound_are_passed_over(void **state)
{
    (void)state;
    static float data[2 * 10000];
    for (size_t i = 0; i < 20000; i++)
        data[i] = (float)(i % 10000);
    const struct tensor_view view = array(data, 20000, 2, (const int64_t[]){2, 10000});
    const struct tensor_features features = measured(&view);
    assert_int_equal(features.width, 10000);
    assert_int_equal(features.step, 3);
    assert_int_equal(features.count, 3334);
    assert_true(features.features[3333].mean == 9999);
    done();
}

static void an_array_without_values_has_no_features(void **state)
{
    (void)state;
    const float data[1] = {0};
    struct tensor_view view = array(data, 1, 2, (const int64_t[]){0, 3});
    assert_int_equal(measured(&view).count, 0);
    view.shape[0] = 1;
    view.dtype = DTYPE_OPAQUE;
    assert_int_equal(measured(&view).count, 0);
    done();
}

static void memory_that_ends_is_an_error(void **state)
{
    (void)state;
    const float data[4] = {0};
    const struct tensor_view view = array(data, 4, 2, (const int64_t[]){2, 2});
    struct tensor_features features;
    struct error error = {0};
    arena.limit = 1;
    assert_false(tensor_features_measure(&view, &arena, &features, &error));
    assert_int_equal(error.kind, ERROR_MEMORY);
    arena.limit = 0;
    struct tensor_view cut = view;
    cut.size = 8;
    assert_false(tensor_features_measure(&cut, &arena, &features, &error));
    assert_int_equal(error.kind, ERROR_TRUNCATED);
    done();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_feature_has_its_own_scale),
        cmocka_unit_test(storage_order_does_not_matter),
        cmocka_unit_test(channels_of_images_are_features_wherever_they_stand),
        cmocka_unit_test(counts_of_codes_stand_in_any_order_and_those_of_quantities_do_not),
        cmocka_unit_test(the_sample_tells_the_spread_without_its_outlier),
        cmocka_unit_test(a_very_large_array_is_read_in_parts_that_meet_every_feature),
        cmocka_unit_test(features_beyond_the_bound_are_passed_over),
        cmocka_unit_test(an_array_without_values_has_no_features),
        cmocka_unit_test(memory_that_ends_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
