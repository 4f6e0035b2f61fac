/* Modules: shared objects that are checked, loaded and added to the registry. */

#include "base_internal.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build_info.h"
#include "files.h"
#include "fnv.h"
#include "module.h"
#include "registry.h"
#include "supervisor.h"
#include "text.h"

enum { MODULES_MAX = 64, MODULE_VARIANTS_MAX = 64, LOAD_SECONDS = 30 };

#define MODULE_BYTES_MAX (UINT64_C(1) << 30)

/* What the registry gets: copies in which the module's backends are replaced by the program's. */
typedef struct Loaded {
    Module module;
    dev_t device;
    ino_t inode;
    Algorithm algorithm;
    VariantTable cuda;
    Variant rows[MODULE_VARIANTS_MAX]; /* those on the CPU first */
} Loaded;

static struct {
    Loaded *list[MODULES_MAX];
    size_t count;
    bool (*is_option)(const char *name); /* the program has such an option; NULL: none */
} modules;

/* === The file ================================================================================= */

static Status wrong_file(const char *path, const char *why) {
    return status_make(STATUS_FILE, "%.150s: %s", path, why);
}

static bool is_within(uint64_t offset, uint64_t bytes, uint64_t size) {
    return offset <= size && bytes <= size - offset;
}

/* Whether everything that its headers speak of is there: the loader would die of a page that is
 * not. */
static bool is_complete(const FileBytes *file, const Elf64_Ehdr *head) {
    const uint64_t size = file->size;
    if (!is_within(head->e_phoff, (uint64_t)head->e_phnum * sizeof(Elf64_Phdr), size) ||
        !is_within(head->e_shoff, (uint64_t)head->e_shnum * head->e_shentsize, size)) {
        return false;
    }
    for (size_t i = 0; i < head->e_phnum; i++) {
        Elf64_Phdr part;
        memcpy(&part, file->bytes + head->e_phoff + i * sizeof part, sizeof part);
        if (!is_within(part.p_offset, part.p_filesz, size)) {
            return false;
        }
    }
    return true;
}

/* The header of the running program, which tells what processor it is for. */
static bool read_own_header(Elf64_Ehdr *head) {
    FileBytes start;
    const Status status = file_bytes_read_start(program_again(), sizeof *head, &start);
    const bool read = status_is_ok(&status) && start.size == sizeof *head;
    if (read) {
        memcpy(head, start.bytes, sizeof *head);
    }
    if (status_is_ok(&status)) {
        file_bytes_free(&start);
    }
    return read;
}

static Status check_shared_object(const char *path, const FileBytes *file) {
    Elf64_Ehdr head, own;
    if (file->size < SELFMAG || memcmp(file->bytes, ELFMAG, SELFMAG) != 0) {
        return wrong_file(path, "this is no shared object; build one with bench_add_algorithm");
    }
    if (file->size < sizeof head) {
        return wrong_file(path, "the file is cut off");
    }
    memcpy(&head, file->bytes, sizeof head);
    const bool known = read_own_header(&own);
    if (known &&
        (memcmp(head.e_ident, own.e_ident, EI_VERSION) != 0 || head.e_machine != own.e_machine)) {
        return wrong_file(path, "it is built for another processor; build it on this machine");
    }
    if (head.e_type != ET_DYN || head.e_phentsize != sizeof(Elf64_Phdr)) {
        return wrong_file(path, "this is no shared object; build one with bench_add_algorithm");
    }
    return is_complete(file, &head) ? status_ok() : wrong_file(path, "the file is cut off");
}

/* `*hash` is that of the file. */
static Status check_file(const char *path, uint64_t *hash) {
    FileBytes file;
    STATUS_TRY(file_bytes_read(path, "a module", MODULE_BYTES_MAX, &file));
    const Status status = check_shared_object(path, &file);
    *hash = fnv_bytes(FNV_START, file.bytes, file.size);
    file_bytes_free(&file);
    return status;
}

/* === Facts ==================================================================================== */

static void differs(char *text, size_t size, const char *what, uint32_t there, uint32_t here) {
    text_append(text, size, "%s%s is %u there and %u here", text[0] != '\0' ? ", " : "", what,
                (unsigned)there, (unsigned)here);
}

