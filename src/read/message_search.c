/* The search for fixed texts: one position in eight is looked at, few of them twice. */
/* SPDX-License-Identifier: MIT */
#include "message.h"
#include <string.h>

enum { HITS_MAX = 16, TRIED_MAX = 64, TRIES_MAX = 256, NUMBERS_MAX = 8 };

struct hit {
    uint32_t row;
    size_t column, end;
};

struct matching { /* one attempt of one row */
    struct text line;
    bool fold;
    bool masked;                      /* any number or NaN word stands for any other */
    struct text numbers[NUMBERS_MAX]; /* what '#' met */
    size_t number_count;
};

struct search {
    const struct message_table *table;
    struct text line;
    size_t content;
    bool masked;
    struct hit hits[HITS_MAX];
    size_t hit_count;
    uint32_t tried[TRIED_MAX];
    size_t tried_count, tries;
};

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Bytes at `at` that are one number: digits, and groups or decimals that go on with a digit. */
static size_t number_size(struct text line, size_t at)
{
    size_t i = at;
    if (i < line.size && (line.data[i] == '-' || line.data[i] == '+'))
        i++;
    const size_t first = i;
    while (i < line.size) {
        const char c = line.data[i];
        const bool joined =
            (c == '.' || c == ',') && i > first && i + 1 < line.size && digit(line.data[i + 1]);
        if (!digit(c) && !joined)
            break;
        i++;
    }
    if (i == first)
        return 0;
    if (i + 1 < line.size && lower(line.data[i]) == 'e') {
        size_t j = i + 1;
        if (line.data[j] == '-' || line.data[j] == '+')
            j++;
        const size_t exponent = j;
        while (j < line.size && digit(line.data[j]))
            j++;
        if (j > exponent)
            i = j;
    }
    return i - at;
}

/* One element of a part at `*at`; *size is what it takes of the part. */
static bool element_matches(struct matching *m, struct text part, size_t place, size_t *size,
                            size_t *at)
{
    const char c = part.data[place];
    *size = 1;
    if (c == '#' || (m->masked && digit(c))) {
        if (c != '#')
            *size = number_size(part, place);
        const size_t length = number_size(m->line, *at);
        if (length == 0)
            return false;
        if (c == '#' && m->number_count < NUMBERS_MAX)
            m->numbers[m->number_count++] = text_cut(m->line, *at, length);
        *at += length;
        return true;
    }
    if (c == ' ' && place + 1 < part.size && part.data[place + 1] == ' ') {
        *size = 2;
        const size_t before = *at;
        while (*at < m->line.size && (m->line.data[*at] == ' ' || m->line.data[*at] == '\t'))
            ++*at;
        return *at > before;
    }
    if (*at >= m->line.size)
        return false;
    const char found = m->line.data[(*at)++];
    return m->fold ? lower(found) == lower(c) : found == c;
}

static bool part_matches(struct matching *m, struct text part, size_t at, size_t *end)
{
    const size_t numbers = m->number_count;
    size_t place = 0;
    while (place < part.size) {
        size_t size;
        if (!element_matches(m, part, place, &size, &at)) {
            m->number_count = numbers;
            return false;
        }
        place += size;
    }
    *end = at;
    return true;
}

static bool part_find(struct matching *m, struct text part, size_t from, size_t *start, size_t *end)
{
    const char first = part.data[0];
    const bool plain = first != '#' && !digit(first) && !m->fold && first != ' ';
    for (size_t at = from; at < m->line.size; at++) {
        if (plain) {
            const char *found = memchr(m->line.data + at, first, m->line.size - at);
            if (!found)
                return false;
            at = (size_t)(found - m->line.data);
        }
        /* A number is met at its first digit only. */
        if (first == '#' && at > 0 && digit(m->line.data[at - 1]))
            continue;
        if (part_matches(m, part, at, end)) {
            *start = at;
            return true;
        }
    }
    return false;
}

static bool row_matches(const struct message_row *row, struct matching *m, size_t content,
                        size_t *column, size_t *end)
{
    size_t at = 0;
    for (size_t i = 0; i < row->part_count; i++) {
        size_t start;
        if (i == 0 && row->line_start && !m->masked) {
            start = content;
            if (!part_matches(m, row->parts[0], content, &at))
                return false;
        } else if (!part_find(m, row->parts[i], at, &start, &at)) {
            return false;
        }
        if (i == 0)
            *column = start;
    }
    *end = at;
    return row->part_count > 0;
}

