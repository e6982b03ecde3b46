/* What fixed texts say for a cause: the first failure is the root, what comes later follows. */
/* SPDX-License-Identifier: MIT */
#include "diagnosing.h"

#include <math.h>
#include <string.h>

/* A fixed text that decides, or supports, a cause; the causes behind the first get half. */
static const double DECIDES = 3.5, SUPPORTS = 1.2, BEHIND_THE_FIRST = 0.5;
/* A later failure says little for causes that do not explain the first, and a line that is but a
   remark says little where something is wrong. */
static const double LATER = 0.3, REMARK = 0.3;

static double weight_of(const struct message_row *row, const struct cause *cause)
{
    double weight = row->strength == STRENGTH_DECIDES    ? DECIDES
                    : row->strength == STRENGTH_SUPPORTS ? SUPPORTS
                                                         : 0;
    for (size_t i = 0; row->causes && row->causes[i]; i++)
        if (strcmp(row->causes[i], cause->id) == 0)
            return i == 0 ? weight : weight * BEHIND_THE_FIRST;
    return 0;
}

/* Would the row make a finding of this symptom and form? */
static bool makes(const struct message_row *row, const struct finding *finding)
{
    for (size_t i = 0; row->symptoms && row->symptoms[i]; i++) {
        const char *form = row->forms && row->forms[i] ? row->forms[i] : "message";
        if (strcmp(row->symptoms[i], finding->symptom->id) == 0 && strcmp(form, finding->form) == 0)
            return true;
    }
    return false;
}

/* Lines of one symptom and form make one finding, of which the first is the root. */
const struct finding *message_finding(const struct diagnosing *diagnosing,
                                      const struct message *message)
{
    const struct judgement *judgement = diagnosing->judgement;
    const struct finding *shared = NULL;
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *finding = &judgement->findings[i];
        if (finding->candidate.message == message)
            return finding;
        if (!shared && finding->candidate.message && makes(message->row, finding))
            shared = finding;
    }
    return shared;
}

/* A line with which a run ends, and not only because another did. */
static bool ends_a_run(const struct message_row *row)
{
    if (row->strength == STRENGTH_CONSEQUENCE || row->strength == STRENGTH_HARMLESS)
        return false;
    for (size_t i = 0; row->symptoms && row->symptoms[i]; i++)
        if (symptom_ends_run(row->symptoms[i]))
            return true;
    return false;
}

/* Before: by time between inputs, by place within one. */
static bool before(const struct diagnosing *diagnosing, const struct message *a,
                   const struct message *b)
{
    if (a->place.input == b->place.input)
        return a->place.line < b->place.line;
    const struct moment from = message_moment(a), to = message_moment(b);
    struct distance distance;
    return !isnan(a->time) && !isnan(b->time) &&
           moment_distance(diagnosing->run, &from, &to, &distance) && distance.sign > 0;
}

/* The first failure behind the last restart; NULL: none. */
static const struct message *root_of(const struct diagnosing *diagnosing)
{
    const struct run *run = diagnosing->run;
    const struct place *restart = &run->segments[run->segment_count - 1].place;
    const struct message *root = NULL, *any = NULL;
    for (size_t i = 0; i < run->message_count; i++) {
        const struct message *message = &run->messages[i];
        if (!ends_a_run(message->row))
            continue;
        bool last = run->segment_count == 1 || message->place.input != restart->input ||
                    message->place.line >= restart->line;
        if (!any || before(diagnosing, message, any))
            any = message;
        if (last && (!root || before(diagnosing, message, root)))
            root = message;
    }
    return root ? root : any;
}

/* All that the line was found to be is a remark, while something else is wrong. */
static bool mere_remark(const struct diagnosing *diagnosing, const struct message *message)
{
    const struct judgement *judgement = diagnosing->judgement;
    const struct finding *finding = message_finding(diagnosing, message);
    bool worse = false;
    for (size_t i = 0; i < judgement->finding_count; i++)
        worse = worse || judgement->findings[i].severity > SEVERITY_INFO;
    return worse && finding && finding->severity <= SEVERITY_INFO;
}

double message_nats(const struct diagnosing *diagnosing, const struct message *message,
                    const struct cause *cause)
{
    double nats = weight_of(message->row, cause);
    if (nats == 0)
        return 0;
    const struct message *root = root_of(diagnosing);
    if (root && root != message && ends_a_run(message->row) && before(diagnosing, root, message) &&
        weight_of(root->row, cause) == 0)
        nats *= LATER;
    return mere_remark(diagnosing, message) ? nats * REMARK : nats;
}
