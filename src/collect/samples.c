/* Arrays of inputs and targets: offered by the user, or told by their names beside a run. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"

#include <inttypes.h>
#include <string.h>

/* Arrays whose features are kept: half a MiB each at the most. */
enum { SAMPLED_MOST = 32 };
enum { NAMED_MOST = 8, SAMPLES_LEAST = 2, WORD_MOST = 24 };

static bool one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

/* What a word of a name says; false: no array of samples has such a word. */
static bool word_role(const char *word, bool *inputs, bool *targets)
{
    static const char *const in[] = {"x",        "xs",    "input",  "inputs",       "feature",
                                     "features", "feat",  "feats",  "image",        "images",
                                     "img",      "imgs",  "pixel",  "observations", "obs",
                                     "xtrain",   "xtest", "trainx", "testx",        NULL};
    static const char *const out[] = {"y",      "ys",    "target", "targets", "label", "labels",
                                      "ytrain", "ytest", "trainy", "testy",   NULL};
    static const char *const filling[] = {
        "train",   "training", "tr",         "val",    "valid", "validation", "dev",    "test",
        "te",      "eval",     "all",        "raw",    "array", "arr",        "data",   "set",
        "dataset", "samples",  "sample",     "batch",  "norm",  "normalized", "scaled", "values",
        "np",      "numpy",    "normalised", "subset", "small", "full",       NULL};
    if (one_of(word, in))
        *inputs = true;
    else if (one_of(word, out))
        *targets = true;
    else
        return one_of(word, filling);
    return true;
}

enum tensor_role role_of_name(struct text name)
{
    bool inputs = false, targets = false;
    char word[WORD_MOST];
    size_t size = 0;
    for (size_t i = 0; i <= name.size; i++) {
        const char c = i < name.size ? name.data[i] : ' ';
        const bool upper = c >= 'A' && c <= 'Z', letter = upper || (c >= 'a' && c <= 'z');
        const bool before = i > 0 && name.data[i - 1] >= 'a' && name.data[i - 1] <= 'z';
        if (size > 0 && (!letter || (upper && before))) {
            word[size] = 0;
            size = 0;
            if (!word_role(word, &inputs, &targets))
                return ROLE_WEIGHTS;
        }
        if (letter && size + 1 >= sizeof(word))
            return ROLE_WEIGHTS;
        if (letter)
            word[size++] = (char)(upper ? c - 'A' + 'a' : c);
    }
    if (inputs == targets)
        return ROLE_WEIGHTS;
    return inputs ? ROLE_INPUTS : ROLE_TARGETS;
}

/* The name that tells: of the array, or of its file where the array has none. */
static struct text telling(const struct tape *tape, struct text name)
{
    if (!text_is(name, "(array)"))
        return name;
    const struct text path = text_cut(tape->path, text_behind(tape->path, '/'), tape->path.size);
    const size_t dot = text_find(path, TEXT("."));
    return text_cut(path, 0, dot);
}

static enum tensor_role role_of_view(const struct tape *tape, const struct tensor_view *view)
{
    const bool samples = view->rank >= 1 && view->shape[0] >= SAMPLES_LEAST &&
                         view->dtype != DTYPE_OPAQUE && view->dtype != DTYPE_COMPLEX64 &&
                         view->dtype != DTYPE_COMPLEX128;
    return samples ? role_of_name(telling(tape, view->name)) : ROLE_WEIGHTS;
}

static void lack(struct tape *tape, const char *what)
{
    struct error *why = &tape->collector->unoffered;
    char names[sizeof(why->message)] = "";
    size_t size = 0;
    for (size_t i = 0; i < tape->view_count && i < NAMED_MOST; i++) {
        const struct text name = tape->views[i].name;
        if (size + name.size + 8 > sizeof(names) / 2)
            break;
        memcpy(names + size, i > 0 ? ", " : "", i > 0 ? 2 : 0);
        size += i > 0 ? 2 : 0;
        memcpy(names + size, name.data, name.size);
        size += name.size;
    }
    if (tape->view_count == 0)
        error_set(why, ERROR_UNSUPPORTED, (struct place){.input = tape->input}, "no array in it");
    else
        error_set(why, ERROR_UNSUPPORTED, (struct place){.input = tape->input},
                  "%s (it holds %zu%s%.*s)", what, tape->view_count, size > 0 ? ": " : "",
                  (int)size, names);
}

