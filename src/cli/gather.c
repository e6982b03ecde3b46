/* The walk over the operands. */
/* SPDX-License-Identifier: MIT */
#include "cli/gather.h"

#include "cli/parts.h"
#include "cli/recognise.h"
#include "stalldoc/input.h"
#include "stalldoc/number.h"
#include "stalldoc/pool.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NOWHERE ((struct place){0})

enum { COMPLAINTS_MAX = 8 }; /* of files found in folders; the rest is counted */

static bool add_maps(struct gathering *gathering, struct error *error)
{
    const struct words *maps = &gathering->options->maps;
    gathering->vocabulary = gathering->rules->vocabulary;
    if (maps->count == 0)
        return true;
    struct vocabulary *own = vocabulary_copy(&gathering->arena, gathering->vocabulary);
    if (!own)
        return error_set(error, ERROR_MEMORY, NOWHERE, "no memory for the names");
    gathering->vocabulary = own;
    for (size_t i = maps->count; i > 0; i--) { /* each goes in front: the first given wins */
        const char *map = maps->items[i - 1];
        const char *equals = strchr(map, '=');
        enum kind kind;
        if (!kind_of_name((struct text){map, (size_t)(equals - map)}, &kind) ||
            !vocabulary_map(own, &gathering->arena, kind, text_of(equals + 1), error))
            return false;
    }
    return true;
}

static struct fact option_fact(const struct gathering *gathering, const char *word)
{
    const char *equals = strchr(word, '=');
    struct text key = {word, (size_t)(equals - word)}, value = text_of(equals + 1);
    struct fact_naming naming = vocabulary_fact(gathering->vocabulary, key, value);
    if (text_equal(naming.key, key) && !naming.refused && naming.value.size)
        value = naming.value;
    struct fact fact = {.key = key,
                        .state = naming.none || text_is(value, "none") ? FACT_NONE : FACT_KNOWN,
                        .value = value,
                        .number = NAN,
                        .source = FACT_OPTION,
                        .step = STEP_NONE,
                        .in_force = true};
    struct number number;
    if (fact.state == FACT_KNOWN && number_parse(value, &number))
        fact.number = number.value;
    return fact;
}

static bool open_collector(struct gathering *gathering, bool keep_templates, bool stats,
                           struct error *error)
{
    const struct options *options = gathering->options;
    struct fact *facts = arena_take(&gathering->arena, options->facts.count + 1, sizeof(*facts));
    if (!facts)
        return error_set(error, ERROR_MEMORY, NOWHERE, "no memory for the facts");
    for (size_t i = 0; i < options->facts.count; i++)
        facts[i] = option_fact(gathering, options->facts.items[i]);
    struct collector_options collect = {
        .vocabulary = gathering->vocabulary,
        .messages = gathering->rules->messages,
        .facts = facts,
        .fact_count = options->facts.count,
        .from = options->from,
        .to = options->to,
        .mode = options->run_mode,
        .keep_templates = keep_templates,
        .unmeasured = !stats,
        .unjudged = keep_templates,
        .together = keep_templates,
        .threads = options->jobs ? (size_t)options->jobs : pool_processors(),
    };
    gathering->collector = collector_open(&gathering->kept, &collect, error);
    return gathering->collector != NULL;
}

bool gather_begin(struct gathering *gathering, const struct options *options, struct error *error)
{
    *gathering = (struct gathering){.options = options};
    gathering->kept.limit = options->max_memory;
    gathering->rules = rules_load(&gathering->arena, options->rules, error);
    if (!gathering->rules)
        return false;
    if (options->type)
        gathering->type = format_named(text_of(options->type));
    return add_maps(gathering, error);
}

void gather_end(struct gathering *gathering)
{
    arena_free(&gathering->kept);
    arena_free(&gathering->arena);
}

/* One line a file; `message` may already begin with the path. */
static void say(struct gathering *gathering, const char *path, const char *message)
{
    bool found = gathering->folder.size > 0;
    if (found && !gathering->options->verbose && gathering->complaints >= COMPLAINTS_MAX) {
        gathering->unsaid++;
        return;
    }
    gathering->complaints += found;
    if (text_starts(text_of(message), path))
        complain("%s", message);
    else
        complain("%s: %s", path, message);
}

