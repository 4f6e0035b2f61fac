#include "program.h"
#include "test.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LINE_SIZE = 2048, ARGUMENTS_MAX = 64 };

enum { LIMITED_SECONDS = 30 };

static char folder[PROGRAM_PATH_SIZE];
static size_t addresses, data, stack, file_size; /* limits of programs; 0: none */
static bool ignores_interrupts;

void folder_enter(void) {
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/bench-cli-XXXXXX", base != NULL ? base : "/tmp");
    assert_true(mkdtemp(folder) != NULL && chdir(folder) == 0);
}

static int remove_entry(const char *path, const struct stat *facts, int type, struct FTW *place) {
    (void)facts;
    (void)type;
    (void)place;
    return remove(path);
}

void folder_leave(void) {
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
}

void limit_addresses(size_t bytes) {
    addresses = bytes;
}

void limit_data(size_t bytes) {
    data = bytes;
}

void limit_stack(size_t bytes) {
    stack = bytes;
}

void limit_file_size(size_t bytes) {
    file_size = bytes;
}

void ignore_interrupts(bool ignored) {
    ignores_interrupts = ignored;
}

static bool apply_limit(int resource, size_t most) {
    const struct rlimit limit = {most, most};
    return most == 0 || setrlimit(resource, &limit) == 0;
}

static bool apply_limits(void) {
    return apply_limit(RLIMIT_AS, addresses) &&
           apply_limit(RLIMIT_CPU, addresses == 0 ? 0 : LIMITED_SECONDS) &&
           apply_limit(RLIMIT_DATA, data) && apply_limit(RLIMIT_STACK, stack) &&
           apply_limit(RLIMIT_FSIZE, file_size);
}

/* In the child: nothing but async-signal-safe calls until exec. */
static void become_bench(int out, char **argv) {
    const int err = open("stderr.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    signal(SIGINT, ignores_interrupts ? SIG_IGN : SIG_DFL);
    if (err == -1 || dup2(out, STDOUT_FILENO) == -1 || dup2(err, STDERR_FILENO) == -1 ||
        !apply_limits()) {
        _exit(126);
    }
    execv(BENCH_PROGRAM, argv);
    _exit(127);
}

typedef struct Arguments {
    char words[LINE_SIZE];
    char *argv[ARGUMENTS_MAX];
} Arguments;

void word_spaces(char *word) {
    for (char *c = word; *c != '\0'; c++) {
        *c = (char)(*c == WORD_SPACE ? ' ' : *c);
    }
}

static void take_apart(const char *line, Arguments *arguments) {
    static char program[] = "bench";
    *arguments = (Arguments){.argv = {program}};
    int argc = 1;
    snprintf(arguments->words, sizeof arguments->words, "%s", line);
    for (char *word = strtok(arguments->words, " "); word != NULL; word = strtok(NULL, " ")) {
        assert_true(argc + 1 < ARGUMENTS_MAX);
        arguments->argv[argc++] = word;
        word_spaces(word);
    }
}

static pid_t start(int out, const char *line) {
    Arguments arguments;
    take_apart(line, &arguments);
    unlink("stderr.txt"); /* whoever waits for a text must not see that of an earlier process */
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        become_bench(out, arguments.argv);
    }
    return child;
}

/* As read_if_there; free it. */
static char *text_of(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    char *text = NULL;
    size_t size = 0;
    if (getdelim(&text, &size, '\0', file) == -1) {
        free(text);
        text = strdup("");
    }
    fclose(file);
    return text;
}

char *read_if_there(const char *path) {
    return test_keep(text_of(path));
}

char *read_text(const char *path) {
    char *text = read_if_there(path);
    if (text == NULL) {
        fail_msg("there is no %s", path);
    }
    return text;
}

static Outcome collect(pid_t child, const char *out_path) {
    int status = 0;
    while (waitpid(child, &status, 0) == -1) {
        assert_int_equal(errno, EINTR);
    }
    Outcome outcome = {.err = read_text("stderr.txt")};
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome.out = out_path != NULL ? read_text(out_path) : test_keep(strdup(""));
    return outcome;
}

static Outcome run_line(const char *format, va_list arguments) {
    char line[LINE_SIZE];
    const int length = vsnprintf(line, sizeof line, format, arguments);
    assert_true(length >= 0 && (size_t)length < sizeof line);
    return bench_wait(bench_start(line));
}

Outcome bench(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Outcome outcome = run_line(format, arguments);
    va_end(arguments);
    return outcome;
}

Outcome bench_ok(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Outcome outcome = run_line(format, arguments);
    va_end(arguments);
    check_code(&outcome, 0);
    return outcome;
}

