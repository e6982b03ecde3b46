/* What nvidia-smi prints again and again beside a run: `--query-gpu=... --format=csv -l N` with a
   header of names and units, or `dmon` with its lines of `#`. The manual of the tool promises no
   order and no set of columns: they are taken by name.

   timestamp, index, utilization.gpu [%], memory.used [MiB]
   2024/05/01 12:00:00.123, 0, 98 %, 40123 MiB

   With noheader the units behind the numbers tell what a column is.

   # gpu   pwr gtemp    sm   mem
   # Idx     W     C     %     %
       0    98    45    93    12 */
/* SPDX-License-Identifier: MIT */
#include "read/document/lines.h"
#include "read/document/rows.h"
#include "read/side/said.h"

#include <math.h>
#include <string.h>

enum { COLUMNS_MOST = 64, IDLE_MIB = 512 };

enum column_kind { OTHER, STAMP, DATE, CLOCK, INDEX, BUSY, MEMORY };

struct layout {
    enum column_kind kinds[COLUMNS_MOST];
    size_t count;
    bool commas; /* else blanks, as dmon has it */
};

struct monitor {
    struct layout layout;
    struct lines lines;
    struct writer *writer;
    /* The devices of one moment, until the first of them comes again. */
    bool open;
    struct place place;
    double last_index, busy, memory;
    char stamp[64];
    size_t stamp_size;
};

/* The next cell of a line; false behind the last. */
static bool cell_next(struct text *rest, bool commas, struct text *cell)
{
    *rest = commas ? *rest : text_trim(*rest);
    if (rest->size == 0)
        return false;
    size_t end = 0;
    while (end < rest->size &&
           (commas ? rest->data[end] != ',' : rest->data[end] != ' ' && rest->data[end] != '\t'))
        end++;
    *cell = text_trim(text_cut(*rest, 0, end));
    *rest = text_cut(*rest, end < rest->size ? end + 1 : end, rest->size);
    return true;
}

static enum column_kind kind_of(struct text name, bool commas)
{
    static const struct {
        const char *name;
        enum column_kind kind;
        bool commas;
    } table[] = {
        {"timestamp", STAMP, true},    {"index", INDEX, true}, {"utilization.gpu", BUSY, true},
        {"memory.used", MEMORY, true}, {"Date", DATE, false},  {"Time", CLOCK, false},
        {"gpu", INDEX, false},         {"sm", BUSY, false},    {"fb", MEMORY, false},
    };
    const size_t unit = text_find(name, TEXT(" ["));
    name = text_cut(name, 0, unit);
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (table[i].commas == commas && text_is(name, table[i].name))
            return table[i].kind;
    return OTHER;
}

/* Does the line name columns of nvidia-smi, the use of the device among them? */
static bool layout_take(struct text line, struct layout *layout)
{
    struct text cell;
    bool busy = false, sure = false;
    *layout = (struct layout){.commas = !text_starts(line, "#")};
    if (!layout->commas)
        line = text_cut(line, 1, line.size);
    while (layout->count < COLUMNS_MOST && cell_next(&line, layout->commas, &cell)) {
        const enum column_kind kind = kind_of(cell, layout->commas);
        layout->kinds[layout->count++] = kind;
        busy = busy || kind == BUSY || (kind == MEMORY && layout->commas);
        sure = sure || (layout->commas ? kind == BUSY || kind == MEMORY : kind == INDEX);
    }
    return busy && sure && layout->count >= 2;
}

/* "98 %" is a number with a unit. */
static bool cell_has(struct text cell, const char *unit)
{
    struct number number;
    const size_t size = strlen(unit);
    return cell.size > size && text_ends(cell, unit) &&
           number_parse(text_trim(text_cut(cell, 0, cell.size - size)), &number) && number.finite;
}

