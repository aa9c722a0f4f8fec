"""The aligner that suits the language of the texts."""

import pytest

from kilter.errors import OptionError
from kilter.pipeline.align import align_texts, language_aligner


@pytest.mark.parametrize("language", ["zh", "ja", "ko"])
def test_a_language_without_stems_is_matched_without_a_stemmer(language: str) -> None:
    assert language_aligner("match", language).options()["language"] == "none"


def test_the_language_of_the_texts_is_that_of_the_stemmer() -> None:
    assert language_aligner("match:case=keep", "de").options()["language"] == "de"


def test_a_language_that_the_aligner_names_itself_counts() -> None:
    assert language_aligner("match:language=fr", "de").options()["language"] == "fr"


def test_an_unknown_language_is_not_taken_for_one_without_stems() -> None:
    with pytest.raises(OptionError, match="no stemmer for language 'eng'"):
        language_aligner("match", "eng")


def test_chinese_words_are_linked() -> None:
    links, words = align_texts(
        ("a", ["今天天气好"]), ("b", ["天气今天好"]), tokenize="zh", language="zh"
    )
    assert words[0] == [list("今天天气好")]
    assert len(links.segment(0)) == 5
