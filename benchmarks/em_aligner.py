"""The statistical aligners on gold links, beside eflomal in a process and environment of its own.

Run `python -m benchmarks.em_aligner [DATA] [EFLOMAL]`: DATA is the folder of `align-gold`,
`pud-aligned` and `multi30k`; EFLOMAL is the folder of a virtual environment with eflomal.
"""

import gzip
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from kilter.aligners.em_aligner import EmAligner
from kilter.aligners.registry import aligner
from kilter.core.corpus import TokenColumn, Vocabulary
from kilter.core.link_rule import Symmetrization, symmetrize
from kilter.core.links import Link, LinkBatch
from kilter.run.link_agreement import GradedLinks, TextLengths, compare_links

Words: TypeAlias = list[str]
Pairs: TypeAlias = list[tuple[Words, Words]]
SPECIFICATIONS = ("ibm1", "hmm:agree=no", "hmm", "hmm:links=posterior")
DATA = Path(__file__).parent.parent.parent / "shared" / "data"
# An environment with the peer, run as a separate process; made elsewhere, because its licence is another.
EFLOMAL = Path(os.environ.get("KILTER_EFLOMAL", Path(__file__).parents[1] / ".venv-separate"))
JOBS = 2


def read_gold(data: Path, name: str) -> tuple[Pairs, GradedLinks]:
    pairs: Pairs = []
    with (data / "align-gold" / f"{name}.src-tgt").open(encoding="utf-8") as lines:
        for line in lines:
            source, _, target = line.partition("|||")
            pairs.append((source.split(), target.split()))
    sure: list[list[Link]] = []
    every: list[list[Link]] = []
    outside = 0
    with (data / "align-gold" / f"{name}.gold").open(encoding="utf-8") as lines:
        for line, (source_words, target_words) in zip(lines, pairs, strict=True):
            sure.append([])
            every.append([])
            for first, kind, second in re.findall(r"(\d+)([-p])(\d+)", line):
                link = (int(first) - 1, int(second) - 1)
                if not (0 <= link[0] < len(source_words) and 0 <= link[1] < len(target_words)):
                    outside += 1
                    continue
                every[-1].append(link)
                if kind == "-":
                    sure[-1].append(link)
    print(f"{name}: {len(pairs)} pairs; {outside} gold links outside their sentences are left out")
    return pairs, GradedLinks(LinkBatch.of(sure), LinkBatch.of(every))


def read_conllu(path: Path) -> Iterator[Words]:
    words: Words = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if fields == [""]:
                yield words
                words = []
            elif fields[0].isdigit():
                words.append("_".join(fields[1].split()))
    if words:
        yield words


def read_trees(data: Path, pair: str) -> Pairs:
    folder = data / "pud-aligned" / pair
    sides = (read_conllu(folder / f"{side}.conllu.gz") for side in ("en", "target"))
    return list(zip(*sides, strict=True))


def read_multi30k(data: Path) -> Pairs:
    def words(language: str) -> list[Words]:
        with gzip.open(data / "multi30k" / f"train.{language}.gz", "rt", encoding="utf-8") as lines:
            return [re.findall(r"\w+|[^\w\s]", line) for line in lines]

    return list(zip(words("en"), words("de"), strict=True))


def columns(pairs: Pairs, vocabulary: Vocabulary) -> tuple[TokenColumn, TokenColumn]:
    first = vocabulary.column([one for one, _ in pairs])
    return first, vocabulary.column([other for _, other in pairs])


def align(specification: str, pairs: Pairs, extra: Pairs) -> tuple[LinkBatch, float]:
    vocabulary = Vocabulary()
    found = aligner(specification)
    assert isinstance(found, EmAligner)
    sides, more = columns(pairs, vocabulary), columns(extra, vocabulary)
    start = time.perf_counter()
    links = found.align(*sides, vocabulary, extra=more, jobs=JOBS)
    seconds = time.perf_counter() - start
    assert_jobs_agree(found, pairs[:100], links)
    return links, seconds


def assert_jobs_agree(found: EmAligner, pairs: Pairs, links: LinkBatch) -> None:
    vocabulary = Vocabulary()
    sides = columns(pairs, vocabulary)
    one, many = (found.align(*sides, vocabulary, jobs=jobs).links for jobs in (1, 3))
    assert one.tobytes() == many.tobytes()
    assert links.links.min(initial=0) >= 0


