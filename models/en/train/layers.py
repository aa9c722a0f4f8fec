"""Print how well each layer links words: F1 of mutual best matches against manual links.

python layers.py DATA LINKS.json VOCABULARY [STUDENT.pt ...]
Without a student the published encoder is measured.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
from network import LAYERS, Network
from torch.nn import functional
from train import DEVICE, make

from kilter.parsers.encoder.encoder import WordPieces
from kilter.parsers.encoder.word_shape import word_shape


def vectors(network: Network, pieces: WordPieces, words: list[str]) -> list[torch.Tensor]:
    """Return a vector for every word, for each layer."""
    ids, shapes, first, last = [pieces.start], [0], [], []
    for word in words:
        split = pieces.split(word)
        first.append(len(ids))
        ids.extend(split)
        shapes.extend([int(word_shape(word))] * len(split))
        last.append(len(ids) - 1)
    row = torch.tensor([[*ids, pieces.end]], device=DEVICE)
    mask = torch.ones_like(row, dtype=torch.bool)
    with torch.no_grad():
        layers = network.encode(row, torch.tensor([[*shapes, 0]], device=DEVICE), mask)
    return [functional.normalize((x[0, first] + x[0, last]).float(), dim=-1) for x in layers]


def measure(network: Network, pieces: WordPieces, pairs: list[dict[str, str]]) -> list[float]:
    """Return F1 in percent for each layer."""
    right, found, gold = [0] * (LAYERS + 1), [0] * (LAYERS + 1), 0
    for pair in pairs:
        sides = [vectors(network, pieces, pair[side].split()) for side in ("source", "target")]
        links = {tuple(map(int, link.split("-"))) for link in pair["sureAlign"].split()}
        gold += len(links)
        for k, (a, b) in enumerate(zip(*sides, strict=True)):
            similar = a @ b.T
            forward, back = similar.argmax(1).tolist(), similar.argmax(0).tolist()
            mutual = {(i, j) for i, j in enumerate(forward) if back[j] == i}
            right[k] += len(mutual & links)
            found[k] += len(mutual)
    return [round(200 * right[k] / (found[k] + gold), 2) for k in range(LAYERS + 1)]


def main(data: Path, links: Path, vocabulary: Path, students: list[Path]) -> None:
    pairs = json.loads(links.read_text(encoding="utf-8"))[:300]
    pieces = WordPieces(vocabulary.read_text(encoding="utf-8").removesuffix("\n").split("\n"))
    network = make(data, 0.0).eval()
    if not students:
        print("published encoder", measure(network, pieces, pairs), flush=True)
    for path in students:
        network.load_state_dict({k: v.float() for k, v in torch.load(path)["state"].items()})
        print(path.name, measure(network, pieces, pairs), flush=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]), [Path(argument) for argument in sys.argv[4:]])
