#include "study_steps.h"

#include "exit_codes.h"
#include "interrupt.h"
#include "visible.h"

void study_step_announce(FILE *stream, const Study *study, size_t index,
                         const StudySettings *settings) {
    const StudyStep *step = &study->steps[index];
    char **arguments;
    bool stand_in = false;
    char command[sizeof((StepOutcome *)NULL)->command];
    const Status status = step_arguments(step, settings, &arguments, &stand_in);
    if (status_is_ok(&status)) {
        step_command(arguments, settings, command, sizeof command);
        step_arguments_release(arguments);
    }
    const char *note = stand_in ? "  # stands in for data that is not there" : "";
    visible_line(
        stream, "step %zu/%zu %s: %s%s", index + 1, study->step_count, step->name,
        status_is_ok(&status) ? command : "left out: ", status_is_ok(&status) ? note : status.why);
}

Status study_steps_run(const Study *study, const StudySettings *settings, const bool *chosen,
                       StepOutcome *outcomes, bool *interrupted) {
    *interrupted = false;
    for (size_t i = 0; i < study->step_count; i++) {
        StepOutcome *outcome = &outcomes[i];
        if (!chosen[i]) {
            STATUS_TRY(step_recall(&study->steps[i], settings, outcome));
            continue;
        }
        *interrupted |= interrupt_requested();
        if (*interrupted) {
            *outcome = (StepOutcome){.state = STEP_NOT_RUN,
                                     .why = "interrupted before this step was reached"};
            continue;
        }
        if (!settings->quiet) {
            study_step_announce(stderr, study, i, settings);
        }
        const Status status = step_run(&study->steps[i], settings, outcome);
        *interrupted = outcome->code == EXIT_INTERRUPTED;
        if (!status_is_ok(&status) && !*interrupted) {
            return status;
        }
        if (!settings->quiet && outcome->state == STEP_FAILED) {
            visible_line(stderr, "step %s: %s", study->steps[i].name, outcome->why);
        }
    }
    return status_ok();
}
