/* The table of commands. */

#include "cli_internal.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base.h"
#include "curve.h"
#include "descriptors.h"
#include "match_pictures.h"
#include "recognise.h"
#include "status.h"
#include "textures.h"

const Command commands[] = {
    {.name = "run",
     .summary = "verify and measure; the default command",
     .measures = true,
     .run = command_run,
     .help = command_run_help},
    {.name = "list",
     .summary = "algorithms, variants, axes, devices, sizes",
     .run = command_list,
     .help = command_list_help},
    {.name = "roof",
     .summary = "what this machine does at best: the ceilings",
     .measures = true,
     .run = command_roof,
     .help = command_roof_help},
    {.name = "plot",
     .summary = "draw the charts of stored runs again",
     .run = command_plot,
     .help = command_plot_help},
    {.name = "report",
     .summary = "tell about stored runs in one HTML page, or hold two of them side by side",
     .run = command_report,
     .help = command_report_help},
    {.name = "study",
     .summary = "measure what a paper measured; its tables and figures, published beside ours",
     .run = command_study,
     .help = command_study_help},
    {.name = "compare",
     .summary = "hold two runs against each other; exit code 1 when a cell is slower",
     .run = command_compare,
     .help = command_compare_help},
    {.name = "classify",
     .summary = "tell textures apart by their lbp_riu histograms",
     .run = command_classify,
     .help = command_classify_help},
    {.name = "curve",
     .summary = "draw lacunarity against box side, of saved answers or of images",
     .measures = true,
     .run = command_curve,
     .help = command_curve_help},
    {.name = "train",
     .summary = "train a recogniser of digits on labelled pictures",
     .measures = true,
     .run = command_train,
     .help = command_train_help},
    {.name = "train-hashsift",
     .summary = "learn the projection of hashsift's descriptors from pictures",
     .run = command_train_hashsift,
     .help = command_train_hashsift_help},
    {.name = "train-bad",
     .summary = "learn the box pairs of bad's descriptors from pictures",
     .run = command_train_bad,
     .help = command_train_bad_help},
    {.name = "recognise",
     .summary = "tell what pictures show by a trained recogniser",
     .run = command_recognise,
     .help = command_recognise_help},
    {.name = "match",
     .summary = "find what two pictures have in common, by descriptors of their keypoints",
     .measures = true,
     .run = command_match,
     .help = command_match_help},
    {.name = "selftest",
     .summary = "compare variants with themselves: false alarms and noise floor of this machine",
     .measures = true,
     .run = command_selftest,
     .help = command_selftest_help},
    {.name = "help",
     .summary = "this text, or that of one command",
     .run = command_help,
     .help = command_help_help},
};

const size_t command_count = sizeof commands / sizeof commands[0];

const Command *command_find(const char *name) {
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

Status command_unknown(const char *name) {
    char known[STATUS_WHY_SIZE / 2] = "";
    Suggestion suggestion = suggest_start(name);
    for (size_t i = 0; i < command_count; i++) {
        suggest_offer(&suggestion, commands[i].name);
        text_append(known, sizeof known, "%s%s", i == 0 ? "" : ", ", commands[i].name);
    }
    char nearest[SUGGEST_TEXT_SIZE];
    return status_make(STATUS_USAGE, "'%.40s' is no command%s (commands: %s)", name,
                       suggest_text(&suggestion, nearest), known);
}
