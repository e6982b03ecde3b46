/* One table of options feeds parsing, help, completions and the check of the manual. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_CLI_OPTIONS_H
#define STALLDOC_CLI_OPTIONS_H

#include "stalldoc/report.h"

enum command_bit {
    ON_ANALYZE = 1,
    ON_INSPECT = 2,
    ON_EXPLAIN = 4,
    ON_RULES = 8,
    ON_OTHER = 16, /* help, completion */
    ON_ALL = 31,
};

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

struct words { /* a list that grows; a NULL stands behind the last */
    const char **items;
    size_t count, capacity;
};

struct extra_report { /* --report=FORMAT:FILE */
    const struct report *report;
    const char *path;
};
enum { EXTRA_REPORTS_MAX = 16 };

struct options {
    struct arena *arena; /* of all that is kept here */
    const struct command *command;
    struct words paths; /* operands */
    int help;           /* 1: one screen, 2: all */
    bool version;
    int quiet, verbose;
    enum when colour, unicode;
    size_t width; /* 0: of the terminal */
    const char *format;
    const char *output; /* NULL: standard output */
    struct extra_report extra[EXTRA_REPORTS_MAX];
    size_t extra_count;
    const char *rules;
    size_t jobs; /* 0: processors */
    uint64_t max_memory, max_line;
    const char *type, *stdin_name;
    struct words include, exclude;
    size_t max_depth;
    enum run_mode run_mode;
    struct words maps;  /* NAME=GLOB, checked */
    struct words facts; /* KEY=VALUE, checked */
    struct words inputs, targets; /* FILE[:NAME] */
    int64_t from, to;
    struct words select, ignore, fail_on;
    struct detect_options detect; /* without the lists */
    double fail_confidence;
    bool exit_zero, strict;
    size_t causes;
    const char *framework;
    bool no_fixes, no_evidence, no_plot;
    size_t points;
    bool types, no_stats; /* inspect */
    bool only_series, only_tensors;
    const char *series_glob, *tensors_glob;
    size_t head;
    const char *kind; /* rules: "symptom", "cause" */
};

enum option_group {
    GROUP_INPUT,
    GROUP_JUDGEMENT,
    GROUP_OUTPUT,
    GROUP_LIMITS,
    GROUP_GENERAL,
    GROUP_COUNT,
};

struct option {
    const char *name;  /* without dashes */
    char letter;       /* 0: none */
    const char *value; /* its name in help; NULL: takes none; "[=X]" forms begin with '[' */
    unsigned commands;
    enum option_group group;
    const char *about, *usual; /* usual: the default, NULL none worth a word */
    const char *choices;       /* for completion: words with blanks between, "@file", or NULL */
    bool (*set)(struct options *options, const char *value, struct error *error);
};
extern const struct option option_table[];
extern const size_t option_count;
extern const char *const option_group_names[GROUP_COUNT];

struct command {
    const char *name, *operands, *about, *examples; /* examples: lines, each ends with \n */
    unsigned bit;
    const char *choices;                 /* of operands, as in struct option */
    const char *formats;                 /* of -f, the default first; NULL: has none */
    int (*run)(struct options *options); /* the exit status */
};
extern const struct command *const commands[]; /* NULL behind the last */
const struct command *command_named(struct text name);

/* Environment first, then the words behind the command. False: *error holds the whole line. */
bool options_parse(struct options *options, const struct command *command, int count, char **words,
                   struct error *error);
bool words_add(struct options *options, struct words *words, const char *word, struct error *error);
/* "did you mean" for a word: the nearest of the candidates, NULL where none is near. */
const char *nearest(struct text word, const char *const *candidates, size_t count);

/* Lines on standard error, escaped: `stalldoc: ...`. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Standard output or the file of -o, as the options and the environment want it. */
bool output_open(const struct options *options, struct out *out, struct error *error);
/* Gives the file its name. False: it could not be written, and *error says so. */
bool output_close(const struct options *options, struct out *out, struct error *error);
/* A second report: `path` gets all or nothing. */
bool output_file_open(const char *path, struct out *out, struct error *error);
bool output_file_close(const char *path, struct out *out, bool keep, struct error *error);

#endif
