/* Compiles an algorithm in one file into a module, and keeps it. */

#include "source_file.h"
#include "modules.h"
#include "registry.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arguments.h"
#include "child_process.h"
#include "digest.h"
#include "files.h"
#include "fnv.h"
#include "module_cache.h"
#include "python.h"
#include "text.h"

enum { PATH_SIZE = DATA_FOLDER_PATH_SIZE, DEVICE_BYTES = 1 << 14 };

#define SOURCE_BYTES_MAX (UINT64_C(1) << 28)

static const char nvidia_gpus[] = "/proc/driver/nvidia/gpus";

/* === Languages ================================================================================ */

typedef struct Language {
    const char *endings[4];
    const char *name;
    const char *variables[3]; /* of the environment: the compiler; the first that is set counts */
    const char *programs[4];  /* else the first of these that is there */
    const char *flags;        /* the variable of its flags */
    bool cuda;
    const char *strict; /* what refuses functions of another type, where that is not the rule */
} Language;

#define STRICT_TYPES "-Werror=incompatible-pointer-types"

static const Language languages[] = {
    {{".c"}, "C", {"CC"}, {"cc", "gcc", "clang"}, "CFLAGS", false, STRICT_TYPES},
    {{".cpp", ".cc", ".cxx"}, "C++", {"CXX"}, {"c++", "g++", "clang++"}, "CXXFLAGS", false, NULL},
    {{".cu"},
     "CUDA",
     {"NVCC", "CUDACXX"},
     {"nvcc", "/usr/local/cuda/bin/nvcc"},
     "CUDAFLAGS",
     true,
     NULL},
};

/* What else of the environment changes what a compiler does. */
static const char *const compiler_variables[] = {"LDFLAGS",
                                                 "LDLIBS",
                                                 "CPATH",
                                                 "C_INCLUDE_PATH",
                                                 "CPLUS_INCLUDE_PATH",
                                                 "LIBRARY_PATH",
                                                 "GCC_EXEC_PREFIX",
                                                 "CUDAHOSTCXX",
                                                 "NVCC_CCBIN",
                                                 "NVCC_PREPEND_FLAGS",
                                                 "NVCC_APPEND_FLAGS",
                                                 "CUDA_VISIBLE_DEVICES"};

static const Language *language_of(const char *path) {
    for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++) {
        for (const char *const *ending = languages[i].endings; *ending != NULL; ending++) {
            if (text_ends(path, *ending)) {
                return &languages[i];
            }
        }
    }
    return NULL;
}

bool source_file_is_named(const char *path) {
    return language_of(path) != NULL || python_file_is_named(path);
}

/* === Names ==================================================================================== */

void source_file_name(const char *path, char name[MODULE_NAME_MAX + 1]) {
    const char *file = path_name(path) + strspn(path_name(path), "-_ ");
    const size_t length = (size_t)(strrchr(file, '.') - file);
    name[0] = '\0';
    for (size_t i = 0; i < length && i < MODULE_NAME_MAX; i++) {
        const unsigned char letter = (unsigned char)file[i];
        name[i] = (char)(letter < 128 && isalnum(letter) ? tolower(letter) : '_');
        name[i + 1] = '\0';
    }
}

static Status name_algorithm(const char *path, char name[MODULE_NAME_MAX + 1]) {
    source_file_name(path, name);
    if (strcmp(name, "all") == 0) {
        return status_make(STATUS_USAGE, "%.200s: 'all' means every algorithm; rename the file",
                           path);
    }
    return module_name_is_valid(name)
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "%.200s: no algorithm can have this name, which begins with a letter; "
                             "rename the file",
                             path);
}

static Status check_not_taken(const char *path) {
    char name[MODULE_NAME_MAX + 1];
    source_file_name(path, name);
    return registry_find_algorithm(name) == NULL
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "%.200s: bench has an algorithm '%s' already; rename the file", path,
                             name);
}

