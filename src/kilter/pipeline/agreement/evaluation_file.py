"""A study of several language pairs, described by a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from kilter.errors import InputError
from kilter.formats.stream import ByteSource
from kilter.judgments.reader import JudgmentFormat
from kilter.judgments.survey_export import SurveyQuestion
from kilter.pipeline.agreement.evaluation_pair import StudyInputs

# What a file may say for all language pairs; the command line has the last word.
_SHARED = {"metrics", "measures"}
_PATHS = ("judgments", "source")
_LISTS = ("references", "systems")
_NAMES = ("lower_is_better",)
_CHOICES = {"judgment_format": JudgmentFormat, "question": SurveyQuestion}
_KINDS: dict[str, type] = {
    "pair": str,
    "judgment_name": str,
    "aligner": str,
    "tokenize": str,
    "language": str,
    "published": str,
    "lowercase": bool,
    "threshold": float,
}
_WORDS = {str: "a text", bool: "true or false", float: "a number"}


def read_study_file(path: str) -> tuple[dict[str, StudyInputs], dict[str, list[str]]]:
    """Return the inputs by language pair, and the metrics and measures that the file asks for.

    Paths are relative to the file. `reference` may stand for `references`; both, and `systems`, are a text
    or a list of texts. Whatever the file should not say is an `InputError`.
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
    folder = Path(path).parent
    return {
        name: _inputs(source.name, folder, name, table) for name, table in pairs.items()
    }, shared


def _inputs(file: str, folder: Path, name: str, table: Any) -> StudyInputs:
    where = f"{file}: pairs.{name}"
    if not isinstance(table, Mapping):
        raise InputError("is no table", where=where)
    values: dict[str, Any] = {}
    for key, value in table.items():
        known = "references" if key == "reference" else key
        if known in _PATHS:
            values[known] = str(folder / _text(where, key, value))
        elif known in _LISTS:
            values[known] = tuple(str(folder / entry) for entry in _texts(where, key, value))
        elif known in _NAMES:
            values[known] = tuple(_texts(where, key, value))
        elif known == "scores":
            values[known] = _scores(where, folder, value)
        elif known in _CHOICES:
            values[known] = _CHOICES[known](_text(where, key, value))
        elif known in _KINDS:
            values[known] = _plain(where, key, value)
        else:
            raise _unknown(where, key, [field.name for field in fields(StudyInputs)])
    if "judgments" not in values:
        raise InputError("names no judgments; add judgments = FILE", where=where)
    return StudyInputs(**values)


def _plain(where: str, key: str, value: Any) -> Any:
    kind = _KINDS[key]
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind):
        raise InputError(f"{key} is {value!r}; it must be {_WORDS[kind]}", where=where)
    return value


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


def _unknown(where: str, key: str, known: list[str]) -> InputError:
    return InputError(f"there is no setting {key!r}; there are: {', '.join(known)}", where=where)
