/* The fixes of a cause that apply to the run, with their placeholders filled. */
/* SPDX-License-Identifier: MIT */
#include "diagnosing.h"

/* The strongest finding: what the texts of fixes speak of. */
static const struct finding *strongest(const struct sum *sum)
{
    const struct piece *best = NULL;
    for (size_t i = 0; i < sum->count; i++) {
        const struct piece *piece = &sum->pieces[i];
        if (piece->finding && piece->nats > 0 && (!best || piece->nats > best->nats))
            best = piece;
    }
    return best ? best->finding : NULL;
}

/* A text that says nothing wrong: empty where something in it is not known. */
static bool fill_known(const struct diagnosing *diagnosing, const char *text,
                       const struct context *context, struct text *result)
{
    bool complete = true;
    *result = TEXT("");
    if (!text)
        return true;
    struct text filled = placeholder_fill(diagnosing->arena, text, context, false, &complete);
    if (!filled.data)
        return diagnosing_memory(diagnosing);
    if (complete)
        *result = filled;
    return true;
}

static bool fill_one(const struct diagnosing *diagnosing, const struct fix *fix,
                     const struct context *context, struct filled_fix *filled)
{
    filled->fix = fix;
    filled->title = placeholder_fill(diagnosing->arena, fix->title, context, false, NULL);
    struct text *codes = arena_take(diagnosing->arena, fix->snippet_count + 1, sizeof(*codes));
    if (!filled->title.data || !codes)
        return diagnosing_memory(diagnosing);
    for (size_t i = 0; i < fix->snippet_count; i++) {
        codes[i] = placeholder_fill(diagnosing->arena, fix->snippets[i].code, context, true, NULL);
        if (!codes[i].data)
            return diagnosing_memory(diagnosing);
    }
    filled->codes = codes;
    return fill_known(diagnosing, fix->numbers, context, &filled->numbers) &&
           fill_known(diagnosing, fix->expect, context, &filled->expect);
}

bool fixes_fill(const struct diagnosing *diagnosing, const struct sum *sum, struct ranked *ranked)
{
    const struct cause *cause = sum->cause;
    const struct context bare = diagnosing_context(diagnosing, NULL);
    const struct context context = diagnosing_context(diagnosing, strongest(sum));
    struct filled_fix *fixes = arena_take(diagnosing->arena, cause->fix_count + 1, sizeof(*fixes));
    if (!fixes)
        return diagnosing_memory(diagnosing);
    for (size_t i = 0; i < cause->fix_count; i++) {
        if (cause->fixes[i].when && condition_truth(cause->fixes[i].when, &bare) == FALSE_)
            continue; /* unknown ones are kept */
        if (!fill_one(diagnosing, &cause->fixes[i], &context, &fixes[ranked->fix_count++]))
            return false;
    }
    ranked->fixes = fixes;
    return true;
}
