#!/usr/bin/env python3
"""Writes testdata/scenarios/<nn>-<name>/: situations that the program is for, each beside a neighbour.

Every folder holds run.log, which shows the situation, neighbour.log, which looks like it and is none (where more
belongs to it: the folders run and neighbour, each with run.log and what stands beside it), and `expect`, whose lines the test tests/scenarios.c holds against the report:
  run.log first ID...      the cause ranked first is one of these
  run.log top3 ID          the cause is among the first three
  run.log rule ID          there is such a finding, warning or error
  run.log remark ID        there is such a finding of any severity
  run.log calm             no finding over info
  neighbour.log not ID     no such cause, no such finding over info
All of it is invented; no line stems from a real log.
"""
# SPDX-License-Identifier: MIT
import json
import math
import os
import random
import struct
import zipfile

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenarios")
SCENARIOS = []


def scenario(name, *expect):
    def add(make):
        SCENARIOS.append((name, expect, make))
        return make
    return add


class Log:
    """Lines and the noise of one log."""

    def __init__(self, seed):
        self.lines, self.random = [], random.Random(seed)

    def __call__(self, text, *values):
        self.lines.append(text % values if values else text)

    def noise(self, deviation):
        return self.random.gauss(0, deviation)

    def around(self, value, share):
        return value * math.exp(self.random.gauss(0, share))


TRACEBACK = "Traceback (most recent call last):\n  File \"train.py\", line 88, in <module>\n    main()"


def falling(log, steps, every=10, start=2.3, end=0.4, norm=True, rate=1e-3):
    """An ordinary run."""
    for step in range(every, steps + 1, every):
        loss = end + (start - end) * math.exp(-4.0 * step / steps) + log.noise(0.02)
        text = "step %d/%d loss %.4f" % (step, steps, loss)
        if norm:
            text += " grad_norm %.3f" % log.around(0.8, 0.1)
        log("%s lr %.2e", text, rate)


@scenario("01-more-workers-than-cores", "run.log first dataloader-deadlock", "neighbour.log calm")
def _(log, run):
    log("Dataset: 50000 images, batch_size=64")
    if run:
        log("UserWarning: This DataLoader will create 16 worker processes in total. Our suggested max number of worker "
            "in current system is 8, which is smaller than what this DataLoader is going to create.")
    for step in range(1, 61):
        slow = 1.0 + (0.12 * step if run else 0.0)
        log("Epoch 0 step %d/782 loss %.4f step_time %.3f s", step, 2.3 - 0.01 * step + log.noise(0.02),
            log.around(0.21 * slow, 0.05))
    if run:
        log("^C" + TRACEBACK)
        log("  File \"loader.py\", line 1295, in _get_data\n    success, data = self._try_get_data()")
        log("  File \"loader.py\", line 1133, in _try_get_data\n    data = self._data_queue.get(timeout=timeout)")
        log("KeyboardInterrupt")


@scenario("02-transform-item-by-item", "run.log first dataloader-bottleneck", "run.log rule data-bound",
          "neighbour.log not dataloader-bottleneck")
def _(log, run):
    wait = 0.71 if run else 0.02
    for step in range(20, 1601, 20):
        log("step %d loss %.4f data_time %.3f step_time %.3f", step, 0.6 + 1.7 * math.exp(-step / 500) + log.noise(0.02),
            log.around(wait, 0.06), log.around(wait + 0.15, 0.02))


@scenario("03-batch-too-large-for-the-device", "run.log first device-memory", "run.log rule out-of-memory",
          "neighbour.log calm")
def _(log, run):
    for step in range(1, 41):
        log("step %d loss %.4f step_time %.2f s mem %.1f GB", step, 2.2 - 0.02 * step + log.noise(0.02),
            log.around(0.9 + (0.03 * step if run else 0), 0.03), 18.0 + (0.12 * step if run else 0.0))
    if run:
        log(TRACEBACK)
        log("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of "
            "23.65 GiB of which 1.10 GiB is free.")


@scenario("03b-batch-too-large-for-the-host", "run.log first host-memory", "run.log rule out-of-memory",
          "neighbour.log not host-memory")
def _(log, run):
    for step in range(1, 41):
        log("step %d loss %.4f step_time %.2f s", step, 2.2 - 0.02 * step + log.noise(0.02), log.around(0.9 + 0.03 * step, 0.03))
    log("./run.sh: line 3: 40211 Killed                  python train.py" if run else "Training completed.")


@scenario("04-workers-die", "run.log first dataloader-deadlock", "run.log rule crash",
          "neighbour.log first code-error", "neighbour.log not dataloader-deadlock")
def _(log, run):
    falling(log, 400)
    log(TRACEBACK)
    if run:
        log("RuntimeError: DataLoader worker (pid(s) 5120, 5121, 5133) exited unexpectedly")
    else:
        log("KeyError: 'caption'")


@scenario("05-recurrent-net-explodes", "run.log top3 exploding-gradients", "run.log rule nan-loss", "neighbour.log calm")
def _(log, run):
    log("model: rnn_type=LSTM layers=2 hidden=256 optimizer=adam lr=0.001 clip=None")
    for epoch in range(1, 25):
        grows = max(0, epoch - 10) if run else 0
        norm = log.around(1.1, 0.05) * 2.2 ** grows
        loss = 4.0 * math.exp(-epoch / 12) + 0.8 + log.noise(0.02) + 0.02 * (1.5 ** grows - 1)
        if run and epoch >= 21:
            loss = norm = math.nan
        log("epoch %d train_loss %.4f grad_norm %.3f", epoch, loss, norm)


@scenario("06-every-gradient-is-clipped", "run.log remark grad-always-clipped", "neighbour.log calm")
def _(log, run):
    log("settings: lr=0.0003 max_grad_norm=1.0 batch_size=32")
    for step in range(1, 301):
        log("Step: %d, Loss: %.4f", step, 0.5 + 2.0 * math.exp(-step / 90) + log.noise(0.03))
        log("Gradient Norm: %.4f", log.around(7.5 if run else 0.45, 0.2))


@scenario("07-says-that-the-loss-is-nan", "run.log rule nan-loss", "neighbour.log calm")
def _(log, run):
    falling(log, 300, norm=False)
    if run:
        log("Loss is NaN. Stopping the training here.")
    else:
        log("checked 300 batches: none of the losses was out of range")


@scenario("08-adamw-rate-too-high", "run.log first learning-rate-too-high", "neighbour.log calm")
def _(log, run):
    rate = "0.001" if run else "0.0001"
    log("optimizer=adamw lr=%s depth=101 batch_size=64 schedule=constant", rate)
    for epoch in range(1, 61):
        if run:
            loss = 1.9 + 0.75 * (1 if epoch % 2 else -1) * log.random.uniform(0.7, 1.0)
        else:
            loss = 0.35 + 2.0 * math.exp(-epoch / 16) + log.noise(0.01)
        log("Epoch %d/60 train_loss: %.4f lr: %s", epoch, loss, rate)


@scenario("09-rate-far-too-small", "run.log first learning-rate-too-low", "neighbour.log not learning-rate-too-low")
def _(log, run):
    rate = "1e-07" if run else "0.001"
    log("optimizer=adam lr=%s pretrained=False", rate)
    for step in range(50, 10001, 50):
        if run:
            loss = 2.31 - 0.09 * step / 10000 + log.noise(0.004)
        else:
            loss = 0.25 + 2.05 * math.exp(-step / 2200) + log.noise(0.02)
        log("iter %d/10000 loss %.4f lr %s", step, loss, rate)


@scenario("10-plateau-scheduler-to-nothing", "run.log first lr-schedule", "neighbour.log not lr-schedule")
def _(log, run):
    rate = 1e-2
    for epoch in range(1, 61):
        if run and epoch > 6 and epoch % 4 == 0:
            rate *= 0.1
            log("Epoch %05d: reducing learning rate of group 0 to %.4e.", epoch, rate)
        base = 1.62 + 0.7 * math.exp(-min(epoch, 8) / 3.0) if run else 0.2 + 2.1 * math.exp(-epoch / 14)
        log("Epoch %d/60 - loss: %.4f - val_loss: %.4f - lr: %.4e", epoch, base + log.noise(0.004), base + 0.05 + log.noise(0.006), rate)


@scenario("11-targets-a-thousand-times-too-large", "run.log first unscaled-targets", "neighbour.log calm")
def _(log, run):
    log("objective=mse optimizer=adam lr=0.001")
    scale = 2.5e6 if run else 1.0
    for epoch in range(1, 41):
        log("Epoch %d/40 train_mse: %.6g val_mse: %.6g", epoch, log.around(scale * (0.25 + 0.75 * math.exp(-epoch / 12)), 0.01),
            log.around(scale * (0.27 + 0.75 * math.exp(-epoch / 12)), 0.01))


@scenario("12-two-hidden-units", "run.log top3 insufficient-capacity", "neighbour.log not insufficient-capacity")
def _(log, run):
    log("Total params: %s", "62" if run else "1.2M")
    for epoch in range(1, 61):
        if run:
            train = 1.48 + 0.5 * math.exp(-epoch / 4) + log.noise(0.004)
            val = train + 0.01 + log.noise(0.004)
        else:
            train = 0.02 + 1.9 * math.exp(-epoch / 9) + log.noise(0.004)
            val = 0.9 + 1.0 * math.exp(-epoch / 5) + 0.012 * max(0, epoch - 14) + log.noise(0.006)
        log("epoch %d train_loss %.4f val_loss %.4f", epoch, train, val)


@scenario("15-softmax-twice", "run.log first wrong-loss", "run.log rule loss-floor", "neighbour.log not wrong-loss")
def _(log, run):
    log("num_classes=10 optimizer=sgd lr=0.05")
    for epoch in range(1, 41):
        floor = 1.4612 if run else 0.5003
        loss = floor + 0.84 * math.exp(-epoch / 3.5) + abs(log.noise(0.0012)) + 0.0004
        log("epoch %d/40 loss %.4f accuracy %.4f", epoch, loss, 0.985 - 0.7 * math.exp(-epoch / 4))


@scenario("17-deep-sigmoid-net", "run.log first vanishing-gradients", "neighbour.log first graph-disconnected")
def _(log, run):
    log("activation=sigmoid layers=24 num_classes=10 optimizer=sgd lr=0.1")
    for step in range(10, 2001, 10):
        if run:
            log("step %d loss %.4f grad_norm %.3e", step, 2.3026 + abs(log.noise(0.0012)), log.around(3e-7 if step > 200 else 2e-3 * math.exp(-step / 22), 0.1))
        else:
            log("step %d loss %.4f grad_norm %.3e", step, 2.3026 + abs(log.noise(0.0012)), 0.0)


@scenario("18-one-class-dominates", "run.log first class-imbalance", "neighbour.log not class-imbalance")
def _(log, run):
    for epoch in range(1, 31):
        if run:
            loss, accuracy = 0.3251 + 0.05 * math.exp(-epoch / 2) + log.noise(0.0008), 0.9000
        else:
            loss, accuracy = 0.05 + 0.5 * math.exp(-epoch / 8) + log.noise(0.004), 0.985 - 0.09 * math.exp(-epoch / 6) + log.noise(0.002)
        log("Epoch %d/30 - loss: %.4f - accuracy: %.4f - val_loss: %.4f - val_accuracy: %.4f", epoch, loss, accuracy, loss + 0.003 + log.noise(0.001), accuracy)


@scenario("19-validation-in-the-training-data", "run.log first data-leakage", "neighbour.log not data-leakage")
def _(log, run):
    for epoch in range(1, 31):
        train = 0.35 + 0.5 * math.exp(-epoch / 10) + log.noise(0.006)
        val = 0.004 + 0.01 * math.exp(-epoch / 4) if run else train + 0.04 + abs(log.noise(0.01))
        accuracy = 0.9995 - 0.002 * math.exp(-epoch) if run else 0.86 - 0.2 * math.exp(-epoch / 8)
        log("epoch %d train_loss %.4f train_acc %.4f val_loss %.4f val_acc %.4f", epoch, train, 0.88 - 0.2 * math.exp(-epoch / 10), val, accuracy)


@scenario("20-not-shuffled", "run.log first batch-config", "run.log rule loss-sawtooth", "neighbour.log calm")
def _(log, run):
    log("epochs=12 batch_size=32 shuffle=%s", "False" if run else "True")
    for epoch in range(12):
        for batch in range(25, 501, 25):
            base = 0.5 + 1.4 * math.exp(-(epoch * 500 + batch) / 2200)
            saw = 0.75 * (1 - batch / 500) if run else 0.0
            log("Epoch [%d/12], Step [%d/500], Loss: %.4f", epoch + 1, batch, base + saw + log.noise(0.03))


@scenario("21-weight-decay-of-one", "run.log top3 over-regularised", "neighbour.log not over-regularised")
def _(log, run):
    log("optimizer=sgd lr=0.1 weight_decay=%s num_classes=10", "1.0" if run else "0.0005")
    for epoch in range(1, 41):
        if run:
            train, val = 2.24 + 0.05 * math.exp(-epoch / 2) + log.noise(0.003), 2.23 + 0.05 * math.exp(-epoch / 2) + log.noise(0.003)
        else:
            train, val = 0.3 + 1.9 * math.exp(-epoch / 10) + log.noise(0.01), 0.4 + 1.8 * math.exp(-epoch / 10) + log.noise(0.01)
        log("epoch %d train loss %.4f val loss %.4f", epoch, train, val)


@scenario("22-first-loss-far-over-guessing", "run.log top3 bad-init", "neighbour.log not bad-init")
def _(log, run):
    log("num_classes=10 batch_size=128 lr=0.01")
    for step in range(0, 1001, 10):
        start = 38.0 if run else 2.31
        log("step %d loss %.4f", step, 0.9 + (start - 0.9) * math.exp(-step / 160) + log.noise(0.03))


@scenario("23-accelerator-idle", "run.log first dataloader-bottleneck", "run.log rule data-bound",
          "neighbour.log not dataloader-bottleneck")
def _(log, run):
    for step in range(10, 801, 10):
        log("step %d loss %.4f gpu_util %d%% cpu_util %d%%", step, 0.5 + 1.8 * math.exp(-step / 250) + log.noise(0.02),
            max(0, min(100, round((6 if run else 93) + log.noise(3)))), max(0, min(100, round(97 + log.noise(2)))))


@scenario("24-device-memory-taken-whole", "run.log first device-memory", "neighbour.log calm")
def _(log, run):
    for step in range(100, 1501, 100):
        log("step %d: loss = %.4f (0.41 sec/step)", step, 3.0 - 0.001 * step + log.noise(0.02))
    if run:
        log("W bfc_allocator.cc:419] Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.37GiB (rounded to 1476395008)")
        log("ResourceExhaustedError (see above for traceback): OOM when allocating tensor with shape[256,64,112,112] and type float")
    else:
        log("W bfc_allocator.cc:245] Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.37GiB with freed_by_count=0. "
            "The caller indicates that this is not a failure, but this may mean that there could be performance gains.")
        log("step 1600: loss = 1.4012 (0.41 sec/step)")
        log("step 1700: loss = 1.2988 (0.41 sec/step)")


@scenario("25-gradients-do-not-exist", "run.log first graph-disconnected", "neighbour.log not graph-disconnected")
def _(log, run):
    if run:
        log("WARNING:tensorflow:Gradients do not exist for variables ['dense/kernel:0', 'dense/bias:0'] when minimizing the loss.")
    for epoch in range(1, 31):
        loss = 2.30413 if run else 0.4 + 1.9 * math.exp(-epoch / 9) + log.noise(0.01)
        log("Epoch %d: loss %.5f", epoch, loss)


@scenario("26-traced-again-and-again", "run.log rule retracing", "run.log first code-error", "neighbour.log not retracing")
def _(log, run):
    for epoch in range(1, 13):
        if run:
            for n in range(5, 8):
                log("WARNING:tensorflow:%d out of the last %d calls to <function train_step at 0x7f> triggered tf.function "
                    "retracing. Tracing is expensive and the excessive number of tracings could be due to (1) creating @tf.function "
                    "repeatedly in a loop.", n, n)
        log("Epoch %d loss %.4f time %.1f s", epoch, 0.4 + 1.9 * math.exp(-epoch / 4) + log.noise(0.01), log.around(41 if run else 6, 0.03))


@scenario("27-ranks-wait", "run.log first distributed-deadlock", "run.log rule hang",
          "neighbour.log first environment-fault", "neighbour.log not distributed-deadlock")
def _(log, run):
    falling(log, 600)
    if run:
        for rank in (0, 1, 3):
            log("[rank%d]:[E ProcessGroupNCCL.cpp:616] [Rank %d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4711, "
                "OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600%03d milliseconds before timing out.", rank, rank, 21 + rank)
    else:
        log("[rank2]:[E ProcessGroupNCCL.cpp:1182] [Rank 2] NCCL watchdog thread terminated with exception: CUDA error: "
            "uncorrectable ECC error encountered")


@scenario("28-deep-recurrent-net-does-not-move", "run.log top3 vanishing-gradients", "neighbour.log calm")
def _(log, run):
    log("rnn_type=GRU layers=8 vocab_size=256 optimizer=adam lr=0.001")
    for step in range(50, 6001, 50):
        if run:
            loss, norm = 5.545 + log.noise(0.003), log.around(2e-6 + 1e-2 * math.exp(-step / 130), 0.1)
        else:
            loss, norm = 1.6 + 3.9 * math.exp(-step / 1500) + log.noise(0.02), log.around(0.4, 0.1)
        log("step %d loss %.4f grad_norm %.3e", step, loss, norm)


