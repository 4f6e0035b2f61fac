/*
 * The modules that files were compiled into: folder/<request>/<bytes>/NAME.so, where both names are
 * hashes of 16 hexadecimal digits (source_file.c). A module that was not used for
 * MODULE_CACHE_DAYS goes, and where all take more than MODULE_CACHE_BYTES those that were unused
 * for longest.
 *
 * Who uses a module has its folder locked with others who do, until its process ends; who compiles
 * one has the request's locked alone. What is locked stays.
 */

#ifndef BENCH_BASE_MODULE_CACHE_H
#define BENCH_BASE_MODULE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

enum { MODULE_CACHE_DAYS = 30 };

#define MODULE_CACHE_BYTES (UINT64_C(256) << 20)

/* Says that this process uses a module from now on, whose file is `path`. False where there is none
 * any more. */
bool module_cache_use(const char *path);

/* Removes what is to go. Ignores errors and whatever else is in the folder. */
void module_cache_prune(const char *folder);

#endif
