"""Instruments: their questions, in every language."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.design.item_text import item_sentences
from kilter.study.instrument.data_file import DATA
from kilter.study.instrument.instrument import read_instrument
from tests.study.design.example import LANGUAGES


@pytest.mark.parametrize("path", sorted((DATA / "instruments").iterdir()), ids=lambda p: p.stem)
def test_every_instrument_is_written_in_every_language(path: Path, tmp_path: Path) -> None:
    instrument = read_instrument(path.stem, tmp_path, languages=LANGUAGES)
    assert instrument.sample is not None
    for question in instrument.questions:
        texts = {question.text(language).ask for language in LANGUAGES}
        assert len(texts) == len(LANGUAGES)
        assert len(question.values) >= 2


def test_the_published_instrument_asks_two_questions_with_five_boxes(tmp_path: Path) -> None:
    instrument = read_instrument("word-order", tmp_path, languages=LANGUAGES)
    assert instrument.shows == ("hypothesis", "reference")
    assert [(q.name, list(q.values)) for q in instrument.questions] == [
        ("holistic", [1, 2, 3, 4, 5]),
        ("order", [1, 2, 3, 4, 5]),
    ]


def _instrument(folder: Path, text: str) -> str:
    (folder / "own.toml").write_text(
        f'schema = "kilter.instrument/1"\n{text}\n[[question]]\nname = "order"\nkind = "boxes"\n'
        '[question.en]\nask = "How good?"\n',
        encoding="utf-8",
    )
    return "own.toml"


@pytest.mark.parametrize(
    "shows",
    [
        "['reference']",
        "['hypothesis', 'target']",
        "['hypothesis', 'hypothesis']",
        "['hypothesis', 'translations']",
    ],
)
def test_an_item_shows_the_hypothesis_and_what_there_is_each_once(
    shows: str, tmp_path: Path
) -> None:
    with pytest.raises(
        InputError, match="shows must list some of source, hypothesis, reference, second"
    ):
        read_instrument(_instrument(tmp_path, f"shows = {shows}"), tmp_path, languages=["en"])


def test_a_sample_has_a_source_and_its_language_where_items_show_theirs(tmp_path: Path) -> None:
    sample = "[sample]\nhypothesis = 'a b'\nreference = 'b a'\n"
    name = _instrument(tmp_path, f"shows = ['source', 'hypothesis']\n{sample}")
    with pytest.raises(InputError, match="source is missing; add it"):
        read_instrument(name, tmp_path, languages=["en"])
    sample += "source = 'x y'\nsource_language = 'de'\n"
    name = _instrument(tmp_path, f"shows = ['source', 'hypothesis']\n{sample}")
    made = read_instrument(name, tmp_path, languages=["en"])
    source, hypothesis = item_sentences(made, None)
    assert (source.text, source.language) == ("x y", "de")
    assert (hypothesis.language, hypothesis.source_language) == ("en", "de")


def test_an_instrument_of_the_study_needs_no_sample(tmp_path: Path) -> None:
    instrument = read_instrument(
        _instrument(tmp_path, "shows = ['hypothesis']"), tmp_path, languages=["en"]
    )
    assert instrument.sample is None
    assert instrument.question("order").text("de").ask == "How good?"


def test_a_kind_that_is_no_judgment_is_not_asked_about_items(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    _instrument(tmp_path, "shows = ['hypothesis']")
    file.write_text(file.read_text(encoding="utf-8").replace("boxes", "text"), encoding="utf-8")
    with pytest.raises(InputError, match="kind is 'text'; it can be boxes, slider, options"):
        read_instrument("own.toml", tmp_path, languages=["en"])


def test_a_sample_is_explained_in_every_language_or_in_none(tmp_path: Path) -> None:
    sample = "[sample]\nhypothesis = 'a b'\nreference = 'b a'\n"
    name = _instrument(tmp_path, "shows = ['hypothesis']\n" + sample)
    plain = read_instrument(name, tmp_path, languages=["en"]).sample
    assert plain is not None
    assert plain.explained("en") == ""
    name = _instrument(
        tmp_path, f"shows = ['hypothesis']\n{sample}[sample.en]\nexplanation = 'exchanged'\n"
    )
    said = read_instrument(name, tmp_path, languages=["en"]).sample
    assert said is not None
    assert said.explained("en") == "exchanged"
    file = tmp_path / name
    text = file.read_text(encoding="utf-8")
    file.write_text(f"{text}[question.de]\nask = 'Wie?'\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"not explained in de; add \[sample.de\]"):
        read_instrument(name, tmp_path, languages=["en", "de"])


def test_systems_together_are_rated_from_0_to_6(tmp_path: Path) -> None:
    instrument = read_instrument("together", tmp_path, languages=LANGUAGES)
    assert instrument.is_together
    (question,) = instrument.questions
    assert list(question.values) == [0, 1, 2, 3, 4, 5, 6]
    assert not read_instrument("word-order", tmp_path, languages=LANGUAGES).is_together


@pytest.mark.parametrize("shows", ["['translations', 'reference']", "['second', 'translations']"])
def test_translations_are_shown_last_and_beside_no_other_hypothesis(
    shows: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="translations are shown last"):
        read_instrument(_instrument(tmp_path, f"shows = {shows}"), tmp_path, languages=["en"])


def test_a_sample_of_several_translations_has_them(tmp_path: Path) -> None:
    shows = "shows = ['reference', 'translations']\n[sample]\nreference = 'a'\n"
    with pytest.raises(InputError, match="translations is missing; add it"):
        read_instrument(_instrument(tmp_path, shows), tmp_path, languages=["en"])
    name = _instrument(tmp_path, shows + "translations = ['b', 'c']\n")
    sample = read_instrument(name, tmp_path, languages=["en"]).sample
    assert sample is not None
    assert sample.translations == ("b", "c")
