/* What a sink of the tests does not listen to. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_DEAF_H
#define TEST_DEAF_H

#include "stalldoc/format.h"

static inline bool deaf_time(struct sink *sink, double time, const struct place *place,
                             int32_t rank, struct error *error)
{
    (void)sink;
    (void)time;
    (void)place;
    (void)rank;
    (void)error;
    return true;
}

static inline bool deaf_template(struct sink *sink, struct text text, uint64_t count,
                                 bool understood, const struct place *first, struct error *error)
{
    (void)sink;
    (void)text;
    (void)count;
    (void)understood;
    (void)first;
    (void)error;
    return true;
}

static inline bool deaf_counts(struct sink *sink, const struct line_counts *counts,
                               struct error *error)
{
    (void)sink;
    (void)counts;
    (void)error;
    return true;
}

#endif
