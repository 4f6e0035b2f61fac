/*
 * Python, loaded into this process when a file of it is to be measured: the shared library of the
 * python3 in PATH, or of the program that --python or BENCH_PYTHON names. Nothing of it is needed
 * to build or to start bench.
 *
 * Only the main thread calls these, and it alone runs Python: Python's own threads wait while the
 * main thread is in C.
 */
#ifndef BENCH_BASE_PYTHON_H
#define BENCH_BASE_PYTHON_H

#include <stdbool.h>

#include "status.h"

typedef struct BenchModule BenchModule; /* module.h */

typedef struct PythonObject PythonObject; /* CPython's PyObject */

/* Of the environment: the program whose library it is. --python sets it. */
extern const char python_variable[];

/* Loads it once. STATUS_FILE: there is no python3, it is too old, or it has no shared library. */
Status python_start(void);

/* Calls a function of bench/python/bench/_runner.py. The format of its arguments is that of
 * Py_BuildValue, in brackets: L is a long long, s a text. NULL if it raised an exception, which is
 * then forgotten. The caller releases what it gets. */
PythonObject *python_call(const char *function, const char *format, ...);

/* The same of a function of an object, such as a module. */
PythonObject *python_call_of(PythonObject *object, const char *function, const char *format, ...);

/* The module bench.NAME, made of its text once. NULL if that raises an exception. */
PythonObject *python_module(const char *name, const char *text);

/* Without arguments: of a method of an object, and of what can be called. */
PythonObject *python_call_method(PythonObject *object, const char *name);
PythonObject *python_call_object(PythonObject *callable);

/* NULL: it has no such attribute. The caller releases it. */
PythonObject *python_attribute(PythonObject *object, const char *name);

/* The text that the object is, which lives as long as it; NULL: it is none, or NULL. */
const char *python_text(PythonObject *object);

/* What such a text says: "" is success, "skip: " and a reason no failure; NULL is one. */
Status python_text_status(const char *text);
/* The same of an object that is the text, which it releases; NULL is a failure. */
Status python_status(PythonObject *answer);

void python_release(PythonObject *object); /* NULL is ignored */

/* Before this process forks, and behind that in both. */
void python_fork_begins(void);
void python_fork_ended(bool is_child);

/* --- Files of variants: python_file.c --------------------------------------------------------- */

/* Whether the path ends as files of Python do. */
bool python_file_is_named(const char *path);

enum { PYTHON_WITH_SIZE = 256 };

/*
 * Runs the file and makes a module of it, as a shared object exports one: marked functions are its
 * variants, and the file's name is the algorithm's. `with` is what it runs with: "Python 3.11.2,
 * numpy 1.24.2". STATUS_FILE with the path, or with file and line of an exception.
 */
Status python_file_load(const char *path, BenchModule *module, char with[PYTHON_WITH_SIZE]);

/* Whether the algorithm is one in Python, and a zygote has loaded it for this process, which would
 * have to load it as well to call it. */
bool python_file_is_elsewhere(const char *algorithm);

/* Whether launches may be forked of the zygote that has told the text of a file, which is taken
 * apart. */
bool python_file_forks(char *text);

/* In a zygote: what it is asked by the process that has its files of Python described. */
void python_file_answer(const char *question, char *text, size_t size);

#endif