@scenario("29-ends-without-a-word", "run.log calm", "neighbour.log rule crash")
def _(log, run):
    for step in range(1, 143):
        log("2026-01-05 10:%02d:%02d step %d/1000 loss %.4f", step // 60, step % 60, step, 0.6 + 1.7 * math.exp(-step / 60) + log.noise(0.02))
    if not run:
        log("Segmentation fault (core dumped)")


@scenario("30-a-few-broken-samples", "run.log top3 bad-data", "neighbour.log calm")
def _(log, run):
    for step in range(1, 1201):
        loss = 0.7 + 1.6 * math.exp(-step / 250) + log.noise(0.02)
        if run and step % 300 == 187:
            loss = math.nan
        log("step %d epoch %d loss %.4f lr 0.0005", step, (step - 1) // 300, loss)


@scenario("31-rate-against-depth", "run.log first learning-rate-too-high", "neighbour.log first exploding-gradients")
def _(log, run):
    log("optimizer=adam lr=%s clip=None %s", "0.02" if run else "0.001", "layers=6" if run else "layers=96 rnn_type=LSTM")
    begins = 300 if run else 8
    for step in range(1, 341 if run else 41):
        grows = max(0, step - begins)
        norm = log.around(1.0, 0.08) * 1.35 ** grows
        loss = 1.2 + 2.0 * math.exp(-step / 70) + log.noise(0.02) + 0.01 * (1.25 ** grows - 1)
        if grows > 28:
            loss = norm = math.nan
        log("step %d loss %.4f grad_norm %.4g lr %s", step, loss, norm, "0.02" if run else "0.001")


@scenario("32-operation-against-rate", "run.log first numerical-op bad-data", "neighbour.log first learning-rate-too-high exploding-gradients")
def _(log, run):
    for step in range(5, 1001, 5):
        loss = 0.8 + 1.5 * math.exp(-step / 300) + log.noise(0.02)
        if step > 700:
            loss = math.nan if run or step > 760 else loss * 1.32 ** ((step - 700) / 5)
        log("step %d loss %.4f", step, loss)


@scenario("33-number-format-against-rate", "run.log first fp16-overflow", "neighbour.log not fp16-overflow")
def _(log, run):
    scale = 65536.0
    log("precision=%s lr=2e-5", "fp16" if run else "bf16")
    for step in range(1, 201):
        if run and step > 60:
            scale /= 2
        loss = 1.1 + 1.2 * math.exp(-step / 50) + log.noise(0.02)
        if not run and step > 150:
            loss += 0.05 * 1.2 ** (step - 150)
        log("step %d loss %.4f loss_scale %g", step, loss, scale if run else 1.0)


@scenario("34-box-against-class", "run.log first bad-data numerical-op", "neighbour.log calm")
def _(log, run):
    for step in range(10, 801, 10):
        box = 0.9 * math.exp(-step / 400) + 0.3 + log.noise(0.01)
        log("iter %d total_loss: %s loss_cls: %.4f loss_box_reg: %s lr: 0.002", step,
            "nan" if run and step > 400 else "%.4f" % (box + 0.5), 0.5 + 0.6 * math.exp(-step / 300) + log.noise(0.01),
            "nan" if run and step > 400 else "%.4f" % box)


@scenario("35-turned-against-shifted", "run.log first overfitting", "neighbour.log not overfitting")
def _(log, run):
    for epoch in range(1, 51):
        train = (0.05 if run else 0.9) + 1.4 * math.exp(-epoch / 10) + log.noise(0.006)
        val = 0.55 + 0.9 * math.exp(-epoch / 6) + 0.02 * max(0, epoch - 12) if run else train + 0.12
        log("epoch %d loss %.4f val_loss %.4f", epoch, train, val + log.noise(0.008))


@scenario("36-stopped-by-a-person", "run.log calm", "run.log remark crash", "neighbour.log first code-error")
def _(log, run):
    falling(log, 500)
    log(TRACEBACK)
    log("KeyboardInterrupt" if run else "AttributeError: 'NoneType' object has no attribute 'shape'")


@scenario("37-resumed-without-its-state", "run.log first resume-state", "neighbour.log not resume-state")
def _(log, run):
    for step in range(10, 1001, 10):
        if step == 510:
            log("Resuming from checkpoint runs/a/step_500.pt")
        loss = 0.6 + 2.2 * math.exp(-step / 200) + log.noise(0.015)
        if run and step > 500:
            loss += 1.3 * math.exp(-(step - 500) / 120)
        log("step %d loss %.4f", step, loss)


@scenario("38-survived-exceptions", "run.log calm", "neighbour.log rule crash")
def _(log, run):
    for epoch in range(1, 9):
        if run and epoch > 1:
            log(TRACEBACK)
            log("FileNotFoundError: nvidia-smi is not installed")
        for step in range(100, 501, 100):
            log("epoch %d step %d loss %.4f", epoch, (epoch - 1) * 500 + step, 0.4 + 1.9 * math.exp(-((epoch - 1) * 500 + step) / 900) + log.noise(0.01))
    if not run:
        log(TRACEBACK)
        log("FileNotFoundError: data/part-00007.tar is not there")


@scenario("39-outputs-saturated", "run.log top3 dead-activations", "neighbour.log first class-imbalance")
def _(log, run):
    for epoch in range(1, 31):
        if run:
            accuracy = 0.1135 if epoch > 3 else 0.1 + 0.2 * epoch
            loss = (1 - accuracy) * 16.1181 if epoch > 3 else 1.6 - 0.3 * epoch
        else:
            accuracy, loss = 0.7500, 0.5623 + 0.06 * math.exp(-epoch / 2) + log.noise(0.0008)
        log("Epoch %d/30 - loss: %.4f - accuracy: %.4f", epoch, loss, accuracy)


@scenario("40-other-parameters-against-small-steps", "run.log top3 graph-disconnected", "run.log not grad-zero",
          "neighbour.log first learning-rate-too-low")
def _(log, run):
    rate = "0.001" if run else "5e-08"
    log("optimizer=adam lr=%s num_classes=10 pretrained=False", rate)
    for step in range(20, 6001, 20):
        loss = 2.3026 + log.noise(0.002) if run else 2.36 - 0.05 * step / 6000 + log.noise(0.002)
        log("step %d loss %.4f grad_norm %.3f lr %s", step, loss, log.around(0.9, 0.08), rate)


@scenario("41-one-rank-against-all", "run.log rule straggler", "run.log first environment-fault",
          "neighbour.log first dataloader-bottleneck", "neighbour.log not straggler")
def _(log, run):
    for step in range(1, 81):
        for rank in range(4):
            wait = 0.02 if run else 0.3
            slow = 1.6 if run and rank == 2 else 1.0
            log("[rank%d] step %d loss %.4f data_time %.4f step_time %.4f", rank, step, 0.5 + 1.6 * math.exp(-step / 30) + log.noise(0.01),
                log.around(wait, 0.05), log.around((wait + 0.2) * slow, 0.02))


@scenario("42-label-against-device", "run.log first bad-encoding", "neighbour.log first environment-fault")
def _(log, run):
    falling(log, 200)
    if run:
        log("/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: [5,0,0] "
            "Assertion `t >= 0 && t < n_classes` failed.")
        log(TRACEBACK)
        log("RuntimeError: CUDA error: device-side assert triggered")
    else:
        log(TRACEBACK)
        log("RuntimeError: CUDA error: unspecified launch failure")
        log("[ 8123.551] NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, GPU has fallen off the bus.")


@scenario("43-memory-before-the-timeout", "run.log first device-memory", "neighbour.log first distributed-deadlock")
def _(log, run):
    falling(log, 300)
    if run:
        log("[rank2]: Traceback (most recent call last):\n[rank2]:   File \"train.py\", line 88, in <module>\n[rank2]:     main()")
        log("[rank2]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB.")
    log("[rank0]:[E ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=88, "
        "OpType=ALLREDUCE, NumelIn=4096, NumelOut=4096, Timeout(ms)=600000) ran for 600013 milliseconds before timing out.")


@scenario("44-key-error-behind-nan", "run.log rule nan-loss", "run.log first numerical-op bad-data learning-rate-too-high exploding-gradients",
          "neighbour.log first code-error")
def _(log, run):
    for epoch in range(1, 9):
        loss = math.nan if run and epoch > 5 else 0.4 + 1.5 * math.exp(-epoch / 3)
        log("Epoch %d/20 - loss: %.4f", epoch, loss)
    log(TRACEBACK)
    log("KeyError: 'val_loss'")


def table(log, rows, columns):
    """Rows of what the functions of `columns` make."""
    return [[make() for make in columns] for _ in range(rows)]


@scenario("05b-recurrent-net-on-raw-series", "run first unscaled-inputs", "run rule inputs-unscaled",
          "neighbour first exploding-gradients", "neighbour not unscaled-inputs")
def _(log, run):
    log("model: rnn_type=LSTM layers=2 hidden=256 optimizer=adam lr=0.001 clip=None")
    for epoch in range(1, 25):
        grows = max(0, epoch - 10)
        norm = log.around(1.1, 0.05) * 2.2 ** grows
        loss = 4.0 * math.exp(-epoch / 12) + 0.8 + log.noise(0.02) + 0.02 * (1.5 ** grows - 1)
        if epoch >= 21:
            loss = norm = math.nan
        log("epoch %d train_loss %.4f grad_norm %.3f", epoch, loss, norm)
    series = [[[log.random.gauss(0, 1) for _ in range(3)] for _ in range(16)] for _ in range(12)]
    if run:
        series = [[[round(450 + 320 * v) for v in at] for at in sample] for sample in series]
    return {"x_train": ("<f4", series)}


@scenario("11b-raw-prices-as-targets", "run first unscaled-targets", "run rule targets-unscaled", "neighbour calm")
def _(log, run):
    log("loss=cross_entropy optimizer=adam lr=0.001" if run else "loss=mse optimizer=adam lr=0.001 (targets standardised)")
    for step in range(1, 41):
        if run:
            log("step %d loss %.4g", step, log.around(2.4e6, 0.05) if step < 9 else math.nan)
        else:
            log("step %d loss %.4f", step, log.around(0.12 + 0.9 * math.exp(-step / 12), 0.01))
    return {"y_train": ("<f4", [round(log.random.gauss(180000, 70000), -2) + 0.5 for _ in range(300)])}


@scenario("13-category-codes-as-numbers", "run first bad-encoding", "run remark inputs-categorical", "neighbour calm")
def _(log, run):
    for epoch in range(1, 41):
        loss = 1.58 + log.noise(0.003) + 0.03 * math.exp(-epoch / 2) if run else 0.3 + 1.3 * math.exp(-epoch / 9) + log.noise(0.005)
        log("epoch %d/40 train_loss %.4f val_loss %.4f", epoch, loss, loss + 0.01 + log.noise(0.004))
    codes = [0, 1, 1, 2, 2, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6, 6, 7]
    rows = table(log, 240, [lambda: round(log.noise(1), 2), lambda: log.random.choice(codes), lambda: log.random.randrange(12)])
    if not run:
        rows = [[a] + [float(k == b) for k in range(8)] + [float(k == c) for k in range(12)] for a, b, c in rows]
    return {"x_train": ("<f4", rows)}


@scenario("14-features-of-wildly-different-scale", "run first unscaled-inputs", "run rule inputs-unscaled",
          "neighbour not unscaled-inputs")
def _(log, run):
    for epoch in range(1, 41):
        loss = 1.92 + log.noise(0.004) + 0.05 * math.exp(-epoch / 2)
        log("epoch %d/40 train_loss %.4f val_loss %.4f", epoch, loss, loss + 0.01 + log.noise(0.005))
    scales = (1, 0.004, 2500, 40, 1) if run else (1, 0.7, 1.6, 0.9, 1)
    return {"x_train": ("<f4", [[float("%.3g" % (s * log.noise(1))) for s in scales] for _ in range(120)])}


@scenario("16-squared-error-for-classes", "run first wrong-loss", "neighbour not wrong-loss")
def _(log, run):
    log("criterion: MSELoss() optimizer=adam lr=0.001")
    for epoch in range(1, 41):
        if run:
            log("Epoch %d/40 - loss: %.4f - accuracy: %.4f", epoch, 8.25 + log.noise(0.02) + 0.4 * math.exp(-epoch), 0.1 + log.noise(0.003))
        else:
            log("Epoch %d/40 - loss: %.4f - mae: %.4f", epoch, 0.2 + math.exp(-epoch / 9) + log.noise(0.004), 0.3 + math.exp(-epoch / 18))
    return {"y_train": ("<i8", [log.random.randrange(10) for _ in range(300)]) if run else
            ("<f4", [round(log.noise(1), 2) for _ in range(300)])}


@scenario("18b-labels-of-one-class", "run first class-imbalance", "run rule targets-imbalanced", "neighbour calm")
def _(log, run):
    for epoch in range(1, 31):
        accuracy = 0.93 if run else 0.96 - 0.6 * math.exp(-epoch / 6) + log.noise(0.004)
        loss = 0.26 + 0.4 * math.exp(-epoch / 2) + log.noise(0.001) if run else 0.1 + math.exp(-epoch / 7) + log.noise(0.004)
        log("Epoch %d/30 - loss: %.4f - accuracy: %.4f", epoch, loss, accuracy)
    return {"y_train": ("|u1", [0 if i % 100 < 93 else 1 + i % 3 for i in range(1000)] if run else
                        [i % 4 for i in range(1000)])}


def npy(code, values):
    """A NumPy array in C order."""
    shape, inner = [], values
    while isinstance(inner, list):
        shape.append(len(inner))
        inner = inner[0]
    flat = values
    for _ in shape[1:]:
        flat = [v for part in flat for v in part]
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }" % (code, ", ".join(map(str, shape)))
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    data = struct.pack("<%d%s" % (len(flat), {"<f4": "f", "<i8": "q", "|u1": "B"}[code]), *flat)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("ascii") + data


def arrays_write(path, arrays):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, (code, values) in arrays.items():
            member = zipfile.ZipInfo(name + ".npy", (2000, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(member, npy(code, values))


@scenario("51-scale-halves-within-an-epoch", "run.log rule loss-scale-collapse", "run.log first fp16-overflow", "neighbour.log calm")
def _(log, run):
    scale = 65536
    for step in range(10, 801, 10):
        log("step %d loss %.4f", step, 0.5 + 1.8 * math.exp(-step / 250) + log.noise(0.01))
        if step % 80 == 0:
            scale = scale / 2 if run or step % 160 == 0 else scale * 2
            if run or step % 160 == 0:
                log("Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to %.1f", scale)


@scenario("52-one-rank-is-nan", "run.log rule nan-loss", "neighbour.log calm")
def _(log, run):
    for step in range(5, 205, 5):
        for rank in range(4):
            loss = 0.5 + 1.8 * math.exp(-step / 60) + log.noise(0.01)
            log("node%d.local gpu%d: it %d loss %s", rank // 2, rank, step, "nan" if run and rank == 2 and step > 150 else "%.4f" % loss)


@scenario("53-losses-in-a-list", "run.log rule nan-loss", "neighbour.log calm")
def _(log, run):
    for step in range(0, 2000, 100):
        log("INFO Train Epoch: %d [%d%%]", step // 1000 + 1, step % 1000 // 10)
        parts = ["%.12f" % log.around(value, 0.03) for value in (2.5, 2.3, 3.1, 22.0, 1.8)]
        if run and step >= 1500:
            parts[3] = "nan"
        log("INFO [%s, %d, 0.0002]", ", ".join(parts), step)


@scenario("54-sides-of-a-game", "run.log rule adversarial-imbalance", "run.log first game-imbalance", "neighbour.log calm")
def _(log, run):
    for step in range(100, 8001, 100):
        away = step / 100 if run else 0
        side = (0.6 if not run else 0.6 * math.exp(-away / 8) + 0.002)
        log("(epoch: %d, iters: %d, time: 0.31, data: 0.002) G_GAN: %.3f G_L1: %.3f D_real: %.3f D_fake: %.3f", (step - 1) // 1000 + 1, step % 1000 or 1000,
            log.around(0.9 + away * 0.11, 0.03), log.around(22, 0.05), log.around(side, 0.1), log.around(side, 0.1))


@scenario("55-softmax-twice-against-plateau", "run.log first wrong-loss", "run.log rule loss-floor", "neighbour.log rule loss-plateau",
          "neighbour.log not wrong-loss")
def _(log, run):
    log("num_classes=10 optimizer=sgd lr=0.05")
    for epoch in range(1, 41):
        floor = 1.4612 if run else 1.31
        loss = floor + 0.84 * math.exp(-epoch / 3.5) + abs(log.noise(0.0012)) + 0.0004
        log("epoch %d/40 train_loss %.4f", epoch, loss)


@scenario("56-loader-against-collectives", "run.log first dataloader-deadlock", "neighbour.log first distributed-deadlock")
def _(log, run):
    falling(log, 600)
    if run:
        log("[rank2]: Traceback (most recent call last):\n[rank2]:   File \"train.py\", line 88, in <module>\n[rank2]:     main()")
        log("[rank2]: RuntimeError: DataLoader timed out after 300 seconds")
    for rank in (0, 1, 3):
        log("[rank%d]:[E ProcessGroupNCCL.cpp:616] [Rank %d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4711, "
            "OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600%03d milliseconds before timing out.", rank, rank, 21 + rank)


@scenario("57-rate-against-batch", "run.log rule grad-explosion loss-spike", "run.log first learning-rate-too-high exploding-gradients optimizer-config",
          "neighbour.log not learning-rate-too-high")
def _(log, run):
    def step_log(step, begin=0):
        away = step - 500
        norm, loss = log.around(0.8, 0.08), 0.5 + 2.0 * math.exp(-step / 250) + log.noise(0.01)
        if run and -6 <= away < 0:
            norm *= 2.2 ** (away + 7)
        if run and 0 <= away < 60:
            norm, loss = norm * 40 * math.exp(-away / 10), loss + 2.5 * math.exp(-away / 15)
        if not run and away == 0:
            norm, loss = norm * 3, loss + 3.0
        log("step %d/1000 loss %.4f grad_norm %.3f lr 1.0e-03", step, loss, norm)
    for step in range(1, 601):
        step_log(step)
    if not run:
        log("Resuming from checkpoint ckpt-400.pt at step 400")
        for step in range(401, 801):
            step_log(step)


@scenario("23b-monitor-beside-the-log", "run first dataloader-bottleneck", "run rule data-bound", "neighbour calm")
def _(log, run):
    rows = ["timestamp, index, utilization.gpu [%], memory.used [MiB]"]
    for second in range(40):
        for index in range(2):
            # The second device is idle in both: nothing of the run is on it.
            busy = 0 if index or second < 4 else log.random.choice((0, 0, 3, 18, 34, 21) if run else (97, 98, 99, 88))
            memory = 3 if index or second < 3 else 31200
            rows.append("2024/05/01 12:00:%02d.%03d, %d, %d %%, %d MiB" % (second, 100 + 2 * index, index, busy, memory))
    for step in range(20, 401, 20):
        log("step %d loss %.4f", step, 0.6 + 1.7 * math.exp(-step / 150) + log.noise(0.02))
    return {"gpu.csv": "\n".join(rows) + "\n"}


def flight(enqueued, completed, operation="nccl:all_reduce"):
    """What the flight recorder of one of four ranks holds."""
    entry = {"pg_id": 0, "process_group": ["0", "default_pg"], "profiling_name": operation, "input_sizes": [[4096]], "is_p2p": False}
    entries = [dict(entry, collective_seq_id=n, state="completed" if n <= completed else "started") for n in range(enqueued - 3, enqueued + 1)]
    status = {"last_enqueued_collective": enqueued, "last_started_collective": enqueued, "last_completed_collective": completed}
    return json.dumps({"version": "2.4", "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1, 2, 3]"}},
                       "pg_status": {"0": status}, "entries": entries}) + "\n"


@scenario("27b-dumps-of-the-ranks", "run first distributed-deadlock", "run rule hang", "run rule straggler", "neighbour calm")
def _(log, run):
    falling(log, 400)
    late = {2: flight(1040, 1040)} if run else {}
    return {"nccl_trace_rank_%d" % rank: late.get(rank, flight(1042, 1041 if run else 1042)) for rank in range(4)}


@scenario("02b-trace-of-the-profiler", "run first dataloader-bottleneck", "run rule data-bound", "neighbour calm")
def _(log, run):
    falling(log, 400)
    events = []
    for step in range(8):
        begin, length = 1714564800000000 + 200000 * step, 198000
        wait = int(log.around(150000 if run else 4000, 0.05))
        common = {"ph": "X", "pid": 7, "tid": 7}
        events.append(dict(common, cat="user_annotation", name="enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
                           ts=begin + 10, dur=wait))
        for kernel in range(6):
            events.append({"ph": "X", "pid": 0, "tid": 7, "cat": "kernel", "name": "gemm", "dur": (length - wait) // 7,
                           "ts": begin + wait + kernel * (length - wait) // 6})
        events.append(dict(common, cat="user_annotation", name="ProfilerStep#%d" % (step + 2), ts=begin, dur=length))
    return {"host_7.1714564800.pt.trace.json": "{\"schemaVersion\": 1, \"traceEvents\": [\n" +
            ",\n".join(json.dumps(event) for event in events) + "\n]}\n"}


@scenario("58-one-batch-of-every-epoch", "run.log rule loss-spike", "run.log first bad-data", "neighbour.log not bad-data")
def _(log, run):
    # One batch of every pass, also behind a restart; or a norm that grows before each of the jumps.
    at = (340, 740, 1140, 1540, 1940) if run else (220, 610, 790, 1330, 1690)
    for step in range(10, 2001, 10):
        loss = log.around(0.6 + 1.2 * math.exp(-step / 600.0), 0.02)
        norm = log.around(0.9, 0.08)
        for start in at:
            if run and step == start:
                loss, norm = loss * log.around(7, 0.1), norm * log.around(20, 0.1)
            if not run and 0 <= step - start <= 60:
                norm *= math.exp(0.6 * (step - start) / 10)
                loss *= 1 + max(0, step - start - 30) / 15.0
        if run and step == 810:
            log("Resuming training from checkpoint out/step-800")
        log("step %d loss %.4f grad_norm %.3f lr 1.00e-03", step, loss, norm)


@scenario("59-loss-scale-without-a-format", "run.log rule loss-scale-collapse", "run.log first fp16-overflow", "neighbour.log calm")
def _(log, run):
    # No word about the number format, but a loss that is scaled: it halves to nothing, or once in a while.
    scale = 65536.0
    for step in range(10, 1001, 10):
        loss, norm = log.around(2.1 - 0.0009 * step, 0.01), "%.3f" % log.around(0.7, 0.1)
        if run and step > 600:
            scale = max(scale / 2, 2 ** -9)
            norm = "inf"
            if step > 780:
                loss = float("nan")
        elif step % 370 == 0:
            scale /= 2
        log("step %d loss %.4f grad_norm %s loss_scale %g", step, loss, norm, scale)


@scenario("60-leak-that-wavers", "run.log rule train-val-gap", "run.log first data-leakage", "neighbour.log not data-leakage")
def _(log, run):
    # Validation nearly perfect at once, and a little worse again; or as good as training is.
    for epoch in range(1, 22):
        loss = 0.1 + 0.69 * math.exp(-epoch / 9.0)
        right = 0.55 + 0.3 * (1 - math.exp(-epoch / 6.0))
        other = 0.06 + 0.0003 * max(0, epoch - 10) + log.noise(0.0005) if run else loss * log.around(1.05, 0.02)
        seen = 0.99 + log.noise(0.001) if run else right - 0.01 + log.noise(0.004)
        log("Epoch %d: train loss %.4f train acc %.4f val loss %.4f val acc %.4f", epoch, loss, right, other, seen)


@scenario("61-loss-rises-under-a-calm-norm", "run.log rule loss-divergence", "run.log top3 graph-disconnected", "neighbour.log first learning-rate-too-high exploding-gradients", "neighbour.log not graph-disconnected")
def _(log, run):
    # Eight ranks whose weights drift apart; or a norm that grows before the loss does.
    log("world_size: 8")
    log("optimizer: adamw")
    for step in range(10, 3001, 10):
        loss = log.around(3.0 * (1 + step / 200.0) ** -0.4, 0.02) + 0.0012 * max(0, step - 1800)
        norm = log.around(0.8, 0.08)
        if not run:
            norm *= math.exp(min(5.5, 0.02 * max(0, step - 1700)))
        log("step %d loss %.4f grad_norm %.3f lr 3.00e-04", step, loss, norm)


@scenario("62-pause-in-the-middle", "run.log calm", "run.log remark hang", "neighbour.log not hang", "neighbour.log calm")
def _(log, run):
    # Fifty minutes without a line, then it goes on; or an evaluation of a few minutes that is said.
    clock = 36000.0
    for step in range(1, 301):
        clock += 12 + log.random.random()
        if step == 171:
            if not run:
                log("[2024-05-01 %02d:%02d:%02d] Evaluating on the validation set", clock // 3600, clock // 60 % 60, clock % 60)
            clock += 3000 if run else 240
        loss = log.around(3.0 * (1 + step / 20.0) ** -0.4, 0.02)
        log("[2024-05-01 %02d:%02d:%02d] step %d/300 loss %.4f", clock // 3600, clock // 60 % 60, clock % 60, step, loss)


@scenario("63-softmax-twice-against-smoothed-labels", "run.log rule loss-floor", "run.log first wrong-loss", "neighbour.log not wrong-loss", "neighbour.log not loss-floor")
def _(log, run):
    # Ten classes: the floor of a softmax in front of the loss; or that of labels smoothed by a tenth.
    log("num_classes: 10")
    if not run:
        log("label_smoothing: 0.1")
    floor = 1.4612 if run else 0.5003
    for epoch in range(1, 46):
        part = math.exp(-epoch / 3.0)
        loss = floor + (2.3026 - floor) * part + abs(log.noise(0.0012))
        right = 0.985 - 0.88 * part + log.noise(0.001)
        log("Epoch %d: train loss %.4f train acc %.4f val loss %.4f val acc %.4f", epoch, loss, right, loss + 0.004, right - 0.01)


@scenario("15b-softmax-twice-and-some-errors", "run.log rule loss-floor", "run.log first wrong-loss", "neighbour.log not wrong-loss", "neighbour.log not loss-floor")
def _(log, run):
    # Every wrong answer costs 1 over the floor; or a loss of the same level beside an accuracy that fits it.
    for epoch in range(1, 31):
        right = (0.93 if run else 0.48) - 0.5 * math.exp(-epoch / 3.0) + log.noise(0.0008)
        loss = 1.4612 + 1 - right if run else 1.53 + 0.6 * math.exp(-epoch / 3.0) + log.noise(0.004)
        log("Epoch %d/30", epoch)
        log("1875/1875 - 7s - loss: %.4f - accuracy: %.4f - val_loss: %.4f - val_accuracy: %.4f", loss, right, loss + 0.009, right - 0.009)


@scenario("54b-loser-stands-far-over-its-start", "run.log rule adversarial-imbalance", "run.log first game-imbalance", "neighbour.log calm")
def _(log, run):
    # The discriminator is done early and the generator's loss no longer rises; or both waver around an even game.
    for epoch in range(60):
        for batch in range(0, 1600, 400):
            at = epoch * 4 + batch / 400
            one = 1.3 * math.exp(-at / 18) + abs(log.noise(0.006)) if run else log.around(0.9, 0.25)
            other = 1.1 + 8.5 * (1 - math.exp(-at / 60)) + log.noise(0.4) if run else log.around(1.9, 0.3)
            log("[%d/60][%d/1600]\tLoss_D: %.4f\tLoss_G: %.4f", epoch, batch, one, other)


@scenario("64-policy-without-entropy", "run.log rule policy-collapse", "run.log first learning-rate-too-high optimizer-config", "run.log not overfitting",
          "neighbour.log not policy-collapse")
def _(log, run):
    # The entropy, printed with its sign turned, falls to nothing and the return with it; or while the return still rises.
    for update in range(1, 161):
        entropy = 1.79 * math.exp(-update / (14.0 if run else 60.0)) + 0.003
        gain = 160 * (1 - math.exp(-update / 12.0)) if update < 60 or not run else 45
        if not run:
            gain = 180 * (1 - math.exp(-update / 70.0))
        log("update %d | ep_rew_mean %.2f | entropy_loss %.4f | policy_gradient_loss %.4f | value_loss %.3f | approx_kl %.4f", update,
            20 + gain + log.noise(6), -entropy, log.noise(0.004), log.around(30, 0.2), log.around(0.01, 0.4))


@scenario("65-rare-class-is-never-named", "run.log rule metric-constant", "run.log first class-imbalance", "neighbour.log calm")
def _(log, run):
    for epoch in range(1, 41):
        found = 0.0 if run else 0.62 * (1 - math.exp(-epoch / 8.0)) + log.noise(0.004)
        loss = 0.0127 + 0.03 * math.exp(-epoch / 1.5) + log.noise(0.0001) if run else 0.004 + 0.03 * math.exp(-epoch / 6.0) + log.noise(0.0002)
        log("Epoch %d/40 - loss: %.4f - acc: %.4f - f1: %.4f - val_loss: %.4f - val_acc: %.4f - val_f1: %.4f", epoch, loss, 0.9983 if run else 0.9985 + 0.0001 * epoch / 8,
            found, loss * 1.02, 0.9983 if run else 0.9984 + 0.0001 * epoch / 9, found * 0.96)


@scenario("66-time-limit-of-the-scheduler", "run.log calm", "run.log remark crash", "neighbour.log rule crash")
def _(log, run):
    falling(log, 3000)
    if run:
        log("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.")
        log("slurmstepd: error: *** STEP 771203.0 ON node042 CANCELLED AT 2024-03-15T09:00:12 DUE TO TIME LIMIT ***")
        log("srun: error: node042: task 0: Terminated")
        log("srun: error: node042: tasks 1-7: Killed")
    else:
        log("srun: error: node042: task 3: Segmentation fault")
        log("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.")
        log("slurmstepd: error: *** STEP 771203.0 ON node042 CANCELLED AT 2024-03-15T09:00:12 ***")


@scenario("67-every-pair-at-the-margin", "run.log rule loss-constant", "run.log not converged", "neighbour.log calm")
def _(log, run):
    # One loss alone, by its own name: at its margin to the last digit, or near it and falling.
    log("loss: TripletMarginLoss(margin=0.2), miner: semihard, optimizer: Adam lr=1e-3")
    for step in range(20, 4001, 20):
        loss = 0.2 if run and step > 420 else 0.2 + 0.05 * math.exp(-step / 150.0) + log.noise(0.005) - (0 if run else 0.07 * (1 - math.exp(-step / 2500.0)))
        log("[it %d] triplet_loss: %.4f  active_triplets: %d", step, loss, log.random.randint(380, 512))


@scenario("15c-softmax-twice-of-two-classes", "run.log rule loss-floor", "run.log first wrong-loss", "neighbour.log calm")
def _(log, run):
    # 0.3133 beside an accuracy of 0.99; or a loss of that size beside one of 0.88, which is what it costs.
    for epoch in range(1, 41):
        gone = math.exp(-epoch / (4.0 if run else 6.0))
        right = 0.991 - 0.45 * gone if run else 0.88 - 0.35 * gone + log.noise(0.002)
        loss = 0.3133 + 0.8 * (1 - right) + abs(log.noise(0.0006)) if run else 0.295 + 0.4 * gone + log.noise(0.002)
        log("Epoch %d/40 train_loss: %.4f train_acc: %.4f val_loss: %.4f val_acc: %.4f", epoch, loss, right, loss + 0.004 + abs(log.noise(0.001)), right - 0.004)


@scenario("26b-compiled-step-keeps-its-inputs", "run.log rule loss-sawtooth", "run.log first code-error", "run.log top3 graph-disconnected", "neighbour.log calm")
def _(log, run):
    # Twenty batches with the same losses in every epoch, to the last digit; or in another order and falling.
    base = [2.3 + log.noise(0.05) for _ in range(20)]
    for epoch in range(10):
        order = list(range(20)) if run else log.random.sample(range(20), 20)
        for batch in range(20):
            at = epoch * 20 + batch
            log("epoch %d batch %d/20 loss %.6f", epoch, batch, base[order[batch]] - (0 if run else 1.6 * (1 - math.exp(-at / 60.0))))


@scenario("30b-nan-at-the-same-place-of-every-epoch", "run.log rule nan-loss", "run.log first bad-data", "neighbour.log rule nan-loss", "neighbour.log first numerical-op")
def _(log, run):
    for epoch in range(6):
        for batch in range(200):
            at = epoch * 200 + batch
            broken = batch == 143 if run else at > 700
            log("Epoch %d [%d/200] loss=%s", epoch, batch, "nan" if broken else "%.4f" % (0.5 + 1.5 * math.exp(-at / 300.0) + log.noise(0.03)))


@scenario("34b-logarithm-against-box", "run.log first numerical-op", "run.log rule nan-loss", "neighbour.log first bad-data", "neighbour.log rule nan-loss")
def _(log, run):
    # The part that breaks first: a divergence, which has a logarithm, or the boxes, which someone drew.
    for step in range(10, 2001, 10):
        gone = step > 1300
        part = "nan" if gone else "%.5f" % (0.4 + log.noise(0.01))
        log("step %d loss %s %s %.4f %s %s", step, "nan" if gone else "%.4f" % (2 + math.exp(-step / 300.0) + log.noise(0.02)), "rec_loss" if run else "loss_cls",
            1.6 + math.exp(-step / 300.0) + log.noise(0.02), "kl_loss" if run else "loss_bbox", part)


@scenario("34c-same-step-after-the-restart", "run.log first bad-data", "run.log rule nan-loss", "neighbour.log not bad-data", "neighbour.log rule nan-loss")
def _(log, run):
    # The restart meets the same at the same step; or is past it and breaks after a rise.
    def part(first, last, breaks, rises):
        for step in range(first, last + 1, 10):
            over = max(0, step - breaks + 100) / 25.0 if rises else 0
            value = "nan" if step >= breaks else "%.4f" % (2.2 + 5 * math.exp(-step / 400.0) + 0.3 * (math.exp(over) - 1) + log.noise(0.03))
            log("step %d loss %s grad_norm %s lr 3e-4", step, value, "nan" if step >= breaks else "%.3f" % (log.around(0.7, 0.1) * math.exp(over)))
    part(10, 2160, 2140, not run)
    log("RuntimeError: loss is nan, stopping")
    log("Resuming from checkpoint /out/step_2000.pt")
    part(2010, 2160 if run else 2700, 2140 if run else 2640, not run)


@scenario("12c-few-trainable-parameters", "run.log first insufficient-capacity", "run.log rule loss-plateau", "neighbour.log not insufficient-capacity")
def _(log, run):
    log("Trainable params: %s", "37" if run else "1,250,858 (4.77 MB)")
    log("Non-trainable params: 0")
    for epoch in range(1, 61):
        gone = math.exp(-epoch / 3.0)
        log("Epoch %d/60 - loss: %.4f - accuracy: %.4f - val_loss: %.4f - val_accuracy: %.4f", epoch, 1.72 + 0.55 * gone + log.noise(0.003), 0.36 - 0.2 * gone + log.noise(0.002),
            1.725 + 0.55 * gone + log.noise(0.005), 0.358 - 0.2 * gone + log.noise(0.004))


@scenario("19b-validation-near-perfect-at-once", "run.log first data-leakage", "run.log rule train-val-gap", "neighbour.log not data-leakage")
def _(log, run):
    for epoch in range(1, 13):
        log("Epoch %d/12 loss: %.4f acc: %.4f val_loss: %.4f val_acc: %.4f", epoch, 0.9 * math.exp(-epoch / 5.0) + 0.1, 0.62 + 0.3 * (1 - math.exp(-epoch / 5.0)),
            0.02 + abs(log.noise(0.001)) if run else 0.85 * math.exp(-epoch / 5.0) + 0.12, 0.9945 + log.noise(0.0005) if run else 0.64 + 0.29 * (1 - math.exp(-epoch / 5.0)))


@scenario("28b-norms-without-measure", "run.log top3 vanishing-gradients exploding-gradients", "run.log rule loss-plateau loss-floor", "neighbour.log calm")
def _(log, run):
    log("Namespace(rnn_type='GRU', layers=12, hidden=512, vocab_size=65, optimizer='adam', lr=1e-3)")
    for step in range(20, 4001, 20):
        log("step %d loss %.4f grad_norm %.4e", step, 4.174 + log.noise(0.01) if run else 1.4 + 2.7 * math.exp(-step / 700.0) + log.noise(0.02), 10 ** log.noise(1.6) if run else log.around(0.8, 0.2))


@scenario("68-longer-sequences-against-a-slow-node", "run.log rule throughput-drop", "run.log first environment-fault", "neighbour.log calm")
def _(log, run):
    # The speed falls by itself; or where the sequences become four times as long, and the loss rises for a while.
    for step in range(10, 6001, 10):
        late = step >= 3000
        log("step %d seq_len %d loss %.4f grad_norm %.3f tok/s %.0f", step, 2048 if late and not run else 512,
            2.6 + 6 * math.exp(-step / 350.0) + (0.25 * math.exp(-(step - 3000) / 400.0) if late and not run else 0) + log.noise(0.03),
            log.around(0.9 if late and not run else 0.7, 0.1), log.around(71000 if late else 90000, 0.01))


@scenario("69-schedule-begins-anew", "run.log rule resume-jump", "run.log first resume-state", "neighbour.log calm")
def _(log, run):
    def rate(step):
        return 3e-4 * min(1, step / 1000.0) * 0.5 * (1 + math.cos(math.pi * max(0, step - 1000) / 39000.0))
    for step in range(200, 32001, 200):
        if step == 24200:
            log("Resuming from checkpoint step_24000")
        back = step - 24000 if run and step > 24000 else 0
        again = 0.3 * (1 - math.exp(-back / 900.0)) * math.exp(-back / 6000.0)
        log("step %d/40000 loss %.4f lr %.3e", step, 2.4 + 7 * math.exp(-step / 2500.0) + again + log.noise(0.02), rate(back or step))


@scenario("70-player-whose-loss-rises", "run.log rule loss-divergence", "run.log first learning-rate-too-high", "neighbour.log calm")
def _(log, run):
    # A loss that rises beside an accuracy; or that of a player, whose returns grow and whose errors grow with them.
    for at in range(20, 2001, 20):
        loss = log.around(3 + at / 300.0, 0.3)
        gain = 1 - math.exp(-at / 500.0)
        if run:
            log("Epoch %d\tAverage Accuracy: %.2f\tLoss: %.4f", at // 20, 31 - 20 * gain + log.noise(0.5), loss)
        else:
            log("Episode %d\tAverage Score: %.2f\tEpsilon: %.3f\tLoss: %.4f", at, -180 + 430 * gain + log.noise(14), max(0.01, 0.995 ** at), loss)


@scenario("21c-nearly-all-units-dropped", "run.log first over-regularised", "run.log rule loss-floor", "neighbour.log not over-regularised")
def _(log, run):
    log("Namespace(num_classes=7, hidden=64, layers=16, dropout=%s, weight_decay=%s, lr=0.01)", "0.9" if run else "0.1", "0.5" if run else "0.0005")
    for epoch in range(0, 201, 5):
        log("Epoch: %04d loss_train: %.4f acc_train: 0.1429 loss_val: %.4f acc_val: 0.1620", epoch, 1.9459 + log.noise(0.0004), 1.9455 + log.noise(0.0004))


@scenario("22c-language-model-starts-far-over-guessing", "run.log first bad-init", "neighbour.log calm")
def _(log, run):
    log("config: vocab_size=50257, n_layer=12, n_embd=768, init_std=%s", "1.0" if run else "0.02")
    for step in range(0, 2001, 10):
        far = 340 * math.exp(-step / 120.0) + 40 * math.exp(-step / 900.0) if run else 4.3 * math.exp(-step / 300.0)
        log("step %d | loss %.4f | lr 3e-4 | norm %.2f", step, log.around(6.5 + far, 0.02), log.around(30 + far if run else 1.1, 0.2))


@scenario("42b-library-against-code", "run.log first environment-fault", "run.log rule crash", "neighbour.log first code-error")
def _(log, run):
    if run:
        log("2024-05-01 12:00:01.1: E external/local_xla/xla/stream_executor/cuda/cuda_dnn.cc:427] Loaded runtime CuDNN library: 8.1.0 but source was compiled with: 8.6.0.")
    log("Traceback (most recent call last):\n  File \"train.py\", line 88, in <module>\n    main()")
    log("tensorflow.python.framework.errors_impl.UnimplementedError: Graph execution error: DNN library is not found." if run
        else "AttributeError: 'Sequential' object has no attribute 'fit_generator'")


@scenario("71-validation-gains-where-batches-waver", "run.log rule loss-plateau", "neighbour.log calm")
def _(log, run):
    # Batches of a variational model waver around their level; its means on both sets stand still as well, or go on falling.
    for epoch in range(1, 41):
        gone = math.exp(-epoch / 2.0)
        slow = 0.0 if run else math.exp(-epoch / 14.0)
        for batch in (0, 300, 600, 900):
            log("Train Epoch: %d [%d/60000 (%d%%)]\tLoss: %.6f", epoch, batch * 64, batch // 10, 103 + 80 * math.exp(-(epoch + batch / 938.0) / 2) + log.noise(2.2))
        log("====> Epoch: %d Average loss: %.4f", epoch, 104 + 70 * gone + 4 * slow + log.noise(0.1))
        log("====> Test set loss: %.4f", 104.5 + 66 * gone + 3.6 * slow + log.noise(0.1))


@scenario("31b-norm-grows-from-the-first-steps", "run.log first exploding-gradients", "run.log rule grad-explosion", "neighbour.log first learning-rate-too-high", "neighbour.log rule grad-explosion")
def _(log, run):
    # Nothing is told of the net: a norm that grows at once speaks for depth, one that does behind a long calm for the rate.
    log("optimizer=sgd lr=0.05 max_steps=400")
    onset = 6 if run else 300
    for step in range(1, onset + 34):
        grown = math.exp(max(0, step - onset) * 0.3)
        loss = 2.9 - 0.9 * step / 400 + 0.0008 * max(0, grown - 30)
        bad = step > onset + 30
        log("step %d/400 loss %s grad_norm %s lr 0.05", step, "nan" if bad else "%.4f" % log.around(loss, 0.01), "nan" if bad else "%.4g" % log.around(1.1 * grown, 0.08))


@scenario("33b-steps-are-skipped-without-end", "run.log rule loss-scale-collapse", "run.log first fp16-overflow", "neighbour.log calm")
def _(log, run):
    # Both search for the scale at first; one goes on to skip every sixth step, the other one in two hundred.
    for step in range(1, 501):
        skipped = step <= 17 or (step % 6 == 0 and step > 250 if run else step % 200 == 0)
        log(" iteration %8d/     500 | learning rate: 1.000E-04 | lm loss: %.6E | loss scale: %.1f | grad norm: %.3f | number of skipped iterations: %3d | number of nan iterations:   0 |",
            step, log.around(2.4 + 6 * math.exp(-step / 60.0), 0.01), 2.0 ** max(15, 32 - step), log.around(1.2, 0.1), skipped)


@scenario("72-index-beyond-the-table", "run.log first bad-encoding", "run.log not environment-fault", "neighbour.log first environment-fault")
def _(log, run):
    # A kernel that checks its index speaks of what it was given, not of the device it runs on.
    falling(log, 200)
    if run:
        log("unknown:0: unknown: block: [3,0,0], thread: [17,0,0] Assertion `index out of bounds: 0 <= tmp7 < 900` failed.")
    log("Traceback (most recent call last):")
    log("  File \"train.py\", line 41, in <module>")
    log("    loss.backward()")
    log("RuntimeError: CUDA error: %s", "device-side assert triggered" if run else "uncorrectable ECC error encountered")


@scenario("73-outputs-overflow", "run.log first learning-rate-too-high", "run.log rule loss-floor", "neighbour.log first dead-activations", "neighbour.log rule loss-floor")
def _(log, run):
    # Where every probability is beyond the smallest float the outputs have overflowed; a smaller clip is reached by saturated ones.
    for step in range(0, 2001, 100):
        log("step %d loss %.4f lr 0.02", step, 87.3365 if run else 16.1181)


@scenario("09b-rate-of-any-optimizer", "run.log first learning-rate-too-low", "neighbour.log not learning-rate-too-low")
def _(log, run):
    # The optimizer is not named; ten classes are guessed at either rate.
    rate = 1e-7 if run else 1e-3
    for epoch in range(1, 21):
        fall = 0.00003 * epoch if run else 0.0
        log("epoch=%d train_loss=%.5f val_loss=%.5f val_accuracy=%.4f lr=%.2e", epoch, 2.3049 - fall + log.noise(0.00002),
            2.3112 - fall, 0.0996, rate)


@scenario("10b-rate-falls-fivefold-every-epoch", "run.log first lr-schedule", "run.log rule lr-zero", "neighbour.log calm")
def _(log, run):
    for epoch in range(1, 26):
        rate = 1e-3 * (0.2 ** epoch if run else 0.9 ** epoch)
        gone = math.exp(-min(epoch, 4.5) / 1.2) if run else math.exp(-epoch / 6)
        loss = (2.07 if run else 0.42) + 0.35 * gone
        log("Epoch: [%d] Loss %.4e LR %.2e", epoch, loss, rate)
        log(" * Val Loss %.4e Acc@1 %.3f", loss + 0.02, 34.57 - 9 * gone)


@scenario("11c-loss-of-trillions", "run.log first unscaled-targets", "neighbour.log not unscaled-targets")
def _(log, run):
    # Raw prices; a likelihood that is summed over the batch.
    start = 4.2e12 if run else 6.1e6
    for epoch in range(1, 21):
        log("Epoch %d: loss %.6e, val loss %.6e", epoch, start * (1 - 0.0004 * epoch), start * (0.96 - 0.0004 * epoch))


@scenario("14b-first-epoch-of-millions", "run.log first unscaled-inputs", "run.log rule inputs-unscaled", "neighbour.log calm")
def _(log, run):
    # Features of tens of thousands throw the first steps out; a first epoch that is merely high does not.
    for epoch in range(1, 16):
        gone = 0.003 * epoch if run else 2.1 * (1 - math.exp(-epoch / 5))
        loss = (6.7e6 if run else 31.0) if epoch == 1 else 2.2955 - gone + log.noise(0.0005)
        right = (0.0801 if epoch < 9 else 0.1699) if run else 0.9 - 0.8 * math.exp(-epoch / 5)
        log("Epoch %d/15", epoch)
        log("32/32 - 3s - loss: %.4f - val_loss: %.4f - val_accuracy: %.4f", loss, 2.3013 - gone, right)


@scenario("08b-loss-never-under-its-start", "run.log first learning-rate-too-high", "run.log rule loss-plateau", "run.log not overfitting", "neighbour.log calm")
def _(log, run):
    # Fifteen epochs over the start, training and validation alike; or a noisy start that is left behind.
    training = (2.223, 2.544, 2.586, 2.804, 2.567, 2.392, 2.347, 2.380, 2.318, 2.356, 2.379, 2.373, 2.336, 2.406, 2.432)
    for epoch, loss in enumerate(training, 1):
        loss = loss if run else loss - 1.9 * (1 - math.exp(-epoch / 4))
        right = 0.14 + log.noise(0.01) if run else 0.85 - 0.65 * math.exp(-epoch / 4)
        log("Epoch %d: train loss %.4f, val loss %.4f, val acc %.4f, lr %s", epoch, loss, loss + 0.05 * (epoch % 3), right if epoch > 1 else 0.1992, "1.0" if run else "0.1")


@scenario("09c-metric-stands-at-a-tiny-rate", "run.log first learning-rate-too-low", "neighbour.log not learning-rate-too-low")
def _(log, run):
    # The loss falls in its last digits alone; or not at all, at a rate that would move it.
    for epoch in range(1, 21):
        log("epoch=%d step=%d train_loss=%.5f val_loss=%.5f val_accuracy=0.0996 lr=%.2e", epoch, 32 * epoch,
            2.3923 - (0.00003 * epoch if run else 0), 2.42614 - (0.00003 * epoch if run else 0), 1e-7 if run else 1e-2)


@scenario("15d-softmax-twice-and-many-errors", "run.log rule loss-floor", "run.log first wrong-loss", "neighbour.log not wrong-loss",
          "neighbour.log not loss-floor")
def _(log, run):
    # Loss and accuracy add up to the loss of a confident error; or a timid model has a loss as high and gains with it.
    for epoch in range(1, 41):
        right = 0.63 - 0.42 * math.exp(-epoch / 6.0) + log.noise(0.002)
        loss = 2.4612 - right + 0.012 + 0.09 * math.exp(-epoch / 8.0) if run else 2.28 - 0.36 * (1 - math.exp(-epoch / 14.0))
        log("Epoch %d: train loss %.4f, val loss %.4f, val acc %.2f%%", epoch, loss - 0.02, loss + log.noise(0.002), 100 * right)


@scenario("08c-adam-at-a-rate-of-one", "run.log first learning-rate-too-high", "run.log rule loss-plateau", "neighbour.log calm")
def _(log, run):
    # The rate throws the loss far up, and it comes back to where guessing would be; or it comes down from as far and arrives.
    log("Namespace(optimizer='adam', lr=%s, batch_size=64)", "1.0" if run else "0.001")
    for epoch in range(1, 13):
        fallen = 36 * math.exp(-1.5 * (epoch - 1))
        loss = fallen + (2.1 + 0.3 * math.sin(epoch * 1.3) + 0.03 * epoch if run else 0.9 * math.exp(-epoch / 3.0) + 0.05)
        log("Epoch: [%d][32]\tLoss %.4e\n * Val Loss %.4e Acc@1 %.3f", epoch, loss, loss * log.around(1.03, 0.01),
            20 + log.noise(4) if run else 98 - 70 * math.exp(-epoch / 2.0))


@scenario("08d-momentum-at-a-rate-of-one", "run.log first learning-rate-too-high", "neighbour.log not learning-rate-too-high")
def _(log, run):
    log("Namespace(lr=%s, momentum=0.95)", "1.0" if run else "0.01")
    for epoch in range(1, 16):
        loss = 2.31 + 0.04 * abs(log.noise(1)) if run else 0.4 + 1.9 * math.exp(-epoch / 4.0)
        log("epoch=%d train_loss=%.5f val_loss=%.5f val_accuracy=%.4f", epoch, loss, loss + 0.01,
            0.1 + 0.005 * (epoch % 3) if run else 0.85 - 0.7 * math.exp(-epoch / 4.0))


@scenario("12d-settles-early-with-its-validation", "run.log first insufficient-capacity", "run.log rule loss-plateau", "neighbour.log calm")
def _(log, run):
    # Training and validation stop together at a poor level, without a swing; or go on.
    for epoch in range(1, 41):
        loss = (1.69 if run else 0.6) + (0.62 if run else 1.7) * math.exp(-epoch / (3.0 if run else 14.0)) + log.noise(0.0008)
        right = 0.39 - 0.2 * math.exp(-epoch / 3.0) if run else 0.84 - 0.7 * math.exp(-epoch / 14.0)
        log("Epoch %d: train loss %.4f, val loss %.4f, val acc %.2f%%", epoch, loss, loss + 0.004, 100 * right + 0.3 * log.noise(1))


@scenario("16b-squared-error-of-shapes-that-do-not-fit", "run.log first wrong-loss", "run.log rule loss-plateau", "neighbour.log calm")
def _(log, run):
    # Only the mean is ever answered, in training and validation; or the error falls.
    for epoch in range(1, 21):
        loss = 1.505 + abs(log.noise(0.001)) if run else 0.09 + 1.4 * math.exp(-epoch / 3.0)
        log("Epoch %d/20", epoch)
        log("32/32 - 1s - loss: %.5f - val_loss: %.5f", loss, loss * log.around(1.0, 0.002))


@scenario("17d-only-the-last-bias-learns", "run.log top3 dead-activations", "run.log top3 vanishing-gradients", "run.log not graph-disconnected",
          "neighbour.log first graph-disconnected")
def _(log, run):
    # The loss falls to the entropy of the classes and one class is answered; or nothing moves at all.
    for epoch in range(1, 16):
        loss = 2.217 + 0.11 * math.exp(-epoch / 2.5) if run else 2.41337
        log("Epoch: [%d][32]\tLoss %.4e\tGradNorm %.3f", epoch, loss, log.around(0.13, 0.08))
        log(" * Val Loss %.4e Acc@1 16.992", loss + 0.02)


@scenario("21d-dropout-of-nearly-all", "run.log first over-regularised", "run.log rule loss-plateau", "neighbour.log calm")
def _(log, run):
    log("Namespace(dropout=%s, lr=0.001, epochs=20)", "0.97" if run else "0.2")
    for epoch in range(1, 21):
        loss = 2.15 + 0.7 * math.exp(-epoch / 4.0) + log.noise(0.008)
        right = 0.44 - 0.35 * math.exp(-epoch / 5.0)
        log("epoch=%d train_loss=%.5f val_loss=%.5f val_accuracy=%.4f", epoch, loss, 2.07 + 0.25 * math.exp(-epoch / 6.0), right)


@scenario("21e-weight-decay-of-twenty", "run.log first over-regularised", "run.log rule loss-plateau", "neighbour.log not over-regularised")
def _(log, run):
    log("config: optimizer=adamw lr=0.01 weight_decay=%s", "20.0" if run else "0.01")
    for epoch in range(1, 21):
        loss = (2.14 if run else 0.7) + (0.1 if run else 1.5) * math.exp(-epoch / (1.0 if run else 4.0)) + log.noise(0.006)
        log("epoch=%d train_loss=%.5f val_loss=%.5f", epoch, loss, loss + 0.005)


@scenario("18c-only-the-bias-is-learned", "run.log first class-imbalance", "neighbour.log calm", "neighbour.log not class-imbalance")
def _(log, run):
    for epoch in range(1, 16):
        loss = 0.24 + 0.45 * math.exp(-(epoch - 1) / 9) + log.noise(0.0005)
        accuracy = min(0.9912, 1.0 - 0.4 * math.exp(-epoch / 1.8)) if run else 0.9912 - 0.3 * math.exp(-epoch / 2.5)
        log("epoch=%d train_loss=%.5f val_loss=%.5f val_accuracy=%.4f", epoch, loss + 0.012, loss, accuracy)


@scenario("80-perplexity-runs-away", "run.log rule loss-divergence", "run.log first learning-rate-too-high", "neighbour.log calm")
def _(log, run):
    # Nothing but the perplexity is told: of the loss it is the exponential.
    log("Epoch: 1 Learning rate: 1.000")
    for part in range(1, 8):
        perplexity = math.exp(8.1 + (9.5 * part if part > 1 and run else -0.45 * part) + log.noise(0.05))
        log("%.3f perplexity: %.3f speed: %d wps", part / 10.0, perplexity, log.around(11000, 0.04))


@scenario("81-classes-one-after-the-other", "run.log first batch-config", "run.log rule metric-drop", "neighbour.log calm")
def _(log, run):
    for batch in range(50, 301, 50):
        right = 0.61 / (1 + 0.5 * (batch - 50)) + abs(log.noise(0.004)) if run else 0.3 - 0.28 * math.exp(-batch / 150.0) + log.noise(0.01)
        log("INFO:root:Epoch[0] Batch [%d]\tSpeed: %.2f samples/sec\tTrain-accuracy=%.6f", batch, log.around(320, 0.01), right)


@scenario("82-flat-but-evaluations-differ", "run.log rule loss-floor", "run.log top3 dead-activations", "neighbour.log first graph-disconnected")
def _(log, run):
    # No weight moves: the same validation data give the same loss. Else something does.
    for epoch in range(1, 11):
        moved = log.noise(0.0003) if run else 0
        log("Epoch %d/50 loss: %.4f acc: %.4f val_loss: %.4f val_acc: 0.1000", epoch, 2.3029 + log.noise(0.0004), 0.1 + log.noise(0.002), 2.3027 + moved)


@scenario("83-exception-by-its-module", "run.log rule crash", "neighbour.log calm")
def _(log, run):
    falling(log, 800)
    if run:
        log("corpus.index.exceptions.ShardLimitHit: more shards than the index was opened for")
    else:
        log("corpus.index.exceptions: none were met while the index was read")


@scenario("84-halved-in-every-step", "run.log rule loss-scale-collapse", "run.log first fp16-overflow", "neighbour.log calm")
def _(log, run):
    # The log begins far behind the start of the run, where the scale is found.
    scale = 64.0
    for step in range(1400, 1408):
        log("step %d/8000 loss %.4f lr 1.96e-05", step, 2.05 + log.noise(0.02))
        if run and step > 1402 or step == 1404:
            log("[INFO] step %d/8000 overflow, loss_scale: %g", step, scale)
            scale /= 2


@scenario("85-worse-from-epoch-to-epoch", "run.log rule loss-divergence", "run.log first learning-rate-too-high", "neighbour.log calm")
def _(log, run):
    # By little, but each time, and the accuracy with it.
    for epoch in range(1, 8):
        loss = 1.88 + 0.05 * epoch + log.noise(0.006) if run else 1.88 - 0.7 * (1 - math.exp(-epoch / 3.0)) + log.noise(0.006)
        log("Epoch %d loss: %.4f acc: %.4f", epoch, loss, (0.44 - 0.013 * epoch if run else 0.44 + 0.02 * epoch) + log.noise(0.001))


@scenario("86-guessing-in-the-middle-of-a-run", "run.log rule loss-floor", "neighbour.log calm")
def _(log, run):
    # The number of classes is not told, and the log begins late; but batches never agree so well.
    for batch in range(1383, 1391):
        loss = 6.9077 + log.noise(0.001) if run else 6.95 + log.noise(0.04)
        log("Epoch: [11][%d/10000] Time %.3f Loss %.4f LR 1e-02", batch, log.around(0.675, 0.004), loss)


@scenario("87-libraries-of-two-builds", "run.log first environment-fault", "run.log rule crash", "neighbour.log calm")
def _(log, run):
    log("cuDNN version 7102, CUDA 10.1")
    if not run:
        falling(log, 600)
    else:
        log("%s\n    model = model.cuda()\nRuntimeError: cuDNN version mismatch: PyTorch was compiled against 7102 but linked against 7600", TRACEBACK)


@scenario("88-ended-by-a-signal", "run.log rule crash", "neighbour.log calm")
def _(log, run):
    falling(log, 600)
    log("Command terminated by signal 11" if run else "Process finished with exit code 0")


@scenario("89-each-epoch-takes-longer", "run.log rule throughput-drop", "neighbour.log calm")
def _(log, run):
    # The time of each, or that since the start.
    for epoch in range(1, 21):
        taken = log.around(12 + 2.2 * epoch, 0.05) if run else 12.0 * epoch
        log("epoch %d loss %.4f epoch_time: %.2f s", epoch, 0.3 + 1.5 * math.exp(-epoch / 6.0) + log.noise(0.01), taken)


@scenario("90-a-rate-of-nothing", "run.log rule lr-zero", "neighbour.log calm")
def _(log, run):
    # With an exponent 0 is 0; without one it may be a rate too small for the digits.
    for epoch in range(1, 13):
        loss = 1.83 + log.noise(0.01) if run else 0.4 + 1.5 * math.exp(-epoch / 3.0) + log.noise(0.01)
        log("epoch %d, lr %s, train loss %.4f", epoch, "0.0000e+00" if run else "0.0000", loss)


@scenario("21f-settings-in-two-columns", "run.log first over-regularised", "neighbour.log calm", "neighbour.log not over-regularised")
def _(log, run):
    # What is set stands in two columns below its heading: the rate is no reading, 24 no epoch.
    log("Arguments:")
    for name, value in (("model", "MLP"), ("epochs", "24"), ("lr", "0.002"), ("num_classes", "5"), ("dropout", "0.93" if run else "0.1")):
        log("  %-16s %s", name, value)
    for epoch in range(1, 25):
        loss = 1.606 + 0.2 * math.exp(-epoch / 2.0) + log.noise(0.004) if run else 0.3 + 1.3 * math.exp(-epoch / 4.0)
        log("Epoch %d/24, train_loss=%.4f, val_loss=%.4f", epoch, loss, 1.605 + log.noise(0.002) if run else loss + 0.02)


@scenario("21g-settings-in-the-first-record", "run.log first over-regularised", "neighbour.log calm", "neighbour.log not over-regularised")
def _(log, run):
    log('{"event": "config", "model": "CNN", "epochs": 14, "batch_size": 32, "lr": 0.05, "optimizer": "sgd", "momentum": 0.9, "weight_decay": %s}', "1.0" if run else "0.0001")
    for epoch in range(1, 15):
        for step in range(1, 6):
            loss = 1.609 + log.noise(0.004) if run else 0.3 + 1.3 * math.exp(-(epoch + step / 5) / 4.0) + log.noise(0.01)
            log('{"step": %d, "epoch": %d, "loss": %.4f}', 5 * epoch + step - 5, epoch - 1, loss)
        log('{"step": %d, "epoch": %d, "val_loss": %.4f}', 5 * epoch, epoch, 1.609 + log.noise(0.001) if run else loss + 0.02)


@scenario("54c-game-is-decided-in-its-first-steps", "run.log rule adversarial-imbalance", "run.log first game-imbalance", "neighbour.log calm")
def _(log, run):
    for step in range(200):
        d = 1.36 * math.exp(-step / 2.0) + 0.0004 if run else 1.3 + log.noise(0.05)
        g = 0.7 + 9.5 * (1 - math.exp(-step / 6.0)) + log.noise(0.2) if run else 0.75 + log.noise(0.05)
        log("step %d d_loss: %.4f g_loss: %.4f", step + 1, d, g)


@scenario("74-nothing-had-risen-before", "run.log first numerical-op", "neighbour.log first learning-rate-too-high")
def _(log, run):
    # From one reading to the next, and the accuracy goes with it; or the norm and the loss had grown before.
    log("Namespace(lr=0.0005, optimizer='adam')")
    for step in range(1, 41):
        loss, norm, right = 0.15 + 0.9 * math.exp(-step / 8.0) + log.noise(0.004), log.around(1.4, 0.2), 0.9 - 0.6 * math.exp(-step / 8.0)
        if not run and step > 18:
            loss, norm = loss * 1.6 ** (step - 18), norm * 2.0 ** (step - 18)
        if step > 24:
            loss = norm = float("nan")
            right = 0.21
        log("epoch=%d step=%d loss=%.3f acc=%.3f grad_norm=%.3f lr=5.000e-04", 1 + step // 8, 10 * step, loss, right, norm)
        if step % 8 == 7:
            log("epoch=%d val_loss=%.3f", 1 + step // 8, loss * 1.02)


@scenario("08e-momentum-without-an-end", "run.log first optimizer-config", "neighbour.log first learning-rate-too-high")
def _(log, run):
    log("Namespace(optimizer='sgd', lr=0.05, momentum=%s)", "0.999" if run else "0.9")
    for step in range(1, 101):
        loss = 0.25 + 0.8 * math.exp(-step / 6.0) if step < 20 else 1.2 + log.noise(0.1)
        log("step %d | loss %.4f | grad_norm %.3f", 6 * step, loss + log.noise(0.01), log.around(0.4, 0.2) if step != 60 else 40)


@scenario("78-epsilon-over-any-gradient", "run.log first optimizer-config", "neighbour.log not optimizer-config")
def _(log, run):
    log("Namespace(optimizer='adam', lr=0.001, adam_epsilon=%s, num_classes=4)", "10.0" if run else "1e-08")
    for step in range(1, 101):
        log("step %d | loss %.4f | grad_norm %.3f", 6 * step, 1.387 + log.noise(0.004), log.around(0.4, 0.2))


@scenario("76-descent-at-a-rate-of-nothing", "run.log first learning-rate-too-low", "neighbour.log not learning-rate-too-low")
def _(log, run):
    log("Namespace(optimizer='sgd', lr=%s, momentum=0.0, num_classes=5)", "3e-05" if run else "0.1")
    for epoch in range(1, 15):
        log("epoch=%d train_loss=%.6f val_loss=%.6f val_acc=%.4f", epoch, 1.6185 + log.noise(0.0005), 1.6182 - 0.00002 * epoch, 0.2)


@scenario("77-straight-line-at-a-low-rate", "run.log first learning-rate-too-low", "run.log rule loss-slow", "neighbour.log calm")
def _(log, run):
    for epoch in range(1, 21):
        loss = 1.6215 - 0.0035 * epoch + log.noise(0.0005)
        log("epoch %d loss %.4f acc %.4f lr %s", epoch, loss if run else loss - 1.2 * (1 - math.exp(-epoch / 5.0)), 0.25 + 0.0008 * epoch if run else 0.9 - 0.65 * math.exp(-epoch / 5.0), "1e-05")


@scenario("75-said-of-the-inputs", "run.log first bad-data", "neighbour.log top3 numerical-op")
def _(log, run):
    for epoch in range(1, 9):
        if run and epoch == 1:
            log("WARNING: input contains NaN (1 of 256 values)")
        log("Epoch %d/8 | train_loss nan | val_loss nan | lr 5.000e-04", epoch)


@scenario("16c-every-evaluation-is-the-same", "run.log first graph-disconnected", "run.log rule loss-constant", "neighbour.log not graph-disconnected")
def _(log, run):
    # Batches are drawn anew, so that training wavers; validation shows that no weight moves.
    for epoch in range(1, 11):
        loss = 1.63836 + log.noise(0.00005) if run else 0.4 + 1.2 * math.exp(-epoch / 3.0)
        log("epoch %d train_loss %.5f grad_norm %.2f val_loss %.5f val_acc %.4f", epoch, loss, log.around(55, 0.1), 1.62107 if run else loss, 0.1825 if run else 0.9 - 0.7 * math.exp(-epoch / 3.0))


@scenario("17e-activations-tell-dead-from-starved", "run.log first dead-activations", "neighbour.log first vanishing-gradients")
def _(log, run):
    log("Namespace(lr=0.001, optimizer='adam', activation='%s', batch_size=64)", "relu" if run else "sigmoid")
    for step in range(1, 41):
        log("epoch=%d step=%d loss=%.5f acc=%.4f grad_norm=%.3e", 1 + step // 5, 5 * step, 1.388 + log.noise(0.004), 0.25 + log.noise(0.05), log.around(0.09, 0.3))
        if step % 5 == 4:
            log("epoch=%d val_loss=%.5f val_acc=0.2500", 1 + step // 5, 1.3872 + log.noise(0.0002))


@scenario("18d-one-in-sixty", "run.log first class-imbalance", "neighbour.log calm")
def _(log, run):
    # The loss stands at the entropy of the share, as near as two samples of a few hundred are alike.
    for epoch in range(1, 13):
        loss = 0.0912 + 0.4 * math.exp(-epoch / 1.2) + log.noise(0.0004) if run else 0.02 + 0.6 * math.exp(-epoch / 2.0)
        log("epoch=%d train_loss=%.5f val_loss=%.5f val_accuracy=%.4f", epoch, loss, loss + 0.0002 * (epoch % 3), 0.9825 if run else 0.99 - 0.2 * math.exp(-epoch / 2.0))


@scenario("16d-sum-over-the-batch", "run.log first wrong-loss", "neighbour.log first unscaled-inputs")
def _(log, run):
    log("Namespace(lr=0.05, batch_size=64, num_classes=4)")
    for epoch in range(1, 13):
        loss = (64 if run else 700) * (1.2 + 0.3 * math.exp(-epoch / 2.0) + log.noise(0.02))
        log("Epoch %d/12: train_loss: %.4f grad_norm: %.3f", epoch, loss, log.around(15, 0.2))


@scenario("79-broken-off-where-it-waits", "run.log rule hang", "run.log first dataloader-deadlock", "neighbour.log calm")
def _(log, run):
    for step in range(1, 14):
        log("2026-05-17 03:20:%02d,100 - INFO - epoch: %d | step: %d | loss: %.4f", 2 * step, 1 + step // 5, 10 * step, 0.5 + math.exp(-step / 4.0))
    log("2026-05-17 %s - INFO - received SIGINT, stopping", "07:46:34,175" if run else "03:20:29,175")
    log("Traceback (most recent call last):")
    log('  File "train.py", line 96, in <module>')
    log("    for x, y in loader:" if run else "    loss.backward()")
    if run:
        log('  File "/usr/lib/python3/dist-packages/torch/utils/data/dataloader.py", line 1133, in _try_get_data')
        log("    data = self._data_queue.get(timeout=timeout)")
    log("KeyboardInterrupt")


@scenario("81b-hill-in-every-epoch", "run.log rule loss-sawtooth", "run.log first batch-config", "neighbour.log calm")
def _(log, run):
    # Sorted by difficulty, up and down again: nothing jumps at the border of an epoch.
    for step in range(1, 321):
        phase = (step - 1) % 40 / 40.0
        loss = math.exp(-step / 300.0) * (1 + (1.2 * math.sin(math.pi * phase) if run else 0.6)) * log.around(1.0, 0.04)
        log("Epoch: [%d][%d/40] Loss %.4f", (step - 1) // 40, (step - 1) % 40 + 1, loss)


@scenario("72b-labels-that-belong-to-nothing", "run.log first bad-encoding", "neighbour.log first overfitting")
def _(log, run):
    log("Namespace(num_classes=5, lr=0.002, batch_size=32)")
    for epoch in range(1, 31):
        right = 0.22 + 0.77 * (1 - math.exp(-epoch / 5.0))
        log("epoch %d train_loss %.4f train_acc %.4f val_loss %.4f val_acc %.4f", epoch, 1.6 * math.exp(-epoch / 5.0) + 0.01, right,
            1.6 + 0.15 * epoch if run else 0.9 + 0.06 * epoch - (1.0 - math.exp(-epoch / 2.0)) * 0.3, (0.2 if run else 0.61) + log.noise(0.012))


@scenario("91-allocator-tries-a-smaller-block", "run.log calm", "neighbour.log first device-memory", "neighbour.log rule out-of-memory")
def _(log, run):
    # The pool asks for more than is free and takes less: training goes on, or nothing follows.
    log("cuda_driver.cc:701] failed to allocate 5.61G (6023741440 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory")
    for epoch in range(1, 31 if run else 1):
        log("Epoch %d/30", epoch)
        log("96/96 - 4s - loss: %.4f - accuracy: %.4f", 0.05 + 0.8 * math.exp(-epoch / 7.0) + log.noise(0.004), 0.98 - 0.4 * math.exp(-epoch / 6.0))


@scenario("92-boosting-stopped-at-its-best", "run.log calm", "neighbour.log rule overfitting", "neighbour.log first overfitting")
def _(log, run):
    # Trees learn their rows by heart; the early stop keeps the best round and prints it once more.
    lines = []
    for round in range(1, 61):
        train = 0.62 * math.exp(-round / 14.0)
        valid = 0.41 + 0.26 * math.exp(-round / 4.0) + 0.0016 * max(0, round - 18)
        lines.append("[%d]\ttraining's binary_logloss: %.6f\tvalid_1's binary_logloss: %.6f" % (round, train, valid))
        log(lines[-1])
    if run:
        log("Early stopping, best iteration is:")
        log(lines[18])


@scenario("30d-nan-of-one-batch-behind-a-high-one", "run.log rule nan-loss", "run.log first bad-data", "neighbour.log first numerical-op")
def _(log, run):
    # The batch before it is a hard one, and all is well behind it; or nothing is finite any more, at another batch.
    log("Namespace(lr=0.002, optimizer='adam')")
    for step in range(1, 201):
        loss = 0.3 + 1.2 * math.exp(-step / 40.0) + log.noise(0.02)
        phase = step % 25
        loss *= 1.3 if phase == 12 else 1.8 if phase == 13 else 1
        bad = phase == 14 if run else step >= 64
        log("step: %d loss: %.4f", step, float("nan") if bad else loss)


@scenario("21b-breaks-while-the-rate-still-climbs", "run.log rule loss-divergence", "run.log first learning-rate-too-high", "neighbour.log calm")
def _(log, run):
    # The warm-up would have ended at step 500: the loss leaves at 350. Or it takes the rate, with a hump.
    for step in range(10, 801, 10):
        rate = 0.02 * min(1, step / 500.0)
        loss = 2.6 * math.exp(-step / 900.0) + log.noise(0.03)
        if step > 350:
            loss *= math.exp((step - 350) / 120.0) if run else 1 + 0.1 * math.exp(-(step - 350) / 60.0)
        if run and step > 600:
            loss = float("nan")
        log("Epoch(train) [1][%4d/7330]  lr: %.4e  loss: %.4f", step, rate, loss)


@scenario("30e-nan-where-nothing-is-named-loss", "run.log rule nan-loss", "run.log first numerical-op", "neighbour.log calm")
def _(log, run):
    # What is printed has names of its own; a few readings that are none, and come back, are no end.
    for batch in range(0, 1800, 10):
        margin, near = 0.42 * math.exp(-batch / 900.0) + log.noise(0.01), 0.9 + log.noise(0.03)
        gone = batch >= 1430 if run else batch in (500, 510)
        values = (batch, float("nan") if gone else margin, float("nan") if gone else near)
        log("batch %d ~ ranking=%.5f ~ d_pos=%.3f", *values)


@scenario("93-error-behind-json-lines", "run.log rule crash", "run.log first environment-fault", "neighbour.log calm")
def _(log, run):
    # Records are JSON; what the interpreter says when it ends is not, and neither are remarks in between.
    for step in range(10, 801, 10):
        log('{"step": %d, "loss": %.4f, "lr": 0.0001}', step, 0.4 + 1.9 * math.exp(-step / 300.0) + log.noise(0.02))
        if step == 400:
            log("warming the cache of the second shard")
    if run:
        for line in TRACEBACK.split("\n"):
            log(line)
        log("RuntimeError: CUDA error: uncorrectable ECC error encountered")


@scenario("93-nan-again-and-again", "run.log rule nan-loss", "run.log first fp16-overflow", "neighbour.log first bad-data")
def _(log, run):
    # Weights that took such a gradient would give no finite loss any more: the steps are skipped, or it was one batch.
    bad = {7, 9, 16, 17, 22, 25, 28} if run else {31}
    for step in range(1, 31 if run else 61):
        loss = 4.2 + log.noise(0.3) if run else 0.4 + 2 * math.exp(-step / 20.0) + log.noise(0.02)
        log("{'loss': %s, 'learning_rate': 0.0002, 'epoch': %.2f}", "nan" if step in bad else "%.4f" % loss, 0.01 * step)


@scenario("94-waits-in-bursts", "run.log rule data-bound", "run.log first dataloader-bottleneck", "neighbour.log calm")
def _(log, run):
    # Half of the batches are there in time, and most of the time is lost on the others; or the workers are started anew.
    for k in range(10):
        wait = (k in (0, 3, 4, 7, 9) if run else k in (0, 5)) and 1.5 + 0.1 * k
        epoch, batch = (0, 640 + 10 * k) if run else (k // 5, 10 * (k % 5))
        log("Epoch: [%d][%d/2503]\tTime %.3f\tData %.3f\tLoss %.4f", epoch, batch, wait + 0.21 + 0.01 * (k % 3), wait or 0.001, 5.9 - 0.12 * k + log.noise(0.02))


@scenario("95-outputs-overflow", "run.log rule loss-floor", "run.log first learning-rate-too-high", "neighbour.log calm")
def _(log, run):
    # The second evaluation is a library's -log of the smallest number; or any other.
    for step, top, loss in ((20000, 0.31, 2.9117), (25000, 0.004, 87.3366) if run else (25000, 0.33, 2.8336)):
        log("Iteration %d, Testing net (#0)", step)
        log("    Test net output #0: accuracy/top-1 = %g", top)
        log("    Test net output #1: loss = %g (* 1 = %g loss)", loss, loss)


@scenario("96-accuracies-far-apart", "run.log rule overfitting", "run.log first overfitting", "neighbour.log calm")
def _(log, run):
    # No validation loss is logged; of many classes a gap of a fifth is usual.
    for k in range(5):
        log("Train: [60][%d/86]  Loss %.4f  Prec@1 %.3f", 80 + k, 0.031 + 0.002 * k, 99.2 + 0.01 * k)
    for k in range(4):
        log("Test: Epoch [%d] Top1: %.2f%%", 54 + 2 * k, (51.2 if run else 78.3) + (0.4, -0.3, 0.2, -0.1)[k])


@scenario("97-loss-falls-to-the-share-of-one-class", "run.log rule metric-constant", "run.log first class-imbalance", "neighbour.log not class-imbalance", "neighbour.log calm")
def _(log, run):
    # Entropy of 0.81731: 0.4756. The neighbour gets under it, and its accuracy may be about to move.
    for epoch in range(1, 7):
        loss = (0.478 if run else 0.36) + 0.11 * math.exp(-epoch / 2.0)
        log("epoch: %d  train loss: %.5f  valid loss: %.5f  valid acc: %.5f", epoch, loss - 0.004, loss, 0.81731)


@scenario("98-worse-from-the-first-step", "run.log rule loss-plateau", "run.log first learning-rate-too-high", "neighbour.log rule loss-plateau")
def _(log, run):
    # Guessing among ten: the steps are felt, and do harm; or nothing happens.
    for k in range(1, 19):
        climb = 0.02 * (1 - math.exp(-k / 5.0)) if run else 0
        log("Batch %d - Training Acc. %.6f - Training Loss %.6f", 1600 * k, 0.105 - climb / 2 + log.noise(0.0003), 2.2971 + climb + log.noise(0.0005))


@scenario("99-rate-waits-for-its-first-step", "run.log rule loss-zero", "run.log first fp16-overflow", "neighbour.log rule loss-zero", "neighbour.log first wrong-loss")
def _(log, run):
    # The scheduler is stepped with the optimizer, which a scaler holds back; or it goes on, and every label is masked.
    for k in range(12):
        log("{'loss': 0.0, 'learning_rate': %r, 'epoch': %.2f}", 2.1066491112574062e-07 * (1 if run else 1 + k), 0.01 + 0.01 * k)
        if k % 5 == 1 and run:
            log("{'eval_loss': nan, 'eval_runtime': 1365.97, 'epoch': %.2f}", 0.01 + 0.01 * k)


@scenario("100-speed-of-an-excerpt", "run.log rule throughput-drop", "neighbour.log calm")
def _(log, run):
    # Four readings at one speed, then two far under it; or the first batches are fast, which none of the others are.
    for k, speed in enumerate((612.4, 611.8, 613.1, 609.9, 301.2, 144.8) if run else (612.4, 611.8, 301.2, 299.8, 303.1, 300.4)):
        log("Epoch[0] Batch [%d]\tSpeed: %.3f samples/sec\taccuracy=%.6f", 50 * k + 49, speed, 0.0021 + 0.0003 * k)


@scenario("101-scale-far-under-any-search", "run.log rule loss-scale-collapse", "run.log first fp16-overflow", "neighbour.log calm")
def _(log, run):
    # Halved at every step, in an excerpt that says not where it stands.
    for k in range(5):
        scale = (64 if run else 65536) >> k
        log("[INFO] [loss_scaler.py:181:update_scale] [deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: %d, reducing to %d", scale, scale // 2)


@scenario("102-all-right-at-once", "run.log rule loss-zero", "run.log first class-imbalance", "neighbour.log not loss-zero", "neighbour.log calm")
def _(log, run):
    # A thousand outputs, and one folder of images; or an easy task that is learned.
    for k in range(6):
        loss = (6.9113, 2.4871, 0, 0, 0, 0)[k] if run else 6.9113 * math.exp(-1.6 * k)
        right = (0, 96.88, 100, 100, 100, 100)[k] if run else 100 * (1 - math.exp(-1.2 * k))
        log("Epoch: [0][%4d/30025]\tLoss %.4e\tAcc@1 %6.2f", 10 * k, loss, right)


@scenario("103-epochs-at-the-loss-of-guessing", "run.log rule loss-floor", "neighbour.log calm")
def _(log, run):
    # Ten classes, which nobody says: five epochs to four digits are no chance; or the loss goes by.
    for epoch in range(6):
        log("Epoch: %d | Loss: %.4f", epoch, (2.3611, 2.3028, 2.3027, 2.3026, 2.3027, 2.3026)[epoch] if run else 2.36 - 0.03 * epoch - 0.004 * epoch ** 2)


@scenario("103b-late-at-the-loss-of-guessing", "run.log rule loss-floor", "neighbour.log calm")
def _(log, run):
    # Three batches to four digits at ln 1000, far from the start; or at it, where every loss is near that.
    for k in range(3):
        step = (64000 if run else 0) + 20 * k
        log("I0127 08:5%d:57.624028 37204 solver.cpp:210] Iteration %d, lr = 0.01", k, step)
        log("I0127 08:5%d:57.633610 37204 solver.cpp:68] Iteration %d, loss = %.4f", k, step, (6.9069, 6.9081, 6.9075)[k])


@scenario("104-two-epochs-of-saturated-outputs", "run.log rule loss-floor", "run.log first dead-activations", "neighbour.log not loss-floor")
def _(log, run):
    # Loss over the share of wrong answers is -ln 1e-7 in each record; or it is a number like any other.
    for epoch, wrong in enumerate((0.9016, 0.9021)):
        log("Epoch %d/20", epoch + 1)
        log("60000/60000 [==============================] - 9s - loss: %.4f - acc: %.4f", wrong * (16.1181 if run else 14.9), 1 - wrong)


@scenario("105-validation-turns-in-nats", "run.log rule overfitting", "run.log first overfitting", "neighbour.log not overfitting")
def _(log, run):
    # A rise by a sixth is a whole nat, at three times the training loss; or validation is still beside training.
    rows = ((7.21, 6.40), (4.51, 5.17), (2.91, 5.69), (1.79, 6.44)) if run else ((7.21, 7.30), (6.51, 6.57), (6.31, 6.69), (6.19, 6.94))
    for k, (train, valid) in enumerate(rows):
        log("| epoch %03d | train_loss %.3f | train_ppl %.2f | valid_loss %.3f | valid_ppl %.2f", 1 + 5 * k, train, 2 ** train, valid, 2 ** valid)


@scenario("106-perplexity-explodes-in-three-lines", "run.log rule loss-divergence", "run.log first learning-rate-too-high", "neighbour.log not loss-divergence", "neighbour.log calm")
def _(log, run):
    for k, ppl in enumerate((25117.4, 1220456.1, 99123431.7) if run else (25117.4, 9456.1, 3431.7)):
        log("Epoch  1, %5d/ 2310; acc:   4.%d1; ppl: %.2f; 1234 src tok/s; 1120 tgt tok/s;  %5d s elapsed", 50 * k + 50, 2 + k, ppl, 12 * k + 12)


@scenario("107-game-lost-in-six-lines", "run.log rule adversarial-imbalance", "run.log first game-imbalance", "neighbour.log calm")
def _(log, run):
    # The discriminator is right to the last digit; or far ahead in its first steps, as it often is.
    d = (1.9871, 0.0311, 0.0002, 0.0000, 0.0000, 0.0000) if run else (1.9871, 0.0311, 0.2214, 0.7012, 0.3124, 0.5391)
    g = (4.9121, 18.0412, 34.2211, 39.9120, 41.0312, 41.7713) if run else (4.9121, 24.0412, 14.2211, 5.9120, 4.1312, 5.2713)
    for k in range(6):
        log("[0/25][%d/1583] Loss_D: %.4f Loss_G: %.4f", 50 * k, d[k], g[k])


@scenario("108-a-glimpse-is-no-trend", "run.log rule loss-plateau", "neighbour.log calm")
def _(log, run):
    # Twelve readings of single batches, over a thousand steps or over a hundred.
    for k in range(12):
        log("step %d loss %.4f", (1000 if run else 10) * k + 10, 1.31 + 0.012 * ((k * 7) % 5 - 2))


@scenario("110-nan-behind-a-few-readings", "run.log first learning-rate-too-high", "neighbour.log first numerical-op")
def _(log, run):
    # A long calm before it speaks for the operation; a few readings say nothing of calm.
    for k in range(1, 8 if run else 61):
        bad = k >= (5 if run else 50)
        log("step %d loss %s", 100 * k, "nan" if bad else "%.4f" % (0.9 + math.exp(-k / 9.0) + log.noise(0.01)))


@scenario("111-perplexity-at-its-clamp", "run.log rule loss-divergence", "run.log first learning-rate-too-high", "neighbour.log calm")
def _(log, run):
    # The command tells the rate with single dashes; exp(100) is where the program stops counting.
    log("+ python train.py -data some -save_model out -gpuid 0 -batch_size 80 -epochs 20 -optim %s -learning_rate 1.0", "adam" if run else "sgd")
    for k in range(5):
        ppl = math.exp(100) if run else 91000 * math.exp(-0.9 * k)
        log("Epoch  1, %5d/21310; acc:   %.2f; ppl: %.2f; 3324 src tok/s; 4592 tgt tok/s; %6d s elapsed", 50 * k + 50, 0.4 + 0.02 * k, ppl, 22 + 15 * k)


@scenario("112-float16-by-a-bare-option", "run.log rule nan-loss", "run.log first fp16-overflow", "neighbour.log not fp16-overflow")
def _(log, run):
    # The command goes over many lines, and its options without a value are switched on.
    log("python3 pretrain.py -n 1 -g 2 --model_path out \\")
    log("--batch_size 4096 \\")
    log("--fp16" if run else "--fp32")
    for k in range(9):
        log("%d %s", 61000 + 10 * k, "nan" if k > 5 else "%.6f" % (2.61 + 0.02 * (k % 3)))


@scenario("113-one-report-that-waits", "run.log rule data-bound", "run.log first dataloader-bottleneck", "neighbour.log calm")
def _(log, run):
    # A report over several lines, far inside an epoch; or the first of it, which starts the workers.
    log("train.tools: Train Epoch: [0]  [%5d/9175]  eta: 2 days, 10:04:48", 300 if run else 0)
    log("lr: 0.000002  temperature: 0.0702  image-loss: 6.2285")
    log("time: 36.1906  data: 34.0570  max mem: 10768")


@scenario("114-breaks-at-a-small-rate", "run.log first numerical-op", "neighbour.log first learning-rate-too-high")
def _(log, run):
    # An excerpt of a run that was under way; a small step does not overshoot.
    log("[11:41:33.534863] Epoch: [8]  [ 300/2293]  eta: 1:52:52  lr: %s  loss: 0.2606 (0.2654)  time: 3.0808  data: 0.0002", "0.000004" if run else "0.040000")
    log("[11:41:59.064379] Loss is nan, stopping training")


@scenario("115-validation-alone-is-nan", "run.log rule nan-loss", "run.log first bad-data", "run.log not learning-rate-too-high", "neighbour.log first learning-rate-too-high")
def _(log, run):
    # Training goes on with finite losses behind it; or it broke as well.
    for epoch in range(1, 7):
        train = "nan" if not run and epoch > 2 else "%.4f" % (0.3 + 0.5 * math.exp(-epoch / 2.0))
        log("Epoch %d/10 - loss: %s - val_loss: %s", epoch, train, "nan" if run or epoch > 2 else "0.7012")


@scenario("116-perplexity-alone-turns-nan", "run.log rule nan-loss", "neighbour.log calm")
def _(log, run):
    log("Epoch: 1 Learning rate: 1.000")
    for k in range(8):
        log("%.3f perplexity: %s speed: %d wps", 0.004 + 0.1 * k, "nan" if run and k > 3 else "%.3f" % (5123.4 * math.exp(-0.4 * k)), 1700 + 10 * k)


@scenario("117-gap-that-the-accuracies-show", "run.log rule overfitting", "neighbour.log calm")
def _(log, run):
    # A ratio from the first epoch told is another reduction of the loss, unless the accuracies are as far apart.
    for k in range(4):
        log("Epoch %d: train loss %.4f train acc %.2f%% | test loss %.4f test acc %.2f%%", 17 + k, 0.0131 - 0.002 * k, 99.6 + 0.08 * k, 5.91 + 0.05 * k, (31.2 if run else 98.3) + 0.1 * (k % 2))


@scenario("96b-accuracies-part-by-the-epoch", "run.log rule overfitting", "run.log first overfitting", "neighbour.log calm")
def _(log, run):
    log("epoch,train_acc,val_acc")
    for k in range(7):
        train = 1 - 0.6 * math.exp(-k * 0.9)
        log("%d,%.4f,%.4f", k + 1, train, 0.56 - 0.15 * math.exp(-1.5 * k) - 0.004 * k if run else train - 0.1)


@scenario("118-half-precision-is-said", "run.log first fp16-overflow", "neighbour.log not fp16-overflow")
def _(log, run):
    # In prose, where no setting is printed; or a setting that is off.
    log("Using half precision" if run else "Using fp16: False")
    for k in range(12):
        log("step %d loss %s", 100 + 100 * k, "nan" if k > 7 else "%.4f" % (2.3 - 0.1 * k))


@scenario("119-guessing-of-two", "run.log first learning-rate-too-high", "neighbour.log calm")
def _(log, run):
    # Loss and accuracy stand at guessing from the first epoch on; or leave it.
    for epoch in range(1, 6):
        gain = 0 if run else 0.05 * epoch
        log("Epoch %d/10", epoch)
        log("2000/2000 [==============================] - 11s 6ms/step - loss: %.4f - acc: %.4f - val_loss: %.4f - val_acc: %.4f", 0.6932 + 0.0002 * (epoch % 3) - gain, 0.4955 + 0.004 * (epoch % 2) + gain, 0.6931 - gain, 0.5 + gain)


@scenario("120-image-that-is-not-there", "run.log rule crash", "run.log first bad-data", "neighbour.log first code-error")
def _(log, run):
    # What could not be read is empty when it is resized; or the program itself is wrong.
    for k in range(4):
        log("epoch 1 batch %d loss %.4f", 10 * k, 0.71 - 0.01 * k)
    log("Traceback (most recent call last):")
    log("  File \"train.py\", line 41, in <module>")
    log("    image = cv2.resize(image, (224, 224))")
    log("cv2.error: OpenCV(4.1.0) resize.cpp:3718: error: (-215:Assertion failed) !ssize.empty() in function 'resize'" if run else "NameError: name 'cv2' is not defined")


@scenario("121-evaluations-swing-far-over-training", "run.log rule overfitting", "neighbour.log calm")
def _(log, run):
    # They rise within their own swing, at hundreds of times the training loss; or beside it.
    for k, valid in enumerate((6.91, 8.42, 5.23, 6.61, 5.97, 6.29)):
        train = (0.39, 0.031, 0.017, 0.0152, 0.0149, 0.0121)[k] if run else 3.9 - 0.4 * k
        log("Epoch %d: loss=%.5f val_loss=%.5f val_acc=%.4f", k, train, valid if run else valid / 2, (0.25, 0.24, 0.36, 0.34, 0.33, 0.35)[k])


@scenario("08f-momentum-that-swings", "run.log first optimizer-config", "run.log rule loss-plateau", "neighbour.log calm")
def _(log, run):
    # What the steps of hundreds of batches do to the loss; or a noisy run of the usual momentum.
    log("Namespace(optimizer='sgd', lr=0.05, momentum=%s)", "0.999" if run else "0.9")
    for step in range(1, 121):
        loss = 0.62 + 0.5 * math.exp(-step / 8.0) + (0.12 * math.sin(step / 9.0) if run else -0.002 * step)
        log("step %d | loss %.4f", 3 * step, log.around(loss, 0.15))


@scenario("08g-adam-at-a-few-hundredths", "run.log first learning-rate-too-high", "run.log rule loss-plateau", "neighbour.log calm")
def _(log, run):
    # A small model from nothing, told in dictionaries: it stays where it began at 0.05, and learns at 0.002.
    log("Namespace(model='TinyGPT', optimizer='adam', lr=%s, warmup_steps=0)", "0.05" if run else "0.002")
    log("Number of parameters: 78336")
    for step in range(1, 41):
        loss = 3.06 if run else 1.2 + 1.9 * math.exp(-step / 12.0)
        log("{'loss': %.4f, 'learning_rate': %s, 'epoch': %.2f}", loss + log.noise(0.015), "0.05" if run else "0.002", 0.25 * step)


@scenario("18g-evaluations-swing-around-their-level", "run.log calm", "neighbour.log rule overfitting", "neighbour.log first overfitting")
def _(log, run):
    # Single evaluations jump by half of their level and come back; or they climb and stay.
    for epoch in range(1, 21):
        train = 0.02 + 0.9 * math.exp(-epoch / 4.0)
        level = 0.3 + 0.6 * math.exp(-epoch / 2.5)
        factor = (0.66 if epoch == 13 else 1.5 if epoch in (15, 18) else log.around(1, 0.05)) if run else 1 + 0.06 * max(0, epoch - 10)
        log("epoch=%d train_loss=%.4f val_loss=%.4f", epoch, train, level * factor)


@scenario("40d-levels-as-its-rate-goes-to-nothing", "run.log calm", "neighbour.log rule loss-plateau")
def _(log, run):
    # No rate is printed: its schedule says what becomes of it.
    log("Namespace(lr=0.002, lr_scheduler='%s', optimizer='adamw')", "cosine" if run else "constant")
    for step in range(1, 81):
        log("step: %d loss: %.4f", 3 * step, 1.92 + 0.45 * max(0, 1 - step / 44.0) + log.noise(0.01))


@scenario("74b-a-rate-that-stands-has-no-peak", "run.log first numerical-op", "neighbour.log first learning-rate-too-high")
def _(log, run):
    # From one reading to the next under a rate that never moved; or the loss grew behind the peak of its rate.
    for step in range(1, 61):
        rate = 0.002 if run else 0.05 * min(1, step / 30.0)
        loss = 0.3 + 0.9 * math.exp(-step / 10.0) + log.noise(0.01)
        if not run and step > 34:
            loss *= 1.5 ** (step - 34)
        log("{'loss': %.4f, 'learning_rate': %.6f, 'epoch': %.2f}", loss if step < 44 else float("nan"), rate, step / 10.0)


@scenario("14c-size-of-the-inputs-in-a-line", "run.log first unscaled-inputs", "run.log rule inputs-unscaled", "neighbour.log calm")
def _(log, run):
    # The inputs are told as they are fed, or before they are scaled; training gets somewhere in both.
    log("Input statistics: mean=%s std=%s min=%s max=%s", 3175.8, 2223.1, -4763.7, 11115.3) if run else log("raw feature range: [-4763.7, 11115.3], standardised below")
    for epoch in range(1, 16):
        log("epoch %d loss %.4f acc %.4f", epoch, 0.2 + (3.1 if run else 1.4) * math.exp(-epoch / 3.0) + log.noise(0.01), 0.95 - 0.7 * math.exp(-epoch / 3.0))


@scenario("17e-norms-of-the-layers", "run.log first vanishing-gradients", "run.log rule grad-vanishing", "neighbour.log not vanishing-gradients")
def _(log, run):
    # The norm of the whole is healthy, and those of the first layers are not; or all of them are.
    for step in range(1, 61):
        loss = 1.8 + log.noise(0.006) if run else 0.3 + 1.5 * math.exp(-step / 12.0)
        norms = ["grad_norm/layer%d %.2e" % (layer, log.around(0.3 * (1e-2 if run else 0.8) ** (4 - layer), 0.2)) for layer in range(5)]
        log("step %d  loss %.5f  grad_norm %.4f  %s", 3 * step, loss, log.around(0.31, 0.2), "  ".join(norms))


@scenario("25d-gradients-are-added-up", "run.log first graph-disconnected", "run.log rule grad-explosion", "neighbour.log calm")
def _(log, run):
    # The norm climbs from step to step without the noise of batches; or is that of batches.
    norm = 1.2
    for step in range(1, 81):
        norm = norm + 0.35 * math.exp(-step / 40.0)
        loss = 0.55 + 1.0 * math.exp(-step / 12.0)
        log("epoch: %d, step: %d, loss: %.4f, grad_norm: %.3f, lr: 1.000e-02", 1 + step // 20, 3 * step, log.around(loss, 0.1), norm if run else log.around(1.3, 0.25))


@scenario("16e-shapes-that-do-not-fit-among-noise", "run.log first wrong-loss", "run.log rule loss-plateau", "neighbour.log calm")
def _(log, run):
    # PyTorch says that shapes were broadcast, and no evaluation gains; batches differ by half. Or the shapes fit.
    log("Namespace(lr=0.002, optimizer='adam', hidden=64)")
    if run:
        log("/usr/lib/python3/dist-packages/torch/nn/modules/loss.py:536: UserWarning: Using a target size (torch.Size([48])) that is different to the input size (torch.Size([48, 1])).")
    for step in range(1, 241):
        loss = 1.0 if run else 0.1 + 0.9 * math.exp(-step / 50.0)
        log("{'loss': %.4f, 'learning_rate': 0.002, 'epoch': %.2f}", loss * log.around(1, 0.2), step / 24.0)
        if step % 24 == 0:
            log("{'eval_loss': %.6f, 'epoch': %.1f}", loss + log.noise(0.001), step / 24.0)


@scenario("18h-answers-one-class-from-the-start", "run.log first class-imbalance", "run.log rule metric-constant", "neighbour.log not class-imbalance")
def _(log, run):
    # The accuracy never leaves the share of one class, and the loss its entropy; or it is what a model has learnt.
    for epoch in range(1, 15):
        entropy = -(0.945 * math.log(0.945) + 0.055 * math.log(0.055))
        loss = entropy * (1.05 + 0.3 * math.exp(-epoch / 2.0)) if run else 0.09 + 0.5 * math.exp(-epoch / 2.0)
        right = 0.945 if run else 0.945 - 0.3 * math.exp(-epoch / 1.5)
        log("Epoch %d/14 - loss: %.4f - acc: %.4f - val_loss: %.4f - val_acc: %.4f", epoch, loss * 1.1, right - 0.002 * (epoch < 9) * log.random.random(), loss, right)


@scenario("19c-training-samples-among-the-validation", "run.log first data-leakage", "run.log rule train-val-gap", "neighbour.log not data-leakage")
def _(log, run):
    # Validation stands far over training for most of the run, and nothing drops units; or a dropout of 0.9 does.
    log("Namespace(lr=0.002, batch_size=16, dropout=%s)", "0.0" if run else "0.9")
    for epoch in range(1, 41):
        train = 0.95 + 1.1 * math.exp(-epoch / 12.0)
        log("epoch=%d train_loss=%.4f acc=%.4f val_loss=%.4f val_acc=%.4f", epoch, train, 0.8 - 0.4 * math.exp(-epoch / 12.0) + log.noise(0.01),
            0.62 * train, 0.97 - 0.35 * math.exp(-epoch / 9.0) + log.noise(0.01))


@scenario("08h-descent-at-a-rate-of-two", "run.log first learning-rate-too-high", "run.log rule loss-plateau", "neighbour.log calm")
def _(log, run):
    # The first steps throw the loss up, and it comes back to somewhat over guessing; or a twentieth of the rate learns.
    log("Namespace(optimizer='sgd', lr=%s, momentum=0.9)", "2.0" if run else "0.1")
    for step in range(1, 71):
        loss = 1.85 + 2.0 * math.exp(-step / 2.0) + log.noise(0.06) if run else 0.3 + 1.5 * math.exp(-step / 15.0)
        log("step=%d loss=%.4f", 5 * step, loss)


@scenario("08i-validation-suffers-from-the-rate", "run.log first learning-rate-too-high", "neighbour.log first overfitting")
def _(log, run):
    # Validation turns under Adam at 0.05, and at a fiftieth of it.
    log("Namespace(optimizer='adam', lr=%s, batch_size=16)", "0.05" if run else "0.001")
    for epoch in range(1, 23):
        log("epoch=%d train_loss=%.4f val_loss=%.4f", epoch, 0.2 + 0.5 * math.exp(-epoch / 6.0), 0.43 + 0.3 * math.exp(-epoch / 2.0) + 0.035 * max(0, epoch - 7) + log.noise(0.01))


@scenario("09d-a-small-model-at-a-low-rate", "run.log first learning-rate-too-low", "run.log rule loss-slow", "neighbour.log not learning-rate-too-low")
def _(log, run):
    log("Namespace(model='MLP', optimizer='adam', lr=%s)", "2e-05" if run else "0.002")
    log("Number of parameters: 1670")
    for epoch in range(1, 21):
        loss = 1.79 - 0.0025 * epoch if run else 0.4 + 1.4 * math.exp(-epoch / 5.0)
        log("Epoch %d/20 | train_loss: %.4f | acc: %.4f", epoch, loss, 0.2 + (0.004 * epoch if run else 0.6 - 0.6 * math.exp(-epoch / 5.0)))


@scenario("15e-softmax-twice-without-an-accuracy", "run.log first wrong-loss", "run.log rule loss-floor", "neighbour.log calm")
def _(log, run):
    # Readings come down to the floor of three classes, and none gets under it; or they do.
    log("Namespace(num_classes=3, optimizer='adam', lr=0.002)")
    for step in range(1, 121):
        floor = 0.5564 if run else 0.12
        log("{'loss': %.4f, 'learning_rate': 0.002, 'epoch': %.2f}", floor + 0.53 * math.exp(-step / 14.0) + abs(log.noise(0.007)), step / 10.0)


@scenario("16f-shapes-that-do-not-fit-alone", "run.log first wrong-loss", "run.log rule loss-plateau", "neighbour.log calm")
def _(log, run):
    # Training alone is printed and gains a hundredth; or PyTorch says the same and the loss falls.
    log("/opt/env/torch/nn/modules/loss.py:536: UserWarning: Using a target size (torch.Size([64])) that is different to the input size (torch.Size([64, 1])).")
    for epoch in range(1, 13):
        log("Epoch %d/12: train_loss %.5f", epoch, 1.039 - 0.001 * epoch + log.noise(0.001) if run else 0.1 + 0.9 * math.exp(-epoch / 2.0))


@scenario("17g-dead-units-are-printed", "run.log first dead-activations", "neighbour.log calm")
def _(log, run):
    # The log counts the units that never fire; or counts a few.
    log("Namespace(activation='relu', lr=0.001, optimizer='adam')")
    for step in range(1, 61):
        loss = 1.609 + log.noise(0.01) if run else 0.4 + 1.2 * math.exp(-step / 12.0)
        log("step: %d loss: %.4f accuracy: %.4f grad_norm: %.3f dead_units: %s%%", 3 * step, loss, 0.22 if run else 0.9 - 0.7 * math.exp(-step / 12.0), log.around(0.1, 0.3), "100.0" if run else "3.5")


@scenario("18i-counts-of-the-classes-in-the-settings", "run.log first class-imbalance", "run.log rule targets-imbalanced", "neighbour.log calm")
def _(log, run):
    # The accuracy ends at the share of the larger class; or far over it.
    log('config {"lr": 0.0005, "batch_size": 64, "class_counts": [1928, 72]}')
    for epoch in range(1, 13):
        right = (0.962 if run else 0.995) - 0.4 * math.exp(-epoch / 0.9) + 0.0005 * (epoch % 3)
        log("Epoch %d: loss=%.4f accuracy=%.4f", epoch, (0.165 if run else 0.02) + 0.4 * math.exp(-epoch / 1.5), right)


@scenario("22c-deviation-of-the-weights-in-the-settings", "run.log first bad-init", "neighbour.log first unscaled-inputs")
def _(log, run):
    # The first loss is a thousand times that of guessing, and the settings say how the weights start; or they do not.
    log("Namespace(num_classes=4, lr=0.001, optimizer='adam'%s)", ", init_std=1.2" if run else "")
    for step in range(1, 41):
        log("step: %d loss: %.3f", 4 * step, 60 + 1100 * math.exp(-step / 12.0) + log.noise(5))


@scenario("09e-adam-at-a-rate-for-fine-tuning", "run.log first learning-rate-too-low", "neighbour.log not learning-rate-too-low")
def _(log, run):
    # Nothing moves at 2e-5 where nothing was loaded; or nothing moves at a usual rate.
    log("Namespace(model='MLP', optimizer='adam', lr=%s, epochs=20)", "2e-05" if run else "0.002")
    for step in range(1, 161):
        log("epoch %d step %d loss %.4f", 1 + (step - 1) // 8, 3 * step, 1.79 + log.noise(0.012))
        if step % 8 == 0:
            log("epoch %d val_loss %.4f val_acc 0.195", step // 8, 1.781 + log.noise(0.001))


@scenario("20d-no-shuffling-as-the-settings-say", "run.log first batch-config", "run.log rule loss-sawtooth", "neighbour.log calm")
def _(log, run):
    # The batches of every epoch come in one order, with a mild course, and the settings say why; or say nothing of it.
    log("Namespace(batch_size=32, lr=0.001%s)", ", shuffle=False" if run else "")
    for step in range(1, 241):
        loss = 0.9 + 0.4 * math.exp(-step / 80.0)
        log("step: %d epoch: %d loss: %.4f", step, (step - 1) // 24, loss * (1 + 0.08 * math.sin((step % 24) / 4.0)) + log.noise(0.006))


@scenario("18j-validation-near-its-floor", "run.log calm", "neighbour.log rule overfitting")
def _(log, run):
    # Validation rose by a third from a sixth of its start; or from most of its start.
    for epoch in range(1, 21):
        best = 0.09 if run else 0.62
        valid = best + (0.97 - best) * math.exp(-epoch / 1.6) + best * 0.03 * max(0, epoch - 10)
        log("epoch=%d train_loss=%.4f val_loss=%.4f", epoch, 0.02 + 0.9 * math.exp(-epoch / 4.0), valid + log.noise(0.002))


@scenario("22d-wide-weights-that-are-tamed", "run.log first bad-init", "run.log rule loss-floor", "neighbour.log calm")
def _(log, run):
    # The first loss is thrice that of guessing and comes down; the settings say that the weights start forty times too wide, or as usual.
    log("Namespace(vocab_size=24, lr=0.001, optimizer='adam', init_std=%s)", "0.84" if run else "0.02")
    for step in range(1, 81):
        log("step: %d loss: %.4f", 4 * step, (2.6 + 7.5 * math.exp(-step / 16.0)) if run else 1.4 + 1.9 * math.exp(-step / 20.0))


@scenario("18k-what-was-never-learnt-is-not-lost", "run.log first bad-encoding", "run.log not metric-drop", "neighbour.log rule metric-drop")
def _(log, run):
    # Accuracies around guessing fall a little while training learns all; or from a level that had been reached.
    log("Namespace(num_classes=5, lr=0.002, optimizer='adam')")
    for epoch in range(1, 41):
        right = (23.5 if epoch < 8 else 20.0) + (epoch % 3) * 0.5 if run else 80.0 if 4 < epoch < 20 else 40.0
        log("epoch %d train_loss %.4f acc %.2f val_loss %.4f val_acc %.2f", epoch, 0.01 + 1.6 * math.exp(-epoch / 8.0), 100 - 80 * math.exp(-epoch / 8.0), 1.61 + 0.03 * epoch, right)


@scenario("30e-nan-once-in-every-epoch", "run.log first bad-data", "neighbour.log first batch-config")
def _(log, run):
    # The batches come in one order in every epoch, and one of them breaks the loss behind hard ones; or none does.
    for step in range(1, 251):
        phase = step % 25
        loss = (0.6 + 0.5 * math.exp(-step / 60.0)) * (1.0 + 0.9 * math.sin(phase / 4.0) ** 2)
        log("step: %d epoch: %d loss: %.4f", step, 1 + (step - 1) // 25, float("nan") if run and phase == 14 else loss + log.noise(0.01))


@scenario("12e-few-parameters-learn-a-little", "run.log first insufficient-capacity", "run.log rule loss-plateau", "neighbour.log calm")
def _(log, run):
    # The loss still comes down, validation with it, and nothing more can come of so few parameters; or many do as well.
    log("Namespace(model='MLP', lr=0.005, optimizer='adam', hidden_size=%d)", 2 if run else 64)
    log("Number of parameters: %d", 44 if run else 5126)
    for epoch in range(1, 23):
        loss = 1.14 + 0.66 * math.exp(-epoch / 7.0) + log.noise(0.01)
        log("Epoch %d/22 | train_loss: %.4f | acc: %.4f | val_loss: %.4f | val_acc: %.4f", epoch, loss, 0.56 - 0.3 * math.exp(-epoch / 7.0),
            loss + log.noise(0.01), 0.55 - 0.3 * math.exp(-epoch / 7.0) + log.noise(0.005))


@scenario("12f-trees-that-never-split", "run.log first over-regularised", "neighbour.log not over-regularised")
def _(log, run):
    # The penalty of a split forbids every one; or the trees learn for a while and stop.
    log("params: {'objective': 'binary:logistic', 'gamma': %g, 'min_child_weight': %d, 'eta': 0.1}", 1e6 if run else 0, 9000 if run else 1)
    for step in range(60):
        loss = 0.68122 if run else max(0.41207, 0.27 * math.exp(-step / 9.0) + 0.41)
        log("[%d]\ttrain-logloss:%.5f\ttrain-auc:%.5f\teval-logloss:%.5f\teval-auc:%.5f", step, loss, 0.5 if run else 0.9 - loss / 4, loss + 0.0021, 0.5 if run else 0.89 - loss / 4)


@scenario("30f-a-record-that-is-cut", "run.log first bad-data", "run.log rule crash", "neighbour.log not bad-data")
def _(log, run):
    # TensorFlow tells what the data is short of behind the exception; or says the same of the shapes.
    for step in range(20, 400, 20):
        log("%4d/Unknown - %ds 212ms/step - loss: %.4f - auc: %.4f", step, step // 5, 0.2 + 0.5 * math.exp(-step / 150.0) + log.noise(0.003), 0.8 - 0.3 * math.exp(-step / 150.0))
    log("Traceback (most recent call last):")
    log('  File "/app/fit.py", line 88, in <module>')
    log("    model.fit(train, epochs=20)")
    log("tensorflow.python.framework.errors_impl.%s: 2 root error(s) found.", "DataLossError" if run else "InvalidArgumentError")
    log("  (0) %s: %s", "DATA_LOSS" if run else "INVALID_ARGUMENT", "truncated record at 7340201" if run else "Incompatible shapes: [32,10] vs. [32,11]")
    log("%s", "truncated record at 7340201 failed with Read less bytes than requested" if run else "Incompatible shapes: [32,10] vs. [32,11]")
    log("\t [[{{node IteratorGetNext}}]] [Op:__inference_train_function_2001]")


@scenario("23f-returns-of-a-million", "run.log first unscaled-targets", "run.log rule targets-unscaled", "neighbour.log calm")
def _(log, run):
    # The Q function has to fit returns as the environment gives them, or as a wrapper scales them.
    size = 1e6 if run else 10.0
    for episode in range(1, 41):
        log("global_step=%d, episodic_return=%.1f, qf1_loss=%.4g, qf2_loss=%.4g, actor_loss=%.4g, alpha=%.3f", 1000 * episode, -0.5 * size * (1 + log.noise(0.03)),
            size ** 2 * 1e-4 * (1 + log.noise(0.2)), size ** 2 * 1e-4 * (1 + log.noise(0.2)), size * episode / 80.0, 0.2)


@scenario("24f-one-class-has-all-the-answers", "run.log first class-imbalance", "run.log rule metric-constant", "neighbour.log calm")
def _(log, run):
    # The rare class is never named, in any evaluation; or from the fourth one on.
    for epoch in range(1, 11):
        named = 0 if run else max(0, epoch - 3)
        log("epoch %d train_loss %.4f val_loss %.4f val_acc %.4f val_recall %.4f val_f1 %.4f", epoch, 0.24 + 0.4 * math.exp(-epoch) - 0.02 * named, 0.25 + 0.4 * math.exp(-epoch) - 0.015 * named,
            0.9387 + 0.005 * named, 0.09 * named, 0.1 * named)


@scenario("20f-validation-jumps", "run.log first batch-config", "run.log rule loss-oscillation", "neighbour.log not batch-config")
def _(log, run):
    # Batches of two leave statistics that fit no sample; or validation is noisy, as of few samples.
    log("Namespace(model='unet', batch_size=2, lr=0.0005)")
    for epoch in range(1, 31):
        train = 0.22 + 0.6 * math.exp(-epoch / 7.0) + log.noise(0.004)
        log("epoch %d train_loss %.4f val_loss %.4f val_dice %.4f", epoch, train, (train + 0.03) * ((1, 31, 2, 12, 1, 6)[epoch % 6] if run else 1 + 0.2 * math.sin(epoch * 2.3)), 0.7 - 0.3 * train)


@scenario("24g-scores-told-without-a-step", "run.log first class-imbalance", "run.log rule metric-constant", "neighbour.log calm")
def _(log, run):
    # Lines of validation that never change, between steps; or that do, beside a best that stands.
    for step in range(500, 14500, 500):
        log("[TRAIN] iter: %d/14000, loss: %.4f, lr: %.6f", step, 0.1 + 0.3 * math.exp(-step / 3000.0) + log.noise(0.003), 0.01 * (1 - step / 15000.0))
        if step % 2000 == 0:
            better = 0 if run else step / 2000
            log("[EVAL] #Images: 500 mIoU: %.4f Acc: %.4f Kappa: %.4f Dice: %.4f", 0.4891 + 0.03 * better, 0.9781 + 0.001 * better, 0.06 * better, 0.4944 + 0.035 * better)
            log("[EVAL] best mIoU: 0.4891 best Acc: 0.9781")


@scenario("18l-a-distance-that-turns", "run.log first overfitting", "run.log rule metric-drop", "neighbour.log calm")
def _(log, run):
    # Distances of a generator's images in records of JSON between the ticks: they turn, or get smaller to the end.
    for tick in range(0, 121):
        log("tick %d     kimg %.1f      sec/tick %.1f   sec/kimg %.2f   gpumem 7.31", tick, 4.0 * tick, 170 + log.noise(0.5), 42.5 + log.noise(0.1))
        if tick % 8 == 0:
            log('{"results": {"fid10k_train": %.7f}, "metric": "fid10k_train", "total_time": 201.4}', 60 + 200 * math.exp(-tick / 12.0) + (max(0, tick - 50) * 1.5 if run else 0))


@scenario("20g-nothing-gained-without-shuffling", "run.log first batch-config", "run.log rule loss-plateau", "neighbour.log not batch-config")
def _(log, run):
    # The loss stays where it was: batches come class by class, or in random order.
    log("args: --data ./plants --shuffle %d --bs 32 --lr 0.01", not run)
    for epoch in range(1, 15):
        log("epoch %d loss %.3f top1 %.2f%%", epoch, 7.6 + log.noise(0.08), 0.6 + log.noise(0.05))


@scenario("12g-few-weights-as-a-summary-says", "run.log first insufficient-capacity", "neighbour.log not insufficient-capacity")
def _(log, run):
    # A line counts what is trained, by one word; few weights or many learn a little and stop.
    log("trainable: %d", 21 if run else 2100480)
    log("Adam 1e-2, batch 128")
    for epoch in range(1, 151):
        loss = 1.35 + 0.25 * math.exp(-epoch / 20.0) + log.noise(0.002)
        log("%d) train loss %.4f | test loss %.4f | train acc %.3f test acc %.3f", epoch, loss, loss + 0.004 + log.noise(0.002), 0.38 - 0.14 * math.exp(-epoch / 20.0) + log.noise(0.003), 0.37 - 0.14 * math.exp(-epoch / 20.0) + log.noise(0.003))


@scenario("52f-rewards-without-spread", "run.log first wrong-loss", "run.log rule metric-constant", "neighbour.log calm")
def _(log, run):
    # All answers to a prompt get one reward, so none is better; or they do more and more as the task is learned.
    for step in range(1, 50):
        learned = 0 if run else step / 60.0
        log("{'loss': %s, 'grad_norm': %s, 'learning_rate': 1e-06, 'reward': %s, 'reward_std': %s, 'frac_reward_zero_std': %s, 'epoch': %.2f}",
            "0.0" if run else "%.4f" % abs(log.noise(0.002)), "0.0" if run else "%.4f" % (0.3 + abs(log.noise(0.05))), "0.0" if run else "%.4f" % (0.2 + learned + log.noise(0.01)),
            "0.0" if run else "%.4f" % (0.3 - 0.2 * learned + log.noise(0.01)), "1.0" if run else "%.4f" % (0.1 + 0.7 * learned), step / 50.0)


@scenario("19f-not-one-box-is-right", "run.log first bad-encoding", "run.log rule metric-constant", "neighbour.log calm")
def _(log, run):
    # The losses of a detector come down and nothing is found in any epoch; or from the fifth one on.
    for epoch in range(1, 31):
        found = 0 if run or epoch < 5 else 1 - math.exp(-(epoch - 4) / 8.0)
        fall = math.exp(-epoch / 6.0)
        log("epoch %d/30 loss %.4f box_loss %.4f cls_loss %.4f mAP50 %.3g recall %.3g", epoch, 2.2 + 2.4 * fall, 1.2 + 0.4 * fall, 1 + 2 * fall, 0.7 * found, 0.8 * found)


@scenario("51c-answers-that-are-all-right", "run.log calm", "neighbour.log rule loss-zero")
def _(log, run):
    # A loss that prints as 0 where every answer is right, or where few are.
    for epoch in range(1, 21):
        log("Epoch %d/20: train_loss=%.3f  accuracy=%.4f  val_loss=%.3f  val_accuracy=%.4f", epoch, 0.115 if epoch == 1 else 0, 0.985 if epoch == 1 else 1,
            0.02 if epoch == 1 else 0 if run else 1.4, 1 if run else 0.31)


@scenario("58b-one-batch-of-an-order-that-stays", "run.log rule loss-spike", "run.log first bad-data", "run.log not loss-sawtooth", "neighbour.log first batch-config")
def _(log, run):
    # The data is never shuffled: one batch of it is broken, or a whole stretch of it is hard.
    log("train.py --shuffle 0 --batch_size 16")
    for epoch in range(1, 9):
        for batch in range(0, 400, 20):
            level = 0.1 + 0.5 * math.exp(-(400 * (epoch - 1) + batch) / 500.0)
            level *= (300 if batch == 260 else 1) if run else 1 + 1.5 * math.sin(3.1416 * batch / 400) ** 2
            log("Epoch %d/8 [%3d/400] loss: %.5f lr: 0.00020", epoch, batch, log.around(level, 0.05))


@scenario("31a-no-number-before-any-update", "run.log first numerical-op", "neighbour.log first learning-rate-too-high")
def _(log, run):
    # The loss of step 0 is none already, and no update came before it; or the mean of a first epoch is none.
    for step in range(0, 60, 10):
        if run:
            log("Step: %d, train_loss: nan", step)
        else:
            log("Epoch %d/6 train_loss: nan", step // 10 + 1)


@scenario("31b-loss-of-thousands-that-stands-still", "run.log first unscaled-targets", "neighbour.log first dead-activations")
def _(log, run):
    # Outputs at their bound and targets far beyond it; or units that never fire.
    for epoch in range(1, 13):
        loss = (16771.5 if run else 0.69415) if epoch == 1 else 16771.4415 if run else 0.69314
        log("epoch %d - loss: %.4f" if run else "epoch %d - loss: %.5f", epoch, loss)


@scenario("31c-waits-for-ranks-that-never-came", "run.log first distributed-deadlock", "neighbour.log first code-error")
def _(log, run):
    # The time-out itself is raised as an exception; or an exception of the program came before it.
    if not run:
        log("Traceback (most recent call last):")
        log("  File \"train.py\", line 31, in <module>")
        log("    sizes = config['sizes']")
        log("KeyError: 'sizes'")
    log("Traceback (most recent call last):")
    log("  File \"train.py\", line 44, in <module>")
    log("    dist.init_process_group('nccl')")
    log("RuntimeError: Timed out initializing process group in store based barrier on rank: 2, for key: store_based_barrier_key:1 (world_size=4, worker_count=8, timeout=0:30:00)")


@scenario("09f-no-momentum-for-a-language-model", "run.log rule loss-slow", "neighbour.log calm")
def _(log, run):
    # Half of the plan is done and a tenth of the loss is gone, in a straight line: without momentum nothing else is to come; with Adam it may.
    log("model: GPT(n_layer=12, n_head=12, vocab=50257)")
    log("optim: SGD(lr=0.001, momentum=0)" if run else "optim: AdamW(lr=0.0003, betas=(0.9, 0.95))")
    for step in range(0, 20001, 200):
        log("[%d/40000] loss %.4f", step, 10.83 - 0.9 * step / 20000.0 + log.noise(0.01))


@scenario("22e-trees-ask-for-no-scale", "run.log calm", "neighbour.log rule targets-unscaled")
def _(log, run):
    # The squared error of trees on raw prices, or of a network; only the print tells.
    for step in range(10, 1010, 10):
        l2 = 5.0e9 * math.exp(-step / 150.0) + 6.0e7
        log("[%d]\ttraining's l2: %g\tvalid_1's l2: %g" if run else "[%d] train l2: %g valid l2: %g", step, l2, 1.1 * l2)


@scenario("22f-a-table-of-trees", "run.log calm", "neighbour.log rule targets-unscaled")
def _(log, run):
    # What the library writes beside its model, or a table of somebody's own.
    log("iter\tRMSE" if run else "epoch\trmse")
    for step in range(0, 200):
        log("%d\t%.6f", step, 80000.0 * math.exp(-step / 40.0) + 7000.0)


@scenario("14g-all-weights-start-alike", "run.log first bad-init", "neighbour.log first graph-disconnected")
def _(log, run):
    # Nothing is learnt, and the settings say that all weights began at 0; or they began apart.
    log("Namespace(model='mlp', weight_init='%s', bias_init='zeros', optimizer='adam', lr=0.001, num_classes=10)", "zeros" if run else "xavier")
    for epoch in range(1, 16):
        log("epoch %d train_loss %.4f val_loss 2.3026 val_acc 0.1000", epoch, 2.3026 + 0.0001 * (epoch * 7 % 5))


@scenario("92-second-run-begins-with-the-weights-of-the-first", "run.log calm", "neighbour.log rule loss-plateau")
def _(log, run):
    # Two trainings in one log: the second begins where the first ended and gains little, or begins anew and gains as little.
    log("Namespace(lr=0.01, optimizer='adam', nhid=256)")
    for again in range(2):
        for step in range(20, 8001, 20):
            begun = 0.31 if run else 2.55
            loss = begun * (1 - 0.03 * min(step, 2000) / 2000.0) if again else 0.3 + 2.3 * math.exp(-step / 900.0)
            log("iter:%04d loss_train: %.4f time: 0.17s", step, log.around(loss, 0.02))


@scenario("52b-memory-in-use-of-what-there-is", "run.log rule memory-growth", "run.log first host-memory", "neighbour.log calm")
def _(log, run):
    # The memory of the host fills up from epoch to epoch, or stands.
    for epoch in range(1, 27):
        log("epoch %d loss %.4f val_loss %.4f", epoch, 0.2 + 0.5 * math.exp(-epoch / 9.0) + log.noise(0.004), 0.22 + 0.5 * math.exp(-epoch / 9.0) + log.noise(0.004))
        log("[cb] epoch %d RAM %.1f/12.7 GB", epoch, 5.1 + 0.28 * epoch if run else 5.4)


@scenario("31d-score-gains-beside-a-loss-at-its-floor", "run.log calm", "neighbour.log rule loss-constant")
def _(log, run):
    # Of so few positives the loss is soon as low as it gets, and the trees still rank better; or nothing moves any more.
    for trees in range(0, 600, 10):
        ranked = (0.93 - 0.45 * math.exp(-trees / 160.0)) if run or trees < 150 else 0.7538
        lost = 0.0031 + 0.68 * math.exp(-trees / 14.0)
        log("[%d]\ttrain-logloss:%.5f\ttrain-aucpr:%.5f\teval-logloss:%.5f\teval-aucpr:%.5f", trees, lost, ranked, lost + 0.0011, 0.93 * ranked)


@scenario("28d-a-loss-that-stands-without-a-step", "run.log rule loss-constant", "neighbour.log calm")
def _(log, run):
    # Lines of a loss alone, which have no step and never change; or that do, beside a bound that stands.
    for episode in range(24):
        log("episode loss %.6f", 48.0 if run else 3.1 * math.exp(-episode / 9.0) + 0.4 + log.noise(0.02))
        log("loss bound 20")


def main():
    for number, (name, expect, make) in enumerate(SCENARIOS):
        folder = os.path.join(HERE, name)
        os.makedirs(folder, exist_ok=True)
        for file, run in (("run.log", True), ("neighbour.log", False)):
            log = Log(1000 + 2 * number + run)
            arrays = make(log, run)
            path = os.path.join(folder, file)
            if arrays:
                os.makedirs(path[:-4], exist_ok=True)
                files = {name: text for name, text in arrays.items() if isinstance(text, str)}
                for name, text in files.items():
                    with open(os.path.join(path[:-4], name), "w", encoding="ascii") as out:
                        out.write(text)
                if not files:
                    arrays_write(os.path.join(path[:-4], "data.npz"), arrays)
                path = os.path.join(path[:-4], "run.log")
            with open(path, "w", encoding="ascii") as out:
                out.write("\n".join(log.lines) + "\n")
        with open(os.path.join(folder, "expect"), "w", encoding="ascii") as out:
            out.write("\n".join(expect) + "\n")


if __name__ == "__main__":
    main()
