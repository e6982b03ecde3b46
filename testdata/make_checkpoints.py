#!/usr/bin/env python3
"""Writes testdata/checkpoint/: one small file of each checkpoint format, from its description.

usage: python3 testdata/make_checkpoints.py

Nothing but the standard library: the bytes are put together here, so that a test knows each of them.
"""
import gzip
import json
import os
import pickle
import struct
import sys
import types
import zlib

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



# ---- TensorFlow's tables ----


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def snappy_literal(data):
    """All of it as one literal."""
    length = len(data) - 1
    head = bytes([length << 2]) if length < 60 else bytes([61 << 2]) + struct.pack("<H", length)
    return varint(len(data)) + head + data


def block(entries, packed=False):
    data = b"".join(b"\0" + varint(len(k)) + varint(len(v)) + k + v for k, v in entries)
    data += struct.pack("<II", 0, 1)
    data, kind = (snappy_literal(data), b"\1") if packed else (data, b"\0")
    return data, kind + struct.pack("<I", masked(data + kind))


def table(entries, packed=False):
    data, trailer = block(entries, packed)
    empty, empty_trailer = block([])
    index, index_trailer = block([(b"zz", varint(0) + varint(len(data)))])
    meta_at = len(data) + 5
    index_at = meta_at + len(empty) + 5
    footer = varint(meta_at) + varint(len(empty)) + varint(index_at) + varint(len(index))
    footer = footer.ljust(40, b"\0") + bytes.fromhex("57fb808b247547db")
    return data + trailer + empty + empty_trailer + index + index_trailer + footer


def shape(*dims):
    return b"".join(part(2, number(1, d)) for d in dims)


def extents(*pairs):
    return b"".join(part(1, (number(1, s) if s else b"") + (number(2, n) if n >= 0 else b"")) for s, n in pairs)


def ordered_key(name, *pairs):
    """The key of a slice; numbers below 64 only."""
    numbers = b"".join(bytes([0x80 | v if v >= 0 else 0x7F]) for pair in pairs for v in pair)
    return b"\0" + name.encode() + b"\0\1\1" + bytes([len(pairs)]) + numbers


def tf_v1(packed):
    def meta(name, dims, dtype, *slices):
        return part(1, part(1, name) + part(2, shape(*dims)) + number(3, dtype) + b"".join(part(4, s) for s in slices))

    def data(name, box, values):
        return part(2, part(1, name) + part(2, extents(*box)) + part(3, values))

    whole = [(0, -1)]
    upper, lower = [(0, 1), (0, -1)], [(1, 1), (0, -1)]
    metas = [
        meta("count", [], 9, b""),
        meta("half", [2], 19, extents(*whole)),
        meta("rows", [2, 2], 1, extents(*upper), extents(*lower)),
        meta("word", [1], 7, extents(*whole)),
    ]
    return table([
        (b"", part(1, b"".join(metas))),
        (ordered_key("count"), data("count", [], part(10, varint(-5)))),
        (ordered_key("half", *whole), data("half", whole, part(13, varint(15360) + varint(16384)))),
        (ordered_key("rows", *upper), data("rows", upper, part(5, floats(1, 2)))),
        (ordered_key("rows", *lower), data("rows", lower, part(5, floats(3, 4)))),
        (ordered_key("word", *whole), data("word", whole, part(8, "text"))),
    ], packed)


def tf_bundle():
    """A plain tensor, one in two columns, and one of text."""
    values = floats(1, 3, 2, 4, 5, 6)
    text = varint(4) + struct.pack("<I", masked(struct.pack("<I", 4))) + b"text"
    left, right = [(0, -1), (0, 1)], [(0, -1), (1, 1)]

    def entry(dtype, dims, offset, size, *rest):
        crc = struct.pack("<I", masked((values + text)[offset:offset + size]))
        head = number(1, dtype) + part(2, shape(*dims)) + (number(4, offset) if offset else b"")
        return head + (number(5, size) + varint(6 << 3 | 5) + crc if size else b"") + b"".join(rest)

    slices = [part(7, extents(*left)), part(7, extents(*right))]
    index = table([
        (b"", number(1, 1)),
        (ordered_key("columns", *left), entry(1, [2, 1], 0, 8)),
        (ordered_key("columns", *right), entry(1, [2, 1], 8, 8)),
        (b"columns", entry(1, [2, 2], 0, 0, *slices)),
        (b"plain", entry(1, [2], 16, 8)),
        (b"word", entry(7, [], 24, len(text))),
    ])
    return index, values + text


