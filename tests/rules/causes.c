/* The causes of the catalogue: each has evidence and a fix that can be pasted. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;
static const struct rules *rules;

static int load(void **state)
{
    (void)state;
    struct error error = {0};
    rules = rules_load(&arena, NULL, &error);
    if (!rules)
        print_error("%s\n", error.message);
    return rules ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static void has_a_file_for_every_cause(void **state)
{
    (void)state;
    const struct rule_file *catalogue = rule_files_embedded;
    while (catalogue->name && strcmp(catalogue->name, "catalogue.txt") != 0)
        catalogue++;
    assert_non_null(catalogue->name);
    size_t count = 0;
    for (struct text rest = catalogue->text; rest.size > 0;) {
        const size_t size = text_find(rest, TEXT("\n"));
        const struct text line = text_cut(rest, 0, size);
        rest = text_cut(rest, size + 1, rest.size);
        if (!text_starts(line, "cause "))
            continue;
        const struct text id = text_cut(line, 6, line.size);
        if (!rules_cause(rules, id))
            fail_msg("no file for %.*s", (int)id.size, id.data);
        count++;
    }
    assert_int_equal(count, rules->cause_count);
}

static void has_evidence_for_and_a_fix(void **state)
{
    (void)state;
    for (size_t i = 0; i < rules->cause_count; i++) {
        const struct cause *cause = &rules->causes[i];
        double most = 0;
        for (size_t k = 0; k < cause->item_count; k++)
            most = cause->items[k].weight > most ? cause->items[k].weight : most;
        if (most < 1)
            fail_msg("nothing speaks for %s", cause->id);
        if (cause->fix_count == 0)
            fail_msg("no fix for %s", cause->id);
        for (size_t k = 0; k < cause->fix_count; k++) {
            assert_true(cause->fixes[k].snippet_count > 0);
            assert_true(strlen(cause->fixes[k].expect) > 0);
        }
    }
}

static void names_only_causes_and_symptoms_of_the_catalogue_in_fixed_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < rules->messages->row_count; i++) {
        const struct message_row *row = &rules->messages->rows[i];
        for (size_t k = 0; row->causes[k]; k++)
            if (!rules_cause(rules, text_of(row->causes[k])))
                fail_msg("%s names a cause %s", row->id, row->causes[k]);
        for (size_t k = 0; row->symptoms[k]; k++)
            if (!rules_symptom(rules, text_of(row->symptoms[k])))
                print_message("%s names %s, which has no file yet\n", row->id, row->symptoms[k]);
        if (row->strength == STRENGTH_DECIDES || row->strength == STRENGTH_SUPPORTS)
            assert_non_null(row->causes[0]);
        if (row->strength == STRENGTH_HARMLESS)
            assert_null(row->symptoms[0]);
    }
}

static bool form_known(const struct symptom *symptom, const char *form)
{
    for (size_t i = 0; i < symptom->message_count; i++)
        if (strcmp(symptom->messages[i].form, form ? form : "message") == 0)
            return true;
    return false;
}

static void names_forms_that_the_symptoms_know(void **state)
{
    (void)state;
    for (size_t i = 0; i < rules->messages->row_count; i++) {
        const struct message_row *row = &rules->messages->rows[i];
        for (size_t k = 0; row->symptoms[k]; k++) {
            const struct symptom *symptom = rules_symptom(rules, text_of(row->symptoms[k]));
            if (symptom && !form_known(symptom, row->forms[k]))
                fail_msg("%s: %s has no form %s", row->id, row->symptoms[k],
                         row->forms[k] ? row->forms[k] : "message");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_a_file_for_every_cause),
        cmocka_unit_test(has_evidence_for_and_a_fix),
        cmocka_unit_test(names_only_causes_and_symptoms_of_the_catalogue_in_fixed_texts),
        cmocka_unit_test(names_forms_that_the_symptoms_know),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
