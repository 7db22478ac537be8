"""Slow versions of the contextual dueling bandits and of the coactive network, as their papers state them."""

import math

import numpy as np

from tests.learners.ranking.slow_reference import LEARNERS, Perceptron, read


def sigma(x):
    return 1 / (1 + math.exp(-x))


class Duel(Perceptron):
    """Two documents stand on top; `choose` says which, and `compare` learns from x of the winner and of the loser."""

    def present(self, s, draws):
        self.draws, self.s = draws, s
        best = s.rank(s.x @ self.w)
        self.pair = self.choose(s, best)
        top = list(self.pair) if draws[0] < 0.5 else list(self.pair[::-1])
        return best, top + [d for d in best if d not in top], 0.0

    def learn(self, s, y, heard):
        better, won = read(y, heard, "top", []), None
        if s.on_page >= 2 and isinstance(heard, set):
            won = next((y[i] for i in (0, 1) if {0, 1} & heard == {i}), None)
        elif s.on_page >= 2:
            won = min(y[:2], key=better.index)
        if won is not None:
            self.compare(s.x[won], s.x[y[0] + y[1] - won])
        self.end()
        return better

    def end(self):
        pass


class FeelGood(Duel):
    """Every duel is kept, and a sample of the queries."""

    def __init__(self, *about):
        super().__init__(*about)
        self.theta, self.z, self.queries, self.count = [self.first, self.first], [], [], 0

    def draw(self, rng, replicates, n, d):
        noise = 2 * self.params["moves"] * d
        return np.concatenate([rng.random((replicates, 2)), rng.standard_normal((replicates, noise))], axis=1)

    def choose(self, s, best):
        first = max(s.left, key=lambda i: self.theta[0] @ s.x[i])
        return first, max((i for i in s.left if i != first), key=lambda i: self.theta[1] @ s.x[i])

    def compare(self, won, lost):
        self.z = [*self.z, won - lost][-self.params["window"] :]
        query = self.s.x[self.s.left], *(self.s.x[i] for i in self.pair)
        if self.count < 16:
            self.queries.append(query)
        elif (place := int(self.draws[1] * (self.count + 1))) < 16:
            self.queries[place] = query
        self.count += 1

    def gradient(self, j):
        """∇ of −log of prior, likelihood and feel-good term, of the sample j."""
        theta, p = self.theta[j], self.params
        found = theta / p["prior"] ** 2 - sum(sigma(-theta @ z) * z for z in self.z)
        for x, *two in self.queries:
            best = x[np.argmax(x @ theta)]
            found = found - p["optimism"] * len(self.z) / len(self.queries) * (best - two[1 - j])
        return found

    def end(self):
        epsilon = self.params["step"] / (1 / self.params["prior"] ** 2 + sum(z @ z for z in self.z) / 4)
        for k, noise in enumerate(self.draws[2:].reshape(-1, self.d)):
            self.theta[k % 2] = self.theta[k % 2] - epsilon * self.gradient(k % 2) + math.sqrt(2 * epsilon) * noise
        self.w = (self.theta[0] + self.theta[1]) / 2


class Informative(Duel):
    def __init__(self, *about):
        super().__init__(*about)
        self.H = self.params["ridge"] * np.eye(self.d)

    @staticmethod
    def draw(rng, replicates, n, d):
        return rng.random((replicates, 1))

    def choose(self, s, best):
        z = s.x[:, None] - s.x
        apart = np.sqrt((z @ np.linalg.inv(self.H) * z).sum(axis=2))
        ahead = z @ self.w + self.params["width"] * apart
        fit = [i for i in s.left if all(ahead[i, j] >= 0 for j in s.left if j != i)]
        if self.params["pair"] == "informative" and len(fit) > 1:
            return max(((i, j) for i in fit for j in fit if i < j), key=lambda two: apart[two])
        first = best[0]
        return first, max((j for j in s.left if j != first), key=lambda j: ahead[j, first])

    def compare(self, won, lost):
        z, rate, p = won - lost, self.params["rate"], sigma(self.w @ (won - lost))
        self.w = self.w + rate * (1 - p) * np.linalg.solve(self.H + rate * p * (1 - p) * np.outer(z, z), z)
        p = sigma(self.w @ z)
        self.H = self.H + p * (1 - p) * np.outer(z, z)


class Network(Perceptron):
    """U (H, d), b and v (H,)."""

    @staticmethod
    def draw(rng, replicates, n, d):
        return np.zeros((replicates, 0))

    @staticmethod
    def begin(each, rng):
        H, d = each[0].params["hidden"], each[0].d
        for one, drawn in zip(each, rng.standard_normal((len(each), H, d + 2)), strict=True):
            one.U, one.b, one.v = drawn[:, :d] / math.sqrt(d), np.zeros(H), drawn[:, d + 1] / math.sqrt(H)

    def present(self, s, draws):
        best = s.rank(np.tanh(s.x @ self.U.T + self.b) @ self.v)
        return best, best, 0.0

    def learn(self, s, y, heard):
        """One step on log(1 + e^−(r(ȳ) − r(y)))."""
        better, gain = read(y, heard, "top", []), 0.0
        U, b, v = np.zeros_like(self.U), np.zeros_like(self.b), np.zeros_like(self.v)
        for i in range(min(s.slots, len(s.left))):
            for sign, document in ((1, better[i]), (-1, y[i])):
                x, h = s.x[document], np.tanh(self.U @ s.x[document] + self.b)
                c = sign * s.gamma[i]
                gain += c * (self.v @ h)
                U, b, v = U + c * np.outer(self.v * (1 - h**2), x), b + c * self.v * (1 - h**2), v + c * h
        length = self.params["eta"] * sigma(-gain)
        self.U, self.b, self.v = self.U + length * U, self.b + length * b, self.v + length * v
        return better


LEARNERS.update({"feel-good-thompson": FeelGood, "informative-pair": Informative, "coactive-network": Network})
