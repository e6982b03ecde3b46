/* posterior: of a variational autoencoder the divergence from the prior falls to nothing. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { LEFT, MOST, BESIDE, LATER };
static const struct parameter parameters[] = {
    [LEFT] = {"left", "share", 0, 1, 0.02, "of the largest of its first readings, at the end"},
    [MOST] = {"most", "nats", 0, 1e300, 0.1, "at the end"},
    [BESIDE] = {"beside", "ratio", 1, 1e9, 10, "of the reconstruction over it, at the end"},
    [LATER] = {"later", "readings", 1, 1e6, 8, "that the log holds"},
};
static const char *const values[] = {"first", "end", "rest", "points", NULL};

static const char *const divergences[] = {"kl",    "kld",     "kl_loss", "kld_loss", "kl_div",
                                          "kldiv", "kl_term", "klloss",  "loss_kl",  NULL};
static const char *const rests[] = {"rec",         "recon",          "recons",   "recon_loss",
                                    "rec_loss",    "reconstruction", "elbo",     "nelbo",
                                    "recons_loss", "loss_recon",     "loss_rec", "reconstruct",
                                    NULL};

/* Of policies and teachers, which have to stay near. */
static const char *const others[] = {"approx",  "ref",     "policy",  "old",
                                     "teacher", "distill", "student", NULL};

/* What is reconstructed beside it, in the same phase: where it ends; NAN: nothing is. */
static double rest_beside(const struct use *use, const struct series *own)
{
    for (size_t i = 0; i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        if (series != own && series->speaks && series->phase == own->phase &&
            tag_has(series->tag, rests) && !tag_has(series->tag, divergences))
            return fabs(tail_level(&series->segments[use->segment]));
    }
    return (double)NAN;
}

static bool look(const struct use *use, const struct series *series, struct candidate *candidate)
{
    enum { HEAD = 3 };
    const double *p = use->parameters;
    const struct track *track = &series->segments[use->segment];
    double first = 0;
    if (!series->speaks || !tag_has(series->tag, divergences) || tag_has(series->tag, others) ||
        track->low.value < 0 || (double)track->points < p[LATER])
        return false;
    for (size_t i = 0; i < track->head_count && i < HEAD; i++)
        first = isfinite(track->head[i].value) ? fmax(first, track->head[i].value) : first;
    const double end = tail_level(track), rest = rest_beside(use, series);
    /* It may come up again once its weight is annealed: what is as small as ever counts. */
    if (!(end <= p[MOST]) || !(end <= p[LEFT] * first) || !(rest >= p[BESIDE] * end) || !(rest > 0))
        return false;
    *candidate = candidate_at(use, 0, track->low);
    candidate->series = series;
    candidate->subject = series->tag;
    value_add(candidate, "first", first);
    value_add(candidate, "end", end);
    value_add(candidate, "rest", rest);
    value_add(candidate, "points", (double)track->points);
    evidence_add(candidate, series, track->last_finite, "the last reading");
    return true;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    for (size_t i = 0; i < use->run->series_count; i++) {
        struct candidate candidate;
        if (look(use, &use->run->series[i], &candidate))
            return candidates_add(candidates, &candidate, error);
    }
    return true;
}

const struct detector detector_posterior = {
    .name = "posterior",
    .about = "of a variational autoencoder the divergence from the prior falls to nothing",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
