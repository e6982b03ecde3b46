/* Element types that are decoded to one that is measured. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_CODING_H
#define READ_CODING_H

#include "stalldoc/format.h"

struct coded_type {
    enum dtype dtype;     /* that it is decoded to */
    uint32_t elements;    /* of a group */
    struct coding coding; /* of it */
};

extern const struct coded_type coded_e8m0;      /* powers of two of microscaling formats */
extern const struct coded_type coded_e2m1;      /* two in a byte, the low half first */
extern const struct coded_type coded_complex32; /* pairs of float16 */
extern const struct coded_type coded_q8_0, coded_q4_0, coded_q4_1, coded_q5_0, coded_q5_1;
extern const struct coded_type coded_iq4_nl, coded_iq4_xs, coded_q2_k, coded_q3_k;
extern const struct coded_type coded_q4_k, coded_q5_k, coded_q6_k;

/* Makes *view, whose bytes (offset, size) are those of `type` and whose `type` says its name, one
   over decoded values. *count: how many the file has so far; what comes behind the first 16384
   stays as it is: named. False with *error: memory, or bytes that are not there. */
bool view_decode(const struct coded_type *type, size_t *count, struct tensor_view *view,
                 struct error *error);

#endif
