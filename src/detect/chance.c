/* How many classes there are. */
/* SPDX-License-Identifier: MIT */
#include "detect/chance.h"

#include "detect/common.h"

static const double common[] = {2,     10,    100,   256,   1000,   30522, 32000,
                                50257, 50304, 50265, 50272, 128256, 151936};

/* Names as people write them in configurations; a name within the value counts. */
static const struct {
    const char *name;
    double classes;
} datasets[] = {
    {"cifar100", 100}, {"cifar-100", 100}, {"cifar10", 10}, {"cifar-10", 10},  {"fashion", 10},
    {"emnist", 47},    {"mnist", 10},      {"svhn", 10},    {"stl10", 10},     {"imagenet", 1000},
    {"reuters", 46},   {"cityscapes", 19}, {"ade20k", 150}, {"kinetics", 400}, {"ucf101", 101},
    {"food101", 101},  {"imdb", 2},        {"sst2", 2},     {"sst-2", 2},      {"cola", 2},
    {"mnli", 3},       {"qnli", 2},        {"mrpc", 2},     {"qqp", 2},
};

const char *class_source_name(enum class_source source)
{
    static const char *const names[] = {"list", "metric", "dataset", "printed", "batch"};
    return names[source];
}

static bool named(struct text value, const char *name)
{
    char pattern[32] = "*";
    size_t size = 1;
    for (size_t i = 0; name[i] && size + 2 < sizeof(pattern); i++)
        pattern[size++] = name[i];
    pattern[size++] = '*';
    return text_glob((struct text){pattern, size}, value, true);
}

static size_t add(struct classes *classes, size_t count, double number, enum class_source source)
{
    if (!(number >= 2) || count == CLASSES_MAX)
        return count;
    classes[count] = (struct classes){number, source};
    return count + 1;
}

/* Of several metrics the accuracy speaks: an F1 of one answer for all stands elsewhere. */
static const struct track *accuracy_of_kind(const struct use *use, enum kind kind,
                                            const struct series **series)
{
    static const char *const names[] = {"acc", "accuracy", "acc1", "top1", NULL};
    const struct track *track = companion(use, kind, series);
    if (!track || !use->run || tag_has((*series)->tag, names))
        return track;
    const struct series *other;
    for (size_t nth = 0; (other = run_series(use->run, kind, nth)); nth++)
        if (tag_has(other->tag, names) && use->segment < other->segment_count &&
            other->segments[use->segment].points > 0) {
            *series = other;
            return &other->segments[use->segment];
        }
    return track;
}

/* K of a metric of that kind whose level never left 1/K, whatever single batches score; 0. */
static double classes_of_kind(const struct use *use, enum kind kind)
{
    static const double often[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100, 1000};
    const struct series *series = NULL;
    const struct track *track = accuracy_of_kind(use, kind, &series);
    if (!track || series->direction != DIRECTION_UP)
        return 0;
    struct groups groups;
    if (!groups_of(track, series->kind, 0, &groups))
        return 0;
    double unit = share_unit(track);
    double levels[GROUPS_MAX], highest = 0;
    for (size_t i = 0; i < groups.count; i++) {
        levels[i] = scale_down(&groups.scale, groups.group[i].y);
        highest = fmax(highest, levels[i]);
    }
    double level = median_of(levels, groups.count) / unit;
    for (size_t i = 0; i < COUNT(often); i++)
        if (fabs(level - 1 / often[i]) <= 0.08 / often[i] && highest / unit <= 1.35 / often[i])
            return often[i];
    return 0;
}

/* That of single batches may leave the level where that of all samples does not. */
static double classes_of_metric(const struct use *use)
{
    const double classes = classes_of_kind(use, KIND_METRIC);
    return classes > 0 ? classes : classes_of_kind(use, KIND_VAL_METRIC);
}

