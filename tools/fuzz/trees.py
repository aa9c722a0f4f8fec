"""Mutated CoNLL-U through the reader, compared with the naive one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.io import conllu
from kilter.io.conllu import checked_trees, read_conllu, read_trees, write_conllu
from kilter.io.text import problems
from tests import naive_conllu
from tools.fuzz.lines import Pieces, cut, mutated

if TYPE_CHECKING:
    from random import Random

FIELDS = [
    "_",
    "1",
    "2",
    "0",
    "3",
    "1-2",
    "2-3",
    "0.1",
    "1.1",
    "word",
    "",
    "-1",
    "01",
    "+1",
    "²",
    "٢",
    "#",
]


def good_sentence(chance: Random) -> list[str]:
    """Return the lines of a sentence that can be read."""
    size = chance.choice([1, 1, 2, 3, 5, 9, 30])
    order = chance.sample(range(size), size)
    heads = [0] * size
    for place in range(1, size):
        heads[order[place]] = order[chance.randrange(place)] + 1
    lines = [f"# sent_id = {chance.randrange(3)}"] if chance.random() < 0.7 else []
    if chance.random() < 0.2:
        return [*lines, "# text ="]
    if chance.random() < 0.1:
        lines.append("# parse = 1")
    for word in range(size):
        if chance.random() < 0.1 and word + 1 < size:
            lines.append("\t".join([f"{word + 1}-{word + 2}", *"_________"]))
        if chance.random() < 0.05:
            lines.append("\t".join([f"{word}.1", *"_________"]))
        entries = [str(word + 1), chance.choice("abc"), "_", "X", "_", "_", str(heads[word]), "dep"]
        lines.append("\t".join([*entries, "_", "_"]))
    return lines


def parsed_again(lines: list[str], number: int) -> list[str]:
    """Return the lines as a further parse of the same sentence."""
    kept = [line for line in lines if not line.startswith("# parse")]
    return [f"# parse = {number}", *kept]


def damaged(lines: list[str], chance: Random) -> list[str]:
    """Return the lines with something changed that a field or a line can hold."""
    changed = list(lines)
    place = chance.randrange(len(changed))
    match chance.randrange(6):
        case 0:
            del changed[place]
        case 1:
            changed.insert(place, chance.choice(["# note", "# parse = 2", "", "# text = a", " "]))
        case 2:
            changed.insert(place, changed[chance.randrange(len(changed))])
        case 3:
            data = mutated(changed[place].encode(), chance)
            changed[place] = data.decode(errors="replace").replace("\n", "").replace("\r", "")
        case _:
            fields = changed[place].split("\t")
            fields[chance.randrange(len(fields))] = chance.choice(FIELDS)
            changed[place] = "\t".join(fields)
    return changed


def some_text(chance: Random) -> str:
    """Return some sentences, most of them sound."""
    blocks: list[list[str]] = []
    for _ in range(chance.randrange(1, 6)):
        lines = good_sentence(chance)
        blocks.append(lines)
        if chance.random() < 0.2:
            blocks.append(parsed_again(lines, chance.choice([2, 2, 2, 1, 3])))
    if chance.random() < 0.7:
        place = chance.randrange(len(blocks))
        blocks[place] = damaged(blocks[place], chance)
    ending = chance.choice(["\n\n", "\n\n", "\n", "", "\n\n\n"])
    return "\n\n".join("\n".join(lines) for lines in blocks) + ending


def check(chance: Random) -> None:
    """Read a text: what the naive reader accepts comes back as it was, and the rest is named."""
    text = some_text(chance)
    data = text.encode()
    if list(problems(data)):
        return
    expected = naive_conllu.read(text)
    whole, conllu._PIECE = conllu._PIECE, chance.choice([1, 50, 1 << 22])
    try:
        compare(data, expected, chance)
    finally:
        conllu._PIECE = whole


def compare(data: bytes, expected: naive_conllu.Read, chance: Random) -> None:
    """Compare every way to read with the naive one."""
    found = checked_trees(Pieces(cut(data, chance)))[1]
    assert len(found) == len(expected.bad), data
    if found:
        assert not any("\n" in str(error) for error in found)
        with pytest.raises(InputError, match=re.escape(str(found[0]))):
            read_conllu(Pieces(cut(data, chance)))
        return
    bank = read_conllu(Pieces(cut(data, chance)))
    if not bank.trees.joined:
        assert "".join(write_conllu(bank)).encode() == data
    trees = read_trees(Pieces(cut(data, chance)))
    assert trees.heads.tolist() == bank.trees.heads.tolist()
    segments = np.repeat(np.arange(len(trees)), np.diff(trees.parses)).tolist()
    assert segments == expected.segments
    for tree, rows in enumerate(expected.trees):
        made = trees.tree(tree)
        assert list(made.words) == [row[1] for row in rows]
        assert list(made.tags) == [row[3] for row in rows]
        if tree not in trees.joined:
            assert list(made.labels) == [row[7] for row in rows]
            assert [head + 1 for head in made.heads] == [int(row[6]) for row in rows]
