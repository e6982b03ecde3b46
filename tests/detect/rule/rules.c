/* rules_load: what a rule file may say, and the words for what it may not. */
/* SPDX-License-Identifier: MIT */
#include "files.h"

#include "stalldoc/rule.h"

#include <sys/stat.h>

/* Lines of the two files that the cases change. */
static const char *const symptom_lines[] = {
    "{\"id\": \"user-flat\", \"group\": \"user\", \"title\": \"it does not move\",",
    "\"detect\": [{\"detector\": \"level\", \"form\": \"high\", \"series\": [\"grad-norm\"],",
    "  \"points\": 3, \"parameters\": {\"ratio\": 10}}],",
    "\"gates\": [{\"if\": {\"gate\": \"adversarial\"}, \"then\": \"off\", \"why\": \"a game\"}],",
    "\"severity\": [{\"is\": \"error\", \"when\": {\"value\": \"points\", \"at-least\": 9}},",
    "  {\"is\": \"warning\"}],",
    "\"confidence\": [{\"is\": 0.7}],",
    "\"absorbs\": [], \"consequences\": [\"nan-loss\"],",
    "\"message\": {\"high\": \"{series} is high\"},",
    "\"texts\": {\"meaning\": \"a\", \"evidence\": \"b\", \"looks-like\": \"c\", \"do\": \"d\"}}",
    NULL,
};
static const char *const cause_lines[] = {
    "{\"id\": \"user-why\", \"title\": \"because\", \"meaning\": \"so\", \"prior\": 0,",
    "\"evidence\": [{\"symptom\": \"nan-loss\", \"weight\": 2, \"text\": \"at {onset}\"},",
    "  {\"when\": {\"fact\": \"clip\", \"is\": \"none\"}, \"weight\": 1, \"text\": \"no "
    "clipping\"}],",
    "\"order\": [\"lr-peak\", \"nan-loss\"],",
    "\"fixes\": [{\"title\": \"Less\", \"effort\": \"config\", \"expect\": \"calm\", \"snippets\": "
    "[",
    "  {\"framework\": \"any\", \"language\": \"text\", \"code\": \"lr={lr_peak*0.3|1e-4}\"}]}]}",
    NULL,
};

/* Writes the lines with one change into folder/name. */
static void write_changed(struct files *files, const char *name, const char *const *lines,
                          const char *from, const char *to)
{
    char text[4096];
    size_t size = 0;
    bool changed = !from;
    for (size_t i = 0; lines[i]; i++) {
        const char *at = from && !changed ? strstr(lines[i], from) : NULL;
        if (at) {
            size += (size_t)snprintf(text + size, sizeof(text) - size, "%.*s%s%s\n",
                                     (int)(at - lines[i]), lines[i], to, at + strlen(from));
            changed = true;
        } else {
            size += (size_t)snprintf(text + size, sizeof(text) - size, "%s\n", lines[i]);
        }
    }
    assert_true(changed);
    file_put(files, name, text, size);
}

/* The error of loading the folder, without the folder's name; "" where it loads. */
static const char *load(struct files *files)
{
    static struct error error;
    struct arena arena = {0};
    memset(&error, 0, sizeof(error));
    const struct rules *rules = rules_load(&arena, files->folder, &error);
    assert_int_equal(!rules, error.kind != ERROR_NONE);
    arena_free(&arena);
    size_t prefix = strlen(files->folder) + 1;
    return strncmp(error.message, files->folder, prefix - 1) == 0 ? error.message + prefix
                                                                  : error.message;
}

static void folders(struct files *files)
{
    mkdir(file_at(files, "symptoms"), 0755);
    mkdir(file_at(files, "causes"), 0755);
}

struct wrong {
    const char *from, *to, *error;
};

static void expect_symptom(void **state, const struct wrong *cases, size_t count)
{
    struct files *files = *state;
    folders(files);
    for (size_t i = 0; i < count; i++) {
        write_changed(files, "symptoms/user-flat.json", symptom_lines, cases[i].from, cases[i].to);
        assert_string_equal(load(files), cases[i].error);
    }
}

static void expect_cause(void **state, const struct wrong *cases, size_t count)
{
    struct files *files = *state;
    folders(files);
    for (size_t i = 0; i < count; i++) {
        write_changed(files, "causes/user-why.json", cause_lines, cases[i].from, cases[i].to);
        assert_string_equal(load(files), cases[i].error);
    }
}

