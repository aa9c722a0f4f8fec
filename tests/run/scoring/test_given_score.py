"""Systems compared by scores that are given: means, intervals and tests, as of texts."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.io.score_file import ScoreRow
from kilter.render.table.segment_file import write_segment_scores
from kilter.results.comparison import SignificanceTest
from kilter.run.scoring.given_score import compare_scores, external_name, own_metric
from kilter.stats.resampling import Resampling
from kilter.stats.significance import MarkRule, share_mark
from tests.cli.sample import PATHS, REFERENCE, written
from tests.oracles import resampling as oracle
from tests.thorough import tried

DRAWN = Resampling(resamples=200, seed=3)


def ratings(folder: Path, seed: int = 1) -> tuple[str, dict[str, list[list[int]]]]:
    """Return a file of two to four ratings of every translation, and the ratings."""
    chance = np.random.default_rng(seed)
    given: dict[str, list[list[int]]] = {
        system: [chance.integers(low, 7, size=chance.integers(2, 5)).tolist() for _ in range(36)]
        for low, system in enumerate("abc")
    }
    lines = [
        f"{system}\t{segment}\tr{rater}\t{value}"
        for system, rows in given.items()
        for segment, row in enumerate(rows, start=1)
        for rater, value in enumerate(row)
    ]
    path = written(folder, "merit.tsv", "\n".join(["system\tsegment\trater\tscore", *lines]) + "\n")
    return path, given


def test_means_intervals_and_shares_of_ratings_are_those_of_resampled_sentences(
    tmp_path: Path,
) -> None:
    path, given = ratings(tmp_path)
    found = compare_scores(path, resampling=DRAWN, marks=MarkRule.SHARE)
    (metric,) = found.metrics
    assert metric.name == "merit"
    means = {
        system: [Fraction(sum(row), len(row)) for row in rows] for system, rows in given.items()
    }
    drawn = [oracle.indices(36, DRAWN.seed, number) for number in range(DRAWN.count)]
    resampled = {
        system: [float(sum(rows[place] for place in places) / 36) for places in drawn]
        for system, rows in means.items()
    }
    for system, interval in zip(found.systems, metric.intervals, strict=True):
        assert interval.value == pytest.approx(float(sum(means[system]) / 36))
        for end, percent in ((interval.low, "2.5"), (interval.high, "97.5")):
            assert end == pytest.approx(oracle.percentile(resampled[system], Fraction(percent)))
    for pair in metric.pairs:
        one, other = resampled[pair.first], resampled[pair.second]
        better = sum(b - a > 1e-9 for a, b in zip(one, other, strict=True)) / len(one)
        worse = sum(a - b > 1e-9 for a, b in zip(one, other, strict=True)) / len(one)
        assert pair.share == pytest.approx(better)
        assert pair.mark is share_mark(better, worse)
    assert "merit: 4 raters; a translation has the mean of 2 to 4 ratings" in found.notes


def test_scores_from_a_file_are_compared_as_the_texts_that_made_them(tmp_path: Path) -> None:
    texts = {Path(path).name: lines(path) for path in PATHS[: tried(len(PATHS), quick=2)]}
    names = ["sen", "kendall", "ter", "bleu"]
    asked = kilter.Settings(metrics=names, resampling=DRAWN, aligner=["match", "ribes"])
    made = kilter.score(texts, lines(REFERENCE), settings=asked)
    direct = kilter.compare(texts, lines(REFERENCE), settings=asked)
    path = str(tmp_path / "s.tsv")
    write_segment_scores(made, path, statistics=True)
    found = compare_scores(path, resampling=DRAWN)
    assert [metric.name for metric in found.metrics] == [metric.name for metric in direct.metrics]
    for one, other in zip(direct.metrics, found.metrics, strict=True):
        assert one.intervals == other.intervals
        # A file of scores does not hold what they are made of.
        assert tuple(replace(pair, parts=()) for pair in one.pairs) == other.pairs
        assert one.higher_is_better == other.higher_is_better
    assert not [note for note in found.notes if "resamples" not in note]


def lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


def test_less_is_better_where_that_is_said_or_known(tmp_path: Path) -> None:
    rows = [f"{s} {k} {k % 3 + (s == 'b')}" for s in "ab" for k in range(1, 41)]
    path = written(tmp_path, "errors.txt", "\n".join(rows) + "\n")
    for falls, mark in (([], "+**"), (["errors"], "-**")):
        (metric,) = compare_scores(path, lower_is_better=falls, resampling=DRAWN).metrics
        assert (metric.higher_is_better, str(metric.pairs[0].mark)) == (not falls, mark)
    named = written(tmp_path, "ter.txt", "\n".join(rows) + "\n")
    found = compare_scores(named, resampling=DRAWN)
    assert (found.metrics[0].name, found.metrics[0].higher_is_better) == ("mean(ter)", False)
    with pytest.raises(OptionError, match="there are no scores of 'x', for which lower is better"):
        compare_scores(path, lower_is_better=["x"])


def test_missing_scores_are_left_out_of_means_and_told() -> None:
    found = compare_scores({"a": [1, None, 3, 2] * 9, "b": [2, 4, None, 6] * 9}, resampling=DRAWN)
    (metric,) = found.metrics
    assert [interval.value for interval in metric.intervals] == [2.0, 4.0]
    (pair,) = metric.pairs
    assert pair.p[SignificanceTest.PERMUTATION] is None
    assert pair.effect.better + pair.effect.equal + pair.effect.worse == 18
    assert not pair.is_withheld
    assert pair.mark is not None
    common, note = found.notes
    assert common == (
        "score of b against a: only one of the two has a score in 18 of 36 segments; over the 18 of both the "
        "difference is +2.5000, not +2.0000"
    )
    assert note == (
        "score: systems lack scores of different segments, 9 to 9 of 36; their means are not of the same"
    )


def test_a_difference_that_comes_with_scores_of_one_system_only_has_no_mark() -> None:
    whole = np.random.default_rng(7).random(80).tolist()
    worst = sorted(whole)[16]
    blanked = [None if score < worst else score for score in whole]
    better = [score + 0.2 for score in whole]
    given = {"whole": whole, "blanked": blanked, "better": [*better[:70], *[None] * 10]}
    found = compare_scores(given, tests=[SignificanceTest.BOOTSTRAP])
    first, second, _ = found.metrics[0].pairs
    assert first.difference is not None
    assert first.difference > 0.05
    assert first.is_withheld
    assert (first.mark, first.mark_baseline, first.share) == (None, None, None)
    assert {*first.p.values(), *first.holm.values()} == {None}
    assert first.common is not None
    assert (first.common.both, first.common.one, first.common.difference) == (64, 16, 0.0)
    assert second.common is not None
    assert not second.is_withheld
    assert str(second.mark) == "+**"
    assert found.notes[0].endswith("; no mark, no p-value")


def test_systems_without_a_common_scored_segment_have_no_mark() -> None:
    given = {"a": [*range(20), *[None] * 20], "b": [*[None] * 20, *range(40, 60)]}
    (pair,) = compare_scores(given, resampling=DRAWN).metrics[0].pairs
    assert pair.is_withheld
    assert pair.mark is None


def test_few_segments_and_one_resample_are_told() -> None:
    found = compare_scores({"a": [1, 2], "b": [2, 1]}, resampling=Resampling(resamples=1))
    _, few, alone = found.notes
    assert few.startswith("2 segments are few")
    assert alone.startswith("one resample gives no interval")


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({"a": [1.0]}, "scores: scores one system; a comparison needs two or more"),
        ({"a": [1.0], "b": []}, "scores: hold no score of a system"),
        ({}, "scores: hold no score of a system"),
        ({"a": [1.0], "\ud800": [1.0]}, "scores: a system is named '\\ud800', which no output"),
        (
            {"a": [1.0, 2.0, 3.0], "b": [1.0]},
            "scores: b has 1 segment, a 3; give None where a score is missing",
        ),
        (
            {"a": [1.0, 1e308], "b": [1.0, -1e308]},
            "scores: a, segment 2: score is 1e+308; it must lie between -1e+60 and 1e+60",
        ),
    ],
)
def test_scores_that_cannot_be_compared_are_refused(
    scores: dict[str, list[float]], message: str
) -> None:
    with pytest.raises(InputError) as raised:
        compare_scores(scores)
    assert message in str(raised.value)


def test_scores_of_whole_systems_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "m.sys.score", "A\t3\nB\t4\n")
    with pytest.raises(InputError, match="holds scores of whole systems, which cannot be compared"):
        compare_scores(path)


def test_a_metric_is_known_in_any_configuration_and_a_mean_is_called_so() -> None:
    made = own_metric("pef:beta=0.5@match")
    assert made is not None
    assert made.specification() == "pef:beta=0.5"
    assert own_metric("comet") is None
    for name in ("kilter:order=2.0,weights=gone.json", "kilter:weights=gone.json,order=2@match"):
        weighed = own_metric(name)
        assert weighed is not None
        assert weighed.specification() == "kilter:order=2.0"
    row = [ScoreRow("a", 0, 1.0, 1)]
    assert [external_name(name, row) for name in ("bleu", "kendall", "comet")] == [
        "mean(bleu)",
        "kendall",
        "comet",
    ]


def test_scores_by_several_files_of_weights_stay_apart_and_need_none_of_them(
    tmp_path: Path,
) -> None:
    lines = ["system\tsegment\tmetric\tscore\tstatistics"]
    names = ["kilter", "kilter:weights=gone.json", "kilter:weights=gone.json@match"]
    for place, name in enumerate(names):
        for system in ("a", "b"):
            total = 0.25 * place + (0.125 if system == "b" else 0.0)
            lines += [f"{system}\t{k}\t{name}\t0.5\t{total} 1" for k in (1, 2, 3)]
    compared = compare_scores(written(tmp_path, "scores.tsv", "\n".join(lines) + "\n"))
    found = {metric.name: [each.value for each in metric.intervals] for metric in compared.metrics}
    assert found == {name: [0.25 * k, 0.25 * k + 0.125] for k, name in enumerate(names)}


@pytest.mark.parametrize("step", [7, 20_000, 40_000_000])
def test_segments_that_nobody_scored_do_not_count(step: int, tmp_path: Path) -> None:
    chance = np.random.default_rng(5)
    scores = {name: chance.integers(1, 6, size=40).tolist() for name in "ab"}
    expected = compare_scores(scores, resampling=DRAWN)

    def compared(every: int) -> kilter.Comparison:
        path = tmp_path / "score.tsv"
        rows = [
            f"{name}\t{every * (place + 1)}\t{value}\n"
            for name, values in scores.items()
            for place, value in enumerate(values)
        ]
        path.write_text("system\tsegment\tscore\n" + "".join(rows), encoding="utf-8")
        return compare_scores(str(path), resampling=DRAWN)

    found = compared(step)
    assert found.segments == 40
    assert found.metrics == expected.metrics
    with_gaps = {
        name: [value for one in values for value in (None, one)] for name, values in scores.items()
    }
    assert compare_scores(with_gaps, resampling=DRAWN) == expected


def test_a_segment_that_is_scored_twice_is_told_by_its_own_number(tmp_path: Path) -> None:
    path = tmp_path / "score.tsv"
    path.write_text("a 300 1\nb 300 2\na 300 3\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"score\.tsv:3: scores segment 300 of a a second time"):
        compare_scores(str(path))
