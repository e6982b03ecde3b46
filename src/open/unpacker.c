/* Streams that are not bytes as they are: gzip with any number of members, zstd where the library
   was found, text in UTF-16, which becomes UTF-8. */
/* SPDX-License-Identifier: MIT */
#include "open/private.h"
#include "stalldoc/features.h"

#include <string.h>
#include <zlib.h>
#if WITH_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

enum { PACKED_SIZE = 256 << 10 };

struct unpacker {
    struct source *source;
    enum input_layer layer;
    uint8_t *packed; /* PACKED_SIZE bytes */
    size_t packed_at, packed_size;
    bool member_open; /* inside a member or frame: the end is a truncation */
    bool any;         /* a member was complete: zero bytes may follow as padding; a unit was read */
    bool done;
    bool given;      /* something of it could be unpacked */
    bool big;        /* UTF-16: the high byte of a unit comes first */
    uint8_t half[2]; /* of a unit that is read in part */
    size_t half_size;
    uint32_t high;     /* surrogate that waits for its low one, 0 none */
    uint8_t letter[4]; /* that found no room whole */
    size_t letter_at, letter_size;
    bool zlib_open;
    z_stream zlib;
#if WITH_ZSTD
    ZSTD_DStream *zstd;
#endif
};

static struct place packed_place(const struct unpacker *unpacker)
{
    size_t rest = unpacker->packed_size - unpacker->packed_at;
    return (struct place){.offset = unpacker->source->offset - rest};
}

struct unpacker *unpacker_open(enum input_layer layer, struct source *source, struct error *error)
{
    struct unpacker *unpacker = block_take(sizeof(*unpacker));
    uint8_t *packed = unpacker ? block_take(PACKED_SIZE) : NULL;
    if (!packed) {
        block_free(unpacker);
        error_set(error, ERROR_MEMORY, (struct place){0}, "%s: no memory left", source->path);
        return NULL;
    }
    memset(unpacker, 0, sizeof(*unpacker));
    unpacker->source = source;
    unpacker->layer = layer;
    unpacker->packed = packed;
    bool ready = layer == INPUT_UTF16;
    if (layer == INPUT_GZIP) {
        enum { GZIP_ONLY = 16 };
        ready = inflateInit2(&unpacker->zlib, MAX_WBITS + GZIP_ONLY) == Z_OK;
        unpacker->zlib_open = ready;
    }
#if WITH_ZSTD
    if (layer == INPUT_ZSTD) {
        unpacker->zstd = ZSTD_createDStream();
        ready = unpacker->zstd != NULL;
    }
#else
    if (layer == INPUT_ZSTD) {
        unpacker_close(unpacker);
        error_set(error, ERROR_UNSUPPORTED, (struct place){0},
                  "%s: compressed with zstd, which this build does not read; run zstd -d on it",
                  source->path);
        return NULL;
    }
#endif
    if (!ready) {
        unpacker_close(unpacker);
        error_set(error, ERROR_MEMORY, (struct place){0}, "%s: no memory left", source->path);
        return NULL;
    }
    return unpacker;
}

void unpacker_close(struct unpacker *unpacker)
{
    if (!unpacker)
        return;
    if (unpacker->zlib_open)
        inflateEnd(&unpacker->zlib);
#if WITH_ZSTD
    ZSTD_freeDStream(unpacker->zstd);
#endif
    block_free(unpacker->packed);
    block_free(unpacker);
}

static bool fill(struct unpacker *unpacker, struct error *error)
{
    if (unpacker->packed_at < unpacker->packed_size)
        return true;
    unpacker->packed_at = 0;
    unpacker->packed_size = 0;
    return source_read(unpacker->source, unpacker->packed, PACKED_SIZE, &unpacker->packed_size,
                       error);
}

static const char *what_is_left(const struct unpacker *unpacker)
{
    return unpacker->given ? "what was before it is read" : "nothing of it can be read";
}

static bool truncated(struct unpacker *unpacker, struct error *error)
{
    return error_set(error, ERROR_TRUNCATED, packed_place(unpacker),
                     "%s: the compressed data ends early; %s", unpacker->source->path,
                     what_is_left(unpacker));
}

static bool damaged(struct unpacker *unpacker, bool checksum, const char *what, struct error *error)
{
    return error_set(error, checksum ? ERROR_CHECKSUM : ERROR_MALFORMED, packed_place(unpacker),
                     "%s: the compressed data is damaged (%s); %s", unpacker->source->path, what,
                     what_is_left(unpacker));
}

/* Between members: padding of zero bytes is passed over. *done at the end of the input. */
static bool pass_padding(struct unpacker *unpacker, bool *done, struct error *error)
{
    for (;;) {
        if (!fill(unpacker, error))
            return false;
        *done = unpacker->packed_at == unpacker->packed_size;
        if (*done || !unpacker->any || unpacker->packed[unpacker->packed_at])
            return true;
        unpacker->packed_at++;
    }
}

static bool gzip_damage(struct unpacker *unpacker, int code, struct error *error)
{
    if (code == Z_MEM_ERROR)
        return error_set(error, ERROR_MEMORY, packed_place(unpacker), "%s: no memory left",
                         unpacker->source->path);
    const char *what = unpacker->zlib.msg ? unpacker->zlib.msg : "not gzip";
    bool check = strstr(what, "check") && !strstr(what, "header");
    return damaged(unpacker, check, what, error);
}

