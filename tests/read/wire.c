/* The protobuf wire: what is refused. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../src/read/wire.h"

#define BYTES(literal) ((struct span){(const uint8_t *)(literal), sizeof(literal) - 1})

static void reads_every_wire(void **unused)
{
    (void)unused;
    struct span rest = BYTES("\x08\x96\x01\x11\1\0\0\0\0\0\0\0\x1d\2\0\0\0\x22\2"
                             "ab");
    struct field field;
    assert_true(wire_next(&rest, &field) && field.number == 1 && field.integer == 150);
    assert_true(wire_next(&rest, &field) && field.number == 2 && field.integer == 1);
    assert_true(wire_next(&rest, &field) && field.number == 3 && field.integer == 2);
    assert_true(wire_next(&rest, &field) && field.number == 4 && field.bytes.size == 2);
    assert_false(wire_next(&rest, &field));
    assert_int_equal(rest.size, 0);
}

static void refuses_long_varints_field_0_groups_and_lengths_beyond_the_end(void **unused)
{
    (void)unused;
    struct field field;
    struct span rest = BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    assert_false(wire_next(&rest, &field));
    rest = BYTES("\x00\x01");
    assert_false(wire_next(&rest, &field));
    rest = BYTES("\x0b");
    assert_false(wire_next(&rest, &field));
    rest = BYTES("\x0a\x05"
                 "ab");
    assert_false(wire_next(&rest, &field));
    assert_int_not_equal(rest.size, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_wire),
        cmocka_unit_test(refuses_long_varints_field_0_groups_and_lengths_beyond_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
