"""Lines of permutations read the slow way, to compare with the reader that streams."""

import re
from dataclasses import dataclass, field

# A permutation: numbers with blanks or single commas between them, in brackets or not.
_BLANK = rb"[ \t\r]*"
_NUMBERS = rb"\d+(?:(?:[ \t\r]+|[ \t\r]*,[ \t\r]*)\d+)*"
_SINGLE = re.compile(
    rb"B(?:(N)|\[B(N)?B\]|\(B(N)?B\)|<B(N)?B>)B".replace(b"B", _BLANK).replace(b"N", _NUMBERS)
)
LARGEST = 2**31 - 1


@dataclass
class Reading:
    """What was read: permutations (zero-based) by line, and the numbers of bad lines."""

    good: dict[int, list[list[int]]] = field(default_factory=dict)
    bad: list[int] = field(default_factory=list)


def read(data: bytes, *, pairs: bool = False, zero_based: bool = False) -> Reading:
    """Return what stands in every line; a last line end and a byte order mark make no line."""
    reading = Reading()
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, start=1):
        parts = _two_parts(line) if pairs else [line]
        sides = [_permutation(part, 0 if zero_based else 1, pairs=pairs) for part in parts]
        read_well = [side for side in sides if side is not None]
        complete = len(read_well) == len(sides) == (2 if pairs else 1)
        if line.strip(b" \t\r") and complete and len(set(map(len, read_well))) == 1:
            reading.good[number] = read_well
        else:
            reading.bad.append(number)
    return reading


def _permutation(text: bytes, base: int, *, pairs: bool) -> list[int] | None:
    if pairs and not text.strip(b" \r"):
        return []
    found = _SINGLE.fullmatch(text)
    if found is None:
        return None
    numbers = next((group for group in found.groups() if group is not None), b"")
    # Twenty digits are too large already; Python does not convert thousands of them.
    values = [int(n.lstrip(b"0")[:20] or b"0") - base for n in re.findall(rb"\d+", numbers)]
    return values if sorted(values) == list(range(len(values))) else None


def _two_parts(line: bytes) -> list[bytes]:
    """Return the parts of a line of pairs: `|||`, a tab or a closed bracket ends one.

    A tab after nothing, and `|||` after the second, end nothing.
    """
    parts, current = list[bytes](), b""
    for token in re.findall(rb"\|\|\||\t|[^|\t\])>]*[\])>]|[^|\t\])>]+|\|", line):
        if token == b"|||" or (token == b"\t" and current.strip(b" \r")):
            parts.append(current)
            current = b""
        elif token != b"\t":
            if current.rstrip(b" \r").endswith((b"]", b")", b">")) and token.strip(b" \r"):
                parts.append(current)
                current = b""
            current += token
    if len(parts) < 2 or current.strip(b" \r"):
        parts.append(current)
    return parts
