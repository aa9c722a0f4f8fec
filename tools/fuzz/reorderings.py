"""Mutated reorderings and rule files: read, or refused with a clear error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError
from kilter.io.reordering import ReorderingForm, read_reorderings
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import parse_rule_set, shipped_text
from tools.fuzz.lines import Pieces

if TYPE_CHECKING:
    from random import Random

LINES = {
    ReorderingForm.TEXT: "the cat {{ sat on }} a mat\n{{ a b }}\n\n",
    ReorderingForm.POSITIONS: "3 {{ 0 1 }} 2\n0\n\n",
    ReorderingForm.JSONL: '{"words": ["a", "b", "c"], "groups": [[2], [0, 1]]}\n',
}
PIECES = [
    *(
        "{{",
        "}}",
        " ",
        "\n",
        "0",
        "1",
        "-1",
        "99999999999",
        "[",
        "]",
        "{",
        "}",
        '"',
        ",",
        ":",
        "null",
    ),
    *(
        "HEAD",
        "OTHER",
        "*",
        "nsubj",
        ":*",
        "order",
        "head",
        "=",
        "[[rule]]",
        "true",
        "reverse",
        "\x00",
    ),
    *("é", "\r\n", "\t", "#", "1e999", "\\u0000", "method"),
]
TREE = DependencyTreeColumn.of(
    [
        DependencyTree(
            ["cats", "will", "chase", "mice"],
            [2, 2, -1, 2],
            labels=["nsubj", "aux", "root", "obj"],
            tags=["NOUN", "AUX", "VERB", "NOUN"],
        )
    ]
)


def mutated(text: str, chance: Random) -> str:
    """Return a text with a few pieces put in, cut out or replaced."""
    for _ in range(chance.randrange(5)):
        place = chance.randrange(len(text) + 1)
        cut = chance.choice([0, 0, 1, 3, 10])
        text = text[:place] + chance.choice([*PIECES, ""]) + text[place + cut :]
    return text


def check(chance: Random) -> None:
    """Read what was mutated; anything but a result or an `InputError` is a finding."""
    form = chance.choice(list(LINES))
    data = mutated(LINES[form] * chance.randrange(1, 3), chance).encode()
    try:
        found = read_reorderings(Pieces([data]), form=form)
    except InputError as error:
        _check_place(error, "fuzz:")
    else:
        assert len(found.group) == found.offsets[-1]
        if found.words is not None:
            assert sum(map(len, found.words)) == len(found.group)
    name = chance.choice(["en-verb-final", "r5", "r2"])
    try:
        rules = parse_rule_set(
            mutated(shipped_text(name), chance), where="rules.toml", name="rules"
        )
    except InputError as error:
        _check_place(error, "rules.toml:")
    else:
        assert sorted(reorder_trees(TREE, rules).order.tolist()) == [0, 1, 2, 3]


def _check_place(error: InputError, place: str) -> None:
    assert str(error).startswith(place), error