/* All that is written to the terminal until its last writer has closed it. */
static char *read_terminal(int terminal) {
    FILE *stream = test_stream();
    char part[4096];
    ssize_t count = 0;
    bool held = false; /* a '\r' whose next letter is not known yet: it may be of the next part */
    while ((count = read(terminal, part, sizeof part)) > 0 || (count < 0 && errno == EINTR)) {
        for (ssize_t i = 0; i < count; i++) {
            if (held && part[i] != '\n') {
                fputc('\r', stream);
            }
            held = part[i] == '\r';
            if (!held) {
                fputc(part[i], stream);
            }
        }
    }
    if (held) {
        fputc('\r', stream);
    }
    return test_text(stream);
}

Outcome bench_on_terminal(int columns, const char *format, ...) {
    char line[LINE_SIZE];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    assert_true(length >= 0 && (size_t)length < sizeof line);
    Arguments arguments;
    take_apart(line, &arguments);
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    const int window = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
    const struct winsize size = {.ws_row = 50, .ws_col = (unsigned short)columns};
    assert_true(window >= 0 && ioctl(window, TIOCSWINSZ, &size) == 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (dup2(window, STDOUT_FILENO) == -1 || dup2(window, STDERR_FILENO) == -1) {
            _exit(126);
        }
        execv(BENCH_PROGRAM, arguments.argv);
        _exit(127);
    }
    close(window);
    Outcome outcome = {.out = read_terminal(terminal), .err = test_keep(strdup(""))};
    close(terminal);
    int status = 0;
    while (waitpid(child, &status, 0) == -1) {
        assert_int_equal(errno, EINTR);
    }
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
}

Outcome bench_into(int out, const char *line) {
    return collect(start(out, line), NULL);
}

pid_t bench_start(const char *line) {
    const int out = open("stdout.txt", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(out != -1);
    const pid_t process = start(out, line);
    close(out);
    return process;
}

Outcome bench_wait(pid_t process) {
    return collect(process, "stdout.txt");
}

static bool has_ended(pid_t process) {
    siginfo_t ended = {.si_pid = 0};
    return waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           ended.si_pid != 0;
}

Outcome bench_wait_at_most(pid_t process, int seconds) {
    bool ended = false;
    for (int i = 0; i < seconds * 100 && !ended; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
        ended = has_ended(process);
    }
    if (!ended) {
        kill(process, SIGKILL);
    }
    Outcome outcome = bench_wait(process);
    if (!ended) {
        fail_msg("it went on for more than %d s", seconds);
    }
    return outcome;
}

bool wait_for_text(pid_t process, const char *path, const char *text, int seconds) {
    for (int i = 0; i < seconds * 100; i++) {
        char *so_far = text_of(path);
        const bool found = so_far != NULL && strstr(so_far, text) != NULL;
        free(so_far);
        if (found) {
            return true;
        }
        if (has_ended(process)) {
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    }
    return false;
}

void check_code(const Outcome *outcome, int code) {
    if (outcome->code != code) {
        fail_msg("exit code %d instead of %d; standard output:\n%s\nstandard error:\n%s",
                 outcome->code, code, outcome->out, outcome->err);
    }
}

Outcome bench_interrupted(const char *line, const char *path, const char *text) {
    const pid_t process = bench_start(line);
    const bool running = wait_for_text(process, path, text, 120);
    assert_int_equal(kill(process, SIGINT), 0);
    const Outcome outcome = bench_wait(process);
    assert_true(running);
    check_code(&outcome, 130);
    return outcome;
}

void check_ends(Outcome outcome, int code) {
    check_code(&outcome, code);
}

void check_contains(const char *text, const char *fragment) {
    assert_says(text, fragment);
}

void check_fragments(Outcome outcome, int code, bool in_errors, const char *const *fragments) {
    check_code(&outcome, code);
    for (; *fragments != NULL; fragments++) {
        check_contains(in_errors ? outcome.err : outcome.out, *fragments);
    }
}

void check_refused(Outcome outcome, int code, const char *fragment) {
    check_code(&outcome, code);
    check_contains(outcome.err, fragment);
    check_contains(outcome.err, "bench: ");
    assert_string_equal(outcome.out, "");
    const char *end = strchr(outcome.err, '\n');
    if (end == NULL || end[1] != '\0') {
        fail_msg("not one line: %s", outcome.err);
    }
}

void check_verdict(const Outcome *outcome, const char *algorithm, const char *variant,
                   const char *verdict) {
    char start[64];
    snprintf(start, sizeof start, "\n%-10s %s ", algorithm, variant);
    const char *line = strstr(outcome->out, start);
    if (line == NULL) {
        fail_msg("%s is not in:\n%s", variant, outcome->out);
        return;
    }
    const char *end = strchr(line + 1, '\n');
    const size_t length = strlen(verdict);
    assert_memory_equal(end - length, verdict, length);
}

void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static uint8_t stone(uint32_t x, uint32_t y) {
    uint32_t mixed = x * 2654435761U ^ y * 2246822519U;
    mixed ^= mixed >> 15;
    mixed *= 2246822519U;
    return (uint8_t)(mixed >> 24);
}

void write_wall(const char *path, int width, int height, int left, int top) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "P5 %d %d 255\n", width, height);
    for (int i = 0; i < width * height; i++) {
        fputc(stone((uint32_t)(left + i % width) / STONE, (uint32_t)(top + i / width) / STONE),
              file);
    }
    assert_int_equal(fclose(file), 0);
}

