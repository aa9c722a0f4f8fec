"""How well annotators agree with one another, and with what was adjudicated."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.links import LinkBatch
from kilter.run.link_agreement import GradedLinks, TextLengths, compare_links
from kilter.study.annotation.project import ADJUDICATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kilter.results.links import LinkComparison
    from kilter.stats.resampling import Resampling
    from kilter.study.annotation.annotation import Annotation
    from kilter.study.annotation.project import Project


def annotator_agreement(
    project: Project, annotations: Iterable[Annotation], *, resampling: Resampling | None = None
) -> list[LinkComparison]:
    """Return a comparison for every two annotators who share sentences, both ways, and with the adjudicated.

    Sentences count that both are done with.
    """
    done: dict[str, dict[int, Annotation]] = {}
    for each in annotations:
        if each.done:
            done.setdefault(each.account, {})[each.sentence] = each
    pairs = list(permutations(project.annotators, 2))
    if ADJUDICATED in done:
        pairs += [(name, ADJUDICATED) for name in project.annotators]
    return [
        _compared(project, pair, done, resampling)
        for pair in pairs
        if {*project.dealt(pair[0])} & {*project.dealt(pair[1])}
    ]


def _compared(
    project: Project,
    names: tuple[str, str],
    done: dict[str, dict[int, Annotation]],
    resampling: Resampling | None,
) -> LinkComparison:
    one, other = (done.get(name, {}) for name in names)
    numbers = sorted(one.keys() & other.keys())
    words = [
        [project.target_words(side[number].translation) for number in numbers]
        for side in (one, other)
    ]
    same = np.array([ours == theirs for ours, theirs in zip(*words, strict=True)], dtype=np.bool_)
    first, second = (graded([side[number] for number in numbers]) for side in (one, other))
    return compare_links(
        names,
        first,
        second,
        lengths=TextLengths(
            _lengths([project.sentence(number).words for number in numbers]), _lengths(words[0])
        ),
        same=same,
        possible=project.possible,
        resampling=resampling,
    )


def graded(annotations: Sequence[Annotation]) -> GradedLinks:
    """Return the links that were drawn in some sentences."""
    return GradedLinks(
        LinkBatch.of([[link.pair for link in each.drawn if link.sure] for each in annotations]),
        LinkBatch.of([[link.pair for link in each.drawn] for each in annotations]),
    )


def _lengths(words: Sequence[Sequence[str]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([len(line) for line in words], dtype=np.int64)
