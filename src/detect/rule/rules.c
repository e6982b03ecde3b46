/* Loading the rules: embedded files, replaced and extended by those of a folder. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/loading.h"

#include "stalldoc/input.h"

#include <string.h>

enum { RULE_FILE_BYTES = 1 << 20 }; /* ten times the longest of our own */

struct files { /* all of them by name; of equal names the last added */
    struct arena *arena;
    struct error *error;
    const char *folder;
    struct rule_file *items;
    size_t count, capacity;
};

struct table { /* what rules_load fills */
    struct files files;
    struct loading loading;
    struct declared *declared;
    const char **symptom_ids, **cause_ids; /* behind loading's words, with room */
    struct json *trees;                    /* beside the files */
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, (struct place){0}, "no memory for the rules");
}

static bool files_add(struct files *files, const struct rule_file *file)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].name, file->name) == 0) {
            files->items[i] = *file;
            return true;
        }
    struct rule_file *items = arena_grow(files->arena, files->items, files->count, &files->capacity,
                                         files->count + 1, sizeof(*items));
    if (!items)
        return no_memory(files->error);
    files->items = items;
    files->items[files->count++] = *file;
    return true;
}

/* "symptoms/x.json" of "DIR/symptoms/x.json"; "" where a rule file has no business. */
static struct text name_below(const char *folder, const char *path)
{
    const struct text text = text_of(path);
    size_t start = strlen(folder);
    while (start < text.size && text.data[start] == '/')
        start++;
    const struct text name = text_cut(text, start, text.size);
    bool known = text_starts(name, "symptoms/") || text_starts(name, "causes/") ||
                 text_is(name, "kinds.json") || text_is(name, "messages.json");
    return known ? name : (struct text){0};
}

static bool found(void *context, const char *path, enum path_kind kind, struct error *error)
{
    struct files *files = context;
    if (kind != PATH_FILE || !text_ends(text_of(path), ".json"))
        return true; /* notes, licences and the like may lie beside */
    const struct text name = name_below(files->folder, path);
    if (name.size == 0)
        return error_set(error, ERROR_MALFORMED, (struct place){0},
                         "%.150s: rule files stand in symptoms/ or causes/, or are kinds.json or "
                         "messages.json",
                         path);
    struct rule_file file = {.name = arena_string(files->arena, name),
                             .path = arena_string(files->arena, text_of(path))};
    if (!file.name || !file.path)
        return no_memory(error);
    return file_text(path, RULE_FILE_BYTES, files->arena, &file.text, error) &&
           files_add(files, &file);
}

static bool files_gather(struct files *files)
{
    files->items = arena_take(files->arena, rule_files_embedded_count + 1, sizeof(*files->items));
    if (!files->items)
        return no_memory(files->error);
    memcpy(files->items, rule_files_embedded, rule_files_embedded_count * sizeof(*files->items));
    files->count = files->capacity = rule_files_embedded_count;
    static const struct folder_options options = {.max_depth = 2};
    return !files->folder || folder_walk(files->folder, &options, found, files, files->error);
}

static const struct rule_file *file_named(const struct files *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].name, name) == 0)
            return &files->items[i];
    return NULL;
}

static bool load_shared(const struct files *files, struct rules *rules)
{
    const struct rule_file *kinds = file_named(files, "kinds.json");
    const struct rule_file *messages = file_named(files, "messages.json");
    if (kinds) {
        rules->vocabulary = vocabulary_load(files->arena, kinds->text, kinds->path, files->error);
        if (!rules->vocabulary)
            return false;
    }
    if (messages) {
        rules->messages =
            message_table_load(files->arena, messages->text, messages->path, files->error);
        if (!rules->messages)
            return false;
    }
    return true;
}

/* One line of the catalogue: "symptom GROUP ID" or "cause ID"; notes begin with #. */
static void catalogue_words(struct text line, struct text words[3], size_t *count)
{
    *count = 0;
    size_t at = 0;
    while (at < line.size && *count < 3) {
        size_t end = at;
        while (end < line.size && line.data[end] != ' ')
            end++;
        if (end > at)
            words[(*count)++] = text_cut(line, at, end - at);
        at = end + 1;
    }
}

