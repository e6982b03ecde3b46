/* A driver of libhdf5 that reads through an input: no path is opened, and a member of an archive is
   as good as a file. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/hdf5_driver.h"

#include "stalldoc/arena.h"
#include "stalldoc/input.h"

#include <string.h>

struct file {
    H5FD_t head; /* the library's part */
    const struct input *input;
    haddr_t end; /* of what the library has allocated */
};

/* Nothing but a name reaches a driver: it is the address of the input, which this process wrote. */
enum { NAME_MOST = 2 + 2 * sizeof(uintptr_t) };

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t list, haddr_t most)
{
    uintptr_t address = 0;
    (void)flags;
    (void)list;
    (void)most;
    for (size_t i = 0; name[i]; i++)
        address = address << 4 | (uintptr_t)(name[i] - 'a');
    struct file *file = block_take(sizeof(*file));
    if (!file)
        return NULL;
    memset(file, 0, sizeof(*file));
    file->input = (const struct input *)address;
    return &file->head;
}

static herr_t driver_close(H5FD_t *file)
{
    block_free(file);
    return 0;
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = 0;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const struct file *)file)->end;
}

static herr_t driver_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((struct file *)file)->end = end;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return input_size(((const struct file *)file)->input);
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t at, size_t size,
                          void *buffer)
{
    struct error ignored;
    const struct input *input = ((struct file *)file)->input;
    (void)type;
    (void)list;
    const uint64_t all = input_size(input), left = at < all ? all - at : 0;
    const size_t part = size < left ? size : (size_t)left;
    memset((char *)buffer + part, 0, size - part); /* behind the end, as in other drivers */
    return part == 0 || input_pread(input, at, part, buffer, &ignored) ? 0 : -1;
}

static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t at, size_t size,
                           const void *buffer)
{
    (void)file;
    (void)type;
    (void)list;
    (void)at;
    (void)size;
    (void)buffer;
    return -1;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 14, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600,
#endif
    .name = "stalldoc",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .read = driver_read,
    .write = driver_write,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t hdf5_open(const struct hdf5 *hdf5, const struct input *input)
{
    char name[NAME_MOST] = {0};
    const uintptr_t address = (uintptr_t)input;
    const hid_t id = hdf5->driver_register(&driver);
    const hid_t list = hdf5->property_create(hdf5->file_access);
    for (size_t i = 0; i < 2 * sizeof(address); i++)
        name[i] = (char)('a' + (address >> (8 * sizeof(address) - 4 * (i + 1)) & 15));
    if (id < 0 || list < 0 || hdf5->property_driver(list, id, NULL) < 0)
        return -1;
    return hdf5->file_open(name, 0, list); /* H5F_ACC_RDONLY would call the library at once */
}