/* What of the facts differs; empty: nothing. */
static void compare_facts(const ModuleFacts *there, char *text, size_t size) {
    const ModuleFacts here = {
#define FACT_VALUE(name, value, text) .name = (uint32_t)(value),
        MODULE_FACTS(FACT_VALUE)
#undef FACT_VALUE
            .bytes = sizeof here,
        .host = sizeof(ModuleHost), .cuda = (uint32_t)strtoul(BUILD_CUDA_COMPILER, NULL, 10)};
    text[0] = '\0';
    if (there->bytes != here.bytes) {
        differs(text, size, "the number of its facts", there->bytes, here.bytes);
        return; /* the others lie elsewhere */
    }
#define COMPARE_FACT(name, value, what)                                                            \
    if (there->name != here.name) {                                                                \
        differs(text, size, what, there->name, here.name);                                         \
    }
    MODULE_FACTS(COMPARE_FACT)
#undef COMPARE_FACT
    if (there->host > here.host) {
        differs(text, size, "the size of the services", there->host, here.host);
    }
    if (there->cuda != 0 && here.cuda != 0 && there->cuda != here.cuda) {
        differs(text, size, "the version of the CUDA runtime", there->cuda, here.cuda);
    }
}

static Status check_facts(const char *path, const ModuleFacts *facts) {
    if (facts->magic != BENCH_MODULE_MAGIC) {
        return wrong_file(path, "its " BENCH_MODULE_SYMBOL " is not that of a module");
    }
    char text[STATUS_WHY_SIZE];
    compare_facts(facts, text, sizeof text);
    return text[0] == '\0'
               ? status_ok()
               : status_make(STATUS_FILE, "%.100s: built for another bench, build it again: %s",
                             path, text);
}

/* === Tables =================================================================================== */

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

/* STATUS_USAGE without the path. */
static Status check_axes(const Axis *const *axes, bool answer) {
    for (size_t i = 0; axes != NULL && axes[i] != NULL; i++) {
        const Axis *axis = axes[i];
        if (i == POINT_AXES_MAX) {
            return status_make(STATUS_USAGE, "it has more than %d axes", POINT_AXES_MAX);
        }
        if (!is_name(axis->name, "-") || axis->help == NULL || axis->defaults == NULL) {
            return status_make(STATUS_USAGE, "an axis has no name of small letters, no help or no "
                                             "default values");
        }
        if (modules.is_option != NULL && modules.is_option(axis->name)) {
            return status_make(STATUS_USAGE, "--%s is an option already; name the axis otherwise",
                               axis->name);
        }
        if (axis_has_role(axis->name, !answer)) {
            return status_make(STATUS_USAGE, "--%s is %s axis of another algorithm", axis->name,
                               answer ? "a tuning" : "an answer");
        }
    }
    return status_ok();
}

static Status check_variant(const BenchModule *module, const Variant *variant) {
    if (!is_name(variant->name, "_") || variant->summary == NULL) {
        return status_make(STATUS_USAGE, "a variant has no name of small letters or no summary");
    }
    const bool cuda = variant->backend == module->cuda_backend;
    if (!cuda && variant->backend != module->cpu_backend) {
        return status_make(STATUS_USAGE, "variant '%s' has no backend", variant->name);
    }
    const bool absent = cuda && module->facts.cuda == 0; /* not compiled in */
    if (!absent && (variant->open == NULL || variant->run == NULL || variant->close == NULL ||
                    (cuda && variant->download == NULL))) {
        return status_make(STATUS_USAGE, "variant '%s' lacks a function", variant->name);
    }
    return check_axes(variant->tuning, false);
}

static Status check_table(const BenchModule *module, const VariantTable *table) {
    for (size_t i = 0; i < table->count; i++) {
        STATUS_TRY(check_variant(module, &table->rows[i]));
    }
    return status_ok();
}

static Status check_algorithm(const BenchModule *module) {
    const Algorithm *algorithm = module->algorithm;
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
    const size_t cuda = module->cuda != NULL ? module->cuda->count : 0;
    if (algorithm->cpu.count > MODULE_VARIANTS_MAX ||
        cuda > MODULE_VARIANTS_MAX - algorithm->cpu.count) {
        return status_make(STATUS_USAGE, "it has more than %d variants", MODULE_VARIANTS_MAX);
    }
    STATUS_TRY(check_axes(algorithm->answer, true));
    STATUS_TRY(check_table(module, &algorithm->cpu));
    return cuda > 0 ? check_table(module, module->cuda) : status_ok();
}

/* === Loading ================================================================================== */

static Status built_without_cuda(void) {
    return status_skip("the module was built without CUDA");
}

static void copy_rows(const BenchModule *module, const VariantTable *table, Variant *rows) {
    for (size_t i = 0; i < table->count; i++) {
        rows[i] = table->rows[i];
        const bool cuda = rows[i].backend == module->cuda_backend;
        rows[i].backend = cuda ? &cuda_backend : &cpu_backend;
        if (cuda && module->facts.cuda == 0) {
            rows[i].available = built_without_cuda;
        }
    }
}

