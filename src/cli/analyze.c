/* `stalldoc analyze`: the verdict, its causes and what to do. */
/* SPDX-License-Identifier: MIT */
#include "cli/gather.h"

#include <string.h>
#include <unistd.h>

static bool is_level(const char *word)
{
    enum severity severity;
    return strcmp(word, "none") == 0 || severity_of_name(text_of(word), &severity);
}

static bool knows(const struct rules *rules, struct text pattern)
{
    for (size_t i = 0; i < rules->symptom_count; i++)
        if (text_glob(pattern, text_of(rules->symptoms[i].id), false))
            return true;
    return false;
}

/* An id that no rule has would silently select nothing. */
static bool check_id(const struct rules *rules, struct arena *arena, const char *option,
                     const char *word, struct error *error)
{
    static const char *const levels[] = {"none", "info", "warning", "error"};
    if (knows(rules, text_of(word)))
        return true;
    const char **names = arena_take(arena, rules->symptom_count + 1, sizeof(*names));
    const char *near = NULL;
    for (size_t i = 0; names && i < rules->symptom_count; i++)
        names[i] = rules->symptoms[i].id;
    if (names)
        near = nearest(text_of(word), names, rules->symptom_count);
    if (!near && strcmp(option, "--fail-on") == 0)
        near = nearest(text_of(word), levels, sizeof(levels) / sizeof(levels[0]));
    if (near)
        return error_set(error, ERROR_UNSUPPORTED, (struct place){0},
                         "%s: unknown rule \"%.80s\"; did you mean \"%s\"?", option, word, near);
    return error_set(error, ERROR_UNSUPPORTED, (struct place){0},
                     "%s: unknown rule \"%.80s\"; \"stalldoc rules\" lists them", option, word);
}

static bool check_ids(struct gathering *gathering, struct error *error)
{
    const struct options *options = gathering->options;
    const struct {
        const char *option;
        const struct words *words;
        bool levels;
    } lists[] = {
        {"--select", &options->select, false},
        {"--ignore", &options->ignore, false},
        {"--fail-on", &options->fail_on, true},
    };
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        for (size_t k = 0; k < lists[i].words->count; k++) {
            const char *word = lists[i].words->items[k];
            if (lists[i].levels && is_level(word))
                continue;
            if (!check_id(gathering->rules, &gathering->arena, lists[i].option, word, error))
                return false;
        }
    for (size_t i = 0; i < options->detect.severity_count; i++)
        if (!check_id(gathering->rules, &gathering->arena, "--severity",
                      options->detect.severities[i].id, error))
            return false;
    return true;
}

static void settle_exit(const struct gathering *gathering, struct diagnosis *diagnosis)
{
    if (diagnosis->exit_code != 0)
        return;
    if (gathering->bad_named) {
        diagnosis->exit_code = 2;
        diagnosis->reason = "an input could not be read";
    } else if (gathering->options->strict && gathering->bad_found) {
        diagnosis->exit_code = 2;
        diagnosis->reason = "--strict: a file of a folder could not be read to its end";
    }
}

static bool write_reports(const struct gathering *gathering, const struct diagnosis *diagnosis,
                          const char *const *fail_on, struct error *error)
{
    const struct options *options = gathering->options;
    struct report_options report = {
        .causes = options->causes,
        .fixes = !options->no_fixes,
        .evidence = !options->no_evidence,
        .verbose = options->verbose > 0,
        .quiet = options->quiet > 0,
        .sparkline = !options->no_plot,
        .framework = options->framework,
        .points = options->points,
        .fail_on = fail_on,
        .stdin_input = gathering->stdin_input,
    };
    struct out out;
    if (!output_open(options, &out, error))
        return false;
    if (options->quiet < 2 || options->output)
        report_named(text_of(options->format))->write(diagnosis, &report, &out);
    bool good = output_close(options, &out, error);
    for (size_t i = 0; i < options->extra_count; i++) {
        const struct extra_report *extra = &options->extra[i];
        struct out file = {.unicode = true, .width = out.width};
        if (!output_file_open(extra->path, &file, error))
            return false;
        extra->report->write(diagnosis, &report, &file);
        good = output_file_close(extra->path, &file, true, error) && good;
    }
    return good;
}

