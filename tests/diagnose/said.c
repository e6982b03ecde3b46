/* What fixed texts say for a cause: the first failure leads. */
/* SPDX-License-Identifier: MIT */
#include "worked.h"

static const char *const crash[] = {"crash", NULL}, *const hang[] = {"hang", NULL};
static const char *const code[] = {"code-error", "bad-data", NULL};
static const char *const deadlock[] = {"distributed-deadlock", NULL}, *const none[] = {NULL};
static const char *const traceback[] = {"traceback"}, *const watchdog[] = {"watchdog"};
static const struct message_row rows[] = {
    {.id = "exception",
     .strength = STRENGTH_SUPPORTS,
     .symptoms = crash,
     .forms = traceback,
     .causes = code},
    {.id = "watchdog",
     .strength = STRENGTH_DECIDES,
     .symptoms = hang,
     .forms = watchdog,
     .causes = deadlock},
    {.id = "launcher",
     .strength = STRENGTH_CONSEQUENCE,
     .symptoms = crash,
     .forms = traceback,
     .causes = none},
    {.id = "hint",
     .strength = STRENGTH_SUPPORTS,
     .symptoms = none,
     .forms = NULL,
     .causes = deadlock},
};
enum { EXCEPTION, WATCHDOG, LAUNCHER, HINT };

static const struct cause code_error = {.id = "code-error"}, bad_data = {.id = "bad-data"},
                          distributed = {.id = "distributed-deadlock"};
static struct message messages[4];
static struct run run;
static struct segment segments[2];
static struct finding findings[1];
static struct judgement judgement;
static struct diagnosing diagnosing;

static int open_run(void **state)
{
    (void)state;
    memset(messages, 0, sizeof(messages));
    memset(segments, 0, sizeof(segments));
    run = (struct run){.messages = messages,
                       .segments = segments,
                       .segment_count = 1,
                       .first_step = STEP_NONE,
                       .last_step = STEP_NONE};
    judgement = (struct judgement){.findings = findings};
    diagnosing = (struct diagnosing){.run = &run, .judgement = &judgement};
    return 0;
}

static const struct message *say(size_t row, uint32_t input, uint64_t line, double time)
{
    struct message *message = &messages[run.message_count++];
    *message = (struct message){
        .row = &rows[row], .place = {input, line, 0}, .step = STEP_NONE, .time = time};
    return message;
}

static void assert_nats(const struct message *message, const struct cause *cause, double expected)
{
    assert_true(fabs(message_nats(&diagnosing, message, cause) - expected) < 1e-9);
}

static void the_first_cause_named_weighs_most(void **state)
{
    (void)state;
    const struct message *exception = say(EXCEPTION, 1, 10, NAN);
    assert_nats(exception, &code_error, 1.2);
    assert_nats(exception, &bad_data, 0.6);
    assert_nats(exception, &distributed, 0);
}

static void a_later_failure_says_little(void **state)
{
    (void)state;
    say(EXCEPTION, 1, 10, NAN);
    const struct message *watchdog_line = say(WATCHDOG, 1, 20, NAN);
    assert_nats(watchdog_line, &distributed, 3.5 * 0.3);
}

static void a_first_failure_says_all(void **state)
{
    (void)state;
    const struct message *watchdog_line = say(WATCHDOG, 1, 10, NAN);
    say(EXCEPTION, 1, 20, NAN);
    assert_nats(watchdog_line, &distributed, 3.5);
}

static void a_consequence_is_no_root(void **state)
{
    (void)state;
    say(LAUNCHER, 1, 5, NAN);
    const struct message *watchdog_line = say(WATCHDOG, 1, 10, NAN);
    assert_nats(watchdog_line, &distributed, 3.5);
}

static void a_hint_is_no_failure(void **state)
{
    (void)state;
    say(EXCEPTION, 1, 10, NAN);
    const struct message *hint = say(HINT, 1, 20, NAN);
    assert_nats(hint, &distributed, 1.2);
}

static void inputs_compare_by_time_alone(void **state)
{
    (void)state;
    say(EXCEPTION, 2, 10, 100);
    const struct message *watchdog_line = say(WATCHDOG, 1, 5, 700);
    assert_nats(watchdog_line, &distributed, 3.5 * 0.3);
    messages[0].time = NAN; /* nobody knows which was first */
    assert_nats(watchdog_line, &distributed, 3.5);
}

static void an_earlier_attempt_is_not_the_root(void **state)
{
    (void)state;
    segments[1].place = (struct place){1, 15, 0};
    run.segment_count = 2;
    say(EXCEPTION, 1, 10, NAN);
    const struct message *watchdog_line = say(WATCHDOG, 1, 20, NAN);
    assert_nats(watchdog_line, &distributed, 3.5);
}

static void a_remark_says_little_where_something_is_wrong(void **state)
{
    static const struct symptom hangs = {.id = "hang"}, nan = {.id = "nan-loss"};
    static struct finding both[2];
    (void)state;
    const struct message *watchdog_line = say(WATCHDOG, 1, 10, NAN);
    both[0] = (struct finding){.symptom = &nan, .form = "row", .severity = SEVERITY_ERROR};
    both[1] = (struct finding){.symptom = &hangs, .form = "watchdog", .severity = SEVERITY_INFO};
    both[1].candidate.message = watchdog_line;
    judgement = (struct judgement){.findings = both, .finding_count = 2};
    assert_nats(watchdog_line, &distributed, 3.5 * 0.3);
    both[0].severity = SEVERITY_INFO;
    assert_nats(watchdog_line, &distributed, 3.5);
}

#define CASE(name) cmocka_unit_test_setup(name, open_run)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_first_cause_named_weighs_most),
        CASE(a_later_failure_says_little),
        CASE(a_first_failure_says_all),
        CASE(a_consequence_is_no_root),
        CASE(a_hint_is_no_failure),
        CASE(inputs_compare_by_time_alone),
        CASE(an_earlier_attempt_is_not_the_root),
        CASE(a_remark_says_little_where_something_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
