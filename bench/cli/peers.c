/* The command `bench peers`: the libraries that are compared with, and what installs them. */

#include "algorithm.h"
#include "cli_internal.h"
#include "command_line.h"
#include "python.h"
#include "registered_peers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child_process.h"
#include "history.h"
#include "interrupt.h"
#include "modules.h"
#include "paths.h"
#include "peers.h"
#include "registry.h"
#include "run_options.h"
#include "table.h"
#include "terminal.h"
#include "text.h"

typedef struct PeersOptions {
    bool install, gpu;
} PeersOptions;

/* === Whether they are there =================================================================== */

/* Other people's code of this algorithm that can run here. */
static bool has_peers(const Algorithm *algorithm, bool on_cpu) {
    const Variant *variant = NULL;
    bool has = false;
    for (size_t i = 0; !has && (variant = registry_any(algorithm, i)) != NULL; i++) {
        if (variant->peer != NULL && !module_has_variant(variant) &&
            (!on_cpu || variant_is_on_cpu(variant))) {
            const Status available = registry_variant_available(variant);
            has = status_is_ok(&available);
        }
    }
    return has;
}

bool peers_are_there(const RunOptions *run) {
    bool there = false;
    for (size_t i = 0; i < run->algorithm_count && !there; i++) {
        there = has_peers(run->algorithms[i], false);
    }
    return there;
}

bool peers_are_installed(void) {
    const Algorithm *algorithm = NULL;
    bool there = false;
    for (size_t i = 0; !there && (algorithm = registry_algorithm(i)) != NULL; i++) {
        there = has_peers(algorithm, true);
    }
    return there;
}

/* === List ===================================================================================== */

/* Where Python cannot be asked it is not known what is installed. */
static const char *version_word(const Variant *variant, char version[PEER_VERSION_SIZE]) {
    const Status found = peer_installed(variant, version);
    if (status_is_ok(&found)) {
        return version;
    }
    if (variant->peer->version == NULL) {
        return "not built";
    }
    const Status asked = peers_start();
    return status_is_ok(&asked) ? "not installed" : "not known";
}

static void put_peer(TextTable *table, const Algorithm *algorithm, const Variant *variant) {
    char version[PEER_VERSION_SIZE];
    const char *difference = variant->peer->difference;
    text_table_put(table, "%s", algorithm->name);
    text_table_put(table, "%s", variant->name);
    text_table_put(table, "%s", variant_is_on_cpu(variant) ? "CPU" : "GPU");
    text_table_put(table, "%s", variant->peer->library);
    text_table_put(table, "%s", version_word(variant, version));
    text_table_put(table, "%s%s%s", variant->summary,
                   difference != NULL ? "; another definition: " : "",
                   difference != NULL ? difference : "");
}

static void put_side(TextTable *table, const Algorithm *algorithm, bool cpu) {
    const Variant *variant = NULL;
    for (size_t i = 0; (variant = registry_any(algorithm, i)) != NULL; i++) {
        if (variant->peer != NULL && variant_is_on_cpu(variant) == cpu &&
            !module_has_variant(variant)) {
            put_peer(table, algorithm, variant);
        }
    }
}

static Status list_peers(void) {
    TextTable table = TEXT_TABLE(WORDS("algorithm"), WORDS("variant"), WORDS("on"),
                                 WORDS("library"), WORDS("version"), WORDS("what is called"));
    const Algorithm *algorithm = NULL;
    for (size_t a = 0; (algorithm = registry_algorithm(a)) != NULL; a++) {
        put_side(&table, algorithm, true);
        put_side(&table, algorithm, false);
    }
    return text_table_end(&table, stdout, table_print);
}

static void print_why_unknown(void) {
    const Status asked = peers_start();
    if (!status_is_ok(&asked)) {
        fputc('\n', stdout);
        flow_line(stdout, 2, "What is installed is not known, as Python cannot be asked: %s",
                  asked.why);
    }
}

static void print_packages(void) {
    char line[COMMAND_LINE_SIZE] = "pip install";
    for (size_t i = 0; i < peer_package_count; i++) {
        if (!peer_packages[i].gpu) {
            text_append(line, sizeof line, " %s==%s", peer_packages[i].name,
                        peer_packages[i].version);
        }
    }
    fputc('\n', stdout);
    flow_line(stdout, 2, "'bench peers --install' does, in an environment of its own: %s", line);
}

/* === Install ================================================================================== */

static Status run_program(const char *const *arguments) {
    const ChildProcess child = {
        .program = arguments[0], .arguments = arguments, .output = -1, .group = true};
    ChildEnd end;
    STATUS_TRY(child_process_run(&child, &end));
    if (end.error != 0) {
        return status_make(STATUS_FILE, "'%.200s' cannot be started: %s", arguments[0],
                           strerror(end.error));
    }
    return end.code == 0 ? status_ok()
                         : status_make(STATUS_FILE, "'%.200s %.20s %.20s' ended with exit code %d",
                                       arguments[0], arguments[1], arguments[2], end.code);
}

enum { PACKAGES_MAX = 32, PACKAGE_TEXT_SIZE = 96, ARGUMENTS_BEFORE = 5 };

/* Whether another one takes its place on a machine with a GPU. */
static bool is_replaced(const PeerPackage *package) {
    bool replaced = false;
    for (size_t i = 0; i < peer_package_count; i++) {
        const char *instead = peer_packages[i].instead;
        replaced |= instead != NULL && strcmp(instead, package->name) == 0;
    }
    return replaced;
}

