/* Takes off what stands in front of a line: rank, actor, time, level, location. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/reader.h"

#include <string.h>

enum { ROUNDS = 5, LEVEL_WITHIN = 140, LOCATION_WITHIN = 120, THREAD_DIGITS = 6 };

struct strip {
    struct reader *reader;
    struct line *line;
    struct text text;
    size_t at;
};

static size_t skip_blanks(struct text text, size_t at)
{
    while (at < text.size && (text.data[at] == ' ' || text.data[at] == '\t'))
        at++;
    return at;
}

static size_t take_integer(struct text text, size_t at, int32_t *value)
{
    size_t i = at;
    int64_t sum = 0;
    for (; byte_is_digit(text_byte(text, i)) && i < at + 9; i++)
        sum = sum * 10 + (text.data[i] - '0');
    *value = (int32_t)sum;
    return byte_is_digit(text_byte(text, i)) ? at : i;
}

static bool word_at(struct text text, size_t at, const char *lower)
{
    size_t n = strlen(lower);
    return at + n <= text.size && text_folds_to(text_cut(text, at, n), lower);
}

/* ---- Ranks and actors ---- */

/* `[1,3]<stdout>:`, `[1,mpirank:0,algo-1]<stdout>:` */
static size_t mpi_rank(struct text text, size_t at, int32_t *rank)
{
    int32_t job;
    size_t i = take_integer(text, at + 1, &job);
    if (i == at + 1 || text_byte(text, i) != ',')
        return at;
    i++;
    if (word_at(text, i, "mpirank:"))
        i += 8;
    size_t end = take_integer(text, i, rank);
    if (end == i)
        return at;
    while (end < text.size && text.data[end] != ']' && end < at + 60)
        end++;
    if (!word_at(text, end, "]<std"))
        return at;
    while (end < text.size && text.data[end] != '>')
        end++;
    return end + 1 + (text_byte(text, end + 1) == ':');
}

/* `[rank3]:`, `[default3]:`, `[rank: 3]`, `[Rank 0]`, `[RANK:0]`, `RANK: 1 ` */
static size_t named_rank(struct text text, size_t at, int32_t *rank)
{
    bool bracket = text_byte(text, at) == '[';
    size_t i = at + bracket;
    if (word_at(text, i, "rank"))
        i += 4;
    else if (bracket && word_at(text, i, "default"))
        i += 7;
    else
        return at;
    bool colon = text_byte(text, i) == ':';
    i += colon;
    while (text_byte(text, i) == ' ')
        i++;
    size_t end = take_integer(text, i, rank);
    if (end == i || (!bracket && (!colon || at > 0)))
        return at;
    if (bracket)
        return text_byte(text, end) == ']' ? end + 1 + (text_byte(text, end + 1) == ':') : at;
    return text_byte(text, end) == ' ' ? end : at;
}

/* `[host0:0/6] `: the first number is the rank; of `[epoch:1/10]` it is not. Without a vocabulary
   (who asks for the time alone has none) any word may be a host. */
static size_t host_rank(const struct vocabulary *vocabulary, struct text text, size_t at,
                        int32_t *rank)
{
    int32_t world;
    size_t i = at + 1;
    if (text_byte(text, at) != '[' || !byte_is_letter(text_byte(text, i)))
        return at;
    while (byte_is_word(text_byte(text, i)) || text_byte(text, i) == '-')
        i++;
    if (text_byte(text, i) != ':' ||
        (vocabulary &&
         vocabulary_place(vocabulary, text_cut(text, at + 1, i - at - 1)) != PLACE_NONE))
        return at;
    size_t end = take_integer(text, i + 1, rank);
    if (end == i + 1 || text_byte(text, end) != '/')
        return at;
    i = end + 1;
    end = take_integer(text, i, &world);
    return end > i && text_byte(text, end) == ']' && *rank < world ? end + 1 : at;
}

static bool strip_rank(struct strip *strip)
{
    int32_t rank;
    size_t end = strip->at;
    char c = text_byte(strip->text, strip->at);
    if (c != '[' && (c | 0x20) != 'r')
        return false;
    end = named_rank(strip->text, strip->at, &rank);
    if (end == strip->at && c == '[')
        end = mpi_rank(strip->text, strip->at, &rank);
    if (end == strip->at)
        end = host_rank(strip->reader->vocabulary, strip->text, strip->at, &rank);
    if (end == strip->at)
        return false;
    strip->line->rank = rank;
    strip->at = end;
    return true;
}

