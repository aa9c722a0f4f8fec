"""Scores of systems: what is asked of a result."""

import json
import sys
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np
import pytest

import kilter
from kilter import ScoreTable
from kilter.core.errors import MissingToolError
from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.score_result import ByMetric, MetricFacts, MetricScore, ScoreResult
from kilter.run.scoring.score import score
from kilter.stats.resampling import Resampling
from tests.render.cases import case
from tests.render.distinct import Book, check_document
from tests.render.written import halved, number, objects, pages, shown, tables


def facts(name: str, top: float) -> MetricFacts:
    return MetricFacts(
        name=name, tool=name, variant="", configuration="", configurations=1,
        signature=f"{name}|v", higher_is_better=top == 1.0, range=(0.0, top), citations=(),
    )  # fmt: skip


def scores(value: float | None) -> ByMetric[MetricScore]:
    made = MetricScore(value=value, low=None, high=None, segments=2, signature="v")
    return ByMetric({"pef": made, "ter": made})


RESULT = ScoreResult(
    systems={"one": scores(0.5), "two": scores(None)},
    metrics=ByMetric({"pef": facts("pef", 1.0), "ter": facts("ter", inf)}),
    count=2,
    seed=7,
    segment_arrays={
        (metric, system): np.array([place, place + 0.5])
        for place, (metric, system) in enumerate(
            (metric, system) for metric in ("pef", "ter") for system in ("one", "two")
        )
    },
)


def test_the_only_system_or_the_first_is_at_hand() -> None:
    assert RESULT.system is RESULT.systems["one"]
    assert dict(RESULT.signatures) == {"pef": "pef|v", "ter": "ter|v"}


def test_segments_are_numbered_from_1_in_every_metric_and_system() -> None:
    table = RESULT.segments
    columns = (table[name].tolist() for name in ("metric", "system", "segment", "score"))
    rows = [*zip(*columns, strict=True)]
    assert rows[:3] == [("pef", "one", 1, 0.0), ("pef", "one", 2, 0.5), ("pef", "two", 1, 1.0)]
    assert rows[-1] == ("ter", "two", 2, 3.5)


def test_the_document_has_no_infinity_and_null_for_what_is_undefined() -> None:
    document = json.loads(json.dumps(RESULT.to_dict(), allow_nan=False))
    assert document["metrics"]["ter"]["range"] == [0.0, None]
    assert (document["segments"], document["seed"]) == (2, 7)
    assert [system["name"] for system in document["systems"]] == ["one", "two"]
    assert document["systems"][1]["scores"]["pef"]["score"] is None


# Results found under every spelling of a specification.


@pytest.mark.parametrize("spelled", ["pef:beta=0.5", "pef:beta=0.50", "pef:gamma=0,beta=.5"])
def test_any_spelling_finds_the_shortest(spelled: str) -> None:
    assert ByMetric({"pef": 1, "pef:beta=0.5": 2})[spelled] == 2


@pytest.mark.parametrize("key", ["kendall", "nothing", "pef:beta", "pef:beta=0.7"])
def test_what_is_not_there_is_a_key_error_under_its_own_name(key: str) -> None:
    with pytest.raises(KeyError, match=key):
        ByMetric({"pef": 1})[key]


# Scores in columns and their way out.


@pytest.fixture
def table() -> ScoreTable:
    return kilter.permutation_scores([[0, 2, 1], [0, 1], []])


def test_columns_are_found_by_name(table: ScoreTable) -> None:
    assert table["kendall"].tolist() == [2 / 3, 1.0, 0.0]
    assert "kendall" in table
    assert "bleu" not in table
    assert len(table) == 3
    assert list(table) == list(table.names)
    with pytest.raises(KeyError):
        table["bleu"]


def test_numpy_has_one_column_for_each(table: ScoreTable) -> None:
    array = table.to_numpy()
    assert array.shape == (3, len(table.names))
    assert array.dtype == np.float64
    for place, name in enumerate(table):
        assert array[:, place].tolist() == [float(value) for value in table[name]]


def test_numpy_has_a_field_for_each_column_where_some_hold_text() -> None:
    table = kilter.score({"one": ["a b"], "other": ["b a"]}, ["a b"], metrics=["kendall"]).segments
    array = table.to_numpy()
    assert array.dtype.names == table.names
    assert array["score"].dtype == np.float64
    assert array.tolist() == [("one", 1, "kendall", 1.0), ("other", 1, "kendall", 0.0)]