# ---- msgpack ----


def pack(value):
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return bytes([value]) if 0 <= value < 128 else b"\xd1" + struct.pack(">h", value)
    if isinstance(value, float):
        return b"\xcb" + struct.pack(">d", value)
    if isinstance(value, str):
        return (bytes([0xA0 | len(value)]) if len(value) < 32 else bytes([0xD9, len(value)])) + value.encode()
    if isinstance(value, bytes):
        return b"\xc4" + bytes([len(value)]) + value
    if isinstance(value, (list, tuple)):
        return bytes([0x90 | len(value)]) + b"".join(map(pack, value))
    if isinstance(value, dict):
        return bytes([0x80 | len(value)]) + b"".join(pack(k) + pack(v) for k, v in value.items())
    kind, payload = value.kind, value.payload
    return b"\xc7" + bytes([len(payload), kind]) + payload


class Extension:
    def __init__(self, dims, dtype, data, kind=1):
        self.kind, self.payload = kind, pack([dims, dtype, data])


def flax():
    chunks = {"0": Extension([2], "float32", floats(7, 8)), "1": Extension([1], "float32", floats(9))}
    return pack({
        "params": {"Dense_0": {
            "kernel": Extension([2, 2], "float32", floats(1, 2, 3, 4)),
            "bias": Extension([2], "bfloat16", bytes.fromhex("803f0040")),
            "odd": Extension([2], "int4", b"\1\2"),
            "long": {"__msgpack_chunked_array__": True, "shape": {"0": 3, "1": 1}, "chunks": chunks},
        }},
        "opt_state": {"0": {"count": Extension([], "int32", struct.pack("<i", 300)), "rate": 0.5}},
        "step": -300,
        "scalar": Extension([], "float32", floats(1), 3),
    })


# ---- PyTorch's oldest form ----


def pickled(value):
    if isinstance(value, int):
        return b"J" + struct.pack("<i", value)
    if isinstance(value, str):
        return b"U" + bytes([len(value)]) + value.encode()
    if isinstance(value, tuple):
        return b"(" + b"".join(map(pickled, value)) + b"t"
    if isinstance(value, list):
        return b"](" + b"".join(map(pickled, value)) + b"e"
    if isinstance(value, dict):
        return b"}(" + b"".join(pickled(k) + pickled(v) for k, v in value.items()) + b"u"
    return value


def a_pickle(value):
    return b"\x80\2" + pickled(value) + b"."


def member(name, data):
    head = name.encode().ljust(100, b"\0") + b"0000644\0" * 3 + b"%011o\0" % len(data) + b"0" * 11 + b"\0"
    head += b" " * 8 + b"0" + bytes(100) + b"ustar  \0"
    head = head.ljust(512, b"\0")
    head = head[:148] + b"%06o\0 " % sum(head) + head[156:]
    return head + data + bytes(-len(data) % 512)


def torch_tar():
    storage = a_pickle(("77", "cpu", b"ctorch\nFloatStorage\n")) + struct.pack("<q", 6) + floats(1, 2, 3, 4, 5, 6)
    storages = a_pickle(1) + storage + a_pickle([("78", "77", 4, 2)])

    def tensor(key, root, dims, strides, first):
        words = dims + strides + [first]
        return a_pickle((key, root, b"ctorch\nFloatTensor\n")) + struct.pack("<iI", len(dims), 0) + struct.pack(
            "<%dq" % len(words), *words)

    tensors = a_pickle(2) + tensor("1", "77", [2, 2], [1, 2], 0) + tensor("2", "78", [2], [1], 0)
    tree = a_pickle({"weight": pickled("1") + b"Q", "bias": pickled("2") + b"Q", "epoch": 3})
    system = a_pickle({"protocol_version": 1000, "little_endian": b"\x88"})
    parts = [("sys_info", system), ("pickle", tree), ("storages", storages), ("tensors", tensors)]
    return b"".join(member(n, d) for n, d in parts) + bytes(1024)


