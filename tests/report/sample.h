/* A diagnosis of our own making, and a file behind it, for the tests of reports. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_REPORT_SAMPLE_H
#define TEST_REPORT_SAMPLE_H

#include "made.h"
#include "stalldoc/report.h"

#include <unistd.h>

enum { SAMPLE_STEPS = 60, SAMPLE_OUTPUT = 1 << 16 };

struct sample {
    char path[64]; /* of the log */
    struct made loss;
    double values[SAMPLE_STEPS];
    struct source source;
    struct series series;
    struct segment segment;
    struct fact facts[2];
    uint32_t input;
    struct run run;
    struct collection collection;
    struct rules rules;
    struct symptom symptoms[2];
    struct finding findings[3];
    const struct symptom *ran[2];
    struct skipped skipped[2];
    struct cause causes[2];
    struct snippet snippets[2];
    struct fix fixes[2];
    struct text codes[2];
    struct filled_fix filled[2];
    struct argument arguments[4];
    struct ranked ranked[2];
    struct verdict verdict;
    struct diagnosis diagnosis;
};

/* Lines of 100 bytes, newline and all, as the offsets of made tracks have it. */
static inline void sample_write(struct sample *sample)
{
    snprintf(sample->path, sizeof(sample->path), "/tmp/stalldoc-sample-%ld.log", (long)getpid());
    FILE *file = fopen(sample->path, "w");
    for (int i = 0; file && i < SAMPLE_STEPS; i++)
        fprintf(file, "step %3d: loss %-10.4g | \x1b[1m##[error] \xe2\x80\xae%*s\n", i + 1,
                sample->values[i], 54, "x");
    if (file)
        fclose(file);
}

static inline void sample_measure(struct sample *sample)
{
    for (int i = 0; i < SAMPLE_STEPS; i++)
        sample->values[i] = i < 40 ? 4 - 0.02 * i : i < 50 ? 4 + (i - 40) * (i - 40) : (double)NAN;
    make_track(&sample->loss, sample->values, SAMPLE_STEPS, 2, 1);
    sample->series = (struct series){
        .tag = TEXT("loss"),
        .input = 1,
        .rank = -1,
        .kind = KIND_LOSS,
        .direction = DIRECTION_DOWN,
        .main = true,
        .speaks = true,
        .whole = sample->loss.track,
        .segments = &sample->series.whole,
        .segment_count = 1,
    };
}

static inline void sample_judge(struct sample *sample)
{
    sample->symptoms[0] = (struct symptom){.id = "nan-loss", .title = "a loss value is NaN"};
    sample->symptoms[1] = (struct symptom){.id = "loss-spike", .title = "the loss jumps"};
    struct point onset = {.step = 51, .value = (double)NAN, .line = 51, .offset = 5000, .input = 1};
    sample->findings[0] = (struct finding){
        .symptom = &sample->symptoms[0],
        .form = "after-rise",
        .severity = SEVERITY_ERROR,
        .confidence = 1,
        .candidate = {.series = &sample->series,
                      .onset = onset,
                      .last_step = 60,
                      .time = (double)NAN,
                      .values = {{.name = "count", .number = 10},
                                 {.name = "part", .number = (double)NAN, .text = TEXT("decoder")}},
                      .value_count = 2,
                      .subject = TEXT("loss")},
        .message = TEXT("loss is NaN from step 51 to the end (10 of 60 steps)"),
    };
    sample->findings[1] = sample->findings[0];
    sample->findings[1].symptom = &sample->symptoms[1];
    sample->findings[1].severity = SEVERITY_WARNING;
    sample->findings[1].confidence = 0.6;
    sample->findings[1].message = TEXT("::error::loss spikes \x1b[2J at step 45");
    sample->findings[2] = sample->findings[1];
    sample->findings[2].absorbed_by = &sample->findings[0];
    sample->ran[0] = &sample->symptoms[0];
    sample->ran[1] = &sample->symptoms[1];
    sample->skipped[0] = (struct skipped){&sample->symptoms[1], TEXT("no validation series")};
    sample->skipped[1] = (struct skipped){&sample->symptoms[0], TEXT("no validation series")};
}

