/* HDF5 files; without the library they are named. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

#include "stalldoc/features.h"

extern const struct format format_hdf5;

static struct heard heard;

static void reads_what_keras_wrote(void **unused)
{
    (void)unused;
    struct error error;
    assert_int_equal(sample_probe(&format_hdf5, "hdf5/model.h5"), 99);
    if (!WITH_HDF5)
        skip();
    assert_true(sample_read(&heard, &format_hdf5, "hdf5/model.h5", &error));
    assert_string_equal(heard.text, "setting keras_version=2.3.1\n"
                                    "setting loss=mse\n"
                                    "setting optimizer=Adam\n"
                                    "setting lr=0.001\n"
                                    "model_weights/dense/bias:0 float32 [2] 0 0\n"
                                    "model_weights/dense/kernel:0 float32 [2,2] 1 2 3 4\n");
}

static void reads_every_kind_of_element_and_of_layout(void **unused)
{
    (void)unused;
    struct error error;
    if (!WITH_HDF5)
        skip();
    assert_true(sample_read(&heard, &format_hdf5, "hdf5/kinds.h5", &error));
    assert_string_equal(heard.text, "big float64 [2] 1 -2\n"
                                    "compact float32 [] 7\n"
                                    "complex complex64 [1] 5\n"
                                    "packed int32 [3,2] 1 2 3 4 5 6\n"
                                    "truth bool [2] 0 1\n"
                                    "word |S4 [1]\n");
}

static void reads_behind_what_stands_in_front(void **unused)
{
    (void)unused;
    struct error error;
    const struct span bytes = sample_bytes("hdf5/behind.h5");
    if (!WITH_HDF5)
        skip();
    assert_true(sample_read(&heard, &format_hdf5, "hdf5/behind.h5", &error));
    assert_string_equal(heard.text, "plain float32 [2] 5 6\n");
    assert_false(sample_read_part(&heard, &format_hdf5, bytes, bytes.size - 1, 0, &error));
    assert_int_equal(error.kind, ERROR_TRUNCATED);
}

static void follows_nothing_and_believes_no_promise(void **unused)
{
    (void)unused;
    struct error error;
    if (!WITH_HDF5)
        skip();
    assert_false(sample_read(&heard, &format_hdf5, "hdf5/hostile.h5", &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "data set outside has its values in other files");
    assert_string_equal(heard.text, "outside float32 [4] absent\n"
                                    "plain float32 [1] 5\n"
                                    "promise float32 [8589934592] absent\n");
}

static void says_a_cut(void **unused)
{
    (void)unused;
    struct error error;
    struct span bytes = sample_bytes("hdf5/model.h5");
    for (size_t size = 0; size < bytes.size; size += size < 64 ? 1 : 97) {
        assert_false(sample_read_part(&heard, &format_hdf5, bytes, size, 0, &error));
        assert_int_equal(error.kind, ERROR_TRUNCATED);
    }
}

static void asks_the_library_only_where_a_signature_is(void **unused)
{
    (void)unused;
    struct error error;
    static const uint8_t blank[1100] = {0};
    for (size_t size = 56; size <= sizeof(blank); size += 348) {
        assert_false(sample_read_part(&heard, &format_hdf5, (struct span){blank, sizeof(blank)},
                                      size, 0, &error));
        assert_int_equal(error.kind, ERROR_MALFORMED);
        assert_string_equal(error.message, "no HDF5 signature");
    }
}

static void ends_with_its_memory(void **unused)
{
    (void)unused;
    struct span bytes = sample_bytes("hdf5/kinds.h5");
    struct error error;
    if (!WITH_HDF5)
        skip();
    bool sound = false;
    for (size_t limit = 64; !sound; limit += 8192) {
        sound = sample_read_part(&heard, &format_hdf5, bytes, bytes.size, limit, &error);
        assert_true(sound || error.kind == ERROR_MEMORY || error.kind == ERROR_LIMIT);
    }
}

static void survives_damaged_bytes(void **unused)
{
    (void)unused;
    static uint8_t bytes[SAMPLE_MOST];
    struct span whole = sample_bytes("hdf5/kinds.h5");
    uint64_t seed = 88172645463325252u;
    memcpy(bytes, whole.data, whole.size);
    for (int i = 0; i < 60; i++) {
        struct error error;
        const size_t at = (size_t)(random_next(&seed) % whole.size);
        const uint8_t before = bytes[at];
        bytes[at] = (uint8_t)random_next(&seed);
        if (!sample_read_part(&heard, &format_hdf5, (struct span){bytes, whole.size}, whole.size, 0,
                              &error))
            assert_true(error.kind != ERROR_NONE && error.message[0]);
        bytes[at] = before;
    }
}

static void names_the_feature_that_is_missing(void **unused)
{
    (void)unused;
    struct error error;
    if (WITH_HDF5)
        skip();
    assert_false(sample_read(&heard, &format_hdf5, "hdf5/model.h5", &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "built without HDF5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_keras_wrote),
        cmocka_unit_test(reads_every_kind_of_element_and_of_layout),
        cmocka_unit_test(reads_behind_what_stands_in_front),
        cmocka_unit_test(follows_nothing_and_believes_no_promise),
        cmocka_unit_test(says_a_cut),
        cmocka_unit_test(asks_the_library_only_where_a_signature_is),
        cmocka_unit_test(ends_with_its_memory),
        cmocka_unit_test(survives_damaged_bytes),
        cmocka_unit_test(names_the_feature_that_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
