/*
 * cuda_texture: as cuda_tiled, the smoothed image through a texture object.
 *
 * The texture unit computes addresses, which takes integer instructions off the multiprocessors,
 * but gives one pixel a fetch at a quarter of the rate of loads. Positions are moved into the image
 * by instructions all the same: its own modes of address give 0 there.
 *
 * Texture memory is limited in width, height and pitch (131,072 × 65,000 on current devices):
 * larger images are skipped with that reason.
 */
#include <limits>

#include "cuda_texture.h"
#include "orb_device.cuh"

VARIANT_FUNCTIONS(orb_cuda_texture);

namespace {

struct OrbTexture {
    OrbDevice device;
    cudaTextureObject_t texture;
};

/* pixel(x, y) of the smoothed image. Texels' centres are at .5; rounding down is exact here, as no
 * texture is as wide as 2^23. */
struct Fetch {
    cudaTextureObject_t texture;

    __device__ __forceinline__ uint32_t operator()(int x, int y) const {
        return tex2D<unsigned char>(texture, (float)x + 0.5F, (float)y + 0.5F);
    }
};

Status open_texture(OrbDevice *device) {
    const CudaTextureImage blurred = {device->blurred, device->width, device->height,
                                      device->stride};
    return cuda_texture_create(&blurred, CUDA_TEXTURE_BYTE, std::numeric_limits<int>::max(),
                               &((OrbTexture *)device)->texture);
}

Status run_tests(const OrbDevice *device) {
    return keypoint_describe_tiled(device,
                                   orb_rule(device, Fetch{((const OrbTexture *)device)->texture}));
}

void close_texture(OrbDevice *device) {
    cuda_texture_destroy(((OrbTexture *)device)->texture);
}

const OrbMethod method = {open_texture, orb_cuda_blur_tiled, run_tests, NULL, close_texture};

} // namespace

Status orb_cuda_texture_open(const Request *request, void **state) {
    return orb_cuda_open_with<OrbTexture>(request, &method, state);
}
