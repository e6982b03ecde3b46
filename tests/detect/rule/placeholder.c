/* placeholder_fill: names, sums, defaults and braces. */
/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "used.h"

#include "stalldoc/rule.h"

static struct used used;
static struct finding finding;

static int open_run(void **state)
{
    (void)state;
    used_begin(&used);
    used_fact(&used, "lr_peak", "0.0006", 0.0006);
    used_fact(&used, "optimizer", "adamw", NAN);
    used_fact(&used, "clip", "", NAN);
    used.facts[2].state = FACT_NONE;
    finding = (struct finding){.form = "spike"};
    finding.candidate = (struct candidate){
        .onset = {.step = 1842, .line = 1844, .input = 1},
        .time = NAN,
        .subject = TEXT("grad_norm"),
        .values = {{"ratio", 4653.4, {0}}, {"scale", 65536, {0}}, {"part", NAN, TEXT("iou")}},
        .value_count = 3,
    };
    return 0;
}

static int close_run(void **state)
{
    (void)state;
    used_end(&used);
    return 0;
}

static struct text fill(const char *text, bool code, bool *complete)
{
    static const struct good good = {1841, {NULL, 0}};
    const struct context context = {.run = &used.run, .at = &finding, .good = &good};
    return placeholder_fill(&used.arena, text, &context, code, complete);
}

static void fills_values_with_four_digits(void **state)
{
    (void)state;
    assert_text(fill("{series} grew x{ratio} at step {onset}", false, NULL),
                "grad_norm grew x4653 at step 1842");
    assert_text(fill("{part} to {scale}", false, NULL), "iou to 65536");
}

static void counts_one_as_one(void **state)
{
    (void)state;
    finding.candidate.values[3] = (struct value){"count", 1, {0}};
    finding.candidate.values[4] = (struct value){"many", 11, {0}};
    finding.candidate.values[5] = (struct value){"first", NAN, TEXT("nan")};
    finding.candidate.value_count = 6;
    assert_text(fill("({count} of {count} readings, {count} times)", false, NULL),
                "(1 of 1 reading, 1 time)");
    assert_text(fill("{many} steps, {count} stepsize, x{count} steps", false, NULL),
                "11 steps, 1 stepsize, x1 steps");
    assert_text(fill("is {first}", false, NULL), "is NaN");
}

static void multiplies_and_divides(void **state)
{
    (void)state;
    assert_text(fill("from {lr_peak} to {lr_peak*0.3}", false, NULL), "from 0.0006 to 0.00018");
    assert_text(fill("{lr_peak/3}", false, NULL), "0.0002");
    assert_text(fill("{lr_peak*0.3|1e-4}", true, NULL), "0.00018");
}

static void what_is_counted_stays_whole(void **state)
{
    (void)state;
    used_fact(&used, "planned_steps", "836", 836);
    used_fact(&used, "batch_size", "1", 1);
    assert_text(fill("{planned_steps*0.05|1000} of {planned_steps|20000}", true, NULL),
                "42 of 836");
    assert_text(fill("{batch_size/2|8}", true, NULL), "1");
}

static void takes_the_default_for_what_is_unknown(void **state)
{
    bool complete = false;
    (void)state;
    assert_text(fill("lr={lr|1e-4}", true, &complete), "lr=1e-4");
    assert_true(complete);
    assert_text(fill("{optimizer*2|adam}", false, NULL), "adam"); /* a word has no double */
    assert_text(fill("{clip|1.0}", false, NULL), "1.0");          /* off is no number */
}

/* A bound for the gradient: from what was read while the run was sound. */
static void knows_the_usual_norm(void **state)
{
    (void)state;
    double norms[60];
    for (int i = 0; i < 60; i++)
        norms[i] = i < 40 ? 1.1 : 900;
    used_series(&used, KIND_GRAD_NORM, "grad_norm", norms, 60, 4);
    const struct good good = {40, {NULL, 0}}, early = {5, {NULL, 0}};
    struct context context = {.run = &used.run, .at = &finding, .good = &good};
    const char *text = "max_norm={grad_norm*2|1.0}";
    assert_text(placeholder_fill(&used.arena, text, &context, true, NULL), "max_norm=2.2");
    context.good = &early; /* too few readings */
    assert_text(placeholder_fill(&used.arena, text, &context, true, NULL), "max_norm=1.0");
    for (int i = 0; i < 60; i++)
        norms[i] = 3e-7; /* it vanished: no bound for anything */
    used_apart(&used, 0, norms, 60, 9, 1);
    context.good = &good;
    assert_text(placeholder_fill(&used.arena, text, &context, true, NULL), "max_norm=1.0");
}

static void takes_no_part_of_a_rate_that_is_printed_as_zero(void **state)
{
    bool complete = true;
    (void)state;
    used.facts[0].number = 0;
    used.facts[0].value = TEXT("0.0");
    assert_text(fill("min_lr={lr_peak*0.01|1e-5}", true, NULL), "min_lr=1e-5");
    assert_text(fill("lr={lr_peak|1e-4}", true, NULL), "lr=1e-4");
    fill("from {lr_peak} to {lr_peak*0.3}", false, &complete);
    assert_false(complete);
}

static void tells_names_and_defaults_where_nothing_is_known(void **state)
{
    struct arena *arena = &used.arena;
    (void)state;
    assert_text(placeholder_plain(arena, "{series} grew x{ratio*2} {{by}}, {share*100} %", false),
                "<series> grew x<ratio*2> {by}, <share> %");
    assert_text(placeholder_plain(arena, "lr={lr_peak*0.3|1e-4}, {\"a\": {b}} {{x}}", true),
                "lr=1e-4, {\"a\": {b}} {x}}");
    assert_text(placeholder_plain(arena, "load({last_good_step})", true), "load(<last_good_step>)");
    assert_text(placeholder_plain(arena, "", false), "");
}

static void says_when_something_is_missing(void **state)
{
    bool complete = true;
    (void)state;
    assert_text(fill("to {batch_size}", false, &complete), "to ?");
    assert_false(complete);
    assert_text(fill("step {last_good_step}, {last_good_checkpoint}", false, &complete),
                "step 1841, ?");
}

static void leaves_braces_that_are_not_its_own(void **state)
{
    bool complete = false;
    (void)state;
    assert_text(fill("{{a}} and {{{series}", false, NULL), "{a} and {grad_norm");
    assert_text(fill("\"fp16\": {\"enabled\": {true}}", true, &complete),
                "\"fp16\": {\"enabled\": {true}}");
    assert_true(complete);
    assert_text(fill("f({x}, lr={lr_peak|1})", true, NULL), "f({x}, lr=0.0006)");
    assert_text(fill("", false, NULL), "");
    assert_text(fill("{", true, NULL), "{");
}

static void gives_nothing_without_memory(void **state)
{
    (void)state;
    const struct context context = {.run = &used.run, .at = &finding};
    struct arena arena = {.limit = 1};
    assert_null(placeholder_fill(&arena, "{series} is high", &context, false, NULL).data);
    arena_free(&arena);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_run, close_run)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(fills_values_with_four_digits),
        CASE(counts_one_as_one),
        CASE(multiplies_and_divides),
        CASE(what_is_counted_stays_whole),
        CASE(knows_the_usual_norm),
        CASE(takes_no_part_of_a_rate_that_is_printed_as_zero),
        CASE(tells_names_and_defaults_where_nothing_is_known),
        CASE(takes_the_default_for_what_is_unknown),
        CASE(says_when_something_is_missing),
        CASE(leaves_braces_that_are_not_its_own),
        CASE(gives_nothing_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
