/* What the names of tensors tell. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/weights.h"

#include <string.h>

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Names are looked at many times, so without the detour over patterns. */
bool tensor_has(struct text name, const char *part)
{
    const size_t size = strlen(part);
    for (size_t i = 0; i + size <= name.size; i++) {
        size_t k = 0;
        while (k < size && small(name.data[i + k]) == part[k])
            k++;
        if (k == size)
            return true;
    }
    return false;
}

static bool has_any(struct text name, const char *const *parts)
{
    for (; *parts; parts++)
        if (tensor_has(name, *parts))
            return true;
    return false;
}

bool tensor_is_state(struct text name)
{
    static const char *const parts[] = {
        "exp_avg",  "momentum", "square_avg",    "/adam",     "/rmsprop", "optimizer",
        "accumul",  "_slot",    "state1",        "state2",    "moment",   "adagrad",
        "adadelta", "ftrl",     "movingaverage", "opt_state", NULL};
    return has_any(name, parts);
}

bool tensor_is_loose(struct text name)
{
    static const char *const parts[] = {"embed", "emb.", "emb_",  "_emb", "norm",
                                        "wte",   "wpe",  "token", NULL};
    return has_any(name, parts);
}

bool tensor_starts_at_zero(struct text name)
{
    static const char *const parts[] = {
        "lora_b", "lora_embedding_b", "adapter", "zero", "gate", "ada_ln", "adaln", "mask", NULL};
    return has_any(name, parts);
}

bool tensor_is_buffer(struct text name)
{
    static const char *const parts[] = {
        "running_",    "num_batches", "normalizer", "inv_freq",   "position_ids", "mask",
        "rotary",      "freqs",       "sinusoid",   "buffer",     "anchor",       "window",
        "moving_mean", "moving_var",  "ema_",       "_ema",       ".ema",         "shadow",
        "average",     "target",      "teacher",    "codebook",   "grid",         "pos_enc",
        "version",     "lpips",       "perceptual", "queue",      "num_steps",    "bins",
        "quant",       "scaler",      "mel_basis",  "filterbank", "fixed",        "frozen",
        "reference",   "ref_model",   NULL};
    return has_any(name, parts);
}

bool tensor_is_adapter(struct text name)
{
    static const char *const parts[] = {
        "lora", "adapter",         "prompt", "prefix", "ia3",   "dora",   "loha",
        "lokr", "modules_to_save", "hada",   "oft_",   "vera_", "ti_emb", NULL};
    return has_any(name, parts);
}
