/* The table of detectors: a row each in meson.build. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/detector.h"

#define DETECTOR(name) extern const struct detector detector_##name;
#include "detect/detectors.def"
#undef DETECTOR

const struct detector *const detectors[] = {
#define DETECTOR(name) &detector_##name,
#include "detect/detectors.def"
#undef DETECTOR
    NULL,
};

const struct detector *detector_named(struct text name)
{
    for (size_t i = 0; detectors[i]; i++)
        if (text_is(name, detectors[i]->name))
            return detectors[i];
    return NULL;
}
