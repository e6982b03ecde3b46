/* Every format there is: a small file of it cut at each length, and read with memory that ends at
   each take. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

static const struct row {
    const char *format, *file; /* below testdata/ */
    size_t step;               /* between two lengths: 1 but where a reading starts a process */
} rows[] = {
    {"csv", "csv/metrics.csv", 1},
    {"json", "json/log.json", 1},
    {"jsonl", "jsonl/own.jsonl", 1},
    {"mlflow", "mlflow/loss", 1},
    {"notebook", "notebook/run.ipynb", 1},
    {"table", "csv/metrics.csv", 1},
    {"trainer-state", "trainer-state/trainer_state.json", 1},
    {"tfevents", "event/events.out.tfevents.1700000000.host", 1},
    {"wandb", "event/run-made.wandb", 1},
    {"safetensors", "checkpoint/shard_index/model-00002-of-00002.safetensors", 1},
    {"tf-checkpoint", "checkpoint/tf_bundle/model.index", 1},
    {"tf-v1-checkpoint", "checkpoint/tf_v1/packed.ckpt", 1},
    {"gguf", "checkpoint/gguf/model.gguf", 1},
    {"numpy", "checkpoint/npy/array.npy", 1},
    {"npz", "checkpoint/npz/arrays.npz", 1},
    {"torch", "checkpoint/dcp/__1_0.distcp", 1},
    {"torch-legacy", "checkpoint/torch_legacy/model.pth", 1},
    {"torch-tar", "checkpoint/torch_tar/model.tar", 7},
    {"flax", "checkpoint/msgpack/checkpoint.msgpack", 1},
    {"pickle", "checkpoint/pickle_file/params.pkl", 1},
    {"shards", "checkpoint/shard_index/model.safetensors.index.json", 1},
    {"torch-distributed", "checkpoint/dcp/.metadata", 1},
    {"ocdbt", "checkpoint/ocdbt/manifest.ocdbt", 1},
    {"zarr", "checkpoint/zarr/foreign/.zarray", 1},
    {"orbax", "checkpoint/orbax/_METADATA", 1},
    {"hdf5", "checkpoint/hdf5/model.h5", 397},
    {"keras", "checkpoint/keras/model.keras", 397},
    {"onnx", "checkpoint/onnx/model.onnx", 1},
    {"caffemodel", "checkpoint/caffemodel/net.caffemodel", 1},
    {"text", "demo/train.log", 1},
    {"flight-recorder", "scenarios/27b-dumps-of-the-ranks/run/nccl_trace_rank_0", 1},
    {"nvidia-smi", "scenarios/23b-monitor-beside-the-log/run/gpu.csv", 1},
    {"trace", "scenarios/02b-trace-of-the-profiler/run/host_7.1714564800.pt.trace.json", 7},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]), TEXT_MOST = 1500 };

static struct heard heard;

static struct span sample_of(const struct row *row)
{
    char name[256];
    snprintf(name, sizeof(name), "../%s", row->file);
    struct span bytes = sample_bytes(name);
    if (strcmp(row->format, "text") == 0 && bytes.size > TEXT_MOST)
        bytes.size = TEXT_MOST;
    return bytes;
}

static const struct format *format_of_row(const struct row *row)
{
    const struct format *format = format_named(text_of(row->format));
    assert_non_null(format);
    return format;
}

static void every_format_is_in_the_table(void **unused)
{
    (void)unused;
    for (size_t i = 0; formats[i]; i++) {
        bool found = !formats[i]->read;
        for (size_t k = 0; k < ROWS; k++)
            found = found || strcmp(rows[k].format, formats[i]->name) == 0;
        if (!found)
            fail_msg("%s has no row", formats[i]->name);
    }
}

static void the_files_are_taken_for_what_they_are(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ROWS; i++) {
        const char *slash = strrchr(rows[i].file, '/');
        const struct format *best = format_of(sample_of(&rows[i]), text_of(slash + 1));
        assert_non_null(best);
        /* A table is one where someone says so. */
        const bool offered = strcmp(rows[i].format, "table") == 0;
        assert_string_equal(best->name, offered ? "csv" : rows[i].format);
    }
}

static void a_cut_ends_with_a_reason_or_what_is_whole(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ROWS; i++) {
        const struct format *format = format_of_row(&rows[i]);
        const struct span bytes = sample_of(&rows[i]);
        for (size_t size = 0; size < bytes.size; size += rows[i].step) {
            struct error error;
            bool sound = sample_read_part(&heard, format, bytes, size, 0, &error);
            assert_int_equal(sound, error.kind == ERROR_NONE);
            assert_true(sound || error.message[0]);
        }
    }
}

static void memory_that_ends_is_said(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ROWS; i++) {
        const struct format *format = format_of_row(&rows[i]);
        const struct span bytes = sample_of(&rows[i]);
        struct error whole, error;
        bool sound = sample_read_part(&heard, format, bytes, bytes.size, 0, &whole);
        const size_t step = rows[i].step > 100 ? 16 << 10 : 0;
        for (size_t limit = 1; limit < 4 << 20; limit = limit_after(limit) + step) {
            if (sample_read_part(&heard, format, bytes, bytes.size, limit, &error) == sound &&
                error.kind == whole.kind)
                continue;
            assert_int_equal(error.kind, ERROR_MEMORY);
            assert_true(error.message[0]);
        }
    }
}

/* The bytes as one stored block of a gzip file, which is read as a stream. */
static size_t pack(struct span bytes, uint8_t *packed)
{
    static const uint8_t head[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 1};
    const uint16_t size = (uint16_t)bytes.size, other = (uint16_t)~size;
    const uint8_t sizes[] = {(uint8_t)size, (uint8_t)(size >> 8), (uint8_t)other,
                             (uint8_t)(other >> 8)};
    assert_true(bytes.size <= UINT16_MAX);
    memcpy(packed, head, sizeof(head));
    memcpy(packed + sizeof(head), sizes, sizeof(sizes));
    memcpy(packed + sizeof(head) + sizeof(sizes), bytes.data, bytes.size);
    return sizeof(head) + sizeof(sizes) + bytes.size; /* the end with its checksum is not reached */
}

static void no_checkpoint_is_read_from_a_stream(void **unused)
{
    (void)unused;
    static uint8_t packed[UINT16_MAX + 32];
    size_t checkpoints = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const struct format *format = format_of_row(&rows[i]);
        struct error error;
        if (format->group != FORMAT_CHECKPOINT || sample_of(&rows[i]).size > UINT16_MAX ||
            strcmp(rows[i].format, "table") == 0) /* text, that comes line by line */
            continue;
        const size_t size = pack(sample_of(&rows[i]), packed);
        assert_false(
            sample_read_part(&heard, format, (struct span){packed, size}, size, 0, &error));
        assert_int_equal(error.kind, ERROR_UNSUPPORTED);
        assert_int_equal(heard.tensors, 0);
        checkpoints++;
    }
    assert_true(checkpoints > 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_is_in_the_table),
        cmocka_unit_test(the_files_are_taken_for_what_they_are),
        cmocka_unit_test(a_cut_ends_with_a_reason_or_what_is_whole),
        cmocka_unit_test(memory_that_ends_is_said),
        cmocka_unit_test(no_checkpoint_is_read_from_a_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
