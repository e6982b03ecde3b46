/* Checkpoints of one line: files that hold the same tensors, saved one after the other. */
/* SPDX-License-Identifier: MIT */
#include "lines.h"

#include <stdlib.h>

#define ALIKE_SAME 0.5  /* of the tensors, where the names differ in their steps only */
#define ALIKE_OTHER 0.9 /* where they differ otherwise: "best.pt" beside "last.pt" */

enum { DIGITS_MOST = 15 };

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t form_of(const struct tensor *tensor)
{
    uint64_t form = text_hash(tensor->name) + (uint64_t)tensor->dtype;
    for (int i = 0; i < tensor->rank; i++)
        form = (form ^ (uint64_t)tensor->shape[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return form;
}

bool line_keys(struct arena *arena, struct portion *portion)
{
    portion->line = standing_line(arena, portion->path);
    portion->home = standing_home(portion->path);
    portion->forms = arena_take(arena, portion->tensor_count + 1, sizeof(*portion->forms));
    if (!portion->line.data || !portion->forms)
        return false;
    for (size_t i = 0; i < portion->tensor_count; i++)
        portion->forms[i] = form_of(&portion->tensors[i]);
    qsort(portion->forms, portion->tensor_count, sizeof(*portion->forms), by_value);
    return true;
}

/* Of the larger one's tensors, how many the other has in the same form. */
static double alike(const struct portion *a, const struct portion *b)
{
    const size_t n = a->tensor_count, m = b->tensor_count;
    size_t i = 0, k = 0, common = 0;
    while (i < n && k < m) {
        common += a->forms[i] == b->forms[k];
        const bool first = a->forms[i] <= b->forms[k], second = b->forms[k] <= a->forms[i];
        i += first;
        k += second;
    }
    return n + m == 0 ? 0 : (double)common / (double)(n > m ? n : m);
}

/* The same but for numbers that no step explains: "fold1.pt" beside "fold2.pt". */
static bool members(struct text a, struct text b)
{
    size_t i = 0, k = 0;
    for (;;) {
        const bool x = i < a.size && a.data[i] >= '0' && a.data[i] <= '9';
        const bool y = k < b.size && b.data[k] >= '0' && b.data[k] <= '9';
        if (x || y) {
            while (i < a.size && a.data[i] >= '0' && a.data[i] <= '9')
                i++;
            while (k < b.size && b.data[k] >= '0' && b.data[k] <= '9')
                k++;
            if (x != y)
                return false;
        } else if (i == a.size || k == b.size) {
            return i == a.size && k == b.size;
        } else if (a.data[i++] != b.data[k++]) {
            return false;
        }
    }
}

bool line_shared(const struct portion *a, const struct portion *b, bool together)
{
    if (a->group != FORMAT_CHECKPOINT || b->group != FORMAT_CHECKPOINT || !a->forms || !b->forms)
        return false;
    if (together)
        return alike(a, b) >= ALIKE_SAME;
    if (!text_equal(a->home, b->home))
        return false;
    if (text_equal(a->line, b->line))
        return alike(a, b) >= ALIKE_SAME;
    return !members(a->line, b->line) && alike(a, b) >= ALIKE_OTHER;
}

/* A number without a word is a step beside its like: "net-100.pt" and "net-200.pt". */
void lines_number(struct portion *portions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            struct portion *a = &portions[i], *b = &portions[k];
            if (i == k || a->step != STEP_NONE || a->epoch != STEP_NONE || a->bare == STEP_NONE ||
                b->bare == STEP_NONE || a->bare == b->bare || !a->forms || !b->forms ||
                !text_equal(a->line, b->line) || alike(a, b) < ALIKE_SAME)
                continue;
            a->step = a->bare;
            break;
        }
}

/* "run/1000/" of "run/1000/_CHECKPOINT_METADATA", and the number; empty: it is none such. */
static struct text save_of(const struct portion *portion, int64_t *step)
{
    static const struct text mark = {"/_CHECKPOINT_METADATA", 21};
    const struct text path = portion->path;
    const size_t end = text_ends(path, mark.data) ? path.size - mark.size : 0;
    size_t begin = end;
    *step = 0;
    while (begin > 0 && path.data[begin - 1] >= '0' && path.data[begin - 1] <= '9')
        begin--;
    if (begin == end || end - begin > DIGITS_MOST || (begin > 0 && path.data[begin - 1] != '/'))
        return (struct text){"", 0};
    for (size_t i = begin; i < end; i++)
        *step = 10 * *step + (path.data[i] - '0');
    return text_cut(path, 0, end + 1);
}

bool lines_saves(struct arena *arena, struct portion *portions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int64_t step;
        const struct text save = save_of(&portions[i], &step);
        for (size_t k = 0; save.size > 0 && k < count; k++) {
            struct portion *inner = &portions[k];
            if (inner->group != FORMAT_CHECKPOINT || inner->path.size <= save.size ||
                !text_equal(text_cut(inner->path, 0, save.size), save))
                continue;
            const size_t above = text_behind(text_cut(save, 0, save.size - 1), '/');
            inner->save = save;
            inner->home = text_cut(save, 0, above);
            inner->line = arena_print(arena, "%.*s#%.*s", (int)above, save.data,
                                      (int)(inner->path.size - save.size + 1),
                                      inner->path.data + save.size - 1);
            if (!inner->line.data)
                return false;
            if (inner->step == STEP_NONE) {
                inner->step = step;
                inner->sure = true;
            }
        }
    }
    return true;
}

static int number_order(int64_t a, int64_t b)
{
    if (a == STEP_NONE || b == STEP_NONE)
        return (a == STEP_NONE) - (b == STEP_NONE);
    return (a > b) - (a < b);
}

int line_order(const struct portion *a, const struct portion *b)
{
    const int step = number_order(a->step, b->step), epoch = number_order(a->epoch, b->epoch);
    return step ? step : epoch ? epoch : (a->input > b->input) - (a->input < b->input);
}
