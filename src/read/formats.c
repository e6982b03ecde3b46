/* The table of formats: a row each in meson.build; what their readers share. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/format.h"

#define FORMAT(name) extern const struct format format_##name;
#include "read/formats.def"
#undef FORMAT

const struct format *const formats[] = {
#define FORMAT(name) &format_##name,
#include "read/formats.def"
#undef FORMAT
    NULL,
};

bool reading_seekable(const struct reading *reading, struct error *error)
{
    return input_seekable(reading->input) ||
           error_set(error, ERROR_UNSUPPORTED, input_place(reading->input, 0),
                     "a checkpoint is read from a file, not from a stream");
}

const struct format *format_named(struct text name)
{
    for (size_t i = 0; formats[i]; i++)
        if (text_is(name, formats[i]->name))
            return formats[i];
    return NULL;
}

const struct format *format_of(struct span head, struct text file_name)
{
    const struct format *best = NULL;
    int most = 0;
    for (size_t i = 0; formats[i]; i++) {
        int score = formats[i]->probe(head, file_name);
        if (score > most) {
            most = score;
            best = formats[i];
        }
    }
    return best;
}
