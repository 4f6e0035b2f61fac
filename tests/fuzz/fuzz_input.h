/* What the harnesses share: checks, and the fuzzed bytes as a file for readers that take a path. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Ends the program, which the fuzzer reports with the input, unless the condition holds. */
void require(int condition);

/* An error says why, without a line's end. */
void require_reason(const Status *status);

/* Path of a file in memory that has these bytes until the next call. */
const char *fuzz_input_file(const uint8_t *bytes, size_t size);

#endif
