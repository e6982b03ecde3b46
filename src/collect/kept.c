/* Which names say that a tensor is something an optimizer keeps of the gradients. */
/* SPDX-License-Identifier: MIT */
#include "kept.h"

#include <string.h>

static const struct kept kept[] = {
    {"exp_avg_sq", FROM_SQUARES, ""},
    {"exp_avg_sq_col", FROM_SQUARES, ""},
    {"col_var", FROM_SQUARES, "state."},
    {"variance", FROM_SQUARES, "state."},
    {"/Adam_1", FROM_SQUARES, ""},
    {"/v:0", FROM_SQUARES, "optimizer_weights/"},
    {"_velocity", FROM_SQUARES, "optimizer_weights/adam"},
    {"/v/.ATTRIBUTES/VARIABLE_VALUE", FROM_SQUARES, "/.OPTIMIZER_SLOT/"},
    {"/rms/.ATTRIBUTES/VARIABLE_VALUE", FROM_SQUARES, "/.OPTIMIZER_SLOT/"},
    {"square_avg", FROM_SQUARES, ""},
    {"/RMSProp", FROM_SQUARES, ""},
    {"momentum_buffer", FROM_MOMENTUM, ""},
    {"/Momentum", FROM_MOMENTUM, ""},
    {"/momentum:0", FROM_VELOCITY, "optimizer_weights/SGD/"},
    {":0", FROM_VELOCITY, "optimizer_weights/SGD/m/"},
    {"_momentum", FROM_VELOCITY, "optimizer_weights/sgd/"},
    {"/momentum/.ATTRIBUTES/VARIABLE_VALUE", FROM_VELOCITY, "/.OPTIMIZER_SLOT/"},
    {".grad", FROM_STORED, ""},
    {".gradient", FROM_STORED, ""},
    {".sum", FROM_SUMS, ""},
};

const struct kept unnamed_square = {"", FROM_SQUARES, ""};
const struct kept unnamed_velocity = {"", FROM_VELOCITY, ""};
static const struct kept unnamed_momentum = {"", FROM_MOMENTUM, ""};

size_t flax_stem(struct text name, bool momentum)
{
    const struct text slot = momentum ? TEXT(".trace.") : TEXT(".nu.");
    const size_t at = text_find(name, slot);
    const bool state = at < name.size && text_find(text_cut(name, 0, at), TEXT("opt_state")) < at;
    return state ? at + slot.size : name.size;
}

/* "max_exp_avg_sq" is another. */
static bool ends_word(struct text name, const char *ending)
{
    const size_t size = strlen(ending);
    return text_ends(name, ending) &&
           (name.size == size || strchr("./:", name.data[name.size - size - 1]) ||
            strchr("._/", ending[0]));
}

const struct kept *kept_by(struct text name)
{
    if (flax_stem(name, false) < name.size)
        return &unnamed_square;
    if (flax_stem(name, true) < name.size)
        return &unnamed_momentum;
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
        if (ends_word(name, kept[i].ending) && text_find(name, text_of(kept[i].within)) < name.size)
            return &kept[i];
    return NULL;
}

struct text kept_stem(struct text name, const struct kept *by)
{
    return text_cut(name, 0, name.size - strlen(by->ending));
}
