/* What somebody meant who typed a word where an option or a command belongs. */

#include "arguments.h"
#include "cli.h"
#include "cli_internal.h"
#include "command_line.h"
#include "size_spec.h"
#include "study.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "paths.h"
#include "registry.h"
#include "run_options.h"

/* === What a word is =========================================================================== */

static bool is_algorithm(const char *word) {
    return registry_find_algorithm(word) != NULL;
}

static bool is_variant(const char *word) {
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        if (registry_find_variant(registry_algorithm(i), word) != NULL) {
            return true;
        }
    }
    return false;
}

static bool is_size(const char *word) {
    SizeSpec size;
    const Status status = size_parse(word, &size);
    return status_is_ok(&status) && size.width > 0;
}

/* Whether it is there or not. */
static bool is_image(const char *word) {
    static const char *const endings[] = {".png", ".jpg", ".jpeg", ".pgm", ".ppm", ".pbm", ".pnm"};
    const char *dot = strrchr(word, '.');
    bool is = false;
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; i++) {
        is |= strcasecmp(dot, endings[i]) == 0;
    }
    return is;
}

/* The option of a run whose value the word is; the first that fits. */
static const struct {
    bool (*is)(const char *word);
    const char *what, *option;
} values[] = {{is_algorithm, "an algorithm", "--algo"},
              {is_variant, "a variant", "--variants"},
              {is_size, "a size", "--sizes"},
              {is_image, "an image", "--input"}};

enum { VALUES = sizeof values / sizeof values[0] };

/* A folder with a run, or one of its files. */
static bool is_run(const char *word) {
    const char *path = word;
    const Status found = run_find(word, &path);
    bool is = strcmp(word, LAST_RUN) == 0 || (status_is_ok(&found) && run_is_in(path));
    for (size_t i = 0; stored_run_files[i] != NULL; i++) {
        is |= strcmp(path_name(word), stored_run_files[i]) == 0;
    }
    return is;
}

static bool is_study(const char *word) {
    PathList names = {.count = 0};
    const Status status = study_names(&names);
    bool is = false;
    for (size_t i = 0; status_is_ok(&status) && i < names.count; i++) {
        is |= strcmp(names.paths[i], word) == 0;
    }
    path_list_release(&names);
    return is;
}

/* === What to write ============================================================================ */

/* "run --algo lbp --sizes 4K": the word behind its option, and the other arguments as they are. An
 * algorithm is needed, and any shows how. */
static Status write_line(const Command *command, const char *option, const char *word, int argc,
                         char **argv, char line[COMMAND_LINE_SIZE]) {
    ArgumentList list = {.argc = 0};
    const ArgumentList given = {.argc = argc, .argv = argv};
    const bool named = strcmp(option, "--algo") == 0 || argument_list_has(&given, "--algo");
    const char *const name[] = {command->family != NULL ? command->family : command->name,
                                command->family != NULL ? command->name : NULL, NULL};
    const char *const start[] = {"--algo", "lbp", option, word, NULL};
    Status status = argument_list_add_all(&list, name);
    STATUS_THEN(status, argument_list_add_all(&list, named ? start + 2 : start));
    for (int i = 0; status_is_ok(&status) && i < argc; i++) {
        status = argv[i] != word ? argument_list_add(&list, argv[i]) : status_ok();
    }
    if (status_is_ok(&status)) {
        command_line_text(&list, line, COMMAND_LINE_SIZE);
    }
    argument_list_release(&list);
    return status;
}

Status word_meant(const Command *command, const char *word, int argc, char **argv) {
    const ArgumentList given = {.argc = argc, .argv = argv};
    for (size_t i = 0; i < VALUES; i++) {
        const bool free =
            command_option(command, values[i].option + 2, strlen(values[i].option + 2)) != NULL &&
            !argument_list_has(&given, values[i].option);
        if (free && values[i].is(word)) {
            char line[COMMAND_LINE_SIZE];
            STATUS_TRY(write_line(command, values[i].option, word, argc, argv, line));
            return status_make(STATUS_USAGE, "'%.60s' is %s; write: bench %.400s", word,
                               values[i].what, line);
        }
    }
    return status_ok();
}

Status command_not_found(int argc, char **argv) {
    const char *word = argv[0];
    if (is_run(word)) {
        return status_make(STATUS_USAGE, "'%.200s' is a stored run; write: bench show %.200s", word,
                           word);
    }
    if (folder_exists(word) && runs_are_below(word)) {
        return run_check(word);
    }
    if (is_study(word)) {
        return status_make(STATUS_USAGE, "'%.60s' is a study; write: bench study %.60s --quick",
                           word, word);
    }
    STATUS_TRY(word_meant(&command_run, word, argc, argv));
    return command_unknown(word);
}