void check_file_has(const char *path, const char *fragment) {
    check_contains(read_text(path), fragment);
}

bool file_exists(const char *path) {
    return access(path, F_OK) == 0;
}

bool has_launch(const char *run, int launch) {
    char path[PROGRAM_PATH_SIZE];
    snprintf(path, sizeof path, "%s/launch-%d/results.json", run, launch);
    return file_exists(path);
}

static const char *wanted_suffix;
static size_t found_files;

static int count_entry(const char *path, const struct stat *facts, int type, struct FTW *place) {
    (void)facts;
    (void)place;
    const size_t length = strlen(path);
    const size_t suffix = strlen(wanted_suffix);
    if (type == FTW_F && length >= suffix && strcmp(path + length - suffix, wanted_suffix) == 0) {
        found_files++;
    }
    return 0;
}

size_t count_files(const char *suffix) {
    wanted_suffix = suffix;
    found_files = 0;
    assert_int_equal(nftw(".", count_entry, 8, FTW_PHYS), 0);
    return found_files;
}

/* What was computed from the samples, and what says how they were taken: not read where it is not
 * there. */
static bool tells_of_samples(const char *key) {
    static const char *const starts[] = {
        "kernel_",   "end_to_end_", "with_alloc_", "cpu_s",      "sentinel_", "speedup",
        "launches_", "disturbed_",  "base_s",      "throttled",  "starved",   "slow_phase",
        "stolen_",   "multimodal",  "items_per_",  "bytes_per_", "launch_",   "outliers_"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (strncmp(key, starts[i], strlen(starts[i])) == 0) {
            return strstr(key, "_turns") == NULL;
        }
    }
    return false;
}

static void plant_row(cJSON *row, double seconds, bool rough) {
    static const char *const lists[] = {"kernel_samples_s", "end_to_end_samples_s"};
    cJSON *planted[2];
    for (size_t i = 0; i < 2; i++) {
        planted[i] = cJSON_DetachItemFromObject(row, lists[i]);
        assert_non_null(planted[i]);
        int number = 0;
        cJSON *sample;
        cJSON_ArrayForEach(sample, planted[i]) {
            const double over = rough ? (number * 37 % 101) / 101.0 : 0.001 * (number % 3);
            cJSON_SetNumberValue(sample, seconds * (1 + over));
            number++;
        }
    }
    for (cJSON *item = row->child, *next; item != NULL; item = next) {
        next = item->next;
        if (tells_of_samples(item->string) && cJSON_IsBool(item)) {
            item->type = cJSON_False;
        } else if (tells_of_samples(item->string)) {
            cJSON_Delete(cJSON_DetachItemViaPointer(row, item));
        }
    }
    for (size_t i = 0; i < 2; i++) {
        cJSON_AddItemToObject(row, lists[i], planted[i]);
    }
}

static void plant(const char *path, bool rough) {
    char *text = text_of(path);
    assert_non_null(text);
    cJSON *root = cJSON_Parse(text);
    free(text);
    assert_non_null(root);
    cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(root, "benchmarks")) {
        const char *variant = cJSON_GetStringValue(cJSON_GetObjectItem(row, "variant"));
        if (cJSON_HasObjectItem(row, "kernel_samples_s")) {
            plant_row(row, strcmp(variant, "seq") == 0 ? 0.008 : 0.002, rough);
        }
    }
    text = cJSON_Print(root);
    assert_non_null(text);
    write_file(path, text, strlen(text));
    free(text);
    cJSON_Delete(root);
}

void plant_times(const char *path) {
    plant(path, false);
}

void plant_rough_times(const char *path) {
    plant(path, true);
}
