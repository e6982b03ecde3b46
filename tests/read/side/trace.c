/* Traces: steps, waits and kernels, in whatever order they stand. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_trace;

static const char *const sample =
    "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"A100\"}],\n"
    "\"traceEvents\": [\n"
    "{\"ph\": \"M\", \"name\": \"process_name\", \"ts\": 1, \"args\": {\"name\": \"python\"}},\n"
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"ts\": 1700000, \"dur\": 250000,\n"
    " \"args\": {\"name\": \"ProfilerStep#9\", \"ts\": 3, \"grid\": [1, 2]}},\n"
    "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#4\", \"ts\": "
    "2000000.5,\n"
    " \"dur\": 1000000},\n"
    "{\"ph\": \"X\", \"cat\": \"gpu_user_annotation\", \"name\": \"ProfilerStep#4\", \"ts\": "
    "2100000,\n"
    " \"dur\": 9},\n"
    "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\":\n"
    " \"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__\", \"ts\": \"2000010\",\n"
    " \"dur\": \"750000\"},\n"
    "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#3\", \"ts\": 1000000,\n"
    " \"dur\": 1000000, \"pid\": 7, \"tid\": 7},\n"
    "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": "
    "\"enumerate(DataLoader)#X.__next__\",\n"
    " \"ts\": 1000010, \"dur\": 500000}\n"
    "], \"traceName\": \"x\", \"other\": [{\"ph\": \"X\", \"name\": \"ProfilerStep#8\", \"ts\": "
    "5,\n"
    "\"dur\": 5}]}\n";

static void steps_come_in_order_with_waits_and_use(void **state)
{
    (void)state;
    recorder_expect(&format_trace, "a.pt.trace.json", sample,
                    "13: step 3 grain 1: data_time=0.5 step_time=1 gpu_util=25\n"
                    "6: step 4 grain 1: data_time=0.75 step_time=1 gpu_util=0\n");
}

static void a_bare_list_without_steps_goes_from_wait_to_wait(void **state)
{
    (void)state;
    recorder_expect(&format_trace, "trace.json",
                    "[{\"name\": \"enumerate(DataLoader)#A.__next__\", \"ph\": \"X\", \"ts\": 0, "
                    "\"dur\": 300000, \"tid\": 1},\n"
                    " {\"name\": \"enumerate(DataLoader)#A.__next__\", \"ph\": \"X\", \"ts\": "
                    "1000000, \"dur\": 250000},\n"
                    " {\"name\": \"enumerate(DataLoader)#A.__next__\", \"ph\": \"X\", \"ts\": "
                    "3000000, \"dur\": 250000}]\n",
                    "1: step 0 grain 1: data_time=0.3 step_time=1\n"
                    "2: step 1 grain 1: data_time=0.25 step_time=2\n");
}

static void knows_its_own(void **state)
{
    (void)state;
    assert_int_equal(recorder_probe(&format_trace, "a.json", sample), 96);
    assert_int_equal(recorder_probe(&format_trace, "a.json", "[{\"ph\": \"X\", \"ts\": 1}]"), 94);
    assert_int_equal(recorder_probe(&format_trace, "a.json", "{\"loss\": 1}"), 0);
    assert_int_equal(recorder_probe(&format_trace, "a.json", "[{\"loss\": 1}]"), 0);
    assert_int_equal(recorder_probe(&format_trace, "a.log", "\"traceEvents\" \"ph\" \"ts\""), 0);
}

static void bears_being_cut(void **state)
{
    (void)state;
    recorder_cut(&format_trace, "a.pt.trace.json", sample, false);
}

static void bears_little_memory(void **state)
{
    (void)state;
    recorder_starve(&format_trace, "a.pt.trace.json", sample);
}

static void is_told_by_its_head(void **state)
{
    (void)state;
    assert_int_equal(recorder_probe(&format_trace, "a", sample), 96);
    assert_int_equal(recorder_probe(&format_trace, "a", /* its events are not in sight yet */
                                    "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0"),
                     96);
    assert_int_equal(recorder_probe(&format_trace, "a", "{\"schemaVersion\": 1, \"loss\": 2}"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_told_by_its_head),
        cmocka_unit_test(steps_come_in_order_with_waits_and_use),
        cmocka_unit_test(a_bare_list_without_steps_goes_from_wait_to_wait),
        cmocka_unit_test(knows_its_own),
        cmocka_unit_test(bears_being_cut),
        cmocka_unit_test(bears_little_memory),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
