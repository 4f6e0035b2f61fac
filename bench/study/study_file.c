#include "study_file.h"

#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "owned_memory.h"
#include "study_parse.h"
#include "study_text.h"

Status study_file_read(const char *folder, Study *study) {
    char path[ATOMIC_FILE_PATH_SIZE];
    char *text;
    size_t length;
    *study = (Study){.name = NULL};
    if (snprintf(path, sizeof path, "%s/study.txt", folder) >= (int)sizeof path) {
        return status_make(STATUS_FILE, "%.64s…: the path is too long", folder);
    }
    STATUS_TRY(study_text_read(path, &text, &length));
    Status status = study_parse(path, text, length, study);
    free(text);
    if (!status_is_ok(&status)) {
        return status;
    }
    const size_t size = strlen(folder) + 1;
    char *kept = owned_take(&study->memory, size);
    if (kept == NULL) {
        study_release(study);
        return status_skip("no memory left for a study");
    }
    memcpy(kept, folder, size);
    study->folder = kept;
    return status;
}