# ---- Checkpoints in several files ----


def safetensors(**tensors):
    header, data = {}, b""
    for name, values in tensors.items():
        header[name] = {"dtype": "F32", "shape": [len(values)], "data_offsets": [len(data), len(data) + 4 * len(values)]}
        data += floats(*values)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def sharded():
    names = ["model-0000%d-of-00002.safetensors" % i for i in (1, 2)]
    index = {"metadata": {"total_size": 20}, "weight_map": {"a": names[0], "b": names[1], "c": names[1]}}
    return json.dumps(index).encode(), dict(zip(names, [safetensors(a=[1, 2]), safetensors(b=[3], c=[4, 5])]))


def stored(members, summed=True):
    """A zip archive whose members are not packed."""
    body, directory = b"", b""
    for name, content in members:
        name = name.encode()
        head = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 33, zlib.crc32(content) * summed, len(content), len(content), len(name), 0)
        directory += b"PK\1\2" + struct.pack("<H", 20) + head + struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name
        body += b"PK\3\4" + head + name + content
    return body + directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(directory), len(body), 0)


def torch_tensor(dims, values, turned=False, key=None):
    """What torch.save writes of one tensor; `turned`: of a matrix that lies column by column."""
    storage = pickled(("storage", b"ctorch\nFloatStorage\n", "0", "cpu", len(values))) + b"Q"
    strides = [1] * len(dims)
    for i in range(len(dims) - 1, 0, -1):
        strides[i - 1] = strides[i] * dims[i]
    strides = [1, dims[0]] if turned else strides
    arguments = (storage, 0, tuple(dims), tuple(strides), b"\x89", b"}")
    tensor = b"ctorch._utils\n_rebuild_tensor_v2\n" + pickled(arguments) + b"R"
    tree = a_pickle({key: tensor} if key else tensor)
    return stored([("archive/data.pkl", tree), ("archive/data/0", floats(*values)), ("archive/version", b"3\n")])


def zero():
    """What DeepSpeed saves of the optimizer of one rank of two."""
    tensor = b"ctorch._utils\n_rebuild_tensor_v2\n" + pickled(
        (pickled(("storage", b"ctorch\nFloatStorage\n", "0", "cpu", 2)) + b"Q", 0, (2,), (1,), b"\x89", b"}")) + b"R"
    state = {"zero_stage": 1, "partition_count": [2], "single_partition_of_fp32_groups": [tensor]}
    tree = a_pickle({"optimizer_state_dict": state})
    return stored([("archive/data.pkl", tree), ("archive/data/0", floats(1, 2)), ("archive/version", b"3\n")])


def torch_size(*dims):
    return b"ctorch\nSize\n" + pickled((dims,)) + b"R"


def torch_flat(key, values):
    storage = pickled(("storage", b"ctorch\nFloatStorage\n", key, "cpu", len(values))) + b"Q"
    return b"ctorch._utils\n_rebuild_tensor_v2\n" + pickled((storage, 0, (len(values),), (1,), b"\x89", b"}")) + b"R"


