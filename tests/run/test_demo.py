"""The bundled sample."""

from kilter.run.demo import SAMPLE, SYSTEMS, sample_texts
from kilter.run.scoring.corpus import check_counts
from kilter.run.scoring.score import score_texts
from kilter.run.scoring.settings import DEFAULT_METRICS, Settings


def test_all_texts_have_the_same_segments() -> None:
    texts = sample_texts()
    check_counts(texts)
    assert list(texts.systems) == list(SYSTEMS)
    assert {len(lines) for _, lines in texts.named()} == {48}
    assert texts.source is not None
    assert texts.source[0] == "source.de"


def test_each_system_errs_in_its_own_way() -> None:
    texts = sample_texts()
    (reference,) = texts.references.values()
    for name, lines in texts.systems.items():
        same_words = [
            sorted(line.lower().strip(".").split()) == sorted(other.lower().strip(".").split())
            for line, other in zip(lines, reference, strict=True)
        ]
        assert any(line != other for line, other in zip(lines, reference, strict=True))
        assert (sum(same_words) > 24) == (name != "lexical")


def test_gold_links_lie_inside_the_tokenised_texts() -> None:
    lines = {
        name: (SAMPLE / name).read_text(encoding="utf-8").splitlines()
        for name in ("source.tok.de", "reference.tok.en", "gold.source-reference.links")
    }
    for source, reference, links in zip(*lines.values(), strict=True):
        for link in links.split():
            first, second = map(int, link.split("-"))
            assert first < len(source.split())
            assert second < len(reference.split())


def test_the_metrics_of_the_demo_are_defined_on_it() -> None:
    result = score_texts(sample_texts(), Settings())
    for scores in result.systems.values():
        assert list(scores) == list(DEFAULT_METRICS)
        for found in scores.values():
            assert found.score is not None
            assert 0 < found.score <= 1
