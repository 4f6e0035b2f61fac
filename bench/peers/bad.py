"""Descriptors by differences of boxes of other libraries."""
from ._peers import descriptors


def opencv(work):
    """TEBLID, whose boxes and thresholds were trained otherwise."""
    import cv2

    if not hasattr(cv2, "xfeatures2d"):
        raise NotImplementedError("OpenCV is there without TEBLID: 'pip install opencv-contrib-python-headless'")
    bits = {"256": cv2.xfeatures2d.TEBLID_SIZE_256_BITS, "512": cv2.xfeatures2d.TEBLID_SIZE_512_BITS}
    return descriptors(work, cv2.xfeatures2d.TEBLID_create(1.0, bits[work.answer["bits"]]).compute)
