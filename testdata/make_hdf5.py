#!/usr/bin/env python3
"""Writes testdata/checkpoint/hdf5/ and keras/ through libhdf5 1.10 (Debian: libhdf5-103).

usage: python3 testdata/make_hdf5.py

h5py is not needed: the library is called as it is. The bytes differ by its version; what is in the files does not.
"""
import ctypes
import os
import struct
import zlib

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "checkpoint")
LIBRARY = ctypes.CDLL("libhdf5_serial.so.103")
LIBRARY.H5open()
hid, size_t, text, pointer = ctypes.c_int64, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p
dims_t = ctypes.POINTER(ctypes.c_uint64)


def call(name, *arguments, result=hid):
    function = getattr(LIBRARY, name)
    function.restype = result
    found = function(*arguments)
    assert found is None or found >= 0, name
    return found


def known(name):
    return hid(hid.in_dll(LIBRARY, name + "_g").value)


def numbers(values):
    return (ctypes.c_uint64 * len(values))(*values)


F32, F64_BIG, I32 = known("H5T_IEEE_F32LE"), known("H5T_IEEE_F64BE"), known("H5T_STD_I32LE")


def space(dims):
    return hid(call("H5Screate_simple", ctypes.c_int(len(dims)), numbers(dims), dims_t()))


def properties(kind):
    return hid(call("H5Pcreate", known("H5P_CLS_" + kind + "_ID")))


def group(place, name):
    return hid(call("H5Gcreate2", place, text(name), hid(0), hid(0), hid(0)))


def data(place, name, kind, dims, content, plist=hid(0)):
    made = hid(call("H5Dcreate2", place, text(name), kind, space(dims), hid(0), plist, hid(0)))
    if content is not None:
        call("H5Dwrite", made, kind, hid(0), hid(0), hid(0), ctypes.c_char_p(content) if isinstance(content, bytes) else content, result=ctypes.c_int)
    call("H5Dclose", made, result=ctypes.c_int)


def string(size):
    kind = hid(call("H5Tcopy", known("H5T_C_S1")))
    call("H5Tset_size", kind, size_t(size), result=ctypes.c_int)
    return kind


def attribute(place, name, value):
    kind = string(len(value))
    scalar = hid(call("H5Screate", ctypes.c_int(0)))
    made = hid(call("H5Acreate2", place, text(name), kind, scalar, hid(0), hid(0)))
    call("H5Awrite", made, kind, ctypes.c_char_p(value), result=ctypes.c_int)
    call("H5Aclose", made, result=ctypes.c_int)


