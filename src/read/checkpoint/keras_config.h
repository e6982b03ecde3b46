/* What a Keras model says of its training: training_config (HDF5), compile_config (.keras). */
/* SPDX-License-Identifier: MIT */
#ifndef READ_KERAS_CONFIG_H
#define READ_KERAS_CONFIG_H

#include "stalldoc/format.h"

/* The numbers and short texts of the object `name` of the JSON text `json`, or of all of it where
   `name` is "", as settings. What is no sound JSON is a matter of its writer. False: the sink's
   reason, or no memory. */
bool keras_config_put(const struct reading *reading, struct input *input, struct text json,
                      struct text name, struct error *error);

#endif