/* 2024/05/01 12:00:00.123 */
static bool cell_dates(struct text cell)
{
    static const char form[] = "####/##/## ##:##:##";
    for (size_t i = 0; i < sizeof(form) - 1; i++) {
        const char c = i < cell.size ? cell.data[i] : 0;
        if (form[i] == '#' ? c < '0' || c > '9' : c != form[i])
            return false;
    }
    return true;
}

/* Columns by what stands in their cells. The first share is that of the device; which of several
   amounts of memory is in use cannot be told. */
static bool layout_guess(struct text line, struct layout *layout)
{
    struct text cell;
    struct number number;
    size_t shares = 0, amounts = 0, stamps = 0, memory = 0;
    *layout = (struct layout){.commas = true};
    while (layout->count < COLUMNS_MOST && cell_next(&line, true, &cell)) {
        enum column_kind *kind = &layout->kinds[layout->count++];
        const bool bare = number_parse(cell, &number) && number.integer && number.value < 64;
        *kind = OTHER;
        if (cell_dates(cell) && stamps++ == 0)
            *kind = STAMP;
        else if (cell_has(cell, " %") && shares++ == 0)
            *kind = BUSY;
        else if (cell_has(cell, " MiB") && amounts++ == 0)
            *kind = MEMORY, memory = layout->count - 1;
        else if (bare && layout->count <= 2)
            *kind = INDEX;
    }
    if (amounts > 1)
        layout->kinds[memory] = OTHER;
    return shares > 0 && (amounts > 0 || stamps > 0);
}

static void monitor_clear(struct monitor *monitor)
{
    monitor->open = false;
    monitor->last_index = -1;
    monitor->busy = monitor->memory = (double)NAN;
    monitor->stamp_size = 0;
}

/* One row a moment: the busiest device, and the fullest. */
static bool moment_close(struct monitor *monitor, struct error *error)
{
    struct number busy = {.value = monitor->busy, .integer = true, .finite = true};
    struct number memory = {.value = monitor->memory, .integer = true, .finite = true};
    const bool open = monitor->open;
    bool sound = true;
    if (open && (!isnan(busy.value) || !isnan(memory.value))) {
        row_begin(monitor->writer, monitor->place);
        if (monitor->stamp_size > 0)
            row_add(monitor->writer, TEXT("timestamp"),
                    (struct text){monitor->stamp, monitor->stamp_size}, true);
        if (!isnan(busy.value))
            row_add_number(monitor->writer, TEXT("gpu_util"), TEXT(""), &busy);
        if (!isnan(memory.value))
            row_add_number(monitor->writer, TEXT("gpu_memory_mib"), TEXT(""), &memory);
        sound = row_end(monitor->writer, error);
    }
    monitor_clear(monitor);
    return sound;
}

struct device { /* a line */
    double index, busy, memory;
    struct text stamp, clock;
};

/* False: no line of values. */
static bool device_take(const struct layout *layout, struct text line, struct device *device)
{
    struct text cell;
    size_t column = 0, numbers = 0;
    *device = (struct device){.index = -1, .busy = (double)NAN, .memory = (double)NAN};
    for (; column < layout->count && cell_next(&line, layout->commas, &cell); column++) {
        struct number number;
        const enum column_kind kind = layout->kinds[column];
        if (kind == STAMP || kind == DATE)
            device->stamp = cell;
        if (kind == CLOCK)
            device->clock = cell;
        if (kind < INDEX || !number_take(cell, COMMA_GROUPS, &number) || !number.finite)
            continue;
        numbers++;
        if (kind == INDEX)
            device->index = number.value;
        else if (kind == BUSY)
            device->busy = number.value;
        else
            device->memory = number.value;
    }
    return numbers > 0 && column == layout->count;
}

/* Among the lines at its start those of devices are the most: of a run that they stand between the
   log tells more. */
static bool mostly_devices(struct text rest, const struct layout *layout)
{
    enum { LOOKED_AT = 64 };
    struct text line;
    size_t rows = 0, others = 0;
    for (size_t i = 0; i < LOOKED_AT && lines_cut(&rest, &line); i++) {
        struct device device;
        struct layout again;
        line = text_trim(line);
        if (line.size == 0 || line.data[0] == '#' || memchr(line.data, '[', line.size) ||
            layout_take(line, &again)) /* words in place of a number, and headers */
            continue;
        if (device_take(layout, line, &device))
            rows++;
        else
            others++;
    }
    return others <= rows;
}

