/* Each value by its own key: optimizer_config.config.lr is what a person knows as lr. A class_name
   is said of the key above it: optimizer_config.class_name tells the optimizer. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/keras_config.h"

#include "read/document/tokenizer.h"

#include <string.h>

enum { DEPTH_MOST = 16, KEY_MOST = 64, VALUE_MOST = 512 };

struct config {
    struct tokenizer tokenizer;
    char keys[DEPTH_MOST][KEY_MOST]; /* of the open objects; [depth] is the key being read */
    size_t sizes[DEPTH_MOST];
    size_t depth, inside; /* `inside`: depth of the wanted object; 0: not in it */
};

static struct text key_at(const struct config *config, size_t depth)
{
    return depth < DEPTH_MOST ? (struct text){config->keys[depth], config->sizes[depth]}
                              : (struct text){0};
}

static void key_take(struct config *config, struct text key)
{
    if (config->depth >= DEPTH_MOST)
        return;
    config->sizes[config->depth] = key.size < KEY_MOST ? key.size : 0;
    memcpy(config->keys[config->depth], key.data, config->sizes[config->depth]);
}

/* "optimizer_config" is the optimizer's. */
static struct text spoken(struct text key)
{
    return text_ends(key, "_config") ? text_cut(key, 0, key.size - strlen("_config")) : key;
}

static bool value_put(const struct reading *reading, struct input *input,
                      const struct config *config, struct text value, struct error *error)
{
    struct text key = key_at(config, config->depth);
    if (text_is(key, "class_name") && config->depth > 0)
        key = spoken(key_at(config, config->depth - 1));
    const struct setting setting = {
        .key = key,
        .value = value,
        .source = SETTING_CONFIG,
        .place = input_place(input, 0),
        .rank = -1,
    };
    return key.size == 0 || value.size == 0 || value.size > VALUE_MOST ||
           text_is(key, "registered_name") || text_is(key, "module") ||
           reading->sink->setting(reading->sink, &setting, error);
}

static void object_begin(struct config *config, struct text name)
{
    if (config->inside == 0 && (name.size == 0 || text_equal(key_at(config, config->depth), name)))
        config->inside = config->depth + 1;
    config->depth++;
    if (config->depth < DEPTH_MOST)
        config->sizes[config->depth] = 0;
}

static void object_end(struct config *config)
{
    config->depth -= config->depth > 0;
    if (config->inside > config->depth)
        config->inside = 0;
}

bool keras_config_put(const struct reading *reading, struct input *input, struct text json,
                      struct text name, struct error *error)
{
    struct config *config = arena_take(reading->scratch, 1, sizeof(*config));
    struct json_token token;
    struct error ignored;
    if (!config)
        return error_set(error, ERROR_MEMORY, input_place(input, 0), "no memory for its settings");
    *config = (struct config){.depth = 0};
    tokenizer_over(&config->tokenizer, (struct span){(const uint8_t *)json.data, json.size}, false);
    while (tokenizer_next(&config->tokenizer, &token, &ignored) && token.kind != JSON_END) {
        if (token.kind == JSON_OBJECT)
            object_begin(config, name);
        else if (token.kind == JSON_OBJECT_END)
            object_end(config);
        else if (token.kind == JSON_KEY)
            key_take(config, token.text);
        else if ((token.kind == JSON_NUMBER || token.kind == JSON_STRING) && token.first &&
                 token.last && config->inside &&
                 !value_put(reading, input, config, token.text, error))
            return false;
    }
    return true;
}
