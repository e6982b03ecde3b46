/* A line that tells the size of the inputs. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include "stalldoc/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static const struct candidate *found(const char *line)
{
    static const struct message_row row = {.id = "input-statistics"};
    static struct message message;
    message = (struct message){.row = &row, .line = text_of(line), .step = STEP_NONE};
    static const double losses[] = {1.8, 1.7};
    used_begin(&used);
    used_series(&used, KIND_LOSS, "loss", losses, 2, 2);
    used.run.messages = &message;
    used.run.message_count = 1;
    return used_run(&used, "told", "said", 0, NULL);
}

static void inputs_of_another_size(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        double size;
    } cases[] = {{"Input statistics: mean=128.3 std=70.1", 198.4},
                 {"inputs: mean 4500.5, std 3.1", 4503.6},
                 {"pixel range [0, 255]", 255},
                 {"Features min: -9644.4 max: 22503.7", 22503.7},
                 {"feature range: [-15784.2, 3682.9]", 15784.2}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct candidate *candidate = found(cases[i].line);
        assert_non_null(candidate);
        assert_float_equal(used_value(candidate, "size"), cases[i].size, 1e-9);
        used_end(&used);
    }
}

static void silent_on_scaled_inputs_and_on_scaling(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "Input statistics: mean=0.02 std=0.98 min=-3.1 max=4.4",
        "input range: [0.0, 1.0]",
        "raw feature range: [-15784.2, 3682.9]",
        "Input statistics: mean=128.3 std=70.1, standardising",
        "Normalize: input mean=123.7 std=58.4",
        "input min and max are taken per batch",
        "data range 2019-01-01",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        assert_null(found(lines[i]));
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_of_another_size),
        cmocka_unit_test(silent_on_scaled_inputs_and_on_scaling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
