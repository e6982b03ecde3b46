/* The words of the contract for what a run is made of. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/run.h"

const char *scope_name(enum scope scope)
{
    return scope == SCOPE_TOTAL ? "total" : "part";
}

const char *basis_name(enum basis basis)
{
    static const char *const names[] = {
        [BASIS_STEP] = "step",
        [BASIS_EPOCH_MEAN] = "epoch-mean",
        [BASIS_RUNNING_MEAN] = "running-mean",
        [BASIS_EVALUATION] = "evaluation",
        [BASIS_ESTIMATED] = "estimated",
    };
    return names[basis];
}

const char *input_status_name(enum input_status status)
{
    static const char *const names[] = {
        [STATUS_OK] = "ok",
        [STATUS_PARTIAL] = "partial",
        [STATUS_DAMAGED] = "damaged",
        [STATUS_UNSUPPORTED] = "unsupported",
        [STATUS_UNREADABLE] = "unreadable",
        [STATUS_UNRECOGNISED] = "unrecognised",
        [STATUS_SKIPPED] = "skipped",
    };
    return names[status];
}

const char *fact_source_name(enum fact_source source)
{
    static const char *const names[] = {
        [FACT_OPTION] = "option",   [FACT_MARK] = "mark",       [FACT_CONFIG] = "config",
        [FACT_LOG] = "log",         [FACT_MESSAGE] = "message", [FACT_CHECKPOINT] = "checkpoint",
        [FACT_ASSUMED] = "assumed",
    };
    return names[source];
}

const char *run_end_name(enum run_end end)
{
    static const char *const names[] = {
        [END_UNKNOWN] = "unknown", [END_FINISHED] = "finished", [END_CRASHED] = "crashed",
        [END_KILLED] = "killed",   [END_HUNG] = "hung",         [END_RUNNING] = "running",
    };
    return names[end];
}
