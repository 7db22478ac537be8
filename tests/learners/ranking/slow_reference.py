"""The ranking simulations as the papers print them: slow, obvious, one replicate and one document at a time.

A `Search` is what happens in one step of one replicate. Learners and users are short classes and functions by id. They
take the same random numbers as the product, drawn step by step from NumPy's own generators. `Metrics` measures the
three perceptrons of [S].
"""

import math

import numpy as np


def gamma(rank):
    """Discount of a rank that is counted from 0."""
    return 1 / math.log2(rank + 2)


def by(values):
    """Documents by falling value, ties by number."""
    return sorted(range(len(values)), key=lambda i: -values[i])


class Search:
    """One search: n documents, of which those in `left` are offered, with features x (n, d).

    order : all documents, those offered first, where documents are used up; else None. page : positions on the page.
    """

    def __init__(self, left, x, gamma, slots, grades, utility, order=None, page=1000):
        self.n, self.left, self.x, self.order = len(x), left, x, order
        self.slots, self.gamma = min(slots, len(x)), gamma
        self.on_page = min(self.slots, len(left), page)
        self.grades, self.utility = [-1.0] * self.n, [-np.inf] * self.n
        for i in left:
            self.grades[i], self.utility[i] = float(grades[i]), float(utility[i])

    def rank(self, values, places=1):
        """Documents by falling value, ties by number, and those not offered behind."""
        if self.order is not None and self.slots == 1:  # the others stand as in the stock
            y = list(self.order)
            best = sorted(self.left, key=lambda i: -values[i])  # ties stay in the order of their numbers
            for place in range(min(places, len(best))):
                at = y.index(best[place])
                y[place], y[at] = y[at], y[place]
            return y
        gone = [i for i in range(self.n) if self.grades[i] < 0]
        return sorted(self.left, key=lambda i: -values[i]) + gone

    def total(self, values, y):
        """Σ_i γ_i v(y_i)."""
        return float(sum(self.gamma[i] * values[y[i]] for i in range(min(self.slots, len(self.left)))))

    def difference(self, better, worse):
        """φ(x, ȳ) − φ(x, y)."""
        delta = np.zeros(self.x.shape[1])
        for i in range(min(self.slots, len(self.left))):
            if better[i] != worse[i]:
                delta += self.gamma[i] * (self.x[better[i]] - self.x[worse[i]])
        return delta

    def pairs(self, draws):
        """(1,2),(3,4),… or (2,3),(4,5),…, each with the number that decides about it."""
        first = int(draws[0] >= 0.5)
        return [(i, i + 1, draws[1 + (i + first) // 2]) for i in range(first, len(self.left) - 1, 2)]


def exchanged(y, i, j):
    """The ranking with the documents at two positions exchanged."""
    z = list(y)
    z[i], z[j] = y[j], y[i]
    return z


def swapped(y, pairs, p):
    for i, j, draw in pairs:
        if draw < p:
            y = exchanged(y, i, j)
    return y


# ---- what clicks mean ----------------------------------------------------------------------------------


def read(y, heard, how, pairs):
    """The feedback ranking that a set of clicked positions, a ranking or nothing stands for."""
    if not isinstance(heard, set):
        return list(y) if heard is None else list(heard)
    if how == "top":
        return [d for i, d in enumerate(y) if i in heard] + [d for i, d in enumerate(y) if i not in heard]
    if how == "swap":
        return exchanged(y, 0, min(heard)) if heard else list(y)
    for i, j, _ in pairs:
        if j in heard and i not in heard:
            y = exchanged(y, i, j)
    return list(y)


# ---- learners ------------------------------------------------------------------------------------------


class Perceptron:
    """The preference perceptron of one replicate; the others change its rule."""

    def __init__(self, params, first, largest):
        self.params, self.t, self.d, self.largest = params, 0, len(first), largest
        self.w = self.first = first  # that scores documents
        self.sum, self.matrix = np.zeros(self.d), None
        self.affirmed = 0.0

    @staticmethod
    def draw(rng, replicates, n, d):
        return rng.random((replicates, 2 + n // 2))

    @property
    def how(self):
        return self.params.get("feedback", "top")

    def present(self, s, draws):
        """(ŷ, y, p), with the pairs and scores kept for learning."""
        self.scores = (s.x @ self.w).tolist()
        self.pairs = s.pairs(draws) if self.how == "pair" else []
        best = s.rank(self.scores, s.slots + 1 if self.how == "pair" else 1)
        p = self.probability(s, best)
        return best, swapped(best, self.pairs, p), p

    def probability(self, s, best):
        return 0.0

    def learn(self, s, y, heard):
        self.t += 1
        better = read(y, heard, self.how, self.pairs)
        self.affirmed += s.total(self.scores, better) - s.total(self.scores, y)
        self.rule(s.difference(better, y))
        return better

    def rule(self, delta):
        self.w = self.w + delta


class Structured(Perceptron):
    pass


class Averaged(Perceptron):
    """It keeps every w_1 … w_t and scores with their mean."""

    def __init__(self, *about):
        super().__init__(*about)
        self.every = [self.first]

    def rule(self, delta):
        self.every.append(self.every[-1] + delta)
        self.w = np.mean(self.every, axis=0)


class Batch(Perceptron):
    def rule(self, delta):
        self.sum = self.sum + delta
        if self.t % self.params["k"] == 0:
            self.w, self.sum = self.w + self.sum, np.zeros(self.d)


class Exponentiated(Perceptron):
    def rule(self, delta):
        horizon = self.params["horizon"] if self.params["rate"] == "fixed" else self.t
        self.sum = self.sum + delta / (2 * self.largest * np.sqrt(horizon))
        up, down = np.exp(self.sum), np.exp(-self.sum)
        self.w = (up - down) / (up + down).sum()


class Convex(Perceptron):
    def rule(self, delta):
        moved = self.w + delta / np.sqrt(self.t)
        self.w = moved * min(1.0, self.params["radius"] / max(np.linalg.norm(moved), 1e-300))


class Perturbed(Perceptron):
    how = "pair"

    def probability(self, s, best):
        if not self.params["dynamic"]:
            return self.params["swap_probability"]
        most = s.total(self.scores, best) - s.total(self.scores, swapped(best, self.pairs, 2.0))
        missing = self.params["delta"] * (self.t + 1) - self.affirmed
        return float(np.clip(missing / most, 0, 1)) if most > 0 else float(missing >= 0)


class Random(Perceptron):
    @staticmethod
    def draw(rng, replicates, n, d):
        return rng.random((replicates, n))

    def present(self, s, draws):
        self.w = None
        return s.rank(draws), s.rank(draws), 0.0

    def learn(self, s, y, heard):
        return list(y)


class Dueling(Perceptron):
    @staticmethod
    def draw(rng, replicates, n, d):
        return np.concatenate([rng.standard_normal((replicates, d)), rng.random((replicates, 1 + n // 2))], axis=1)

    def present(self, s, draws):
        direction, coins = draws[: self.d], draws[self.d :]
        self.u = direction / np.sqrt((direction**2).sum())
        mine = s.rank(s.x @ self.w)
        other = s.rank(s.x @ self.w + self.params["gamma"] * (s.x @ self.u))
        y, self.teams = [], []
        for i in range(s.n):
            own = (coins[i // 2] < 0.5) != (i % 2 == 1)
            source = mine if own else other
            y.append(next(d for d in source if d not in y))
            self.teams.append(own)
        return mine, y, 0.0

    def learn(self, s, y, heard):
        better = read(y, heard, "top", [])
        if not isinstance(heard, set):
            there = s.on_page
            top = better[: min(max(there - 1, 1), 5)]
            heard = {i for i in range(there) if y[i] in top}
        if sum(1 if self.teams[i] else -1 for i in heard) < 0:
            self.w = self.w + self.params["delta"] * self.u
        return better


def clicked(s, y, better, heard):
    """The places that were clicked, or that hold one of the documents put on top."""
    if isinstance(heard, set):
        return heard
    there = s.on_page
    return {i for i in range(there) if y[i] in better[: min(max(there - 1, 1), 5)]}


class Differentiable(Perceptron):
    @staticmethod
    def draw(rng, replicates, n, d):
        return rng.random((replicates, n))

    def present(self, s, draws):
        self.scores = (s.x @ self.w).tolist()
        drawn = [self.scores[i] - np.log(-np.log(draws[i])) for i in range(s.n)]
        return s.rank(self.scores), s.rank(drawn, s.slots), 0.0

    def chance(self, s, y):
        """The probability that a list is drawn, document by document."""
        odds, left, chance = np.exp(self.scores).tolist(), set(s.left), 1.0
        for d in y[: min(s.slots, len(s.left))]:
            chance *= odds[d] / sum(odds[e] for e in left)
            left.remove(d)
        return chance

    def preferences(self, s, y, clicks):
        """The places of the pairs, the preferred document first, and by how much each pair pulls."""
        places = range(min(s.on_page, max(clicks, default=-2) + 2))
        for i in places:
            for j in places:
                if i in clicks and j not in clicks:
                    other, own = self.chance(s, exchanged(y, i, j)), self.chance(s, y)
                    a, b = np.exp(self.scores[y[i]]), np.exp(self.scores[y[j]])
                    yield i, j, other / (own + other) * a * b / (a + b) ** 2

    def learn(self, s, y, heard):
        better = read(y, heard, "top", [])
        clicks = {i for i in clicked(s, y, better, heard) if i < s.on_page}
        for i, j, pull in list(self.preferences(s, y, clicks)):
            self.w = self.w + self.params["eta"] * pull * (s.x[y[i]] - s.x[y[j]])
        return better


class Greedy(Differentiable):
    @staticmethod
    def draw(rng, replicates, n, d):
        return rng.random((replicates, 2 * n))

    def present(self, s, draws):
        self.scores = (s.x @ self.w).tolist()
        best, random, y = s.rank(self.scores), s.rank(draws[s.n :], s.slots), []
        for i in range(s.n):
            source = random if i < s.slots and draws[i] < self.params["epsilon"] else best
            y.append(next(d for d in source if d not in y))
        return best, y, 0.0

    def preferences(self, s, y, clicks):
        for i in clicks:
            for j in range(i):
                if j not in clicks and self.scores[y[i]] - self.scores[y[j]] < 1:
                    yield i, j, 1.0


class Multileave(Perceptron):
    def present(self, s, draws):
        m = self.params["candidates"]
        self.u = [u / np.sqrt((u**2).sum()) for u in draws[: m * self.d].reshape(m, self.d)]
        self.scores = (s.x @ self.w).tolist()
        ranked = [s.rank(self.scores)]
        ranked += [s.rank(s.x @ self.w + self.params["gamma"] * (s.x @ u), s.n) for u in self.u]
        y, self.teams, waiting = [], [], []
        for i in range(s.n):
            if i >= s.slots:
                team = 0
            else:
                waiting = waiting or list(range(m + 1))
                team = waiting.pop(int(draws[m * self.d + i] * len(waiting)))
            y.append(next(d for d in ranked[team] if d not in y))
            self.teams.append(team)
        return s.rank(self.scores), y, 0.0

    def learn(self, s, y, heard):
        better = read(y, heard, "top", [])
        votes = [self.teams[i] for i in clicked(s, y, better, heard)]
        winners = [u for c, u in enumerate(self.u) if votes.count(c + 1) > votes.count(0)]
        if winners:
            self.w = self.w + self.params["delta"] * np.mean(winners, axis=0)
        return better

    def draw(self, rng, replicates, n, d):
        m = self.params["candidates"]
        return np.concatenate([rng.standard_normal((replicates, m * d)), rng.random((replicates, n))], axis=1)


class SecondOrder(Perceptron):
    """It keeps the matrix A itself."""

    def rule(self, delta):
        if self.matrix is None:
            self.matrix = self.params["epsilon"] * np.eye(self.d)
        self.matrix = self.matrix + self.params["gamma"] * np.outer(delta, delta)
        self.w = nearest(self.w + np.linalg.solve(self.matrix, delta), self.matrix, self.params["radius"])


def nearest(w, matrix, radius):
    """argmin (w − u)ᵀ A (w − u) over ‖u‖ ≤ ρ by bisection on the multiplier, with A itself."""

    def at(mu):
        return np.linalg.solve(matrix + mu * np.eye(len(w)), matrix @ w)

    if np.linalg.norm(w) <= radius:
        return w
    low, high = 0.0, 1.0
    while np.linalg.norm(at(high)) > radius:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if np.linalg.norm(at(middle)) > radius else (low, middle)
    return at(high)


LEARNERS = {
    "preference-perceptron": Perceptron,
    "averaged-perceptron": Averaged,
    "batch-perceptron": Batch,
    "exponentiated-perceptron": Exponentiated,
    "convex-perceptron": Convex,
    "second-order-perceptron": SecondOrder,
    "perturbed-perceptron": Perturbed,
    "dueling-bandit": Dueling,
    "pairwise-differentiable": Differentiable,
    "pairwise-greedy": Greedy,
    "multileave-descent": Multileave,
    "structured-perceptron": Structured,
    "random-ranking": Random,
}


# ---- users: y shown, s search, z random numbers, p parameters → positions clicked, or a ranking ---------------


def scan(s, y, z, p, depth=10, most=5):
    found = set()
    for i, d in enumerate(y[: min(len(s.left), depth)]):
        if (s.grades[d] >= p["relevant_from"]) != (z[d] < p["noise"]) and len(found) < most:
            found.add(i)
    return found


def cascade(s, y, z, p):
    return scan(s, y, z, p, s.n, 1)


def noisy_grades(s, y, z, p):
    seen = range(min(len(s.left), 10))
    return set(sorted(seen, key=lambda i: -(s.grades[y[i]] + p["sigma"] * z[y[i]]))[:5])


def position_biased(s, y, z, p):
    looked = {i for i in range(len(s.left)) if z[s.n + y[i]] < 1 / (i + 1) ** p["bias"]}
    return {i for i in looked if (s.grades[y[i]] >= p["relevant_from"]) != (z[y[i]] < p["noise"])}


# chances of a click and of leaving after it by grade 0 … 4, Oosterhuis & de Rijke 2018; 0 … 2 are columns of these
NAVIGATIONAL = {0: (0.05, 0.2), 1: (0.3, 0.3), 2: (0.5, 0.5), 3: (0.7, 0.7), 4: (0.95, 0.9)}


def dependent_click(s, y, z, p, gamma=1.0):
    found = set()
    for i, d in enumerate(y[: min(len(s.left), p["depth"])]):
        click, stop = NAVIGATIONAL[s.grades[d]]
        if z[d] < click:
            found.add(i)
            if z[s.n + d] < stop:
                return found
        if gamma < 1 and not z[2 * s.n + d] < gamma:
            return found
    return found


def dynamic_bayesian(s, y, z, p):
    return dependent_click(s, y, z, p, p["continuation"])


def position_based(s, y, z, p):
    places = range(min(len(s.left), p["depth"]))
    looked = [i for i in places if z[s.n + y[i]] < 1 / (i + 1) ** p["exponent"]]
    return {i for i in looked if z[y[i]] < NAVIGATIONAL[s.grades[y[i]]][0]}


def bradley_terry(s, y, z, p):
    if s.on_page < 2:
        return set()
    a, b = sorted(y[:2])
    chance = 1 / (1 + math.exp(min(p["ties"] - (s.utility[a] - s.utility[b]) / p["temperature"], 700)))
    other = 1 / (1 + math.exp(min(p["ties"] - (s.utility[b] - s.utility[a]) / p["temperature"], 700)))
    return {y.index(a)} if z[a] < chance else {y.index(b)} if z[a] >= 1 - other else set()


def on_top(y, values, m):
    """The five best of the first m on top."""
    top = sorted(y[:m], key=lambda d: -values[d])[:5]
    return top + [d for d in y if d not in top]


def depth(s, y, z, p):
    return on_top(y, s.grades, min(p["k"], len(s.left)))


def strict_alpha(s, y, z, p):
    most = s.total(s.utility, s.rank(s.utility))
    now = s.total(s.utility, y)
    for m in range(min(5, len(s.left)), len(s.left) + 1):
        answer = on_top(y, s.utility, m)
        if s.total(s.utility, answer) - now >= p["alpha"] * (most - now) - 1e-12 * (1 + abs(most)):
            break
    return answer


def named(y, document):
    """The ranking with a document exchanged with the first."""
    return exchanged(y, 0, y.index(document))


def informative(s, y, alpha):
    now, most = s.utility[y[0]], max(s.utility)
    slip = 1e-12 * (1 + abs(most))
    if most - now <= slip:
        return y[0]
    enough = [d for d in s.left if s.utility[d] >= now + alpha * (most - now) - slip]
    return min(enough, key=lambda d: s.utility[d])


def item_alpha(s, y, z, p):
    return named(y, informative(s, y, p["alpha"]))


def item_better(s, y, z, p):
    above = [d for d in s.left if s.grades[d] > s.grades[y[0]]]
    return named(y, min(above, key=lambda d: (s.grades[d], z[d]))) if above else list(y)


def item_best(s, y, z, p):
    return named(y, min(s.left, key=lambda d: (-s.grades[d], z[d])))


def expected_alpha(s, y, z, p):
    width = (len(z) - 1) // 5
    if s.slots == 1:
        answers = [named(y, informative(s, y, 1.0))]
        answers += [named(y, y[min(int(z[k] * len(s.left)), len(s.left) - 1)]) for k in range(5)]
    else:
        answers = [strict_alpha(s, y, z, p), *(s.rank(z[k * width : (k + 1) * width]) for k in range(5))]
    now = s.total(s.utility, y)
    gap = s.total(s.utility, sorted(s.left, key=lambda d: -s.utility[d])) - now
    gains = [s.total(s.utility, a) - now for a in answers]
    mean, wanted = float(np.mean(gains[1:])), p["alpha"] * gap
    if gains[0] > mean:
        q = float(np.clip((wanted - mean) / (gains[0] - mean), 0, 1))
    else:
        q = 0.0 if gains[0] < mean and mean >= wanted else 1.0
    chosen = sum(q + k * (1 - q) / 5 <= z[-1] for k in range(5))
    return answers[chosen]


def expert(s, y, z, p):
    values = s.grades if p["optimal"] == "grades" else s.utility
    count = len(s.left)
    return [*sorted(y[:count], key=lambda d: -values[d]), *y[count:]]


USERS = {
    "cascade": cascade, "scan": scan, "noisy-grades": noisy_grades, "depth": depth, "strict-alpha": strict_alpha,
    "position-biased": position_biased, "expected-alpha": expected_alpha, "item-alpha": item_alpha,
    "item-better": item_better, "item-best": item_best, "expert": expert, "dependent-click": dependent_click,
    "dynamic-bayesian": dynamic_bayesian, "position-based": position_based, "bradley-terry": bradley_terry,
}  # fmt: skip

PAGES = {
    "scan": lambda p: 10, "noisy-grades": lambda p: 10, "depth": lambda p: p["k"],
    **dict.fromkeys(("dependent-click", "dynamic-bayesian", "position-based"), lambda p: p["depth"]),
}  # fmt: skip


def user_draws(id, rng, replicates, n, slots):
    if id in ("cascade", "scan", "item-better", "item-best", "bradley-terry"):
        return rng.random((replicates, n))
    if id in ("position-biased", "position-based", "dependent-click"):
        return rng.random((replicates, 2 * n))
    if id == "dynamic-bayesian":
        return rng.random((replicates, 3 * n))
    if id == "noisy-grades":
        return rng.standard_normal((replicates, n))
    if id == "expected-alpha":
        objects = rng.random((replicates, 5) if slots == 1 else (replicates, 5, n))
        return np.concatenate([objects.reshape(len(objects), -1), rng.random((replicates, 1))], axis=1)
    return np.zeros((replicates, 0))


# ---- what is measured ----------------------------------------------------------------------------------


class Metrics:
    """Every metric of one replicate of a perceptron of [S] that loses nothing and uses nothing up, by id."""

    def __init__(self, data, task, learner, probes):
        self.data, self.learner, self.probes = data, learner, probes
        self.best_w, self.past, self.t = data.weights[task], [learner.w], 0
        self.regret = self.regret_predicted = self.slack = self.affirmed = self.fallen = self.convex = 0.0
        self.up, self.overlap, self.kept = False, np.nan, np.nan

    def measure(self, s, predicted, shown, p, improved):
        """Return the metrics after a step of the learner: its search, ŷ, y, p and ȳ."""
        self.t, t, n = self.t + 1, self.t + 1, len(s.left)
        predicted, shown, improved = (list(y)[:n] for y in (predicted, shown, improved))
        grades, utility = np.array(s.grades[:n]), s.x[:n] @ self.best_w
        self.past.append(self.learner.w)
        first, before, now = self.past[0], self.past[-2], self.past[-1]
        best = s.total(utility, by(utility))
        gap = best - s.total(utility, shown)
        self.regret += gap
        gain = s.total(utility, improved) - s.total(utility, shown)
        self.regret_predicted += best - s.total(utility, predicted)
        self.slack += gap - gain
        self.affirmed += s.total(s.x @ before, improved) - s.total(s.x @ before, shown)

        def ndcg(y):
            gains = 2.0**grades - 1
            ideal, found = (sum(gamma(i) * gains[d] for i, d in enumerate(z[:5])) for z in (by(grades), y))
            return found / ideal if ideal > 0 else 0.0

        def rank(y):
            return 1 + min(i for i, d in enumerate(y) if grades[d] == max(grades))

        self.fallen += self.up and rank(predicted) > n / 2
        self.up = True if rank(predicted) == 1 else False if rank(predicted) > n / 2 else self.up
        if t % 50 == 0 and t >= 100:
            self.overlap = np.mean([self.common(q) for q in self.probes])
            same = [same for q in self.probes for same in self.same_order(q)]
            self.kept = np.mean(same) if same else np.nan
        radius, norm = self.data.radius, np.linalg.norm(self.best_w)
        self.convex += (-gap - radius * norm) ** 2 - (radius * norm) ** 2
        bound, a_priori = self.bounds(p, radius, norm, first)
        return {
            "average-regret": self.regret / t,
            "average-regret-predicted": self.regret_predicted / t,
            "cumulative-regret": self.regret,
            "ndcg@5": ndcg(shown),
            "ndcg@5-predicted": ndcg(predicted),
            "rank-of-best": rank(shown),
            "rank-of-best-predicted": rank(predicted),
            "flips": self.fallen,
            "swap-probability": p,
            "affirmativeness": self.affirmed,
            "order-kept": self.kept,
            "top10-overlap": self.overlap,
            "weight-norm": np.linalg.norm(now),
            "weight-change": np.linalg.norm(now - before),
            "bound": bound,
            "bound-a-priori": a_priori,
            "bound-convex": np.nan,
            "average-convex-regret": self.convex / t,
            "alpha": gain / gap if gap > 1e-12 * (1 + abs(best)) else np.nan,
            "slack": gap - gain,
        }

    def bounds(self, p, radius, norm, first):
        """The bound on the average regret from what was seen, and that of the propositions, stated for w_1 = 0."""
        t, perturbed, params = self.t, isinstance(self.learner, Perturbed), self.learner.params
        square = 4 * radius**2 * t + first @ first + (2 * self.affirmed if perturbed else 0)
        bound = (self.slack + math.sqrt(max(square, 0)) * norm - first @ self.best_w) / t
        if isinstance(self.learner, Averaged):
            bound = np.nan
        if not perturbed or first.any():
            return bound, np.nan
        if params["dynamic"]:
            inner = 4 * radius**2 + 2 * params["delta"]
            root = math.sqrt(inner + (gamma(0) - gamma(1)) * radius * math.sqrt(inner / t))
            return bound, self.slack / t + norm / math.sqrt(t) * root
        beta = p * (1 - gamma(1) / gamma(0))
        a_priori = self.slack / t + beta * radius * norm
        return bound, a_priori + math.sqrt(2 * (4 - beta**2)) * radius * norm / math.sqrt(t)

    def twice(self, q):
        """The scores of the documents of query q a hundred steps ago and now."""
        x = self.data.features[self.data.documents(q)]
        return x @ self.past[self.t - 100], x @ self.past[self.t]

    def common(self, q):
        """Documents in common in the top of query q, now and a hundred steps ago, out of ten."""
        old, new = self.twice(q)
        k = min(10, len(old) // 2)
        return 10 * len({*by(old)[:k]} & {*by(new)[:k]}) / k

    def same_order(self, q):
        """For each pair of documents of query q with an order a hundred steps ago, whether it has kept it."""
        old, new = self.twice(q)
        pairs = [(i, j) for j in range(len(old)) for i in range(j) if old[i] != old[j]]
        return [(new[i] > new[j]) if old[i] > old[j] else (new[i] < new[j]) for i, j in pairs]


# ---- a whole run ---------------------------------------------------------------------------------------


def alone(params, r):
    """The parameters of replicate r."""
    return {name: np.ravel(value)[r] if np.ndim(value) else value for name, value in params.items()}


class Slow:
    """A ranking simulation, R replicates one after the other. `x` are the features of the data, dense, in float64."""

    def __init__(self, learner, data, x, user, replicates, seed):
        self.data, self.x, self.learner, self.user, self.replicates = data, x, learner, user, replicates
        streams = np.random.SeedSequence(seed).spawn(4)
        self.orders, self.users, self.own, self.probes = map(np.random.default_rng, streams)
        self.slots, self.coming, self.searches = data.on_page, [], {}
        self.gamma = [gamma(i) * (data.slots is None or i < data.slots) for i in range(data.longest)]
        first = np.zeros(data.dimension) if data.initial_weights is None else data.initial_weights
        kind = LEARNERS[learner.id]
        self.each = [kind(alone(learner.params, r), first, data.largest) for r in range(replicates)]
        if begin := getattr(kind, "begin", None):
            begin(self.each, self.own)
        self.stock = [list(range(data.longest)) for _ in range(replicates)]  # offered first
        self.left = [data.longest] * replicates

    def step(self):
        """The pages, answers and lessons of every replicate: [(ŷ, y, p, answer, ȳ)]."""
        data = self.data
        if not self.coming:
            rows = np.tile(np.arange(data.queries), (self.replicates, 1))
            self.coming = [*self.orders.permuted(rows, axis=1).T]
        query = self.coming.pop(0)
        n = data.longest if data.consumable else int(data.lengths[query].max())
        draws = self.each[0].draw(self.own, self.replicates, n, data.dimension)
        noise = user_draws(self.user.id, self.users, self.replicates, n, self.slots)
        return [self.one(r, int(query[r]), n, draws[r], noise[r]) for r in range(self.replicates)]

    def one(self, r, query, n, draws, noise):
        data, task, learner, stock = self.data, r % self.data.tasks, self.each[r], self.stock[r]
        rows = np.asarray(data.documents(query))
        rows = np.append(rows, np.full(n - len(rows), rows[-1]))
        left = sorted(stock[: self.left[r]]) if data.consumable else list(range(data.lengths[query]))
        grades, utility = data.grades[task, rows], data.utility[task, rows]
        order = list(stock) if data.consumable else None
        params = alone(self.user.params, r)
        page = PAGES.get(self.user.id, lambda p: 1000)(params)
        s = self.searches[r] = Search(left, self.x[rows], self.gamma, self.slots, grades, utility, order, page)
        best, y, p = learner.present(s, draws)
        answer = USERS[self.user.id](s, y, noise, params)
        heard = answer
        if self.learner.hears == "optimal":
            heard = expert(s, y, noise, self.learner.params)
        improved = learner.learn(s, y, None if self.learner.hears == "nothing" else heard)
        if data.consumable:
            for document in [*y[: s.slots], *improved[: s.slots]]:
                self.use_up(r, document)
            if self.left[r] < 2:
                self.stock[r], self.left[r] = list(range(data.longest)), data.longest
        return best, y, p, answer, improved

    def use_up(self, r, document):
        """Exchange a document with the last that is offered."""
        at = self.stock[r].index(document)
        if at < self.left[r]:
            self.left[r] -= 1
            self.stock[r] = exchanged(self.stock[r], at, self.left[r])
