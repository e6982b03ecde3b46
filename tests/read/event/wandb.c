/* wandb transaction logs as readings, settings and messages. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

#include <zlib.h>

extern const struct format format_wandb;

struct made {
    char data[1 << 17];
    size_t size;
};

static void put(struct made *made, const void *data, size_t size)
{
    assert_true(made->size + size <= sizeof(made->data));
    memcpy(made->data + made->size, data, size);
    made->size += size;
}

static void put_varint(struct made *made, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put(made, &(char){(char)(value | 0x80)}, 1);
    put(made, &(char){(char)value}, 1);
}

static void put_bytes(struct made *made, uint32_t number, const void *data, size_t size)
{
    put_varint(made, (uint64_t)number << 3 | 2);
    put_varint(made, size);
    put(made, data, size);
}

/* One item: key and JSON value. */
static void put_item(struct made *made, uint32_t number, const char *key, const char *value)
{
    static struct made item;
    item.size = 0;
    put_bytes(&item, 2, key, strlen(key));
    put_bytes(&item, 16, value, strlen(value));
    put_bytes(made, number, item.data, item.size);
}

static void put_part(struct made *made, char type, const char *data, size_t size)
{
    uint8_t header[7] = {0, 0, 0, 0, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)type};
    uLong crc = crc32(crc32(0, (const Bytef *)&header[6], 1), (const Bytef *)data, (uInt)size);
    for (int i = 0; i < 4; i++)
        header[i] = (uint8_t)(crc >> 8 * i);
    put(made, header, sizeof(header));
    put(made, data, size);
}

/* A record of one field, parted where a block ends. */
static void put_record(struct made *made, uint32_t number, const struct made *message)
{
    enum { BLOCK = 32 << 10, HEADER = 7 };
    static struct made record;
    record.size = 0;
    put_bytes(&record, number, message->data, message->size);
    for (size_t at = 0; at < record.size || at == 0;) {
        size_t left = BLOCK - made->size % BLOCK;
        if (left < HEADER) {
            put(made, "\0\0\0\0\0\0", left);
            continue;
        }
        size_t part = record.size - at < left - HEADER ? record.size - at : left - HEADER;
        bool first = at == 0, last = at + part == record.size;
        put_part(made, first && last ? 1 : first ? 2 : last ? 4 : 3, record.data + at, part);
        at += part;
    }
}

static void put_history(struct made *made, const char *step, const char *loss)
{
    static struct made row;
    row.size = 0;
    put_item(&row, 1, "train/loss", loss);
    put_item(&row, 1, "train/global_step", step);
    put_item(&row, 1, "_timestamp", "1.7e9");
    put_record(made, 2, &row);
}

static void make(struct made *made)
{
    static struct made message;
    made->size = 0;
    put(made, ":W&B\xE1\xBE\0", 7);
    message.size = 0;
    put_item(&message, 1, "optim", "\"adamw_torch\"");
    put_item(&message, 1, "peft", "{\"r\": 8, \"on\": true}");
    put_record(made, 5, &message);
    put_history(made, "10", "2.5");
    message.size = 0;
    put_bytes(&message, 3, "saving checkpoint 1\nloss 9", 26);
    put_record(made, 13, &message);
    message.size = 0;
    put_item(&message, 3, "gpu.0.gpu", "90.0");
    put_item(&message, 3, "gpu.process.0.gpu", "35.0");
    put_item(&message, 3, "gpu.process.1.gpu", "40.0");
    put_item(&message, 3, "cpu", "3.0");
    put_bytes(&message, 2, "\x08\x80\xF0\x8E\xAA\x06", 6);
    put_record(made, 7, &message);
    put_history(made, "20", "\"NaN\"");
    message.size = 0;
    put_varint(&message, 2 << 3);
    put_varint(&message, 100);
    put_record(made, 18, &message);
}

static const char *const expected = "0: set optim=adamw_torch\n"
                                    "0: set peft/r=8\n"
                                    "0: set peft/on=true\n"
                                    "0: step 10 grain 1: train/loss=2.5 t=1700000000\n"
                                    "1: event 2\n"
                                    "0: grain 0: gpu_util=40 t=1698936832\n"
                                    "0: step 20 grain 1: train/loss=nan t=1700000000\n"
                                    "0: event 4\n";

static void reads_history_settings_and_console(void **state)
{
    (void)state;
    static struct made made;
    static struct recorder recorder;
    struct error error = {0};
    make(&made);
    assert_true(
        recorder_read(&recorder, &format_wandb, "a.wandb", made.data, made.size, 0, &error));
    assert_string_equal(recorder.text, expected);
}

static void records_go_over_blocks(void **state)
{
    (void)state;
    static struct made made, message;
    static struct recorder recorder;
    struct error error = {0};
    made.size = message.size = 0;
    put(&made, ":W&B\xE1\xBE\0", 7);
    static char text[70000];
    memset(text, 'x', sizeof(text));
    put_bytes(&message, 3, text, sizeof(text));
    put_record(&made, 99, &message);
    put_history(&made, "10", "2.5");
    assert_true(
        recorder_read(&recorder, &format_wandb, "a.wandb", made.data, made.size, 0, &error));
    assert_string_equal(recorder.text, "0: step 10 grain 1: train/loss=2.5 t=1700000000\n");
}

static void a_damaged_record_is_passed_over(void **state)
{
    (void)state;
    static struct made made;
    static struct recorder recorder;
    struct error error = {0};
    made.size = 0;
    put(&made, ":W&B\xE1\xBE\0", 7);
    put_history(&made, "10", "2.5");
    made.data[made.size - 1] ^= 1;
    put_history(&made, "20", "1.5");
    assert_false(
        recorder_read(&recorder, &format_wandb, "a.wandb", made.data, made.size, 0, &error));
    assert_int_equal(error.kind, ERROR_CHECKSUM);
    assert_string_equal(recorder.text, "0: step 20 grain 1: train/loss=1.5 t=1700000000\n");
}

static void says_a_cut_at_every_length(void **state)
{
    (void)state;
    static struct made made;
    static struct recorder recorder;
    make(&made);
    for (size_t size = 0; size < made.size; size++) {
        struct error error = {0};
        bool sound = recorder_read(&recorder, &format_wandb, "a.wandb", made.data, size, 0, &error);
        assert_true(sound || error.kind == ERROR_TRUNCATED);
    }
}

static void bears_little_memory(void **state)
{
    (void)state;
    static struct made made;
    static struct recorder recorder;
    make(&made);
    bool sound = false;
    for (size_t limit = 1; !sound; limit += limit < 4096 ? 512 : limit / 8) {
        struct error error = {0};
        sound =
            recorder_read(&recorder, &format_wandb, "a.wandb", made.data, made.size, limit, &error);
        if (!sound)
            assert_int_equal(error.kind, ERROR_MEMORY);
    }
    assert_string_equal(recorder.text, expected);
}

static void knows_its_own(void **state)
{
    (void)state;
    static struct made made;
    make(&made);
    struct span head = {(const uint8_t *)made.data, made.size};
    assert_true(format_wandb.probe(head, TEXT("a")) > 90);
    assert_int_equal(recorder_probe(&format_wandb, "a.wandb", "step 1 loss 2\n"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_history_settings_and_console),
        cmocka_unit_test(records_go_over_blocks),
        cmocka_unit_test(a_damaged_record_is_passed_over),
        cmocka_unit_test(says_a_cut_at_every_length),
        cmocka_unit_test(bears_little_memory),
        cmocka_unit_test(knows_its_own),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
