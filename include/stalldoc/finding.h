/* What the inputs show: candidates as measured, findings as judged. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_FINDING_H
#define STALLDOC_FINDING_H

#include "stalldoc/run.h"

enum severity { SEVERITY_NONE, SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR };
const char *severity_name(enum severity severity);
bool severity_of_name(struct text name, enum severity *severity);

enum { VALUES_MAX = 24 };
struct value { /* names are those of the detector's row */
    const char *name;
    double number;
    struct text text; /* used where number is NAN and text is not empty ("part", "source") */
};

struct evidence {
    enum evidence_kind {
        EVIDENCE_VALUE,
        EVIDENCE_RANGE,
        EVIDENCE_TEXT,
        EVIDENCE_TENSOR,
        EVIDENCE_EVENT,
        EVIDENCE_STATISTIC,
        EVIDENCE_ABSENCE,
    } kind;
    struct place place;
    int64_t step;
    struct text series; /* "" none */
    double value;       /* MISSING none */
    struct text text;
};
enum { EVIDENCE_MAX = 4 };

struct candidate {               /* what a detector measured: no symptom, no severity, no text */
    const struct series *series; /* NULL: of the run, or of a message */
    uint32_t segment;
    const char *form; /* detectors that know several forms set it; else the use's form stands */
    struct point onset;
    uint64_t end_line; /* a trend's onset is a range of lines; 0: one line */
    int64_t last_step;
    double time; /* of the onset; NAN */
    struct value values[VALUES_MAX];
    size_t value_count;
    struct evidence evidence[EVIDENCE_MAX];
    size_t evidence_count;
    struct text subject; /* tag, tensor, part; defaults to the series' tag */
    const struct message *message;
};

struct finding {
    const struct symptom *symptom;
    const char *form;
    enum severity severity;
    double confidence; /* 0..1, final as the rule file states it */
    struct candidate candidate;
    struct text message; /* one line, as printed */
    const struct finding *absorbed_by;
    bool info_segment; /* a trend finding of an earlier segment */
};

struct gated { /* a gate acted on a candidate */
    const struct symptom *symptom;
    const char *gate; /* "late-excerpt"; for other conditions their subject's name */
    struct text text; /* why, and the candidate's message */
};
struct skipped {
    const struct symptom *symptom;
    struct text reason; /* "no validation series" */
};

struct judgement {                  /* of one run: what detect/ yields */
    const struct finding *findings; /* by severity, then place; absorbed ones too */
    size_t finding_count;
    const struct symptom *const *ran;
    size_t ran_count;
    const struct skipped *skipped;
    size_t skipped_count;
    const struct gated *gated;
    size_t gated_count;
    const char *not_judged[4]; /* "adversarial losses have no trend" */
    size_t not_judged_count;
    const struct finding *weak; /* under --min-confidence, none absorbed: they count for nothing */
    size_t weak_count;
};
/* What a finding says where room is short: of a long line of the log, the part from shortly before
   its fixed text on, for bars, times and ranks stand before it. */
struct text finding_core(const struct finding *finding);

#endif
