/* Judges thousands of made runs: alarms on healthy families, detection of faults.
   build/bench/healthy [SEEDS [FAMILY]]; prints the share of runs with a warning or error. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/rule.h"
#include "stalldoc/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 5000 };
static double curve[POINTS_MAX];
static uint64_t state;

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

struct family {
    const char *name;
    void (*make)(size_t n);
    bool epochs;         /* readings are epoch means */
    bool pretrained;     /* the log says so */
    double first_share;  /* of the plan at which the log begins */
    const char *symptom; /* a fault: what has to be told; NULL: healthy */
    const char *other;   /* or this */
};

static double at(size_t i, size_t n)
{
    return (double)i / (double)(n - 1);
}

/* Healthy families. */
static void power_law(size_t n)
{
    double a = 0.2 + 0.4 * uniform(), floor = 1 + uniform(), noise = 0.01 + 0.03 * uniform();
    for (size_t i = 0; i < n; i++)
        curve[i] = (floor + 6 * pow(1 + 200 * at(i, n), -a)) * exp(noise * normal());
}

static void classification(size_t n)
{
    double noise = 0.1 + 0.4 * uniform(), floor = 0.05 + 0.3 * uniform();
    double rate = 3 + 8 * uniform();
    for (size_t i = 0; i < n; i++)
        curve[i] = (floor + 2.2 * exp(-rate * at(i, n))) * exp(noise * normal());
}

static void epoch_means(size_t n)
{
    double floor = 0.05 + 0.2 * uniform(), rate = 2 + 4 * uniform();
    for (size_t i = 0; i < n; i++)
        curve[i] = (floor + 1.5 * exp(-rate * at(i, n))) * exp(0.03 * normal());
}

static void warmup_bump(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double bump = 1.5 * exp(-pow((at(i, n) - 0.02) / 0.012, 2));
        curve[i] = (2 + 5 * pow(1 + 100 * at(i, n), -0.5) + bump) * exp(0.03 * normal());
    }
}

static void converged_tail(size_t n)
{
    double floor = 0.02 + 0.1 * uniform();
    for (size_t i = 0; i < n; i++)
        curve[i] = (floor + 2 * exp(-20 * at(i, n))) * exp(0.1 * normal());
}

static void warm_restarts(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double cycle = fmod(4 * at(i, n), 1);
        double level = 0.3 + 2 * exp(-6 * at(i, n));
        curve[i] = level * (1 + 0.25 * (1 - cycle)) * exp(0.04 * normal());
    }
}

static void fine_tuning(size_t n)
{
    double gain = 0.1 + 0.3 * uniform(), noise = 0.05 + 0.15 * uniform();
    for (size_t i = 0; i < n; i++)
        curve[i] = 1.4 * (1 - gain * (1 - exp(-5 * at(i, n)))) * exp(noise * normal());
}

static void regression(size_t n)
{
    double floor = 0.02 + 0.1 * uniform();
    for (size_t i = 0; i < n; i++)
        curve[i] = (floor + exp(-8 * at(i, n))) * exp(0.15 * normal());
}

static void heavy_tails(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double square = 0; /* Student's t with five degrees of freedom */
        for (int k = 0; k < 5; k++)
            square += pow(normal(), 2);
        double t = normal() / sqrt(square / 5);
        curve[i] = (0.5 + 2 * exp(-5 * at(i, n))) * exp(0.15 * t);
    }
}

static void correlated_noise(size_t n)
{
    double noise = 0, memory = 0.9 + 0.08 * uniform();
    for (size_t i = 0; i < n; i++) {
        noise = memory * noise + sqrt(1 - memory * memory) * normal();
        curve[i] = (1 + 4 * pow(1 + 100 * at(i, n), -0.5)) * exp(0.08 * noise);
    }
}

static void step_decay(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double level = at(i, n) < 0.33 ? 1.2 : at(i, n) < 0.66 ? 0.55 : 0.35;
        curve[i] = (level + 3 * exp(-12 * at(i, n))) * exp(0.08 * normal());
    }
}

static void staircase(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double epoch = floor(3 * at(i, n) * 0.999);
        double level = epoch < 1 ? 1.3 : epoch < 2 ? 0.95 : 0.6;
        curve[i] = (level + 0.3 * exp(-30 * at(i, n))) * exp(0.06 * normal());
    }
}

static void cosine_anneal(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double rate = 0.5 * (1 + cos(3.14159 * at(i, n)));
        curve[i] = (0.8 + 0.9 * rate + 3 * exp(-15 * at(i, n))) * exp(0.06 * normal());
    }
}

static void late_excerpt(size_t n)
{
    double level = 2 + uniform(), fall = 0.01 + 0.04 * uniform();
    for (size_t i = 0; i < n; i++)
        curve[i] = level * (1 - fall * at(i, n)) * exp(0.02 * normal());
}

