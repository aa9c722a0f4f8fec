"""Other parsers, trained on the treebank of the embedded model, for `python -m benchmarks parse` to measure.

python -m benchmarks.train_parsers udpipe FOLDER     UDPipe 1: FOLDER/english.udpipe
python -m benchmarks.train_parsers spacy FOLDER      spaCy without vectors: FOLDER/spacy/model-best
"""

from __future__ import annotations

import gzip
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from subprocess import run as run_process

DATA = Path(os.environ.get("KILTER_DATA", Path(__file__).parents[2] / "shared" / "data"))
UDPIPE_METHOD = "morphodita_parsito"
TAGGER = "models=1;iterations=4"
PARSER = "iterations=3;use_gold_tags=1;structured_interval=0"
SPACY_EPOCHS = 6


def treebank(part: str, folder: Path) -> Path:
    """Return one part of the treebank as a plain file, without the multiword tokens that spaCy stumbles on."""
    text = gzip.decompress((DATA / "ud-english-ewt" / f"{part}.conllu.gz").read_bytes()).decode()
    kept = [
        line
        for line in text.split("\n")
        if not (line[:1].isdigit() and ("-" in (number := line.split("\t", 1)[0]) or "." in number))
    ]
    path = folder / f"{part}.conllu"
    path.write_text("\n".join(kept), encoding="utf-8")
    return path


def udpipe(folder: Path) -> None:
    """Train tagger and parser side by side, the parser on gold tags, and join them in one file."""
    plain = str(treebank("train", folder))
    pieces = {"tagger": (TAGGER, "none"), "parser": ("none", PARSER)}
    with ProcessPoolExecutor(2) as pool:
        paths = list(
            pool.map(
                train_udpipe,
                [plain] * 2,
                *zip(*pieces.values(), strict=True),
                [str(folder / f"{piece}.udpipe") for piece in pieces],
            )
        )
    tagger, parser = (f"from_model=file:{path}" for path in paths)
    train_udpipe(plain, tagger, parser, str(folder / "english.udpipe"))


def train_udpipe(plain: str, tagger: str, parser: str, path: str) -> str:
    from ufal import udpipe as tool  # noqa: PLC0415 - optional

    reader = tool.InputFormat.newConlluInputFormat()
    reader.setText(Path(plain).read_text(encoding="utf-8"))
    error, sentences = tool.ProcessingError(), tool.Sentences()
    sentence = tool.Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = tool.Sentence()
    made = tool.Trainer.train(
        UDPIPE_METHOD, sentences, tool.Sentences(), "none", tagger, parser, error
    )
    if error.occurred():
        raise RuntimeError(error.message)
    Path(path).write_bytes(made)
    return path


def spacy(folder: Path) -> None:
    """Train spaCy's small network from scratch with its own recommended configuration."""
    command = [sys.executable, "-m", "spacy"]
    for part in ("train", "dev"):
        run_process(
            [*command, "convert", str(treebank(part, folder)), str(folder), "-n", "10"], check=True
        )
    configuration = folder / "config.cfg"
    run_process(
        [*command, "init", "config", str(configuration), "--lang", "en", "--pipeline",
         "tagger,morphologizer,parser", "--force"],
        check=True,
    )  # fmt: skip
    run_process(
        [*command, "train", str(configuration), "--output", str(folder / "spacy"),
         "--paths.train", str(folder / "train.spacy"), "--paths.dev", str(folder / "dev.spacy"),
         "--training.max_epochs", str(SPACY_EPOCHS)],
        check=True,
    )  # fmt: skip


if __name__ == "__main__":
    chosen, place = sys.argv[1], Path(sys.argv[2])
    place.mkdir(parents=True, exist_ok=True)
    {"udpipe": udpipe, "spacy": spacy}[chosen](place)
