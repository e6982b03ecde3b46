/* Flight recorder dumps: JSON and pickle, and what the ranks of one job say together. */
/* SPDX-License-Identifier: MIT */
#include "../../check.h"
#include "read/side/flight.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../heard.h"

extern const struct format format_flight_recorder;

enum { DUMP = 4096 };

/* A dump as JSON: four ranks, one group, the last two collectives. */
static void dump_make(char *out, int enqueued, int completed, const char *operation)
{
    snprintf(out, DUMP,
             "{\"version\": \"2.4\", \"pg_config\": {\"0\": {\"name\": \"0\", \"desc\": "
             "\"default_pg\", \"ranks\": \"[0, 1, 2, 3]\"}}, \"pg_status\": {\"0\": "
             "{\"last_enqueued_collective\": %d, \"last_started_collective\": %d, "
             "\"last_completed_collective\": %d}}, \"entries\": [{\"pg_id\": 0, \"process_group\": "
             "[\"0\", \"default_pg\"], \"collective_seq_id\": %d, \"profiling_name\": "
             "\"nccl:broadcast\", \"input_sizes\": [[64]], \"state\": \"completed\", \"is_p2p\": "
             "false}, {\"pg_id\": 0, \"collective_seq_id\": %d, \"profiling_name\": \"%s\", "
             "\"input_sizes\": [[4096]], \"state\": \"started\", \"is_p2p\": false}]}\n",
             enqueued, enqueued, completed, enqueued - 1, enqueued, operation);
}

struct place_kept {
    struct sink sink;
    char said[1024];
};

static bool keep_message(struct sink *sink, const struct message_seen *message, struct error *error)
{
    struct place_kept *kept = (struct place_kept *)sink;
    (void)error;
    snprintf(kept->said, sizeof(kept->said), "%.*s", (int)message->line.size, message->line.data);
    return true;
}

static struct arena rules;
static const struct message_table *messages;

static const struct message_table *table(void)
{
    if (!messages)
        messages = embedded_messages(&rules, NULL);
    return messages;
}

static char folder[64];

static void path_of(char *out, int rank)
{
    snprintf(out, 128, "%s/nccl_trace_rank_%d", folder, rank);
}

