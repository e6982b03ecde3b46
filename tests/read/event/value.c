/* Values of events: presence, lists shorter than their shape, other number types. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../src/read/event/value.h"

#define BYTES(literal) ((struct span){(const uint8_t *)(literal), sizeof(literal) - 1})

static void a_value_without_a_number_is_no_zero(void **unused)
{
    (void)unused;
    struct event_value value;
    assert_true(event_value_parse(BYTES("\x0a\x01t"), &value));
    assert_int_equal(value.content, EVENT_NOTHING);
    assert_true(event_value_parse(BYTES("\x0a\x01t\x15\0\0\0\0"), &value));
    assert_int_equal(value.content, EVENT_SCALAR);
    assert_true(value.number == 0);
}

static void takes_an_empty_list_for_zero_and_int64_as_it_is(void **unused)
{
    (void)unused;
    struct event_value value;
    assert_true(event_value_parse(BYTES("\x0a\x01t\x42\x02\x08\x01"), &value));
    assert_true(value.content == EVENT_SCALAR && value.number == 0);
    assert_true(event_value_parse(BYTES("\x0a\x01t\x42\x05\x08\x09\x52\x01\x2a"), &value));
    assert_true(value.content == EVENT_SCALAR && value.number == 42);
}

static void reads_the_root_of_a_histograms_squares(void **unused)
{
    (void)unused;
    struct event_value value;
    /* sum_squares 25.0 */
    assert_true(event_value_parse(BYTES("\x0a\x01t\x2a\x09\x29\0\0\0\0\0\0\x39\x40"), &value));
    assert_true(value.content == EVENT_HISTOGRAM && value.number == 5);
}

static void refuses_what_is_no_message(void **unused)
{
    (void)unused;
    struct event_value value;
    assert_false(event_value_parse(BYTES("\x0a\x7fshort"), &value));
    assert_false(event_value_parse(BYTES("\x07"), &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_without_a_number_is_no_zero),
        cmocka_unit_test(takes_an_empty_list_for_zero_and_int64_as_it_is),
        cmocka_unit_test(reads_the_root_of_a_histograms_squares),
        cmocka_unit_test(refuses_what_is_no_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
