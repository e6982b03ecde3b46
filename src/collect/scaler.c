/* Loss scales that checkpoints tell: what torch's GradScaler, Lightning's precision plug-in and
   DeepSpeed save of it (formats.md 2.8). */
/* SPDX-License-Identifier: MIT */
#include "scaler.h"

#include "stalldoc/track.h"

enum { PLACES = 30 };

static bool is_told(const struct portion *portion)
{
    return portion->group == FORMAT_CHECKPOINT && portion->optimizer.scaled;
}

size_t scaler_most(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (is_told(group->portions[i]))
            return 1;
    return 0;
}

static bool point_add(struct track_builder *builder, const struct portion *portion)
{
    const uint64_t nowhere = 0;
    const struct track_rows rows = {.count = 1,
                                    .values = &portion->optimizer.scale,
                                    .steps = &portion->step,
                                    .lines = &nowhere,
                                    .offsets = &nowhere,
                                    .input = portion->input,
                                    .places = PLACES};
    return track_add(builder, &rows, NULL);
}

bool scaler_make(struct arena *arena, const struct group *group, struct series *series, bool *made)
{
    const struct portion *last = NULL;
    struct track_builder *builder = NULL;
    *made = false;
    for (size_t i = 0; i < group->count; i++) {
        const struct portion *portion = group->portions[i];
        if (!is_told(portion))
            continue;
        const bool again = last && last->step == portion->step && last->step != STEP_NONE;
        last = portion;
        builder = builder ? builder : track_open(arena, KIND_LOSS_SCALE, false);
        if (!builder || (!again && !point_add(builder, portion)))
            return false;
    }
    if (!last)
        return true;
    *series = (struct series){.tag = TEXT("saved/loss_scale"),
                              .part = {"", 0},
                              .unit = {"", 0},
                              .input = last->input,
                              .rank = -1,
                              .kind = KIND_LOSS_SCALE,
                              .scope = SCOPE_TOTAL,
                              .basis = BASIS_ESTIMATED,
                              .grain = GRAIN_STEP,
                              .origin = ORIGIN_DOCUMENT,
                              .segment_count = 1};
    *made = true;
    return track_view(builder, &series->whole);
}
