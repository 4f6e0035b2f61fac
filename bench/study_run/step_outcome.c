#include "step_outcome.h"

#include <string.h>

#include "json_file.h"

enum { FILE_SIZE_MAX = 1 << 20 };

static const char *const state_names[] = {[STEP_DONE] = "done",
                                          [STEP_LEFT_OUT] = "left-out",
                                          [STEP_FAILED] = "failed",
                                          [STEP_NOT_RUN] = "not-run"};
enum { STATES = sizeof state_names / sizeof state_names[0] };

Status step_outcome_write(const char *path, const StepOutcome *outcome) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "state", state_names[outcome->state]);
    cJSON_AddNumberToObject(root, "code", outcome->code);
    cJSON_AddStringToObject(root, "command", outcome->command);
    cJSON_AddBoolToObject(root, "stand_in", outcome->stand_in);
    if (outcome->elapsed_s > 0) {
        cJSON_AddNumberToObject(root, "elapsed_s", outcome->elapsed_s);
    }
    cJSON_AddStringToObject(root, "why", outcome->why);
    return json_file_write(path, root);
}

static bool read_state(const cJSON *root, StepState *state) {
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(root, "state"));
    for (int i = 0; name != NULL && i < STATES; i++) {
        if (strcmp(name, state_names[i]) == 0) {
            *state = (StepState)i;
            return true;
        }
    }
    return false;
}

Status step_outcome_read(const char *path, StepOutcome *outcome) {
    cJSON *root;
    STATUS_TRY(json_file_read(path, "the outcome of a step", FILE_SIZE_MAX, &root));
    const cJSON *code = cJSON_GetObjectItem(root, "code");
    const bool whole = read_state(root, &outcome->state) && cJSON_IsNumber(code) &&
                       json_copy_text(root, "command", outcome->command, sizeof outcome->command) &&
                       json_copy_text(root, "why", outcome->why, sizeof outcome->why);
    outcome->code = whole ? code->valueint : 0;
    outcome->stand_in = cJSON_IsTrue(cJSON_GetObjectItem(root, "stand_in"));
    const cJSON *elapsed = cJSON_GetObjectItem(root, "elapsed_s");
    outcome->elapsed_s =
        cJSON_IsNumber(elapsed) && elapsed->valuedouble > 0 ? elapsed->valuedouble : 0;
    cJSON_Delete(root);
    return whole ? status_ok()
                 : status_make(STATUS_FILE, "%.200s: is no outcome of a step; run the step again",
                               path);
}