def zero_second(rank, whole=True):
    """Of two ranks whose parameters are {a.weight: [[1, 2, 3], [4, 5, 6]], c: [8]}, {b: [5, 6, 7]}, each group cut over
    the ranks, its moments padded: model states and optimizer states of one; not whole: without the shape of the first."""
    shapes = [{**({"a.weight": torch_size(2, 3)} if whole else {}), "c": torch_size(1)}, {"b": torch_size(3)}]
    model = a_pickle({"param_shapes": shapes, "dp_world_size": 2, "global_steps": 7})
    groups = [[1, 2, 3, 4], [5, 6]] if rank == 0 else [[5, 6, 8], [7]]
    flats = [torch_flat(str(i), values) for i, values in enumerate(groups)]
    data, moments = {str(i): values for i, values in enumerate(groups)}, {}
    for i, values in enumerate(groups):
        slots = {}
        for slot, factor in [("exp_avg", -1), ("exp_avg_sq", 10)]:
            data[f"{slot}{i}"] = [factor * value for value in values] + [0] * rank
            slots[slot] = torch_flat(f"{slot}{i}", data[f"{slot}{i}"])
        moments[i] = {"step": 7, **slots}
    state = {"zero_stage": 2, "partition_count": [2, 2], "single_partition_of_fp32_groups": flats,
             "base_optimizer_state": {"state": moments}}
    members = [("archive/data.pkl", a_pickle({"optimizer_state_dict": state}))]
    members += [(f"archive/data/{key}", floats(*values)) for key, values in data.items()]
    return (stored([("archive/data.pkl", model), ("archive/version", b"3\n")]),
            stored(members + [("archive/version", b"3\n")]))


def zero_third(rank):
    """Of two ranks whose parameters are {a.weight: [[1, 2], [3, 4]], b: [5, 6, 7]}: model and optimizer states of one."""
    shapes = [{"a.weight": torch_size(2, 2)}, {"b": torch_size(3)}]
    model = a_pickle({"param_shapes": shapes, "dp_world_size": 2, "global_steps": 7})
    groups = [[1, 2, 5], [6]] if rank == 0 else [[3, 4, 7], [0]]  # the second slice lies in both
    flats = [torch_flat(str(i), values) for i, values in enumerate(groups)]
    state = {"zero_stage": 3, "partition_count": 2, "fp32_flat_groups": flats}
    optimizer = a_pickle({"optimizer_state_dict": state})
    data = [("archive/data/%d" % i, floats(*g)) for i, g in enumerate(groups)]
    return [stored([("archive/data.pkl", tree), *storages, ("archive/version", b"3\n")])
            for tree, storages in [(model, []), (optimizer, data)]]


def called(name, *arguments):
    return b"c%s\n" % name + pickled(tuple(arguments)) + b"R"


def torch_kinds():
    """Tensors of torch that are no plain view of a storage."""
    def tensor(key, count, name=b"torch._utils\n_rebuild_tensor_v2", *more):
        storage = pickled(("storage", b"ctorch\nFloatStorage\n", key, "cpu", count)) + b"Q"
        return called(name, storage, 0, (count,), (1,), b"\x89", b"}", *more)

    def layout(name):
        return called(b"torch.serialization\n_get_layout", "torch.sparse_" + name)

    def made(name, state):
        return b"c%s\n)\x81" % name + pickled(state) + b"b"

    sparse = b"torch._utils\n_rebuild_sparse_tensor"
    wrapped = called(b"torch._tensor\n_rebuild_from_type_v2", b"ctorch._utils\n_rebuild_wrapper_subclass\n",
                     b"ctorch.distributed.tensor\nDTensor\n", ((8,), (1,)), {"_local_tensor": tensor("3", 2)})
    shard = made(b"torch.distributed._shard.sharded_tensor.shard\nShard", (b"N", {"tensor": tensor("2", 1)}))
    tree = a_pickle({
        "coo": called(sparse, layout("coo"), (tensor("0", 1), tensor("1", 3), (2, 2), b"\x88")),
        "csr": called(sparse, layout("csr"), (tensor("0", 1), tensor("0", 1), tensor("3", 2), (2, 2))),
        "meta": called(b"torch._utils\n_rebuild_meta_tensor_no_storage", b"ctorch\nfloat32\n", (4, 5), (5, 1), b"\x89"),
        "scale": tensor("0", 1, b"torch._utils\n_rebuild_tensor_v3", b"ctorch\nfloat8_e8m0fnu\n"),
        "nibbles": called(b"torch._utils\n_rebuild_qtensor",
                          pickled(("storage", b"ctorch\nQUInt4x2Storage\n", "0", "cpu", 2)) + b"Q", 0, (2,), (1,)),
        "spread": wrapped,
        "shard": made(b"torch.distributed._shard.sharded_tensor.api\nShardedTensor", ([shard], b"N", b"N", b"N", b"N")),
    })
    storages = [floats(9), floats(1, 2, 3), floats(4), floats(5, 6)]
    return [("kinds/data.pkl", tree)] + [("kinds/data/%d" % i, s) for i, s in enumerate(storages)] + [
        ("kinds/version", b"3\n")]


