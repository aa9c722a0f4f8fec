"""What word vectors say of a corpus: made once for all systems, whatever their order, jobs or cache."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kilter.adapters.sacrebleu import KilterMetric
from kilter.cli.main import run
from kilter.core.corpus import Corpus
from kilter.core.errors import MissingToolError, OptionError
from kilter.core.meaning import MeaningBatch, MeaningOptions
from kilter.parsers.encoder import meaning as sentence_pairs
from kilter.parsers.encoder.encoder import Encoder, load_encoder
from kilter.parsers.encoder.meaning import meaning
from kilter.run.cache.cache_folder import CacheFolder
from kilter.run.cache.kept_meaning import MadeMeanings
from kilter.run.explanation.explain import explain_texts
from kilter.run.explanation.segment_choice import SegmentChoice
from kilter.run.meta.evaluation_inputs import EvaluationInputs
from kilter.run.meta.matched_metrics import match_metrics
from kilter.run.meta.option_search import SearchMethod, TuneSettings
from kilter.run.meta.tune import tune
from kilter.run.scoring.corpus import Texts, build_corpus
from kilter.run.scoring.measurement import Measurement, measure
from kilter.run.scoring.score import score
from kilter.run.scoring.settings import Settings
from tests.run.scoring import met_words
from tests.run.scoring.scored import FEW

REFERENCES = {
    "r1": ["a cat sleeps here", "the dog barks", "yes", ""],
    "r2": ["here a cat is asleep", "a dog barks", "yes", "no"],
}
SYSTEMS = {
    "one": ["the cat sleeps", "a dog barks", "yes", "no"],
    "two": ["the cat sleeps", "dogs bark", "", ""],
    "three": ["sleeps here the cat", "a dog barks", "A dog barks", "no no"],
}
ARRAYS = ("first_offsets", "second_offsets", "first_words", "second_words", "totals")


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    met_words.register(monkeypatch)


@pytest.fixture
def corpus() -> Corpus:
    return build_corpus(Texts(systems=SYSTEMS, references=REFERENCES), tokenize="none")


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the sentences that were encoded, as often as they were."""
    found: list[str] = []
    real = Encoder._windows

    def watching(self, words, vocabulary):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        found.extend(" ".join(vocabulary.text(words, place)) for place in range(len(words)))
        return real(self, words, vocabulary)

    monkeypatch.setattr(Encoder, "_windows", watching)
    return found


def bits(batch: MeaningBatch) -> list[bytes]:
    return [np.ascontiguousarray(getattr(batch, name)).tobytes() for name in ARRAYS]


def measured(metric: str = "met-words", **options: Any) -> Measurement:
    systems = options.pop("systems", SYSTEMS)
    texts = Texts(systems=systems, references=REFERENCES)
    return measure(texts, Settings(**{"metrics": metric, "language": "en", **options}))


def test_meanings_are_those_of_each_pair_of_texts(corpus: Corpus) -> None:
    made, options = MadeMeanings(corpus, jobs=1), MeaningOptions()
    for system in corpus.systems[::-1]:
        for reference in corpus.references:
            alone = meaning(system.tokens, reference.tokens, corpus.vocabulary)
            assert bits(made.meaning(system, reference, options)) == bits(alone)


def test_every_distinct_sentence_is_encoded_once(
    corpus: Corpus, encoded: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentence_pairs, "BLOCK", 4)  # many blocks
    made = MadeMeanings(corpus, jobs=1)
    for system in corpus.systems:
        for reference in corpus.references:
            made.meaning(system, reference, MeaningOptions())
    texts = [*REFERENCES.values(), *SYSTEMS.values()]
    assert sorted(encoded) == sorted({line.lower() for lines in texts for line in lines})


def test_other_options_have_other_numbers(corpus: Corpus) -> None:
    made = MadeMeanings(corpus, jobs=1)
    texts = corpus.systems[0], corpus.references[0]
    low, high = (
        made.meaning(*texts, MeaningOptions(floor=floor)).linked.sum() for floor in (0.2, 0.9)
    )
    assert high < low


