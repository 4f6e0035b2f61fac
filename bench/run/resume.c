/* Resuming a stored run: whether it is the same request, and which of its rows are kept. */

#include "run_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Options that change no number: they may differ between a run and its continuation. */
typedef enum Role {
    ROLE_OTHER,
    ROLE_PLACE, /* a file to write, or a program to start. A stored run may come from anybody, so
                   it chooses neither for another command */
    ROLE_WHOLE, /* of all launches together: when they begin, and the comparison that follows */
    ROLE_SHARE  /* which part of the plan */
} Role;

static const struct {
    const char *name;
    Role role;
    bool has_value;
} ignored[] = {{"--resume", ROLE_PLACE, true},
               {"--out", ROLE_PLACE, true},
               {"--force", ROLE_PLACE, false},
               {"--csv", ROLE_PLACE, true},
               {"--json", ROLE_PLACE, true},
               {"--save", ROLE_PLACE, true},
               {"--save-table", ROLE_PLACE, false},
               {"--plot", ROLE_OTHER, false},
               {"--no-plot", ROLE_OTHER, false},
               {"--quiet", ROLE_OTHER, false},
               {"--first", ROLE_OTHER, true},
               {"--baseline", ROLE_WHOLE, true},
               {"--baseline-threshold", ROLE_WHOLE, true},
               {"--baseline-program", ROLE_PLACE, true},
               {"--alpha", ROLE_WHOLE, true},
               {"--strict", ROLE_WHOLE, false},
               {"--spread", ROLE_WHOLE, true},
               {"--shard", ROLE_SHARE, true}};

enum { IGNORED = sizeof ignored / sizeof ignored[0] };

/* The index of the option that an argument starts with, which ends at one of `ends` or the end of
 * the argument; IGNORED: none. */
static size_t find_ignored(const char *argument, const char *ends) {
    const size_t length = strcspn(argument, ends);
    size_t i = 0;
    while (i < IGNORED &&
           (strlen(ignored[i].name) != length || strncmp(argument, ignored[i].name, length) != 0)) {
        i++;
    }
    return i;
}

/* === The same request ========================================================================= */

enum { GROUPS_MAX = 128 };

/* A command line cut into options with their values, sorted: "--algo lbp", "--reps 5". */
typedef struct Arguments {
    char *text; /* of all groups; owned */
    char *groups[GROUPS_MAX];
    size_t count;
} Arguments;

