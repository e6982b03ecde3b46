/* Groups in braces: the key in front of them becomes part of the names inside. */
/* SPDX-License-Identifier: MIT */
#include "read/log/sentence.h"

enum { GROUP_WORDS = 4 };

struct nest {
    struct sentence *sentence;
    int16_t stack[GROUPS_OPEN];
    size_t depth;
    int lists; /* open brackets of a list that a quoted key began */
};

static struct text group_name(struct sentence *sentence, size_t at)
{
    struct mention words = {0};
    size_t i = solid_before(sentence, at, 0);
    if (i == SIZE_MAX)
        return (struct text){"", 0};
    if (is_punct(token_at(sentence, i), ':') || is_punct(token_at(sentence, i), '=')) {
        i = solid_before(sentence, i, 0);
        if (i == SIZE_MAX)
            return (struct text){"", 0};
    }
    if (is_punct(token_at(sentence, i), '(') && i > 0) /* OrderedDict({ */
        return (struct text){"", 0};
    words_collect(sentence, i, 0, &words);
    if (words.words == 0 || words.words > GROUP_WORDS)
        return (struct text){"", 0};
    return words_join(sentence, words.word_first, words.word_end);
}

static void open_group(struct nest *nest, size_t at)
{
    struct sentence *sentence = nest->sentence;
    int16_t outer =
        nest->depth > 0 && nest->depth <= GROUPS_OPEN ? nest->stack[nest->depth - 1] : -1;
    struct text name = group_name(sentence, at);
    int16_t group = outer;
    if (name.size > 0 && sentence->group_count < GROUPS_KEPT) {
        if (outer >= 0 && sentence->groups[outer].size + name.size + 1 < NAME_MAX) {
            struct text path = sentence_copy(sentence, sentence->groups[outer]);
            path.size += sentence_copy(sentence, (struct text){"/", 1}).size;
            path.size += sentence_copy(sentence, name).size;
            name = path;
        }
        group = (int16_t)sentence->group_count;
        sentence->groups[sentence->group_count++] = name;
    }
    if (nest->depth < GROUPS_OPEN)
        nest->stack[nest->depth] = group;
    nest->depth++;
}

static bool opens_list(const struct sentence *sentence, size_t at)
{
    size_t i = solid_before(sentence, at, 0);
    if (i == SIZE_MAX || !is_punct(token_at(sentence, i), ':'))
        return false;
    i = solid_before(sentence, i, 0);
    return i != SIZE_MAX && token_at(sentence, i)->kind == TOKEN_KEY;
}

void groups_find(struct sentence *sentence)
{
    struct nest nest = {.sentence = sentence};
    size_t number = 0;
    for (size_t i = 0; i < sentence->cut->count; i++) {
        const struct token *token = token_at(sentence, i);
        if (token->kind == TOKEN_NUMBER) {
            size_t depth = nest.depth > GROUPS_OPEN ? GROUPS_OPEN : nest.depth;
            sentence->group_of[number] = depth > 0 ? nest.stack[depth - 1] : -1;
            sentence->listed[number++] = nest.lists > 0;
        } else if (is_punct(token, '{')) {
            open_group(&nest, i);
        } else if (is_punct(token, '}')) {
            nest.depth -= nest.depth > 0;
        } else if (is_punct(token, '[')) {
            nest.lists += nest.lists > 0 || opens_list(sentence, i);
        } else if (is_punct(token, ']')) {
            nest.lists -= nest.lists > 0;
        }
    }
}
