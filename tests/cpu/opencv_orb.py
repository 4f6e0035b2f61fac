#!/usr/bin/env python3
"""Holds `bench --algo orb` to OpenCV's ORB, with OpenCV's pairs. Those are not part of this project:
they are found again by asking the installed OpenCV, and stay in FOLDER.

    opencv_orb.py BENCH IMAGE FOLDER

1. Pairs. An image of zeros with a single bright pixel, for every place around a keypoint: a bit is 1
   where the pixel is nearer to the second position. With a single dark pixel it is 1 where that is
   nearer to the first. The two sets of places determine both positions. Into FOLDER/orb-256.csv.
2. Keypoints of one level: those that OpenCV finds in IMAGE, and random ones between its pixels, half
   of them turned; at least 32 pixels from its edges. Into FOLDER/keypoints.csv.
3. Descriptors of BENCH's seq and of OpenCV, bit for bit. OpenCV smooths in floating point and rounds
   to whole grey levels, BENCH smooths in whole numbers: where the true value is almost half way
   between two levels they may take different ones. To show that this is all, the descriptors are
   computed here too, once from either image: the one has to give BENCH's, the other OpenCV's.
Ends with 1 when a difference has another cause, or one bit in 10,000 differs; with 77 where OpenCV
(numpy and opencv-python-headless) or IMAGE is missing."""
import math
import pathlib
import shutil
import subprocess
import sys

try:
    import cv2
    import numpy as np
except ImportError:
    print("skipped: needs OpenCV for Python")
    sys.exit(77)

F = np.float32
BITS, LEVEL_SIZE = 256, 31.0
REACH, AROUND, PITCH = 15, 18, 80  # of positions, of places that are tried, between keypoints


def opencv_bits(image, keypoints):
    """A row of bits for each (x, y, angle), in their order."""
    asked = [cv2.KeyPoint(float(x), float(y), LEVEL_SIZE, float(angle), 1.0, 0, k)
             for k, (x, y, angle) in enumerate(keypoints)]
    found, rows = cv2.ORB_create(nlevels=1).compute(image, asked)
    if len(found) != len(asked):
        raise SystemExit("OpenCV left keypoints out")
    bits = np.empty((len(asked), BITS), bool)
    for keypoint, row in zip(found, rows):
        bits[keypoint.class_id] = np.unpackbits(row, bitorder="little")
    return bits


# --- Pairs ----------------------------------------------------------------------------------------


def places_with_1(background, pixel):
    """For each bit the places, relative to the keypoint, at which a single pixel makes it 1."""
    side = 2 * AROUND + 1
    image = np.full((side * PITCH, side * PITCH), background, np.uint8)
    keypoints = []
    for j in range(side):
        for i in range(side):
            x, y = i * PITCH + PITCH // 2, j * PITCH + PITCH // 2
            image[y + j - AROUND, x + i - AROUND] = pixel
            keypoints.append((x, y, 0))
    return opencv_bits(image, keypoints).reshape(side, side, BITS)


def spots():
    """What a single pixel of 255 adds to each place, by the position that is asked."""
    weights = np.exp(-np.arange(-3, 4) ** 2 / 8)
    spot = np.rint(255 * np.outer(weights, weights) / weights.sum() ** 2)
    made = {}
    for y in range(-REACH, REACH + 1):
        for x in range(-REACH, REACH + 1):
            made[x, y] = np.zeros((2 * AROUND + 1, 2 * AROUND + 1))
            made[x, y][y + AROUND - 3 : y + AROUND + 4, x + AROUND - 3 : x + AROUND + 4] = spot
    return made


def positions_near(places):
    """Whose spot holds all of the places."""
    ys, xs = np.nonzero(places)
    ranges = [range(max(-REACH, v.max() - AROUND - 3), min(REACH, v.min() - AROUND + 3) + 1) for v in (xs, ys)]
    return [(x, y) for x in ranges[0] for y in ranges[1]]


def opencv_pairs():
    near_second, near_first = places_with_1(0, 255), places_with_1(255, 0)
    spot = spots()
    pairs = []
    for bit in range(BITS):
        second, first = near_second[:, :, bit] > 0, near_first[:, :, bit] > 0
        fitting = [(*a, *b) for a in positions_near(first) for b in positions_near(second)
                   if ((spot[b] > spot[a]) == second).all() and ((spot[a] > spot[b]) == first).all()]
        if len(fitting) != 1:
            raise SystemExit(f"bit {bit}: {len(fitting)} pairs fit what OpenCV answers")
        pairs += fitting
    return np.array(pairs)