def test_a_cache_gives_the_same_bits_and_spares_the_model(
    corpus: Corpus, encoded: list[str], tmp_path: Path
) -> None:
    texts, options = (corpus.systems[2], corpus.references[1]), MeaningOptions()
    plain = bits(MadeMeanings(corpus, jobs=1).meaning(*texts, options))
    cold = MadeMeanings(corpus, jobs=1, cache=str(tmp_path)).meaning(*texts, options)
    encoded.clear()
    warm = MadeMeanings(corpus, jobs=1, cache=str(tmp_path)).meaning(*texts, options)
    assert bits(cold) == bits(warm) == plain
    assert encoded == []
    MadeMeanings(corpus, jobs=1, cache=str(tmp_path)).meaning(*texts, MeaningOptions(floor=0.5))
    assert encoded != []


def test_what_a_cache_keeps_is_listed_and_cleared_by_its_maker(
    corpus: Corpus, tmp_path: Path
) -> None:
    made = MadeMeanings(corpus, jobs=1, cache=str(tmp_path))
    made.meaning(corpus.systems[0], corpus.references[0], MeaningOptions())
    folder = CacheFolder(str(tmp_path))
    (kept,) = folder.makers()
    pairs = {
        (one.lower(), other)
        for lines in SYSTEMS.values()
        for texts in REFERENCES.values()
        for one, other in zip(lines, texts, strict=True)
    }
    assert (kept.kind, kept.name, kept.entries) == ("meanings", "meaning", len(pairs))
    assert folder.clear(maker="embedding") == []
    assert len(folder.clear(maker="meaning")) == 1


def test_scores_depend_neither_on_the_order_of_systems_nor_on_jobs_nor_on_the_cache(
    tmp_path: Path,
) -> None:
    expected = measured().scores
    cache = str(tmp_path / "cache")
    for found in (
        measured(systems=dict(reversed(SYSTEMS.items()))),
        measured(jobs=3),
        measured(cache=cache),
        measured(cache=cache),
    ):
        for key, scores in expected.items():
            assert found.scores[key].tobytes() == scores.tobytes()
    alone = measured(systems={"two": SYSTEMS["two"]})
    key = ("met-words", "two")
    assert alone.scores[key].tobytes() == expected[key].tobytes()


def test_of_several_references_the_best_counts() -> None:
    lines = SYSTEMS["three"]
    both = measured(systems={"three": lines}).scores["met-words", "three"]
    each = [
        measure(
            Texts(systems={"three": lines}, references={name: text}),
            Settings(metrics="met-words", language="en"),
        ).scores["met-words", "three"]
        for name, text in REFERENCES.items()
    ]
    assert both.tolist() == np.max(each, axis=0).tolist()
    assert both[0] < 1
    assert both[3] > 0  # one of its references is empty


def test_the_language_gives_the_option_and_the_name_stays() -> None:
    result = score(SYSTEMS["three"], REFERENCES["r1"], metrics="met-words", language="en-GB")
    plain = score(SYSTEMS["three"], REFERENCES["r1"], metrics="met-words", resampling=FEW)
    named = score(
        SYSTEMS["three"], REFERENCES["r1"], metrics="met-words:encoder=en", resampling=FEW
    )
    assert list(result.system) == list(plain.system) == ["met-words"]
    assert plain.system["met-words"].score == 1.0
    found = result.system["met-words"].score
    assert found is not None
    assert found < 1.0
    assert found == named.system["met-words:encoder=en"].score
    signature = result.metrics["met-words"].signature
    assert "|encoder:en|" in signature
    assert "|vectors:meaning(context:0.3,position:0.05,temperature:0.06,floor:0.6,version:" in (
        signature
    )
    assert "refs:" not in signature
    several = measured().measured[0].signature
    assert "|nrefs:2|refs:best|" in several
    assert "vectors" not in plain.metrics["met-words"].signature


