/* Target: numbers in text. What is read prints and reads back as the same double. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/number.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = exact_copy(data, size);
    const struct text text = {(const char *)copy, size};
    for (int comma = COMMA_GROUPS; comma <= COMMA_DECIMAL; comma++) {
        struct number number, again;
        char printed[32];
        if (!number_take(text, (enum comma)comma, &number))
            continue;
        if (number.size == 0 || number.size > size)
            abort();
        size_t length = number_print(number.value, printed);
        if (!number_parse((struct text){printed, length}, &again) ||
            (again.value != number.value && number.value == number.value))
            abort();
        number_print_short(number.value, printed);
    }
    free(copy);
    return 0;
}
