#include "study_record.h"

#include <stdio.h>

#include "folder.h"
#include "json_file.h"

enum { FILE_SIZE_MAX = 1 << 20 };

static Status record_path(const char *out, char *path, size_t size) {
    return snprintf(path, size, "%s/study.json", out) < (int)size
               ? status_ok()
               : status_make(STATUS_FILE, "%.64s…: the path is too long", out);
}

Status study_record_write(const char *study, const StudySettings *settings) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(record_path(settings->out, path, sizeof path));
    STATUS_TRY(folder_make_for(path));
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "study", study);
    cJSON_AddBoolToObject(root, "quick", settings->quick);
    cJSON_AddStringToObject(root, "device", settings->device);
    cJSON_AddStringToObject(root, "data", settings->data);
    return json_file_write(path, root);
}

Status study_record_read(const char *out, StudyRecord *record) {
    char path[ATOMIC_FILE_PATH_SIZE];
    cJSON *root;
    *record = (StudyRecord){.quick = false};
    STATUS_TRY(record_path(out, path, sizeof path));
    STATUS_TRY(json_file_read(path, "the record of a study", FILE_SIZE_MAX, &root));
    const bool whole = json_copy_text(root, "study", record->study, sizeof record->study) &&
                       json_copy_text(root, "device", record->device, sizeof record->device) &&
                       json_copy_text(root, "data", record->data, sizeof record->data);
    record->quick = cJSON_IsTrue(cJSON_GetObjectItem(root, "quick"));
    cJSON_Delete(root);
    return whole ? status_ok()
                 : status_make(STATUS_FILE, "%.200s: is not what a study left; run it again", path);
}
