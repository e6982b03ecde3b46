/* Where the report goes, how wide and in which characters; and the lines on standard error. */
/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include "stalldoc/number.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOWHERE ((struct place){0})

enum { WIDTH_USUAL = 80, WIDTH_LEAST = 60, WIDTH_MOST = 120, PATH_ROOM = 4096 };

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

static bool is_on(const char *variable)
{
    return is_set(variable) && strcmp(getenv(variable), "0") != 0;
}

static bool wants_colour(enum when when, bool terminal)
{
    if (when != WHEN_AUTO)
        return when == WHEN_ALWAYS;
    if (is_set("NO_COLOR"))
        return false;
    if (is_on("CLICOLOR_FORCE") || is_on("FORCE_COLOR"))
        return true;
    const char *term = getenv("TERM");
    return terminal && term && strcmp(term, "dumb") != 0;
}

/* Blocks may be two columns wide in Chinese, Japanese and Korean locales: ASCII there. */
static bool wants_unicode(enum when when)
{
    if (when != WHEN_AUTO)
        return when == WHEN_ALWAYS;
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < 3; i++) {
        if (!is_set(variables[i]))
            continue;
        struct text value = text_of(getenv(variables[i]));
        if (text_starts(value, "zh") || text_starts(value, "ja") || text_starts(value, "ko"))
            return false;
        return text_glob(TEXT("*utf-8*"), value, true) || text_glob(TEXT("*utf8*"), value, true);
    }
    return false;
}

static size_t wanted_width(size_t width, bool terminal)
{
    if (width)
        return width;
    if (!terminal)
        return WIDTH_USUAL; /* so that nothing depends on the machine */
    struct winsize size = {0};
    struct number number;
    size_t columns = WIDTH_USUAL;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
        columns = size.ws_col;
    else if (is_set("COLUMNS") && number_parse(text_of(getenv("COLUMNS")), &number) &&
             number.value >= WIDTH_LEAST && number.value <= WIDTH_MOST)
        columns = (size_t)number.value;
    return columns < WIDTH_LEAST ? WIDTH_LEAST : columns > WIDTH_MOST ? WIDTH_MOST : columns;
}

static bool part_name(const char *path, char *part)
{
    int size = snprintf(part, PATH_ROOM, "%s.part", path);
    return size > 0 && size < PATH_ROOM;
}

/* Devices and pipes are written straight; files under another name first. */
static bool is_direct(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

bool output_file_open(const char *path, struct out *out, struct error *error)
{
    char part[PATH_ROOM];
    if (!part_name(path, part))
        return error_set(error, ERROR_IO, NOWHERE, "%.100s...: the name is too long", path);
    out->file = fopen(is_direct(path) ? path : part, "w");
    if (!out->file)
        return error_set(error, ERROR_IO, NOWHERE, "%.150s: cannot be written: %s", path,
                         strerror(errno));
    return true;
}

bool output_file_close(const char *path, struct out *out, bool keep, struct error *error)
{
    char part[PATH_ROOM];
    if (!part_name(path, part))
        return false;
    bool direct = is_direct(path);
    bool good = !out->failed && !ferror(out->file);
    if (fclose(out->file) != 0) {
        good = false;
        out->reason = out->reason ? out->reason : errno;
    }
    int reason = out->reason;
    if (good && keep && !direct && rename(part, path) != 0) {
        reason = errno;
        good = false;
    }
    if (!direct && !(good && keep))
        unlink(part);
    return good || error_set(error, ERROR_IO, NOWHERE, "%.150s: cannot be written: %s", path,
                             strerror(reason));
}

bool output_open(const struct options *options, struct out *out, struct error *error)
{
    bool terminal = !options->output && isatty(STDOUT_FILENO);
    *out = (struct out){
        .file = stdout,
        .colour = wants_colour(options->colour, terminal),
        .unicode = wants_unicode(options->unicode),
        .width = (int)wanted_width(options->width, terminal),
    };
    return !options->output || output_file_open(options->output, out, error);
}

bool output_close(const struct options *options, struct out *out, struct error *error)
{
    if (options->output)
        return output_file_close(options->output, out, true, error);
    errno = 0;
    bool good = fflush(out->file) == 0 && !ferror(out->file) && !out->failed;
    int reason = out->reason ? out->reason : errno;
    if (!good && reason == EPIPE)
        return true; /* who reads has seen enough */
    if (!good)
        return error_set(error, ERROR_IO, NOWHERE, "standard output cannot be written: %s",
                         reason ? strerror(reason) : "the system does not say why");
    return true;
}

void complain(const char *format, ...)
{
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    struct out out = {.file = stderr};
    out_literal(&out, "stalldoc: ");
    out_text(&out, text_of(line));
    out_literal(&out, "\n");
}
