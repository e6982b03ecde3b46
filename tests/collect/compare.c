/* Checkpoints in pairs, as the program shows them: made files, and the pairs of the corpus. */
/* SPDX-License-Identifier: MIT */
#include "embedded.h"
#include "files.h"
#include "program.h"

#include <math.h>
#include <stdbool.h>

enum { LINE_BYTES = 1 << 16 };

static cJSON *inspected(const char *operands)
{
    return program_report("inspect", operands);
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(member) ? member->valuedouble : (double)NAN;
}

static const char *word(const cJSON *object, const char *name)
{
    const char *said = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return said ? said : "";
}

static const cJSON *tensor_of(const cJSON *pair, const char *name)
{
    const cJSON *tensor;
    cJSON_ArrayForEach(tensor, cJSON_GetObjectItem(pair, "tensors"))
    {
        if (strcmp(word(tensor, "name"), name) == 0)
            return tensor;
    }
    return NULL;
}

/* A safetensors file with the tensors a (two values) and b (one). */
static void save(struct files *files, const char *name, const char *step, float x, float y, float z)
{
    char json[512], file[1024];
    const float values[] = {x, y, z};
    const int size =
        snprintf(json, sizeof(json),
                 "{\"__metadata__\":{\"step\":\"%s\"},"
                 "\"a.weight\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
                 "\"b.weight\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]}}",
                 step);
    const uint64_t length = (uint64_t)size;
    memcpy(file, &length, 8);
    memcpy(file + 8, json, (size_t)size);
    memcpy(file + 8 + size, values, sizeof(values));
    file_put(files, name, file, 8 + (size_t)size + sizeof(values));
}

static void compares_in_order_of_steps(void **state)
{
    struct files *files = *state;
    char operands[512];
    save(files, "x.safetensors", "20", 3, 4, 1);
    save(files, "y.safetensors", "10", 3, 0, 1);
    save(files, "z.safetensors", "30", 3, 4, 2);
    snprintf(operands, sizeof(operands), "'%s/x.safetensors' '%s/y.safetensors' '%s/z.safetensors'",
             files->folder, files->folder, files->folder);
    cJSON *json = inspected(operands);
    const cJSON *pairs = cJSON_GetObjectItem(json, "pairs");
    assert_int_equal(cJSON_GetArraySize(pairs), 2);
    const cJSON *first = cJSON_GetArrayItem(pairs, 0), *second = cJSON_GetArrayItem(pairs, 1);
    assert_true(number(first, "a_step") == 10 && number(first, "b_step") == 20);
    assert_true(number(second, "a_step") == 20 && number(second, "b_step") == 30);
    assert_true(number(first, "compared") == 2 && number(first, "identical") == 1);
    const cJSON *a = tensor_of(first, "a.weight"), *b = tensor_of(first, "b.weight");
    assert_true(number(a, "diff_l2") == 4 && fabs(number(a, "rel") - 4.0 / 3) < 1e-12);
    assert_true(fabs(number(a, "cosine") - 0.6) < 1e-12 && number(a, "changed") == 1);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(b, "identical")) && number(b, "diff_l2") == 0);
    assert_true(number(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "inputs"), 1), "step") == 10);
    cJSON_Delete(json);
}

static void put_save(struct files *files, const char *folder, bool orbax, float value)
{
    static const char array[] = "{\"chunks\":[4],\"compressor\":null,\"dtype\":\"<f4\","
                                "\"fill_value\":null,\"filters\":null,\"order\":\"C\","
                                "\"shape\":[4],\"zarr_format\":2}";
    static const char mark[] = "{\"commit_timestamp_nsecs\":17,\"init_timestamp_nsecs\":1}";
    const float values[] = {value, 1, 2, 3};
    char name[128];
    static const char *const parts[] = {"", "/default", "/default/params.w"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof(name), "%s%s", folder, parts[i]);
        assert_int_equal(mkdir(file_at(files, name), 0700), 0);
    }
    snprintf(name, sizeof(name), "%s/default/params.w/.zarray", folder);
    file_put(files, name, array, sizeof(array) - 1);
    snprintf(name, sizeof(name), "%s/default/params.w/0", folder);
    file_put(files, name, values, sizeof(values));
    snprintf(name, sizeof(name), "%s/_CHECKPOINT_METADATA", folder);
    if (orbax)
        file_put(files, name, mark, sizeof(mark) - 1);
}

