/* A process that has loaded the files of Python, and the launches that are forked of it. */

#define _GNU_SOURCE /* SOCK_CLOEXEC, environ, asprintf */

#include "zygote.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interrupt.h"
#include "paths.h"
#include "python.h"
#include "wall_time.h"

/* The descriptor of its end of a socket, in its environment. Every message is one packet. */
static const char variable[] = "BENCH_ZYGOTE";

/* A packet holds the arguments of a launch. */
enum { PACKET_SIZE = 1 << 17, DESCRIPTORS = 4, ANSWER_SIZE = 512 };

/* Of a launch: standard error, output, and what these variables hold the numbers of, which are
 * those of descriptors. */
static const char *const inherited[] = {"BENCH_SUPERVISED", "BENCH_KEPT_FILE"};
enum { INHERITED = sizeof inherited / sizeof inherited[0] };

/* What a packet is. */
enum { IS_TEXT = 'T', IS_QUESTION = 'Q', IS_LAUNCH = 'L', IS_PROCESS = 'P' };

typedef struct Zygote {
    char **argv;   /* NULL: not wanted */
    int socket;    /* 0: there is none */
    pid_t process; /* 0: as above */
    bool started, refused;
} Zygote;

static Zygote zygotes[ZYGOTES];
static Zygote *zygote = zygotes; /* the one that is meant */

void zygote_choose(size_t which) {
    zygote = &zygotes[which];
}

/* === Packets ================================================================================== */

static bool send_packet(const void *bytes, size_t size, const int *descriptors, size_t count) {
    char control[CMSG_SPACE(sizeof(int) * DESCRIPTORS)] = {0};
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = size};
    struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        packet.msg_control = control;
        packet.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *head = CMSG_FIRSTHDR(&packet);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(head), descriptors, sizeof(int) * count);
    }
    ssize_t sent;
    do {
        sent = sendmsg(zygote->socket, &packet, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)size;
}

/* The bytes of a packet with a zero behind them, to be freed, and the descriptors with it; NULL at
 * the end of the socket. */
static char *receive_packet(size_t *size, int *descriptors, size_t *count) {
    char control[CMSG_SPACE(sizeof(int) * DESCRIPTORS)];
    char *bytes = malloc(PACKET_SIZE + 1);
    struct iovec part = {.iov_base = bytes, .iov_len = PACKET_SIZE};
    struct msghdr packet = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control,
                            .msg_controllen = sizeof control};
    ssize_t got;
    do {
        got = bytes != NULL ? recvmsg(zygote->socket, &packet, MSG_CMSG_CLOEXEC) : 0;
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
        free(bytes);
        return NULL;
    }
    const struct cmsghdr *head = CMSG_FIRSTHDR(&packet);
    *count = head != NULL ? (head->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0;
    if (head != NULL) {
        memcpy(descriptors, CMSG_DATA(head), *count * sizeof(int));
    }
    bytes[got] = '\0';
    *size = (size_t)got;
    return bytes;
}

static bool send_text(char kind, const char *text) {
    char *bytes = NULL;
    const int length = asprintf(&bytes, "%c%s", kind, text);
    const bool sent = length > 0 && send_packet(bytes, (size_t)length, NULL, 0);
    if (length >= 0) {
        free(bytes);
    }
    return sent;
}

/* The text of the next packet, which has to be of this kind. */
static char *receive_text(char kind) {
    int descriptors[DESCRIPTORS];
    size_t size = 0, count = 0;
    char *bytes = receive_packet(&size, descriptors, &count);
    if (bytes == NULL || bytes[0] != kind) {
        free(bytes);
        return NULL;
    }
    memmove(bytes, bytes + 1, size);
    return bytes;
}

/* === Starting it ============================================================================== */

void zygote_want(char **argv) {
    zygote->argv = argv;
}

/* Not known to a supervisor, for which the process that wants it answers. */
static void exec_zygote(int end) {
    char number[16];
    snprintf(number, sizeof number, "%d", end);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && fcntl(end, F_SETFD, 0) == 0 &&
        setenv(variable, number, 1) == 0) {
        execv(program_again(), zygote->argv);
    }
    _exit(127);
}

