/* ONNX models. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

extern const struct format format_onnx;

static struct heard heard;

static void reads_values_wherever_they_stand(void **unused)
{
    (void)unused;
    struct error error;
    assert_int_equal(sample_probe(&format_onnx, "onnx/model.onnx"), 96);
    assert_true(sample_read(&heard, &format_onnx, "onnx/model.onnx", &error));
    assert_string_equal(heard.text, "raw float32 [2,2] 1 -2 3 4\n"
                                    "listed float32 [3] 5 6 7\n"
                                    "half float16 [2] 1 2\n"
                                    "shape int64 [2] 300 -1\n"
                                    "word string []\n"
                                    "beside float32 [2] 10 11\n"
                                    "thin float32 [2] 8 9\n");
}

static void says_that_the_values_beside_it_are_missing(void **unused)
{
    (void)unused;
    struct error error;
    struct span bytes = sample_bytes("onnx/model.onnx");
    assert_false(sample_read_part(&heard, &format_onnx, bytes, bytes.size, 0, &error));
    assert_non_null(strstr(error.message, "outside its folder")); /* memory has no folder */
    assert_non_null(strstr(heard.text, "beside float32 [2] absent\n"));
    assert_int_equal(heard.tensors, 7);
}

static void follows_no_path(void **unused)
{
    (void)unused;
    struct error error;
    struct input *input;
    static uint8_t bytes[SAMPLE_MOST];
    struct span whole = sample_bytes("onnx/model.onnx");
    memcpy(bytes, whole.data, whole.size);
    struct text all = {(char *)bytes, whole.size};
    memcpy(bytes + text_find(all, TEXT("beside.bin")), "../etc/pwd", 10);
    /* The folder is there, the file is not looked for. */
    assert_true(input_open(sample_path("onnx/model.onnx"), 1, &input, &error));
    input_close(input);
    assert_false(sample_read_part(&heard, &format_onnx, (struct span){bytes, whole.size},
                                  whole.size, 0, &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
}

static void keeps_what_stands_before_a_cut(void **unused)
{
    (void)unused;
    struct error error;
    struct span bytes = sample_bytes("onnx/model.onnx");
    struct text all = {(const char *)bytes.data, bytes.size};
    assert_false(
        sample_read_part(&heard, &format_onnx, bytes, text_find(all, TEXT("half")), 0, &error));
    assert_int_equal(error.kind, ERROR_TRUNCATED);
    assert_non_null(strstr(heard.text, "listed float32 [3] 5 6 7\n"));
    sample_cuts(&heard, &format_onnx, "onnx/model.onnx");
}

static void ends_with_its_memory(void **unused)
{
    (void)unused;
    sample_limits(&heard, &format_onnx, "onnx/model.onnx");
}

static void survives_any_byte(void **unused)
{
    (void)unused;
    sample_flips(&heard, &format_onnx, "onnx/model.onnx");
}

static void leaves_other_messages_alone(void **unused)
{
    (void)unused;
    /* A saved model: a version, then a graph in field 2. */
    static const uint8_t saved[] = {8, 1, 0x12, 4, 0x0a, 2, 8, 1};
    assert_int_equal(format_onnx.probe((struct span){saved, sizeof(saved)}, TEXT("a.pb")), 0);
    assert_int_equal(sample_probe(&format_onnx, "caffemodel/net.caffemodel"), 0);
    assert_int_equal(format_onnx.probe((struct span){0}, TEXT("")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_values_wherever_they_stand),
        cmocka_unit_test(says_that_the_values_beside_it_are_missing),
        cmocka_unit_test(follows_no_path),
        cmocka_unit_test(keeps_what_stands_before_a_cut),
        cmocka_unit_test(ends_with_its_memory),
        cmocka_unit_test(survives_any_byte),
        cmocka_unit_test(leaves_other_messages_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