/* Saves of Orbax have the step for a name, and are one run; folders of numbers alone are not. */
static void orders_the_saves_of_orbax_by_step(void **state)
{
    struct files *files = *state;
    for (int orbax = 1; orbax >= 0; orbax--) {
        char operand[128], name[32];
        snprintf(name, sizeof(name), "run%d", orbax);
        assert_int_equal(mkdir(file_at(files, name), 0700), 0);
        snprintf(name, sizeof(name), "run%d/10000", orbax);
        put_save(files, name, orbax, 6);
        snprintf(name, sizeof(name), "run%d/2000", orbax);
        put_save(files, name, orbax, 2);
        snprintf(name, sizeof(name), "run%d/500", orbax);
        put_save(files, name, orbax, 1);
        snprintf(operand, sizeof(operand), "'%s/run%d'", files->folder, orbax);
        cJSON *json = inspected(operand);
        const cJSON *pairs = cJSON_GetObjectItem(json, "pairs");
        const cJSON *input, *first = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "inputs"), 0);
        cJSON_ArrayForEach(input, cJSON_GetObjectItem(json, "inputs"))
        {
            if (orbax)
                assert_string_equal(word(input, "run"), word(first, "run"));
            if (strstr(word(input, "path"), "/.zarray"))
                assert_int_equal(!cJSON_IsNumber(cJSON_GetObjectItem(input, "step")), !orbax);
        }
        assert_int_equal(cJSON_GetArraySize(pairs), orbax ? 2 : 0);
        if (orbax) {
            const cJSON *a = cJSON_GetArrayItem(pairs, 0), *b = cJSON_GetArrayItem(pairs, 1);
            assert_true(number(a, "a_step") == 500 && number(a, "b_step") == 2000);
            assert_true(number(b, "b_step") == 10000);
            assert_true(number(tensor_of(b, "params.w"), "diff_l2") == 4);
        }
        cJSON_Delete(json);
    }
}

/* The run of every input that is read, and that there is but one. */
static void takes_the_files_of_one_checkpoint_together(void **state)
{
    struct files *files = *state;
    char operands[512];
    static const char *const folders[] = {"checkpoint-7", "iter_7", "iter_7/mp_rank_00",
                                          "iter_7/mp_rank_01"};
    static const char *const inputs[2][5] = {
        {"checkpoint-7/model.safetensors", "checkpoint-7/optimizer.safetensors",
         "checkpoint-7/schedule.safetensors", "checkpoint-7/pytorch_model.bin"},
        {"iter_7/mp_rank_00/x.safetensors", "iter_7/mp_rank_01/x.safetensors"}};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(mkdir(file_at(files, folders[i]), 0700), 0);
    for (size_t group = 0; group < 2; group++) {
        for (size_t i = 0; inputs[group][i]; i++)
            save(files, inputs[group][i], "7", 1, 2, 3 + (float)i);
        if (group == 0) { /* settings and no tensor */
            static const char bare[] = "\x1d\0\0\0\0\0\0\0{\"__metadata__\":{\"lr\":\"0.5\"}}";
            file_put(files, inputs[0][2], bare, sizeof(bare) - 1);
        }
        snprintf(operands, sizeof(operands), "'%s'", file_at(files, folders[group]));
        cJSON *json = inspected(operands);
        const cJSON *input, *first = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "inputs"), 0);
        cJSON_ArrayForEach(input, cJSON_GetObjectItem(json, "inputs"))
        {
            const bool copy = strstr(word(input, "path"), "pytorch_model") != NULL;
            assert_string_equal(word(input, "status"), copy ? "skipped" : "ok");
            if (!copy)
                assert_string_equal(word(input, "run"), word(first, "run"));
        }
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "tensors")), 4);
        cJSON_Delete(json);
    }
}

