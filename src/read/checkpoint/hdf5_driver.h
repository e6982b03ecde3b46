/* An input as libhdf5 sees a file. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_HDF5_DRIVER_H
#define READ_HDF5_DRIVER_H

#include "read/checkpoint/hdf5_library.h"

struct input;
/* The file in the input, read only; below 0 where it is none. */
hid_t hdf5_open(const struct hdf5 *hdf5, const struct input *input);

#endif
