/* Loads libhdf5. Only a child process does. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/hdf5_library.h"

#include <dlfcn.h>
#include <stddef.h>

/* By the version that this was made with: Debian's name first, then the usual one. */
static void *library_open(void)
{
    static const char *const names[] = {
#if H5_VERSION_GE(1, 14, 0)
        "libhdf5_serial.so.310",
        "libhdf5.so.310",
#elif H5_VERSION_GE(1, 12, 0)
        "libhdf5_serial.so.200",
        "libhdf5.so.200",
#else
        "libhdf5_serial.so.103",
        "libhdf5.so.103",
#endif
        "libhdf5_serial.so",
        "libhdf5.so",
        NULL,
    };
    void *library = NULL;
    for (size_t i = 0; names[i] && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static bool find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    *(void **)function = found; /* as POSIX says of functions */
    return found != NULL;
}

#define STRING_(text) #text
#define STRING(text) STRING_(text) /* of what a name expands to */

bool hdf5_load(struct hdf5 *hdf5)
{
    void *library = library_open();
    unsigned major = 0, minor = 0, release = 0;
    const hid_t *file_access = NULL;
    bool sound = library != NULL;
#define ROW(member, function) sound = sound && find(library, STRING(function), &hdf5->member);
    HDF5_FUNCTIONS(ROW)
#undef ROW
    sound = sound && find(library, "H5P_CLS_FILE_ACCESS_ID_g", &file_access) &&
            hdf5->version(&major, &minor, &release) >= 0 && major == H5_VERS_MAJOR &&
            minor == H5_VERS_MINOR && hdf5->plugins(0) >= 0 && hdf5->begin() >= 0 &&
            hdf5->errors(H5E_DEFAULT, NULL, NULL) >= 0;
    if (sound)
        hdf5->file_access = *file_access;
    return sound;
}
