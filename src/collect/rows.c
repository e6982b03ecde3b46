/* Rows into the tracks of their names: steps, points printed again, restarts. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"

enum { TWICE = 2 }; /* times as many rows that moved: no record is printed twice */

int leads(enum kind kind)
{
    switch (kind) {
    case KIND_LOSS:
    case KIND_ADVERSARIAL:
        return LEADS_MOST;
    case KIND_METRIC:
    case KIND_REWARD:
    case KIND_GRAD_NORM:
        return 2;
    case KIND_LEARNING_RATE:
    case KIND_LOSS_SCALE:
    case KIND_THROUGHPUT:
    case KIND_STEP_TIME:
        return 1;
    default:
        return 0;
    }
}

/* A turn begins with the row at `at`. How a shape counts stays known, where it stands does not,
   unless its epochs go on. */
static void placer_begin(struct placer *placer, uint32_t turn, const struct position *at)
{
    const bool first = placer->turn == UINT32_MAX;
    placer->turn = turn;
    if (!first && at->epoch != STEP_NONE && placer->last_epoch != STEP_NONE &&
        at->epoch >= placer->last_epoch)
        return;
    if (!first && at->epoch > placer->first_epoch && placer_back(placer, at->epoch)) {
        placer->last = placer->last_epoch = STEP_NONE;
        return;
    }
    const struct placer before = *placer;
    const bool total = at->step_total != STEP_NONE || at->batch_total != STEP_NONE;
    *placer = (struct placer){.turn = turn,
                              .first_epoch = STEP_NONE,
                              .last_epoch = STEP_NONE,
                              .last = STEP_NONE,
                              .last_total = STEP_NONE,
                              .stride = 1};
    if (first || at->epoch == STEP_NONE || !total)
        return;
    placer->counting = before.counting;
    placer->within = before.within;
    placer->first_epoch = before.first_epoch < at->epoch ? before.first_epoch : at->epoch;
}

bool turn_open(struct stream *stream, uint64_t line, uint64_t offset)
{
    if (stream->turn_count >= TURNS_MAX)
        return true;
    if (!ROOM(&stream->tape->arena, stream->turns, stream->turn_count, stream->turn_capacity))
        return false;
    stream->turns[stream->turn_count++] = (struct turn){.line = line,
                                                        .offset = offset,
                                                        .line_before = stream->last_line,
                                                        .resumed = stream->resumed,
                                                        .started = stream->started,
                                                        .started_line = stream->started_line};
    stream->resumed = stream->started = false;
    for (size_t i = 0; i < OWN_FIELDS; i++)
        stream->progress[0][i] = stream->progress[1][i] = (struct progress){.last = STEP_NONE};
    return true;
}

/* A word about resuming in front of a turn is about that turn. */
static void turn_begin(struct stream *stream)
{
    struct turn *turn = &stream->turns[stream->turn_count - 1];
    turn->resumed = turn->resumed || stream->resumed;
    turn->started = turn->started || stream->started;
    stream->resumed = stream->started = false;
}

/* A loss scale alone is printed where it changes, again and again before the next step. */
static bool tells_changes(const struct binding *binding)
{
    return !binding->own && binding->count == 1 && binding->names[0] &&
           binding->names[0]->naming.kind == KIND_LOSS_SCALE;
}

/* What says that two rows are the same point printed twice; 0: nothing does. Of bars only what the
   same one drew: many have no place but how far they are. */
static uint64_t mark_of(const struct binding *binding, const struct position *at, int64_t step)
{
    if (step == STEP_NONE || binding->origin == ORIGIN_EVENT || tells_changes(binding))
        return 0;
    const uint64_t mark = (uint64_t)step * UINT64_C(0x9e3779b97f4a7c15) + 1;
    if (binding->own && binding->origin != ORIGIN_BAR)
        return mark | 1;
    return (mark ^ ((uint64_t)(at->generation + 1) << 20)) | 1;
}

static struct progress *progress_of(const struct binding *binding)
{
    const uint8_t own = binding->grain & (GRAIN_STEP | GRAIN_BATCH | GRAIN_EPOCH);
    return &binding->stream->progress[binding->validation][own];
}

