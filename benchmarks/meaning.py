"""What word vectors say about systems and a reference: pairs of sentences per CPU second, and memory."""

from __future__ import annotations

import gzip
import os
import resource
import time
from pathlib import Path

import numpy as np

from benchmarks.timing import best_seconds
from kilter import _core
from kilter.core.corpus import TokenColumn, Vocabulary, joined_columns
from kilter.core.meaning import MeaningOptions
from kilter.parsers.encoder.meaning import lowercase, meaning, word_vectors
from tests.oracles import meaning as oracle

DATA = Path(os.environ.get("KILTER_DATA", Path(__file__).parents[2] / "shared" / "data"))
SYSTEMS, SEGMENTS = 10, 300
CHECKED = 5


def run() -> None:
    place = DATA / "wmt13-de-en"
    if not place.is_dir():
        print(f"  no texts: {place} is not there")
        return
    vocabulary = Vocabulary()
    paths = sorted((place / "sys").glob("*.gz"))[:SYSTEMS]
    systems = [_column(path, vocabulary) for path in paths]
    reference = _column(place / "ref.en.gz", vocabulary)
    first, second = joined_columns(systems), joined_columns([reference] * len(systems))
    few = TokenColumn(first.ids[: first.offsets[8]], first.offsets[:9])
    meaning(few, few, vocabulary)  # loads the model
    begin = time.process_time()
    found = meaning(first, second, vocabulary)
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(systems)} systems x {len(reference)} segments, {len(first.ids)} words of systems")
    print(
        f"  encoded and compared         {len(found) / seconds:8,.0f} pairs per CPU second  {peak:.0f} MB"
    )
    _compared(first, second, vocabulary)


def _compared(first: TokenColumn, second: TokenColumn, vocabulary: Vocabulary) -> None:
    """Print the time of comparing alone, once its numbers are those of plain loops."""
    lower, sides = lowercase([first, second], vocabulary)
    pairs = np.arange(SEGMENTS)
    joined = joined_columns([side.chosen(pairs) for side in sides])
    options = MeaningOptions()
    vectors = word_vectors(joined, lower)
    numbers = {
        "context": options.context,
        "position": options.position,
        "temperature": options.temperature,
        "floor": options.floor,
    }

    def compare() -> np.ndarray:
        return _core.meanings(vectors, joined.offsets, pairs, pairs + SEGMENTS, **numbers, jobs=1)[
            2
        ]

    totals = compare()
    for pair in range(CHECKED):
        one, other = (
            vectors[joined.offsets[at] : joined.offsets[at + 1]].tolist()
            for at in (pair, pair + SEGMENTS)
        )
        plain = oracle.meaning(one, other, **numbers)
        np.testing.assert_allclose(totals[pair, :2], [plain.concordant, plain.discordant], 1e-4)
    seconds = best_seconds(compare)
    print(f"  compared, vectors at hand    {SEGMENTS / seconds:8,.0f} pairs per CPU second")


def _column(path: Path, vocabulary: Vocabulary) -> TokenColumn:
    lines = gzip.decompress(path.read_bytes()).decode().split("\n")[:SEGMENTS]
    return vocabulary.column_of_lines(lines, tokenized=True)
