/* A line that tells how many samples each class has. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include "stalldoc/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { EPOCHS = 10 };
static struct used used;

/* Beside an accuracy that ends at `right`. */
static const struct candidate *found(const char *line, double right)
{
    static const struct message_row row = {.id = "class-counts"};
    static struct message message;
    double shares[EPOCHS];
    for (int i = 0; i < EPOCHS; i++)
        shares[i] = right;
    const char *named = strstr(line, "class") ? strstr(line, "class") : line;
    message = (struct message){
        .row = &row, .line = text_of(line), .column = (size_t)(named - line), .step = STEP_NONE};
    used_begin(&used);
    used_series(&used, KIND_METRIC, "acc", shares, EPOCHS, 4);
    used_series(&used, KIND_LOSS, "loss", shares, EPOCHS, 4);
    used.run.messages = &message;
    used.run.message_count = 1;
    return used_run(&used, "counted", "said", 0, NULL);
}

static void one_class_has_nearly_all(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "config {\"lr\": 0.001, \"class_counts\": [1928, 72]}",
        "Class distribution: {0: 1928, 1: 72}",
        "label counts: {'healthy': 1928, 'type 2': 72}",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        const struct candidate *candidate = found(lines[i], 0.964);
        assert_non_null(candidate);
        assert_float_equal(used_value(candidate, "largest"), 0.964, 1e-9);
        assert_true(used_value(candidate, "stuck") == 1);
        used_end(&used);
        assert_true(used_value(found(lines[i], 0.99), "stuck") == 0);
        used_end(&used);
    }
}

static void even_classes_and_shares_say_nothing(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "class_counts: [400, 380, 420]", "class distribution: {0: 0.96, 1: 0.04}",
        "class_counts: [9, 1]",          "class_counts = 1928",
        "class_counts: [1928, 72",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        assert_null(found(lines[i], 0.964));
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_class_has_nearly_all),
        cmocka_unit_test(even_classes_and_shares_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