static void start_on_all_processors(void *context) {
    const int *ends = context;
    const pid_t child = process_fork();
    if (child == 0) {
        exec_zygote(ends[1]);
    }
    zygote->socket = child > 0 ? ends[0] : 0;
    zygote->process = child > 0 ? child : 0;
}

static bool is_there(void) {
    int ends[2];
    if (!zygote->started && zygote->argv != NULL) {
        zygote->started = true;
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0) {
            processors_free_during(start_on_all_processors, ends);
            close(ends[1]);
        }
    }
    return zygote->socket > 0;
}

bool zygote_takes_long(void) {
    enum { WAIT_MS = 2000 };
    struct pollfd end = {.fd = is_there() ? zygote->socket : -1, .events = POLLIN};
    return end.fd >= 0 && poll(&end, 1, WAIT_MS) == 0;
}

char *zygote_next_text(void) {
    return is_there() ? receive_text(IS_TEXT) : NULL;
}

char *zygote_ask(const char *question) {
    return is_there() && send_text(IS_QUESTION, question) ? receive_text(IS_TEXT) : NULL;
}

void zygote_end(void) {
    if (zygote->socket > 0) {
        close(zygote->socket);
        kill(zygote->process, SIGKILL); /* it may be in the midst of an import */
        (void)waitpid(zygote->process, NULL, 0);
    }
    *zygote = (Zygote){.argv = NULL};
}

void zygote_refuse(void) {
    zygote->refused = true;
}

/* === Asking it for a launch =================================================================== */

/* What a launch is told beside what is inherited: BENCH_…, which may have been set since. */
static bool is_told(const char *entry) {
    return text_after(entry, "BENCH_") != NULL;
}

/* The arguments and, behind an empty text, variables, each with its end. Empty arguments are
 * refused wherever they are given. */
static size_t put_texts(const ChildProcess *process, char *at) {
    size_t length = 0;
    for (size_t i = 0; process->arguments[i] != NULL; i++) {
        length += strlen(process->arguments[i]) + 1;
        at = at != NULL ? stpcpy(at, process->arguments[i]) + 1 : NULL;
    }
    length++;
    if (at != NULL) {
        *at++ = '\0';
    }
    for (size_t i = 0; environ[i] != NULL; i++) {
        if (is_told(environ[i])) {
            length += strlen(environ[i]) + 1;
            at = at != NULL ? stpcpy(at, environ[i]) + 1 : NULL;
        }
    }
    return length;
}

static bool send_launch(const ChildProcess *process, int messages) {
    int descriptors[DESCRIPTORS] = {messages, process->output >= 0 ? process->output : messages};
    size_t count = 2;
    for (size_t i = 0; i < INHERITED; i++) {
        const char *number = getenv(inherited[i]);
        descriptors[count++] = number != NULL ? atoi(number) : messages;
    }
    const size_t length = 1 + INHERITED + put_texts(process, NULL);
    char *packet = length <= PACKET_SIZE ? malloc(length) : NULL;
    if (packet == NULL) {
        return false;
    }
    char *at = packet;
    *at++ = IS_LAUNCH;
    for (size_t i = 0; i < INHERITED; i++) {
        *at++ = getenv(inherited[i]) != NULL ? 'y' : 'n';
    }
    (void)put_texts(process, at);
    const bool sent = send_packet(packet, length, descriptors, count);
    free(packet);
    return sent;
}

