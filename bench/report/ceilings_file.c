#include "ceilings_file.h"

#include <string.h>

#include "ceilings_json.h"
#include "ceilings_print.h"
#include "json_file.h"

/* Of the measurement, too: ceilings of an earlier way of measuring are of no use. */
static const double file_version = 1;
enum { FILE_SIZE_MAX = 1 << 20 };

/* --- Contradictions --------------------------------------------------------------------------- */

/* Threads that share what one can use up alone get a little less; a core that is clocked higher for
 * all threads than for one, or a last level that is hardly faster than streaming past it, a little
 * more. Beyond these shares something else was running. */
static const double least_of_one = 0.8;
static const double most_of_share = 1.5;
static const double most_of_nearer = 1.5;

enum { CEILING_TEXT_SIZE = 48 };

static bool several_contradict_one(const Ceiling *several, const Ceiling *one, char *why,
                                   size_t size) {
    const bool below = several->value < least_of_one * one->value;
    const bool above = several->value > most_of_share * several->threads * one->value;
    char left[CEILING_TEXT_SIZE];
    char right[CEILING_TEXT_SIZE];
    if (!below && !above) {
        return false;
    }
    ceiling_text(several, left, sizeof left);
    ceiling_text(one, right, sizeof right);
    snprintf(why, size, "%s is %s on %d threads and %s on one", several->key, left,
             several->threads, right);
    return true;
}

/* The levels of memory, the nearest first. */
static const char *const levels[] = {"copy_l1", "copy_l2", "copy_llc", "copy_dram"};
enum { LEVELS = sizeof levels / sizeof levels[0] };

static bool is_above_nearer(const Ceilings *ceilings, const Ceiling *ceiling, char *why,
                            size_t size) {
    for (size_t i = 0; i < LEVELS && strcmp(ceiling->key, levels[i]) != 0; i++) {
        const Ceiling *nearer = ceilings_find(ceilings, levels[i], ceiling->threads);
        if (strncmp(ceiling->key, "copy_", 5) == 0 && nearer != NULL &&
            ceiling->value > most_of_nearer * nearer->value) {
            char left[CEILING_TEXT_SIZE];
            char right[CEILING_TEXT_SIZE];
            ceiling_text(ceiling, left, sizeof left);
            ceiling_text(nearer, right, sizeof right);
            snprintf(why, size, "%s is %s and %s %s", ceiling->key, left, nearer->key, right);
            return true;
        }
    }
    return false;
}

bool ceilings_contradict(const Ceilings *ceilings, char *why, size_t size) {
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        const Ceiling *one = ceilings_find(ceilings, ceiling->key, 1);
        if (ceiling->threads > 1 && one != NULL &&
            several_contradict_one(ceiling, one, why, size)) {
            return true;
        }
        if (is_above_nearer(ceilings, ceiling, why, size)) {
            return true;
        }
    }
    return false;
}

/* --- The file --------------------------------------------------------------------------------- */

Status ceilings_file_write(const char *path, const char *identity, int64_t measured,
                           const Ceilings *ceilings) {
    cJSON *root = cJSON_CreateObject();
    const bool complete =
        root != NULL && cJSON_AddNumberToObject(root, "version", file_version) != NULL &&
        cJSON_AddStringToObject(root, "identity", identity) != NULL &&
        cJSON_AddNumberToObject(root, "measured_unix_s", (double)measured) != NULL &&
        ceilings_json_add(root, ceilings);
    if (!complete) {
        cJSON_Delete(root);
        root = NULL;
    }
    return json_file_write(path, root);
}

/* What is wrong with a document; NULL: nothing. */
static const char *document_fault(const cJSON *root, const char *identity, int64_t earliest,
                                  int64_t latest, Ceilings *ceilings) {
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "version");
    const cJSON *measured = cJSON_GetObjectItemCaseSensitive(root, "measured_unix_s");
    const char *stored = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "identity"));
    if (!cJSON_IsNumber(version) || version->valuedouble != file_version) {
        return "is of another version";
    }
    if (stored == NULL || strcmp(stored, identity) != 0) {
        return "is of another machine or build";
    }
    if (!cJSON_IsNumber(measured) || !(measured->valuedouble >= (double)earliest) ||
        !(measured->valuedouble <= (double)latest)) {
        return "is too old";
    }
    if (!ceilings_json_read(root, ceilings) || ceilings->count == 0) {
        return "has no valid list of ceilings";
    }
    return NULL;
}

Status ceilings_file_read(const char *path, const char *identity, int64_t earliest, int64_t latest,
                          Ceilings *ceilings) {
    cJSON *root = NULL;
    char why[STATUS_WHY_SIZE];
    *ceilings = (Ceilings){.count = 0};
    STATUS_TRY(json_file_read(path, "a file of ceilings", FILE_SIZE_MAX, &root));
    const char *fault = document_fault(root, identity, earliest, latest, ceilings);
    cJSON_Delete(root);
    if (fault == NULL && ceilings_contradict(ceilings, why, sizeof why)) {
        fault = "contradicts itself";
    }
    if (fault != NULL) {
        *ceilings = (Ceilings){.count = 0};
        return status_make(STATUS_FILE, "%s %s", path, fault);
    }
    return status_ok();
}
