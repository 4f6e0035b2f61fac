/* The tables of a module, taken over into the program's own, whatever release's headers the module
 * was built with, and checked: the rest of the program can rely on them. */

#include "base_internal.h"
#include "modules.h"

#include <string.h>

#include "registry.h"

enum { STRUCT_BYTES_LEAST = 16, STRUCT_BYTES_MOST = 4096 };

/* === Structures of any release ================================================================ */

Status module_struct_take(const void *theirs, const char *what, const char *type, void *ours,
                          size_t size) {
    uint32_t bytes;
    if (theirs == NULL) {
        return status_make(STATUS_USAGE, "%s is not there", what);
    }
    memcpy(&bytes, theirs, sizeof bytes);
    if (bytes < STRUCT_BYTES_LEAST || bytes > STRUCT_BYTES_MOST || bytes % sizeof(void *) != 0) {
        return status_make(STATUS_USAGE,
                           "%s has a wrong number of bytes, %u; its struct_bytes is sizeof(%s)",
                           what, (unsigned)bytes, type);
    }
    for (size_t i = size; i < bytes; i++) {
        if (((const unsigned char *)theirs)[i] != 0) {
            return status_make(STATUS_NO_MATCH,
                               "%s has members that the headers of this bench, " BENCH_HEADERS
                               ", do not have",
                               what);
        }
    }
    const uint32_t known = (uint32_t)size;
    memset(ours, 0, size);
    memcpy(ours, theirs, bytes < size ? bytes : size);
    memcpy(ours, &known, sizeof known);
    return status_ok();
}

static Status unknown_kind(const char *what, const char *name, unsigned kind) {
    return status_make(STATUS_NO_MATCH,
                       "%s '%.60s' is of kind %u, which the headers of this bench, " BENCH_HEADERS
                       ", do not have",
                       what, name, kind);
}

/* === Names ==================================================================================== */

/* Names are options, words of lists, and parts of file names. */
static bool is_name(const char *name, const char *also) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    if (name == NULL || strchr(letters, name[0]) == NULL || strlen(name) > MODULE_NAME_MAX ||
        strcmp(name, "all") == 0) {
        return false;
    }
    for (const char *c = name; *c != '\0'; c++) {
        if (strchr(letters, *c) == NULL && (*c < '0' || *c > '9') && strchr(also, *c) == NULL) {
            return false;
        }
    }
    return name[0] != '\0';
}

bool module_name_is_valid(const char *name) {
    return is_name(name, "_");
}

/* === Axes ===================================================================================== */

/* Whether a variant of this program's has such a tuning axis, or an algorithm such an answer axis.
 */
static bool axis_has_role(const char *name, bool answer) {
    for (size_t a = 0; a < registry_algorithm_count(); a++) {
        const Algorithm *algorithm = registry_algorithm(a);
        if (answer && axis_in_list(algorithm->answer, name) != NULL) {
            return true;
        }
        for (size_t v = 0; !answer && v < registry_variant_count(algorithm); v++) {
            if (axis_in_list(registry_variant(algorithm, v)->tuning, name) != NULL) {
                return true;
            }
        }
    }
    return false;
}

static Status check_axis(const Axis *axis, bool answer, bool (*is_option)(const char *name)) {
    if (!is_name(axis->name, "-") || axis->help == NULL || axis->defaults == NULL) {
        return status_make(STATUS_USAGE, "an axis has no name of small letters, no help or no "
                                         "default values");
    }
    if ((unsigned)axis->kind > AXIS_TEXT) {
        return unknown_kind("its axis", axis->name, (unsigned)axis->kind);
    }
    if (is_option != NULL && is_option(axis->name)) {
        return status_make(STATUS_USAGE, "--%s is an option already; name the axis otherwise",
                           axis->name);
    }
    if (axis_has_role(axis->name, !answer)) {
        return status_make(STATUS_USAGE, "--%s is %s axis of another algorithm", axis->name,
                           answer ? "a tuning" : "an answer");
    }
    return status_ok();
}

/* The program's copy of an axis, one for all lists that the axis is in. */
static Status take_axis(ModuleTables *tables, const Axis *theirs, const Axis **ours) {
    size_t i = 0;
    while (i < tables->axis_count && tables->axes[i].theirs != theirs) {
        i++;
    }
    if (i == MODULE_AXES_MAX) {
        return status_make(STATUS_USAGE, "it has more than %d different axes", MODULE_AXES_MAX);
    }
    if (i == tables->axis_count) {
        STATUS_TRY(
            module_struct_take(theirs, "an axis", "Axis", &tables->axes[i].ours, sizeof(Axis)));
        tables->axes[tables->axis_count++].theirs = theirs;
    }
    *ours = &tables->axes[i].ours;
    return status_ok();
}

