/* Archives of torch.export. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_EXPORTED_H
#define READ_EXPORTED_H

#include "read/checkpoint/archive.h"

/* The archive describes weights as torch.export does. */
bool exported_is(const struct zip *zip);
/* Its weights and constants. Damage is told when all that is sound was put. */
bool exported_read(const struct reading *reading, const struct zip *zip, struct error *error);

#endif
