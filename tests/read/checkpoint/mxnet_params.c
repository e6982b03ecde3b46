/* MXNet's parameter files: named, not read. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/sample.h"

extern const struct format format_mxnet_params;

static void is_named_by_its_content(void **unused)
{
    (void)unused;
    struct span bytes = sample_bytes("mxnet_params/net.params");
    assert_int_equal(format_mxnet_params.probe(bytes, TEXT("a")), 95);
    for (size_t size = 0; size < 8; size++)
        assert_int_equal(format_mxnet_params.probe((struct span){bytes.data, size}, TEXT("a")), 0);
    assert_null(format_mxnet_params.read);
    assert_int_equal(format_mxnet_params.group, FORMAT_NAMED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_named_by_its_content)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
