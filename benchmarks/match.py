"""The matcher: speed, F1 against manual links, and its chunk counts against an integer program."""

from __future__ import annotations

import gzip
import json
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.timing import best_seconds
from kilter.aligners.registry import aligner
from kilter.core.corpus import TokenColumn, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kilter.core.links import Link, LinkBatch

DATA = Path(os.environ.get("KILTER_DATA", Path(__file__).parents[2] / "shared" / "data"))
WORDNET = Path("/usr/share/wordnet")
SYNONYMS = f"match:stages=exact+stem+synonym,synonyms={WORDNET}"
FREE = [f"match:stages=exact+{stages}" for stages in ("similar", "stem+similar", "similar+learned")]
"""Stages that need no resource; all pairs teach what is learned."""
CHECKED = 400
"""Pairs of each kind that are checked against the integer program."""

Pairs = tuple[TokenColumn, TokenColumn, Vocabulary]


def run() -> None:
    _speed("synthetic pairs, many repeated words", _synthetic())
    real = _real()
    if real is None:
        print(f"  no real pairs: {DATA / 'wmt13-de-en'} is not there")
    else:
        _speed("WMT 2013 de-en, 8 systems", real)
    _prove("synthetic", _synthetic())
    if real is not None:
        _prove("WMT 2013 de-en", real)
    _f1()


def _synthetic(count: int = 20_000) -> Pairs:
    """Return pairs of about 20 words, most of them repeated; the second is an edited copy of the first."""
    random = np.random.default_rng(1)
    first, second = [], []
    for length in random.integers(5, 36, count):
        words = np.minimum(random.zipf(1.3, length), 5000)
        edited = np.where(random.random(length) < 0.3, random.zipf(1.3, length) % 5000, words)
        cut = int(random.integers(length))
        first.append([str(word) for word in words])
        second.append([str(word) for word in (*edited[cut:], *edited[:cut])])
    return _columns(first, second)


def _real() -> Pairs | None:
    folder = DATA / "wmt13-de-en"
    systems = sorted((folder / "sys").glob("*.gz"))[:8]
    if not systems:
        return None
    reference = _words(folder / "ref.en.gz")
    return _columns([line for path in systems for line in _words(path)], reference * len(systems))


def _words(path: Path) -> list[list[str]]:
    text = gzip.decompress(path.read_bytes()).decode("utf-8")
    return [line.split() for line in text.removesuffix("\n").split("\n")]


def _columns(first: Iterable[list[str]], second: Iterable[list[str]]) -> Pairs:
    vocabulary = Vocabulary()
    return vocabulary.column(first), vocabulary.column(second), vocabulary


def _speed(title: str, pairs: Pairs) -> None:
    count, words = len(pairs[0]), float(pairs[0].lengths.mean())
    print(f"{title}: {count} pairs, {words:.1f} words; pairs per CPU second, one core")
    names = ["match:stages=exact", "match:stages=exact,rule=crossings", "match", *FREE, "ribes"]
    for name in [*names, SYNONYMS] if WORDNET.is_dir() else names:
        found = partial(aligner(name).align, *pairs)
        bounded = len(found().bounded)
        seconds = best_seconds(found, rounds=3)
        print(f"  {name:68}{count / seconds:10,.0f}   bounded {bounded}")


def _prove(title: str, pairs: Pairs) -> None:
    """Assert links, chunks and distance on random pairs and on those with the most repeated words."""
    first, second, vocabulary = pairs
    found = aligner("match:stages=exact,case=keep").align(first, second, vocabulary)
    ambiguous = [_ambiguity(first[s].tolist(), second[s].tolist()) for s in range(len(first))]
    hardest = np.argsort(ambiguous)[-CHECKED:].tolist()
    random = np.random.default_rng(2).integers(len(first), size=CHECKED).tolist()
    for kind, chosen in (("random", random), ("hardest", hardest)):
        for s in chosen:
            links = found.segment(s)
            assert s not in found.bounded
            assert _measure(links) == _integer_program(first[s].tolist(), second[s].tolist())
        print(f"{title}: links, chunks, distance = integer program on {len(chosen)} {kind} pairs")


def _ambiguity(first: list[int], second: list[int]) -> int:
    return sum(a == b for a in first for b in second)


