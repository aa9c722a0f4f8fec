"""Stemmers by language code."""

import pytest
import snowballstemmer

from kilter.aligners.stemmer import ALGORITHMS, stemmer
from kilter.errors import OptionError


def test_every_code_names_a_snowball_stemmer_and_every_language_has_a_code() -> None:
    variants = {"porter", "dutch_porter"}
    assert set(snowballstemmer.algorithms()) - variants <= set(ALGORITHMS.values())
    for code in ALGORITHMS:
        assert stemmer(code)("a") == "a"


def test_a_stemmer_that_is_not_installed_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(snowballstemmer, "algorithms", lambda: ["english"])
    with pytest.raises(OptionError, match="pip install -U snowballstemmer"):
        stemmer("de")
