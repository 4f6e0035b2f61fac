/* Python, loaded into this process: the library is found by asking the python3 in PATH, and a dozen
 * of CPython's functions are called through their addresses. */

#include "python.h"

#include <dlfcn.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_internal.h"
#include "child_process.h"
#include "resources.h"
#include "text.h"

/* === Finding it =============================================================================== */

const char python_variable[] = "BENCH_PYTHON";

enum { FOUND_SIZE = 1 << 16, PYTHON_SECONDS = 30 };

/* Behind a line of its own, since Python may print warnings before: prints the version, what
 * PYTHONHOME would be, and places of the library, a line each; and behind an empty line, as JSON,
 * what makes the loaded interpreter the one that was asked. */
#define MARK "Python for bench:"
static const char question[] =
    "mark = '" MARK "'\n"
    "import json, os, sys, sysconfig\n"
    "v = sysconfig.get_config_var\n"
    "version = '%d.%d' % sys.version_info[:2]\n"
    "plain = 'libpython%s%s.so' % (version, getattr(sys, 'abiflags', ''))\n"
    "names = [n for n in (v('INSTSONAME'), v('LDLIBRARY'), plain + '.1.0', plain)\n"
    "         if n and '.so' in n]\n"
    "base = getattr(sys, 'base_prefix', sys.prefix)\n"
    "libdir = v('LIBDIR') or '/usr/lib'\n"
    "folders = [libdir, os.path.join(libdir, v('MULTIARCH') or ''),\n"
    "           os.path.join(base, 'lib')]\n"
    "places = [os.path.join(f, n) for n in names for f in folders]\n"
    "print('\\n' + mark + '\\n' + version)\n"
    "print(base + ':' + getattr(sys, 'base_exec_prefix', sys.exec_prefix))\n"
    "print('\\n'.join([p for p in places if os.path.exists(p)] + names[:1]))\n"
    "print()\n"
    "print(json.dumps({'path': sys.path, 'prefix': sys.prefix, 'exec_prefix': sys.exec_prefix,\n"
    "                  'executable': sys.executable}))\n";

typedef struct Found {
    char text[FOUND_SIZE]; /* what was printed; then its lines */
    size_t length;
    ChildEnd end;
} Found;

static void keep_bytes(void *context, const char *bytes, size_t count) {
    Found *found = context;
    const size_t room = sizeof found->text - 1 - found->length;
    memcpy(found->text + found->length, bytes, count < room ? count : room);
    found->length += count < room ? count : room;
    found->text[found->length] = '\0';
}

static const char *program_name(void) {
    const char *named = getenv(python_variable);
    return named != NULL && named[0] != '\0' ? named : "python3";
}

static Status ask_program(Found *found) {
    const char *const arguments[] = {program_name(), "-c", question, NULL};
    const ChildProcess child = {.program = arguments[0],
                                .arguments = arguments,
                                .output = -1,
                                .limit = PYTHON_SECONDS,
                                .take = keep_bytes,
                                .context = found};
    STATUS_TRY(child_process_run(&child, &found->end));
    if (found->end.error != 0) {
        return status_make(STATUS_FILE,
                           "Python is needed, but '%.100s' cannot be started: %s; install it, or "
                           "name one with --python or BENCH_PYTHON",
                           arguments[0], strerror(found->end.error));
    }
    return status_ok();
}

/* How it ended, or its last line, which says of a traceback what went wrong. */
static Status no_answer(Found *found) {
    static const char says_not[] = "does not say where its library is";
    if (found->end.late) {
        return status_make(STATUS_FILE, "'%.100s' %s: it was stopped after %d s", program_name(),
                           says_not, PYTHON_SECONDS);
    }
    if (found->end.signal != 0) {
        return status_make(STATUS_FILE, "'%.100s' %s: it was ended by signal %d (%s)",
                           program_name(), says_not, found->end.signal,
                           strsignal(found->end.signal));
    }
    while (found->length > 0 && found->text[found->length - 1] == '\n') {
        found->text[--found->length] = '\0';
    }
    const char *line = strrchr(found->text, '\n');
    return status_make(STATUS_FILE, "'%.100s' %s: %.200s", program_name(), says_not,
                       found->length == 0 ? "it prints nothing"
                       : line != NULL     ? line + 1
                                          : found->text);
}