/* As an argument: neither an option nor a file of arguments. */
static Status name_argument(const char *path, char argument[PATH_SIZE]) {
    const bool plain = path[0] == '/' || path[0] == '.';
    return path_make(argument, PATH_SIZE, "%s%s", plain ? "" : "./", path);
}

/* === The compiler ============================================================================= */

typedef struct Compiler {
    const Language *language;
    ArgumentList words;      /* what the environment names, or the program alone */
    char program[PATH_SIZE]; /* where that is */
} Compiler;

static Status add_words(ArgumentList *list, const char *text) {
    while (text != NULL && *(text += strspn(text, " \t\n")) != '\0') {
        char word[PATH_SIZE];
        const size_t length = strcspn(text, " \t\n");
        STATUS_TRY(path_make(word, sizeof word, "%.*s", (int)length, text));
        STATUS_TRY(argument_list_add(list, word));
        text += length;
    }
    return status_ok();
}

/* As execvp finds it. */
static bool find_program(const char *name, char path[PATH_SIZE]) {
    const char *folders = strchr(name, '/') != NULL ? "" : getenv("PATH");
    while (folders != NULL) {
        const size_t length = strcspn(folders, ":");
        const int size = snprintf(path, PATH_SIZE, "%.*s%s%s", (int)length, folders,
                                  length > 0 ? "/" : "", name);
        struct stat file;
        if (size > 0 && size < PATH_SIZE && stat(path, &file) == 0 && S_ISREG(file.st_mode) &&
            access(path, X_OK) == 0) {
            return true;
        }
        folders = folders[length] == ':' ? folders + length + 1 : NULL;
    }
    return false;
}

static const char *first_set(const char *const *variables) {
    for (; *variables != NULL; variables++) {
        const char *value = getenv(*variables);
        if (value != NULL && value[strspn(value, " ")] != '\0') {
            return *variables;
        }
    }
    return NULL;
}

static Status find_compiler(const char *path, Compiler *compiler) {
    const Language *language = language_of(path);
    const char *variable = first_set(language->variables);
    compiler->language = language;
    if (variable != NULL) {
        STATUS_TRY(add_words(&compiler->words, getenv(variable)));
        return find_program(compiler->words.argv[0], compiler->program)
                   ? status_ok()
                   : status_make(STATUS_FILE, "%.200s: %s is '%.100s', which is no program", path,
                                 variable, getenv(variable));
    }
    for (const char *const *program = language->programs; *program != NULL; program++) {
        if (find_program(*program, compiler->program)) {
            return argument_list_add(&compiler->words, *program);
        }
    }
    return status_make(STATUS_FILE,
                       "%.200s: there is no compiler of %s: '%s' is not in PATH; install it, or "
                       "name one with %s",
                       path, language->name, language->programs[0], language->variables[0]);
}

bool source_compiler_is_there(const char *path) {
    static Compiler compiler;
    const Status status = find_compiler(path, &compiler);
    argument_list_release(&compiler.words);
    compiler.words = (ArgumentList){.argc = 0};
    return status_is_ok(&status);
}

/* nvcc passes its arguments to a shell, between double quotes. */
static Status check_for_nvcc(const Compiler *compiler, const ArgumentList *arguments) {
    for (int i = 0; compiler->language->cuda && i < arguments->argc; i++) {
        if (strpbrk(arguments->argv[i], "\"$`\\\n") != NULL) {
            return status_make(STATUS_FILE,
                               "nvcc would give '%.200s' to a shell, which takes \" $ ` and \\ for "
                               "its own; name it otherwise",
                               arguments->argv[i]);
        }
    }
    return status_ok();
}

/* Whether the person has chosen the architecture. */
static bool has_architecture(void) {
    static const char *const variables[] = {"CUDAFLAGS", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *flags = getenv(variables[i]);
        if (flags != NULL && (strstr(flags, "-arch") != NULL || strstr(flags, "-gencode") != NULL ||
                              strstr(flags, "gpu-architecture") != NULL)) {
            return true;
        }
    }
    return false;
}

