/* Zip archives of every family that training code writes. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_ARCHIVE_H
#define READ_ARCHIVE_H

#include "read/checkpoint/zip.h"

#include "stalldoc/format.h"

/* What the directory says the archive is, and its tensors. The first bytes do not always tell the
   families apart, so every zip format reads through this. */
bool archive_read(const struct reading *reading, struct error *error);
/* A torch archive inside `input`; names get `prefix`. */
bool torch_archive_read(const struct reading *reading, struct input *input, const struct zip *zip,
                        struct text prefix, struct error *error);
/* The checksums of the stored members whose names begin with `folder`, to be held by who measures
   them. */
bool archive_seals_put(const struct reading *reading, struct input *input, const struct zip *zip,
                       struct text folder, struct error *error);
/* Members that are .npy files, named without that ending. */
bool npz_archive_read(const struct reading *reading, struct input *input, const struct zip *zip,
                      struct text prefix, struct error *error);
/* The first member's name, as the head of a zip file has it; empty where it is none. */
struct text archive_first_name(struct span head);

#endif
