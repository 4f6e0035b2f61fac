"""usage: e_divisive.py. E-divisive by its definition in bench/history/history.h, for the anchors of
tests/bench/judge/test_change_points.c: a sum over all pairs for each split, and p over all orders of the
commits instead of some. A commit is the list of its launches."""
import bisect
import itertools
import math


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def distance(x, y):
    return mean(math.sqrt(abs(a - b)) for a in x for b in y)


def splits(commits):
    """The largest Q and its place, of splits of the whole and of splits up to any commit."""
    d = {(i, j): distance(commits[i], commits[j])
         for i, j in itertools.combinations(range(len(commits)), 2)}
    return best_of(range(len(commits)), d)


def best_of(order, d):
    def q(x, y):
        across = mean(d[min(a, b), max(a, b)] for a in x for b in y)
        within = [mean(d[min(a, b), max(a, b)] for a, b in itertools.combinations(side, 2)) for side in (x, y)]
        return len(x) * len(y) / (len(x) + len(y)) * (2 * across - within[0] - within[1])
    n = len(order)
    found = {(t, k): q(order[:t], order[t:k]) for t in range(2, n - 1) for k in range(t + 2, n + 1)}
    whole = max((found[t, n], t) for t in range(2, n - 1))
    return whole, max((value, t) for (t, _), value in found.items())


def exact_p(commits):
    """p, and Q and place of the change point."""
    d = {(i, j): distance(commits[i], commits[j])
         for i, j in itertools.combinations(range(len(commits)), 2)}
    given = best_of(range(len(commits)), d)
    pairs = [[round(value, 9) for value, _ in best_of(order, d)]
             for order in itertools.permutations(range(len(commits)))]
    ordered = [sorted(kind) for kind in zip(*pairs)]
    ranks = [[len(pairs) - bisect.bisect_left(kind, value) for kind, value in zip(ordered, pair)]
             for pair in pairs]
    least = [min(rank) for rank in ranks]
    value, place = given[ranks[0].index(least[0])]
    return mean(rank <= least[0] for rank in least), value, place


if __name__ == "__main__":
    for sample in (
            [[1], [2], [5], [10]],
            [[1, 1.2], [0.9, 1.1], [1, 1.3], [3, 3.3], [2.9, 3.1], [3.2, 3.4]],
            [[3], [1], [4], [1.5], [5], [9], [2]],
            [[5, 5.1, 4.9], [5.2], [4.8, 5], [2, 2.1], [2.2, 2.6, 2.3], [1.9], [2.4]],
            [[1], [1.1], [9], [9.5], [9.2], [1.2], [0.9]]):
        p, value, place = exact_p(sample)
        print(f"{sample}: q {value:.12g} at {place}, p {p:.6g}")
