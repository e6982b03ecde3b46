/* Target: compressed inputs, read as a stream with and without a head. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "stalldoc/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = exact_copy(data, size);
    for (int head_first = 0; head_first < 2; head_first++) {
        struct input *input = NULL;
        struct error error = {0};
        struct span head;
        uint8_t part[4096];
        size_t got = 1;
        if (!input_memory((struct span){copy, size}, "input", 1, &input, &error))
            break;
        bool sound = !head_first || input_head(input, &head, &error);
        /* 16 MiB: a bomb is no fault of the unpacker. */
        while (sound && got && input_count(input) < 16 << 20)
            sound = input_read(input, part, sizeof(part), &got, &error);
        if (!sound && error.kind == ERROR_NONE)
            abort();
        input_close(input);
    }
    free(copy);
    return 0;
}