/* The array that was meant; view_count: none. */
static size_t offered_view(struct tape *tape)
{
    const size_t count = tape->view_count;
    size_t found = count, told = 0;
    if (tape->role_name.size > 0) {
        for (size_t i = 0; i < count && found == count; i++)
            if (text_equal(tape->views[i].name, tape->role_name))
                found = i;
        if (found == count)
            lack(tape, "no array of that name");
        return found;
    }
    if (count == 1 || (count > 1 && text_is(tape->views[0].name, "(table)")))
        return 0;
    for (size_t i = count; i > 0; i--)
        if (role_of_view(tape, &tape->views[i - 1]) == tape->role) {
            found = i - 1;
            told++;
        }
    if (told == 0)
        lack(tape, "several arrays, name one as FILE:NAME");
    return found;
}

bool samples_find(struct tape *tape, enum tensor_role **roles, struct error *error)
{
    *roles = arena_take(&tape->arena, tape->view_count + 1, sizeof(**roles));
    if (!*roles)
        return memory_ended(error);
    if (tape->role == ROLE_WEIGHTS) {
        for (size_t i = 0; i < tape->view_count; i++)
            (*roles)[i] = role_of_view(tape, &tape->views[i]);
        return true;
    }
    tape->collector->unoffered = (struct error){0};
    const size_t at = offered_view(tape);
    if (at < tape->view_count) {
        tape->views[0] = tape->views[at];
        tape->view_count = 1;
        (*roles)[0] = tape->role;
    } else {
        tape->view_count = 0;
    }
    return true;
}

/* Of an array that was too large to unpack, the samples that were. */
static bool head_measure(struct tape *tape, struct tensor_view *view, struct tensor *tensor,
                         struct error *error)
{
    const size_t size = dtype_size(view->dtype);
    struct pool pool = {0};
    int64_t sample = 1;
    for (int i = 1; i < view->rank; i++)
        sample *= view->shape[i];
    if (!tensor_contiguous(view) || sample <= 0 || size == 0)
        return true;
    view->shape[0] = (int64_t)(view->size / size) / sample;
    view->absent = false;
    return view->shape[0] == 0 ||
           tensors_measure(view, 1, &pool, tape->collector->arena, &tensor->stats, error);
}

bool samples_measure(struct tape *tape, const struct tensor_view *view, struct tensor *tensor,
                     struct error *error)
{
    struct arena *kept = tape->collector->arena;
    struct error damage = {0};
    struct tensor_view cut = *view;
    if (tensor->role == ROLE_WEIGHTS || tape->collector->options.unmeasured ||
        tape->collector->sampled >= SAMPLED_MOST)
        return true;
    if (view->head && !head_measure(tape, &cut, tensor, &damage)) {
        *error = damage;
        return damage.kind != ERROR_MEMORY;
    }
    if (tensor->stats.count == 0)
        return true;
    struct samples *samples = arena_take(kept, 1, sizeof(*samples));
    if (!samples)
        return memory_ended(error);
    samples->name = arena_text(kept, telling(tape, tensor->name));
    if (!samples->name.data)
        return memory_ended(error);
    if (!tensor_features_measure(&cut, kept, &samples->features, &damage) ||
        (tensor->role == ROLE_TARGETS && !tensor_labels_measure(&cut, &samples->labels, &damage))) {
        if (damage.kind == ERROR_MEMORY)
            *error = damage;
        return damage.kind != ERROR_MEMORY; /* its bytes were read a moment ago */
    }
    tensor->samples = samples;
    tape->collector->sampled++;
    return true;
}