static size_t trimmed_size(struct text line)
{
    size_t size = line.size;
    while (size > 0 && (line.data[size - 1] == ' ' || line.data[size - 1] == '\t' ||
                        line.data[size - 1] == '\r' || line.data[size - 1] == '\n'))
        size--;
    return size;
}

static void hit_add(struct search *search, uint32_t row, size_t column, size_t end)
{
    if (search->hit_count < HITS_MAX)
        search->hits[search->hit_count++] = (struct hit){row, column, end};
}

static void row_try(struct search *search, uint32_t number)
{
    for (size_t i = 0; i < search->tried_count; i++)
        if (search->tried[i] == number)
            return;
    if (search->tries++ >= TRIES_MAX)
        return;
    if (search->tried_count < TRIED_MAX)
        search->tried[search->tried_count++] = number;
    const struct message_row *row = &search->table->rows[number];
    struct matching m = {
        .line = search->line,
        .fold = search->table->filter->folded[number],
        .masked = search->masked,
    };
    size_t column = 0, end;
    if (row_matches(row, &m, search->content, &column, &end))
        hit_add(search, number, column, end);
}

/* A common piece is told from a window by its neighbours. */
static bool piece_passes(const struct search *search, uint32_t piece, size_t at)
{
    const struct message_filter *filter = search->table->filter;
    const char *data = search->line.data + at;
    uint32_t other;
    if (at + 2 * PIECE <= search->line.size) {
        memcpy(&other, data + PIECE, PIECE);
        if (bit_get(filter->ahead, pair_hash(piece, piece_fold(other))))
            return true;
    }
    if (at >= PIECE) {
        memcpy(&other, data - PIECE, PIECE);
        if (bit_get(filter->behind, pair_hash(piece_fold(other), piece)))
            return true;
    }
    return filter->narrow && bit_get(filter->every4, piece_hash(piece));
}

/* Whether the window of the gram stands around its piece at `at`. */
static bool window_stands(const struct search *search, const struct gram *gram, size_t at)
{
    if (at < gram->into || at - gram->into + gram->length > search->line.size)
        return false;
    const char *found = search->line.data + at - gram->into;
    const char *wanted = search->table->rows[gram->row].parts[gram->part].data + gram->window;
    size_t same = 0;
    while (same < gram->length && ((found[same] ^ wanted[same]) & ~0x20) == 0)
        same++;
    return same == gram->length;
}

/* The next gram of the piece at `at` whose window stands there; `next`: the first that may. */
static const struct gram *gram_next(const struct search *search, uint32_t piece, size_t at,
                                    uint32_t next)
{
    const struct gram *grams = search->table->filter->grams;
    for (; next; next = grams[next].next)
        if (grams[next].piece == piece && window_stands(search, &grams[next], at))
            return &grams[next];
    return NULL;
}

static uint32_t gram_first(const struct search *search, uint32_t piece)
{
    return search->table->filter->heads[piece_hash(piece) % GRAM_HEADS];
}

__attribute__((noinline)) static void piece_verify(struct search *search, uint32_t piece, size_t at)
{
    if (!piece_passes(search, piece, at))
        return;
    const struct gram *gram = gram_next(search, piece, at, gram_first(search, piece));
    for (; gram; gram = gram_next(search, piece, at, gram->next))
        row_try(search, gram->row);
}

static void whole_lines(struct search *search)
{
    const struct message_filter *filter = search->table->filter;
    const size_t size = trimmed_size(search->line);
    uint32_t next = size > 0 ? filter->whole_heads[whole_hash(search->line.data, size)] : 0;
    while (next > 0) {
        const uint32_t number = next - 1;
        next = filter->whole_next[number];
        const struct text part = search->table->rows[number].parts[0];
        size_t start = search->content;
        if (search->masked) { /* the length of prefixes is not known */
            if (part.size > size)
                continue;
            start = size - part.size;
            if (start > 0 && letter(search->line.data[start - 1]))
                continue;
        }
        if (start + part.size == size &&
            memcmp(search->line.data + start, part.data, part.size) == 0)
            hit_add(search, number, start, size);
    }
}

