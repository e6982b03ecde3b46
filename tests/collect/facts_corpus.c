/* The facts of real logs, against what a person read in them (facts.jsonl beside this file). */
/* SPDX-License-Identifier: MIT */
#include "program.h"

#include <stdbool.h>
#include <sys/stat.h>

enum { LINE_MAX_BYTES = 4096, PATH_MAX_BYTES = 512 };

/* The one in force comes first. */
static const cJSON *fact_of(const cJSON *run, const char *key)
{
    const cJSON *fact;
    cJSON_ArrayForEach(fact, cJSON_GetObjectItem(run, "facts"))
    {
        const char *named = cJSON_GetStringValue(cJSON_GetObjectItem(fact, "key"));
        if (named && strcmp(named, key) == 0)
            return cJSON_GetObjectItem(fact, "value");
    }
    return NULL;
}

/* Facts that are off are null in the report, flags true and false. */
static bool agrees(const cJSON *told, const cJSON *expected)
{
    const char *word = cJSON_GetStringValue(expected);
    if (word && strcmp(word, "none") == 0)
        return cJSON_IsNull(told);
    if (word && (cJSON_IsBool(told)))
        return cJSON_IsTrue(told) == (strcmp(word, "true") == 0);
    if (word)
        return cJSON_IsString(told) && strcmp(told->valuestring, word) == 0;
    double more = expected->valuedouble * 1e-9;
    return cJSON_IsNumber(told) && told->valuedouble <= expected->valuedouble + more &&
           told->valuedouble >= expected->valuedouble - more;
}

static size_t facts_wrong(const char *folder, const cJSON *row)
{
    char path[2 * PATH_MAX_BYTES];
    const char *file = cJSON_GetStringValue(cJSON_GetObjectItem(row, "file"));
    snprintf(path, sizeof(path), "'%s/%s'", folder, file);
    cJSON *report = program_report("analyze", path);
    const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(report, "runs"), 0), *expected;
    size_t wrong = 0;
    cJSON_ArrayForEach(expected, cJSON_GetObjectItem(row, "facts"))
    {
        const cJSON *told = fact_of(run, expected->string);
        if (agrees(told, expected))
            continue;
        char *is = told ? cJSON_PrintUnformatted(told) : NULL;
        char *should = cJSON_PrintUnformatted(expected);
        print_error("%s: %s is %s, not %s\n", file, expected->string, is ? is : "unknown", should);
        free(is);
        free(should);
        wrong++;
    }
    cJSON_Delete(report);
    return wrong;
}

static void tells_what_a_person_reads(void **state)
{
    (void)state;
    char folder[PATH_MAX_BYTES], path[PATH_MAX_BYTES + 32], line[LINE_MAX_BYTES];
    snprintf(folder, sizeof(folder), "%s/../shared/corpus", getenv("SOURCE_ROOT"));
    snprintf(path, sizeof(path), "%s/tests/collect/facts.jsonl", getenv("SOURCE_ROOT"));
    struct stat status;
    if (stat(folder, &status) != 0) {
        print_message("skipped: there is no ../shared/corpus\n");
        skip();
    }
    FILE *rows = fopen(path, "r");
    assert_non_null(rows);
    size_t wrong = 0, count = 0;
    while (fgets(line, sizeof(line), rows)) {
        cJSON *row = cJSON_Parse(line);
        assert_non_null(row);
        wrong += facts_wrong(folder, row);
        count++;
        cJSON_Delete(row);
    }
    fclose(rows);
    assert_true(count >= 40);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tells_what_a_person_reads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
