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
/* Of the model states, in the third stage of rank 0's: each parameter as the optimizer has it, put
   together from the partitions of all ranks, under its own name; its moments as name.exp_avg and
   name.exp_avg_sq where all ranks have them. True without any where the input is no such file, a
   rank is missing, which is said elsewhere, or groups are cut over fewer ranks than others. */
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
