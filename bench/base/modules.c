/* Modules: shared objects and files of Python that are checked, loaded and added to the registry.
 */

#include "modules.h"
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
#include "python.h"
#include "registry.h"
#include "source_file.h"
#include "supervisor.h"
#include "text.h"

/* A file of Python imports libraries, which may take a minute. */
enum { MODULES_MAX = 64, LOAD_SECONDS = 30, PYTHON_LOAD_SECONDS = 180 };

#define MODULE_BYTES_MAX (UINT64_C(1) << 30)

typedef struct Loaded {
    Module module;
    BenchModule own; /* what the module exports */
    dev_t device;
    ino_t inode;
    ModuleTables tables; /* what the registry gets */
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
    const Status status =
        python_file_is_named(path) ? status_ok() : check_shared_object(path, &file);
    *hash = fnv_bytes(FNV_START, file.bytes, file.size);
    file_bytes_free(&file);
    return status;
}

/* === Whether it is of an interface that this program knows =================================== */

static Status refused_headers(const char *path, const char *headers, const char *why) {
    return status_make(STATUS_FILE, "%.150s: built with the headers of bench %.*s: %s", path,
                       BENCH_HEADERS_SIZE, headers, why);
}

static Status check_interface(const char *path, const BenchModule *module) {
    const uint32_t cuda = (uint32_t)strtoul(BUILD_CUDA_COMPILER, NULL, 10);
    char why[STATUS_WHY_SIZE];
    if (module->interface != BENCH_MODULE_INTERFACE) {
        snprintf(why, sizeof why, "interface %u, this bench has interface %d; build it again",
                 (unsigned)module->interface, BENCH_MODULE_INTERFACE);
        return refused_headers(path, module->headers, why);
    }
    if (module->cuda_runtime != 0 && cuda != 0 && module->cuda_runtime != cuda) {
        return status_make(STATUS_FILE,
                           "%.150s: built with CUDA %u, this bench with CUDA %u; build it again",
                           path, (unsigned)module->cuda_runtime, (unsigned)cuda);
    }
    return status_ok();
}

/* What is wrong with something of the module's. */
static Status refused(const char *path, const BenchModule *module, const Status *status) {
    return status->code == STATUS_NO_MATCH ? refused_headers(path, module->headers, status->why)
                                           : wrong_file(path, status->why);
}

/* === Loading ================================================================================== */

/* The module may have an OpenMP runtime of its own, as one that clang built: attach starts it. */
static void attach(void *context) {
    static const ModuleHost host = {.struct_bytes = sizeof host,
                                    .cpu = &cpu_backend,
                                    .cuda = &cuda_backend,
                                    .cuda_devices = cuda_devices_count};
    call_step(CALL_LOAD);
    ((const BenchModule *)context)->attach(&host);
    call_step(CALL_NONE);
}

static Status add_to_registry(Loaded *loaded) {
    const ModuleTables *tables = &loaded->tables;
    processors_free_during(attach, &loaded->own);
    loaded->module.algorithm = &tables->algorithm;
    return registry_add(&tables->algorithm, tables->cuda.count > 0 ? &tables->cuda : NULL);
}

/* What the module exports, as far as this program knows it. */
static Status take_symbol(void *object, const char *path, BenchModule *own) {
    const BenchModule *module = dlsym(object, BENCH_MODULE_SYMBOL);
    if (module == NULL && dlsym(object, BENCH_MODULE_SYMBOL_1) != NULL) {
        return refused_headers(path, "1.0.0",
                               "this bench has those of " BENCH_HEADERS "; build it again");
    }
    if (module == NULL) {
        return wrong_file(path, source_file_is_named(path)
                                    ? "it does not include bench.h, as an algorithm in one file "
                                      "does; 'bench new-algorithm' writes one to begin with"
                                    : "it is no module: it has no " BENCH_MODULE_SYMBOL);
    }
    if (module->magic == 0) { /* as bench.h leaves it */
        return wrong_file(path, "it names no algorithm: below its functions it has to have a form "
                                "of bench.h, such as BENCH_IMAGE(uint8_t, uint8_t, blur)");
    }
    if (module->magic != BENCH_MODULE_MAGIC) {
        return wrong_file(path, "its " BENCH_MODULE_SYMBOL " is not that of a module");
    }
    STATUS_TRY(check_interface(path, module));
    const Status taken = module_struct_take(module, "it", "BenchModule", own, sizeof *own);
    return status_is_ok(&taken) ? taken : refused(path, module, &taken);
}

static Status use_module(const char *path, Loaded *loaded) {
    const Status taken = module_tables_take(&loaded->own, modules.is_option, &loaded->tables);
    return status_is_ok(&taken) ? add_to_registry(loaded) : refused(path, &loaded->own, &taken);
}

static Status use_symbol(void *object, const char *path, Loaded *loaded) {
    STATUS_TRY(take_symbol(object, path, &loaded->own));
    return use_module(path, loaded);
}

/* The text of dlerror begins with the path. */
static Status loader_error(const char *path, const char *named) {
    const char *why = dlerror();
    const char *behind = why != NULL ? text_after(why, named) : NULL;
    const char *rest = behind != NULL ? text_after(behind, ": ") : NULL;
    return wrong_file(path, rest != NULL ? rest : why != NULL ? why : "it cannot be loaded");
}

static Status load_python(const char *path, Loaded *loaded) {
    call_step(CALL_LOAD);
    const Status status = python_file_load(path, &loaded->own, loaded->module.with);
    call_step(CALL_NONE);
    STATUS_TRY(status);
    return use_module(path, loaded);
}