/* `[actor=<root>]`, `(RayTrainWorker pid=12, ip=..)`, `0|name  | ` */
static bool strip_actor(struct strip *strip)
{
    struct text text = strip->text;
    size_t at = strip->at, end = at;
    char c = text_byte(text, at);
    if (c == '[' && word_at(text, at + 1, "actor=")) {
        while (end < text.size && text.data[end] != ']')
            end++;
    } else if (c == '(' && byte_is_letter(text_byte(text, at + 1))) {
        while (end < text.size && end < at + 80 && text.data[end] != ')')
            end++;
        struct text inside = text_cut(text, at, end - at);
        if (text_find(inside, TEXT(" pid=")) == inside.size)
            return false;
    } else if (byte_is_digit(c)) {
        int32_t number;
        end = take_integer(text, at, &number);
        if (text_byte(text, end) != '|' || !byte_is_letter(text_byte(text, end + 1)))
            return false;
        for (end++; byte_is_word(text_byte(text, end)) || text_byte(text, end) == '-';)
            end++;
        end = skip_blanks(text, end);
        if (text_byte(text, end) != '|' || text_byte(text, end + 1) != ' ')
            return false;
    } else {
        return false;
    }
    if (end >= text.size)
        return false;
    strip->at = end + 1;
    return true;
}

/* ---- Levels ---- */

static const char *const levels[] = {"INFO", "WARNING", "WARN", "DEBUG", "ERROR", "CRITICAL"};

static size_t level_at(struct text text, size_t at)
{
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        size_t n = strlen(levels[i]);
        if (at + n <= text.size && memcmp(text.data + at, levels[i], n) == 0 &&
            !byte_is_word(text_byte(text, at + n)))
            return n;
    }
    return 0;
}

static bool spoils_level(struct text before)
{
    static const char *const words[] = {"loss", "acc", "epoch", "iter", "step"};
    for (size_t i = 0; i < before.size; i++) {
        if (strchr("={}", before.data[i]))
            return true;
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (word_at(before, i, words[w]))
                return true;
    }
    return false;
}

/* `INFO:root:message`: the logger's name, which no blank parts from what it says. */
static size_t logger_end(struct text text, size_t at)
{
    size_t end = at;
    while (byte_is_word(text_byte(text, end)) || text_byte(text, end) == '.')
        end++;
    char next = text_byte(text, end + 1);
    bool value = byte_is_digit(next) || strchr("+-.", next); /* NUL too */
    if (end == at || text_byte(text, end) != ':' || next == ' ' || next == ':' || next == '/')
        return at;
    return value && !text_folds_to(text_cut(text, at, end - at), "root") ? at : end + 1;
}

/* `INFO 140131111111111] message`: the number of a thread. */
static size_t thread_end(struct text text, size_t at)
{
    size_t i = skip_blanks(text, at), first = i;
    while (byte_is_digit(text_byte(text, i)))
        i++;
    return i >= first + THREAD_DIGITS && text_byte(text, i) == ']' ? i : at;
}

static bool strip_level(struct strip *strip)
{
    struct text text = strip->text;
    size_t most = strip->at + LEVEL_WITHIN;
    for (size_t i = strip->at; i + 4 <= text.size && i < most; i++) {
        char c = text.data[i];
        if (c != 'I' && c != 'W' && c != 'D' && c != 'E' && c != 'C')
            continue;
        size_t n = level_at(text, i);
        if (n == 0 || (i > 0 && byte_is_word(text.data[i - 1])))
            continue;
        if (spoils_level(text_cut(text, strip->at, i - strip->at)))
            return false;
        i += n;
        if (text_byte(text, i) == ':')
            i = logger_end(text, i + 1);
        i = thread_end(text, i);
        while (i < text.size && strchr(" \t]:|)>", text.data[i]))
            i++;
        if (text_byte(text, i) == '-' && text_byte(text, i + 1) == ' ')
            i += 2;
        strip->at = i;
        return true;
    }
    return false;
}

/* ---- Times ---- */

