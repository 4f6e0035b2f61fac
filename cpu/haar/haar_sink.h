/*
 * Where the threads of a variant put records: small buffers that stay in the cache, and behind them
 * the answer, which all of them fill together through one cursor.
 *
 * As with snprintf, what the answer has no room for is counted and not written. Records come out in
 * the order in which buffers fill up.
 */
#ifndef CPU_HAAR_SINK_H
#define CPU_HAAR_SINK_H

#include "haar.h"

enum {
    HAAR_SINK_RECORDS = 4096, /* in a buffer */
    HAAR_SINK_SLACK = 16,     /* behind them, for vectors of which only a part is kept */
    HAAR_SINK_BYTES = (HAAR_SINK_RECORDS + HAAR_SINK_SLACK) * sizeof(uint64_t)
};

/* Shared by all threads. */
typedef struct HaarSinkTarget {
    uint64_t *records;
    uint64_t room;
    uint64_t found; /* so far, with those that there was no room for */
    bool stream;    /* copies bypass the cache: the answer is too large to stay in it */
} HaarSinkTarget;

/* Of one thread. */
typedef struct HaarSink {
    HaarSinkTarget *target;
    uint64_t *buffer; /* HAAR_SINK_BYTES, of the caller */
    uint64_t *at;     /* where the next record goes */
} HaarSink;

/* Takes some time: not for every run. */
HaarSinkTarget haar_sink_target(const Output *output);

static inline HaarSink haar_sink(HaarSinkTarget *target, void *buffer) {
    return (HaarSink){.target = target, .buffer = (uint64_t *)buffer, .at = (uint64_t *)buffer};
}

/* Moves what is in the buffer to the answer. */
void haar_sink_empty(HaarSink *sink);

/* Makes room at sink->at for `count` ≤ HAAR_SINK_RECORDS records and the slack. The caller writes
 * there and moves sink->at on by the records that are to stay. */
static inline void haar_sink_reserve(HaarSink *sink, size_t count) {
    if ((size_t)(sink->at - sink->buffer) + count > HAAR_SINK_RECORDS) {
        haar_sink_empty(sink);
    }
}

/* After the last record of a thread: when it returns, other threads see them all. */
void haar_sink_finish(HaarSink *sink);

#endif
