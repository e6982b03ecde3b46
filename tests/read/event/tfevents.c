/* Event files made here, byte by byte, whole and damaged. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "read/heard.h"

#include "../src/read/crc32c.h"

extern const struct format format_tfevents;

struct made {
    uint8_t data[8192];
    size_t size;
};

static void put(struct made *made, const void *data, size_t size)
{
    assert_true(made->size + size <= sizeof(made->data));
    memcpy(made->data + made->size, data, size);
    made->size += size;
}

static void put_byte(struct made *made, unsigned byte)
{
    uint8_t one = (uint8_t)byte;
    put(made, &one, 1);
}

static void put_part(struct made *made, unsigned field, const struct made *part)
{
    put_byte(made, field << 3 | 2);
    assert_true(part->size < 16384);
    put_byte(made, (unsigned)(part->size & 127) | (part->size > 127 ? 128 : 0));
    if (part->size > 127)
        put_byte(made, (unsigned)(part->size >> 7));
    put(made, part->data, part->size);
}

static void put_record(struct made *made, const struct made *data)
{
    uint64_t size = data->size;
    uint32_t crc = crc32c_masked(crc32c(0, (const uint8_t *)&size, 8));
    put(made, &size, 8);
    put(made, &crc, 4);
    put(made, data->data, data->size);
    crc = crc32c_masked(crc32c(0, data->data, data->size));
    put(made, &crc, 4);
}

static struct made event_head(unsigned step)
{
    struct made event = {.size = 0};
    double time = 1700000000;
    put_byte(&event, 9);
    put(&event, &time, 8);
    if (step) {
        put_byte(&event, 16);
        put_byte(&event, step);
    }
    return event;
}

static struct made simple_value(const char *tag, float number)
{
    struct made value = {.size = 0}, name = {.size = 0};
    put(&name, tag, strlen(tag));
    put_part(&value, 1, &name);
    put_byte(&value, 2 << 3 | 5);
    put(&value, &number, 4);
    return value;
}

/* float_val in a rank-0 tensor, as tf.summary.scalar of TF 2 writes it. */
static struct made tensor_value(const char *tag, float number)
{
    struct made value = {.size = 0}, name = {.size = 0}, tensor = {.size = 0};
    put(&name, tag, strlen(tag));
    put_part(&value, 1, &name);
    put(&tensor, "\x08\x01\x12\x00\x2a\x04", 6);
    put(&tensor, &number, 4);
    put_part(&value, 8, &tensor);
    return value;
}

static void put_step(struct made *file, unsigned step, const struct made *a, const struct made *b)
{
    struct made event = event_head(step), summary = {.size = 0};
    put_part(&summary, 1, a);
    if (b)
        put_part(&summary, 1, b);
    put_part(&event, 5, &summary);
    put_record(file, &event);
}

static struct made run(void)
{
    struct made file = {.size = 0}, version = event_head(0), name = {.size = 0};
    put(&name, "brain.Event:2", 13);
    put_part(&version, 3, &name);
    put_record(&file, &version);
    for (unsigned step = 0; step < 3; step++) {
        struct made loss = simple_value("train/loss", 2.0f - (float)step * 0.5f);
        struct made val = tensor_value("val/loss", 3.0f);
        put_step(&file, step, &loss, &val);
    }
    return file;
}

static void reads_scalars_of_both_encodings(void **unused)
{
    (void)unused;
    static struct heard heard;
    struct made file = run();
    struct error error = {0};
    assert_true(heard_read(&heard, &format_tfevents, file.data, file.size, "e", 0, &error));
    assert_string_equal(heard.text, "step 0 train/loss=2\nstep 1 train/loss=1.5\n"
                                    "step 2 train/loss=1\nstep 0 val:val/loss=3\n"
                                    "step 1 val:val/loss=3\nstep 2 val:val/loss=3\n");
}

static void takes_the_phase_from_the_folder(void **unused)
{
    (void)unused;
    static struct heard heard;
    struct made file = {.size = 0}, value = simple_value("epoch_loss", 1);
    struct error error = {0};
    put_step(&file, 1, &value, NULL);
    assert_true(heard_read(&heard, &format_tfevents, file.data, file.size,
                           "logs/validation/events.out.tfevents.1", 0, &error));
    assert_string_equal(heard.text, "step 1 val:epoch_loss=1\n");
}

static void goes_on_behind_a_record_that_fails_its_checksum(void **unused)
{
    (void)unused;
    static struct heard heard;
    struct made file = {.size = 0}, value = simple_value("loss", 1);
    struct error error = {0};
    put_step(&file, 1, &value, NULL);
    size_t second = file.size;
    put_step(&file, 2, &value, NULL);
    put_step(&file, 3, &value, NULL);
    file.data[second + 14] ^= 1;
    assert_false(heard_read(&heard, &format_tfevents, file.data, file.size, "e", 0, &error));
    assert_int_equal(error.kind, ERROR_CHECKSUM);
    assert_int_equal(error.place.offset, second);
    assert_string_equal(heard.text, "step 1 loss=1\nstep 3 loss=1\n");
}

