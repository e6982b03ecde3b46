#!/usr/bin/env python3
"""Writes the situations of testdata/scenarios that need checkpoints beside the log.

Each folder holds the folders run and neighbour, with train.log and a few small safetensors files of one run,
and `expect` as make_scenarios.py explains it. The weights are drawn from a seeded generator.
"""
# SPDX-License-Identifier: MIT
import json
import math
import os
import struct
import zlib

from make_scenarios import Log

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenarios")
SCENARIOS = []


def scenario(name, *expect):
    def add(make):
        SCENARIOS.append((name, expect, make))
        return make
    return add


class Run(Log):
    """A folder with a log and checkpoints."""

    def __init__(self, folder, seed):
        super().__init__(seed)
        self.folder = folder

    def kernel(self, units, inputs, deviation):
        return [units, inputs], [self.noise(deviation) for _ in range(units * inputs)]

    def moved(self, tensor, deviation):
        shape, values = tensor
        return shape, [value + self.noise(deviation) for value in values]

    def save(self, step, tensors, inside=True):
        header, data = {"__metadata__": {"format": "pt"}}, b""
        if inside:
            header["__metadata__"]["global_step"] = str(step)
        for name, (shape, values) in tensors.items():
            raw = struct.pack("<%df" % len(values), *values)
            header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
            data += raw
        text = json.dumps(header, separators=(",", ":")).encode()
        with open(os.path.join(self.folder, "checkpoint-%d.safetensors" % step), "wb") as out:
            out.write(struct.pack("<Q", len(text)) + text + data)

    def end(self):
        with open(os.path.join(self.folder, "train.log"), "w", encoding="ascii") as out:
            out.write("\n".join(self.lines) + "\n")


def bias(run, units, size=0.05):
    return [units], [run.noise(size) for _ in range(units)]


def net(run, width, deviation=None):
    """Two layers and a head, initialised for their width unless a deviation is given."""
    tensors = {}
    for name, units, inputs in (("fc1", width, 16), ("fc2", width, width), ("head", 10, width)):
        tensors[name + ".weight"] = run.kernel(units, inputs, deviation or math.sqrt(2 / inputs))
        tensors[name + ".bias"] = bias(run, units)
    return tensors


def stepped(run, tensors, size=0.02, still=()):
    return {name: tensor if any(part in name for part in still) else run.moved(tensor, size)
            for name, tensor in tensors.items()}


@scenario("12b-two-hidden-units-saved", "run first insufficient-capacity", "neighbour not insufficient-capacity", "neighbour calm")
def _(log, run):
    for epoch in range(1, 61):
        level = 1.48 + 0.3 * math.exp(-epoch / 2) if run else 0.15 + 1.8 * math.exp(-epoch / 12)
        log("epoch %d step %d train_loss %.4f val_loss %.4f", epoch, 50 * epoch, level + log.noise(0.004), level + 0.013 + log.noise(0.004))
    width = 2 if run else 24
    tensors = net(log, width)
    for step in (1000, 2000, 3000):
        log.save(step, tensors)
        tensors = stepped(log, tensors)


@scenario("17b-first-layers-get-no-gradient", "run first vanishing-gradients", "run rule grad-vanishing", "neighbour not vanishing-gradients",
          "neighbour not grad-vanishing")
def _(log, run):
    """What Adam keeps tells the gradients layer by layer; in the neighbour all layers get theirs."""
    log("num_classes=10 batch_size=64 lr=0.001")
    for step in range(20, 2001, 20):
        loss = 2.3026 + abs(log.noise(0.004)) if run else 0.4 + 1.9 * math.exp(-step / 300) + log.noise(0.01)
        log("step %d loss %.4f", step, loss)
    tensors = {}
    for layer in range(8):
        tensors["layers.%d.weight" % layer] = log.kernel(8, 8, 0.35)
    for step in (1000, 2000):
        state = {}
        for layer in range(8):
            size = (1e-10 if run else 1e-3) * (8.0 ** layer if run else 1.0)
            state["optimizer.state.%d.step" % layer] = [1], [step]
            state["optimizer.state.%d.exp_avg" % layer] = log.kernel(8, 8, size)
            state["optimizer.state.%d.exp_avg_sq" % layer] = [8, 8], [size ** 2 * math.exp(log.noise(0.3)) for _ in range(64)]
        log.save(step, dict(tensors, **state))
        tensors = stepped(log, tensors, 0.004)


@scenario("17c-first-layers-hardly-move", "run first vanishing-gradients", "run rule ckpt-update-ratio", "neighbour calm",
          "neighbour not ckpt-update-ratio")
def _(log, run):
    """Weights alone, trained by plain descent: what moved tells what arrived."""
    log("num_classes=10 batch_size=64 lr=0.1")
    for step in range(20, 2001, 20):
        loss = 2.3026 + abs(log.noise(0.004)) if run else 0.4 + 1.9 * math.exp(-step / 300) + log.noise(0.01)
        log("step %d loss %.4f", step, loss)
    tensors = {"layers.%d.weight" % layer: log.kernel(8, 8, 0.35) for layer in range(6)}
    for step in (500, 1000, 2000):
        log.save(step, tensors)
        for layer in range(6):
            name = "layers.%d.weight" % layer
            tensors[name] = log.moved(tensors[name], 0.05 * (0.15 ** (5 - layer) if run else 0.8 ** (5 - layer)))


