/* Descriptions of arrays in JSON. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/description.h"

#include "stalldoc/number.h"

enum { DESCRIPTION_MAX = 16 << 20 };

bool description_read(const struct reading *reading, struct json *json, struct error *error)
{
    struct input *input = reading->input;
    const struct place place = input_place(input, 0);
    const uint64_t size = input_size(input);
    struct error here = {0};
    if (!input_seekable(input) || size > DESCRIPTION_MAX)
        return error_set(error, ERROR_UNSUPPORTED, place,
                         "a description of more than 16 MiB, or in a stream");
    char *text = arena_take(reading->scratch, (size_t)size + 1, 1);
    if (!text)
        return error_set(error, ERROR_MEMORY, place, "no memory for the description");
    if (!input_pread(input, 0, (size_t)size, text, error))
        return false;
    return json_parse(reading->scratch, (struct text){text, (size_t)size}, input_path(input), json,
                      &here) ||
           error_set(error, here.kind == ERROR_MEMORY ? ERROR_MEMORY : ERROR_MALFORMED, place,
                     "the description of the arrays is no JSON");
}

bool lengths_take(const cJSON *list, int64_t least, int64_t *lengths, uint8_t *rank)
{
    const cJSON *item;
    *rank = 0;
    if (!cJSON_IsArray(list))
        return false;
    cJSON_ArrayForEach(item, list)
    {
        if (*rank == TENSOR_RANK_MAX || !cJSON_IsNumber(item) ||
            !(item->valuedouble >= (double)least) || item->valuedouble > NUMBER_WHOLE_MOST)
            return false;
        lengths[(*rank)++] = (int64_t)item->valuedouble;
    }
    return true;
}