/* All arguments but for files. Without a device nothing is run: any one of today's does. */
static Status add_flags(const Compiler *compiler, const char *name, const char *headers,
                        ArgumentList *list) {
    static const char *const host[] = {"-march=native", "-fopenmp", "-fPIC", "-fvisibility=hidden",
                                       NULL};
    char definition[64];
    snprintf(definition, sizeof definition, "-DBENCH_ALGORITHM=%s", name);
    const char *const all[] = {"-O3", "-shared", definition, "-isystem", headers, NULL};
    STATUS_TRY(argument_list_add_all(list, all));
    for (size_t i = 0; host[i] != NULL; i++) {
        STATUS_TRY(compiler->language->cuda ? argument_list_add(list, "-Xcompiler") : status_ok());
        STATUS_TRY(argument_list_add(list, host[i]));
    }
    if (compiler->language->strict != NULL) {
        STATUS_TRY(argument_list_add(list, compiler->language->strict));
    }
    if (compiler->language->cuda && !has_architecture()) {
        STATUS_TRY(argument_list_add(list, access("/dev/nvidiactl", F_OK) == 0 ||
                                                   folder_exists(nvidia_gpus)
                                               ? "-arch=native"
                                               : "-arch=sm_90"));
    }
    return add_words(list, getenv(compiler->language->flags));
}

/* === Keys ===================================================================================== */

static void hash_text(uint64_t *hash, const char *text) {
    *hash = fnv_bytes(*hash, text != NULL ? text : "\n", strlen(text != NULL ? text : "\n") + 1);
}

static void hash_texts(uint64_t *hash, const ArgumentList *list) {
    for (int i = 0; i < list->argc; i++) {
        hash_text(hash, list->argv[i]);
    }
}

/* A program by its place, size and time: another version differs in one of them. */
static void hash_program(uint64_t *hash, const char *path) {
    struct stat file;
    char *whole = realpath(path, NULL);
    hash_text(hash, whole);
    if (whole != NULL && stat(whole, &file) == 0) {
        const int64_t facts[] = {file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec};
        *hash = fnv_bytes(*hash, facts, sizeof facts);
    }
    free(whole);
}

/* The lines of a file of the system that begin so, up to an empty one. */
static void hash_lines(uint64_t *hash, const char *path, const char *const *beginnings) {
    char line[DEVICE_BYTES];
    FILE *stream = fopen(path, "re");
    while (stream != NULL && fgets(line, sizeof line, stream) != NULL && line[0] != '\n') {
        for (const char *const *begins = beginnings; *begins != NULL; begins++) {
            if (text_after(line, *begins) != NULL) {
                hash_text(hash, line);
            }
        }
    }
    if (stream != NULL) {
        fclose(stream);
    }
}

/* What -march=native and -arch=native compile for. */
static void hash_devices(uint64_t *hash) {
    static const char *const processor[] = {"model name", "flags", "Features", "CPU part", NULL};
    static const char *const model[] = {"Model:", NULL};
    FolderList gpus = {.count = 0};
    hash_lines(hash, "/proc/cpuinfo", processor);
    const Status listed = folder_list(nvidia_gpus, NULL, &gpus);
    for (size_t i = 0; status_is_ok(&listed) && i < gpus.count; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s/information", nvidia_gpus, gpus.entries[i]->d_name);
        hash_lines(hash, path, model);
    }
    folder_list_release(&gpus);
}

/* All but the bytes of files: where the file is, and how it is compiled. */
static uint64_t hash_request(const char *path, const Compiler *compiler,
                             const ArgumentList *arguments) {
    uint64_t hash = FNV_START;
    char folder[PATH_SIZE], host[PATH_SIZE];
    char *whole = realpath(path, NULL);
    hash_text(&hash, whole);
    free(whole);
    hash_text(&hash, path); /* as messages and the debugger have it */
    hash_text(&hash, getcwd(folder, sizeof folder));
    hash_program(&hash, compiler->program);
    if (compiler->language->cuda && find_program("g++", host)) {
        hash_program(&hash, host);
    }
    hash_texts(&hash, &compiler->words);
    hash_texts(&hash, arguments);
    for (size_t i = 0; i < sizeof compiler_variables / sizeof compiler_variables[0]; i++) {
        hash_text(&hash, getenv(compiler_variables[i]));
    }
    hash_devices(&hash);
    return hash;
}

