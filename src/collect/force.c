/* Which facts are in force: option before mark, configuration, log, message, checkpoint. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"
#include "runs.h"

/* Lower comes first. A command line beats the defaults printed beside it. */
static int order_of(const struct told *told)
{
    return 2 * (int)told->fact.source + (told->fact.source == FACT_LOG && !told->command);
}

static bool same_value(const struct fact *a, const struct fact *b)
{
    return a->state == b->state && text_equal(a->value, b->value);
}

/* Of what a model and its data are made there is more in a print than the run uses: nets for tests,
   heads that are off, other tokenizers. What comes first is the run's. */
static bool first_stands(struct text key)
{
    static const char *const keys[] = {"batch_size", "classes",         "layers",
                                       "vocabulary", "sequence_length", "dataset"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (text_is(key, keys[i]))
            return true;
    return false;
}

/* What sentences and fixed texts tell of these is a change: it holds from there on, whatever held
   before. */
static bool tells_change(const struct told *told)
{
    if (told->change)
        return true;
    return told->fact.source == FACT_MESSAGE &&
           (text_is(told->fact.key, "stage") || text_is(told->fact.key, "batch_size") ||
            text_is(told->fact.key, "optimizer"));
}

/* A change that is told comes behind what was set at the start, whatever set it but the user. */
static bool counts(const struct told *told, int best)
{
    return order_of(told) == best ||
           (tells_change(told) && told->fact.step != STEP_NONE && best >= 2 * (int)FACT_CONFIG);
}

/* Facts of one key: the last print before the first step (of some the first), and every later one
   from its step on. */
static void key_decide(struct told **of_key, size_t count)
{
    const bool first = first_stands(of_key[0]->fact.key);
    int best = order_of(of_key[0]);
    for (size_t i = 1; i < count; i++)
        if (order_of(of_key[i]) < best)
            best = order_of(of_key[i]);
    struct told *start = NULL, *before = NULL;
    for (size_t i = 0; i < count; i++) {
        of_key[i]->fact.in_force = false;
        if (order_of(of_key[i]) != best)
            continue;
        if (of_key[i]->fact.step == STEP_NONE && !(first && start))
            start = of_key[i];
    }
    if (start)
        start->fact.in_force = true;
    before = start;
    for (size_t i = 0; i < count; i++) {
        if (!counts(of_key[i], best) || of_key[i]->fact.step == STEP_NONE ||
            (before && same_value(&before->fact, &of_key[i]->fact)))
            continue;
        if (!before && !tells_change(of_key[i]))
            of_key[i]->fact.step = STEP_NONE; /* nothing was said before: it held from the start */
        else if (before && before->fact.step == of_key[i]->fact.step)
            before->fact.in_force = false;
        of_key[i]->fact.in_force = true;
        before = of_key[i];
    }
}

/* How much a telling of the warm-up says: a number of steps, a share of the plan, that it is off.
   Programs print all of their options, and those that do not act are 0. */
static int warmup_strength(const struct told *told)
{
    if (told->fact.state == FACT_NONE)
        return 0;
    return told->fact.number >= 1 ? 2 : 1;
}

/* Of tellings of one order only the strongest stay. */
static size_t warmup_choose(struct told **of_key, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        bool stays = true;
        for (size_t k = 0; k < left; k++)
            stays = stays && !(order_of(of_key[k]) == order_of(of_key[i]) &&
                               warmup_strength(of_key[k]) > warmup_strength(of_key[i]));
        for (size_t k = i + 1; k < count; k++)
            stays = stays && !(order_of(of_key[k]) == order_of(of_key[i]) &&
                               warmup_strength(of_key[k]) > warmup_strength(of_key[i]));
        if (stays)
            of_key[left++] = of_key[i];
    }
    return left;
}

/* What was told so by this source already, and counts no more, is not listed again. */
static bool listed(const struct fact *facts, size_t count, const struct fact *fact)
{
    for (size_t i = 0; i < count; i++)
        if (facts[i].source == fact->source && same_value(&facts[i], fact))
            return true;
    return false;
}

static size_t facts_copy(struct told **of_key, size_t count, struct fact *facts)
{
    size_t n = 0;
    for (int lost = 0; lost < 2; lost++)
        for (size_t i = 0; i < count; i++)
            if (of_key[i]->fact.in_force == !lost && !(lost && listed(facts, n, &of_key[i]->fact)))
                facts[n++] = of_key[i]->fact;
    return n;
}

/* DeepSpeed prints train_batch_size for all devices, others for one: what is printed beside it
   tells. Megatron prints the classes of its image models for every model, and as epochs how often
   its data is repeated. */
static size_t facts_settle(struct told *told, size_t count)
{
    bool device = false, megatron = false;
    for (size_t i = 0; i < count; i++) {
        device = device || (told[i].device && text_is(told[i].fact.key, "batch_size"));
        megatron = megatron || told[i].megatron;
    }
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        if (megatron && told[i].fact.source == FACT_LOG &&
            (text_is(told[i].fact.key, "classes") || text_is(told[i].fact.key, "planned_epochs")))
            continue;
        if (device && told[i].either && text_is(told[i].fact.key, "batch_size"))
            told[i].fact.key = TEXT("global_batch_size");
        told[left++] = told[i];
    }
    return left;
}

bool facts_decide(struct arena *arena, struct told *told, size_t count, struct run *run)
{
    struct fact *facts = arena_take(arena, count + 1, sizeof(*facts));
    struct told **of_key = arena_take(arena, count + 1, sizeof(*of_key));
    bool *taken = arena_take(arena, count + 1, sizeof(*taken));
    if (!facts || !of_key || !taken)
        return false;
    run->facts = facts;
    run->fact_count = 0;
    count = facts_settle(told, count);
    for (size_t i = 0; i < count; i++) {
        size_t n = 0;
        for (size_t k = i; k < count; k++)
            if (!taken[k] && text_equal(told[k].fact.key, told[i].fact.key)) {
                taken[k] = true;
                of_key[n++] = &told[k];
            }
        if (n == 0)
            continue;
        if (text_is(told[i].fact.key, "warmup_steps"))
            n = warmup_choose(of_key, n);
        key_decide(of_key, n);
        run->fact_count += facts_copy(of_key, n, facts + run->fact_count);
    }
    return true;
}
