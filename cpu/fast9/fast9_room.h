/* fast9_room: the memory for corners of all bands. */
#ifndef CPU_FAST9_ROOM_H
#define CPU_FAST9_ROOM_H

#include "fast9_work.h"

/* Room for a share of the pixels. STATUS_SKIP when there is no memory. */
Status fast9_room_open(Fast9Work *work);

/* Whether a band has found more corners than it has room for. */
bool fast9_room_is_short(const Fast9Work *work);

/* More room in place of what there is, whose corners are lost. */
Status fast9_room_grow(Fast9Work *work);

void fast9_room_close(Fast9Work *work);

#endif