/* Rows whose going back tells a restart. */
static bool tells_turns(const struct binding *binding)
{
    return binding->own && !binding->validation && binding->origin != ORIGIN_EVENT &&
           binding->origin != ORIGIN_REDRAW && binding->leads > 0 &&
           binding->leads >= binding->stream->leads;
}

/* Rows under headings of epochs, where none that says as much has a place of its own. */
static bool carries_epochs(const struct binding *binding)
{
    return !binding->own && !binding->validation && !binding->settings &&
           binding->origin == ORIGIN_LINE && binding->leads == LEADS_MOST &&
           binding->stream->leads < LEADS_MOST;
}

static bool epoch_alone(const struct position *at)
{
    return at->epoch != STEP_NONE && at->step == STEP_NONE && at->batch == STEP_NONE;
}

/* Carried places may be another's: only the first epoch behind later ones tells a restart, and one
   that a heading with its total says. */
static bool epochs_begin_again(const struct progress *progress, const struct position *at,
                               uint64_t line)
{
    return epoch_alone(at) && progress->last != STEP_NONE && (at->epoch <= 1 || at->strong) &&
           at->epoch < progress->last && line > progress->line;
}

/* A row that has both tells where epochs begin. */
static void laps_follow(struct laps *laps, const struct position *at)
{
    if (at->epoch == laps->epoch && laps->begun)
        return;
    const bool next = laps->begun && at->epoch == laps->epoch + 1 && at->step > laps->last;
    laps->borders = next ? laps->borders + 1 : 0;
    if (laps->borders == 1)
        laps->first = at->step;
    laps->last = next ? at->step : INT64_MIN;
    laps->epoch = at->epoch;
    laps->begun = true;
}

/* Steps between borders; STEP_NONE before the third. */
static int64_t laps_length(const struct laps *laps)
{
    if (laps->borders < 3)
        return STEP_NONE;
    return (laps->last - laps->first + (laps->borders - 1) / 2) / (laps->borders - 1);
}

/* Records of binary inputs have no lines, but every one has a place. */
static uint64_t line_of(const struct rows *rows, size_t row)
{
    return rows->lines[row] ? rows->lines[row] : rows->offsets[row];
}

/* Parts of epochs alone: back where the turn began. A resumed one may be told by nothing else. */
static bool begins_again(const struct progress *progress, const struct position *at)
{
    return progress->parted && at->epoch_fraction <= progress->begun &&
           at->epoch_fraction < progress->fraction;
}

static void progress_follow(struct stream *stream, struct progress *progress,
                            const struct position *at, int64_t step, uint64_t line)
{
    const bool first = progress->last == STEP_NONE && !progress->parted;
    if ((step == STEP_NONE && isnan(at->epoch_fraction)) || (!first && line <= progress->line))
        return;
    if (first) /* said before the first row of the turn */
        turn_begin(stream);
    progress->line = line;
    if (step != STEP_NONE) {
        progress->last = step;
        return;
    }
    if (!progress->parted)
        progress->begun = at->epoch_fraction;
    progress->parted = true;
    progress->fraction = at->epoch_fraction;
}

/* An epoch of so many is behind the one before. */
static bool epoch_falls(const struct placer *placer, const struct position *at)
{
    return at->epoch != STEP_NONE && at->epoch_total != STEP_NONE &&
           placer->last_epoch != STEP_NONE && at->epoch < placer->last_epoch;
}

/* A row that goes back, or before which a start was said, opens a turn. Bars take turns with others
   that count anew: only what was said to start tells one, or the epoch they stand in (`falls`). */
static bool opens_turn(const struct binding *binding, const struct progress *progress,
                       const struct position *at, int64_t step, bool same, bool falls,
                       uint64_t line)
{
    const struct stream *stream = binding->stream;
    if (step == STEP_NONE)
        return line > progress->line && begins_again(progress, at);
    const bool said = stream->resumed || stream->started;
    return progress->last != STEP_NONE && line > progress->line &&
           ((step < progress->last && same) || said) &&
           (binding->origin != ORIGIN_BAR || stream->started || falls);
}

