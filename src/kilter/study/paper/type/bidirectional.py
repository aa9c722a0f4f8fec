"""Text in both directions: levels and visual order. Unicode Standard Annex 9"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING
from unicodedata import bidirectional, category, lookup, mirrored, name, normalize

if TYPE_CHECKING:
    from collections.abc import Sequence

_DEEPEST = 125
_STRONG = frozenset({"L", "R", "AL"})
_NEUTRAL = frozenset({"B", "S", "WS", "ON", "LRI", "RLI", "FSI", "PDI"})
_ISOLATES = frozenset({"LRI", "RLI", "FSI"})
_EMBEDDINGS = frozenset({"LRE", "RLE", "LRO", "RLO"})
_REMOVED = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "BN"})
_TURNING = frozenset({"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI"})
_MOST_BRACKETS = 63


def levels(text: str, *, is_leftward: bool) -> list[int]:
    """Return the level of every letter of a paragraph: odd ones run to the left.

    Signs that are not shown take the level of what stands before them.

    >>> levels("abc אבג 12", is_leftward=False)
    [0, 0, 0, 0, 1, 1, 1, 1, 2, 2]
    """
    kinds = [bidirectional(letter) or "L" for letter in text]
    base = int(is_leftward)
    if not is_leftward and not _TURNING & {*kinds}:
        return [0] * len(text)
    explicit = _Explicit(text, kinds, base)
    depth = explicit.depth
    shown = [place for place, kind in enumerate(kinds) if kind not in _REMOVED]
    for sequence in _sequences(shown, kinds, depth):
        _resolve(text, sequence, kinds, explicit, base)
    for place, kind in enumerate(kinds):
        if kind in _REMOVED:
            depth[place] = depth[place - 1] if place else base
    _reset_blanks(kinds, depth, base)
    return depth


def visual_runs(found: Sequence[int]) -> list[tuple[int, int, bool]]:
    """Return the stretches of a line from left to right: first, end, and whether it runs to the left.

    >>> visual_runs([0, 0, 1, 1, 2, 2])
    [(0, 2, False), (4, 6, False), (2, 4, True)]
    """
    runs: list[tuple[int, int, int]] = []
    place = 0
    for level, group in groupby(found):
        end = place + len([*group])
        runs.append((place, end, level))
        place = end
    for level in range(max(found, default=0), 0, -1):
        runs = _turned(runs, level)
    return [(first, end, bool(level % 2)) for first, end, level in runs]


def _turned(runs: Sequence[tuple[int, int, int]], level: int) -> list[tuple[int, int, int]]:
    """Return runs with those of a level and deeper in opposite order, where they stand together. Rule L2"""
    turned = []
    for is_in, group in groupby(runs, key=lambda run: run[2] >= level):
        listed = [*group]
        turned += listed[::-1] if is_in else listed
    return turned


class _Explicit:
    """Follows signs of direction through a text. Rules X1 to X8

    `depth` are the levels that they ask for, `kinds` the kinds of letters after overrides.
    """

    def __init__(self, text: str, kinds: Sequence[str], base: int) -> None:
        self._text = text
        self._partners = _isolate_partners(kinds)
        self._base = base
        self._stack = [(base, "", False)]
        self._lost_isolates = self._lost_embeddings = self._isolates = 0
        self.kinds = [*kinds]
        self.depth = [self._level(place, kind) for place, kind in enumerate(kinds)]

    def _level(self, place: int, kind: str) -> int:
        if kind in _EMBEDDINGS:
            return self._embed(kind)
        if kind in _ISOLATES:
            return self._isolate(place, kind)
        if kind == "PDI":
            self._end_isolate()
        elif kind == "PDF":
            self._end_embedding()
            return self._stack[-1][0]
        elif kind == "B":
            return self._base
        level, override, _ = self._stack[-1]
        if override and kind != "BN":
            self.kinds[place] = override
        return level

    def _embed(self, kind: str) -> int:
        level = self._stack[-1][0]
        deeper = _next_level(level, odd=kind[0] == "R")
        if deeper <= _DEEPEST and not self._lost_isolates and not self._lost_embeddings:
            self._stack.append((deeper, {"RLO": "R", "LRO": "L"}.get(kind, ""), False))
        elif not self._lost_isolates:
            self._lost_embeddings += 1
        return level

    def _isolate(self, place: int, kind: str) -> int:
        level, override, _ = self._stack[-1]
        self.kinds[place] = override or kind
        rightward = kind == "LRI"
        if kind == "FSI":
            inside = self._text[place + 1 : self._partners.get(place, len(self._text))]
            rightward = not starts_leftward(inside)
        deeper = _next_level(level, odd=not rightward)
        if deeper <= _DEEPEST and not self._lost_isolates and not self._lost_embeddings:
            self._isolates += 1
            self._stack.append((deeper, "", True))
        else:
            self._lost_isolates += 1
        return level

    def _end_isolate(self) -> None:
        if self._lost_isolates:
            self._lost_isolates -= 1
        elif self._isolates:
            self._lost_embeddings = 0
            while not self._stack[-1][2]:
                self._stack.pop()
            self._stack.pop()
            self._isolates -= 1

    def _end_embedding(self) -> None:
        if self._lost_isolates:
            return
        if self._lost_embeddings:
            self._lost_embeddings -= 1
        elif not self._stack[-1][2] and len(self._stack) > 1:
            self._stack.pop()


def _next_level(level: int, *, odd: bool) -> int:
    """Return the least deeper level that is odd, or even."""
    return level + 1 + int(level % 2 == int(odd))


def _isolate_partners(kinds: Sequence[str]) -> dict[int, int]:
    """Return where each sign that opens an isolate finds the one that closes it, both ways. Rule BD9"""
    partners, opened = {}, []
    for place, kind in enumerate(kinds):
        if kind in _ISOLATES:
            opened.append(place)
        elif kind == "PDI" and opened:
            first = opened.pop()
            partners[first], partners[place] = place, first
    return partners


def starts_leftward(text: str) -> bool:
    """Return whether the first strong letter outside isolates runs to the left. Rules P2 and P3

    >>> starts_leftward("12 אב"), starts_leftward("a אב")
    (True, False)
    """
    depth = 0
    for letter in text:
        kind = bidirectional(letter)
        if kind in _ISOLATES:
            depth += 1
        elif kind == "PDI":
            depth = max(0, depth - 1)
        elif not depth and kind in _STRONG:
            return kind != "L"
    return False


def _sequences(shown: Sequence[int], kinds: Sequence[str], depth: Sequence[int]) -> list[list[int]]:
    """Return places that are resolved together: runs of a level, joined across isolates. Rule BD13"""
    partners = _isolate_partners(kinds)
    runs = [[*group] for _, group in groupby(shown, key=lambda place: depth[place])]
    by_first = {run[0]: run for run in runs}
    sequences = []
    for run in runs:
        if kinds[run[0]] == "PDI" and run[0] in partners:
            continue
        whole = [*run]
        while kinds[whole[-1]] in _ISOLATES and whole[-1] in partners:
            whole += by_first[partners[whole[-1]]]
        sequences.append(whole)
    return sequences


def _resolve(
    text: str, places: Sequence[int], original: Sequence[str], explicit: _Explicit, base: int
) -> None:
    """Give a sequence its levels. Rules X10, W1 to W7, N0 to N2, I1 and I2"""
    depth = explicit.depth
    level = depth[places[0]]
    shown = [place for place, kind in enumerate(original) if kind not in _REMOVED]
    at = {place: number for number, place in enumerate(shown)}
    before, after = at[places[0]] - 1, at[places[-1]] + 1
    level_before = depth[shown[before]] if before >= 0 else base
    open_end = original[places[-1]] in _ISOLATES and places[-1] not in _isolate_partners(original)
    level_after = depth[shown[after]] if after < len(shown) and not open_end else base
    start = "R" if max(level, level_before) % 2 else "L"
    end = "R" if max(level, level_after) % 2 else "L"
    kinds = [explicit.kinds[place] for place in places]
    _weak(kinds, start)
    embedding = "R" if level % 2 else "L"
    _brackets(
        [text[place] for place in places], kinds, [original[p] for p in places], start, embedding
    )
    _neutral(kinds, start, end, embedding)
    for place, kind in zip(places, kinds, strict=True):
        if level % 2:
            depth[place] = level + int(kind in ("L", "EN", "AN"))
        else:
            depth[place] = level + {"R": 1, "EN": 2, "AN": 2}.get(kind, 0)


def _weak(kinds: list[str], start: str) -> None:
    """Resolve numbers and what stands around them. Rules W1 to W7"""
    previous = start
    for place, kind in enumerate(kinds):
        if kind == "NSM":
            kinds[place] = "ON" if previous in _ISOLATES or previous == "PDI" else previous
        previous = kinds[place]
    _follow_strong(kinds, start, number="EN", after="AL", becomes="AN")
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]
    _separators(kinds)
    kinds[:] = ["ON" if kind in ("ES", "ET", "CS") else kind for kind in kinds]
    _follow_strong(kinds, start, number="EN", after="L", becomes="L")


def _follow_strong(kinds: list[str], start: str, *, number: str, after: str, becomes: str) -> None:
    """Change numbers that stand behind a strong letter of a kind. Rules W2 and W7"""
    strong = start
    for place, kind in enumerate(kinds):
        if kind in _STRONG:
            strong = kind
        elif kind == number and strong == after:
            kinds[place] = becomes


def _separators(kinds: list[str]) -> None:
    """Let signs between and beside numbers go with them. Rules W4 and W5"""
    for place in range(1, len(kinds) - 1):
        left, kind, right = kinds[place - 1 : place + 2]
        if left == right == "EN" and kind in ("ES", "CS"):
            kinds[place] = "EN"
        elif left == right == "AN" and kind == "CS":
            kinds[place] = "AN"
    place = 0
    for is_end, group in groupby([*kinds], key=lambda kind: kind == "ET"):
        end = place + len([*group])
        if is_end and (kinds[place - 1 : place] == ["EN"] or kinds[end : end + 1] == ["EN"]):
            kinds[place:end] = ["EN"] * (end - place)
        place = end


def _brackets(
    letters: Sequence[str], kinds: list[str], original: Sequence[str], start: str, embedding: str
) -> None:
    """Give pairs of brackets the direction of what they hold. Rule N0"""
    for first, last in _bracket_pairs(letters, kinds):
        inside = {_direction(kind) for kind in kinds[first + 1 : last]} - {""}
        if embedding in inside:
            found = embedding
        elif inside:
            context = next(
                (_direction(kind) for kind in reversed(kinds[:first]) if _direction(kind)), start
            )
            found = context
        else:
            continue
        for place in (first, last):
            kinds[place] = found
            following = place + 1
            while following < len(kinds) and original[following] == "NSM":
                kinds[following] = found
                following += 1


def _direction(kind: str) -> str:
    """Return the direction of a kind: numbers run with what runs to the left."""
    return {"L": "L", "R": "R", "EN": "R", "AN": "R"}.get(kind, "")


def _bracket_pairs(letters: Sequence[str], kinds: Sequence[str]) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    for place, letter in enumerate(letters):
        if kinds[place] != "ON":
            continue
        closing = _closing_brackets().get(normalize("NFC", letter))
        if closing is not None:
            if len(opened) == _MOST_BRACKETS:
                return []
            opened.append((closing, place))
            continue
        plain = normalize("NFC", letter)
        for depth in range(len(opened) - 1, -1, -1):
            if opened[depth][0] == plain:
                pairs.append((opened[depth][1], place))
                del opened[depth:]
                break
    return sorted(pairs, key=itemgetter(0))


@cache
def _closing_brackets() -> dict[str, str]:
    """Return the closing bracket of every opening one."""
    found = {}
    for code in range(0x20, 0x10000):
        letter = chr(code)
        if category(letter) == "Ps" and mirrored(letter):
            try:
                closing = lookup(name(letter).replace("LEFT", "RIGHT"))
            except (KeyError, ValueError):
                continue
            if closing != letter and category(closing) == "Pe":
                found[normalize("NFC", letter)] = normalize("NFC", closing)
    return found


def _neutral(kinds: list[str], start: str, end: str, embedding: str) -> None:
    """Give neutral letters the direction around them. Rules N1 and N2"""
    place = 0
    for is_neutral, group in groupby([*kinds], key=lambda kind: kind in _NEUTRAL):
        stop = place + len([*group])
        if is_neutral:
            before = _direction(kinds[place - 1]) if place else start
            after = _direction(kinds[stop]) if stop < len(kinds) else end
            kinds[place:stop] = [before if before == after else embedding] * (stop - place)
        place = stop


def _reset_blanks(kinds: Sequence[str], depth: list[int], base: int) -> None:
    """Put blanks before separators and at the end of the paragraph on its own level. Rule L1"""
    trailing = True
    for place in range(len(kinds) - 1, -1, -1):
        if kinds[place] in ("B", "S"):
            depth[place], trailing = base, True
        elif kinds[place] in ("WS", *_ISOLATES, "PDI", *_REMOVED):
            if trailing:
                depth[place] = base
        else:
            trailing = False
