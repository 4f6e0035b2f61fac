/* The name `latest`: the last run that ended well in the current folder. */

#include "base_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char note[] = RUNS_FOLDER "/latest";

void last_run_note(const char *folder) {
    char *whole = realpath(folder, NULL);
    AtomicFile file;
    Status status = folder_make(RUNS_FOLDER);
    if (whole != NULL && status_is_ok(&status)) {
        status = atomic_file_open(&file, note);
        if (status_is_ok(&status)) {
            fprintf(file.stream, "%s\n", whole);
            status = atomic_file_commit(&file);
        }
    }
    free(whole); /* where it cannot be written there is no `latest` */
}

Status last_run_find(const char *name, const char **path) {
    static char found[ATOMIC_FILE_PATH_SIZE];
    *path = name;
    if (strcmp(name, LAST_RUN) != 0 || access(name, F_OK) == 0) {
        return status_ok();
    }
    FILE *stream = fopen(note, "r");
    const bool read = stream != NULL && fgets(found, sizeof found, stream) != NULL;
    if (stream != NULL) {
        fclose(stream);
    }
    found[read ? strcspn(found, "\n") : 0] = '\0';
    if (!read) {
        return status_make(STATUS_FILE,
                           "latest: no run has ended in this folder yet (%s is missing); name the "
                           "folder of a run",
                           note);
    }
    if (!folder_exists(found)) {
        return status_make(STATUS_FILE, "latest: the folder of the last run is gone: %.300s",
                           found);
    }
    *path = found;
    return status_ok();
}
