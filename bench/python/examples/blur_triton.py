"""A box blur of 3×3 pixels: NumPy on the CPU, Triton on the GPU.

    bench run blur_triton.py --sizes all
"""
import bench
import numpy as np
import triton
import triton.language as tl


@bench.variant
def plain(image, out):
    """NumPy: the nine neighbours, added."""
    padded = np.pad(image, 1, mode="edge").astype(np.uint16)
    height, width = image.shape
    out[:] = sum(padded[y:y + height, x:x + width] for y in range(3) for x in range(3)) // 9


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


@bench.variant("torch", improves_on="plain", tuning={"block": [256, 1024]})
def triton_kernel(image, out, block):
    """Triton: a block of pixels of one row for each program."""
    height, width = image.shape
    blur_block[(triton.cdiv(width, block), height)](image, out, width, height, BLOCK=block)
