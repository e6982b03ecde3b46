/* Which checkpoints are compared with which. */
/* SPDX-License-Identifier: MIT */
#ifndef COLLECT_LINES_H
#define COLLECT_LINES_H

#include "runs.h"

/* What tells a portion's line; its tensors stand. False: memory ended. */
bool line_keys(struct arena *arena, struct portion *portion);
/* `together`: the user named both, so that their names and folders do not matter. */
bool line_shared(const struct portion *a, const struct portion *b, bool together);
/* Documents of one run, of which the later tells all that the earlier does. */
bool line_retold(const struct portion *earlier, const struct portion *later);
void lines_number(struct portion *portions, size_t count);
/* Orbax keeps each save of a run in a folder whose name is the step alone: "run/1000". False:
   memory ended. */
bool lines_saves(struct arena *arena, struct portion *portions, size_t count);
/* By step, else epoch, else as they were given; what has no step comes last. */
int line_order(const struct portion *a, const struct portion *b);

/* compare.c: consecutive checkpoints of a run, read once more in pairs. Run after the portions'
   tensors stand in the run. */
bool run_compare(struct collector *collector, const struct group *group, struct run *run,
                 struct error *error);

#endif
