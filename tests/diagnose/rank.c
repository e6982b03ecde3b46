/* The ranking of causes, on the worked sample. */
/* SPDX-License-Identifier: MIT */
#include "worked.h"

static struct worked worked;
static struct verdict verdict;

static int open_sample(void **state)
{
    (void)state;
    worked_open(&worked);
    verdict = (struct verdict){.run = &worked.run, .worst = SEVERITY_ERROR};
    return causes_rank(&worked.diagnosing, &verdict) ? 0 : -1;
}

static int close_sample(void **state)
{
    (void)state;
    worked_close(&worked);
    return 0;
}

static void assert_near(double got, double expected)
{
    assert_true(fabs(got - expected) < 0.005);
}

static void scores_of_the_worked_sample(void **state)
{
    static const struct {
        const char *id;
        double sum, score, prior, order;
    } expected[] = {
        {"learning-rate-too-high", 4.53, 0.39, 0.3, 0.7},
        {"exploding-gradients", 4.47, 0.36, 0, 0.7},
        {"fp16-overflow", 4.03, 0.23, 0, 0.7},
    };
    (void)state;
    assert_int_equal(verdict.cause_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct ranked *ranked = &verdict.causes[i];
        assert_string_equal(ranked->cause->id, expected[i].id);
        assert_near(ranked->sum, expected[i].sum);
        assert_near(ranked->score, expected[i].score);
        assert_near(ranked->prior, expected[i].prior);
        assert_near(ranked->order, expected[i].order);
    }
}

static void arguments_add_up_to_the_sum(void **state)
{
    (void)state;
    for (size_t i = 0; i < verdict.cause_count; i++) {
        const struct ranked *ranked = &verdict.causes[i];
        double sum = ranked->prior + ranked->order;
        for (size_t k = 0; k < ranked->argument_count; k++)
            sum += ranked->arguments[k].nats;
        assert_true(fabs(sum - ranked->sum) < 1e-9);
    }
}

static void tells_for_first_and_then_against(void **state)
{
    (void)state;
    const struct argument *arguments = verdict.causes[0].arguments;
    assert_int_equal(verdict.causes[0].argument_count, 3);
    assert_text(arguments[0].text, "the loss rose before it turned non-finite");
    assert_near(arguments[0].nats, 1.8);
    assert_int_equal(arguments[0].place.line, 1872);
    assert_text(arguments[1].text, "the gradient norm grew x4653");
    assert_near(arguments[1].nats, 1.33);
    assert_text(arguments[2].text, "no warm-up");
    assert_null(arguments[2].finding);
    assert_int_equal(arguments[2].place.line, 1);
    const struct ranked *overflow = &verdict.causes[2];
    assert_int_equal(overflow->argument_count, 4);
    assert_text(overflow->arguments[0].text, "the loss scale fell to 128");
    assert_text(overflow->arguments[1].text, "the run computes in float16");
    assert_near(overflow->arguments[2].nats, 0.18); /* a consequence, and second of its group */
    assert_near(overflow->arguments[3].nats, -0.7);
}

static void tells_the_chain_in_order(void **state)
{
    (void)state;
    assert_text(verdict.causes[0].chain, "grad-explosion 1842, nan-loss 1868");
    assert_text(verdict.causes[2].chain,
                "loss-scale-collapse 1862, nan-gradient 1868, nan-loss 1868");
}

static void fills_the_fixes(void **state)
{
    (void)state;
    const struct ranked *first = &verdict.causes[0];
    assert_int_equal(first->fix_count, 2);
    assert_text(first->fixes[0].title, "Lower the peak learning rate");
    assert_text(first->fixes[0].numbers, "from 0.0006 to 0.00018");
    assert_text(first->fixes[0].expect, "grad_norm near its median past step 1868");
    assert_text(first->fixes[0].codes[0],
                "optimizer = torch.optim.AdamW(model.parameters(), lr=0.00018)");
}

static void leaves_out_a_fix_whose_condition_is_false(void **state)
{
    (void)state;
    worked.facts[2].state = FACT_KNOWN;
    worked.facts[2].value = TEXT("1");
    worked.facts[2].number = 1;
    assert_true(causes_rank(&worked.diagnosing, &verdict));
    for (size_t i = 0; i < verdict.cause_count; i++)
        for (size_t k = 0; k < verdict.causes[i].fix_count; k++)
            assert_false(text_is(verdict.causes[i].fixes[k].title, "Clip the gradient norm"));
}

static void keeps_a_fix_whose_condition_is_unknown(void **state)
{
    (void)state;
    worked.run.fact_count = 2; /* nothing is said about clipping */
    assert_true(causes_rank(&worked.diagnosing, &verdict));
    assert_text(verdict.causes[0].fixes[1].title, "Clip the gradient norm");
}

static void says_from_where_to_resume(void **state)
{
    (void)state;
    assert_int_equal(worked.diagnosing.good.step, 1841);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_sample, close_sample)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(scores_of_the_worked_sample),
        CASE(arguments_add_up_to_the_sum),
        CASE(tells_for_first_and_then_against),
        CASE(tells_the_chain_in_order),
        CASE(fills_the_fixes),
        CASE(leaves_out_a_fix_whose_condition_is_false),
        CASE(keeps_a_fix_whose_condition_is_unknown),
        CASE(says_from_where_to_resume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
