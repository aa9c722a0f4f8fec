"""Turn UD English EWT, sentences made from it and WordNet's examples into flat arrays for training.

python prepare.py EWT_FOLDER WORDNET_FOLDER ENCODER_FOLDER OUT_FOLDER

Only EWT is labelled. What is made from it, and the example sentences of WordNet 3.0, is input for
the teachers, whose answers the student learns. The test part of EWT is not read.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from kilter.parsers.encoder.encoder import WordPieces
from kilter.parsers.encoder.word_shape import word_shape

SUBSTITUTED = 2
"""Copies of each training sentence with other words."""


@dataclass(frozen=True)
class Word:
    """One word; heads are 1-based and 0 is the root, as in CoNLL-U."""

    form: str
    upos: str = "X"
    xpos: str = "FW"
    head: int = 0
    label: str = "dep"


Sentence = list[Word]


def read(path: Path) -> tuple[list[Sentence], list[Sentence]]:
    """Return the sentences, and those that change when words written together stay together."""
    plain, merged = [], []
    text = gzip.decompress(path.read_bytes()).decode("utf-8")
    for block in text.strip("\n").split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line[0] != "#"]
        words = [row for row in rows if row[0].isdigit()]
        sentence = [Word(row[1], row[3], row[4], int(row[6]), row[7]) for row in words]
        plain.append(sentence)
        groups = [tuple(map(int, row[0].split("-"))) for row in rows if "-" in row[0]]
        forms = [row[1] for row in rows if "-" in row[0]]
        for start, form in _hyphenated(words):
            if not any(a <= start + 2 and start <= b for a, b in groups):
                groups.append((start, start + 2))
                forms.append(form)
        if groups:
            merged.append(_merge(sentence, groups, forms))
    return plain, merged


def _hyphenated(words: list[list[str]]) -> list[tuple[int, str]]:
    """Return the first word and the whole of compounds such as full-fledged, three words in EWT."""
    found, free = [], 0
    for k in range(1, len(words) - 1):
        glued = all("SpaceAfter=No" in words[i][9] for i in (k - 1, k))
        if words[k][1] == "-" and words[k][4] == "HYPH" and glued and k - 1 >= free:
            found.append((k, "".join(words[i][1] for i in (k - 1, k, k + 1))))
            free = k + 2
    return found


def _merge(sentence: Sentence, groups: list[tuple[int, ...]], forms: list[str]) -> Sentence:
    """Return the sentence with each group of words as one: it stands where its topmost word stood."""
    place = list(range(len(sentence) + 1))
    for start, end in groups:
        for k in range(start, end + 1):
            place[k] = start
    form = {start: text for (start, _), text in zip(groups, forms, strict=True)}
    kept = sorted(set(place[1:]))
    number = {old: new for new, old in enumerate([0, *kept])}
    out = []
    for start in kept:
        members = [k for k in range(1, len(place)) if place[k] == start]
        top = next(k for k in members if place[sentence[k - 1].head] != start)
        word = sentence[top - 1]
        out.append(replace(word, form=form.get(start, word.form), head=number[place[word.head]]))
    return out


def substituted(sentences: list[Sentence], rng: random.Random) -> list[Sentence]:
    """Return copies in which a third of the words is another word of the same tag and label."""
    forms: dict[tuple[str, str], list[str]] = defaultdict(list)
    for sentence in sentences:
        for word in sentence:
            forms[word.xpos, word.label].append(word.form)
    return [
        [
            replace(word, form=rng.choice(forms[word.xpos, word.label]))
            if rng.random() < 0.33
            else word
            for word in sentence
        ]
        for _ in range(SUBSTITUTED)
        for sentence in sentences
        if len(sentence) > 2
    ]


def damaged(sentences: list[Sentence], rng: random.Random) -> list[Sentence]:
    """Return copies as a translation system might garble them: moved, lost, repeated words."""
    out = []
    for sentence in sentences:
        words = list(sentence)
        if len(words) < 4 or rng.random() < 0.4:
            continue
        for _ in range(rng.randint(1, 3)):
            kind = rng.random()
            start = rng.randrange(len(words))
            end = min(len(words), start + rng.randint(1, 4))
            if kind < 0.5:
                part = words[start:end]
                del words[start:end]
                to = max(0, min(len(words), start + rng.randint(-6, 6)))
                words[to:to] = part
            elif kind < 0.7 and len(words) > 4:
                del words[start]
            elif kind < 0.8:
                words.insert(start, words[start])
            elif words[-1].upos == "PUNCT" and len(words) > 2:
                words.pop()
        out.append(words)
    return out


def joined(sentences: list[Sentence], rng: random.Random) -> list[Sentence]:
    """Return pairs of neighbours as one line, as a text not split into sentences has them."""
    pairs = zip(sentences[::2], sentences[1::2], strict=False)
    return [a + b for a, b in pairs if len(a) + len(b) < 60 and rng.random() < 0.3]


def examples(folder: Path) -> list[Sentence]:
    """Return the example sentences of WordNet, split into words roughly as EWT splits them."""
    found = {}
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text(encoding="latin-1").splitlines():
            for text in re.findall(r'"([^"]{20,})"', line.partition("| ")[2]):
                found[text] = None
    split = re.compile(
        r"n't\b|'(?:s|re|ve|ll|d|m)\b|\w+(?='(?:s|re|ve|ll|d|m)\b)|\w+(?=n't\b)|\w+|\S"
    )
    lines = [split.findall(text) for text in found]
    rng = random.Random(7)
    out = []
    for words in lines:
        if 4 <= len(words) <= 60:
            if words[-1].isalnum() and rng.random() < 0.5:
                words.append(".")
            out.append([Word(form) for form in words])
    return out


class Columns:
    """Sentences as flat arrays; `kind` tells gold (0) from made from EWT (1) from foreign (2)."""

    def __init__(self, pieces: WordPieces, names: dict[str, list[str]]) -> None:
        self.pieces = pieces
        self.numbers = {key: {name: k for k, name in enumerate(names[key])} for key in names}
        self.rows: dict[str, list[int]] = defaultdict(list)
        self.cache: dict[str, list[int]] = {}

    def add(self, sentences: list[Sentence], kind: int) -> None:
        for sentence in sentences:
            ids, shapes, first, last = [self.pieces.start], [0], [], []
            for word in sentence:
                if word.form not in self.cache:
                    self.cache[word.form] = self.pieces.split(word.form)
                split = self.cache[word.form]
                first.append(len(ids))
                ids.extend(split)
                shapes.extend([word_shape(word.form)] * len(split))
                last.append(len(ids) - 1)
            ids.append(self.pieces.end)
            shapes.append(0)
            if len(ids) > 256:
                continue
            self.rows["ids"] += ids
            self.rows["shapes"] += shapes
            self.rows["first"] += first
            self.rows["last"] += last
            self.rows["heads"] += [word.head for word in sentence]
            for key in ("upos", "xpos", "label"):
                self.rows[key] += [
                    self.numbers[key].get(getattr(word, key), 0) for word in sentence
                ]
            self.rows["pieces"].append(len(ids))
            self.rows["words"].append(len(sentence))
            self.rows["kind"].append(kind)

    def save(self, path: Path) -> None:
        np.savez_compressed(path, **{k: np.array(v, np.int16) for k, v in self.rows.items()})
        print(path.name, len(self.rows["words"]), "sentences", len(self.rows["ids"]), "pieces")


def main(ewt: Path, wordnet: Path, encoder: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(1)
    vocabulary = (encoder / "vocab.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    train, merged = read(ewt / "train.conllu.gz")
    names = {
        key: sorted({getattr(word, key) for sentence in train for word in sentence})
        for key in ("upos", "xpos", "label")
    }
    (out / "names.json").write_text(json.dumps(names), encoding="utf-8")
    columns = Columns(WordPieces(vocabulary), names)
    columns.add(train, 0)
    columns.add(merged, 1)
    made = substituted(train, rng) + damaged(train, rng) + joined(train, rng)
    columns.add(made + examples(wordnet), 2)
    columns.save(out / "train.npz")
    columns.rows.clear()
    columns.add(read(ewt / "dev.conllu.gz")[0], 0)
    columns.save(out / "dev.npz")
    weights = load_file(encoder / "model.safetensors")
    np.savez(out / "encoder.npz", **{k: v.astype(np.float16) for k, v in weights.items() if v.ndim})


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
