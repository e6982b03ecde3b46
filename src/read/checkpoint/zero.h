/* DeepSpeed's ZeRO: the optimizer's state in a file a rank. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_ZERO_H
#define READ_ZERO_H

#include "read/checkpoint/pickle.h"

#include "stalldoc/format.h"

/* The files of all other ranks stand beside that of rank 0, as many as it says there are. True
   where the input is no such file. */
bool zero_complete(const struct reading *reading, const struct pickle *pickle, struct error *error);

#endif
