"""All classification learners and their metrics for one replicate, in plain loops over lists."""

import itertools
import math

import numpy as np

METRICS = {
    "error-rate", "mistakes", "error-rate-greedy", "accuracy", "accuracy-greedy", "gamma", "explored", "weight-change",
    "bound",
}  # fmt: skip


def best(scores):
    """The first of the largest."""
    return max(range(len(scores)), key=lambda k: (scores[k], -k))


def added(numbers):
    """The sum in the stated order: from Python 3.12 on, sum() compensates for rounding, and ties end otherwise."""
    total = 0.0
    for number in numbers:
        total += number
    return total


class Reference:
    """All learners and metrics for one replicate, in plain loops over lists."""

    def __init__(self, data, id, params, grid=None, projection=None):
        self.data, self.id, self.params = data, id, params
        self.k, self.d = data.classes, data.dimension
        rows = data.features.toarray() if data.sparse else data.features
        self.rows = [[float(v) for v in row] for row in rows]
        self.radius = max(math.sqrt(added(v * v for v in row)) for row in self.rows)
        self.theta = [[0.0] * self.d for _ in range(self.k)]
        self.t = self.hits = self.mistakes = self.wrong = self.explored = 0
        self.loss = self.gammas = self.variance = 0.0
        self.grid, self.projection = grid, projection
        self.left = None if grid is None else set(range(len(grid)))
        self.A = np.eye(self.k * self.d) * params.get("a", 1.0)  # of SOBA, on W row by row
        self.gains = self.longest = self.squares = 0.0
        own = "regression" in params and (params.get("matrices") == "diagonal" or params.get("adaptive", False))
        self.own = np.zeros((self.k, self.d)) if own else None  # w of a regressor that does not follow from θ
        self.squared = np.zeros((self.k, self.d))
        first = (1 + params["alpha"]) ** 2 if id == "confidit" else params.get("ridge", 1 / params.get("radius", 1.0))
        self.blocks = [np.eye(self.d) * first for _ in range(self.k)]

    # -- the learner

    def weights(self):
        id, theta = self.id, self.theta
        kind = {"exponentiated-gradient": "exponential"}.get(id, self.params.get("potential"))
        if kind == "exponential":
            sums = [added(math.exp(v) for v in row) for row in theta]
            return [[math.exp(v) / z for v in row] for row, z in zip(theta, sums, strict=True)]
        if kind == "hyperbolic":
            return [[math.sinh(v) for v in row] for row in theta]
        if kind == "p-norm":
            return [[math.copysign(abs(v) ** (self.params["power"] - 1), v) for v in row] for row in theta]
        if self.own is not None:
            return self.own.tolist()
        if self.params.get("regression") == "ridge" or id in ("confidit", "newtron"):
            return [np.linalg.solve(A, row).tolist() for A, row in zip(self.blocks, theta, strict=True)]
        if id == "soba":
            A = np.diag(np.diag(self.A)) if self.params["matrix"] == "diagonal" else self.A
            return np.linalg.solve(A, np.ravel(theta)).reshape(self.k, self.d).tolist()
        if id == "gappletron":
            norm = math.sqrt(added(v * v for row in theta for v in row))
            longest = max(norm, math.sqrt(self.squares)) or 1.0
            return [[self.params["radius"] / longest * v for v in row] for row in theta]
        if id == "banditron-winnow":
            rate = self.params["rate"]
            return [
                [math.exp(rate * v) - (math.exp(-rate * v) if self.params.get("balanced") else 0) for v in row]
                for row in theta
            ]
        return theta

    def gamma(self, x):
        if self.id == "inverse-gap":
            scores = [added(w * v for w, v in zip(row, x, strict=True)) for row in self.weights()]
            return added(self.chances(scores, self.best(scores)))
        if self.id == "newtron":
            scores = [added(w * v for w, v in zip(row, x, strict=True)) for row in self.weights()]
            powers = [math.exp(self.params["sharpness"] * s) for s in scores]
            chance = powers[self.best(scores)] / added(powers)
            return 1 - (1 - self.params["gamma"]) * chance - self.params["gamma"] / self.k
        if self.id == "gaptron":
            scores = sorted((added(w * v for w, v in zip(row, x, strict=True)) for row in self.theta), reverse=True)
            return max(self.params["gamma"], (1 - min(1, scores[0] - scores[1])) ** 2)
        if self.id == "gappletron":
            scores = sorted((added(w * v for w, v in zip(row, x, strict=True)) for row in self.weights()), reverse=True)
            gamma = min(0.5, self.params["exploration"] * math.sqrt(self.k / self.t))
            return gamma + (1 - gamma) * (1 - min(1, scores[0] - scores[1])) ** 2
        if self.id != "adaptive-banditron":
            return self.params.get("gamma", 0.0)
        strategy, power = self.params["strategy"], self.params["exponent"] - 1
        up = (1 + (self.t - 1) + 2 * self.hits) ** power  # ω′(Σ 1 + μ) / λ
        down = (1 + (self.t - 1) - self.hits) ** power  # ω′(Σ τ) / λ
        return {
            "ag0": 0.5 * self.t ** (-1 / 3),
            "ag1": up / 2,
            "ag2": (1 + self.t) ** power / (2 * down),
            "ag3": up / (2 * down),
        }[strategy]

    def add(self, label, amount, x):
        for j, value in enumerate(x):
            self.theta[label][j] += amount * value
            self.moved[label][j] += amount * value

    def rate(self):
        if self.id != "exponentiated-gradient" and self.params.get("potential") not in ("exponential", "hyperbolic"):
            return 1.0
        g, t = self.params["gamma"], self.params.get("horizon") or self.data.examples
        return self.params["scale"] * math.sqrt(self.k * (1 - g) * math.log(self.k) / (t * g))

    def best(self, scores):
        """The first of the largest; among those that are equal but for rounding, the one that the learner took."""
        found, highest = self.told, max(scores)
        return best(scores) if found is None or highest - scores[found] > 1e-9 * abs(highest) else found

    def step(self, row, draws, told=None):
        """One step; returns its metrics. told : the label that the learner predicts, to settle ties."""
        self.told, self.moved = told, [[0.0] * self.d for _ in range(self.k)]
        x = self.rows[row]
        y = int(self.data.labels[row])
        self.t += 1
        gamma = self.gamma(x)
        if self.id == "halving":
            shown = predicted = self.halving(x, y)
            explored = False
        elif self.id == "banditron-labels":
            shown, predicted, explored = self.labels(x, y, gamma, draws)
        else:
            shown, predicted, explored = self.one_label(x, y, gamma, draws)
        right, greedy = y in shown, y in predicted
        self.mistakes += not right
        self.wrong += not greedy
        self.explored += explored
        return self.measure(row, right, greedy, gamma)

    def one_label(self, x, y, gamma, draws):
        scores = [added(w * v for w, v in zip(row, x, strict=True) if v != 0) for row in self.weights()]
        predicted = self.best(scores)
        if self.id == "confidit":
            return self.confidit(x, y, scores, predicted)
        if self.id == "newtron":
            return self.newtron(x, y, draws, scores, predicted)
        if self.id in ("epsilon-greedy", "inverse-gap"):
            return self.bandit(x, y, gamma, draws, scores, predicted)
        if self.id == "perceptron":
            if predicted != y:
                self.add(y, 1.0, x)
                self.add(predicted, -1.0, x)
            return [predicted], [predicted], False
        explored = draws[0] < gamma
        played = int(draws[1] * self.k) if explored else predicted
        p = (1 - gamma) * (played == predicted) + gamma / self.k
        gain = (played == y) / p
        if self.id in ("soba", "gaptron", "gappletron"):
            self.longest = max(self.longest, added(v * v for v in x))
            if played == y:
                getattr(self, self.id)(x, y, scores, p)
            return [played], [predicted], explored
        self.add(played, self.rate() * gain, x)
        self.add(predicted, -self.rate(), x)
        if self.id == "banditron-positive":
            self.theta = [[max(0.0, v) for v in row] for row in self.theta]
        if self.id == "banditron-margin" and played == predicted == y:
            second = best([s if k != predicted else -math.inf for k, s in enumerate(scores)])
            if scores[predicted] - scores[second] < self.params["margin"]:
                self.add(predicted, gain, x)
                self.add(second, -gain, x)
        self.hits += played == predicted == y
        return [played], [predicted], explored

    def bandit(self, x, y, gamma, draws, scores, predicted):
        if self.id == "epsilon-greedy":
            explored = draws[0] < gamma
            played = int(draws[1] * self.k) if explored else predicted
        else:
            others, sums = [k for k in range(self.k) if k != predicted], np.cumsum(self.chances(scores, predicted))
            explored = draws[0] < sums[-1]
            played = others[int((draws[0] >= sums).sum())] if explored else predicted
        s, norm = 2 * (y == played) - 1, added(v * v for v in x)
        if self.own is not None:
            g = (s - scores[played]) * np.array(x)
            self.add(played, s - scores[played], x)
            A = np.diag(self.blocks[played])
            if self.params["regression"] == "gradient":
                A = self.squared[played] = self.squared[played] + g**2
                self.own[played] += self.params["rate"] * np.divide(g, np.sqrt(A), out=np.zeros_like(g), where=A > 0)
            else:
                self.own[played] += g / A / (1 + np.array(x) ** 2 @ (1 / A))
                self.blocks[played] = self.blocks[played] + np.diag(np.array(x) ** 2)
        elif self.params["regression"] == "gradient":
            self.add(played, self.params["rate"] * (s - scores[played]) / norm if norm else 0.0, x)
        else:
            self.add(played, s, x)
            self.blocks[played] += np.outer(x, x)
        return [played], [predicted], explored

    def confidit(self, x, y, scores, predicted):
        a = self.params["alpha"]
        reach = [float(np.array(x) @ np.linalg.solve(A, np.array(x))) for A in self.blocks]
        inside = [min(max(s, -a), 1) for s in scores]
        bounds = [s + self.params["eta"] * math.sqrt(q * math.log(self.t)) for s, q in zip(inside, reach, strict=True)]
        played = best(bounds)
        if reach[played] > 0:
            projected = (inside[played] - scores[played]) / reach[played]  # moves w by A⁻¹ x, and so θ by x
            self.add(played, projected + (1 if played == y else -a), x)
            more = np.outer(x, x)
            self.blocks[played] += np.diag(np.diag(more)) if self.params["matrices"] == "diagonal" else more
        return [played], [predicted], False

    def newtron(self, x, y, draws, scores, predicted):
        powers = [math.exp(self.params["sharpness"] * s) for s in scores]
        P = [power / added(powers) for power in powers]
        p = [(1 - self.params["gamma"]) * chance + self.params["gamma"] / self.k for chance in P]
        others = [k for k in range(self.k) if k != predicted]
        below = np.cumsum([p[k] for k in others])
        played = others[int((draws[0] >= below).sum())] if draws[0] < below[-1] else predicted
        right = played == y
        c = -(1 - P[played]) / p[played] if right else P[played] / p[played]
        curvature = (p[played] if right else 1) * self.params["beta"] * c**2
        self.add(played, curvature * scores[played] - c, x)
        self.blocks[played] += curvature * np.outer(x, x)
        return [played], [predicted], played != predicted

    def chances(self, scores, predicted):
        weight = self.params["sharpness"] * (math.sqrt(self.t) if self.params["grows"] else 1)
        gaps = [(scores[predicted] - s) / 2 for k, s in enumerate(scores) if k != predicted]
        return [1 / (self.k + weight * gap) for gap in gaps]

    def soba(self, x, y, scores, p):
        rival = best([s if k != y else -math.inf for k, s in enumerate(scores)])
        g = np.zeros((self.k, self.d))
        g[rival], g[y] = np.array(x) / p, -np.array(x) / p
        g, w = g.ravel(), np.ravel(self.weights())
        z = math.sqrt(p) * g
        A = np.diag(np.diag(self.A)) if self.params["matrix"] == "diagonal" else self.A
        gain = ((w @ z) ** 2 + 2 * (w @ g)) / (1 + z @ np.linalg.solve(A, z))
        if self.gains + gain >= 0:
            self.gains += gain
            self.A += np.outer(z, z)
            self.add(y, 1 / p, x)
            self.add(rival, -1 / p, x)

    def gaptron(self, x, y, scores, p):
        rival = best([s if k != y else -math.inf for k, s in enumerate(scores)])
        margin = scores[y] - scores[rival]
        slope = 2 if best(scores) != y else max(0, 2 * (1 - margin))
        if self.longest:
            rate = self.params["scale"] * self.params["gamma"] / (4 * self.k**2 * self.longest)
            self.add(y, rate * slope / p, x)
            self.add(rival, -rate * slope / p, x)

    def gappletron(self, x, y, scores, p):
        rival = best([s if k != y else -math.inf for k, s in enumerate(scores)])
        slope = 2 if best(scores) != y else max(0, 2 * (1 - scores[y] + scores[rival]))
        self.squares += 2 * added((slope / p * v) ** 2 for v in x)
        self.add(y, slope / p, x)
        self.add(rival, -slope / p, x)

    def labels(self, x, y, gamma, draws):
        r, scores = self.params["labels"], [added(w * v for w, v in zip(row, x, strict=True)) for row in self.theta]
        order = sorted(range(self.k), key=lambda k: -scores[k])
        shown, explored = order[:r], draws[0] < gamma
        if explored:
            new = order[r + int(draws[2] * (self.k - r))]
            shown = list(shown)
            shown[int(draws[1] * r)] = new
            if new == y:
                self.add(new, (self.k - r) / gamma, x)
        elif y not in shown:
            self.add(shown[-1], -1 / (1 - gamma), x)
        return shown, order[:r], explored

    def halving(self, x, y):
        if self.projection is not None:
            x = [added(p * v for p, v in zip(row, x, strict=True)) for row in self.projection]
        said = [best([added(w * v for w, v in zip(row, x, strict=True)) for row in h]) for h in self.grid]
        votes = [sum(said[h] == k for h in self.left) for k in range(self.k)]
        if best(votes) != y:
            self.left = {h for h in self.left if said[h] != best(votes)} or set(range(len(self.grid)))
        return [best(votes)]

    # -- the environment

    def measure(self, row, right, greedy, gamma):
        scores = [
            added(w * v for w, v in zip(weights, self.rows[row], strict=True)) for weights in self.data.comparator
        ]
        own = scores.pop(self.data.labels[row])
        self.loss += max(0.0, 1 - own + max(scores))
        self.gammas += gamma
        if gamma:
            self.variance += gamma if greedy else self.k / gamma
        return {
            "mistakes": self.mistakes,
            "error-rate": self.mistakes / self.t,
            "error-rate-greedy": self.wrong / self.t,
            "accuracy": float(right),
            "accuracy-greedy": float(greedy),
            "gamma": gamma,
            "explored": self.explored / self.t,
            "weight-change": math.hypot(*itertools.chain(*self.moved)) if self.id != "halving" else math.nan,
            "bound": self.bound(gamma),
        }

    def bound(self, g):
        big_d, loss, k = 2 * float((self.data.comparator**2).sum()) * self.radius**2, self.loss, self.k
        if self.id == "perceptron":
            return loss + big_d + math.sqrt(loss * big_d)
        if self.id == "banditron" and g <= 0.5:
            return (
                loss
                + g * self.t
                + 3 * max(k * big_d / g, math.sqrt(big_d * g * self.t))
                + math.sqrt(k * big_d * loss / g)
            )
        if self.id == "adaptive-banditron":
            return loss + self.gammas + math.sqrt(big_d / 2) * math.sqrt(2 * self.variance)
        return k * math.log(len(self.grid)) if self.id == "halving" else math.nan


