"""Which words of a text stand without a blank before them, so that it can be shown as it was written."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import TextColumn


def joined_words(text: TextColumn, words: Sequence[str]) -> NDArray[np.int64]:
    """Return 1 for each word that follows the one before it without a blank in its line, else 0.

    A tokeniser may write a word otherwise than the line does (`&amp;` as `&`): from there to the end of
    the line all words count as apart.
    """
    joined = np.zeros(len(text.tokens.ids), dtype=np.int64)
    spelled = [words[number] for number in text.tokens.ids.tolist()]
    for line, (begin, end) in zip(text.lines, pairwise(text.tokens.offsets.tolist()), strict=True):
        if len(line.split()) == end - begin:  # split at blanks alone
            continue
        place, length = 0, len(line)
        for number in range(begin, end):
            start = place
            while place < length and line[place].isspace():
                place += 1
            word = spelled[number]
            if not line.startswith(word, place):
                break
            if place == start and number > begin:
                joined[number] = 1
            place += len(word)
    return joined
