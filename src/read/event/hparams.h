/* Settings that event files hold: the hparams plugin and texts of arguments. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_EVENT_HPARAMS_H
#define READ_EVENT_HPARAMS_H

#include "stalldoc/format.h"

/* HParamsPluginData: one setting for each hyperparameter of a session's start. */
bool hparams_settings(const struct reading *reading, struct text content, uint64_t offset,
                      struct error *error);
/* A text tag: `lr/text_summary` with one value (Megatron), or a JSON object of arguments (`args`).
 */
bool text_settings(const struct reading *reading, struct text tag, struct text text,
                   uint64_t offset, struct error *error);

#endif
