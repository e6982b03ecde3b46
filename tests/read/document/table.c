/* Tables of features: headers, separators, what is missing, columns of words. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

extern const struct format format_table;

static struct heard heard;

static bool read_text(const char *text, struct error *error)
{
    const struct span bytes = {(const uint8_t *)text, strlen(text)};
    return sample_read_part(&heard, &format_table, bytes, bytes.size, 0, error);
}

static void reads_columns_by_name_and_all_together(void **unused)
{
    (void)unused;
    struct error error;
    assert_int_equal(format_table.probe((struct span){(const uint8_t *)"a,b\n1,2\n", 8}, TEXT("a")),
                     0);
    assert_true(read_text("age,\"in, come\",city\n41.5,-2e3,3\n,61000,?\n\n1,2,3\n", &error));
    assert_string_equal(heard.text, "(table) float64 [3,3] 41.5 -2000 3 nan 61000 nan 1 2 3\n"
                                    "age float64 [3] 41.5 nan 1\n"
                                    "in, come float64 [3] -2000 61000 2\n"
                                    "city float64 [3] 3 nan 3\n");
}

static void takes_other_separators_and_no_header(void **unused)
{
    (void)unused;
    struct error error;
    assert_true(read_text("1;2\r\n3;4\r\n", &error));
    assert_string_equal(heard.text, "(table) float64 [2,2] 1 2 3 4\n"
                                    "0 float64 [2] 1 3\n1 float64 [2] 2 4\n");
    assert_true(read_text("x\ty\n1\tinf\n", &error));
    assert_string_equal(heard.text, "(table) float64 [1,2] 1 inf\n"
                                    "x float64 [1] 1\ny float64 [1] inf\n");
}

static void leaves_words_and_odd_lines_out(void **unused)
{
    (void)unused;
    struct error error;
    assert_true(read_text("name,x\nann,1\nbob,2\nshort\ncid,oops\n", &error));
    assert_string_equal(heard.text, "(table) float64 [3,1] 1 2 nan\nx float64 [3] 1 2 nan\n");
    assert_true(read_text("name,kind\nann,a\nbob,b\n", &error));
    assert_string_equal(heard.text, "");
    assert_false(read_text("a,b\n1,2\nwords here\nand there\n", &error));
    assert_int_equal(error.kind, ERROR_MALFORMED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_columns_by_name_and_all_together),
        cmocka_unit_test(takes_other_separators_and_no_header),
        cmocka_unit_test(leaves_words_and_odd_lines_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