/* `name` is what messages call it. */
static Status load_object(const char *path, const char *name, Loaded *loaded) {
    char named[DATA_FOLDER_PATH_SIZE + 2];
    /* The loader looks a name without a slash up elsewhere. */
    const char *folder = strchr(path, '/') == NULL ? "./" : "";
    snprintf(named, sizeof named, "%s%s", folder, path);
    call_step(CALL_LOAD);
    void *object = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    call_step(CALL_NONE);
    if (object == NULL) {
        return loader_error(name, named);
    }
    const Status status = use_symbol(object, name, loaded);
    if (!status_is_ok(&status)) {
        dlclose(object);
    }
    return status;
}

static Status load(const char *path, Loaded *loaded) {
    char source[DATA_FOLDER_PATH_SIZE], command[DATA_FOLDER_PATH_SIZE];
    if (strlen(path) >= sizeof loaded->module.path) {
        return wrong_file(path, "the path is too long");
    }
    snprintf(loaded->module.path, sizeof loaded->module.path, "%s", path);
    STATUS_TRY(check_file(path, &loaded->module.hash));
    const bool python = python_file_is_named(path);
    /* Who wrote one file does not know the module that was compiled of it. */
    const bool compiled = source_file_of_module(path, source, command, sizeof source);
    const char *name = compiled ? source : path;
    const Status ended = call_about(path, NULL, python ? PYTHON_LOAD_SECONDS : LOAD_SECONDS);
    if (!status_is_ok(&ended)) {
        return wrong_file(name, ended.why);
    }
    return python ? load_python(path, loaded) : load_object(path, name, loaded);
}

static bool is_loaded(const struct stat *file) {
    for (size_t i = 0; i < modules.count; i++) {
        if (modules.list[i]->device == file->st_dev && modules.list[i]->inode == file->st_ino) {
            return true;
        }
    }
    return false;
}

/*
 * Loads a module, or runs a file of Python (python.h), and adds its algorithm to the registry; one
 * that is loaded already is left alone. STATUS_FILE with the path and what is wrong: it cannot be
 * read, it is cut off, it is for another processor, it is no module, it is built with headers that
 * this program does not know, its table is incomplete, or its names are taken. A file that is
 * refused before it is loaded has not run any code.
 */
static Status module_load(const char *path) {
    struct stat file;
    if (stat(path, &file) == 0 && is_loaded(&file)) {
        return status_ok();
    }
    if (modules.count == MODULES_MAX) {
        return status_make(STATUS_FILE, "%.150s: more than %d modules", path, MODULES_MAX);
    }
    Loaded *loaded = calloc(1, sizeof *loaded);
    STATUS_MEMORY(loaded, "for a module");
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

static const Loaded *find_loaded(const Algorithm *algorithm) {
    for (size_t i = 0; i < modules.count; i++) {
        if (&modules.list[i]->tables.algorithm == algorithm) {
            return modules.list[i];
        }
    }
    return NULL;
}

const Module *module_of(const Algorithm *algorithm) {
    const Loaded *loaded = find_loaded(algorithm);
    return loaded != NULL ? &loaded->module : NULL;
}

bool module_has_variant(const Variant *variant) {
    for (size_t i = 0; i < modules.count; i++) {
        const ModuleTables *tables = &modules.list[i]->tables;
        if (variant >= tables->rows && variant < tables->rows + MODULE_VARIANTS_MAX) {
            return true;
        }
    }
    return false;
}

Cost module_cost(const Algorithm *algorithm, const Workload *workload, const Point *answer) {
    const Loaded *loaded = find_loaded(algorithm);
    if (loaded == NULL) {
        return algorithm->cost(workload, answer);
    }
    Cost cost = STRUCT_OF(Cost, .bytes = 0);
    loaded->own.cost(workload, answer, &cost);
    return cost;
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
    return entry->d_name[0] != '.' && text_ends(entry->d_name, ".so");
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

static const char plugin_option[] = "--plugin", python_option[] = "--python";

/* The value of the next such option, from argument `*index` on, which moves past it; NULL: none. */
static const char *next_value(const char *option, int argc, char **argv, int *index) {
    const size_t length = strlen(option);
    while (*index < argc) {
        const char *argument = argv[(*index)++];
        const char *value = NULL;
        if (strncmp(argument, option, length) == 0 && argument[length] == '=') {
            value = argument + length + 1;
        } else if (strcmp(argument, option) == 0 && *index < argc) {
            value = argv[(*index)++];
        }
        if (value != NULL && value[0] != '\0') {
            return value;
        }
    }
    return NULL;
}

bool modules_are_named(int argc, char **argv) {
    const char *places = getenv(path_variable);
    int index = 1;
    return (places != NULL && places[strspn(places, ":")] != '\0') ||
           next_value(plugin_option, argc, argv, &index) != NULL;
}

/* The one that is given last, as of any option; programs that this one starts take it too. */
static void choose_python(int argc, char **argv) {
    int index = 1;
    const char *program;
    while ((program = next_value(python_option, argc, argv, &index)) != NULL) {
        setenv(python_variable, program, 1);
    }
}

static Status start_modules(int argc, char **argv) {
    int index = 1;
    const char *path;
    choose_python(argc, argv);
    load_path();
    while ((path = next_value(plugin_option, argc, argv, &index)) != NULL) {
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