# --- Descriptors ----------------------------------------------------------------------------------


def blurred_in_whole_numbers(image):
    """As cpu/orb/orb.h defines it."""
    weights = [4598, 8590, 12499, 14162, 12499, 8590, 4598]
    height, width = image.shape
    padded = np.pad(image, 3, mode="reflect").astype(np.int64)
    rows = sum(w * padded[:, i : i + width] for i, w in enumerate(weights)) + 2**7 >> 8
    return sum(w * rows[j : j + height] for j, w in enumerate(weights)) + 2**23 >> 24


def blurred_in_floating_point(image):
    return np.rint(cv2.GaussianBlur(image.astype(F), (7, 7), 2, sigmaY=2, borderType=cv2.BORDER_REFLECT_101))


def bits_of(blurred, keypoints, pairs):
    x, y, angle = (keypoints[:, i].astype(F) for i in range(3))
    radians = (angle * F(math.pi / 180)).astype(float)
    a, b = (turn(radians).astype(F)[:, None] for turn in (np.cos, np.sin))
    columns, rows = (np.rint(v).astype(int)[:, None] for v in (x, y))

    def pixels(px, py):
        return blurred[rows + np.rint(px * b + py * a).astype(int), columns + np.rint(px * a - py * b).astype(int)]

    px, py, qx, qy = pairs.T.astype(F)
    return pixels(px, py) < pixels(qx, qy)


def keypoints_in(image):
    found = cv2.ORB_create(nfeatures=2000, nlevels=1, edgeThreshold=40).detect(image)
    rows = [(k.pt[0], k.pt[1], k.angle) for k in found]
    random = np.random.default_rng(1)
    height, width = image.shape
    drawn = random.uniform((32, 32, 0), (width - 33, height - 33, 360), (2000, 3))
    drawn[::2, 2] = 0
    return np.concatenate([np.array(rows), drawn]).astype(F)


def bench_bits(bench, image, folder, keypoints):
    for made in ("run", "saved"):
        shutil.rmtree(folder / made, ignore_errors=True)
    with open(folder / "keypoints.csv", "w") as file:
        file.write("x,y,size,angle\n")
        file.writelines(f"{x:.9g},{y:.9g},{LEVEL_SIZE:g},{angle:.9g}\n" for x, y, angle in keypoints)
    subprocess.run([bench, "--algo", "orb", "--variants", "seq", "--input", image, "--keypoints-file",
                    folder / "keypoints.csv", "--scale", "1", "--weights", folder / "orb-256.csv",
                    "--reps", "1", "--no-roof", "--no-plot", "--quiet", "--out", folder / "run",
                    "--save", folder / "saved"], check=True, stdout=subprocess.DEVNULL)
    (saved,) = (folder / "saved").glob("*.hex")
    rows = np.array([list(bytes.fromhex(line)) for line in saved.read_text().split()], np.uint8)
    return np.unpackbits(rows, axis=1, bitorder="little").astype(bool)


def main(bench, image_path, folder):
    if not pathlib.Path(image_path).exists():
        print(f"skipped: needs ../shared/data: {image_path} is not there")
        return 77
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    pairs = opencv_pairs()
    with open(folder / "orb-256.csv", "w") as file:
        file.write(f"bench weights 1\nkind,orb\nbits,{BITS}\ncolumns,4\n")
        file.writelines(",".join(map(str, pair)) + "\n" for pair in pairs)
    image = cv2.cvtColor(cv2.imread(image_path), cv2.COLOR_BGR2GRAY)
    keypoints = keypoints_in(image)
    ours = bench_bits(bench, image_path, folder, keypoints)
    theirs = opencv_bits(image, keypoints)
    different = int((ours != theirs).sum())
    whole, floating = blurred_in_whole_numbers(image), blurred_in_floating_point(image)
    unlike_ours = int((bits_of(whole, keypoints, pairs) != ours).sum())
    unlike_theirs = int((bits_of(floating, keypoints, pairs) != theirs).sum())
    print(f"OpenCV {cv2.__version__}: {len(keypoints)} keypoints, {ours.size} bits")
    print(f"bits of bench and OpenCV that differ: {different}")
    print(f"smoothed pixels that differ: {int((whole != floating).sum())} of {whole.size}")
    print(f"computed here from whole numbers, and unlike bench: {unlike_ours}")
    print(f"computed here from floating point, and unlike OpenCV: {unlike_theirs}")
    return 1 if unlike_ours or unlike_theirs or different * 10000 > ours.size else 0


if len(sys.argv) == 4:
    raise SystemExit(main(*sys.argv[1:]))
raise SystemExit(__doc__)
