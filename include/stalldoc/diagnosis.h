/* Findings and rules to verdicts: the ranked causes of each run. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_DIAGNOSIS_H
#define STALLDOC_DIAGNOSIS_H

#include "stalldoc/rule.h"

struct argument {
    const struct finding *finding; /* NULL: a fact or a message */
    struct text text;
    double nats; /* below 0: speaks against */
    struct place place;
};

struct filled_fix {
    const struct fix *fix;
    struct text title, numbers, expect; /* numbers and expect "": none or not known */
    const struct text *codes;           /* beside fix->snippets */
};

struct ranked {
    const struct cause *cause;
    double sum, prior, order, score; /* nats; score 0..1. Sorted, ties in catalogue order */
    const struct argument *arguments; /* for first, largest first; then against */
    size_t argument_count;
    const struct filled_fix *fixes;
    size_t fix_count;
    struct text chain; /* "lr-peak 0, grad-explosion 1842, nan-loss 1868"; "" none */
};

enum status { STATUS_HEALTHY, STATUS_SUSPECT, STATUS_FAILING, STATUS_UNKNOWN };
const char *status_name(enum status status);

struct before { /* what changed just before the onset */
    struct place place;
    int64_t step;
    struct text text;
};

struct verdict {
    const struct run *run;
    enum status status;
    enum severity worst; /* SEVERITY_NONE: no finding */
    struct text headline;
    struct judgement judgement;
    const struct ranked *causes;
    size_t cause_count;
    size_t errors, warnings, infos; /* not absorbed */
    int64_t last_good_step;         /* STEP_NONE */
    struct text last_good_checkpoint;
    const struct before *before;
    size_t before_count;
    const struct text *experiments; /* what would decide, cheapest first; when nothing does */
    size_t experiment_count;
    enum run_end end;
};

struct diagnosis {
    const struct collection *collection;
    const struct rules *rules;
    const struct verdict *verdicts; /* [run] */
    size_t verdict_count;
    size_t worst; /* index; meaningless where there are none */
    int exit_code;
    const char *reason; /* one line on standard error where exit_code is not 0; NULL */
};

struct diagnose_options {
    struct detect_options detect;
    double fail_confidence;    /* 0.7 */
    const char *const *fail_on; /* "error", "warning", "info", "none", ids; NULL behind the last */
    bool exit_zero;
};

bool diagnose(const struct collection *collection, const struct rules *rules,
              const struct diagnose_options *options, struct arena *arena,
              struct diagnosis *diagnosis, struct error *error);

#endif
