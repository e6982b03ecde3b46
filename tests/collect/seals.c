/* Storages held against their checksums while the tensors in them are measured. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/crc32.h"
#include "tape.h"

#include <stdio.h>

static const struct format fed_torch = {.name = "torch", .group = FORMAT_CHECKPOINT};
static const float values[] = {1, 2, 3, 4, 5, 6, 7, 8};

enum { HALF = 16 }; /* bytes: two storages of four values */

struct sent {
    struct fed fed;
    struct input *input;
};

static void begin(struct sent *sent)
{
    struct error error = {0};
    fed_open(&sent->fed, RUN_AUTO);
    assert_true(input_memory((struct span){(const uint8_t *)values, sizeof(values)}, "m.pt", 9,
                             &sent->input, &error));
    fed_begin(&sent->fed, "m.pt", "", &fed_torch);
}

static void send_tensor(struct sent *sent, const char *name, uint64_t offset, uint64_t count)
{
    const struct tensor_view view = {.name = text_of(name),
                                     .type = TEXT(""),
                                     .dtype = DTYPE_FLOAT32,
                                     .rank = 1,
                                     .shape = {(int64_t)count},
                                     .stride = {1},
                                     .input = sent->input,
                                     .offset = offset,
                                     .size = HALF};
    assert_true(sent->fed.sink->tensor(sent->fed.sink, &view, NULL));
}

static void send_seal(struct sent *sent, const char *name, uint64_t offset, uint32_t turned)
{
    const struct seal seal = {
        .name = text_of(name),
        .input = sent->input,
        .offset = offset,
        .size = HALF,
        .crc = crc32_of(0, (const uint8_t *)values + offset, HALF) ^ turned,
    };
    assert_true(sent->fed.sink->seal(sent->fed.sink, &seal, NULL));
}

/* What the source says of its damage; the tensors are measured all the same. */
static const char *end(struct sent *sent, size_t tensors, double norm_of_first)
{
    static char said[256];
    fed_end(&sent->fed);
    input_close(sent->input);
    const struct run *run = fed_finish(&sent->fed);
    const struct source *source = &sent->fed.collection.sources[0];
    assert_int_equal(run->tensor_count, tensors);
    assert_true(run->tensors[0].measured);
    assert_true(run->tensors[0].stats.square == norm_of_first);
    assert_int_equal(source->status == STATUS_DAMAGED, source->error.kind == ERROR_CHECKSUM);
    snprintf(said, sizeof(said), "%s",
             source->error.kind == ERROR_CHECKSUM ? source->error.message : "");
    fed_close(&sent->fed);
    return said;
}

static void sound_storages_say_nothing(void **unused)
{
    (void)unused;
    struct sent sent;
    begin(&sent);
    send_tensor(&sent, "a", 0, 4);
    send_tensor(&sent, "b", HALF, 4);
    send_seal(&sent, "data/1", HALF, 0);
    send_seal(&sent, "data/0", 0, 0);
    assert_string_equal(end(&sent, 2, 30), "");
}

static void the_storage_of_a_turned_bit_is_named(void **unused)
{
    (void)unused;
    struct sent sent;
    begin(&sent);
    send_tensor(&sent, "a", 0, 4);
    send_tensor(&sent, "b", HALF, 4);
    send_seal(&sent, "data/1", HALF, 1);
    send_seal(&sent, "data/0", 0, 0);
    assert_string_equal(end(&sent, 2, 30), "storage data/1 fails its checksum");
}

/* The first is half of its storage, the second storage has no tensor: both are read for it. */
static void a_storage_that_is_no_whole_tensor_is_held_too(void **unused)
{
    (void)unused;
    for (uint32_t turned = 0; turned < 3; turned++) {
        struct sent sent;
        begin(&sent);
        send_tensor(&sent, "a", 0, 2);
        send_seal(&sent, "data/0", 0, turned == 1);
        send_seal(&sent, "data/1", HALF, turned == 2);
        assert_string_equal(end(&sent, 1, 5), turned == 1   ? "storage data/0 fails its checksum"
                                              : turned == 2 ? "storage data/1 fails its checksum"
                                                            : "");
    }
}

static void checksums_that_all_fail_were_left_out(void **unused)
{
    (void)unused;
    struct sent sent;
    begin(&sent);
    send_tensor(&sent, "a", 0, 4);
    send_seal(&sent, "data/0", 0, 7);
    send_seal(&sent, "data/1", HALF, 9);
    assert_string_equal(end(&sent, 1, 30), "");
    begin(&sent);
    send_tensor(&sent, "a", 0, 4);
    send_seal(&sent, "data/0", 0, 7);
    assert_string_equal(end(&sent, 1, 30), "storage data/0 fails its checksum");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_storages_say_nothing),
        cmocka_unit_test(the_storage_of_a_turned_bit_is_named),
        cmocka_unit_test(a_storage_that_is_no_whole_tensor_is_held_too),
        cmocka_unit_test(checksums_that_all_fail_were_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
