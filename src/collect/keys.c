/* What names of files have in common that belong together. */
/* SPDX-License-Identifier: MIT */
#include "keys.h"

#include "stalldoc/limits.h"
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct text twin_key(struct text file, char *bytes)
{
    size_t size = 0;
    for (size_t i = 0; i < file.size && size + 4 < KEY_MOST;) {
        const bool begins = i == 0 || !is_letter(file.data[i - 1]);
        const struct text rest = text_cut(file, i, file.size - i);
        const bool err = text_starts(rest, "err") && (rest.size == 3 || !is_letter(rest.data[3]));
        const bool stderr_ = i >= 3 && memcmp(file.data + i - 3, "std", 3) == 0;
        if (err && (begins || stderr_)) {
            memcpy(bytes + size, "out", 3);
            size += 3;
            i += 3;
        } else if (file.data[i] == 'e' && i > 0 && file.data[i - 1] == '.' && rest.size > 1 &&
                   is_digit(rest.data[1])) {
            bytes[size++] = 'o';
            i++;
        } else {
            bytes[size++] = file.data[i++];
        }
    }
    return (struct text){bytes, size};
}

/* A word before a number that says the number is a rank. */
static bool rank_word(struct text word)
{
    static const char *const words[] = {"rank", "worker", "node", "proc",  "process", "gpu",
                                        "task", "host",   "r",    "local", "device",  "replica"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (text_is(word, words[i]))
            return true;
    return false;
}

bool rank_key(struct text path, char *bytes, struct text *key, int32_t *rank)
{
    for (size_t i = 0; i < path.size; i++) {
        if (!is_digit(path.data[i]) || (i > 0 && is_digit(path.data[i - 1])))
            continue;
        size_t end = i;
        int64_t number = 0;
        while (end < path.size && is_digit(path.data[end]) && number < LIMIT_RANKS)
            number = 10 * number + (path.data[end++] - '0');
        size_t word = i;
        while (word > 0 && strchr("-_.=", path.data[word - 1]))
            word--;
        size_t begin = word;
        while (begin > 0 && is_letter(path.data[begin - 1]))
            begin--;
        if (number >= LIMIT_RANKS || path.size + 1 > KEY_MOST ||
            !rank_word(text_cut(path, begin, word - begin)))
            continue;
        memcpy(bytes, path.data, i);
        bytes[i] = '#';
        memcpy(bytes + i + 1, path.data + end, path.size - end);
        *key = (struct text){bytes, i + 1 + path.size - end};
        *rank = (int32_t)number;
        return true;
    }
    return false;
}

struct text part_key(struct text path, char *bytes)
{
    size_t size = 0;
    for (size_t i = 0; i < path.size && size < KEY_MOST; i++) {
        if (!is_digit(path.data[i]))
            bytes[size++] = path.data[i];
        else if (i == 0 || !is_digit(path.data[i - 1]))
            bytes[size++] = '#';
    }
    while (size > 0 && (bytes[size - 1] == '#' || bytes[size - 1] == '.'))
        size--; /* train.log, train.log.1 */
    return (struct text){bytes, size};
}
