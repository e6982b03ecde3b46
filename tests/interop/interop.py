#!/usr/bin/env python3
"""Writes files with a real library and holds `stalldoc inspect -f json` against what the library itself computes.

usage: interop.py STALLDOC LIBRARY      exit status 77: the library is not installed here
SPDX-License-Identifier: MIT
"""
import json, math, os, pathlib, pickle, struct, subprocess, sys, tempfile

SKIPPED = 77


def inspect(program, *paths):
    result = subprocess.run([program, "inspect", "-f", "json", *map(str, paths)], capture_output=True, check=False)
    if result.returncode not in (0, 1):
        sys.exit(f"{paths}: exit status {result.returncode}: {result.stderr.decode()}")
    return json.loads(result.stdout)


def figures(array):
    """What the report says of a tensor, computed by numpy in float64."""
    import numpy
    values = numpy.asarray(array)
    wide = values.astype(numpy.complex128 if values.dtype.kind == "c" else numpy.float64).ravel()
    if values.dtype.kind == "c":
        wide = wide.view(numpy.float64)
    finite = wide[numpy.isfinite(wide)]
    return {"shape": list(values.shape), "count": int(values.size), "nan": int(numpy.isnan(wide).sum()),
            "inf": int(numpy.isinf(wide).sum()), "l2": float(numpy.sqrt((finite ** 2).sum())),
            "absmax": float(numpy.abs(finite).max()) if finite.size else 0.0,
            "zeros": int((wide == 0).sum())}


def close(a, b):
    return a == b or (isinstance(a, (int, float)) and abs(a - b) <= 1e-9 * max(abs(a), abs(b)))


def hold(program, path, wanted, dtypes=None):
    """Every wanted tensor is there, with these figures, and no other."""
    found = {tensor["name"]: tensor for tensor in inspect(program, path)["tensors"]}
    faults = []
    if sorted(found) != sorted(wanted):
        faults.append(f"tensors {sorted(found)}, not {sorted(wanted)}")
    for name in set(found) & set(wanted):
        want = figures(wanted[name])
        for member, value in want.items():
            if math.prod(want["shape"]) == 0 and member in ("l2", "absmax"):
                continue
            got = found[name].get(member)
            if member != "count" and found[name]["dtype"].startswith("complex") and member in ("absmax", "zeros"):
                continue
            if not close(got, value):
                faults.append(f"{name}: {member} {got}, not {value}")
        if dtypes and found[name]["dtype"] != dtypes[name]:
            faults.append(f"{name}: dtype {found[name]['dtype']}, not {dtypes[name]}")
    if faults:
        sys.exit(f"{path}:\n  " + "\n  ".join(faults))


def arrays():
    import numpy
    random = numpy.random.default_rng(7)
    made = {kind: (random.standard_normal((5, 7)) * 3).astype(kind)
            for kind in ("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8")}
    made["bool"] = random.standard_normal((3, 4)) > 0
    made["scalar"] = numpy.float32(2.5)
    made["empty"] = numpy.zeros((0, 3), "float32")
    made["big"] = random.standard_normal((300, 1000)).astype("float32")
    made["broken"] = numpy.array([[1, math.nan, math.inf], [-math.inf, 0, -2]], "float32")
    return made


def numpy_files(program, folder):
    import numpy
    for name, array in arrays().items():
        for order in "CF":
            path = folder / f"{name}-{order}.npy"
            numpy.save(path, numpy.asarray(array, order=order))
            hold(program, path, {"(array)": array})
    path = folder / "big-endian.npy"
    numpy.save(path, arrays()["float32"].astype(">f4"))
    hold(program, path, {"(array)": arrays()["float32"]})
    numpy.savez(folder / "plain.npz", **arrays())
    hold(program, folder / "plain.npz", arrays())
    numpy.savez_compressed(folder / "small.npz", **arrays())
    hold(program, folder / "small.npz", arrays())
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        path = folder / f"arrays-{protocol}.pkl"
        path.write_bytes(pickle.dumps({"layer": {k: v for k, v in arrays().items() if k != "scalar"}},
                                      protocol=protocol))
        hold(program, path, {f"layer.{k}": v for k, v in arrays().items() if k != "scalar"})