def slow_runs(data, id, params, replicates, seed, steps):
    """The slow references, and for each step the rows (R,) and draws (n, R) that the simulation draws."""
    order, _, own, _ = (np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(4))
    grid = projection = None
    if id == "halving":
        d = params.get("projection") or data.dimension
        projection = own.uniform(-1, 1, (d, data.dimension)) / math.sqrt(d) if "projection" in params else None
        levels = np.linspace(-1, 1, params["levels"])
        grid = [np.reshape(h, (data.classes, d)).tolist() for h in itertools.product(levels, repeat=data.classes * d)]
    one = [{k: v[r] if isinstance(v, list) else v for k, v in params.items()} for r in range(replicates)]
    passes = [
        order.permuted(np.tile(np.arange(data.examples), (replicates, 1)), axis=1).T
        for _ in range(0, steps, data.examples)
    ]
    number = {"banditron-labels": 3, "perceptron": 0, "halving": 0, "confidit": 0, "inverse-gap": 1, "newtron": 1}
    draws = own.random((steps, number.get(id, 2), replicates))
    runs = [Reference(data, id, one[r], grid, projection) for r in range(replicates)]
    return runs, list(zip(np.concatenate(passes), draws, strict=False))


def slow_history(data, id, params, replicates, seed, steps):
    """Metrics (steps, R) of the slow reference, with the random numbers that the simulation draws."""
    runs, world = slow_runs(data, id, params, replicates, seed, steps)
    found = [[run.step(int(rows[r]), draw[:, r]) for r, run in enumerate(runs)] for rows, draw in world]
    return {m: np.array([[cell[m] for cell in row] for row in found], dtype=float) for m in METRICS}