/* Of two packages with one module the one that is not installed now, but may have been. */
static Status remove_others(const char *python, bool gpu) {
    Status status = status_ok();
    for (size_t i = 0; i < peer_package_count && status_is_ok(&status); i++) {
        const PeerPackage *package = &peer_packages[i];
        const char *const remove[] = {python,
                                      "-m",
                                      "pip",
                                      "uninstall",
                                      "--yes",
                                      "--disable-pip-version-check",
                                      gpu ? package->instead : package->name,
                                      NULL};
        status = package->instead != NULL ? run_program(remove) : status;
    }
    return status;
}

static Status install_packages(const char *python, bool gpu) {
    static char texts[PACKAGES_MAX][PACKAGE_TEXT_SIZE];
    const char *arguments[ARGUMENTS_BEFORE + PACKAGES_MAX + 1] = {python, "-m", "pip", "install",
                                                                  "--disable-pip-version-check"};
    size_t count = 0;
    for (size_t i = 0; i < peer_package_count && count < PACKAGES_MAX; i++) {
        const PeerPackage *package = &peer_packages[i];
        if (gpu ? !is_replaced(package) : !package->gpu) {
            snprintf(texts[count], sizeof texts[count], "%s==%s", package->name, package->version);
            arguments[ARGUMENTS_BEFORE + count] = texts[count];
            count++;
        }
    }
    return run_program(arguments);
}

/* pip and venv leave their temporary files where an interrupt kills them: they get a folder of
 * their own, which is removed. */
static Status install_in(const char *temporary, const char *folder, bool is_new, bool gpu) {
    char python[DATA_FOLDER_PATH_SIZE];
    const char *before = getenv("TMPDIR");
    char *kept = before != NULL ? strdup(before) : NULL;
    if ((before != NULL && kept == NULL) || setenv("TMPDIR", temporary, 1) != 0) {
        free(kept);
        return status_no_memory("for the environment");
    }
    const char *const make[] = {"python3", "-m", "venv", folder, NULL};
    Status status = path_make(python, sizeof python, "%s/bin/python3", folder);
    STATUS_THEN(status, run_program(make));
    if (status_is_ok(&status) && !is_new) {
        status = remove_others(python, gpu);
    }
    STATUS_THEN(status, install_packages(python, gpu));
    if (kept != NULL) {
        setenv("TMPDIR", kept, 1);
    } else {
        unsetenv("TMPDIR");
    }
    free(kept);
    return status;
}

static Status install_peers(bool gpu) {
    char folder[DATA_FOLDER_PATH_SIZE], temporary[ATOMIC_FILE_PATH_SIZE];
    const char *named = getenv(python_variable);
    if (named != NULL && named[0] != '\0') {
        return status_make(STATUS_USAGE, "--python or BENCH_PYTHON names a Python of yours, whose "
                                         "packages are used as they are; install there, or leave "
                                         "it out");
    }
    STATUS_TRY(peers_folder(folder, sizeof folder));
    const bool is_new = access(folder, F_OK) != 0;
    interrupt_hold();
    Status status = temporary_folder_make(temporary);
    if (status_is_ok(&status)) {
        status = install_in(temporary, folder, is_new, gpu);
        remove_tree(temporary);
    }
    if (is_new && (!status_is_ok(&status) || interrupt_requested())) {
        remove_tree(folder); /* half of it would be taken for the whole by the next run */
    }
    if (!interrupt_requested()) {
        interrupt_release();
    }
    return status;
}

/* === Command ================================================================================== */

static Status peers(Invocation *given, void *of) {
    const PeersOptions *options = of;
    (void)given;
    STATUS_TRY(options->install ? install_peers(options->gpu) : status_ok());
    STATUS_TRY(list_peers());
    print_why_unknown();
    if (!options->install) {
        print_packages();
    }
    return status_ok();
}

static Status check(void *of, const OptionsGiven *given) {
    const PeersOptions *options = of;
    (void)given;
    return options->gpu && !options->install
               ? status_make(STATUS_USAGE, "--gpu says what is installed; write --install as well")
               : status_ok();
}

#define MEMBER(name) .member = offsetof(PeersOptions, name)

static const Option option_rows[] = {
    {"install", NULL,
     "install them with pip, in the versions that were tried, in an environment of their own in "
     "the cache folder; nothing else is changed",
     .kind = OPTION_SET, MEMBER(install)},
    {"gpu", NULL, "install those too that are of no use without a GPU: gigabytes",
     .kind = OPTION_SET, MEMBER(gpu)},
    OPTIONS_END};

const Command command_peers = {
    .name = "peers",
    .summary = "other people's libraries to compare with, their versions, and what installs them",
    .usage = "bench peers [--install [--gpu]]",
    .about =
        "Lists the libraries that 'bench run --peers' measures beside the variants of each "
        "algorithm, with the versions that are installed. They are variants like others: their "
        "answers are verified, and their samples are taken in turns. They are never the best "
        "CPU or the best GPU, but what these are compared with.",
    .examples = "bench peers\n"
                "bench peers --install\n"
                "bench run --algo integral --peers\n",
    .notes = "They are called in Python: python3, with the packages of 'bench peers --install' "
             "first, or the one that BENCH_PYTHON names, with its own. CUB is compiled into a "
             "program that is built with CUDA.",
    .rows = option_rows,
    .size = sizeof(PeersOptions),
    .check = check,
    .run = peers,
};
