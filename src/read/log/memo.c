/* What names say, remembered: the words of a log come again and again. */
/* SPDX-License-Identifier: MIT */
#include "read/log/reader.h"

enum { MEMOS = 4096 };

struct memo_naming {
    uint64_t hash;
    struct naming naming;
};

struct memos {
    struct memo_naming namings[MEMOS];
    uint64_t no_facts[MEMOS]; /* hashes of keys that name no fact */
};

bool memos_open(struct reader *reader, struct error *error)
{
    reader->memos = arena_take(reader->arena, 1, sizeof *reader->memos);
    return reader->memos || error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                                      "no memory to read a log");
}

struct naming memo_naming(struct reader *reader, struct text path, struct text unit,
                          enum phase phase)
{
    uint64_t hash = (text_hash(path) * 0x9E3779B97F4A7C15u) ^ (text_hash(unit) + (uint64_t)phase);
    struct memo_naming *memo = &reader->memos->namings[(hash ^ hash >> 32) % MEMOS];
    if (memo->hash != hash || hash == 0) {
        memo->naming = vocabulary_naming(reader->vocabulary, path, unit, phase);
        memo->hash = hash;
    }
    return memo->naming;
}

struct fact_naming memo_fact(struct reader *reader, struct text key, struct text value)
{
    uint64_t hash = text_hash(key);
    uint64_t *memo = &reader->memos->no_facts[(hash ^ hash >> 32) % MEMOS];
    if (*memo == hash && hash != 0)
        return (struct fact_naming){.key = TEXT(""), .value = value, .number = NAN};
    struct fact_naming fact = vocabulary_fact(reader->vocabulary, key, value);
    if (fact.key.size == 0 && !fact.refused)
        *memo = hash;
    return fact;
}
