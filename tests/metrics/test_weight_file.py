"""Files of fitted weights."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import kilter
from kilter.core.errors import InputError
from kilter.metrics.fitted_weight import SCHEMA, WordModel, weight_file
from kilter.metrics.kilter import Kilter
from kilter.metrics.registry import metric

OWN = {"characters": 0.4, "words": 0.6, "order": 0.5}
LINES = {"one": ["a b c d e f"], "other": ["b a d c e x"]}


def document(**changed: Any) -> dict[str, Any]:
    made = {
        "schema": SCHEMA,
        "version": "mine",
        "fitted_on": "ten pairs",
        "weights": {"none": OWN},
    }
    return made | changed


def written(folder: Path, content: object) -> str:
    path = folder / "weights.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


def test_scores_follow_the_weights_of_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, document())
    name = f"kilter:weights={path}"
    made = metric(name)
    assert isinstance(made, Kilter)
    assert made.part_weights() == {"characters": 0.4, "words": 0.6}
    assert made.order_factor == 0.5
    found = kilter.score(LINES["other"], LINES["one"], metrics=[name, "kilter"]).system
    parts = found[name].parts
    weighted = sum(OWN[part] * (parts[part] or 0.0) for part in ("characters", "words"))
    assert found[name].score == pytest.approx(weighted * (parts["order"] or 0.0))
    lost, plain = (1 - (found[each].parts["order"] or 0.0) for each in (name, "kilter"))
    assert lost == pytest.approx(plain / 2)


def test_a_signature_says_version_and_checksum_and_no_place(tmp_path: Path) -> None:
    path = written(tmp_path, document())
    first = metric(f"kilter:weights={path}").signature()
    assert "weights:mine-" in first
    assert str(tmp_path) not in first
    written(tmp_path, document(fitted_on="others"))
    again = metric(f"kilter:weights={path}").signature()
    assert again != first
    assert metric(f"kilter:weights={path}").placeless() == "kilter"


def test_the_package_has_weights_of_every_model() -> None:
    own = weight_file()
    assert set(own.weights) == set(own.margins) == set(WordModel)
    assert own.label == "3"


FAULTS = {
    "{": "is not JSON",
    "[" * 200_000: "is not JSON",
    "[]": "its schema is not",
    json.dumps(document(schema="other/1")): "its schema is not",
    json.dumps(document(version="1|2")): "version must be letters and digits",
    json.dumps(document(schema="kilter.weights/1")): "holds weights of version 2",
    json.dumps(document(weights=[])): "not by encoder",
    json.dumps(document(weights={"xx": OWN})): "no encoder 'xx'",
    json.dumps(document(weights={"none": {"words": 1}})): "must be characters, words and order",
    json.dumps(
        document(weights={"none": OWN | {"order": 11}})
    ): "a number between 0 and 10, not 11",
    json.dumps(
        document(weights={"none": OWN | {"words": -0.1}})
    ): "a number between 0 and 1, not -0.1",
    json.dumps(document(weights={"none": OWN | {"words": 0.5}})): "add up to 0.9, not to 1",
    json.dumps(document(weights={})): "has no weights of encoder none",
}


@pytest.mark.parametrize("content", FAULTS, ids=range(len(FAULTS)))
def test_a_file_that_is_not_right_says_what_and_where(content: str, tmp_path: Path) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError, match=FAULTS[content]) as raised:
        metric(f"kilter:weights={path}")
    assert raised.value.where == path


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be opened"):
        metric(f"kilter:weights={tmp_path / 'none.json'}")


def test_weights_are_not_waited_for_where_no_regular_file_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path):
        with pytest.raises(InputError, match="is not a regular file; write the weights to one"):
            metric(f"kilter:weights={path}")