/* The module may have an OpenMP runtime of its own, as one that clang built: attach starts it. */
static void attach(void *context) {
    static const ModuleHost host = {
        .cpu = &cpu_backend, .cuda = &cuda_backend, .cuda_devices = cuda_devices_count};
    call_step(CALL_LOAD);
    ((const BenchModule *)context)->attach(&host);
    call_step(CALL_NONE);
}

static Status add_to_registry(const BenchModule *module, Loaded *loaded) {
    loaded->algorithm = *module->algorithm;
    loaded->algorithm.cpu.rows = loaded->rows;
    copy_rows(module, &module->algorithm->cpu, loaded->rows);
    if (module->cuda != NULL) {
        loaded->cuda = (VariantTable){.rows = loaded->rows + module->algorithm->cpu.count,
                                      .count = module->cuda->count};
        copy_rows(module, module->cuda, loaded->rows + module->algorithm->cpu.count);
    }
    processors_free_during(attach, (void *)module);
    loaded->module.algorithm = &loaded->algorithm;
    return registry_add(&loaded->algorithm, module->cuda != NULL ? &loaded->cuda : NULL);
}

static Status use_symbol(void *object, const char *path, Loaded *loaded) {
    const BenchModule *module = dlsym(object, BENCH_MODULE_SYMBOL);
    if (module == NULL) {
        return wrong_file(path, "it is no module: it has no " BENCH_MODULE_SYMBOL);
    }
    STATUS_TRY(check_facts(path, &module->facts));
    const Status complete = check_algorithm(module);
    return status_is_ok(&complete) ? add_to_registry(module, loaded)
                                   : wrong_file(path, complete.why);
}

/* The text of dlerror begins with the path. */
static Status loader_error(const char *path, const char *named) {
    const char *why = dlerror();
    const size_t length = strlen(named);
    if (why == NULL) {
        why = "it cannot be loaded";
    } else if (strncmp(why, named, length) == 0 && strncmp(why + length, ": ", 2) == 0) {
        why += length + 2;
    }
    return wrong_file(path, why);
}

static Status load(const char *path, Loaded *loaded) {
    char named[DATA_FOLDER_PATH_SIZE + 2];
    /* The loader looks a name without a slash up elsewhere. */
    const char *folder = strchr(path, '/') == NULL ? "./" : "";
    if ((size_t)snprintf(named, sizeof named, "%s%s", folder, path) >= sizeof named ||
        strlen(path) >= sizeof loaded->module.path) {
        return wrong_file(path, "the path is too long");
    }
    snprintf(loaded->module.path, sizeof loaded->module.path, "%s", path);
    STATUS_TRY(check_file(path, &loaded->module.hash));
    const Status ended = call_about(path, NULL, LOAD_SECONDS);
    if (!status_is_ok(&ended)) {
        return wrong_file(path, ended.why);
    }
    call_step(CALL_LOAD);
    void *object = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    call_step(CALL_NONE);
    if (object == NULL) {
        return loader_error(path, named);
    }
    const Status status = use_symbol(object, path, loaded);
    if (!status_is_ok(&status)) {
        dlclose(object);
    }
    return status;
}

static bool is_loaded(const struct stat *file) {
    for (size_t i = 0; i < modules.count; i++) {
        if (modules.list[i]->device == file->st_dev && modules.list[i]->inode == file->st_ino) {
            return true;
        }
    }
    return false;
}

Status module_load(const char *path) {
    struct stat file;
    if (stat(path, &file) == 0 && is_loaded(&file)) {
        return status_ok();
    }
    if (modules.count == MODULES_MAX) {
        return status_make(STATUS_FILE, "%.150s: more than %d modules", path, MODULES_MAX);
    }
    Loaded *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL) {
        return status_no_memory("for a module");
    }
    const Status status = load(path, loaded);
    if (!status_is_ok(&status)) {
        free(loaded);
        return status;
    }
    if (stat(path, &file) == 0) {
        loaded->device = file.st_dev;
        loaded->inode = file.st_ino;
    }
    modules.list[modules.count++] = loaded;
    return status;
}

const Module *module_of(const Algorithm *algorithm) {
    for (size_t i = 0; i < modules.count; i++) {
        if (&modules.list[i]->algorithm == algorithm) {
            return &modules.list[i]->module;
        }
    }
    return NULL;
}

