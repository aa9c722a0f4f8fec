"""Texts, orders, links and judgments that a seed makes, and the commands that are run on them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.cli.judged_sample import TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

WORDS = ["the", "a", "old", "young", "quick", "slow", "dog", "cat", "mouse", "tree", "house", "river", "sleeps", "runs", "sees", "finds", "under", "over", "near", "and", "then", "very", "often", "never", "small", "big", "green", ".", ","]  # fmt: skip
FEW = ["--resamples", "50"]


@dataclass(frozen=True, slots=True)
class Step:
    """A command by name; `outputs` are the files and folders that it writes; `code` is how it must end."""

    name: str
    arguments: tuple[str, ...]
    outputs: tuple[str, ...] = ()
    code: int = 0


def write_data(folder: Path, *, segments: int = 120, seed: int = 1) -> None:
    """Write the texts of a reference, a source and two systems, permutations, links and a treebank."""
    chance = random.Random(seed)
    sentences = [chance.choices(WORDS, k=chance.randint(1, 25)) for _ in range(segments)]
    _write(folder / "reference.txt", map(" ".join, sentences))
    _write(folder / "source.txt", (" ".join(word[::-1] for word in each) for each in sentences))
    for name, moves in (("first.txt", 2), ("second.txt", 6)):
        _write(folder / name, (" ".join(_moved(each, moves, chance)) for each in sentences))
    orders = [chance.sample(range(1, n + 1), n) for n in chance.choices(range(1, 70), k=3000)]
    _write(folder / "orders.txt", (" ".join(map(str, order)) for order in orders))
    links = (
        " ".join(f"{k}-{chance.randrange(len(each))}" for k in range(len(each)))
        for each in sentences
    )
    _write(folder / "links.txt", links)
    _write(folder / "trees.conllu", (_tree(each, chance) for each in sentences))


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _moved(words: Sequence[str], times: int, chance: random.Random) -> list[str]:
    found = list(words)
    for _ in range(times):
        found.insert(chance.randrange(len(found)), found.pop(chance.randrange(len(found))))
    return found


def _tree(words: Sequence[str], chance: random.Random) -> str:
    heads = [0, *(chance.randint(1, k) for k in range(1, len(words)))]
    rows = (
        f"{k}\t{word}\t_\tX\t_\t_\t{head}\t{'dep' if head else 'root'}\t_\t_\n"
        for k, (word, head) in enumerate(zip(words, heads, strict=True), start=1)
    )
    return "".join(rows)


def metrics(*names: str) -> list[str]:
    """Return the options that name metrics."""
    return [part for name in names for part in ("-m", name)]


def steps() -> list[Step]:
    """Return the commands of one round, which run in the folder of the data; outputs go to `out`."""
    texts = ("-r", "reference.txt", "first.txt", "second.txt")
    one = ("-r", "reference.txt", "first.txt")
    return [
        Step("score", ("score", *texts, *FEW)),
        Step("score all", ("score", *one, *metrics("pef", "kendall", "bleu", "chrf", "ter", "meteor", "ribes"), *FEW,
                           "--segments", "out/scores.parquet"), ("scores.parquet",)),
        Step("compare", ("compare", *texts, *metrics("kendall", "bleu"), *FEW)),
        Step("explain", ("explain", *one, "-m", "kendall", "--segment", "7")),
        Step("report", ("report", *texts, *metrics("kendall", "bleu"), *FEW, "-o", "out/report.html"), ("report.html",)),
        Step("permutation", ("permutation", "orders.txt", "-o", "out/orders.csv"), ("orders.csv",)),
        Step("permutation parquet", ("permutation", "orders.txt", "-j", "2", "-o", "out/orders.parquet"),
             ("orders.parquet",)),
        Step("align", ("align", *one)),
        Step("align hmm", ("align", "--source", "source.txt", "--target", "reference.txt", "--aligner", "hmm")),
        Step("parse", ("parse", "reference.txt", "--parser", "perceptron", "-o", "out/parsed.conllu"),
             ("parsed.conllu",)),
        Step("train parser", ("train", "parser", "trees.conllu", "--passes", "1", "--voters", "1",
                              "-o", "out/own.model"), ("own.model",)),
        Step("perturb", ("perturb", "reference.txt", "--degree", "2")),
        Step("reorder make", ("reorder", "make", "-s", "source.txt", "-a", "links.txt")),
        Step("preorder apply", ("preorder", "apply", "-r", "r5", "trees.conllu")),
        Step("meta", ("meta", *TEXTS, *metrics("kendall", "bleu"), *FEW)),
        Step("validate", ("validate", "-r", "reference.txt", "first.txt")),
        Step("simulate", ("survey", "simulate", "study", "-o", "out/simulated"), ("simulated",)),
        Step("export", ("survey", "export", "study", "-o", "out/export"), ("export",)),
        Step("status", ("survey", "status", "study")),
        Step("annotate status", ("annotate", "status", "project")),
        Step("bad input", ("score", "-r", "orders.txt", "first.txt"), code=3),
    ]  # fmt: skip
