#include "compare_formats.h"

#include <string.h>

const CompareFormat compare_formats[] = {
    {.name = "table", .summary = "aligned text", .print = compare_print_table},
    {.name = "markdown",
     .summary = "for a comment on a pull request",
     .print = compare_print_markdown},
    {.name = "github", .summary = "annotations of GitHub Actions", .print = compare_print_github},
    {.name = "junit", .summary = "JUnit XML, a test case per cell", .print = compare_print_junit},
    {.name = "json", .summary = "every number", .print = compare_print_json},
};
const size_t compare_format_count = sizeof compare_formats / sizeof compare_formats[0];

const CompareFormat *compare_format_find(const char *name) {
    for (size_t i = 0; i < compare_format_count; i++) {
        if (strcmp(compare_formats[i].name, name) == 0) {
            return &compare_formats[i];
        }
    }
    return NULL;
}

Status compare_format_write(const char *path, const CompareFormat *format,
                            const Comparison *comparison, bool strict) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    const Status status = format->print(file.stream, comparison, strict);
    if (!status_is_ok(&status)) {
        atomic_file_abandon(&file);
        return status;
    }
    return atomic_file_commit(&file);
}