bool zygote_fork(const ChildProcess *process, int messages, pid_t *child) {
    const bool is_launch = process->take != NULL && process->saves && process->environment == NULL;
    if (!is_launch || zygote->refused || zygote->socket == 0 ||
        strcmp(process->program, program_again()) != 0) {
        return false;
    }
    /* Its parent is gone at once: it becomes a child of this process. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    char *number = send_launch(process, messages) ? receive_text(IS_PROCESS) : NULL;
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    *child = number != NULL ? (pid_t)atoi(number) : 0;
    free(number);
    return *child > 0;
}

/* === In the zygote ============================================================================ */

bool zygote_is_this(void) {
    static bool is_this;
    is_this |= getenv(variable) != NULL;
    return is_this;
}

void zygote_attach(void) {
    const char *number = getenv(variable);
    if (number != NULL && zygote_is_this()) {
        zygote->socket = atoi(number);
        fcntl(zygote->socket, F_SETFD, FD_CLOEXEC);
        unsetenv(variable);
    }
}

void zygote_tell(const char *text) {
    send_text(IS_TEXT, text);
}

/* Memory that launches ask for would lie at the same addresses in all of them: it begins somewhere
 * else in each, as in a program that is started. */
static void shift_addresses(void) {
    enum { MAPPED_MAX = 4096, HEAP_MAX = 16 }; /* the heap maps what is much larger */
    static void *in_heap;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint16_t pages[2] = {0};
    if (getrandom(pages, sizeof pages, GRND_NONBLOCK) == (ssize_t)sizeof pages) {
        (void)mmap(NULL, (pages[0] % MAPPED_MAX + 1) * page, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        in_heap = malloc((pages[1] % HEAP_MAX + 1) * page);
    }
    (void)in_heap; /* stays */
}

/* Waits for the end of the process between, and takes the place of a program that was started. */
static bool settle(pid_t parent, const char *given, const int *descriptors) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    while (getppid() != parent && kill(parent, 0) == 0) {
        usleep(100);
    }
    const bool known =
        prctl(PR_SET_PDEATHSIG, interrupt_is_ignored(SIGTERM) ? SIGKILL : SIGTERM) == 0 &&
        getppid() == parent && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(descriptors[0], STDERR_FILENO) >= 0 && dup2(descriptors[1], STDOUT_FILENO) >= 0;
    for (size_t i = 0; i < INHERITED && known; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", descriptors[2 + i]);
        if (given[i] == 'y') {
            setenv(inherited[i], number, 1);
        }
    }
    return known;
}

/* Takes the variables, and returns the arguments; NULL without memory. */
static char **take_texts(char *bytes, size_t size, int *argc) {
    char **list = calloc(size + 1, sizeof *list);
    size_t at = 0;
    for (*argc = 0; list != NULL && at < size && bytes[at] != '\0'; at += strlen(bytes + at) + 1) {
        list[(*argc)++] = bytes + at;
    }
    for (at++; list != NULL && at < size; at += strlen(bytes + at) + 1) {
        putenv(bytes + at); /* which stays */
    }
    return list;
}

/* Returns in the launch alone. The process between ends at once, so that the one that wants the
 * launch becomes its parent. */
static bool fork_launch(pid_t parent, char *bytes, size_t size, const int *descriptors, int *argc,
                        char ***argv) {
    python_fork_begins();
    const pid_t between = fork();
    const pid_t launch = between == 0 ? fork() : 0;
    if (between == 0 && launch != 0) {
        _exit(launch > 0 ? 0 : 127);
    }
    if (between == 0) {
        char number[16];
        python_fork_ended(true);
        *argv = take_texts(bytes + 1 + INHERITED, size - 1 - INHERITED, argc);
        snprintf(number, sizeof number, "%d", (int)getpid());
        if (*argv == NULL || !settle(parent, bytes + 1, descriptors) ||
            !send_text(IS_PROCESS, number)) {
            _exit(127);
        }
        close(zygote->socket);
        zygote->socket = 0;
        shift_addresses();
        wall_start_anew();
        return true;
    }
    int state = 0;
    python_fork_ended(false);
    if (between < 0 || waitpid(between, &state, 0) != between || state != 0) {
        send_text(IS_PROCESS, "0");
    }
    return false;
}

void zygote_serve(void (*answer)(const char *question, char *text, size_t size), int *argc,
                  char ***argv) {
    const pid_t parent = getppid();
    int descriptors[DESCRIPTORS];
    size_t size = 0, count = 0;
    for (char *bytes; (bytes = receive_packet(&size, descriptors, &count)) != NULL;) {
        if (bytes[0] == IS_QUESTION) {
            char text[ANSWER_SIZE];
            answer(bytes + 1, text, sizeof text);
            zygote_tell(text);
        } else if (count == DESCRIPTORS &&
                   fork_launch(parent, bytes, size, descriptors, argc, argv)) {
            return; /* the arguments stay */
        }
        for (size_t i = 0; i < count; i++) {
            close(descriptors[i]);
        }
        free(bytes);
    }
    _exit(0);
}