/* STATUS_FILE for one that cannot be read. */
static Status hash_file(uint64_t *hash, const char *path) {
    FileBytes file;
    hash_text(hash, path);
    STATUS_TRY(file_bytes_read(path, "a source file", SOURCE_BYTES_MAX, &file));
    const uint64_t digest = digest_bytes(file.bytes, file.size);
    *hash = fnv_bytes(*hash, &digest, sizeof digest);
    file_bytes_free(&file);
    return status_ok();
}

/* The next file of a rule of make, in which blanks and # stand behind a backslash and $ is written
 * twice; "" behind the last. */
static const char *next_file(const char *text, char path[PATH_SIZE]) {
    size_t length = 0;
    while (*text == ' ' || *text == '\n' || (*text == '\\' && text[1] == '\n')) {
        text++;
    }
    while (*text != '\0' && *text != ' ' && *text != '\n') {
        const bool escaped =
            (*text == '\\' && text[1] != '\0' && strchr(" #\\", text[1]) != NULL) ||
            (*text == '$' && text[1] == '$');
        text += escaped;
        if (length + 1 < PATH_SIZE) {
            path[length++] = *text;
        }
        text++;
    }
    path[length] = '\0';
    return text;
}

/* The bytes of all files that the compiler has read, which the rule of make at `rule` lists. False
 * where there is no such list, or one of them is gone. */
static bool hash_files(const char *rule, uint64_t *hash) {
    FileBytes list;
    char path[PATH_SIZE];
    const Status read = file_bytes_read(rule, "a list of files", SOURCE_BYTES_MAX, &list);
    if (!status_is_ok(&read)) {
        return false;
    }
    const char *text = strchr((const char *)list.bytes, ':');
    bool all = text != NULL;
    for (text = all ? text + 1 : ""; all && *(text = next_file(text, path)) != '\0';) {
        const Status hashed = path[0] != '\0' ? hash_file(hash, path) : status_ok();
        all = status_is_ok(&hashed);
    }
    file_bytes_free(&list);
    return all;
}

/* === Compiling ================================================================================ */

/* One file and what is kept of it: folder/files, the rule of make; folder/<hash of all bytes>/ with
 * the module. */
typedef struct Work {
    const char *path;         /* as it was named */
    char argument[PATH_SIZE]; /* the same for the compiler */
    Compiler compiler;
    ArgumentList arguments; /* without files */
    const char *kept;       /* the folder of all files */
    char folder[PATH_SIZE]; /* in that */
    char rule[PATH_SIZE];
    SourceModule *module;
} Work;

static Status set_module_path(Work *work, uint64_t hash) {
    return path_make(work->module->path, sizeof work->module->path, "%s/%016" PRIx64 "/%s.so",
                     work->folder, hash, work->module->name);
}

/* Whether there is a module of the bytes that the files have now, which stays. */
static bool find_module(Work *work) {
    uint64_t hash = FNV_START;
    const Status source = hash_file(&hash, work->argument);
    if (!status_is_ok(&source) || !hash_files(work->rule, &hash)) {
        return false;
    }
    const Status made = set_module_path(work, hash);
    return status_is_ok(&made) && module_cache_use(work->module->path);
}

/* What the compiler says, line by line. */
typedef struct Said {
    char line[4096];
    size_t length;
} Said;

static void say_line(Said *said) {
    said->line[said->length] = '\0';
    text_visible_print(stderr, said->line);
    fputc('\n', stderr);
    said->length = 0;
}

static void take_bytes(void *context, const char *bytes, size_t count) {
    Said *said = context;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n' || said->length + 1 == sizeof said->line) {
            say_line(said);
        }
        if (bytes[i] != '\n') {
            said->line[said->length++] = (char)(bytes[i] == '\t' ? ' ' : bytes[i]);
        }
    }
}

