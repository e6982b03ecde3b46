/* From paths to a collection: open, find the type, read, collect. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_CLI_GATHER_H
#define STALLDOC_CLI_GATHER_H

#include "cli/options.h"
#include "stalldoc/rule.h"

struct gathering {
    const struct options *options;
    struct arena arena; /* of rules and reports */
    struct arena kept;  /* of the collection; bounded by --max-memory */
    const struct rules *rules;
    const struct vocabulary *vocabulary; /* of the rules, and of --map */
    struct collector *collector;
    struct collection collection;
    const struct format *type; /* of --type */
    struct text folder;        /* that is being walked */
    enum tensor_role role;     /* of the file of --inputs or --targets that is being read */
    struct text role_name;     /* of the array in it; "" the only one */
    uint32_t count;            /* inputs told to the collector */
    uint32_t stdin_input;      /* its number; 0 none */
    size_t read;               /* inputs that a reader went through */
    size_t bad_named;          /* named by the user, but not read */
    size_t bad_found;          /* found in a folder: unreadable, unrecognised or damaged */
    bool judged;               /* damage becomes a finding, which tells it */
    size_t complaints, unsaid;
    const char *said_path;
};

/* Loads the rules. False: *error says why. */
bool gather_begin(struct gathering *gathering, const struct options *options, struct error *error);
/* Reads all operands. What cannot be read is said on standard error and counted. False: only where
   nothing can go on (memory). */
bool gather(struct gathering *gathering, bool keep_templates, bool stats, struct error *error);
/* Damage of an input and its place, on standard error. */
void say_damage(struct text path, const struct error *damage);
void gather_end(struct gathering *gathering);

#endif
