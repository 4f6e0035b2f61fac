/* An algorithm in one file: of C, C++ or CUDA (bench.h), compiled into a module, or of Python
 * (python.h). */

#ifndef BENCH_BASE_SOURCE_FILE_H
#define BENCH_BASE_SOURCE_FILE_H

#include <stdbool.h>

#include "modules.h"
#include "paths.h"
#include "status.h"

typedef struct SourceModule {
    char name[MODULE_NAME_MAX + 1];   /* of the algorithm: the file's, as a name can be */
    char path[DATA_FOLDER_PATH_SIZE]; /* of the module */
} SourceModule;

/* Whether the path ends as files of C (.c), C++ (.cc, .cpp, .cxx), CUDA (.cu) or Python (.py) do.
 */
bool source_file_is_named(const char *path);

/* The name of its algorithm: "My Blur-2.cu" is my_blur_2. What begins with a digit has none that is
 * valid. */
void source_file_name(const char *path, char name[MODULE_NAME_MAX + 1]);

/* Whether there is a compiler of files that end so. */
bool source_compiler_is_there(const char *path);

/*
 * Compiles the file into a module in the cache folder, unless there is one of the same bytes of the
 * file and of all that it includes, compiler, flags and device. What the compiler says goes to
 * standard error. The compiler is started without a shell. A file of Python is its own module.
 *
 * STATUS_FILE when the file cannot be read, there is no compiler, or it fails; STATUS_USAGE when
 * the name of the file cannot be that of an algorithm; STATUS_INTERRUPTED.
 */
Status source_file_compile(const char *path, SourceModule *module);

/* The same of a file that is compiled, for another process: modules of this one may have its name.
 * It is kept in `folder`, an absolute path, instead of the cache folder. */
Status source_file_compile_in(const char *path, const char *folder, SourceModule *module);

/* "blur.cu" and "nvcc -O3 …": the file that a module was compiled of, as it was named, and how.
 * False for a module that nothing is known of. The texts are cut to `size`. */
bool source_file_of_module(const char *module, char *source, char *command, size_t size);

#endif