static Status run_compiler(const Work *work, const ArgumentList *arguments) {
    Said said = {.length = 0};
    ChildEnd end;
    const ChildProcess child = {.program = arguments->argv[0],
                                .arguments = (const char *const *)arguments->argv,
                                .output = -1,
                                .group = true,
                                .take = take_bytes,
                                .context = &said};
    STATUS_TRY(check_for_nvcc(&work->compiler, arguments));
    visible_line(stderr, "compiling %s with %s", work->path, work->compiler.program);
    STATUS_TRY(child_process_run(&child, &end));
    if (said.length > 0) {
        say_line(&said);
    }
    if (end.error != 0) {
        return status_make(STATUS_FILE, "%.150s: %.150s cannot be started: %s", work->path,
                           work->compiler.program, strerror(end.error));
    }
    return end.code == 0
               ? status_ok()
               : status_make(STATUS_FILE, "%.150s is not compiled: %.150s ended with exit code %d",
                             work->path, work->compiler.program, end.code);
}

static Status add_command(const Work *work, const char *made, const char *rule,
                          ArgumentList *list) {
    const char *const files[] = {"-MD",          "-MT", "module", "-MF", rule,
                                 work->argument, "-o",  made,     NULL};
    STATUS_TRY(argument_list_add_all(list, (const char *const *)work->compiler.words.argv));
    STATUS_TRY(argument_list_add_all(list, (const char *const *)work->arguments.argv));
    STATUS_TRY(argument_list_add_all(list, files));
    STATUS_TRY(add_words(list, getenv("LDFLAGS")));
    STATUS_TRY(add_words(list, getenv("LDLIBS")));
    return argument_list_add(list, "-lm");
}

/* Compiles to `made`, and the rule of make beside it to `rule`. */
static Status compile(const Work *work, const char *made, const char *rule) {
    ArgumentList list = {.argc = 0};
    Status status = add_command(work, made, rule, &list);
    STATUS_THEN(status, run_compiler(work, &list));
    argument_list_release(&list);
    return status;
}

static Status built_path(const char *module, char path[PATH_SIZE]) {
    return path_make(path, PATH_SIZE, "%s.built", module);
}

/* Beside the module, a line each: what it is made of, and how. */
static Status write_built(const Work *work) {
    char path[PATH_SIZE];
    AtomicFile file;
    STATUS_TRY(built_path(work->module->path, path));
    STATUS_TRY(atomic_file_open(&file, path));
    text_visible_print(file.stream, work->path);
    fprintf(file.stream, "\n%s", work->compiler.program);
    for (int i = 1; i < work->compiler.words.argc; i++) {
        fprintf(file.stream, " %s", work->compiler.words.argv[i]);
    }
    for (int i = 0; i < work->arguments.argc; i++) {
        fprintf(file.stream, " %s", work->arguments.argv[i]);
    }
    fputc('\n', file.stream);
    return atomic_file_commit(&file);
}

bool source_file_of_module(const char *module, char *source, char *command, size_t size) {
    char path[PATH_SIZE];
    FileBytes file;
    const Status named = built_path(module, path);
    const Status read =
        status_is_ok(&named) && access(path, F_OK) == 0
            ? file_bytes_read(path, "how a module was compiled", SOURCE_BYTES_MAX, &file)
            : status_skip("%s", "");
    if (!status_is_ok(&read)) {
        return false;
    }
    const char *text = (const char *)file.bytes;
    const size_t length = strcspn(text, "\n");
    const char *rest = text + length + (text[length] == '\n');
    snprintf(source, size, "%.*s", (int)length, text);
    snprintf(command, size, "%.*s", (int)strcspn(rest, "\n"), rest);
    file_bytes_free(&file);
    return true;
}

/* Moves what was compiled to the place of its bytes; `before` is the hash of the file before it was
 * compiled. */
