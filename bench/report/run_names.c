/* What runs are called that stand beside each other: by their machines, as short as tells them
 * apart. */

#include "document.h"
#include "report.h"
#include "results.h"
#include "stored_run.h"

#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "text.h"

/* "H100" for "H100 80GB HBM3", "A100" for "A100-SXM4-80GB": without the board and its memory. */
static void cut_board(char *name) {
    static const char *const boards[] = {"-SXM", " SXM", "-PCIE", " PCIe", " NVL"};
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        char *board = strstr(name, boards[i]);
        if (board != NULL) {
            *board = '\0';
        }
    }
    char *memory = strstr(name, "GB");
    if (memory != NULL) {
        char *at = memory;
        while (at > name && at[-1] >= '0' && at[-1] <= '9') {
            at--;
        }
        if (at > name + 1 && at < memory && (at[-1] == ' ' || at[-1] == '-')) {
            at[-1] = '\0';
        }
    }
}

/* From short to long: device, with its board, with its processor, with the day, with the time. */
typedef enum NameLength {
    NAME_SHORT,
    NAME_WITH_BOARD,
    NAME_WITH_PROCESSOR,
    NAME_WITH_DAY,
    NAME_WITH_TIME,
    NAME_LENGTHS
} NameLength;

static void name_of_length(const StoredRun *stored, NameLength length, char *name, size_t size) {
    char processor[NUMBER_WORDS_SIZE], device[NUMBER_WORDS_SIZE];
    const char *gpu = stored_run_gpus(stored);
    machine_short_name(machine_cpu(&stored->machine), processor);
    machine_short_name(gpu, device);
    snprintf(name, size, "%s", gpu[0] != '\0' ? device : processor);
    if (length != NAME_WITH_BOARD) {
        cut_board(name);
    }
    if (length == NAME_WITH_PROCESSOR && gpu[0] != '\0') {
        text_append(name, size, ", %s", processor);
    } else if (length == NAME_WITH_DAY) {
        text_append(name, size, ", %.10s", stored->started);
    } else if (length == NAME_WITH_TIME && strlen(stored->started) >= 16) {
        text_append(name, size, ", %.10s %.5s", stored->started, stored->started + 11);
    }
}

static bool are_apart(const char *const names[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (names[i][0] == '\0') {
            return false;
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(names[i], names[j]) == 0) {
                return false;
            }
        }
    }
    return true;
}

void run_names_short(const ReportRun *runs, size_t count, Document *document, const char *names[]) {
    for (NameLength length = NAME_SHORT; length < NAME_LENGTHS; length++) {
        for (size_t i = 0; i < count; i++) {
            char name[2 * NUMBER_WORDS_SIZE];
            name_of_length(runs[i].stored, length, name, sizeof name);
            names[i] = document_text(document, "%s", name);
        }
        if (are_apart(names, count)) {
            return;
        }
    }
    for (size_t i = 0; i < count; i++) {
        char name[NUMBER_WORDS_SIZE];
        name_of_length(runs[i].stored, NAME_SHORT, name, sizeof name);
        names[i] = document_text(document, "%s, run %zu", name[0] != '\0' ? name : "CPU", i + 1);
    }
}
