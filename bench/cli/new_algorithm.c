/* The command `bench new-algorithm`: writes a project with an algorithm of its own, which builds,
 * verifies and can be swept at once. It is the example `invert` under another name. */

#include "cli_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "registry.h"
#include "text.h"

enum { EXAMPLE_BYTES_MAX = 1 << 16, PATH_SIZE = 4096, UPPER_SIZE = 64 };

static const char example[] = "invert", example_upper[] = "INVERT";

typedef struct NewOptions {
    const char *name, *folder;
} NewOptions;

/* --- Names ------------------------------------------------------------------------------------ */

/* What a project of that name could not be built with, each between blanks. */
static const struct {
    const char *words, *what;
} reserved[] = {
    {" all clean codegen depend edit_cache help install "
     "list_install_components package package_source preinstall "
     "rebuild_cache test ",
     "a target of CMake"},
    {" c dl gomp m pthread rt ", "a library that the project links"},
    {" alignas alignof and and_eq asm auto bitand bitor bool break case catch "
     "char class compl concept const const_cast consteval constexpr "
     "constinit continue decltype default delete do double dynamic_cast else "
     "enum explicit export extern false float for friend goto if inline int "
     "long mutable namespace new noexcept not not_eq nullptr operator or "
     "or_eq private protected public register reinterpret_cast requires "
     "restrict return short signed sizeof static static_assert static_cast "
     "struct switch template this thread_local throw true try typedef typeid "
     "typename typeof typeof_unqual union unsigned using virtual void "
     "volatile while xor xor_eq ",
     "a word of C or C++"},
    {" complex errno i386 imaginary linux main noreturn stderr stdin stdout unix ",
     "a word of C's headers or of the compiler"},
};

static bool is_among(const char *words, const char *name) {
    char word[MODULE_NAME_MAX + 3];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(words, word) != NULL;
}

static Status check_name(const char *name) {
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        if (is_among(reserved[i].words, name)) {
            return status_make(STATUS_USAGE,
                               "the name '%s' is taken: it is %s, with which no project could be "
                               "built; choose another one",
                               name, reserved[i].what);
        }
    }
    if (!module_name_is_valid(name)) {
        return status_make(STATUS_USAGE,
                           "'%.60s' is no name of an algorithm: a small letter, then at most %d "
                           "small letters, digits and _",
                           name, MODULE_NAME_MAX - 1);
    }
    return registry_find_algorithm(name) == NULL
               ? status_ok()
               : status_make(STATUS_USAGE, "the name '%s' is taken; choose another one", name);
}

/* --- Text ------------------------------------------------------------------------------------- */

/* Writes `text` with each `old` as `new`. */
static void write_replaced(FILE *stream, const char *text, const char *name, const char *upper) {
    while (*text != '\0') {
        if (strncmp(text, example, sizeof example - 1) == 0) {
            fputs(name, stream);
            text += sizeof example - 1;
        } else if (strncmp(text, example_upper, sizeof example_upper - 1) == 0) {
            fputs(upper, stream);
            text += sizeof example_upper - 1;
        } else {
            fputc(*text++, stream);
        }
    }
}

/* A file's name begins with the example's, or is the same for every algorithm. */
static void new_file_name(const char *old, const char *name, char *text, size_t size) {
    const size_t length = sizeof example - 1;
    const bool named = strncmp(old, example, length) == 0;
    snprintf(text, size, "%s%s", named ? name : "", named ? old + length : old);
}

static Status write_file(const char *from, const char *to, const char *name) {
    char upper[UPPER_SIZE];
    size_t length = 0;
    char *text = NULL;
    AtomicFile file;
    for (size_t i = 0; i == 0 || upper[i - 1] != '\0'; i++) {
        upper[i] = (char)toupper((unsigned char)name[i]);
    }
    STATUS_TRY(file_text_read(from, "a file of the example", EXAMPLE_BYTES_MAX, &text, &length));
    Status status = atomic_file_open(&file, to);
    if (status_is_ok(&status)) {
        write_replaced(file.stream, text, name, upper);
        status = atomic_file_commit(&file);
    }
    free(text);
    return status;
}

/* --- Folder ----------------------------------------------------------------------------------- */

static Status copy_example(const char *from, const char *to, const char *name) {
    FolderList files;
    Status status = folder_list(from, NULL, &files);
    for (size_t i = 0; status_is_ok(&status) && i < files.count; i++) {
        const char *old = files.entries[i]->d_name;
        char file[256], source[PATH_SIZE], target[PATH_SIZE];
        new_file_name(old, name, file, sizeof file);
        status = path_make(source, sizeof source, "%s/%s", from, old);
        if (status_is_ok(&status)) {
            status = path_make(target, sizeof target, "%s/%s", to, file);
        }
        if (status_is_ok(&status)) {
            status = write_file(source, target, name);
        }
    }
    folder_list_release(&files);
    return status;
}

