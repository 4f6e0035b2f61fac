/* The command `bench new-algorithm`: writes an algorithm of one's own, which verifies and can be
 * swept at once. It is one of the examples under another name. */

#include "cli_internal.h"
#include "commands.h"
#include "modules.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "registry.h"
#include "source_file.h"
#include "text.h"

enum { EXAMPLE_BYTES_MAX = 1 << 16, PATH_SIZE = 4096, NAME_SIZE = 64 };

typedef struct NewOptions {
    const char *name, *folder;
    int language; /* of `languages`, from 1; 0: none was given */
    bool full, opencv;
} NewOptions;

/* --- Examples --------------------------------------------------------------------------------- */

typedef struct Example {
    const char *folder;   /* in that of the examples */
    const char *word;     /* where it stands in texts and names of files, the new name belongs */
    const char *source;   /* the file that is the algorithm; NULL: a project of several */
    const char *ending;   /* of the file that is written instead of `source` */
    const char *packages; /* command for what runners lack; "": nothing */
} Example;

static const Example full_example = {"invert", "invert", NULL, NULL, ""};
static const Example opencv_example = {
    "opencv", "softened", NULL, NULL,
    "sudo apt-get update && sudo apt-get install -y libopencv-dev pkg-config"};
static const Example short_examples[] = {
    {"short", "blur", "blur.c", ".c", ""},
    {"short", "blur", "blur.c", ".cpp", ""},
    {"short", "blur", "blur.cu", ".cu",
     "command -v nvcc || { sudo apt-get update && sudo apt-get install -y nvidia-cuda-toolkit; }"}};
static const char *const languages[] = {"c", "c++", "cuda", NULL};

/* What the texts of short examples call their file. */
static const char example_file[] = "blur.cu";

static const Example *example_of(const NewOptions *options) {
    return options->full                            ? &full_example
           : options->opencv                        ? &opencv_example
           : options->language > 0                  ? &short_examples[options->language - 1]
           : source_compiler_is_there(example_file) ? &short_examples[2]
                                                    : &short_examples[0];
}

/* --- Pipelines -------------------------------------------------------------------------------- */

/* Files of services that build and measure each push, and of git, the same for every example, of
 * which they call the word `pipeline_word` and the file `example_file`. */
static const struct {
    const char *from, *to;
} pipelines[] = {{"ci/github.yml", ".github/workflows/bench.yml"},
                 {"ci/gitlab.yml", ".gitlab-ci.yml"},
                 {"ci/gitignore", ".gitignore"}};

enum { PIPELINES = sizeof pipelines / sizeof pipelines[0] };

static const char pipeline_word[] = "blur";

#define CMAKE_BUILD "cmake -B build && cmake --build build"

/* What their lines hold that differs. A line whose text is "" is left out. */
typedef struct Blank {
    const char *name, *file, *project; /* of an example of one file, and of several */
} Blank;

static const Blank blanks[] = {
    {"@packages@", NULL, NULL}, /* the example's */
    {"@build@", "", CMAKE_BUILD},
    {"@algorithm@", "blur.cu", "--plugin build/blur.so --algo blur"},
    {"@module@", "--module blur.cu", "--module build/blur.so --build '" CMAKE_BUILD "'"}};

/* The first blank of a line; NULL: it has none. `*at` is where it begins. */
static const Blank *find_blank(const char *line, size_t length, const char **at) {
    for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++) {
        const char *found = strstr(line, blanks[i].name);
        if (found != NULL && found < line + length) {
            *at = found;
            return &blanks[i];
        }
    }
    return NULL;
}

/* Fills the blanks, one in a line. */
static void fill_blanks(FILE *stream, const char *text, const Example *example) {
    while (*text != '\0') {
        const char *at = NULL;
        const size_t length = strcspn(text, "\n") + (strchr(text, '\n') != NULL);
        const Blank *blank = find_blank(text, length, &at);
        const char *filled = blank == NULL             ? ""
                             : blank->file == NULL     ? example->packages
                             : example->source != NULL ? blank->file
                                                       : blank->project;
        if (blank == NULL) {
            fwrite(text, 1, length, stream);
        } else if (filled[0] != '\0') {
            const char *rest = at + strlen(blank->name);
            fprintf(stream, "%.*s%s%.*s", (int)(at - text), text, filled,
                    (int)(text + length - rest), rest);
        }
        text += length;
    }
}

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

/* What stands where in the new files. */
typedef struct Replaced {
    const char *old;
    char text[NAME_SIZE];
} Replaced;

enum { REPLACED = 3 };

static void make_upper(const char *text, char upper[NAME_SIZE]) {
    size_t length = 0;
    for (; text[length] != '\0'; length++) {
        upper[length] = (char)toupper((unsigned char)text[length]);
    }
    upper[length] = '\0';
}

