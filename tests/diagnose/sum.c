/* The sum of one cause: consequences, what is beside the point, groups and bounds. */
/* SPDX-License-Identifier: MIT */
#include "worked.h"

static struct worked worked;
static struct sum sum;

static int open_sample(void **state)
{
    (void)state;
    worked_open(&worked);
    return 0;
}

static int close_sample(void **state)
{
    (void)state;
    worked_close(&worked);
    return 0;
}

static struct evidence_item item(const char *symptom, const char *group, double weight)
{
    return (struct evidence_item){
        .symptom = symptom, .group = group, .weight = weight, .text = symptom};
}

static double total(const struct evidence_item *items, size_t count)
{
    static const char *const no_order[] = {NULL};
    const struct cause cause = {
        .id = "user-why", .items = items, .item_count = count, .order = no_order};
    assert_true(cause_sum(&worked.diagnosing, &cause, &sum));
    return sum.total;
}

static void assert_near(double got, double expected)
{
    assert_true(fabs(got - expected) < 1e-9);
}

static void a_consequence_counts_little_for_what_does_not_explain_its_root(void **state)
{
    (void)state;
    const struct evidence_item items[] = {item("nan-loss", "a", 2), item("grad-explosion", "b", 1)};
    assert_near(total(items, 1), 2 * 0.3);
    assert_near(total(items, 2), 2 + 0.95);
}

static void of_a_group_the_second_counts_half_and_the_third_nothing(void **state)
{
    (void)state;
    worked.judgement.findings = &worked.findings[3]; /* grad-explosion and loss-scale-collapse */
    worked.judgement.finding_count = 2;
    const struct evidence_item items[] = {item("loss-scale-collapse", "a", 1),
                                          item("grad-explosion", "a", 2)};
    assert_near(total(items, 2), 2 * 0.95 + 0.9 / 2);
    assert_int_equal(sum.count, 2);
}

static void what_speaks_against_is_bounded(void **state)
{
    (void)state;
    const struct evidence_item items[] = {item("nan-loss", "a", -4), item("nan-gradient", "a", -4),
                                          item("grad-explosion", "a", 1)};
    assert_near(total(items, 3), -5 + 0.95);
}

static void a_cause_of_a_mere_warning_is_beside_the_point(void **state)
{
    (void)state;
    const struct evidence_item items[] = {item("grad-explosion", "a", 2)};
    worked.findings[3].severity = SEVERITY_WARNING;
    /* The loss is lost behind it: the warning is where the error comes from. */
    assert_near(total(items, 1), 2 * 0.95);
    for (size_t i = 0; i < WORKED_FINDINGS; i++)
        if (i != 3)
            worked.findings[i].candidate.onset.step = 10;
    assert_near(total(items, 1), 2 * 0.95 * 0.3);
}

static void an_absorbed_finding_weighs_nothing(void **state)
{
    (void)state;
    const struct evidence_item items[] = {item("grad-explosion", "a", 2)};
    worked.findings[3].absorbed_by = &worked.findings[1];
    assert_near(total(items, 1), 0);
    assert_false(sum.supported);
}

static void the_first_true_item_of_a_symptom_and_sign_wins(void **state)
{
    (void)state;
    const struct evidence_item items[] = {item("grad-explosion", "a", 1),
                                          item("grad-explosion", "b", 3),
                                          item("grad-explosion", "c", -0.5)};
    assert_near(total(items, 3), 0.95 - 0.5 * 0.95);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_sample, close_sample)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_consequence_counts_little_for_what_does_not_explain_its_root),
        CASE(of_a_group_the_second_counts_half_and_the_third_nothing),
        CASE(what_speaks_against_is_bounded),
        CASE(a_cause_of_a_mere_warning_is_beside_the_point),
        CASE(an_absorbed_finding_weighs_nothing),
        CASE(the_first_true_item_of_a_symptom_and_sign_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
