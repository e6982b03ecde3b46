/* Arrays of inputs and targets as the detectors and gates see them. */
/* SPDX-License-Identifier: MIT */
#ifndef DETECT_SAMPLES_H
#define DETECT_SAMPLES_H

#include "stalldoc/detector.h"

/* The nth array of a role whose values were read; NULL beyond. Masks are no inputs. */
const struct tensor *sample_array(const struct run *run, enum tensor_role role, size_t nth);
bool sample_float(const struct tensor *tensor);
/* Numbers as they stand: floating-point ones, or whole ones that are no indices, as negative ones
   of many sizes are among them. */
bool sample_numbers(const struct tensor *tensor);
/* Two values, 0 and 1 as a rule: a flag, or a column of one-hot codes. */
bool feature_binary(const struct feature *feature);
bool feature_constant(const struct feature *feature);
/* A candidate about an array, with its name as subject and as value "array". */
struct candidate sample_candidate(const struct use *use, const struct tensor *tensor);

struct unscaled { /* what is wrong with the scale of an array of inputs; form NULL: nothing */
    const char *form;
    const struct feature *worst;
    size_t features, nth; /* how many, and which is worst, from 0, in the array */
    double ratio;         /* of the largest deviation over the smallest */
};
struct unscaled_limits {
    double offset, low, high, spread, largest;
};
void inputs_scale(const struct tensor *tensor, const struct unscaled_limits *limits,
                  struct unscaled *unscaled);
extern const struct unscaled_limits unscaled_usual;

struct shares {            /* of the classes of an array of targets */
    double largest, ratio; /* over the smallest class that is there */
    double classes, common;
    uint64_t labels;
};
/* False: these are no labels, or too few of them. */
bool targets_shares(const struct tensor *tensor, struct shares *shares);

#endif
