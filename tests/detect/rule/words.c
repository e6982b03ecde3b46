/* Rules in words: what a page says is what the rule holds. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/rule.h"

#include "check.h"

static const char *symptom_use(const char *id, size_t use, struct phrase *phrase)
{
    const struct symptom *symptom = rules_symptom(&rules_embedded, text_of(id));
    use_words(&symptom->uses[use], phrase);
    return phrase->text;
}

static void says_what_a_use_takes_and_its_numbers(void **state)
{
    (void)state;
    struct phrase phrase;
    assert_string_equal(symptom_use("data-bound", 0, &phrase),
                        "wait: data-time against step-time, from 2 readings on; share 30 % (median "
                        "over all readings)");
    /* A bound that the rule leaves out is not told. */
    assert_string_equal(symptom_use("data-bound", 2, &phrase),
                        "idle: utilisation, from 5 readings on; median-below 40 (of all "
                        "readings); p95-below 70 (95 % of them)");
    /* Nor is what it does not switch on. */
    assert_null(strstr(symptom_use("loss-spike", 0, &phrase), "short-ratio"));
    const char *stall = symptom_use("loss-plateau", 0, &phrase);
    assert_non_null(strstr(stall, "stall 50 %, from 30 readings on 35 % (of the run"));
    assert_non_null(strstr(stall, "delta 0.5 % (that counts as better); delta-sigma 4 deviations"));
    assert_non_null(strstr(symptom_use("policy-collapse", 2, &phrase),
                           "kl: other named *kl*, from 10 readings on, where it is reinforcement "
                           "learning; "));
}

static void says_when_a_finding_is_held_back(void **state)
{
    (void)state;
    struct phrase phrase;
    const struct symptom *plateau = rules_symptom(&rules_embedded, TEXT("loss-plateau"));
    gate_entry_words(plateau, &plateau->gates[1], &phrase);
    assert_non_null(strstr(phrase.text,
                           "stall.stall 60 % and stall.max-drop 5 % where the model is "
                           "pretrained"));
    const struct symptom *slow = rules_symptom(&rules_embedded, TEXT("loss-slow"));
    gate_entry_words(slow, &slow->gates[4], &phrase);
    assert_string_equal(phrase.text, "not told where the run reached its floor");
    gate_entry_words(plateau, &plateau->gates[plateau->gate_count - 1], &phrase);
    assert_string_equal(phrase.text, "a confidence of 0.7 at most where the plan was not reached: "
                                     "the run may not have ended");
}

static void says_what_makes_an_error_of_it(void **state)
{
    (void)state;
    struct phrase phrase;
    const struct symptom *plateau = rules_symptom(&rules_embedded, TEXT("loss-plateau"));
    severity_words(&plateau->severity[0], &phrase);
    assert_string_equal(phrase.text, "error where the form is stall and drop is below 0.1 and "
                                     "points is at least 20");
    severity_words(&plateau->severity[plateau->severity_count - 1], &phrase);
    assert_string_equal(phrase.text, "warning else");
    const struct symptom *explosion = rules_symptom(&rules_embedded, TEXT("grad-explosion"));
    severity_words(&explosion->severity[3], &phrase);
    assert_string_equal(phrase.text,
                        "error where there is loss-divergence behind it within 5 % of the run or "
                        "there is nan-loss behind it within 5 % of the run");
}

static void says_when_a_cause_is_out_and_what_its_evidence_weighs(void **state)
{
    (void)state;
    struct phrase phrase;
    const struct cause *overflow = rules_cause(&rules_embedded, TEXT("fp16-overflow"));
    condition_words(overflow->unless, &phrase);
    assert_string_equal(phrase.text, "precision is fp32 or tf32");
    condition_words(NULL, &phrase);
    assert_string_equal(phrase.text, "");
    evidence_words(&overflow->items[1], &phrase);
    assert_string_equal(phrase.text, "loss-scale-collapse; +2.5");
    evidence_words(&overflow->items[2], &phrase);
    assert_string_equal(phrase.text, "ckpt-nonfinite moments where not (there is ckpt-nonfinite of "
                                     "the form weights or turned); +1.5");
    evidence_words(&overflow->items[6], &phrase);
    assert_string_equal(phrase.text, "loss-zero start where contradicted is 0; +0.9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_a_use_takes_and_its_numbers),
        cmocka_unit_test(says_when_a_finding_is_held_back),
        cmocka_unit_test(says_what_makes_an_error_of_it),
        cmocka_unit_test(says_when_a_cause_is_out_and_what_its_evidence_weighs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
