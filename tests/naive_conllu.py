"""CoNLL-U read one sentence after another, with the plainest code there is."""

from dataclasses import dataclass, field

Row = list[str]


@dataclass
class Read:
    """Trees as rows of words, the segment each belongs to, and the numbers of wrong blocks."""

    trees: list[list[Row]] = field(default_factory=list)
    segments: list[int] = field(default_factory=list)
    bad: list[int] = field(default_factory=list)


def read(text: str) -> Read:
    """Return the sentences of a text, blocks counted from 0."""
    body = text.removesuffix("\n\n") if text.endswith("\n\n") else text.removesuffix("\n")
    blocks: list[list[str]] = [[]]
    for line in body.split("\n"):
        if line == "":
            blocks.append([])
        else:
            blocks[-1].append(line)
    found = Read()
    for number, block in enumerate(blocks):
        words = sentence(block)
        if number == len(blocks) - 1 and not words and not text.endswith("\n\n"):
            words = None  # comments, and nothing ended them
        if words is None:
            found.bad.append(number)
        found.trees.append(words or [])
    number_parses(blocks, found)
    return found


def number_parses(blocks: list[list[str]], found: Read) -> None:
    complete = not found.bad
    segment, first = -1, 0
    for number, block in enumerate(blocks):
        said = comments(block)
        if said.get("parse", "1") == "1":
            segment, first = segment + 1, number
        elif not (
            number > 0
            and follows(said, comments(blocks[number - 1]))
            and (not complete or forms(found.trees[number]) == forms(found.trees[first]))
        ):
            found.bad.append(number)
        found.segments.append(segment)


def forms(rows: list[Row]) -> list[str]:
    return [row[1] for row in rows]


def follows(said: dict[str, str], previous: dict[str, str]) -> bool:
    parse, before = said["parse"], previous.get("parse", "1")
    if not (plain(parse) and plain(before)):
        return False
    return int(parse) == int(before) + 1 and said.get("sent_id") == previous.get("sent_id")


def comments(block: list[str]) -> dict[str, str]:
    said = {}
    for line in block:
        if line.startswith("#"):
            name, equals, value = line[1:].partition("=")
            if equals and name.strip() in ("sent_id", "text", "parse"):
                said[name.strip()] = value.strip()
    return said


def sentence(block: list[str]) -> list[Row] | None:
    """Return the rows of words, or None if something is wrong."""
    if not block:
        return None
    rows: list[Row] = []
    for line in block:
        if line.startswith("#"):
            if rows:
                return None
            continue
        row = line.split("\t")
        if len(row) != 10 or "" in row:
            return None
        rows.append(row)
    if not rows:
        return [] if {"sent_id", "text"} & set(comments(block)) else None
    return words_of(rows)


def words_of(rows: list[Row]) -> list[Row] | None:
    words = [row for row in rows if row[0].isdecimal()]
    numbered = [row[0] for row in words] == [str(k + 1) for k in range(len(words))]
    if numbered and specials_fit(rows, len(words)) and heads_fit([row[6] for row in words]):
        return words
    return None


def specials_fit(rows: list[Row], size: int) -> bool:
    before, last_end, node = 0, 0, 0
    for row in rows:
        if row[0].isdecimal():
            before, node = before + 1, 0
        elif "-" in row[0]:
            first, _, last = row[0].partition("-")
            if not (plain(first) and plain(last)) or int(first) != before + 1:
                return False
            if not last_end < int(first) < int(last) <= size:
                return False
            last_end = int(last)
        else:
            node += 1
            if row[0] != f"{before}.{node}":
                return False
    return True


def heads_fit(heads: list[str]) -> bool:
    allowed = [str(k) for k in range(len(heads) + 1)]
    if any(head not in allowed for head in heads):
        return False
    for start in range(len(heads)):
        at = start + 1
        for _ in heads:
            at = int(heads[at - 1]) if at else 0
        if at:
            return False
    return True


def plain(number: str) -> bool:
    return (
        number.isascii() and number.isdecimal() and not number.startswith("0") and len(number) < 10
    )