/* Replaces a list of the module's axes by one of the program's. */
static Status take_axes(ModuleTables *tables, bool answer, bool (*is_option)(const char *name),
                        const Axis *const **axes) {
    const Axis **list = tables->lists[tables->list_count++];
    for (size_t i = 0; *axes != NULL && (*axes)[i] != NULL; i++) {
        if (i == POINT_AXES_MAX) {
            return status_make(STATUS_USAGE, "it has more than %d axes", POINT_AXES_MAX);
        }
        STATUS_TRY(take_axis(tables, (*axes)[i], &list[i]));
        STATUS_TRY(check_axis(list[i], answer, is_option));
    }
    *axes = *axes != NULL ? list : NULL;
    return status_ok();
}

/* === Variants ================================================================================= */

static Status built_without_cuda(void) {
    return status_skip("the module was built without CUDA");
}

/* Takes the program's backend for the module's. */
static Status check_variant(const BenchModule *module, Variant *variant) {
    if (!is_name(variant->name, "_") || variant->summary == NULL) {
        return status_make(STATUS_USAGE, "a variant has no name of small letters or no summary");
    }
    const bool cuda = variant->backend == module->cuda_backend;
    if (!cuda && variant->backend != module->cpu_backend) {
        return status_make(STATUS_USAGE, "variant '%s' has no backend", variant->name);
    }
    variant->backend = cuda ? &cuda_backend : &cpu_backend;
    const bool absent = cuda && module->cuda_runtime == 0; /* not compiled in */
    if (absent) {
        variant->available = built_without_cuda;
    }
    if (!absent && (variant->open == NULL || variant->run == NULL || variant->close == NULL ||
                    (cuda && variant->download == NULL))) {
        return status_make(STATUS_USAGE, "variant '%s' lacks a function", variant->name);
    }
    return status_ok();
}

/* It is compared with, and its version is asked for. */
static Status take_peer(const Peer **peer, Peer *ours) {
    if (*peer == NULL) {
        return status_ok();
    }
    STATUS_TRY(module_struct_take(*peer, "what a variant calls", "Peer", ours, sizeof *ours));
    *peer = ours;
    return ours->library != NULL && ours->agreement >= 0 && ours->agreement <= 1
               ? status_ok()
               : status_make(STATUS_USAGE, "a peer has no library, or an agreement beyond 0 to 1");
}

/* The rows lie as far apart as the first one says. */
static Status take_rows(const BenchModule *module, const VariantTable *table,
                        bool (*is_option)(const char *name), ModuleTables *tables, Variant *rows) {
    const unsigned char *row = (const unsigned char *)table->rows;
    for (size_t i = 0; i < table->count; i++) {
        char what[48];
        uint32_t bytes = 0;
        snprintf(what, sizeof what, "row %zu of its variants", i + 1);
        memcpy(&bytes, row, sizeof bytes);
        if (bytes != table->rows->struct_bytes) {
            return status_make(STATUS_USAGE, "%s has another number of bytes than the first", what);
        }
        STATUS_TRY(module_struct_take(row, what, "Variant", &rows[i], sizeof rows[i]));
        STATUS_TRY(check_variant(module, &rows[i]));
        STATUS_TRY(take_peer(&rows[i].peer, &tables->peers[&rows[i] - tables->rows]));
        STATUS_TRY(take_axes(tables, false, is_option, &rows[i].tuning));
        row += bytes;
    }
    return status_ok();
}

/* === The algorithm ============================================================================ */

static Status check_algorithm(const Algorithm *algorithm, size_t cuda) {
    if (!is_name(algorithm->name, "_")) {
        return status_make(STATUS_USAGE, "its algorithm has no name of small letters");
    }
    if (registry_find_algorithm(algorithm->name) != NULL) {
        return status_make(STATUS_USAGE, "the name '%s' is taken; give the algorithm another one",
                           algorithm->name);
    }
    if (algorithm->summary == NULL || algorithm->item == NULL || algorithm->output_layout == NULL ||
        algorithm->cost == NULL || algorithm->cpu.count == 0) {
        return status_make(STATUS_USAGE, "its algorithm lacks a summary, an item, output_layout, "
                                         "cost, or a CPU variant");
    }
    if ((unsigned)algorithm->input > WORKLOAD_DESCRIPTORS) {
        return unknown_kind("the input of", algorithm->name, (unsigned)algorithm->input);
    }
    if (!output_kind_is_element(algorithm->element)) {
        return unknown_kind("the element of", algorithm->name, (unsigned)algorithm->element);
    }
    if (algorithm->input != WORKLOAD_IMAGE &&
        (algorithm->element != OUTPUT_IMAGE_U8 || algorithm->pair)) {
        return status_make(STATUS_USAGE,
                           "the algorithm '%s' takes no single images, whose type or "
                           "number it says",
                           algorithm->name);
    }
    if (algorithm->cpu.count > MODULE_VARIANTS_MAX ||
        cuda > MODULE_VARIANTS_MAX - algorithm->cpu.count) {
        return status_make(STATUS_USAGE, "it has more than %d variants", MODULE_VARIANTS_MAX);
    }
    return status_ok();
}

