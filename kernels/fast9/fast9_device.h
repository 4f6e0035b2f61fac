/*
 * Device side of a fast9 cell: what all its variants have in common. They differ in how they make
 * the pyramid and find corners (Fast9Search); suppression, orientation and the choice of the
 * strongest are done in one way, sorting by CUB.
 *
 * Corners are found into one list with a cursor that counts them all, also those without room; a
 * list that was too short is made longer and the corners are found again: nothing is lost. A map of
 * all pixels tells suppression where they are; it is 0 everywhere between runs, for each run clears
 * the places of its own corners only.
 */
#ifndef KERNELS_FAST9_FAST9_DEVICE_H
#define KERNELS_FAST9_FAST9_DEVICE_H

#include <cuda_runtime_api.h>

#include "fast9.h"
#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A corner: its level and place, a number of 0 … 65,535 each. */
typedef struct Fast9Corner {
    uint16_t x, y;
    uint32_t level;
} Fast9Corner;

typedef struct Fast9Device Fast9Device;

/* How a variant makes levels and finds corners; NULL members: as cuda_naive does. None is called
 * for an image without levels, except close. */
typedef struct Fast9Search {
    Status (*open)(Fast9Device *device); /* optional: allocates search_state */
    /* Optional: restores search_state's device memory, as part of upload. */
    Status (*upload)(Fast9Device *device);
    /* Queues making levels 1 … count − 1 of `pyramid`. */
    Status (*pyramid)(Fast9Device *device);
    /* Queues finding the corners of all levels into list and cursor, which is 0 before. */
    Status (*corners)(Fast9Device *device);
    void (*close)(Fast9Device *device); /* optional; search_state may be NULL */
} Fast9Search;

struct Fast9Device {
    const Request *request;
    Fast9Point point;
    Fast9Levels levels;
    uint8_t *pyramid;     /* levels.pixels bytes, as levels.offset says; device memory, as below */
    uint32_t *places;     /* levels.pixels; 1 + place in the list of the corner there, 0: none */
    Fast9Corner *corners; /* room for `capacity`, in any order */
    unsigned int *cursor; /* corners found, also those without room */
    unsigned int capacity;
    const Fast9Search *search;
    void *search_state;
    struct Fast9Work *work; /* what suppression, sorting and the answer need */
};

/* `search` is the variant's. */
Status fast9_cuda_open_with(const Request *request, const Fast9Search *search, void **state);

/* The same for all variants; `state` is a Fast9Device. run is the four stages. */
Status fast9_cuda_pyramid(void *state);
Status fast9_cuda_corners(void *state);
Status fast9_cuda_suppress(void *state);
Status fast9_cuda_select(void *state);

#ifdef __cplusplus
}
#endif

#endif