static int is_entry(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* Makes the folder, or takes one that is empty. */
static Status make_empty(const char *folder) {
    if (folder_exists(folder)) {
        FolderList files;
        Status status = folder_list(folder, is_entry, &files);
        if (status_is_ok(&status) && files.count > 0) {
            status = status_make(STATUS_FILE, "%.200s is not empty; name another folder", folder);
        }
        folder_list_release(&files);
        return status;
    }
    return folder_make(folder);
}

/* Where bench is installed, unless CMake looks there anyway; "" for a program that is not
 * installed. `from` is the folder of the example. */
static void installed_prefix(const char *from, char *prefix, size_t size) {
    static const char place[] = "/share/bench/new-algorithm/invert";
    const size_t length = strlen(from), tail = sizeof place - 1;
    prefix[0] = '\0';
    if (length > tail && strcmp(from + length - tail, place) == 0) {
        char folder[DATA_FOLDER_PATH_SIZE];
        snprintf(folder, sizeof folder, "%.*s", (int)(length - tail), from);
        char *whole = realpath(folder, NULL);
        snprintf(prefix, size, "%s", whole != NULL ? whole : folder);
        free(whole);
    }
}

/* The program is in the folder bin of the one where it was built. */
static void print_install(void) {
    static const char place[] = "/bin/bench";
    char path[DATA_FOLDER_PATH_SIZE];
    program_path(path, sizeof path);
    const size_t length = strlen(path), tail = sizeof place - 1;
    const bool built = length > tail && strcmp(path + length - tail, place) == 0;
    visible_line(stdout, "  cmake --install %.*s --prefix \"$HOME/.local\"",
                 built ? (int)(length - tail) : (int)strlen("build"), built ? path : "build");
}

static void print_next_steps(const NewOptions *options, const char *folder, const char *prefix) {
    const bool usual = strcmp(prefix, "/usr") == 0 || strcmp(prefix, "/usr/local") == 0;
    const char *name = options->name;
    visible_line(stdout, "%s", folder);
    printf("\nThen\n");
    if (prefix[0] == '\0') {
        print_install();
    }
    visible_line(stdout, "  cd %s", folder);
    if (prefix[0] == '\0') {
        printf("  cmake -B build -DCMAKE_PREFIX_PATH=\"$HOME/.local\" && cmake --build build\n");
    } else {
        visible_line(stdout, "  cmake -B build%s%s && cmake --build build",
                     usual ? "" : " -DCMAKE_PREFIX_PATH=", usual ? "" : prefix);
    }
    visible_line(stdout, "  bench verify --plugin build/%s.so --algo %s", name, name);
    visible_line(stdout, "  bench --plugin build/%s.so --algo %s --sizes all", name, name);
    if (prefix[0] == '\0') {
        printf("\nThis bench is not installed, and the project needs its headers; any other prefix "
               "will do.\n");
    }
}

static Status new_algorithm(Invocation *given, void *of) {
    static const DataFolder wanted = {.variable = "BENCH_NEW_ALGORITHM",
                                      .installed = "new-algorithm/invert",
                                      .source = "bench/module/invert",
                                      .holds = "invert_answer.h",
                                      .what = "the files of the example"};
    const NewOptions *options = of;
    char from[DATA_FOLDER_PATH_SIZE], prefix[DATA_FOLDER_PATH_SIZE];
    (void)given;
    if (options->name == NULL) {
        return status_make(STATUS_USAGE, "new-algorithm: name the algorithm");
    }
    const char *folder = options->folder != NULL ? options->folder : options->name;
    STATUS_TRY(check_name(options->name));
    STATUS_TRY(data_folder_find(&wanted, from, sizeof from));
    STATUS_TRY(make_empty(folder));
    STATUS_TRY(copy_example(from, folder, options->name));
    installed_prefix(from, prefix, sizeof prefix);
    print_next_steps(options, folder, prefix);
    return status_ok();
}

static const Option option_rows[] = {
    {NULL, "NAME", NULL, .kind = OPTION_TEXT, .member = offsetof(NewOptions, name)},
    {NULL, "DIR", NULL, .kind = OPTION_TEXT, .member = offsetof(NewOptions, folder)},
    OPTIONS_END};

const Command command_new_algorithm = {
    .name = "new-algorithm",
    .summary = "write a project with an algorithm of your own",
    .usage = "bench new-algorithm NAME [DIR]",
    .about = "Writes a small project into DIR, a new folder (default: NAME): definition, plain and "
             "OpenMP code, a CUDA kernel, CMake, a test. It builds, verifies and can be swept at "
             "once, and computes the negative of an image until you change it. Its module is "
             "loaded with --plugin, or from a folder that BENCH_PATH names.",
    .examples = "bench new-algorithm blur\n",
    .words = "an algorithm and a folder",
    .rows = option_rows,
    .size = sizeof(NewOptions),
    .run = new_algorithm,
};
