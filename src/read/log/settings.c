/* Prints of settings: argument dumps, command lines, configurations over many lines, marks. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/reader.h"

#include <string.h>

enum {
    PATH_BYTES = 256,
    NEST_MOST = 8,
    VALUE_MOST = 200,
    DUMP_SWITCHES = 2, /* =True, =False, =None that make an argument dump */
    DUMP_FACTS = 3,    /* known settings in one line without a place */
    START_APART = 200, /* lines between two dumps that are two starts */
    KEYS_MOST = 4096,
    WORDS_MOST = 4, /* of a name that a person would write */
};

struct scan {
    struct reader *reader;
    const struct line *line;
    struct text text;
    size_t at;
    char path[PATH_BYTES];
    size_t ends[NEST_MOST]; /* of the path at each depth */
    size_t depth, path_size;
    enum setting_source source;
    struct text before; /* a word without value, right in front */
    size_t facts;
    bool send; /* else they are only counted */
};

static bool emit(struct scan *scan, struct text key, struct text value, struct error *error)
{
    char path[2 * PATH_BYTES];
    size_t size = scan->path_size;
    if (key.size > PATH_BYTES - 1 || value.size > VALUE_MOST)
        return true;
    memcpy(path, scan->path, size);
    memcpy(path + size, key.data, key.size);
    struct text full = {path, size + key.size};
    struct fact_naming fact = memo_fact(scan->reader, full, value);
    if (fact.key.size == 0 || fact.refused)
        return true;
    scan->facts++;
    if (!scan->send)
        return true;
    const struct setting setting = {
        .key = full,
        .value = value,
        .source = scan->source,
        .place = {scan->reader->input, scan->line->number, scan->line->offset},
        .rank = scan->line->rank,
    };
    /* What was read before says at which step the setting was told. */
    return batch_flush(scan->reader, error) &&
           scan->reader->sink->setting(scan->reader->sink, &setting, error);
}

static void push(struct scan *scan, struct text key)
{
    if (scan->depth == NEST_MOST)
        return;
    scan->ends[scan->depth++] = scan->path_size;
    if (key.size == 0 || scan->path_size + key.size + 1 > PATH_BYTES)
        return;
    memcpy(scan->path + scan->path_size, key.data, key.size);
    scan->path_size += key.size;
    scan->path[scan->path_size++] = '.';
}

static void pop(struct scan *scan)
{
    if (scan->depth > 0)
        scan->path_size = scan->ends[--scan->depth];
}

static void skip_blanks(struct scan *scan)
{
    while (scan->at < scan->text.size && strchr(" \t", scan->text.data[scan->at]))
        scan->at++;
}

static bool key_byte(char c)
{
    return byte_is_word(c) || c == '-' || c == '/' || c == '.';
}

static struct text take_quoted(struct scan *scan)
{
    char quote = scan->text.data[scan->at];
    size_t start = ++scan->at;
    while (scan->at < scan->text.size && scan->text.data[scan->at] != quote)
        scan->at++;
    struct text inside = text_cut(scan->text, start, scan->at - start);
    scan->at += scan->at < scan->text.size;
    return inside;
}

static struct text take_key(struct scan *scan)
{
    char c = text_byte(scan->text, scan->at);
    if (c == '"' || c == '\'')
        return take_quoted(scan);
    size_t start = scan->at;
    while (scan->at < scan->text.size && key_byte(scan->text.data[scan->at]))
        scan->at++;
    struct text key = text_cut(scan->text, start, scan->at - start);
    while (key.size > 0 && key.data[key.size - 1] == '.')
        key.size--;
    return key;
}

/* A key of several words, `Trainable params`, whose last is `key`'s end: where a fact has that
   name. The scan stands behind `key`, and behind the last word where it is taken. */
static void take_phrase(struct scan *scan, struct text *key)
{
    const size_t start = (size_t)(key->data - scan->text.data);
    size_t at = scan->at;
    for (int words = 1; words < WORDS_MOST; words++) {
        if (text_byte(scan->text, at) != ' ' || !byte_is_letter(text_byte(scan->text, at + 1)))
            break;
        for (at++; at < scan->text.size && key_byte(scan->text.data[at]);)
            at++;
        if (text_byte(scan->text, at) != ':' && text_byte(scan->text, at) != '=')
            continue;
        const struct text phrase = text_cut(scan->text, start, at - start);
        if (vocabulary_fact(scan->reader->vocabulary, phrase, TEXT("1")).key.size > 0) {
            *key = phrase;
            scan->at = at;
        }
        return;
    }
}

