"""Rows of `{"src": ..., "mt": ..., "ref": ...}`, as users of COMET have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kilter.core.errors import InputError, OptionError
from kilter.core.settings import checked, shown
from kilter.io.text import entries
from kilter.run.scoring.score import score

_ROWS = 'a list of rows such as {"src": "...", "mt": "...", "ref": "..."}'


@dataclass(frozen=True, slots=True)
class Prediction:
    """What COMET's `predict` returns: one score per row, and that of the system.

    Both are attributes, entries by name, and entries by place.

    >>> found = Prediction([0.5], 0.5)
    >>> found.scores == found["scores"] == found[0]
    True
    """

    scores: list[float]
    system_score: float

    def __getitem__(self, key: str | int) -> list[float] | float:
        """Return an entry by its name or its place; any other is a `KeyError`, or an `IndexError`."""
        entries: tuple[list[float], float] = (self.scores, self.system_score)
        if isinstance(key, int):
            return entries[key]
        if key not in self.keys():
            raise KeyError(key)
        return entries[self.keys().index(key)]

    def __iter__(self) -> Iterator[str]:
        return iter(("scores", "system_score"))

    def __len__(self) -> int:
        return 2

    def keys(self) -> list[str]:
        """Return the names of the entries, so that `dict(prediction)` works."""
        return list(self)


@checked
def predict(
    rows: object,
    *,
    metric: str = "pef",
    batch_size: int | None = None,
    gpus: int | None = None,
    **settings: Any,
) -> Prediction:
    """Return segment scores and the corpus score of rows with `mt` and `ref`.

    Either every row has a `src`, or none. `batch_size` and `gpus` change nothing: there is no network
    to feed.

    >>> predict([{"src": "x", "mt": "a b", "ref": "a b"}], metric="kendall").scores
    [1.0]
    """
    listed = [
        _row(row, place) for place, row in enumerate(entries(rows, where="rows", wanted=_ROWS))
    ]
    result = score(
        [row["mt"] for row in listed],
        [row["ref"] for row in listed],
        source=_source(listed),
        metrics=[metric],
        **settings,
    )
    if len(result.system) != 1:
        raise OptionError(
            "a row has one score; name one metric, and one aligner and parser at most"
        )
    ((name, found),) = result.system.items()
    array = result.segment_arrays[name, next(iter(result.systems))]
    return Prediction(array.tolist(), float("nan") if found.score is None else found.score)


def _row(row: object, place: int) -> Mapping[str, object]:
    if not isinstance(row, Mapping):
        raise InputError(f"is {shown(row)}; pass {_ROWS}", where=f"row {place}")
    missing = {"mt", "ref"} - set(row)
    if missing:
        raise InputError(f"has no {' and no '.join(sorted(missing))}", where=f"row {place}")
    return row


def _source(rows: Sequence[Mapping[str, object]]) -> list[object] | None:
    having = [place for place, row in enumerate(rows) if "src" in row]
    if having and len(having) < len(rows):
        bare = next(place for place, row in enumerate(rows) if "src" not in row)
        raise InputError(
            f"has no src, but row {having[0]} has one; give every row a src, or none",
            where=f"row {bare}",
        )
    return [row["src"] for row in rows] if having else None
