/* The table of options, one row each. */
/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include "cli/values.h"
#include <string.h>

/* One setter a row: short functions rather than a table of offsets, since most of them check. */

static bool set_help(struct options *o, const char *value, struct error *error)
{
    (void)value, (void)error;
    o->help = 1;
    return true;
}

static bool set_version(struct options *o, const char *value, struct error *error)
{
    (void)value, (void)error;
    return o->version = true;
}

static bool set_quiet(struct options *o, const char *value, struct error *error)
{
    (void)value, (void)error;
    o->quiet++;
    return true;
}

static bool set_verbose(struct options *o, const char *value, struct error *error)
{
    (void)value, (void)error;
    o->verbose++;
    return true;
}

static bool set_colour(struct options *o, const char *value, struct error *error)
{
    return value_when(value, "--color", &o->colour, error);
}

static bool set_unicode(struct options *o, const char *value, struct error *error)
{
    return value_when(value, "--unicode", &o->unicode, error);
}

static bool set_width(struct options *o, const char *value, struct error *error)
{
    return value_size(value, "--width", 40, 500, &o->width, error);
}

static bool set_format(struct options *o, const char *value, struct error *error)
{
    return value_format(o, value, &o->format, error);
}

static bool set_output(struct options *o, const char *value, struct error *error)
{
    (void)error;
    o->output = strcmp(value, "-") == 0 ? NULL : value;
    return true;
}

static bool set_report(struct options *o, const char *value, struct error *error)
{
    return value_report(o, value, error);
}

static bool set_rules(struct options *o, const char *value, struct error *error)
{
    (void)error;
    o->rules = value;
    return true;
}

static bool set_jobs(struct options *o, const char *value, struct error *error)
{
    return value_size(value, "--jobs", 1, 1024, &o->jobs, error);
}

static bool set_max_memory(struct options *o, const char *value, struct error *error)
{
    return value_bytes(value, "--max-memory", 8 << 20, &o->max_memory, error);
}

static bool set_max_line(struct options *o, const char *value, struct error *error)
{
    return value_bytes(value, "--max-line", 1 << 10, &o->max_line, error);
}

static bool set_type(struct options *o, const char *value, struct error *error)
{
    return value_type(value, &o->type, error);
}

static bool set_stdin_name(struct options *o, const char *value, struct error *error)
{
    (void)error;
    o->stdin_name = value;
    return true;
}

static bool set_include(struct options *o, const char *value, struct error *error)
{
    return words_add(o, &o->include, value, error);
}

static bool set_exclude(struct options *o, const char *value, struct error *error)
{
    return words_add(o, &o->exclude, value, error);
}

static bool set_max_depth(struct options *o, const char *value, struct error *error)
{
    return value_size(value, "--max-depth", 0, 1024, &o->max_depth, error);
}

static bool set_run(struct options *o, const char *value, struct error *error)
{
    static const char *const names[] = {"auto", "dir", "file", "all", NULL};
    size_t at;
    if (!value_choice(value, "--run", names, &at, error))
        return false;
    static const enum run_mode modes[] = {RUN_AUTO, RUN_DIR, RUN_FILE, RUN_ALL};
    o->run_mode = modes[at];
    return true;
}

static bool set_map(struct options *o, const char *value, struct error *error)
{
    return value_map(value, error) && words_add(o, &o->maps, value, error);
}

static bool set_fact(struct options *o, const char *value, struct error *error)
{
    return value_fact(value, error) && words_add(o, &o->facts, value, error);
}

static bool set_inputs(struct options *o, const char *value, struct error *error)
{
    return words_add(o, &o->inputs, value, error);
}

static bool set_targets(struct options *o, const char *value, struct error *error)
{
    return words_add(o, &o->targets, value, error);
}

static bool set_from(struct options *o, const char *value, struct error *error)
{
    return value_step(value, "--from", &o->from, error);
}

static bool set_to(struct options *o, const char *value, struct error *error)
{
    return value_step(value, "--to", &o->to, error);
}

