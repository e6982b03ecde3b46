/* The worked sample: a run of 2000 steps whose gradient norm grows from step 1842 on, whose loss
   is inf at 1868 and NaN from 1870 to the end, in float16 without clipping or warm-up. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_WORKED_H
#define TEST_WORKED_H

#include "check.h"
#include "diagnose/diagnosing.h"
#include "made.h"

#include <stdio.h>

enum { WORKED_FINDINGS = 5 };

static const char *const worked_none[] = {NULL};
static const char *const worked_of_norm[] = {"nan-gradient", "loss-spike",     "loss-divergence",
                                             "nan-loss",     "ckpt-nonfinite", NULL};
static const char *const worked_of_nan[] = {"nan-loss", "loss-zero", "ckpt-nonfinite", "crash",
                                            NULL};
static const char *const worked_of_scale[] = {"nan-loss", "crash", NULL};
static const struct symptom worked_symptoms[] = {
    {.id = "nan-loss", .group = "loss-and-metrics", .consequences = worked_none, .order = 0},
    {.id = "nan-gradient",
     .group = "gradients-and-optimizer",
     .consequences = worked_of_nan,
     .order = 1},
    {.id = "grad-explosion",
     .group = "gradients-and-optimizer",
     .consequences = worked_of_norm,
     .order = 2},
    {.id = "loss-scale-collapse",
     .group = "gradients-and-optimizer",
     .consequences = worked_of_scale,
     .order = 3},
    {.id = "ckpt-nonfinite", .group = "checkpoints", .consequences = worked_none, .order = 4},
};

struct worked {
    struct arena arena;
    struct rules rules;
    struct cause causes[3];
    struct run run;
    struct made rate;
    struct series series;
    struct segment segment;
    struct fact facts[8];
    struct finding findings[WORKED_FINDINGS];
    struct judgement judgement;
    struct diagnose_options options;
    struct diagnosing diagnosing;
    struct error error;
};

static inline struct finding worked_finding(const char *id, const char *form, double confidence,
                                            int64_t step, uint64_t line)
{
    struct finding finding = {.form = form, .confidence = confidence, .severity = SEVERITY_ERROR};
    for (size_t i = 0; i < sizeof(worked_symptoms) / sizeof(worked_symptoms[0]); i++)
        if (strcmp(worked_symptoms[i].id, id) == 0)
            finding.symptom = &worked_symptoms[i];
    finding.candidate.onset = point_make(step, 0, (struct place){.input = 1, .line = line});
    finding.candidate.time = NAN;
    finding.message = text_of(id);
    return finding;
}

static inline void worked_fact(struct worked *worked, const char *key, const char *value,
                               double number)
{
    struct fact *fact = &worked->facts[worked->run.fact_count++];
    *fact = (struct fact){
        .key = text_of(key),
        .state = value ? FACT_KNOWN : FACT_NONE,
        .value = value ? text_of(value) : (struct text){0},
        .number = number,
        .source = FACT_LOG,
        .place = {1, 1, 0},
        .step = STEP_NONE,
        .in_force = true,
    };
}

static inline void worked_value(struct finding *finding, const char *name, double number)
{
    struct candidate *candidate = &finding->candidate;
    candidate->values[candidate->value_count++] = (struct value){name, number, {0}};
}

static inline void worked_causes(struct worked *worked)
{
    static const char *const ids[] = {"learning-rate-too-high", "exploding-gradients",
                                      "fp16-overflow"};
    char folder[512];
    snprintf(folder, sizeof(folder), "%s/testdata/rules/worked", getenv("SOURCE_ROOT"));
    const struct rules *rules = rules_load(&worked->arena, folder, &worked->error);
    assert_string_equal(worked->error.message, "");
    for (size_t i = 0; i < 3; i++) {
        const struct cause *cause = rules_cause(rules, text_of(ids[i]));
        assert_non_null(cause);
        worked->causes[i] = *cause;
    }
    worked->rules = (struct rules){.symptoms = worked_symptoms,
                                   .symptom_count = 5,
                                   .causes = worked->causes,
                                   .cause_count = 3};
}

static inline void worked_open(struct worked *worked)
{
    memset(worked, 0, sizeof(*worked));
    static double rates[2000];
    for (size_t i = 0; i < 2000; i++)
        rates[i] = 0.0006;
    make_track(&worked->rate, rates, 2000, 7, 1);
    worked->rate.track.high = worked->rate.track.first = (struct point){0, 0.0006, 2, 0, 1};
    worked->series = (struct series){.tag = TEXT("lr"),
                                     .kind = KIND_LEARNING_RATE,
                                     .main = true,
                                     .speaks = true,
                                     .rank = -1,
                                     .whole = worked->rate.track,
                                     .segments = &worked->series.whole,
                                     .segment_count = 1};
    worked->run = (struct run){.id = TEXT("runs/42"),
                               .series = &worked->series,
                               .series_count = 1,
                               .segments = &worked->segment,
                               .segment_count = 1,
                               .facts = worked->facts,
                               .last_step = 1999,
                               .step_count = 2000,
                               .planned_steps = STEP_NONE,
                               .end = {1, 2010, 0},
                               .speaking_rank = -1};
    worked_fact(worked, "lr_peak", "0.0006", 0.0006);
    worked_fact(worked, "warmup_steps", "0", 0);
    worked_fact(worked, "clip", NULL, NAN);
    worked_fact(worked, "precision", "fp16", NAN);
    worked_causes(worked);
    struct finding *findings = worked->findings;
    findings[0] = worked_finding("ckpt-nonfinite", "weights", 1, STEP_NONE, 0);
    findings[0].candidate.onset.input = 2;
    findings[1] = worked_finding("nan-gradient", "row", 1, 1868, 1872);
    worked_value(&findings[1], "share", 1);
    findings[2] = worked_finding("nan-loss", "after-rise", 1, 1868, 1872);
    findings[3] = worked_finding("grad-explosion", "spike", 0.95, 1842, 1844);
    worked_value(&findings[3], "ratio", 4653.4);
    findings[4] = worked_finding("loss-scale-collapse", "halving", 0.9, 1862, 1865);
    worked_value(&findings[4], "scale", 128);
    worked->judgement = (struct judgement){.findings = findings, .finding_count = WORKED_FINDINGS};
    worked->options.fail_confidence = 0.7;
    worked->diagnosing = (struct diagnosing){.run = &worked->run,
                                             .rules = &worked->rules,
                                             .options = &worked->options,
                                             .judgement = &worked->judgement,
                                             .arena = &worked->arena,
                                             .error = &worked->error};
    worked->diagnosing.good = good_of(&worked->diagnosing);
}

static inline void worked_close(struct worked *worked)
{
    arena_free(&worked->arena);
}

#endif