def test_arrow_and_pandas_hold_the_same(table: ScoreTable) -> None:
    arrow, frame = table.to_arrow(), table.to_pandas()
    assert arrow.column_names == list(frame.columns) == list(table.names)
    for name in table:
        assert arrow[name].to_pylist() == frame[name].tolist() == table[name].tolist()


def test_a_table_without_columns_is_empty() -> None:
    table = ScoreTable({})
    assert (len(table), table.names, table.to_numpy().shape) == (0, (), (0, 0))


def test_it_introduces_itself(table: ScoreTable) -> None:
    assert repr(table).startswith("ScoreTable(3 segments x 15 columns: kendall, kendall-sqrt,")


@pytest.mark.parametrize(("package", "extra"), [("pyarrow", "arrow"), ("pandas", "pandas")])
def test_a_missing_package_is_named_with_its_install_command(
    monkeypatch: pytest.MonkeyPatch, table: ScoreTable, package: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    convert: Any = table.to_arrow if package == "pyarrow" else table.to_pandas
    with pytest.raises(MissingToolError, match=rf"pip install 'kilter\[{extra}\]'") as caught:
        convert()
    assert caught.value.exit_code == 4


# Columns hold what they name: corpus scores as tables.


@case("ScoreResult")
def test_columns_of_scores_hold_what_they_name(book: Book) -> None:
    metrics = {name: book.make(MetricFacts, name) for name in ("kendall", "bleu")}
    made = {
        system: ByMetric({name: book.make(MetricScore, system, name, parts={}) for name in metrics})
        for system in ("one", "two")
    }
    for system, scores in made.items():
        parts = {part: book.make(float, system, "parts", part) for part in ("order", "coverage")}
        scores["kendall"] = replace(scores["kendall"], parts=parts)
    result = ScoreResult(
        systems=made, metrics=ByMetric(metrics), count=9, seed=4, segment_arrays={}
    )
    document = result.to_dict()
    assert check_document(book, document, aliases={"score": "value"}) == 22 + 4 + 4
    for entry in document["systems"]:
        assert entry["scores"]["kendall"]["parts"] == made[entry["name"]]["kendall"].parts
        assert "parts" not in entry["scores"]["bleu"]
    rows = objects(write_result, result)
    assert len(rows) == 4
    for row in rows:
        found = made[row.pop("system")][row["metric"]]
        assert row.pop("metric") in metrics
        parts = {name: row.pop(name) for name in ("order", "coverage")}
        assert parts == (found.parts or {"order": None, "coverage": None})
        assert set(row) == {"score", "low", "high", "segments", "signature"}
        assert row == {name: getattr(found, name) for name in row}
    header, first, *_rest = shown(result, TableFormat.TSV).splitlines()
    cells = dict(zip(header.split("\t"), first.split("\t"), strict=True))
    score = made["one"]["kendall"]
    for name in ("score", "low", "high", "segments"):
        assert float(cells[name]) == getattr(score, name)
    table, apart = pages(write_result, result)
    for line, parted in zip(table, apart, strict=True):
        for name in metrics:
            score = made[line["system"]][name]
            assert line[name] == halved(*map(number, (score.score, score.low, score.high)))
        assert parted == {
            "system": line["system"],
            **{
                f"kendall {name}": f"{value:.4f}"
                for name, value in made[line["system"]]["kendall"].parts.items()
            },
        }
    (plain,) = tables("\n".join(shown(each, TableFormat.MD) for each in result.tables()))
    assert [*plain[0]] == ["system", "kendall", "bleu"]


def test_a_part_that_metrics_share_stands_once_and_parts_of_one_metric_beside_it() -> None:
    def scores(*metrics: str) -> ScoreResult:
        return score(["b a c x"], ["a b c"], metrics=metrics, resampling=Resampling(resamples=2))

    several = tables(shown(scores("kendall", "ulam"), TableFormat.MD))
    assert [[*table[0]] for table in several] == [
        ["system", "kendall", "ulam"],
        ["system", "coverage", "kendall order", "ulam order"],
    ]
    (alone,) = tables(shown(scores("kendall"), TableFormat.MD))
    assert [*alone[0]] == ["system", "kendall", "kendall order", "kendall coverage"]
