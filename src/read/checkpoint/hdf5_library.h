/* The functions of libhdf5 that are used, looked up when they are needed: linked in, the library
   and the 37 others that it brings would cost every start of the program 5 ms. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_HDF5_LIBRARY_H
#define READ_HDF5_LIBRARY_H

#include <hdf5.h>
#include <stdbool.h>

#if H5_VERSION_GE(1, 12, 0)
#define HDF5_OBJECT_INFO H5Oget_info3
typedef H5O_info2_t hdf5_object_info; /* the name of the type is the library's, by version */
#else
#define HDF5_OBJECT_INFO H5Oget_info2
typedef H5O_info_t hdf5_object_info;
#endif

#define HDF5_FUNCTIONS(ROW)                                                                        \
    ROW(begin, H5open)                                                                             \
    ROW(version, H5get_libversion)                                                                 \
    ROW(free_memory, H5free_memory)                                                                \
    ROW(errors, H5Eset_auto2)                                                                      \
    ROW(plugins, H5PLset_loading_state)                                                            \
    ROW(driver_register, H5FDregister)                                                             \
    ROW(property_create, H5Pcreate)                                                                \
    ROW(property_driver, H5Pset_driver)                                                            \
    ROW(property_external, H5Pget_external_count)                                                  \
    ROW(property_layout, H5Pget_layout)                                                            \
    ROW(property_chunk, H5Pget_chunk)                                                              \
    ROW(property_filters, H5Pget_nfilters)                                                         \
    ROW(property_filter, H5Pget_filter2)                                                           \
    ROW(property_close, H5Pclose)                                                                  \
    ROW(file_open, H5Fopen)                                                                        \
    ROW(links_iterate, H5Literate)                                                                 \
    ROW(object_open, H5Oopen)                                                                      \
    ROW(object_close, H5Oclose)                                                                    \
    ROW(object_info, HDF5_OBJECT_INFO)                                                             \
    ROW(id_type, H5Iget_type)                                                                      \
    ROW(data_type, H5Dget_type)                                                                    \
    ROW(data_space, H5Dget_space)                                                                  \
    ROW(data_properties, H5Dget_create_plist)                                                      \
    ROW(data_offset, H5Dget_offset)                                                                \
    ROW(data_stored, H5Dget_storage_size)                                                          \
    ROW(data_read, H5Dread)                                                                        \
    ROW(space_simple, H5Sis_simple)                                                                \
    ROW(space_rank, H5Sget_simple_extent_ndims)                                                    \
    ROW(space_dims, H5Sget_simple_extent_dims)                                                     \
    ROW(space_select, H5Sselect_hyperslab)                                                         \
    ROW(space_create, H5Screate_simple)                                                            \
    ROW(space_close, H5Sclose)                                                                     \
    ROW(type_class, H5Tget_class)                                                                  \
    ROW(type_size, H5Tget_size)                                                                    \
    ROW(type_order, H5Tget_order)                                                                  \
    ROW(type_sign, H5Tget_sign)                                                                    \
    ROW(type_fields, H5Tget_fields)                                                                \
    ROW(type_super, H5Tget_super)                                                                  \
    ROW(type_members, H5Tget_nmembers)                                                             \
    ROW(type_member_type, H5Tget_member_type)                                                      \
    ROW(type_member_name, H5Tget_member_name)                                                      \
    ROW(type_member_offset, H5Tget_member_offset)                                                  \
    ROW(type_is_variable, H5Tis_variable_str)                                                      \
    ROW(type_close, H5Tclose)                                                                      \
    ROW(attribute_exists, H5Aexists)                                                               \
    ROW(attribute_open, H5Aopen)                                                                   \
    ROW(attribute_type, H5Aget_type)                                                               \
    ROW(attribute_space, H5Aget_space)                                                             \
    ROW(attribute_stored, H5Aget_storage_size)                                                     \
    ROW(attribute_read, H5Aread)                                                                   \
    ROW(attribute_close, H5Aclose)                                                                 \
    ROW(space_points, H5Sget_simple_extent_npoints)

struct hdf5 {
#define ROW(member, function) __typeof__(&function) member;
    HDF5_FUNCTIONS(ROW)
#undef ROW
    hid_t file_access; /* the class of properties */
};

/* False: the library is not there, is of another version than the program was made with, or lacks
   something. Plug-ins are off and it prints nothing. */
bool hdf5_load(struct hdf5 *hdf5);

#endif