struct catalogue { /* as it grows */
    const char **symptoms, **groups, **causes;
    size_t symptom_count, cause_count;
};

static bool catalogue_line(struct arena *arena, struct text line, struct catalogue *catalogue)
{
    struct text words[3];
    size_t count;
    catalogue_words(line, words, &count);
    if (count == 3 && text_is(words[0], "symptom")) {
        const char *group = arena_string(arena, words[1]), *id = arena_string(arena, words[2]);
        catalogue->groups[catalogue->symptom_count] = group;
        catalogue->symptoms[catalogue->symptom_count++] = id;
        return group && id;
    }
    if (count == 2 && text_is(words[0], "cause")) {
        const char *id = arena_string(arena, words[1]);
        catalogue->causes[catalogue->cause_count++] = id;
        return id;
    }
    return true;
}

/* The closed lists, with room behind them for the ids of a user's own files. */
static bool load_catalogue(struct table *table)
{
    struct loading *loading = &table->loading;
    const struct rule_file *file = file_named(&table->files, "catalogue.txt");
    struct text text = file ? file->text : (struct text){0};
    size_t lines = 1;
    for (size_t i = 0; i < text.size; i++)
        lines += text.data[i] == '\n';
    size_t room = lines + table->files.count;
    const char **all = arena_take(loading->arena, 3 * room, sizeof(*all));
    if (!all)
        return load_memory(loading);
    struct catalogue catalogue = {all, all + room, all + 2 * room, 0, 0};
    while (text.size > 0) {
        size_t end = text_find(text, TEXT("\n"));
        struct text line = text_cut(text, 0, end);
        if (!text_starts(line, "#") && !catalogue_line(loading->arena, line, &catalogue))
            return load_memory(loading);
        text = text_cut(text, end + 1, text.size);
    }
    table->symptom_ids = catalogue.symptoms;
    table->cause_ids = catalogue.causes;
    loading->symptoms = (struct words){catalogue.symptoms, catalogue.symptom_count};
    loading->causes = (struct words){catalogue.causes, catalogue.cause_count};
    loading->groups = catalogue.groups;
    loading->catalogue_symptoms = catalogue.symptom_count;
    loading->catalogue_causes = catalogue.cause_count;
    return true;
}

static void loading_turn(struct table *table, size_t index)
{
    table->loading.file = &table->files.items[index];
    table->loading.json = table->trees[index].root ? &table->trees[index] : NULL;
    table->loading.root = table->trees[index].root;
}

/* An id is its file's name, and is the catalogue's or, from --rules, begins with "user-". */
static bool check_id(const struct loading *loading, struct words catalogue)
{
    const char *id = NULL;
    if (!load_string(loading, loading->root, "id", true, &id))
        return false;
    const cJSON *at = load_member(loading->root, "id");
    const struct text name = text_of(loading->file->name);
    size_t start = text_find(name, TEXT("/")) + 1;
    struct text stem = text_cut(name, start, name.size - start - strlen(".json"));
    if (!text_is(stem, id))
        return load_error(loading, at, "id \"%s\" is unlike the file's name", id);
    if (words_hold(catalogue, id) || catalogue.count == 0)
        return true;
    if (!loading->file->embedded && text_starts(text_of(id), "user-"))
        return true;
    const char *nearest = words_nearest(catalogue, id);
    if (nearest)
        return load_error(
            loading, at,
            "id \"%s\" is not in the catalogue and does not begin with \"user-\"; did "
            "you mean \"%s\"?",
            id, nearest);
    return load_error(loading, at,
                      "id \"%s\" is not in the catalogue and does not begin with \"user-\"", id);
}

/* Behind `items`, where load_catalogue left room. */
static void words_append(struct words *words, const char **items, const char *word)
{
    if (!words_hold(*words, word))
        items[words->count++] = word;
}

