/* A stand-in for the two functions of NPP that peers call, on the host: libnppc, libnppist and
 * libnppif in one. A wrong context is an error, so that its layout is held. */
#include <stddef.h>
#include <stdint.h>

typedef struct NppiSize {
    int width, height;
} NppiSize;

typedef struct NppiPoint {
    int x, y;
} NppiPoint;

typedef struct NppStreamContext {
    void *stream;
    int device, multiprocessors, threads_of_multiprocessor, threads_of_block;
    size_t shared_of_block;
    int major, minor;
    unsigned int flags;
    int reserved;
} NppStreamContext;

enum { NPP_OK = 0, NPP_ERROR = -2 };

const int *nppGetLibVersion(void);
int nppiIntegral_8u32s_C1R_Ctx(const uint8_t *from, int from_step, int32_t *to, int to_step,
                               NppiSize size, int32_t value, NppStreamContext context);
int nppiFilterBox_32f_C1R_Ctx(const float *from, int from_step, float *to, int to_step,
                              NppiSize size, NppiSize mask, NppiPoint anchor,
                              NppStreamContext context);

const int *nppGetLibVersion(void) {
    static const int version[] = {13, 2, 7};
    return version;
}

static int is_right(const NppStreamContext *context) {
    return context->stream == (void *)16 && context->device == 0 &&
           context->multiprocessors == 132 && context->threads_of_multiprocessor == 2048 &&
           context->threads_of_block == 1024 && context->shared_of_block == 49152 &&
           context->major == 9 && context->minor == 0 && context->flags == 0;
}

int nppiIntegral_8u32s_C1R_Ctx(const uint8_t *from, int from_step, int32_t *to, int to_step,
                               NppiSize size, int32_t value, NppStreamContext context) {
    if (!is_right(&context)) {
        return NPP_ERROR;
    }
    for (int y = 0; y <= size.height; y++) {
        int32_t *row = (int32_t *)((char *)to + (ptrdiff_t)y * to_step);
        const int32_t *above = (const int32_t *)((char *)row - to_step);
        for (int x = 0; x <= size.width; x++) {
            row[x] = x == 0 || y == 0 ? value
                                      : row[x - 1] + above[x] - above[x - 1] +
                                            from[(ptrdiff_t)(y - 1) * from_step + x - 1];
        }
    }
    return NPP_OK;
}

/* The box whose corner is the pixel less the anchor. */
static float mean_of(const float *from, int from_step, NppiSize mask, int x, int y) {
    float sum = 0;
    for (int j = y; j < y + mask.height; j++) {
        const float *row = (const float *)((const char *)from + (ptrdiff_t)j * from_step);
        for (int i = x; i < x + mask.width; i++) {
            sum += row[i];
        }
    }
    return sum / ((float)mask.width * (float)mask.height);
}

int nppiFilterBox_32f_C1R_Ctx(const float *from, int from_step, float *to, int to_step,
                              NppiSize size, NppiSize mask, NppiPoint anchor,
                              NppStreamContext context) {
    if (!is_right(&context)) {
        return NPP_ERROR;
    }
    for (int y = 0; y < size.height; y++) {
        float *row = (float *)((char *)to + (ptrdiff_t)y * to_step);
        for (int x = 0; x < size.width; x++) {
            row[x] = mean_of(from, from_step, mask, x - anchor.x, y - anchor.y);
        }
    }
    return NPP_OK;
}