#define CASES(cases) cases, sizeof(cases) / sizeof((cases)[0])

/* With a folder, an empty one here, every name of every file is looked up. */
static void loads_what_is_embedded(void **state)
{
    struct files *files = *state;
    struct arena arena = {0};
    struct error error = {0};
    const struct rules *rules = rules_load(&arena, files->folder, &error);
    assert_string_equal(error.message, "");
    assert_non_null(rules);
    for (size_t i = 1; i < rules->symptom_count; i++)
        assert_true(rules->symptoms[i - 1].order < rules->symptoms[i].order);
    for (size_t i = 1; i < rules->cause_count; i++)
        assert_true(rules->causes[i - 1].rank < rules->causes[i].rank);
    arena_free(&arena);
}

static void loads_a_users_files(void **state)
{
    static const struct wrong none[] = {{NULL, NULL, ""}};
    expect_symptom(state, CASES(none));
    expect_cause(state, CASES(none));
    struct files *files = *state;
    struct arena arena = {0};
    struct error error = {0};
    const struct rules *rules = rules_load(&arena, files->folder, &error);
    assert_non_null(rules);
    const struct symptom *symptom = rules_symptom(rules, TEXT("user-flat"));
    assert_non_null(symptom);
    assert_string_equal(symptom->title, "it does not move");
    assert_int_equal(symptom->use_count, 1);
    assert_true(symptom->uses[0].parameters[1].number == 10);
    const struct cause *cause = rules_cause(rules, TEXT("user-why"));
    assert_non_null(cause);
    assert_string_equal(cause->items[0].group, "loss-and-metrics");
    assert_string_equal(cause->items[1].group, "facts");
    assert_string_equal(cause->fixes[0].snippets[0].code, "lr={lr_peak*0.3|1e-4}");
    arena_free(&arena);
}

static void names_an_unknown_member(void **state)
{
    static const struct wrong cases[] = {
        {"\"gates\"", "\"gate\"",
         "symptoms/user-flat.json:4: unknown member \"gate\"; did you mean \"gates\"?"},
        {"\"points\"", "\"pionts\"",
         "symptoms/user-flat.json:3: unknown member \"pionts\"; did you mean \"points\"?"},
        {"\"absorbs\": []", "\"confidence\": []",
         "symptoms/user-flat.json:8: member \"confidence\" stands twice"},
    };
    expect_symptom(state, CASES(cases));
}

static void names_an_unknown_id(void **state)
{
    static const struct wrong cases[] = {
        {"[\"nan-loss\"]", "[\"nan-los\"]",
         "symptoms/user-flat.json:8: unknown symptom \"nan-los\"; did you mean \"nan-loss\"?"},
        {"user-flat", "user-flap",
         "symptoms/user-flat.json:1: id \"user-flap\" is unlike the file's name"},
    };
    expect_symptom(state, CASES(cases));
    static const struct wrong causes[] = {
        {"\"nan-loss\"]", "\"nan-lass\"]",
         "causes/user-why.json:4: unknown symptom \"nan-lass\"; did you mean \"nan-loss\"?"},
    };
    remove(file_at(*state, "symptoms/user-flat.json"));
    expect_cause(state, CASES(causes));
}

static void refuses_an_id_that_is_neither_known_nor_a_users(void **state)
{
    struct files *files = *state;
    folders(files);
    write_changed(files, "symptoms/loss-platau.json", symptom_lines, "user-flat", "loss-platau");
    assert_string_equal(load(files),
                        "symptoms/loss-platau.json:1: id \"loss-platau\" is not in the catalogue "
                        "and does not begin with \"user-\"; did you mean \"loss-plateau\"?");
}

static void names_an_unknown_kind(void **state)
{
    static const struct wrong cases[] = {
        {"[\"grad-norm\"]", "[\"grad-norms\"]",
         "symptoms/user-flat.json:2: unknown kind \"grad-norms\"; did you mean \"grad-norm\"?"},
    };
    expect_symptom(state, CASES(cases));
}

static void names_an_unknown_fact(void **state)
{
    static const struct wrong cases[] = {
        {"\"clip\"", "\"clipp\"",
         "causes/user-why.json:3: unknown fact \"clipp\"; did you mean \"clip\"?"},
        {"\"is\": \"none\"", "\"known\": 3", "causes/user-why.json:3: \"known\" is true or false"},
        {", \"is\": \"none\"", "",
         "causes/user-why.json:3: nothing is compared: is, above, below, at-least or at-most"},
    };
    expect_cause(state, CASES(cases));
}

