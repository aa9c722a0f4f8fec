"""Resampling and its tests by their definitions: plain loops, exact fractions, all sign flips."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

INDICES, SWAPS, FLIPS = 0, 1, 2
_MASK = 2**64 - 1
_MULTIPLIERS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
_WEYL = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the four words of Philox4x64-10. Salmon et al. (2011)"""
    a, b, c, d = counter
    first, second = key
    for _ in range(10):
        one, other = _MULTIPLIERS[0] * a, _MULTIPLIERS[1] * c
        a, b, c, d = (
            (other >> 64) ^ b ^ first,
            other & _MASK,
            (one >> 64) ^ d ^ second,
            one & _MASK,
        )
        first, second = (first + _WEYL[0]) & _MASK, (second + _WEYL[1]) & _MASK
    return a, b, c, d


def index(segments: int, seed: int, resample: int, place: int) -> int:
    """Return the segment drawn for one place: unbiased, drawing again where it would not be."""
    attempt = 0
    while True:
        words = philox((place // 8, resample, attempt, INDICES), (seed, 0))
        bits = words[place // 2 % 4] >> (32 * (place % 2)) & 0xFFFFFFFF
        # Of the 2^32 values, those kept split into equal shares of the segments.
        if bits * segments % 2**32 >= 2**32 % segments:
            return bits * segments >> 32
        attempt += 1


def indices(segments: int, seed: int, resample: int) -> list[int]:
    """Return the segments of one bootstrap resample."""
    return [index(segments, seed, resample, place) for place in range(segments)]


def subset(segments: int, seed: int, stream: int, resample: int) -> list[int]:
    """Return the segments that a fair coin chooses."""
    return [
        place
        for place in range(segments)
        if philox((place // 256, resample, 0, stream), (seed, 0))[place // 64 % 4] >> place % 64 & 1
    ]


def exponent(values: Sequence[float], segments: int) -> int:
    """Return the largest exponent, at most 40, for which sums stay below 2^62 for certain.

    The bound is the next power of two above the largest value, and above the number of segments.
    """
    largest = max((abs(Fraction(value)) for value in values), default=Fraction(0))
    bound = Fraction(1)
    if largest:
        while bound <= largest:
            bound *= 2
        while bound / 2 > largest:
            bound /= 2
    many = 1
    while many <= segments:
        many *= 2
    found = 40
    while bound * many * Fraction(2) ** found > 2**62:
        found -= 1
    return found


def fixed(value: float, exponent: int) -> int:
    """Return the nearest multiple, halves to even."""
    return round(Fraction(value) * Fraction(2) ** exponent)


def sign_flip_p(differences: Sequence[Fraction]) -> Fraction:
    """Return the share of all sign assignments whose sum is at least as far from 0."""
    observed = abs(sum(differences, Fraction(0)))
    far = sum(abs(total) >= observed for total in _flipped(differences))
    return Fraction(far, 2 ** len(differences))


def _flipped(differences: Sequence[Fraction]) -> Iterator[Fraction]:
    for signs in product((1, -1), repeat=len(differences)):
        yield sum((s * d for s, d in zip(signs, differences, strict=True)), Fraction(0))


def percentile(values: Sequence[float], percent: Fraction) -> float:
    """Return the percentile, interpolated linearly between order statistics."""
    ordered = sorted(map(Fraction, values))
    place = percent / 100 * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (place - below) * (ordered[above] - ordered[below]))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the adjusted p-values: the smallest level at which Holm's procedure rejects each."""
    adjusted = []
    for p in p_values:
        smaller = [q for q in p_values if q <= p]
        # The j-th smallest is tested at level / (m - j + 1), ties in any order.
        bounds = [min(1.0, (len(p_values) - sum(r < q for r in p_values)) * q) for q in smaller]
        adjusted.append(max(bounds))
    return adjusted