static int compare_texts(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void sort_groups(Arguments *arguments) {
    size_t kept = 0;
    for (size_t i = 0; i < arguments->count; i++) {
        if (find_ignored(arguments->groups[i], " ") == IGNORED) {
            arguments->groups[kept++] = arguments->groups[i];
        }
    }
    arguments->count = kept;
    qsort(arguments->groups, kept, sizeof arguments->groups[0], compare_texts);
}

/* `text` has room for every word and a NUL behind it. */
static void group_words(const ArgumentList *words, Arguments *arguments) {
    char *write = arguments->text;
    char *group = NULL;
    for (int i = 0; i < words->argc; i++) {
        const char *word = words->argv[i];
        const size_t size = strlen(word) + 1;
        if (size > 3 && strncmp(word, "--", 2) == 0 && arguments->count < GROUPS_MAX) {
            group = arguments->groups[arguments->count++] = write;
        } else if (group != NULL) {
            write[-1] = ' '; /* a value continues the group of the last word */
        }
        if (group != NULL) {
            memcpy(write, word, size);
            char *equals = write == group ? strchr(write, '=') : NULL;
            if (equals != NULL) {
                *equals = ' ';
            }
            write += size;
        }
    }
}

/* Free the text, whatever was returned. */
static Status group_arguments(const ArgumentList *words, Arguments *arguments) {
    size_t size = 1;
    for (int i = 0; i < words->argc; i++) {
        size += strlen(words->argv[i]) + 1;
    }
    *arguments = (Arguments){.text = malloc(size)};
    if (arguments->text == NULL) {
        return status_no_memory("for the arguments of a run");
    }
    group_words(words, arguments);
    sort_groups(arguments);
    return status_ok();
}

static bool same_option(const char *a, const char *b) {
    const size_t length = strcspn(a, " ");
    return length == strcspn(b, " ") && strncmp(a, b, length) == 0;
}

/* `was` and `is` are the first difference of two sorted lists; an empty text is the end of one. */
static Status name_difference(const char *was, const char *is, const char *stored) {
    const bool both = same_option(was, is);
    const bool only_before = !both && was[0] != '\0' && (is[0] == '\0' || strcmp(was, is) < 0);
    return status_make(STATUS_USAGE,
                       "the stored run was made with other arguments: there %.100s, here %.100s; "
                       "give those of the run: %.120s",
                       both || only_before ? was : "nothing", only_before ? "nothing" : is, stored);
}

static Status compare_groups(const Arguments *before, const Arguments *here, const char *stored) {
    for (size_t i = 0; i < before->count || i < here->count; i++) {
        const char *was = i < before->count ? before->groups[i] : "";
        const char *is = i < here->count ? here->groups[i] : "";
        if (strcmp(was, is) != 0) {
            return name_difference(was, is, stored);
        }
    }
    return status_ok();
}

Status arguments_same(const ArgumentList *stored, const ArgumentList *now) {
    Arguments before = {.text = NULL}, here = {.text = NULL};
    Status status = group_arguments(stored, &before);
    if (status_is_ok(&status)) {
        status = group_arguments(now, &here);
    }
    if (status_is_ok(&status)) {
        char line[COMMAND_LINE_SIZE];
        command_line_text(stored, line, sizeof line);
        status = compare_groups(&before, &here, line);
    }
    free(before.text);
    free(here.text);
    return status;
}

/* Of a stored command line that was cut only the rest can be compared. */
static Status same_request(const StoredRun *stored, const RunOptions *options) {
    const ArgumentList given = options_arguments(options);
    if (!stored->arguments_cut) {
        return arguments_same(&stored->arguments, &given);
    }
    char line[COMMAND_LINE_SIZE];
    ArgumentList now;
    bool open;
    command_line_text(&given, line, sizeof line);
    STATUS_TRY(command_line_split(line, &now, &open));
    const Status status = arguments_same(&stored->arguments, &now);
    argument_list_release(&now);
    return status;
}

Status resume_read(const char *folder, const RunOptions *options, const Machine *machine,
                   StoredRun *stored) {
    char path[4096];
    *stored = (StoredRun){.complete = false};
    STATUS_TRY(stored_run_in(folder, path, sizeof path));
    STATUS_TRY(stored_run_read(path, stored));
    Status status = machine_same(&stored->machine, machine);
    if (status_is_ok(&status)) {
        status = same_request(stored, options);
    }
    if (!status_is_ok(&status)) {
        stored_run_release(stored);
        return status_make(STATUS_USAGE, "%.64s cannot be resumed: %.280s", folder, status.why);
    }
    return status;
}

/* === Rows of the earlier run ================================================================== */

/* A row without an algorithm was moved out already, and is of no cell. */
bool resume_extract(StoredRun *stored, const Row *planned, Row *row) {
    Row *found = results_find(&stored->results, planned);
    if (found == NULL) {
        return false;
    }
    *row = *found;
    *found = row_empty();
    return true;
}

bool resume_is_sampled(const Row *row) {
    return row->status == CELL_OK && row->kernel.count > 0 &&
           (row->end_to_end.count > 0 || !measure_has_transfers(row->variant));
}

bool resume_is_finished(const Row *row) {
    return resume_is_sampled(row) && row->end_to_end.count > 0 && !row->unfinished;
}

/* === The same inputs ========================================================================== */

static bool same_shape(const Row *row, const Workload *shape) {
    if (shape->kind == WORKLOAD_IMAGE_SET) {
        return row->images == shape->set.count && row->width == shape->set.width &&
               row->height == shape->set.height;
    }
    return row->images == 0 && row->width == shape->image.width &&
           row->height == shape->image.height;
}

static const Row *find_workload(const StoredRun *stored, const Workload *shape) {
    for (size_t i = 0; i < stored->results.count; i++) {
        const Row *row = &stored->results.rows[i];
        if (row->status == CELL_OK && row->algorithm->input == shape->kind &&
            strcmp(row->input, shape->input) == 0 &&
            strcmp(row->size_name, shape->size_name) == 0 && same_shape(row, shape)) {
            return row;
        }
    }
    return NULL;
}

/* A synthetic input follows from seed and build, which are the same; but weights and keypoints are
 * read from files. */
static bool may_differ(const Input *input) {
    return input->path != NULL || input->kind == WORKLOAD_KEYPOINTS;
}

static Status other_input(const Input *input) {
    const char *name = input->path != NULL ? input->path : input->name;
    if (input->kind == WORKLOAD_KEYPOINTS) {
        return status_make(STATUS_USAGE,
                           "%.200s, its keypoints or the weights are not those that the stored run "
                           "was measured on; resume with those, or start a new run",
                           name);
    }
    const char *what = input->kind == WORKLOAD_IMAGE_SET ? "set" : "image";
    return status_make(STATUS_USAGE,
                       "%s is not the %s that the stored run was measured on; resume with that %s, "
                       "or start a new run",
                       name, what, what);
}

Status resume_check_inputs(const StoredRun *stored, const Plan *plan, uint64_t seed) {
    for (size_t i = 0; i < plan->workload_count; i++) {
        const PlanWorkload *planned = &plan->workloads[i];
        const Row *row = find_workload(stored, &planned->shape);
        if (row == NULL || !may_differ(planned->input)) {
            continue;
        }
        Workload workload;
        const Status status = workload_load(planned->input, &planned->size, seed, &workload);
        if (status.code == STATUS_SKIP) {
            continue; /* no memory for it now: nothing will be measured on it either */
        }
        STATUS_TRY(status);
        const bool same = workload_hash_of(&workload, row->algorithm) == row->input_hash;
        workload_release(&workload);
        if (!same) {
            return other_input(planned->input);
        }
    }
    return status_ok();
}

/* NULL: there is none. */
static const Input *find_input(const InputList *inputs, const Row *row) {
    for (size_t i = 0; i < inputs->count; i++) {
        const Input *input = &inputs->inputs[i];
        if (input->kind == row->algorithm->input && strcmp(input->name, row->input) == 0) {
            return input;
        }
    }
    return NULL;
}

/* Whether the request has the size of the row, or with --weak one that grows to it. */
static bool find_size(const RunOptions *options, const Input *input, const Row *row,
                      SizeSpec *size) {
    size_t count;
    const SizeSpec *sizes = kind_sizes(options, input->kind, &count);
    WeakNumbers weak;
    const Status read = weak_numbers(options, &weak);
    for (size_t i = 0; i < count; i++) {
        *size = sizes[i];
        if (strcmp(size->name, row->size_name) == 0) {
            return true;
        }
        for (size_t j = 0; status_is_ok(&read) && j < weak.count; j++) {
            const Status grown = weak_size(input, &sizes[i], weak.list[j], size);
            if (status_is_ok(&grown) && strcmp(size->name, row->size_name) == 0) {
                return true;
            }
        }
    }
    return false;
}

Status stored_input_check(const RunOptions *options, const InputList *inputs, const Row *row) {
    const Input *input = find_input(inputs, row);
    SizeSpec size;
    if (input == NULL || !find_size(options, input, row, &size)) {
        return status_make(STATUS_USAGE, "the input %.200s at %s is not here", row->input,
                           row->size_name);
    }
    Workload workload;
    STATUS_TRY(workload_load(input, &size, options->seed, &workload));
    const bool same = workload_hash_of(&workload, row->algorithm) == row->input_hash;
    workload_release(&workload);
    return same ? status_ok()
                : status_make(STATUS_USAGE,
                              "the input %.200s is another here: its hash at %s is not the stored "
                              "one",
                              input->path != NULL ? input->path : input->name, row->size_name);
}

/* === Arguments of the earlier run ============================================================= */

/* How many of the arguments from `argument` on, it and its value, are an option of this role; 0:
 * none. */
static int option_length(const char *argument, Role role) {
    const size_t found = find_ignored(argument, "=");
    if (found == IGNORED || ignored[found].role != role) {
        return 0;
    }
    return ignored[found].has_value && strchr(argument, '=') == NULL ? 2 : 1;
}

static Status add_kept(const ArgumentList *given, bool whole, ArgumentList *list) {
    STATUS_TRY(argument_list_add(list, "bench"));
    int i = given->argc > 0 && strcmp(given->argv[0], "run") == 0 ? 1 : 0;
    while (i < given->argc) {
        int length = option_length(given->argv[i], ROLE_PLACE);
        if (length == 0 && !whole) {
            length = option_length(given->argv[i], ROLE_WHOLE);
        }
        if (length == 0) {
            STATUS_TRY(argument_list_add(list, given->argv[i]));
        }
        i += length > 0 ? length : 1;
    }
    return status_ok();
}

Status arguments_of_launch(const ArgumentList *given, ArgumentList *list) {
    return add_kept(given, false, list);
}

Status arguments_of_plan(const ArgumentList *given, ArgumentList *list) {
    *list = (ArgumentList){.argc = 0};
    for (int i = 0; i < given->argc;) {
        const int length = option_length(given->argv[i], ROLE_SHARE);
        if (length == 0) {
            STATUS_TRY(argument_list_add(list, given->argv[i]));
        }
        i += length > 0 ? length : 1;
    }
    return status_ok();
}

static Status append(const ArgumentList *stored, int argc, char *const *argv, ArgumentList *list) {
    STATUS_TRY(add_kept(stored, true, list));
    for (int i = 0; i < argc; i++) {
        STATUS_TRY(argument_list_add(list, argv[i]));
    }
    return status_ok();
}

/* Release with argument_list_release. */
static Status stored_arguments(const char *folder, ArgumentList *list) {
    char path[PATH_MAX];
    STATUS_TRY(stored_run_in(folder, path, sizeof path));
    StoredRun *stored = calloc(1, sizeof *stored);
    if (stored == NULL) {
        return status_no_memory("to read %.200s", path);
    }
    Status status = stored_run_read(path, stored);
    if (status_is_ok(&status)) {
        if (stored->arguments_cut) {
            status =
                status_make(STATUS_USAGE, "--resume: the stored command line was too long to be "
                                          "kept whole; give its arguments again");
        } else {
            *list = stored->arguments;
            stored->arguments = (ArgumentList){.argc = 0};
        }
        stored_run_release(stored);
    }
    free(stored);
    return status;
}

Status resume_arguments(const char *folder, int argc, char *const *argv, ArgumentList *list) {
    *list = (ArgumentList){.argc = 0};
    ArgumentList stored;
    STATUS_TRY(stored_arguments(folder, &stored));
    const Status status = append(&stored, argc, argv, list);
    argument_list_release(&stored);
    if (!status_is_ok(&status)) {
        argument_list_release(list);
    }
    return status;
}
