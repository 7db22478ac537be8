"""Decision trees on samples of presorted rows by Gini impurity or entropy, compiled, as scikit-learn's split by split.

The random numbers, the order in which features are tried and every sum are those of scikit-learn's
DecisionTreeClassifier without weights, so that equally good questions are decided alike: counts are whole numbers, and
their sums exact in any order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learners.base import Array
from learners.compiled import compiled

SEEDS = 2**31 - 1  # seeds are below
EQUAL = np.float32(1e-7)  # values that differ by no more are not told apart
TINY = float(np.finfo(np.float64).eps)  # impurity that counts as none
LN2 = float(np.log(2.0))
LARGEST = float(np.finfo(np.float32).max)


class Tree(NamedTuple):
    """A decision tree: node 0 asks first.

    feature : (nodes,) which is asked about, negative in a leaf. threshold : up to it a row goes left. left, right :
    (nodes,) the next nodes. label : (nodes,) the most frequent class, the lowest of equals.
    """

    feature: Array
    threshold: Array
    left: Array
    right: Array
    label: Array

    def predict(self, features: Array) -> Array:
        """Return the label (n,) of rows (n, d); of classes equally frequent in a leaf the lowest."""
        found: Array = leaf_labels(single(features), self)
        return found


def single(features: Array) -> Array:
    """Return the features (n, d) as trees compare them, float32 in rows, without a copy if they are so already."""
    if features.dtype != np.float32:
        features = np.clip(features, -LARGEST, LARGEST).astype(np.float32)
    return np.ascontiguousarray(features)


def presorted(features: Array) -> Array:
    """Return the rows of each column, rising, (d, n), for features (n, d)."""
    order = np.empty(features.shape[::-1], dtype=np.uint32)
    for j in range(len(order)):
        order[j] = np.argsort(features[:, j], kind="stable")
    return order


def grown(
    features: Array, order: Array, labels: Array, counts: Array, depth: int, seed: int, by_entropy: bool = False
) -> Tree:
    """Train a tree of at most `depth` levels of questions.

    features : (n, d) float32, in rows. order : (d, n) as `presorted` gives it. labels : (n,) classes from 0.
    counts : (n,) how often each row is in the sample, at least one of them once. seed : as of scikit-learn's.
    by_entropy : whether the impurity is the entropy, so that a question is the better the more information it gains;
        else it is Gini's.
    """
    start = np.random.RandomState(seed).randint(0, SEEDS)
    distinct = int(np.count_nonzero(counts))
    room = min(2 * distinct - 1, 2 ** (min(depth, 30) + 1) - 1)
    nodes = Tree(*(np.empty(room, dtype) for dtype in (np.int64, np.float64, np.int64, np.int64, np.int64)))
    size = grow(features, order, labels, counts, int(labels.max()) + 1, depth, start, bool(by_entropy), nodes)
    return Tree(*(array[:size].copy() for array in nodes))


@compiled(allocates=True)
def leaf_labels(features, nodes):  # type: ignore[no-untyped-def]
    """Return the label (n,) of rows (n, d)."""
    found = np.empty(len(features), np.int64)
    for i in range(len(features)):
        node = 0
        while nodes.feature[node] >= 0:
            below = features[i, nodes.feature[node]] <= nodes.threshold[node]
            node = nodes.left[node] if below else nodes.right[node]
        found[i] = nodes.label[node]
    return found


@compiled(allocates=True)
def gini(sums, weight):  # type: ignore[no-untyped-def]
    """Return the Gini impurity 1 − Σ_k (sums_k / weight)² of class counts (K,) that sum to weight."""
    squares = 0.0
    for c in sums:
        squares += c * c
    return 1.0 - squares / (weight * weight)


@compiled(allocates=True)
def entropy(sums, weight):  # type: ignore[no-untyped-def]
    """Return the entropy −Σ_k p_k log₂ p_k in bits, p_k = sums_k / weight, of class counts (K,) that sum to weight."""
    bits = 0.0
    for c in sums:
        if c > 0.0:
            share = c / weight
            bits -= share * (np.log(share) / LN2)
    return bits


@compiled(allocates=True)
def impurity(sums, weight, by_entropy):  # type: ignore[no-untyped-def]
    """Return the impurity of class counts (K,) that sum to weight."""
    return entropy(sums, weight) if by_entropy else gini(sums, weight)


@compiled(allocates=True)
def next_random(state):  # type: ignore[no-untyped-def]
    """Return the next state of the 32-bit xorshift generator."""
    state = state if state else np.uint32(1)
    state ^= np.uint32(state << np.uint32(13))
    state ^= np.uint32(state >> np.uint32(17))
    return np.uint32(state ^ np.uint32(state << np.uint32(5)))


@compiled(allocates=True)
def cuts(features, rows, j, labels, counts, total, left, right, best, by_entropy):  # type: ignore[no-untyped-def]
    """Return the best place to cut the rows of a node, sorted by feature j: (goodness, rows on the left), or (best, 0).

    total : (K,) class counts of the node. left, right : (K,) to work in. best : what must be surpassed.
    """
    left[:] = 0.0
    weight, on_left, found = total.sum(), 0.0, 0
    for k in range(len(rows) - 1):
        row = rows[k]
        left[labels[row]] += counts[row]
        on_left += counts[row]
        if features[rows[k + 1], j] <= features[row, j] + EQUAL:
            continue
        for c in range(len(total)):
            right[c] = total[c] - left[c]
        on_right = weight - on_left
        goodness = -on_right * impurity(right, on_right, by_entropy) - on_left * impurity(left, on_left, by_entropy)
        if goodness > best:
            best, found = goodness, k + 1
    return best, found


@compiled(allocates=True)
def grow(features, order, labels, counts, classes, depth, state, by_entropy, nodes):  # type: ignore[no-untyped-def]
    """Fill the nodes of a tree and return their number. See `grown`."""
    d, n = order.shape
    m = 0
    for i in range(n):
        m += counts[i] > 0
    rows, spare = np.empty((d, m), np.uint32), np.empty(m, np.uint32)  # rows[j, a:b]: those of a node, by feature j
    for j in range(d):
        k = 0
        for i in range(n):
            if counts[order[j, i]] > 0:
                rows[j, k] = order[j, i]
                k += 1
    goes_left = np.zeros(n, np.bool_)
    tried, constant = np.arange(d), np.empty(d, np.int64)  # constant: the features that are so in the node
    total, left, right = np.empty(classes), np.empty(classes), np.empty(classes)
    state = np.uint32(state)
    # nodes to come: begin, end, depth, parent, whether it is the left one, constant features; and impurity
    stack, impure, size, waiting = np.empty((depth + 2, 6), np.int64), np.empty(depth + 2), 0, 1
    stack[0] = np.array([0, m, 0, -1, 0, 0])
    whole = float(counts.sum())
    while waiting:
        waiting -= 1
        begin, end, level, parent, is_left, known = stack[waiting]
        mixed = impure[waiting]
        total[:] = 0.0
        for k in range(begin, end):
            total[labels[rows[0, k]]] += counts[rows[0, k]]
        weight = total.sum()
        if parent < 0:
            mixed = impurity(total, weight, by_entropy)
        best, feature, place = -np.inf, -1, 0
        if level < depth and weight >= 2 and mixed > TINY:
            # features: drawn constant ones, known constant ones, those found constant, others, those drawn (from last)
            last, drawn, found = d, 0, 0
            while last > known + found:
                state = next_random(state)
                at = drawn + np.int64(state % np.uint32(2**31)) % (last - found - drawn)
                if at < known:
                    tried[drawn], tried[at] = tried[at], tried[drawn]
                    drawn += 1
                    continue
                at += found
                j = tried[at]
                if features[rows[j, end - 1], j] <= features[rows[j, begin], j] + EQUAL:
                    tried[at], tried[known + found] = tried[known + found], tried[at]
                    found += 1
                    continue
                last -= 1
                tried[last], tried[at] = tried[at], tried[last]
                part = rows[j, begin:end]
                goodness, here = cuts(features, part, j, labels, counts, total, left, right, best, by_entropy)
                if here:
                    best, feature, place = goodness, j, here
            tried[:known] = constant[:known]
            constant[known : known + found] = tried[known : known + found]
            known += found
        node, size = size, size + 1
        if parent >= 0:
            if is_left:
                nodes.left[parent] = node
            else:
                nodes.right[parent] = node
        nodes.feature[node], nodes.label[node] = -2, np.argmax(total)
        nodes.threshold[node], nodes.left[node], nodes.right[node] = -2.0, -1, -1
        if feature < 0:
            continue
        middle = begin + place
        left[:] = 0.0
        for k in range(begin, end):
            row = rows[feature, k]
            goes_left[row] = k < middle
            if k < middle:
                left[labels[row]] += counts[row]
        right[:] = total - left
        on_left, on_right = left.sum(), right.sum()
        below, above = impurity(left, on_left, by_entropy), impurity(right, on_right, by_entropy)
        gain = weight / whole * (mixed - on_right / weight * above - on_left / weight * below)
        if gain + TINY < 0:
            continue
        low, high = features[rows[feature, middle - 1], feature], features[rows[feature, middle], feature]
        nodes.feature[node], nodes.threshold[node] = feature, low / 2.0 + high / 2.0
        for j in range(d):  # the rows of either side together, in the order that they have
            i, others = begin, 0
            for k in range(begin, end):
                row = rows[j, k]
                if goes_left[row]:
                    rows[j, i] = row
                    i += 1
                else:
                    spare[others] = row
                    others += 1
            rows[j, middle:end] = spare[:others]
        stack[waiting] = np.array([middle, end, level + 1, node, 0, known])
        impure[waiting] = above
        stack[waiting + 1] = np.array([begin, middle, level + 1, node, 1, known])
        impure[waiting + 1] = below
        waiting += 2
    return size
