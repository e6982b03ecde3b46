/* Powers of five for the rounding of decimals. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_POWERS_H
#define BASE_POWERS_H

#include <stdint.h>

enum { POWER_LOW = -342, POWER_HIGH = 308 }; /* beyond them 19 digits are 0 or infinite */

/* The first 128 bits of 5^(POWER_LOW + row), the higher half first. */
extern const uint64_t powers_of_five[POWER_HIGH - POWER_LOW + 1][2];

#endif