void say_damage(struct text path, const struct error *damage)
{
    char where[32] = "";
    const bool led = text_equal(text_cut(text_of(damage->message), 0, path.size), path);
    if (damage->place.offset)
        snprintf(where, sizeof(where), " (byte %" PRIu64 ")", damage->place.offset);
    if (led)
        complain("%s%s", damage->message, where);
    else
        complain("%.*s: %s%s", (int)path.size, path.data, damage->message, where);
}

static bool note(struct gathering *gathering, const char *path, struct text type,
                 enum input_status status, const struct error *why, struct error *error)
{
    bool named = gathering->folder.size == 0;
    if (named && status != STATUS_SKIPPED)
        gathering->bad_named++;
    else if (status != STATUS_SKIPPED)
        gathering->bad_found++;
    /* What does not belong to a run is the rule in a folder, and worth a word only if asked. */
    bool quiet = !named && (status == STATUS_UNRECOGNISED || status == STATUS_SKIPPED ||
                            status == STATUS_UNSUPPORTED);
    if (!quiet || gathering->options->verbose)
        say(gathering, path, why->message);
    gathering->count++;
    return collector_note(gathering->collector, path, type, named, status, why, error);
}

static enum input_status status_of(enum error_kind kind)
{
    switch (kind) {
    case ERROR_NONE:
        return STATUS_OK;
    case ERROR_TRUNCATED:
        return STATUS_PARTIAL;
    case ERROR_IO:
        return STATUS_UNREADABLE;
    case ERROR_UNSUPPORTED:
        return STATUS_UNSUPPORTED;
    default:
        return STATUS_DAMAGED;
    }
}

static bool read_open_input(struct gathering *gathering, struct input *input, const char *path,
                            const struct recognised *recognised, bool stats, struct error *error)
{
    const struct format *format = recognised->format;
    struct sink *sink = NULL;
    struct arena scratch = {.limit = gathering->options->max_memory};
    uint32_t number = ++gathering->count;
    if (gathering->options->verbose)
        complain("reading %s as %s", path, format->name);
    if (!collector_begin(gathering->collector, path, gathering->folder, format, number, &sink,
                         error)) {
        arena_free(&scratch);
        return false;
    }
    if (input_seekable(input) && strcmp(input_path(input), "-") != 0 &&
        !collector_again(gathering->collector, input_path(input), error)) {
        arena_free(&scratch);
        return false;
    }
    if (gathering->role != ROLE_WEIGHTS)
        collector_offer(gathering->collector, gathering->role, gathering->role_name);
    struct reading reading = {
        .input = input,
        .scratch = &scratch,
        .sink = sink,
        .vocabulary = gathering->vocabulary,
        .messages = gathering->rules->messages,
        .max_line = (size_t)gathering->options->max_line,
        .stats = stats,
        .threads = gathering->options->jobs != 1,
    };
    struct error damage = recognised->why;
    if (!recognised->broken && !format->read(&reading, &damage) && damage.kind == ERROR_NONE)
        error_set(&damage, ERROR_MALFORMED, input_place(input, input_count(input)),
                  "cannot be read to its end");
    enum input_status status = status_of(damage.kind);
    /* A text that ends early is sound up to there; half a record or half a tensor is not. */
    if (status == STATUS_PARTIAL &&
        (format->group == FORMAT_EVENTS || format->group == FORMAT_CHECKPOINT))
        status = STATUS_DAMAGED;
    if (status != STATUS_OK) {
        if (!gathering->judged || gathering->options->verbose)
            say_damage(text_of(path), &damage);
        gathering->bad_found += gathering->folder.size > 0;
    }
    /* What is left of a text is the collector's; tensors are measured below, and what was unpacked
       of them has to live until then. */
    if (format->group == FORMAT_LOG || format->group == FORMAT_DOCUMENT)
        arena_free(&scratch);
    gathering->read++;
    uint64_t bytes = input_seekable(input) ? input_size(input) : input_count(input);
    bool good = collector_end(gathering->collector, status, bytes, &damage, error);
    arena_free(&scratch);
    if (good && gathering->role != ROLE_WEIGHTS &&
        !collector_offered(gathering->collector, &damage)) {
        say(gathering, path, damage.message);
        gathering->bad_named++;
    }
    return good;
}

