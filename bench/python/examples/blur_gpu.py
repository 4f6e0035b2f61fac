"""A box blur of 3×3 pixels: NumPy on the CPU; CuPy, PyTorch and Triton on the GPU. What is not installed is skipped.

    bench run blur_gpu.py --sizes all
"""
import bench
import numpy as np


@bench.variant
def plain(image, out):
    """NumPy: the nine neighbours, added."""
    padded = np.pad(image, 1, mode="edge").astype(np.uint16)
    height, width = image.shape
    out[:] = sum(padded[y:y + height, x:x + width] for y in range(3) for x in range(3)) // 9


try:
    import cupy
except ImportError:
    cupy = None
try:
    import torch
    import triton
    import triton.language as tl
except ImportError:
    torch = triton = None

if cupy:
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


if torch:

    def nine(image):
        padded = torch.nn.functional.pad(image[None].float(), (1, 1, 1, 1), mode="replicate")[0]
        height, width = image.shape
        total = sum(padded[y:y + height, x:x + width] for y in range(3) for x in range(3))
        return torch.div(total, 9, rounding_mode="floor").to(torch.uint8)

    @bench.variant("torch", improves_on="plain")
    def torch_eager(image, out):
        """PyTorch: the nine neighbours, added."""
        out.copy_(nine(image))

    compiled = torch.compile(nine, dynamic=False)

    @bench.variant("torch", improves_on="torch_eager")
    def torch_compiled(image, out):
        """PyTorch: the same by torch.compile."""
        out.copy_(compiled(image))

    @triton.jit
    def blur_block(image, out, width, height, BLOCK: tl.constexpr):
        x = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        y = tl.program_id(1)
        inside = x < width
        total = tl.zeros((BLOCK,), tl.int32)
        for dy in tl.static_range(-1, 2):
            row = tl.minimum(tl.maximum(y + dy, 0), height - 1).to(tl.int64) * width
            for dx in tl.static_range(-1, 2):
                column = tl.minimum(tl.maximum(x + dx, 0), width - 1)
                total += tl.load(image + row + column, mask=inside, other=0).to(tl.int32)
        tl.store(out + y.to(tl.int64) * width + x, (total // 9).to(tl.uint8), mask=inside)

    @bench.variant("torch", improves_on="torch_eager", tuning={"block": [256, 1024]})
    def triton_kernel(image, out, block):
        """Triton: a block of pixels of one row for each program."""
        height, width = image.shape
        if block & (block - 1):
            raise NotImplementedError("Triton's blocks are powers of two")
        blur_block[(triton.cdiv(width, block), height)](image, out, width, height, BLOCK=block)
