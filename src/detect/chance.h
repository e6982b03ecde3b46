/* How many classes there are, and the losses of guessing among them (detectors.md 8.1). */
/* SPDX-License-Identifier: MIT */
#ifndef DETECT_CHANCE_H
#define DETECT_CHANCE_H

#include "stalldoc/detector.h"

enum class_source {
    CLASSES_LISTED,
    CLASSES_METRIC,
    CLASSES_DATASET,
    CLASSES_PRINTED,
    CLASSES_BATCH, /* of a contrastive loss: the samples of a batch */
};
struct classes {
    double count;
    enum class_source source;
};
enum { CLASSES_MAX = 24 };

const char *class_source_name(enum class_source source);
/* Candidates for K, the best founded first: printed, of a known data set, from a metric that stands
   at 1/K; then the common ones. Returns how many. */
size_t classes_of(const struct use *use, struct classes classes[CLASSES_MAX]);
/* The loss is a sum of components: ln K says nothing about it. */
bool has_parts(const struct use *use);
/* The K whose ln lies within `tolerance` (relative) of the level; 0: none. Only known ones are
   looked at where one is known. */
double chance_near(const struct use *use, double level, double tolerance);
/* An accuracy that is that share of one class, which every answer is; *metric: where it ends. */
bool share_answered(const struct use *use, double share, double *metric);

#endif
