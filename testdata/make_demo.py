#!/usr/bin/env python3
"""Writes testdata/demo/train.log: a made-up run that explodes soon after its warm-up.

The learning rate climbs to a peak that is too high for the model. Nothing bounds the gradients; their
norm begins to grow at step 342, the loss follows, and from step 371 on all is NaN, to the end.
"""
# SPDX-License-Identifier: MIT
import math
import os
import random

PEAK, WARMUP, STEPS, GROWS = 3e-3, 300, 480, 342
SETTINGS = ("settings: model=gpt layers=12 optimizer=adamw lr=%g warmup_steps=%d max_steps=2000 schedule=cosine "
            "clip=none precision=bf16 batch_size=32 vocab_size=50257" % (PEAK, WARMUP))


def readings(random_, step):
    loss = 5.4 + 5.42 * math.exp(-step / 90) + random_.gauss(0, 0.03)
    norm = (0.9 + 1.6 * math.exp(-step / 60)) * math.exp(random_.gauss(0, 0.08))
    if step >= GROWS:
        since = step - GROWS
        norm *= 1.36 ** since
        loss += 0.012 * 1.21 ** since
    if step >= 371:
        loss = norm = math.nan
    elif step == 370:
        norm = math.inf
    return loss, norm


def main():
    random_ = random.Random(42)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "demo", "train.log")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as out:
        seconds = 4 * 3600 + 14 * 60
        out.write("2026-03-02 04:14:00 %s\n" % SETTINGS)
        for step in range(STEPS):
            loss, norm = readings(random_, step)
            rate = PEAK * min(1.0, (step + 1) / WARMUP)
            if step > WARMUP:
                rate = PEAK * (0.55 + 0.45 * math.cos(math.pi * (step - WARMUP) / (2000 - WARMUP)))
            took = random_.gauss(612, 4) + (900 if step == 0 else 0)
            seconds += took / 1000
            clock = "%02d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)
            out.write("2026-03-02 %s step %d: loss %.4f | grad_norm %.3f | lr %.3e | %.1f ms/step\n"
                      % (clock, step, loss, norm, rate, took))
            if step % 100 == 99:
                out.write("2026-03-02 %s saving checkpoint to ckpt-%d.pt\n" % (clock, step + 1))


if __name__ == "__main__":
    main()
