"""The numbers that learners from a log keep in `page.memory`, and the compiled rules that they share.

The log grows by one interaction a step. Its policy shows its list with neighbours exchanged as 3PR does ([S] Alg. 3),
and with chance ε a random order, so the chance of each document at each place is known (`off_policy.log.Policy`).
"""

from __future__ import annotations

from learners.compiled import compiled
from learners.off_policy.propensity import go_round
from learners.ranking.step.page import Page
from learners.ranking.step.rankings import sort

PROPENSITIES = ("assumed", "swaps", "em")
ASSUMED, SWAPS, EM = range(3)
PLACES = 10  # of a list whose value is estimated

# rows of n numbers: the list of the policy, the place of each document in it; clicks on the upper and the lower place
# of pairs; θ_k as it is used; θ_k and r_d by EM; a list that is valued, and its clicks at each place by a model
LIST, AT, ABOVE, BELOW, LOOKS, EM_LOOKS, EM_ATTRACTS, TARGET, MODEL, ROWS = range(10)
# then two tables (n, n), how often each document was shown and clicked at each place, and `sums_of` numbers


@compiled
def sums_at(n: int) -> int:
    """Return where the sums begin, from which the value of a list is estimated."""
    return ROWS * n + 2 * n * n


def sums_of(n: int) -> int:
    """Return how many they are: interactions, then the clicks on the valued list at each place, and how often shown."""
    return 1 + 2 * min(n, PLACES)


