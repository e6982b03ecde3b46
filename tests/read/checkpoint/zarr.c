/* Arrays of Zarr: chunks put together, left out, packed, short; what is not read is named. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

extern const struct format format_zarr;

static struct heard heard;

static void puts_chunks_together(void **unused)
{
    (void)unused;
    /* Two by two chunks of 2 x 3; the last one, with 14 and 15, is not there. */
    static const char *const folders[] = {"plain", "packed", "deflated"};
    for (int i = 0; i < 3; i++) {
        struct error error;
        char name[64], wanted[128];
        snprintf(name, sizeof(name), "zarr/%s/.zarray", folders[i]);
        assert_int_equal(sample_probe(&format_zarr, name), 80); /* 98 with its own name */
        assert_true(sample_read(&heard, &format_zarr, name, &error));
        snprintf(wanted, sizeof(wanted), "%s float32 [3,5] 1 2 3 4 5 6 7 8 9 10 11 12 13 0 0\n",
                 folders[i]);
        assert_string_equal(heard.text, wanted);
    }
}

static void leaves_a_single_chunk_where_it_lies(void **unused)
{
    (void)unused;
    struct error error;
    assert_true(sample_read(&heard, &format_zarr, "zarr/alone/.zarray", &error));
    assert_string_equal(heard.text, "alone float32 [2,3] 1 2 3 4 5 6\n");
}

static void says_a_chunk_that_is_cut(void **unused)
{
    (void)unused;
    struct error error;
    assert_false(sample_read(&heard, &format_zarr, "zarr/short/.zarray", &error));
    assert_int_equal(error.kind, ERROR_TRUNCATED);
    assert_non_null(strstr(error.message, "0.0: a chunk of 20 bytes, not 24"));
    assert_string_equal(heard.text, "short float32 [2,3] absent\n");
}

static void names_what_it_does_not_read(void **unused)
{
    (void)unused;
    struct error error;
    assert_false(sample_read(&heard, &format_zarr, "zarr/foreign/.zarray", &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    assert_string_equal(heard.text, "foreign float32 [2,3] absent\n");
    assert_false(sample_read(&heard, &format_zarr, "zarr/third/zarr.json", &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    assert_string_equal(heard.text, "third bfloat16 [7] absent\n");
}

static bool read_text(const char *text, struct error *error)
{
    return sample_read_part(&heard, &format_zarr,
                            (struct span){(const uint8_t *)text, strlen(text)}, strlen(text), 0,
                            error);
}

static void refuses_sizes_that_lie(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "{\"zarr_format\":2,\"dtype\":\"<f4\",\"shape\":[-1],\"chunks\":[1]}",
        "{\"zarr_format\":2,\"dtype\":\"<f4\",\"shape\":[4],\"chunks\":[0]}",
        "{\"zarr_format\":2,\"dtype\":\"<f4\",\"shape\":[4,4],\"chunks\":[4]}",
        "{\"zarr_format\":2,\"dtype\":\"<f4\",\"shape\":[1e15,1e15],\"chunks\":[1,1]}",
        "{\"zarr_format\":2,\"dtype\":\"<f4\",\"chunks\":[1]}",
    };
    struct error error;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_false(read_text(texts[i], &error));
        assert_int_equal(error.kind, ERROR_MALFORMED);
    }
    assert_false(read_text("{\"zarr_format\":2,\"dtype\":\"<f4\",\"shape\":[1000000000],"
                           "\"chunks\":[1]}",
                           &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    assert_true(read_text("{\"zarr_format\":3,\"node_type\":\"group\"}", &error));
}

static void fails_cleanly(void **unused)
{
    (void)unused;
    sample_cuts(&heard, &format_zarr, "zarr/foreign/.zarray");
    sample_flips(&heard, &format_zarr, "zarr/foreign/.zarray");
    sample_limits(&heard, &format_zarr, "zarr/foreign/.zarray");
    bool sound = false;
    for (size_t limit = 1; !sound; limit = limit_after(limit)) { /* with its chunks beside it */
        struct error error = {0};
        struct input *input;
        assert_true(input_open(sample_path("zarr/packed/.zarray"), 1, &input, &error));
        sound = sample_read_input(&heard, &format_zarr, input, limit, &error);
        assert_true(sound || error.kind == ERROR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_chunks_together),
        cmocka_unit_test(leaves_a_single_chunk_where_it_lies),
        cmocka_unit_test(says_a_chunk_that_is_cut),
        cmocka_unit_test(names_what_it_does_not_read),
        cmocka_unit_test(refuses_sizes_that_lie),
        cmocka_unit_test(fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
