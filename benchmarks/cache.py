"""`kilter meta` with links of `embedding`: without a cache, cold and warm; the encoder and the parser alone.

The data is WMT 2013 German-English where `../shared/data` lies beside the repository, and the bundled
sample elsewhere, whose few sentences say little about speed.
"""

from __future__ import annotations

import gzip
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.corpus import Vocabulary
from kilter.io.text import read_text
from kilter.io.tokenizer import token_column
from kilter.parsers.encoder.encoder import load_encoder
from kilter.parsers.model import OUTPUTS
from kilter.parsers.registry import parser

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent
DATA = ROOT.parent / "shared" / "data" / "wmt13-de-en"
EXAMPLES = ROOT / "examples"
BIN = Path(sys.executable).parent
ROUNDS = 3  # of what takes seconds


def run() -> None:
    if DATA.is_dir():
        asked = _asked(DATA / "pairs.tsv.gz", DATA / "ref.en.gz", [DATA / "sys"])
    else:
        systems = [EXAMPLES / f"{name}.en" for name in ("local", "verb", "phrase", "lexical")]
        asked = _asked(EXAMPLES / "rankings.csv", EXAMPLES / "reference.en", systems)
    print("kilter meta -m kendall with embedding links, CPU seconds of the command")
    with tempfile.TemporaryDirectory() as folder:
        kept = ["--cache", str(Path(folder) / "kept")]
        alone, answer = _timed(asked)
        print(f"  without a cache      {alone:8.1f}", flush=True)
        cold, first = _timed([*asked, *kept])
        print(f"  with an empty cache  {cold:8.1f}", flush=True)
        warm, second = _timed([*asked, *kept])
        print(f"  from the cache       {warm:8.1f}   ({alone / warm:.0f}x)")
        assert first == second == answer
    _encoder()


def _asked(judgments: Path, reference: Path, systems: list[Path]) -> list[str]:
    command = [str(BIN / "kilter"), "meta", "--judgments", str(judgments), "-r", str(reference)]
    for path in systems:
        command += ["--systems", str(path)]
    return [*command, "--aligner", "embedding", "-m", "kendall", "--format", "json", "-q"]


def _timed(command: list[str]) -> tuple[float, bytes]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def _encoder() -> None:
    """Print how many sentences of the reference the network and the parser take in a CPU second."""
    if DATA.is_dir():
        lines = gzip.decompress((DATA / "ref.en.gz").read_bytes()).decode().split("\n")[:-1]
    else:
        lines = [*read_text(str(EXAMPLES / "reference.en"))]
    vocabulary = Vocabulary()
    words = token_column(lines, "13a", vocabulary)
    encoder, model = load_encoder(), parser("model")
    model.parse(words.chosen(np.array([0])), vocabulary)  # loads the model
    found = {
        "vectors for links": lambda: [*encoder.answers(words, vocabulary, ("vector",))],
        "all that trees need": lambda: [*encoder.answers(words, vocabulary, OUTPUTS)],
        "trees": lambda: model.parse(words, vocabulary),
    }
    print(f"{len(lines)} sentences of {len(words.ids) / len(lines):.1f} words, a CPU second")
    for name, work in found.items():
        print(f"  {name:20} {len(lines) / _seconds(work):8,.0f}", flush=True)


def _seconds(work: Callable[[], object]) -> float:
    """Return the least CPU time of some rounds, all threads included."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best