/* What is offered as samples and is text that no array of a document is: a table. */
static void table_take(struct span head, struct recognised *recognised)
{
    const struct format *format = recognised->format;
    const struct text start = text_trim((struct text){(const char *)head.data, head.size});
    const bool text = format && (format->group == FORMAT_LOG || format->group == FORMAT_DOCUMENT);
    if ((text || !format) && start.size > 0 && !memchr(head.data, 0, head.size) &&
        start.data[0] != '{' && start.data[0] != '[')
        *recognised = (struct recognised){.format = format_named(TEXT("table"))};
}

static bool read_input(struct gathering *gathering, const char *path, const char *name, bool stats,
                       struct error *error)
{
    struct error why = {0};
    struct input *input = NULL;
    struct span head = {0};
    if (!input_open(path, gathering->count + 1, &input, &why))
        return note(gathering, name, TEXT(""), STATUS_UNREADABLE, &why, error);
    bool good;
    if (!input_head(input, &head, &why) && head.size == 0) {
        good = note(gathering, name, TEXT(""), status_of(why.kind), &why, error);
    } else {
        struct recognised recognised;
        const struct format *type = gathering->role == ROLE_WEIGHTS ? gathering->type : NULL;
        recognise(type, head, text_of(name), input_place(input, 0), &recognised);
        if (gathering->role != ROLE_WEIGHTS)
            table_take(head, &recognised);
        const struct format *format = recognised.format;
        if (!format || !format->read)
            good = note(gathering, name, text_of(format ? format->name : NULL),
                        format ? STATUS_UNSUPPORTED : STATUS_UNRECOGNISED, &recognised.why, error);
        else
            good = read_open_input(gathering, input, name, &recognised, stats, error);
    }
    input_close(input);
    return good;
}

struct walk {
    struct gathering *gathering;
    struct listing listing;
    struct arena arena;
};

static bool found(void *context, const char *path, enum path_kind kind, struct error *error)
{
    struct walk *walk = context;
    return listing_add(&walk->listing, &walk->arena, path, kind, error);
}

/* A part of a checkpoint is read with the file that stands for the whole. */
static bool skip_part(struct gathering *gathering, const struct listed *file, struct error *error)
{
    struct error why = {0};
    const char *slash = strrchr(file->whole, '/');
    error_set(&why, ERROR_UNSUPPORTED, NOWHERE, "a part of %.200s, or the same once more",
              slash ? slash + 1 : file->whole);
    if (gathering->options->verbose)
        say(gathering, file->path, why.message);
    gathering->count++;
    return collector_note(gathering->collector, file->path, TEXT(""), gathering->folder.size == 0,
                          STATUS_SKIPPED, &why, error);
}

static bool read_listed(struct gathering *gathering, const struct listed *file, bool stats,
                        struct error *error)
{
    if (file->whole)
        return skip_part(gathering, file, error);
    const bool source = is_source_text(text_of(file->path)) && !gathering->options->include.count;
    if (file->kind == PATH_FILE && !source)
        return read_input(gathering, file->path, file->path, stats, error);
    struct error why = {0};
    error_set(&why, ERROR_UNSUPPORTED, NOWHERE, "skipped: %s is read only where it is named itself",
              source ? "the text of a program or document" : "a pipe or device");
    return note(gathering, file->path, TEXT(""), STATUS_SKIPPED, &why, error);
}

