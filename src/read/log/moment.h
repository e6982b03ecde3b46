/* Times, dates and durations as texts have them. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_MOMENT_H
#define STALLDOC_READ_LOG_MOMENT_H

#include "stalldoc/span.h"

enum time_kind { TIME_NONE, TIME_DATE, TIME_CLOCK, TIME_DURATION };
struct moment {
    enum time_kind kind;
    double seconds;
};
/* Bytes of the time, date or duration at `at`; 0 where there is none. */
size_t time_take(struct text text, size_t at, struct moment *moment);
/* The date behind the word AT, `CANCELLED AT 2024-05-01T12:00:00`: seconds since 1970; 0: none. */
double time_said(struct text text);

#endif
