/*
 * Mapped files: images and answers that lie in a file instead of memory. The system reads and
 * writes their pages as they are touched, and keeps as many as memory has room for.
 *
 * A page that can no longer be read or written (the file was cut short, the disk fails) ends the
 * process with one line and INTERRUPT_FILE_EXIT_CODE, after the results so far were written
 * (interrupt_lose): no code that reads an image needs to check.
 */
#ifndef BENCH_API_MAPPED_FILE_H
#define BENCH_API_MAPPED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Maps the first `bytes` ≥ 1 bytes of an ordinary file. Writing to them is an error of the program.
 * STATUS_FILE when the file cannot be read or is shorter, STATUS_SKIP when the process cannot have
 * so many addresses. Release with mapped_file_close. */
Status mapped_file_open(const char *path, uint64_t bytes, uint8_t **memory);

/* Maps a new file of `bytes` ≥ 1 zeros in `folder`. The file has no name, and goes with the map;
 * its room on the disk is reserved at once. STATUS_SKIP "needs X in FOLDER, Y free" without that
 * room, and for a folder that lies in memory. Release with mapped_file_close. */
Status mapped_file_make(const char *folder, uint64_t bytes, uint8_t **memory);

/* Whether an address lies in a mapped file. */
bool mapped_file_holds(const void *memory);

/* Says that these bytes are not needed soon: they no longer count as memory of the process. Does
 * nothing where no file is mapped. */
void mapped_file_leave(const void *memory, size_t bytes);

/* Unmaps the file that an address lies in; false, and nothing is done, where none is mapped. */
bool mapped_file_close(const void *memory);

#ifdef __cplusplus
}
#endif

#endif
