/* Archives of torch.save made here: sound, cut, hostile. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/made_zip.h"
#include "read/checkpoint/sample.h"

extern const struct format format_torch;

static struct made_zip zip;
static struct heard heard;

static void make(unsigned count, unsigned rows, unsigned columns)
{
    static struct bytes tree;
    memset(&zip, 0, sizeof(zip));
    tree.size = 0;
    put_tree(&tree, count, rows, columns);
    zip_add(&zip, "archive/data.pkl", tree.data, tree.size);
    zip_add(&zip, "archive/data/0", "012345678901234567890123", 24);
    zip_end(&zip);
}

/* The archive at hand; `limit` bounds the memory (0: none). */
static bool read_zip(size_t limit, struct error *error)
{
    *error = (struct error){0};
    return heard_read(&heard, &format_torch, zip.file.data, zip.file.size, "a", limit, error);
}

/* A sample that the files beside it complete to `tensors`, with every amount of memory. */
static void limits_beside(const char *name, uint64_t tensors)
{
    bool whole = false;
    for (size_t limit = 1; limit < 1 << 20; limit = limit_after(limit)) {
        struct error error = {0};
        struct input *input;
        assert_true(input_open(sample_path(name), 1, &input, &error));
        whole = sample_read_input(&heard, &format_torch, input, limit, &error);
        if (whole)
            assert_int_equal(heard.tensors, tensors);
        else
            assert_int_equal(error.kind, ERROR_MEMORY);
    }
    assert_true(whole);
}

/* Without the files beside it a sample is what it holds itself. */
static void says_nothing_alone(const char *name)
{
    struct error error;
    struct span bytes = sample_bytes(name);
    assert_true(sample_read_part(&heard, &format_torch, bytes, bytes.size, 0, &error));
    assert_int_equal(heard.tensors, 0);
}

static void names_a_tensor_by_its_path(void **unused)
{
    (void)unused;
    struct error error;
    make(6, 2, 3);
    assert_int_equal(format_torch.probe((struct span){zip.file.data, zip.file.size}, TEXT("a")),
                     98);
    assert_true(read_zip(0, &error));
    assert_string_equal(heard.text, "tensor w float32 [2,3]\n");
}

static void keeps_a_view_inside_its_storage(void **unused)
{
    (void)unused;
    struct error error = {0};
    make(6, 3, 3);
    assert_false(read_zip(0, &error));
    assert_int_equal(error.kind, ERROR_MALFORMED);
    assert_string_equal(heard.text, "tensor w opaque [3,3]\n");
}

static void says_a_cut_at_every_length(void **unused)
{
    (void)unused;
    make(6, 2, 3);
    for (size_t size = 0; size < zip.file.size; size++) {
        struct error error = {0};
        assert_false(heard_read(&heard, &format_torch, zip.file.data, size, "a", 0, &error));
        assert_int_not_equal(error.kind, ERROR_NONE);
    }
}

static void fails_cleanly_where_memory_ends(void **unused)
{
    (void)unused;
    bool sound = false;
    make(6, 2, 3);
    for (size_t limit = 1; !sound; limit += 256) {
        struct error error;
        sound = read_zip(limit, &error);
        assert_true(sound || error.kind == ERROR_MEMORY);
        assert_true(limit < 1 << 22);
    }
}

static void seals_each_storage_with_its_checksum(void **unused)
{
    (void)unused;
    struct error error = {0};
    struct input *input;
    make(6, 2, 3);
    assert_true(input_memory((struct span){zip.file.data, zip.file.size}, "a", 1, &input, &error));
    heard_init(&heard);
    heard.sink.seal = heard_seal;
    struct arena scratch = {0};
    const struct reading reading = {
        .input = input, .scratch = &scratch, .sink = &heard.sink, .stats = true};
    assert_true(format_torch.read(&reading, &error));
    assert_string_equal(heard.text, "tensor w float32 [2,3]\nseal archive/data/0 24 216f3225\n");
    input_close(input);
    arena_free(&scratch);
}

