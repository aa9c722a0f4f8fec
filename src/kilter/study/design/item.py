"""Items to be judged and questionnaires, and the files that hold them. Section 12.6"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kilter.core.errors import InputError
from kilter.io.output import written_text
from kilter.io.stream import exists
from kilter.io.table import json_object
from kilter.io.toml_table import inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

ITEM_FILE = "items.jsonl"
QUESTIONNAIRE_FILE = "questionnaires.jsonl"
_RESTORE = "restore it from a backup"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A hypothesis and its reference.

    `id` names the system, the language pair and the line, as in `wmt14_uedin.de-en #12`, and for a
    permutation its type and degree. `base` is the id of the sentence whose reference was permuted.
    `rank_score` is what people gave a translation at WMT, from rankings that the study names. An item that
    shows several translations together has them as `parts`, in the order in which they are shown.
    """

    id: str
    kind: str
    system: str
    pair: str
    line: int
    hypothesis: str
    reference: str
    source: str | None = None
    second: str | None = None
    second_system: str | None = None
    year: int | None = None
    type: str | None = None
    degree: int | None = None
    base: str | None = None
    steps: tuple[tuple[int | str, ...], ...] = ()
    shared: bool = False
    rank_score: float | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[Item, ...] = ()

    def slots(self) -> list[tuple[int | None, Item]]:
        """Return what is judged: the item itself, or each of its translations with its place, from 1."""
        return list(enumerate(self.parts, start=1)) if self.parts else [(None, self)]

    def for_all(self) -> Item:
        """Return the item as one that all questionnaires share."""
        parts = tuple(part.for_all() for part in self.parts)
        return replace(self, shared=True, parts=parts)

    @property
    def source_language(self) -> str:
        """The language that was translated."""
        return self.pair.partition("-")[0]

    @property
    def target_language(self) -> str:
        """The language of hypothesis and reference."""
        return self.pair.partition("-")[2]

    @property
    def is_control(self) -> bool:
        """Whether the answer is known, so that attention can be seen."""
        return self.kind in ("identical", "shuffled")


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """The ids of items in the order in which they are shown; numbers count from 1."""

    number: int
    items: tuple[str, ...]


def write_design(folder: Path, items: Iterable[Item], lists: Iterable[Questionnaire]) -> None:
    """Write items and questionnaires beside the study, one JSON object a line; both files appear, or none."""
    with written_text(folder / ITEM_FILE) as item_file:
        item_file.writelines(json.dumps(asdict(item), ensure_ascii=False) + "\n" for item in items)
        item_file.flush()
        with written_text(folder / QUESTIONNAIRE_FILE) as list_file:
            list_file.writelines(
                json.dumps(asdict(entry), ensure_ascii=False) + "\n" for entry in lists
            )


def read_design(folder: Path) -> tuple[dict[str, Item], tuple[Questionnaire, ...]]:
    """Return the items by id, and the questionnaires."""
    items = {}
    for where, entry in _lines(folder, ITEM_FILE):
        try:
            items[entry["id"]] = _item(entry)
        except (
            AttributeError,
            KeyError,
            TypeError,
        ):  # an entry is missing, unknown, or no list or text
            raise InputError(f"is no item of a study; {_RESTORE}", where=where) from None
    lists = []
    for where, entry in _lines(folder, QUESTIONNAIRE_FILE):
        listed = entry.get("items")
        if not isinstance(listed, list) or not isinstance(entry.get("number"), int):
            raise InputError(
                f"is no questionnaire with a number and items; {_RESTORE}",
                where=where,
            )
        missing = [name for name in listed if not isinstance(name, str) or name not in items]
        if missing:
            raise InputError(
                f"names the item {missing[:1]}, which {ITEM_FILE} does not hold; {_RESTORE}",
                where=where,
            )
        lists.append(Questionnaire(entry["number"], tuple(listed)))
    return items, tuple(lists)


def _item(entry: dict[str, Any]) -> Item:
    steps = tuple(tuple(step) for step in entry.get("steps", ()))
    parts = tuple(_item(part) for part in entry.get("parts", ()))
    return Item(**{**entry, "steps": steps, "parts": parts})


def judged_items(items: Iterable[Item]) -> list[Item]:
    """Return everything that is judged by itself: items, and in the place of some their translations."""
    return [judged for item in items for _, judged in item.slots()]


def _lines(folder: Path, name: str) -> Iterable[tuple[str, dict[str, Any]]]:
    path = inside(folder, name, where=str(folder))
    try:
        lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        advice = _RESTORE if exists(folder / ITEM_FILE) else "run 'kilter survey create' first"
        raise InputError(f"cannot be read ({error}); {advice}", where=str(path)) from error
    for number, line in enumerate(lines, start=1):
        where = f"{path}:{number}"
        yield where, json_object(line, where=where)
