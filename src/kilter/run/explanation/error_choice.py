"""Which located errors are shown: those worth a look, or all, but for words of classes that are ignored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.argument import checked_value
from kilter.core.errors import OptionError
from kilter.run.explanation.ordered_word import short_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.results.order_error import OrderErrors

SHORT, NUMBERS = "short", "numbers"
"""Words of fewer than four letters, and words with a digit."""


def error_choice(*, every: bool, ignore: Sequence[str]) -> ErrorChoice:
    """Return the choice that arguments of public functions ask for."""
    ignored = checked_value("ignore", ignore, Sequence[str])
    return ErrorChoice(every=checked_value("every", every, bool), ignored=tuple(ignored))


@dataclass(frozen=True, kw_only=True)
class ErrorChoice:
    """All errors or those worth a look, without errors whose words are all to be ignored.

    Classes to ignore are `short`, `numbers`, and tags of trees in capitals, such as ADV.
    """

    every: bool = False
    ignored: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.ignored:
            if name not in (SHORT, NUMBERS) and not name.isupper():
                raise OptionError(
                    f"cannot ignore {name!r}; it can be {SHORT}, {NUMBERS}, or a tag of trees in capitals such as ADV"
                )

    def chosen(self, errors: OrderErrors, evaluation: Evaluation) -> OrderErrors:
        """Return the errors of a system that are chosen."""
        found = errors if self.every else errors.likely()
        if not self.ignored:
            return found
        ignored = self._ignored_words(evaluation)
        sizes = np.diff(found.moved_offsets)
        owners = np.repeat(np.arange(len(sizes)), sizes)
        words = found.hypothesis_offsets[found.segments()][owners] + found.moved_words
        others = np.bincount(owners[~ignored[words]], minlength=len(sizes))
        return found.where(others > 0)

    def _ignored_words(self, evaluation: Evaluation) -> NDArray[np.bool_]:
        """Return which words of all hypotheses belong to an ignored class."""
        tokens, vocabulary = evaluation.hypothesis.tokens, evaluation.vocabulary
        ignored = np.zeros(len(tokens.ids), dtype=np.bool_)
        if SHORT in self.ignored:
            ignored |= short_words(vocabulary)[tokens.ids]
        if NUMBERS in self.ignored:
            digits = [any(map(str.isdigit, word)) for word in vocabulary.words]
            ignored |= np.array(digits, dtype=np.bool_)[tokens.ids]
        tags = [name for name in self.ignored if name.isupper()]
        if tags:
            if evaluation.trees is None:
                raise OptionError(
                    f"{tags[0]} is a tag, and there are no trees; give trees, or name a parser"
                )
            trees = evaluation.trees_of(evaluation.hypothesis).first_parses()
            known = np.array([word in tags for word in trees.vocabulary.words], dtype=np.bool_)
            ignored |= known[trees.tags]
        return ignored
