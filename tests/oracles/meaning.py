"""What vectors say about two sentences, by plain loops over words and over pairs of links."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Vector = Sequence[float]


@dataclass(frozen=True)
class Meaning:
    """The numbers of one pair of sentences."""

    precision: list[float]
    recall: list[float]
    bigram: list[float]
    masses: list[list[float]]
    concordant: float
    discordant: float
    first_concordant: list[float]
    first_discordant: list[float]


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors; 0 if one of them is 0."""
    size = math.sqrt(math.fsum(a * a for a in one)) * math.sqrt(math.fsum(b * b for b in other))
    return math.fsum(a * b for a, b in zip(one, other, strict=True)) / size if size else 0.0


def unit(vector: Vector) -> Vector:
    size = math.sqrt(math.fsum(a * a for a in vector))
    return [a / size if size else 0.0 for a in vector]


def bigrams(vectors: Sequence[Vector]) -> list[Vector]:
    """Return the sums of the unit vectors of every two words in a row."""
    units = [unit(vector) for vector in vectors]
    return [
        [a + b for a, b in zip(units[k], units[k + 1], strict=True)] for k in range(len(units) - 1)
    ]


def meaning(
    first: Sequence[Vector],
    second: Sequence[Vector],
    *,
    context: float,
    position: float,
    temperature: float,
    floor: float,
) -> Meaning:
    n, m = len(first), len(second)
    cosines = {(i, j): cosine(first[i], second[j]) for i in range(n) for j in range(m)}
    sharp = {}
    for (i, j), own in cosines.items():
        near = cosines.get((i - 1, j - 1), 0.0) + cosines.get((i + 1, j + 1), 0.0)
        similar = own + context * near / 2 - position * abs(i / n - j / m)
        sharp[i, j] = math.exp((similar - 1) / temperature)
    least = math.exp((floor - 1) / temperature)
    rows = [math.fsum(sharp[i, j] for j in range(m)) + least for i in range(n)]
    columns = [math.fsum(sharp[i, j] for i in range(n)) + least for j in range(m)]
    mass = {(i, j): e * e / (rows[i] * columns[j]) for (i, j), e in sharp.items()}
    alike, turned = [0.0] * n, [0.0] * n
    for (i, j), q in mass.items():
        for (k, other), r in mass.items():
            if (i - k) * (j - other) > 0:
                alike[i] += q * r
            elif (i - k) * (j - other) < 0:
                turned[i] += q * r
    pairs = [
        [cosine(one, other) for one in bigrams(first)] for other in bigrams(second)
    ]  # by second bigram
    return Meaning(
        precision=[max((cosines[i, j] for j in range(m)), default=0.0) for i in range(n)],
        recall=[max((cosines[i, j] for i in range(n)), default=0.0) for j in range(m)],
        bigram=[max(found, default=0.0) for found in pairs] + [0.0] * (m > 0),
        masses=[[mass[i, j] for j in range(m)] for i in range(n)],
        concordant=math.fsum(alike) / 2,
        discordant=math.fsum(turned) / 2,
        first_concordant=alike,
        first_discordant=turned,
    )
