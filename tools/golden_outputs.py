"""Record what every command prints and writes, to compare two states of the code byte by byte.

Runs every demonstration of every option (`tests/cli/*demonstrated.py`) and writes a file for each run:
exit code, both streams, and the files that it left. Compare two recordings with `diff -r`.

    python -m tools.golden_outputs build/golden-before
    python -m tools.golden_outputs build/golden-score score compare    # these commands only
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

from tests.cli.demonstrated import DEMONSTRATED
from tests.cli.demonstration import Demonstration, outcome
from tests.cli.option_files import write_inputs
from tests.cli.test_every_option import OPTIONS, asked, option_of, values_of


def record(target: Path, commands: list[str]) -> int:
    """Write a file for every run below `target`, of all commands or those given; return how many there are."""
    target.mkdir(parents=True)
    runs: dict[tuple[tuple[str, ...], bool, str], str] = {}
    for command, name in OPTIONS:
        if commands and command not in commands:
            continue
        demonstration = DEMONSTRATED[command][name]
        if not isinstance(demonstration, Demonstration) or demonstration.threads:
            continue
        option = option_of(command, name)
        for value in values_of(option, demonstration):
            arguments = demonstration.arguments.replace("{}", value)
            given = Demonstration(
                arguments, terminal=demonstration.terminal, stdin=demonstration.stdin
            )
            runs.setdefault(asked(given, name, option, value), command or "kilter")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        inputs = write_inputs(folder / "inputs")
        for number, ((given_arguments, terminal, stdin), command) in enumerate(runs.items()):
            found = outcome(
                [*given_arguments], folder / str(number), inputs, terminal=terminal, stdin=stdin
            )
            lines = [f"$ kilter {' '.join(given_arguments)}", f"exit {found.code}", found.out]
            lines += [found.err.replace(scratch, "")]
            lines += [f"{name} {hashlib.sha256(data).hexdigest()}" for name, data in found.files]
            key = hashlib.sha256(repr((given_arguments, terminal, stdin)).encode()).hexdigest()[:12]
            path = target / f"{command.replace(' ', '-')}.{key}.txt"
            path.write_text("\n".join(lines).replace(scratch, ""), encoding="utf-8")
    return len(runs)


if __name__ == "__main__":
    with (
        patch("kilter.study.analysis.power.REPETITIONS", 10),
        patch("kilter.render.chart.picture_file.png_bytes", lambda picture: picture.encode()),
    ):
        print(record(Path(sys.argv[1]), sys.argv[2:]), "runs")