/* An extra field that says more bytes than there are, with as many behind it as a field has. */
static void ends_at_an_extra_field_that_overruns(void **unused)
{
    (void)unused;
    static const uint8_t extra[] = {1, 0, 9, 0, 0, 0, 0, 0};
    struct error error = {0};
    memset(&zip, 0, sizeof(zip));
    zip_add(&zip, "a", "0123", 4);
    put(&zip.directory, extra, sizeof(extra));
    zip.directory.data[30] = sizeof(extra);
    zip_end(&zip);
    assert_false(read_zip(0, &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED); /* nothing in it is a checkpoint */
}

static void refuses_two_names_for_one_body(void **unused)
{
    (void)unused;
    struct error error = {0};
    memset(&zip, 0, sizeof(zip));
    zip_add(&zip, "a", "0123", 4);
    size_t first = zip.directory.size;
    zip_add(&zip, "b", "0123", 4);
    memset(zip.directory.data + first + 42, 0, 4); /* local offset of the first */
    zip.file.data[30] = 'b';
    zip.directory.data[46] = 'b';
    zip_end(&zip);
    assert_false(read_zip(0, &error));
    assert_int_equal(error.kind, ERROR_MALFORMED);
}

static void misses_the_files_of_other_ranks(void **unused)
{
    (void)unused;
    struct error error;
    static const char file[] = "global_step5/zero_pp_rank_0_mp_rank_00_optim_states.pt";
    char name[128];
    snprintf(name, sizeof(name), "torch/whole/%s", file);
    assert_true(sample_read(&heard, &format_torch, name, &error));
    assert_non_null(strstr(
        heard.text, "optimizer_state_dict.single_partition_of_fp32_groups.0 float32 [2] 1 2\n"));
    snprintf(name, sizeof(name), "torch/incomplete/%s", file);
    assert_false(sample_read(&heard, &format_torch, name, &error));
    assert_int_equal(error.kind, ERROR_MALFORMED);
    assert_non_null(strstr(error.message, "zero_pp_rank_1_mp_rank_00_optim_states.pt is missing"));
    assert_int_equal(heard.tensors, 1);
}

/* The third stage cuts every parameter over the ranks. */
static void puts_the_partitions_of_all_ranks_together(void **unused)
{
    (void)unused;
    static const char first[] =
        "torch/third/global_step7/zero_pp_rank_0_mp_rank_00_model_states.pt";
    static const char second[] =
        "torch/third/global_step7/zero_pp_rank_1_mp_rank_00_model_states.pt";
    struct error error;
    assert_true(sample_read(&heard, &format_torch, first, &error));
    assert_non_null(strstr(heard.text, "a.weight float32 [2,2] 1 2 3 4\nb float32 [3] 5 6 7\n"));
    says_nothing_alone(first);
    limits_beside(first, 2);
    assert_true(sample_read(&heard, &format_torch, second, &error));
    assert_int_equal(heard.tensors, 0); /* said once */
}

/* The first two cut a group of parameters, one behind the other. */
static void puts_the_parts_of_a_group_together(void **unused)
{
    (void)unused;
    static const char name[] = "torch/second/global_step7/mp_rank_00_model_states.pt";
    struct error error;
    assert_true(sample_read(&heard, &format_torch, name, &error));
    assert_non_null(strstr(heard.text, "a.weight float32 [2,3] 1 2 3 4 5 6\n"
                                       "c float32 [1] 8\n"
                                       "b float32 [3] 5 6 7\n"
                                       "a.weight.exp_avg float32 [2,3] -1 -2 -3 -4 -5 -6\n"
                                       "c.exp_avg float32 [1] -8\n"
                                       "b.exp_avg float32 [3] -5 -6 -7\n"
                                       "a.weight.exp_avg_sq float32 [2,3] 10 20 30 40 50 60\n"
                                       "c.exp_avg_sq float32 [1] 80\n"
                                       "b.exp_avg_sq float32 [3] 50 60 70\n"));
    says_nothing_alone(name);
    limits_beside(name, 9);
}

/* Names are not given to what lies elsewhere. */
static void holds_the_parts_against_the_shapes(void **unused)
{
    (void)unused;
    struct error error;
    assert_false(sample_read(&heard, &format_torch,
                             "torch/unequal/global_step7/mp_rank_00_model_states.pt", &error));
    assert_int_equal(error.kind, ERROR_MALFORMED);
    assert_non_null(strstr(error.message, "group 0 hold 7 values, its parameters 1"));
}

static void names_a_parameter_by_its_folder(void **unused)
{
    (void)unused;
    static const char folder[] = "torch/global_step9_universal/zero/fc.bias";
    static const char *const slots[] = {"fp32", "exp_avg_sq"};
    static const char *const wanted[] = {"fc.bias float32 [2] 1 2\n",
                                         "fc.bias.exp_avg_sq float32 [2] 3 4\n"};
    for (size_t i = 0; i < 2; i++) {
        struct error error;
        char name[128];
        snprintf(name, sizeof(name), "%s/%s.pt", folder, slots[i]);
        assert_true(sample_read(&heard, &format_torch, name, &error));
        assert_string_equal(heard.text, wanted[i]);
    }
}

/* Values of sparse tensors, this rank's part of spread ones; what has no values here is named. */
static void reads_tensors_that_are_no_plain_view(void **unused)
{
    (void)unused;
    static const char *const files[] = {"torch/kinds.pt", "torch/unsummed.pt"};
    for (int i = 0; i < 2; i++) { /* the second has no checksums at all */
        struct error error = {0};
        assert_true(sample_read(&heard, &format_torch, files[i], &error));
        assert_string_equal(heard.text, "coo.values float32 [3] 1 2 3\n"
                                        "csr.values float32 [2] 5 6\n"
                                        "meta float32 [4,5] absent\n"
                                        "scale float8_e8m0fnu [1] 5.87747e-39\n"
                                        "nibbles QUInt4x2Storage [2] absent\n"
                                        "spread float32 [2] 5 6\n"
                                        "shard float32 [1] 4\n");
    }
}

/* One checksum that is wrong beside others that are right is damage. */
static void holds_the_pickle_against_its_checksum(void **unused)
{
    (void)unused;
    static struct bytes tree;
    memset(&zip, 0, sizeof(zip));
    tree.size = 0;
    put_tree(&tree, 1, 1, 1);
    zip_add(&zip, "archive/data.pkl", tree.data, tree.size);
    zip_add(&zip, "archive/data/0", "0123", 4);
    zip_add(&zip, "archive/version", "3\n", 2);
    zip.directory.data[16] ^= 1; /* the checksum of the first member */
    zip_end(&zip);
    struct error error = {0};
    assert_false(read_zip(0, &error));
    assert_int_equal(error.kind, ERROR_CHECKSUM);
}

static void kinds_fail_cleanly(void **unused)
{
    (void)unused;
    sample_cuts(&heard, &format_torch, "torch/kinds.pt");
    sample_limits(&heard, &format_torch, "torch/kinds.pt");
    sample_flips(&heard, &format_torch, "torch/kinds.pt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_the_parts_of_a_group_together),
        cmocka_unit_test(holds_the_parts_against_the_shapes),
        cmocka_unit_test(names_a_parameter_by_its_folder),
        cmocka_unit_test(puts_the_partitions_of_all_ranks_together),
        cmocka_unit_test(names_a_tensor_by_its_path),
        cmocka_unit_test(keeps_a_view_inside_its_storage),
        cmocka_unit_test(says_a_cut_at_every_length),
        cmocka_unit_test(fails_cleanly_where_memory_ends),
        cmocka_unit_test(seals_each_storage_with_its_checksum),
        cmocka_unit_test(ends_at_an_extra_field_that_overruns),
        cmocka_unit_test(refuses_two_names_for_one_body),
        cmocka_unit_test(misses_the_files_of_other_ranks),
        cmocka_unit_test(reads_tensors_that_are_no_plain_view),
        cmocka_unit_test(holds_the_pickle_against_its_checksum),
        cmocka_unit_test(kinds_fail_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