static int probe(struct span head, struct text file_name)
{
    struct text rest = {(const char *)head.data, head.size}, line;
    struct layout layout;
    (void)file_name;
    if (!lines_cut(&rest, &line) || line.size > 4096)
        return 0;
    line = text_trim(line);
    if (!layout_take(line, &layout) && !layout_guess(line, &layout))
        return 0;
    return mostly_devices(rest, &layout) ? 90 : 0;
}

/* A device that nothing runs on says nothing of the run. */
static bool device_used(const struct device *device)
{
    return device->busy > 0 || isnan(device->memory) || device->memory >= IDLE_MIB;
}

static void stamp_take(struct monitor *monitor, const struct device *device)
{
    const struct text parts[] = {device->stamp, device->clock};
    monitor->stamp_size = 0;
    for (size_t i = 0; i < 2; i++) {
        if (parts[i].size == 0 || monitor->stamp_size + parts[i].size + 1 > sizeof(monitor->stamp))
            continue;
        if (monitor->stamp_size > 0)
            monitor->stamp[monitor->stamp_size++] = ' ';
        memcpy(monitor->stamp + monitor->stamp_size, parts[i].data, parts[i].size);
        monitor->stamp_size += parts[i].size;
    }
}

static bool line_take(struct monitor *monitor, struct text line, struct place place,
                      struct error *error)
{
    struct layout layout;
    struct device device;
    line = text_trim(line);
    if (line.size == 0)
        return true;
    if (layout_take(line, &layout)) { /* dmon repeats its header */
        monitor->layout = layout;
        return true;
    }
    if (monitor->layout.count == 0 && !layout_guess(line, &monitor->layout))
        return true;
    if (text_starts(line, "#") || !device_take(&monitor->layout, line, &device))
        return true;
    if ((!monitor->open || device.index < 0 || device.index <= monitor->last_index) &&
        !moment_close(monitor, error))
        return false;
    if (!monitor->open) {
        monitor->place = place;
        stamp_take(monitor, &device);
    }
    monitor->open = true;
    monitor->last_index = device.index;
    if (!device_used(&device))
        return true;
    monitor->busy = fmax(monitor->busy, device.busy); /* fmax passes over NaN */
    monitor->memory = fmax(monitor->memory, device.memory);
    return true;
}

/* "[GPU is lost]" stands in a cell where a number should. */
static bool words_tell(const struct reading *reading, struct text line, struct place place,
                       struct error *error)
{
    return !memchr(line.data, '[', line.size) || said_tell(reading, line, place, error);
}

static bool read(const struct reading *reading, struct error *error)
{
    struct monitor *monitor = arena_take(reading->scratch, 1, sizeof(*monitor));
    if (!monitor)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0), "out of memory");
    monitor->writer = writer_open(reading, error);
    if (!monitor->writer || !lines_open(&monitor->lines, reading->input, reading->scratch, error))
        return false;
    monitor->writer->always = true;
    monitor_clear(monitor);
    struct text line;
    struct place place;
    bool sound = true;
    while (sound && (sound = lines_next(&monitor->lines, &line, &place, error)) && line.data)
        sound = line_take(monitor, line, place, error) && words_tell(reading, line, place, error);
    struct error *late = sound ? error : NULL; /* the first failure is the one to tell */
    const bool closed = moment_close(monitor, late);
    return writer_close(monitor->writer, monitor->lines.number, late) && closed && sound;
}

const struct format format_nvidia_smi = {
    .name = "nvidia-smi",
    .about = "use of devices as nvidia-smi prints it again and again (csv, dmon)",
    .group = FORMAT_SIDE,
    .probe = probe,
    .read = read,
};
