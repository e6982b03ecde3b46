/* Checkpoints in several files. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

extern const struct format format_shard_index;

static struct heard heard;

static const char index_name[] = "shard_index/model.safetensors.index.json";

static void reads_all_shards_as_one(void **unused)
{
    (void)unused;
    struct error error;
    assert_int_equal(sample_probe(&format_shard_index, index_name), 97);
    assert_true(sample_read(&heard, &format_shard_index, index_name, &error));
    assert_string_equal(heard.text, "a float32 [2] 1 2\n"
                                    "b float32 [1] 3\n"
                                    "c float32 [2] 4 5\n");
}

static void says_which_shard_is_missing(void **unused)
{
    (void)unused;
    struct error error;
    assert_false(sample_read(&heard, &format_shard_index,
                             "shard_index/incomplete/model.safetensors.index.json", &error));
    assert_int_equal(error.kind, ERROR_MALFORMED);
    assert_non_null(strstr(error.message, "model-00002-of-00002.safetensors is missing"));
    assert_string_equal(heard.text, "a float32 [2] 1 2\n");
}

static void names_its_parts_and_second_copies(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct error error = {0};
    struct format_parts parts = {0};
    struct input *input;
    assert_true(input_open(sample_path(index_name), 1, &input, &error));
    assert_true(format_shard_index.parts(input, &arena, &parts, &error));
    assert_int_equal(parts.count, 2);
    assert_text(parts.names[0], "model-00001-of-00002.safetensors");
    assert_text(parts.names[1], "model-00002-of-00002.safetensors");
    assert_string_equal(parts.globs[0], "pytorch_model*.bin");
    input_close(input);
    arena_free(&arena);
}

static void refuses_what_leads_out_of_the_folder(void **unused)
{
    (void)unused;
    static const char *const cases[] = {"{\"weight_map\": {\"a\": \"../secret\"}}",
                                        "{\"weight_map\": {\"a\": \"/etc/passwd\"}}",
                                        "{\"weight_map\": {\"a\": \"..\"}}",
                                        "{\"weight_map\": {\"a\": \"x\\u0000y\"}}",
                                        "{\"weight_map\": {\"a\": \"\"}}",
                                        "{\"weight_map\": {\"a\": \"a\\\\b\"}}",
                                        "{\"weight_map\": [1, 2]}",
                                        "{\"other\": 1}"};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error error;
        const struct span bytes = {(const uint8_t *)cases[i], strlen(cases[i])};
        assert_false(sample_read_part(&heard, &format_shard_index, bytes, bytes.size, 0, &error));
        assert_int_equal(error.kind, ERROR_MALFORMED);
    }
}

static void says_a_cut_at_every_length(void **unused)
{
    (void)unused;
    sample_cuts(&heard, &format_shard_index, index_name);
}

static void ends_with_its_memory(void **unused)
{
    (void)unused;
    sample_limits(&heard, &format_shard_index, index_name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_shards_as_one),
        cmocka_unit_test(says_which_shard_is_missing),
        cmocka_unit_test(names_its_parts_and_second_copies),
        cmocka_unit_test(refuses_what_leads_out_of_the_folder),
        cmocka_unit_test(says_a_cut_at_every_length),
        cmocka_unit_test(ends_with_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
