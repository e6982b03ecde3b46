/* Errors as values. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *error, enum error_kind kind, struct place place, const char *format,
               ...)
{
    if (!error)
        return false;
    error->kind = kind;
    error->place = place;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    return false;
}
