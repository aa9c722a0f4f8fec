"""Train the perceptron tagger and parsers on UD English EWT: about ten minutes on one core.

python perceptron.py EWT_FOLDER MODEL_FOLDER

Writes perceptron.npz and its checksum in config.json. The number of passes was chosen on the development part.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from kilter.io.conllu import read_conllu
from kilter.io.stream import ByteSource
from kilter.parsers.perceptron_training import (
    Lessons,
    TrainingSettings,
    learned_tables,
    parser_accuracy,
)

SETTINGS = TrainingSettings(passes=8, voters=3)


def read(path: Path) -> Lessons:
    return Lessons.of(read_conllu(ByteSource(str(path))), lowercase=SETTINGS.lowercase)


def main(ewt: Path, out: Path) -> None:
    tables = learned_tables(read(ewt / "train.conllu.gz"), SETTINGS)
    print(parser_accuracy(tables, read(ewt / "dev.conllu.gz")))
    np.savez_compressed(
        out / "perceptron.npz",
        tagger=tables.tagger,
        moves=tables.moves,
        labels=tables.labels,
        backwards=tables.backwards,
        tag_names=np.array(tables.tag_names),
        label_names=np.array(tables.label_names),
        **({} if tables.known is None else tables.known._asdict()),
    )
    config = json.loads((out / "config.json").read_text(encoding="utf-8"))
    content = (out / "perceptron.npz").read_bytes()
    config["sha256"]["perceptron.npz"] = hashlib.sha256(content).hexdigest()
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