static void finds_the_line_in_a_folder_and_leaves_members_apart(void **state)
{
    struct files *files = *state;
    char operands[512], folder[128];
    snprintf(folder, sizeof(folder), "%s/folder", files->folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    save(files, "folder/net-9.safetensors", "", 1, 2, 3);
    save(files, "folder/net-10.safetensors", "", 1, 2, 4);
    save(files, "folder/fold1.safetensors", "", 5, 2, 4);
    save(files, "folder/fold2.safetensors", "", 6, 2, 4);
    snprintf(operands, sizeof(operands), "'%s'", folder);
    cJSON *json = inspected(operands);
    const cJSON *pair;
    int lines = 0;
    cJSON_ArrayForEach(pair, cJSON_GetObjectItem(json, "pairs"))
    {
        const bool net = strstr(word(pair, "a"), "net-9") && strstr(word(pair, "b"), "net-10");
        lines += net;
        assert_false(strstr(word(pair, "a"), "fold1") && strstr(word(pair, "b"), "fold2"));
        assert_true(!net || number(pair, "b_step") == 10);
    }
    assert_int_equal(lines, 1);
    cJSON_Delete(json);
}

static void survives_files_cut_at_every_length(void **state)
{
    struct files *files = *state;
    char operands[512], bytes[1024];
    save(files, "whole.safetensors", "10", 3, 4, 1);
    FILE *file = fopen(files->path, "rb");
    const size_t size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    snprintf(operands, sizeof(operands), "'%s/whole.safetensors' '%s/cut.safetensors'",
             files->folder, files->folder);
    for (size_t cut = 9; cut < size; cut += 7) {
        file_put(files, "cut.safetensors", bytes, cut);
        cJSON *json = inspected(operands);
        const cJSON *pairs = cJSON_GetObjectItem(json, "pairs");
        assert_true(cJSON_IsArray(pairs) && cJSON_GetArraySize(pairs) <= 1);
        if (cJSON_GetArraySize(pairs) == 1)
            assert_true(number(cJSON_GetArrayItem(pairs, 0), "compared") <= 2);
        cJSON_Delete(json);
    }
}

/* Both files read into one collector; false where memory ended. */
static bool collected(struct files *files, size_t limit, struct collection *collection,
                      struct arena *arena, struct vocabulary *vocabulary)
{
    static const char *const names[] = {"step_10.safetensors", "step_20.safetensors"};
    const struct collector_options options = {
        .vocabulary = vocabulary, .from = STEP_NONE, .to = STEP_NONE, .mode = RUN_AUTO};
    *arena = (struct arena){.limit = limit};
    struct error error = {0};
    struct collector *collector = collector_open(arena, &options, &error);
    bool good = collector != NULL;
    for (uint32_t i = 0; good && i < 2; i++) {
        struct arena scratch = {.limit = limit};
        struct input *input = NULL;
        struct sink *sink = NULL;
        const char *path = file_at(files, names[i]);
        assert_true(input_open(path, i + 1, &input, &error));
        const bool begun = collector_begin(collector, path, TEXT(""),
                                           format_named(TEXT("safetensors")), i + 1, &sink, &error);
        const struct reading reading = {
            .input = input, .scratch = &scratch, .sink = sink, .vocabulary = vocabulary};
        good = begun && collector_again(collector, path, &error) &&
               format_named(TEXT("safetensors"))->read(&reading, &error);
        /* An input is ended whatever became of it: that gives back what it held. */
        good = begun && collector_end(collector, STATUS_OK, 100, NULL, &error) && good;
        input_close(input);
        arena_free(&scratch);
    }
    good = good && collector_finish(collector, collection, &error);
    assert_true(good || error.kind == ERROR_MEMORY);
    return good;
}

static void survives_memory_that_ends_at_every_take(void **state)
{
    struct files *files = *state;
    struct arena rules = {0}, arena;
    struct collection collection;
    struct vocabulary *vocabulary = embedded_vocabulary(&rules, NULL);
    assert_non_null(vocabulary);
    save(files, "step_10.safetensors", "10", 3, 4, 1);
    save(files, "step_20.safetensors", "20", 3, 0, 1);
    bool good = false;
    for (size_t limit = 1; !good; limit = limit_after(limit)) {
        good = collected(files, limit, &collection, &arena, vocabulary);
        assert_true(!good || collection.runs[0].movement_count <= 1);
        arena_free(&arena);
    }
    assert_true(collected(files, 0, &collection, &arena, vocabulary));
    assert_int_equal(collection.runs[0].movement_count, 1);
    assert_int_equal(collection.runs[0].movements[0].identical, 1);
    assert_true(collection.runs[0].movements[0].tensors[0].pair.diff_l2 == 4);
    arena_free(&arena);
    arena_free(&rules);
}

static void holds_tensors(const cJSON *pair, const cJSON *expected)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(expected, "identical_names"))
    {
        const cJSON *tensor = tensor_of(pair, item->valuestring);
        assert_true(tensor && cJSON_IsTrue(cJSON_GetObjectItem(tensor, "identical")));
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(expected, "sample"))
    {
        static const char *const members[] = {"diff_l2", "rel"};
        const cJSON *tensor = tensor_of(pair, item->string);
        assert_non_null(tensor);
        for (size_t i = 0; i < 2; i++) {
            const double wanted = number(item, members[i]);
            assert_true(isnan(wanted) ||
                        fabs(number(tensor, members[i]) - wanted) <= 1e-6 * fabs(wanted) + 1e-12);
        }
    }
}

