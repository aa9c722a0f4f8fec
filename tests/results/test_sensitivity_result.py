"""How metrics take changes: notes, and documents without NaN."""

import json

import pytest

from kilter.core.estimate import Estimate
from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.sensitivity_result import LabelResult, PerturbationResult, Reaction, Separation
from tests.render.cases import case
from tests.render.distinct import Book, check_document
from tests.render.written import halved, long_rows, pages, shown

UNDEFINED = Estimate()


def test_what_is_undefined_is_null() -> None:
    made = PerturbationResult(
        resamples=9, seed=1, lexical=("synonym",), kinds={"swap": 2, "synonym": 1}, unchanged=0,
        signatures={"pef": "pef|v"},
        metrics={"pef": {"swap": Reaction(2, 1, 1, 0, 0, Estimate(0.5, 0.0, 1.0), UNDEFINED)}},
    )  # fmt: skip
    document = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert document["kinds"]["synonym"] == {"items": 1, "lexical": True}
    swap = document["metrics"]["pef"]["kinds"]["swap"]
    assert swap["noticed"] == {"value": 0.5, "low": 0.0, "high": 1.0}
    assert swap["drop"] == {"value": None, "low": None, "high": None}
    assert made.notes == []


def test_texts_that_did_not_change_are_spoken_of() -> None:
    made = PerturbationResult(
        resamples=9, seed=1, lexical=(), kinds={}, unchanged=3, signatures={}, metrics={}
    )
    assert made.notes == ["3 pairs left out: the perturbed text is the original"]


def test_why_there_is_no_area_at_equal_length_is_said() -> None:
    def labelled(pairs: int) -> LabelResult:
        both = Separation(Estimate(0.7, 0.6, 0.8), 12), Separation(UNDEFINED, pairs)
        return LabelResult(
            resamples=9, seed=1, window=2, outputs=70, wrong=30, signatures={"pef": "pef|v"},
            metrics={"pef": both},
        )  # fmt: skip

    assert labelled(1).notes == []
    (note,) = labelled(0).notes
    assert "up to 2 words; a wider window may help" in note
    assert labelled(0).to_dict()["metrics"]["pef"]["matched_auc"]["value"] is None


# Shares and areas are written as far as they are known.


def written(result: PerturbationResult | LabelResult) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in shown(result, TableFormat.MD).splitlines()
        if line.startswith("|")
    ]


@pytest.mark.parametrize(
    ("share", "percent", "plain"),
    [
        (Estimate(0.25, 0.125, 0.5), "25.0 ±18.8", "0.2500 ±0.1875"),
        (Estimate(0.25), "25.0", "0.2500"),
        (Estimate(0.25, 0.125, None), "25.0", "0.2500"),
        (Estimate(), "undefined", "undefined"),
    ],
)
def test_a_share_is_written_with_half_of_its_interval_if_it_has_one(
    share: Estimate, percent: str, plain: str
) -> None:
    reaction = Reaction(
        items=8, lower=2, equal=5, higher=1, unscored=0, share=share, drop=share
    )  # fmt: skip
    found = written(
        PerturbationResult(
            resamples=9, seed=1, lexical=(), kinds={"swap": 8}, unchanged=0,
            signatures={"pef": "pef|"}, metrics={"pef": {"swap": reaction}},
        )
    )  # fmt: skip
    assert [row for row in found if row[0] == "pef"] == [["pef", percent], ["pef", "12.5"], ["pef", plain]]  # fmt: skip
    areas = written(
        LabelResult(
            resamples=9, seed=1, window=2, outputs=4, wrong=1, signatures={"pef": "pef|"},
            metrics={"pef": (Separation(Estimate(), 3), Separation(share, 2))},
        )
    )  # fmt: skip
    assert [row for row in areas if row[0] == "pef"] == [["pef", "undefined", plain, "2"]]


def test_of_no_items_there_is_no_percentage() -> None:
    reaction = Reaction(
        items=0, lower=0, equal=0, higher=0, unscored=0, share=Estimate(), drop=Estimate()
    )
    found = written(
        PerturbationResult(
            resamples=9, seed=1, lexical=("swap",), kinds={"swap": 0}, unchanged=0,
            signatures={"pef": "pef|"}, metrics={"pef": {"swap": reaction}},
        )
    )  # fmt: skip
    assert [row for row in found if row[0] == "pef"] == [["pef", "undefined"]] * 3
    assert ["noticed, %", "swap (lexical)"] in found


# Columns hold what they name: what metrics notice, as tables.


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
