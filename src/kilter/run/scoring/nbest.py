"""Scores of every candidate of n-best lists, and the candidates that are best by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.settings import checked_value, taken, takes, unsequenced
from kilter.io.links import read_links
from kilter.io.score_file import statistics_cell
from kilter.io.stream import ByteSource
from kilter.io.text import entries, text_lines
from kilter.results.score_result import ScoreTable
from kilter.run.scoring.corpus import ALONE, Texts, texts_from_api
from kilter.run.scoring.links import GivenLinks, LinkPath, Links
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.links import LinkBatch
    from kilter.run.scoring.measurement import Measurement

_LISTS = "a list of strings, the candidates, for each segment"


@takes(Settings)
def score_nbest(
    candidates: object,
    references: object,
    *,
    source: object = None,
    links: Links | GivenLinks | None = None,
    settings: Settings | None = None,
    **keywords: object,
) -> ScoreTable:
    """Return score and additive statistics of every candidate by every metric, a row each.

    `candidates` hold a list of strings for each segment, `references` a string, or a list of strings. The
    rows are those of the first metric, segment by segment; segments and candidates count from 1. Statistics
    of the chosen candidates, summed, are what corpus scores are made of. Links of hypotheses have a segment
    for each candidate, in this order, those of source and reference one for each segment.

    >>> table = score_nbest([["a b c", "c b a"]], ["a b c"], metrics="kendall")
    >>> table["candidate"].tolist(), table["score"].tolist()
    ([1, 2], [1.0, 0.0])
    """
    options = taken(Settings, settings, keywords)
    chosen = options
    lists = _lists(candidates)
    beside = texts_from_api(_firsts(lists), references, source)
    texts = nbest_texts(lists, beside, Links.of(links))
    return nbest_table(measure(texts, chosen), lists)


@takes(Settings)
def rerank(
    candidates: object,
    references: object = None,
    *,
    weights: str | Mapping[str, float],
    features: Mapping[str, Any] | None = None,
    source: object = None,
    links: Links | GivenLinks | None = None,
    settings: Settings | None = None,
    **keywords: object,
) -> list[int]:
    """Return the place of the best candidate of each segment, counted from 0; of equal ones the first.

    `weights` are a metric or a feature, or several with the weight of each in a sum: `features` by name,
    a list of numbers for each segment, and metrics, which need references. Of metrics where less is better,
    less counts for more. Links are those of `score_nbest`.

    >>> rerank([["c b a", "a b c"]], ["a b c"], weights="kendall")
    [1]
    >>> lm = {"lm": [[-1.0, -9.0]]}
    >>> rerank([["c b a", "a b c"]], ["a b c"], weights={"kendall": 1, "lm": 0.5}, features=lm)
    [0]
    """
    options = taken(Settings, settings, keywords)
    if options.metrics != Settings().metrics:
        raise OptionError(
            "metrics has no effect here; name the metrics in weights, and leave it out"
        )
    chosen = options
    lists = _lists(candidates)
    texts = None
    if references is not None:
        beside = texts_from_api(_firsts(lists), references, source)
        texts = nbest_texts(lists, beside, Links.of(links))
    elif links is not None:
        raise OptionError("links are looked at by metrics only, which need references; name them")
    return best_candidates(lists, texts, _weights(weights), _features(features, lists), chosen)


def best_candidates(
    lists: Sequence[Sequence[str]],
    texts: Texts | None,
    weights: Mapping[str, float],
    features: Mapping[str, NDArray[np.float64]],
    settings: Settings,
) -> list[int]:
    """Return the place of the best candidate of each segment by a weighted sum of features and metrics."""
    total = np.zeros(sum(map(len, lists)))
    metrics = [name for name in weights if name not in features]
    for name in weights:
        if name in features:
            total += weights[name] * features[name]
    if metrics:
        total += _weighted_metrics(metrics, texts, weights, features, settings)
    starts = np.cumsum([0, *map(len, lists)])
    # A candidate whose score is missing never wins against one that has a score.
    known = np.where(np.isnan(total), -np.inf, total)
    return [int(np.argmax(known[a:b])) for a, b in pairwise(starts)]


def _weighted_metrics(
    metrics: Sequence[str],
    texts: Texts | None,
    weights: Mapping[str, float],
    features: Mapping[str, object],
    settings: Settings,
) -> NDArray[np.float64]:
    if texts is None:
        known = ", ".join(features) or "none"
        raise OptionError(
            f"{metrics[0]!r} is no feature (there are: {known}), and a metric needs references; name them"
        )
    total = np.zeros(len(next(iter(texts.systems.values()))))
    for name in (each for each in metrics if weights[each] != 0.0):
        measured = measure(texts, replace(settings, metrics=name))
        column = measured.measured[-1]
        sign = 1.0 if column.metric.higher_is_better else -1.0
        total += weights[name] * sign * measured.scores[column.name, measured.systems[0]]
    return total


def nbest_texts(
    lists: Sequence[Sequence[str]],
    texts: Texts,
    links: Links | None = None,
    *,
    rows: Sequence[int] | None = None,
) -> Texts:
    """Return texts in which every candidate is a segment, with the references and the source of its own.

    `links` of hypotheses have a segment for each candidate, those of source and reference one for each
    segment. `rows` are the places of the candidates in files of links, where these have another order.
    """
    owners = [place for place, group in enumerate(lists) for _ in group]

    def of_each(lines: Sequence[str]) -> tuple[str, ...]:
        return tuple(lines[place] for place in owners)

    for name, lines in texts.named():
        if len(lines) != len(lists):
            raise InputError(
                f"has {counted(len(lines), 'segment')}, but there are candidates of {len(lists)}",
                where=name,
            )
    return Texts(
        systems={ALONE: tuple(line for group in lists for line in group)},
        references={name: of_each(lines) for name, lines in texts.references.items()},
        source=(texts.source[0], of_each(texts.source[1])) if texts.source else None,
        links=_candidate_links(links or Links(), owners, len(lists), rows or range(len(owners))),
    )


def _candidate_links(
    given: Links, owners: Sequence[int], segments: int, rows: Sequence[int]
) -> Links:
    """Return links with a segment for each candidate."""

    def of_candidates(links: GivenLinks) -> LinkBatch:
        return _picked(links, rows, len(rows), "candidate")

    return replace(
        given,
        hypothesis_reference=tuple(
            tuple(map(of_candidates, batches)) for batches in given.hypothesis_reference
        ),
        source_hypothesis=tuple(map(of_candidates, given.source_hypothesis)),
        source_reference=tuple(
            _picked(links, owners, segments, "segment") for links in given.source_reference
        ),
    )


def _picked(given: GivenLinks, rows: Sequence[int], count: int, noun: str) -> LinkBatch:
    """Return the links of these rows of a batch or file, which has `count` of them."""
    batch = given
    if isinstance(batch, LinkPath):
        batch = read_links(ByteSource(batch.path), form=batch.form).sure
    if len(batch) != count:
        raise InputError(
            f"has {counted(len(batch), 'line')}, but there are {counted(count, noun)}; give links of each",
            where=given.path if isinstance(given, LinkPath) else batch.origin.name or "links",
        )
    return batch.picked(rows)


def nbest_table(measurement: Measurement, lists: Sequence[Sequence[str]]) -> ScoreTable:
    """Return the rows of all metrics: segment, candidate, metric, score and statistics."""
    segments = [place + 1 for place, group in enumerate(lists) for _ in group]
    places = [place + 1 for group in lists for place in range(len(group))]
    (system,) = measurement.systems
    names, scores, cells = [], [], []
    for each in measurement.measured:
        names += [each.name] * len(places)
        scores.append(measurement.scores[each.name, system])
        cells += [
            statistics_cell(row, each.configurations) for row in np.asarray(each.statistics[0])
        ]
    times = len(measurement.measured)
    return ScoreTable(
        {
            "segment": np.array(segments * times, dtype=np.int64),
            "candidate": np.array(places * times, dtype=np.int64),
            "metric": np.array(names, dtype=object),
            "score": np.concatenate(scores),
            "statistics": np.array(cells, dtype=object),
        }
    )


def _lists(candidates: object) -> list[tuple[str, ...]]:
    groups = entries(candidates, where="candidates", wanted=_LISTS)
    lists = []
    for place, group in enumerate(groups):
        where = f"candidates: segment {place + 1}"
        lines = text_lines(group, where=where, wanted=_LISTS)
        if not lines:
            raise InputError("has no candidate; give at least one", where=where)
        lists.append(lines)
    if not lists:
        raise InputError("there is no segment", where="candidates")
    return lists


def _firsts(lists: Sequence[Sequence[str]]) -> list[str]:
    return [group[0] for group in lists]


def _weights(weights: object) -> dict[str, float]:
    given = checked_value("weights", weights, str | Mapping[str, float])
    named = {given: 1.0} if isinstance(given, str) else dict(given)
    if not named:
        raise OptionError("weights are empty; name a metric or a feature")
    return named


def _features(features: object, lists: Sequence[Sequence[str]]) -> dict[str, NDArray[np.float64]]:
    given = checked_value("features", features, Mapping[str, Any] | None) or {}
    sizes = [len(group) for group in lists]
    found = {}
    for name, listed in given.items():
        where = f"features[{name!r}]"
        groups = entries(listed, where=where, wanted="a list of numbers for each segment")
        if [0 if unsequenced(group) else len(group) for group in groups] != sizes:
            raise InputError(
                "needs a list of numbers for each segment, one a candidate", where=where
            )
        try:
            found[name] = np.array([value for group in groups for value in group], dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"holds what is not a number: {error}", where=where) from error
        if not np.isfinite(found[name]).all():
            raise InputError("holds a number that is not finite", where=where)
    return found
