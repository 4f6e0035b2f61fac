/* matching_pack: rows of B in the order in which kernels read them, and offsets. */
#ifndef CPU_MATCHING_PACK_H
#define CPU_MATCHING_PACK_H

#include "matching_work.h"

/* Rows of B with those that fill the last blocks. */
size_t matching_padded_rows(const MatchingWork *work);

/* Fills b_words, a_offsets and b_offsets. All threads of a team call it, and share the work. */
void matching_pack(const MatchingWork *work);

#endif
