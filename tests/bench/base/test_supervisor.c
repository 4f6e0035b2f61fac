/* Supervised processes: what ended one is not called again, and is not what another did. This
 * program plays the supervised one too: it is started again with the name of a part. */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"
#include "said.h"
#include "supervisor.h"
#include "test.h"

/* --- The supervised process ------------------------------------------------------------------- */

/* Calls what `code` names, on behalf of `behalf`, unless a process before has done so or is to be
 * spared it, and tells how it ended. */
typedef struct Call {
    const char *code, *behalf;
    void (*call)(void);
} Call;

static bool is_damaged;

static void nothing(void) {
}

static void leave(void) {
    exit(0);
}

static void damage(void) {
    is_damaged = true;
}

static void die_of_damage(void) {
    if (is_damaged) {
        raise(SIGKILL);
    }
}

static void hang(void) {
    for (;;) {
        pause();
    }
}

static void copy_itself(void) {
    const pid_t child = fork();
    (void)child;
}

static void leave_folder(void) {
    const int left = chdir("/");
    (void)left;
}

static void interrupt_itself(void) {
    raise(SIGINT);
}

static bool is_due(const Call *call) {
    const char *trial = call_trial();
    const char *whose = call->behalf[0] != '\0' ? call->behalf : call->code;
    return trial == NULL || strncmp(trial, whose, strlen(whose)) == 0;
}

static void keep(const Call *call, const Status *status) {
    supervisor_keep(call->code, status_is_ok(status) ? "fine" : status->why);
}

static void make_call(const Call *call) {
    char subject[64];
    snprintf(subject, sizeof subject, "%s, here", call->code);
    call_on_behalf(call->behalf);
    Status status = call_refused(call->code);
    if (status_is_ok(&status)) {
        status = call_about(subject, call, 0.3);
    }
    if (status_is_ok(&status)) {
        call_step(CALL_RUN);
        call->call();
        call_step(CALL_NONE);
        status = process_state_check();
    }
    keep(call, &status);
}

static void count_process(void) {
    char number[16];
    const char *before = supervisor_kept("processes");
    snprintf(number, sizeof number, "%d", before != NULL ? atoi(before) + 1 : 1);
    supervisor_keep("processes", number);
}

static int play_calls(const Call *calls, size_t count, bool trials) {
    supervisor_attach();
    interrupt_watch();
    count_process();
    if (trials) {
        call_offer_trials();
    }
    for (size_t i = 0; i < count; i++) {
        if (supervisor_kept(calls[i].code) == NULL && is_due(&calls[i])) {
            make_call(&calls[i]);
        }
    }
    if (call_trial() == NULL) {
        for (size_t i = 0; i < count; i++) {
            fprintf(stderr, "%s: %s\n", calls[i].code, supervisor_kept(calls[i].code));
        }
        fprintf(stderr, "%s processes\n", supervisor_kept("processes"));
    }
    supervisor_end(7);
    return 7;
}

#define PLAY(trials, ...)                                                                          \
    do {                                                                                           \
        const Call calls[] = {__VA_ARGS__};                                                        \
        return play_calls(calls, sizeof calls / sizeof calls[0], trials);                          \
    } while (0)

static int play(const char *part) {
    if (strcmp(part, "alone") == 0) {
        PLAY(true, {"a", "", leave}, {"b", "", nothing});
    } else if (strcmp(part, "second") == 0) {
        PLAY(true, {"a", "", nothing}, {"b", "", leave}, {"c", "", nothing});
    } else if (strcmp(part, "untried") == 0) {
        PLAY(false, {"a", "", nothing}, {"b", "", leave}, {"c", "", nothing});
    } else if (strcmp(part, "damage") == 0) {
        PLAY(true, {"a", "", damage}, {"b", "", die_of_damage}, {"c", "", nothing});
    } else if (strcmp(part, "behalf") == 0) { /* b is called once more for a, which damages it */
        PLAY(true, {"b", "", die_of_damage}, {"a", "a", damage}, {"b again", "a", die_of_damage},
             {"c", "c", nothing});
    } else if (strcmp(part, "hang") == 0) {
        PLAY(true, {"a", "", nothing}, {"b", "", hang});
    } else if (strcmp(part, "copy") == 0) {
        PLAY(true, {"a", "", copy_itself}, {"b", "", nothing});
    } else if (strcmp(part, "folder") == 0) {
        PLAY(true, {"a", "", leave_folder}, {"b", "", nothing});
    } else if (strcmp(part, "interrupt") == 0) {
        PLAY(true, {"a", "", interrupt_itself}, {"b", "", nothing});
    } else if (strcmp(part, "late") == 0) {
        supervisor_attach();
        supervisor_end(5);
        abort();
    } else if (strcmp(part, "itself") == 0) {
        supervisor_attach();
        raise(SIGKILL);
    }
    return 3; /* as a program that knows of no supervisor */
}

