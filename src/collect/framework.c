/* The framework by what only its own log lines look like, where nothing names it. */
/* SPDX-License-Identifier: MIT */
#include "runs.h"

static const struct series *tagged(const struct run *run, const char *tag)
{
    for (size_t i = 0; i < run->series_count; i++)
        if (text_is(run->series[i].tag, tag))
            return &run->series[i];
    return NULL;
}

/* Records {'loss': .., 'learning_rate': .., 'epoch': 0.51}. */
static const struct series *trainer_record(const struct run *run, const struct details *details)
{
    for (size_t i = 0; i < run->series_count; i++)
        if (text_is(run->series[i].tag, "loss") && details[i].fractional &&
            tagged(run, "learning_rate"))
            return &run->series[i];
    return NULL;
}

/* Ends of bars with the validation values of the epoch behind them. */
static const struct series *keras_bar(const struct run *run)
{
    const struct series *loss = tagged(run, "loss"), *check = tagged(run, "val_loss");
    return loss && check && loss->origin == ORIGIN_BAR && check->origin == ORIGIN_BAR ? loss : NULL;
}

const char *framework_guess(const struct run *run, const struct details *details,
                            const struct series **sign)
{
    static const struct {
        const char *framework, *tag, *beside;
    } signs[] = {
        {"megatron", "lm loss", "consumed samples"},
        {"megatron", "lm loss", "loss scale"},
        {"lightning", "train_loss_step", "train_loss_epoch"},
        {"deepspeed", "skipped", "mom"},
    };
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        *sign = tagged(run, signs[i].tag);
        if (*sign && tagged(run, signs[i].beside))
            return signs[i].framework;
    }
    *sign = trainer_record(run, details);
    if (*sign)
        return "transformers";
    *sign = keras_bar(run);
    return *sign ? "keras" : NULL;
}
