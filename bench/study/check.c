/* The shape claims of a paper, tested by the numbers measured here. */

#include "claim.h"
#include "document.h"
#include "study_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The claims that the paper's numbers make, which are those that are found if they were measured
 * here; or those about the cells that were measured here, so that like is compared with like. */
static void find_claims(const TableResult *table, bool paper, Document *document,
                        VerdictList *list) {
    TableResult copy = *table;
    copy.values = document_allocate(document, (table->count + 1) * sizeof *copy.values);
    for (size_t i = 0; copy.values != NULL && i < copy.count; i++) {
        StudyValue *value = &copy.values[i];
        *value = table->values[i];
        if (paper) {
            value->measured = value->published;
            value->low = value->high = NAN;
            value->times = times_none();
        } else if (!isfinite(value->measured)) {
            value->published = NAN;
        }
    }
    if (copy.values != NULL) {
        study_verdicts_find(&copy, document, list);
    }
}

/* Whether here and the paper both say something. */
static bool is_compared(const VerdictRow *row) {
    return claim_is_of_shape(row->claim) && row->agreement != AGREEMENT_NONE;
}

/* NULL: there is none. */
static const VerdictRow *find_row(const VerdictList *list, const VerdictRow *wanted) {
    for (size_t i = 0; i < list->count; i++) {
        const VerdictRow *row = &list->items[i];
        if (is_compared(row) && verdict_same_claim(row, wanted)) {
            return row;
        }
    }
    return NULL;
}

/* What was not measured; NULL: everything was. */
static const char *missing_text(const VerdictList *list) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].claim == CLAIM_MISSING) {
            return list->items[i].here.text;
        }
    }
    return NULL;
}

/* Whether what was measured here is enough for the paper's claim: its numbers for the same cells
 * say the same. */
static bool is_whole(const VerdictRow *paper, const VerdictRow *here, const char *missing) {
    if (missing == NULL) {
        return true;
    }
    switch (paper->claim) {
    case CLAIM_FASTEST:
    case CLAIM_CROSSOVER: return paper->paper.says != 0 && paper->paper.says == here->paper.says;
    case CLAIM_TREND: return paper->paper.of == here->paper.of;
    case CLAIM_ORDER:
        /* One pair the other way round is enough. */
        return here->agreement == AGREEMENT_DIFFERS || paper->here.of == here->here.of;
    case CLAIM_RATIO:
    case CLAIM_SLIP:
    case CLAIM_MISSING: break;
    }
    return false;
}

/* "6", "3 to 6"; "" where the numbers of the table rest on none. */
static const char *launches_text(const TableResult *table, Document *document) {
    const LaunchRange range = study_launches(table, SIZE_MAX);
    return range.most == 0 ? ""
           : range.least == range.most
               ? document_text(document, "%zu", range.most)
               : document_text(document, "%zu to %zu", range.least, range.most);
}

static Status add_claim(const VerdictRow *claimed, const VerdictRow *here, const char *missing,
                        const char *launches, Document *document,
                        ClaimList *const lists[CLAIM_SHAPES]) {
    JudgedClaim claim = {.of = study_heading_text(claimed->table->name, document),
                         .text = claimed->label,
                         .claimed = claimed->claim == CLAIM_ORDER ? "all of its pairs"
                                                                  : claimed->paper.text,
                         .key = verdict_claim_key(claimed),
                         .verdict = CLAIM_UNTESTED,
                         .why = missing};
    if (here != NULL) {
        claim.here = here->here.text;
        claim.launches = launches;
    }
    if (here != NULL && is_whole(claimed, here, missing)) {
        claim.verdict = here->agreement == AGREEMENT_SAME      ? CLAIM_HOLDS
                        : here->agreement == AGREEMENT_DIFFERS ? CLAIM_FAILS
                                                               : CLAIM_UNTESTED;
        claim.undecided = claim.verdict == CLAIM_UNTESTED;
        claim.why = claim.undecided ? "what is undecided here may be either" : "";
    }
    return claims_add(lists[claimed->claim], &claim);
}

static Status check_table(const TableResult *table, Document *document,
                          ClaimList *const lists[CLAIM_SHAPES]) {
    VerdictList paper = {0}, here = {0};
    find_claims(table, true, document, &paper);
    find_claims(table, false, document, &here);
    STATUS_TRY(document_status(document));
    const char *missing = missing_text(&here);
    const char *launches = launches_text(table, document);
    for (size_t i = 0; i < paper.count; i++) {
        const VerdictRow *row = find_row(&here, &paper.items[i]);
        /* With nothing missing, what is claimed here instead contradicts it and is added below. */
        if (is_compared(&paper.items[i]) && (row != NULL || missing != NULL)) {
            STATUS_TRY(add_claim(&paper.items[i], row, missing, launches, document, lists));
        }
    }
    for (size_t i = 0; i < here.count; i++) {
        const VerdictRow *row = &here.items[i];
        if (is_compared(row) && row->agreement != AGREEMENT_SAME && find_row(&paper, row) == NULL) {
            STATUS_TRY(add_claim(row, row, NULL, launches, document, lists));
        }
    }
    return status_ok();
}

Status study_claims_sort(const StudyResult *result, ClaimList *const lists[CLAIM_SHAPES]) {
    Document document;
    document_open(&document, result->study->title);
    Status status = status_ok();
    for (size_t i = 0; i < result->study->table_count && status_is_ok(&status); i++) {
        status = check_table(&result->tables[i], &document, lists);
    }
    document_release(&document);
    return status;
}

Status study_claims_judge(const StudyResult *result, ClaimList *list) {
    return study_claims_sort(result, (ClaimList *const[CLAIM_SHAPES]){list, list, list, list});
}

void study_claims_text(const StudyResult *result, const ClaimList *list,
                       char text[CLAIMS_TEXT_SIZE]) {
    if (!study_has_paper(result)) {
        snprintf(text, CLAIMS_TEXT_SIZE, "There is no paper whose claims could be tested");
    } else if (list->count == 0) {
        snprintf(text, CLAIMS_TEXT_SIZE,
                 "The paper prints no numbers whose order or trend could be tested");
    } else {
        claims_text(list, " of the paper", text);
        text[0] = text[0] == 'n' ? 'N' : text[0]; /* "no claim of the paper was tested" */
    }
}