/* Rows from `from` on whose printed steps rise within an epoch, as nearly all do: nothing changes
   but the last step. How many. */
static size_t rows_rise(struct tape *tape, struct binding *binding, const struct rows *rows,
                        size_t from, size_t most)
{
    struct placer *placer = &binding->placer;
    struct progress *progress = progress_of(binding);
    const struct stream *stream = binding->stream;
    const struct position *positions = &rows->positions[from];
    const int64_t epoch = placer->last_epoch;
    const bool tells = tells_turns(binding), told = tells && !binding->settings;
    int64_t last = placer->last;
    uint64_t line = told ? progress->line : 0;
    size_t i = 0;
    if (!(binding->grain & GRAIN_STEP) || placer->within || placer->last == STEP_NONE ||
        stream->resumed || stream->started || (tells && placer->last < progress->last) ||
        (told && progress->last == STEP_NONE) ||
        (epoch != STEP_NONE && !(binding->laps.begun && binding->laps.epoch == epoch)))
        return 0;
    for (; i < most && positions[i].step > last && positions[i].epoch == epoch; i++) {
        if (line_of(rows, from + i) <= line)
            break;
        line = line_of(rows, from + i);
        placer->stride = positions[i].step - last;
        tape->steps[i] = last = positions[i].step;
        tape->marks[i] = mark_of(binding, &positions[i], last);
    }
    placer->last = last;
    placer->moved = placer->moved || i > 0;
    binding->still.moved = binding->still.moved || i > 0;
    if (told && i > 0) {
        progress->last = last;
        progress->line = line;
    }
    return i;
}

/* Where a row stands; the place of an evaluation may be how many batches it took: `Eval batches
   [100] loss 2`. */
static int64_t step_of(struct binding *binding, const struct position *at, int64_t step)
{
    const bool may_stand = binding->validation && binding->own && binding->origin == ORIGIN_LINE &&
                           !(binding->grain & GRAIN_EPOCH) && at->epoch == STEP_NONE &&
                           step != STEP_NONE && binding->stream->trained != STEP_NONE;
    return may_stand ? still_step(&binding->still, step, binding->stream->trained) : step;
}

/* A loss of the row is back where the run began: another run. */
static bool is_back(const struct binding *binding, const struct rows *rows, size_t row)
{
    for (size_t c = 0; c < binding->count; c++)
        if (binding->names[c] && binding->names[c]->naming.kind == KIND_LOSS)
            return back_at_start(binding->names[c], rows->values[c][row]);
    return false;
}

/* The row's place in the run. Loops that count their steps anew may head the epoch behind it. */
static int64_t run_step(struct binding *binding, const struct rows *rows, size_t row)
{
    const struct stream *stream = binding->stream;
    const struct position *at = &rows->positions[row];
    if (binding->origin == ORIGIN_LINE && !stream->resumed && !stream->started &&
        placer_laps(&binding->placer, at) && !is_back(binding, rows, row))
        placer_lap(&binding->placer, at);
    return placer_step(&binding->placer, at, binding->grain);
}

/* Steps and marks of rows from `from` on, up to a row that opens a new turn; how many. */
static bool rows_place(struct tape *tape, struct binding *binding, const struct rows *rows,
                       size_t from, size_t most, size_t *count, struct error *error)
{
    struct stream *stream = binding->stream;
    struct progress *progress = progress_of(binding);
    const bool tells = tells_turns(binding), carries = carries_epochs(binding);
    struct placer begun = binding->placer; /* in front of the first row */
    size_t i = rows_rise(tape, binding, rows, from, most);
    for (; i < most; i++) {
        const struct position *at = &rows->positions[from + i];
        const enum counting counting = binding->placer.counting;
        const bool falls = epoch_falls(&binding->placer, at);
        int64_t step = run_step(binding, rows, from + i);
        const bool same = counting == binding->placer.counting;
        const uint64_t line = line_of(rows, from + i);
        if ((tells && opens_turn(binding, progress, at, step, same, falls, line)) ||
            (carries && epochs_begin_again(progress, at, line))) {
            binding->placer = begun;
            if (i > 0) { /* what stands before goes first */
                for (size_t k = 0; k < i; k++)
                    run_step(binding, rows, from + k);
                break;
            }
            if (!turn_open(stream, rows->lines[from], rows->offsets[from]))
                return memory_ended(error);
            placer_begin(&binding->placer, stream->turn_count - 1, at);
            begun = binding->placer;
            step = placer_step(&binding->placer, at, binding->grain);
        }
        if (tells && !binding->settings)
            progress_follow(stream, progress, at, step, line);
        else if (carries && epoch_alone(at))
            progress_follow(stream, progress, at, at->epoch, line);
        if (at->epoch != STEP_NONE && at->step != STEP_NONE)
            laps_follow(&binding->laps, at);
        step = step_of(binding, at, step);
        tape->steps[i] = step;
        tape->marks[i] = mark_of(binding, at, step);
    }
    *count = i;
    return true;
}

