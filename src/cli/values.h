/* Values of options, checked where they are given. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_CLI_VALUES_H
#define STALLDOC_CLI_VALUES_H

#include "cli/options.h"

bool value_choice(const char *value, const char *option, const char *const *names, size_t *at,
                  struct error *error);
bool value_when(const char *value, const char *option, enum when *when, struct error *error);
bool value_size(const char *value, const char *option, size_t least, size_t most, size_t *size,
                struct error *error);
bool value_bytes(const char *value, const char *option, uint64_t least, uint64_t *bytes,
                 struct error *error); /* 64M, 1G, 4096 */
bool value_step(const char *value, const char *option, int64_t *step, struct error *error);
bool value_share(const char *value, const char *option, double *share, struct error *error);
bool value_list(struct options *options, const char *value, struct words *words,
                struct error *error); /* commas part its words */
bool value_format(struct options *options, const char *value, const char **format,
                  struct error *error);
bool value_report(struct options *options, const char *value, struct error *error);
bool value_type(const char *value, const char **type, struct error *error);
bool value_map(const char *value, struct error *error);
bool value_fact(const char *value, struct error *error);
bool value_severity(struct options *options, const char *value, struct error *error);

#endif
