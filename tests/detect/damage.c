/* Inputs that are broken or cut. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static void begin(void)
{
    used_begin(&used);
}

static void tells_where_an_input_breaks(void **state)
{
    (void)state;
    begin();
    const uint32_t inputs[] = {1};
    struct source source = {.path = TEXT("a.npz"), .status = STATUS_DAMAGED};
    error_set(&source.error, ERROR_CHECKSUM, (struct place){1, 0, 4096}, "wrong checksum");
    const struct collection collection = {.sources = &source, .source_count = 1};
    used.run.collection = &collection;
    used.run.inputs = inputs;
    used.run.input_count = 1;
    const struct candidate *found = used_run(&used, "damage", "broken", 0, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "broken");
    assert_int_equal(found->onset.offset, 4096);
    for (size_t i = 0; i < found->value_count; i++)
        if (strcmp(found->values[i].name, "where") == 0)
            assert_true(text_is(found->values[i].text,
                                " at byte 4096; what was sound before it is judged"));
    source.error.place.offset = 0;
    found = used_run(&used, "damage", "broken", 0, NULL);
    assert_true(text_is(found->values[found->value_count - 1].text, ", at its very beginning"));
    error_set(&source.error, ERROR_TRUNCATED, (struct place){1, 0, 30}, "the log ends early");
    source.status = STATUS_PARTIAL;
    found = used_run(&used, "damage", "broken", 0, NULL);
    assert_string_equal(found->form, "cut-tail");
    assert_true(text_is(found->values[found->value_count - 1].text,
                        ", before anything of it could be read"));
    source.counts.lines = 1;
    found = used_run(&used, "damage", "broken", 0, NULL);
    assert_true(text_is(found->values[found->value_count - 1].text, "; all before it is sound"));
    source.status = STATUS_OK;
    assert_null(used_run(&used, "damage", "broken", 0, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_where_an_input_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
