/* Lines of one batch that is no number in every epoch. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include "stalldoc/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static const struct candidate *found(const char *a, const char *b, const char *c)
{
    static const struct message_row row = {.id = "loss-nan-stop"};
    static struct message message;
    message = (struct message){
        .row = &row,
        .line = text_of(a),
        .kept = {text_of(a), text_of(b), text_of(c)},
        .kept_count = 3,
        .count = 9,
        .step = STEP_NONE,
    };
    used_begin(&used);
    used.run.messages = &message;
    used.run.message_count = 1;
    return used_run(&used, "revisit", "same-batch", 0, NULL);
}

static void the_same_batch_of_every_epoch(void **state)
{
    (void)state;
    static const char *const lines[][3] = {
        {"e00 b212/400 silog nan (0.29 s)  -> loss not finite, batch skipped",
         "e01 b212/400 silog nan (0.31 s)  -> loss not finite, batch skipped",
         "e02 b212/400 silog nan (0.28 s)  -> loss not finite, batch skipped"},
        {"2024-05-03 10:11:12,345 WARNING loss is nan in batch_idx=212 (epoch 3)",
         "2024-05-03 10:19:52,101 WARNING loss is nan in batch_idx=212 (epoch 4)",
         "2024-05-03 10:27:02,977 WARNING loss is nan in batch_idx=212 (epoch 5)"},
        {"[Epoch 1] NaN loss at iteration 212, skipping",
         "[Epoch 2] NaN loss at iteration 212, skipping",
         "[Epoch 3] NaN loss at iteration 212, skipping"},
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        const struct candidate *candidate = found(lines[i][0], lines[i][1], lines[i][2]);
        assert_non_null(candidate);
        assert_float_equal(used_value(candidate, "batch"), 212, 0);
        used_end(&used);
    }
}

/* Another batch each time, one epoch alone, or a constant that is no batch. */
static void silent_where_the_batches_differ(void **state)
{
    (void)state;
    static const char *const lines[][3] = {
        {"2024-05-03 10:11:12 epoch 1 batch 12: nan loss",
         "2024-05-03 10:14:12 epoch 2 batch 90: nan loss",
         "2024-05-03 10:19:12 epoch 3 batch 41: nan loss"},
        {"epoch 1 batch 212: nan loss", "epoch 1 batch 213: nan loss",
         "epoch 1 batch 214: nan loss"},
        {"[rank 3] epoch 1: nan loss", "[rank 3] epoch 2: nan loss", "[rank 3] epoch 3: nan loss"},
        {"epoch 1 batch 212: nan loss", "epoch 1 batch 212: nan loss",
         "epoch 1 batch 212: nan loss"},
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        assert_null(found(lines[i][0], lines[i][1], lines[i][2]));
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_batch_of_every_epoch),
        cmocka_unit_test(silent_where_the_batches_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
