#include "haar_sink.h"

#include <string.h>

#include "cpu_cache.h"
#include "stream_copy.h"

HaarSinkTarget haar_sink_target(const Output *output) {
    const size_t room = haar_capacity(output);
    return (HaarSinkTarget){
        .records = haar_records(output),
        .room = room,
        .stream = room * sizeof(uint64_t) > cpu_last_level_cache_bytes() / 2,
    };
}

static uint64_t advance(HaarSinkTarget *target, uint64_t count) {
    uint64_t before;
#pragma omp atomic capture
    {
        before = target->found;
        target->found += count;
    }
    return before;
}

void haar_sink_empty(HaarSink *sink) {
    HaarSinkTarget *target = sink->target;
    const uint64_t count = (uint64_t)(sink->at - sink->buffer);
    const uint64_t before = advance(target, count);
    const uint64_t left = before < target->room ? target->room - before : 0;
    const size_t bytes = (size_t)(count < left ? count : left) * sizeof(uint64_t);
    sink->at = sink->buffer;
    if (bytes == 0) {
        return;
    }
    if (target->stream) {
        stream_copy((uint8_t *)(target->records + before), (const uint8_t *)sink->buffer, bytes);
    } else {
        memcpy(target->records + before, sink->buffer, bytes);
    }
}

void haar_sink_finish(HaarSink *sink) {
    haar_sink_empty(sink);
    stream_copy_finish();
}