def torch_files(program, folder):
    import torch
    torch.manual_seed(3)
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU(),
                                torch.nn.Flatten(), torch.nn.Linear(8 * 36, 10))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.randn(4, 3, 8, 8)).square().mean().backward()
        optimizer.step()
    state = {name: value.detach() for name, value in model.state_dict().items()}
    whole = {"model": state, "optimizer": optimizer.state_dict(), "step": 3}
    wanted = {f"model.{name}": value.numpy() for name, value in state.items()}
    for index, slots in whole["optimizer"]["state"].items():
        for slot, value in slots.items():
            if torch.is_tensor(value):
                wanted[f"optimizer.state.{index}.{slot}"] = value.numpy()
    for zipped in (True, False):
        path = folder / f"checkpoint-{'zip' if zipped else 'legacy'}.pt"
        torch.save(whole, path, _use_new_zipfile_serialization=zipped)
        hold(program, path, wanted)
    torch.save(whole, folder / "legacy-4.pt", _use_new_zipfile_serialization=False, pickle_protocol=4)
    hold(program, folder / "legacy-4.pt", wanted)
    base = torch.arange(24, dtype=torch.float32).reshape(4, 6)
    views = {"turned": base.t(), "row": base[2], "steps": base[:, ::2], "half": base.half() / 7,
             "brain": (base / 7).bfloat16(), "long": base.long(), "truth": base > 3,
             "complex": torch.complex(base, -base)}
    torch.save(views, folder / "views.pt")
    hold(program, folder / "views.pt",
         {name: (value.float() if value.dtype == torch.bfloat16 else value).numpy() for name, value in views.items()},
         {"turned": "float32", "row": "float32", "steps": "float32", "half": "float16", "brain": "bfloat16",
          "long": "int64", "truth": "bool", "complex": "complex64"})
    sparse = base.relu().to_sparse()
    kinds = {"spread": sparse, "rows": base.relu().to_sparse_csr(),
             "shrunk": torch.quantize_per_tensor(base, 0.25, 3, torch.quint8),
             "channels": torch.quantize_per_channel(base, torch.ones(4), torch.zeros(4), 0, torch.qint8),
             "tied": base, "again": base, "expanded": torch.tensor([2.5]).expand(50, 3),
             "windows": torch.arange(9.0).unfold(0, 3, 2),
             "parameter": torch.nn.Parameter(base.clone()), "turned": torch.complex(base, base).conj()}
    wanted = {name: value for name, value in kinds.items() if name not in ("spread", "rows", "shrunk", "channels")}
    wanted |= {"spread.values": sparse.coalesce().values(), "rows.values": kinds["rows"].values(),
               "shrunk": kinds["shrunk"].int_repr(), "channels": kinds["channels"].int_repr()}
    torch.save(kinds, folder / "kinds.pt")
    hold(program, folder / "kinds.pt", {name: value.detach().resolve_conj().numpy() for name, value in wanted.items()})
    zero_files(program, folder)
    scripted = torch.jit.script(torch.nn.Linear(4, 3))
    scripted.save(str(folder / "scripted.pt"))
    names = {tensor["name"]: tensor for tensor in inspect(program, folder / "scripted.pt")["tensors"]}
    norms = sorted(tensor["l2"] for tensor in names.values())
    ours = sorted(float(p.detach().double().norm()) for p in scripted.parameters())
    if len(norms) != len(ours) or not all(close(a, b) for a, b in zip(norms, ours)):
        sys.exit(f"scripted.pt: norms {norms}, not {ours}")


