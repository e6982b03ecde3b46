/* Rule files: comments, lines, and errors that name the nearest word. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char sample[] = "{ // \"not\": 1\n"
                             "  \"a\": [1, \"x//y\",\n"
                             "    {\"b\": {}, \"c\": \"\\\"//\"},\n"
                             "    -2.5e3], // end\n"
                             "\n"
                             "  \"d\":\n"
                             "    true\n"
                             "}\n";

static void finds_the_line_of_every_node(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct json json = {0};
    struct error error = {0};
    assert_true(json_parse(&arena, text_of(sample), "r.json", &json, &error));
    const cJSON *a = json_member(json.root, "a");
    assert_int_equal(json_line_of(&json, json.root), 1);
    assert_int_equal(json_line_of(&json, a), 2);
    assert_string_equal(cJSON_GetArrayItem(a, 1)->valuestring, "x//y");
    const cJSON *object = cJSON_GetArrayItem(a, 2);
    assert_int_equal(json_line_of(&json, object), 3);
    assert_int_equal(json_line_of(&json, json_member(object, "c")), 3);
    assert_int_equal(json_line_of(&json, cJSON_GetArrayItem(a, 3)), 4);
    assert_int_equal(json_line_of(&json, json_member(json.root, "d")), 7);
    assert_int_equal(json_line_of(&json, NULL), 0);
    json_free(&json);
    arena_free(&arena);
}

static void says_where_the_text_breaks(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct json json = {0};
    struct error error = {0};
    assert_false(json_parse(&arena, TEXT("{\n\"a\": 1,\n}"), "r.json", &json, &error));
    assert_string_equal(error.message, "r.json:3: this is not JSON");
    assert_false(json_parse(&arena, TEXT("{}\n\n{}"), "r.json", &json, &error));
    assert_string_equal(error.message, "r.json:3: more text behind the end of the document");
    assert_false(json_parse(&arena, TEXT(""), "r.json", &json, &error));
    arena_free(&arena);
}

static void says_what_is_not_closed(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"{\n\"a\": [1,\n2\n}\n", "r.json:2: the [ that begins here is not closed"},
        {"{\n\"a\": {\"b\": 1,\n\"c\": 2\n", "r.json:2: the { that begins here is not closed"},
        {"{\n\"a\": \"b,\n\"c\": 2}\n", "r.json:2: the \" that begins here is not closed"},
        {"{\n\"a\": 1", "r.json:1: the { that begins here is not closed"},
        {"{\n\n\"a\": 1x, \"b\": [2}\n", "r.json:3: this is not JSON"},
    };
    struct arena arena = {0};
    struct json json = {0};
    struct error error = {0};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_false(json_parse(&arena, text_of(rows[i].text), "r.json", &json, &error));
        assert_string_equal(error.message, rows[i].message);
    }
    arena_free(&arena);
}

static void names_unknown_members(void **state)
{
    (void)state;
    static const char *const known[] = {"severity", "a", NULL};
    struct arena arena = {0};
    struct json json = {0};
    struct error error = {0};
    assert_true(json_parse(&arena, TEXT("{\"a\": 1,\n \"severty\": 2}"), "r.json", &json, &error));
    assert_false(json_members(&json, json.root, known, &error));
    assert_string_equal(error.message,
                        "r.json:2: unknown member \"severty\"; did you mean \"severity\"?");
    json_free(&json);
    assert_true(json_parse(&arena, TEXT("{\"a\": 1, \"a\": 2}"), "r.json", &json, &error));
    assert_false(json_members(&json, json.root, known, &error));
    json_free(&json);
    arena_free(&arena);
}

static void blanks_comments_only(void **state)
{
    (void)state;
    char text[] = "{\"a//b\": \"\\\\\" // gone\n}";
    json_blank_comments(text, strlen(text));
    assert_string_equal(text, "{\"a//b\": \"\\\\\"        \n}");
}

static void reads_what_cjson_reads(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[0, -1, 12.5, 1e3, -2.5E-3, 9007199254740993]",
        "{\"a\": {\"b\": [true, false, null]}, \"\": \"\"}",
        "\"\\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u00e9 \\u20ac \\ud83d\\ude00\"",
        " [ ] ",
        "{}",
        "-0",
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct json json = {0};
        cJSON *wanted = cJSON_Parse(texts[i]);
        assert_true(json_parse(&arena, text_of(texts[i]), "r.json", &json, NULL));
        assert_true(cJSON_Compare(json.root, wanted, true));
        cJSON_Delete(wanted);
    }
    arena_free(&arena);
}

static void refuses_what_is_no_json(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",          "[1,]",        "{\"a\":1,}", "{\"a\"}",     "[1 2]",
        "01",        "1.",          ".5",         "+1",          "1e",
        "nan",       "NaN",         "tru",        "\"a",         "\"\\x\"",
        "\"\\u12\"", "\"\n\"",      "[1]]",       "\"\\ud800\"", "\"\\udc00\"",
        "{1:2}",     "\"\\u0000\"", "[",          "{\"a\":",
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct json json = {0};
        struct error error = {0};
        assert_false(json_parse(&arena, text_of(texts[i]), "r.json", &json, &error));
        assert_int_equal(error.kind, ERROR_MALFORMED);
    }
    char deep[400] = {0};
    memset(deep, '[', 200);
    memset(deep + 200, ']', 199);
    assert_false(json_parse(&arena, text_of(deep), "r.json", &(struct json){0}, NULL));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_cjson_reads),
        cmocka_unit_test(refuses_what_is_no_json),
        cmocka_unit_test(finds_the_line_of_every_node),
        cmocka_unit_test(says_where_the_text_breaks),
        cmocka_unit_test(says_what_is_not_closed),
        cmocka_unit_test(names_unknown_members),
        cmocka_unit_test(blanks_comments_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
