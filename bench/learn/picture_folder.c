#include "picture_folder.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "datasets.h"
#include "fnv.h"
#include "registry.h"
#include "workload_source.h"

static SizeSpec size_of(const Input *input) {
    const int32_t longest = input->width > input->height ? input->width : input->height;
    const double share =
        longest > PICTURE_FOLDER_SIDE ? (double)PICTURE_FOLDER_SIDE / (double)longest : 1;
    const int32_t width = (int32_t)(input->width * share + 0.5);
    const int32_t height = (int32_t)(input->height * share + 0.5);
    return (SizeSpec){.width = width > 1 ? width : 1, .height = height > 1 ? height : 1};
}

static Status load_all(const InputList *list, PictureFolder *folder) {
    folder->images = calloc(list->count, sizeof *folder->images);
    if (folder->images == NULL) {
        return status_skip("no memory left for %zu pictures", list->count);
    }
    for (size_t i = 0; i < list->count; i++) {
        const SizeSpec size = size_of(&list->inputs[i]);
        Workload workload;
        STATUS_TRY(workload_load(&list->inputs[i], &size, 0, &workload));
        folder->images[folder->count++] = workload.image;
        folder->hash = fnv_bytes(folder->hash, &workload.hash, sizeof workload.hash);
    }
    return status_ok();
}

Status picture_folder_load(const char *path, FILE *notes, PictureFolder *folder) {
    const Algorithm *detector = registry_find_algorithm("fast");
    const RunOptions request = {.algorithm_count = 1, .algorithms = {detector}, .input = path};
    struct stat facts;
    InputList list = {0};
    *folder = (PictureFolder){.hash = FNV_START};
    if (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
        return status_make(STATUS_FILE, "%.200s is no folder; name one that holds pictures", path);
    }
    Status status = inputs_open(&request, notes, &list);
    if (status_is_ok(&status)) {
        status = load_all(&list, folder);
    }
    inputs_release(&list);
    return status;
}

void picture_folder_release(PictureFolder *folder) {
    for (int32_t i = 0; i < folder->count; i++) {
        image_free(&folder->images[i]);
    }
    free(folder->images);
    *folder = (PictureFolder){0};
}
