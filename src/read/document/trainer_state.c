/* trainer_state.json of the Hugging Face Trainer: log_history is the list of records, with `loss`
   (training), `eval_*` (validation), or the summary of the whole run behind the last step, which is
   no reading. What stands beside it is settings. */
/* SPDX-License-Identifier: MIT */
#include "read/document/walk.h"

static int probe(struct span head, struct text file_name)
{
    static const char *const keys[] = {"log_history", NULL};
    static const char *const others[] = {"best_model_checkpoint", "is_world_process_zero",
                                         "best_metric", "is_local_process_zero", NULL};
    bool found, cut;
    if (walk_probe(head, keys, &found, &cut) == 0)
        return 0;
    if (found)
        return 95;
    walk_probe(head, others, &found, &cut);
    return found && text_ends(file_name, "trainer_state.json") ? 90 : 0;
}

static bool read(const struct reading *reading, struct error *error)
{
    static const struct walk_options options = {.root_settings = true, .drop_summaries = true};
    return walk_document(reading, &options, error);
}

const struct format format_trainer_state = {
    .name = "trainer-state",
    .about = "trainer_state.json of the Hugging Face Trainer",
    .group = FORMAT_DOCUMENT,
    .probe = probe,
    .read = read,
};
