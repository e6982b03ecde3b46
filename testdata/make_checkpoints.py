#!/usr/bin/env python3
"""Writes testdata/checkpoint/: one small file of each checkpoint format, from its description.

usage: python3 testdata/make_checkpoints.py

Nothing but the standard library: the bytes are put together here, so that a test knows each of them.
"""
import os
import struct

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "checkpoint")


def save(name, data):
    path = os.path.join(HERE, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


# ---- protobuf ----


def varint(value):
    out = b""
    value &= (1 << 64) - 1
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def part(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def floats(*values):
    return struct.pack("<%df" % len(values), *values)


# ---- ONNX ----


def onnx_tensor(name, dims, dtype, *rest):
    return b"".join([number(1, d) for d in dims] + [number(2, dtype)] + list(rest) + [part(8, name)])


def onnx_external(location, offset, length):
    pairs = [("location", location), ("offset", str(offset)), ("length", str(length))]
    return b"".join(part(13, part(1, k) + part(2, v)) for k, v in pairs) + number(14, 1)


def onnx():
    tensors = [
        onnx_tensor("raw", [2, 2], 1, part(9, floats(1, -2, 3, 4))),
        onnx_tensor("listed", [3], 1, part(4, floats(5, 6, 7))),
        onnx_tensor("half", [2], 10, part(5, varint(15360) + varint(16384))),
        onnx_tensor("shape", [2], 7, part(7, varint(300) + varint(-1))),
        onnx_tensor("word", [], 8, part(6, "text")),
        onnx_tensor("beside", [2], 1, onnx_external("beside.bin", 4, 8)),
    ]
    sparse = part(1, onnx_tensor("thin", [2], 1, part(9, floats(8, 9)))) + number(3, 100)
    node = part(2, "out") + part(4, "Constant") + part(5, part(1, "value") + part(5, b""))
    graph = part(1, node) + part(2, "g") + b"".join(part(5, t) for t in tensors) + part(15, sparse)
    return number(1, 8) + part(2, "made here") + part(7, graph) + part(8, number(2, 17))


def caffemodel():
    shape = part(7, part(1, varint(2) + varint(3)))
    weight = shape + part(5, floats(1, 2, 3, 4, 5, 6))
    bias = b"".join(number(i + 1, d) for i, d in enumerate([1, 1, 1, 2])) + part(5, floats(7, 8))
    double = part(7, part(1, varint(1))) + part(8, struct.pack("<d", 9))
    layer = part(1, "conv1") + part(2, "Convolution") + part(7, weight) + part(7, bias)
    plain = part(1, "relu1") + part(2, "ReLU")
    middle = part(2, "conv1") + part(4, "ip1") + number(5, 14) + part(6, double)
    oldest = part(1, part(1, "ip0") + part(2, "innerproduct") + part(50, bias))
    return part(1, "net") + part(2, middle) + part(2, oldest) + part(100, layer) + part(100, plain)


def main():
    save("onnx/model.onnx", onnx())
    save("onnx/beside.bin", floats(0, 10, 11))
    save("caffemodel/net.caffemodel", caffemodel())
    save("tflite/model.tflite", struct.pack("<I", 28) + b"TFL3" + bytes(24))
    save("mxnet_params/net.params", struct.pack("<QQQ", 0x112, 0, 0) + bytes(8))


if __name__ == "__main__":
    main()