def create(path, before=0):
    """`before`: bytes of another program's that stand in front of all."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    made = properties("FILE_CREATE")
    call("H5Pset_userblock", made, ctypes.c_uint64(before), result=ctypes.c_int)
    access = properties("FILE_ACCESS")
    call("H5Pset_fclose_degree", access, ctypes.c_int(3), result=ctypes.c_int)  # strong: groups close with it
    return hid(call("H5Fcreate", text(path.encode()), ctypes.c_uint(2), made, access))


def close(file):
    call("H5Fclose", file, result=ctypes.c_int)


def packed():
    plist = properties("DATASET_CREATE")
    call("H5Pset_chunk", plist, ctypes.c_int(2), numbers([2, 2]), result=ctypes.c_int)
    call("H5Pset_shuffle", plist, result=ctypes.c_int)
    call("H5Pset_deflate", plist, ctypes.c_uint(6), result=ctypes.c_int)
    return plist


def keras(path):
    file = create(path)
    attribute(file, b"keras_version", b"2.3.1")
    config = b'{"loss": "mse", "optimizer_config": {"class_name": "Adam", "config": {"lr": 0.001}}}'
    attribute(file, b"training_config", config)
    weights = group(file, b"model_weights")
    dense = group(weights, b"dense")
    data(dense, b"kernel:0", F32, [2, 2], struct.pack("<4f", 1, 2, 3, 4))
    data(dense, b"bias:0", F32, [2], struct.pack("<2f", 0, 0))
    close(file)


def every_kind(path):
    file = create(path)
    data(file, b"big", F64_BIG, [2], struct.pack(">2d", 1, -2))
    data(file, b"packed", I32, [3, 2], struct.pack("<6i", 1, 2, 3, 4, 5, 6), packed())
    compact = properties("DATASET_CREATE")
    call("H5Pset_layout", compact, ctypes.c_int(0), result=ctypes.c_int)
    data(file, b"compact", F32, [], struct.pack("<f", 7), compact)
    data(file, b"word", string(4), [1], b"text")
    truth = hid(call("H5Tenum_create", known("H5T_STD_I8LE")))
    for i, name in enumerate([b"FALSE", b"TRUE"]):
        call("H5Tenum_insert", truth, text(name), ctypes.byref(ctypes.c_int8(i)), result=ctypes.c_int)
    data(file, b"truth", truth, [2], b"\0\1")
    pair = hid(call("H5Tcreate", ctypes.c_int(6), size_t(8)))
    for i, name in enumerate([b"r", b"i"]):
        call("H5Tinsert", pair, text(name), size_t(4 * i), F32, result=ctypes.c_int)
    data(file, b"complex", pair, [1], struct.pack("<2f", 3, 4))
    close(file)


def behind(path):
    file = create(path, 512)
    data(file, b"plain", F32, [2], struct.pack("<2f", 5, 6))
    close(file)


def hostile(path):
    """Nothing of it may be followed, and none of its promises be believed."""
    file = create(path)
    data(file, b"plain", F32, [1], struct.pack("<f", 5))
    inner = group(file, b"inner")
    call("H5Lcreate_hard", file, text(b"/"), inner, text(b"root"), hid(0), hid(0), result=ctypes.c_int)
    call("H5Lcreate_soft", text(b"/plain"), file, text(b"soft"), hid(0), hid(0), result=ctypes.c_int)
    call("H5Lcreate_external", text(b"/etc/passwd"), text(b"/x"), file, text(b"external"), hid(0), hid(0), result=ctypes.c_int)
    outside = properties("DATASET_CREATE")
    call("H5Pset_external", outside, text(b"/etc/passwd"), ctypes.c_int64(0), ctypes.c_uint64(16), result=ctypes.c_int)
    data(file, b"outside", F32, [4], None, outside)
    plist = properties("DATASET_CREATE")
    call("H5Pset_chunk", plist, ctypes.c_int(1), numbers([1024]), result=ctypes.c_int)
    call("H5Pset_deflate", plist, ctypes.c_uint(6), result=ctypes.c_int)
    data(file, b"promise", F32, [1 << 33], None, plist)
    close(file)


def stored(path, members):
    body, directory = b"", b""
    for name, content in members:
        head = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 33, zlib.crc32(content), len(content), len(content), len(name), 0)
        directory += b"PK\1\2" + struct.pack("<H", 20) + head + struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name
        body += b"PK\3\4" + head + name + content
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(directory), len(body), 0)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(body + directory + b"PK\5\6" + end)


def main():
    keras(os.path.join(HERE, "hdf5", "model.h5"))
    every_kind(os.path.join(HERE, "hdf5", "kinds.h5"))
    behind(os.path.join(HERE, "hdf5", "behind.h5"))
    hostile(os.path.join(HERE, "hdf5", "hostile.h5"))
    inside = os.path.join(HERE, "keras", "inside.h5")
    file = create(inside)
    layers = group(group(group(file, b"layers"), b"dense"), b"vars")
    data(layers, b"0", F32, [2], struct.pack("<2f", 1, 2))
    data(layers, b"1", I32, [2, 2], struct.pack("<4i", 3, 4, 5, 6), packed())
    close(file)
    with open(inside, "rb") as made:
        weights = made.read()
    os.remove(inside)
    stored(os.path.join(HERE, "keras", "model.keras"), [(b"metadata.json", b"{}"), (b"config.json", b"{}"), (b"model.weights.h5", weights)])


if __name__ == "__main__":
    main()
