/* The definition, in plain C. */
/* SPDX-License-Identifier: MIT */
#include "read/sift/lines.h"

static inline void classify(const char *text, struct classes *classes)
{
    *classes = (struct classes){0};
    for (unsigned at = 0; at < BLOCK; at++) {
        const unsigned char c = (unsigned char)text[at], low = c | 0x20;
        classes->letters |= (uint64_t)(low >= 'a' && low <= 'z') << at;
        classes->upper |= (uint64_t)(c >= 'A' && c <= 'Z') << at;
        classes->digits |= (uint64_t)(c >= '0' && c <= '9') << at;
        classes->high |= (uint64_t)(c >= 0x80) << at;
        classes->blanks |= (uint64_t)(c == ' ' || c == '\t' || c == ',' || c == '|') << at;
        classes->colons |= (uint64_t)(c == ':') << at;
        classes->signs |= (uint64_t)(c == '-' || c == '.' || c == '(' || c == '[') << at;
        classes->ends |= (uint64_t)(c == '\n') << at;
    }
}

static bool runs_here(void)
{
    return true;
}

const struct sift_tier sift_plain = {"plain", runs_here, look_at_lines};
