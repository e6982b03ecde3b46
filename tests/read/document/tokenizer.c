/* The streaming tokenizer: what it takes, what it refuses, and where things stand. */
/* SPDX-License-Identifier: MIT */
#include "read/document/tokenizer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char said[8192];

static void say(const struct json_token *token)
{
    static const char marks[] = {
        [JSON_END] = '.',      [JSON_OBJECT] = '{', [JSON_OBJECT_END] = '}', [JSON_LIST] = '[',
        [JSON_LIST_END] = ']', [JSON_KEY] = 'k',    [JSON_STRING] = 's',     [JSON_NUMBER] = 'n',
        [JSON_TRUE] = 't',     [JSON_FALSE] = 'f',  [JSON_NULL] = '0',       [JSON_LINE_END] = '|'};
    size_t used = strlen(said);
    bool texts =
        token->kind == JSON_KEY || token->kind == JSON_STRING || token->kind == JSON_NUMBER;
    snprintf(said + used, sizeof(said) - used, "%c%.*s%s ",
             token->broken ? '!' : marks[token->kind], texts ? (int)token->text.size : 0,
             texts ? token->text.data : "", texts && !token->last ? "..." : "");
}

static const char *tokens_of(const char *text, bool lines)
{
    struct tokenizer tokenizer;
    struct json_token token = {.kind = JSON_NULL};
    struct error error = {0};
    said[0] = '\0';
    tokenizer_over(&tokenizer, (struct span){(const uint8_t *)text, strlen(text)}, lines);
    while (token.kind != JSON_END) {
        if (!tokenizer_next(&tokenizer, &token, &error))
            return NULL;
        say(&token);
    }
    return said;
}

static void cuts_documents(void **state)
{
    (void)state;
    assert_string_equal(tokens_of("{\"a\": [1, -2.5e3, \"x\"], \"b\": {}, \"b\": null}", false),
                        "{ ka [ n1 n-2.5e3 sx ] kb { } kb 0 } . ");
    assert_string_equal(tokens_of("[NaN, -Infinity, inf, true, false,12345678901234567890]", false),
                        "[ nNaN n-Infinity ninf t f n12345678901234567890 ] . ");
    assert_string_equal(tokens_of("", false), ". ");
}

static void resolves_escapes(void **state)
{
    (void)state;
    assert_string_equal(tokens_of("\"a\\n\\\"\\u00e9\\ud83d\\ude00\\ud83dx\\/\"", false),
                        "sa\n\"\xC3\xA9\xF0\x9F\x98\x80\xEF\xBF\xBDx/ . ");
    assert_string_equal(tokens_of("\"\xFF\xFE\"", false), "s\xFF\xFE . ");
}

static void refuses_what_is_no_json(void **state)
{
    (void)state;
    static const char *const texts[] = {"{'a': 1}", "{\"a\" 1}", "[1 2]",     "{\"a\": }",
                                        "[1,]}",    "]",         "[01x]",     "loss 3.5",
                                        "{1: 2}",   "[,1]",      "{\"a\":,}", "[:1]"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (tokens_of(texts[i], false))
            fail_msg("%s was taken: %s", texts[i], said);
}

static void lines_are_documents(void **state)
{
    (void)state;
    assert_string_equal(tokens_of("{\"a\": 1}\n\n{\"b\n[2]\r\n{} {}\n3", true),
                        "{ ka n1 } | { ! ! { } ! ! . ");
}

/* With their indentation, and as long as there is room. */
static void lines_that_open_no_object_are_told(void **state)
{
    static const char text[] = "{}\n  File \"a.py\"\n[1]";
    struct tokenizer tokenizer;
    struct json_token token = {0};
    struct error error = {0};
    (void)state;
    tokenizer_over(&tokenizer, (struct span){(const uint8_t *)text, sizeof(text) - 1}, true);
    for (int i = 0; i < 4; i++)
        assert_true(tokenizer_next(&tokenizer, &token, &error));
    assert_int_equal(token.kind, JSON_LINE_END);
    assert_true(token.broken);
    assert_true(text_is(token.text, "  File \"a.py\""));
    assert_int_equal(token.place.line, 2);
    assert_true(tokenizer_next(&tokenizer, &token, &error));
    assert_true(text_is(token.text, "[1]"));
}

static void long_strings_come_in_parts(void **state)
{
    (void)state;
    enum { SIZE = 10000 };
    static char text[SIZE + 3];
    struct tokenizer tokenizer;
    struct json_token token;
    struct error error = {0};
    memset(text, 'x', sizeof(text) - 1);
    text[0] = text[SIZE + 1] = '"';
    tokenizer_over(&tokenizer, (struct span){(const uint8_t *)text, SIZE + 2}, false);
    size_t size = 0, parts = 0;
    do {
        assert_true(tokenizer_next(&tokenizer, &token, &error));
        assert_int_equal(token.kind, JSON_STRING);
        assert_true(token.first == (parts == 0));
        size += token.text.size;
        parts++;
    } while (!token.last);
    assert_int_equal(size, SIZE);
    assert_true(parts > 1);
    assert_true(tokenizer_next(&tokenizer, &token, &error));
    assert_int_equal(token.kind, JSON_END);
}

static void knows_lines_and_offsets_over_windows(void **state)
{
    (void)state;
    enum { ITEMS = 30000 };
    char path[] = "/tmp/stalldoc-test-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fputs("[", file);
    for (int i = 0; i < ITEMS; i++)
        fprintf(file, "%s\n%7d", i ? "," : "", i);
    fputs("]", file);
    fclose(file);
    struct arena arena = {0};
    struct input *input = NULL;
    struct error error = {0};
    struct tokenizer tokenizer;
    struct json_token token;
    assert_true(input_open(path, 1, &input, &error));
    assert_true(tokenizer_open(&tokenizer, input, &arena, false, &error));
    assert_true(tokenizer_next(&tokenizer, &token, &error));
    for (uint64_t i = 0; i < ITEMS; i++) {
        assert_true(tokenizer_next(&tokenizer, &token, &error));
        assert_int_equal(token.kind, JSON_NUMBER);
        assert_int_equal(token.place.line, i + 2);
        assert_int_equal(token.text.size > 0, true);
        assert_int_equal(token.place.offset + token.text.size, 9 + i * 9);
    }
    assert_int_equal(tokenizer_lines(&tokenizer), ITEMS + 1);
    input_close(input);
    arena_free(&arena);
    unlink(path);
}

static void skips_whole_values(void **state)
{
    (void)state;
    static const char text[] = "[{\"a\": [1, {\"b\": 2}]}, 7]";
    struct tokenizer tokenizer;
    struct json_token token;
    struct error error = {0};
    tokenizer_over(&tokenizer, (struct span){(const uint8_t *)text, strlen(text)}, false);
    assert_true(tokenizer_next(&tokenizer, &token, &error));
    assert_true(tokenizer_next(&tokenizer, &token, &error));
    assert_true(tokenizer_skip(&tokenizer, &token, &error));
    assert_true(tokenizer_next(&tokenizer, &token, &error));
    assert_true(token.kind == JSON_NUMBER && text_is(token.text, "7"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_documents),
        cmocka_unit_test(resolves_escapes),
        cmocka_unit_test(refuses_what_is_no_json),
        cmocka_unit_test(lines_are_documents),
        cmocka_unit_test(lines_that_open_no_object_are_told),
        cmocka_unit_test(long_strings_come_in_parts),
        cmocka_unit_test(knows_lines_and_offsets_over_windows),
        cmocka_unit_test(skips_whole_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
