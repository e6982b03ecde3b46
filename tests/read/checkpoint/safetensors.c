/* safetensors files made here: sound ones, and one for each rule broken. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/made_zip.h"
#include "read/checkpoint/sample.h"

extern const struct format format_safetensors;

static struct heard heard;

static bool reads(const char *json, size_t data, struct error *error)
{
    static struct bytes file;
    static const char zeros[256];
    file.size = 0;
    put_int(&file, strlen(json), 8);
    put(&file, json, strlen(json));
    put(&file, zeros, data);
    *error = (struct error){0};
    return heard_read(&heard, &format_safetensors, file.data, file.size, "a", 0, error);
}

static void puts_tensors_in_order_of_place(void **unused)
{
    (void)unused;
    struct error error;
    assert_true(reads("{\"__metadata__\":{\"format\":\"pt\"},"
                      "\"b\":{\"dtype\":\"BF16\",\"shape\":[],\"data_offsets\":[8,10]},"
                      "\"a\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]},"
                      "\"z\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[10,10]}}  ",
                      10, &error));
    assert_string_equal(heard.text, "setting format=pt\ntensor a float32 [2,1]\n"
                                    "tensor b bfloat16 []\ntensor z float32 [0]\n");
}

static void narrow_types_share_bytes(void **unused)
{
    (void)unused;
    static const char header[] =
        "{\"a\":{\"dtype\":\"F4\",\"shape\":[2,3],\"data_offsets\":[0,3]},"
        "\"b\":{\"dtype\":\"F6_E2M3\",\"shape\":[8],\"data_offsets\":[3,9]},"
        "\"c\":{\"dtype\":\"F8_E8M0\",\"shape\":[2],\"data_offsets\":[9,11]},"
        "\"d\":{\"dtype\":\"F4\",\"shape\":[0],\"data_offsets\":[11,11]}}";
    struct bytes file = {.size = 0};
    struct error error;
    put_int(&file, sizeof(header) - 1, 8);
    put(&file, header, sizeof(header) - 1);
    put(&file, "\x21\x43\xf5------\x7f\x80", 11);
    assert_true(sample_read_part(&heard, &format_safetensors, (struct span){file.data, file.size},
                                 file.size, 0, &error));
    assert_string_equal(heard.text, "a F4 [2,3] 0.5 1 1.5 2 3 -6\nb F6_E2M3 [8]\n"
                                    "c F8_E8M0 [2] 1 2\nd F4 [0]\n");
    assert_false(
        reads("{\"a\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,1]}}", 1, &error));
    assert_non_null(strstr(error.message, "another size"));
}

struct broken {
    const char *json, *word;
    size_t data;
    uint64_t tensors;
};

static void says_which_rule_is_broken(void **unused)
{
    (void)unused;
    static const struct broken cases[] = {
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}", "ends before", 8, 0},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}", "another size", 8, 0},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,8]}}",
         "another size", 8, 0},
        {"{\"a\":{\"dtype\":\"F99\",\"shape\":[2],\"data_offsets\":[0,8]}}", "unknown type", 8, 1},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", "belong to nothing",
         16, 1},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[4,12]}}", "behind bytes", 12,
         1},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
         "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[4,12]}}",
         "shares bytes", 12, 2},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
         "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
         "twice", 8, 1},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", "ends before the val",
         7, 0},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}}", "not described", 8,
         0},
        {"{\"a\":7}", "not described", 0, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error error;
        assert_false(reads(cases[i].json, cases[i].data, &error));
        assert_non_null(strstr(error.message, cases[i].word));
        assert_int_equal(heard.tensors, cases[i].tensors);
    }
}

static void says_a_cut_at_every_length(void **unused)
{
    (void)unused;
    static struct bytes file;
    static const char json[] = "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}";
    file.size = 0;
    put_int(&file, sizeof(json) - 1, 8);
    put(&file, json, sizeof(json) - 1);
    put(&file, "0123", 4);
    for (size_t size = 0; size < file.size; size++) {
        struct error error = {0};
        assert_false(heard_read(&heard, &format_safetensors, file.data, size, "a", 0, &error));
        assert_int_equal(error.kind, ERROR_TRUNCATED);
    }
    bool sound = false;
    for (size_t limit = 1; !sound; limit += 256) {
        struct error error = {0};
        sound = heard_read(&heard, &format_safetensors, file.data, file.size, "a", limit, &error);
        assert_true(sound || error.kind == ERROR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_tensors_in_order_of_place),
        cmocka_unit_test(narrow_types_share_bytes),
        cmocka_unit_test(says_which_rule_is_broken),
        cmocka_unit_test(says_a_cut_at_every_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
