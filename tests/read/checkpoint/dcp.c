/* Distributed checkpoints of PyTorch. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

#include <sys/stat.h>
#include <unistd.h>

extern const struct format format_dcp, format_torch;

static struct heard heard;

static void joins_the_chunks_of_all_ranks(void **unused)
{
    (void)unused;
    struct error error;
    assert_int_equal(sample_probe(&format_dcp, "dcp/.metadata"), 97);
    assert_true(sample_read(&heard, &format_dcp, "dcp/.metadata", &error));
    assert_string_equal(heard.text, "model.weight float32 [3,2] 1 2 3 4 5 6\n"
                                    "model.bias float32 [2] 7 8\n"
                                    "model.turned float32 [2,3] 1 2 3 4 5 6\n");
}

static void names_what_lies_in_columns_and_in_parts(void **unused)
{
    (void)unused;
    struct error error;
    assert_false(sample_read(&heard, &format_dcp, "dcp/halves/.metadata", &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    assert_non_null(strstr(heard.text, "model.turned float32 [2,3] 1 2 3 4 5 6\n"
                                       "model.halves float32 [4,2] absent\n"));
}

static void names_tensors_whose_files_are_missing(void **unused)
{
    (void)unused;
    struct error error;
    struct span bytes = sample_bytes("dcp/.metadata");
    assert_false(sample_read_part(&heard, &format_dcp, bytes, bytes.size, 0, &error));
    assert_string_equal(heard.text, "model.weight float32 [3,2] absent\n"
                                    "model.bias float32 [2] absent\n"
                                    "model.turned float32 [2,3] absent\n");
}

static void says_what_a_shard_lacks(void **unused)
{
    (void)unused;
    static const struct {
        const char *old, *new, *word;
    } cases[] = {
        {"__1_0.distcp", "__3_0.distcp", "no such file"},
        {"__0_0.distcp", "../0.distcp ", "outside its folder"},
        {"state_dict_metadata", "state_dict_metadatA", "what its tensors are"},
        {"storage_data", "storage_datA", "where its tensors are"},
        {"chunks", "chunkS", ""},
        {"offsets", "offsetS", "a chunk of another shape"},
    };
    static uint8_t bytes[SAMPLE_MOST];
    struct span whole = sample_bytes("dcp/.metadata");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error error = {0};
        struct input *input = NULL;
        char path[600];
        memcpy(bytes, whole.data, whole.size);
        struct text all = {(char *)bytes, whole.size};
        const size_t at = text_find(all, text_of(cases[i].old));
        assert_true(at < whole.size);
        memcpy(bytes + at, cases[i].new, strlen(cases[i].new));
        snprintf(path, sizeof(path), "/tmp/stalldoc-dcp-%ld", (long)getpid());
        assert_int_equal(mkdir(path, 0700), 0);
        char file[640];
        snprintf(file, sizeof(file), "%s/.metadata", path);
        FILE *out = fopen(file, "wb");
        assert_int_equal(fwrite(bytes, 1, whole.size, out), whole.size);
        fclose(out);
        assert_true(input_open(file, 1, &input, &error));
        const bool sound = sample_read_input(&heard, &format_dcp, input, 0, &error);
        unlink(file);
        rmdir(path);
        assert_true(!sound || heard.tensors < 3);
        if (i >= 1 && i <= 3)
            assert_non_null(strstr(error.message, cases[i].word));
    }
}

static void says_a_cut_at_every_length(void **unused)
{
    (void)unused;
    sample_cuts(&heard, &format_dcp, "dcp/.metadata");
}

static void ends_with_its_memory(void **unused)
{
    (void)unused;
    sample_limits(&heard, &format_dcp, "dcp/.metadata");
}

static void survives_any_byte(void **unused)
{
    (void)unused;
    sample_flips(&heard, &format_dcp, "dcp/.metadata");
}

static void says_of_a_shard_alone_that_the_save_is_not_complete(void **unused)
{
    (void)unused;
    struct error error;
    assert_false(sample_read(&heard, &format_torch, "dcp/__1_0.distcp", &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, ".metadata is the file to name"));
    struct span bytes = sample_bytes("dcp/__1_0.distcp");
    struct input *input;
    assert_true(input_memory(bytes, "__1_0.distcp", 1, &input, &error));
    assert_false(sample_read_input(&heard, &format_torch, input, 0, &error));
    assert_int_equal(error.kind, ERROR_MALFORMED);
    assert_non_null(strstr(error.message, "the save is not complete"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_the_chunks_of_all_ranks),
        cmocka_unit_test(names_what_lies_in_columns_and_in_parts),
        cmocka_unit_test(names_tensors_whose_files_are_missing),
        cmocka_unit_test(says_what_a_shard_lacks),
        cmocka_unit_test(says_a_cut_at_every_length),
        cmocka_unit_test(ends_with_its_memory),
        cmocka_unit_test(survives_any_byte),
        cmocka_unit_test(says_of_a_shard_alone_that_the_save_is_not_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