static void say_reason(const struct options *options, const struct diagnosis *diagnosis)
{
    if (options->quiet >= 2)
        return;
    if (diagnosis->exit_code && diagnosis->reason)
        complain("exit %d: %s", diagnosis->exit_code, diagnosis->reason);
    const struct verdict *worst =
        diagnosis->verdict_count ? &diagnosis->verdicts[diagnosis->worst] : NULL;
    if (worst && worst->cause_count && worst->status >= STATUS_SUSPECT && !options->quiet &&
        (options->verbose || isatty(STDERR_FILENO)))
        complain("see \"stalldoc explain %s\"", worst->causes[0].cause->id);
}

static bool damage_told(const struct diagnosis *diagnosis, uint32_t number)
{
    for (size_t i = 0; i < diagnosis->verdict_count; i++) {
        const struct judgement *judgement = &diagnosis->verdicts[i].judgement;
        for (size_t k = 0; k < judgement->finding_count; k++)
            if (strcmp(judgement->findings[k].symptom->id, "input-damaged") == 0 &&
                judgement->findings[k].candidate.onset.input == number)
                return true;
    }
    return false;
}

/* Damage of what was read, where no finding tells it: the rule was not asked for. */
static void say_untold(const struct gathering *gathering, const struct diagnosis *diagnosis)
{
    const struct collection *collection = &gathering->collection;
    for (size_t i = 0; i < collection->source_count; i++) {
        const struct source *source = &collection->sources[i];
        if ((source->status == STATUS_PARTIAL || source->status == STATUS_DAMAGED) &&
            source->run != RUN_NONE && !gathering->options->verbose &&
            !damage_told(diagnosis, (uint32_t)i + 1))
            say_damage(source->path, &source->error);
    }
}

static int judge_all(struct gathering *gathering, struct error *error)
{
    static const char *const usual[] = {"error", NULL};
    const struct options *options = gathering->options;
    struct diagnose_options diagnose_options = {
        .detect = options->detect,
        .fail_confidence = options->fail_confidence,
        .fail_on = options->fail_on.count ? options->fail_on.items : usual,
        .exit_zero = options->exit_zero,
    };
    diagnose_options.detect.select = options->select.items;
    diagnose_options.detect.ignore = options->ignore.items;
    struct diagnosis diagnosis = {0};
    if (!diagnose(&gathering->collection, gathering->rules, &diagnose_options, &gathering->arena,
                  &diagnosis, error))
        return -1;
    settle_exit(gathering, &diagnosis);
    if (!write_reports(gathering, &diagnosis, diagnose_options.fail_on, error)) {
        if (diagnosis.exit_code != 1)
            return -1;
        complain("%s", error->message);
    }
    say_untold(gathering, &diagnosis);
    say_reason(options, &diagnosis);
    return diagnosis.exit_code;
}

static bool gather_judged(struct gathering *gathering, struct error *error)
{
    gathering->judged = true;
    return gather(gathering, false, true, error);
}

static int run_analyze(struct options *options)
{
    struct gathering gathering;
    struct error error = {0};
    int status = -1;
    if (options->paths.count + options->inputs.count + options->targets.count == 0) {
        complain("analyze needs a file, a folder, or - for standard input. See \"stalldoc help "
                 "analyze\".");
        return 2;
    }
    if (gather_begin(&gathering, options, &error) && check_ids(&gathering, &error) &&
        gather_judged(&gathering, &error)) {
        if (gathering.read == 0)
            status = 2; /* what could not be read was said already */
        else
            status = judge_all(&gathering, &error);
    }
    if (status < 0) {
        complain("%s", error.message);
        status = 2;
    }
    gather_end(&gathering);
    return status;
}

const struct command command_analyze = {
    .name = "analyze",
    .operands = "PATH...",
    .about = "diagnose runs: the verdict, its causes and their fixes",
    .examples = "stalldoc analyze train.log\n"
                "stalldoc analyze runs/42                 # a folder: logs, events, checkpoints\n"
                "stalldoc analyze - < train.log\n"
                "stalldoc analyze -f json runs | jq '.verdict.headline'\n"
                "stalldoc analyze --fact classes=10 --framework pytorch train.log\n",
    .bit = ON_ANALYZE,
    .choices = "@file",
    .formats = "text",
    .run = run_analyze,
};
