/* Runs the built program in a folder of its own and catches what it says. */
#ifndef TESTS_CLI_PROGRAM_H
#define TESTS_CLI_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROGRAM_PATH_SIZE = 512 };

typedef struct Outcome {
    int code;        /* exit code; 128 + signal when it was killed */
    char *out, *err; /* released behind the test */
} Outcome;

/* A new empty folder that becomes the working folder; and its removal with all that is in it:
 * EACH_TEST(folder_enter, folder_leave). */
void folder_enter(void);
void folder_leave(void);

/* Runs `bench` with the arguments of a printf-style line taken apart at spaces, to its end. A
 * WORD_SPACE is a space within an argument. */
enum { WORD_SPACE = '\v' };
void word_spaces(char *word); /* makes them spaces */
Outcome bench(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same; fails the test unless the exit code is 0. */
Outcome bench_ok(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, with standard output going to an open descriptor; what went there is not read back. */
Outcome bench_into(int out, const char *line);
/* The same on a pseudo-terminal of that many columns, which both of its outputs go to: `out` is all
 * that was written there, with "\r\n" as "\n". */
Outcome bench_on_terminal(int columns, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* From now on programs are started with a limit of address space, and one of processor time that
 * nothing here needs, which ends one that waits busily. 0: without limits. */
void limit_addresses(size_t bytes);
/* The same for the memory that is no mapped file, for the stack, and for the size of a file. */
void limit_data(size_t bytes);
void limit_stack(size_t bytes);
void limit_file_size(size_t bytes);

/* From now on programs are started with SIGINT ignored, or no longer. */
void ignore_interrupts(bool ignored);

/* Starts it and comes back; its standard error is the file "stderr.txt". */
pid_t bench_start(const char *line);
Outcome bench_wait(pid_t process);
/* The same; fails the test, having killed it, when it goes on for longer. Seconds are given for a
 * machine under load. */
Outcome bench_wait_at_most(pid_t process, int seconds);
/* Waits until the file holds the text; false after `seconds`, or when the process has ended. */
bool wait_for_text(pid_t process, const char *path, const char *text, int seconds);

/* Starts the program, and interrupts it when the file holds the text. It has to end with 130. */
Outcome bench_interrupted(const char *line, const char *path, const char *text);

/* Fails the test unless the program ended with `code`, said one line on standard error that has
 * `fragment` in it, and nothing on standard output. */
void check_refused(Outcome outcome, int code, const char *fragment);
/* Fail the test unless the program ended with `code` and each of the fragments is in what it
 * printed, or in what it said on standard error. */
#define check_prints(outcome, code, ...)                                                           \
    check_fragments(outcome, code, false, (const char *const[]){__VA_ARGS__, NULL})
#define check_says(outcome, code, ...)                                                             \
    check_fragments(outcome, code, true, (const char *const[]){__VA_ARGS__, NULL})
void check_fragments(Outcome outcome, int code, bool in_errors, const char *const *fragments);
/* Fails the test, with both texts, unless the program ended with `code`. */
void check_code(const Outcome *outcome, int code);
/* The same, of what is not looked at any more. */
void check_ends(Outcome outcome, int code);
void check_contains(const char *text, const char *fragment);
/* Fails the test unless the line of a variant in the table of `bench verify` ends in `verdict`. */
void check_verdict(const Outcome *outcome, const char *algorithm, const char *variant,
                   const char *verdict);

void write_file(const char *path, const void *bytes, size_t size);
/* The part at (left, top) of a wall of square stones of STONE pixels, each of a grey of its own: an
 * image that has corners, and of which no two places look alike. */
enum { STONE = 6 };
void write_wall(const char *path, int width, int height, int left, int top);
/* The text of a file, released behind the test. Where there is none the test fails; the other gives
 * NULL. */
char *read_text(const char *path);
char *read_if_there(const char *path);
/* Fails the test unless the text of the file has the fragment in it. */
void check_file_has(const char *path, const char *fragment);
bool file_exists(const char *path);
/* Whether the folder of a run has that launch's results. */
bool has_launch(const char *run, int launch);
/* Gives a stored run times that decide, whatever was measured: seq takes 8 ms in each launch, every
 * other variant 2 ms, and nothing disturbed them. What is claimed of measured times is up to the
 * machine and its load. */
void plant_times(const char *path);
/* The same with times up to twice as long, of which no two of 101 are alike: intervals of one
 * launch are wide, and depend on the seed. */
void plant_rough_times(const char *path);
/* Number of entries of the working folder that end in `suffix`, folders within included. */
size_t count_files(const char *suffix);

#endif
