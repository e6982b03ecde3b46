/* TensorFlow bundles made here: the index alone; the values beside it are another file's matter. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/made_zip.h"
#include "read/checkpoint/sample.h"

#include "../src/read/checkpoint/table.h"
#include "../src/read/checkpoint/tf_key.h"
#include "../src/read/crc32c.h"

extern const struct format format_tf_bundle;

static struct heard heard;

static void put_block(struct bytes *file, const char *entries, size_t size)
{
    size_t start = file->size;
    put(file, entries, size);
    put_int(file, 0, 4);
    put_int(file, 1, 4);
    put_int(file, 0, 1);
    put_int(file, crc32c_masked(crc32c(0, file->data + start, file->size - start)), 4);
}

/* The header, and one float32[2] tensor "w" in shard 0. */
static struct bytes made(void)
{
    static const char data[] = "\0\0\x06\x08\x01\x1a\x02\x08\x01"
                               "\0\x01\x0fw\x08\x01\x12\x04\x12\x02\x08\x02\x28\x08\x35\0\0\0\0";
    struct bytes file = {.size = 0};
    put_block(&file, data, sizeof(data) - 1);
    size_t index = file.size, size = index - 5;
    char entry[] = "\0\x01\x02x\0\0";
    entry[5] = (char)size;
    put_block(&file, entry, 6);
    size_t footer = file.size;
    put_int(&file, 0, 1);
    put_int(&file, 0, 1);
    put_int(&file, index, 1);
    put_int(&file, footer - index - 5, 1);
    while (file.size < footer + 40)
        put_int(&file, 0, 1);
    put(&file, "\x57\xfb\x80\x8b\x24\x75\x47\xdb", 8);
    return file;
}

static void names_tensors_whose_values_are_missing(void **unused)
{
    (void)unused;
    struct bytes file = made();
    struct error error = {0};
    assert_int_equal(
        format_tf_bundle.probe((struct span){file.data, file.size}, TEXT("model.index")), 95);
    assert_false(
        heard_read(&heard, &format_tf_bundle, file.data, file.size, "model.index", 0, &error));
    assert_non_null(strstr(error.message, "model.data-00000-of-00001 is missing"));
    assert_string_equal(heard.text, "tensor w float32 [2]\n");
}

static void says_a_cut_and_a_flipped_bit(void **unused)
{
    (void)unused;
    struct bytes file = made();
    for (size_t size = 0; size < file.size; size++) {
        struct error error = {0};
        assert_false(heard_read(&heard, &format_tf_bundle, file.data, size, "a", 0, &error));
        assert_int_equal(error.kind, ERROR_TRUNCATED);
    }
    struct error error = {0};
    file.data[12] ^= 1;
    assert_false(heard_read(&heard, &format_tf_bundle, file.data, file.size, "a", 0, &error));
    assert_int_equal(error.kind, ERROR_CHECKSUM);
}

static void unpacks_snappy_and_refuses_what_breaks_it(void **unused)
{
    (void)unused;
    static const uint8_t packed[] = {0x20, 0x1c, 'k', 'e',  'r',  'n', 'e',
                                     'l',  '/',  'm', 0x5e, 0x08, 0x00};
    uint8_t out[32];
    assert_true(snappy_unpack((struct span){packed, sizeof(packed)}, out, 32));
    assert_memory_equal(out, "kernel/mkernel/mkernel/mkernel/m", 32);
    for (size_t size = 0; size < sizeof(packed); size++)
        assert_false(snappy_unpack((struct span){packed, size}, out, 32));
    static const uint8_t far[] = {0x04, 0x00, 'a', 0x0e, 0x09, 0x00};
    assert_false(snappy_unpack((struct span){far, sizeof(far)}, out, 4));
}

static void joins_the_slices_of_a_variable(void **unused)
{
    (void)unused;
    struct error error;
    assert_true(sample_read(&heard, &format_tf_bundle, "tf_bundle/model.index", &error));
    assert_string_equal(heard.text, "columns float32 [2,2] 1 2 3 4\n"
                                    "plain float32 [2] 5 6\n"
                                    "word string []\n");
    sample_limits(&heard, &format_tf_bundle, "tf_bundle/model.index");
    sample_flips(&heard, &format_tf_bundle, "tf_bundle/model.index");
}

static void takes_keys_of_slices_apart(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct tf_key key;
    static const char w[] = "\0w\0\xffx\xff\0\0\1\1\2\x80\xc0\x40\x3f\xbf\x7f";
    assert_true(tf_key_parse((struct text){w, sizeof(w) - 1}, &arena, &key));
    assert_int_equal(key.name.size, 4);
    assert_memory_equal(key.name.data, "w\0x\xff", 4);
    assert_int_equal(key.rank, 2);
    assert_int_equal(key.start[0], 0);
    assert_int_equal(key.length[0], 64);
    assert_int_equal(key.start[1], -65);
    assert_int_equal(key.length[1], -1);
    for (size_t size = 0; size < sizeof(w) - 1; size++)
        assert_false(tf_key_parse((struct text){w, size}, &arena, &key));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_tensors_whose_values_are_missing),
        cmocka_unit_test(says_a_cut_and_a_flipped_bit),
        cmocka_unit_test(joins_the_slices_of_a_variable),
        cmocka_unit_test(takes_keys_of_slices_apart),
        cmocka_unit_test(unpacks_snappy_and_refuses_what_breaks_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
