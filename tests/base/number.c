/* Numbers in text, held against the C library's. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/number.h"

#include "../check.h"
#include <math.h>
#include <stdio.h>

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static void expect_as_strtod(const char *string)
{
    struct number number = {0};
    assert_true(number_take(text_of(string), COMMA_DECIMAL, &number));
    if (number.size != strlen(string) || bits_of(number.value) != bits_of(strtod(string, NULL)))
        print_error("%s: %zu bytes, %.17g\n", string, number.size, number.value);
    assert_int_equal(number.size, strlen(string));
    assert_true(bits_of(number.value) == bits_of(strtod(string, NULL)));
    assert_int_equal(number.finite, isfinite(number.value) != 0);
}

static size_t put_digits(char *out, uint64_t *state, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (char)('0' + random_next(state) % 10);
    return count;
}

static void rounds_like_strtod_whatever_the_shape(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 60000; i++) {
        char text[96];
        size_t at = 0;
        uint64_t shape = random_next(&seed);
        if (shape & 1)
            text[at++] = '-';
        size_t most = shape & 2 ? 28 : 9;
        size_t whole = random_next(&seed) % most, behind = random_next(&seed) % most;
        at += put_digits(text + at, &seed, whole + !(whole + behind));
        if (behind) {
            text[at++] = '.';
            at += put_digits(text + at, &seed, behind);
        }
        if (shape & 4)
            at += (size_t)snprintf(text + at, 8, "e%+d",
                                   (int)(random_next(&seed) % (shape & 8 ? 700 : 40)) -
                                       (shape & 8 ? 350 : 20));
        text[at] = '\0';
        expect_as_strtod(text);
    }
}

static void reads_back_every_double(void **state)
{
    (void)state;
    uint64_t seed = 362436069;
    for (int i = 0; i < 40000; i++) {
        uint64_t bits = random_next(&seed);
        if (i % 4 == 0)
            bits &= UINT64_C(0x800fffffffffffff); /* subnormal */
        double value;
        memcpy(&value, &bits, sizeof(value));
        if (!isfinite(value))
            continue;
        char text[64];
        snprintf(text, sizeof(text), "%.*e", 16 + i % 12, value);
        expect_as_strtod(text);
        size_t size = number_print(value, text);
        assert_true(size < 32 && strlen(text) == size);
        struct number number;
        assert_true(number_parse(text_of(text), &number));
        assert_true(bits_of(number.value) == bits_of(value));
    }
}

static void rounds_halves_to_even(void **state)
{
    (void)state;
    static const char *const halves[] = {
        "9007199254740993",
        "9007199254740995",
        "9007199254740993.0000000000000000000000000000000000000000000000000000000000001",
        "9007199254740992.9999999999999999999999999999999999999999999999999999999999999",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "2.4703282292062327208e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "179769313486231580793e289",
        "8.988465674311581e307",
        "0.1e-400",
        "1e-400",
        "1e99999999999",
        "0e99999999999",
        "-0.0",
        "7.2057594037927933e16",
        "5e-324",
        "9999999999999999999",
        "99999999999999999999",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000000123456789012345678901234567890",
        "10000000000000000000000000000000000000000000000000e-30",
    };
    for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++)
        expect_as_strtod(halves[i]);
}

static void reads_numbers_of_any_length(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    char text[MOST + 8];
    for (size_t size = 700; size < MOST; size += 101) {
        memset(text, '3', size);
        memcpy(text + size, "e-700", 6);
        expect_as_strtod(text);
        text[size / 3] = '.';
        expect_as_strtod(text);
        memset(text, '0', size);
        text[0] = '1';
        text[1] = '.';
        text[size - 1] = '1';
        expect_as_strtod(text);
    }
}

static void knows_the_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
        double value;
    } words[] = {
        {"nan", 3, NAN},
        {"NaN", 3, NAN},
        {"-nan", 4, NAN},
        {"+NAN,", 4, NAN},
        {"nan(ind)", 8, NAN},
        {"-nan(ind)]", 9, NAN},
        {"nan.0", 5, NAN},
        {"inf", 3, INFINITY},
        {"-inf", 4, -INFINITY},
        {"Infinity", 8, INFINITY},
        {"-Infinity}", 9, -INFINITY},
        {"1.#QNAN", 7, NAN},
        {"-1.#IND", 7, NAN},
        {"1.#INF", 6, INFINITY},
        {"-1.#INF00", 9, -INFINITY},
        {"nan.", 3, NAN},
        {"inf%", 3, INFINITY},
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        struct number number = {0};
        assert_true(number_take(text_of(words[i].text), COMMA_GROUPS, &number));
        assert_int_equal(number.size, words[i].size);
        assert_false(number.finite || number.integer || number.places);
        assert_true(isnan(words[i].value) ? isnan(number.value) : number.value == words[i].value);
    }
    static const char *const others[] = {"",         "-",    "+.",   ".",     "e5",
                                         "info",     "nano", "na",   "infer", "-x",
                                         "nan_loss", ",5",   "NaN1", "1.#",   "1.#X"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_false(number_take(text_of(others[i]), COMMA_GROUPS, &(struct number){0}));
}