/* First look at all symptom and cause files: their trees, ids, forms and values. */
static bool declare_all(struct table *table)
{
    struct loading *loading = &table->loading;
    const struct words symptoms = loading->symptoms, causes = loading->causes;
    for (size_t i = 0; i < table->files.count; i++) {
        const struct rule_file *file = &table->files.items[i];
        bool symptom = text_starts(text_of(file->name), "symptoms/");
        if (!symptom && !text_starts(text_of(file->name), "causes/"))
            continue;
        if (!json_parse(loading->arena, file->text, file->path, &table->trees[i], loading->error))
            return false;
        loading_turn(table, i);
        if (!cJSON_IsObject(loading->root))
            return load_error(loading, loading->root, "a rule file is an object");
        if (!check_id(loading, symptom ? symptoms : causes))
            return false;
        if (!symptom) {
            words_append(&loading->causes, table->cause_ids,
                         load_member(loading->root, "id")->valuestring);
            continue;
        }
        struct declared *declared = &table->declared[loading->declared_count];
        if (!symptom_declare(loading, declared))
            return false;
        loading->declared_count++;
        words_append(&loading->symptoms, table->symptom_ids, declared->id);
    }
    return true;
}

/* The values of whatever finding will be the strongest. */
static struct words all_values(const struct loading *loading)
{
    size_t count = 1;
    for (size_t i = 0; i < loading->declared_count; i++)
        count += loading->declared[i].values.count;
    const char **words = arena_take(loading->arena, count, sizeof(*words));
    struct words all = {words, 0};
    for (size_t i = 0; words && i < loading->declared_count; i++)
        for (size_t k = 0; k < loading->declared[i].values.count; k++)
            if (!words_hold(all, loading->declared[i].values.items[k]))
                words[all.count++] = loading->declared[i].values.items[k];
    return all;
}

/* Index of the file "<folder><id>.json"; count where it is not there. */
static size_t file_of(const struct files *files, const char *folder, const char *id)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct text name = text_of(files->items[i].name);
        size_t before = strlen(folder), length = strlen(id);
        if (name.size == before + length + strlen(".json") && text_starts(name, folder) &&
            memcmp(name.data + before, id, length) == 0)
            return i;
    }
    return files->count;
}

static bool load_symptoms(struct table *table, struct rules *rules)
{
    struct loading *loading = &table->loading;
    struct symptom *symptoms =
        arena_take(loading->arena, loading->declared_count + 1, sizeof(*symptoms));
    if (!symptoms)
        return load_memory(loading);
    for (size_t i = 0; i < loading->symptoms.count; i++) {
        size_t file = file_of(&table->files, "symptoms/", loading->symptoms.items[i]);
        if (file == table->files.count)
            continue; /* of the catalogue, not written */
        struct symptom *symptom = &symptoms[rules->symptom_count++];
        symptom->id = loading->symptoms.items[i];
        symptom->order = i;
        loading_turn(table, file);
        if (!symptom_load(loading, symptom))
            return false;
    }
    rules->symptoms = symptoms;
    return true;
}

static bool load_causes(struct table *table, struct rules *rules)
{
    struct loading *loading = &table->loading;
    struct cause *causes = arena_take(loading->arena, table->files.count + 1, sizeof(*causes));
    if (!causes)
        return load_memory(loading);
    for (size_t i = 0; i < loading->causes.count; i++) {
        size_t file = file_of(&table->files, "causes/", loading->causes.items[i]);
        if (file == table->files.count)
            continue;
        struct cause *cause = &causes[rules->cause_count++];
        cause->id = loading->causes.items[i];
        cause->rank = i;
        loading_turn(table, file);
        if (!cause_load(loading, cause))
            return false;
    }
    rules->causes = causes;
    return true;
}

/* Walks the absorbing from one symptom; true where it comes back to where it began. */
static bool comes_back(const struct rules *rules, const struct symptom *from,
                       const struct symptom *aim, size_t depth)
{
    for (size_t i = 0; i < from->absorb_count && depth > 0; i++) {
        const struct symptom *next = rules_symptom(rules, text_of(from->absorbs[i].symptom));
        if (next == aim || (next && comes_back(rules, next, aim, depth - 1)))
            return true;
    }
    return false;
}