def test_a_specification_decides_itself_and_stands_beside_that_of_the_language() -> None:
    found = measured(metric=("met-words", "met-words:encoder=none"))  # type: ignore[arg-type]
    assert [each.name for each in found.measured] == ["met-words", "met-words:encoder=none"]
    assert found.scores["met-words:encoder=none", "two"].tolist() == [1.0] * 4
    assert found.scores["met-words", "two"].tolist() != [1.0] * 4


def test_a_model_of_english_refuses_another_language() -> None:
    with pytest.raises(OptionError, match="knows English only, not de"):
        measured(metric="met-words:encoder=en", language="de")
    assert measured(language="de").scores["met-words", "two"].tolist() == [1.0] * 4


def test_texts_that_seem_not_to_be_english_are_noted() -> None:
    german = ["Das ist der Hund , den ich gestern in der Stadt gesehen habe ."] * 5
    found = measure(
        Texts(systems={"a": german}, references={"r": german}),
        Settings(metrics="met-words:encoder=en"),
    )
    assert any("the word vectors of met-words are English" in note for note in found.notes)


def test_without_its_model_nothing_is_scored_and_the_install_command_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "kilter_model_en", None)
    load_encoder.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr("kilter.run.scoring.run.build_corpus", lambda *_, **__: 1 / 0)
        with pytest.raises(MissingToolError, match=r"pip install 'kilter\[parse\]'"):
            measured()
    for name in ("system", "reference"):
        (tmp_path / name).write_text("a b\n", encoding="utf-8")
    files = ["-r", str(tmp_path / "reference"), str(tmp_path / "system")]
    assert run(["score", "-m", "met-words", "-l", "en", *files]) == 4
    captured = capsys.readouterr()
    assert "pip install 'kilter[parse]'" in captured.err
    assert captured.out == ""
    assert run(["score", "-m", "met-words", "-q", *files]) == 0


def test_explanations_show_the_score_of_all_systems_segments() -> None:
    expected = measured().scores
    texts = Texts(systems=SYSTEMS, references=REFERENCES)
    settings = Settings(metrics="met-words", language="en")
    found = explain_texts(texts, settings, SegmentChoice(segments=(1,)))
    assert [each.system for each in found] == list(SYSTEMS)
    for each in found:
        shown = each.metrics["met-words"]
        assert shown.score == expected["met-words", str(each.system)][0]
        assert "|encoder:en|" in shown.signature


def test_agreement_and_tuning_see_the_same(tmp_path: Path) -> None:
    for name, lines in {**SYSTEMS, "reference": REFERENCES["r1"]}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    rows = ["seg\tbetter\tworse", "1\tone\tthree", "2\tone\ttwo", "3\tone\ttwo", "1\tthree\ttwo"]
    (tmp_path / "pairs.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    inputs = EvaluationInputs(
        judgments=str(tmp_path / "pairs.tsv"),
        references=(str(tmp_path / "reference"),),
        systems=tuple(str(tmp_path / name) for name in SYSTEMS),
        settings=Settings(metrics="met-words", language="en", resampling=FEW),
    )
    matched = match_metrics(inputs)
    texts = Texts(systems=SYSTEMS, references={"r": REFERENCES["r1"]})
    expected = measure(texts, Settings(metrics="met-words", language="en"))
    (found,) = matched.metrics
    assert found.name == "met-words"
    for name, scores in zip(matched.judgments.systems, found.scores, strict=True):
        assert scores.tolist() == expected.scores["met-words", name].tolist()
    search = TuneSettings(options=("floor=0.4..0.8",), method=SearchMethod.GRID, steps=2, folds=0)
    tuned = tune(inputs, search)
    assert tuned.start == "met-words:encoder=en"
    assert tuned.training is not None


def test_adapters_of_one_metric_take_the_language() -> None:
    lines, references = SYSTEMS["three"], [REFERENCES["r1"]]
    english = KilterMetric("met-words", language="en").corpus_score(lines, references).score
    assert english < KilterMetric("met-words").corpus_score(lines, references).score == 100.0
