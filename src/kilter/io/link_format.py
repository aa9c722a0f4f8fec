"""The names of the link formats, what each counts from, and which one a file is in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from kilter import _core
from kilter.core.errors import InputError, OptionError
from kilter.core.link_rule import Symmetrization
from kilter.io.stream import ByteSource, exists
from kilter.io.text import BYTE_ORDER_MARK, line_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


class LinkFormat(StrEnum):
    """How links are written; positions count from 0 unless the format says otherwise.

    * `pharaoh`, `pharaoh-1`: `0-0 1-2`, one line per segment, counted from 0 or from 1;
    * `sure-possible`, `sure-possible-1`: the same with `1p2` or `1?2` for possible links;
    * `talp`: `1-1 2s2 3p4`, from 1: `-` and `s` are sure, `p` and `?` possible;
    * `target-lists`: `6,6,7_8,,4`, for each word of the second sentence the first ones [FRS];
    * `naacl`: a line for each link, `segment first second [S|P] [confidence]`, all from 1;
    * `moses`: phrases, `0-1=2-3 2=0`;
    * `moses-trace`: what Moses writes with -t, `the house |0-1| is |2-2|`, or with --print-alignment-info,
      `the house is ||| 0-0 1-1 2-2`, links from its source to the translation;
    * `meteor`: what METEOR 1.5 writes with -writeAlignments, or its Matcher;
    * `giza`: an `A3.final` file of GIZA++, its source the first sentence, its target the second;
    * `fast-align`: `0-0 1-2 ||| -4.5` or `source ||| target ||| 0-0 1-2 ||| -4.5`, as fast_align writes
      links with scores.
    """

    PHARAOH = "pharaoh"
    PHARAOH_1 = "pharaoh-1"
    SURE_POSSIBLE = "sure-possible"
    SURE_POSSIBLE_1 = "sure-possible-1"
    TALP = "talp"
    TARGET_LISTS = "target-lists"
    NAACL = "naacl"
    MOSES = "moses"
    MOSES_TRACE = "moses-trace"
    METEOR = "meteor"
    GIZA = "giza"
    FAST_ALIGN = "fast-align"

    @property
    def base(self) -> int:
        """What the first word of a sentence is numbered."""
        return int(self in _FROM_ONE)

    @property
    def signs(self) -> str:
        """The signs that may stand between the two numbers of a link; empty for other forms."""
        return _SIGNS.get(self, "")

    @property
    def blocks(self) -> bool:
        """Whether a segment takes several lines, or a line is not a segment."""
        return self in (LinkFormat.NAACL, LinkFormat.METEOR, LinkFormat.GIZA)


_FROM_ONE = (
    LinkFormat.PHARAOH_1,
    LinkFormat.SURE_POSSIBLE_1,
    LinkFormat.TALP,
    LinkFormat.NAACL,
)
_SIGNS = {
    LinkFormat.PHARAOH: "-",
    LinkFormat.PHARAOH_1: "-",
    LinkFormat.SURE_POSSIBLE: "-p?",
    LinkFormat.SURE_POSSIBLE_1: "-p?",
    LinkFormat.TALP: "-sp?",
}

_FAMILIES = (
    (LinkFormat.METEOR, re.compile(rb"Alignment(\s.*)?")),
    (LinkFormat.GIZA, re.compile(rb"# Sentence pair \(\d+\) source length .*")),
    (LinkFormat.MOSES_TRACE, re.compile(rb"([^|].*\s)?\|\d+-\d+(,[^|]*)?\|(\s.*)?")),
    (LinkFormat.FAST_ALIGN, re.compile(rb".*\|\|\|.*")),
    (LinkFormat.PHARAOH, re.compile(rb"\d+[-sp?]\d+(\s+\d+[-sp?]\d+)*")),
    (LinkFormat.MOSES, re.compile(rb"\d+(-\d+)?=\d+(-\d+)?(\s+\d+(-\d+)?=\d+(-\d+)?)*")),
    (LinkFormat.NAACL, re.compile(rb"\d+\s+\d+\s+\d+(\s+[SP])?(\s+[-+.\deE]+)?")),
    (LinkFormat.TARGET_LISTS, re.compile(rb"[\d_]*([,_][\d_]*)+")),
)


def detect_link_format(source: ByteSource) -> LinkFormat:
    """Return the format of a file where its text leaves no doubt; otherwise an `InputError`.

    `0-0 1-2` counts from 0 as soon as a 0 occurs, and so does `0-0 1p2`. Without one it could count from
    either, and with possible links it could be one of three formats: then the format has to be named.
    """
    family: LinkFormat | None = None
    doubt = b""
    zero = False
    signs: set[str] = set()
    for number, piece in enumerate(line_blocks(source.chunks(again=True), name=source.name)):
        # What must not stand around links is no reason for doubt; reading them refuses it.
        block = piece.removeprefix(BYTE_ORDER_MARK) if number == 0 else piece
        if family is None:
            family, doubt = _family(source, block.split(b"\n"), doubt)
        if family is None:
            continue
        if family is not LinkFormat.PHARAOH:
            return family
        pairs, signs_of_block, _, _ = _core.link_lines(block)
        zero = zero or not pairs.all()
        signs |= {chr(sign) for sign in set(signs_of_block.tolist())}
    if family is None and doubt:
        raise _unclear(source, "a number alone says too little")
    if "s" in signs:
        return LinkFormat.TALP
    if signs - {"-"} and zero:
        return LinkFormat.SURE_POSSIBLE
    if signs - {"-"}:
        raise _unclear(
            source,
            "without any 0, possible links are written alike in sure-possible, sure-possible-1 and talp",
        )
    if family is not None and not zero:
        raise _unclear(source, "without any 0 it can be pharaoh (from 0) or pharaoh-1 (from 1)")
    return LinkFormat.PHARAOH


def _family(
    source: ByteSource, lines: Iterable[bytes], doubt: bytes
) -> tuple[LinkFormat | None, bytes]:
    """Return what the first telling line is written in; a number alone is not telling."""
    for line in lines:
        text = line.strip()
        if text.isdigit():
            doubt = text
        elif text:
            for family, pattern in _FAMILIES:
                if pattern.fullmatch(text):
                    return family, doubt
            raise _unclear(source, f"{shown(text)} fits none")
    return None, doubt


def _unclear(source: ByteSource, why: str) -> InputError:
    return InputError(
        f"the format of the links cannot be told: {why}; name one of {', '.join(LinkFormat)}",
        where=source.name,
    )


def shown(text: bytes) -> str:
    """Return bytes of a file as messages quote them, the long ones shortened."""
    plain = text[:40].decode("utf-8", errors="backslashreplace")
    return repr(plain + ("..." if len(text) > 40 else ""))


_LARGEST = 2**31 - 1
LONGEST_PHRASE = 255
"""Words of a phrase, all of which are linked with all of another."""


class LinkFault(NamedTuple):
    """What is wrong in a line, counted from 1."""

    line: int
    reason: str


class SentenceWidths(NamedTuple):
    """How many words the file itself gives the two sentences of a segment; -1 for unknown."""

    line: int
    segment: int
    first: int
    second: int


@dataclass(slots=True)
class LinkRows:
    """Links as a file writes them: numbers in the file's counting, each with its segment and line."""

    links: NDArray[np.int32]
    owners: NDArray[np.int64]
    possible: NDArray[np.bool_]
    lines: NDArray[np.int64]
    segments: int
    faults: list[LinkFault]
    widths: list[SentenceWidths] = field(default_factory=list)


