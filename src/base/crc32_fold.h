/* Folding by carry-less products: private to base/.

   A message is a polynomial over GF(2); 128 bits of it may be moved by D bits towards its end when
   their halves are multiplied by x^(D+32) and x^(D-32) mod P (reflected, hence one place up). What
   is left after the last fold has the remainder of the whole (Gopal et al., Fast CRC Computation
   for Generic Polynomials Using PCLMULQDQ Instruction, Intel 2009). */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_CRC32_FOLD_H
#define BASE_CRC32_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CRC32_FOLD = 256 }; /* bytes of a message that stand for what came before them */

struct crc32_fold {
    bool (*runs_here)(void);
    /* Folds `size` bytes, a multiple of 256, into the last 256 that go to `left`; the register's
       `state` is in them already. */
    void (*fold)(uint32_t state, const uint8_t *data, size_t size, uint8_t left[CRC32_FOLD]);
};

extern const struct crc32_fold crc32_fold512, crc32_fold128;

#endif
