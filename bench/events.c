/* Writes an event file to standard output: events RECORDS [TAGS [IMAGE]]. The records are small
   scalars; with IMAGE, an image of so many bytes follows each tenth of them. */
/* SPDX-License-Identifier: MIT */
#include "../src/read/crc32c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_u64(uint8_t *out, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        out[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t masked(const uint8_t *data, size_t size)
{
    return crc32c_masked(crc32c(0, data, size));
}

static void record_write(const uint8_t *data, size_t size)
{
    uint8_t head[12], tail[4];
    put_u64(head, size, 8);
    put_u64(head + 8, masked(head, 8), 4);
    put_u64(tail, masked(data, size), 4);
    fwrite(head, 1, sizeof head, stdout);
    fwrite(data, 1, size, stdout);
    fwrite(tail, 1, sizeof tail, stdout);
}

static size_t varint(uint8_t *out, uint64_t value)
{
    size_t size = 0;
    for (; value > 127; value >>= 7)
        out[size++] = (uint8_t)(value | 128);
    out[size++] = (uint8_t)value;
    return size;
}

static size_t event_make(uint8_t *out, double time, uint64_t step, const char *tag, float number)
{
    size_t name = strlen(tag), at = 0;
    out[at++] = 0x09;
    memcpy(out + at, &time, 8);
    at += 8;
    out[at++] = 0x10;
    at += varint(out + at, step);
    out[at++] = 0x2a; /* summary { value { tag, simple_value } } */
    out[at++] = (uint8_t)(name + 9);
    out[at++] = 0x0a;
    out[at++] = (uint8_t)(name + 7);
    out[at++] = 0x0a;
    out[at++] = (uint8_t)name;
    memcpy(out + at, tag, name);
    at += name;
    out[at++] = 0x15;
    memcpy(out + at, &number, 4);
    return at + 4;
}

/* summary { value { tag: "image", image { encoded_image_string } } }, its bytes arbitrary */
static void image_write(double time, uint64_t step, size_t size)
{
    uint8_t *out = calloc(1, size + 128), inner[16], value[16];
    size_t at = 0, in = 0, of = 0;
    if (!out)
        abort();
    inner[in++] = 0x22;
    in += varint(inner + in, size);
    value[of++] = 0x22;
    of += varint(value + of, in + size);
    out[at++] = 0x09;
    memcpy(out + at, &time, 8);
    at += 8;
    out[at++] = 0x10;
    at += varint(out + at, step);
    uint8_t length[16];
    size_t whole = 7 + of + in + size, digits = varint(length, whole);
    out[at++] = 0x2a;
    at += varint(out + at, 1 + digits + whole);
    out[at++] = 0x0a;
    memcpy(out + at, length, digits);
    memcpy(out + at + digits, "\x0a\x05image", 7);
    at += digits + 7;
    memcpy(out + at, value, of);
    memcpy(out + at + of, inner, in);
    at += of + in;
    for (size_t i = 0; i < size; i++)
        out[at + i] = (uint8_t)(i * 73 + step);
    record_write(out, at + size);
    free(out);
}

int main(int argc, char **argv)
{
    uint64_t records = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    uint64_t tags = argc > 2 ? strtoull(argv[2], NULL, 10) : 4;
    size_t image = argc > 3 ? (size_t)strtoull(argv[3], NULL, 10) : 0;
    static const char *const names[] = {
        "train/loss",   "train/grad_norm", "train/lr",       "val/loss",
        "speed/tokens", "memory/gpu",      "train/accuracy", "other"};
    uint8_t event[128] = {0x09, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a, 13};
    memcpy(event + 11, "brain.Event:2", 13);
    record_write(event, 24);
    for (uint64_t i = 0; i < records; i++) {
        uint64_t step = i / tags;
        float number =
            (float)(2 + 1.0 / (1 + (double)step * 1e-3) + (double)(i * 7919 % 97) * 1e-3);
        record_write(event,
                     event_make(event, 1.7e9 + (double)step, step, names[i % tags % 8], number));
        if (image && i % 10 == 9)
            image_write(1.7e9 + (double)step, step, image);
    }
    return 0;
}
