"""Columns hold what they name: corpus scores as tables."""

from dataclasses import replace

from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.score_result import ByMetric, MetricFacts, MetricScore, ScoreResult
from kilter.run.scoring.score import score
from kilter.stats.resampling import Resampling
from tests.render.cases import case
from tests.render.distinct import Book, check_document
from tests.render.written import halved, number, objects, pages, shown, tables


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
