"""Pre-ordering at every edit: parsers x rule sets from files, orders from trees, scores of orders.

Trees are those of Parallel UD, English-Japanese, where `../shared/data` lies beside the repository, and made up
from a seed elsewhere. The other parsers are the same trees with one word in ten hung elsewhere.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.timing import best_seconds
from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.reordering import OrderMatch
from kilter.io.conllu import Treebank, read_trees, write_conllu
from kilter.io.stream import ByteSource
from kilter.metrics.frs import Frs
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import load_rule_set

if TYPE_CHECKING:
    from collections.abc import Sequence

DATA = Path(os.environ.get("KILTER_DATA", Path(__file__).parents[2] / "shared" / "data"))
TREES = DATA / "pud-aligned" / "en-jp" / "en.conllu.gz"
KILTER = Path(sys.executable).with_name("kilter")
SENTENCES, PARSERS = 1000, 5
RULES = ("r1", "r2", "r3", "r4", "en-verb-final")
CHECKED = 200
LABELS = ("nsubj", "obj", "obl", "advcl", "det", "amod", "case", "nmod", "aux", "punct")
TAGS = ("NOUN", "VERB", "ADJ", "ADP", "DET", "PUNCT")


def run() -> None:
    random = Random(1)
    first = _trees(random)
    parses = [first, *([_disturbed(tree, random) for tree in first] for _ in range(PARSERS - 1))]
    _command(parses, random)
    _kernels(first, random)


def _trees(random: Random) -> list[DependencyTree]:
    if TREES.is_file():
        column = read_trees(ByteSource(str(TREES)))
        found = [column.tree(place) for place in range(column.trees)]
        return (found * (SENTENCES // len(found) + 1))[:SENTENCES]
    return [_made_up(random) for _ in range(SENTENCES)]


def _made_up(random: Random) -> DependencyTree:
    size = random.randint(5, 37)
    root = random.randrange(size)
    return DependencyTree(
        [f"w{random.randrange(3000)}" for _ in range(size)],
        [-1 if place == root else _towards(place, root, random) for place in range(size)],
        labels=[random.choice(LABELS) for _ in range(size)],
        tags=[random.choice(TAGS) for _ in range(size)],
    )


def _towards(place: int, root: int, random: Random) -> int:
    """Return a head that lies nearer to the root, so that there is no cycle."""
    step = 1 if root > place else -1
    return place + step * random.randint(1, min(3, abs(root - place)))


def _disturbed(tree: DependencyTree, random: Random) -> DependencyTree:
    heads = list(tree.heads)
    for word, head in enumerate(heads):
        if head >= 0 and random.random() < 0.1 and heads[head] >= 0:
            heads[word] = heads[head]  # one level up: never a cycle
    return DependencyTree(tree.words, heads, labels=tree.labels, tags=tree.tags)


def _command(parses: Sequence[list[DependencyTree]], random: Random) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / f"parser{number}.conllu" for number in range(1, PARSERS + 1)]
        for path, trees in zip(paths, parses, strict=True):
            bank = Treebank.of(DependencyTreeColumn.of(trees))
            path.write_text("".join(write_conllu(bank)), encoding="utf-8")
        references = [_reference(tree, random) for tree in parses[0]]
        lines = (
            json.dumps({"words": tree.words, "groups": groups}) + "\n"
            for tree, groups in zip(parses[0], references, strict=True)
        )
        reference = folder / "references.jsonl"
        reference.write_text("".join(lines), encoding="utf-8")
        rules = [part for rule in RULES for part in ("-r", rule)]
        command = [str(KILTER), "preorder", "evaluate", "--match", "identity", "--format", "json"]
        command += [*rules, "-R", str(reference), *map(str, paths)]
        seconds, shown = min((_timed(command) for _ in range(3)), key=lambda found: found[0])
    document = json.loads(shown)
    _check(document, parses, references)
    words = sum(map(len, parses[0]))
    print(
        f"kilter preorder evaluate: {SENTENCES} sentences ({words} words) x {PARSERS} parsers x "
        f"{len(RULES)} rule sets, intervals and all pairs: {seconds:.2f} CPU seconds"
    )


def _timed(command: list[str]) -> tuple[float, str]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime), done.stdout


def _reference(tree: DependencyTree, random: Random) -> list[list[int]]:
    """Return an order near that of R4, some neighbours tied, some blocks moved."""
    order = _naive_r4(tree)
    for _ in range(2):
        start, middle, end = sorted(random.randint(0, len(order)) for _ in range(3))
        order[start:end] = order[middle:end] + order[start:middle]
    groups: list[list[int]] = []
    for word in order:
        if groups and random.random() < 0.15:
            groups[-1].append(word)
        else:
            groups.append([word])
    return groups


def _naive_r4(tree: DependencyTree) -> list[int]:
    def below(head: int) -> list[int]:
        children = tree.children(head)
        left, right = [c for c in children if c < head], [c for c in children if c > head]
        return [word for child in (*left, *reversed(right)) for word in below(child)] + [head]

    return below(tree.root)


def _naive_local(order: Sequence[int], groups: Sequence[Sequence[int]]) -> float:
    home = {word: number for number, group in enumerate(groups) for word in group}
    kept = sum(home[b] - home[a] in (0, 1) for a, b in itertools.pairwise(order))
    return kept / (len(order) - 1) if len(order) > 1 else 1.0


def _check(
    document: dict[str, object],
    parses: Sequence[list[DependencyTree]],
    references: Sequence[Sequence[Sequence[int]]],
) -> None:
    """Assert that the Kendall score of R4 is that of plain loops, for the first and the last parser."""
    systems = document["systems"]
    assert isinstance(systems, list)
    place = RULES.index("r4")
    for number in (0, PARSERS - 1):
        expected = [
            _naive_kendall(_naive_r4(tree), groups)
            for tree, groups in zip(parses[number], references, strict=True)
        ]
        found = systems[number * len(RULES) + place]["scores"]["kendall:match=identity"]["score"]
        assert abs(found - sum(expected) / len(expected)) < 1e-9
    print(f"Kendall of R4 = plain loops on {SENTENCES} sentences of two parsers")


def _naive_kendall(order: Sequence[int], groups: Sequence[Sequence[int]]) -> float:
    home = {word: number for number, group in enumerate(groups) for word in group}
    ranks = np.array([home[word] for word in order])
    wrong = int(np.triu(ranks[:, np.newaxis] > ranks, 1).sum())
    pairs = len(order) * (len(order) - 1) // 2
    return 1 - wrong / pairs if pairs else 1.0


def _kernels(trees: list[DependencyTree], random: Random) -> None:
    column = DependencyTreeColumn.of(trees)
    rules = load_rule_set("r4")
    order = reorder_trees(column, rules)
    for place in range(CHECKED):
        rows = slice(int(column.offsets[place]), int(column.offsets[place + 1]))
        assert order.order[rows].tolist() == _naive_r4(trees[place])
    seconds = best_seconds(partial(reorder_trees, column, rules))
    naive = best_seconds(lambda: [_naive_r4(tree) for tree in trees[:CHECKED]], rounds=3)
    speed, plain = len(trees) / seconds, CHECKED / naive
    print(
        f"orders from trees: {speed:,.0f} a second, plain Python {plain:,.0f}: {speed / plain:,.0f}x"
    )
    _score_speed(column, trees, random)


def _score_speed(column: DependencyTreeColumn, trees: list[DependencyTree], random: Random) -> None:
    references = [_reference(tree, random) for tree in trees]
    numbers = np.empty(len(column.heads), dtype=np.int32)
    for place, groups in enumerate(references):
        for number, group in enumerate(groups):
            numbers[int(column.offsets[place]) + np.array(group)] = number
    match = OrderMatch(numbers, column.offsets)
    local = Frs(ties="local")  # type: ignore[arg-type]
    scores = local.match_scores(match)
    for place in range(CHECKED):
        plain = _naive_local(range(len(trees[place])), references[place])
        assert abs(scores[place] - plain) < 1e-12
    assert (Frs().match_scores(match) <= scores + 1e-12).all()
    seconds = best_seconds(partial(Frs().match_scores, match))
    naive = best_seconds(
        lambda: [
            _naive_local(range(len(tree)), groups)
            for tree, groups in zip(trees[:CHECKED], references, strict=False)
        ],
        rounds=3,
    )
    speed, plain = len(trees) / seconds, CHECKED / naive
    print(
        f"frs, best reading and Kendall pairs: {speed:,.0f} sentences a second; local rule in plain "
        f"Python {plain:,.0f}: {speed / plain:,.0f}x"
    )
