"""Evaluations of texts of which nothing but lengths and links is known."""

from kilter.core.corpus import TextColumn, Vocabulary
from kilter.core.evaluation import Evaluation
from kilter.core.links import LinkBatch
from tests.golden import Case

Drawn = tuple[int, int, list[tuple[int, int]]]


def as_links(case: Case) -> list[tuple[int, int]]:
    return [(first, second) for first, second in case["links"]]


def evaluation(
    lengths: list[list[int]],
    links: list[list[list[tuple[int, int]]]],
    source_links: list[list[tuple[int, int]]] | None = None,
) -> Evaluation:
    """Return an evaluation of texts of given lengths: the hypothesis', then the references'."""
    vocabulary = Vocabulary()
    texts = [
        TextColumn("text", tuple("" for _ in each), vocabulary.column([["w"] * n for n in each]))
        for each in lengths
    ]
    return Evaluation(
        vocabulary,
        texts[0],
        tuple(texts[1:]),
        links=tuple(LinkBatch.of(each) for each in links),
        source_links=None if source_links is None else LinkBatch.of(source_links),
    )


def two_references() -> Evaluation:
    """Return an evaluation in which now the one and now the other reference fits better."""
    straight, crossed = [(0, 0), (1, 1)], [(0, 1), (1, 0)]
    return evaluation(
        [[2, 2, 3], [2, 2, 3], [4, 2, 3]],
        [[crossed, straight, []], [straight, crossed, [(0, 0)]]],
    )


def from_source() -> Evaluation:
    """Return an evaluation of which the links with the source matter."""
    given_links = [[(0, 2), (1, 0), (2, 1)], [], [(5, 0)]]
    return evaluation([[6] * 3, [6] * 3], [[[]] * 3], given_links)
