/* resume-jump: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static void begin(void)
{
    used_begin(&used);
}

static void a_warning_where_the_loss_jumps_at_the_restart(void **state)
{
    (void)state;
    begin();
    const double before[] = {1.2, 1.1, 1.05, 1.04, 1.03, 1.02}, after[] = {2.2, 2.1, 2.0, 2.1, 2.0};
    used_series(&used, KIND_LOSS, "loss", before, 6, 3);
    make_track(&used.made[1], after, 5, 3, 1);
    struct track both[] = {used.made[0].track, used.made[1].track};
    const struct segment segments[] = {{.first_step = 1}, {.first_step = 7}};
    used.series[0].segments = both;
    used.series[0].segment_count = 2;
    used.run.segments = segments;
    used.run.segment_count = 2;
    assert_true(judged_alarm(&used, "resume-jump"));
    const double smooth[] = {1.02, 1.01, 1.0, 0.99, 0.99};
    make_track(&used.made[1], smooth, 5, 3, 1);
    both[1] = used.made[1].track;
    assert_null(judged(&used, "resume-jump"));
    used_end(&used);
}

static void silent_without_a_restart(void **state)
{
    (void)state;
    begin();
    const double before[] = {1.2, 1.1, 1.05, 2.04, 2.03, 2.02};
    used_series(&used, KIND_LOSS, "loss", before, 6, 3);
    assert_null(judged(&used, "resume-jump"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_the_loss_jumps_at_the_restart),
        cmocka_unit_test(silent_without_a_restart),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
