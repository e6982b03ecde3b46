/* Rule files are read at every start: nodes in an arena cost a tenth of cJSON's own. */
/* SPDX-License-Identifier: MIT */
#include "base/json_tree.h"

#include "stalldoc/limits.h"
#include "stalldoc/number.h"
#include <limits.h>
#include <string.h>

enum { NODES_AT_ONCE = 256 };

struct builder {
    struct arena *arena;
    const char *at, *end;
    char
        *strings; /* room for all that are left: decoded with its NUL, none is longer than quoted */
    cJSON *nodes;
    size_t node_count; /* that are left of `nodes` */
    int depth;
    bool full; /* the arena */
};

static bool take_value(struct builder *builder, cJSON *node);

static void skip_blanks(struct builder *builder)
{
    while (builder->at < builder->end && (*builder->at == ' ' || *builder->at == '\n' ||
                                          *builder->at == '\t' || *builder->at == '\r'))
        builder->at++;
}

static bool take_byte(struct builder *builder, char byte)
{
    skip_blanks(builder);
    if (builder->at == builder->end || *builder->at != byte)
        return false;
    builder->at++;
    return true;
}

static cJSON *node_new(struct builder *builder)
{
    if (builder->node_count == 0) {
        builder->nodes = arena_take(builder->arena, NODES_AT_ONCE, sizeof(cJSON));
        if (!builder->nodes) {
            builder->full = true;
            return NULL;
        }
        builder->node_count = NODES_AT_ONCE;
    }
    builder->node_count--;
    return builder->nodes++;
}

static bool take_hex(struct builder *builder, uint32_t *code)
{
    uint32_t value = 0;
    if (builder->end - builder->at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        char c = builder->at[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return false;
        value = value << 4 | (uint32_t)digit;
    }
    builder->at += 4;
    *code = value;
    return true;
}

static char *put_code(char *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xc0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *out++ = (char)(0xe0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    } else {
        *out++ = (char)(0xf0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3f));
        *out++ = (char)(0x80 | (code >> 6 & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    }
    return out;
}

/* Behind `\u`: one code point, of two halves where it has to be. U+0000 would end the string. */
static bool take_code(struct builder *builder, uint32_t *code)
{
    uint32_t low;
    if (!take_hex(builder, code) || *code == 0 || (*code >= 0xdc00 && *code < 0xe000))
        return false;
    if (*code < 0xd800 || *code >= 0xdc00)
        return true;
    if (builder->end - builder->at < 2 || builder->at[0] != '\\' || builder->at[1] != 'u')
        return false;
    builder->at += 2;
    if (!take_hex(builder, &low) || low < 0xdc00 || low >= 0xe000)
        return false;
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    return true;
}

static bool take_escape(struct builder *builder, char **out)
{
    static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
    if (builder->at == builder->end)
        return false;
    char name = *builder->at++;
    const char *known = name ? strchr(names, name) : NULL;
    if (known) {
        *(*out)++ = bytes[known - names];
        return true;
    }
    uint32_t code;
    if (name != 'u' || !take_code(builder, &code))
        return false;
    *out = put_code(*out, code);
    return true;
}

static char *take_string(struct builder *builder)
{
    char *string = builder->strings, *out = string;
    if (!take_byte(builder, '"'))
        return NULL;
    while (builder->at < builder->end && *builder->at != '"') {
        const char *from = builder->at;
        while (builder->at < builder->end && *builder->at != '"' && *builder->at != '\\' &&
               (unsigned char)*builder->at >= 0x20)
            builder->at++;
        size_t size = (size_t)(builder->at - from);
        memcpy(out, from, size);
        out += size;
        if (builder->at == builder->end || (unsigned char)*builder->at < 0x20)
            return NULL;
        if (*builder->at == '\\') {
            builder->at++;
            if (!take_escape(builder, &out))
                return NULL;
        }
    }
    if (!take_byte(builder, '"'))
        return NULL;
    *out = '\0';
    builder->strings = out + 1;
    return string;
}

static bool digits(struct builder *builder)
{
    const char *from = builder->at;
    while (builder->at < builder->end && *builder->at >= '0' && *builder->at <= '9')
        builder->at++;
    return builder->at > from;
}

static bool one_of(struct builder *builder, const char *bytes)
{
    if (builder->at == builder->end || !*builder->at || !strchr(bytes, *builder->at))
        return false;
    builder->at++;
    return true;
}

static bool take_number(struct builder *builder, cJSON *node)
{
    const char *from = builder->at;
    one_of(builder, "-");
    bool zero = builder->at < builder->end && *builder->at == '0';
    const char *first = builder->at;
    if (!digits(builder) || (zero && builder->at > first + 1))
        return false;
    if (one_of(builder, ".") && !digits(builder))
        return false;
    if (one_of(builder, "eE")) {
        one_of(builder, "+-");
        if (!digits(builder))
            return false;
    }
    struct number number;
    if (!number_parse((struct text){from, (size_t)(builder->at - from)}, &number))
        return false;
    node->type = cJSON_Number;
    node->valuedouble = number.value;
    node->valueint = number.value >= INT_MAX   ? INT_MAX
                     : number.value <= INT_MIN ? INT_MIN
                                               : (int)number.value;
    return true;
}

static bool take_word(struct builder *builder, const char *word, int type, cJSON *node)
{
    size_t size = strlen(word);
    if ((size_t)(builder->end - builder->at) < size || memcmp(builder->at, word, size) != 0)
        return false;
    builder->at += size;
    node->type = type;
    node->valueint = type == cJSON_True;
    return true;
}

static bool take_children(struct builder *builder, cJSON *parent, bool object)
{
    char close = object ? '}' : ']';
    cJSON *last = NULL;
    if (builder->depth == LIMIT_DEPTH)
        return false;
    builder->depth++;
    parent->type = object ? cJSON_Object : cJSON_Array;
    bool more = !take_byte(builder, close);
    while (more) {
        cJSON *node = node_new(builder);
        if (!node ||
            (object && (!(node->string = take_string(builder)) || !take_byte(builder, ':'))))
            return false;
        if (!take_value(builder, node))
            return false;
        node->prev = last; /* as cJSON has it: the first one's is the last */
        if (last)
            last->next = node;
        else
            parent->child = node;
        last = node;
        more = take_byte(builder, ',');
        if (!more && !take_byte(builder, close))
            return false;
    }
    if (last)
        parent->child->prev = last;
    builder->depth--;
    return true;
}

static bool take_value(struct builder *builder, cJSON *node)
{
    skip_blanks(builder);
    if (builder->at == builder->end)
        return false;
    switch (*builder->at) {
    case '{':
    case '[':
        builder->at++;
        return take_children(builder, node, builder->at[-1] == '{');
    case '"':
        node->type = cJSON_String;
        return (node->valuestring = take_string(builder)) != NULL;
    case 't':
        return take_word(builder, "true", cJSON_True, node);
    case 'f':
        return take_word(builder, "false", cJSON_False, node);
    case 'n':
        return take_word(builder, "null", cJSON_NULL, node);
    default:
        return take_number(builder, node);
    }
}

cJSON *json_tree(struct arena *arena, struct text text, size_t *end, bool *full)
{
    struct builder builder = {.arena = arena, .at = text.data, .end = text.data + text.size};
    builder.strings = arena_take(arena, text.size + 1, 1);
    builder.full = !builder.strings;
    cJSON *root = builder.strings ? node_new(&builder) : NULL;
    bool sound = root && take_value(&builder, root);
    skip_blanks(&builder);
    *end = (size_t)(builder.at - text.data);
    *full = builder.full;
    return sound ? root : NULL;
}
