"""Instruments: their questions, in every language."""

from pathlib import Path

import pytest

from kilter.errors import InputError
from kilter.survey.instrument.instrument import DATA, QuestionKind, read_instrument, read_questions
from tests.survey.design.example import LANGUAGES


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


def test_the_published_participant_questions_are_all_there(tmp_path: Path) -> None:
    questions = read_questions("about-you", tmp_path, languages=LANGUAGES)
    assert [question.name for question in questions] == [
        "first_language_english", "years_fluent", "languages", "gender", "nationality", "education",
        "disability", "grammar_attention", "age",
    ]  # fmt: skip
    assert questions[2].kind is QuestionKind.LANGUAGES


def test_an_unknown_instrument_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="adequacy-fluency, direct-assessment, pairwise, word-order"
    ):
        read_instrument("mind-reading", tmp_path, languages=["en"])
    with pytest.raises(InputError, match="leads out"):
        read_instrument("../x.toml", tmp_path, languages=["en"])
