"""What is measured of every system."""

import pytest

from kilter.run.demo import SYSTEMS, sample_texts
from kilter.run.scoring.score import score, score_texts
from kilter.run.scoring.settings import Settings
from tests.run.scoring.scored import FEW, HYPOTHESIS, REFERENCE, sample, scores


def test_several_systems_are_scored_side_by_side() -> None:
    systems = {name: sample(f"{name}.en") for name in SYSTEMS}
    together = score(systems, sample("reference.en"), metrics=["pef", "bleu"], resampling=FEW)
    assert list(together.systems) == list(SYSTEMS)
    for name, lines in systems.items():
        alone = score(lines, sample("reference.en"), metrics=["pef", "bleu"], resampling=FEW)
        assert alone.system == together.systems[name]
    assert together.system == together.systems["local"]


def test_the_best_of_several_references_counts() -> None:
    two = [[REFERENCE, HYPOTHESIS]] * 2
    lines = [HYPOTHESIS, REFERENCE]
    assert scores(lines, two, ["kendall", "bleu", "f1", "ribes"]) == pytest.approx([1.0] * 4)
    result = score(lines, two, metrics=["kendall"], resampling=FEW)
    assert "|nrefs:2|refs:best|" in result.system["kendall"].signature


def test_the_segments_table_is_ordered_by_metric_system_segment() -> None:
    systems = {"A": [REFERENCE, HYPOTHESIS], "B": [HYPOTHESIS, REFERENCE]}
    result = score(systems, [REFERENCE] * 2, metrics=["bleu", "f1"], resampling=FEW)
    table = result.segments
    assert table.names == ("system", "segment", "metric", "score")
    rows = list(zip(table["metric"], table["system"], table["segment"].tolist(), strict=True))
    assert rows == [(m, s, n) for m in ("bleu", "f1") for s in ("A", "B") for n in (1, 2)]
    assert table["score"][4:].tolist() == [1.0] * 4
    assert table["score"][0] == 1.0
    assert table["score"][:2].tolist() == table["score"][3:1:-1].tolist()


def test_empty_lines_are_scored() -> None:
    result = score(["", "", "a b"], ["", "a b", "a b"], metrics=["kendall", "bleu"], resampling=FEW)
    assert result.segment_arrays["kendall", "system"].tolist() == [0.0, 0.0, 1.0]
    assert result.segment_arrays["bleu", "system"].tolist() == [0.0, 0.0, 1.0]


def test_progress_is_told_system_by_system() -> None:
    told: list[tuple[int, int]] = []
    score_texts(
        sample_texts(),
        Settings(metrics=["bleu"], resampling=FEW),
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize("spelled", ["pef:beta=0.60", "pef:gamma=0,beta=.6", "pef"])
def test_results_are_found_under_every_spelling_of_a_specification(spelled: str) -> None:
    result = score([HYPOTHESIS], [REFERENCE], metrics=[spelled, "bleu"], resampling=FEW)
    assert list(result.system) == list(result.metrics) == ["pef", "bleu"]
    assert result.system[spelled] is result.systems["system"]["pef"]
    assert result.metrics[spelled] is result.metrics["pef"]
    assert result.signatures[spelled] == result.system[spelled].signature
    for other in ("pef:beta=0.5", "kendall", "nothing", "pef:nothing=1"):
        with pytest.raises(KeyError, match=other):
            result.system[other]
