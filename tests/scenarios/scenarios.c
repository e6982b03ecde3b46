/* Situations and their neighbours: what is said of testdata/scenarios is what has to be said. */
/* SPDX-License-Identifier: MIT */
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_MAX = 1 << 22, TOP = 3 };

struct words { /* of one line of `expect` */
    char *items[16];
    size_t count;
};

static char *file_read(FILE *file)
{
    char *text = malloc(REPORT_MAX);
    const size_t size = text && file ? fread(text, 1, REPORT_MAX - 1, file) : 0;
    if (text)
        text[size] = 0;
    return text;
}

static cJSON *report_of(const char *program, const char *folder, const char *input)
{
    char command[2048];
    snprintf(command, sizeof(command), "'%s' analyze -f json '%s/%s'", program, folder, input);
    FILE *pipe = popen(command, "r");
    char *text = file_read(pipe);
    if (pipe)
        pclose(pipe);
    cJSON *report = text ? cJSON_Parse(text) : NULL;
    free(text);
    return report;
}

static const char *member(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(found) ? found->valuestring : "";
}

/* The finding of a rule, with any severity or one over info. */
static bool has_finding(const cJSON *report, const char *rule, bool loud)
{
    const cJSON *finding;
    cJSON_ArrayForEach(finding, cJSON_GetObjectItemCaseSensitive(report, "findings"))
    {
        const char *severity = member(finding, "severity");
        const bool over = strcmp(severity, "error") == 0 || strcmp(severity, "warning") == 0;
        if ((!rule || strcmp(member(finding, "rule"), rule) == 0) && (over || !loud))
            return true;
    }
    return false;
}

/* From 1; 0: not listed. */
static int cause_rank(const cJSON *report, const char *id)
{
    int rank = 0;
    const cJSON *cause;
    cJSON_ArrayForEach(cause, cJSON_GetObjectItemCaseSensitive(report, "causes"))
    {
        rank++;
        if (strcmp(member(cause, "cause"), id) == 0)
            return rank;
    }
    return 0;
}

static bool holds(const cJSON *report, const struct words *words)
{
    const char *what = words->items[1];
    if (strcmp(what, "calm") == 0)
        return !has_finding(report, NULL, true);
    for (size_t i = 2; i < words->count; i++) {
        const char *id = words->items[i];
        const int rank = cause_rank(report, id);
        if ((strcmp(what, "first") == 0 && rank == 1) ||
            (strcmp(what, "top3") == 0 && rank >= 1 && rank <= TOP) ||
            (strcmp(what, "rule") == 0 && has_finding(report, id, true)) ||
            (strcmp(what, "remark") == 0 && has_finding(report, id, false)) ||
            (strcmp(what, "not") == 0 && rank == 0 && !has_finding(report, id, true)))
            return true;
    }
    return false;
}

static void explain(const cJSON *report)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(report, "findings"))
    {
        printf("    %s: %s: %s\n", member(item, "severity"), member(item, "rule"),
               member(item, "message"));
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(report, "causes"))
    {
        const cJSON *sum = cJSON_GetObjectItemCaseSensitive(item, "sum");
        printf("    cause %s %.2f\n", member(item, "cause"), sum ? sum->valuedouble : 0);
    }
}

static bool line_split(char *line, struct words *words)
{
    words->count = 0;
    for (char *at = line; *at && words->count < 16;) {
        at += strspn(at, " \n");
        if (!*at)
            break;
        words->items[words->count++] = at;
        at += strcspn(at, " \n");
        if (*at)
            *at++ = 0;
    }
    return words->count >= 2;
}

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    char path[1024], line[256];
    snprintf(path, sizeof(path), "%s/expect", arguments[2]);
    FILE *expect = fopen(path, "r");
    if (!expect) {
        printf("no %s\n", path);
        return 2;
    }
    int failed = 0, lines = 0;
    while (fgets(line, sizeof(line), expect)) {
        char said[256];
        struct words words;
        memcpy(said, line, sizeof(said));
        if (!line_split(line, &words))
            continue;
        lines++;
        cJSON *report = report_of(arguments[1], arguments[2], words.items[0]);
        if (!report || !holds(report, &words)) {
            printf("not so: %s", said);
            explain(report);
            failed++;
        }
        cJSON_Delete(report);
    }
    fclose(expect);
    return failed || !lines;
}
