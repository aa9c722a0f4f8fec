"""Links of a corpus: what depends on a pair alone is made once for all systems."""

import pytest

from kilter.aligners.embedding import Embedding
from kilter.aligners.registry import aligner
from kilter.core.corpus import Corpus
from kilter.core.errors import OptionError
from kilter.parsers.encoder.encoder import Encoder
from kilter.run.align import align
from kilter.run.scoring.corpus import Texts, build_corpus
from kilter.run.scoring.links import Links, MadeLinks
from kilter.run.scoring.score import score

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
    monkeypatch.setattr("kilter.parsers.encoder.meaning.BLOCK", 4)  # many blocks
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
    monkeypatch.setattr("kilter.parsers.encoder.meaning.BLOCK", 4)
    monkeypatch.setattr("kilter.parsers.encoder.meaning.WAITING", 2)
    assert links() == before


PARAPHRASED = {
    "one": ["she purchased a house", "we sell books", "so they purchased it"],
    "two": ["she bought a house", "we vend books", "so they bought it"],
    "three": ["she acquired a house", "we sell books", "so they acquired it"],
}
WRITTEN = ["she bought a house", "we sell books", "so they bought it"]
LEARNED = "match:stages=exact+learned"


def learned(systems: dict[str, list[str]]) -> dict[str, list[list[tuple[int, int]]]]:
    texts = Texts(systems=systems, references={"r": WRITTEN})
    corpus = build_corpus(texts, tokenize="none")
    made = MadeLinks(corpus, jobs=1)
    found = {}
    for place, system in enumerate(corpus.systems):
        (batch,) = made.of(aligner(LEARNED), place)
        found[system.name] = [batch.segment(segment) for segment in range(3)]
    return found


def test_what_is_learned_is_learned_from_all_systems_in_any_order() -> None:
    # What stands in two segments of a reference that differ is learned, whoever wrote it.
    whole = learned(PARAPHRASED)
    assert whole["one"][2] == whole["three"][2] == [(0, 0), (1, 1), (2, 2), (3, 3)]
    turned = learned(dict(reversed(PARAPHRASED.items())))
    assert turned == whole
    split = {
        "one": ["she purchased a house", "", ""],
        "two": ["", "", "so they purchased it"],
    }
    together = learned(split)
    assert (1, 1) in together["one"][0]
    assert (2, 2) in together["two"][2]
    for name, lines in split.items():  # alone, a system has one segment to show
        assert learned({name: lines})[name] == [
            [link for link in links if WRITTEN[segment].split()[link[1]] != "bought"]
            for segment, links in enumerate(together[name])
        ]


def test_the_certainty_of_links_goes_with_them(corpus: Corpus) -> None:
    made = MadeLinks(corpus, jobs=1)
    for name in ("match", "match:stages=exact+stem+similar+learned"):
        for place in range(len(SYSTEMS)):
            for batch, reference in zip(
                made.of(aligner(name), place), corpus.references, strict=True
            ):
                assert batch.certainty is not None
                words = [corpus.vocabulary.text(corpus.systems[place].tokens, s) for s in range(3)]
                others = [corpus.vocabulary.text(reference.tokens, s) for s in range(3)]
                equal = [
                    words[s][first] == others[s][second]
                    for s in range(3)
                    for first, second in batch.segment(s)
                ]
                assert (batch.certainty == 1.0).tolist() == equal
    (batch, _) = made.of(aligner("embedding"), 0)
    assert batch.certainty is None


def test_an_aligner_that_is_named_links_the_source_for_metrics_that_need_it() -> None:
    source = ["eine Katze schläft hier", "der Hund bellt", "ja"] * 3
    references = [*REFERENCES["r1"]] * 3
    systems = {name: lines * 3 for name, lines in SYSTEMS.items()}
    metrics = ["lr:through=source", "frs", "crossings"]
    found = score(
        systems, references, source=source, metrics=metrics, aligner="hmm", tokenize="none"
    )
    made = [align(source, lines, aligner="hmm", tokenize="none") for lines in systems.values()]
    given = score(
        systems,
        references,
        source=source,
        metrics=metrics,
        links=Links(
            source_hypothesis=tuple(made),
            source_reference=(align(source, references, aligner="hmm", tokenize="none"),),
        ),
    )
    for name in metrics:
        assert "aligner:hmm(" in found.metrics[name].signature
        for system in systems:
            one, other = (result.segment_arrays[name, system] for result in (found, given))
            assert one.tolist() == other.tolist()
    assert not [note for note in found.notes if "no effect" in note]
    with pytest.raises(OptionError, match="or let an aligner link the source"):
        score(systems, references, source=source, metrics="frs")
    # One of hypothesis and reference cannot link two languages.
    with pytest.raises(OptionError, match="frs needs reference-links"):
        score(systems, references, source=source, metrics="frs", aligner="match")
