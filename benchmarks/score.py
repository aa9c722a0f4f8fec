"""`kilter score -m all` against `sacrebleu -m bleu`, and `kilter compare` against its paired bootstrap.

Both commands run on the same files, in one go, from raw text. The data is WMT 2013 German-English where
`../shared/data` lies beside the repository, and text made up from a seed elsewhere.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest

from benchmarks.timing import best_seconds
from kilter.results.comparison import SignificanceTest
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.significance import compare_measured
from kilter.stats.resampling import Resampling

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "wmt13-de-en"
BIN = Path(sys.executable).parent
ROUNDS = 3  # of what takes seconds


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        reference, systems = _texts(Path(folder))
        files = [str(path) for path in systems]
        lines = len(reference.read_text(encoding="utf-8").splitlines())
        print(
            f"{len(systems)} systems x {lines} segments, from raw text, CPU seconds of the command"
        )
        ours, document = _timed(
            [
                str(BIN / "kilter"),
                "score",
                "-r",
                str(reference),
                "-m",
                "all",
                "--format",
                "json",
                *files,
            ]
        )
        theirs, output = _timed(
            [
                str(BIN / "sacrebleu"),
                str(reference),
                "-i",
                *files,
                "-m",
                "bleu",
                "-w",
                "14",
                "-f",
                "json",
            ]
        )
        _check(document, output)
        metrics = len(json.loads(document)["metrics"])
        print(f"  kilter score -m all, {metrics} metrics with intervals  {ours:8.1f}")
        print(
            f"  sacrebleu -m bleu                            {theirs:8.1f}   ({theirs / ours:.1f}x)"
        )
        _compare(reference, systems)


def _compare(reference: Path, systems: list[Path]) -> None:
    """Print the time of 1000 paired resamples from stored statistics, of both."""
    lines = reference.read_text(encoding="utf-8").split("\n")[:-1]
    texts = {path.stem: path.read_text(encoding="utf-8").split("\n")[:-1] for path in systems}
    found = measure(
        Texts(systems=texts, references={"reference": lines}), Settings(metrics=["bleu"])
    )
    ours = best_seconds(
        lambda: compare_measured(
            list(texts),
            found.measured,
            tests=[SignificanceTest.BOOTSTRAP],
            resampling=Resampling(resamples=1000),
        )
    )
    metric = BLEU(references=[lines])
    # To be left out of the time.
    extract = metric._extract_corpus_statistics  # noqa: SLF001
    extraction = best_seconds(
        lambda: [extract(text, None) for text in texts.values()], rounds=ROUNDS
    )
    os.environ["SACREBLEU_SEED"] = "1"
    test = PairedTest(list(texts.items()), {"BLEU": metric}, None, test_type="bs", n_samples=1000)
    theirs = best_seconds(test, rounds=ROUNDS)
    theirs -= extraction
    print(
        "1000 paired bootstrap resamples of BLEU from stored statistics, all systems, CPU seconds"
    )
    print(f"  kilter compare (all pairs)                   {ours:8.3f}")
    print(f"  sacreBLEU PairedTest (with the first)        {theirs:8.3f}   ({theirs / ours:.0f}x)")


def _texts(folder: Path) -> tuple[Path, list[Path]]:
    if DATA.is_dir():
        names = {"reference": DATA / "ref.en.gz"}
        names |= {
            path.name.removesuffix(".txt.gz"): path for path in sorted((DATA / "sys").glob("*.gz"))
        }
        for name, path in names.items():
            (folder / f"{name}.txt").write_bytes(gzip.decompress(path.read_bytes()))
        return folder / "reference.txt", [folder / f"{name}.txt" for name in list(names)[1:]]
    chance = Random(1)
    words = [f"w{number}" for number in range(20_000)]
    reference = [
        [words[int(chance.paretovariate(1.1)) % len(words)] for _ in range(chance.randint(5, 40))]
        for _ in range(3000)
    ]
    texts = {"reference": reference}
    for system in range(8):
        texts[f"system{system}"] = [
            [w if chance.random() < 0.7 else chance.choice(words) for w in line]
            for line in reference
        ]
    for name, rows in texts.items():
        text = "".join(" ".join(row) + "\n" for row in rows)
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder / "reference.txt", [folder / f"{name}.txt" for name in list(texts)[1:]]


def _timed(command: list[str]) -> tuple[float, str]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def _check(document: str, output: str) -> None:
    """Assert that both found the same BLEU for every system."""
    found = json.loads(document)["systems"]
    ours = [system["scores"]["bleu"]["score"] * 100 for system in found]
    theirs = [float(row["BLEU"]) for row in json.loads(output)]
    assert all(abs(a - b) < 1e-9 for a, b in zip(ours, theirs, strict=True))
