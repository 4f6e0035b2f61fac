/*
 * cuda_texture: as cuda_tiled, the integral image through a texture object.
 *
 * The texture unit computes addresses, which takes integer instructions off the multiprocessors,
 * but gives one entry a fetch at a quarter of the rate of loads; patches are too large for its
 * layout-aware cache to make up for it, as the image in memory is row by row in both cases.
 */
#include "bad_device.cuh"
#include "cuda_texture.h"

VARIANT_FUNCTIONS(bad_cuda_texture);

namespace {

struct BadTexture : BadDevice {
    cudaTextureObject_t texture;
};

/* entry(x, y) of the integral image. Texels' centres are at .5; rounding down is exact here, as no
 * texture is as wide as 2^23. */
struct Fetch {
    cudaTextureObject_t texture;

    __device__ __forceinline__ uint32_t operator()(int x, int y) const {
        return tex2D<unsigned int>(texture, (float)x + 0.5F, (float)y + 0.5F);
    }
};

Status open_texture(BadDevice *device) {
    const CudaTextureImage integral = {device->integral, device->width + 1, device->height + 1,
                                       device->stride * sizeof *device->integral};
    return cuda_texture_open(device, &integral, CUDA_TEXTURE_WORD, CUDA_TEXTURE_ANY_SIDE,
                             &((BadTexture *)device)->texture);
}

Status run_tests(const BadDevice *device) {
    return keypoint_describe_tiled(device,
                                   bad_rule(device, Fetch{((const BadTexture *)device)->texture}));
}

const BadMethod method = {open_texture, bad_cuda_sum_rows_and_columns, run_tests};

} // namespace

Status bad_cuda_texture_open(const Request *request, void **state) {
    return bad_cuda_open_with<BadTexture>(request, &method, state);
}
