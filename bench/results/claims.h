/* Claims of a stored run, judged by another one. */

#ifndef BENCH_RESULTS_CLAIMS_H
#define BENCH_RESULTS_CLAIMS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "claim.h"
#include "exit_code.h"
#include "row.h"
#include "status.h"
#include "two_runs.h"

typedef struct DocTable DocTable; /* table.h */
typedef struct Results Results;   /* results.h */

/* What a run, or a paper, says by its numbers, and whether another measurement says the same. */

typedef struct JudgedClaim {
    const char *of;       /* "lbp, meadow.jpg"; "Table 1" */
    const char *place;    /* "4K"; may be empty, as the texts below */
    const char *text;     /* "cuda_fast over the best CPU, kernel time" */
    const char *claimed;  /* "36.7× faster (36.2 to 37.1)" */
    uint64_t key;         /* which of the claims it is; 0: it was not asked for */
    const Row *row;       /* of a speedup or a crossover over the best CPU; else NULL */
    TimeKind kind;        /* of that */
    double factor;        /* of a speedup that is decided; 0: it is none, or undecided */
    const char *here;     /* the same as measured here */
    const char *why;      /* of another verdict than CLAIM_HOLDS, or what that does not show */
    const char *launches; /* that `here` rests on: "3 to 6"; empty: not told */
    ClaimVerdict verdict;
    bool undecided; /* CLAIM_UNTESTED, and more launches may test it */
} JudgedClaim;

/* Starts zeroed. */
typedef struct ClaimList {
    JudgedClaim *items;
    size_t count, capacity;
    size_t verdicts[CLAIM_VERDICTS]; /* claims of each */
    size_t undecided;                /* of CLAIM_UNTESTED */
    Detectable detectable;           /* of the factors that are not shown to have changed */
    void *memory;                    /* what owns the texts */
} ClaimList;

/* Appends a copy; NULL is an empty text. STATUS_SKIP without memory. */
Status claims_add(ClaimList *list, const JudgedClaim *claim);
void claims_release(ClaimList *list);

/* Those that cannot be tested for another reason than that they are undecided. */
size_t claims_untested(const ClaimList *list);

/* EXIT_REGRESSION when a claim does not hold, EXIT_NO_SAMPLE when none could be tested. */
ExitCode claims_exit_code(const ClaimList *list);

enum { CLAIMS_TEXT_SIZE = 200 };

/* "5 of 7 tested claims hold here, 2 do not; 1 more is undecided; 12 more cannot be tested here".
 * `whose`: behind the word claims, with a blank before it, such as " of the paper". */
void claims_text(const ClaimList *list, const char *whose, char text[CLAIMS_TEXT_SIZE]);

/* Prints a table of all claims with `write`, then those that do not hold, the reasons why others
 * cannot be tested, and a closing line with the counts. STATUS_SKIP without memory. */
Status claims_print(FILE *stream, const ClaimList *list,
                    void (*write)(FILE *stream, const DocTable *table));

/* Adds the list "claims" and the counts. False without memory. */
bool claims_json_add(cJSON *object, const ClaimList *list);

/*
 * The claims of a stored run, each with what another run says about it:
 *
 * Speedup: of each variant at its fastest tuning over the best CPU cell of the same question
 * (algorithm, input, size, answer point, mode), by kernel time; of a device also end to end.
 * Crossover: of each device variant against the best CPU: its sides over the sizes. Order: of
 * neighbours in the order of kernel times, where the interval of their ratio excludes 1.
 *
 * On the same machine a speedup holds or fails by claim_of_number; on another one, where speedups
 * differ lawfully, it holds if the same side is ahead. Orders and crossovers are about sides on any
 * machine; on another one a crossover may lie elsewhere.
 */

typedef struct RunClaims {
    const Results *claimed;
    const Results *here; /* NULL: nothing is measured; claims are CLAIM_OPEN or CLAIM_UNTESTED */
    bool same_machine;
    /* Whether claims about this row of `claimed` are asked for; NULL: all are. */
    bool (*wanted)(void *context, const Row *row);
    /* Why this row's cell cannot be measured here; NULL: it can. May be NULL. */
    const char *(*missing)(void *context, const Row *row);
    void *context;
} RunClaims;

/* STATUS_SKIP without memory. */
Status run_claims_judge(const RunClaims *claims, ClaimList *list);

#endif
