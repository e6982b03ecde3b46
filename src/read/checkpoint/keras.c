/* Keras models (.keras): a zip archive of metadata.json, config.json and model.weights.h5, or
   model.weights.npz. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/archive.h"

static int probe(struct span head, struct text file_name)
{
    const struct text first = archive_first_name(head);
    if (text_is(first, "model.weights.h5") || text_is(first, "model.weights.npz"))
        return 98;
    if (text_is(first, "metadata.json") || text_is(first, "config.json"))
        return text_ends(file_name, ".keras") ? 98 : 70;
    return first.size && text_ends(file_name, ".keras") ? 65 : 0;
}

const struct format format_keras = {
    .name = "keras",
    .about = "Keras model (.keras)",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = archive_read,
};
