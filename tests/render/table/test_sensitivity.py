"""Shares and areas are written as far as they are known."""

import pytest

from kilter.core.estimate import Estimate
from kilter.render.table.table import TableFormat
from kilter.results.sensitivity_result import (
    LabelResult,
    PerturbationResult,
    Reaction,
    Separation,
)
from tests.render.written import shown


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