static void flat_start(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double fall = 1 / (1 + exp(-25 * (at(i, n) - 0.3)));
        curve[i] = (3.1 - 2.6 * fall + 0.8 * exp(-40 * at(i, n))) * exp(0.04 * normal());
    }
}

static void near_zero(size_t n)
{
    for (size_t i = 0; i < n; i++)
        curve[i] = 0.7 * exp(-12 * at(i, n)) + 0.004 * fabs(normal());
}

/* Faults. */
static void diverges(size_t n)
{
    double when = 0.4 + 0.3 * uniform();
    for (size_t i = 0; i < n; i++) {
        double level = 1 + 3 * exp(-10 * at(i, n));
        if (at(i, n) > when)
            level = 4.2;
        curve[i] = level * exp(0.06 * normal());
    }
}

static void diverges_slowly(size_t n)
{
    double when = 0.35 + 0.2 * uniform();
    for (size_t i = 0; i < n; i++) {
        double level = 1 + 3 * exp(-10 * at(i, n));
        if (at(i, n) > when)
            level *= exp(2.5 * (at(i, n) - when));
        curve[i] = level * exp(0.06 * normal());
    }
}

static void stuck(size_t n)
{
    for (size_t i = 0; i < n; i++)
        curve[i] = (2.3026 + 0.1 * exp(-80 * at(i, n))) * exp(0.002 * normal());
}

static void stalls(size_t n)
{
    double level = 0.55 + 0.25 * uniform();
    for (size_t i = 0; i < n; i++)
        curve[i] = 3 * (level + (1 - level) * exp(-18 * at(i, n))) * exp(0.03 * normal());
}

static void spikes(size_t n)
{
    size_t when = (size_t)((0.5 + 0.3 * uniform()) * (double)n), width = n / 100 + 1;
    double height = 1.6 + 1.4 * uniform();
    power_law(n);
    for (size_t i = when; i < when + width && i < n; i++)
        curve[i] *= height;
}

static void oscillates(size_t n)
{
    double period = n < 100 ? 3 : (double)n / 20;
    for (size_t i = 0; i < n; i++)
        curve[i] = (1 + 2 * exp(-20 * at(i, n))) *
                   exp(0.3 * sin(6.2832 * (double)i / period) + 0.05 * normal());
}

static void falls_slowly(size_t n)
{
    for (size_t i = 0; i < n; i++)
        curve[i] = 4 * (1 - 0.075 * at(i, n)) * exp(0.003 * normal());
}

static const struct family families[] = {
    {.name = "power law", .make = power_law},
    {.name = "classification", .make = classification},
    {.name = "epoch means", .make = epoch_means, .epochs = true},
    {.name = "warm-up bump", .make = warmup_bump},
    {.name = "converged tail", .make = converged_tail},
    {.name = "warm restarts", .make = warm_restarts},
    {.name = "fine-tuning", .make = fine_tuning, .pretrained = true},
    {.name = "regression", .make = regression},
    {.name = "heavy tails", .make = heavy_tails},
    {.name = "correlated noise", .make = correlated_noise},
    {.name = "step decay", .make = step_decay},
    {.name = "staircase", .make = staircase},
    {.name = "cosine anneal", .make = cosine_anneal},
    {.name = "late excerpt", .make = late_excerpt, .first_share = 0.4},
    {.name = "flat start", .make = flat_start},
    {.name = "near zero", .make = near_zero},
    {.name = "divergence", .make = diverges, .symptom = "loss-divergence"},
    {.name = "slow divergence", .make = diverges_slowly, .symptom = "loss-divergence"},
    {.name = "stuck at ln 10", .make = stuck, .symptom = "loss-plateau", .other = "loss-floor"},
    {.name = "stall", .make = stalls, .symptom = "loss-plateau", .other = "loss-floor"},
    {.name = "spike", .make = spikes, .symptom = "loss-spike"},
    {.name = "oscillation", .make = oscillates, .epochs = true, .symptom = "loss-oscillation"},
    {.name = "step oscillation", .make = oscillates, .symptom = "loss-oscillation"},
    {.name = "slow fall", .make = falls_slowly, .symptom = "loss-slow", .other = "loss-plateau"},
};

struct outcome {
    size_t runs, alarms, told;
    size_t by[64];
};

static void print_like_a_log(size_t n, double scale)
{
    for (size_t i = 0; i < n; i++) {
        char text[32];
        snprintf(text, sizeof(text), "%.4g", curve[i] * scale);
        curve[i] = atof(text);
    }
}

static int places(double scale)
{
    return scale < 1e-3 ? 9 : scale > 1e3 ? 0 : 4;
}

