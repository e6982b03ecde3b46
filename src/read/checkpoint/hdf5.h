/* HDF5 files: what the child process that loads libhdf5 tells the program. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_HDF5_H
#define READ_HDF5_H

#include "stalldoc/child.h"
#include "stalldoc/format.h"

enum hdf5_kind {
    HDF5_PLACED,  /* a tensor whose values stand in the file, from `offset` on */
    HDF5_SENT,    /* one whose values follow the record, in parts */
    HDF5_NAMED,   /* one whose values are not read; behind its name the word for its type */
    HDF5_ABSENT,  /* one whose values cannot be had; behind its name the reason */
    HDF5_SETTING, /* name and value */
    HDF5_FAILED,  /* all is over; the reason */
    HDF5_DONE,
};

/* Sizes are those of this machine: both processes are the same program. */
struct hdf5_record {
    enum hdf5_kind kind;
    enum error_kind error; /* of HDF5_ABSENT and HDF5_FAILED */
    enum dtype dtype;
    uint8_t rank;
    bool swapped;
    uint32_t name_size, word_size; /* of the two texts that follow, in this order */
    uint64_t offset, size;         /* of the values */
    int64_t shape[TENSOR_RANK_MAX];
};

struct hdf5_part { /* of the values that are sent */
    uint32_t size; /* bytes that follow; 0: it failed, and no more come */
};

enum { HDF5_NAME_MOST = 4096, HDF5_WORD_MOST = 64 << 10, HDF5_PART = 1 << 20 };

struct hdf5_job { /* what the child is asked; it reads the input of its parent */
    const struct input *input;
    uint64_t most; /* bytes of values that are sent */
    bool stats;    /* false: none are sent */
    struct child_limits limits;
};

void hdf5_job_run(void *job, int out); /* for child_start */
/* All data sets of the input: named by their path, on to reading's sink. */
bool hdf5_read(const struct reading *reading, struct input *input, struct error *error);

#endif
