"""The `.sgm` files of WMT and NIST: sets of documents of segments, of a source, references or systems."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from kilter.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

_SETS = ("srcset", "refset", "tstset")
_START = re.compile(rf"\s*<(\?xml|!doctype|mteval|{'|'.join(_SETS)})\b", re.IGNORECASE)
_TAG = re.compile(rf"<(/?)(mteval|{'|'.join(_SETS)}|doc|seg)\b([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|<[?!][^<>]*>")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
_BREAK = re.compile(r"[ \t]*\n\s*")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_PARENTS = {"doc": (*_SETS,), "seg": ("doc",), **dict.fromkeys(_SETS, ("mteval", ""))}


class PlacedLines(tuple[str, ...]):  # noqa: SLOT001 - a tuple with a place for each entry
    """Lines that say where they belong: the document and number of each segment."""

    places: tuple[str, ...]

    @classmethod
    def of(cls, lines: list[str], places: list[str]) -> PlacedLines:
        """Return lines with their places."""
        found = cls(lines)
        found.places = tuple(places)
        return found


def is_sgm(text: str) -> bool:
    r"""Return whether a text begins as sets of segments do.

    >>> is_sgm('<refset setid="news" srclang="any" trglang="en">\n'), is_sgm("< a b\n")
    (True, False)
    """
    return _START.match(text) is not None


class _Tag(NamedTuple):
    """A tag that means something here."""

    name: str
    closes: bool
    attributes: dict[str, str]
    start: int
    end: int


@dataclass(slots=True)
class _Reader:
    """Reads from tag to tag, and says what is wrong with its line."""

    text: str
    name: str
    found: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)
    """Lines and places by system."""
    opened: list[_Tag] = field(default_factory=list)
    documents: int = 0
    numbered: int = 0

    def fail(self, at: int, reason: str) -> InputError:
        return InputError(reason, where=f"{self.name}:{self.text.count(chr(10), 0, at) + 1}")

    def tags(self) -> Iterator[_Tag]:
        for found in _TAG.finditer(self.text):
            values = {
                each[1].lower(): next(part for part in each.groups()[1:] if part is not None)
                for each in _ATTRIBUTE.finditer(found[3])
            }
            yield _Tag(found[2].lower(), bool(found[1]), values, found.start(), found.end())

    def read(self) -> None:
        at = 0
        for tag in self.tags():
            inside = bool(self.opened) and self.opened[-1].name == "seg"
            if not inside:
                self.check_between(at, tag.start)
            if tag.closes:
                self.close(tag, self.text[at : tag.start])
            else:
                self.open(tag)
            at = tag.end
        self.check_between(at, len(self.text))
        if self.opened:
            last = self.opened[-1]
            raise self.fail(last.start, f"<{last.name}> is never closed; the file was cut off")

    def check_between(self, start: int, end: int) -> None:
        # Markup becomes blanks, so that what is left stands where it stood.
        rest = _MARKUP.sub(lambda found: " " * len(found[0]), self.text[start:end])
        if rest.strip():
            word = rest.split()[0]
            raise self.fail(
                start + rest.index(word),
                f"{word!r} stands outside of <seg>; put every segment into one",
            )

    def open(self, tag: _Tag) -> None:
        parent = self.opened[-1].name if self.opened else ""
        allowed = _PARENTS.get(tag.name, ("",))
        if parent not in allowed:
            where = " or ".join(f"<{name}>" if name else "the file itself" for name in allowed)
            raise self.fail(
                tag.start, f"<{tag.name}> stands in {_in(parent)}; it belongs into {where}"
            )
        self.opened.append(tag)
        if tag.name == "doc":
            self.documents += 1
            self.numbered = 0

    def close(self, tag: _Tag, text: str) -> None:
        if not self.opened or self.opened[-1].name != tag.name:
            parent = self.opened[-1].name if self.opened else ""
            raise self.fail(tag.start, f"</{tag.name}> stands in {_in(parent)}; it closes nothing")
        opening = self.opened.pop()
        if tag.name == "seg":
            self.add(opening, text)

    def add(self, seg: _Tag, text: str) -> None:
        document = self.opened[-1]
        whole = self.opened[-2]
        self.numbered += 1
        markup = _MARKUP.search(text)
        if markup:
            raise self.fail(
                seg.end + markup.start(),
                f"{markup[0]!r} stands inside of a segment; take it out, or write &lt; for <",
            )
        system = document.attributes.get("sysid") or whole.attributes.get(
            "sysid", whole.attributes.get("refid", "")
        )
        named = document.attributes.get("docid", str(self.documents))
        place = f"{named}#{seg.attributes.get('id', self.numbered)}"
        lines, places = self.found.setdefault(system, ([], []))
        if place in places[-self.numbered :]:
            raise self.fail(seg.start, f"segment {place} of its document stands here again")
        places.append(place)
        lines.append(self.decoded(_BREAK.sub(" ", text.strip(" \t\n")), seg.end))

    def decoded(self, text: str, start: int) -> str:
        def character(entity: re.Match[str]) -> str:
            named, decimal, hexadecimal = entity.groups()
            if named:
                return _NAMED[named]
            code = int(decimal) if decimal else int(hexadecimal, 16)
            if not 32 <= code < 0x110000 or 0xD800 <= code < 0xE000:
                raise self.fail(start, f"{entity[0]} is no character of a text")
            return chr(code)

        return _ENTITY.sub(character, text)


def read_sgm(text: str, *, name: str, part: str | None = None) -> PlacedLines:
    """Return the segments of a set in the order of the file, blanks at their ends taken off.

    `part` is the system, or the reference, where the set holds several. What is malformed, and what
    stands outside of segments, is an `InputError` with its line. `&amp;`, `&lt;`, `&gt;`, `&quot;`,
    `&apos;` and numbers of characters are decoded; a line break inside a segment is a blank.

    >>> text = '<srcset><doc docid="a"><seg id="1"> A &amp; B </seg></doc></srcset>'
    >>> read_sgm(text, name="s.sgm"), read_sgm(text, name="s.sgm").places
    (('A & B',), ('a#1',))
    """
    reader = _Reader(text, name)
    reader.read()
    if not reader.found:
        raise InputError('holds no segment; write them as <seg id="1">...</seg>', where=name)
    if part is None and len(reader.found) > 1:
        raise InputError(
            f"holds the texts of {', '.join(reader.found)}; choose one, such as "
            f"{name}#{next(iter(reader.found))}",
            where=name,
        )
    if part is not None and part not in reader.found:
        raise InputError(
            f"holds no text of {part!r}; it has: {', '.join(each or 'one without sysid' for each in reader.found)}",
            where=name,
        )
    return PlacedLines.of(
        *(reader.found[part] if part is not None else next(iter(reader.found.values())))
    )


def _in(parent: str) -> str:
    return f"<{parent}>" if parent else "no set"