/* --- Its supervisor --------------------------------------------------------------------------- */

static ChildEnd run(const char *part, Said *said) {
    const char *const arguments[] = {"child", part, NULL};
    const ChildProcess process = {.program = "/proc/self/exe",
                                  .arguments = arguments,
                                  .output = -1,
                                  .saves = true,
                                  .take = said_take,
                                  .context = said};
    ChildEnd end;
    *said = (Said){.used = 0};
    interrupt_watch();
    assert_ok(supervised_run(&process, &end));
    assert_null(getenv("BENCH_SUPERVISED"));
    return end;
}

static void check(const char *part, const char *text) {
    Said said;
    const ChildEnd end = run(part, &said);
    assert_string_equal(said.text, text);
    assert_int_equal(end.code, 7);
    assert_int_equal(end.signal, 0);
}

TEST(what_ended_a_process_is_not_called_again) {
    check("alone", "a: ended its process with exit code 0 in run\nb: fine\n2 processes\n");
    check("untried",
          "a: fine\nb: ended its process with exit code 0 in run\nc: fine\n2 processes\n");
}

/* It was not alone in its process, so it is tried by itself first. */
TEST(what_was_not_alone_is_tried_once_more) {
    check("second",
          "a: fine\nb: ended its process with exit code 0 in run\nc: fine\n3 processes\n");
}

TEST(damage_is_not_the_fault_of_the_next) {
    check("damage", "a: fine\nb: fine\nc: fine\n3 processes\n");
}

TEST(what_is_called_for_another_is_not_to_be_blamed) {
    Said said;
    const ChildEnd end = run("behalf", &said);
    assert_int_equal(end.code, 7);
    assert_says(said.text, "b: fine\n");
    assert_says(said.text, "c: fine\n");
}

TEST(a_call_that_does_not_come_back_is_ended) {
    check("hang", "a: fine\nb: did not come back from run within 0.3 s\n2 processes\n");
}

TEST(a_copy_of_the_process_ends) {
    check("copy", "a: fine\nb: fine\n1 processes\n");
}

TEST(what_changes_the_process_is_told) {
    check("folder", "a: it changed the working folder of the process\nb: fine\n1 processes\n");
    check("interrupt", "a: ended its process by SIGINT (Interrupt) in run\nb: fine\n2 processes\n");
}

TEST(a_process_that_has_ended_has_its_code) {
    Said said;
    ChildEnd end = run("late", &said);
    assert_int_equal(end.code, 5);
    assert_int_equal(end.signal, 0);
    end = run("itself", &said);
    assert_int_equal(end.signal, SIGKILL);
    end = run("not supervised", &said);
    assert_int_equal(end.code, 3);
}

TEST(without_a_supervisor_nothing_is_refused) {
    assert_false(supervisor_is_there() || supervisor_is_attached());
    assert_ok(call_about("a", NULL, 1));
    call_step(CALL_RUN);
    call_step(CALL_NONE);
    supervisor_keep("key", "text");
    assert_null(supervisor_kept("key"));
    assert_null(call_trial());
    assert_ok(process_state_check());
}

ARGUMENTS(argc, argv) {
    return argc > 1 ? play(argv[1]) : RUN_TESTS;
}