static void names_an_unknown_gate(void **state)
{
    static const struct wrong cases[] = {
        {"\"adversarial\"", "\"adverserial\"",
         "symptoms/user-flat.json:4: unknown gate \"adverserial\"; did you mean \"adversarial\"?"},
    };
    expect_symptom(state, CASES(cases));
    static const struct wrong causes[] = {
        {"{\"fact\": \"clip\", \"is\": \"none\"}", "{\"gate\": \"restart-near\"}",
         "causes/user-why.json:3: gate \"restart-near\" needs an onset, and here is none"},
    };
    remove(file_at(*state, "symptoms/user-flat.json"));
    expect_cause(state, CASES(causes));
}

static void names_an_unknown_detector_or_parameter(void **state)
{
    static const struct wrong cases[] = {
        {"\"level\"", "\"levle\"",
         "symptoms/user-flat.json:2: unknown detector \"levle\"; did you mean \"level\"?"},
        {"\"ratio\"", "\"ratoi\"",
         "symptoms/user-flat.json:3: unknown parameter \"ratoi\"; did you mean \"ratio\"?"},
    };
    expect_symptom(state, CASES(cases));
}

static void names_a_parameter_out_of_range(void **state)
{
    static const struct wrong cases[] = {
        {"\"ratio\": 10", "\"last-groups\": 1e9",
         "symptoms/user-flat.json:3: parameter \"last-groups\" is 1e+09; it lies between 1 and 32"},
    };
    expect_symptom(state, CASES(cases));
}

static void names_an_unknown_value_or_form(void **state)
{
    static const struct wrong cases[] = {
        {"{\"value\": \"points\"", "{\"value\": \"pionts\"",
         "symptoms/user-flat.json:5: unknown value \"pionts\"; did you mean \"points\"?"},
        {"{\"value\": \"points\", \"at-least\": 9}", "{\"form\": \"hihg\"}",
         "symptoms/user-flat.json:5: unknown form \"hihg\"; did you mean \"high\"?"},
        {"{series}", "{serie}",
         "symptoms/user-flat.json:9: unknown placeholder \"serie\"; did you mean \"series\"?"},
    };
    expect_symptom(state, CASES(cases));
}

static void wants_a_message_for_each_form(void **state)
{
    static const struct wrong cases[] = {
        {"{\"high\": \"{series} is high\"}", "{\"message\": \"{text}\"}",
         "symptoms/user-flat.json:2: form \"high\" has no message"},
        {"{\"high\": \"{series} is high\"}", "{\"high\": \"a\", \"low\": \"b\"}",
         "symptoms/user-flat.json:9: no use gives the form \"low\""},
    };
    expect_symptom(state, CASES(cases));
}

static void wants_a_last_step_without_condition(void **state)
{
    static const struct wrong cases[] = {
        {"{\"is\": \"warning\"}", "{\"is\": \"warning\", \"when\": {\"gate\": \"pretrained\"}}",
         "symptoms/user-flat.json:6: the last severity has a condition; it is what else applies"},
        {"{\"is\": 0.7}", "{\"is\": 0.7, \"when\": {\"gate\": \"pretrained\"}}",
         "symptoms/user-flat.json:7: the last confidence has a condition; it is what else applies"},
        {"{\"is\": 0.7}", "{\"is\": 7}",
         "symptoms/user-flat.json:7: \"is\" is 7; it lies between 0 and 1"},
    };
    expect_symptom(state, CASES(cases));
}

static void refuses_absorbing_in_a_circle(void **state)
{
    static const struct wrong cases[] = {
        {"\"absorbs\": []", "\"absorbs\": [{\"symptom\": \"user-flat\"}]",
         "symptoms/user-flat.json:8: \"absorbs\" leads back to \"user-flat\""},
    };
    expect_symptom(state, CASES(cases));
}

