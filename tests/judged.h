/* A run of our own making, judged by the embedded rules. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_JUDGED_H
#define TEST_JUDGED_H

#include "stalldoc/rule.h"
#include "used.h"

static struct arena judged_arena;
static const struct rules *judged_rules;
static struct judgement judged_judgement;

static inline void judged_load(void)
{
    struct error error = {0};
    if (!judged_rules)
        judged_rules = rules_load(&judged_arena, NULL, &error);
    if (!judged_rules)
        fprintf(stderr, "%s\n", error.message);
}

/* One fixed text in the run, by the name of its row. */
static inline void judged_message(struct used *used, const char *id, uint64_t line)
{
    static struct message message;
    judged_load();
    for (size_t i = 0; judged_rules && i < judged_rules->messages->row_count; i++)
        if (strcmp(judged_rules->messages->rows[i].id, id) == 0)
            message = (struct message){
                .row = &judged_rules->messages->rows[i],
                .count = 1,
                .place = {.input = 1, .line = line, .offset = line * 100},
                .last_place = {.input = 1, .line = line, .offset = line * 100},
                .line = text_of(id),
                .step = STEP_NONE,
                .last_step = STEP_NONE,
                .time = (double)NAN,
                .rank = -1,
            };
    used->run.messages = &message;
    used->run.message_count = message.row ? 1 : 0;
}

/* The finding of a symptom, absorbed or not; NULL: none. */
static inline const struct finding *judged(struct used *used, const char *id)
{
    struct error error = {0};
    judged_load();
    const struct detect_options options = {.min_confidence = 0};
    if (!judged_rules ||
        !judge(&used->run, judged_rules, &options, &used->arena, &judged_judgement, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return NULL;
    }
    for (size_t i = 0; i < judged_judgement.finding_count; i++)
        if (strcmp(judged_judgement.findings[i].symptom->id, id) == 0)
            return &judged_judgement.findings[i];
    return NULL;
}

static inline bool judged_alarm(struct used *used, const char *id)
{
    const struct finding *finding = judged(used, id);
    return finding && finding->severity >= SEVERITY_WARNING;
}

#endif
