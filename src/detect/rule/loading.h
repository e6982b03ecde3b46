/* Loading of rule files: what its parts share. */
/* SPDX-License-Identifier: MIT */
#ifndef LOADING_H
#define LOADING_H

#include "stalldoc/json.h"
#include "stalldoc/rule.h"

struct words { /* names that may stand somewhere */
    const char *const *items;
    size_t count;
};

struct declared { /* what a symptom's file says of itself, known before any file is read whole */
    const char *id;
    struct words forms, values;
};

struct loading {
    struct arena *arena;
    struct error *error;
    const struct rule_file *file; /* at hand */
    const struct json *json;      /* its tree; NULL before it is parsed */
    const cJSON *root;
    struct words symptoms, causes; /* ids of the catalogue in its order, then the user's own */
    size_t catalogue_symptoms, catalogue_causes;
    const char *const *groups; /* beside the symptoms of the catalogue */
    const struct declared *declared;
    size_t declared_count;
    struct words all_values; /* of all of them: a fix speaks of the strongest finding */
    const struct message_table *messages;
    struct words message_ids; /* of its rows */
};

/* Where a condition stands decides what it may ask for. */
struct asker {
    struct words forms, values; /* of the candidate at hand; empty: there is none */
    bool candidate;             /* values, forms and onsets can be asked for */
    bool early;                 /* before detection: facts, series and gates of the run alone */
};

bool load_error(const struct loading *loading, const cJSON *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* `unknown <what> "<word>"`, with the nearest of the known ones. */
bool load_unknown(const struct loading *loading, const cJSON *at, const char *what,
                  const char *word, struct words known);
bool load_memory(const struct loading *loading);
bool words_hold(struct words words, const char *word);
/* The nearest word; NULL where none is near. */
const char *words_nearest(struct words words, const char *word);

/* Only these members, none twice. */
bool load_members(const struct loading *loading, const cJSON *object, struct words known);
const cJSON *load_member(const cJSON *object, const char *name);
/* A member as text, number or list. Absent: true, *result untouched, unless it is needed. */
bool load_string(const struct loading *loading, const cJSON *object, const char *name, bool needed,
                 const char **result);
bool load_number(const struct loading *loading, const cJSON *object, const char *name, double low,
                 double high, double *result);
/* A string or a list of strings; NULL behind the last. */
bool load_strings(const struct loading *loading, const cJSON *object, const char *name,
                  const char *const **result);
/* The same, each one of `known`; `what` names it in errors. */
bool load_names(const struct loading *loading, const cJSON *object, const char *name,
                const char *what, struct words known, const char *const **result);
/* A list: how many items, and the first of them. Absent: none, unless it is needed. */
bool load_list(const struct loading *loading, const cJSON *object, const char *name, bool needed,
               size_t *count, const cJSON **first);
const struct declared *load_declared(const struct loading *loading, const char *id);

bool condition_load(const struct loading *loading, const struct asker *asker, const cJSON *at,
                    const struct condition **result);
/* The member `name` of the object, where it is there. */
bool condition_member(const struct loading *loading, const struct asker *asker, const cJSON *object,
                      const char *name, const struct condition **result);

bool symptom_declare(const struct loading *loading, struct declared *declared);
bool symptom_load(const struct loading *loading, struct symptom *symptom);
bool cause_load(const struct loading *loading, struct cause *cause);
/* A text with placeholders: each name is known, and in code has a default where it is a fact. */
bool placeholder_check(const struct loading *loading, const cJSON *at, struct words values,
                       bool code);

#define WORDS(array) ((struct words){(array), sizeof(array) / sizeof((array)[0])})

#endif
