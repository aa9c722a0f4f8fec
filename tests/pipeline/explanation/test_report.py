"""What a report is made of."""

import numpy as np
import pytest

import kilter
from kilter.errors import OptionError
from kilter.pipeline.demo import sample_texts
from kilter.pipeline.explanation.report import report, report_texts
from kilter.pipeline.scoring.compare import compare_texts
from kilter.pipeline.scoring.score import score_texts
from kilter.pipeline.scoring.settings import Settings

LINES = [f"word {n} stands here" for n in range(4)]
TURNED = [" ".join(reversed(line.split())) for line in LINES]


def test_its_numbers_are_those_of_score_and_compare() -> None:
    texts, settings = sample_texts(), Settings(metrics=("bleu", "kendall"), language="en")
    found = report_texts(texts, settings)
    assert found.comparison == compare_texts(texts, settings)
    scored = score_texts(texts, settings)
    assert dict(found.metrics) == dict(scored.metrics)
    for key, scores in scored.segment_arrays.items():
        np.testing.assert_array_equal(found.scores[key], scores)


def test_links_are_there_also_where_no_metric_looks_at_them() -> None:
    found = report({"a": TURNED}, LINES, metrics="bleu")
    assert found.links[0].segment(0) == [(0, 3), (1, 2), (2, 1), (3, 0)]


def test_given_links_are_those_of_the_report() -> None:
    given = kilter.LinkBatch.of([[(0, 0)]] * 4)
    found = report(TURNED, LINES, metrics="kendall", links=given)
    assert found.links[0].segment(3) == [(0, 0)]


def test_the_first_two_systems_are_looked_at_first_unless_others_are_named() -> None:
    systems = {"a": LINES, "b": TURNED, "c": LINES}
    assert report(systems, LINES, metrics="bleu").pair == ("a", "b")
    assert report(systems, LINES, metrics="bleu", pair=("c", "a")).pair == ("c", "a")
    assert report(LINES, LINES, metrics="bleu").pair is None


@pytest.mark.parametrize(
    ("pair", "fault"),
    [(("a", "x"), "there is no system 'x' for the pair; there are a, b"), (("a", "a"), "a twice")],
)
def test_a_pair_that_is_none_is_an_error(pair: tuple[str, str], fault: str) -> None:
    with pytest.raises(OptionError, match=fault):
        report({"a": LINES, "b": TURNED}, LINES, metrics="bleu", pair=pair)


def test_systems_and_references_that_were_exchanged_are_noted() -> None:
    texts = [[f"a {n}", f"b {n}", f"c {n}", f"d {n}"] for n in range(2)]
    exchanged = kilter.score(texts[0], [[a, b] for a, b in zip(*texts, strict=True)])
    found = report(texts[0], [[a, b] for a, b in zip(*texts, strict=True)])
    assert found.notes == exchanged.notes
