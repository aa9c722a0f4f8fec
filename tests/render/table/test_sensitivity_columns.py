"""Columns hold what they name: what metrics notice, as tables."""

from kilter.render.table.page import write_result
from kilter.results.sensitivity_result import (
    LabelResult,
    PerturbationResult,
    Reaction,
    Separation,
)
from tests.render.cases import case
from tests.render.distinct import Book, check_document
from tests.render.written import halved, long_rows, pages


def noticed(book: Book) -> PerturbationResult:
    kinds = ("swap", "word")
    return PerturbationResult(
        resamples=9,
        seed=4,
        lexical=("word",),
        kinds={kind: book.make(int, "kinds", kind, "items") for kind in kinds},
        unchanged=book.make(int, "unchanged"),
        signatures={name: book.make(str, name, "signature") for name in ("pef", "f1")},
        metrics={
            name: {kind: book.make(Reaction, name, kind) for kind in kinds}
            for name in ("pef", "f1")
        },
    )


def labelled(book: Book) -> LabelResult:
    return LabelResult(
        resamples=9,
        seed=4,
        window=2,
        outputs=book.make(int, "outputs"),
        wrong=book.make(int, "wrong"),
        signatures={name: book.make(str, name, "signature") for name in ("pef", "f1")},
        metrics={
            name: tuple(book.make(Separation, name, side) for side in ("every", "matched"))
            for name in ("pef", "f1")
        },
    )


def check_kinds(book: Book) -> None:
    made = noticed(book)
    document = made.to_dict()
    assert check_document(book, document, aliases={"noticed": "share"}) == 3 + 2 + 4 * 11
    rows = long_rows(made.data())
    for row in rows:
        name, kind = row.pop("metric"), row.pop("kind")
        found = made.metrics[name][kind]
        assert row == {
            "lexical": kind == "word", "items": found.items, "lower": found.lower,
            "equal": found.equal, "higher": found.higher,
            "noticed": found.share.value, "noticed_low": found.share.low,
            "noticed_high": found.share.high, "drop": found.drop.value,
            "drop_low": found.drop.low, "drop_high": found.drop.high,
        }  # fmt: skip
    shares, raised, drops = pages(write_result, made)
    for table, title in (
        (shares, "noticed, %"),
        (raised, "scored higher, %"),
        (drops, "mean drop"),
    ):
        for line in table:
            name = line.pop(title)
            for column, cell in line.items():
                found = made.metrics[name][column.removesuffix(" (lexical)")]
                expected = {
                    "noticed, %": halved(*found.share.triple, digits=1, scale=100.0),
                    "scored higher, %": f"{100 * found.higher / found.items:.1f}",
                    "mean drop": halved(*found.drop.triple),
                }
                assert cell == expected[title]


def check_areas(book: Book) -> None:
    made = labelled(book)
    document = made.to_dict()
    for name, (every, matched) in made.metrics.items():
        entry = document["metrics"][name]
        for found, side in ((entry["auc"], every), (entry["matched_auc"], matched)):
            assert found == {**side.auc.to_dict(), "pairs": side.pairs}
    assert (document["outputs"], document["wrong"]) == (made.outputs, made.wrong)
    for row in long_rows(made.data()):
        every, matched = made.metrics[row.pop("metric")]
        assert row == {
            "auc": every.auc.value, "auc_low": every.auc.low, "auc_high": every.auc.high,
            "matched_auc": matched.auc.value, "matched_low": matched.auc.low,
            "matched_high": matched.auc.high, "matched_pairs": matched.pairs,
        }  # fmt: skip
    (table,) = pages(write_result, made)
    for line in table:
        every, matched = made.metrics[line.pop("metric")]
        assert line == {
            "auc": halved(*every.auc.triple), "auc, matched length": halved(*matched.auc.triple),
            "pairs": str(matched.pairs),
        }  # fmt: skip


@case("PerturbationResult", "LabelResult")
def test_columns_of_sensitivity_hold_what_they_name(book: Book) -> None:
    check_kinds(book)
    check_areas(book)
