/* Symptom and cause files as loaded (the language is stalldoc-rules(5)). */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_RULE_H
#define STALLDOC_RULE_H

#include "stalldoc/detector.h"

/* Embedded files and those of --rules DIR, by name: "symptoms/nan-loss.json", "kinds.json". */
struct rule_file {
    const char *name;
    const char *path; /* as errors name it: "rules/symptoms/nan-loss.json" */
    struct text text;
    bool embedded;
};
extern const struct rule_file rule_files_embedded[]; /* name NULL behind the last */
extern const size_t rule_files_embedded_count;

enum truth { FALSE_, TRUE_, UNKNOWN };

struct condition; /* private to detect/rule/condition.c */

struct confidence_step {
    double is;
    const struct condition *when; /* NULL: always */
};
struct severity_step {
    enum severity is;
    const struct condition *when;
};

struct rule_use {
    const struct detector *detector;
    const char *form;
    enum kind kinds[USE_SERIES_MAX];
    size_t kind_count;
    const char *tag; /* glob; NULL */
    bool any_scope, any_basis;
    enum scope scope;
    enum basis basis;
    uint64_t points;
    const struct condition *when;
    struct parameter_value {
        double number; /* where there are no steps */
        const struct parameter_step {
            uint64_t points;
            double number;
        } * steps; /* from-points, ascending */
        size_t step_count;
    } parameters[PARAMETERS_MAX]; /* complete: defaults filled in */
};

struct gate_entry {
    const struct condition *when;
    enum { GATE_SET, GATE_OFF, GATE_INFO, GATE_CAP } effect;
    double cap;
    const struct parameter_set {
        uint32_t use, parameter;
        double number;
    } * sets;
    size_t set_count;
    const char *why;
};

struct absorb {
    const char *symptom;
    const char *const *forms; /* NULL: all; NULL behind the last */
    double within;            /* share of the run; NAN: anywhere */
};

struct form_message {
    const char *form, *text;
};

struct symptom {
    const char *id, *group, *title;
    const struct rule_use *uses;
    size_t use_count;
    const struct gate_entry *gates;
    size_t gate_count;
    const struct severity_step *severity;
    size_t severity_count;
    const struct confidence_step *confidence;
    size_t confidence_count;
    const struct absorb *absorbs;
    size_t absorb_count;
    const char *const *consequences; /* NULL behind the last */
    const struct form_message *messages;
    size_t message_count;
    const char *meaning, *evidence, *looks_like, *act; /* texts; act is "do" */
    const char *reasons; /* why its numbers are not the usual ones; NULL: they are */
    const char *path;
    size_t order; /* of the catalogue; user's rules behind */
};

struct evidence_item {
    const char *symptom;      /* or NULL: when */
    const char *const *forms; /* NULL: all */
    enum severity severity;   /* SEVERITY_NONE: any */
    const struct condition *where, *when;
    const char *group; /* of the sum */
    double weight;
    const char *text;
};

struct snippet {
    const char *framework, *language, *code; /* lines joined with \n; placeholders not filled */
};
struct fix {
    const char *title, *numbers, *effort, *expect; /* numbers NULL: none */
    const struct condition *when;
    const struct snippet *snippets;
    size_t snippet_count;
};

struct cause {
    const char *id, *title, *meaning, *path;
    double prior;
    const struct condition *unless;
    const struct evidence_item *items;
    size_t item_count;
    const char *const *order; /* symptoms and marks; NULL behind the last */
    const struct fix *fixes;
    size_t fix_count;
    size_t rank; /* of the catalogue */
};

struct rules {
    const struct symptom *symptoms; /* in catalogue order */
    size_t symptom_count;
    const struct cause *causes;
    size_t cause_count;
    const struct message_table *messages;
    const struct vocabulary *vocabulary;
};

/* The rules of the embedded files as the build has loaded them: constant data, so that a start
   costs nothing. No symptoms where a build could not run its programs. */
extern const struct rules rules_embedded;
/* Reads the embedded files, replaced and extended by those of `folder` (NULL: none).
   Errors are `file:line: what; did you mean ...`. */
const struct rules *rules_read(struct arena *arena, const char *folder, struct error *error);
/* The same rules, but what is in the program is not read again. */
const struct rules *rules_load(struct arena *arena, const char *folder, struct error *error);
const struct symptom *rules_symptom(const struct rules *rules, struct text id); /* NULL */
const struct cause *rules_cause(const struct rules *rules, struct text id);

struct detect_options {
    const char *const *select, *const
                                   *ignore; /* ids or prefix*; NULL behind the last; may be NULL */
    double min_confidence;
    struct {
        const char *id;
        enum severity severity; /* SEVERITY_NONE: off */
    } severities[64];
    size_t severity_count;
};
/* Judges one run: detectors, gates, severity, confidence, absorbing. */
bool judge(const struct run *run, const struct rules *rules, const struct detect_options *options,
           struct arena *arena, struct judgement *judgement, struct error *error);

struct good {               /* where the run was last sound */
    int64_t step;           /* STEP_NONE */
    struct text checkpoint; /* "" none */
};

/* What conditions look at. `finding` is the candidate or finding at hand, or NULL. */
struct context {
    const struct run *run;
    const struct rules *rules;
    const struct finding *all; /* candidates (symptom files) or findings (cause files) */
    size_t all_count;
    const struct finding *at;
    bool findings;           /* `all` holds findings: absorbed ones do not count */
    const struct good *good; /* for texts; NULL: not known yet */
};
/* `condition` NULL holds. */
enum truth condition_truth(const struct condition *condition, const struct context *context);
/* Does it ask for this gate anywhere? */
bool condition_asks_gate(const struct condition *condition, const char *gate);
/* Where what a true condition is about was read: of a fact, a message or a finding. */
struct place condition_place(const struct condition *condition, const struct context *context);

/* Rules in words, for explain and the manual. A phrase that is full ends early. */
struct phrase {
    char text[4096];
    size_t size;
};
void condition_words(const struct condition *condition, struct phrase *phrase); /* NULL: "" */
void use_words(const struct rule_use *use, struct phrase *phrase); /* what it takes, its numbers */
void gate_entry_words(const struct symptom *symptom, const struct gate_entry *gate,
                      struct phrase *phrase);
void severity_words(const struct severity_step *step, struct phrase *phrase);
void evidence_words(const struct evidence_item *item, struct phrase *phrase); /* with its nats */

/* Fills {name}, {name*0.3}, {name/3}, {name|default}; see stalldoc-rules(5). `complete` tells
   whether every placeholder was known. data NULL: no memory. */
struct text placeholder_fill(struct arena *arena, const char *text, const struct context *context,
                             bool code, bool *complete);
/* The same text where nothing is known: defaults, and <name> where there is none. */
struct text placeholder_plain(struct arena *arena, const char *text, bool code);
/* The rules to be read: what is said, advice, evidence and fixes filled in so. NULL: no memory. */
const struct rules *rules_plain(struct arena *arena, const struct rules *rules,
                                struct error *error);
/* Of plain rules: the nth message has words of its own, and no message before has the same. */
bool message_is_told(const struct symptom *symptom, size_t nth);

#endif
