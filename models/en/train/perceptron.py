"""Train the perceptron tagger and parser on UD English EWT: about ten minutes on one core.

python perceptron.py EWT_FOLDER MODEL_FOLDER

Writes perceptron.npz and its checksum in config.json. The number of passes was chosen on the development part.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kilter import _core
from kilter.formats.conllu import read_conllu
from kilter.formats.stream import ByteSource
from kilter.parsers.perceptron import elected, turned, turned_heads, voter_trees, word_parts

TAGGER_BITS, MOVE_BITS, LABEL_BITS = 17, 19, 15
TAGGER_PASSES, PARSER_PASSES, FOLDS = 8, 8, 5
VOTERS = ((False, 1), (True, 2), (False, 3))
"""Whether a voter reads from right to left, and its seed."""
SLIGHT = 1
"""Weights, of 127, that are left out: they take most of the space and change next to nothing."""
RARE = 5
"""Pairs of tags that are seen less often are not learned."""


@dataclass
class Part:
    """Sentences as flat arrays; `order` is that of a pass."""

    parts: np.ndarray
    offsets: np.ndarray
    tags: list[tuple[str, str]]
    heads: np.ndarray
    labels: list[str]

    def rows(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows of some sentences, one after another, and their offsets."""
        lengths = np.diff(self.offsets)[chosen]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        starts = np.repeat(self.offsets[chosen] - offsets[:-1], lengths)
        return np.arange(offsets[-1]) + starts, offsets


def read(path: Path) -> Part:
    bank = read_conllu(ByteSource(str(path)))
    trees, names = bank.trees, bank.trees.vocabulary.words
    return Part(
        word_parts(names[word] for word in trees.words.tolist()),
        trees.offsets,
        [(names[a], names[b]) for a, b in zip(trees.tags, bank.kept[1], strict=True)],
        trees.heads,
        [names[label] for label in trees.labels],
    )


def small(means: np.ndarray) -> np.ndarray:
    """Return weights in eight bits; the few that are too large are cut off."""
    unit = np.quantile(np.abs(means[means != 0]), 0.9995) / 127
    whole = np.clip(np.round(means / unit), -127, 127).astype(np.int8)
    whole[np.abs(whole) <= SLIGHT] = 0
    return whole


def tagger(part: Part, tags: np.ndarray, classes: int, chosen: np.ndarray) -> np.ndarray:
    """Return the weights learned from some sentences."""
    trainer = _core.TaggerTrainer(TAGGER_BITS, classes)
    rng = np.random.default_rng(1)
    for _ in range(TAGGER_PASSES):
        rows, offsets = part.rows(rng.permutation(chosen))
        trainer.learn(part.parts[rows], offsets, tags[rows])
    return small(trainer.means())


def jackknifed(part: Part, tags: np.ndarray, classes: int) -> np.ndarray:
    """Return the tags of each fold by a tagger that has not seen it: as wrong as those of new text."""
    found = np.zeros_like(tags)
    fold = np.arange(len(part.offsets) - 1) % FOLDS
    for k in range(FOLDS):
        weights = tagger(part, tags, classes, np.flatnonzero(fold != k))
        rows, offsets = part.rows(np.flatnonzero(fold == k))
        found[rows] = _core.perceptron_tags(weights, part.parts[rows], offsets)
    return found


def learned(
    part: Part, tags: np.ndarray, labels: np.ndarray, classes: int, backwards: bool, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of one voter."""
    trainer = _core.ParserTrainer(MOVE_BITS, LABEL_BITS, classes)
    rng = np.random.default_rng(seed)
    for k in range(PARSER_PASSES):
        rows, offsets = part.rows(rng.permutation(len(part.offsets) - 1))
        heads = part.heads[rows]
        if backwards:
            turn = turned(offsets)
            rows, heads = rows[turn], turned_heads(heads, offsets)
        trainer.learn(part.parts[rows], offsets, tags[rows], heads, labels[rows], explore=k > 0)
    moves, names = map(small, trainer.means())
    return moves, names


def said(
    what: str, part: Part, heads: np.ndarray, labels: np.ndarray, label_names: list[str]
) -> None:
    head = heads == part.heads
    both = head & (np.array(label_names)[labels] == np.array(part.labels))
    print(f"{what}: UAS {100 * head.mean():.2f} LAS {100 * both.mean():.2f}", flush=True)


def main(ewt: Path, out: Path) -> None:
    train, dev = read(ewt / "train.conllu.gz"), read(ewt / "dev.conllu.gz")
    counted = Counter(train.tags)
    tag_names = sorted(tag for tag, count in counted.items() if count >= RARE)
    common = {
        upos: max((c, x) for (u, x), c in counted.items() if u == upos)[1] for upos, _ in tag_names
    }
    number = {tag: k for k, tag in enumerate(tag_names)}
    tags = np.array(
        [number.get(tag, number[tag[0], common[tag[0]]]) for tag in train.tags], dtype=np.int32
    )
    label_names = sorted(set(train.labels))
    labels = np.array([label_names.index(name) for name in train.labels], dtype=np.int32)
    everything = np.arange(len(train.offsets) - 1)
    weights = tagger(train, tags, len(tag_names), everything)
    dev_tags = _core.perceptron_tags(weights, dev.parts, dev.offsets)
    right = [tag_names[k][0] == tag[0] for k, tag in zip(dev_tags, dev.tags, strict=True)]
    print(f"{len(tag_names)} tags, development UPOS {100 * np.mean(right):.2f}", flush=True)
    seen = jackknifed(train, tags, len(tag_names))
    print(f"jackknifed tags {100 * np.mean(seen == tags):.2f}", flush=True)
    answers = []
    tables = []
    for backwards, seed in VOTERS:
        moves, names = learned(train, seen, labels, len(label_names), backwards, seed)
        tables.append((moves, names))
        answers.append(voter_trees(moves, names, dev.parts, dev.offsets, dev_tags, backwards))
        said(f"voter {backwards} {seed}", dev, *answers[-1], label_names)
    said("all", dev, *elected(answers, dev.offsets), label_names)
    np.savez_compressed(
        out / "perceptron.npz",
        tagger=weights,
        moves=np.stack([moves for moves, _ in tables]),
        labels=np.stack([names for _, names in tables]),
        backwards=np.array([backwards for backwards, _ in VOTERS]),
        tag_names=np.array(tag_names),
        label_names=np.array(label_names),
    )
    config = json.loads((out / "config.json").read_text(encoding="utf-8"))
    content = (out / "perceptron.npz").read_bytes()
    config["sha256"]["perceptron.npz"] = hashlib.sha256(content).hexdigest()
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
