"""What a metric is: a frozen dataclass whose fields are its options."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, get_type_hints

import numpy as np

from kilter import __version__
from kilter.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from dataclasses import Field

    from numpy.typing import NDArray

    from kilter.structures.permutation_batch import PermutationBatch


_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
# Signatures say yes and no, as those of other tools of the field do; options are true and false.
_SIGNED = {"true": "yes", "false": "no"}


def option(
    default: Any, description: str, *, low: float | None = None, high: float | None = None
) -> Any:
    """Declare one option of a metric: its default, what it means, and its bounds if it is a number."""
    return field(default=default, metadata={"help": description, "low": low, "high": high})


@dataclass(frozen=True, kw_only=True)
class Metric(ABC):
    """A measure of word order. Options are fields; constructor, `-m`, signature and docs follow."""

    name: ClassVar[str]
    summary: ClassVar[str]
    formula: ClassVar[str]
    citations: ClassVar[tuple[str, ...]]
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]]

    def __post_init__(self) -> None:
        for entry in fields(self):
            object.__setattr__(self, entry.name, self._checked(entry, getattr(self, entry.name)))

    @classmethod
    def option_type(cls, name: str) -> type:
        """Return the type of an option: bool, int, float or an enumeration."""
        found = _type_hints(cls)[name]
        assert isinstance(found, type)  # noqa: S101 - options are declared with plain types
        return found

    def _checked(self, entry: Field[Any], value: Any) -> Any:
        kind = self.option_type(entry.name)
        if issubclass(kind, StrEnum):
            try:
                return kind(value)
            except ValueError:
                allowed = ", ".join(kind)
                raise OptionError(
                    f"{self.name}: {entry.name} is {value!r}; it can be {allowed}"
                ) from None
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise OptionError(f"{self.name}: {entry.name} is {value!r}; it must be {kind.__name__}")
        low, high = entry.metadata["low"], entry.metadata["high"]
        if low is not None and not low <= value <= high:
            raise OptionError(
                f"{self.name}: {entry.name} is {value}; it must lie between {low:g} and {high:g}"
            )
        return value

    @classmethod
    def from_text(cls, options: Mapping[str, str]) -> Metric:
        """Return the metric with options given as text, as on the command line."""
        known = {entry.name for entry in fields(cls)}
        values: dict[str, Any] = {}
        for name, text in options.items():
            if name not in known:
                listed = ", ".join(sorted(known)) or "none"
                raise OptionError(f"{cls.name} has no option {name!r}; its options are: {listed}")
            values[name] = cls._from_text(name, text)
        return cls(**values)

    @classmethod
    def _from_text(cls, name: str, text: str) -> Any:
        kind = cls.option_type(name)
        if kind is bool:
            if text in ("true", "yes"):
                return True
            if text in ("false", "no"):
                return False
            raise OptionError(f"{cls.name}: {name} is {text!r}; it can be true or false")
        if kind not in (int, float):
            return text
        if not _NUMBER.fullmatch(text) or (kind is int and not text.lstrip("+-").isdigit()):
            raise OptionError(f"{cls.name}: {name} is {text!r}, which is no number")
        return kind(text)

    @classmethod
    def declared(cls) -> list[Field[Any]]:
        """Return the options in the order of signatures: the metric's own, then the shared ones."""
        shared = [entry.name for base in cls.__mro__[1:] for entry in _fields_of(base)]
        return sorted(fields(cls), key=lambda entry: entry.name in shared)

    def options(self) -> dict[str, str]:
        """Return every option with its value as text, in the order of signatures."""
        return {entry.name: _as_text(getattr(self, entry.name)) for entry in self.declared()}

    def signature(self) -> str:
        """Return the line that makes a score reproducible: name, every option, version."""
        parts = [f"{name}:{_SIGNED.get(value, value)}" for name, value in self.options().items()]
        return "|".join([self.name, *parts, f"v:{__version__}"])

    def specification(self) -> str:
        """Return the shortest `-m` argument that makes this metric: options that are not default."""
        default = type(self)().options()
        changed = [f"{k}={v}" for k, v in self.options().items() if default[k] != v]
        return self.name + (":" + ",".join(changed) if changed else "")


@dataclass(frozen=True, kw_only=True)
class PermutationMetric(Metric):
    """A metric of one permutation per segment; its corpus score is the mean over segments."""

    needs: ClassVar[tuple[str, ...]] = ("permutation",)

    empty: float = option(0.0, "score of a segment without any linked word", low=0.0, high=1.0)

    def segment_scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        """Return one score per permutation; length 0 scores `empty`."""
        scores = self._scores(permutations)
        return np.where(permutations.lengths == 0, self.empty, scores)

    @abstractmethod
    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        """Return the scores; what stands where the length is 0 is not read."""

    def statistics(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        """Return additive statistics per segment: the score, and 1 for the segment itself."""
        scores = self.segment_scores(permutations)
        return np.column_stack([scores, np.ones(len(scores))])

    def corpus_score(self, sums: NDArray[np.float64]) -> float:
        """Return the score of a corpus from the sums of its statistics: the mean; 0 of nothing."""
        total, segments = sums
        return float(total / segments) if segments else 0.0


@cache
def _type_hints(metric: type[Metric]) -> dict[str, Any]:
    return get_type_hints(metric)


def _fields_of(base: type) -> tuple[Field[Any], ...]:
    return fields(base) if is_dataclass(base) else ()


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
