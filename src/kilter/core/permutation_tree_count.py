"""The exact number of permutation trees: a product of Catalan numbers. [PC] section 3"""

from __future__ import annotations

import decimal
from functools import cache
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

# Up to here Catalan numbers are computed one by one and kept; beyond, from their prime factors.
_LARGEST_KEPT = 2048
# Python refuses to print integers beyond 4300 digits; 4 ** 7000 has 4215.
_PRINTABLE_WIDTH = 7000


def tree_count(widths: Iterable[int]) -> int:
    """Return the product of Catalan(width - 1): the trees of linear nodes of these widths.

    >>> tree_count([4, 3])
    10
    """
    listed = list(widths)
    if max(listed, default=0) <= _LARGEST_KEPT:
        return prod(map(_catalan, listed))
    return prod(int(p) ** int(e) for p, e in _prime_powers(listed))


def tree_count_digits(widths: Iterable[int]) -> str:
    """Return the same number in decimal digits, however long it is.

    Python's own conversion to digits takes quadratic time and stops at 4300 digits; the product in
    decimal arithmetic does neither.
    """
    listed = list(widths)
    if sum(listed) <= _PRINTABLE_WIDTH:
        return str(tree_count(listed))
    with decimal.localcontext() as context:
        context.prec = decimal.MAX_PREC
        context.Emax = decimal.MAX_EMAX
        context.Emin = decimal.MIN_EMIN
        factors = [decimal.Decimal(int(p)) ** int(e) for p, e in _prime_powers(listed)]
        while len(factors) > 1:  # pairwise, so that the factors stay of equal size
            odd = factors[-1:] if len(factors) % 2 else []
            pairs = zip(factors[::2], factors[1::2], strict=False)
            factors = [a * b for a, b in pairs] + odd
        return f"{factors[0]:f}" if factors else "1"


@cache
def _catalan(width: int) -> int:
    return comb(2 * width - 2, width - 1) // width


def _prime_powers(widths: list[int]) -> list[tuple[int, int]]:
    """Return the prime factors of the product with their exponents, by Legendre's formula."""
    counts = np.unique(np.asarray(widths, dtype=np.int64), return_counts=True)
    primes = _primes_below(2 * max(widths))
    exponents = np.zeros(len(primes), dtype=np.int64)
    for width, times in zip(*(column.tolist() for column in counts), strict=True):
        # Catalan(width - 1) = (2 width - 2)! / ((width - 1)! width!)
        top = _factorial_exponents(2 * width - 2, primes)
        below = _factorial_exponents(width - 1, primes) + _factorial_exponents(width, primes)
        exponents += times * (top - below)
    used = np.flatnonzero(exponents)
    return list(zip(primes[used].tolist(), exponents[used].tolist(), strict=True))


def _primes_below(limit: int) -> NDArray[np.int64]:
    sieve = np.ones(limit, dtype=np.bool_)
    sieve[:2] = False
    for number in range(2, int(limit**0.5) + 1):
        if sieve[number]:
            sieve[number * number :: number] = False
    return np.flatnonzero(sieve).astype(np.int64)


def _factorial_exponents(number: int, primes: NDArray[np.int64]) -> NDArray[np.int64]:
    exponents = np.zeros(len(primes), dtype=np.int64)
    quotient = np.full(len(primes), number, dtype=np.int64)
    while (quotient := quotient // primes).any():
        exponents += quotient
    return exponents