static bool check_cycles(struct table *table, const struct rules *rules)
{
    for (size_t i = 0; i < rules->symptom_count; i++) {
        const struct symptom *symptom = &rules->symptoms[i];
        if (!comes_back(rules, symptom, symptom, 8))
            continue;
        loading_turn(table, file_of(&table->files, "symptoms/", symptom->id));
        return load_error(&table->loading, load_member(table->loading.root, "absorbs"),
                          "\"absorbs\" leads back to \"%s\"", symptom->id);
    }
    return true;
}

/* Fixed texts name symptoms and causes of the same lists. */
static bool check_messages(struct table *table, const struct rules *rules)
{
    struct loading *loading = &table->loading;
    size_t count = rules->messages ? rules->messages->row_count : 0;
    loading->file = file_named(&table->files, "messages.json");
    loading->json = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct message_row *row = &rules->messages->rows[i];
        for (size_t k = 0; row->symptoms && row->symptoms[k]; k++)
            if (!words_hold(loading->symptoms, row->symptoms[k]))
                return load_unknown(loading, NULL, "symptom", row->symptoms[k], loading->symptoms);
        for (size_t k = 0; row->causes && row->causes[k]; k++)
            if (!words_hold(loading->causes, row->causes[k]))
                return load_unknown(loading, NULL, "cause", row->causes[k], loading->causes);
    }
    return true;
}

static bool list_messages(struct loading *loading)
{
    size_t count = loading->messages ? loading->messages->row_count : 0;
    const char **ids = arena_take(loading->arena, count + 1, sizeof(*ids));
    for (size_t i = 0; ids && i < count; i++)
        ids[i] = loading->messages->rows[i].id;
    loading->message_ids = (struct words){ids, count};
    return ids || load_memory(loading);
}

static bool table_load(struct table *table, struct rules *rules)
{
    struct loading *loading = &table->loading;
    size_t count = table->files.count;
    table->trees = arena_take(loading->arena, count + 1, sizeof(*table->trees));
    table->declared = arena_take(loading->arena, count + 1, sizeof(*table->declared));
    if (!table->trees || !table->declared)
        return load_memory(loading);
    loading->declared = table->declared;
    if (!load_catalogue(table) || !declare_all(table))
        return false;
    if (!list_messages(loading))
        return false;
    loading->all_values = all_values(loading);
    return load_symptoms(table, rules) && load_causes(table, rules) && check_cycles(table, rules) &&
           check_messages(table, rules);
}

const struct rules *rules_read(struct arena *arena, const char *folder, struct error *error)
{
    struct rules *rules = arena_take(arena, 1, sizeof(*rules));
    struct table table = {.files = {.arena = arena, .error = error, .folder = folder}};
    if (!rules) {
        no_memory(error);
        return NULL;
    }
    if (!files_gather(&table.files) || !load_shared(&table.files, rules))
        return NULL;
    table.loading = (struct loading){.arena = arena, .error = error, .messages = rules->messages};
    bool loaded = table_load(&table, rules);
    for (size_t i = 0; table.trees && i < table.files.count; i++)
        json_free(&table.trees[i]);
    return loaded ? rules : NULL;
}

const struct rules *rules_load(struct arena *arena, const char *folder, struct error *error)
{
    if (!folder && rules_embedded.symptom_count > 0)
        return &rules_embedded;
    return rules_read(arena, folder, error);
}

const struct symptom *rules_symptom(const struct rules *rules, struct text id)
{
    for (size_t i = 0; i < rules->symptom_count; i++)
        if (text_is(id, rules->symptoms[i].id))
            return &rules->symptoms[i];
    return NULL;
}

const struct cause *rules_cause(const struct rules *rules, struct text id)
{
    for (size_t i = 0; i < rules->cause_count; i++)
        if (text_is(id, rules->causes[i].id))
            return &rules->causes[i];
    return NULL;
}
