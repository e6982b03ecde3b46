/* Keras models: weights as a member of an archive. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/made_zip.h"
#include "read/checkpoint/sample.h"

#include "stalldoc/features.h"

extern const struct format format_keras;

static struct heard heard;

static void reads_weights_where_they_stand_in_the_archive(void **unused)
{
    (void)unused;
    struct error error;
    struct span bytes = sample_bytes("keras/model.keras");
    assert_int_equal(format_keras.probe(bytes, TEXT("a.keras")), 98);
    if (!WITH_HDF5)
        skip();
    assert_true(sample_read(&heard, &format_keras, "keras/model.keras", &error));
    assert_string_equal(heard.text, "layers/dense/vars/0 float32 [2] 1 2\n"
                                    "layers/dense/vars/1 int32 [2,2] 3 4 5 6\n");
}

static void reads_weights_that_are_an_archive_themselves(void **unused)
{
    (void)unused;
    static struct made_zip weights, model;
    static struct bytes array;
    struct error error;
    put_npy(&array, "<f4", "False", "(2,)", "\0\0\x80\x3f\0\0\0\x40", 8);
    zip_add(&weights, "layers/dense/vars/0.npy", array.data, array.size);
    zip_end(&weights);
    zip_add(&model, "model.weights.npz", weights.file.data, weights.file.size);
    zip_end(&model);
    const struct span bytes = {model.file.data, model.file.size};
    assert_true(sample_read_part(&heard, &format_keras, bytes, bytes.size, 0, &error));
    assert_string_equal(heard.text, "layers/dense/vars/0 float32 [2] 1 2\n");
}

/* Of compile_config only; the layers have settings of their own. */
static void tells_how_the_model_was_compiled(void **unused)
{
    (void)unused;
    static struct made_zip weights, model;
    static struct bytes array;
    struct error error;
    static const char config[] =
        "{\"module\":\"keras\",\"class_name\":\"Sequential\",\"config\":{\"layers\":[{\"class_"
        "name\":"
        "\"Dense\",\"config\":{\"units\":3}}]},\"compile_config\":{\"optimizer\":{\"module\":"
        "\"keras.optimizers\",\"class_name\":\"Adam\",\"config\":{\"learning_rate\":0.01,"
        "\"clipnorm\":"
        "null}},\"loss\":{\"class_name\":\"MeanSquaredError\",\"config\":{}},\"metrics\":[\"mae\"]}"
        ","
        "\"build_config\":{\"input_shape\":[4]}}";
    array.size = 0;
    put_npy(&array, "<f4", "False", "(2,)", "\0\0\x80\x3f\0\0\0\x40", 8);
    zip_add(&weights, "layers/dense/vars/0.npy", array.data, array.size);
    zip_end(&weights);
    zip_add(&model, "config.json", config, sizeof(config) - 1);
    zip_add(&model, "model.weights.npz", weights.file.data, weights.file.size);
    zip_end(&model);
    const struct span bytes = {model.file.data, model.file.size};
    assert_true(sample_read_part(&heard, &format_keras, bytes, bytes.size, 0, &error));
    assert_string_equal(heard.text, "setting optimizer=Adam\nsetting learning_rate=0.01\n"
                                    "setting loss=MeanSquaredError\nsetting metrics=mae\n"
                                    "layers/dense/vars/0 float32 [2] 1 2\n");
}

static void says_a_member_that_fails_its_checksum(void **unused)
{
    (void)unused;
    static uint8_t bytes[SAMPLE_MOST];
    struct error error;
    struct span whole = sample_bytes("keras/model.keras");
    memcpy(bytes, whole.data, whole.size);
    bytes[whole.size / 2] ^= 1;
    assert_false(sample_read_part(&heard, &format_keras, (struct span){bytes, whole.size},
                                  whole.size, 0, &error));
    assert_int_equal(error.kind, ERROR_CHECKSUM);
}

static void says_a_cut_at_every_length(void **unused)
{
    (void)unused;
    sample_cuts(&heard, &format_keras, "keras/model.keras");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_weights_where_they_stand_in_the_archive),
        cmocka_unit_test(reads_weights_that_are_an_archive_themselves),
        cmocka_unit_test(tells_how_the_model_was_compiled),
        cmocka_unit_test(says_a_member_that_fails_its_checksum),
        cmocka_unit_test(says_a_cut_at_every_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