/* `.....`, `:`, `=`, and behind --key a blank. */
static bool take_separator(struct scan *scan, bool option)
{
    size_t start = scan->at;
    skip_blanks(scan);
    size_t dots = 0;
    while (text_byte(scan->text, scan->at) == '.') {
        scan->at++;
        dots++;
    }
    if (dots >= 3) {
        skip_blanks(scan);
        return true;
    }
    char c = text_byte(scan->text, scan->at);
    char next = text_byte(scan->text, scan->at + 1);
    if (c == ':' && byte_is_letter(next) && scan->at > 0 &&
        !strchr("\"'", scan->text.data[scan->at - 1]))
        return false; /* INFO:tensorflow:loss */
    if ((c == '=' && next != '=') || c == ':') {
        scan->at++;
        if (c == ':' && text_byte(scan->text, scan->at) == '=')
            scan->at++;
        skip_blanks(scan);
        return true;
    }
    const bool goes_on = c == '\\' && scan->at + 1 == scan->text.size;
    return option && scan->at > start && c != '-' && c != '\0' && !goes_on;
}

/* A list or tuple as it stands. */
static struct text take_list(struct scan *scan)
{
    size_t start = scan->at;
    int depth = 0;
    for (; scan->at < scan->text.size; scan->at++) {
        char c = scan->text.data[scan->at];
        depth += c == '[' || c == '(';
        depth -= c == ']' || c == ')';
        if (depth == 0) {
            scan->at++;
            break;
        }
    }
    return text_cut(scan->text, start, scan->at - start);
}

/* The comma at `at` groups the digits of a number that began at `start`. */
static bool groups_digits(struct text text, size_t start, size_t at)
{
    for (size_t i = start; i < at; i++)
        if (!byte_is_digit(text.data[i]) && text.data[i] != ',')
            return false;
    for (size_t i = 1; i <= 3; i++)
        if (!byte_is_digit(text_byte(text, at + i)))
            return false;
    return at > start && !byte_is_digit(text_byte(text, at + 4));
}

static struct text take_plain(struct scan *scan, bool option, bool alone)
{
    size_t start = scan->at;
    while (scan->at < scan->text.size) {
        char c = scan->text.data[scan->at];
        if (c == ',' && alone && groups_digits(scan->text, start, scan->at)) {
            scan->at++;
            continue;
        }
        if (c == ',' || c == ')' || c == '}' || c == ';' || (c == ']' && scan->depth > 0))
            break;
        if (option && (c == ' ' || c == '\t'))
            break;
        if (!alone && !option && (c == ' ' || c == '|') && scan->depth == 0)
            break;
        const bool aside = c == '#' || (c == '(' && byte_is_digit(scan->text.data[start]));
        if (alone && aside && scan->at > start && scan->text.data[scan->at - 1] == ' ')
            break;
        scan->at++;
    }
    return text_trim(text_cut(scan->text, start, scan->at - start));
}

static bool wrapper(struct text word)
{
    static const char *const words[] = {"dict",       "ordereddict", "namespace", "config",
                                        "configdict", "easydict",    NULL};
    return word.size == 0 || text_in(word, words);
}

/* The value of `key`; nested ones are gone into. */
static bool take_value(struct scan *scan, struct text key, bool option, bool alone,
                       struct error *error)
{
    char c = text_byte(scan->text, scan->at);
    if (c == '"' || c == '\'')
        return emit(scan, key, take_quoted(scan), error);
    if (c == '[' || c == '(')
        return emit(scan, key, take_list(scan), error);
    if (c == '{') {
        scan->at++;
        push(scan, key);
        return true;
    }
    if (c == '-' && text_byte(scan->text, scan->at + 1) == '-' &&
        byte_is_letter(text_byte(scan->text, scan->at + 2)))
        return true; /* `args: --lr 0.1`: a heading, and the first of the options */
    size_t word = scan->at;
    while (byte_is_word(text_byte(scan->text, word)) || text_byte(scan->text, word) == '.')
        word++;
    if (text_byte(scan->text, word) == '=' && text_byte(scan->text, word + 1) != '=' &&
        word > scan->at && byte_is_letter(c))
        return true; /* `config: lr=0.1`: a heading, and the first of its keys */
    if (text_byte(scan->text, word) == '(') {
        struct text name = text_cut(scan->text, scan->at, word - scan->at);
        bool sent = wrapper(name) || emit(scan, key, name, error);
        scan->at = word + 1;
        /* `(bn1): BatchNorm(momentum=0.9)`: a module, whose type tells what its settings are of. */
        const bool module = key.data > scan->text.data && key.data[-1] == '(';
        push(scan, module ? name : key);
        return sent;
    }
    struct text value = take_plain(scan, option, alone);
    return value.size == 0 || emit(scan, key, value, error);
}

