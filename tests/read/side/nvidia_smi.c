/* nvidia-smi: one row a moment, of the devices that are used. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_nvidia_smi;

static const char *const queried =
    "timestamp, index, name, utilization.gpu [%], memory.used [MiB]\n"
    "2024/05/01 12:00:00.123, 0, NVIDIA A100, 98 %, 40123 MiB\n"
    "2024/05/01 12:00:00.125, 1, NVIDIA A100, 12 %, 41000 MiB\n"
    "2024/05/01 12:00:00.126, 2, NVIDIA A100, 0 %, 3 MiB\n"
    "2024/05/01 12:00:01.123, 0, NVIDIA A100, 3 %, 40123 MiB\n"
    "2024/05/01 12:00:01.125, 1, NVIDIA A100, [N/A], 41000 MiB\n";

static void the_busiest_device_of_a_moment_speaks(void **state)
{
    (void)state;
    recorder_expect(&format_nvidia_smi, "gpu.csv", queried,
                    "2: grain 0: gpu_util=98 gpu_memory_mib=41000 t=1714564800\n"
                    "5: grain 0: gpu_util=3 gpu_memory_mib=41000 t=1714564801\n");
}

static void reads_dmon_with_its_headers(void **state)
{
    (void)state;
    recorder_expect(&format_nvidia_smi, "dmon.txt",
                    "# gpu   pwr gtemp    sm   mem\n"
                    "# Idx     W     C     %     %\n"
                    "    0    98    45    93    12\n"
                    "    1    40    30     0     0\n"
                    "# gpu   pwr gtemp    sm   mem\n"
                    "# Idx     W     C     %     %\n"
                    "    0    98    45     -    12\n"
                    "    1    40    30     7     0\n",
                    "3: grain 0: gpu_util=93\n"
                    "7: grain 0: gpu_util=7\n");
}

static void units_may_be_missing_and_devices_unnumbered(void **state)
{
    (void)state;
    recorder_expect(&format_nvidia_smi, "gpu.csv",
                    "utilization.gpu, memory.used\n55, 2000\n0, 0\n65, 2000\n",
                    "2: grain 0: gpu_util=55 gpu_memory_mib=2000\n"
                    "4: grain 0: gpu_util=65 gpu_memory_mib=2000\n");
}

static void tells_columns_by_units_where_no_header_stands(void **state)
{
    (void)state;
    static const char *const bare =
        "2024/05/01 12:00:00.123, 0, NVIDIA A100, 98 %, 70 %, 40123 MiB\n"
        "2024/05/01 12:00:00.125, 1, NVIDIA A100, 12 %, 1 %, 41000 MiB\n"
        "2024/05/01 12:00:01.123, 0, NVIDIA A100, 3 %, 0 %, 40123 MiB\n"
        "2024/05/01 12:00:01.125, 1, NVIDIA A100, [N/A], 0 %, 9 MiB\n";
    assert_int_equal(recorder_probe(&format_nvidia_smi, "x.csv", bare), 90);
    recorder_expect(&format_nvidia_smi, "gpu.csv", bare,
                    "1: grain 0: gpu_util=98 gpu_memory_mib=41000 t=1714564800\n"
                    "3: grain 0: gpu_util=3 gpu_memory_mib=40123 t=1714564801\n");
    /* Of total, used and free memory none is told. */
    recorder_expect(&format_nvidia_smi, "gpu.csv", "98 %, 81920 MiB, 40123 MiB\n",
                    "1: grain 0: gpu_util=98\n");
    static const char *const others[] = {"step 3, loss 4 %, 12 MiB\n", "98 %, 0.5\n",
                                         "40123 MiB, 3\n", "2024-05-01 12:00:00, 98 %\n", NULL};
    for (size_t i = 0; others[i]; i++)
        assert_int_equal(recorder_probe(&format_nvidia_smi, "x.csv", others[i]), 0);
}

static void is_told_by_its_columns(void **state)
{
    (void)state;
    assert_int_equal(recorder_probe(&format_nvidia_smi, "x.csv", queried), 90);
    static const char *const others[] = {"timestamp, loss\n1, 2\n",  "step,sm,mem\n1,2,3\n",
                                         "# a comment on gpu use\n", "gpu sm mem\n0 1 2\n",
                                         "utilization.gpu [%]",      NULL};
    for (size_t i = 0; others[i]; i++)
        assert_int_equal(recorder_probe(&format_nvidia_smi, "x.csv", others[i]), 0);
}

/* Two readings of a device between the lines of a run, or one word among them. */
static void leaves_the_log_it_stands_in(void **state)
{
    (void)state;
    static const char *const log = "+ nvidia-smi --query-gpu=utilization.gpu,memory.used -l 9\n"
                                   "start\n98 %, 40123 MiB\nstep 1 loss 2.5\nstep 2 loss 2.4\n"
                                   "97 %, 40123 MiB\nstep 3 loss 2.3\nstep 4 loss 2.2\n";
    assert_int_equal(recorder_probe(&format_nvidia_smi, "x.log", log), 0);
    static const char *const own = "utilization.gpu [%], memory.used [MiB]\nUnable to query\n"
                                   "98 %, 40123 MiB\n97 %, 40123 MiB\n";
    assert_int_equal(recorder_probe(&format_nvidia_smi, "x.log", own), 90);
}

static void stays_sound_however_short_it_is_cut(void **state)
{
    (void)state;
    recorder_cut(&format_nvidia_smi, "gpu.csv", queried, false);
    recorder_starve(&format_nvidia_smi, "gpu.csv", queried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_busiest_device_of_a_moment_speaks),
        cmocka_unit_test(reads_dmon_with_its_headers),
        cmocka_unit_test(units_may_be_missing_and_devices_unnumbered),
        cmocka_unit_test(tells_columns_by_units_where_no_header_stands),
        cmocka_unit_test(is_told_by_its_columns),
        cmocka_unit_test(leaves_the_log_it_stands_in),
        cmocka_unit_test(stays_sound_however_short_it_is_cut),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
