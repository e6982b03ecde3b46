/* What loaded rules are made of, member by member: for programs that walk all of it. */
/* SPDX-License-Identifier: MIT */
#ifndef RULES_FIELDS_H
#define RULES_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

struct type {
    const char *name; /* as C has it */
    const char *rows; /* what a list of all of them is called */
    enum form {
        FORM_WHOLE,    /* unsigned integers, bool and enum */
        FORM_REAL,     /* double */
        FORM_STRING,   /* const char *, NULL too */
        FORM_TEXT,     /* struct text */
        FORM_DETECTOR, /* const struct detector * */
        FORM_POINTER,  /* to one item, or NULL */
        FORM_STRUCT,
    } form;
    size_t size, alignment;
    const struct type *to;      /* of a pointer */
    const struct field *fields; /* of a struct, in their order; name NULL behind the last */
};

struct field {
    const char *name;
    size_t offset, size;
    const struct type *type; /* of the member, or of the items that it holds or points to */
    enum list {
        LIST_HELD,    /* no pointer to a list: one item or an array */
        LIST_COUNTED, /* the size_t at `beside` is their number */
        LIST_ENDED,   /* strings up to a NULL, which belongs to them */
        LIST_PAIRED,  /* as many as those of the ended list at `beside` */
    } list;
    size_t beside; /* offset of that member */
};

extern const struct type *const type_of_rules; /* struct rules */

/* The items of a field of `item`, and how many they are. */
const void *field_items(const struct field *field, const void *item);
size_t field_count(const struct field *field, const void *item);
/* The first field with bytes of no field before it, padding apart; the end where they stand behind
   the last; NULL: the fields are all that the struct has. */
const struct field *type_gap(const struct type *type);

#endif