/* The word before the key, if any, stands right in front of it. */
static bool goes_before(const struct scan *scan, struct text key)
{
    return scan->before.size > 0 && scan->before.data + scan->before.size + 1 == key.data;
}

/* `total batch=51`, `number of batches: 51`: how many, not how large. */
static bool counts_batches(const struct scan *scan, struct text key)
{
    static const char *const counts[] = {"total", "num", "number", "of", "nb", "n", NULL};
    static const char *const batches[] = {"batch",     "batches",     "mini-batch", "mini-batches",
                                          "minibatch", "minibatches", NULL};
    return goes_before(scan, key) && text_in(scan->before, counts) && text_in(key, batches);
}

/* `non-embedding parameters: 51`: of a part, not of the model. */
static bool counts_part(const struct scan *scan, struct text key)
{
    static const char *const parts[] = {"embedding", "non-embedding", "embeddings", "active",
                                        "frozen",    "other",         NULL};
    static const char *const parameters[] = {"parameters", "params", NULL};
    return goes_before(scan, key) && text_in(scan->before, parts) && text_in(key, parameters);
}

/* Options with so many dashes, each behind a blank; of one dash only words are: `-5` is a number.
 */
static size_t count_options(struct text text, size_t dashes)
{
    size_t options = 0;
    for (size_t i = 0; i + dashes + 2 < text.size; i++)
        options += text.data[i] == ' ' && text.data[i + 1] == '-' &&
                   (dashes == 1 || text.data[i + 2] == '-') &&
                   byte_is_letter(text.data[i + dashes + 1]) &&
                   (dashes > 1 || byte_is_letter(text.data[i + dashes + 2]));
    return options;
}

/* A program is called in the line. */
static bool calls_program(struct text text)
{
    static const char *const endings[] = {".py ", ".lua ", ".sh ", ".jl "};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (text_find(text, text_of(endings[i])) < text.size)
            return true;
    return false;
}

static bool is_command(struct text text)
{
    return count_options(text, 2) > 0 || (calls_program(text) && count_options(text, 1) > 1);
}

/* Options without a value are switched on by it: of a program that is called, or in a line that
   goes on with its options alone. Elsewhere one may only be spoken of. */
static bool switches(struct text text)
{
    const struct text own = text_trim(text);
    const bool goes_on = text_ends(own, "\\") || text_find(own, TEXT(" ")) == own.size;
    return calls_program(text) ||
           (text_starts(own, "--") && byte_is_letter(text_byte(own, 2)) && goes_on);
}

static bool step(struct scan *scan, bool alone, struct error *error)
{
    char c = scan->text.data[scan->at];
    if (c == ')' || c == '}') {
        pop(scan);
        scan->at++;
        return true;
    }
    bool option = false;
    if (c == '-' && text_byte(scan->text, scan->at + 1) == '-') {
        option = true;
        scan->at += 2;
    } else if (c == '-' && byte_is_letter(text_byte(scan->text, scan->at + 1)) &&
               scan->source == SETTING_COMMAND) {
        option = true;
        scan->at++;
    } else if (!byte_is_letter(c) && c != '"' && c != '\'') {
        scan->at++;
        return true;
    }
    struct text key = take_key(scan);
    if (key.size == 0) {
        scan->at++;
        return true;
    }
    if (text_byte(scan->text, scan->at) == '(') {
        push(scan, wrapper(key) ? (struct text){"", 0} : key);
        scan->at++;
        return true;
    }
    if (alone && !option && scan->path_size == 0)
        take_phrase(scan, &key);
    const struct text before = scan->before;
    scan->before = key;
    if (!take_separator(scan, option))
        return !option || !switches(scan->text) || emit(scan, key, TEXT("True"), error);
    scan->before = before;
    if (counts_batches(scan, key) || counts_part(scan, key))
        return true;
    return take_value(scan, key, option, alone, error);
}

