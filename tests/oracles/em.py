"""IBM Model 1, the hidden Markov alignment model and symmetrization, from their definitions."""

# Sentences are tuples of words, None is the NULL word, -1 the position before the first word.
# Everything is summed over all states, without scaling: for short sentences only.

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeAlias

Sentence: TypeAlias = Sequence[str]
Pair: TypeAlias = tuple[Sentence, Sentence]
Word: TypeAlias = str | None
Table: TypeAlias = dict[tuple[Word, str], float]
Posteriors: TypeAlias = list[dict[int, float]]
Link: TypeAlias = tuple[int, int]
LEAST = 1e-12


def flipped(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs read in the other direction."""
    return [(target, source) for source, target in pairs]


def uniform_table(pairs: Sequence[Pair]) -> Table:
    """Return 1 / (number of target words) for each pair of words that occur together."""
    words = {word for _, target in pairs for word in target}
    table: Table = {}
    for source, target in pairs:
        for one, other in product(source, target):
            table[one, other] = 1 / len(words)
    table.update({(None, word): 1 / len(words) for word in words})
    return table


def model1_posteriors(table: Table, pair: Pair) -> tuple[Posteriors, float]:
    """Return p(source position | target word) for each target word, NULL as -1; and the likelihood."""
    source, target = pair
    posteriors, likelihood = [], 0.0
    for word in target:
        weights = {-1: table[None, word]}
        weights |= {i: table[other, word] for i, other in enumerate(source)}
        total = sum(weights.values())
        likelihood += math.log(total / (len(source) + 1))
        posteriors.append({i: weight / total for i, weight in weights.items()})
    return posteriors, likelihood


def normalized(pairs: Sequence[Pair], posteriors: Sequence[Posteriors]) -> Table:
    """Return the table that makes the expected links most probable."""
    counts: dict[tuple[Word, str], float] = defaultdict(float)
    totals: dict[Word, float] = defaultdict(float)
    for (source, target), expected in zip(pairs, posteriors, strict=True):
        for word, row in zip(target, expected, strict=True):
            for i, probability in row.items():
                other = None if i < 0 else source[i]
                counts[other, word] += probability
                totals[other] += probability
    return {(s, t): c / totals[s] if totals[s] else 0.0 for (s, t), c in counts.items()}


def model1(pairs: Sequence[Pair], iterations: int) -> tuple[Table, list[float]]:
    """Return the table after EM and the log-likelihood before each iteration."""
    table, likelihoods = uniform_table(pairs), []
    for _ in range(iterations):
        found = [model1_posteriors(table, pair) for pair in pairs]
        likelihoods.append(sum(likelihood for _, likelihood in found))
        table = normalized(pairs, [posteriors for posteriors, _ in found])
    return table, likelihoods


class Jumps:
    """Weights of jumps from -reach to reach; farther ones weigh as much as the farthest."""

    def __init__(self, reach: int, null: float, uniform: float) -> None:
        self.reach, self.null, self.uniform = reach, null, uniform
        self.weights = dict.fromkeys(range(-reach, reach + 1), 1 / (2 * reach + 1))

    def bucket(self, jump: int) -> int:
        return max(-self.reach, min(self.reach, jump))

    def weight(self, jump: int) -> float:
        return self.weights[self.bucket(jump)]

    def norm(self, before: int, length: int) -> float:
        return sum(self.weight(i - before) for i in range(length))

    def jumped(self, before: int, after: int, length: int) -> float:
        """Return the probability of a move that the weights decide."""
        return (1 - self.uniform) * self.weight(after - before) / self.norm(before, length)

    def move(self, before: int, after: int, length: int) -> float:
        return self.jumped(before, after, length) + self.uniform / length


def paths(length: int, words: int) -> Iterator[tuple[int, ...]]:
    """Return every sequence of source positions, -1 for NULL."""
    return product(range(-1, length), repeat=words)


def path_probability(table: Table, jumps: Jumps, pair: Pair, path: Sequence[int]) -> float:
    """Return the joint probability of the target words and a path."""
    source, target = pair
    probability, last = 1.0, -1
    for word, i in zip(target, path, strict=True):
        other = None if i < 0 else source[i]
        probability *= max(table.get((other, word), LEAST), LEAST)
        if not source:
            continue
        if i < 0:
            probability *= jumps.null
        else:
            probability *= (1 - jumps.null) * jumps.move(last, i, len(source))
            last = i
    return probability


class Expectation:
    """What one sentence pair expects: posteriors, jumps, and how often each position is left."""

    def __init__(self, table: Table, jumps: Jumps, pair: Pair) -> None:
        source, target = pair
        self.posteriors: Posteriors = [defaultdict(float) for _ in target]
        self.jumps: dict[int, float] = defaultdict(float)
        self.norms: dict[int, float] = defaultdict(float)
        weighted = {
            path: path_probability(table, jumps, pair, path)
            for path in paths(len(source), len(target))
        }
        total = sum(weighted.values())
        self.likelihood = math.log(total)
        for path, weight in weighted.items():
            self._add(jumps, len(source), path, weight / total)

    def _add(self, jumps: Jumps, length: int, path: Sequence[int], share: float) -> None:
        last = -1
        for j, i in enumerate(path):
            self.posteriors[j][i] += share
            if i < 0:
                continue
            part = share * jumps.jumped(last, i, length) / jumps.move(last, i, length)
            self.jumps[jumps.bucket(i - last)] += part
            for other in range(length):
                self.norms[jumps.bucket(other - last)] += part / jumps.norm(last, length)
            last = i


def best_path(table: Table, jumps: Jumps, pair: Pair) -> float:
    """Return the probability of the most probable path."""
    source, target = pair
    found = paths(len(source), len(target))
    return max(path_probability(table, jumps, pair, path) for path in found)


def agreed(ahead: Posteriors, back: Posteriors) -> tuple[Posteriors, Posteriors]:
    """Return both directions with the product of their posteriors for every link."""
    both = {(i, j): ahead[j][i] * back[i][j] for j in range(len(ahead)) for i in range(len(back))}
    return (
        [{-1: row[-1]} | {i: both[i, j] for i in range(len(back))} for j, row in enumerate(ahead)],
        [{-1: row[-1]} | {j: both[i, j] for j in range(len(ahead))} for i, row in enumerate(back)],
    )


class Hmm:
    """Both directions, iteration by iteration."""

    def __init__(
        self, pairs: Sequence[Pair], model1_iterations: int, jumps: Sequence[Jumps]
    ) -> None:
        self.sides = (list(pairs), flipped(pairs))
        self.tables = [model1(side, model1_iterations)[0] for side in self.sides]
        self.jumps = list(jumps)

    def iterate(self, *, agree: bool) -> list[float]:
        """Return the log-likelihoods before the iteration."""
        found = [
            [Expectation(table, jumps, pair) for pair in side]
            for side, table, jumps in zip(self.sides, self.tables, self.jumps, strict=True)
        ]
        posteriors = [[one.posteriors for one in side] for side in found]
        if agree:
            both = [agreed(one, other) for one, other in zip(*posteriors, strict=True)]
            posteriors = [[one for one, _ in both], [other for _, other in both]]
        for which, side in enumerate(self.sides):
            self.tables[which] = normalized(side, posteriors[which])
            self._move(self.jumps[which], found[which])
        return [sum(one.likelihood for one in side) for side in found]

    @staticmethod
    def _move(jumps: Jumps, found: Sequence[Expectation]) -> None:
        for d in jumps.weights:
            norms = sum(one.norms[d] for one in found)
            if norms:
                jumps.weights[d] = sum(one.jumps[d] for one in found) / norms
        total = sum(jumps.weights.values())
        for d, weight in jumps.weights.items():
            jumps.weights[d] = max(weight / total, 1e-9) if total else 1.0


def symmetrized(forward: set[Link], reverse: set[Link], rule: str) -> set[Link]:
    """Return what a rule makes of two sets of (source, target) links."""
    simple = {
        "forward": forward,
        "reverse": reverse,
        "intersection": forward & reverse,
        "union": forward | reverse,
    }
    if rule in simple:
        return simple[rule]
    chosen = grown(forward & reverse, forward | reverse)
    if rule != "grow-diag":
        for direction in (forward, reverse):
            for link in sorted(direction, key=lambda link: (link[1], link[0])):
                if free(link, chosen, both=rule == "grow-diag-final-and"):
                    chosen.add(link)
    return chosen


def free(link: Link, chosen: set[Link], *, both: bool) -> bool:
    """Return whether one of a link's words, or both, have no chosen link."""
    source = all(s != link[0] for s, _ in chosen)
    target = all(t != link[1] for _, t in chosen)
    return source and target if both else source or target


def grown(chosen: set[Link], union: set[Link]) -> set[Link]:
    """Return the links with neighbours from the union, until there are no more."""
    neighbours = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]
    size = 1 + max((max(link) for link in union), default=0)
    before = None
    while before != chosen:
        before = set(chosen)
        for t, s in product(range(size), repeat=2):
            if (s, t) not in chosen:
                continue
            for dt, ds in neighbours:
                link = (s + ds, t + dt)
                if link in union and free(link, chosen, both=False):
                    chosen.add(link)
    return chosen
