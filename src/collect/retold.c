/* Histories that a later save of the same run tells again: the Trainer of transformers writes all
   it has logged so far beside every checkpoint, and once more at the end. */
/* SPDX-License-Identifier: MIT */
#include "lines.h"

#include <math.h>

static const struct series *again_in(const struct portion *portion, const struct series *series)
{
    for (size_t i = 0; i < portion->series_count; i++)
        if (text_equal(portion->series[i].tag, series->tag) &&
            portion->series[i].phase == series->phase)
            return &portion->series[i];
    return NULL;
}

static bool same_value(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool begins_with(const struct track *whole, const struct track *part)
{
    return whole->points >= part->points && whole->first.step == part->first.step &&
           same_value(whole->first.value, part->first.value) &&
           whole->last.step >= part->last.step && !(whole->low.value > part->low.value) &&
           !(whole->high.value < part->high.value);
}

static uint64_t points_of(const struct portion *portion)
{
    uint64_t points = 0;
    for (size_t i = 0; i < portion->series_count; i++)
        points += portion->series[i].whole.points;
    return points;
}

static struct text file_of(struct text path)
{
    return text_cut(path, text_behind(path, '/'), path.size);
}

bool line_retold(const struct portion *earlier, const struct portion *later)
{
    if (earlier->group != FORMAT_DOCUMENT || later->group != FORMAT_DOCUMENT || earlier->of != 1 ||
        later->of != 1 || earlier->series_count == 0 ||
        !text_equal(file_of(earlier->path), file_of(later->path)) ||
        !text_equal(standing_home(earlier->path), standing_home(later->path)))
        return false;
    for (size_t i = 0; i < earlier->series_count; i++) {
        const struct series *again = again_in(later, &earlier->series[i]);
        if (!again || !begins_with(&again->whole, &earlier->series[i].whole))
            return false;
    }
    const uint64_t before = points_of(earlier), after = points_of(later);
    return before < after || (before == after && earlier->input < later->input);
}