def eflomal(environment: Path, pairs: Pairs, extra: Pairs) -> tuple[LinkBatch, float] | None:
    """Return eflomal's links for the first pairs, lower-cased as ours are, and its time."""
    program = environment / "bin" / "eflomal-align"
    if not program.exists():
        print(f"eflomal is left out: {program} is not there (pip install eflomal in a venv)")
        return None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for side, file in enumerate(("source", "target")):
            lines = [" ".join(pair[side]).lower() for pair in pairs + extra]
            (folder / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
        paths = {file: str(folder / file) for file in ("source", "target", "forward", "reverse")}
        command = [str(program), "-s", paths["source"], "-t", paths["target"]]
        start = time.perf_counter()
        subprocess.run(
            [*command, "-f", paths["forward"], "-r", paths["reverse"], "--overwrite"],
            check=True,
            capture_output=True,
        )
        seconds = time.perf_counter() - start
        both = [
            LinkBatch.of(read_links(folder / file)[: len(pairs)]) for file in ("forward", "reverse")
        ]
    return symmetrize(*both, rule=Symmetrization.GROW_DIAG_FINAL_AND), seconds


def read_links(path: Path) -> list[list[Link]]:
    found: list[list[Link]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        pairs = [link.partition("-") for link in line.split()]
        found.append([(int(first), int(second)) for first, _, second in pairs])
    return found


def report(title: str, links: LinkBatch, seconds: float, gold: GradedLinks) -> None:
    found = compare_links(
        (title, "gold"), GradedLinks(links, links), gold, lengths=TextLengths(None, None)
    )
    scores = (found.aer, found.precision, found.recall, found.f1)
    shown = "".join(f"{100 * (score.value or 0):8.1f}" for score in scores)
    print(f"{title:24}{shown}{seconds:9.2f} s")


def compare(data: Path, environment: Path, name: str, more: Pairs) -> None:
    pairs, gold = read_gold(data, name)
    for extra in ([], more):
        print(f"\n{name}, trained on {len(pairs)} + {len(extra)} pairs, grow-diag-final-and")
        print(f"{'':24}" + "".join(f"{word:>8}" for word in ("AER", "P", "R", "F1")) + "     time")
        for specification in SPECIFICATIONS:
            report(specification, *align(specification, pairs, extra), gold)
        peer = eflomal(environment, pairs, extra)
        if peer is not None:
            report("eflomal", *peer, gold)


def measure(data: Path, specification: str) -> None:
    """Print time and peak memory of one aligner on multi30k, in this process."""
    pairs = read_multi30k(data)
    vocabulary = Vocabulary()
    sides = columns(pairs, vocabulary)
    before = resource.getrusage(resource.RUSAGE_SELF)
    start = time.perf_counter()
    links = aligner(specification).align(*sides, vocabulary, jobs=JOBS)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_SELF)
    print(
        f"{specification:24}{len(pairs):>8} pairs {len(links.links):>9} links{seconds:9.2f} s wall,"
        f"{after.ru_utime - before.ru_utime:9.2f} s CPU, peak {after.ru_maxrss / 1024:.0f} MB "
        f"({before.ru_maxrss / 1024:.0f} MB before)"
    )


def measure_eflomal(data: Path, environment: Path) -> None:
    pairs = read_multi30k(data)
    peer = eflomal(environment, pairs, [])
    if peer is not None:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(
            f"{'eflomal':24}{len(pairs):>8} pairs {len(peer[0].links):>9} links{peer[1]:9.2f} s wall,"
            f"{used.ru_utime:9.2f} s CPU, peak {used.ru_maxrss / 1024:.0f} MB (largest process)"
        )


def run() -> None:
    if not DATA.is_dir():
        print(f"the data is not here: {DATA}; nothing is measured")
        return
    compare(DATA, EFLOMAL, "enfr", read_trees(DATA, "en-fr"))
    compare(DATA, EFLOMAL, "jaen", [(b, a) for a, b in read_trees(DATA, "en-jp")])
    print(f"\nmulti30k, {JOBS} threads, each in a process of its own")
    for specification in ("ibm1", "hmm", "eflomal"):
        command = [sys.executable, "-m", "benchmarks.em_aligner", specification]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        run()
    elif sys.argv[1] == "eflomal":
        measure_eflomal(DATA, EFLOMAL)
    else:
        measure(DATA, sys.argv[1])
