#include "fast9_room.h"

#include "backend.h"

/* At first, for one corner in so many pixels: photographs have fewer. */
enum { FIRST_SHARE = 16 };

/* Gives each band its part; returns how many spots that takes. */
static size_t cut_room(FastWork *work) {
    size_t spots = 0;
    for (int32_t i = 0; i < work->band_count; ++i) {
        FastBand *band = &work->bands[i];
        const size_t width = (size_t)(work->levels.width[band->level] - 2 * FAST_BORDER);
        band->room = width * (size_t)(band->last - band->first) / work->share + 1;
        band->spots = spots;
        spots += band->room;
    }
    return spots;
}

static Status take_room(FastWork *work) {
    const size_t bytes = (cut_room(work) + 1) * sizeof(FastSpot);
    void *spots = NULL;
    void *kept = NULL;
    STATUS_TRY(cpu_backend.alloc(bytes, &spots));
    work->spots = spots;
    STATUS_TRY(cpu_backend.alloc(bytes, &kept));
    work->kept = kept;
    return status_ok();
}

Status fast_room_open(FastWork *work) {
    work->share = FIRST_SHARE;
    return take_room(work);
}

bool fast_room_is_short(const FastWork *work) {
    for (int32_t i = 0; i < work->band_count; ++i) {
        if (work->bands[i].found > work->bands[i].room) {
            return true;
        }
    }
    return false;
}

/* One for each pixel is always enough, and is what halving ends with. */
Status fast_room_grow(FastWork *work) {
    fast_room_close(work);
    work->share /= 2;
    return take_room(work);
}

void fast_room_close(FastWork *work) {
    cpu_backend.release(work->spots);
    cpu_backend.release(work->kept);
    work->spots = NULL;
    work->kept = NULL;
}