/* The first algorithm with a kind of weights of this name; NULL: there is none. */
static const Algorithm *algorithm_with_kind(const char *name) {
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        const WeightsKind *known = registry_algorithm(i)->weights;
        if (known != NULL && strcmp(known->name, name) == 0) {
            return registry_algorithm(i);
        }
    }
    return NULL;
}

static size_t count_kinds(void) {
    size_t count = 0;
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        const Algorithm *algorithm = registry_algorithm(i);
        count += algorithm->weights != NULL &&
                 algorithm_with_kind(algorithm->weights->name) == algorithm;
    }
    return count;
}

static Status take_weights(const WeightsKind **weights, WeightsKind *ours) {
    if (*weights == NULL) {
        return status_ok();
    }
    STATUS_TRY(
        module_struct_take(*weights, "its kind of weights", "WeightsKind", ours, sizeof *ours));
    if (!is_name(ours->name, "_") || strlen(ours->name) >= WEIGHTS_KIND_SIZE) {
        return status_make(STATUS_USAGE,
                           "its kind of weights has no name of at most %d small letters",
                           WEIGHTS_KIND_SIZE - 1);
    }
    if (ours->columns < 1 || ours->columns > WEIGHTS_COLUMNS_MAX) {
        return status_make(STATUS_USAGE, "its weights '%s' have %d columns; 1 to %d would be right",
                           ours->name, (int)ours->columns, WEIGHTS_COLUMNS_MAX);
    }
    const Algorithm *other = algorithm_with_kind(ours->name);
    if (other != NULL && other->weights->columns != ours->columns) {
        return status_make(STATUS_USAGE,
                           "weights of the kind '%s' are there with other columns; name the kind "
                           "otherwise",
                           ours->name);
    }
    if (other == NULL && count_kinds() == WEIGHTS_KINDS_MAX) {
        return status_make(STATUS_USAGE,
                           "its weights '%s' are of one kind too many: there is room for %d; load "
                           "fewer modules",
                           ours->name, WEIGHTS_KINDS_MAX);
    }
    *weights = ours;
    return status_ok();
}

/* Numbers are compared with these: none is negative, or no number. */
static Status take_tolerance(const Tolerance **tolerance, Tolerance *ours) {
    if (*tolerance == NULL) {
        return status_ok();
    }
    STATUS_TRY(module_struct_take(*tolerance, "its tolerance", "Tolerance", ours, sizeof *ours));
    *tolerance = ours;
    return ours->absolute >= 0 && ours->relative >= 0
               ? status_ok()
               : status_make(STATUS_USAGE, "its tolerance is below 0");
}

Status module_tables_take(const BenchModule *module, bool (*is_option)(const char *name),
                          ModuleTables *tables) {
    Algorithm *algorithm = &tables->algorithm;
    const size_t cuda = module->cuda != NULL ? module->cuda->count : 0;
    STATUS_TRY(module_struct_take(module->algorithm, "its algorithm", "Algorithm", algorithm,
                                  sizeof *algorithm));
    STATUS_TRY(check_algorithm(algorithm, cuda));
    STATUS_TRY(take_weights(&algorithm->weights, &tables->weights));
    STATUS_TRY(take_tolerance(&algorithm->tolerance, &tables->tolerance));
    STATUS_TRY(take_axes(tables, true, is_option, &algorithm->answer));
    STATUS_TRY(take_rows(module, &algorithm->cpu, is_option, tables, tables->rows));
    algorithm->cpu.rows = tables->rows;
    if (cuda > 0) {
        tables->cuda = (VariantTable){.rows = tables->rows + algorithm->cpu.count, .count = cuda};
        STATUS_TRY(take_rows(module, module->cuda, is_option, tables,
                             tables->rows + algorithm->cpu.count));
    }
    return status_ok();
}