static void counts_places_and_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum comma comma;
        size_t size;
        double value;
        int places;
        bool integer;
    } cases[] = {
        {"1.25", COMMA_GROUPS, 4, 1.25, 2, false},
        {"1.0481e+01", COMMA_GROUPS, 10, 10.481, 3, false},
        {"3e5", COMMA_GROUPS, 3, 3e5, -5, false},
        {"42/100", COMMA_GROUPS, 2, 42, 0, true},
        {"1.2.3", COMMA_GROUPS, 3, 1.2, 1, false},
        {"1.", COMMA_GROUPS, 2, 1, 0, false},
        {"1...", COMMA_GROUPS, 1, 1, 0, true},
        {".5", COMMA_GROUPS, 2, 0.5, 1, false},
        {"2e", COMMA_GROUPS, 1, 2, 0, true},
        {"2e+", COMMA_GROUPS, 1, 2, 0, true},
        {"1,234", COMMA_GROUPS, 5, 1234, 0, true},
        {"1,234,567.25", COMMA_GROUPS, 12, 1234567.25, 2, false},
        {"1,23", COMMA_GROUPS, 1, 1, 0, true},
        {"1,2345", COMMA_GROUPS, 1, 1, 0, true},
        {"1234,567", COMMA_GROUPS, 4, 1234, 0, true},
        {"0,123", COMMA_GROUPS, 1, 0, 0, true},
        {"1,234,56", COMMA_GROUPS, 5, 1234, 0, true},
        {"1,234", COMMA_DECIMAL, 5, 1.234, 3, false},
        {"1,5e-3", COMMA_DECIMAL, 6, 1.5e-3, 4, false},
        {"1, 5", COMMA_DECIMAL, 1, 1, 0, true},
        {"1.5", COMMA_DECIMAL, 3, 1.5, 1, false},
        {",5", COMMA_DECIMAL, 2, 0.5, 1, false},
        {"\xe2\x88\x92"
         "2.5",
         COMMA_GROUPS, 6, -2.5, 1, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct number number = {0};
        assert_true(number_take(text_of(cases[i].text), cases[i].comma, &number));
        assert_int_equal(number.size, cases[i].size);
        assert_true(number.value == cases[i].value);
        assert_int_equal(number.places, cases[i].places);
        assert_int_equal(number.integer, cases[i].integer);
        assert_true(number.finite);
    }
    struct number number;
    assert_true(number_parse(TEXT("12"), &number));
    assert_false(number_parse(TEXT("12 "), &number));
    assert_false(number_parse(TEXT(""), &number));
}

static void never_reads_behind_the_text(void **state)
{
    (void)state;
    static const char *const texts[] = {"-1,234,567.25e-12", "1.#QNAN00", "-nan(ind)", "infinity",
                                        "12345678901234567890.125e+100"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        for (size_t size = 0; size <= strlen(texts[i]); size++) {
            char *exact = size ? malloc(size) : NULL; /* for the sanitizer */
            if (size)
                memcpy(exact, texts[i], size);
            struct number number = {0};
            if (number_take((struct text){exact, size}, COMMA_GROUPS, &number))
                assert_true(number.size <= size);
            number_take((struct text){exact, size}, COMMA_DECIMAL, &number);
            free(exact);
        }
}

static void prints_the_shortest_text(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text, *brief;
    } cases[] = {
        {0.1, "0.1", "0.1"},
        {1.0 / 3, "0.3333333333333333", "0.3333"},
        {2.0 / 3 * 1e-5, "6.666666666666667e-06", "6.667e-06"},
        {100, "100", "100"},
        {9999.7, "9999.7", "10000"},
        {72881.6, "72881.6", "72880"},
        {-999949.5, "-999949.5", "-999900"},
        {9999499.5, "9999499.5", "9999000"},
        {9999500.5, "9999500.5", "1e+07"},
        {0x1p-1074, "5e-324", "4.941e-324"},
        {-0.0, "-0", "-0"},
        {NAN, "nan", "nan"},
        {-INFINITY, "-inf", "-inf"},
        {INFINITY, "inf", "inf"},
    };
    char text[32];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(number_print(cases[i].value, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
        assert_int_equal(number_print_short(cases[i].value, text), strlen(cases[i].brief));
        assert_string_equal(text, cases[i].brief);
    }
}

static void takes_whole_numbers_that_are_exact(void **state)
{
    (void)state;
    static const char *const others[] = {"-1", "1.0", "1e3", "9007199254740994", "nan", "", "12 "};
    uint64_t value = 7;
    assert_true(number_whole(TEXT("0"), &value) && value == 0);
    assert_true(number_whole(TEXT("9007199254740992"), &value) && value == UINT64_C(1) << 53);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_false(number_whole(text_of(others[i]), &value));
    assert_true(value == UINT64_C(1) << 53);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_like_strtod_whatever_the_shape),
        cmocka_unit_test(reads_back_every_double),
        cmocka_unit_test(rounds_halves_to_even),
        cmocka_unit_test(reads_numbers_of_any_length),
        cmocka_unit_test(knows_the_words),
        cmocka_unit_test(counts_places_and_bytes),
        cmocka_unit_test(never_reads_behind_the_text),
        cmocka_unit_test(prints_the_shortest_text),
        cmocka_unit_test(takes_whole_numbers_that_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
