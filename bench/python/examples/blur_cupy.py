"""A box blur of 3×3 pixels: NumPy on the CPU, CuPy on the GPU.

    bench run blur_cupy.py --sizes all
"""
import bench
import cupy
import numpy as np


@bench.variant
def plain(image, out):
    """NumPy: the nine neighbours, added."""
    padded = np.pad(image, 1, mode="edge").astype(np.uint16)
    height, width = image.shape
    out[:] = sum(padded[y:y + height, x:x + width] for y in range(3) for x in range(3)) // 9


blur_pixels = cupy.RawKernel(r"""
extern "C" __global__ void blur_pixels(const unsigned char *image, unsigned char *out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += image[(size_t)min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
    out[(size_t)y * width + x] = sum / 9;
}""", "blur_pixels")


@bench.variant("cupy", improves_on="plain", tuning={"rows": [4, 8]})
def cupy_kernel(image, out, rows):
    """CuPy: a kernel in CUDA C, a thread for each pixel."""
    height, width = image.shape
    blocks = ((width + 31) // 32, (height + rows - 1) // rows)
    blur_pixels(blocks, (32, rows), (image, out, np.int32(width), np.int32(height)))
