/* Element types of HDF5 files. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_HDF5_TYPE_H
#define READ_HDF5_TYPE_H

#include "read/checkpoint/hdf5_library.h"

#include "stalldoc/tensor.h"

struct hdf5_type {
    enum dtype dtype; /* DTYPE_OPAQUE: not read */
    bool swapped;
    char word[32]; /* of an opaque one */
};

void hdf5_type_of(const struct hdf5 *hdf5, hid_t type, struct hdf5_type *out);

#endif
