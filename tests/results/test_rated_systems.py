"""Ratings of systems as people and programs read them."""

import pytest

from kilter.render.table.table import TableFormat
from kilter.results.rated_systems import RatedSystems
from kilter.run.meta.rated_systems import rated_systems
from kilter.stats.resampling import Resampling
from tests.render.cases import case
from tests.render.written import shown

ROWS = ["a 1 x 1", "a 2 x 3", "b 1 x 4", "b 2 x 5", "a 1 y 2", "b 1 y 4"]


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> RatedSystems:
    folder = tmp_path_factory.mktemp("rated")
    table, scores = folder / "ratings.txt", folder / "mine.tsv"
    table.write_text("\n".join(["system segment rater rating", *ROWS]) + "\n", encoding="utf-8")
    scores.write_text("a\t1\t0.1\na\t2\t0.2\nb\t1\t0.5\nb\t2\t0.9\n", encoding="utf-8")
    return rated_systems(
        str(table), scores={"mine": str(scores)}, resampling=Resampling(resamples=20)
    )


@case("RatedSystems")
def test_numbers_stand_below_their_names(result: RatedSystems) -> None:
    found = result.data().records()
    value = {(row["table"], row["name"], row["measure"]): row["value"] for row in found}
    assert value["system", "b", "rating"] == 4.5
    assert value["system", "a", "mine"] == pytest.approx(0.15)
    assert value["pair", "b", "rating"] == 2.25
    assert value["agreement", None, "exact"] == 0.5
    assert value["rater", "y", "mean"] == 3.0
    assert value["correlation", "mine", "system_pearson"] is None
    (undefined,) = (row for row in found if row["measure"] == "system_pearson")
    assert "two points" in str(undefined["reason"])
    text = shown(result, TableFormat.TEXT)
    lines = [line.split() for line in text.splitlines()]
    at = lines.index(["system", "rating", "translations", "ratings", "mine"])
    assert (lines[at + 2][0], lines[at + 2][1], lines[at + 2][-3:]) == (
        "b",
        "4.5000",
        ["2", "3", "0.7000"],
    )
    at = lines.index(["first", "second", "difference", "p", "adjusted", "mark"])
    assert lines[at + 1][:3] == ["a", "b", "+2.2500"]
    assert "system pearson, system spearman: undefined, fewer than three systems" in " ".join(
        text.split()
    )