/* The longest first. */
static void fill_replaced(const Example *example, const char *word, const char *name,
                          char old_upper[NAME_SIZE], Replaced replaced[REPLACED]) {
    make_upper(word, old_upper);
    replaced[0].old = example->source != NULL ? example_file : word;
    snprintf(replaced[0].text, NAME_SIZE, "%s%s", name,
             example->source != NULL ? example->ending : "");
    replaced[1].old = word;
    snprintf(replaced[1].text, NAME_SIZE, "%s", name);
    replaced[2].old = old_upper;
    make_upper(name, replaced[2].text);
}

/* Writes `text` with each old word as the new one. */
static void write_replaced(FILE *stream, const char *text, const Replaced replaced[REPLACED]) {
    while (*text != '\0') {
        const char *rest = NULL;
        size_t i = 0;
        while (i < REPLACED && (rest = text_after(text, replaced[i].old)) == NULL) {
            i++;
        }
        if (rest != NULL) {
            fputs(replaced[i].text, stream);
            text = rest;
        } else {
            fputc(*text++, stream);
        }
    }
}

static Status read_file(const char *from, char **text) {
    size_t length = 0;
    return file_text_read(from, "a file of the example", EXAMPLE_BYTES_MAX, text, &length);
}

/* Frees the text. */
static Status write_file(char *text, const char *to, const Replaced replaced[REPLACED]) {
    AtomicFile file;
    Status status = folder_make_for(to);
    STATUS_THEN(status, atomic_file_open(&file, to));
    if (status_is_ok(&status)) {
        write_replaced(file.stream, text, replaced);
        status = atomic_file_commit(&file);
    }
    free(text);
    return status;
}

/* --- Folder ----------------------------------------------------------------------------------- */

/* A short example has a source of each language, of which one is taken. */
static bool is_taken(const Example *example, const char *file) {
    return example->source == NULL || text_after(file, example->word) == NULL ||
           strcmp(file, example->source) == 0;
}

/* A file's name begins with the example's, or is the same for every algorithm. */
static void new_file_name(const Example *example, const char *old, const char *name, char *text,
                          size_t size) {
    const char *rest = text_after(old, example->word);
    if (rest == NULL) {
        snprintf(text, size, "%s", old);
    } else {
        snprintf(text, size, "%s%s", name, example->source != NULL ? example->ending : rest);
    }
}

static Status copy_file(const Example *example, const char *from, const char *to, const char *old,
                        const char *name) {
    char file[256], source[PATH_SIZE], target[PATH_SIZE], old_upper[NAME_SIZE];
    char *text = NULL;
    Replaced replaced[REPLACED];
    new_file_name(example, old, name, file, sizeof file);
    fill_replaced(example, example->word, name, old_upper, replaced);
    STATUS_TRY(path_make(source, sizeof source, "%s/%s", from, old));
    STATUS_TRY(path_make(target, sizeof target, "%s/%s", to, file));
    STATUS_TRY(read_file(source, &text));
    return write_file(text, target, replaced);
}

static Status write_pipeline(const Example *example, const char *from, const char *to,
                             const char *name) {
    char old_upper[NAME_SIZE];
    char *text = NULL, *filled = NULL;
    size_t size = 0;
    Replaced replaced[REPLACED];
    fill_replaced(example, pipeline_word, name, old_upper, replaced);
    STATUS_TRY(read_file(from, &text));
    FILE *stream = open_memstream(&filled, &size);
    if (stream != NULL) {
        fill_blanks(stream, text, example);
    }
    free(text);
    if (stream == NULL || fclose(stream) != 0) {
        free(filled);
        return status_no_memory("for a pipeline");
    }
    return write_file(filled, to, replaced);
}

static Status write_pipelines(const Example *example, const char *examples, const char *to,
                              const char *name) {
    for (size_t i = 0; i < PIPELINES; i++) {
        char source[PATH_SIZE], target[PATH_SIZE];
        STATUS_TRY(path_make(source, sizeof source, "%s/%s", examples, pipelines[i].from));
        STATUS_TRY(path_make(target, sizeof target, "%s/%s", to, pipelines[i].to));
        STATUS_TRY(write_pipeline(example, source, target, name));
    }
    return status_ok();
}

static Status copy_example(const Example *example, const char *examples, const char *to,
                           const char *name) {
    FolderList files;
    char from[PATH_SIZE];
    STATUS_TRY(path_make(from, sizeof from, "%s/%s", examples, example->folder));
    Status status = folder_list(from, NULL, &files);
    for (size_t i = 0; status_is_ok(&status) && i < files.count; i++) {
        const char *old = files.entries[i]->d_name;
        status = is_taken(example, old) ? copy_file(example, from, to, old, name) : status_ok();
    }
    folder_list_release(&files);
    return status;
}

/* Makes the folder, or takes one that is empty. */
static Status make_empty(const char *folder) {
    if (folder_exists(folder)) {
        FolderList files;
        Status status = folder_list(folder, folder_entry, &files);
        if (status_is_ok(&status) && files.count > 0) {
            status = status_make(STATUS_FILE, "%.200s is not empty; name another folder", folder);
        }
        folder_list_release(&files);
        return status;
    }
    return folder_make(folder);
}

