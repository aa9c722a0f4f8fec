"""What the tests of the interpolated metrics share."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.golden import Case
from tests.oracles import lexical
from tests.oracles import permutation as oracle

Link = tuple[int, int]
ORDERS = ("kendall", "hamming", "pef")
_SCORES: dict[str, Callable[[tuple[int, ...]], Fraction]] = {
    "kendall": oracle.kendall,
    "hamming": oracle.hamming,
    "pef": oracle.pef,
}


def ordering(name: str, links: Sequence[Link]) -> float:
    """Return the bare score of the permutation of one-to-one links."""
    return float(_SCORES[name](lexical.permutation(links)))


def pieces(case: Case) -> tuple[list[str], list[str], list[Link]]:
    """Return a golden case's sentences, and links of their first words that make its permutation."""
    links = [(first, value - 1) for first, value in enumerate(case["pi"])]
    return case["sys"], case["ref"], links