static bool read_folder(struct gathering *gathering, const char *path, bool stats,
                        struct error *error)
{
    const struct options *options = gathering->options;
    struct folder_options folder = {
        .include = options->include.items,
        .include_count = options->include.count,
        .exclude = options->exclude.items,
        .exclude_count = options->exclude.count,
        .max_depth = (int)options->max_depth,
    };
    struct walk walk = {.gathering = gathering};
    uint32_t before = gathering->count;
    size_t read = gathering->read;
    gathering->folder = text_of(path);
    gathering->complaints = gathering->unsaid = 0;
    struct error why = {0};
    bool good = folder_walk(path, &folder, found, &walk, &why);
    listing_part(&walk.listing);
    bool fatal = false;
    for (size_t i = 0; i < walk.listing.count && !fatal; i++)
        fatal = !read_listed(gathering, &walk.listing.files[i], stats, error);
    arena_free(&walk.arena);
    if (gathering->unsaid)
        complain("%s: (%zu more)", path, gathering->unsaid);
    gathering->folder = TEXT("");
    if (fatal)
        return false;
    if (!good && why.kind == ERROR_MEMORY) {
        *error = why;
        return false;
    }
    if (!good)
        return note(gathering, path, TEXT(""), STATUS_UNREADABLE, &why, error);
    if (gathering->count == before) {
        error_set(&why, ERROR_UNSUPPORTED, NOWHERE, "no file in this folder%s",
                  folder.include_count || folder.exclude_count
                      ? " is left by --include and --exclude"
                      : "");
        return note(gathering, path, TEXT(""), STATUS_UNREADABLE, &why, error);
    }
    if (gathering->read == read) {
        gathering->bad_named++;
        complain("%s: no log, checkpoint or event file that is read among its files (%u)%s", path,
                 gathering->count - before, gathering->options->verbose ? "" : "; -v tells why");
    }
    return true;
}

static bool read_operand(struct gathering *gathering, const struct listed *file, bool stats,
                         struct error *error)
{
    const char *path = file->path;
    if (file->whole)
        return skip_part(gathering, file, error);
    if (strcmp(path, "-") == 0) {
        const char *name = gathering->options->stdin_name;
        if (gathering->stdin_input)
            return true; /* it is read once */
        gathering->stdin_input = gathering->count + 1;
        return read_input(gathering, path, name ? name : "<stdin>", stats, error);
    }
    if (file->kind == PATH_FOLDER)
        return read_folder(gathering, path, stats, error);
    return read_input(gathering, path, path, stats, error);
}

/* FILE[:NAME]: a file may have colons in its name. */
static bool read_offered(struct gathering *gathering, const char *word, enum tensor_role role,
                         struct error *error)
{
    struct text file = text_of(word), name = {"", 0};
    const char *path = word;
    for (size_t end = file.size; path_kind(path) == PATH_MISSING && end > 0;) {
        do
            end--;
        while (end > 0 && word[end] != ':');
        if (end == 0) {
            path = word;
            name.size = 0;
            break;
        }
        name = text_cut(file, end + 1, file.size);
        path = arena_string(&gathering->arena, text_cut(file, 0, end));
        if (!path)
            return error_set(error, ERROR_MEMORY, NOWHERE, "no memory for a path");
    }
    gathering->role = role;
    gathering->role_name = name;
    const bool good = read_input(gathering, path, path, true, error);
    gathering->role = ROLE_WEIGHTS;
    return good;
}

bool gather(struct gathering *gathering, bool keep_templates, bool stats, struct error *error)
{
    if (!open_collector(gathering, keep_templates, stats, error))
        return false;
    struct listing listing = {0};
    const struct words *paths = &gathering->options->paths;
    for (size_t i = 0; i < paths->count; i++)
        if (!listing_add(&listing, &gathering->arena, paths->items[i], path_kind(paths->items[i]),
                         error))
            return false;
    listing_part(&listing);
    for (size_t i = 0; i < listing.count; i++)
        if (!read_operand(gathering, &listing.files[i], stats, error))
            return false;
    const struct options *options = gathering->options;
    for (size_t i = 0; i < options->inputs.count; i++)
        if (!read_offered(gathering, options->inputs.items[i], ROLE_INPUTS, error))
            return false;
    for (size_t i = 0; i < options->targets.count; i++)
        if (!read_offered(gathering, options->targets.items[i], ROLE_TARGETS, error))
            return false;
    return collector_finish(gathering->collector, &gathering->collection, error);
}
