"""Mutated sets of segments and tables: each is read, or refused with its place."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from kilter.io.text_file import checked_text_file
from tools.fuzz.lines import mutated

if TYPE_CHECKING:
    from random import Random

SAMPLES = {
    "t.sgm": b'<refset a="b">\n<doc docid="x" sysid="r">\n<p><seg id="1">a &amp; b</seg></p>\n'
    b'<seg id="2">&#233;</seg>\n</doc></refset>\n',
    "t.tsv": b"a\tb\n1 2\t3\n\t4\n",
    "t.csv": b'a,b\n"x, ""y""",z\r\n,\n',
    "t.jsonl": b'{"a": "x y", "b": "z"}\n{"a": "", "b": "\\u00e9"}\n',
}


def check(chance: Random) -> None:
    """Read one of the samples with some bytes changed."""
    name = chance.choice(sorted(SAMPLES))
    data = SAMPLES[name]
    for _ in range(chance.randrange(3)):
        data = mutated(data, chance)
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        part = chance.choice(["", "#a", "#b", "#r"])
        lines, faults = checked_text_file(f"{path}{part}")
        if lines is None:
            assert all(str(path) in str(fault) for fault in faults)
            assert faults
        else:
            assert not faults
            assert all(isinstance(line, str) and "\n" not in line for line in lines)
