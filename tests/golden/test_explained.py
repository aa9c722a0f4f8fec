"""The worked examples of the papers, explained: every number that the specification gives, key by key.

A file holds two sentences, their links and trees, and the part of the document `kilter.explain/1` that the
specification tells. Numbers are written as there: as fractions, or to so many decimals.
"""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import kilter
from kilter import DependencyTree, DependencyTreeColumn, LinkBatch

FOLDER = Path(__file__).parent / "explained"
NAMES = ("because", "cellist", "sherlock", "six")


def example(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def explained(given: dict[str, Any]) -> dict[str, Any]:
    """Return the document of an example, as a program reads it."""
    trees = None
    if "heads" in given:
        columns = [
            DependencyTreeColumn.of([DependencyTree(given[side], heads, labels=labels)])
            for side, heads, labels in zip(
                ("hypothesis", "reference"),
                given["heads"],
                given.get("labels", [None, None]),
                strict=True,
            )
        ]
        trees = kilter.Trees(systems=(columns[0],), references=(columns[1],))
    found = kilter.explain(
        " ".join(given["hypothesis"]),
        " ".join(given["reference"]),
        links=LinkBatch.of([[(first, second) for first, second in given["links"]]]),
        trees=trees,
        metrics=[*given["document"]["metrics"]],
        tokenize="none",
    )
    document: dict[str, Any] = json.loads(json.dumps(found.to_dict()))
    return document


def check_number(found: float, printed: str, key: str) -> None:
    """Check a number against a fraction, or against as many decimals as are printed."""
    _, point, decimals = printed.partition(".")
    near = 0.5 * 10 ** -len(decimals) if point else 1e-12
    assert found == pytest.approx(float(Fraction(printed)), abs=near, rel=0), key


@pytest.mark.parametrize("name", NAMES)
def test_every_number_of_the_specification_is_in_the_document(name: str) -> None:
    given = example(name)
    found = explained(given)
    told = given["document"]
    assert found["schema"] == "kilter.explain/1"
    for key in ("hypothesis", "reference", "links"):
        assert found[key] == given[key], key
    for key in told.keys() - {"metrics"}:
        assert found[key] == told[key], key
    assert found["metrics"].keys() == told["metrics"].keys()
    for metric, expected in told["metrics"].items():
        ours = found["metrics"][metric]
        steps = {step["name"]: step["value"] for step in ours["working"]}
        check_number(ours["score"], expected["score"], metric)
        check_number(steps["score"], expected["score"], f"{metric}: last step")
        for step, printed in expected.get("working", {}).items():
            check_number(steps[step], printed, f"{metric}: {step}")
        if "paths" in expected:
            paths = [
                {key: path[key] for key in ("reference", "L", "L_max", "chosen")}
                for path in ours["paths"]
            ]
            assert sorted(paths, key=lambda path: path["reference"]) == expected["paths"]


def test_no_file_is_left_over() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == [*NAMES]


def test_numbers_are_held_to_the_decimals_that_are_printed() -> None:
    check_number(0.23713, "0.2371", "log")
    with pytest.raises(AssertionError, match="log"):
        check_number(0.23716, "0.2371", "log")
    with pytest.raises(AssertionError, match="score"):
        check_number(0.5334, "8/15", "score")