/* Clocks without a date: midnight passes where they fall by more than half a day. */
static double absolute(struct reader *reader, const struct moment *moment)
{
    double seconds = moment->seconds;
    if (moment->kind != TIME_CLOCK)
        return seconds;
    if (seconds + 43200 < reader->last_clock)
        reader->day++;
    reader->last_clock = seconds;
    return (double)reader->day * 86400 + seconds;
}

static size_t skip_signs(struct text text, size_t at)
{
    for (;;) {
        char c = text_byte(text, at);
        if (c == ' ' || c == '\t' || c == ']' || c == ')' || c == '|' || c == ':' || c == ',')
            at++;
        else if (c == '-' && text_byte(text, at + 1) == ' ')
            at++;
        else
            return at;
    }
}

static bool strip_time(struct strip *strip)
{
    struct text text = strip->text;
    struct moment moment;
    size_t i = strip->at;
    char c = text_byte(text, i);
    bool bracket = c == '[' || c == '(';
    i += bracket;
    char first = text_byte(text, i); /* of a date, a day or a month */
    if (!byte_is_digit(first) && !(first >= 'A' && first <= 'Z'))
        return false;
    size_t n = time_take(text, i, &moment);
    if (n == 0 || moment.kind == TIME_DURATION)
        return false;
    const size_t start = i;
    i += n;
    c = text_byte(text, i);
    if (c != '\0' && !strchr(" \t]):|-,", c))
        return false;
    if (bracket && c == ',') /* `[2021-01-01 10:00:00, 0.5` */
        i++;
    if (!isnan(moment.seconds)) {
        strip->line->time = absolute(strip->reader, &moment);
        strip->line->stamp = text_cut(text, start, n);
    }
    strip->at = skip_signs(text, i);
    return true;
}

/* `I0501 10:00:00.000000   139 file.py:88] `, `[W318 14:38:11.514 file.cpp:1524] ` */
static bool strip_glog(struct strip *strip)
{
    struct text text = strip->text;
    struct moment moment;
    size_t i = strip->at;
    bool bracket = text_byte(text, i) == '[';
    i += bracket;
    char letter = text_byte(text, i);
    if (letter == '\0' || !strchr("IWEFD", letter))
        return false;
    int32_t date;
    const size_t date_at = i + 1;
    size_t end = take_integer(text, i + 1, &date);
    if (end < i + 4 || end > i + 9 || text_byte(text, end) != ' ')
        return false;
    i = skip_blanks(text, end);
    size_t n = time_take(text, i, &moment);
    bool clock = n > 0 && moment.kind == TIME_CLOCK;
    if (!clock && !text_starts(text_cut(text, i, 6), "00:00:")) /* seconds since 1970 behind it */
        return false;
    size_t close = i + n;
    while (close < text.size && close < i + LOCATION_WITHIN && text.data[close] != ']')
        close++;
    if (text_byte(text, close) != ']')
        return false;
    if (clock) {
        strip->line->time = absolute(strip->reader, &moment);
        strip->line->stamp = text_cut(text, date_at, i + n - date_at);
    }
    strip->at = skip_blanks(text, close + 1);
    return true;
}

/* ---- Locations ---- */

/* `file.py:123]`, `(file.c:12)`, `[file.py:123:name]`, `pkg.mod:123 -`, `mod:func:123 -` */
static bool strip_location(struct strip *strip)
{
    struct text text = strip->text;
    size_t i = strip->at, most = i + LOCATION_WITHIN;
    char open = text_byte(text, i);
    bool bracket = open == '[' || open == '(';
    i += bracket;
    bool dotted = false, number = false;
    size_t colons = 0, start = i;
    for (; i < text.size && i < most; i++) {
        char c = text.data[i];
        if ((c == '.' || c == '/') && !number)
            dotted = true;
        else if ((c == '.' || c == '/') && byte_is_digit(text.data[i - 1]))
            return false; /* `[epoch:1/10] [loss:0.5]`: no line of a file */
        else if (c == ':' && byte_is_digit(text_byte(text, i + 1))) {
            colons++;
            number = true;
        } else if (c == ':' && byte_is_letter(text_byte(text, i + 1)))
            colons++;
        else if (!byte_is_word(c) && !strchr("<>-", c))
            break;
    }
    if (!number || (!dotted && colons < 2 && !(bracket && open == '(')) ||
        !byte_is_letter(text_byte(text, start)))
        return false;
    char c = text_byte(text, i);
    if (bracket) {
        if (c != ']' && c != ')')
            return false;
        strip->at = skip_signs(text, i + 1);
        return true;
    }
    if (c != ']' && !(c == ' ' && text_byte(text, i + 1) == '-' && text_byte(text, i + 2) == ' ') &&
        !(c == ':' && text_byte(text, i + 1) == ' '))
        return false;
    strip->at = skip_signs(text, i);
    return true;
}