static void keeps_conditions_to_what_can_be_known(void **state)
{
    static const struct wrong cases[] = {
        {"\"then\": \"off\", \"why\": \"a game\"", "\"set\": {\"ratio\": 20}", ""},
        {"{\"gate\": \"adversarial\"}, \"then\": \"off\", \"why\": \"a game\"",
         "{\"symptom\": \"nan-loss\"}, \"set\": {\"ratio\": 20}",
         "symptoms/user-flat.json:4: \"symptom\" is not known before detection"},
        {"{\"value\": \"points\", \"at-least\": 9}", "{\"value\": \"points\", \"when\": \"after\"}",
         "symptoms/user-flat.json:5: \"when\" does not go with \"value\""},
        {"{\"value\": \"points\", \"at-least\": 9}",
         "{\"gate\": \"pretrained\", \"fact\": \"clip\"}",
         "symptoms/user-flat.json:5: a condition has one subject, here are \"gate\" and \"fact\""},
    };
    expect_symptom(state, CASES(cases));
    static const struct wrong causes[] = {
        {"{\"fact\": \"clip\", \"is\": \"none\"}", "{\"symptom\": \"nan-loss\", \"within\": 0.1}",
         "causes/user-why.json:3: \"within\" needs an onset, and here is none"},
        {"{\"fact\": \"clip\", \"is\": \"none\"}", "{\"value\": \"points\", \"is\": 1}",
         "causes/user-why.json:3: \"value\" needs a candidate, and here is none"},
    };
    remove(file_at(*state, "symptoms/user-flat.json"));
    expect_cause(state, CASES(causes));
}

static void wants_a_default_for_facts_in_code(void **state)
{
    static const struct wrong cases[] = {
        {"{lr_peak*0.3|1e-4}", "{lr_peak*0.3}",
         "causes/user-why.json:6: {lr_peak} needs a default in code: {lr_peak|...}"},
        {"lr={lr_peak*0.3|1e-4}", "fp16: {enabled: true}", ""},
        {"at {onset}", "at { onset}",
         "causes/user-why.json:2: a brace that begins no placeholder is written {{"},
    };
    expect_cause(state, CASES(cases));
}

static void names_what_evidence_and_fixes_lack(void **state)
{
    static const struct wrong cases[] = {
        {"\"weight\": 2, ", "", "causes/user-why.json:2: member \"weight\" is missing"},
        {"\"weight\": 2", "\"weight\": 20",
         "causes/user-why.json:2: \"weight\" is 20; it lies between -5 and 5"},
        {"\"config\"", "\"confg\"",
         "causes/user-why.json:5: unknown value \"confg\"; did you mean \"config\"?"},
        {"\"any\"", "\"pytorhc\"",
         "causes/user-why.json:6: unknown framework \"pytorhc\"; did you mean \"pytorch\"?"},
    };
    expect_cause(state, CASES(cases));
}

static void says_where_a_file_is_no_json(void **state)
{
    struct files *files = *state;
    folders(files);
    write_changed(files, "symptoms/user-flat.json", symptom_lines, "\"severity\": [",
                  "\"severity\" [");
    assert_memory_equal(load(files), "symptoms/user-flat.json:5: ", 27);
}

static void refuses_rule_files_in_other_places(void **state)
{
    struct files *files = *state;
    write_changed(files, "user-flat.json", symptom_lines, NULL, NULL);
    assert_string_equal(load(files), "user-flat.json: rule files stand in symptoms/ or causes/, or "
                                     "are kinds.json or messages.json");
}

static void fails_softly_without_memory(void **state)
{
    (void)state;
    for (size_t limit = 1 << 20;; limit += 1 << 18) {
        struct arena arena = {.limit = limit};
        struct error error = {0};
        bool loaded = rules_read(&arena, NULL, &error);
        arena_free(&arena);
        if (loaded)
            break;
        assert_int_equal(error.kind, ERROR_MEMORY);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, files_open, files_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(loads_what_is_embedded),
        CASE(loads_a_users_files),
        CASE(names_an_unknown_member),
        CASE(names_an_unknown_id),
        CASE(refuses_an_id_that_is_neither_known_nor_a_users),
        CASE(names_an_unknown_kind),
        CASE(names_an_unknown_fact),
        CASE(names_an_unknown_gate),
        CASE(names_an_unknown_detector_or_parameter),
        CASE(names_a_parameter_out_of_range),
        CASE(names_an_unknown_value_or_form),
        CASE(wants_a_message_for_each_form),
        CASE(wants_a_last_step_without_condition),
        CASE(refuses_absorbing_in_a_circle),
        CASE(keeps_conditions_to_what_can_be_known),
        CASE(wants_a_default_for_facts_in_code),
        CASE(names_what_evidence_and_fixes_lack),
        CASE(says_where_a_file_is_no_json),
        CASE(refuses_rule_files_in_other_places),
        cmocka_unit_test(fails_softly_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
