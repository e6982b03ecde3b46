/* What lies beside arrays as JSON: a description of them, read whole. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_DESCRIPTION_H
#define READ_DESCRIPTION_H

#include "stalldoc/format.h"
#include "stalldoc/json.h"

/* The input as one JSON document, in the scratch of the reading. False with ERROR_UNSUPPORTED for a
   stream or more than 16 MiB, ERROR_MALFORMED for what is no JSON, ERROR_MEMORY, ERROR_IO. */
bool description_read(const struct reading *reading, struct json *json, struct error *error);
/* A list of whole numbers of `least` or more, TENSOR_RANK_MAX at most; false where it is none. */
bool lengths_take(const cJSON *list, int64_t least, int64_t *lengths, uint8_t *rank);

#endif