static bool gzip_step(struct unpacker *unpacker, uint8_t *buffer, size_t size, size_t *got,
                      struct error *error)
{
    z_stream *zlib = &unpacker->zlib;
    if (!unpacker->member_open) {
        bool done;
        if (!pass_padding(unpacker, &done, error))
            return false;
        unpacker->done = done;
        if (done)
            return true;
        inflateReset(zlib);
        unpacker->member_open = true;
    }
    if (!fill(unpacker, error))
        return false;
    if (unpacker->packed_at == unpacker->packed_size)
        return truncated(unpacker, error);
    size_t room = unpacker->packed_size - unpacker->packed_at;
    size_t most = size < (size_t)1 << 30 ? size : (size_t)1 << 30; /* zlib counts in 32 bits */
    zlib->next_in = unpacker->packed + unpacker->packed_at;
    zlib->avail_in = (uInt)room;
    zlib->next_out = buffer;
    zlib->avail_out = (uInt)most;
    int code = inflate(zlib, Z_NO_FLUSH);
    unpacker->packed_at += room - zlib->avail_in;
    *got = most - zlib->avail_out;
    if (code == Z_STREAM_END) {
        unpacker->member_open = false;
        unpacker->any = true;
        return true;
    }
    return code == Z_OK || code == Z_BUF_ERROR || gzip_damage(unpacker, code, error);
}

#if WITH_ZSTD
static bool zstd_step(struct unpacker *unpacker, uint8_t *buffer, size_t size, size_t *got,
                      struct error *error)
{
    if (!fill(unpacker, error))
        return false;
    /* At the end the decoder may still hold bytes that found no room: asked once more. */
    bool end = unpacker->packed_at == unpacker->packed_size;
    if (end && !unpacker->member_open) {
        unpacker->done = true;
        return true;
    }
    ZSTD_inBuffer in = {unpacker->packed, unpacker->packed_size, unpacker->packed_at};
    ZSTD_outBuffer out = {buffer, size, 0};
    size_t code = ZSTD_decompressStream(unpacker->zstd, &out, &in);
    unpacker->packed_at = in.pos;
    *got = out.pos;
    if (ZSTD_isError(code)) {
        bool check = ZSTD_getErrorCode(code) == ZSTD_error_checksum_wrong;
        return damaged(unpacker, check, ZSTD_getErrorName(code), error);
    }
    unpacker->member_open = code != 0;
    if (end && code != 0 && out.pos == 0)
        return truncated(unpacker, error);
    return true;
}
#endif

static void letter_put(struct unpacker *unpacker, uint32_t code)
{
    uint8_t *out = unpacker->letter;
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const uint8_t leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = n - 1; i > 0; i--, code >>= 6)
        out[i] = (uint8_t)(0x80 | (code & 0x3F));
    out[0] = (uint8_t)(leads[n] | code);
    unpacker->letter_at = 0;
    unpacker->letter_size = n;
}

/* A unit becomes a letter, or waits for its second half; what is no letter is shown as one. */
static void unit_take(struct unpacker *unpacker, uint32_t unit)
{
    enum { BYTE_ORDER_MARK = 0xFEFF, NO_LETTER = 0xFFFD };
    const uint32_t high = unpacker->high;
    unpacker->high = 0;
    if (high && unit >= 0xDC00 && unit < 0xE000)
        letter_put(unpacker, 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00));
    else if (unit >= 0xD800 && unit < 0xDC00)
        unpacker->high = unit;
    else if (unit >= 0xDC00 && unit < 0xE000)
        letter_put(unpacker, NO_LETTER);
    else if (unit != BYTE_ORDER_MARK)
        letter_put(unpacker, unit);
}

static bool utf16_step(struct unpacker *unpacker, uint8_t *buffer, size_t size, size_t *got,
                       struct error *error)
{
    if (!fill(unpacker, error))
        return false;
    const bool end = unpacker->packed_at == unpacker->packed_size;
    while (*got < size) {
        if (unpacker->letter_at < unpacker->letter_size) {
            buffer[(*got)++] = unpacker->letter[unpacker->letter_at++];
            continue;
        }
        if (unpacker->packed_at == unpacker->packed_size)
            break;
        unpacker->half[unpacker->half_size++] = unpacker->packed[unpacker->packed_at++];
        if (unpacker->half_size < 2)
            continue;
        unpacker->half_size = 0;
        if (!unpacker->any) {
            unpacker->any = true;
            unpacker->big = unpacker->half[0] == 0xFE;
        }
        const size_t low = unpacker->big ? 1 : 0;
        unit_take(unpacker, (uint32_t)unpacker->half[1 - low] << 8 | unpacker->half[low]);
    }
    unpacker->done = end && *got == 0;
    return true;
}

bool unpacker_read(struct unpacker *unpacker, void *buffer, size_t size, size_t *got,
                   struct error *error)
{
    *got = 0;
    while (size && !*got && !unpacker->done) {
        bool sound = false;
        if (unpacker->layer == INPUT_GZIP)
            sound = gzip_step(unpacker, buffer, size, got, error);
        else if (unpacker->layer == INPUT_UTF16)
            sound = utf16_step(unpacker, buffer, size, got, error);
#if WITH_ZSTD
        else
            sound = zstd_step(unpacker, buffer, size, got, error);
#endif
        unpacker->given = unpacker->given || *got > 0;
        if (!sound)
            return false;
    }
    return true;
}