/* Where bench is installed, unless CMake looks there anyway; "" for a program that is not
 * installed. `from` is the folder of the examples. */
static void installed_prefix(const char *from, char *prefix, size_t size) {
    static const char place[] = "/share/bench/new-algorithm";
    prefix[0] = '\0';
    if (text_ends(from, place)) {
        char folder[DATA_FOLDER_PATH_SIZE];
        snprintf(folder, sizeof folder, "%.*s", (int)(strlen(from) - strlen(place)), from);
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
    const bool built = text_ends(path, place);
    visible_line(stdout, "  cmake --install %.*s --prefix \"$HOME/.local\"",
                 (int)(built ? strlen(path) - strlen(place) : strlen("build")),
                 built ? path : "build");
}

static void print_build_steps(const char *name, const char *prefix) {
    const bool usual = strcmp(prefix, "/usr") == 0 || strcmp(prefix, "/usr/local") == 0;
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

static void print_next_steps(const Example *example, const NewOptions *options, const char *folder,
                             const char *prefix) {
    visible_line(stdout, "%s", folder);
    printf("\nThen\n");
    if (example->source == NULL && prefix[0] == '\0') {
        print_install();
    }
    visible_line(stdout, "  cd %s", folder);
    if (example->source != NULL) {
        visible_line(stdout, "  bench verify %s%s", options->name, example->ending);
        visible_line(stdout, "  bench run %s%s --sizes all", options->name, example->ending);
    } else {
        print_build_steps(options->name, prefix);
    }
}

static Status new_algorithm(Invocation *given, void *of) {
    static const DataFolder wanted = {.variable = "BENCH_NEW_ALGORITHM",
                                      .installed = "new-algorithm",
                                      .source = "bench/module",
                                      .holds = "invert/invert_answer.h",
                                      .what = "the files of the examples"};
    const NewOptions *options = of;
    const Example *example = example_of(options);
    static char from[DATA_FOLDER_PATH_SIZE], prefix[DATA_FOLDER_PATH_SIZE];
    (void)given;
    if (options->name == NULL) {
        return status_make(STATUS_USAGE, "new-algorithm: name the algorithm");
    }
    const char *folder = options->folder != NULL ? options->folder : options->name;
    STATUS_TRY(check_name(options->name));
    STATUS_TRY(data_folder_find(&wanted, from, sizeof from));
    STATUS_TRY(make_empty(folder));
    STATUS_TRY(copy_example(example, from, folder, options->name));
    STATUS_TRY(write_pipelines(example, from, folder, options->name));
    installed_prefix(from, prefix, sizeof prefix);
    print_next_steps(example, options, folder, prefix);
    return status_ok();
}

/* One form alone. */
static Status check(void *of, const OptionsGiven *given) {
    const NewOptions *options = of;
    (void)given;
    return options->full + options->opencv + (options->language > 0) <= 1
               ? status_ok()
               : status_make(STATUS_USAGE, "new-algorithm: --language, --full and --opencv are "
                                           "forms of their own; give one of them");
}

static const Option option_rows[] = {
    {NULL, "NAME", NULL, .kind = OPTION_TEXT, .member = offsetof(NewOptions, name)},
    {NULL, "DIR", NULL, .takes = TAKES_FOLDER, .kind = OPTION_TEXT,
     .member = offsetof(NewOptions, folder)},
    {"language", "WORD", "of the one file: c, c++ or cuda. Default: cuda where nvcc is, else c",
     .kind = OPTION_CHOICE, .words = languages, .noun = "language",
     .member = offsetof(NewOptions, language)},
    {"full", NULL, "a project of several files in C, C++ and CUDA, built by CMake",
     .kind = OPTION_SET, .member = offsetof(NewOptions, full)},
    {"opencv", NULL, "one file of C++ that calls OpenCV, built by CMake", .kind = OPTION_SET,
     .member = offsetof(NewOptions, opencv)},
    OPTIONS_END};

const Command command_new_algorithm = {
    .name = "new-algorithm",
    .summary = "write an algorithm of your own, which runs at once",
    .usage = "bench new-algorithm NAME [DIR] [--language WORD|--full|--opencv]",
    .about = "Writes an algorithm into DIR, a new folder (default: NAME), as one file that "
             "'bench run' compiles: plain code for rows, kernels, and a line that names them. It "
             "verifies and can be swept at once, and blurs an image until you change it. With "
             "--full it is a project with a definition, a file for each variant, CMake and a "
             "test, whose module is loaded with --plugin, or from a folder that BENCH_PATH names: "
             "for other inputs, several answers, stages. Each has pipelines for GitHub and GitLab, "
             "which verify, measure and compare each change with 'bench ci --module'.",
    .examples = "bench new-algorithm blur\n"
                "bench new-algorithm blur --full\n",
    .words = "an algorithm and a folder",
    .rows = option_rows,
    .size = sizeof(NewOptions),
    .check = check,
    .run = new_algorithm,
};
