/* Every bound of the program, with its reason. The man page lists them. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_LIMITS_H
#define STALLDOC_LIMITS_H

enum {
    LIMIT_LINE = 64 << 10,        /* a line is read for values up to here, longer: the first part */
    LIMIT_LINE_PART = 16 << 10,   /* that first part */
    LIMIT_LINE_MESSAGE = 1 << 20, /* fixed messages are looked for up to here (--max-line) */
    LIMIT_WINDOW = 1 << 20,       /* a read: long enough that the kernel copies at full speed */
    LIMIT_WINDOW_SPARE = 64,      /* bytes that may be loaded on both sides of a window */
    LIMIT_NAMES = 20000,          /* series names a run; more are counted, not kept */
    LIMIT_FULL_SERIES = 1024,     /* series in full state a run, about 32 KiB each */
    LIMIT_TEMPLATES = 8192,       /* line templates a stream */
    LIMIT_SIBLINGS = 4096,        /* files that one input may ask for beside it */
    LIMIT_DEPTH = 64,             /* nesting of documents */
    LIMIT_FOLDER_DEPTH = 16,      /* --max-depth */
    LIMIT_RANKS = 4096,           /* streams of one file */
    LIMIT_MESSAGES = 3,           /* lines kept of one fixed message and stream; the rest counted */
};

#endif
