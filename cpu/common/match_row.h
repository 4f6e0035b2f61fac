/* A row of the answer of the algorithm `matching`, for those that read it. */
#ifndef CPU_COMMON_MATCH_ROW_H
#define CPU_COMMON_MATCH_ROW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Match {
    uint64_t nearest, distance, mutual;
} Match;

enum { MATCH_COLUMNS = sizeof(Match) / sizeof(uint64_t) };

#ifdef __cplusplus
}
#endif

#endif