def zero_files(program, folder):
    """What DeepSpeed's first two stages save of three ranks: groups flattened, padded to twice the ranks, cut."""
    import torch
    torch.manual_seed(11)
    ranks, step, beta2 = 3, 40, 0.95
    groups = [{"a.weight": (5, 7), "b.weight": (3, 4, 2)}, {"a.bias": (7,), "b.bias": ()}]
    made = [{name: [torch.randn(shape), torch.randn(shape) / 9, torch.rand(shape) / 99] for name, shape in group.items()}
            for group in groups]
    states = [{"zero_stage": 2, "partition_count": [ranks] * len(groups), "single_partition_of_fp32_groups": [],
               "base_optimizer_state": {"state": {}, "param_groups": [{"lr": 1e-3, "betas": (0.9, beta2)}]}}
              for _ in range(ranks)]
    for number, group in enumerate(made):
        flats = [torch.cat([slots[slot].flatten() for slots in group.values()]) for slot in range(3)]
        whole, size = len(flats[0]), -(-len(flats[0]) // (2 * ranks)) * 2
        padded = [torch.cat([flat, torch.zeros(size * ranks - whole)]) for flat in flats]
        for rank, state in enumerate(states):
            first, lean = rank * size, max(0, min(size, whole - rank * size))
            state["single_partition_of_fp32_groups"].append(padded[0][first:first + lean].clone())
            state["base_optimizer_state"]["state"][number] = {
                "step": step, "exp_avg": padded[1][first:first + size].clone(),
                "exp_avg_sq": padded[2][first:first + size].clone()}
    place = folder / "global_step40"
    place.mkdir()
    for rank, state in enumerate(states):
        torch.save({"optimizer_state_dict": state}, place / f"bf16_zero_pp_rank_{rank}_mp_rank_00_optim_states.pt")
    shapes = [{name: slots[0].shape for name, slots in group.items()} for group in made]
    half = {name: slots[0].bfloat16() for group in made for name, slots in group.items()}
    torch.save({"module": half, "param_shapes": shapes, "dp_world_size": ranks, "global_steps": step},
               place / "mp_rank_00_model_states.pt")
    wanted = {f"module.{name}": value.float().numpy() for name, value in half.items()}
    for group in made:
        for name, slots in group.items():
            wanted |= {name + end: value.numpy() for end, value in zip(("", ".exp_avg", ".exp_avg_sq"), slots)}
    hold(program, place / "mp_rank_00_model_states.pt", wanted)
    total = math.sqrt(sum(slots[2].double().sum().item() for group in made for slots in group.values()) /
                      (1 - beta2 ** step))
    found = [series for series in inspect(program, place)["series"] if series["name"] == "exp_avg_sq/grad_norm"]
    if len(found) != 1 or abs(found[0]["last"]["value"] - total) > 1e-6 * total:
        sys.exit(f"gradient norm {found}, not {total}")


def torch_later_files(program, folder):
    """What only later versions write: narrow types, chunks of a distributed checkpoint, exported programs."""
    import torch
    if not hasattr(torch, "float8_e5m2"):
        print(f"skipped: torch {torch.__version__} is too old for these")
        sys.exit(SKIPPED)
    torch.manual_seed(5)
    base = torch.randn(6, 4)
    narrow = {name: getattr(torch, name) for name in ("float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "uint16",
                                                      "uint32") if hasattr(torch, name)}
    made = {name: (base.abs() * 3).to(kind) for name, kind in narrow.items()}
    torch.save(made, folder / "narrow.pt")
    hold(program, folder / "narrow.pt", {name: value.double().numpy() for name, value in made.items()},
         {name: name for name in made})
    if hasattr(torch, "export") and hasattr(torch.export, "save"):
        model = torch.nn.Linear(4, 3)
        torch.export.save(torch.export.export(model, (base,)), folder / "model.pt2")
        hold(program, folder / "model.pt2", {name: value.detach().numpy() for name, value in model.named_parameters()})
    if torch.distributed.is_available():
        import torch.distributed.checkpoint as distributed
        state = {"rows": base, "turned": base.t(), "deep": {"long": torch.arange(5)}}
        distributed.save(state, checkpoint_id=str(folder / "spread"))
        hold(program, folder / "spread", {"rows": base.numpy(), "turned": base.t().numpy(),
                                          "deep.long": torch.arange(5).numpy()})


def gguf_files(program, folder):
    import gguf, numpy
    random = numpy.random.default_rng(7)
    wide = random.standard_normal((8, 64)).astype("float32")
    writer, wanted = gguf.GGUFWriter(str(folder / "model.gguf"), "llama"), {"wide": wide}
    writer.add_tensor("wide", wide)
    for name in ("Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "BF16"):
        kind = gguf.GGMLQuantizationType[name]
        packed = gguf.quants.quantize(wide, kind)
        writer.add_tensor(name, packed, raw_dtype=kind)
        wanted[name] = gguf.quants.dequantize(packed, kind)
    for name, size, halves in (("Q2_K", 84, (80, 82)), ("Q3_K", 110, (108,)), ("Q4_K", 144, (0, 2)),
                               ("Q5_K", 176, (0, 2)), ("Q6_K", 210, (208,)), ("IQ4_NL", 18, (0,)),
                               ("IQ4_XS", 136, (0,))):
        packed = random.integers(0, 256, (6, size), dtype="uint8")  # its own quantize has none of these
        for at in halves:
            packed[:, at:at + 2] = numpy.full(6, 0.0625, "float16").view("uint8").reshape(6, 2)
        writer.add_tensor(name, packed, raw_dtype=gguf.GGMLQuantizationType[name])
        wanted[name] = gguf.quants.dequantize(packed, gguf.GGMLQuantizationType[name])
    for step in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file, writer.close):
        step()
    hold(program, folder / "model.gguf", wanted)


def h5py_files(program, folder):
    import h5py
    wanted = {f"group/{k}": v for k, v in arrays().items() if k not in ("bool", "empty")}
    with h5py.File(folder / "arrays.h5", "w") as file:
        for name, value in wanted.items():
            chunked = {"compression": "gzip", "shuffle": True} if name.endswith("big") else {}
            file.create_dataset(name, data=value, **chunked)
    hold(program, folder / "arrays.h5", wanted)
    with h5py.File(folder / "behind.h5", "w", userblock_size=1024) as file:
        file.create_dataset("array", data=arrays()["float32"])
    hold(program, folder / "behind.h5", {"array": arrays()["float32"]})


def keras_files(program, folder):
    import keras
    model = keras.Sequential([keras.layers.Input((8, 8, 3)), keras.layers.Conv2D(4, 3), keras.layers.Flatten(),
                              keras.layers.Dense(5), keras.layers.Dense(2)])
    model.compile("adam", "mse")
    model.optimizer.build(model.trainable_variables)
    model.optimizer.iterations.assign(300)
    weights = {f"layers/{layer}/vars/{i}": value
               for layer, owner in zip(("conv2d", "dense", "dense_1"), (x for x in model.layers if x.weights))
               for i, value in enumerate(owner.get_weights())}
    slots = {f"optimizer/vars/{i}": keras.ops.convert_to_numpy(v) for i, v in enumerate(model.optimizer.variables)}
    model.save(folder / "model.keras")
    hold(program, folder / "model.keras", weights | slots)
    model.save_weights(folder / "model.weights.h5")
    hold(program, folder / "model.weights.h5", weights | slots)
    found = inspect(program, folder / "model.keras")
    facts = {fact["key"]: fact["value"] for fact in found["runs"][0]["facts"]}
    rate = struct.unpack("f", struct.pack("f", 0.001))[0]
    said = (found["inputs"][0]["step"], facts.get("optimizer"), facts.get("objective"), facts.get("lr"))
    if said != (300, "adam", "mse", rate):
        sys.exit(f"model.keras: {said}")


def onnx_files(program, folder):
    import numpy, onnx
    from onnx import helper, numpy_helper
    wanted = {k: v for k, v in arrays().items() if k not in ("scalar", "empty")}
    tensors = [numpy_helper.from_array(numpy.ascontiguousarray(v), k) for k, v in wanted.items()]
    typed = helper.make_tensor("typed", onnx.TensorProto.FLOAT, [4], [1.5, -2.5, 0.0, 4.0])
    wanted["typed"] = numpy.array([1.5, -2.5, 0, 4], "float32")
    output = helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)
    node = helper.make_node("Identity", ["typed"], ["y"])
    onnx.save(helper.make_model(helper.make_graph([node], "g", [], [output], tensors + [typed])),
              str(folder / "model.onnx"))
    hold(program, folder / "model.onnx", wanted)