static bool set_select(struct options *o, const char *value, struct error *error)
{
    return value_list(o, value, &o->select, error);
}

static bool set_ignore(struct options *o, const char *value, struct error *error)
{
    return value_list(o, value, &o->ignore, error);
}

static bool set_severity(struct options *o, const char *value, struct error *error)
{
    return value_severity(o, value, error);
}

static bool set_min_confidence(struct options *o, const char *value, struct error *error)
{
    return value_share(value, "--min-confidence", &o->detect.min_confidence, error);
}

static bool set_fail_on(struct options *o, const char *value, struct error *error)
{
    o->fail_on.count = 0;
    return value_list(o, value, &o->fail_on, error);
}

static bool set_fail_confidence(struct options *o, const char *value, struct error *error)
{
    return value_share(value, "--fail-confidence", &o->fail_confidence, error);
}

static bool set_exit_zero(struct options *o, const char *value, struct error *error)
{
    (void)value, (void)error;
    return o->exit_zero = true;
}

static bool set_strict(struct options *o, const char *value, struct error *error)
{
    (void)value, (void)error;
    return o->strict = true;
}

static bool set_causes(struct options *o, const char *value, struct error *error)
{
    return value_size(value, "--causes", 0, 100, &o->causes, error);
}

static bool set_framework(struct options *o, const char *value, struct error *error)
{
    static const char *const names[] = {"pytorch", "transformers", "lightning", "keras",
                                        "jax",     "megatron",     "deepspeed", NULL};
    size_t at;
    if (!value_choice(value, "--framework", names, &at, error))
        return false;
    o->framework = names[at];
    return true;
}

static bool set_plot(struct options *o, const char *value, struct error *error)
{
    static const char *const names[] = {"spark", "none", NULL};
    size_t at;
    if (!value_choice(value, "--plot", names, &at, error))
        return false;
    o->no_plot = at == 1;
    return true;
}

static bool set_no_fixes(struct options *o, const char *value, struct error *error)
{
    (void)value, (void)error;
    return o->no_fixes = true;
}

static bool set_no_evidence(struct options *o, const char *value, struct error *error)
{
    (void)value, (void)error;
    return o->no_evidence = true;
}

static bool set_points(struct options *o, const char *value, struct error *error)
{
    return value_size(value, "--points", 0, BUCKETS_MAX, &o->points, error);
}

static bool set_types(struct options *o, const char *value, struct error *error)
{
    (void)value, (void)error;
    return o->types = true;
}

static bool set_series(struct options *o, const char *value, struct error *error)
{
    (void)error;
    o->series_glob = value;
    return o->only_series = true;
}

static bool set_tensors(struct options *o, const char *value, struct error *error)
{
    (void)error;
    o->tensors_glob = value;
    return o->only_tensors = true;
}

static bool set_no_stats(struct options *o, const char *value, struct error *error)
{
    (void)value, (void)error;
    return o->no_stats = true;
}

static bool set_head(struct options *o, const char *value, struct error *error)
{
    return value_size(value, "--head", 1, SIZE_MAX, &o->head, error);
}

static bool set_kind(struct options *o, const char *value, struct error *error)
{
    static const char *const names[] = {"symptom", "cause", NULL};
    size_t at;
    if (!value_choice(value, "--kind", names, &at, error))
        return false;
    o->kind = names[at];
    return true;
}

#define READS (ON_ANALYZE | ON_INSPECT)
#define WRITES (ON_ANALYZE | ON_INSPECT | ON_EXPLAIN | ON_RULES)

