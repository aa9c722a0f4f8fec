"""Conditions of rules: what a word, the word above it and the words below it must be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ANY = "*"
"""At the end of a name, any ending of it; of a label, after a separator, any subtype or none."""


class Side(StrEnum):
    """On which side of its head a word stands in the source."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, kw_only=True)
class Condition:
    """What must hold of a word: everything that is named, and of several names in one field any.

    Words and lemmas are compared without regard to case. `parent` is the condition of the word above, which a root
    does not have; each of `child` must hold of some word below, none of `no_child` of any.
    """

    word: tuple[str, ...] = ()
    lemma: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    xpos: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    side: Side | None = None
    children: tuple[int, int | None] | None = None
    """The fewest and the most children; None for no upper bound."""
    parent: Condition | None = None
    child: tuple[Condition, ...] = ()
    no_child: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        """Return it in a line, as tables and traces name it.

        >>> str(Condition(lemma=("not", "never"), no_child=(Condition(label=("obj",)),)))
        'lemma not|never, no child (label obj)'
        """
        return ", ".join(self._said())

    def _said(self) -> Iterator[str]:
        for field in ("word", "lemma", "tag", "xpos", "label"):
            if names := getattr(self, field):
                yield f"{field} {'|'.join(names)}"
        if self.side is not None:
            yield f"{self.side} its head"
        if self.children is not None:
            yield _number_said(*self.children)
        if self.parent is not None:
            yield f"parent ({self.parent})"
        for each in self.child:
            yield f"child ({each})"
        for each in self.no_child:
            yield f"no child ({each})"

    def folded(self) -> Condition:
        """Return a condition that is equal for conditions that hold of the same words.

        >>> Condition(word=("A", "the")).folded() == Condition(word=("The", "a")).folded()
        True
        """
        return replace(
            self,
            word=tuple(sorted({name.casefold() for name in self.word})),
            lemma=tuple(sorted({name.casefold() for name in self.lemma})),
            tag=tuple(sorted({*self.tag})),
            xpos=tuple(sorted({*self.xpos})),
            label=tuple(sorted({*self.label})),
            parent=None if self.parent is None else self.parent.folded(),
            child=tuple(sorted({each.folded() for each in self.child}, key=str)),
            no_child=tuple(sorted({each.folded() for each in self.no_child}, key=str)),
        )

    def below(self) -> Iterator[Condition]:
        """Yield the condition and all that it holds."""
        yield self
        for each in (*([] if self.parent is None else [self.parent]), *self.child, *self.no_child):
            yield from each.below()


def _number_said(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} children or more"
    return f"{least} children" if least == most else f"{least} to {most} children"


def fits_label(pattern: str, label: str) -> int:
    """Return how closely a pattern names a label: -1 not at all, larger where it names more of it.

    >>> [fits_label("obl:*", label) for label in ("obl", "obl:tmod", "nmod")]
    [3, 3, -1]
    >>> fits_label("obl", "obl"), fits_label("*", "obl")
    (4, 0)
    """
    if pattern == label:
        return len(label) + 1
    if pattern == ANY:
        return 0
    if not pattern.endswith(ANY):
        return -1
    stem, separator = pattern[:-2], pattern[-2:-1]
    matches = label == stem or label.startswith(stem + separator)
    return len(stem) if matches else -1
