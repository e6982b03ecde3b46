/* The directory of a zip archive, taken from its central records alone. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_ZIP_H
#define READ_ZIP_H

#include "stalldoc/arena.h"
#include "stalldoc/input.h"

enum { ZIP_STORED = 0, ZIP_DEFLATED = 8 };

struct zip_member {
    struct text name;
    uint64_t offset; /* of its data in the input */
    uint64_t packed, size;
    uint32_t crc;
    uint16_t method;
    bool encrypted;
};

struct zip {
    struct zip_member *members; /* in directory order */
    size_t count;
};

/* False: no directory (cut), or one that breaks the rules: names with "..", overlaps, lies. */
bool zip_open(struct input *input, struct arena *arena, struct zip *zip, struct error *error);
const struct zip_member *zip_find(const struct zip *zip, struct text name); /* NULL */
/* The member that ends in `/name` or is `name`; NULL. */
const struct zip_member *zip_find_ending(const struct zip *zip, struct text name);
/* A whole member, at most `limit` bytes, unpacked and held against its CRC where `check`. Takes
   memory from the arena. */
bool zip_read(struct input *input, const struct zip_member *member, uint64_t limit, bool check,
              struct arena *arena, struct span *bytes, struct error *error);
/* The first `most` bytes of a deflated member, which has more. */
bool zip_head(struct input *input, const struct zip_member *member, size_t most,
              struct arena *arena, struct span *bytes, struct error *error);
/* CRC-32 of the stored bytes of a member of any size. */
bool zip_crc(struct input *input, const struct zip_member *member, uint32_t *crc,
             struct error *error);

#endif
