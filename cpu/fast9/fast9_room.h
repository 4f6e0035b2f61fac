/* fast_room: the memory for corners of all bands. */
#ifndef CPU_FAST_ROOM_H
#define CPU_FAST_ROOM_H

#include "fast9_work.h"

/* Room for a share of the pixels. STATUS_SKIP when there is no memory. */
Status fast_room_open(FastWork *work);

/* Whether a band has found more corners than it has room for. */
bool fast_room_is_short(const FastWork *work);

/* More room in place of what there is, whose corners are lost. */
Status fast_room_grow(FastWork *work);

void fast_room_close(FastWork *work);

#endif