def _measure(links: list[Link]) -> tuple[int, int, int]:
    known = set(links)
    chunks = sum((row - 1, col - 1) not in known for row, col in links)
    return len(links), chunks, sum(abs(row - col) for row, col in links)


def _integer_program(first: list[int], second: list[int]) -> tuple[int, int, int]:
    """Return links, chunks and distance by HiGHS, which shares nothing with the kernel."""
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415 - a bench tool

    pairs = [(i, j) for i, a in enumerate(first) for j, b in enumerate(second) if a == b]
    if not pairs:
        return 0, 0, 0
    place = {pair: k for k, pair in enumerate(pairs)}
    joints = [(k, place[i + 1, j + 1]) for (i, j), k in place.items() if (i + 1, j + 1) in place]
    size = len(pairs) + len(joints)
    rows: list[Any] = []
    limits: list[float] = []
    for side in (0, 1):
        for word in {pair[side] for pair in pairs}:
            rows.append([k for k, pair in enumerate(pairs) if pair[side] == word])
            limits.append(1)
    matrix = np.zeros((len(rows) + 2 * len(joints), size))
    for k, members in enumerate(rows):
        matrix[k, members] = 1
    for k, ends in enumerate(joints):
        for side, end in enumerate(ends):
            row = len(rows) + 2 * k + side
            matrix[row, len(pairs) + k] = 1
            matrix[row, end] = -1
            limits.append(0)
    words = set(first)
    most = sum(min(first.count(word), second.count(word)) for word in words)
    distances = np.array([abs(i - j) for i, j in pairs] + [0] * len(joints), dtype=float)
    unit = 1.0 + most * max(len(first), len(second))
    cost = distances - unit * np.array([0.0] * len(pairs) + [1.0] * len(joints))
    total = np.array([1.0] * len(pairs) + [0.0] * len(joints))
    solved = milp(
        cost,
        constraints=[
            LinearConstraint(matrix, -np.inf, np.array(limits)),
            LinearConstraint(total, most, most),
        ],
        integrality=np.ones(size),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0.0},
    )
    chosen = np.round(solved.x).astype(int)
    return most, most - int(chosen[len(pairs) :].sum()), round(distances @ chosen)


def _f1() -> None:
    """Print F1 on the sure links of the Edinburgh++ test part, beside METEOR and GIZA++."""
    folder = DATA / "mono-align"
    if not folder.is_dir():
        print(f"  no manual links: {folder} is not there")
        return
    gold = json.loads((folder / "gold.test.sure.json").read_text(encoding="utf-8"))
    expected = [_pharaoh(entry["sureAlign"]) for entry in gold]
    print(f"Edinburgh++ test part, sure links, {len(gold)} pairs     precision  recall  F1")
    for name, label in (
        ("meteor-1.x-test-output.json", "METEOR"),
        ("giza-intersection-test-output.json", "GIZA++ intersection"),
    ):
        peer = json.loads((folder / name).read_text(encoding="utf-8"))
        _print_f1(label, [_pharaoh(entry["sureAlign"]) for entry in peer], expected)
    pairs = _columns(*([entry[side].split() for entry in gold] for side in ("source", "target")))
    names = ["match:stages=exact", "match", "match:rule=crossings", *FREE, "ribes", "embedding"]
    for name in [*names, SYNONYMS] if WORDNET.is_dir() else names:
        _print_f1(name, _sets(aligner(name).align(*pairs)), expected)


def _pharaoh(text: str) -> set[Link]:
    split: Callable[[str], list[str]] = lambda link: link.split("-")  # noqa: E731
    return {(int(first), int(second)) for first, second in map(split, text.split())}


def _sets(links: LinkBatch) -> list[set[Link]]:
    return [set(links.segment(s)) for s in range(len(links))]


def _print_f1(name: str, found: list[set[Link]], expected: list[set[Link]]) -> None:
    right = sum(len(a & b) for a, b in zip(found, expected, strict=True))
    precision = right / sum(map(len, found))
    recall = right / sum(map(len, expected))
    f1 = 2 * precision * recall / (precision + recall)
    print(f"  {name:68} {precision:.3f}   {recall:.3f}   {f1:.4f}")


if __name__ == "__main__":
    run()
