"""Stemmers by language code."""

import random
from importlib import import_module
from types import SimpleNamespace

import pytest
import snowballstemmer
from snowballstemmer.among import Among

from kilter.aligners import stemmer as module
from kilter.aligners.match import Match
from kilter.aligners.stemmer import ALGORITHMS, LACKING, UNSTEMMED, stemmer
from kilter.core.errors import OptionError


def plain(algorithm: str) -> type:
    """Return the stemmer in Python."""
    found: type = getattr(
        import_module(f"snowballstemmer.{algorithm}_stemmer"), f"{algorithm.capitalize()}Stemmer"
    )
    return found


def test_every_code_names_a_snowball_stemmer_and_every_language_has_a_code() -> None:
    variants = {"porter", "dutch_porter"}
    assert set(snowballstemmer.algorithms()) - variants <= set(ALGORITHMS.values())
    for code in ALGORITHMS:
        assert stemmer(code)(["a"]) == ["a"]


def test_a_stemmer_that_is_not_installed_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(ALGORITHMS, "de", "klingon")
    with pytest.raises(OptionError, match="pip install -U snowballstemmer"):
        stemmer("de")


def made_up_words(algorithm: str, count: int) -> list[str]:
    """Return words of the letters and endings that a stemmer looks at."""
    tables = [each for each in vars(plain(algorithm)).values() if isinstance(each, list | tuple)]
    endings = sorted({row.s for rows in tables for row in rows if isinstance(row, Among)} - {""})
    letters = sorted({*"".join(endings), *"abdeilnorstuy"})
    draw = random.Random(7)
    return [
        "".join(
            draw.choices(letters, k=draw.randint(0, 5))
            + draw.choices(endings, k=draw.randint(0, 3))
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("code", ALGORITHMS)
def test_compiled_stems_are_those_of_the_stemmer_in_python(code: str) -> None:
    compiled = pytest.importorskip("Stemmer", reason="PyStemmer is not installed")
    algorithm = ALGORITHMS[code]
    words = ["", "\0", *made_up_words(algorithm, 300)]
    expected = [plain(algorithm)().stemWord(word) for word in words]
    assert compiled.Stemmer(algorithm, 0).stemWords(words) == expected
    assert stemmer(code)(words) == expected


@pytest.mark.parametrize("release", ["2.2.0", "4.0.0"])
def test_a_compiled_stemmer_of_another_release_is_not_asked(
    release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(name: str) -> object:
        wrong = SimpleNamespace(version=lambda: release, Stemmer=None)
        return wrong if name == "Stemmer" else import_module(name)

    monkeypatch.setattr(module, "import_module", other)
    module._compiled.cache_clear()
    try:
        assert stemmer("de")(["häuser"]) == ["haus"]
    finally:
        module._compiled.cache_clear()


def test_every_code_of_a_language_has_a_stemmer_or_is_known_to_have_none() -> None:
    assert not LACKING & {*ALGORITHMS, *UNSTEMMED}
    assert len({*LACKING, *ALGORITHMS, *UNSTEMMED}) > 180
    for code in ("uk", "he", "vi", "ja"):
        assert Match.from_text(Match.language_options(code)).language == "none"
    assert Match.language_options("nb") == {"language": "no"}
    with pytest.raises(OptionError, match="no stemmer for language 'xx'; use none, or one of ar"):
        Match.from_text(Match.language_options("xx"))


@pytest.mark.parametrize("compiled", [True, False])
def test_a_word_of_any_length_is_done_at_once(
    *, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not compiled:
        monkeypatch.setattr(module, "_compiled", lambda: None)
    longest = "y" * 2_000_000  # in Python, its stem would take minutes
    assert stemmer("en")(["walked", longest, "walking"]) == ["walk", longest, "walk"]
    assert stemmer("en")(["walked" + "x" * 994]) == plain("english")().stemWords(
        ["walked" + "x" * 994]
    )
