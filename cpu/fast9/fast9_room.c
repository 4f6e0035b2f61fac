#include "fast9_room.h"

#include "backend.h"

/* At first, for one corner in so many pixels: photographs have fewer. */
enum { FIRST_SHARE = 16 };

/* Gives each band its part; returns how many spots that takes. */
static size_t cut_room(Fast9Work *work) {
    size_t spots = 0;
    for (int32_t i = 0; i < work->band_count; ++i) {
        Fast9Band *band = &work->bands[i];
        const size_t width = (size_t)(work->levels.width[band->level] - 2 * FAST9_BORDER);
        band->room = width * (size_t)(band->last - band->first) / work->share + 1;
        band->spots = spots;
        spots += band->room;
    }
    return spots;
}

static Status take_room(Fast9Work *work) {
    const size_t bytes = (cut_room(work) + 1) * sizeof(Fast9Spot);
    void *spots = NULL;
    void *kept = NULL;
    STATUS_TRY(cpu_backend.alloc(bytes, &spots));
    work->spots = spots;
    STATUS_TRY(cpu_backend.alloc(bytes, &kept));
    work->kept = kept;
    return status_ok();
}

Status fast9_room_open(Fast9Work *work) {
    work->share = FIRST_SHARE;
    return take_room(work);
}

bool fast9_room_is_short(const Fast9Work *work) {
    for (int32_t i = 0; i < work->band_count; ++i) {
        if (work->bands[i].found > work->bands[i].room) {
            return true;
        }
    }
    return false;
}

/* One for each pixel is always enough, and is what halving ends with. */
Status fast9_room_grow(Fast9Work *work) {
    fast9_room_close(work);
    work->share /= 2;
    return take_room(work);
}

void fast9_room_close(Fast9Work *work) {
    cpu_backend.release(work->spots);
    cpu_backend.release(work->kept);
    work->spots = NULL;
    work->kept = NULL;
}
