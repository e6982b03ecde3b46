/* Windows of an input, two in turn: the lines of one are read while the other is filled. */
/* SPDX-License-Identifier: MIT */
#include "read/log/fetch.h"

#include "read/log/quick.h"

#include <string.h>

/* Terminals and syslog write some control bytes as #015, #033 and #011. */
static bool special_plain(struct text text)
{
    static const int bytes[] = {'\r', '\b', 033, 0xef};
    for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++)
        if (memchr(text.data, bytes[i], text.size))
            return true;
    return text_find(text, TEXT("#015")) < text.size || text_find(text, TEXT("#033")) < text.size ||
           text_find(text, TEXT("#011")) < text.size;
}

#ifdef QUICK
/* The bytes that special_plain looks for, and `#`, have different lower halves: each stands at its
   own in a table, and a byte is one of them where it equals what stands at its lower half. */
QUICK_CODE static inline __m256i block_odd(const char *at)
{
    const __m256i table = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(1, 0, 0, '#', 0, 0, 0, 0, '\b', 0, 0, 033, 0, '\r', 0, (char)0xef));
    const __m256i c = load32(at), lower = _mm256_and_si256(c, _mm256_set1_epi8(15));
    return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, lower), c);
}

/* Where the bytes that are to be looked at begin. */
QUICK_CODE static size_t special_skip(struct text text)
{
    enum { BLOCK = 32 };
    size_t at = 0;
    for (; at + 4 * BLOCK <= text.size; at += 4 * BLOCK) {
        const char *block = text.data + at;
        const __m256i low = _mm256_or_si256(block_odd(block), block_odd(block + BLOCK));
        const __m256i high =
            _mm256_or_si256(block_odd(block + 2 * BLOCK), block_odd(block + 3 * BLOCK));
        if (_mm256_movemask_epi8(_mm256_or_si256(low, high)))
            break;
    }
    return at;
}
#endif

bool text_special(struct text text)
{
#ifdef QUICK
    if (is_quick())
        text = text_cut(text, special_skip(text), text.size);
#endif
    return special_plain(text);
}

/* The spare bytes are cleared; the rest is written before it is read, and to clear it costs more
   than a short log. */
static char *block_open(void)
{
    char *block = block_take(FETCH_ROOM + (size_t)2 * LIMIT_WINDOW_SPARE);
    if (!block)
        return NULL;
    memset(block, 0, LIMIT_WINDOW_SPARE);
    memset(block + LIMIT_WINDOW_SPARE + FETCH_ROOM, 0, LIMIT_WINDOW_SPARE);
    return block;
}

bool fetch_open(struct fetch *fetch, struct input *input)
{
    *fetch = (struct fetch){.input = input};
    fetch->blocks[0] = block_open();
    fetch->buffer = fetch->blocks[0] ? fetch->blocks[0] + LIMIT_WINDOW_SPARE : NULL;
    return fetch->buffer != NULL;
}

static void window_front(struct fetch *fetch)
{
    char *front = fetch->blocks[0] + LIMIT_WINDOW_SPARE;
    if (fetch->buffer != front)
        memmove(front, fetch->buffer, fetch->size);
    fetch->buffer = front;
}

static void window_add(struct fetch *fetch, size_t got, bool special)
{
    fetch->special = (fetch->size > 0 && fetch->special) || special;
    fetch->size += got;
}

/* Where the next window begins; a line that goes on stands in front of it. */
static char *next_data(const struct fetch *fetch)
{
    return fetch->blocks[1] + LIMIT_WINDOW_SPARE + LIMIT_LINE_MESSAGE;
}

bool fetch_join(struct fetch *fetch, struct helper *helper, struct text tail, struct text *joined)
{
    if (!fetch->given || fetch->used > 0 || tail.size > LIMIT_LINE_MESSAGE ||
        !task_ready(helper, &fetch->task) || fetch->got == 0 || fetch->next_special)
        return false;
    char *start = next_data(fetch) - tail.size;
    if (!fetch->joined)
        memcpy(start, tail.data, tail.size);
    fetch->joined = true;
    *joined = (struct text){start, tail.size + fetch->got};
    return true;
}

/* The windows change places. What was joined may be looked at by another thread by now. */
static size_t window_turn(struct fetch *fetch)
{
    char *start = next_data(fetch) - fetch->size;
    if (!fetch->joined)
        memcpy(start, fetch->buffer, fetch->size);
    fetch->buffer = start;
    char *block = fetch->blocks[0];
    fetch->blocks[0] = fetch->blocks[1];
    fetch->blocks[1] = block;
    fetch->given = fetch->joined = false;
    return fetch->got;
}

static size_t next_take(struct fetch *fetch)
{
    if (fetch->used == 0 && fetch->size <= LIMIT_LINE_MESSAGE)
        return window_turn(fetch);
    window_front(fetch);
    size_t got = fetch->got - fetch->used;
    if (got > FETCH_ROOM - fetch->size)
        got = FETCH_ROOM - fetch->size;
    memcpy(fetch->buffer + fetch->size, next_data(fetch) + fetch->used, got);
    fetch->used += got;
    fetch->given = fetch->used < fetch->got;
    return got;
}

bool fetch_more(struct fetch *fetch, struct helper *helper, size_t *got, struct error *damage)
{
    if (fetch->given) {
        task_finish(helper, &fetch->task);
        *got = next_take(fetch);
        window_add(fetch, *got, fetch->next_special);
        *damage = fetch->damage;
        return fetch->sound;
    }
    window_front(fetch);
    size_t want = FETCH_ROOM - fetch->size;
    if (want > LIMIT_WINDOW)
        want = LIMIT_WINDOW;
    char *end = fetch->buffer + fetch->size;
    const bool sound = input_read(fetch->input, end, want, got, damage);
    if (!sound)
        *got = 0;
    window_add(fetch, *got, text_special((struct text){end, *got}));
    return sound;
}

static void next_read(void *context)
{
    struct fetch *fetch = context;
    char *next = next_data(fetch);
    fetch->sound = input_read(fetch->input, next, LIMIT_WINDOW, &fetch->got, &fetch->damage);
    if (!fetch->sound)
        fetch->got = 0;
    fetch->next_special = text_special((struct text){next, fetch->got});
}

void fetch_ahead(struct fetch *fetch, struct helper *helper)
{
    if (fetch->given || !helper || (!fetch->blocks[1] && !(fetch->blocks[1] = block_open())))
        return;
    fetch->given = true;
    fetch->got = fetch->used = 0;
    fetch->task = (struct task){.run = next_read, .context = fetch, .urgent = true};
    task_give(helper, &fetch->task);
}

void fetch_used(struct fetch *fetch, size_t size)
{
    fetch->buffer += size;
    fetch->size -= size;
}

void fetch_close(struct fetch *fetch, struct helper *helper)
{
    task_cancel(helper, &fetch->task);
    block_free(fetch->blocks[0]);
    block_free(fetch->blocks[1]);
}
