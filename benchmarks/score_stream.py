"""Made-up texts through `kilter score -m all`: rate and peak memory as segments become more.

`KILTER_SEGMENTS` is the largest number of segments, 200,000 where it is not set; 2,000,000 take minutes.
`python -m benchmarks.score_stream FOLDER SEGMENTS` writes the texts alone.
"""

from __future__ import annotations

import os
import sys
import tempfile
from itertools import accumulate
from pathlib import Path
from random import Random

KILTER = str(Path(sys.executable).with_name("kilter"))
FEWEST = 50_000
MOST = int(os.environ.get("KILTER_SEGMENTS", "200000"))
ASKED = ("-m", "all", "--format", "json")
WHOLE = "import sys; import kilter.run.scoring.text_streams as texts; texts.BLOCK = 1 << 40; from kilter.cli.main import run; sys.exit(run(sys.argv[1:]))"
"""The same command with all texts in memory, whatever their size."""


def made_up_texts(folder: Path, segments: int) -> tuple[Path, Path]:
    """Write a reference and a system of sentences of words that mean nothing; return their files.

    Words are as frequent as words are, a sixth of the system's are others, and a part of every sentence
    stands elsewhere.
    """
    chance = Random(7)
    syllables = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]
    words = [
        "".join(chance.choices(syllables, k=1 + min(3, int(chance.expovariate(0.8)))))
        for _ in range(30_000)
    ]
    weights = [*accumulate(1 / (rank + 3) for rank in range(len(words)))]
    paths = folder / "reference.txt", folder / "system.txt"
    with paths[0].open("w") as references, paths[1].open("w") as systems:
        for _ in range(segments):
            line = chance.choices(words, cum_weights=weights, k=max(1, int(chance.gauss(18, 7))))
            made = [*line]
            for word in chance.choices(words, cum_weights=weights, k=len(line) // 6):
                made[chance.randrange(len(made))] = word
            first, middle, last = sorted(chance.choices(range(len(made) + 1), k=3))
            made[first:last] = made[middle:last] + made[first:middle]
            references.write(" ".join(line) + " .\n")
            systems.write(" ".join(made) + " .\n")
    return paths


def run() -> None:
    """Print rates and peaks, after the result of the smallest texts proved to be that of texts in memory."""
    print("made-up texts through `kilter score -m all`, 1,000 resamples")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        segments = FEWEST
        while segments <= MOST:
            reference, system = made_up_texts(folder, segments)
            asked = ["score", "-r", str(reference), str(system), *ASKED]
            streamed = _printed(f"{segments:>9,} segments", [KILTER, *asked], folder, segments)
            if segments == FEWEST:
                held = [sys.executable, "-c", WHOLE, *asked]
                assert _printed("      in memory at once", held, folder, segments) == streamed
            segments = min(4 * segments, MOST) if segments < MOST else MOST + 1


def _printed(what: str, command: list[str], folder: Path, segments: int) -> bytes:
    """Run a command, print its processor time and its peak memory, and return its output."""
    path = folder / "out"
    with path.open("wb") as out:
        child = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1)])  # fmt: skip
        _, status, used = os.wait4(child, 0)
    assert status == 0
    seconds = used.ru_utime + used.ru_stime
    print(
        f"  {what}: {seconds:7.1f} s of one processor, {segments / seconds:9,.0f} segments a second, peak memory "
        f"{used.ru_maxrss / 1024:6.0f} MB"
    )
    return path.read_bytes()


if __name__ == "__main__":
    made_up_texts(Path(sys.argv[1]), int(sys.argv[2]))
