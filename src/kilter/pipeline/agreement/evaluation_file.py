"""An evaluation of several language pairs, described by a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from kilter.errors import InputError
from kilter.formats.stream import ByteSource
from kilter.judgments.reader import JudgmentFormat
from kilter.options.argument import checked
from kilter.pipeline.agreement.evaluation_inputs import EvaluationInputs
from kilter.pipeline.scoring.settings import Settings
from kilter.structures.result.agreement_measure import AgreementMeasure

if TYPE_CHECKING:
    from kilter.options.choice import Choice

Named = TypeVar("Named", bound="Choice")

# What a file may say for all language pairs; the command line has the last word.
_SHARED = {"metrics", "measures"}
_PATHS = ("judgments", "source")
_LISTS = ("references", "systems")
_NAMES = ("lower_is_better",)
_CHOICES: dict[str, type[Choice]] = {"judgment_format": JudgmentFormat}
_KINDS: dict[str, type] = {
    "pair": str,
    "judgment_name": str,
    "question": str,
    "published": str,
    "threshold": float,
}
_SETTINGS: dict[str, type] = {
    "aligner": str,
    "tokenize": str,
    "language": str,
    "lowercase": bool,
}
"""Fields of `Settings` that a language pair may have for itself."""
_WORDS = {str: "a text", bool: "true or false", float: "a number"}
PAIR_KEYS = (
    *(entry.name for entry in fields(EvaluationInputs) if entry.name != "settings"),
    *_SETTINGS,
)
"""What the table of a language pair may hold."""


@dataclass(frozen=True, kw_only=True)
class EvaluationFile:
    """The inputs by language pair, and the measures that the file asks for; none, if it asks for none."""

    pairs: dict[str, EvaluationInputs]
    measures: tuple[AgreementMeasure, ...] = ()

    def with_metrics(self, metrics: tuple[str, ...]) -> EvaluationFile:
        """Return the same with other metrics."""
        return replace(
            self,
            pairs={
                name: replace(inputs, settings=replace(inputs.settings, metrics=metrics))
                for name, inputs in self.pairs.items()
            },
        )


@checked
def read_evaluation_file(path: str, settings: Settings | None = None) -> EvaluationFile:
    """Return the evaluation that a file describes; what it says replaces the settings.

    Without settings there are no metrics but those of the file and of its files of scores. Paths are
    relative to the file. `reference` may stand for `references`; both, and `systems`, are a text or a
    list of texts. Whatever the file should not say is an `InputError`.
    """
    source = ByteSource(path)
    try:
        document = tomllib.loads(b"".join(source.chunks()).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is no TOML file: {error}", where=source.name) from error
    pairs = document.pop("pairs", None)
    if not isinstance(pairs, dict) or not pairs:
        raise InputError(
            "has no table [pairs.NAME]; it needs one per language pair", where=source.name
        )
    shared = {}
    for key, value in document.items():
        if key not in _SHARED:
            raise _unknown(source.name, key, [*sorted(_SHARED), "pairs"])
        shared[key] = _texts(source.name, key, value)
    base = settings or Settings(metrics=())
    if "metrics" in shared:
        base = replace(base, metrics=tuple(shared["metrics"]))
    folder = Path(path).parent
    return EvaluationFile(
        pairs={
            name: _inputs(source.name, folder, name, table, base) for name, table in pairs.items()
        },
        measures=tuple(
            _choice(source.name, "measures", name, AgreementMeasure)
            for name in dict.fromkeys(shared.get("measures", ()))
        ),
    )


def _inputs(file: str, folder: Path, name: str, table: Any, base: Settings) -> EvaluationInputs:
    where = f"{file}: pairs.{name}"
    if not isinstance(table, Mapping):
        raise InputError("is no table", where=where)
    values: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    for key, value in table.items():
        known = "references" if key == "reference" else key
        if known not in PAIR_KEYS:
            raise _unknown(where, key, PAIR_KEYS)
        taken = settings if known in _SETTINGS else values
        taken[known] = _value(where, folder, key, value, known)
    if "judgments" not in values:
        raise InputError("names no judgments; add judgments = FILE", where=where)
    return EvaluationInputs(**values, settings=replace(base, **settings))


def _value(where: str, folder: Path, key: str, value: Any, known: str) -> Any:
    if known in _PATHS:
        return str(folder / _text(where, key, value))
    if known in _LISTS:
        return tuple(str(folder / entry) for entry in _texts(where, key, value))
    if known in _NAMES:
        return tuple(_texts(where, key, value))
    if known == "scores":
        return _scores(where, folder, value)
    if known in _CHOICES:
        return _choice(where, key, _text(where, key, value), _CHOICES[known])
    return _plain(where, key, value, {**_KINDS, **_SETTINGS}[known])


def _plain(where: str, key: str, value: Any, kind: type) -> Any:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind):
        raise InputError(f"{key} is {value!r}; it must be {_WORDS[kind]}", where=where)
    return value


def _choice(where: str, key: str, value: str, kind: type[Named]) -> Named:
    for each in kind:
        if each.value == value:
            return each
    raise InputError(f"{key} is {value!r}; it can be {', '.join(kind)}", where=where)


def _text(where: str, key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{key} is {value!r}; it must be a text", where=where)
    return value


def _texts(where: str, key: str, value: Any) -> list[str]:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(entry, str) for entry in listed):
        raise InputError(f"{key} is {value!r}; it must be a text or a list of texts", where=where)
    return listed


def _scores(where: str, folder: Path, value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(path, str) for path in value.values()):
        raise InputError(f"scores is {value!r}; write scores = {{METRIC = FILE, ...}}", where=where)
    return {str(name): str(folder / path) for name, path in value.items()}


def _unknown(where: str, key: str, known: Sequence[str]) -> InputError:
    return InputError(f"there is no setting {key!r}; there are: {', '.join(known)}", where=where)