/* The next line of `*text`, which moves past it; NULL behind the last. */
static char *next_line(char **text) {
    char *line = *text;
    char *end = line != NULL ? strchr(line, '\n') : NULL;
    if (end == NULL) {
        return NULL;
    }
    *end = '\0';
    *text = end + 1;
    return line;
}

/* === Its functions ============================================================================ */

/* Of the stable interface, or there in every version since 3.9. */
#define FUNCTIONS(EACH)                                                                            \
    EACH(void, Py_InitializeEx, (int))                                                             \
    EACH(PythonObject *, PyImport_AddModule, (const char *))                                       \
    EACH(PythonObject *, PyModule_GetDict, (PythonObject *))                                       \
    EACH(PythonObject *, PyDict_GetItemString, (PythonObject *, const char *))                     \
    EACH(PythonObject *, PyRun_String, (const char *, int, PythonObject *, PythonObject *))        \
    EACH(PythonObject *, PyObject_CallFunction, (PythonObject *, const char *, ...))               \
    EACH(PythonObject *, PyObject_CallNoArgs, (PythonObject *))                                    \
    EACH(PythonObject *, PyObject_GetAttrString, (PythonObject *, const char *))                   \
    EACH(PythonObject *, Py_VaBuildValue, (const char *, va_list))                                 \
    EACH(PythonObject *, PyObject_CallObject, (PythonObject *, PythonObject *))                    \
    EACH(const char *, PyUnicode_AsUTF8, (PythonObject *))                                         \
    EACH(void, PyOS_BeforeFork, (void))                                                            \
    EACH(void, PyOS_AfterFork_Parent, (void))                                                      \
    EACH(void, PyOS_AfterFork_Child, (void))                                                       \
    EACH(void, PyErr_Print, (void))                                                                \
    EACH(void, PyErr_Clear, (void))                                                                \
    EACH(void, Py_DecRef, (PythonObject *))

#define MEMBER(type, name, parameters) type(*name) parameters;
static struct {
    bool started;
    PythonObject *runner; /* the module bench._runner */
    FUNCTIONS(MEMBER)
} python;

