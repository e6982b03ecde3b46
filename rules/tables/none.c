/* Where there are no tables: in the program that writes them, and where a build cannot run it. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/rule.h"

const struct rules rules_embedded;
