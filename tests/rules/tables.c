/* The tables in the program are what its rule files say, to the last member. */
/* SPDX-License-Identifier: MIT */
#include "../../rules/tables/fields.h"
#include "stalldoc/rule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;
static const struct rules *read;
static char where[200]; /* the path to the first difference */

static int load(void **state)
{
    (void)state;
    struct error error = {0};
    read = rules_read(&arena, NULL, &error);
    if (!read)
        print_error("%s\n", error.message);
    return read ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static bool same(const struct type *type, const void *a, const void *b, size_t used);

static bool fields_same(const struct type *type, const char *a, const char *b, size_t used)
{
    for (const struct field *field = type->fields; field->name; field++) {
        const size_t count = field_count(field, a), size = field->type->size;
        const int put = snprintf(where + used, sizeof(where) - used, ".%s", field->name);
        const size_t end = used + (size_t)put < sizeof(where) ? used + (size_t)put : used;
        if (count != field_count(field, b))
            return false;
        const char *as = field_items(field, a), *bs = field_items(field, b);
        for (size_t i = 0; i < count; i++) {
            const int number = snprintf(where + end, sizeof(where) - end, "[%zu]", i);
            const size_t next = end + (size_t)number < sizeof(where) ? end + (size_t)number : end;
            if (!same(field->type, as + i * size, bs + i * size, next))
                return false;
        }
    }
    return true;
}

static bool same(const struct type *type, const void *a, const void *b, size_t used)
{
    const char *as, *bs;
    struct text at, bt;
    double ad, bd;
    switch (type->form) {
    case FORM_WHOLE:
    case FORM_DETECTOR:
        return memcmp(a, b, type->size) == 0;
    case FORM_REAL:
        memcpy(&ad, a, sizeof(ad));
        memcpy(&bd, b, sizeof(bd));
        return memcmp(a, b, sizeof(double)) == 0 || (isnan(ad) && isnan(bd));
    case FORM_STRING:
        memcpy(&as, a, sizeof(as));
        memcpy(&bs, b, sizeof(bs));
        return as && bs ? strcmp(as, bs) == 0 : as == bs;
    case FORM_TEXT:
        memcpy(&at, a, sizeof(at));
        memcpy(&bt, b, sizeof(bt));
        return text_equal(at, bt) && !at.data == !bt.data;
    case FORM_POINTER:
        memcpy(&as, a, sizeof(as));
        memcpy(&bs, b, sizeof(bs));
        return as && bs ? same(type->to, as, bs, used) : as == bs;
    case FORM_STRUCT:
        return fields_same(type, a, b, used);
    }
    return false;
}

static bool rules_same(const struct rules *a, const struct rules *b)
{
    where[0] = '\0';
    return same(type_of_rules, a, b, 0);
}

static void hold_what_the_files_say(void **state)
{
    (void)state;
    if (rules_embedded.symptom_count == 0)
        skip(); /* built for a machine whose programs do not run here */
    if (!rules_same(read, &rules_embedded))
        fail_msg("the tables differ from the files at %s", where);
}

static void are_what_a_start_takes(void **state)
{
    (void)state;
    struct arena own = {.limit = 1};
    if (rules_embedded.symptom_count == 0)
        skip();
    assert_ptr_equal(rules_load(&own, NULL, NULL), &rules_embedded);
}

/* Deep inside: a weight, a parameter, a condition's number, a word that speaks for another. */
static void are_compared_to_the_end(void **state)
{
    (void)state;
    struct rules other = *read;
    struct cause causes[64];
    struct evidence_item items[64];
    assert_true(read->cause_count <= 64 && read->causes[1].item_count <= 64);
    memcpy(causes, read->causes, read->cause_count * sizeof(*causes));
    memcpy(items, causes[1].items, causes[1].item_count * sizeof(*items));
    other.causes = causes;
    causes[1].items = items;
    assert_true(rules_same(read, &other));
    items[2].weight += 1;
    assert_false(rules_same(read, &other));
    assert_string_equal(where, ".causes[1].items[2].weight[0]");
    items[2].weight -= 1;
    items[0].text = "something else";
    assert_false(rules_same(read, &other));
    assert_string_equal(where, ".causes[1].items[0].text[0]");
}

static void leave_no_member_out(void **state)
{
    (void)state;
    struct pair {
        char first;
        double second;
    };
    static const struct type real = {
        .name = "double", .form = FORM_REAL, .size = sizeof(double), .alignment = _Alignof(double)};
    static const struct type byte = {.name = "char", .form = FORM_WHOLE, .size = 1, .alignment = 1};
    const struct field all[] = {
        {"first", offsetof(struct pair, first), 1, &byte, LIST_HELD, 0},
        {"second", offsetof(struct pair, second), sizeof(double), &real, LIST_HELD, 0},
        {0},
    };
    struct type type = {.name = "struct pair",
                        .form = FORM_STRUCT,
                        .size = sizeof(struct pair),
                        .alignment = _Alignof(struct pair),
                        .fields = all};
    assert_null(type_gap(&type));
    type.fields = all + 1;
    assert_ptr_equal(type_gap(&type), all + 1);
    const struct field some[] = {all[0], {0}};
    type.fields = some;
    assert_ptr_equal(type_gap(&type), some + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hold_what_the_files_say),
        cmocka_unit_test(are_what_a_start_takes),
        cmocka_unit_test(are_compared_to_the_end),
        cmocka_unit_test(leave_no_member_out),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
