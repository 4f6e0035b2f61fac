"""Corners of other libraries."""
from ._peers import Calls, dense, opencv_threads


def opencv(work):
    """The detector of cv2.ORB: FAST on levels of a pyramid, the strongest of each, with directions."""
    import cv2
    import numpy as np

    score = cv2.ORB_FAST_SCORE if work.answer["score"] == "fast" else cv2.ORB_HARRIS_SCORE
    most, levels, threads = int(work.answer["max-keypoints"]), int(work.answer["levels"]), work.threads
    if min(work.image.shape) < 40 * 1.2**(levels - 1):
        raise NotImplementedError("a level has less than 40 pixels on a side")
    detector = cv2.ORB_create(most, 1.2, levels, 16, 0, 2, score, 31, int(work.answer["corner-threshold"]))
    image, refresh = dense(work.image)
    found = []

    def run():
        opencv_threads(threads)
        refresh()
        found[:] = detector.detect(image)

    def download():
        rows = [(key.octave, round(key.pt[0] / 1.2**key.octave), round(key.pt[1] / 1.2**key.octave), key.response)
                for key in found]
        rows.sort(key=lambda row: (-row[3], row[0], row[2], row[1]))
        table = work.out["keypoints"]
        table[...] = 0
        kept = min(len(rows), len(table))
        work.out["count"][...] = kept
        for at, (level, x, y, _) in enumerate(rows[:kept]):
            table[at, :3] = (level, x, y)

    return Calls(run, download)