/* `LOG (program:Function():file.cc:12) `, `VLOG[1] (..)`: words of who prints, none of the values.
 */
static bool strip_printer(struct strip *strip)
{
    const struct text text = strip->text;
    size_t i = strip->at;
    while (text_byte(text, i) >= 'A' && text_byte(text, i) <= 'Z')
        i++;
    if (i < strip->at + 3)
        return false;
    int32_t verbosity;
    if (text_byte(text, i) == '[')
        i = take_integer(text, i + 1, &verbosity) + 1;
    const size_t open = skip_blanks(text, i), most = open + LOCATION_WITHIN;
    if (text_byte(text, open) != '(')
        return false;
    for (i = open + 1; i < most && i < text.size && !strchr("=[{", text.data[i]); i++) {
        size_t digits = i;
        while (digits > open && byte_is_digit(text.data[digits - 1]))
            digits--;
        if (text.data[i] != ')' || digits == i || text.data[digits - 1] != ':' ||
            !memchr(text.data + open, '.', i - open))
            continue;
        strip->at = skip_blanks(text, i + 1);
        return true;
    }
    return false;
}

/* `pkg.module - ` behind a level: the logger's name. */
static bool strip_logger(struct strip *strip)
{
    struct text text = strip->text;
    size_t i = strip->at;
    bool dotted = text_byte(text, i) == '_' && text_byte(text, i + 1) == '_';
    for (; byte_is_word(text_byte(text, i)) || text_byte(text, i) == '.'; i++)
        dotted = dotted || text.data[i] == '.';
    if (!dotted || text_byte(text, i) != ' ' || text_byte(text, i + 1) != '-' ||
        text_byte(text, i + 2) != ' ')
        return false;
    strip->at = i + 3;
    return true;
}

/* Comments and quotations: `# `, `> `. */
static bool strip_comment(struct strip *strip)
{
    char c = text_byte(strip->text, strip->at);
    if ((c != '#' && c != '>') || text_byte(strip->text, strip->at + 1) != ' ')
        return false;
    strip->at = skip_blanks(strip->text, strip->at + 1);
    return true;
}

/* `[1] "epoch 3 loss 0.5"`, as R prints a text: a whole line in quotes is read without them. */
static struct text unquoted(struct text text)
{
    size_t i = 0;
    if (text_byte(text, 0) == '[')
        for (i++; byte_is_digit(text_byte(text, i));)
            i++;
    if (i > 0)
        i = i > 1 && text_byte(text, i) == ']' ? skip_blanks(text, i + 1) : text.size;
    const struct text inside = text_cut(text, i + 1, text.size > i + 2 ? text.size - i - 2 : 0);
    bool number = false;
    for (size_t k = 0; k < inside.size; k++)
        number = number || byte_is_digit(inside.data[k]);
    const bool whole = text_byte(text, i) == '"' && text_ends(text, "\"") && number &&
                       text_count(inside, '"') == 0 && text_count(inside, ' ') > 0;
    return whole ? inside : text;
}

void prefix_strip(struct reader *reader, struct line *line)
{
    struct strip strip = {reader, line, line->raw, 0};
    line->rank = -1;
    line->time = NAN;
    line->stamp = TEXT("");
    strip.at = rank_strip(reader->ranks, line->raw, &line->rank);
    bool level = false;
    for (int round = 0; round < ROUNDS; round++) {
        strip.at = skip_blanks(strip.text, strip.at);
        if (strip_rank(&strip) || strip_actor(&strip) || strip_glog(&strip) || strip_time(&strip) ||
            strip_location(&strip) || (round == 0 && strip_comment(&strip)) ||
            (!level && strip_printer(&strip)) || (level && strip_logger(&strip)))
            continue;
        if (level || !strip_level(&strip))
            break;
        level = true;
    }
    strip.at = skip_blanks(strip.text, strip.at);
    line->content = unquoted(text_cut(line->raw, strip.at, line->raw.size));
}
