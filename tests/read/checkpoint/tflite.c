/* TensorFlow Lite models: named, not read. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

extern const struct format format_tflite;

static void is_named_by_its_content(void **unused)
{
    (void)unused;
    struct span bytes = sample_bytes("tflite/model.tflite");
    assert_int_equal(format_tflite.probe(bytes, TEXT("a")), 96);
    for (size_t size = 0; size < 8; size++)
        assert_int_equal(format_tflite.probe((struct span){bytes.data, size}, TEXT("a")), 0);
    assert_null(format_tflite.read);
    assert_int_equal(format_tflite.group, FORMAT_NAMED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_named_by_its_content)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
