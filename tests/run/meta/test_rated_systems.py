"""Ratings of systems, and scores against them, against plain loops."""

from itertools import combinations, permutations
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.core.estimate import Estimate
from kilter.results.meta_result import AgreementMeasure
from kilter.run.meta.rated_systems import (
    Rating,
    rated_systems,
    rater_agreement,
    rater_summaries,
    rating_path,
)
from kilter.stats.correlation import ScaleLevel, krippendorff_alpha
from kilter.stats.resampling import Resampling, bootstrap_indices
from kilter.stats.significance import holm
from tests.oracles import meta as oracle
from tests.tolerance import close

SYSTEMS = ("none", "r4", "verb")
DRAWN = Resampling(resamples=40, seed=3)
RATED = (1, 2, 4, 5, 7)
"""Segments that somebody rated; the scores have more."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with ratings, of which one is missing, and scores of all segments."""
    chance = np.random.default_rng(7)
    folder = tmp_path_factory.mktemp("rated")
    rows = [
        f"{segment},{rater},{system},{chance.integers(0, 7) if (segment, rater) != (4, 'b') else ''}"
        for segment in RATED
        for rater in "abc"
        for system in SYSTEMS
    ]
    (folder / "ratings_rating.csv").write_text(
        "\n".join(["segment,rater,system,rating", *rows]) + "\n", encoding="utf-8"
    )
    lines = [f"{name}\t{k}\t{chance.random():.6f}" for name in SYSTEMS for k in range(1, 10)]
    (folder / "mine.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def means(folder: Path) -> dict[str, list[float]]:
    given: dict[tuple[str, str], list[float]] = {}
    for line in (folder / "ratings_rating.csv").read_text(encoding="utf-8").splitlines()[1:]:
        segment, _, system, score = line.split(",")
        if score:
            given.setdefault((system, segment), []).append(float(score))
    return {name: [mean(given[name, str(k)]) for k in RATED] for name in SYSTEMS}


def scores(folder: Path) -> dict[str, list[float]]:
    cells = [line.split("\t") for line in (folder / "mine.tsv").read_text("utf-8").splitlines()]
    value = {(system, int(segment)): float(score) for system, segment, score in cells}
    return {name: [value[name, k] for k in RATED] for name in SYSTEMS}


def test_means_pairs_and_correlations_are_those_of_plain_loops(folder: Path) -> None:
    found = rated_systems(str(folder), scores={"mine": str(folder / "mine.tsv")}, resampling=DRAWN)
    human, metric = means(folder), scores(folder)
    (rated,) = found.comparison.metrics
    draws = bootstrap_indices(len(RATED), resamples=40, seed=3).tolist()
    for place, name in enumerate(SYSTEMS):
        resampled = [mean(human[name][k] for k in row) for row in draws]
        low, high = np.quantile(resampled, [0.025, 0.975])
        interval = rated.intervals[place]
        assert interval.value == close(mean(human[name]))
        assert interval.low == close(low, absolute=1e-9)
        assert interval.high == close(high, absolute=1e-9)
        assert found.systems[place].scores["mine"] == close(mean(metric[name]), absolute=1e-9)
        assert found.systems[place].ratings == 14
    test = found.comparison.tests[0]
    assert [pair.holm[test] for pair in rated.pairs] == holm([pair.p[test] for pair in rated.pairs])
    pooled = ([x for name in SYSTEMS for x in each[name]] for each in (human, metric))
    (measured,) = found.metrics
    expected = {
        AgreementMeasure.PEARSON: oracle.pearson(*pooled),
        AgreementMeasure.SYSTEM_PEARSON: oracle.pearson(
            [mean(human[name]) for name in SYSTEMS], [mean(metric[name]) for name in SYSTEMS]
        ),
    }
    for measure, value in expected.items():
        assert measured.correlations[measure].value == close(value, absolute=1e-8)
    assert "3 ratings missing of 45" in found.notes
    assert found.to_dict()["metrics"][0]["correlations"]["pearson"]["scores"] == 15


def test_rated_translations_without_a_score_are_counted(folder: Path) -> None:
    lines = (folder / "mine.tsv").read_text().splitlines()
    system, segment, _ = lines[0].split("\t")
    (folder / "holes.tsv").write_text("\n".join([f"{system}\t{segment}\tnan", *lines[1:]]) + "\n")
    found = rated_systems(str(folder), scores={"m": str(folder / "holes.tsv")}, resampling=DRAWN)
    assert [note for note in found.notes if note.startswith("m: 1 rated translation of ")]


def test_orders_are_scored_by_each_kind_of_references(folder: Path, tmp_path: Path) -> None:
    words = ["we the museum visit", "he letters reads", "she late came"]
    orders = {"none": words, "r4": [" ".join(reversed(line.split())) for line in words]}
    (tmp_path / "two.csv").write_text(
        "system,segment,rater,rating\n"
        + "".join(f"{name},{k},x,{k + len(name)}\n" for name in orders for k in (1, 2, 3)),
        encoding="utf-8",
    )
    found = kilter.preorder.ratings(
        str(tmp_path / "two.csv"),
        orders={**orders, "r9": words},
        references={"manual": words, "automatic": orders["r4"]},
        resampling=DRAWN,
    )
    assert "nobody rated r9, whose orders are left out" in found.notes
    assert [system.scores["frs@manual"] for system in found.systems] == [1.0, 0.0]
    assert [system.scores["frs@automatic"] for system in found.systems] == [0.0, 1.0]
    first = found.metrics[0]
    assert "two points" in first.reasons[AgreementMeasure.SYSTEM_PEARSON]
    assert AgreementMeasure.SYSTEM_PEARSON not in first.correlations
    with pytest.raises(OptionError, match="give both, or neither"):
        kilter.preorder.ratings(str(folder), orders=orders)
    three = dict.fromkeys(SYSTEMS, words[:1])
    with pytest.raises(InputError, match="segment 7 was rated, but there is 1 sentence"):
        kilter.preorder.ratings(str(folder), orders=three, references={"manual": words[:1]})
    with pytest.raises(InputError, match="there is no order of verb, which was rated"):
        kilter.preorder.ratings(str(folder), orders=orders, references={"manual": words})


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["A,1,x,3", "A,2,x,4"], "rates one system, A"),
        (["A,1,x,3", "B,1,x,"], "ratings.csv:3: every rating of B is missing"),
        (["A,1,x,3", "B,1,,4"], "ratings.csv:3: names no rater"),
        (["A,1,x,3", "A,1,x,4", "B,1,x,4"], "ratings.csv:3: x rates segment 1 of A a second time"),
        (["A,1,x,good", "B,1,x,4"], "ratings.csv:2: rating is 'good'"),
    ],
)
def test_faults_are_named_with_their_place(lines: list[str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(["system,segment,rater,rating", *lines]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        rated_systems(str(path))


def test_the_folder_of_an_export_holds_one_table(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="export them with 'kilter survey export STUDY --ratings'"):
        rating_path(str(tmp_path))
    for name in ("ratings_a.csv", "ratings_b.csv"):
        (tmp_path / name).touch()
    with pytest.raises(InputError, match=r"several tables of ratings: ratings_a\.csv, ratings_b"):
        rating_path(str(tmp_path))


def test_many_systems_and_metrics_can_be_told_apart(tmp_path: Path) -> None:
    names = [f"s{number:02}" for number in range(12)]
    rng = np.random.default_rng(2)
    lines = [
        f"{name}\t{segment}\ta\t{number / 2 + rng.random() / 10:.3f}"
        for number, name in enumerate(names)
        for segment in range(1, 41)
    ]
    table = tmp_path / "ratings.tsv"
    table.write_text("\n".join(["system\tsegment\trater\trating", *lines]) + "\n", "utf-8")
    found = rated_systems(str(table))
    assert found.comparison.resampling.count == 150 * 66
    assert {str(pair.mark) for pair in found.comparison.metrics[0].pairs} == {"+**"}
    few = rated_systems(str(table), resampling=Resampling(resamples=1000))
    assert {str(pair.mark) for pair in few.comparison.metrics[0].pairs} == {"?"}
    assert any("use --resamples 9900" in note for note in few.notes)


def test_resamples_suffice_for_pairs_of_metrics_or_a_note_says_that_they_do_not(
    folder: Path,
) -> None:
    many = {f"mine{k}": str(folder / "mine.tsv") for k in range(12)}
    found = rated_systems(str(folder), scores=many)
    assert found.comparison.resampling.count == 150 * 66
    few = rated_systems(str(folder), scores=many, resampling=DRAWN)
    told = "metrics: no pair can be significant with 40 resamples, corrected for 66 comparisons"
    assert any(note.startswith(told) for note in few.notes)


def test_ratings_of_different_segments_have_no_mark(tmp_path: Path) -> None:
    rows = [f"{segment},a,low,{segment % 3}" for segment in range(1, 31)]
    rows += [f"{segment},a,high,{5 + segment % 2}" for segment in range(31, 61)]
    path = tmp_path / "apart_rating.csv"
    path.write_text("\n".join(["segment,rater,system,rating", *rows]) + "\n", encoding="utf-8")
    found = rated_systems(str(path), resampling=DRAWN)
    (pair,) = found.comparison.metrics[0].pairs
    assert pair.is_withheld
    assert pair.mark is None
    assert found.comparison.notes[0].startswith("rating of high against low: only one of the two")


# Agreement of raters against plain loops over pairs of ratings.


SEGMENTS = 7


def drawn(seed: int) -> list[Rating]:
    """Return ratings of three systems by up to three people, some of them missing."""
    chance = np.random.default_rng(seed)
    return [
        Rating(system, segment, rater, float(chance.integers(0, 7)))
        for segment in range(SEGMENTS)
        for system in range(3)
        for rater in "abc"
        if chance.random() < 0.8
    ]


def units(ratings: list[Rating]) -> list[list[float]]:
    found: dict[tuple[int, int], list[float]] = {}
    for each in ratings:
        found.setdefault((each.system, each.segment), []).append(each.score)
    return [scores for scores in found.values() if len(scores) > 1]


def alpha(scores: list[list[float]]) -> float:
    """Return 1 - observed / expected squared difference, pair by pair."""
    together = [score for unit in scores for score in unit]
    observed = sum(
        sum((one - other) ** 2 for one, other in permutations(unit, 2)) / (len(unit) - 1)
        for unit in scores
    )
    expected = sum((one - other) ** 2 for one, other in permutations(together, 2))
    return 1 - observed / len(together) / (expected / len(together) / (len(together) - 1))


@pytest.mark.parametrize("seed", range(3))
def test_agreement_is_that_of_plain_loops(seed: int) -> None:
    ratings = drawn(seed)
    found = rater_agreement(ratings, SEGMENTS, resampling=Resampling(resamples=4, seed=2))
    scores = units(ratings)
    apart = [abs(one - other) for unit in scores for one, other in combinations(unit, 2)]
    assert (found.translations, found.pairs) == (len(scores), len(apart))
    assert found.alpha.value == close(alpha(scores))
    assert found.exact.value == close(mean(each == 0 for each in apart))
    assert found.near.value == close(mean(each <= 1 for each in apart))
    assert found.distance.value == close(mean(apart))
    whole = [[int(score) for score in unit] for unit in scores]
    ordinal = krippendorff_alpha(whole, values=range(7), scale=ScaleLevel.ORDINAL)
    assert found.ordinal.value == close(ordinal)


def test_intervals_come_from_drawn_segments() -> None:
    ratings, sample = drawn(5), Resampling(resamples=3, seed=4)
    found = rater_agreement(ratings, SEGMENTS, resampling=sample)
    values = []
    for row in bootstrap_indices(SEGMENTS, resamples=3, seed=4):
        again = [
            each._replace(segment=place)
            for place, segment in enumerate(row.tolist())
            for each in ratings
            if each.segment == segment
        ]
        values.append(alpha(units(again)))
    low, high = np.quantile(values, [0.025, 0.975])
    assert found.alpha.low == close(low)
    assert found.alpha.high == close(high)


def test_what_cannot_be_said_has_its_reason() -> None:
    alone = rater_agreement([Rating(0, 0, "a", 3.0), Rating(1, 0, "b", 4.0)], 1)
    assert alone.pairs == 0
    assert alone.alpha == Estimate(None, reason="no translation has two ratings")
    same = rater_agreement([Rating(0, place, rater, 2.0) for place in (0, 1) for rater in "ab"], 2)
    assert same.alpha == same.ordinal == Estimate(None, reason="all ratings are the same")
    assert same.exact == Estimate(1.0, 1.0, 1.0)
    one = rater_agreement([Rating(0, 0, "a", 1.0), Rating(0, 0, "b", 2.0)], 1)
    assert one.near == Estimate(1.0)


def test_a_rater_is_compared_with_the_mean_of_the_others() -> None:
    ratings = drawn(9)
    (first, *_) = rater_summaries(ratings)
    own = {(r.system, r.segment): r.score for r in ratings if r.rater == first.name}
    others = {
        place: [
            r.score for r in ratings if (r.system, r.segment) == place and r.rater != first.name
        ]
        for place in own
    }
    shared = [(own[place], mean(scores)) for place, scores in others.items() if scores]
    assert first.correlation.value == close(oracle.pearson(*map(list, zip(*shared, strict=True))))
    assert first.ratings == len(own)
    assert first.mean == close(mean(own.values()))
    assert first.share == first.segments / SEGMENTS
    two = [Rating(0, place, rater, float(place)) for place in (0, 1) for rater in "ab"]
    assert "fewer than 3" in rater_summaries(two)[0].correlation.reason
