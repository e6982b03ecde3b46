/* TensorFlow Lite models: flat buffers whose mark "TFL3" stands at byte 4. Made for inference and
   often quantised; named, not read. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/format.h"

#include <string.h>

static int probe(struct span head, struct text file_name)
{
    (void)file_name;
    return head.size >= 8 && memcmp(head.data + 4, "TFL3", 4) == 0 ? 96 : 0;
}

const struct format format_tflite = {
    .name = "tflite",
    .about = "TensorFlow Lite model (.tflite)",
    .group = FORMAT_NAMED,
    .probe = probe,
};
