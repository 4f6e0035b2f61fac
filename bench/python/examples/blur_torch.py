"""A box blur of 3×3 pixels: NumPy on the CPU, PyTorch on the GPU.

    bench run blur_torch.py --sizes all
"""
import bench
import numpy as np
import torch


@bench.variant
def plain(image, out):
    """NumPy: the nine neighbours, added."""
    padded = np.pad(image, 1, mode="edge").astype(np.uint16)
    height, width = image.shape
    out[:] = sum(padded[y:y + height, x:x + width] for y in range(3) for x in range(3)) // 9


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
