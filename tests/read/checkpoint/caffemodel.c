/* Caffe models: blobs of all three generations of layers. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

extern const struct format format_caffemodel;

static struct heard heard;

static void reads_layers_of_every_generation(void **unused)
{
    (void)unused;
    struct error error;
    assert_int_equal(sample_probe(&format_caffemodel, "caffemodel/net.caffemodel"), 94);
    assert_true(sample_read(&heard, &format_caffemodel, "caffemodel/net.caffemodel", &error));
    assert_string_equal(heard.text, "ip1.0 float64 [1] 9\n"
                                    "ip0.0 float32 [1,1,1,2] 7 8\n"
                                    "conv1.0 float32 [2,3] 1 2 3 4 5 6\n"
                                    "conv1.1 float32 [1,1,1,2] 7 8\n");
}

static void says_a_cut(void **unused)
{
    (void)unused;
    struct error error;
    struct span bytes = sample_bytes("caffemodel/net.caffemodel");
    struct text all = {(const char *)bytes.data, bytes.size};
    const size_t size = text_find(all, TEXT("conv1\x12\x0b")) + 40;
    assert_false(sample_read_part(&heard, &format_caffemodel, bytes, size, 0, &error));
    assert_int_equal(error.kind, ERROR_TRUNCATED);
    assert_non_null(strstr(heard.text, "ip0.0 float32 [1,1,1,2] 7 8\n"));
    assert_non_null(strstr(heard.text, "conv1.0 float32 [2,3] absent\n"));
    for (size_t cut = size; cut + 2 < bytes.size; cut++)
        if (sample_read_part(&heard, &format_caffemodel, bytes, cut, 0, &error))
            assert_int_equal(bytes.data[cut], 0xa2); /* between two layers it is whole */
}

static void ends_with_its_memory(void **unused)
{
    (void)unused;
    sample_limits(&heard, &format_caffemodel, "caffemodel/net.caffemodel");
}

static void survives_any_byte(void **unused)
{
    (void)unused;
    sample_flips(&heard, &format_caffemodel, "caffemodel/net.caffemodel");
}

static void leaves_other_messages_alone(void **unused)
{
    (void)unused;
    assert_int_equal(sample_probe(&format_caffemodel, "onnx/model.onnx"), 0);
    /* A graph of nodes: the first field is a message, no name. */
    static const uint8_t graph[] = {0x0a, 6, 0x0a, 1, 'x', 0x12, 1, 'y', 0x0a, 3, 0x0a, 1, 'z'};
    assert_int_equal(format_caffemodel.probe((struct span){graph, sizeof(graph)}, TEXT("a")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_layers_of_every_generation),
        cmocka_unit_test(says_a_cut),
        cmocka_unit_test(ends_with_its_memory),
        cmocka_unit_test(survives_any_byte),
        cmocka_unit_test(leaves_other_messages_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