static void stops_at_a_length_that_fails_its_checksum(void **unused)
{
    (void)unused;
    static struct heard heard;
    struct made file = {.size = 0}, value = simple_value("loss", 1);
    struct error error = {0};
    put_step(&file, 1, &value, NULL);
    size_t second = file.size;
    put_step(&file, 2, &value, NULL);
    file.data[second + 1] ^= 4;
    assert_false(heard_read(&heard, &format_tfevents, file.data, file.size, "e", 0, &error));
    assert_int_equal(error.kind, ERROR_CHECKSUM);
    assert_int_equal(heard.rows, 1);
}

static void says_a_cut_at_every_length(void **unused)
{
    (void)unused;
    static struct heard heard;
    struct made file = run();
    for (size_t size = 0; size < file.size; size++) {
        struct error error = {0};
        bool sound = heard_read(&heard, &format_tfevents, file.data, size, "e", 0, &error);
        assert_true(sound || size == 0 ||
                    error.kind == (heard.rows ? ERROR_TRUNCATED : ERROR_MALFORMED));
    }
}

static void fails_cleanly_where_memory_ends(void **unused)
{
    (void)unused;
    static struct heard heard;
    struct made file = run();
    bool sound = false;
    for (size_t limit = 1; !sound; limit += 512) {
        struct error error = {0};
        sound = heard_read(&heard, &format_tfevents, file.data, file.size, "e", limit, &error);
        assert_true(sound || error.kind == ERROR_MEMORY);
        assert_true(limit < 1 << 22);
    }
}

static void keeps_nan_and_infinity(void **unused)
{
    (void)unused;
    static struct heard heard;
    struct made file = {.size = 0}, a = simple_value("loss", NAN), b = simple_value("n", INFINITY);
    struct error error = {0};
    put_step(&file, 1, &a, &b);
    assert_true(heard_read(&heard, &format_tfevents, file.data, file.size, "e", 0, &error));
    assert_string_equal(heard.text, "step 1 loss=nan\nstep 1 n=inf\n");
}

/* The usual record has a short way of its own: what is written otherwise must say the same. */
static void reads_a_scalar_however_its_fields_are_laid(void **unused)
{
    (void)unused;
    static struct heard heard;
    struct made file = {.size = 0}, usual = simple_value("loss", 2.5f), turned = {.size = 0};
    struct error error = {0};
    put_step(&file, 1, &usual, NULL);
    struct made described = usual, metadata = {.size = 0};
    put_part(&described, 9, &metadata);
    put_step(&file, 2, &described, NULL);
    float number = 1.5f;
    put_byte(&turned, 2 << 3 | 5);
    put(&turned, &number, 4);
    put(&turned, "\x0a\x04loss", 6);
    put_step(&file, 3, &turned, NULL);
    struct made event = event_head(4), summary = {.size = 0};
    put_part(&summary, 1, &usual);
    put_part(&event, 5, &summary);
    put(&event, "\x18\x07", 2); /* a field of a later version */
    put_record(&file, &event);
    assert_true(heard_read(&heard, &format_tfevents, file.data, file.size, "e", 0, &error));
    assert_string_equal(heard.text, "step 1 loss=2.5\nstep 2 loss=2.5\n"
                                    "step 3 loss=1.5\nstep 4 loss=2.5\n");
}

/* A name that reaches over its record's end, in a record whose checksums hold. */
static void leaves_a_scalar_whose_name_overruns(void **unused)
{
    (void)unused;
    static struct heard heard;
    struct made file = {.size = 0}, value = simple_value("loss", 2.5f);
    struct error error = {0};
    put_step(&file, 1, &value, NULL);
    value.data[1] = 60;
    put_step(&file, 2, &value, NULL);
    assert_true(heard_read(&heard, &format_tfevents, file.data, file.size, "e", 0, &error));
    assert_string_equal(heard.text, "step 1 loss=2.5\n");
}

static void wins_by_its_first_record(void **unused)
{
    (void)unused;
    struct made file = run();
    assert_int_equal(format_tfevents.probe((struct span){file.data, file.size}, TEXT("x")), 99);
    assert_int_equal(
        format_tfevents.probe((struct span){(const uint8_t *)"loss: 1\nloss: 2\n", 16}, TEXT("x")),
        0);
    assert_true(format_tfevents.probe((struct span){NULL, 0}, TEXT("events.out.tfevents.1.h")) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_scalars_of_both_encodings),
        cmocka_unit_test(takes_the_phase_from_the_folder),
        cmocka_unit_test(goes_on_behind_a_record_that_fails_its_checksum),
        cmocka_unit_test(stops_at_a_length_that_fails_its_checksum),
        cmocka_unit_test(says_a_cut_at_every_length),
        cmocka_unit_test(fails_cleanly_where_memory_ends),
        cmocka_unit_test(keeps_nan_and_infinity),
        cmocka_unit_test(reads_a_scalar_however_its_fields_are_laid),
        cmocka_unit_test(leaves_a_scalar_whose_name_overruns),
        cmocka_unit_test(wins_by_its_first_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
