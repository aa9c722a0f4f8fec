"""Columns hold what they name: tuned options as tables."""

from kilter.render.table.page import write_result
from kilter.results.tune_result import CurvePoint, TunedMetrics, TunedOption, TuneFold, TuneResult
from tests.render.cases import case
from tests.render.distinct import Book, check_document
from tests.render.written import long_rows, pages


def tuned(book: Book) -> TuneResult:
    options = tuple(
        TunedOption(name=name, low=0.0, high=1.0, whole=False) for name in ("alpha", "beta")
    )
    made: TuneResult = book.make(
        TuneResult, "tuned", options=options, counts={"pairs": 4}, notes=(),
        method="exact", objective="tau",
        folds=tuple(book.make(TuneFold, "tuned", "folds", str(k)) for k in range(3)),
        curves={
            name: [
                book.make(CurvePoint, "curve", name, str(k))
                for k in range(2)
            ]
            for name in ("alpha", "beta")
        },
    )  # fmt: skip
    return made


def test_columns_of_curve_rows_hold_what_they_name(book: Book) -> None:
    made = tuned(book)
    found = long_rows(TunedMetrics(metrics=(made, made)).data())
    points = [(made.start, name, *point) for name, curve in made.curves.items() for point in curve]
    assert [tuple(row.values()) for row in found] == [*points, *points]
    assert [*found[0]] == ["metric", "option", "value", "tau"]


OF_TUNE = {"metric": "specification", "options": "values",
           "alpha": "0", "beta": "1"}  # fmt: skip


@case("TuneResult", "TunedMetrics")
def test_columns_of_write_tuning_hold_what_they_name(book: Book) -> None:
    made = tuned(book)
    document = made.to_dict()
    figures = {key: document[key] for key in ("metric", "signature", "systems", "segments", "start",
                                              "training", "held_out", "start_value", "start_held_out")}  # fmt: skip
    assert check_document(book, figures, aliases=OF_TUNE) == len(figures)
    assert document["options"] == dict(zip(("alpha", "beta"), made.values, strict=True))
    head, folds, *curves = pages(write_result, TunedMetrics(metrics=(made,)))
    for (name, points), lines in zip(made.curves.items(), curves, strict=True):
        assert [(line[name], line["tau"]) for line in lines] == [
            (f"{point.value:.6g}", f"{point.agreement:.4f}") for point in points
        ]
    assert {line["tuned"]: line["exact"] for line in head} == {
        "metric": made.specification,
        "tau in training": f"{made.training:.4f}",
        "tau on held-out segments": f"{made.held_out:.4f}",
        f"tau of {made.start}": f"{made.start_value:.4f}",
        f"tau of {made.start} on held-out segments": f"{made.start_held_out:.4f}",
    }
    for rank, (line, fold, entry) in enumerate(
        zip(folds, made.folds, document["folds"], strict=True), start=1
    ):
        alpha, beta = fold.values
        assert entry == {
            "options": {"alpha": alpha, "beta": beta}, "training": fold.training, "held_out": fold.held_out,
        }  # fmt: skip
        assert line == {
            "fold": str(rank), "alpha": f"{alpha:g}", "beta": f"{beta:g}",
            "training": f"{fold.training:.4f}", "held out": f"{fold.held_out:.4f}",
        }  # fmt: skip
