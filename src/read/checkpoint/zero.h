/* DeepSpeed's ZeRO: the optimizer's state in a file a rank, in its third stage the parameters too.
 */
/* SPDX-License-Identifier: MIT */
#ifndef READ_ZERO_H
#define READ_ZERO_H

#include "read/checkpoint/pickle.h"

#include "stalldoc/format.h"

/* The files of all other ranks stand beside that of rank 0, as many as it says there are. True
   where the input is no such file. */
bool zero_complete(const struct reading *reading, const struct pickle *pickle, struct error *error);
/* Of rank 0's model states in the third stage: each parameter, put together from the partitions of
   all ranks, under its own name. True without any where the input is no such file, or a rank is
   missing, which is said elsewhere. */
bool zero_parameters(const struct reading *reading, const struct pickle *pickle,
                     struct error *error);

struct zero_naming { /* a sink that gives a parameter its name */
    struct sink sink;
    struct sink *to;
    struct text name;
};
/* Whether the input is of a universal checkpoint, whose folders have the parameters' names and
   whose files are one tensor each: then *naming stands before the reading's sink. */
bool zero_named(const struct reading *reading, struct zero_naming *naming);

#endif
