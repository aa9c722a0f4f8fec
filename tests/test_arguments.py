"""Every argument of every public function, with values that it cannot have."""

import collections.abc
import dataclasses
import inspect
from collections.abc import Callable, Iterator
from enum import Enum
from math import inf
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

import numpy as np
import pandas as pd
import pytest

import kilter
from kilter.adapters.comet import predict
from kilter.adapters.evaluate import compute
from kilter.adapters.sacrebleu import KilterMetric
from kilter.aligners.registry import ALIGNERS
from kilter.core.errors import KilterError, OptionError
from kilter.core.registry import Configured, option
from kilter.core.settings import _NAMESPACE, _resolved
from kilter.metrics.registry import METRICS
from kilter.parsers.registry import PARSERS
from tests.public_calls import CALLS
from tests.thorough import some

ODD: dict[str, Any] = {
    "None": None,
    "True": True,
    "zero": 0,
    "minus one": -1,
    "a half": 1.5,
    "a huge number": 10**30,
    "no number": float("nan"),
    "infinity": float("inf"),
    "no text": "",
    "a text": "x",
    "bytes": b"x",
    "a list": [],
    "a list of numbers": [3],
    "a list of texts": ["x"],
    "a mapping": {"x": "y"},
    "a set": {"x"},
    "an object": object(),
    "a table": pd.DataFrame({"a": ["x"]}),
    "an array": np.zeros((2, 2)),
}
"""Values of every kind; whatever an annotation does not allow must be refused."""

OWN = {
    "Permutation", "PermutationBatch", "DependencyTree", "ScoreTable", "Analysis", "AgreementMeasure",
    "PermutationTree", "PermutationForest", "ScoreResult", "PrintedOrder", "KilterMetric",
    "ByteSource", "LinkBatch", "metric_names", "PerturbationType", "Treebank",
    "DependencyTreeColumn", "RuleSet", "ValidationReport", "PerturbedRow", "preorder.rules",
    "Judgments", "MetaResult", "PairResult", "TuneResult", "PerturbationResult", "LabelResult",
    "EvaluationFile", "PublishedResult", "PublishedEntry",
}  # fmt: skip
"""Structures, which check what they are made of in tests of their own, and calls of this test."""


