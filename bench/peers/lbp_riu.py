"""Rotation-invariant uniform local binary patterns of other libraries."""
from ._peers import Calls, within


def skimage(work):
    """The method "uniform", whose bins are these."""
    import numpy as np
    from skimage.feature import local_binary_pattern

    points, radius = work.answer["pr"].split(":")
    points, radius, image = int(points), float(radius), work.image
    if work.answer["interp"] != "bilinear":
        raise NotImplementedError("it is bilinear")
    within(image.size * points * 1.2e-8)
    found = {}

    def run():
        found["bins"] = local_binary_pattern(image, points, radius, "uniform")
        found["counts"] = np.bincount(found["bins"].ravel().astype(np.uint8), minlength=points + 2)

    def download():
        work.out["histogram"][...] = found["counts"].reshape(1, -1)
        if "bins" in work.out:
            work.out["bins"][...] = found["bins"]

    return Calls(run, download)
