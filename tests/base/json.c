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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_line_of_every_node),
        cmocka_unit_test(says_where_the_text_breaks),
        cmocka_unit_test(names_unknown_members),
        cmocka_unit_test(blanks_comments_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