def types(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotations of a function or a dataclass by argument."""
    if dataclasses.is_dataclass(function):
        hints = get_type_hints(function, None, _NAMESPACE)
        return {entry.name: hints[entry.name] for entry in dataclasses.fields(function)}
    scope = inspect.unwrap(function).__globals__
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {
        name: _resolved(parameter.annotation, scope)
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind not in kinds
    }


def fits(value: Any, hint: Any) -> bool:  # noqa: PLR0911 - one line for each kind of annotation
    """Return whether an annotation allows a value, by a reading of its own."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin in (Union, UnionType):
        return any(fits(value, each) for each in inner)
    if origin in (collections.abc.Sequence, collections.abc.Iterable, list) or (
        origin is tuple and Ellipsis in inner
    ):
        return isinstance(value, (list, tuple)) and all(fits(each, inner[0]) for each in value)
    if origin in (collections.abc.Mapping, dict):
        return isinstance(value, dict) and all(
            fits(key, inner[0]) and fits(each, inner[1]) for key, each in value.items()
        )
    if not isinstance(hint, type):
        return origin not in (collections.abc.Callable, tuple)
    if hint in (int, float):
        number = (int,) if hint is int else (int, float)
        most = 2**31 if hint is int else inf
        return isinstance(value, number) and not isinstance(value, bool) and abs(value) < most
    if issubclass(hint, Enum):
        return isinstance(value, str) and value in [each.value for each in hint]
    return isinstance(value, hint)


def odd_calls() -> Iterator[tuple[str, str]]:
    """Yield every public function with each of its arguments."""
    for name, call in CALLS.items():
        if name in OWN:
            continue
        for argument in types(call.function):
            yield name, argument


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every call in a folder of its own: an odd name of a folder may be taken for one to fill."""
    monkeypatch.chdir(tmp_path)


ODD_CALLS = [*odd_calls()]


@pytest.mark.parametrize(("name", "argument"), some(ODD_CALLS, quick=ODD_CALLS[::4], rows=True))
def test_an_argument_that_cannot_be_is_an_error_of_ours(name: str, argument: str) -> None:
    call = CALLS[name]
    hint = types(call.function)[argument]
    usual = call.arguments()
    for odd, value in ODD.items():
        try:
            found = call.function(**{**usual, argument: value})
            if inspect.isgenerator(found):
                next(found, None)
        except KilterError as error:
            said = str(error)
        except Exception as error:
            raise AssertionError(f"{argument} is {odd}: {error!r}") from error
        else:
            assert fits(value, hint), f"{argument} is {odd}: taken in silence"
            said = "taken"
        assert said
        assert "\n" not in said


@pytest.mark.parametrize("registry", [METRICS, ALIGNERS, PARSERS], ids=lambda each: each.noun)
def test_an_option_that_cannot_be_is_an_error_of_ours(registry: Any) -> None:
    for kind in map(registry.find, registry.names()):
        for entry in dataclasses.fields(kind):
            for name, value in ODD.items():
                try:
                    kind(**{entry.name: value})
                except KilterError as error:
                    said = str(error)
                else:
                    hint = kind.option_type(entry.name)
                    assert fits(value, hint), f"{kind.name}: {entry.name} is {name}"
                    said = "taken"
                assert "\n" not in said


def test_every_annotation_can_be_read() -> None:
    for name in sorted(set(CALLS) - OWN):
        function = CALLS[name].function
        assert set(types(function)) or not inspect.signature(function).parameters, name
        assert "NDArray" in _NAMESPACE, name
        assert NoneType not in types(function).values(), name


@pytest.mark.parametrize(
    "settings",
    [
        {"tokenize": 3},
        {"tokenize": "moses:"},
        {"trees": "x"},
        {"links": "x"},
        {"jobs": 10**30},
        {"jobs": 0},
        {"jobs": -1},
        {"jobs": True},
        {"jobs": 1.5},
        {"aligner": []},
        {"parser": []},
        {"metrics": []},
        {"language": ""},
        {"resampling": 5},
        {"rule": 3},
        {"empty": "drop"},
        {"lowercase": 1},
    ],
)
@pytest.mark.parametrize("through", ["score", "compute", "predict", "KilterMetric"])
def test_settings_are_checked_in_every_adapter(settings: dict[str, Any], through: str) -> None:
    def scored() -> Any:
        chosen = {"metrics": "kendall", **settings}
        if through == "score":
            return kilter.score(["a b"], ["a b"], **chosen)
        if through == "compute":
            return compute(predictions=["a b"], references=["a b"], **chosen)
        metric = chosen.pop("metrics")
        if through == "predict":
            return predict([{"mt": "a b", "ref": "a b"}], metric=metric, **chosen)
        return KilterMetric(metric, **chosen).corpus_score(["a b"], [["a b"]])

    with pytest.raises(KilterError):
        scored()


@pytest.mark.parametrize("level", [0, 1, -0.5, 2])
def test_a_level_lies_between_zero_and_one(level: float) -> None:
    with pytest.raises(OptionError, match="it must lie between 0 and 1"):
        CALLS["Resampling"].function(level=level)


def test_an_option_may_be_given_by_the_name_of_its_value() -> None:
    by_name = CALLS["MetaSettings"].function(measures=["consistency"], tie_rule="wmt13")
    assert by_name == CALLS["MetaSettings"].function(
        measures=(CALLS["AgreementMeasure"].function("consistency"),)
    )


def test_files_may_be_given_as_paths() -> None:
    call = CALLS["read_judgments"]
    assert call.function(Path(call.arguments()["path"])).counts["pairs"] == 369


@dataclasses.dataclass(frozen=True, kw_only=True)
class Unbounded(Configured):
    """Something with an option that any number can be."""

    name: ClassVar[str] = "unbounded"
    weight: float = option(1.0, "any number")


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), -float("inf")])
def test_an_option_without_bounds_is_a_number_all_the_same(weight: float) -> None:
    with pytest.raises(OptionError, match="it must be a finite number"):
        Unbounded(weight=weight)
