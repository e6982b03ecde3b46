/* Fixed texts: the file loads, every row is found, near misses are silent. */
/* SPDX-License-Identifier: MIT */
#include "embedded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;
static const struct message_table *table;

static int load(void **state)
{
    (void)state;
    struct error error = {0};
    table = embedded_messages(&arena, &error);
    if (!table)
        print_error("%s\n", error.message);
    return table ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

struct seen {
    uint32_t rows[32];
    size_t columns[32];
    size_t count;
};

static void met(void *context, uint32_t row, size_t column)
{
    struct seen *seen = context;
    if (seen->count < 32) {
        seen->rows[seen->count] = row;
        seen->columns[seen->count++] = column;
    }
}

static struct seen search(const struct message_table *in, const char *line, size_t content)
{
    struct seen seen = {.count = 0};
    message_search(in, text_of(line), content, met, &seen);
    return seen;
}

static bool has_id(const struct message_table *in, const struct seen *seen, const char *id)
{
    for (size_t i = 0; i < seen->count; i++)
        if (strcmp(in->rows[seen->rows[i]].id, id) == 0)
            return true;
    return false;
}

static bool found(const char *line, const char *id)
{
    const struct seen seen = search(table, line, 0);
    return has_id(table, &seen, id);
}

/* A line that holds the parts of a row in order, in other text, at any phase of the filter. */
static void line_make(const struct message_row *row, size_t shift, char *line, size_t size)
{
    size_t at = 0;
    if (!row->line_start)
        for (; at < shift; at++)
            line[at] = "0: bar |"[at % 8];
    for (size_t i = 0; i < row->part_count; i++) {
        const struct text part = row->parts[i];
        if (i > 0)
            at += (size_t)snprintf(line + at, size - at, " x%zu ", shift);
        for (size_t k = 0; k < part.size; k++) {
            if (part.data[k] == '#')
                at += (size_t)snprintf(line + at, size - at, "%zu", 1 + shift * 731);
            else
                line[at++] = part.data[k];
        }
    }
    if (!row->whole_line)
        at += (size_t)snprintf(line + at, size - at, " (tail)");
    line[at] = 0;
}

static void finds_every_row_in_a_line_made_of_its_parts(void **state)
{
    (void)state;
    char line[1024];
    for (uint32_t i = 0; i < table->row_count; i++) {
        const struct message_row *row = &table->rows[i];
        for (size_t shift = 0; shift < 9 && row->part_count; shift++) {
            line_make(row, shift, line, sizeof line);
            const struct seen seen = search(table, line, 0);
            bool harmless = false;
            for (size_t k = 0; k < seen.count; k++)
                harmless |= table->rows[seen.rows[k]].strength == STRENGTH_HARMLESS;
            if (!has_id(table, &seen, row->id) && !harmless)
                fail_msg("%s is not found in: %s", row->id, line);
            if (!message_possible(table, text_of(line)))
                fail_msg("%s is not possible in: %s", row->id, line);
        }
    }
}

static void is_silent_when_a_part_is_broken(void **state)
{
    (void)state;
    char line[1024];
    for (uint32_t i = 0; i < table->row_count; i++) {
        const struct message_row *row = &table->rows[i];
        const struct text tail = row->part_count ? row->parts[row->part_count - 1] : TEXT("#");
        if (text_ends(tail, "#") || text_ends(tail, " ")) /* what follows is free */
            continue;
        line_make(row, 3, line, sizeof line);
        char *last = strstr(line, row->whole_line ? row->parts[0].data : " (tail)");
        if (row->whole_line)
            last += row->parts[0].size;
        last[-1] = '~';
        struct seen seen = {.count = 0};
        message_search(table, text_of(line), 0, met, &seen);
        for (size_t k = 0; k < seen.count; k++)
            if (seen.rows[k] == i)
                fail_msg("%s is found in: %s", row->id, line);
    }
}

static void knows_the_lines_of_real_programs(void **state)
{
    (void)state;
    static const struct {
        const char *id, *line;
    } lines[] = {
        {"cuda-out-of-memory",
         "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB. GPU 13 has a "
         "total capacity of 31.73 GiB of which 1.02 GiB is free."},
        {"nccl-watchdog",
         "57% 4/7 [00:40<00:29][rank3]:[E626 06:24:44.9 ProcessGroupNCCL.cpp:616] [Rank 3] "
         "Watchdog "
         "caught collective operation timeout: WorkNCCL(SeqNum=2, OpType=ALLREDUCE, NumelIn=1, "
         "NumelOut=1, Timeout(ms)=600000) ran for 600029 milliseconds before timing out."},
        {"worker-killed",
         "RuntimeError: DataLoader worker (pid 4711) is killed by signal: Killed. "},
        {"apex-overflow",
         "Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768.0"},
        {"scale-zero", "loss scaler 0 reducing loss scale to 7.62939453125e-06"},
        {"scale-zero", "NOTE: gradient overflow detected, setting loss scale to: 0.0625"},
        {"keras-invalid-loss", "loss: 44.4110Batch 3: Invalid loss, terminating training"},
        {"target-out-of-bounds", "IndexError: Target 10 is out of bounds."},
        {"index-out-of-range",
         "RuntimeError: index 900 is out of bounds for dimension 1 with size 900"},
        {"cudnn-start", "XlaRuntimeError: FAILED_PRECONDITION: DNN library initialization failed."},
        {"checkpoint-open", "RuntimeError: File runs/7/last.pt cannot be opened."},
        {"xid-bus", "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus."},
        {"killed", "Killed"},
        {"killed-command", "./run.sh: line 12: 31337 Killed                  python train.py"},
        {"killed-command",
         "50%|##   | 20/40 [00:41<00:40]bin/run: line 6:  3305 Killed     bin/go \"$@\""},
        {"killed-command", "[>>> ] 32/38, 4.0 task/s, elapsed: 8s, ETA: 2sKilled"},
        {"killed-chinese", "[>>> ] 32/38, 4.0 task/s, elapsed: 8s, ETA: 2s已杀死"},
        {"cuda-memory-line", "out of memory"},
        {"jax-recompiling", "Finished XLA compilation of jit(train_step) in 19.7 sec"},
        {"exit-killed", "Exception: process 1 terminated with signal SIGKILL"},
        {"exit-segfault", "Exception: process 0 terminated with signal SIGSEGV"},
        {"segfault", "Segmentation fault (core dumped)"},
        {"slurm-time",
         "slurmstepd: error: *** JOB 77 ON n01 CANCELLED AT 2024-01-01T00:00:00 DUE TO TIME LIMIT "
         "***"},
        {"fairseq-minimum", "FloatingPointError: Minimum loss scale reached (0.0001). Your loss is "
                            "probably exploding. Try lowering the learning rate"},
        {"loss-nan-stop", "RuntimeError: Loss became NaN at step 12"},
        {"loss-nan-stop", "Loss is nan, stopping training"},
        {"monitored-barrier", "[Rank 0]: Rank 5 failed to pass monitoredBarrier in 1800000 ms"},
        {"tf-retracing", "WARNING:tensorflow:5 out of the last 11 calls to <function f> triggered "
                         "tf.function retracing. Tracing is expensive"},
        {"text-as-number", "ValueError: could not convert string to float: 'male'"},
        {"network",
         "requests.exceptions.ConnectionError: (MaxRetryError(\"HTTPSConnectionPool(host="
         "'x', port=443): Max retries exceeded with url: /a\"))"},
        {"segfault", "Windows fatal exception: access violation"},
        {"label-class-range", "LightGBMError: Label must be in [0, 3), but found 3 in label"},
        {"too-many-workers",
         "UserWarning: This DataLoader will create 16 worker processes in total. Our suggested max "
         "number of worker in current system is 8, which is smaller than"},
        {"kubernetes-oom", "      Reason:       OOMKilled"},
        {"kubernetes-oom", "trainer-0   0/1   OOMKilled   3 (41s ago)   12m"},
        {"throttled",
         "CPU6: Core temperature above threshold, cpu clock throttled (total events = 1)"},
        {"throttled", "    HW Slowdown                       : Active"},
        {"pcie-fatal", "pcieport 0000:00:01.1: AER: Multiple Uncorrectable (Fatal) error message "
                       "received from 0000:01:00.0"},
        {"host-ecc", "[ 77.1] EDAC MC3: 1 UE memory read error on CPU_SrcID#0_MC#3_Chan#0_DIMM#0"},
        {"card-needs-reset", "| ERR! [GPU requires reset]   |"},
        {"elastic-restarted", "restart_count=2"},
        {"exit-terminated", "torch.distributed.elastic failed (exitcode: -2) local_rank: 0"},
        {"stage-begins", "Stage 2: fine-tuning all layers"},
        {"stage-begins", "Entering phase 3"},
        {"stage-begins", "=== Stage 2: Classification Head Training ==="},
        {"optimizer-sgd", "Switching from Adam to SGD"},
        {"rate-lowered", "Decreasing lr to 1e-05"},
        {"rate-was-lowered", "Epoch 7: learning rate decayed to 1e-05"},
        {"rate-was-lowered", "No improvement for 3 epochs. Decreasing LR to 1e-05"},
        {"rate-raised", "Increasing learning rate from 1e-5 to 1e-4"},
        {"pcie-corrected", "pcieport 0000:00:1c.0: PCIe Bus Error: severity=Correctable, type=Data "
                           "Link Layer"},
        {"nccl-topology",
         "NCCL WARN Could not find real path of mlx5_0 (/sys/class/infiniband/mlx5_0/device)"},
        {"deepspeed-overflow", "[deepspeed] fp16 dynamic loss scale overflow! Skipping step. "
                               "Attempted loss scale: 65536.0, reducing to 32768.0"},
        {"jax-barrier", "DEADLINE_EXCEEDED: Barrier timed out. Id: start::0. This usually happens"},
        {"recompiling", "pt-xla-profiler: CompileTime too frequent: 224 counts during 110 steps"},
        {"cache-flushes", "[WARNING] [stage3.py:1949:step] 2 pytorch allocator cache flushes since "
                          "last step. this happens when there is high memory pressure"},
        {"nccl-socket-closed", "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:534] "
                               "Connection closed by peer [10.0.3.17]:48210"},
        {"stuck-loader", "    _try_get_data (torch/utils/data/dataloader.py:990)"},
        {"stuck-collective", "    barrier (torch/distributed/distributed_c10d.py:2800)"},
        {"misaligned-entities", "UserWarning: [W030] Some entities could not be aligned in the "
                                "text \"x\" with entities \"[]\"."},
        {"horovod-mismatch",
         "Mismatched ALLREDUCE tensor shapes: One rank sent a tensor of shape [2], but"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!found(lines[i].line, lines[i].id))
            fail_msg("%s is not found in: %s", lines[i].id, lines[i].line);
}

static void is_silent_about_words_that_only_look_like_trouble(void **state)
{
    (void)state;
    static const char *const lines[] = {
        " iteration 100/ 500000 | consumed samples: 25600 | lm loss: 9.1E+00 | number of skipped "
        "iterations:   0 | number of nan iterations:   0 |",
        "logging_nan_inf_filter=True,",
        "  nccl_watchdog_timeout ........................... 600",
        "Synchronizing and adjusting timeout for all ProcessGroups to 0:01:40",
        "[rank0]: NCCL WARN Missing \"iommu=pt\" from kernel command line",
        "best gain: -inf",
        "  \"skip_killed_jobs\": true",
        "Saving model to runs/killed.bin",
        "loss nanometers: 12.5",
        "{'loss': 0.0, 'grad_norm': 1.25, 'epoch': 0.5}",
        "epoch 3: train loss 0.41 val loss 0.52",
        "unsuper_loss: 0.0, finance loss 3.4",
        "[1/3] Building wheel for memory (no errors)",
        "Mean Squared Err: 0.25",
        "            \"OOMKilled\": false,",
        "    SW Thermal Slowdown               : Not Active",
        "    HW Slowdown                       : Not Active",
        "[ 77.1] EDAC MC0: 1 CE memory read error on CPU_SrcID#0_MC#0_Chan#0_DIMM#0",
        "  restart_count=0",
        "[W distributed_c10d.py:1208] barrier() uses the device under the current context",
        "    __next__ (torch/utils/data/dataloader.py:530)",
        "  max_restarts     : 3",
        "cfg: max_restart_count=3",
        "W0000 cuda_executor.cc:1802] GPU interconnect information not available: INTERNAL: NVML",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const struct seen seen = search(table, lines[i], 0);
        for (size_t k = 0; k < seen.count; k++)
            if (table->rows[seen.rows[k]].strength != STRENGTH_HARMLESS)
                fail_msg("%s is found in: %s", table->rows[seen.rows[k]].id, lines[i]);
    }
}

static void lets_a_harmless_text_take_away_what_it_covers(void **state)
{
    (void)state;
    const char *line = "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.1GiB with "
                       "freed_by_count=0. The caller indicates that this is not a failure, but";
    assert_true(found(line, "tf-no-failure"));
    assert_false(found(line, "tf-out-of-memory"));
    assert_true(found("Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.1GiB",
                      "tf-out-of-memory"));
    assert_false(found("5 out of the last 5 calls to <function Model.make_predict_function.<locals>"
                       ".predict_function at 0x7f8> triggered tf.function retracing.",
                       "tf-retracing"));
}

static void ties_short_texts_to_the_line(void **state)
{
    (void)state;
    const struct seen behind = search(table, "3: Killed\r", 3);
    assert_true(has_id(table, &behind, "killed"));
    assert_false(found("process Killed", "killed"));
    assert_false(found("Killed by the user", "killed"));
    assert_true(message_possible(table, TEXT("3: Killed")));
    assert_false(message_possible(table, TEXT("overKilled")));
}

static void masks_numbers_for_templates(void **state)
{
    (void)state;
    assert_true(found("NVRM: Xid (PCI:0000:3b:00): 79, pid=1", "xid-bus"));
    assert_false(found("NVRM: Xid (PCI:0000:3b:00): 7, pid=1", "xid-bus"));
    assert_true(message_possible(table, TEXT("NVRM: Xid (PCI:0000:3b:00): 7, pid=1")));
    assert_false(message_possible(table, TEXT("NVRM: Xyd (PCI:0000:3b:00): 7, pid=1")));
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A word that makes a line say something is met near the word, where the rest says nothing. */
static void finds_near_a_word_what_it_completes(void **state)
{
    (void)state;
    char line[1024], other[1024];
    size_t words = 0;
    for (uint32_t i = 0; i < table->row_count; i++) {
        if (table->rows[i].part_count == 0)
            continue;
        line_make(&table->rows[i], i % 9, line, sizeof line);
        const struct text text = text_of(line);
        for (size_t from = 0, to; from < text.size; from = to + 1) {
            for (to = from; to < text.size && is_letter(line[to]);)
                to++;
            memcpy(other, line, sizeof other);
            memset(other + from, 'q', to - from);
            if (to == from || message_near(table, text_of(other), 0, text.size))
                continue;
            words++;
            assert_false(message_possible(table, text_of(other)));
            if (!message_near(table, text, from, to))
                fail_msg("nothing near %.*s in: %s", (int)(to - from), line + from, line);
            assert_false(message_near(table, text_of(other), from, to));
        }
    }
    assert_true(words > table->row_count / 2);
}

static void reads_the_numbers_of_a_fact(void **state)
{
    (void)state;
    const struct text line =
        TEXT("x This DataLoader will create 16 worker processes in total. Our suggested max number "
             "of worker in current system is 8, which");
    struct seen seen = {.count = 0};
    message_search(table, line, 0, met, &seen);
    assert_int_equal(seen.count, 1);
    const struct message_row *row = &table->rows[seen.rows[0]];
    assert_int_equal(row->fact_count, 2);
    assert_true(text_is(
        message_fact_value(table, seen.rows[0], &row->facts[0], line, seen.columns[0]), "16"));
    assert_true(text_is(
        message_fact_value(table, seen.rows[0], &row->facts[1], line, seen.columns[0]), "8"));
}

static void tells_rows_in_order_of_columns(void **state)
{
    (void)state;
    const struct seen seen =
        search(table,
               "watchdog thread terminated with exception: CUDA error: an illegal memory "
               "access was encountered",
               0);
    assert_int_equal(seen.count, 2);
    assert_string_equal(table->rows[seen.rows[0]].id, "watchdog-ended");
    assert_string_equal(table->rows[seen.rows[1]].id, "illegal-address");
    assert_true(seen.columns[0] < seen.columns[1]);
}

static void names_file_and_line_of_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } files[] = {
        {"{\"messages\": [\n{\"id\": \"a\", \"match\": [\"some longer text\"],\n\"strength\": "
         "\"decide\"}]}",
         "m.json:3: unknown strength \"decide\"; did you mean \"decides\"?"},
        {"{\"messages\": [\n{\"id\": \"a\", \"match\": [\"shrt\"], \"strength\": \"sign\"}]}",
         "m.json:2: no part has 7 bytes without a number"},
        {"{\"messages\": [\n{\"id\": \"a\", \"matches\": [\"some longer text\"]}]}",
         "m.json:2: unknown member \"matches\""},
        {"{\"messages\": [\n{\"match\": [\"some longer text\"], \"strength\": \"sign\"}]}",
         "m.json:2: no \"id\""},
        {"{\"messages\": [\n{\"id\": \"a\", \"match\": [\"some longer text\"],\n\"times\": 0, "
         "\"strength\": \"sign\"}]}",
         "m.json:3: \"times\" is a number from 1 on"},
        {"{\"messages\": 3}", "m.json:1: no list \"messages\""},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct arena own = {0};
        struct error error = {0};
        assert_null(message_table_load(&own, text_of(files[i].text), "m.json", &error));
        if (strncmp(error.message, files[i].message, strlen(files[i].message)) != 0)
            fail_msg("said: %s", error.message);
        arena_free(&own);
    }
}

static void fails_cleanly_when_memory_ends(void **state)
{
    (void)state;
    bool sound = false;
    for (size_t limit = 1 << 12; !sound; limit += 1 << 14) {
        struct arena own = {.limit = limit};
        struct error error = {0};
        sound = embedded_messages(&own, &error) != NULL;
        assert_true(sound || error.kind == ERROR_MEMORY);
        assert_true(limit > 1 << 12 || !sound);
        assert_true(limit < 1 << 22);
        arena_free(&own);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_every_row_in_a_line_made_of_its_parts),
        cmocka_unit_test(is_silent_when_a_part_is_broken),
        cmocka_unit_test(knows_the_lines_of_real_programs),
        cmocka_unit_test(is_silent_about_words_that_only_look_like_trouble),
        cmocka_unit_test(lets_a_harmless_text_take_away_what_it_covers),
        cmocka_unit_test(ties_short_texts_to_the_line),
        cmocka_unit_test(masks_numbers_for_templates),
        cmocka_unit_test(finds_near_a_word_what_it_completes),
        cmocka_unit_test(reads_the_numbers_of_a_fact),
        cmocka_unit_test(tells_rows_in_order_of_columns),
        cmocka_unit_test(names_file_and_line_of_an_error),
        cmocka_unit_test(fails_cleanly_when_memory_ends),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