@compiled
def show_logged(page: Page, epsilon: float) -> None:
    """Show what the log holds: the policy's list with neighbours exchanged, or with chance ε a random order.

    draws : (2 + n // 2 + n,) as in `off_policy.log.Policy.draw`. Overwrites `page.improved` and `page.place`.
    """
    n = page.shown.shape[0]
    random, first = page.draws[0] < epsilon, 0 if page.draws[1] < 0.5 else 1
    if random:
        sort(page.draws[2 + n // 2 :], n, page.improved, page.place)
    for k in range(n):
        page.partner[k], page.marks[k] = k, False
        page.shown[k] = int(page.memory[LIST * n + (page.improved[k] if random else k)])
    if not random:
        for k in range(first, n - 1, 2):
            page.partner[k], page.partner[k + 1] = k + 1, k
            if page.draws[2 + k // 2] < 0.5:
                page.shown[k], page.shown[k + 1] = page.shown[k + 1], page.shown[k]
                page.marks[k] = page.marks[k + 1] = True


@compiled
def attend(page: Page, propensities: float, eta: float) -> None:
    """Write θ_k, how likely each place is looked at against the first, as it is assumed, or estimated so far."""
    n = page.shown.shape[0]
    looks = page.memory[LOOKS * n : (LOOKS + 1) * n]
    for k in range(n):
        if k >= page.on_page:
            looks[k] = 0.0
        elif k == 0:
            looks[k] = 1.0
        elif propensities == ASSUMED:
            looks[k] = (k + 1.0) ** -eta
        elif (
            propensities == SWAPS
        ):  # of neighbours in either order; one click is added to each, against chance at first
            looks[k] = looks[k - 1] * (page.memory[BELOW * n + k - 1] + 1.0) / (page.memory[ABOVE * n + k - 1] + 1.0)
        else:
            looks[k] = page.memory[EM_LOOKS * n + k] / page.memory[EM_LOOKS * n]


@compiled
def chance(page: Page, document: int, place: int, epsilon: float) -> float:
    """Return π₀, the chance that the policy shows a document at a place."""
    n = page.shown.shape[0]
    own = int(page.memory[AT * n + document])
    if own == place:
        beside = 0.25 * ((own > 0) + (own < n - 1))  # it is in a pair with each neighbour half of the time
        return (1.0 - epsilon) * (1.0 - beside) + epsilon / n
    return (1.0 - epsilon) * 0.25 * (abs(own - place) == 1) + epsilon / n


@compiled
def look_chances(page: Page, epsilon: float) -> None:
    """Write to `page.key` ρ_d = Σ_k π₀(d at k) θ_k, the chance that a document is looked at."""
    n, mean = page.shown.shape[0], 0.0
    looks = page.memory[LOOKS * n : (LOOKS + 1) * n]
    for k in range(n):
        mean += looks[k] / n
    for d in range(n):
        own, near = int(page.memory[AT * n + d]), 0.0
        for k in range(max(own - 1, 0), min(own + 2, n)):
            near += (chance(page, d, k, epsilon) - epsilon / n) * looks[k]
        page.key[d] = near + epsilon * mean


@compiled
def clicks_of(page: Page, document: int) -> float:
    """Return how often a document was clicked."""
    n, total = page.shown.shape[0], 0.0
    for k in range(n):
        total += page.memory[(ROWS + n + document) * n + k]
    return total


@compiled
def looked_at(page: Page, document: int) -> float:
    """Return Σ_k θ_k (times shown at k), how often a document was looked at in expectation, given what was shown."""
    n, total = page.shown.shape[0], 0.0
    for k in range(n):
        total += page.memory[(ROWS + document) * n + k] * page.memory[LOOKS * n + k]
    return total


@compiled
def model(page: Page) -> None:
    """Write to `page.tried` r̂_d, the clicks for each look, smoothed by one look with the mean of all documents."""
    n, clicks, looks = page.shown.shape[0], 0.0, 0.0
    for d in range(n):
        clicks += clicks_of(page, d)
        looks += looked_at(page, d)
    for d in range(n):
        page.tried[d] = (clicks_of(page, d) + clicks / max(looks, 1.0)) / (looked_at(page, d) + 1.0)


@compiled
def weigh_clicks(page: Page, epsilon: float, clip: float, robust: bool) -> None:
    """Write to `page.tried` each document's relevance by inverse propensities, Σ c_d / (N max(ρ_d, clip)).

    If it is to be doubly robust, they correct r̂_d: r̂_d + Σ (c_d − θ_k r̂_d) / (N max(ρ_d, clip)).
    """
    n, interactions = page.shown.shape[0], max(page.t - 1.0, 1.0)
    if robust:
        model(page)
    look_chances(page, epsilon)
    for d in range(n):
        expected = page.tried[d] if robust else 0.0
        missed = clicks_of(page, d) - (looked_at(page, d) * expected if robust else 0.0)
        page.tried[d] = expected + missed / (interactions * max(page.key[d], clip, 1e-12))


@compiled
def rank_learned(page: Page) -> None:
    """Predict the documents by falling `page.tried`, ties in the order of the log's list. Overwrites `page.key`."""
    n = page.shown.shape[0]
    for k in range(n):
        page.key[k] = page.tried[int(page.memory[LIST * n + k])]
    sort(page.key, n, page.improved, page.place)
    for k in range(n):
        page.predicted[k] = int(page.memory[LIST * n + page.improved[k]])


@compiled
def freeze(page: Page) -> None:
    """Take the list learned so far as the one to be valued by the clicks to come, with a model of its clicks."""
    n, start = page.shown.shape[0], sums_at(page.shown.shape[0])
    model(page)
    for k in range(n):
        page.memory[TARGET * n + k] = page.predicted[k]
        page.memory[MODEL * n + k] = page.memory[LOOKS * n + k] * page.tried[page.predicted[k]]
    for i in range(start, start + 1 + 2 * min(n, PLACES)):
        page.memory[i] = 0.0


@compiled
def add_to_sums(page: Page) -> None:
    """Count this interaction, and at each place whether it showed, and got clicked, what the valued list has there."""
    n, start = page.shown.shape[0], sums_at(page.shown.shape[0])
    places = min(n, PLACES)
    page.memory[start] += 1.0
    for k in range(places):
        if page.memory[TARGET * n + k] == page.shown[k]:
            page.memory[start + 1 + k] += page.clicks[k]
            page.memory[start + 1 + places + k] += 1.0


@compiled
def count(page: Page, epsilon: float) -> None:
    """Count one more interaction of the log. At steps 1, 2, 4, 8, … a new list is valued, by the clicks from there."""
    n = page.shown.shape[0]
    if page.t & (page.t - 1) == 0:
        freeze(page)
    add_to_sums(page)
    random, first = page.draws[0] < epsilon, 0 if page.draws[1] < 0.5 else 1
    for k in range(n):
        page.memory[(ROWS + page.shown[k]) * n + k] += 1.0
        if page.clicks[k]:
            page.memory[(ROWS + n + page.shown[k]) * n + k] += 1.0
        if k < n - 1 and (random or k % 2 == first):
            page.memory[ABOVE * n + k] += page.clicks[k]
            page.memory[BELOW * n + k] += page.clicks[k + 1]


@compiled
def fit(page: Page) -> None:
    """Take one round of EM over all that the log holds so far. Overwrites `page.key` and `page.tried`."""
    n = page.shown.shape[0]
    shown, clicked = page.memory[ROWS * n : (ROWS + n) * n], page.memory[(ROWS + n) * n : (ROWS + 2 * n) * n]
    looks = page.memory[EM_LOOKS * n : (EM_LOOKS + 1) * n]
    attracts = page.memory[EM_ATTRACTS * n : (EM_ATTRACTS + 1) * n]
    go_round(shown, clicked, looks, attracts, page.key, page.tried)
