/* The one way out: untrusted bytes are escaped here, before anything reads them as a command. */
/* SPDX-License-Identifier: MIT */
#include "report/utf8.h"
#include "stalldoc/report.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

static void put(struct out *out, const char *bytes, size_t size)
{
    if (out->failed || size == 0)
        return;
    errno = 0;
    if (fwrite(bytes, 1, size, out->file) != size) {
        out->failed = true;
        out->reason = errno;
    }
}

/* Writes bytes known to be harmless and follows the column. */
static void put_plain(struct out *out, struct text text)
{
    put(out, text.data, text.size);
    size_t ascii = 0; /* most of what is written */
    while (ascii < text.size && text.data[ascii] >= 0x20 && text.data[ascii] < 0x7f)
        ascii++;
    out->column += (int)ascii;
    text = text_cut(text, ascii, text.size);
    while (text.size) {
        uint32_t code = 0;
        size_t size = utf8_take(text, &code);
        if (code == '\n')
            out->column = 0;
        else
            out->column += size ? utf8_width(code) : 1;
        text = text_cut(text, size ? size : 1, text.size);
    }
}

void out_literal(struct out *out, const char *literal)
{
    put_plain(out, text_of(literal));
}

void out_print(struct out *out, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    if (size < 0) {
        out->failed = true;
        return;
    }
    put_plain(out, text_of(line));
}

void out_style(struct out *out, enum style style)
{
    static const char *const codes[] = {
        [STYLE_PLAIN] = "\033[0m",   [STYLE_ERROR] = "\033[1;31m", [STYLE_WARNING] = "\033[1;33m",
        [STYLE_INFO] = "\033[1;34m", [STYLE_GOOD] = "\033[1;32m",  [STYLE_STRONG] = "\033[1m",
    };
    if (out->colour)
        put(out, codes[style], strlen(codes[style]));
}

/* What one code point, or one byte that is none, becomes. Returns the bytes of `text` it took. */
static size_t escape(struct text text, char *escaped, size_t room)
{
    uint32_t code;
    size_t size = utf8_take(text, &code);
    if (size == 0) {
        snprintf(escaped, room, "\\x%02x", (unsigned)(uint8_t)text.data[0]);
        return 1;
    }
    if (code == '\t') {
        snprintf(escaped, room, " ");
    } else if (code < 0x20 || (code >= 0x7f && code < 0xa0)) {
        snprintf(escaped, room, "\\x%02x", (unsigned)code);
    } else if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
               code == 0x200e || code == 0x200f || code == 0x061c || code == 0x2028 ||
               code == 0x2029) {
        snprintf(escaped, room, "\\u{%04X}", (unsigned)code);
    } else {
        memcpy(escaped, text.data, size);
        escaped[size] = '\0';
    }
    return size;
}

/* Marks that continuous-integration services take for commands: `::` where a fragment begins, and
   `##[` or `##vso[` anywhere. True where the two first bytes have to be parted. */
static bool is_command(struct text rest, bool start)
{
    return (start && text_starts(rest, "::")) || text_starts(rest, "##[") ||
           text_starts(rest, "##vso[");
}

/* Bytes at the start that are themselves and neither begin nor belong to a mark of is_command. */
static size_t harmless(struct text text)
{
    size_t size = 0;
    while (size < text.size && text.data[size] >= 0x20 && text.data[size] < 0x7f &&
           text.data[size] != ':' && text.data[size] != '#')
        size++;
    return size;
}

void out_text(struct out *out, struct text untrusted)
{
    bool start = true;
    while (untrusted.size) {
        const size_t plain = start ? 0 : harmless(untrusted);
        put_plain(out, text_cut(untrusted, 0, plain));
        untrusted = text_cut(untrusted, plain, untrusted.size);
        if (untrusted.size == 0)
            return;
        char escaped[16];
        bool command = is_command(untrusted, start);
        size_t size = escape(untrusted, escaped, sizeof(escaped));
        put_plain(out, text_of(escaped));
        if (command)
            put_plain(out, out->unicode ? TEXT("\xe2\x80\x8b") : TEXT("\\"));
        start = start && strcmp(escaped, " ") == 0;
        untrusted = text_cut(untrusted, size, untrusted.size);
    }
}

size_t text_width(struct text text)
{
    size_t width = 0;
    while (text.size) {
        if (text.data[0] >= 0x20 && text.data[0] < 0x7f) {
            width++;
            text = text_cut(text, 1, text.size);
            continue;
        }
        char escaped[16];
        uint32_t code = 0;
        size_t size = escape(text, escaped, sizeof(escaped));
        struct text shown = text_of(escaped);
        size_t taken = utf8_take(shown, &code);
        width += taken == shown.size ? (size_t)utf8_width(code) : shown.size;
        text = text_cut(text, size, text.size);
    }
    return width;
}

static void json_escape(struct out *out, uint32_t code)
{
    char escaped[16];
    switch (code) {
    case '"':
    case '\\':
        snprintf(escaped, sizeof(escaped), "\\%c", (int)code);
        break;
    case '\n':
        snprintf(escaped, sizeof(escaped), "\\n");
        break;
    case '\t':
        snprintf(escaped, sizeof(escaped), "\\t");
        break;
    case '\r':
        snprintf(escaped, sizeof(escaped), "\\r");
        break;
    default:
        snprintf(escaped, sizeof(escaped), "\\u%04x", (unsigned)code);
    }
    put(out, escaped, strlen(escaped));
}

static bool json_is_plain(uint32_t code)
{
    return code >= 0x20 && code != '"' && code != '\\' && !(code >= 0x7f && code < 0xa0) &&
           !(code >= 0x200e && code <= 0x200f) && !(code >= 0x2028 && code <= 0x202e) &&
           !(code >= 0x2066 && code <= 0x2069);
}

/* Bytes at the start that stand in a JSON string as they are. */
static size_t json_plain_bytes(struct text text)
{
    size_t size = 0;
    while (size < text.size && text.data[size] >= 0x20 && text.data[size] < 0x7f &&
           text.data[size] != '"' && text.data[size] != '\\' && text.data[size] != '#')
        size++;
    return size;
}

void out_json(struct out *out, struct text text)
{
    put(out, "\"", 1);
    const char *begin = text.data; /* of what can be written as it is */
    size_t pending = 0;
    while (text.size) {
        size_t plain = json_plain_bytes(text);
        if (plain) {
            pending += plain;
            text = text_cut(text, plain, text.size);
            continue;
        }
        uint32_t code = 0xfffd;
        size_t size = utf8_take(text, &code);
        bool command = code == '#' && is_command(text, false);
        if (size && json_is_plain(code) && !command) {
            pending += size;
        } else {
            put(out, begin, pending);
            json_escape(out, code);
            begin = text.data + (size ? size : 1);
            pending = 0;
        }
        text = text_cut(text, size ? size : 1, text.size);
    }
    put(out, begin, pending);
    put(out, "\"", 1);
}
