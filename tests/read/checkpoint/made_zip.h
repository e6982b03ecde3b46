/* Bytes and stored zip archives made by the tests. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_MADE_ZIP_H
#define TEST_MADE_ZIP_H

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

struct bytes {
    uint8_t data[16384];
    size_t size;
};

static inline void put(struct bytes *bytes, const void *data, size_t size)
{
    assert(bytes->size + size <= sizeof(bytes->data));
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static inline void put_int(struct bytes *bytes, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = i < 8 ? (uint8_t)(value >> (8 * i)) : 0;
        put(bytes, &byte, 1);
    }
}

struct made_zip {
    struct bytes file, directory;
    unsigned count;
};

/* As torch.save does: sizes and checksum of the local entry are 0. */
static inline void zip_add(struct made_zip *zip, const char *name, const void *data, size_t size)
{
    uint32_t crc = (uint32_t)crc32(crc32(0, NULL, 0), data, (uInt)size);
    size_t local = zip->file.size, length = strlen(name);
    put_int(&zip->file, 0x04034b50, 4);
    put_int(&zip->file, 0, 22);
    put_int(&zip->file, length, 2);
    put_int(&zip->file, 0, 2);
    put(&zip->file, name, length);
    put(&zip->file, data, size);
    put_int(&zip->directory, 0x02014b50, 4);
    put_int(&zip->directory, 0, 12);
    put_int(&zip->directory, crc, 4);
    put_int(&zip->directory, size, 4);
    put_int(&zip->directory, size, 4);
    put_int(&zip->directory, length, 2);
    put_int(&zip->directory, 0, 12);
    put_int(&zip->directory, local, 4);
    put(&zip->directory, name, length);
    zip->count++;
}

static inline void zip_end(struct made_zip *zip)
{
    size_t offset = zip->file.size;
    put(&zip->file, zip->directory.data, zip->directory.size);
    put_int(&zip->file, 0x06054b50, 4);
    put_int(&zip->file, 0, 4);
    put_int(&zip->file, zip->count, 2);
    put_int(&zip->file, zip->count, 2);
    put_int(&zip->file, zip->directory.size, 4);
    put_int(&zip->file, offset, 4);
    put_int(&zip->file, 0, 2);
}

/* A .npy array of float32. */
static inline void put_npy(struct bytes *bytes, const char *descr, const char *order,
                           const char *shape, const void *data, size_t size)
{
    char header[128];
    int length =
        snprintf(header, sizeof(header), "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n",
                 descr, order, shape);
    put(bytes, "\x93NUMPY\x01\x00", 8);
    put_int(bytes, (uint64_t)length, 2);
    put(bytes, header, (size_t)length);
    put(bytes, data, size);
}

/* One pickled tensor of float32: `{"w": tensor}` of protocol 2 with its storage in key "0". */
static inline void put_tree(struct bytes *bytes, unsigned count, unsigned rows, unsigned columns)
{
    static const char call[] = "\x80\x02}X\x01\0\0\0wctorch._utils\n_rebuild_tensor_v2\n"
                               "((X\x07\0\0\0storagectorch\nFloatStorage\n"
                               "X\x01\0\0\0"
                               "0X\x03\0\0\0cpuK";
    put(bytes, call, sizeof(call) - 1);
    put_int(bytes, count, 1);
    put(bytes, "tQK\0K", 5); /* the persistent id; offset 0 */
    put_int(bytes, rows, 1);
    put(bytes, "K", 1);
    put_int(bytes, columns, 1);
    put(bytes, "\x86K", 2);
    put_int(bytes, columns, 1);
    put(bytes, "K\x01\x86\x89}tRs.", 9);
}

#endif
