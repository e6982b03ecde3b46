/* Bare pickles: arrays are read, calls are named and never made. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/made_zip.h"
#include "read/checkpoint/sample.h"

extern const struct format format_pickle_file;

#define READ(literal)                                                                              \
    heard_read(&heard, &format_pickle_file, literal, sizeof(literal) - 1, "a.pkl", 0, &error)

static struct heard heard;

static void names_a_dangerous_call_without_making_it(void **unused)
{
    (void)unused;
    struct error error = {0};
    assert_false(READ("\x80\x02"
                      "cposix\nsystem\n(X\x04\0\0\0echotR."));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "posix.system"));
    assert_non_null(strstr(error.message, "nothing was executed"));
}

static void reads_an_array_with_its_settings(void **unused)
{
    (void)unused;
    struct error error = {0};
    assert_true(READ("\x80\x02}(X\x02\0\0\0lrG?\x50\x62\x4d\xd2\xf1\xa9\xfcX\x01\0\0\0m"
                     "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\0\x85"
                     "C\x01"
                     "b"
                     "tR(K\x01K\x02\x85"
                     "cnumpy\ndtype\n(X\x02\0\0\0f4K\0K\x01tR"
                     "(K\x03X\x01\0\0\0<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb\x89"
                     "C\x08"
                     "01234567"
                     "tbu."));
    assert_string_equal(heard.text, "setting lr=0.001\ntensor m float32 [2]\n");
}

#define OLD_ARRAY(bytes)                                                                           \
    "(dp0\n"                                                                                       \
    "Vw\n"                                                                                         \
    "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntVb\ntR"                         \
    "(I1\n(I3\ntcnumpy\ndtype\n(Vf4\nI0\nI1\ntR(I3\nV<\nNNNI-1\nI-1\nI0\ntbI00\n" bytes "tbs."

static void takes_escapes_for_the_bytes_they_are(void **unused)
{
    (void)unused;
    struct error error = {0};
    /* 1, -2 and little over 0.25, whose bytes are 01 00 80 3e; then with a line end in it. */
    static const char third[] = OLD_ARRAY(
        "c_codecs\nencode\n(V\\u0000\\u0000\x80?\\u0000\\u0000\\u0000\xc0\\u0001\\u0000\x80>\n"
        "Vlatin1\ntR");
    static const char second[] = OLD_ARRAY("S'\\x00\\x00\x80?\\x00\\x00\\x00\xc0\\n\\\\\x80>'\n");
    assert_true(sample_read_part(&heard, &format_pickle_file,
                                 (struct span){(const uint8_t *)third, sizeof(third) - 1},
                                 sizeof(third) - 1, 0, &error));
    assert_string_equal(heard.text, "w float32 [3] 1 -2 0.25\n");
    assert_true(sample_read_part(&heard, &format_pickle_file,
                                 (struct span){(const uint8_t *)second, sizeof(second) - 1},
                                 sizeof(second) - 1, 0, &error));
    assert_string_equal(heard.text, "w float32 [3] 1 -2 0.250702\n");
    for (size_t limit = 1; limit < 1 << 16; limit = limit_after(limit))
        if (!sample_read_part(&heard, &format_pickle_file,
                              (struct span){(const uint8_t *)third, sizeof(third) - 1},
                              sizeof(third) - 1, limit, &error))
            assert_int_equal(error.kind, ERROR_MEMORY);
}

static void bounds_what_a_hostile_stream_asks_for(void **unused)
{
    (void)unused;
    struct error error = {0};
    assert_false(READ("\x80\x02Nr\xff\xff\xff\xff.")); /* a memo index of 2^32 - 1 */
    assert_int_equal(error.kind, ERROR_MALFORMED);
    assert_false(READ("\x80\x02R."));
    assert_int_equal(error.kind, ERROR_MALFORMED);
    assert_false(READ("\x80\x02X\xff\xff\xff\x7f"
                      "abc."));
    assert_int_equal(error.kind, ERROR_TRUNCATED);
    assert_false(READ("\x80\x02(."));
    assert_int_equal(error.kind, ERROR_MALFORMED);
    assert_false(READ("\x80\x02]Nu."));
    assert_int_equal(error.kind, ERROR_MALFORMED);
}

/* Each list holds the one before it twice: 2^40 paths in 200 bytes. */
static void ends_on_sharing_without_end(void **unused)
{
    (void)unused;
    struct bytes file = {.size = 0};
    struct error error = {0};
    put(&file, "\x80\x02]q\0", 5);
    for (unsigned i = 1; i <= 40; i++) {
        put(&file, "](h", 3);
        put_int(&file, i - 1, 1);
        put(&file, "h", 1);
        put_int(&file, i - 1, 1);
        put(&file, "eq", 2);
        put_int(&file, i, 1);
    }
    put(&file, ".", 1);
    assert_false(heard_read(&heard, &format_pickle_file, file.data, file.size, "a", 0, &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_a_dangerous_call_without_making_it),
        cmocka_unit_test(reads_an_array_with_its_settings),
        cmocka_unit_test(takes_escapes_for_the_bytes_they_are),
        cmocka_unit_test(bounds_what_a_hostile_stream_asks_for),
        cmocka_unit_test(ends_on_sharing_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
