/* Places, fingerprints and numbers of findings. */
/* SPDX-License-Identifier: MIT */
#include "report/finding.h"

#include <inttypes.h>

struct place finding_place(const struct run *run, const struct finding *finding)
{
    const struct candidate *candidate = &finding->candidate;
    struct place place = {candidate->onset.input, candidate->onset.line, candidate->onset.offset};
    if (place.input == 0 && candidate->message)
        place = candidate->message->place;
    for (size_t i = 0; place.input == 0 && i < candidate->evidence_count; i++)
        place = candidate->evidence[i].place;
    if (place.input == 0 && run->input_count)
        place = (struct place){.input = run->inputs[0]};
    return place;
}

struct text finding_line(const struct finding *finding, const struct place *place)
{
    const struct message *message = finding->candidate.message;
    const struct series *series = finding->candidate.series;
    const struct track *track = series ? &series->whole : NULL;
    if (message && message->place.input == place->input && message->place.line == place->line)
        return message->line;
    for (size_t i = 0; track && i < track->frozen_count; i++) {
        const struct frozen *frozen = track->frozen[i];
        if (frozen->at < frozen->count && frozen->points[frozen->at].input == place->input &&
            frozen->points[frozen->at].line == place->line)
            return frozen->line;
    }
    return TEXT("");
}

static uint64_t mix(uint64_t hash, uint64_t next)
{
    hash = (hash ^ next) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

void finding_fingerprint(const struct run *run, const struct finding *finding, char out[17])
{
    const struct candidate *candidate = &finding->candidate;
    uint64_t hash = text_hash(text_of(finding->symptom->id));
    hash = mix(hash, text_hash(text_of(finding->form)));
    hash = mix(hash, text_hash(run->id));
    hash = mix(hash, candidate->series ? text_hash(candidate->series->tag)
                                       : text_hash(candidate->subject));
    if (candidate->message)
        hash = mix(hash, text_hash(text_of(candidate->message->row->id)));
    hash = mix(hash, (uint64_t)candidate->onset.step);
    snprintf(out, 17, "%016" PRIx64, hash);
}

size_t finding_number(const struct diagnosis *diagnosis, const struct finding *finding)
{
    size_t number = 1;
    for (size_t i = 0; i < diagnosis->verdict_count; i++) {
        const struct judgement *judgement = &diagnosis->verdicts[i].judgement;
        const uintptr_t first = (uintptr_t)judgement->findings;
        const size_t at = ((uintptr_t)finding - first) / sizeof(*finding);
        if ((uintptr_t)finding >= first && at < judgement->finding_count)
            return number + at; /* without a walk: there may be as many as series */
        number += judgement->finding_count;
    }
    return 0;
}

struct text source_path(const struct diagnosis *diagnosis, uint32_t input)
{
    if (input == 0 || input > diagnosis->collection->source_count)
        return TEXT("");
    return diagnosis->collection->sources[input - 1].path;
}