const struct option option_table[] = {
    {"type", 0, "TYPE", READS, GROUP_INPUT,
     "take every input as of this type; \"stalldoc inspect --types\" lists them", "auto", "@type",
     set_type},
    {"stdin-name", 0, "NAME", READS, GROUP_INPUT,
     "the name shown for standard input, whose ending helps to find the type", "<stdin>", NULL,
     set_stdin_name},
    {"include", 0, "GLOB", READS, GROUP_INPUT,
     "in folders, read only files that match; may be repeated", NULL, NULL, set_include},
    {"exclude", 0, "GLOB", READS, GROUP_INPUT,
     "in folders, leave out files that match; may be repeated, beats --include", NULL, NULL,
     set_exclude},
    {"max-depth", 0, "N", READS, GROUP_INPUT, "how deep folders are searched", "16", NULL,
     set_max_depth},
    {"run", 0, "MODE", READS, GROUP_INPUT,
     "what makes a run: auto (files of a folder that belong together), dir, file, or all", "auto",
     "auto dir file all", set_run},
    {"map", 0, "NAME=GLOB", READS, GROUP_INPUT,
     "series whose name matches are of this kind: --map loss=*/my_nll; may be repeated", NULL, NULL,
     set_map},
    {"fact", 0, "KEY=VALUE", READS, GROUP_INPUT,
     "what the log does not say: classes=10, clip=none, precision=fp16; may be repeated", NULL,
     NULL, set_fact},
    {"inputs", 0, "FILE[:NAME]", ON_ANALYZE, GROUP_INPUT,
     "a sample of what goes in: an array (.npy, .npz, .safetensors, .pt) or a table (.csv)",
     "beside a run", "@file", set_inputs},
    {"targets", 0, "FILE[:NAME]", ON_ANALYZE, GROUP_INPUT,
     "a sample of what is to come out, in the same form", "beside a run", "@file", set_targets},
    {"from", 0, "STEP", READS, GROUP_INPUT, "leave out readings before this step", NULL, NULL,
     set_from},
    {"to", 0, "STEP", READS, GROUP_INPUT, "leave out readings after this step", NULL, NULL, set_to},

    {"select", 0, "ID[,ID...]", ON_ANALYZE, GROUP_JUDGEMENT,
     "judge only these symptoms; ckpt-* takes all that begin so", "all", "@symptom", set_select},
    {"ignore", 0, "ID[,ID...]", ON_ANALYZE, GROUP_JUDGEMENT, "leave out these symptoms", "none",
     "@symptom", set_ignore},
    {"severity", 0, "ID=LEVEL", ON_ANALYZE, GROUP_JUDGEMENT,
     "give a symptom the level error, warning, info or off; may be repeated", NULL, NULL,
     set_severity},
    {"min-confidence", 0, "X", ON_ANALYZE, GROUP_JUDGEMENT, "hide findings that are less sure",
     "0.5", NULL, set_min_confidence},
    {"fail-on", 0, "LIST", ON_ANALYZE, GROUP_JUDGEMENT,
     "exit with 1 from this on: none, info, warning, error, and ids of symptoms", "error",
     "none info warning error", set_fail_on},
    {"fail-confidence", 0, "X", ON_ANALYZE, GROUP_JUDGEMENT,
     "an error that is less sure counts as a warning", "0.7", NULL, set_fail_confidence},
    {"exit-zero", 0, NULL, ON_ANALYZE, GROUP_JUDGEMENT,
     "exit with 0 whatever was found; 2 for no verdict stays", NULL, NULL, set_exit_zero},
    {"strict", 0, NULL, ON_ANALYZE, GROUP_JUDGEMENT,
     "unreadable, unknown or damaged files found in a folder give exit status 2, too", NULL, NULL,
     set_strict},

    {"format", 'f', "FORMAT", WRITES, GROUP_OUTPUT, "how the report is written", "text", "@format",
     set_format},
    {"output", 'o', "FILE", WRITES, GROUP_OUTPUT, "write the report to FILE, whole or not at all",
     "standard output", "@file", set_output},
    {"report", 0, "FORMAT:FILE", ON_ANALYZE, GROUP_OUTPUT,
     "write one more report of the same analysis; may be repeated", NULL, NULL, set_report},
    {"causes", 0, "N", ON_ANALYZE, GROUP_OUTPUT, "causes shown at most, a run", "3", NULL,
     set_causes},
    {"framework", 0, "NAME", ON_ANALYZE, GROUP_OUTPUT, "whose code the fixes show",
     "that of the log", "pytorch transformers lightning keras jax megatron deepspeed",
     set_framework},
    {"plot", 0, "KIND", ON_ANALYZE, GROUP_OUTPUT, "curves in the text report: spark or none",
     "spark", "spark none", set_plot},
    {"no-fixes", 0, NULL, ON_ANALYZE, GROUP_OUTPUT, "leave fixes out of the text report", NULL,
     NULL, set_no_fixes},
    {"no-evidence", 0, NULL, ON_ANALYZE, GROUP_OUTPUT,
     "leave curves and evidence out of the text report", NULL, NULL, set_no_evidence},
    {"points", 0, "N", ON_ANALYZE, GROUP_OUTPUT, "in JSON, a curve of up to N points a series", "0",
     NULL, set_points},
    {"types", 0, NULL, ON_INSPECT, GROUP_OUTPUT, "list the types of input that are known", NULL,
     NULL, set_types},
    {"series", 0, "[GLOB]", ON_INSPECT, GROUP_OUTPUT, "show series, those whose name matches",
     "both", NULL, set_series},
    {"tensors", 0, "[GLOB]", ON_INSPECT, GROUP_OUTPUT, "show tensors, those whose name matches",
     "both", NULL, set_tensors},
    {"no-stats", 0, NULL, ON_INSPECT, GROUP_OUTPUT, "name tensors without reading their values",
     NULL, NULL, set_no_stats},
    {"head", 0, "N", ON_INSPECT, GROUP_OUTPUT, "show the first N rows of each part", "all", NULL,
     set_head},
    {"kind", 0, "KIND", ON_RULES, GROUP_OUTPUT, "list only these: symptom or cause", "both",
     "symptom cause", set_kind},
    {"color", 'C', "WHEN", WRITES, GROUP_OUTPUT, "colours: auto, always or never", "auto",
     "auto always never", set_colour},
    {"unicode", 0, "WHEN", WRITES, GROUP_OUTPUT, "block characters: auto, always or never", "auto",
     "auto always never", set_unicode},
    {"width", 0, "N", WRITES, GROUP_OUTPUT, "columns of the text report, 40 to 500",
     "terminal, else 80", NULL, set_width},

    {"jobs", 'j', "N", READS, GROUP_LIMITS, "threads; the result does not depend on it",
     "processors", NULL, set_jobs},
    {"max-memory", 0, "SIZE", READS, GROUP_LIMITS, "memory for what is read: 64M, 1G", "128M", NULL,
     set_max_memory},
    {"max-line", 0, "SIZE", READS, GROUP_LIMITS, "longer lines are cut, and counted", "1M", NULL,
     set_max_line},

    {"rules", 0, "DIR", WRITES, GROUP_GENERAL, "add or replace rule files by those of DIR",
     "built in", "@file", set_rules},
    {"quiet", 'q', NULL, ON_ANALYZE, GROUP_GENERAL,
     "only the findings, one a line; twice: nothing but the exit status", NULL, NULL, set_quiet},
    {"verbose", 'v', NULL, READS, GROUP_GENERAL,
     "more: weak causes, what was held back or not checked, what is being read", NULL, NULL,
     set_verbose},
    {"help", 'h', NULL, ON_ALL, GROUP_GENERAL, "this text", NULL, NULL, set_help},
    {"version", 'V', NULL, ON_ALL, GROUP_GENERAL, "version and features", NULL, NULL, set_version},
};
const size_t option_count = sizeof(option_table) / sizeof(option_table[0]);

const char *const option_group_names[GROUP_COUNT] = {
    [GROUP_INPUT] = "Input",   [GROUP_JUDGEMENT] = "Judgement", [GROUP_OUTPUT] = "Output",
    [GROUP_LIMITS] = "Limits", [GROUP_GENERAL] = "General",
};