def zarr(dims, chunk, packed):
    """Files of an array of Zarr's second form that counts up from 1, without its last chunk."""
    def value(row, column):
        return 1 + row * dims[1] + column if row < dims[0] and column < dims[1] else -9

    files = {".zarray": json.dumps({
        "chunks": chunk, "compressor": {"id": packed} if packed else None, "dtype": "<f4", "fill_value": 0.0,
        "filters": None, "order": "C", "shape": dims, "zarr_format": 2}).encode()}
    for i in range(0, dims[0], chunk[0]):
        for k in range(0, dims[1], chunk[1]):
            data = floats(*(value(i + a, k + b) for a in range(chunk[0]) for b in range(chunk[1])))
            data = gzip.compress(data, mtime=0) if packed == "gzip" else zlib.compress(data) if packed else data
            files["%d.%d" % (i // chunk[0], k // chunk[1])] = data
    if len(files) > 2:
        files.popitem()
    return files


def fake(module, name, **members):
    """A class that pickles as torch's own; nothing of torch is needed."""
    if module not in sys.modules:
        sys.modules[module] = types.ModuleType(module)
    made = type(name, members.pop("bases", ()), dict(members, __module__=module))
    setattr(sys.modules[module], name, made)
    return made


def distributed(halves=False):
    """A matrix in two row shards of two ranks, a vector, a transposed matrix, and an object; or with a transposed one in halves."""
    for name in ["torch", "torch.distributed", "torch.distributed.checkpoint"]:
        sys.modules.setdefault(name, types.ModuleType(name))
    metadata = "torch.distributed.checkpoint.metadata"
    size = fake("torch", "Size", bases=(tuple,), __reduce__=lambda self: (type(self), (tuple(self),)))
    float32 = fake("torch", "float32")
    properties = fake(metadata, "TensorProperties", __getstate__=lambda self: (float32, None, False, None, False))
    tensor, data = fake(metadata, "TensorStorageMetadata"), fake(metadata, "BytesStorageMetadata")
    chunk, index = fake(metadata, "ChunkStorageMetadata"), fake(metadata, "MetadataIndex")
    whole = fake(metadata, "Metadata")
    info = fake("torch.distributed.checkpoint.filesystem", "_StorageInfo")

    def made(kind, **members):
        item = kind()
        item.__dict__.update(members)
        return item

    files, stored_at = {"__0_0.distcp": b"", "__1_0.distcp": b""}, {}

    def put(name, at, where, content):
        place = made(info, relative_path=where, offset=len(files[where]), length=len(content))
        stored_at[made(index, fqn=name, offset=size(at) if at else None, index=0)] = place
        files[where] += content

    def described(dims, *chunks):
        parts = [made(chunk, offsets=size(o), sizes=size(s)) for o, s in chunks]
        return made(tensor, properties=properties(), size=size(dims), chunks=parts)

    put("model.weight", (2, 0), "__1_0.distcp", torch_tensor([1, 2], [5, 6]))
    put("model.weight", (0, 0), "__0_0.distcp", torch_tensor([2, 2], [1, 2, 3, 4]))
    put("model.bias", None, "__0_0.distcp", torch_tensor([2], [7, 8]))
    put("model.turned", (0, 0), "__0_0.distcp", torch_tensor([2, 3], [1, 4, 2, 5, 3, 6], True))
    for row, file in enumerate(files if halves else []):
        put("model.halves", (2 * row, 0), file, torch_tensor([2, 2], [1, 3, 2, 4], True))
    put("epoch", None, "__0_0.distcp", b"no matter what")
    tensors = {
        "model.weight": described((3, 2), ((0, 0), (2, 2)), ((2, 0), (1, 2))),
        "model.bias": described((2,), ((0,), (2,))),
        "model.turned": described((2, 3), ((0, 0), (2, 3))),
        "epoch": made(data),
    }
    if halves:
        tensors["model.halves"] = described((4, 2), ((0, 0), (2, 2)), ((2, 0), (2, 2)))
    return pickle.dumps(made(whole, state_dict_metadata=tensors, planner_data=None, storage_data=stored_at), 4), files


# ---- Bare arrays, GGUF, the second form of PyTorch ----


def npy(dims, values):
    text = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }" % (tuple(dims),)
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode() + floats(*values)


def gguf():
    def text(value):
        return struct.pack("<Q", len(value)) + value.encode()

    facts = text("general.architecture") + struct.pack("<I", 8) + text("llama")
    facts += text("llama.block_count") + struct.pack("<II", 4, 2)
    tensors = text("blk.0.weight") + struct.pack("<IQQIQ", 2, 3, 2, 0, 0)
    tensors += text("output.bias") + struct.pack("<IQIQ", 1, 3, 0, 32)
    head = b"GGUF" + struct.pack("<IQQ", 3, 2, 2) + facts + tensors
    return head + bytes(-len(head) % 32) + floats(1, 2, 3, 4, 5, 6) + bytes(8) + floats(7, 8, 9)


def torch_legacy():
    def view(key, count, dims, strides):
        storage = (b"U\7storage", b"ctorch\nFloatStorage\n", key, "cpu", count, b"N")
        made = pickled(storage) + b"Q"
        return b"ctorch._utils\n_rebuild_tensor_v2\n" + pickled((made, 0, dims, strides, b"\x89", b"}")) + b"R"

    magic = b"\x80\2\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
    tree = a_pickle({"weight": view("1", 4, (2, 2), (2, 1)), "bias": view("2", 2, (2,), (1,)), "epoch": 3})
    system = a_pickle({"protocol_version": 1001, "little_endian": b"\x88"})
    storages = struct.pack("<q", 4) + floats(1, 2, 3, 4) + struct.pack("<q", 2) + floats(5, 6)
    return magic + a_pickle(1001) + system + tree + a_pickle(["1", "2"]) + storages


# ---- TensorBoard events, wandb ----


def record(data):
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked(length)) + data + struct.pack("<I", masked(data))