def safetensors_files(program, folder):
    import safetensors.numpy
    wanted = {k: v for k, v in arrays().items() if k != "scalar"}
    safetensors.numpy.save_file(wanted, str(folder / "model.safetensors"), {"format": "np"})
    hold(program, folder / "model.safetensors", wanted)


def tensorboard_files(program, folder):
    import tensorboardX
    writer = tensorboardX.SummaryWriter(str(folder / "run"))
    for step in range(100):
        writer.add_scalar("train/loss", 2 / (1 + step), step)
        writer.add_scalar("train/lr", 1e-3 * (100 - step), step)
    writer.close()
    series = {s["name"]: s for s in inspect(program, folder / "run")["series"]}
    for name, first, last in (("train/loss", 2, 2 / 100), ("train/lr", 0.1, 1e-3)):
        got = series.get(name, {})
        single = [struct.unpack("f", struct.pack("f", value))[0] for value in (first, last)]
        if (got.get("points"), got["first"]["value"], got["last"]["value"]) != (100, *single):
            sys.exit(f"{name}: {got}, not 100 points from {single[0]} to {single[1]}")


LIBRARIES = {"numpy": ("numpy", numpy_files), "torch": ("torch", torch_files), "h5py": ("h5py", h5py_files),
             "torch-later": ("torch", torch_later_files), "gguf": ("gguf", gguf_files),
             "keras": ("keras", keras_files),
             "onnx": ("onnx", onnx_files), "safetensors": ("safetensors", safetensors_files),
             "tensorboard": ("tensorboardX", tensorboard_files)}


def main():
    program, library = sys.argv[1:3]
    module, write = LIBRARIES[library]
    os.environ.setdefault("KERAS_BACKEND", "numpy")  # the lightest
    try:
        __import__(module)
        import numpy
    except ImportError as missing:
        print(f"skipped: {missing.name} is not installed for {sys.executable}")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        write(program, pathlib.Path(folder))


if __name__ == "__main__":
    main()