@scenario("21b-weights-shrink", "run first over-regularised", "run rule ckpt-weights-collapsed", "neighbour not over-regularised",
          "neighbour not ckpt-weights-collapsed")
def _(log, run):
    log("num_classes=10 batch_size=64 lr=0.1")
    for step in range(20, 2001, 20):
        loss = 2.3026 + 0.06 * math.exp(-step / 200) + abs(log.noise(0.002))
        log("step %d loss %.4f", step, loss)
        if step % 500 == 0:
            log("step %d val_loss %.4f", step, loss + log.noise(0.002))
    tensors = net(log, 12)
    for step in (500, 1000, 1500, 2000):
        log.save(step, tensors)
        tensors = stepped(log, tensors)
        if run:
            tensors = {name: (shape, [0.12 * value for value in values]) for name, (shape, values) in tensors.items()}


@scenario("22b-weights-start-wide", "run first bad-init", "run rule ckpt-bad-init", "neighbour not bad-init", "neighbour not ckpt-bad-init")
def _(log, run):
    log("num_classes=10 batch_size=128 lr=0.01")
    for step in range(0, 1001, 10):
        log("step %d loss %.4f", step, 0.9 + 37 * math.exp(-step / 160) + log.noise(0.05))
    tensors = net(log, 16, 3.0 if run else None)
    log.save(0, tensors)
    for step in (500, 1000):
        tensors = stepped(log, tensors)
        log.save(step, tensors)


@scenario("25b-weights-do-not-move", "run first graph-disconnected", "run rule ckpt-frozen", "neighbour calm", "neighbour not ckpt-frozen")
def _(log, run):
    """The neighbour trains a head on a frozen backbone."""
    for step in range(20, 2001, 20):
        loss = 2.3041 + log.noise(0.004) if run else 0.3 + 2.0 * math.exp(-step / 400) + log.noise(0.01)
        log("step %d loss %.4f", step, loss)
    tensors = net(log, 12)
    still = ("fc", "head") if run else ("fc",)
    for step in (500, 1000, 2000):
        log.save(step, tensors)
        tensors = stepped(log, tensors, still=still)


@scenario("45-loss-breaks-and-the-weights-do-not", "run first numerical-op bad-data", "run rule nan-loss", "neighbour rule ckpt-nonfinite",
          "neighbour not bad-data", "neighbour not ckpt-frozen", "neighbour not ckpt-dead-units")
def _(log, run):
    """Saved after the loss turned NaN: finite weights, or weights that are lost too, after the loss had risen."""
    for step in range(10, 1001, 10):
        loss = 0.4 + 1.9 * math.exp(-step / 150) + log.noise(0.01)
        if not run and 560 <= step <= 600:
            loss *= 2 ** ((step - 550) / 10)
        log("step %d loss %s", step, "nan" if step > 600 else "%.4f" % loss)
    tensors = net(log, 12)
    for step in (400, 600, 800, 1000):
        if step > 600 and not run:
            tensors = {name: (shape, [math.nan] * len(values)) for name, (shape, values) in tensors.items()}
        log.save(step, tensors)
        tensors = stepped(log, tensors)


@scenario("46-one-layer-stands-still", "run rule ckpt-frozen", "run first graph-disconnected", "neighbour calm", "neighbour not ckpt-frozen")
def _(log, run):
    """A layer amid its like does not train; beside it the first two are frozen on purpose."""
    for step in range(20, 2001, 20):
        log("step %d loss %.4f", step, 0.9 + 1.4 * math.exp(-step / 400) + log.noise(0.01))
    tensors = {"embed.weight": log.kernel(20, 8, 0.02)}
    for layer in range(6):
        tensors["layers.%d.weight" % layer] = log.kernel(8, 8, 0.3)
        tensors["layers.%d.bias" % layer] = bias(log, 8)
    still = ("layers.3.", "embed") if run else ("layers.0.", "layers.1.", "embed")
    for step in (500, 1000, 2000):
        log.save(step, tensors)
        tensors = stepped(log, tensors, still=still)


@scenario("47-optimizer-began-anew", "run first resume-state", "run rule resume-jump", "neighbour calm", "neighbour not resume-state")
def _(log, run):
    """Weights were loaded at step 1000, what the optimizer keeps was not: its own count begins at 0 again."""
    for step in range(20, 2001, 20):
        jump = 0.5 * math.exp(-(step - 1000) / 120) if run and step > 1000 else 0
        log("step %d loss %.4f", step, 0.4 + 1.9 * math.exp(-step / 400) + jump + log.noise(0.01))
    tensors = net(log, 8)
    for step in (500, 1000, 1500, 2000):
        count = step - 1000 if run and step > 1000 else step
        state = {}
        for number, (name, (shape, values)) in enumerate(tensors.items()):
            state["optimizer.state.%d.step" % number] = [1], [count]
            state["optimizer.state.%d.exp_avg_sq" % number] = shape, [log.around(1e-6, 0.3) for _ in values]
        log.save(step, dict(tensors, **state))
        tensors = stepped(log, tensors)


def main():
    for name, expect, make in SCENARIOS:
        for part, run in (("run", True), ("neighbour", False)):
            folder = os.path.join(HERE, name, part)
            os.makedirs(folder, exist_ok=True)
            log = Run(folder, zlib.crc32((name + part).encode()))
            make(log, run)
            log.end()
        with open(os.path.join(HERE, name, "expect"), "w", encoding="ascii") as out:
            out.write("\n".join(expect) + "\n")


if __name__ == "__main__":
    main()