/* The points of a name in the turn that runs. */
static struct stretch *stretch_of(struct name *name)
{
    struct stream *stream = name->stream;
    struct tape *tape = stream->tape;
    const uint32_t turn = stream->turn_count - 1;
    if (name->stretch_count > 0 && name->stretches[name->stretch_count - 1].turn == turn)
        return &name->stretches[name->stretch_count - 1];
    if (!name->stretches) { /* mostly the only one */
        name->stretches = arena_take(&tape->arena, 1, sizeof(*name->stretches));
        name->stretch_capacity = name->stretches != NULL;
    }
    if (!ROOM(&tape->arena, name->stretches, name->stretch_count, name->stretch_capacity))
        return NULL;
    const enum kind kind = name->naming.kind;
    bool full = kind != KIND_OTHER && kind != KIND_COUNTER && !name->naming.refused &&
                tape->full < LIMIT_FULL_SERIES &&
                tape->arena.used + tape->collector->arena->used < FULL_MEMORY;
    tape->full += full;
    struct stretch *stretch = &name->stretches[name->stretch_count];
    *stretch = (struct stretch){.turn = turn,
                                .track = track_open(&tape->arena, kind, full),
                                .last_step = STEP_NONE,
                                .total = STEP_NONE};
    if (!stretch->track ||
        (name->stretch_count > 0 && !track_close(stretch[-1].track, stretch->track)))
        return NULL;
    name->stretch_count++;
    return stretch;
}

static void name_meet(struct name *name, const struct rows *rows, size_t i)
{
    const struct position *at = &rows->positions[i];
    name->first = (struct place){
        .input = name->stream->tape->input, .line = rows->lines[i], .offset = rows->offsets[i]};
    name->placed = at->step != STEP_NONE || at->batch != STEP_NONE || at->epoch != STEP_NONE;
    name->epochs = at->step == STEP_NONE && at->batch == STEP_NONE && at->epoch != STEP_NONE;
    if (name->grain & GRAIN_EPOCH && !(name->grain & (GRAIN_STEP | GRAIN_BATCH)))
        name->epochs = at->epoch != STEP_NONE;
    name->fractional = !isnan(at->epoch_fraction);
}

static void name_plan(struct name *name, struct stretch *stretch, const struct binding *binding,
                      const struct position *at)
{
    const int64_t total = placer_total(&binding->placer, at, binding->grain);
    if (total != STEP_NONE || binding->placer.lapped)
        stretch->total = total;
    if (at->epoch_total != STEP_NONE)
        name->epoch_total = at->epoch_total;
    if (binding->placer.within || binding->placer.counting == COUNTING_WITHIN)
        name->steps_per_epoch = at->step_total != STEP_NONE ? at->step_total : at->batch_total;
    else if (laps_length(&binding->laps) != STEP_NONE)
        name->steps_per_epoch = laps_length(&binding->laps);
    if (binding->placer.counting == COUNTING_FULL)
        name->epochs = true;
}

/* Decimals that tell a binary32 value from its neighbours: no print rounds it. */
static int16_t binary_places(double value)
{
    if (value == 0 || !isfinite(value))
        return 0;
    return (int16_t)(7 - (int)floor(ilogb(value) * 0.30103));
}

