/* What a shell's completion asks: which words may come next. */

#include "algorithm.h"
#include "cli.h"
#include "cli_internal.h"
#include "paths.h"
#include "run_options.h"
#include "study.h"
#include "variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "registry.h"
#include "run.h"
#include "text.h"

/* === Scripts ================================================================================== */

const char *const completion_shells[] = {"bash", "zsh", "fish", NULL};

void completion_script_print(FILE *stream, int shell) {
    const char *const scripts[] = {completion_bash, completion_zsh, completion_fish};
    fputs(scripts[shell - 1], stream);
}

/* === A question =============================================================================== */

typedef struct Question {
    FILE *stream;
    const Command *command;
    const char *algorithms; /* the list of --algo; NULL: none was given */
    const char *word;       /* the last word */
    const char *start;      /* its part that is completed: of "--algo=lbp,ha" it is "ha" */
    const char *family;     /* that the word before the last one names; NULL: it names none */
} Question;

/* A word with invisible characters is the name of a file and is left out: one line is one word. */
static void offer(const Question *question, const char *word, const char *what) {
    char visible[ATOMIC_FILE_PATH_SIZE];
    text_visible(word, visible, sizeof visible);
    if (text_after(word, question->start) == NULL || strcmp(word, visible) != 0) {
        return;
    }
    fprintf(question->stream, "%.*s%s%s%s\n", (int)(question->start - question->word),
            question->word, word, what != NULL ? "\t" : "", what != NULL ? what : "");
}

static void offer_words(const Question *question, const char *const *words) {
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        offer(question, words[i], NULL);
    }
}

/* === Values =================================================================================== */

static void offer_algorithms(const Question *question) {
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        offer(question, registry_algorithm(i)->name, registry_algorithm(i)->summary);
    }
}

/* Whether the algorithm is one of --algo, or none is known there. */
static bool is_chosen(const Question *question, const Algorithm *wanted) {
    char word[LIST_WORD_SIZE];
    const char *rest = question->algorithms;
    bool any = false;
    while (rest != NULL) {
        const Status status = list_next(&rest, word);
        if (!status_is_ok(&status)) {
            break;
        }
        const Algorithm *algorithm = registry_find_algorithm(word);
        if (algorithm == wanted || strcmp(word, "all") == 0) {
            return true;
        }
        any |= algorithm != NULL;
    }
    return !any;
}

/* A name that several algorithms have is offered once, with the summary of the first. */
static void offer_variants(const Question *question) {
    const char *names[OPTIONS_VARIANTS_MAX];
    size_t count = 0;
    for (size_t a = 0; a < registry_algorithm_count(); a++) {
        const Algorithm *algorithm = registry_algorithm(a);
        for (size_t v = 0; is_chosen(question, algorithm) && v < registry_variant_count(algorithm);
             v++) {
            const Variant *variant = registry_variant(algorithm, v);
            size_t i = 0;
            while (i < count && strcmp(names[i], variant->name) != 0) {
                i++;
            }
            if (i == count && count < OPTIONS_VARIANTS_MAX) {
                names[count++] = variant->name;
                offer(question, variant->name, variant->summary);
            }
        }
    }
}

static void offer_sizes(const Question *question) {
    for (size_t i = 0; i < named_size_count; i++) {
        offer(question, named_sizes[i].size.name, NULL);
    }
}

static void offer_images(const Question *question) {
    offer_words(question, synthetic_kinds);
}

static void offer_synthetics(const Question *question) {
    static const WorkloadKind kinds[] = {WORKLOAD_IMAGE, WORKLOAD_IMAGE_SET, WORKLOAD_DESCRIPTORS};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        offer_words(question, kind_synthetics(kinds[i]));
    }
}

static void offer_axes(const Question *question) {
    const AxisCatalog catalog = axis_catalog();
    for (size_t i = 0; i < catalog.count; i++) {
        offer(question, catalog.axes[i]->name, catalog.axes[i]->help);
    }
}

/* The commands of a family; NULL: those that `bench help` lists. */
static void offer_members(const Question *question, const char *family) {
    const Command *command;
    for (size_t i = 0; (command = command_of(family, i)) != NULL; i++) {
        offer(question, command->name, command->summary);
    }
}

/* Behind `help app` those of the family; behind `help help` there is nothing. */
static void offer_topics(const Question *question) {
    if (question->family != NULL && question->family != command_help.name) {
        offer_members(question, question->family);
        return;
    }
    offer_members(question, NULL);
    for (size_t i = 0; i < help_topic_count; i++) {
        offer(question, help_topics[i].name, help_topics[i].summary);
    }
}

