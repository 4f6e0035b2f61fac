"""ORB descriptors of other libraries."""
from ._peers import descriptors


def opencv(work):
    """cv2.ORB on one level, with its own pairs. It leaves out keypoints within 31 pixels of an edge."""
    import cv2

    if work.answer["bits"] != "256":
        raise NotImplementedError("it has 256 bits")
    return descriptors(work, cv2.ORB_create(nlevels=1).compute)
