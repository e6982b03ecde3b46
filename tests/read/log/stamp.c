/* Times of day as lines carry them. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/stamp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *stamp_of(const char *line)
{
    static char stamp[STAMP_MAX + 1];
    stamp[stamp_take(text_of(line), stamp)] = '\0';
    return stamp;
}

static void is_as_written_with_its_zone(void **state)
{
    (void)state;
    assert_string_equal(stamp_of("2026-03-02 04:31:08 step 1868: loss inf"), "2026-03-02 04:31:08");
    assert_string_equal(stamp_of("2026-03-02T04:31:08.25+02:00 step 3"),
                        "2026-03-02T04:31:08.25+02:00");
    assert_string_equal(stamp_of("[2026-03-02 04:31:08,123][INFO] loss 2"),
                        "2026-03-02 04:31:08,123");
    assert_string_equal(stamp_of("[Mar 02, 04:31:08] loss 2"), "Mar 02, 04:31:08");
    assert_string_equal(stamp_of("04:31:08 loss 2"), "04:31:08");
}

static void stands_behind_colours_ranks_and_levels(void **state)
{
    (void)state;
    assert_string_equal(stamp_of("\x1b[32m2026-03-02 04:31:08.123\x1b[0m | \x1b[1mINFO | loss 2"),
                        "2026-03-02 04:31:08.123");
    assert_string_equal(stamp_of("[rank1]: 2026-03-02 04:31:08 step 1"), "2026-03-02 04:31:08");
    assert_string_equal(stamp_of("[host0:0/6] 2026-03-02 04:31:08 it 3"), "2026-03-02 04:31:08");
    assert_string_equal(stamp_of("3: 2026-03-02 04:31:08 step 1"), "2026-03-02 04:31:08");
    assert_string_equal(stamp_of("I0302 04:31:08.000001 12 solver.cpp:2] Iteration 3"),
                        "0302 04:31:08.000001");
}

static void is_told_by_keys_and_cells(void **state)
{
    (void)state;
    assert_string_equal(stamp_of("{\"loss\": 2, \"timestamp\": \"2026-03-02T04:31:08Z\"}"),
                        "2026-03-02T04:31:08Z");
    assert_string_equal(stamp_of("{\"_timestamp\": 1772425868.5, \"loss\": 2}"), "1772425868.5");
    assert_string_equal(stamp_of("10,2026-03-02 04:31:08,12,0.5"), "2026-03-02 04:31:08");
    assert_string_equal(stamp_of("2026-03-02 04:31:08,12,0.5"), "2026-03-02 04:31:08");
    assert_string_equal(stamp_of("2026-03-02 04:31:08,125,0.5"), "2026-03-02 04:31:08");
    assert_string_equal(stamp_of("10,\"2026-03-02 04:31:08\",0.5"), "2026-03-02 04:31:08");
}

static void is_not_what_a_text_speaks_of(void **state)
{
    (void)state;
    assert_string_equal(stamp_of("saved to runs/2026-03-02_04-31-08/last.pt"), "");
    assert_string_equal(stamp_of("step 3 loss 2 eta: 04:31:08"), "");
    assert_string_equal(stamp_of("00:43 loss 2"), ""); /* elapsed */
    assert_string_equal(stamp_of("{\"time\": 0.25, \"loss\": 2}"), "");
    assert_string_equal(stamp_of("{\"data\": \"2026-03-02T04:31:08Z\"}"), "");
    assert_string_equal(stamp_of(""), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_as_written_with_its_zone),
        cmocka_unit_test(stands_behind_colours_ranks_and_levels),
        cmocka_unit_test(is_told_by_keys_and_cells),
        cmocka_unit_test(is_not_what_a_text_speaks_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
