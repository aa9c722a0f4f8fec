"""An evaluation of several language pairs, described by a TOML file."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from kilter.core.settings import checked
from kilter.io.judgments.reader import JudgmentFormat
from kilter.io.link_format import LinkFormat, links_below
from kilter.io.toml_table import TomlTable, read_toml
from kilter.results.meta_result import AgreementMeasure
from kilter.run.meta.evaluation_inputs import EvaluationInputs
from kilter.run.scoring.corpus import EmptyLines
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kilter.core.settings import Choice

Named = TypeVar("Named", bound="Choice")

# What a file may say for all language pairs; the command line has the last word.
_SHARED = ("metrics", "measures")
_SETTINGS = ("aligner", "parser", "tokenize", "language", "lowercase", "empty", "rule")
"""Fields of `Settings` that a file may say for all language pairs, and each of them for itself."""
PAIR_KEYS = (
    *(entry.name for entry in fields(EvaluationInputs) if entry.name != "settings"),
    *_SETTINGS,
)
"""What the table of a language pair may hold."""
_WORDS = "a text, or a list of texts with at least one"


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
    table = read_toml(path, needs="it needs a table [pairs.NAME] for each language pair")
    table.allow([*_SHARED, *_SETTINGS, "pairs"])
    pairs = table.named_tables("pairs")
    if not pairs:
        raise table.error("has no table [pairs.NAME]; it needs one for each language pair")
    base = settings or Settings(metrics=())
    if "metrics" in table:
        base = replace(base, metrics=table.words("metrics", wanted=_WORDS))
    measures = table.words("measures", (), wanted=_WORDS)
    folder = Path(path).parent
    shared = [key for key in _SETTINGS if key in table]
    base = replace(base, **{key: _VALUES[key](table, folder, key) for key in shared})
    return EvaluationFile(
        pairs={name: _inputs(pair, folder, base) for name, pair in pairs.items()},
        measures=tuple(dict.fromkeys(_chosen(table, "measures", measures, AgreementMeasure))),
    )


def _inputs(table: TomlTable, folder: Path, base: Settings) -> EvaluationInputs:
    table.allow([*PAIR_KEYS, "reference"])
    if "judgments" not in table and "ratings" not in table:
        raise table.error("names no judgments; add judgments = FILE")
    if "judgments" in table and "ratings" in table:
        raise table.error("judgments and ratings are given; keep one of them")
    if "reference" in table and "references" in table:
        raise table.error("reference and references are given; keep one of them")
    own = {key: _VALUES[key](table, folder, key) for key in table.names()}
    if "reference" in own:
        own["references"] = own.pop("reference")
    settings = {key: own.pop(key) for key in _SETTINGS if key in own}
    return EvaluationInputs(**own, settings=replace(base, **settings))


def _text(table: TomlTable, _folder: Path, key: str) -> str:
    return table.text(key)


def _file(table: TomlTable, folder: Path, key: str) -> str:
    return str(folder / table.text(key))


def _names(table: TomlTable, _folder: Path, key: str) -> tuple[str, ...]:
    return table.words(key, wanted=_WORDS)


def _files(table: TomlTable, folder: Path, key: str) -> tuple[str, ...]:
    return tuple(str(folder / entry) for entry in table.words(key, wanted=_WORDS))


def _links(table: TomlTable, folder: Path, key: str) -> tuple[str, ...]:
    return tuple(links_below(folder, entry) for entry in table.words(key, wanted=_WORDS))


def _scores(table: TomlTable, folder: Path, key: str) -> dict[str, str]:
    entries = table.table(key, wanted="a table; write scores = {METRIC = FILE, ...}")
    return {name: str(folder / entries.text(name)) for name in entries.names()}


def _number(table: TomlTable, _folder: Path, key: str) -> float:
    return table.real(key, low=0.0, high=inf)


def _flag(table: TomlTable, _folder: Path, key: str) -> bool:
    return table.flag(key)


def _link_format(table: TomlTable, _folder: Path, key: str) -> LinkFormat:
    return LinkFormat(table.one_of(key, LinkFormat))


def _empty(table: TomlTable, _folder: Path, key: str) -> EmptyLines:
    return EmptyLines(table.one_of(key, EmptyLines))


def _format(table: TomlTable, _folder: Path, key: str) -> JudgmentFormat:
    return JudgmentFormat(table.one_of(key, JudgmentFormat))


_VALUES: dict[str, Callable[[TomlTable, Path, str], Any]] = {
    "judgments": _file,
    "ratings": _file,
    "reference": _files,
    "references": _files,
    "systems": _files,
    "source": _file,
    "scores": _scores,
    "lower_is_better": _names,
    "judgment_format": _format,
    "judgment_name": _text,
    "pair": _text,
    "question": _text,
    "threshold": _number,
    "published": _text,
    "links": _links,
    "source_hypothesis": _links,
    "source_reference": _links,
    "through_source": _flag,
    "link_format": _link_format,
    "trees": _files,
    "trees_reference": _files,
    "trees_source": _file,
    "aligner": _names,
    "parser": _names,
    "tokenize": _text,
    "language": _text,
    "lowercase": _flag,
    "empty": _empty,
    "rule": _text,
}
"""How each entry of a language pair is read."""


def _chosen(
    table: TomlTable, key: str, values: Iterable[str], kind: type[Named]
) -> Iterator[Named]:
    """Yield the choices that an entry lists."""
    for value in values:
        if value not in [*kind]:
            raise table.error(f"{key} is {value!r}; it can be {', '.join(kind)}")
        yield kind(value)
