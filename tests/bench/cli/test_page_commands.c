/* The commands that the README files and the lab sheet show are ones that this program accepts. */
#include "apps.h"
#include "arguments.h"
#include "cli.h"
#include "command_line.h"
#include "source_file.h"
#include "test.h"

enum { LINE_MAX_SIZE = 2048, PATH_MAX_SIZE = 1024 };

/* Every page that shows any, but for cpu/README.md: its commands are of the worked example, which a
 * test builds and runs. */
static const char *const pages[] = {"README.md",
                                    "bench/README.md",
                                    "bench/apps/README.md",
                                    "datasets/descriptors/README.md",
                                    "reports/README.md",
                                    "reports/lab-sheet.md"};

static const char *const programs[] = {"./bench.sh", "build/bin/bench", "bench", "base/bench.sh"};

/* The arguments of a line that starts the program; NULL: it starts something else. */
static char *arguments_of(char *line) {
    line += strspn(line, " ");
    line += strncmp(line, "run: ", 5) == 0 ? 5 : 0; /* of a job on GitHub */
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        const size_t length = strlen(programs[i]);
        if (strncmp(line, programs[i], length) == 0 && (line[length] == ' ')) {
            return line + length + 1;
        }
    }
    return NULL;
}

/* Cuts what the shell takes for itself: a comment, another command, a file for the output. */
static void cut_shell(char *arguments) {
    static const char *const marks[] = {" #", " || ", " && ", " | ", " >", "; "};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        char *mark = strstr(arguments, marks[i]);
        if (mark != NULL) {
            *mark = '\0';
        }
    }
}

/* Algorithms in one file are the reader's; the program takes them out before it reads options, but
 * for the value of --module. */
static int drop_sources(ArgumentList *list) {
    int kept = 0;
    for (int i = 0; i < list->argc; i++) {
        const bool value = kept > 0 && strcmp(list->argv[kept - 1], "--module") == 0;
        if (!value && source_file_is_named(list->argv[i]) && list->argv[i][0] != '-') {
            free(list->argv[i]);
        } else {
            list->argv[kept++] = list->argv[i];
        }
    }
    const int dropped = list->argc - kept;
    list->argc = kept;
    list->argv[kept] = NULL;
    return dropped;
}

static void check_command(const char *page, const char *line) {
    RELEASED_BY(argument_list_release) ArgumentList list = {.argc = 0};
    bool open;
    assert_ok(command_line_split(line, &list, &open));
    if (open) {
        fail_msg("%s: bench %s: a quote is open", page, line);
    }
    /* bench.sh takes that one itself. */
    const int own = list.argc > 0 && strcmp(list.argv[0], "--cuda") == 0;
    int named = 0;
    const int sources = drop_sources(&list);
    const Command *command =
        list.argc > own && list.argv[own][0] != '-'
            ? command_named(list.argc - own, (const char *const *)list.argv + own, &named)
            : command_find("run");
    if (command == NULL) {
        fail_msg("%s: bench %s: there is no such command", page, line);
    }
    void *options = calloc(1, command->size + 1);
    assert_non_null(options);
    const Status status =
        options_parse(command, list.argc - own - named, list.argv + own + named, options);
    /* Files of an example are the reader's, and so is the algorithm of a module. */
    const bool readers =
        strstr(status.why, "No such file or directory") != NULL ||
        strstr(status.why, "no run has ended in this folder yet") != NULL ||
        (strstr(line, "--plugin ") != NULL && strstr(status.why, "is no algorithm") != NULL) ||
        (sources > 0 && strstr(status.why, "--algo is needed") != NULL);
    if (!status_is_ok(&status) && !readers) {
        fail_msg("%s: bench %s: %s", page, line, status.why);
    }
    options_release(command, options);
    free(options);
}

/* Commands of the page's code blocks in sh and yaml; a line that ends in a backslash goes on. */
static size_t check_page(const char *page) {
    char path[PATH_MAX_SIZE];
    char line[LINE_MAX_SIZE] = "";
    size_t used = 0, checked = 0;
    bool inside = false;
    snprintf(path, sizeof path, "%s/%s", BENCH_SOURCE_DIR, page);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line + used, (int)(sizeof line - used), file) != NULL) {
        size_t length = strcspn(line, "\n");
        line[length] = '\0';
        if (strncmp(line, "```", 3) == 0) {
            inside = strcmp(line, "```sh") == 0 || strcmp(line, "```yaml") == 0;
        } else if (inside && length > 0 && line[length - 1] == '\\') {
            used = length - 1;
            continue;
        } else if (inside) {
            char *arguments = arguments_of(line);
            if (arguments != NULL) {
                cut_shell(arguments);
                check_command(page, arguments);
                checked++;
            }
        }
        used = 0;
    }
    fclose(file);
    return checked;
}

TEST(pages_show_commands_that_parse) {
    command_groups_add(app_groups, APP_GROUPS);
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        const size_t checked = check_page(pages[i]);
        if (checked == 0) {
            fail_msg("%s shows no command", pages[i]);
        }
    }
}
