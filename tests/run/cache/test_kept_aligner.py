"""An aligner says of equal pairs the same as ever, and is asked about each once."""

from pathlib import Path

import numpy as np
import pytest

from kilter.aligners.aligner import Aligner
from kilter.aligners.embedding import Embedding
from kilter.aligners.match import Match
from kilter.aligners.registry import aligner
from kilter.core.corpus import TokenColumn, Vocabulary
from kilter.core.errors import InputError
from kilter.core.links import LinkBatch
from kilter.parsers.encoder import encoder
from kilter.run.cache.kept_aligner import KeptAligner

FIRST = ["a cat sleeps", "the dogs bark", "", "a cat sleeps", "a cat sleeps", "it rains"]
SECOND = ["cats sleep", "dogs are barking", "nothing", "cats sleep", "dogs are barking", "it rains"]


class Text:
    """Two texts over one vocabulary."""

    def __init__(self, first: list[str] = FIRST, second: list[str] = SECOND) -> None:
        self.vocabulary = Vocabulary()
        self.first = self.vocabulary.column([line.split() for line in first])
        self.second = self.vocabulary.column([line.split() for line in second])

    def links(self, made_by: Aligner | KeptAligner) -> list[list[tuple[int, int]]]:
        batch = made_by.align(self.first, self.second, self.vocabulary)
        return [batch.segment(place) for place in range(len(batch))]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many pairs the embedding aligner was asked about, call by call."""
    found: list[int] = []
    real = Embedding.align

    def counting(self: Embedding, first: TokenColumn, *rest: object, **named: object) -> LinkBatch:
        found.append(len(first))
        return real(self, first, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Embedding, "align", counting)
    return found


def test_links_are_those_of_the_aligner_and_equal_pairs_are_made_once(asked: list[int]) -> None:
    text = Text()
    alone = text.links(aligner("embedding"))
    asked.clear()
    kept = KeptAligner(aligner("embedding"))
    assert text.links(kept) == text.links(kept) == alone
    assert alone[0] == [(1, 0), (2, 1)]
    assert asked == [5]


def test_a_cache_serves_another_run_and_gives_the_same(asked: list[int], tmp_path: Path) -> None:
    cold = Text().links(KeptAligner(aligner("embedding"), str(tmp_path)))
    # Another vocabulary, another order: words alone decide.
    turned = Text(FIRST[::-1], SECOND[::-1])
    warm = turned.links(KeptAligner(aligner("embedding"), str(tmp_path)))
    assert warm == cold[::-1]
    assert asked == [5]


def test_other_options_and_another_version_are_made_anew(
    asked: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(name: str = "embedding") -> None:
        Text().links(KeptAligner(aligner(name), str(tmp_path)))

    run()
    run("embedding:threshold=0.7")
    assert asked == [5, 5]
    monkeypatch.setattr(encoder, "__version__", "0.2.0")
    run()
    assert asked == [5, 5, 5]
    run()
    assert asked == [5, 5, 5]


def test_an_aligner_that_learns_from_all_pairs_sees_all_pairs(tmp_path: Path) -> None:
    text = Text()
    kept = KeptAligner(aligner("hmm"), str(tmp_path))
    assert text.links(kept) == text.links(aligner("hmm"))
    assert not kept.shares
    assert not list(tmp_path.iterdir())


def test_texts_of_different_lengths_are_refused_as_ever() -> None:
    text = Text(FIRST, SECOND[:2])
    with pytest.raises(InputError, match="6 and 2 segments"):
        text.links(KeptAligner(aligner("embedding")))


def test_no_pairs_have_no_links() -> None:
    empty = TokenColumn(np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int64))
    found = KeptAligner(aligner("embedding")).align(empty, empty, Vocabulary())
    assert len(found) == 0


TAUGHT = [
    ("the car is red", "the auto is red"),
    ("a car drives past us", "an auto drives past us"),
    ("my old car was sold", "my old auto was sold"),
    ("no car can fly", "no auto can fly"),
]
LATER = [("she parks her car here", "she parks her auto here")]


def columns(pairs: list[tuple[str, str]]) -> tuple[TokenColumn, TokenColumn, Vocabulary]:
    vocabulary = Vocabulary()
    first, second = (vocabulary.column([pair[k].split() for pair in pairs]) for k in range(2))
    return first, second, vocabulary


def learner(folder: Path | None, words: str = "tok:none") -> KeptAligner:
    cache = None if folder is None else str(folder)
    return KeptAligner(Match(stages="exact+learned"), cache, words=words)


def test_an_aligner_that_learns_takes_pairs_of_earlier_runs_along(tmp_path: Path) -> None:
    alone = learner(None).align(*columns(LATER)).segment(0)
    together = learner(None).align(*columns([*TAUGHT, *LATER]))
    assert (3, 3) not in alone
    assert (3, 3) in together.segment(len(TAUGHT))
    first = learner(tmp_path)
    assert len(first.align(*columns(TAUGHT))) == len(TAUGHT)
    assert first.earlier == 0
    later = learner(tmp_path)
    found = later.align(*columns(LATER))
    assert found.segment(0) == together.segment(len(TAUGHT))
    assert found.certainty is not None
    assert together.certainty is not None
    assert found.certainty.tolist() == together.certainty[together.offsets[len(TAUGHT)] :].tolist()
    assert later.earlier == len(TAUGHT)


def test_the_same_run_again_learns_the_same(tmp_path: Path) -> None:
    again = [*TAUGHT, *TAUGHT[:1]]
    plain = learner(None).align(*columns(again))
    for _ in range(2):
        kept = learner(tmp_path)
        found = kept.align(*columns(again))
        assert found.links.tolist() == plain.links.tolist()
        assert kept.earlier == 0


def test_words_that_were_made_otherwise_teach_nothing(tmp_path: Path) -> None:
    learner(tmp_path).align(*columns(TAUGHT))
    for words in ("tok:13a", ""):
        other = learner(tmp_path, words)
        assert (3, 3) not in other.align(*columns(LATER)).segment(0)
        assert other.earlier == 0