static bool take_functions(void *library) {
    bool all = true;
#define TAKE(type, name, parameters)                                                               \
    *(void **)(&python.name) = dlsym(library, #name);                                              \
    all = all && python.name != NULL;
    FUNCTIONS(TAKE)
#undef TAKE
    return all;
}

/* Modules of its own expect the library's names to be there for all. */
static Status load_library(char **lines, const char *version) {
    char why[STATUS_WHY_SIZE] = "it has none";
    for (char *place = next_line(lines); place != NULL && place[0] != '\0';
         place = next_line(lines)) {
        void *library = dlopen(place, RTLD_NOW | RTLD_GLOBAL);
        if (library != NULL && take_functions(library)) {
            while (place != NULL && place[0] != '\0') {
                place = next_line(lines);
            }
            return status_ok();
        }
        const char *error = library == NULL ? dlerror() : NULL;
        snprintf(why, sizeof why, "%.200s",
                 error != NULL ? error : "functions of CPython are missing in it");
    }
    return status_make(STATUS_FILE,
                       "'%.60s' is Python %.8s, whose shared library cannot be loaded (%.150s); "
                       "Debian has it in libpython%.8s, or name another one with --python",
                       program_name(), version, why, version);
}

/* === Starting it ============================================================================== */

enum { FILE_INPUT = 257 }; /* Py_file_input */

/* Where its own modules are, unless the person has said so. Its conversions of texts are those of
 * the environment, bench's are not. */
static void initialize(const char *home) {
    static const char variable[] = "PYTHONHOME";
    char locale[64];
    const bool given = getenv(variable) != NULL;
    snprintf(locale, sizeof locale, "%s", setlocale(LC_CTYPE, NULL));
    setenv(variable, home, 0);
    python.Py_InitializeEx(0); /* without handlers of signals */
    if (!given) {
        unsetenv(variable);
    }
    setlocale(LC_CTYPE, locale);
}

static Status run_start(const char *found) {
    PythonObject *names = python.PyModule_GetDict(python.PyImport_AddModule("__main__"));
    PythonObject *ran = python.PyRun_String(python_beginning, FILE_INPUT, names, names);
    PythonObject *start = ran != NULL ? python.PyDict_GetItemString(names, "start") : NULL;
    if (start != NULL) {
        python.runner = python.PyObject_CallFunction(start, "sssss", found, python_init,
                                                     python_read, python_variants, python_runner);
    }
    python_release(ran);
    if (python.runner == NULL) {
        python.PyErr_Print();
        return status_make(STATUS_FILE, "Python of '%.100s' cannot be started", program_name());
    }
    return status_ok();
}

static Status start_found(Found *found) {
    STATUS_TRY(ask_program(found));
    char *lines = strstr(found->text, "\n" MARK "\n");
    if (lines == NULL) {
        return no_answer(found);
    }
    lines += strlen("\n" MARK "\n");
    const char *version = next_line(&lines);
    const char *home = next_line(&lines);
    if (version == NULL || home == NULL) {
        return no_answer(found);
    }
    if (strncmp(version, "3.", 2) != 0 || strtol(version + 2, NULL, 10) < 9) {
        return status_make(STATUS_FILE,
                           "'%.100s' is Python %.20s; 3.9 or later would be right: name one with "
                           "--python",
                           program_name(), version);
    }
    STATUS_TRY(load_library(&lines, version));
    initialize(home);
    python.started = true;
    return run_start(lines);
}

/* Of memory and addresses, for the interpreter and its own modules. An interpreter that finds none
 * while it starts may end the process, or try for ever. */
enum { PYTHON_MEMORY = 256 << 20 };

Status python_start(void) {
    if (python.started) {
        return python.runner != NULL ? status_ok()
                                     : status_make(STATUS_FILE, "Python cannot be started");
    }
    STATUS_TRY(free_memory_check("Python", PYTHON_MEMORY));
    Found *found = calloc(1, sizeof *found);
    STATUS_MEMORY(found, "to find Python");
    const Status status = start_found(found);
    free(found);
    return status;
}

/* === Forking it =============================================================================== */

void python_fork_begins(void) {
    if (python.started) {
        python.PyOS_BeforeFork();
    }
}

void python_fork_ended(bool is_child) {
    if (python.started && is_child) {
        python.PyOS_AfterFork_Child();
    } else if (python.started) {
        python.PyOS_AfterFork_Parent();
    }
}

/* === Calls ==================================================================================== */

static PythonObject *without_error(PythonObject *result) {
    if (result == NULL) {
        python.PyErr_Clear();
    }
    return result;
}

PythonObject *python_attribute(PythonObject *object, const char *name) {
    return without_error(python.PyObject_GetAttrString(object, name));
}

PythonObject *python_call_method(PythonObject *object, const char *name) {
    PythonObject *callable = python_attribute(object, name);
    PythonObject *result = callable != NULL ? python_call_object(callable) : NULL;
    python_release(callable);
    return result;
}

PythonObject *python_call_object(PythonObject *callable) {
    return without_error(python.PyObject_CallNoArgs(callable));
}

static PythonObject *call_of(PythonObject *object, const char *function, const char *format,
                             va_list list) {
    PythonObject *callable = python_attribute(object, function);
    PythonObject *arguments = python.Py_VaBuildValue(format, list);
    PythonObject *result = callable != NULL && arguments != NULL
                               ? python.PyObject_CallObject(callable, arguments)
                               : NULL;
    python_release(arguments);
    python_release(callable);
    return without_error(result);
}

PythonObject *python_call(const char *function, const char *format, ...) {
    va_list list;
    va_start(list, format);
    PythonObject *result = call_of(python.runner, function, format, list);
    va_end(list);
    return result;
}

PythonObject *python_call_of(PythonObject *object, const char *function, const char *format, ...) {
    va_list list;
    va_start(list, format);
    PythonObject *result = call_of(object, function, format, list);
    va_end(list);
    return result;
}

PythonObject *python_module(const char *name, const char *text) {
    return python_call("module", "(ss)", name, text);
}

const char *python_text(PythonObject *object) {
    const char *text = object != NULL ? python.PyUnicode_AsUTF8(object) : NULL;
    if (object != NULL && text == NULL) {
        python.PyErr_Clear();
    }
    return text;
}

Status python_text_status(const char *text) {
    if (text == NULL) {
        return status_fail("Python gives no answer");
    }
    const char *skip = text_after(text, "skip: ");
    if (skip != NULL) {
        return status_skip("%.370s", skip);
    }
    return text[0] == '\0' ? status_ok() : status_fail("%.370s", text);
}

Status python_status(PythonObject *answer) {
    const Status status = python_text_status(python_text(answer));
    python_release(answer);
    return status;
}

void python_release(PythonObject *object) {
    if (object != NULL) {
        python.Py_DecRef(object);
    }
}
