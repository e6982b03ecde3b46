/* Archives of torch.export made here. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/made_zip.h"
#include "read/checkpoint/sample.h"

extern const struct format format_torch;

static struct made_zip zip;
static struct heard heard;

#define TENSOR(name, path, dtype, sizes, strides, first)                                           \
    "\"" name "\":{\"path_name\":\"" path "\",\"is_param\":true,\"use_pickle\":false,"             \
    "\"tensor_meta\":{\"dtype\":" dtype ",\"sizes\":[" sizes "],\"strides\":[" strides "],"        \
    "\"storage_offset\":{\"as_int\":" first "},\"layout\":7}}"
#define TWO "{\"as_int\":2}"

static void make(const char *weights)
{
    const float values[] = {1, 2, 3, 4, 5, 6};
    memset(&zip, 0, sizeof(zip));
    zip_add(&zip, "net/data/weights/weight_0", values, sizeof(values));
    zip_add(&zip, "net/data/weights/weight_1", "\x7f\x80", 2);
    zip_add(&zip, "net/data/weights/model_weights_config.json", weights, strlen(weights));
    zip_add(&zip, "net/data/constants/tensor_0", "\x80\x3f\x00\x40", 4);
    static const char constants[] =
        "{\"config\":{" TENSOR("half", "tensor_0", "13", TWO, "{\"as_int\":1}",
                               "0") ","
                                    "\"object\":{\"path_name\":\"custom_obj_0\",\"use_pickle\":"
                                    "true,\"tensor_meta\":null}}}";
    zip_add(&zip, "net/data/constants/model_constants_config.json", constants,
            sizeof(constants) - 1);
    zip_add(&zip, "net/data/sample_inputs/model.pt", "no weights", 10);
    zip_add(&zip, "net/byteorder", "little", 6);
    zip_end(&zip);
}

static bool reads(size_t size, size_t limit, struct error *error)
{
    return sample_read_part(&heard, &format_torch, (struct span){zip.file.data, zip.file.size},
                            size, limit, error);
}

static const char sound[] = "{\"config\":{" TENSOR(
    "a.weight", "weight_0", "7", TWO "," TWO, "{\"as_int\":1}," TWO,
    "1") "," TENSOR("scale", "weight_1", "33", TWO, "{\"as_int\":1}", "0") "}}";

static void takes_weights_and_constants_for_what_they_are(void **unused)
{
    (void)unused;
    struct error error;
    make(sound);
    assert_int_equal(format_torch.probe((struct span){zip.file.data, zip.file.size}, TEXT("a")),
                     98);
    assert_true(reads(zip.file.size, 0, &error));
    assert_string_equal(heard.text, "a.weight float32 [2,2] 2 4 3 5\n"
                                    "scale float8_e8m0fnu [2] 1 2\n"
                                    "half bfloat16 [2] 1 2\n");
}

static void says_what_is_not_there(void **unused)
{
    (void)unused;
    static const struct {
        const char *config, *word, *heard;
    } cases[] = {
        {"{\"config\":{" TENSOR("w", "weight_9", "7", TWO, TWO, "0") "}}", "no values",
         "w float32 [2] absent\n"},
        {"{\"config\":{" TENSOR("w", "../weight_0", "7", TWO, TWO, "0") "}}", "no values",
         "w float32 [2] absent\n"},
        {"{\"config\":{" TENSOR("w", "weight_0", "7", TWO, TWO, "4") "}}", "beyond its storage",
         "w float32 [2] absent\n"},
        {"{\"config\":{" TENSOR("w", "weight_0", "7", TWO, "", "0") "}}", "not described", ""},
        {"{\"config\":{" TENSOR("w", "weight_0", "20", TWO, TWO, "0") "}}", "not described", ""},
        {"{\"config\":{", "no JSON", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error error;
        make(cases[i].config);
        assert_false(reads(zip.file.size, 0, &error));
        assert_int_equal(error.kind, ERROR_MALFORMED);
        assert_non_null(strstr(error.message, cases[i].word));
        if (cases[i].heard)
            assert_int_equal(strncmp(heard.text, cases[i].heard, strlen(cases[i].heard)), 0);
    }
}

static void ends_with_its_bytes_and_its_memory(void **unused)
{
    (void)unused;
    struct error error;
    make(sound);
    for (size_t size = 0; size < zip.file.size; size++)
        assert_false(reads(size, 0, &error));
    for (size_t limit = 1; limit < 1 << 20; limit = limit_after(limit))
        if (!reads(zip.file.size, limit, &error))
            assert_int_equal(error.kind, ERROR_MEMORY);
    for (size_t i = 0; i < zip.file.size; i++) {
        zip.file.data[i] ^= 0x41;
        if (!reads(zip.file.size, 1 << 20, &error))
            assert_true(error.kind != ERROR_NONE && error.message[0]);
        zip.file.data[i] ^= 0x41;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_weights_and_constants_for_what_they_are),
        cmocka_unit_test(says_what_is_not_there),
        cmocka_unit_test(ends_with_its_bytes_and_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
