"""usage: e_divisive.py. E-divisive by its definition, for the anchors of tests/bench/test_history.c: a
sum over all pairs for each split, and p over all orders instead of some."""
import itertools


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def q(x, y):
    across = mean(abs(a - b) for a in x for b in y)
    within = [mean(abs(a - b) for a, b in itertools.combinations(side, 2)) for side in (x, y)]
    return len(x) * len(y) / (len(x) + len(y)) * (2 * across - within[0] - within[1])


def best_split(z):
    return max(((q(z[:t], z[t:k]), t) for t in range(2, len(z) - 1)
                for k in range(t + 2, len(z) + 1)), default=(float("-inf"), 0), key=lambda s: s[0])


def exact_p(z):
    found = best_split(z)[0]
    orders = list(itertools.permutations(z))
    return mean(best_split(order)[0] >= found - 1e-12 for order in orders)


if __name__ == "__main__":
    for sample in ([1, 2, 4, 8], [3, 1, 4, 1, 5, 9, 2, 6], [1, 1.2, 0.9, 1.1, 3, 3.3, 2.9, 3.1],
                   [1, 2, 1, 2, 9, 8, 9, 2], [5, 5.1, 4.9, 2, 2.1, 2.2]):
        value, place = best_split(sample)
        print(f"{sample}: q {value:.12g} at {place}, p {exact_p(sample):.6g}")
