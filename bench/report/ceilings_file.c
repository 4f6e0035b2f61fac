#include "ceilings_file.h"

#include <string.h>

#include "ceilings_json.h"
#include "json_file.h"

/* Of the measurement, too: ceilings of an earlier way of measuring are of no use. */
static const double file_version = 1;
enum { FILE_SIZE_MAX = 1 << 20 };

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
    *ceilings = (Ceilings){.count = 0};
    STATUS_TRY(json_file_read(path, "a file of ceilings", FILE_SIZE_MAX, &root));
    const char *fault = document_fault(root, identity, earliest, latest, ceilings);
    cJSON_Delete(root);
    if (fault != NULL) {
        *ceilings = (Ceilings){.count = 0};
        return status_make(STATUS_FILE, "%s %s", path, fault);
    }
    return status_ok();
}