static void dump_write(int rank, const char *data, size_t size)
{
    char path[128];
    path_of(path, rank);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

/* What the dump of one rank makes the reader say. */
static const char *said_by(int rank)
{
    static struct place_kept kept;
    char path[128];
    struct input *input;
    struct error error = {0};
    struct arena scratch = {0};
    kept = (struct place_kept){.sink = {.message = keep_message}};
    path_of(path, rank);
    assert_true(input_open(path, 1, &input, &error));
    const struct reading reading = {
        .input = input, .scratch = &scratch, .sink = &kept.sink, .messages = table()};
    if (!format_flight_recorder.read(&reading, &error))
        fail_msg("%s", error.message);
    input_close(input);
    arena_free(&scratch);
    return kept.said;
}

static void folder_open_(void)
{
    snprintf(folder, sizeof(folder), "/tmp/stalldoc-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static void folder_drop(void)
{
    char path[128];
    for (int rank = 0; rank < 8; rank++) {
        path_of(path, rank);
        unlink(path);
    }
    rmdir(folder);
}

static void rank_write(int rank, int enqueued, int completed, const char *operation)
{
    char text[DUMP];
    dump_make(text, enqueued, completed, operation);
    dump_write(rank, text, strlen(text));
}

static void names_the_rank_that_is_late(void **state)
{
    (void)state;
    folder_open_();
    for (int rank = 0; rank < 4; rank++)
        rank_write(rank, rank == 2 ? 40 : 42, rank == 2 ? 40 : 41, "nccl:all_reduce");
    assert_string_equal(said_by(0),
                        "flight recorder: rank 2 stands at collective 40 of default_pg, "
                        "where rank 0 waits in nccl:all_reduce, collective 42");
    assert_string_equal(said_by(1), ""); /* the lowest speaks for all */
    folder_drop();
}

static void names_ranks_that_call_different_things(void **state)
{
    (void)state;
    folder_open_();
    for (int rank = 0; rank < 4; rank++)
        rank_write(rank, 42, 41, rank == 3 ? "nccl:all_gather" : "nccl:all_reduce");
    assert_string_equal(said_by(0),
                        "flight recorder: ranks 0 and 3 differ in collective 42 of default_pg: "
                        "nccl:all_reduce against nccl:all_gather");
    folder_drop();
}

static void names_a_rank_without_a_dump(void **state)
{
    (void)state;
    folder_open_();
    for (int rank = 0; rank < 3; rank++)
        rank_write(rank, 42, 41, "nccl:all_reduce");
    assert_string_equal(said_by(0), "flight recorder: rank 3 of 4 left no dump, the others wait in "
                                    "nccl:all_reduce, collective 42 of default_pg");
    folder_drop();
}

static void says_that_all_are_there_and_none_gets_on(void **state)
{
    (void)state;
    folder_open_();
    for (int rank = 0; rank < 4; rank++)
        rank_write(rank, 42, 41, "nccl:all_reduce");
    assert_string_equal(said_by(0), "flight recorder: 4 ranks wait in nccl:all_reduce, collective "
                                    "42 of default_pg, and none has completed it");
    folder_drop();
}

static void silent_where_nothing_waits(void **state)
{
    (void)state;
    folder_open_();
    for (int rank = 0; rank < 4; rank++)
        rank_write(rank, 42 + rank, 42 + rank, "nccl:all_reduce");
    assert_string_equal(said_by(0), "");
    folder_drop();
}

static size_t put_text(char *out, const char *text)
{
    const size_t size = strlen(text);
    memcpy(out, "X", 1);
    for (size_t i = 0; i < 4; i++)
        out[1 + i] = (char)(size >> (8 * i));
    memcpy(out + 5, text, size);
    return 5 + size;
}

static size_t put_number(char *out, int number)
{
    memcpy(out, "K", 1);
    out[1] = (char)number;
    return 2;
}

/* The same as a pickle of protocol 2: dictionaries, texts and small numbers. */
static size_t pickle_make(char *out)
{
    size_t at = 0;
    memcpy(out, "\x80\x02}(", 4);
    at = 4;
    at += put_text(out + at, "pg_config");
    memcpy(out + at, "}(", 2), at += 2;
    at += put_text(out + at, "0");
    memcpy(out + at, "}(", 2), at += 2;
    at += put_text(out + at, "ranks");
    at += put_text(out + at, "[0, 1]");
    memcpy(out + at, "uu", 2), at += 2;
    at += put_text(out + at, "pg_status");
    memcpy(out + at, "}(", 2), at += 2;
    at += put_number(out + at, 0);
    memcpy(out + at, "}(", 2), at += 2;
    at += put_text(out + at, "last_enqueued_collective");
    at += put_number(out + at, 9);
    at += put_text(out + at, "last_completed_collective");
    at += put_number(out + at, 8);
    memcpy(out + at, "uu", 2), at += 2;
    at += put_text(out + at, "entries");
    memcpy(out + at, "](}(", 4), at += 4;
    at += put_text(out + at, "pg_id");
    at += put_number(out + at, 0);
    at += put_text(out + at, "collective_seq_id");
    at += put_number(out + at, 9);
    at += put_text(out + at, "profiling_name");
    at += put_text(out + at, "nccl:all_reduce");
    at += put_text(out + at, "state");
    at += put_text(out + at, "scheduled");
    memcpy(out + at, "ueu.", 4), at += 4;
    return at;
}

static void reads_a_pickle_too(void **state)
{
    (void)state;
    char bytes[1024];
    const size_t size = pickle_make(bytes);
    assert_true(format_flight_recorder.probe((struct span){(uint8_t *)bytes, size},
                                             TEXT("nccl_trace_rank_0")) > 90);
    folder_open_();
    dump_write(0, bytes, size);
    assert_string_equal(said_by(0), "flight recorder: rank 0 waits in nccl:all_reduce, collective "
                                    "9 of 0");
    folder_drop();
}

static void bears_any_cut_and_little_memory(void **state)
{
    (void)state;
    char bytes[1024], text[DUMP];
    const size_t size = pickle_make(bytes);
    dump_make(text, 42, 41, "nccl:all_reduce");
    for (int json = 0; json < 2; json++) {
        const char *data = json ? text : bytes;
        const size_t whole = json ? strlen(text) : size;
        for (size_t part = 1; part <= whole; part++) {
            static struct heard heard;
            struct error error = {0};
            const bool sound =
                heard_read(&heard, &format_flight_recorder, data, part, "rank_0", 0, &error);
            assert_true(sound == (error.kind == ERROR_NONE));
            assert_true(sound || part < whole - (json ? 1 : 0));
        }
        bool sound = false;
        for (size_t limit = 1; !sound; limit += limit < 4096 ? 256 : limit / 8) {
            static struct heard heard;
            struct error error = {0};
            sound =
                heard_read(&heard, &format_flight_recorder, data, whole, "rank_0", limit, &error);
            assert_true(sound || error.kind == ERROR_MEMORY);
        }
    }
}

static void other_documents_are_none(void **state)
{
    (void)state;
    static const char *const others[] = {"{\"pg_config\": 1}", "{\"loss\": 2}", "[1, 2]",
                                         "pg_config pg_status", NULL};
    for (size_t i = 0; others[i]; i++) {
        const struct span head = {(const uint8_t *)others[i], strlen(others[i])};
        assert_int_equal(format_flight_recorder.probe(head, TEXT("x.json")), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_rank_that_is_late),
        cmocka_unit_test(names_ranks_that_call_different_things),
        cmocka_unit_test(names_a_rank_without_a_dump),
        cmocka_unit_test(says_that_all_are_there_and_none_gets_on),
        cmocka_unit_test(silent_where_nothing_waits),
        cmocka_unit_test(reads_a_pickle_too),
        cmocka_unit_test(bears_any_cut_and_little_memory),
        cmocka_unit_test(other_documents_are_none),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&rules);
    return failed;
}