/* A language model guesses among its vocabulary, whatever number of classes was printed. */
static bool language(const struct use *use)
{
    static const char *const words[] = {"lm",     "mlm",       "ppl", "perplexity",
                                        "tokens", "token_acc", NULL};
    for (size_t i = 0; use->run && i < use->run->series_count; i++)
        if (tag_has(use->run->series[i].tag, words))
            return true;
    return isfinite(fact_number(use, "vocabulary"));
}

/* Of every output it asks yes or no: as the settings say, or as the loss is named where answers are
   counted beside it; what rebuilds an image is a sum over its pixels. */
static bool yes_or_no(const struct use *use)
{
    static const char *const names[] = {"bce", "bceloss", "binary_crossentropy",
                                        "binary_cross_entropy", NULL};
    double unit;
    if (fact_is(use, "objective", "bce"))
        return true;
    return use->series_count > 0 && tag_has(use->series[0]->tag, names) &&
           (companion_share(use, KIND_METRIC, &unit) ||
            companion_share(use, KIND_VAL_METRIC, &unit));
}

size_t classes_of(const struct use *use, struct classes classes[CLASSES_MAX])
{
    size_t count = 0;
    if (!language(use))
        count = add(classes, count, fact_number(use, "classes"), CLASSES_PRINTED);
    count = add(classes, count, fact_number(use, "vocabulary"), CLASSES_PRINTED);
    if (yes_or_no(use))
        count = add(classes, count, 2, CLASSES_PRINTED);
    const struct fact *dataset = use->run ? run_fact(use->run, "dataset", STEP_NONE) : NULL;
    for (size_t i = 0; dataset && dataset->state == FACT_KNOWN && i < COUNT(datasets); i++)
        if (named(dataset->value, datasets[i].name)) {
            count = add(classes, count, datasets[i].classes, CLASSES_DATASET);
            break;
        }
    count = add(classes, count, classes_of_metric(use), CLASSES_METRIC);
    for (size_t i = 0; i < COUNT(common); i++)
        count = add(classes, count, common[i], CLASSES_LISTED);
    return count;
}

bool has_parts(const struct use *use)
{
    static const char *const bounds[] = {"elbo", "nelbo", "vlb", NULL};
    size_t parts = 0;
    if (use->series_count > 0 && tag_has(use->series[0]->tag, bounds))
        return true;
    for (size_t i = 0; i < use->run->series_count; i++)
        parts += use->run->series[i].kind == use->series[0]->kind && use->run->series[i].speaks &&
                 use->run->series[i].scope == SCOPE_PART;
    return parts >= 2;
}

double chance_near(const struct use *use, double level, double tolerance)
{
    struct classes classes[CLASSES_MAX];
    size_t count = classes_of(use, classes);
    bool known = count && classes[0].source != CLASSES_LISTED;
    for (size_t i = 0; i < count; i++) {
        if (known && classes[i].source == CLASSES_LISTED)
            break;
        double expected = log(classes[i].count);
        if (fabs(level - expected) <= tolerance * expected)
            return classes[i].count;
    }
    return 0;
}

bool share_answered(const struct use *use, double share, double *metric)
{
    static const char *const words[] = {"acc", "accuracy", "top1", "precision", NULL};
    static const enum kind kinds[] = {KIND_METRIC, KIND_VAL_METRIC};
    static const double NEAR = 0.005, BAND = 0.02;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const struct series *series = run_main(use->run, kinds[i]);
        if (!series || !tag_has(series->tag, words) || series->whole.points < 2)
            continue;
        const double bound = share_unit(&series->whole);
        *metric = series->whole.last.value / bound;
        struct point points[TAIL_MAX];
        const size_t count = track_tail(&series->whole, points, TAIL_MAX);
        double stray = fabs(*metric - share) <= NEAR ? 0 : 1; /* in the later half of them */
        for (size_t k = count / 2; k < count; k++)
            stray = fmax(stray, fabs(points[k].value / bound - share));
        if (stray <= BAND)
            return true;
    }
    return false;
}
