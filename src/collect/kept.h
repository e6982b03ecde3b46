/* The names that optimizers give to what they keep of the gradients. */
/* SPDX-License-Identifier: MIT */
#ifndef COLLECT_KEPT_H
#define COLLECT_KEPT_H

#include "stalldoc/span.h"

enum source_of_gradient {
    FROM_STORED,
    FROM_SQUARES,
    FROM_MOMENTUM,
    FROM_VELOCITY, /* momentum of Keras: steps, with the rate in them */
    FROM_SUMS,
    FROM_MOVEMENT
};

struct kept { /* a name that an optimizer gives to what it keeps */
    const char *ending;
    enum source_of_gradient source;
    const char *within; /* that the name holds too; "": nothing */
};

extern const struct kept unnamed_square, unnamed_velocity;

const struct kept *kept_by(struct text name); /* NULL: the name is of something else */
struct text kept_stem(struct text name, const struct kept *by); /* what stands before the ending */
/* Of Flax the optimizer's part of the tree has the parameters' names, behind its own:
   opt_state.0.nu.Dense_0.kernel. Where they begin; the size of the name: it is none. */
size_t flax_stem(struct text name, bool momentum);

#endif
