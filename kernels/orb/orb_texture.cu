/*
 * cuda_texture: as cuda_tiled, the smoothed image through a texture object.
 *
 * The texture unit computes addresses, which takes integer instructions off the multiprocessors,
 * but gives one pixel a fetch at a quarter of the rate of loads. Positions are moved into the image
 * by instructions all the same: its own modes of address give 0 there.
 */
#include "cuda_texture.h"
#include "orb_device.cuh"

VARIANT_FUNCTIONS(orb_cuda_texture);

namespace {

struct OrbTexture : OrbDevice {
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
    return cuda_texture_open(device, &blurred, CUDA_TEXTURE_BYTE, CUDA_TEXTURE_ANY_SIDE,
                             &((OrbTexture *)device)->texture);
}

Status run_tests(const OrbDevice *device) {
    return keypoint_describe_tiled(device,
                                   orb_rule(device, Fetch{((const OrbTexture *)device)->texture}));
}

const OrbMethod method = {open_texture, orb_cuda_blur_tiled, run_tests};

} // namespace

Status orb_cuda_texture_open(const Request *request, void **state) {
    return orb_cuda_open_with<OrbTexture>(request, &method, state);
}
