#!/usr/bin/env python3
"""Writes tests/data/anchors: answers that test_anchors.c holds every algorithm to, for images that
both make from a formula. Written apart from the C code, from the definitions in its headers: with
scikit-image (lbp_riu), OpenCV (corners of fast, integral, the smoothing of orb) and NumPy (everything
else). opencv_orb.py holds orb to OpenCV's own descriptors.

    anchors.py FOLDER         writes the files
    anchors.py --check DATA   holds hashsift and bad as they are computed here to the patches, values
                              and bits that fixstars/cuda-efficient-features gave for a photograph
                              (descriptors, homography and oracles in DATA)
Needs numpy, scikit-image and opencv-python."""
import math
import sys

import cv2
import numpy as np
from skimage.feature import local_binary_pattern

F = np.float32
WIDTH, HEIGHT = 160, 120


def random_bytes(count, seed):
    """The top 8 bits of a linear congruential generator."""
    values = np.empty(count, np.int64)
    for i in range(count):
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
        values[i] = seed >> 24
    return values


def make_image():
    """Blocks with corners, a slow change and some noise."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    noise = random_bytes(WIDTH * HEIGHT, 1).reshape(HEIGHT, WIDTH) >> 3
    return (70 * ((x // 11 + 2 * (y // 13)) % 3) + x * y // 64 % 64 + noise).astype(np.uint8)


# --- Patterns, boxes ------------------------------------------------------------------------------


def lbp(image):
    padded = np.pad(image.astype(int), 1)
    codes = np.zeros(image.shape, int)
    places = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
    for bit, (dy, dx) in enumerate(places):
        neighbour = padded[1 + dy : 1 + dy + HEIGHT, 1 + dx : 1 + dx + WIDTH]
        codes |= (neighbour >= image).astype(int) << bit
    yield "code,count"
    yield from (f"{code},{count}" for code, count in enumerate(np.bincount(codes.ravel(), minlength=256)))
    yield f"places,{int((codes.ravel() * np.arange(1, codes.size + 1)).sum())}"


def lbp_riu(image):
    yield "points,radius,bin,count"
    for points, radius in ((8, 1), (16, 2), (24, 3)):
        bins = local_binary_pattern(image, points, radius, "uniform").astype(int)
        counts = np.bincount(bins.ravel(), minlength=points + 2)
        yield from (f"{points},{radius},{b},{count}" for b, count in enumerate(counts))


def lacunarity(image):
    yield "threshold,box,positions,sum,sum_of_squares"
    for threshold in (1, 100, 180):
        ones = (image >= threshold).astype(np.int64)
        for box in (1, 2, 7, 16, 33, 120):
            masses = np.lib.stride_tricks.sliding_window_view(ones, (box, box)).sum(axis=(2, 3))
            yield f"{threshold},{box},{masses.size},{masses.sum()},{(masses**2).sum()}"


def integral(image):
    """Of each row of the table the sum of its entries, each times its place from 1 on."""
    table = cv2.integral(image).astype(np.int64)
    yield "row,entries"
    yield from (f"{y},{row @ np.arange(1, WIDTH + 2)}" for y, row in enumerate(table))


# --- Features of sets, training -------------------------------------------------------------------

SIDE, IMAGES, LABELS = 12, 90, 3


def make_images():
    """Noise, with a darker block whose place depends on the label, image % 3."""
    pixels = random_bytes(IMAGES * SIDE * SIDE, 7).reshape(IMAGES, SIDE, SIDE)
    for i in range(IMAGES):
        label = i % LABELS
        pixels[i, 2 * label : 2 * label + 5, 3 : 5 + 2 * label] //= 3
    return pixels


def weights_of_type(kind, w, h):
    """What each pixel of a rectangle counts: 1, -1, -2 or 0 where it is left over."""
    weights = np.zeros((h, w), np.int64)
    halves_x, halves_y, thirds_x, thirds_y = w // 2, h // 2, w // 3, h // 3
    if kind == 0:
        weights[:, :halves_x], weights[:, halves_x : 2 * halves_x] = 1, -1
    elif kind == 1:
        weights[:halves_y], weights[halves_y : 2 * halves_y] = 1, -1
    elif kind == 2:
        weights[:, : 3 * thirds_x], weights[:, thirds_x : 2 * thirds_x] = 1, -2
    elif kind == 3:
        weights[: 3 * thirds_y], weights[thirds_y : 2 * thirds_y] = 1, -2
    else:
        weights[: 2 * halves_y, : 2 * halves_x] = 1
        weights[:halves_y, halves_x : 2 * halves_x] = -1
        weights[halves_y : 2 * halves_y, :halves_x] = -1
    return weights


def features(min_side):
    for kind in range(5):
        for w in range(min_side, SIDE + 1):
            for h in range(min_side, SIDE + 1):
                for x in range(SIDE - w + 1):
                    for y in range(SIDE - h + 1):
                        yield kind, x, y, w, h


def values_of(pixels, feature):
    kind, x, y, w, h = feature
    return (pixels[:, y : y + h, x : x + w] * weights_of_type(kind, w, h)).sum(axis=(1, 2))


def haar(pixels):
    yield "min_side,threshold,count,values,absolute_values,images,types,x,y,w,h"
    for min_side, threshold in ((4, 0), (4, 1500), (7, 900)):
        sums = [0] * 9
        for feature in features(min_side):
            values = values_of(pixels, feature)
            kept = np.nonzero(np.abs(values) > threshold)[0]
            parts = [kept.size, values[kept].sum(), np.abs(values[kept]).sum(), kept.sum()]
            parts += [kept.size * part for part in feature]
            sums = [a + int(b) for a, b in zip(sums, parts)]
        yield ",".join(map(str, [min_side, threshold] + sums))


M64 = 2**64 - 1


def mix(z):
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & M64
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & M64
    return z ^ z >> 31


def candidates_of(pixels, count, min_side, threshold, seed):
    secret = mix((seed + 0x9E3779B97F4A7C15) & M64)
    key = lambda f: mix((f[0] << 32 | f[1] << 24 | f[2] << 16 | f[3] << 8 | f[4]) ^ secret)
    taken = []
    for feature in sorted(features(min_side), key=key):
        values = values_of(pixels, feature)
        if np.abs(values).max() > threshold:
            taken.append((feature, [int(v) for v in values]))
            if len(taken) == count:
                return taken
    raise SystemExit("too few candidates")


def shares_of(weights):
    total = sum(int(w * 2.0**52 + 0.5) for w in weights)
    weights = [w / (float(total) * 2.0**-52) for w in weights]
    shares, running = [], 0
    for i, w in enumerate(weights):
        before = min(running, 1 << 62)
        running += int(w * 2.0**62 + 0.5)
        upto = 1 << 62 if i == len(weights) - 1 else min(running, 1 << 62)
        shares.append((upto >> 22) - (before >> 22))
    return weights, shares


def best_stump(candidates, shares, wanted):
    """(error, candidate, threshold, 1 - polarity): the least of these is the stump that is taken."""
    best = None
    for c, (_, values) in enumerate(candidates):
        for threshold in sorted(set(values)):
            wrong = sum(q for q, v, d in zip(shares, values, wanted) if (v >= threshold) != d)
            for polarity, error in ((1, wrong), (0, 2**40 - wrong)):
                found = (error, c, threshold, 1 - polarity)
                best = found if best is None or found < best else best
    return best


def adaboost(pixels):
    yield "digit,candidate,type,x,y,w,h,threshold,polarity,error,misses,false_alarms"
    candidates = candidates_of(pixels, 40, 4, 300, 1)
    for digit in (0, 2):
        wanted = [i % LABELS == digit for i in range(IMAGES)]
        digits = sum(wanted)
        weights, shares = shares_of([1.0 / (2.0 * (digits if d else IMAGES - digits)) for d in wanted])
        scores = [0.0] * IMAGES
        for _ in range(6):
            error, c, threshold, turned = best_stump(candidates, shares, wanted)
            says = [(v >= threshold) == (turned == 0) for v in candidates[c][1]]
            e = error * 2.0**-40
            alpha = 0.5 * math.log((1 - e) / e)
            scores = [s + (alpha if says_so else -alpha) for s, says_so in zip(scores, says)]
            misses = sum(s < 0 and d for s, d in zip(scores, wanted))
            alarms = sum(s >= 0 and not d for s, d in zip(scores, wanted))
            row = [digit, c, *candidates[c][0], threshold, 1 - turned, error, misses, alarms]
            yield ",".join(map(str, row))
            factors = 1.0 / (2.0 * (1.0 - e)), 1.0 / (2.0 * e)
            weights, shares = shares_of(
                [w * factors[says_so != d] for w, says_so, d in zip(weights, says, wanted)])


# --- Corners --------------------------------------------------------------------------------------


def fast(image):
    """One level, threshold 20, FAST score. A corner of OpenCV's at thresholds 20 … s has score s."""
    border, threshold, radius = 16, 20, 2
    scores = np.zeros(image.shape, int)
    for t in range(threshold, 255):
        detector = cv2.FastFeatureDetector_create(t, False, cv2.FAST_FEATURE_DETECTOR_TYPE_9_16)
        for found in detector.detect(image):
            x, y = (int(v) for v in found.pt)
            if border <= x < WIDTH - border and border <= y < HEIGHT - border:
                scores[y, x] = t
    dy, dx = np.mgrid[-15:16, -15:16]
    disc = dx * dx + dy * dy <= 15 * 15
    rows = []
    for y, x in zip(*np.nonzero(scores)):
        near = scores[y - radius : y + radius + 1, x - radius : x + radius + 1].copy()
        earlier = near.ravel()[: near.size // 2]
        if near.max() > scores[y, x] or (earlier == scores[y, x]).any():
            continue
        around = image[y - 15 : y + 16, x - 15 : x + 16].astype(int) * disc
        rows.append((-scores[y, x], y, x, (around * dx).sum(), (around * dy).sum()))
    yield "x,y,score,m10,m01"
    yield from (f"{x},{y},{-score},{m10},{m01}" for score, y, x, m10, m01 in sorted(rows)[:60])


# --- Descriptors ----------------------------------------------------------------------------------

# x, y, size, angle: upright and turned, of odd sizes, at edges and corners, outside.
KEYPOINTS = [(60, 50, 32, -1), (80, 60, 20, 0), (75.5, 61.25, 40, 90), (90.25, 45.5, 28.5, 33),
             (70.75, 66.5, 12, 200.5), (81, 58, 60, 359.5), (52.125, 70.875, 7, 123), (100, 64, 1.5, 45),
             (5, 60, 32, -1), (150.5, 110.25, 24, 77), (80, 2, 48, 270), (159, 0, 16, 10),
             (-4, 40, 30, 300), (40, 118.5, 90, 181)]


def map_of(keypoint, scale, cosine, sine):
    x, y, size, _ = (F(v) for v in keypoint)
    s = F(scale) * size / F(32)
    c, n = s * F(cosine), s * F(sine)
    return c, n, (n - c) * F(16) + x, (-n - c) * F(16) + y, s


def turn_of(angle, radians):
    return (math.cos(radians), math.sin(radians)) if angle >= 0 else (1.0, 0.0)


def patch_of(image, keypoint, scale):
    radians = float(F(math.pi) * F(keypoint[3]) / F(180))
    c, n, x0, y0, _ = map_of(keypoint, scale, *turn_of(keypoint[3], radians))
    height, width = image.shape
    patch = np.zeros((32, 32), np.uint8)
    for j in range(32):
        for i in range(32):
            u = c * F(i) - n * F(j) + x0
            v = n * F(i) + c * F(j) + y0
            left, top = math.floor(u), math.floor(v)
            if left < 0 or top < 0 or left + 1 >= width or top + 1 >= height:
                continue
            du, dv = u - F(left), v - F(top)
            a, b = (F(image[top, left + k]) for k in (0, 1))
            d, e = (F(image[top + 1, left + k]) for k in (0, 1))
            upper = (F(1) - du) * a + du * b
            lower = (F(1) - du) * d + du * e
            patch[j, i] = int((F(1) - dv) * upper + dv * lower + F(0.5))
    return patch


def sift_of(patch, real):
    """The 128 values, computed in `real`."""
    p = patch.astype(real)
    histogram = np.zeros((4, 4, 8), real)
    for j in range(1, 31):
        for i in range(1, 31):
            dx = p[j, i + 1] - p[j, i - 1]
            dy = p[j - 1, i] - p[j + 1, i]
            distance = real((i - 16) ** 2 + (j - 16) ** 2)
            magnitude = np.sqrt(dx * dx + dy * dy) * np.exp(distance * real(-1 / 512))
            row = real(j - 16) / real(8) + real(1.5)
            column = real(i - 16) / real(8) + real(1.5)
            angle = np.arctan2(dy, dx) * real(8) / real(2 * math.pi)
            places = [(math.floor(v), v - real(math.floor(v))) for v in (row, column, angle)]
            for corner in range(8):
                steps = [corner >> 2, corner >> 1 & 1, corner & 1]
                r, k, o = (place + step for (place, _), step in zip(places, steps))
                vote = magnitude
                for (_, part), step in zip(places, steps):
                    vote = vote * (part if step else real(1) - part)
                if 0 <= r < 4 and 0 <= k < 4:
                    histogram[r, k, o % 8] += vote
    values = histogram.ravel()
    norm = lambda v: max(np.sqrt((v * v).sum()), real(np.finfo(F).eps))
    values = np.minimum(values / norm(values), real(0.2))
    return np.clip(np.rint(values / norm(values) * real(512)), 0, 255).astype(int)


def bits_text(bits):
    return np.packbits(np.asarray(bits, np.uint8)).tobytes().hex()


def projection():
    """256 × 129 multiples of 2^-10, the bias larger."""
    rows = (random_bytes(256 * 129, 11) - 128).reshape(256, 129) / 1024
    rows[:, 0] *= 64
    return rows


def hashsift(image):
    """Only keypoints whose values come out the same in float and in double, and no response so near
    to 0 that the order of a sum decides."""
    weights = projection()
    yield "patch,values,bits"
    for keypoint in KEYPOINTS:
        patch = patch_of(image, keypoint, 1)
        values = sift_of(patch, np.float64)
        responses = weights[:, 0] + weights[:, 1:] @ values
        if not (values == sift_of(patch, F)).all() or np.abs(responses).min() < 1e-3:
            raise SystemExit(f"hashsift: another keypoint than {keypoint} is needed")
        yield f"{int(patch.astype(int).ravel() @ np.arange(1, 1025))}," + \
            "".join(f"{v:02x}" for v in values) + "," + bits_text(responses > 0)


def boxes():
    """256 tests: x1, y1, x2, y2, radius, threshold."""
    drawn = random_bytes(256 * 6, 13).reshape(256, 6)
    return [(8 + a % 16, 8 + b % 16, 8 + c % 16, 8 + d % 16, r % 7, (t - 128) / 8)
            for a, b, c, d, r, t in drawn.tolist()]


def near_border(keypoint, scale, width, height):
    x, y, size, _ = (F(v) for v in keypoint)
    border = F(32) * (F(scale) * size / F(64)) * F(1.75)
    return x < border or x + border >= width or y < border or y + border >= height


def bad_bits(image, keypoint, scale, tests, integral):
    height, width = image.shape
    radians = float(F(keypoint[3])) * 0.017453292519943295
    c, n, x0, y0, s = map_of(keypoint, scale, *turn_of(keypoint[3], radians))
    averages = near_border(keypoint, scale, width, height)
    bits = []
    for x1, y1, x2, y2, radius, threshold in tests:
        r = int(s * F(radius) + F(0.5))
        sums = []
        for x, y in ((x1, y1), (x2, y2)):
            centre_x = int(c * F(x) - n * F(y) + x0 + F(0.5))
            centre_y = int(n * F(x) + c * F(y) + y0 + F(0.5))
            left, right = np.clip(centre_x - r, 0, width - 1), np.clip(centre_x + r + 1, 1, width)
            top, bottom = np.clip(centre_y - r, 0, height - 1), np.clip(centre_y + r + 1, 1, height)
            total = integral[bottom, right] - integral[top, right] - integral[bottom, left] + integral[top, left]
            sums.append((int(total), int((right - left) * (bottom - top))))
        (sum1, area1), (sum2, area2) = sums
        if averages:
            bits.append(F(sum1) / F(area1) - F(sum2) / F(area2) <= F(threshold))
        else:
            side = F(2 * r + 1)
            bits.append(F(sum1 - sum2) <= F(threshold) * (side * side))
    return bits


def bad(image):
    yield "bits"
    for keypoint in KEYPOINTS:
        yield bits_text(bad_bits(image, keypoint, 1, boxes(), cv2.integral(image).astype(np.int64)))


def pairs():
    """256 tests: x1, y1, x2, y2 from the keypoint."""
    return random_bytes(256 * 4, 17).reshape(256, 4) % 31 - 15


def smoothed(image):
    """Whole grey levels, none of them further than a half from what OpenCV gives in double."""
    weights = [4598, 8590, 12499, 14162, 12499, 8590, 4598]
    padded = np.pad(image, 3, mode="reflect").astype(np.int64)
    rows = sum(w * padded[:, i : i + WIDTH] for i, w in enumerate(weights)) + 2**7 >> 8
    levels = sum(w * rows[j : j + HEIGHT] for j, w in enumerate(weights)) + 2**23 >> 24
    exact = cv2.GaussianBlur(image.astype(float), (7, 7), 2, sigmaY=2, borderType=cv2.BORDER_REFLECT_101)
    if np.abs(levels - exact).max() > 0.503:
        raise SystemExit("orb: OpenCV smooths in another way")
    return levels


def orb(image):
    yield "bits"
    levels = smoothed(image)
    for keypoint in KEYPOINTS:
        x, y, size, angle = (F(v) for v in keypoint)
        cosine, sine = turn_of(angle, float(angle * F(math.pi / 180)))
        s = size / F(31)
        a, b = s * F(cosine), s * F(sine)

        def pixel(px, py):
            column = np.rint(x) + np.rint(a * F(px) - b * F(py))
            row = np.rint(y) + np.rint(b * F(px) + a * F(py))
            return levels[int(np.clip(row, 0, HEIGHT - 1)), int(np.clip(column, 0, WIDTH - 1))]

        bits = [pixel(x1, y1) < pixel(x2, y2) for x1, y1, x2, y2 in pairs().tolist()]
        yield np.packbits(np.asarray(bits, np.uint8), bitorder="little").tobytes().hex()


# --- The two commands -----------------------------------------------------------------------------


def check(data):
    read = lambda name: open(f"{data}/descriptors/{name}").read().split()
    image = cv2.cvtColor(cv2.imread(f"{data}/homography/graf1.png"), cv2.COLOR_BGR2GRAY)
    keypoints = np.loadtxt(f"{data}/oracles/sift_graf1.csv", delimiter=",", skiprows=1, usecols=range(4))
    keypoints = [tuple(float(v) for v in row) for row in keypoints]
    integral = cv2.integral(image).astype(np.int64)
    want_patches = read("patch_graf1_first200_s6.75.hex")
    want_values = read("sift128_graf1_first200_s6.75.csv")
    want_bits = read("hashsift256_graf1_s6.75.hex")
    want_boxes = read("bad256_graf1_s6.75.hex")
    weights = np.fromfile(f"{data}/descriptors/weights256.f32", "<f4").reshape(256, 129).astype(float)
    tests = [tuple(map(float, line.split(","))) for line in read("bad256.csv") if line[0].isdigit()]
    wrong = dict.fromkeys(("patches", "values", "bits", "boxes"), 0)
    for k, keypoint in enumerate(keypoints[:200]):
        patch = patch_of(image, keypoint, 6.75)
        values = sift_of(patch, F)
        wrong["patches"] += patch.tobytes().hex() != want_patches[k]
        wrong["values"] += ",".join(map(str, values)) != want_values[k]
        wrong["bits"] += bits_text(weights[:, 0] + weights[:, 1:] @ values > 0) != want_bits[k]
        wrong["boxes"] += bits_text(bad_bits(image, keypoint, 6.75, tests, integral)) != want_boxes[k]
    print("of 200 keypoints differ:", wrong)


def write(folder):
    image, pixels = make_image(), make_images()
    for answer, given in ((lbp, image), (lbp_riu, image), (lacunarity, image), (integral, image),
                          (haar, pixels), (adaboost, pixels), (fast, image), (hashsift, image), (bad, image),
                          (orb, image)):
        with open(f"{folder}/{answer.__name__}.csv", "w") as file:
            file.writelines(line + "\n" for line in answer(given))


if len(sys.argv) == 3 and sys.argv[1] == "--check":
    check(sys.argv[2])
elif len(sys.argv) == 2:
    write(sys.argv[1])
else:
    raise SystemExit(__doc__)