static void search_run(struct search *search)
{
    const struct message_filter *filter = search->table->filter;
    const char *data = search->line.data;
    const size_t size = search->line.size;
    const bool narrow = filter->narrow;
    for (size_t i = 0; i + PIECE <= size; i += 8) {
        uint32_t piece;
        memcpy(&piece, data + i, PIECE);
        piece = piece_fold(piece);
        if (bit_get(filter->every8, piece_hash(piece)))
            piece_verify(search, piece, i);
        if (!narrow || i + 4 + PIECE > size)
            continue;
        memcpy(&piece, data + i + 4, PIECE);
        piece = piece_fold(piece);
        if (bit_get(filter->every4, piece_hash(piece)))
            piece_verify(search, piece, i + 4);
    }
    whole_lines(search);
}

/* By column, then by row: the order of the table. */
static void hits_sort(struct search *search)
{
    for (size_t i = 1; i < search->hit_count; i++) {
        const struct hit hit = search->hits[i];
        size_t j = i;
        for (; j > 0; j--) {
            const struct hit *before = &search->hits[j - 1];
            if (before->column < hit.column ||
                (before->column == hit.column && before->row < hit.row))
                break;
            search->hits[j] = *before;
        }
        search->hits[j] = hit;
    }
}

/* A harmless text takes away what it covers; of the spellings of one row the first is told. */
static bool hit_stands(const struct search *search, size_t at)
{
    const struct message_table *table = search->table;
    const struct hit *hit = &search->hits[at];
    for (size_t i = 0; i < at; i++)
        if (table->filter->identity[search->hits[i].row] == table->filter->identity[hit->row])
            return false;
    if (table->rows[hit->row].strength == STRENGTH_HARMLESS)
        return true;
    for (size_t i = 0; i < search->hit_count; i++) {
        const struct hit *other = &search->hits[i];
        if (table->rows[other->row].strength == STRENGTH_HARMLESS && other->column < hit->end &&
            hit->column < other->end)
            return false;
    }
    return true;
}

void message_search(const struct message_table *table, struct text line, size_t content,
                    void (*met)(void *context, uint32_t row, size_t column), void *context)
{
    struct search search;
    search.table = table;
    search.line = line;
    search.content = content < line.size ? content : line.size;
    search.masked = false;
    search.hit_count = search.tried_count = search.tries = 0;
    search_run(&search);
    if (search.hit_count == 0)
        return;
    hits_sort(&search);
    for (size_t i = 0; i < search.hit_count; i++)
        if (hit_stands(&search, i))
            met(context, search.hits[i].row, search.hits[i].column);
}

bool message_possible(const struct message_table *table, struct text line)
{
    struct search search;
    search.table = table;
    search.line = line;
    search.content = 0;
    search.masked = true;
    search.hit_count = search.tried_count = search.tries = 0;
    search_run(&search);
    return search.hit_count > 0;
}

/* Whether a window stands between the two. Its pieces are found from any start. */
static bool windows_between(const struct search *search, size_t from, size_t to)
{
    const struct message_filter *filter = search->table->filter;
    for (size_t i = from; i + PIECE <= to; i += 4) {
        uint32_t piece;
        memcpy(&piece, search->line.data + i, PIECE);
        piece = piece_fold(piece);
        const uint64_t *bits = (i - from) % 8 == 0 ? filter->every8 : filter->every4;
        if (bit_get(bits, piece_hash(piece)) && piece_passes(search, piece, i) &&
            gram_next(search, piece, i, gram_first(search, piece)))
            return true;
    }
    return false;
}

bool message_near(const struct message_table *table, struct text line, size_t from, size_t to)
{
    struct search search;
    search.table = table;
    search.line = line;
    search.content = 0;
    search.masked = true;
    search.hit_count = 0;
    whole_lines(&search);
    from -= from < WINDOW_WIDE ? from : WINDOW_WIDE - 1;
    to = line.size - to < WINDOW_WIDE ? line.size : to + WINDOW_WIDE - 1;
    return search.hit_count > 0 || windows_between(&search, from, to);
}

struct text message_fact_value(const struct message_table *table, uint32_t row,
                               const struct message_fact *fact, struct text line, size_t column)
{
    if (fact->value.size != 2 || fact->value.data[0] != '#')
        return fact->value;
    struct matching m = {.line = line, .fold = table->filter->folded[row]};
    size_t end;
    const size_t wanted = (size_t)(fact->value.data[1] - '1');
    if (!row_matches(&table->rows[row], &m, column, &column, &end) || wanted >= m.number_count)
        return (struct text){0};
    return m.numbers[wanted];
}