static void agrees_with_the_pairs_of_the_corpus(void **unused)
{
    (void)unused;
    static const char *const counts[] = {"compared", "identical", "not_comparable"};
    char path[512], operands[1536];
    static char line[LINE_BYTES];
    const char *root = getenv("SOURCE_ROOT");
    snprintf(path, sizeof(path), "%s/../shared/corpus/checkpoints/pairs.jsonl", root);
    FILE *labels = fopen(path, "r");
    if (!labels) {
        print_message("skipped: no ../shared/corpus/checkpoints\n");
        skip();
    }
    for (int lines = 0; fgets(line, sizeof(line), labels); lines++) {
        cJSON *expected = cJSON_Parse(line);
        assert_non_null(expected);
        snprintf(operands, sizeof(operands),
                 "'%s/../shared/corpus/checkpoints/%s' '%s/../shared/corpus/checkpoints/%s'", root,
                 word(expected, "a"), root, word(expected, "b"));
        cJSON *json = inspected(operands);
        const cJSON *pair = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "pairs"), 0);
        print_message("%s\n", operands);
        assert_non_null(pair);
        for (size_t i = 0; i < 3; i++)
            assert_true(number(pair, counts[i]) == number(expected, counts[i]));
        holds_tensors(pair, expected);
        cJSON_Delete(json);
        cJSON_Delete(expected);
    }
    fclose(labels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(orders_the_saves_of_orbax_by_step, files_open, files_close),
        cmocka_unit_test_setup_teardown(compares_in_order_of_steps, files_open, files_close),
        cmocka_unit_test_setup_teardown(takes_the_files_of_one_checkpoint_together, files_open,
                                        files_close),
        cmocka_unit_test_setup_teardown(finds_the_line_in_a_folder_and_leaves_members_apart,
                                        files_open, files_close),
        cmocka_unit_test_setup_teardown(survives_files_cut_at_every_length, files_open,
                                        files_close),
        cmocka_unit_test_setup_teardown(survives_memory_that_ends_at_every_take, files_open,
                                        files_close),
        cmocka_unit_test(agrees_with_the_pairs_of_the_corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
