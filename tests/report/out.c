/* Nothing that an input holds reaches a terminal or a CI service as a command. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka asks for the three above. */
#include <cmocka.h>

struct printed {
    char bytes[512];
    size_t size;
};

static struct printed print_with(void (*write)(struct out *, struct text), struct text text,
                                 bool unicode)
{
    struct printed printed = {0};
    FILE *file = tmpfile();
    assert_non_null(file);
    struct out out = {.file = file, .unicode = unicode, .width = 80};
    write(&out, text);
    rewind(file);
    printed.size = fread(printed.bytes, 1, sizeof(printed.bytes) - 1, file);
    fclose(file);
    return printed;
}

static void expect_text(struct text text, const char *wanted)
{
    struct printed printed = print_with(out_text, text, false);
    assert_string_equal(printed.bytes, wanted);
}

static void expect_json(struct text text, const char *wanted)
{
    struct printed printed = print_with(out_json, text, true);
    assert_string_equal(printed.bytes, wanted);
}

static void escapes_control_bytes(void **state)
{
    (void)state;
    expect_text(TEXT("a\x1b[2Jb"), "a\\x1b[2Jb");
    expect_text(TEXT("a\tb\rc\n"), "a b\\x0dc\\x0a");
    expect_text((struct text){"a\0b", 3}, "a\\x00b");
    expect_text(TEXT("\x7f"), "\\x7f");
    expect_text(TEXT("\xc2\x9b"
                     "31m"),
                "\\x9b31m");
}

static void escapes_bytes_that_are_no_utf8(void **state)
{
    (void)state;
    expect_text(TEXT("\xff\xfe"), "\\xff\\xfe");
    expect_text(TEXT("\xc0\xaf"), "\\xc0\\xaf");                   /* overlong */
    expect_text(TEXT("\xed\xa0\x80"), "\\xed\\xa0\\x80");          /* a surrogate */
    expect_text(TEXT("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80"); /* over U+10FFFF */
    expect_text(TEXT("\xe2\x82"), "\\xe2\\x82");                   /* cut */
}

static void escapes_bidirectional_controls(void **state)
{
    (void)state;
    expect_text(TEXT("a\xe2\x80\xae"
                     "b"),
                "a\\u{202E}b");
    expect_text(TEXT("\xe2\x81\xa6"), "\\u{2066}");
}

static void keeps_sound_text(void **state)
{
    (void)state;
    expect_text(TEXT("loss 3.2 \xe8\xbd\xae\xe6\xac\xa1 \xc3\xa9"),
                "loss 3.2 \xe8\xbd\xae\xe6\xac\xa1 \xc3\xa9");
    expect_text(TEXT("std::vector a::b # [x]"), "std::vector a::b # [x]");
}

static void parts_the_marks_of_workflow_commands(void **state)
{
    (void)state;
    expect_text(TEXT("::error::x"), ":\\:error::x");
    expect_text(TEXT("  ::set-output name=a::b"), "  :\\:set-output name=a::b");
    expect_text(TEXT("x ##[error]y"), "x #\\#[error]y");
    expect_text(TEXT("##vso[task.setvariable]"), "#\\#vso[task.setvariable]");
    struct printed printed = print_with(out_text, TEXT("::warning::x"), true);
    assert_string_equal(printed.bytes, ":\xe2\x80\x8b:warning::x");
}

static void writes_json_strings_that_parse_to_the_same(void **state)
{
    (void)state;
    expect_json(TEXT("a \"b\" \\ c\n\t\r"), "\"a \\\"b\\\" \\\\ c\\n\\t\\r\"");
    expect_json((struct text){"\0", 1}, "\"\\u0000\"");
    expect_json(TEXT("\x1b[2J\x7f\xc2\x9b"), "\"\\u001b[2J\\u007f\\u009b\"");
    expect_json(TEXT("\xe2\x80\xae"), "\"\\u202e\"");
    expect_json(TEXT("\xff"), "\"\\ufffd\"");
    expect_json(TEXT("x ##[error]y # z"), "\"x \\u0023#[error]y # z\"");
    expect_json(TEXT("##vso[x]"), "\"\\u0023#vso[x]\"");
    expect_json(TEXT("\xf0\x9f\x98\x80"), "\"\xf0\x9f\x98\x80\"");
    expect_json(TEXT(""), "\"\"");
}

static void lets_no_byte_through_raw(void **state)
{
    (void)state;
    for (int first = 0; first < 256; first++) {
        char bytes[2] = {(char)first, 'x'};
        struct text text = {bytes, 2};
        struct printed printed = print_with(out_text, text, true);
        for (size_t i = 0; i < printed.size; i++)
            assert_in_range((unsigned char)printed.bytes[i], 0x20, 0x7e);
        printed = print_with(out_json, text, true);
        for (size_t i = 0; i < printed.size; i++)
            assert_in_range((unsigned char)printed.bytes[i], 0x20, 0x7e);
    }
}

static void measures_the_escaped_form(void **state)
{
    (void)state;
    assert_int_equal(text_width(TEXT("abc")), 3);
    assert_int_equal(text_width(TEXT("\x1b")), 4);
    assert_int_equal(text_width(TEXT("\xe8\xbd\xae")), 2);
    assert_int_equal(text_width(TEXT("\xc3\xa9")), 1);
    assert_int_equal(text_width(TEXT("\xe2\x80\xae")), 8);
}

static void follows_the_column(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    struct out out = {.file = file, .width = 80};
    out_literal(&out, "ab\nc");
    assert_int_equal(out.column, 1);
    out_text(&out, TEXT("\xe8\xbd\xae"));
    assert_int_equal(out.column, 3);
    out_style(&out, STYLE_ERROR);
    assert_int_equal(out.column, 3);
    fclose(file);
}

static void notices_that_nothing_can_be_written(void **state)
{
    (void)state;
    FILE *file = fopen("/dev/full", "w");
    if (!file)
        return;
    setvbuf(file, NULL, _IONBF, 0);
    struct out out = {.file = file, .width = 80};
    out_text(&out, TEXT("a"));
    assert_true(out.failed);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes_control_bytes),
        cmocka_unit_test(escapes_bytes_that_are_no_utf8),
        cmocka_unit_test(escapes_bidirectional_controls),
        cmocka_unit_test(keeps_sound_text),
        cmocka_unit_test(parts_the_marks_of_workflow_commands),
        cmocka_unit_test(writes_json_strings_that_parse_to_the_same),
        cmocka_unit_test(lets_no_byte_through_raw),
        cmocka_unit_test(measures_the_escaped_form),
        cmocka_unit_test(follows_the_column),
        cmocka_unit_test(notices_that_nothing_can_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
