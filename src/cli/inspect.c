/* `stalldoc inspect`: what was read, without judgement. */
/* SPDX-License-Identifier: MIT */
#include "cli/gather.h"

#include <string.h>

static void list_types(struct out *out)
{
    static const char *const groups[] = {
        [FORMAT_LOG] = "text logs",      [FORMAT_DOCUMENT] = "documents",
        [FORMAT_EVENTS] = "event files", [FORMAT_CHECKPOINT] = "checkpoints",
        [FORMAT_SIDE] = "beside a run",  [FORMAT_NAMED] = "recognised, not read",
    };
    for (int group = 0; group <= FORMAT_NAMED; group++) {
        bool titled = false;
        for (size_t i = 0; formats[i]; i++) {
            if ((int)formats[i]->group != group)
                continue;
            if (!titled)
                out_print(out, "%s\n", groups[group]);
            titled = true;
            out_print(out, "  %-16s %s\n", formats[i]->name, formats[i]->about);
        }
    }
}

static bool write_inspection(const struct gathering *gathering, struct error *error)
{
    const struct options *options = gathering->options;
    struct inspect_options inspect = {
        .series = options->only_series || !options->only_tensors,
        .tensors = options->only_tensors || !options->only_series,
        .series_glob = options->series_glob,
        .tensors_glob = options->tensors_glob,
        .head = options->head,
        .stdin_input = gathering->stdin_input,
    };
    struct out out;
    if (!output_open(options, &out, error))
        return false;
    if (strcmp(options->format, "json") == 0)
        inspect_json(&gathering->collection, &inspect, &out);
    else if (strcmp(options->format, "csv") == 0)
        inspect_csv(&gathering->collection, &inspect, &out);
    else
        inspect_text(&gathering->collection, &inspect, &out);
    return output_close(options, &out, error);
}

static int print_types(const struct options *options, struct error *error)
{
    struct out out;
    if (!output_open(options, &out, error))
        return -1;
    list_types(&out);
    return output_close(options, &out, error) ? 0 : -1;
}

static int run_inspect(struct options *options)
{
    struct gathering gathering = {0};
    struct error error = {0};
    int status = -1;
    if (options->types) {
        status = print_types(options, &error);
    } else if (options->paths.count == 0) {
        error_set(&error, ERROR_UNSUPPORTED, (struct place){0},
                  "inspect needs a file, a folder, or - for standard input");
    } else if (gather_begin(&gathering, options, &error) &&
               gather(&gathering, true, !options->no_stats, &error)) {
        if (gathering.read == 0)
            status = 2;
        else if (write_inspection(&gathering, &error))
            status = gathering.bad_named ? 2 : 0;
    }
    if (status < 0) {
        complain("%s", error.message);
        status = 2;
    }
    gather_end(&gathering);
    return status;
}

const struct command command_inspect = {
    .name = "inspect",
    .operands = "PATH...",
    .about = "what is in a file: series, facts, tensors; no judgement",
    .examples = "stalldoc inspect train.log\n"
                "stalldoc inspect --no-stats model.safetensors\n"
                "stalldoc inspect -f csv --series='*loss*' train.log > loss.csv\n"
                "stalldoc inspect --types\n",
    .bit = ON_INSPECT,
    .choices = "@file",
    .formats = "text json csv",
    .run = run_inspect,
};