/* One key at the line's start and its value: to the line's end. */
static bool stands_alone(struct text text)
{
    size_t signs = 0;
    bool quoted = text.size > 0 && (text.data[0] == '"' || text.data[0] == '\'');
    for (size_t i = 0; i < text.size; i++)
        signs += text.data[i] == '=' || (text.data[i] == ':' && text_byte(text, i + 1) == ' ');
    return signs <= 1 && !quoted;
}

static bool scan_line(struct scan *scan, struct error *error)
{
    bool alone = stands_alone(scan->text);
    for (size_t keys = 0; scan->at < scan->text.size && keys < KEYS_MOST; keys++)
        if (!step(scan, alone, error))
            return false;
    return true;
}

/* `stalldoc: fact clip=1.0` */
static bool mark(struct scan *scan, struct error *error)
{
    static const char opening[] = "stalldoc: fact ";
    size_t at = text_find(scan->text, TEXT("stalldoc: fact "));
    if (at == scan->text.size)
        return true;
    struct text rest = text_cut(scan->text, at + sizeof opening - 1, scan->text.size);
    size_t equals = text_find(rest, TEXT("="));
    if (equals == rest.size)
        return true;
    const struct setting setting = {
        .key = text_trim(text_cut(rest, 0, equals)),
        .value = text_trim(text_cut(rest, equals + 1, rest.size)),
        .source = SETTING_MARK,
        .place = {scan->reader->input, scan->line->number, scan->line->offset},
        .rank = scan->line->rank,
    };
    /* What was read before says at which step the setting was told. */
    return batch_flush(scan->reader, error) &&
           scan->reader->sink->setting(scan->reader->sink, &setting, error);
}

bool settings_line(struct reader *reader, const struct line *line, struct error *error)
{
    struct scan scan = {
        .reader = reader,
        .line = line,
        .text = line->content,
        .source = is_command(line->content) ? SETTING_COMMAND : SETTING_DUMP,
        .send = true,
    };
    if (text_find(scan.text, TEXT("stalldoc: fact ")) < scan.text.size)
        return mark(&scan, error);
    return scan_line(&scan, error);
}

bool settings_pair(struct reader *reader, const struct line *line, struct text key,
                   struct text value, struct error *error)
{
    struct scan scan = {.reader = reader, .line = line, .source = SETTING_DUMP, .send = true};
    return emit(&scan, key, value, error);
}

/* ---- Which lines ---- */

static size_t count_switches(struct text text)
{
    static const char *const words[] = {"True", "False", "None"};
    size_t count = 0;
    for (size_t i = 1; i < text.size; i++) {
        char before = text.data[i - 1];
        if (before == ' ' && i > 1)
            before = text.data[i - 2];
        if (before != '=' && before != ':')
            continue;
        for (size_t w = 0; w < 3; w++) {
            size_t n = strlen(words[w]);
            count += i + n <= text.size && memcmp(text.data + i, words[w], n) == 0;
        }
    }
    return count;
}

static bool opens_dump(struct text text)
{
    static const char *const words[] = {"Namespace(",  "args: ",     "Args: ",
                                        "arguments: ", "Arguments(", "Config(",
                                        "config: ",    "Config: ",   "TrainingArguments(",
                                        "hparams: ",   "options: "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_find(text, text_of(words[i])) < text.size)
            return true;
    return false;
}

uint32_t settings_look(struct reader *reader, const struct line *line)
{
    struct text text = line->content;
    if (text.size < 4 ||
        (!memchr(text.data, '=', text.size) && !memchr(text.data, ':', text.size) &&
         !memchr(text.data, '.', text.size) && !memchr(text.data, '-', text.size)))
        return 0;
    if (text_find(text, TEXT("stalldoc: fact ")) < text.size)
        return ENTRY_SETTING;
    if (reader->cut.bar < reader->cut.count)
        return 0;
    struct scan scan = {.reader = reader, .line = line, .text = text, .source = SETTING_DUMP};
    bool command = is_command(text);
    if (command)
        scan.source = SETTING_COMMAND;
    if (!scan_line(&scan, NULL) || scan.facts == 0)
        return 0;
    if (count_switches(text) >= DUMP_SWITCHES || opens_dump(text))
        return ENTRY_SETTING | ENTRY_DUMP;
    if (command)
        return ENTRY_SETTING | ENTRY_DUMP | ENTRY_FACTS;
    bool dotted = text_find(text, TEXT("......")) < text.size;
    return scan.facts >= DUMP_FACTS || dotted ? ENTRY_SETTING | ENTRY_FACTS : ENTRY_PAIR;
}
