"""Boosted decision stumps of other libraries. The values of the candidates in all images are made before and given to
them; this program makes them on the clock."""
import math

from ._peers import Calls, within
from ._peers_of_haar import SPLITS, corners, images, integrals, largest, sides

_SAMPLE = 1000  # images in which candidates are looked for
_MOST_FEATURES = 2 * 10**7  # that candidates are drawn from
_TOTAL = 2**40  # the unit of errors


def _mix(number):
    """The finaliser of SplitMix64, modulo 2^64."""
    import numpy as np

    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        number = (number ^ (number >> np.uint64(shift))) * np.uint64(factor)
    return number ^ (number >> np.uint64(31))


def _keyed(work, threshold):
    """All features that may be above the threshold, in the order in which they are candidates: rows of type, x, y, w
    and h, as bytes."""
    import numpy as np

    _, height, width, least = sides(work)
    packed = [np.empty(0, np.uint64)]
    count = 0
    for kind, (across, down) in enumerate(SPLITS):
        for w in range(least, width + 1):
            for h in range(least, height + 1):
                if largest(kind, w // across, h // down) > threshold:
                    x, y = np.ogrid[:width - w + 1, :height - h + 1]
                    packed.append((kind << 32 | x << 24 | y << 16 | w << 8 | h).astype(np.uint64).ravel())
                    count += len(packed[-1])
        if count > _MOST_FEATURES:
            raise NotImplementedError(f"there are more than {_MOST_FEATURES} features to draw candidates from")
    packed = np.concatenate(packed)
    seed = _mix(np.array([(int(work.facts["seed"]) + 0x9E3779B97F4A7C15) % 2**64], np.uint64))
    packed = packed[np.argsort(_mix(packed ^ seed))].astype(np.int64)
    return np.stack([packed >> shift & 255 for shift in (32, 24, 16, 8, 0)], axis=1)


def _values(tables, features):
    """Of the features in all images, as (images, features)."""
    import numpy as np

    found = np.zeros((len(tables), len(features)), np.int32)
    stride, flat = tables.shape[2], tables.reshape(len(tables), -1)
    for kind, (across, down) in enumerate(SPLITS):
        mine = np.flatnonzero(features[:, 0] == kind)
        _, x, y, w, h = features[mine].T
        for (row, column), factor in corners(across, down).items():
            found[:, mine] += factor * flat[:, (y + row * (h // down)) * stride + x + column * (w // across)]
    return found


class _Training:
    """The candidates, their values, the labels and the first weights."""

    def __init__(self, work):
        import numpy as np

        if "labels" not in work.arrays:
            raise NotImplementedError("training needs labels")
        pixels, _ = images(work)
        threshold, wanted = int(work.answer["threshold"]), int(work.answer["candidates"])
        tables = np.zeros([len(pixels)] + [side + 1 for side in pixels.shape[1:]], np.int32)
        integrals(pixels, tables)
        self.features = self._draw(_keyed(work, threshold), tables[:_SAMPLE], threshold, wanted)
        if len(self.features) < wanted:
            raise NotImplementedError(f"there are only {len(self.features)} candidates")
        self.values = _values(tables, self.features)
        self.digits = work.arrays["labels"].reshape(-1) == int(work.answer["digit"])
        if self.digits.all() or not self.digits.any():
            raise NotImplementedError("all images are of one class")
        self.weights = 0.5 / np.where(self.digits, self.digits.sum(), (~self.digits).sum())
        self.rounds, self.out = int(work.answer["rounds"]), work.out

    @staticmethod
    def _draw(keyed, tables, threshold, wanted):
        import numpy as np

        kept, count, step = [keyed[:0]], 0, 1000
        for start in range(0, len(keyed), step):
            if count < wanted:
                some = keyed[start:start + step]
                kept.append(some[(np.abs(_values(tables, some)) > threshold).any(axis=0)])
                count += len(kept[-1])
        return np.concatenate(kept)[:wanted]

    def write(self, stumps):
        """`stumps` has a candidate for each round, the largest value of its left side, whether the right one is the
        digit, the weighted error, and what the classifier up to here says of all images."""
        table = self.out["stumps"]
        table[...] = 0
        self.out["count"][...] = len(stumps)
        for row, (candidate, left, right_is_digit, error, decisions) in zip(table, stumps):
            values = self.values[:, candidate]
            above = values[values > left]
            row[0], row[1:6] = candidate, self.features[candidate]
            row[6] = int(above.min() if len(above) else left) % 2**64
            row[7:] = (right_is_digit, round(error * _TOTAL), (self.digits & ~decisions).sum(),
                       (~self.digits & decisions).sum())


def _steps(work):
    """The values of all candidates in all images, in all rounds."""
    return math.prod(int(number) for number in (work.answer["rounds"], work.answer["candidates"], work.facts["images"]))


def sklearn(work):
    """AdaBoostClassifier over trees of depth 1, which are split where Gini's impurity is least."""
    import numpy as np
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    within(_steps(work) * 8e-8)
    training = _Training(work)
    values = training.values.astype(np.float32)
    classifier = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=training.rounds, random_state=0)

    def run():
        classifier.fit(values, training.digits, sample_weight=training.weights)

    def download():
        stumps, score = [], 0
        for one, alpha, error in zip(classifier.estimators_, classifier.estimator_weights_,
                                     classifier.estimator_errors_):
            tree = one.tree_
            score = score + alpha * np.where(one.predict(values), 1, -1)
            right = int(tree.children_right[0])
            stumps.append((max(int(tree.feature[0]), 0), float(tree.threshold[0]),
                           int(tree.value[right].argmax() if right > 0 else 0), float(error), score >= 0))
        training.write(stumps)

    return Calls(run, download)


def _boosted(work, train):
    """`train` is called with what _Training has, as floats, and returns a function that lists the trees: candidate,
    images whose values go to the left, a number that is not less than these, and the leaves' values."""
    import numpy as np

    training = _Training(work)
    values, labels = training.values.astype(np.float32), training.digits.astype(np.float32)
    weights = training.weights * len(training.weights)
    found = {}

    def run():
        found["trees"] = train(values, labels, weights, training.rounds)

    def download():
        stumps, score = [], 0
        for candidate, inside, most, left, right in found["trees"](training.values):
            score = score + np.where(inside, left, right)
            wrong = (inside == (left > right)) != training.digits
            stumps.append((candidate, most, int(right > left), float(training.weights[wrong].sum()), score >= 0))
        training.write(stumps)

    return run, download


def _lightgbm(work, settings):
    """Gradient boosting of the logistic loss by trees of two leaves, over at most 255 bins of each candidate."""
    import lightgbm as library

    settings = {"objective": "binary", "num_leaves": 2, "learning_rate": 1.0, "min_data_in_leaf": 1,
                "min_sum_hessian_in_leaf": 0.0, "feature_pre_filter": False, "verbosity": -1, "num_threads": work.threads,
                **settings}

    def train(values, labels, weights, rounds):
        data = library.Dataset(values, labels, weight=weights, params=settings)
        model = library.train(settings, data, rounds)
        return lambda exact: trees(model, exact)

    def trees(model, exact):
        for one in model.dump_model()["tree_info"]:
            tree = one["tree_structure"]
            if "split_feature" not in tree:
                break
            candidate, most = tree["split_feature"], tree["threshold"]
            leaves = (tree[side]["leaf_value"] for side in ("left_child", "right_child"))
            yield (candidate, exact[:, candidate] <= most, most, *leaves)

    return train


def lightgbm(work):
    within(_steps(work) * 1.4e-8 / work.threads)
    return Calls(*_boosted(work, _lightgbm(work, {})))


def lgbm_gpu(work):
    """The same by OpenCL. Copies are part of a training, and so of the time."""
    import numpy as np

    train = _lightgbm(work, {"device_type": "gpu"})
    try:
        train(np.float32([[0], [1]] * 50), np.float32([0, 1] * 50), np.ones(100), 1)
    except Exception as error:
        raise NotImplementedError(f"it finds no device of OpenCL: {error}") from error
    return Calls(*_boosted(work, train))


def xgboost(work):
    """Gradient boosting of the logistic loss by trees of depth 1, over at most 256 bins. Copies are part of a training,
    and so of the time."""
    import json

    import numpy as np
    import xgboost as library

    settings = {"objective": "binary:logistic", "max_depth": 1, "eta": 1.0, "lambda": 0.0, "min_child_weight": 0.0,
                "base_score": 0.5, "tree_method": "hist", "device": "cuda", "verbosity": 0}

    def train(values, labels, weights, rounds):
        model = library.train(settings, library.QuantileDMatrix(values, labels, weight=weights), rounds)
        return lambda exact: trees(model, exact)

    def trees(model, exact):
        for text in model.get_dump(dump_format="json"):
            tree = json.loads(text)
            if "split" not in tree:
                break
            candidate, bound = int(tree["split"][1:]), np.float32(tree["split_condition"])
            leaves = {leaf["nodeid"]: leaf["leaf"] for leaf in tree["children"]}
            yield (candidate, exact[:, candidate] < bound, float(np.nextafter(bound, np.float32(-np.inf))),
                   leaves[tree["yes"]], leaves[tree["no"]])

    return Calls(*_boosted(work, train))
