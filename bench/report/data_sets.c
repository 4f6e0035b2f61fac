/* The open data that datasets/fetch downloads, as its manifest names them. */

#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "paths.h"

/* The text of the manifest; NULL when it is not there. Free it. */
static char *read_manifest(void) {
    static const DataFolder data = {
        .installed = "datasets", .source = "datasets", .holds = "manifest", .what = "the data"};
    char folder[DATA_FOLDER_PATH_SIZE], path[ATOMIC_FILE_PATH_SIZE];
    char *text = NULL;
    size_t length;
    Status status = data_folder_find(&data, folder, sizeof folder);
    STATUS_THEN(status, path_in(folder, "manifest", path, sizeof path));
    STATUS_THEN(status, file_text_read(path, "a manifest", SIZE_MAX, &text, &length));
    return status_is_ok(&status) ? text : NULL;
}

bool data_set_find(const char *file, DataSet *set) {
    char *manifest = read_manifest();
    bool found = false;
    for (const char *at = manifest; at != NULL && *at != '\0' && !found;) {
        const char *end = strchr(at, '\n');
        found = *at != '#' &&
                sscanf(at, "%127s %79s %23s %47s", set->name, set->hash, set->bytes,
                       set->licence) == 4 &&
                strcmp(path_name(set->name), file) == 0;
        at = end != NULL ? end + 1 : NULL;
    }
    free(manifest);
    return found;
}
