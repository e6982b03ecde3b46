/* Compressed inputs: sound, cut at every length, damaged at every byte. */
/* SPDX-License-Identifier: MIT */
#include "../check.h"
#include "stalldoc/features.h"
#include "stalldoc/input.h"
#include <stdio.h>
#include <zlib.h>
#if WITH_ZSTD
#include <zstd.h>
#endif

enum { TEXT_SIZE = 6000, PACKED_MOST = 20000 };
static uint8_t plain[TEXT_SIZE];

static void fill_plain(void)
{
    uint64_t seed = 1;
    size_t at = 0;
    while (at < TEXT_SIZE - 64)
        at += (size_t)snprintf((char *)plain + at, 64, "step %zu loss %.4f\n", at,
                               (double)(random_next(&seed) % 1000000) / 1e5);
}

static size_t pack_gzip(uint8_t *out, const uint8_t *data, size_t size)
{
    z_stream zlib = {0};
    assert_int_equal(deflateInit2(&zlib, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY),
                     Z_OK);
    zlib.next_in = (uint8_t *)data;
    zlib.avail_in = (uInt)size;
    zlib.next_out = out;
    zlib.avail_out = PACKED_MOST / 2;
    assert_int_equal(deflate(&zlib, Z_FINISH), Z_STREAM_END);
    size_t packed = zlib.total_out;
    deflateEnd(&zlib);
    return packed;
}

/* Reads all of it and counts its bytes. */
static bool unpack(const uint8_t *packed, size_t size, bool head_first, size_t *count,
                   struct error *error)
{
    uint8_t *exact = malloc(size ? size : 1);
    memcpy(exact, packed, size);
    struct input *input = NULL;
    *count = 0;
    error->kind = ERROR_NONE;
    assert_true(input_memory((struct span){exact, size}, "x.gz", 1, &input, error));
    struct span head;
    bool sound = !head_first || input_head(input, &head, error);
    while (sound) {
        uint8_t part[700];
        size_t got;
        sound = input_read(input, part, sizeof(part), &got, error);
        if (!sound || !got)
            break;
        *count += got;
    }
    if (!sound) { /* once failed, always failed */
        uint8_t byte;
        size_t got;
        struct error again = {0};
        assert_false(input_read(input, &byte, 1, &got, &again));
        assert_int_equal(again.kind, error->kind);
        assert_int_equal(error->place.input, 1);
    }
    input_close(input);
    free(exact);
    return sound;
}

static void unpacks_gzip_and_its_members(void **state)
{
    (void)state;
    uint8_t packed[PACKED_MOST];
    size_t size = pack_gzip(packed, plain, 1000);
    size += pack_gzip(packed + size, plain, 0);
    size += pack_gzip(packed + size, plain + 1000, TEXT_SIZE - 1000);
    memset(packed + size, 0, 100); /* padding, as on tapes */
    struct input *input = NULL;
    struct error error;
    assert_true(input_memory((struct span){packed, size + 100}, "x", 1, &input, &error));
    assert_int_equal(input_layer(input), INPUT_GZIP);
    assert_false(input_seekable(input));
    struct span head;
    assert_true(input_head(input, &head, &error));
    assert_int_equal(head.size, TEXT_SIZE);
    uint8_t all[TEXT_SIZE + 1];
    size_t got;
    assert_true(input_read(input, all, sizeof(all), &got, &error));
    assert_int_equal(got, TEXT_SIZE);
    assert_memory_equal(all, plain, TEXT_SIZE);
    assert_true(input_read(input, all, sizeof(all), &got, &error));
    assert_int_equal(got, 0);
    input_close(input);
}

static void delivers_what_is_sound_of_a_cut_gzip(void **state)
{
    (void)state;
    uint8_t packed[PACKED_MOST];
    size_t size = pack_gzip(packed, plain, TEXT_SIZE), last = 0, count;
    struct error error;
    for (size_t cut = 3; cut < size; cut++) {
        assert_false(unpack(packed, cut, cut % 2, &count, &error));
        assert_int_equal(error.kind, ERROR_TRUNCATED);
        assert_true(count >= last && count <= TEXT_SIZE);
        last = count;
    }
    assert_int_equal(last, TEXT_SIZE); /* all of it, when only the checksum is missing */
    assert_true(unpack(packed, size, false, &count, &error));
    assert_int_equal(count, TEXT_SIZE);
}

static void tells_a_wrong_checksum_from_other_damage(void **state)
{
    (void)state;
    uint8_t packed[PACKED_MOST];
    size_t size = pack_gzip(packed, plain, TEXT_SIZE), count;
    struct error error;
    for (size_t i = size - 8; i < size; i++) {
        packed[i] ^= 1;
        assert_false(unpack(packed, size, i % 2, &count, &error));
        assert_int_equal(error.kind, ERROR_CHECKSUM);
        assert_int_equal(count, TEXT_SIZE);
        packed[i] ^= 1;
    }
    for (size_t i = 10; i < size - 8; i++) {
        packed[i] ^= 0x10;
        /* The last byte before the checksum may end in bits that mean nothing. */
        bool sound = unpack(packed, size, i % 2, &count, &error);
        assert_true(sound ? i == size - 9 && count == TEXT_SIZE : error.kind != ERROR_NONE);
        assert_true(sound || error.kind == ERROR_CHECKSUM || error.kind == ERROR_MALFORMED ||
                    error.kind == ERROR_TRUNCATED);
        packed[i] ^= 0x10;
    }
    memcpy(packed + size, "no gzip", 7);
    assert_false(unpack(packed, size + 7, false, &count, &error));
    assert_int_equal(error.kind, ERROR_MALFORMED);
    assert_int_equal(count, TEXT_SIZE);
}

#if WITH_ZSTD
static void unpacks_zstd_cut_and_damaged(void **state)
{
    (void)state;
    uint8_t packed[PACKED_MOST];
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    size_t first = ZSTD_compress2(context, packed, PACKED_MOST / 2, plain, 1000);
    size_t size = first + ZSTD_compress2(context, packed + first, PACKED_MOST / 2, plain + 1000,
                                         TEXT_SIZE - 1000);
    ZSTD_freeCCtx(context);
    struct error error;
    size_t count, last = 0;
    assert_true(unpack(packed, size, true, &count, &error));
    assert_int_equal(count, TEXT_SIZE);
    for (size_t cut = 4; cut < size; cut++) {
        bool sound = unpack(packed, cut, cut % 2, &count, &error);
        assert_int_equal(sound, cut == first);
        assert_true(sound || error.kind == ERROR_TRUNCATED);
        assert_true(count >= last && count <= TEXT_SIZE);
        last = count;
    }
    packed[size - 1] ^= 1;
    assert_false(unpack(packed, size, false, &count, &error));
    assert_int_equal(error.kind, ERROR_CHECKSUM);
}
#endif

int main(void)
{
    fill_plain();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unpacks_gzip_and_its_members),
        cmocka_unit_test(delivers_what_is_sound_of_a_cut_gzip),
        cmocka_unit_test(tells_a_wrong_checksum_from_other_damage),
#if WITH_ZSTD
        cmocka_unit_test(unpacks_zstd_cut_and_damaged),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
