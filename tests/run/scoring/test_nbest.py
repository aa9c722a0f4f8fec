"""Candidates are scored as segments are, and the best of them are found."""

from typing import Any

import numpy as np
import pytest

import kilter
from kilter.core.errors import InputError, OptionError

LISTS = [["the mat sat on a cat", "a cat sat on the mat"], ["dogs sleep"], ["b a", "a b", "a b"]]
REFERENCES = ["a cat sat on the mat", "dogs sleep well", "a b"]
LM = {"lm": [[-1.0, -2.0], [0.0], [0.0, 0.0, 1.0]]}


@pytest.mark.parametrize("metric", ["bleu", "kendall", "lr", "ter", "pef"])
def test_candidates_score_what_segments_do_and_their_statistics_add_up(metric: str) -> None:
    table = kilter.score_nbest(LISTS, REFERENCES, metrics=metric)
    assert table["segment"].tolist() == [1, 1, 2, 3, 3, 3]
    assert table["candidate"].tolist() == [1, 2, 1, 1, 2, 3]
    one = [group[-1] for group in LISTS]
    result = kilter.score(one, REFERENCES, metrics=metric)
    assert table["score"][[1, 2, 5]].tolist() == result.segments["score"].tolist()
    rows = [[float(value) for value in cell.split()] for cell in table["statistics"][[1, 2, 5]]]
    total = kilter.metric(metric).corpus_score(np.sum(rows, axis=0))
    assert float(total) == pytest.approx(result.systems["system"][metric].score)


def test_several_references_and_metrics_have_rows_of_their_own() -> None:
    several = [[reference, "x"] for reference in REFERENCES]
    table = kilter.score_nbest(LISTS, several, metrics=["kendall", "bleu"])
    assert table["metric"].tolist() == ["kendall"] * 6 + ["bleu"] * 6
    single = kilter.score_nbest(LISTS, REFERENCES, metrics="kendall")
    assert table["score"][:6].tolist() == single["score"].tolist()


def test_the_best_candidate_is_that_of_the_greatest_sum_and_of_equal_ones_the_first() -> None:
    assert kilter.rerank(LISTS, REFERENCES, weights="kendall") == [1, 0, 1]
    assert kilter.rerank(LISTS, weights="lm", features=LM) == [0, 0, 2]
    both: dict[str, float] = {"kendall": 1.0, "lm": 0.01}
    assert kilter.rerank(LISTS, REFERENCES, weights=both, features=LM) == [1, 0, 2]
    assert kilter.rerank(LISTS, weights={"lm": -1.0}, features=LM) == [1, 0, 0]


def test_less_is_better_where_it_is() -> None:
    assert kilter.rerank(LISTS, REFERENCES, weights="ter") == [1, 0, 1]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"weights": "kendall"}, OptionError, "'kendall' is no feature .there are: none., and a metric needs"),
        ({"weights": {}}, OptionError, "weights are empty; name a metric or a feature"),
        ({"weights": "lm", "features": {"lm": [[1.0]]}}, InputError, "needs a list of numbers for each segment"),
        ({"weights": "lm", "features": {"lm": [["x", "y"], [0], [1, 2, 3]]}}, InputError, "what is not a number"),
        ({"weights": "lm", "features": {"lm": [[1, 2], [0], [1, 2, float("nan")]]}}, InputError, "not finite"),
        ({"references": ["a"], "weights": "kendall"}, InputError, "references: has 1 segment, but there are"),
    ],
)  # fmt: skip
def test_what_cannot_be_weighed_is_refused(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        kilter.rerank(LISTS, **arguments)


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ([["a"], []], "candidates: segment 2: has no candidate; give at least one"),
        ([], "candidates: there is no segment"),
        (["a"], "candidates: segment 1: "),
    ],
)
def test_lists_without_candidates_are_refused(lists: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        kilter.score_nbest(lists, ["a"] * len(lists))


@pytest.mark.parametrize("metrics", ["nosuch", "bleu"])
def test_metrics_of_a_choice_are_named_in_its_weights_alone(metrics: str) -> None:
    with pytest.raises(OptionError, match="name the metrics in weights, and leave it out"):
        kilter.rerank(LISTS, REFERENCES, weights="kendall", metrics=metrics)


SOURCE = ["eine Katze sass auf der Matte", "Hunde schlafen gut", "x y"]
TO_HYPOTHESES = kilter.LinkBatch.of(
    [
        [(0, 0), (1, 5), (2, 2)],
        [(0, 0), (1, 1), (2, 2)],
        [(0, 0), (1, 1)],
        [(0, 1), (1, 0)],
        [(0, 0), (1, 1)],
        [(1, 0)],
    ]
)
TO_REFERENCES = kilter.LinkBatch.of(
    [[(k, k) for k in range(6)], [(0, 0), (1, 1)], [(0, 0), (1, 1)]]
)


@pytest.mark.parametrize("metric", ["lr:through=source", "frs", "crossings"])
def test_links_have_a_segment_for_each_candidate(metric: str) -> None:
    links = kilter.Links(source_hypothesis=(TO_HYPOTHESES,), source_reference=(TO_REFERENCES,))
    table = kilter.score_nbest(LISTS, REFERENCES, source=SOURCE, links=links, metrics=metric)
    owners = [0, 0, 1, 2, 2, 2]
    every = kilter.score(
        [line for group in LISTS for line in group],
        [REFERENCES[place] for place in owners],
        source=[SOURCE[place] for place in owners],
        links=kilter.Links(
            source_hypothesis=(TO_HYPOTHESES,),
            source_reference=(kilter.LinkBatch.of([TO_REFERENCES.segment(k) for k in owners]),),
        ),
        metrics=metric,
    )
    assert table["score"].tolist() == every.segments["score"].tolist()
    best = kilter.rerank(LISTS, REFERENCES, source=SOURCE, links=links, weights=metric)
    scores = table["score"].tolist()
    assert best == [
        max(range(len(part)), key=part.__getitem__)
        for part in (scores[:2], scores[2:3], scores[3:])
    ]


def test_links_that_do_not_fit_candidates_are_refused() -> None:
    links = kilter.Links(source_hypothesis=(TO_REFERENCES,), source_reference=(TO_REFERENCES,))
    with pytest.raises(InputError, match="has 3 lines, but there are 6 candidates; give links of"):
        kilter.score_nbest(LISTS, REFERENCES, source=SOURCE, links=links, metrics="frs")
    with pytest.raises(OptionError, match="links are looked at by metrics only"):
        kilter.rerank(LISTS, weights="lm", features=LM, links=TO_HYPOTHESES)


def test_a_candidate_whose_score_is_missing_never_wins_unless_the_score_does_not_count() -> None:
    sentence = "the old man quickly bought a house"
    lists, references = [["completely different words", sentence]], [sentence]
    assert kilter.rerank(lists, references, weights="order") == [1]
    features = {"lm": [[2.0, 1.0]]}
    weights = {"order": 0.0, "lm": 1.0}
    assert kilter.rerank(lists, references, weights=weights, features=features) == [0]