/* The words of a choice, or what the axis is without its option. */
static void offer_axis_values(const Question *question, const Axis *axis) {
    const char *rest = axis->defaults;
    char word[LIST_WORD_SIZE];
    offer_words(question, axis->kind == AXIS_CHOICE ? axis->choices : NULL);
    while (rest != NULL && axis->kind != AXIS_CHOICE) {
        const Status status = list_next(&rest, word);
        if (!status_is_ok(&status)) {
            return;
        }
        offer(question, word, NULL);
    }
}

/* `latest`, and what the folder of runs has. */
static void offer_runs(const Question *question) {
    PathList list = {.count = 0};
    const Status status = path_list_add_folder(&list, runs_folder(), NULL);
    offer(question, LAST_RUN, "the last run");
    for (size_t i = 0; status_is_ok(&status) && i < list.count; i++) {
        if (folder_exists(list.paths[i]) && strcmp(path_name(list.paths[i]), LAST_RUN) != 0) {
            offer(question, list.paths[i], NULL);
        }
    }
    path_list_release(&list);
}

static void offer_studies(const Question *question) {
    PathList names = {.count = 0};
    const Status status = study_names(&names);
    for (size_t i = 0; status_is_ok(&status) && i < names.count; i++) {
        offer(question, names.paths[i], NULL);
    }
    path_list_release(&names);
}

/* What the name of an option stands for, wherever it is not read as a number or a word of its row;
 * of an argument without a name, what its command takes. */
static const struct {
    const char *command, *option;
    void (*offer)(const Question *question);
} values[] = {
    {"curve", "synthetic", offer_images}, {NULL, "algo", offer_algorithms},
    {NULL, "variants", offer_variants},   {NULL, "variant", offer_variants},
    {NULL, "sizes", offer_sizes},         {NULL, "synthetic", offer_synthetics},
    {NULL, "axis", offer_axes},           {"list", NULL, offer_algorithms},
    {"study", NULL, offer_studies},       {"help", NULL, offer_topics},
};

enum { VALUES = sizeof values / sizeof values[0] };

static bool is_named(const char *wanted, const char *name) {
    return name != NULL && strcmp(wanted, name) == 0;
}

static void offer_named(const Question *question, const Option *row) {
    const AxisCatalog catalog = axis_catalog();
    const Axis *axis = row->name != NULL ? axis_catalog_find(&catalog, row->name) : NULL;
    for (size_t i = 0; i < VALUES; i++) {
        const bool here =
            values[i].command == NULL || is_named(values[i].command, question->command->name);
        if (here && (values[i].option != NULL ? is_named(values[i].option, row->name)
                                              : row->name == NULL)) {
            values[i].offer(question);
            return;
        }
    }
    if (axis != NULL) {
        offer_axis_values(question, axis);
    }
}

static OptionTakes takes(const Option *row) {
    switch (row->kind) {
    case OPTION_RUN:
    case OPTION_RUNS: return TAKES_RUN;
    case OPTION_INPUT:
    case OPTION_OUTPUT: return TAKES_FILE;
    case OPTION_INPUT_LIST: return TAKES_FILES;
    case OPTION_FOLDER: return TAKES_FOLDER;
    case OPTION_WORDS: return TAKES_LIST;
    default: return row->takes;
    }
}

/* `start` is the value so far; of a list its last word is completed. */
static void answer_value(Question *question, const Option *row, const char *start) {
    static const char *const answers[] = {
        [TAKES_KIND] = "words",     [TAKES_FILE] = "files", [TAKES_FILES] = "files",
        [TAKES_FOLDER] = "folders", [TAKES_RUN] = "files",  [TAKES_LIST] = "list"};
    const OptionTakes value = takes(row);
    const bool list = value == TAKES_LIST || value == TAKES_FILES;
    const char *comma = list ? strrchr(start, ',') : NULL;
    question->start = comma != NULL ? comma + 1 : start;
    fprintf(question->stream, "%s\n", answers[value]);
    if (value == TAKES_RUN) {
        offer_runs(question);
    }
    offer_words(question, row->words);
    if (row->kind == OPTION_HANDLED || row->kind == OPTION_TEXT || row->kind == OPTION_TEXTS) {
        offer_named(question, row);
    }
}

static void offer_options(const Question *question, const Command *command) {
    const Option *row;
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        char word[LIST_WORD_SIZE];
        snprintf(word, sizeof word, "--%s", row->name != NULL ? row->name : "");
        if (row->help != NULL) {
            offer(question, word, row->help);
        }
    }
}

