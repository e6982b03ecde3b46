/* Rules to be read, not applied: their texts as they stand where nothing is known of a run. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/rule.h"

#include <string.h>

struct plaining {
    struct arena *arena;
    bool failed;
};

static const char *plain(struct plaining *plaining, const char *text, bool code)
{
    if (!text || plaining->failed)
        return text;
    /* NUL behind it: arena_text copies so. */
    struct text filled =
        arena_text(plaining->arena, placeholder_plain(plaining->arena, text, code));
    plaining->failed = !filled.data;
    return filled.data;
}

/* A copy of `count` rows; NULL where memory ended. */
static void *copy(struct plaining *plaining, const void *rows, size_t count, size_t size)
{
    void *copied = plaining->failed ? NULL : arena_take(plaining->arena, count + 1, size);
    plaining->failed = !copied;
    if (copied && count)
        memcpy(copied, rows, count * size);
    return copied;
}

static void plain_symptom(struct plaining *plaining, struct symptom *symptom)
{
    struct form_message *messages =
        copy(plaining, symptom->messages, symptom->message_count, sizeof(*messages));
    for (size_t i = 0; messages && i < symptom->message_count; i++)
        messages[i].text = plain(plaining, messages[i].text, false);
    symptom->messages = messages;
    symptom->act = plain(plaining, symptom->act, false);
}

static void plain_fix(struct plaining *plaining, struct fix *fix)
{
    struct snippet *snippets = copy(plaining, fix->snippets, fix->snippet_count, sizeof(*snippets));
    for (size_t i = 0; snippets && i < fix->snippet_count; i++)
        snippets[i].code = plain(plaining, snippets[i].code, true);
    fix->snippets = snippets;
    fix->title = plain(plaining, fix->title, false);
    fix->numbers = plain(plaining, fix->numbers, false);
    fix->expect = plain(plaining, fix->expect, false);
}

static void plain_cause(struct plaining *plaining, struct cause *cause)
{
    struct evidence_item *items = copy(plaining, cause->items, cause->item_count, sizeof(*items));
    struct fix *fixes = copy(plaining, cause->fixes, cause->fix_count, sizeof(*fixes));
    for (size_t i = 0; items && i < cause->item_count; i++)
        items[i].text = plain(plaining, items[i].text, false);
    for (size_t i = 0; fixes && i < cause->fix_count; i++)
        plain_fix(plaining, &fixes[i]);
    cause->items = items;
    cause->fixes = fixes;
}

const struct rules *rules_plain(struct arena *arena, const struct rules *rules, struct error *error)
{
    struct plaining plaining = {.arena = arena};
    struct rules *plained = copy(&plaining, rules, 1, sizeof(*plained));
    struct symptom *symptoms =
        copy(&plaining, rules->symptoms, rules->symptom_count, sizeof(*symptoms));
    struct cause *causes = copy(&plaining, rules->causes, rules->cause_count, sizeof(*causes));
    for (size_t i = 0; symptoms && i < rules->symptom_count; i++)
        plain_symptom(&plaining, &symptoms[i]);
    for (size_t i = 0; causes && i < rules->cause_count; i++)
        plain_cause(&plaining, &causes[i]);
    if (plaining.failed) {
        error_set(error, ERROR_MEMORY, (struct place){0}, "no memory for the rules");
        return NULL;
    }
    plained->symptoms = symptoms;
    plained->causes = causes;
    return plained;
}

bool message_is_told(const struct symptom *symptom, size_t nth)
{
    const char *text = symptom->messages[nth].text;
    for (size_t i = 0; i < nth; i++)
        if (strcmp(symptom->messages[i].text, text) == 0)
            return false;
    return strcmp(text, "<text>") != 0; /* the line of the log itself */
}
