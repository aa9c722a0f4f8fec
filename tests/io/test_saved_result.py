"""Results that are saved and loaded are what they were, to the last bit."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.io.saved_result import load
from kilter.results.document import Result
from kilter.run.meta.rated_systems import rated_systems
from tests.cli.sample import PATHS, REFERENCE
from tests.public_calls import CALLS, plain
from tests.render.cases import NAMESPACE, reports
from tests.render.distinct import Book
from tests.results.test_sensitivity_result import labelled, noticed

RESULTS = {
    name: kind
    for name, kind in reports().items()
    if isinstance(kind, type) and kind.__module__.startswith("kilter.results.")
}


def kept(result: Result, folder: Path, name: str = "kept.kilter.json") -> Any:
    result.save(folder / name)
    return load(folder / name)


def same(one: Any, other: Any) -> bool:
    return repr(plain(one)) == repr(plain(other))


def _made(name: str, folder: Path) -> Any:
    if name in ("LatencyResult", "AnalysisResult"):
        return CALLS[name].function(**CALLS[name].arguments())
    book = Book(NAMESPACE)
    if name == "SelfTrainingResult":
        return book.make(RESULTS[name], name, settings={"rounds": 3, "beam": None})
    if name == "PerturbationResult":
        return noticed(book)
    if name == "LabelResult":
        return labelled(book)
    if name == "RatedSystems":
        rows = ["system segment rater rating", "a 1 x 1", "a 2 x 3", "b 1 x 4", "b 2 x 5"]
        (folder / "ratings.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
        return rated_systems(str(folder / "ratings.txt"), resampling=kilter.Resampling(resamples=9))
    return book.make(RESULTS[name], name)


@pytest.fixture(scope="module")
def scored() -> kilter.ScoreResult:
    names = ("kilter", "order", "bleu", "pef", "meteor")
    texts = {Path(path).name: Path(path).read_text("utf-8").splitlines() for path in PATHS}
    return kilter.score(texts, Path(REFERENCE).read_text("utf-8").splitlines(), metrics=names)


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_loads_as_it_was_saved(name: str, tmp_path: Path) -> None:
    if name == "ScoreResult":  # of which a test with real scores follows
        return
    made = _made(name, tmp_path)
    found = kept(made, tmp_path)
    assert type(found) is type(made)
    assert same(found, made)
    assert found.to_dict() == made.to_dict()


def test_every_array_of_scores_has_the_same_bits(
    scored: kilter.ScoreResult, tmp_path: Path
) -> None:
    found = kept(scored, tmp_path, "kept.kilter.json.gz")
    assert same(found, scored)
    assert str(found) == str(scored)
    assert found.to_dict() == scored.to_dict()
    for kind in ("segment_arrays", "statistic_arrays", "margin_arrays"):
        one, other = getattr(scored, kind), getattr(found, kind)
        assert {key: rows.tobytes() for key, rows in one.items()} == {
            key: rows.tobytes() for key, rows in other.items()
        }
    assert scored.texts is not None
    assert found.texts.systems == scored.texts.systems
    kept(found, tmp_path, "again.kilter.json")
    kept(scored, tmp_path, "first.kilter.json")
    again, first = ((tmp_path / f"{name}.kilter.json") for name in ("again", "first"))
    assert again.read_bytes() == first.read_bytes()


def test_numbers_that_json_does_not_have_are_kept(tmp_path: Path) -> None:
    odd = np.array([0.1, -0.0, 5e-324, np.inf, -np.inf, np.nan])
    score = kilter.score(["a b"], ["a b"], metrics="order")
    result = kilter.ScoreResult(
        **{
            **{name: getattr(score, name) for name in ("systems", "metrics")},
            "count": 6,
            "seed": 1,
        },
        segment_arrays={("order", "system"): odd},
    )
    found = kept(result, tmp_path)
    assert found.segment_arrays["order", "system"].tobytes() == odd.tobytes()
    assert found.metrics["order"].range == score.metrics["order"].range


def test_a_file_says_its_scores_to_other_programs_too(
    scored: kilter.ScoreResult, tmp_path: Path
) -> None:
    kept(scored, tmp_path)
    head = json.loads((tmp_path / "kept.kilter.json").read_text("utf-8"))
    assert head["schema"] == "kilter.saved/1"
    assert head["document"] == json.loads(json.dumps(scored.to_dict()))


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load(path)
    assert caught.value.where == str(path)
    return str(caught.value)


def test_what_is_no_saved_result_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.kilter.json"
    for text in ("", "[]", "{}", "nothing", '{"schema": "kilter.score/1"}', "[" * 100_000, "\x00"):
        path.write_text(text, encoding="utf-8")
        assert "name a saved result" in refused(path) or "is not a saved result" in refused(path)
    with pytest.raises(InputError):
        load(tmp_path / "missing.kilter.json")
    with pytest.raises(OptionError):
        load(3)  # type: ignore[arg-type]


def test_a_file_that_was_changed_is_refused_with_both_digests(tmp_path: Path) -> None:
    path = tmp_path / "kept.kilter.json"
    kilter.score(["a b"], ["a b"], metrics="order").save(path)
    head = json.loads(path.read_text("utf-8"))
    head["result"]["of"]["count"] = 2
    path.write_text(json.dumps(head), encoding="utf-8")
    message = refused(path)
    assert "was changed after it was saved: sha256" in message
    assert head["sha256"][:16] in message


@pytest.mark.parametrize(
    "saved",
    [
        None,
        3,
        {"type": "os:system", "of": {}},
        {"type": "kilter.results.document:Result", "of": {}},
        {"type": "kilter.results.document:np", "of": {}},
        {"type": "kilter.results.nothing:Nothing", "of": {}},
        {"type": "kilter.results.score_result:ScoreResult", "of": {}},
        {"type": "kilter.results.score_result:ScoreResult", "of": 4},
        {"type": "kilter.stats.resampling:Resampling", "of": {"seed": 1}},
        {"type": "array", "dtype": "<f8", "shape": [2], "of": "no base64"},
        {"type": "array", "dtype": "|O", "shape": [2], "of": ""},
        {"type": "array", "dtype": "<f8", "shape": [10**30], "of": "eJwDAAAAAAE="},
        {"of": 1},
        [{"type": "float", "of": "x"}],
    ],
)
def test_a_file_names_no_type_but_those_of_results(saved: Any, tmp_path: Path) -> None:
    from kilter.io.saved_result import _digest

    path = tmp_path / "some.kilter.json"
    head = {"schema": "kilter.saved/1", "version": "9", "sha256": _digest(saved), "result": saved}
    path.write_text(json.dumps(head), encoding="utf-8")
    assert "was saved by Kilter 9, whose results this version" in refused(path)


@pytest.mark.parametrize("depth", [100, 400, 700, 990])
def test_brackets_inside_one_another_are_refused(depth: int, tmp_path: Path) -> None:
    path = tmp_path / "deep.kilter.json"
    nested = "[" * depth + "]" * depth
    sha = sha256(nested.encode()).hexdigest()
    path.write_text(
        f'{{"schema": "kilter.saved/1", "sha256": "{sha}", "result": {nested}}}', encoding="utf-8"
    )
    assert refused(path)


def test_what_has_no_place_in_a_file_cannot_be_saved(tmp_path: Path) -> None:
    score = kilter.score(["a b"], ["a b"], metrics="order")
    object.__setattr__(score, "notes", ({1, 2},))
    with pytest.raises(TypeError, match="a set in a result cannot be saved"):
        score.save(tmp_path / "some.kilter.json")
    assert [*tmp_path.iterdir()] == []
