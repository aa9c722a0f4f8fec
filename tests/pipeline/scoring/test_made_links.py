"""Links of a corpus: what depends on a pair alone is made once for all systems."""

import pytest

from kilter.aligners.embedding import Embedding
from kilter.aligners.registry import aligner
from kilter.encoder.encoder import Encoder
from kilter.pipeline.scoring.corpus import Texts, build_corpus
from kilter.pipeline.scoring.made_links import MadeLinks
from kilter.structures.text.corpus import Corpus

REFERENCES = {
    "r1": ["a cat sleeps here", "the dog barks", "yes"],
    "r2": ["here a cat is asleep", "a dog barks", "yes"],
}
SYSTEMS = {
    "one": ["the cat sleeps", "a dog barks", "yes"],
    "two": ["the cat sleeps", "dogs bark", ""],
    "three": ["cats sleep", "a dog barks", "a dog barks"],
}


@pytest.fixture
def corpus() -> Corpus:
    return build_corpus(Texts(systems=SYSTEMS, references=REFERENCES), tokenize="none")


@pytest.mark.parametrize("name", ["embedding", "match", "hmm"])
def test_links_are_those_of_each_pair_of_texts(name: str, corpus: Corpus) -> None:
    made = MadeLinks(corpus, jobs=1)
    chosen = aligner(name)
    for place in (2, 0, 1):
        found = made.of(chosen, place)
        assert len(found) == 2
        for batch, reference in zip(found, corpus.references, strict=True):
            tokens = corpus.systems[place].tokens, reference.tokens
            alone = chosen.align(*tokens, corpus.vocabulary)
            assert batch.links.tolist() == alone.links.tolist()
            assert batch.offsets.tolist() == alone.offsets.tolist()
            assert batch.bounded == alone.bounded


def test_every_distinct_sentence_is_encoded_once(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[str] = []
    real = Encoder._windows

    def watching(self, words, vocabulary):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        encoded.extend(" ".join(vocabulary.text(words, place)) for place in range(len(words)))
        return real(self, words, vocabulary)

    monkeypatch.setattr(Encoder, "_windows", watching)
    monkeypatch.setattr("kilter.encoder.sentence_pairs.BLOCK", 4)  # many blocks
    made = MadeLinks(corpus, jobs=1)
    for place in range(len(SYSTEMS)):
        made.of(Embedding(), place)
    texts = [*REFERENCES.values(), *SYSTEMS.values()]
    assert sorted(encoded) == sorted({line for lines in texts for line in lines})


def test_links_are_the_same_where_vectors_may_not_wait(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def links() -> list[object]:
        made = MadeLinks(corpus, jobs=1)
        return [batch.links.tolist() for place in range(3) for batch in made.of(Embedding(), place)]

    before = links()
    monkeypatch.setattr("kilter.encoder.sentence_pairs.BLOCK", 4)
    monkeypatch.setattr("kilter.encoder.sentence_pairs.WAITING", 2)
    assert links() == before