def position(word: bytes) -> int | None:
    """Return the number of a word; None for what is not a number, or too large for any sentence."""
    digits = word.lstrip(b"0") or word[-1:]
    if not digits.isdigit() or len(digits) > 10:
        return None
    number = int(digits)
    return number if number <= _LARGEST else None


_BETWEEN = "::"
DEFAULT_SYMMETRIZATION = Symmetrization.GROW_DIAG_FINAL_AND


class LinkDirections(NamedTuple):
    """The files of two directions, and the rule that makes one set of links of them."""

    forward: ByteSource | None
    """None where the reverse direction is all there is."""
    reverse: ByteSource
    rule: Symmetrization


def link_directions(source: ByteSource) -> LinkDirections | None:
    """Return what `FORWARD::REVERSE`, or `FORWARD::REVERSE::RULE`, names; None for a file alone.

    `::REVERSE` is the reverse direction alone. A file whose own name is written so is that file.

    >>> link_directions(ByteSource("st.A3.final::ts.A3.final::union")).rule
    <Symmetrization.UNION: 'union'>
    >>> link_directions(ByteSource("st.A3.final")) is None
    True
    """
    forward, *rest = source.path.split(_BETWEEN)
    if not rest or exists(source.path):
        return None
    reverse, *rule = rest
    known = list(Symmetrization)
    if not reverse or len(rule) > 1 or (rule and rule[0] not in known):
        raise OptionError(
            f"{source.name} does not name two directions; write FORWARD::REVERSE or FORWARD::REVERSE::RULE "
            f"with one of {', '.join(known)}"
        )
    return LinkDirections(
        ByteSource(forward) if forward else None,
        ByteSource(reverse),
        Symmetrization(rule[0]) if rule else DEFAULT_SYMMETRIZATION,
    )


def links_below(folder: Path, path: str) -> str:
    """Return an argument that names links, its files those of a folder.

    >>> from pathlib import Path
    >>> links_below(Path("made"), "st::ts::union")
    'made/st::made/ts::union'
    """
    whole = str(folder / path)
    both = link_directions(ByteSource(path))
    if both is None or link_directions(ByteSource(whole)) is None:
        return whole
    files = ["" if each is None else str(folder / each.path) for each in both[:2]]
    return _BETWEEN.join([*files, *path.split(_BETWEEN)[2:]])