static Status keep(Work *work, uint64_t before, const char *made, const char *rule) {
    uint64_t hash = FNV_START, after = FNV_START;
    STATUS_TRY(hash_file(&hash, work->argument));
    after = hash;
    if (after != before || !hash_files(rule, &hash)) {
        return status_make(STATUS_FILE, "%.200s has changed while it was compiled; try again",
                           work->path);
    }
    STATUS_TRY(set_module_path(work, hash));
    STATUS_TRY(folder_make_for(work->module->path));
    STATUS_TRY(write_built(work));
    return rename(made, work->module->path) == 0 && rename(rule, work->rule) == 0 &&
                   module_cache_use(work->module->path)
               ? status_ok()
               : status_make(STATUS_FILE, "%.200s cannot be written: %s", work->module->path,
                             strerror(errno));
}

static Status compile_and_keep(Work *work) {
    char made[PATH_SIZE], rule[PATH_SIZE];
    uint64_t before = FNV_START;
    STATUS_TRY(path_make(made, sizeof made, "%s/new.so", work->folder));
    STATUS_TRY(path_make(rule, sizeof rule, "%s/new.files", work->folder));
    STATUS_TRY(hash_file(&before, work->argument));
    Status status = compile(work, made, rule);
    STATUS_THEN(status, keep(work, before, made, rule));
    (void)unlink(made);
    (void)unlink(rule);
    return status;
}

/* One process at a time compiles a file; others wait for it and find what it made. */
static Status make_module(Work *work) {
    int lock = -1;
    if (find_module(work)) {
        return status_ok();
    }
    STATUS_TRY(folder_lock_wait(work->folder, &lock));
    const Status status = find_module(work) ? status_ok() : compile_and_keep(work);
    if (lock >= 0) {
        close(lock);
    }
    module_cache_prune(work->kept);
    return status;
}

static Status prepare(Work *work) {
    static const DataFolder wanted = {.variable = "BENCH_INCLUDE",
                                      .installed = "../../include/bench",
                                      .source = "bench/api",
                                      .holds = "bench.h",
                                      .what = "the headers of modules"};
    char headers[PATH_SIZE];
    FileBytes file;
    STATUS_TRY(file_bytes_read(work->path, "an algorithm", SOURCE_BYTES_MAX, &file));
    file_bytes_free(&file);
    STATUS_TRY(name_algorithm(work->path, work->module->name));
    STATUS_TRY(name_argument(work->path, work->argument));
    STATUS_TRY(find_compiler(work->path, &work->compiler));
    STATUS_TRY(data_folder_find(&wanted, headers, sizeof headers));
    STATUS_TRY(add_flags(&work->compiler, work->module->name, headers, &work->arguments));
    const uint64_t hash = hash_request(work->path, &work->compiler, &work->arguments);
    STATUS_TRY(path_make(work->folder, sizeof work->folder, "%s/%016" PRIx64, work->kept, hash));
    return path_make(work->rule, sizeof work->rule, "%s/files", work->folder);
}

/* A file of Python is a module as it is. */
static Status name_python(const char *path, SourceModule *module) {
    STATUS_TRY(name_algorithm(path, module->name));
    return path_make(module->path, sizeof module->path, "%s", path);
}

Status source_file_compile_in(const char *path, const char *folder, SourceModule *module) {
    Work *work = calloc(1, sizeof *work);
    STATUS_MEMORY(work, "to compile %.100s", path);
    work->path = path;
    work->module = module;
    work->kept = folder;
    Status status = prepare(work);
    STATUS_THEN(status, make_module(work));
    argument_list_release(&work->compiler.words);
    argument_list_release(&work->arguments);
    free(work);
    return status;
}

Status source_file_compile(const char *path, SourceModule *module) {
    char cache[PATH_SIZE], kept[PATH_SIZE];
    STATUS_TRY(check_not_taken(path));
    if (python_file_is_named(path)) {
        return name_python(path, module);
    }
    STATUS_TRY(cache_folder(cache, sizeof cache));
    STATUS_TRY(path_make(kept, sizeof kept, "%s/modules", cache));
    return source_file_compile_in(path, kept, module);
}
