/* JSON documents of any other shape: lists of records (Chainer's log, CatBoost's
   catboost_training.json), lists of values under a name (Keras' history), one record of last values
   (metrics.json, wandb-summary.json, AllenNLP's metrics_epoch_N.json), settings (config.json). */
/* SPDX-License-Identifier: MIT */
#include "read/document/walk.h"

static int probe(struct span head, struct text file_name)
{
    bool found, cut;
    if (walk_probe(head, NULL, &found, &cut) == 0)
        return 0;
    return text_ends(file_name, ".json") ? 80 : cut ? 50 : 70;
}

static bool read(const struct reading *reading, struct error *error)
{
    static const struct walk_options options = {0};
    return walk_document(reading, &options, error);
}

const struct format format_json = {
    .name = "json",
    .about = "JSON documents: lists of records, histories, last values, settings",
    .group = FORMAT_DOCUMENT,
    .probe = probe,
    .read = read,
};
