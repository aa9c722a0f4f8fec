"""Spans scored as the authors' programs score them, on inputs that were made up."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kilter.core.spans import Side, Span
from kilter.stats.gamma import Dissimilarity, gamma_agreement, mean_units, total_disorder
from kilter.stats.span_score import (
    Counted,
    character_match,
    exact_match,
    partial_match,
    precision_recall_f1,
    wmt23_match,
)

_WEIGHTS = {"minor": 0.2, "major": 1.0, "critical": 1.0}
_MATCHES: dict[str, Callable[[list[Span], list[Span]], Counted]] = {
    "MPP.one_to_one.micro.sevpen0.0": partial_match,
    "MPP.sevweights.micro": lambda p, g: partial_match(p, g, weights=_WEIGHTS),
    "EM.one_to_one.micro.sevpen0.0": exact_match,
    "WMT25.many_to_many.micro.sevpen0.0": lambda p, g: character_match(p, g, credit=1.0),
    "WMT25.many_to_many.micro.sevpen0.5": lambda p, g: character_match(p, g, credit=0.5),
}
_DISSIMILARITIES = {
    "combined_alpha3_beta1_delta1": Dissimilarity(),
    "combined_alpha1_beta1_delta1": Dissimilarity(alpha=1.0),
    "positional_delta1": Dissimilarity(alpha=1.0, beta=0.0),
}


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(Path(__file__).with_name(name).read_text())["cases"]
    return found


def spans(entries: list[dict[str, Any]]) -> list[Span]:
    return [
        Span(
            start=e["start"],
            end=e["end"],
            side=Side(e.get("side", "target")),
            severity=e["severity"],
        )
        for e in entries
    ]


def shares(counts: list[Counted]) -> list[float]:
    found: list[float] = precision_recall_f1(np.sum(counts, axis=0, dtype=np.float64)).tolist()
    return found


@pytest.mark.parametrize("key", _MATCHES)
def test_spans_score_what_the_package_of_the_paper_says(key: str) -> None:
    for case in cases("spans_mpp.json"):
        given = case["input"]
        pairs = zip(given["predictions"], given["references"], strict=True)
        found = shares([_MATCHES[key](spans(one), spans(other)) for one, other in pairs])
        wanted = case["output"][key]
        assert found == pytest.approx([wanted[n] for n in ("precision", "recall", "f_score")], abs=1e-12), case["id"]  # fmt: skip


def test_characters_score_what_the_task_of_2023_says() -> None:
    for case in cases("spans_wmt_qe_f1.json"):
        found = shares(
            [
                wmt23_match(spans(each["system"]), spans(each["gold"]), length=len(each["mt"]))
                for each in case["input"]["segments"]
            ]
        )
        wanted = [case["output"][name] for name in ("precision", "recall", "f1")]
        assert found == pytest.approx(wanted, abs=1e-12), case["id"]


@pytest.mark.parametrize("key", _DISSIMILARITIES)
def test_gamma_is_that_of_pygamma_agreement_for_the_same_seed(key: str) -> None:
    kind = _DISSIMILARITIES[key]
    for case in cases("gamma.json"):
        given, wanted = case["input"], case["output"][key]
        marks = [[(s, e, c) for s, e, c in own] for _, own in sorted(given["annotators"].items())]
        size = mean_units(marks)
        assert total_disorder(marks, kind) / size == pytest.approx(
            wanted["observed_disorder"], abs=1e-6
        )
        (row,) = gamma_agreement(
            [marks], kind, samples=given["n_samples"], seed=given["np_random_seed"]
        )
        assert row[1] / size == pytest.approx(wanted["expected_disorder"], abs=1e-5)
        assert 1 - row[0] / row[1] == pytest.approx(wanted["gamma"], abs=1e-5)
