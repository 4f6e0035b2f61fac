"""SIFT of other libraries, projected as this program's."""
from ._peers import descriptors

_PATCH = 1 / 6  # four cells of SIFT are so many times as wide as its keypoint's size


def opencv(work):
    """cv2.SIFT with keypoints of such a size that its window is the patch, and a product by NumPy."""
    import cv2
    import numpy as np

    bits, sift = work.answer["bits"], cv2.SIFT_create()
    if bits == "1024":
        return descriptors(work, sift.compute, _PATCH)
    weights = work.arrays[f"weights.hashsift.{bits}"]
    bias, factors = weights[:, 0], np.ascontiguousarray(weights[:, 1:].T)

    def describe(image, keypoints):
        keypoints, values = sift.compute(image, keypoints)
        return keypoints, None if values is None else np.packbits(values @ factors + bias > 0, axis=1)

    return descriptors(work, describe, _PATCH)