/* === The line up to the question ============================================================== */

/* The words before the last one, read as options_parse reads them. */
typedef struct Walk {
    Question question;
    const Option *pending; /* wants its value; NULL: none does */
    size_t words;          /* arguments that are no options */
} Walk;

/* The option that a word names; `value` is behind its =, or NULL. */
static const Option *option_in(const Command *command, const char *word, const char **value) {
    const size_t length = strcspn(word + 2, "=");
    *value = word[2 + length] == '=' ? word + 2 + length + 1 : NULL;
    return command_option(command, word + 2, length);
}

static void pass(Walk *walk, const char *word) {
    const Option *row = walk->pending;
    const char *value = NULL;
    walk->pending = NULL;
    if (strncmp(word, "--", 2) == 0) {
        row = option_in(walk->question.command, word, &value);
        const bool waits = row != NULL && row->argument != NULL && value == NULL;
        walk->pending = waits ? row : NULL;
    } else {
        value = word;
        walk->words += row == NULL;
    }
    if (row != NULL && value != NULL && is_named("algo", row->name)) {
        walk->question.algorithms = value;
    }
}

/* Whether some command of the family begins with the word. */
static bool has_member(const char *family, const char *word) {
    const Command *member = family != NULL ? command_of(family, 0) : NULL;
    for (size_t i = 0; member != NULL; member = command_of(family, ++i)) {
        if (text_after(member->name, word) != NULL) {
            return true;
        }
    }
    return false;
}

static void answer(Walk *walk, const char *word) {
    Question *question = &walk->question;
    const Command *command = question->command;
    const bool first = command == NULL;
    const char *value = NULL;
    question->word = question->start = word;
    if (first && word[0] != '-') {
        fputs("words\n", question->stream);
        offer_members(question, NULL);
        return;
    }
    if (!first && command != &command_help && has_member(question->family, word)) {
        fputs("words\n", question->stream);
        offer_members(question, question->family);
        if (word[0] == '\0') {
            offer_options(question, command);
        }
        return;
    }
    command = question->command = first ? &command_run : command;
    const Option *row = walk->pending;
    if (strncmp(word, "--", 2) == 0) {
        row = option_in(command, word, &value);
        row = value != NULL ? row : NULL;
    } else if (row != NULL || word[0] != '-') {
        row = row != NULL ? row : command_word(command, walk->words);
        value = word;
    }
    if (row != NULL && row->argument != NULL && value != NULL) {
        answer_value(question, row, value);
    } else if (word[0] == '-' || word[0] == '\0') {
        fputs("words\n", question->stream);
        if (first) {
            offer(question, "--version", NULL);
        }
        offer_options(question, command);
    }
}

/* A command line without a command is one of `run`. */
static const Command *command_in(const char *word) {
    return word[0] == '-' ? &command_run : command_find(word);
}

/* Passes a word that is followed by others; `index` 0 is the first. False: nothing is known of the
 * line. */
static bool pass_word(Walk *walk, size_t index, const char *word) {
    Question *question = &walk->question;
    const Command *named = command_find(word);
    const char *family = question->family;
    question->family = NULL;
    if (index == 0) {
        question->command = command_in(word);
        question->family =
            question->command != NULL && word[0] != '-' ? question->command->name : NULL;
    } else if (index == 1 && question->command == &command_help) {
        question->family = named != NULL ? named->name : NULL;
    } else if (index == 1 && family != NULL && named != NULL && command_is_of(named, family)) {
        question->command = named;
        return true;
    }
    if (question->command != NULL && (index > 0 || word[0] == '-')) {
        pass(walk, word);
    }
    return question->command != NULL;
}

/* Takes the first word off the line, which is NULL behind the last one. */
static char *next_word(char **line) {
    char *word = *line;
    char *end = strchr(word, '\n');
    *line = end != NULL ? end + 1 : NULL;
    if (end != NULL) {
        *end = '\0';
    }
    return word;
}

void completion_answer(FILE *stream, const char *line) {
    char *copy = strdup(line);
    char *rest = copy;
    Walk walk = {.question = {.stream = stream}};
    if (copy == NULL) {
        return;
    }
    next_word(&rest); /* the program */
    for (size_t index = 0; rest != NULL; index++) {
        const char *word = next_word(&rest);
        if (rest == NULL) {
            answer(&walk, word);
        } else if (!pass_word(&walk, index, word)) {
            break;
        }
    }
    free(copy);
}