static bool by_epoch(const struct binding *binding)
{
    return (binding->grain & (GRAIN_STEP | GRAIN_BATCH | GRAIN_EPOCH)) == GRAIN_EPOCH;
}

enum likeness { LIKENESS_NONE, LIKENESS_AGREES, LIKENESS_MOVED };

/* A row beside the points that stand at its mark, by its losses, metrics and norms. */
static enum likeness likeness_of(const struct tape *tape, const struct binding *binding,
                                 const struct rows *rows, size_t from, size_t mark)
{
    enum likeness likeness = LIKENESS_NONE;
    for (size_t c = 0; c < binding->count; c++) {
        const struct name *name = binding->names[c];
        if (!name || name->stretch_count == 0 || name->naming.kind > KIND_GRAD_NORM)
            continue;
        const struct stretch *stretch = &name->stretches[name->stretch_count - 1];
        const double value = rows->values[c][from];
        if (stretch->turn != binding->stream->turn_count - 1 ||
            stretch->last_mark != tape->marks[mark] || value_missing(value))
            continue;
        likeness = LIKENESS_AGREES;
        if (!track_agrees(stretch->track, value, rows->places ? rows->places[c] : 0))
            return LIKENESS_MOVED;
    }
    return likeness;
}

/* Rates alone, `lr 0.001` again and again under one epoch: another record of that place stood
   between the two, and those move. */
static bool record_follows(const struct binding *binding, int64_t step)
{
    const struct stream *stream = binding->stream;
    return binding->leads <= leads(KIND_LEARNING_RATE) && stream->told_step == step &&
           stream->told_line > binding->last_line && stream->moved > TWICE * stream->agreed;
}

/* Whether a row at the mark of the points before it may be the same record printed again: a loss, a
   metric or a norm that has moved says that none of its values is. So does a shape that prints
   batches, most of whose rows have moved: records that are printed twice agree at least as often.
 */
static bool row_agrees(const struct tape *tape, struct binding *binding, const struct rows *rows,
                       size_t from, size_t mark)
{
    struct stream *stream = binding->stream;
    const enum likeness likeness = likeness_of(tape, binding, rows, from, mark);
    const bool follows = record_follows(binding, tape->steps[mark]);
    binding->last_line = line_of(rows, from);
    if (binding->leads > leads(KIND_LEARNING_RATE)) {
        stream->told_step = tape->steps[mark];
        stream->told_line = binding->last_line;
    }
    binding->moved += likeness == LIKENESS_MOVED;
    binding->agreed += likeness == LIKENESS_AGREES;
    stream->moved += likeness == LIKENESS_MOVED;
    stream->agreed += likeness == LIKENESS_AGREES;
    if (likeness == LIKENESS_NONE)
        return !follows;
    return likeness == LIKENESS_AGREES && binding->moved <= TWICE * binding->agreed;
}

/* Rows from..to of the batch at `from` of `rows`, for one column; `agrees` is of the first row. */
static bool column_put(struct tape *tape, const struct binding *binding, size_t c,
                       const struct track_rows *part, const struct rows *rows, size_t from,
                       size_t mark, bool agrees, struct error *error)
{
    struct name *name = binding->names[c];
    struct track_rows own = *part;
    own.values = rows->values[c] + from;
    size_t first = 0, last = own.count;
    while (first < last && value_missing(own.values[first]))
        first++;
    if (first == last || !name)
        return true;
    while (value_missing(own.values[last - 1]))
        last--;
    struct stretch *stretch = stretch_of(name);
    if (!stretch)
        return memory_ended(error);
    if (name->first.input == 0)
        name_meet(name, rows, from + first);
    name->strong = name->strong || rows->positions[from + first].strong;
    const uint64_t *marks = tape->marks + mark;
    bool again = marks[first] != 0 && marks[first] == stretch->last_mark;
    /* A place that is carried may be another's, and batches may print their epoch alone: there the
       values have to agree. The last drawing of a bar is its point. */
    if (again && (!binding->own || by_epoch(binding)) && binding->origin != ORIGIN_BAR)
        again = (agrees || first > 0) &&
                track_agrees(stretch->track, own.values[first], rows->places ? rows->places[c] : 0);
    stretch->last_mark = marks[last - 1];
    stretch->last_step = own.steps[last - 1];
    own.places = rows->places ? rows->places[c] : 0;
    if (binding->origin == ORIGIN_EVENT)
        own.places = binary_places(own.values[last - 1]);
    name_plan(name, stretch, binding, &rows->positions[from + last - 1]);
    tape->readings[binding->origin] += last - first;
    if (again) {
        const struct place place = {own.input, own.lines[first], own.offsets[first]};
        const struct point point = point_make(own.steps[first], own.values[first], place);
        const double time = own.times ? own.times[first] : (double)NAN;
        if (track_replace(stretch->track, &point, time))
            first++;
    }
    if (first == last)
        return true;
    own.count = last - first;
    own.values += first;
    own.steps += first;
    own.lines += first;
    own.offsets += first;
    own.times = own.times ? own.times + first : NULL;
    own.texts = own.texts ? own.texts + first : NULL;
    return track_add(stretch->track, &own, error);
}

