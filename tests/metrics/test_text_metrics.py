"""What every metric over text keeps to."""

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kilter.cli.main import run
from kilter.core.evaluation import Evaluation
from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.registry import metric, metric_class
from tests.signed import metric_of
from tests.texts import evaluation

NAMES = ("bleu", "chrf", "ter", "f1", "meteor", "meteor-chunk", "ribes", "full", "sen", "lr")
CHANGED = (
    "bleu:order=2,smooth=add-one,effective=false",
    "chrf:words=2,beta=3",
    "ter:cased=true",
    "meteor:alpha=0.8,weight=0.4,exponent=1.0,corpus=mean",
    "meteor-chunk:weight=0.4",
    "ribes:alpha=0.5,lowercase=false",
    "full:alpha=0.3,order=kendall:root=true",
    "full:order=pef:beta=0.5+gamma=0.5",
    "sen:order=pet-size",
    "lr:alpha=0.1,order=hamming,bleu=1,through=reference",
)
PAGES = Path(__file__).parents[2] / "docs" / "metrics"


def drawn(segments: int, seed: int) -> Evaluation:
    generator = random.Random(seed)
    texts = [
        [generator.choices("abcdefgH", k=generator.randint(0, 9)) for _ in range(segments)]
        for _ in range(3)
    ]
    links = []
    for reference in texts[1:]:
        rows = []
        for words, others in zip(texts[0], reference, strict=True):
            size = generator.randint(0, min(len(words), len(others)))
            firsts = generator.sample(range(len(words)), size)
            seconds = generator.sample(range(len(others)), size)
            rows.append(list(zip(firsts, seconds, strict=True)))
        links.append(rows)
    return evaluation(*texts, links=links)


def single(hypothesis: str, reference: str) -> Evaluation:
    words = hypothesis.split(), reference.split()
    links = [(place, place) for place in range(min(map(len, words)))]
    return evaluation([words[0]], [words[1]], links=[[links]])


@pytest.mark.parametrize("name", NAMES)
def test_a_metric_is_named_as_its_module_and_cites_what_is_known(name: str) -> None:
    found = metric_class(name)
    assert found.name == name
    assert found.__module__ == f"kilter.metrics.{name.replace('-', '_')}"
    assert found.citations
    assert set(found.citations) <= set(PUBLICATIONS)


@pytest.mark.parametrize("specification", [*NAMES, *CHANGED])
def test_options_survive_the_signature(specification: str) -> None:
    made = metric(specification)
    assert metric_of(made.signature({"tok": "13a"})) == made
    assert metric(made.specification()) == made


@pytest.mark.parametrize("specification", [*NAMES, *CHANGED])
def test_scores_lie_in_their_range(specification: str) -> None:
    made, whole = metric(specification), drawn(60, 1)
    scores = made.measure(whole).scores
    assert scores.shape == (60,)
    low, high = made.range
    assert low <= scores.min() <= scores.max() <= high
    assert low <= made.corpus_score(made.measure(whole).statistics.sum(axis=0)) <= high


@pytest.mark.parametrize("specification", [*NAMES, *CHANGED])
def test_many_sums_are_scored_as_each_by_itself(specification: str) -> None:
    made = metric(specification)
    rows = made.measure(drawn(60, 2)).statistics
    sums = rows.reshape(3, 4, 5, -1).sum(axis=2)
    found = made.corpus_score(sums)
    assert found.shape == (3, 4)
    for place in np.ndindex(3, 4):
        assert found[place] == made.corpus_score(sums[place])


@pytest.mark.parametrize("specification", [*NAMES, *CHANGED])
def test_the_order_of_segments_does_not_matter(specification: str) -> None:
    made, whole = metric(specification), drawn(20, 3)
    vocabulary = whole.vocabulary
    texts = [
        [vocabulary.text(column.tokens, segment) for segment in reversed(range(20))]
        for column in (whole.hypothesis, *whole.references)
    ]
    links = [[batch.segment(segment) for segment in reversed(range(20))] for batch in whole.links]
    turned = evaluation(*texts, links=links)
    assert made.measure(turned).scores.tolist() == made.measure(whole).scores.tolist()[::-1]
    totals = [made.measure(each).statistics.sum(axis=0) for each in (whole, turned)]
    assert made.corpus_score(totals[0]) == pytest.approx(float(made.corpus_score(totals[1])))


@pytest.mark.parametrize("specification", [*NAMES, *CHANGED])
def test_the_number_of_threads_does_not_matter(specification: str) -> None:
    made, whole = metric(specification), drawn(30, 4)
    threaded = replace(whole, jobs=3, kept={})
    assert made.measure(threaded).statistics.tolist() == made.measure(whole).statistics.tolist()


@pytest.mark.parametrize("specification", [*NAMES, *CHANGED])
@pytest.mark.parametrize("sides", [("", ""), ("", "a b"), ("a b", "")])
def test_an_empty_side_has_the_worst_score(specification: str, sides: tuple[str, str]) -> None:
    made = metric(specification)
    perfect_by_convention = made.name == "ter" and sides == ("", "")
    worst = 0.0 if made.higher_is_better or perfect_by_convention else 1.0
    assert made.measure(single(*sides)).scores.tolist() == [worst]


@pytest.mark.parametrize("specification", [*NAMES, *CHANGED])
@pytest.mark.parametrize("line", ["a", "a b c d e"])
def test_a_perfect_segment_has_the_best_score(specification: str, line: str) -> None:
    made = metric(specification)
    unreachable = {
        "meteor": 1
        - getattr(made, "weight", 0) / len(line.split()) ** getattr(made, "exponent", 1),
        "ter": 0.0,
    }
    unreachable["meteor-chunk"] = unreachable["meteor"]
    best = unreachable.get(made.name, 1.0)
    if "effective=false" in specification and line == "a":
        best = 1.0  # one is added to both matches and n-grams of order 2
    assert made.measure(single(line, line)).scores.tolist() == pytest.approx([best])


@pytest.mark.parametrize("specification", [*NAMES, *CHANGED])
def test_no_segment_at_all_scores_zero(specification: str) -> None:
    made = metric(specification)
    rows = made.measure(evaluation([], [], links=[[]])).statistics
    assert len(rows) == 0
    assert made.corpus_score(rows.sum(axis=0)) == 0.0


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_on_the_page_of_the_metric(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    for entry in metric_class(name).declared():
        assert f"| `{entry.name}` |" in page
        assert f"| {entry.metadata['help']} |" in page


def test_metrics_are_described_in_json_that_any_reader_takes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["metrics", "ter", "full", "--format", "json"]) == 0

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    ter, full = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert (ter["range"], full["range"]) == ([0.0, None], [0.0, 1.0])
    assert run(["metrics", "full"]) == 0
    assert "order=pef  permutation metric" in capsys.readouterr().out