static void judge_one(const struct family *family, size_t n, double scale,
                      const struct rules *rules, struct outcome *outcome)
{
    static int64_t steps[POINTS_MAX];
    static uint64_t lines[POINTS_MAX];
    struct arena arena = {0};
    struct error error = {0};
    family->make(n);
    print_like_a_log(n, scale);
    int64_t width = family->epochs ? 1 : 10;
    int64_t plan = (int64_t)n * width, first = 0;
    if (family->first_share > 0) {
        first = (int64_t)((double)plan * family->first_share);
        plan += first;
    }
    for (size_t i = 0; i < n; i++) {
        steps[i] = first + (int64_t)(i + 1) * width;
        lines[i] = i + 1;
    }
    const struct track_rows rows = {.count = n,
                                    .values = curve,
                                    .steps = steps,
                                    .lines = lines,
                                    .offsets = lines,
                                    .input = 1,
                                    .places = (int16_t)places(scale)};
    struct track track;
    struct track_builder *builder = track_open(&arena, KIND_LOSS, true);
    if (!builder || !track_add(builder, &rows, &error) || !track_view(builder, &track)) {
        fprintf(stderr, "no memory for a track\n");
        exit(2);
    }
    const struct series series = {
        .tag = TEXT("loss"),
        .input = 1,
        .rank = -1,
        .kind = KIND_LOSS,
        .basis = family->epochs ? BASIS_EPOCH_MEAN : BASIS_STEP,
        .direction = DIRECTION_DOWN,
        .main = true,
        .speaks = true,
        .whole = track,
        .segments = &track,
        .segment_count = 1,
    };
    const struct segment segment = {.first_step = steps[0], .last_step = steps[n - 1]};
    const struct fact fact = {.key = TEXT("pretrained"),
                              .value = TEXT("true"),
                              .number = (double)NAN,
                              .step = STEP_NONE,
                              .in_force = true};
    const struct run run = {
        .series = &series,
        .series_count = 1,
        .segments = &segment,
        .segment_count = 1,
        .facts = &fact,
        .fact_count = family->pretrained ? 1 : 0,
        .first_step = steps[0],
        .last_step = steps[n - 1],
        .step_count = n,
        .planned_steps = plan,
        .speaking_rank = -1,
    };
    const struct detect_options options = {.min_confidence = 0.3};
    struct judgement judgement;
    if (!judge(&run, rules, &options, &arena, &judgement, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(2);
    }
    bool alarm = false, told = false;
    for (size_t i = 0; i < judgement.finding_count; i++) {
        const struct finding *finding = &judgement.findings[i];
        const char *id = finding->symptom->id;
        if (family->symptom &&
            (strcmp(id, family->symptom) == 0 || (family->other && strcmp(id, family->other) == 0)))
            told = true;
        if (finding->severity < SEVERITY_WARNING || finding->absorbed_by ||
            finding->confidence < 0.5)
            continue;
        alarm = true;
        if (finding->symptom->order < 64)
            outcome->by[finding->symptom->order]++;
    }
    outcome->runs++;
    outcome->alarms += alarm;
    outcome->told += told;
    arena_free(&arena);
}

int main(int count, char **words)
{
    static const size_t lengths[] = {5, 10, 15, 30, 60, 100, 300, 1000, 5000};
    static const double scales[] = {1e-5, 1, 1e6};
    size_t seeds = count > 1 ? (size_t)strtoul(words[1], NULL, 10) : 12;
    struct arena arena = {0};
    struct error error = {0};
    const struct rules *rules = rules_load(&arena, NULL, &error);
    if (!rules) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    for (size_t f = 0; f < sizeof(families) / sizeof(families[0]); f++) {
        const struct family *family = &families[f];
        if (count > 2 && !strstr(family->name, words[2]))
            continue;
        struct outcome all = {0};
        printf("%-18s", family->name);
        for (size_t l = 0; l < sizeof(lengths) / sizeof(lengths[0]); l++) {
            struct outcome outcome = {0};
            size_t repeats = lengths[l] >= 5000 ? seeds / 4 + 1 : seeds;
            for (size_t seed = 0; seed < repeats; seed++)
                for (size_t s = 0; s < sizeof(scales) / sizeof(scales[0]); s++) {
                    state = 1 + seed * 1000003 + l * 7919 + f * 104729;
                    judge_one(family, lengths[l], scales[s], rules, &outcome);
                }
            size_t hits = family->symptom ? outcome.told : outcome.alarms;
            printf(" %zu:%3.0f%%", lengths[l], 100.0 * (double)hits / (double)outcome.runs);
            all.runs += outcome.runs;
            all.alarms += outcome.alarms;
            all.told += outcome.told;
            for (size_t i = 0; i < 64; i++)
                all.by[i] += outcome.by[i];
        }
        size_t hits = family->symptom ? all.told : all.alarms;
        printf("  %s %.2f%%", family->symptom ? "told" : "alarms",
               100.0 * (double)hits / (double)all.runs);
        for (size_t i = 0; i < rules->symptom_count; i++)
            if (rules->symptoms[i].order < 64 && all.by[rules->symptoms[i].order])
                printf(" %s %zu", rules->symptoms[i].id, all.by[rules->symptoms[i].order]);
        printf("\n");
        fflush(stdout);
    }
    arena_free(&arena);
    return 0;
}