/* Rows that are different points, one behind the other, inside the window of steps. */
static bool part_put(struct tape *tape, struct binding *binding, const struct rows *rows,
                     size_t from, size_t mark, size_t count, struct error *error)
{
    const struct track_rows part = {.count = count,
                                    .steps = tape->steps + mark,
                                    .lines = rows->lines + from,
                                    .offsets = rows->offsets + from,
                                    .times = rows->times ? rows->times + from : NULL,
                                    .texts = rows->texts ? rows->texts + from : NULL,
                                    .input = tape->input};
    const bool agrees = tape->marks[mark] == 0 || (binding->own && !by_epoch(binding)) ||
                        row_agrees(tape, binding, rows, from, mark);
    for (size_t c = 0; c < binding->count; c++)
        if (!column_put(tape, binding, c, &part, rows, from, mark, agrees, error))
            return false;
    return true;
}

static bool wanted(const struct collector_options *options, int64_t step)
{
    return step == STEP_NONE || ((options->from == STEP_NONE || step >= options->from) &&
                                 (options->to == STEP_NONE || step <= options->to));
}

/* Cuts placed rows into parts without a point printed again. */
static bool placed_put(struct tape *tape, struct binding *binding, const struct rows *rows,
                       size_t from, size_t count, struct error *error)
{
    const struct collector_options *options = &tape->collector->options;
    const bool all = options->from == STEP_NONE && options->to == STEP_NONE;
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        if (!all && !wanted(options, tape->steps[i])) {
            i++;
            continue;
        }
        while (end < count && (tape->marks[end] == 0 || tape->marks[end] != tape->marks[end - 1]) &&
               (all || wanted(options, tape->steps[end])))
            end++;
        if (!part_put(tape, binding, rows, from + i, i, end - i, error))
            return false;
        i = end;
    }
    return true;
}

bool tape_rows(struct sink *sink, const struct rows *rows, struct error *error)
{
    struct tape *tape = (struct tape *)sink;
    struct binding *binding = tape_binding(tape, rows->shape);
    struct stream *stream = binding->stream;
    for (size_t i = 0; i < rows->count;) {
        const size_t left = rows->count - i, most = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
        size_t count = 0;
        if (binding->placer.turn != stream->turn_count - 1)
            placer_begin(&binding->placer, stream->turn_count - 1, &rows->positions[i]);
        if (!rows_place(tape, binding, rows, i, most, &count, error) ||
            !placed_put(tape, binding, rows, i, count, error))
            return false;
        i += count;
        if (binding->own && count > 0 && tape->steps[count - 1] != STEP_NONE)
            stream->last_step = tape->steps[count - 1];
        if (tells_turns(binding) && count > 0)
            still_train(&binding->still, tape->steps[count - 1], &stream->trained);
    }
    if (rows->count > 0) {
        const uint64_t line = rows->lines[rows->count - 1];
        stream->last_line = line > stream->last_line ? line : stream->last_line;
        if (line > tape->end.line)
            tape->end = (struct place){tape->input, line, rows->offsets[rows->count - 1]};
        if (tells_turns(binding) && !binding->settings)
            stream->leads = binding->leads;
    }
    return true;
}
