/* How far training had come where a checkpoint was saved: what the file says, else its name. */
/* SPDX-License-Identifier: MIT */
#include "standing.h"

#include "stalldoc/number.h"
#include "stalldoc/statistics.h"
#include <string.h>

enum { WORD_BYTES = 48, FOLDERS_LOOKED = 3 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool listed(struct text word, const char *const *words)
{
    for (; *words; words++)
        if (word.size == strlen(*words) && text_glob(text_of(*words), word, true))
            return true;
    return false;
}

static bool is_step_word(struct text word)
{
    static const char *const words[] = {
        "step",  "steps",      "iter",        "iters",       "iteration", "iterations",
        "ckpt",  "checkpoint", "checkpoints", "update",      "updates",   "globalstep",
        "batch", "timesteps",  "gstep",       "global_step", NULL};
    return listed(word, words);
}

static bool is_save_word(struct text word)
{
    static const char *const words[] = {"ckpt", "checkpoint", "checkpoints", NULL};
    return listed(word, words);
}

static bool is_epoch_word(struct text word)
{
    static const char *const words[] = {"epoch", "epochs", "ep", NULL};
    return listed(word, words);
}

/* A number behind one of these says which of several, not how far. */
static bool is_member_word(struct text word)
{
    static const char *const words[] = {"fold", "seed",  "rank",  "rng",   "worker",  "part",
                                        "of",   "shard", "split", "run",   "version", "trial",
                                        "cv",   "gpu",   "v",     "layer", "member",  "state",
                                        "node", "exp",   "stage", "tp",    "pp",      NULL};
    return listed(word, words);
}

static void tell(int64_t *held, int *strength, int64_t number, int how)
{
    if (number >= 0 && how > *strength) {
        *held = number;
        *strength = how;
    }
}

void standing_begin(struct standing *standing)
{
    const double none = (double)NAN;
    *standing =
        (struct standing){.step = STEP_NONE,
                          .epoch = STEP_NONE,
                          .bare = STEP_NONE,
                          .optimizer = {none, none, none, none, none, none, none, false, false, 0}};
}

/* What the last component of a key counts; strength 0: nothing. */
static int step_strength(struct text word)
{
    static const char *const wide[] = {
        "global_step",  "global_steps",     "num_updates", "num_timesteps",
        "global_iter",  "global_iteration", "n_updates",   "total_env_steps",
        "trainer_step", "training_steps",   NULL};
    static const char *const plain[] = {
        "step",     "steps",       "iter",         "iters",      "iteration",     "iterations",
        "it",       "update",      "updates",      "train_step", "training_step", "current_step",
        "n_iter",   "num_updates", "current_iter", "cur_iter",   "iter_num",      "step_num",
        "num_iter", "itr",         "num_steps",    NULL};
    return listed(word, wide) ? STANDING_WIDE : listed(word, plain) ? STANDING_PLAIN : 0;
}

/* Keys below these are settings, or count something else. */
static bool is_aside(struct text part)
{
    static const char *const words[] = {
        "config",    "cfg",       "args",         "hparams",       "hyper_parameters",
        "options",   "opt",       "arguments",    "model_args",    "kwargs",
        "callbacks", "scheduler", "lr_scheduler", "lr_schedulers", "scaler",
        "loops",     "schedule",  "init_args",    "model_config",  "hyperparameters",
        "amp",       NULL};
    return listed(part, words);
}

struct path_seen { /* of a key's components */
    struct text last;
    size_t depth;
    bool aside, optimizer, global;
};

static bool ends_part(char c)
{
    return c == '.' || c == '/' || c == ':';
}

static struct path_seen path_look(struct text key)
{
    struct path_seen seen = {0};
    for (size_t begin = 0, i = 0; i <= key.size; i++) {
        if (i < key.size && !ends_part(key.data[i]))
            continue;
        struct text part = text_cut(key, begin, i - begin);
        begin = i + 1;
        while (part.size > 0 && part.data[0] == '_')
            part = text_cut(part, 1, part.size - 1);
        if (part.size == 0 || text_starts(part, "ATTRIBUTES") || text_is(part, "VARIABLE_VALUE"))
            continue;
        seen.depth++;
        seen.aside = seen.aside || is_aside(part);
        seen.optimizer = seen.optimizer || text_glob(TEXT("*optim*"), part, true) ||
                         text_is(part, "state") || text_is(part, "param_groups");
        seen.global = seen.global || text_glob(TEXT("*global_step"), part, true);
        seen.last = part;
    }
    return seen;
}

static void look(struct standing *standing, struct text key, double number)
{
    if (!(number >= 0 && number < 1e15) || number != floor(number))
        return;
    const struct path_seen seen = path_look(key);
    if (seen.aside || seen.depth == 0)
        return;
    int how = seen.global ? STANDING_WIDE : step_strength(seen.last);
    if (how > 0) {
        how -= seen.depth > 3 ? 3 : (int)seen.depth - 1;
        if (seen.optimizer && !seen.global) /* its parameters' own count */
            how = STANDING_OPTIMIZER;
        standing->sure = standing->sure || how > standing->step_strength;
        tell(&standing->step, &standing->step_strength, (int64_t)number, how);
        return;
    }
    static const char *const epochs[] = {"epoch",     "current_epoch", "cur_epoch",
                                         "epoch_num", "start_epoch",   NULL};
    if (listed(seen.last, epochs) && !seen.optimizer)
        tell(&standing->epoch, &standing->epoch_strength, (int64_t)number,
             STANDING_PLAIN - (seen.depth > 3 ? 3 : (int)seen.depth - 1));
}

/* "optimizer.param_groups.0.betas.1", or as Keras has it. */
static void look_group(struct group_told *told, struct text key, double number)
{
    static const struct text group = {"param_groups.0.", 15};
    const size_t at = text_find(key, group);
    const bool grouped = at < key.size;
    const struct text word = grouped ? text_cut(key, at + group.size, key.size) : key;
    const struct {
        const char *torch, *keras;
        double *held;
    } words[] = {{"lr", "learning_rate", &told->rate},
                 {"betas.0", "beta_1", &told->beta1},
                 {"betas.1", "beta_2", &told->beta2},
                 {"alpha", "rho", &told->alpha},
                 {"momentum", "momentum", &told->momentum},
                 {"dampening", "dampening", &told->dampening},
                 {"", "decay", &told->decay}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (text_is(word, grouped ? words[i].torch : words[i].keras))
            *words[i].held = number;
}

/* GradScaler saves {"scale": 65536.0, "growth_factor": 2.0, ...}, DeepSpeed an object with
   cur_scale and scale_window: beside such a key the number is the scale of the loss. */
static void look_scale(struct standing *standing, struct text key, double number)
{
    static const char *const names[] = {"scale", "cur_scale", NULL};
    static const char *const beside[] = {"growth_factor", "scale_window", NULL};
    size_t end = key.size;
    while (end > 0 && !ends_part(key.data[end - 1]))
        end--;
    const struct text word = text_cut(key, end, key.size - end);
    const uint64_t path = text_hash(text_cut(key, 0, end));
    if (listed(word, names) && number >= 0) {
        standing->scale = number;
        standing->scale_path = path;
    } else if (listed(word, beside) && path == standing->scale_path) {
        standing->optimizer.scaled = true;
        standing->optimizer.scale = standing->scale;
    }
}

void standing_setting(struct standing *standing, struct text key, struct text value)
{
    struct number number;
    if (text_is(key, "optimizer") && text_is(value, "SGD"))
        standing->optimizer.descent = true;
    if (!number_parse(value, &number))
        return;
    look(standing, key, number.value);
    look_group(&standing->optimizer, key, number.value);
    look_scale(standing, key, number.value);
}

void standing_tensor(struct standing *standing, const struct tensor_view *view)
{
    double number = (double)NAN;
    if (view->absent || tensor_count(view) != 1 || view->rank > 1 || view->dtype > DTYPE_UINT8)
        return;
    if (text_is(view->name, "optimizer/vars/0") && view->dtype >= DTYPE_INT64 &&
        tensor_values(view, 0, 1, &number, NULL)) { /* of Keras 3: its iteration */
        tell(&standing->step, &standing->step_strength, (int64_t)number, STANDING_OPTIMIZER);
        standing->sure = true;
        return;
    }
    const struct text attribute = TEXT("/.ATTRIBUTES/VARIABLE_VALUE");
    if (text_starts(view->name, "optimizer/") && text_ends(view->name, attribute.data) &&
        tensor_values(view, 0, 1, &number, NULL)) { /* what Keras keeps as variables */
        const size_t begin = strlen("optimizer/") + text_starts(view->name, "optimizer/_");
        look_group(&standing->optimizer,
                   text_cut(view->name, begin, view->name.size - attribute.size - begin), number);
    }
    const struct path_seen seen = path_look(view->name);
    if ((seen.global || step_strength(seen.last) || text_is(seen.last, "epoch")) &&
        tensor_values(view, 0, 1, &number, NULL))
        look(standing, view->name, number);
}

struct named {         /* a number of a name */
    size_t begin, end; /* of its digits, with a suffix k or M */
    int64_t number;
    struct text before, after; /* words beside it */
    bool glued;                /* to a letter before it */
    bool ends;                 /* the name, or before its extension */
};

static bool is_between(char c)
{
    return c == '-' || c == '_' || c == '=' || c == ' ' || c == '.' || c == '#';
}

/* The word that ends before `at`, past what stands between. */
static struct text word_before(struct text name, size_t at)
{
    while (at > 0 && is_between(name.data[at - 1]))
        at--;
    size_t begin = at;
    while (begin > 0 && is_letter(name.data[begin - 1]))
        begin--;
    return text_cut(name, begin, at - begin);
}

static struct text word_after(struct text name, size_t at)
{
    while (at < name.size && is_between(name.data[at]))
        at++;
    size_t end = at;
    while (end < name.size && is_letter(name.data[end]))
        end++;
    return text_cut(name, at, end - at);
}

/* 1000 for "k" that ends a number, 1000000 for "M", else 1. */
static int64_t suffix(struct text name, size_t at)
{
    if (at >= name.size || (at + 1 < name.size && is_letter(name.data[at + 1])))
        return 1;
    return name.data[at] == 'k' || name.data[at] == 'K' ? 1000 : name.data[at] == 'M' ? 1000000 : 1;
}

static bool next_number(struct text name, size_t from, struct named *named)
{
    size_t i = from;
    while (i < name.size && !is_digit(name.data[i]))
        i++;
    if (i == name.size)
        return false;
    *named = (struct named){.begin = i, .glued = i > 0 && is_letter(name.data[i - 1])};
    for (; i < name.size && is_digit(name.data[i]); i++)
        if (named->number < INT64_MAX / 20000000)
            named->number = 10 * named->number + (name.data[i] - '0');
    const int64_t times = suffix(name, i);
    named->number *= times;
    named->end = i + (times > 1);
    named->ends = named->end == name.size || name.data[named->end] == '.';
    named->before = word_before(name, named->begin);
    named->after = word_after(name, named->end);
    return true;
}

enum said { SAID_NOTHING, SAID_STEP, SAID_EPOCH, SAID_BARE };

static enum said said_by(const struct named *named)
{
    if (text_is(named->after, "of") || is_member_word(named->before))
        return SAID_NOTHING;
    if (is_step_word(named->before))
        return SAID_STEP;
    if (is_epoch_word(named->before))
        return SAID_EPOCH;
    if (!named->glued && (text_is(named->after, "steps") || text_is(named->after, "iters") ||
                          text_is(named->after, "iterations") || text_is(named->after, "updates")))
        return SAID_STEP;
    if (!named->glued && text_is(named->after, "epochs"))
        return SAID_EPOCH;
    return !named->glued && named->ends ? SAID_BARE : SAID_NOTHING;
}

static struct text last_part(struct text path, size_t *above)
{
    while (path.size > 0 && path.data[path.size - 1] == '/')
        path.size--;
    *above = text_behind(path, '/');
    return text_cut(path, *above, path.size);
}

/* "model_init.npz" was saved before training, "model_final.npz" behind it. */
static void look_words(struct standing *standing, struct text name)
{
    static const char *const first[] = {"init", "initial", "untrained", "before", "start", NULL};
    static const char *const last[] = {"final", "last", "latest", "trained", "after", "end", NULL};
    for (size_t begin = 0, i = 0; i <= name.size; i++) {
        if (i < name.size && is_letter(name.data[i]))
            continue;
        const struct text word = text_cut(name, begin, i - begin);
        begin = i + 1;
        if (listed(word, first))
            tell(&standing->step, &standing->step_strength, 0, STANDING_NAME);
        standing->last = standing->last || listed(word, last);
    }
}

void standing_path(struct standing *standing, struct text path)
{
    for (int folder = 0; folder <= FOLDERS_LOOKED && path.size > 0; folder++) {
        size_t above;
        const struct text part = last_part(path, &above);
        struct named named = {0};
        if (folder == 0)
            look_words(standing, part);
        for (size_t from = 0; next_number(part, from, &named); from = named.end) {
            const enum said said = said_by(&named);
            if (said == SAID_STEP) {
                /* Files called ckpt_3 are as often epochs, folders called checkpoint-500 never. */
                if (STANDING_NAME > standing->step_strength)
                    standing->sure = folder > 0 || !is_save_word(named.before);
                tell(&standing->step, &standing->step_strength, named.number, STANDING_NAME);
            } else if (said == SAID_EPOCH)
                tell(&standing->epoch, &standing->epoch_strength, named.number, STANDING_NAME);
            else if (said == SAID_BARE && folder == 0)
                standing->bare = named.number;
        }
        path.size = above;
    }
}

struct text standing_line(struct arena *arena, struct text path)
{
    char *bytes = arena_take(arena, path.size + 1, 1);
    size_t size = 0, copied = 0;
    struct named named = {0};
    if (!bytes)
        return (struct text){NULL, 0};
    for (size_t from = 0; next_number(path, from, &named); from = named.end) {
        if (said_by(&named) == SAID_NOTHING)
            continue;
        memcpy(bytes + size, path.data + copied, named.begin - copied);
        size += named.begin - copied;
        bytes[size++] = '#';
        copied = named.end;
    }
    memcpy(bytes + size, path.data + copied, path.size - copied);
    return (struct text){bytes, size + path.size - copied};
}

static bool is_numbered(struct text part)
{
    struct named named = {0};
    for (size_t from = 0; next_number(part, from, &named); from = named.end) {
        const enum said said = said_by(&named);
        if (said == SAID_STEP || said == SAID_EPOCH)
            return true;
    }
    return false;
}

bool standing_inside(struct text path)
{
    size_t above;
    last_part(path, &above);
    path.size = above;
    return path.size > 0 && is_numbered(last_part(path, &above));
}

/* A folder of checkpoints, or one that is a checkpoint. */
static bool is_inner(struct text part)
{
    static const char *const words[] = {"checkpoints", "checkpoint",  "ckpts",     "ckpt",
                                        "weights",     "snapshots",   "models",    "model",
                                        "variables",   "saved_model", "optimizer", NULL};
    /* Megatron gives each rank of a checkpoint a folder of its own. */
    return listed(part, words) || is_numbered(part) || text_starts(part, "mp_rank_");
}

struct text standing_zero(struct text path)
{
    size_t above;
    last_part(path, &above); /* the file, the parameter's folder, "zero" */
    path.size = above;
    last_part(path, &above);
    path.size = above;
    const bool zero = text_is(last_part(path, &above), "zero");
    return text_cut(path, 0, zero ? above : 0);
}

struct text standing_home(struct text path)
{
    size_t above;
    const struct text universal = standing_zero(path);
    last_part(path, &above);
    path.size = universal.size > 0 ? universal.size : above;
    for (int i = 0; i < FOLDERS_LOOKED && path.size > 0; i++) {
        if (!is_inner(last_part(path, &above)))
            break;
        path.size = above;
    }
    return path;
}
