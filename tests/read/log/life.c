/* What lines say about the life of a run. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void resumes_saves_and_ends(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Resuming from checkpoint 100\n"
                    "step 101 loss 2\n"
                    "Saving checkpoint to x\n"
                    "Evaluating\n"
                    "Training completed\n",
                    "1: event 0\n"
                    "2: step 101 grain 1: loss=2\n"
                    "3: event 2\n"
                    "4: event 3\n"
                    "5: event 4\n");
}

static void shards_of_a_model_are_no_resume(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 100 loss 2\n"
                    "Loading checkpoint shards: 100%\n"
                    "step 101 loss 2\n",
                    "1: step 100 grain 1: loss=2\n"
                    "3: step 101 grain 1: loss=2\n");
}

static void a_launcher_begins_anew(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 100 loss 2\n"
                    "rank 3 lost, restarting job\n"
                    "[default] 2/3 attempts left; will restart worker group\n"
                    "restarting jobs is allowed\n"
                    "step 1 loss 4\n",
                    "1: step 100 grain 1: loss=2\n"
                    "2: event 5\n"
                    "3: event 5\n"
                    "5: step 1 grain 1: loss=4\n");
}

static void a_state_with_a_number_is_loaded(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 100 loss 2\n"
                    "loading weights from runs/a/step_100\n"
                    "restored ck-90.pt: model, optimizer\n"
                    "loading vocabulary of 100 words\n"
                    "loading step_100.best.pt\n"
                    "reloading step_100\n"
                    "step 101 loss 2\n",
                    "1: step 100 grain 1: loss=2\n"
                    "2: event 6\n"
                    "3: event 6\n"
                    "7: step 101 grain 1: loss=2\n");
}

static void a_resume_that_is_denied_is_none(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 100 loss 2\n"
                    "Cannot resume training: no such file\n"
                    "Unable to load checkpoint from x\n"
                    "Not resuming from any state\n"
                    "resume from checkpoint: None\n"
                    "Resume training is disabled\n"
                    "If it stops, Resume training later\n",
                    "1: step 100 grain 1: loss=2\n"
                    "2: set resume training=no such file\n"
                    "5: set resume from checkpoint=None\n"
                    "7: event 0\n");
}

static void an_end_with_an_epoch_is_none(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "Epoch 3 training finished. loss 0.5\n",
                    "1: epoch 3 grain 4: loss=0.5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resumes_saves_and_ends),
        cmocka_unit_test(shards_of_a_model_are_no_resume),
        cmocka_unit_test(a_launcher_begins_anew),
        cmocka_unit_test(a_state_with_a_number_is_loaded),
        cmocka_unit_test(a_resume_that_is_denied_is_none),
        cmocka_unit_test(an_end_with_an_epoch_is_none),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