bool module_has_variant(const Variant *variant) {
    for (size_t i = 0; i < modules.count; i++) {
        const Variant *rows = modules.list[i]->rows;
        if (variant >= rows && variant < rows + MODULE_VARIANTS_MAX) {
            return true;
        }
    }
    return false;
}

Status module_status(const Variant *variant, const Status *returned) {
    Status status = *returned;
    const bool device = variant != NULL && !variant_is_on_cpu(variant);
    status.why[STATUS_WHY_SIZE - 1] = '\0';
    if (status.code == STATUS_OK || status.code == STATUS_SKIP || status.code == STATUS_FAIL ||
        (status.code == STATUS_DEVICE_LOST && device)) {
        return status;
    }
    return status_fail("it returned the status %d, which only the harness has: %.300s",
                       (int)status.code, status.why);
}

/* === What a process loads ===================================================================== */

static const char path_variable[] = "BENCH_PATH";

static int is_shared_object(const struct dirent *entry) {
    const size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 3 && strcmp(entry->d_name + length - 3, ".so") == 0;
}

/* What cannot be loaded has a line, once for all processes of a run, and is done without. */
static void say_once(const char *path, const Status *status) {
    char key[DATA_FOLDER_PATH_SIZE + 16];
    snprintf(key, sizeof key, "not loaded %s", path);
    if (!status_is_ok(status) && supervisor_kept(key) == NULL) {
        visible_line(stderr, "bench: %s: %s", path_variable, status->why);
        supervisor_keep(key, "");
    }
}

static void load_place(const char *place) {
    PathList files = {.count = 0};
    Status status = folder_exists(place) ? path_list_add_folder(&files, place, is_shared_object)
                                         : path_list_add(&files, place);
    for (size_t i = 0; i < files.count; i++) {
        status = module_load(files.paths[i]);
        say_once(files.paths[i], &status);
    }
    if (files.count == 0) {
        say_once(place, &status);
    }
    path_list_release(&files);
}

static void load_path(void) {
    const char *places = getenv(path_variable);
    while (places != NULL && *places != '\0') {
        char place[DATA_FOLDER_PATH_SIZE];
        const size_t length = strcspn(places, ":");
        if (length > 0 && length < sizeof place) {
            snprintf(place, sizeof place, "%.*s", (int)length, places);
            load_place(place);
        }
        places += length + (places[length] == ':');
    }
}

/* Appends the file to BENCH_PATH, so that programs that this one starts load it too. */
static Status pass_on(const char *path) {
    const char *before = getenv(path_variable);
    char *whole = realpath(path, NULL);
    const size_t size =
        (before != NULL ? strlen(before) : 0) + (whole != NULL ? strlen(whole) : 0) + 2;
    char *places = malloc(size);
    if (whole == NULL || places == NULL) {
        free(whole);
        free(places);
        return status_no_memory("for the path of a module");
    }
    const bool empty = before == NULL || before[0] == '\0';
    snprintf(places, size, "%s%s%s", empty ? "" : before, empty ? "" : ":", whole);
    setenv(path_variable, places, 1);
    free(whole);
    free(places);
    return status_ok();
}

/* The file of the next --plugin, from argument `*index` on, which moves past it; NULL: none. */
static const char *next_plugin(int argc, char **argv, int *index) {
    static const char option[] = "--plugin";
    const size_t length = sizeof option - 1;
    while (*index < argc) {
        const char *argument = argv[(*index)++];
        const char *path = NULL;
        if (strncmp(argument, option, length) == 0 && argument[length] == '=') {
            path = argument + length + 1;
        } else if (strcmp(argument, option) == 0 && *index < argc) {
            path = argv[(*index)++];
        }
        if (path != NULL && path[0] != '\0') {
            return path;
        }
    }
    return NULL;
}

bool modules_are_named(int argc, char **argv) {
    const char *places = getenv(path_variable);
    int index = 1;
    return (places != NULL && places[strspn(places, ":")] != '\0') ||
           next_plugin(argc, argv, &index) != NULL;
}

static Status start_modules(int argc, char **argv) {
    int index = 1;
    const char *path;
    load_path();
    while ((path = next_plugin(argc, argv, &index)) != NULL) {
        STATUS_TRY(module_load(path));
        STATUS_TRY(pass_on(path));
    }
    return status_ok();
}

Status modules_start(int argc, char **argv, bool (*is_option)(const char *name)) {
    modules.is_option = is_option;
    const Status status = start_modules(argc, argv);
    /* What ends the process from now on is not loading. */
    (void)call_about("", NULL, 0);
    return status;
}
