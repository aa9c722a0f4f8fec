"""Files of fitted weights."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import kilter
from kilter.errors import InputError, OptionError
from kilter.metrics.registry import metric
from kilter.metrics.weight_file import SCHEMA, weight_file
from kilter.metrics.word_model import WordModel

OWN = {"characters": [0.2, 0.1], "words": [0.3, 0.2], "order": [0.5, 0.7]}
LINES = {"one": ["a b c d e"], "other": ["b a c x"]}


def document(**changed: Any) -> dict[str, Any]:
    made = {
        "schema": SCHEMA,
        "version": "mine",
        "fitted_on": "ten pairs",
        "weights": {"none": OWN},
        "near": 0.25,
    }
    return made | changed


def written(folder: Path, content: object) -> str:
    path = folder / "weights.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


def test_scores_follow_the_weights_of_a_file_in_segments_and_systems(tmp_path: Path) -> None:
    path = written(tmp_path, document())
    name = f"kilter:weights={path}"
    found = kilter.score(LINES["other"], LINES["one"], metrics=[name, "order"])
    values = metric(name).part_weights()  # type: ignore[attr-defined]
    assert values == {part: tuple(pair) for part, pair in OWN.items()}
    parts = found.system[name].parts
    assert sum(value or 0.0 for value in parts.values()) == pytest.approx(found.system[name].score)
    assert parts["order"] == pytest.approx(0.7 * (found.system["order"].score or 0.0))
    plain = kilter.score(LINES["other"], LINES["one"], metrics=["kilter"]).system["kilter"]
    assert (plain.parts["order"] or 0.0) / 0.4 == pytest.approx((parts["order"] or 0.0) / 0.7)


def test_order_takes_the_weight_of_neighbours_from_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, document())
    fitted, named = (
        kilter.score(LINES["other"], LINES["one"], metrics=[name]).system[name].score
        for name in (f"order:weights={path}", "order:near=0.25")
    )
    assert fitted == named
    assert "|near:0.25|" in metric(f"order:weights={path}").signature()
    with pytest.raises(OptionError, match="leave out one of them"):
        metric(f"order:near=0.3,weights={path}")


@pytest.mark.parametrize("name", ["kilter", "order"])
def test_a_signature_says_version_and_checksum_and_no_place(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, document())
    first = metric(f"{name}:weights={path}").signature()
    assert "weights:mine-" in first
    assert str(tmp_path) not in first
    written(tmp_path, document(fitted_on="others"))
    again = metric(f"{name}:weights={path}").signature()
    assert again != first
    assert metric(f"{name}:weights={path}").placeless() == name


def test_the_package_has_weights_of_every_model() -> None:
    own = weight_file()
    assert set(own.weights) == set(own.margins) == set(WordModel)
    assert own.label == "2"


FAULTS = {
    "{": "is no JSON",
    "[" * 200_000: "is no JSON",
    "[]": "its schema is not",
    json.dumps(document(schema="other/1")): "its schema is not",
    json.dumps(document(version="1|2")): "version must be letters and digits",
    json.dumps(document(near=1.5)): "near is 1.5",
    json.dumps(document(near=True)): "near is True",
    json.dumps(document(weights=[])): "not by encoder",
    json.dumps(document(weights={"xx": OWN})): "no encoder 'xx'",
    json.dumps(document(weights={"none": {"order": [1, 1]}})): "must be characters, words, order",
    json.dumps(document(weights={"none": OWN | {"order": 1}})): "two weights are needed",
    json.dumps(document(weights={"none": OWN | {"order": [0.5, -0.1]}})): "between 0 and 1",
    json.dumps(document(weights={"none": OWN | {"order": [0.5, 0.6]}})): "add up to 0.9, not to 1",
    json.dumps(document(weights={})): "has no weights of encoder none",
}


@pytest.mark.parametrize("content", FAULTS, ids=range(len(FAULTS)))
def test_a_file_that_is_not_right_says_what_and_where(content: str, tmp_path: Path) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError, match=FAULTS[content]) as raised:
        metric(f"kilter:weights={path}")
    assert raised.value.where == path


def test_a_file_without_what_order_needs_or_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    made = document()
    del made["near"]
    with pytest.raises(InputError, match="kilter tune -m order -o near"):
        metric(f"order:weights={written(tmp_path, made)}")
    with pytest.raises(InputError, match="cannot be opened"):
        metric(f"kilter:weights={tmp_path / 'none.json'}")


def test_weights_are_not_waited_for_where_no_regular_file_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path):
        with pytest.raises(InputError, match="is no regular file; write the weights to one"):
            metric(f"kilter:weights={path}")