def events():
    out = record(b"\x09" + struct.pack("<d", 1700000000) + part(3, "brain.Event:2"))
    for step, loss in enumerate([2.5, 2.0, 1.75]):
        head = b"\x09" + struct.pack("<d", 1700000001 + step) + number(2, step)
        scalar = part(1, "train/loss") + b"\x15" + floats(loss)
        tensor = part(1, "val/loss") + part(8, number(1, 1) + part(2, b"") + part(5, floats(loss + 1)))
        out += record(head + part(5, part(1, scalar))) + record(head + part(5, part(1, tensor)))
    return out


def wandb():
    def item(key, value):
        return part(1, part(1, key) + part(16, value))

    def framed(data):
        return struct.pack("<IHB", zlib.crc32(b"\1" + data), len(data), 1) + data

    rows = [framed(part(2, item("_step", str(10 * i)) + item("loss", str(3.0 - i)))) for i in range(2)]
    return b":W&B" + struct.pack("<HB", 0xBEE1, 0) + b"".join(rows)


def main():
    save("onnx/model.onnx", onnx())
    save("onnx/beside.bin", floats(0, 10, 11))
    save("caffemodel/net.caffemodel", caffemodel())
    save("tf_v1/model.ckpt", tf_v1(False))
    save("tf_v1/packed.ckpt", tf_v1(True))
    index, data = tf_bundle()
    save("tf_bundle/model.index", index)
    save("tf_bundle/model.data-00000-of-00001", data)
    save("msgpack/checkpoint.msgpack", flax())
    save("torch_tar/model.tar", torch_tar())
    index, shards = sharded()
    save("shard_index/model.safetensors.index.json", index)
    for name, data in shards.items():
        save("shard_index/" + name, data)
    save("shard_index/pytorch_model.bin", b"the same weights once more\n")
    save("shard_index/incomplete/model.safetensors.index.json", index)
    save("shard_index/incomplete/model-00001-of-00002.safetensors", shards["model-00001-of-00002.safetensors"])
    for folder, halves in [("dcp/", False), ("dcp/halves/", True)]:
        metadata, files = distributed(halves)
        for name, data in [(".metadata", metadata), *files.items()]:
            save(folder + name, data)
    body = struct.pack(">I", 0x0CDB3A2A) + struct.pack("<Q", 40) + b"\0\0" + bytes(22)
    save("ocdbt/manifest.ocdbt", body + struct.pack("<I", crc32c(body)))
    for rank in range(2):
        for kind, made in zip(["model", "optim"], zero_third(rank)):
            save("torch/third/global_step7/zero_pp_rank_%d_mp_rank_00_%s_states.pt" % (rank, kind), made)
    for folder, whole in [("second", True), ("unequal", False)]:
        for rank in range(2):
            model, optimizer = zero_second(rank, whole)
            save("torch/%s/global_step7/zero_pp_rank_%d_mp_rank_00_optim_states.pt" % (folder, rank), optimizer)
        save("torch/%s/global_step7/mp_rank_00_model_states.pt" % folder, model)
    for slot, values in [("fp32", [1, 2]), ("exp_avg_sq", [3, 4])]:
        save("torch/global_step9_universal/zero/fc.bias/%s.pt" % slot, torch_tensor([2], values, key="param"))
    for folder, ranks in [("whole", 2), ("incomplete", 1)]:
        for rank in range(ranks):
            save("torch/%s/global_step5/zero_pp_rank_%d_mp_rank_00_optim_states.pt" % (folder, rank), zero())
    for folder, dims, chunk, packed in [("plain", [3, 5], [2, 3], None), ("packed", [3, 5], [2, 3], "gzip"),
                                        ("deflated", [3, 5], [2, 3], "zlib"), ("alone", [2, 3], [2, 3], None),
                                        ("foreign", [2, 3], [2, 3], "blosc"), ("short", [2, 3], [2, 3], None)]:
        for name, data in zarr(dims, chunk, packed).items():
            save("zarr/%s/%s" % (folder, name), data[:20] if folder == "short" and name == "0.0" else data)
    save("zarr/third/zarr.json", json.dumps({
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}}, "codecs": [{"name": "bytes"}],
        "data_type": "bfloat16", "node_type": "array", "shape": [7], "zarr_format": 3}).encode())
    arrays = {"('params', 'w')": {"key_metadata": [{"key": "params", "key_type": 2}, {"key": "w", "key_type": 2}],
                                  "value_metadata": {"value_type": "jax.Array", "write_shape": [4, 5]}},
              "('step',)": {"key_metadata": [{"key": "step", "key_type": 2}], "value_metadata": {"value_type": "scalar"}}}
    save("orbax/_METADATA", json.dumps({"tree_metadata": arrays, "use_ocdbt": True}).encode())
    for folder, commit in [("whole", 1700000001), ("incomplete", None)]:
        save("orbax/%s/_CHECKPOINT_METADATA" % folder,
             json.dumps({"init_timestamp_nsecs": 1700000000, "commit_timestamp_nsecs": commit}).encode())
    save("torch/kinds.pt", stored(torch_kinds()))
    save("torch/unsummed.pt", stored(torch_kinds(), False))
    save("npy/array.npy", npy((2, 3), [1, 2, 3, 4, 5, 6]))
    save("npz/arrays.npz", stored([("a.npy", npy((2,), [1, 2])), ("b.npy", npy((1, 2), [3, 4]))]))
    save("gguf/model.gguf", gguf())
    save("torch_legacy/model.pth", torch_legacy())
    save("pickle_file/params.pkl", pickle.dumps({"w": [1.5, 2.5], "step": 3}, 4))
    save("../event/events.out.tfevents.1700000000.host", events())
    save("../event/run-made.wandb", wandb())
    save("tflite/model.tflite", struct.pack("<I", 28) + b"TFL3" + bytes(24))
    save("mxnet_params/net.params", struct.pack("<QQQ", 0x112, 0, 0) + bytes(8))


if __name__ == "__main__":
    main()
