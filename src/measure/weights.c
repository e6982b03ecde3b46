/* What the names of tensors tell. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/weights.h"

#include <string.h>

bool tensor_has(struct text name, const char *part)
{
    char pattern[64];
    size_t size = strlen(part);
    if (size + 2 > sizeof(pattern))
        return false;
    pattern[0] = pattern[size + 1] = '*';
    memcpy(pattern + 1, part, size);
    return text_glob((struct text){pattern, size + 2}, name, true);
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
    static const char *const parts[] = {"exp_avg",  "momentum",  "square_avg",    "/adam",
                                        "/rmsprop", "optimizer", "accumul",       "_slot",
                                        "state1",   "state2",    "moment",        "adagrad",
                                        "adadelta", "ftrl",      "movingaverage", NULL};
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
