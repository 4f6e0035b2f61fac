/* Fuzzes models_read and models_select: what is taken has the shape that the classifier relies on,
 * what is not has a reason. */
#include <string.h>

#include "fuzz_input.h"
#include "textures_internal.h"

static void check_class(const Models *models, size_t index) {
    require(models->names[index][0] != '\0');
    require(models_find(models, models->names[index]) == index);
    for (size_t i = 0; i < models->scales.count; i++) {
        const Scale *scale = &models->scales.list[i];
        const uint64_t *counts = model_histograms(models, index) + scale->offset;
        uint64_t sum = 0;
        for (size_t bin = 0; bin < scale->bins; bin++) {
            require(counts[bin] <= UINT64_C(1000000000000000));
            sum += counts[bin];
        }
        require(sum > 0);
    }
}

static void check_scales(const Scales *scales) {
    size_t bins = 0;
    require(scales->count >= 1 && scales->count <= SCALES_MAX && scales->interp[0] != '\0');
    for (size_t i = 0; i < scales->count; i++) {
        require(scales->list[i].bins >= 1 && scales->list[i].offset == bins);
        bins += scales->list[i].bins;
    }
    require(scales->bins == bins);
}

/* One scale that some inputs have. */
static void check_selection(const char *path, Models *models) {
    const Scales wanted = {
        .count = 1, .bins = 10, .interp = "bilinear", .list = {{.pr = "8:1", .bins = 10}}};
    const size_t count = models->count;
    const Status status = models_select(path, &wanted, models);
    require(models->count == count);
    if (status_is_ok(&status)) {
        require(models->scales.count == 1 && models->scales.bins == 10);
        for (size_t i = 0; i < count; i++) {
            check_class(models, i);
        }
    } else {
        require(status.code == STATUS_USAGE);
        require_reason(&status);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const char *path = fuzz_input_file(bytes, size);
    Models models;
    const Status status = models_read(path, &models);
    if (!status_is_ok(&status)) {
        require(status.code == STATUS_FILE);
        require_reason(&status);
        require(models.count == 0 && models.names == NULL && models.histograms == NULL);
        return 0;
    }
    require(models.count >= 1);
    check_scales(&models.scales);
    for (size_t i = 0; i < models.count; i++) {
        check_class(&models, i);
    }
    check_selection(path, &models);
    models_release(&models);
    return 0;
}