static inline void sample_blame(struct sample *sample)
{
    sample->causes[0] = (struct cause){.id = "learning-rate-too-high",
                                       .title = "the step is too large for the loss surface"};
    sample->causes[1] = (struct cause){.id = "bad-batch", .title = "single batches are broken"};
    sample->snippets[0] = (struct snippet){"keras", "python", "keras_code()"};
    sample->snippets[1] = (struct snippet){"pytorch", "python", "torch_code()\nsecond_line()"};
    sample->fixes[0] = (struct fix){.title = "Lower the rate",
                                    .effort = "config",
                                    .snippets = sample->snippets,
                                    .snippet_count = 2};
    sample->codes[0] = TEXT("keras_code()");
    sample->codes[1] = TEXT("torch_code()\nsecond_line()");
    sample->filled[0] = (struct filled_fix){
        .fix = &sample->fixes[0],
        .title = TEXT("Lower the rate"),
        .numbers = TEXT("from 0.003 to 0.0009"),
        .expect = TEXT("the loss stays near its median past step 51"),
        .codes = sample->codes,
    };
    sample->arguments[0] = (struct argument){
        .finding = &sample->findings[0], .text = TEXT("the loss rose before"), .nats = 1.8};
    sample->arguments[1] =
        (struct argument){.text = TEXT("no warm-up"), .nats = 0.4, .place = {1, 1, 0}};
    sample->arguments[2] = (struct argument){
        .finding = &sample->findings[1], .text = TEXT("the loss spikes"), .nats = -0.5};
    sample->ranked[0] = (struct ranked){
        .cause = &sample->causes[0],
        .sum = 2.7,
        .prior = 0.3,
        .order = 0.7,
        .score = 0.62,
        .arguments = sample->arguments,
        .argument_count = 3,
        .fixes = sample->filled,
        .fix_count = 1,
        .chain = TEXT("lr-peak 30, nan-loss 51"),
    };
    sample->ranked[1] = sample->ranked[0];
    sample->ranked[1].cause = &sample->causes[1];
    sample->ranked[1].score = 0.2;
    sample->ranked[1].order = -1;
}

static inline void sample_make(struct sample *sample)
{
    *sample = (struct sample){.input = 1};
    sample_measure(sample);
    sample_write(sample);
    sample_judge(sample);
    sample_blame(sample);
    sample->source = (struct source){.path = text_of(sample->path),
                                     .type = TEXT("text"),
                                     .bytes = 6000,
                                     .counts = {.lines = 60},
                                     .named = true};
    sample->facts[0] = (struct fact){.key = TEXT("framework"),
                                     .value = TEXT("pytorch"),
                                     .number = (double)NAN,
                                     .source = FACT_LOG,
                                     .place = {1, 1, 0},
                                     .step = STEP_NONE,
                                     .in_force = true};
    sample->facts[1] = (struct fact){.key = TEXT("clip"),
                                     .state = FACT_NONE,
                                     .number = (double)NAN,
                                     .source = FACT_OPTION,
                                     .step = STEP_NONE,
                                     .in_force = true};
    sample->run = (struct run){
        .collection = &sample->collection,
        .id = text_of(sample->path),
        .inputs = &sample->input,
        .input_count = 1,
        .series = &sample->series,
        .series_count = 1,
        .segments = &sample->segment,
        .segment_count = 1,
        .facts = sample->facts,
        .fact_count = 2,
        .first_step = 1,
        .last_step = 60,
        .step_count = 60,
        .planned_steps = STEP_NONE,
        .speaking_rank = -1,
    };
    sample->collection = (struct collection){
        .sources = &sample->source, .source_count = 1, .runs = &sample->run, .run_count = 1};
    sample->verdict = (struct verdict){
        .run = &sample->run,
        .status = STATUS_FAILING,
        .worst = SEVERITY_ERROR,
        .headline = TEXT("loss is NaN from step 51 to the end"),
        .judgement = {.findings = sample->findings,
                      .finding_count = 3,
                      .ran = sample->ran,
                      .ran_count = 2,
                      .skipped = sample->skipped,
                      .skipped_count = 2},
        .causes = sample->ranked,
        .cause_count = 2,
        .errors = 1,
        .warnings = 1,
        .last_good_step = 40,
    };
    sample->diagnosis = (struct diagnosis){.collection = &sample->collection,
                                           .rules = &sample->rules,
                                           .verdicts = &sample->verdict,
                                           .verdict_count = 1,
                                           .exit_code = 1};
}

static inline struct report_options sample_options(void)
{
    static const char *const fail_on[] = {"error", NULL};
    return (struct report_options){
        .causes = 3, .fixes = true, .evidence = true, .sparkline = true, .fail_on = fail_on};
}

/* The report as a string of static life. */
static inline const char *sample_report(const struct sample *sample, const char *name,
                                        const struct report_options *options, bool unicode)
{
    static char output[SAMPLE_OUTPUT];
    FILE *file = tmpfile();
    if (!file)
        return "";
    struct out out = {.file = file, .unicode = unicode, .width = 80};
    report_named(text_of(name))->write(&sample->diagnosis, options, &out);
    rewind(file);
    output[fread(output, 1, sizeof(output) - 1, file)] = '\0';
    fclose(file);
    unlink(sample->path);
    return output;
}

#endif
