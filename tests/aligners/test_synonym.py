"""Synonyms from plain files and from a small WordNet folder written for these tests."""

from pathlib import Path

import pytest

from kilter.aligners.registry import aligner
from kilter.aligners.word_key import read_synonyms
from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError

LICENCE = "  1 This file was written for a test.  \n"
INDEX = {
    "noun": "car n 2 2 @ ~ 2 1 00000100 00000200  \nautomobile n 1 1 @ 1 0 00000100  \n"
    "goose n 1 0 1 0 00000300  \nman n 1 0 1 0 00000400  \nadult_male n 1 0 1 0 00000400  \n",
    "verb": "buy v 1 1 @ 1 1 00000100  \npurchase v 1 0 1 0 00000100  \n"
    "see v 1 0 1 0 00000200  \nperceive v 1 0 1 0 00000200  \n",
    "adj": "big a 1 0 1 0 00000500  \nlarge a 1 0 1 0 00000500  \n",
    "adv": "fast r 1 0 1 0 00000600  \nquickly r 1 0 1 0 00000600  \n",
}


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    folder = tmp_path / "wordnet"
    folder.mkdir()
    for part, lines in INDEX.items():
        (folder / f"index.{part}").write_text(LICENCE + lines, encoding="utf-8")
    (folder / "noun.exc").write_text("geese goose\n", encoding="utf-8")
    (folder / "verb.exc").write_text("saw see\nbought buy\n", encoding="utf-8")
    return folder


def share(path: Path, one: str, other: str) -> bool:
    classes = read_synonyms(str(path), fold=True)
    return not set(classes(one)).isdisjoint(classes(other))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("car", "automobile", True),
        ("cars", "automobile", True),
        ("Cars", "automobiles", True),
        ("geese", "goose", True),
        ("men", "man", True),
        ("bought", "purchasing", True),
        ("purchased", "buys", True),
        ("saw", "perceives", True),
        ("bigger", "large", False),  # the rules give bigg and bigge; only an exception list knows
        ("larger", "big", True),
        ("fast", "quickly", True),
        ("car", "buy", False),  # the same number in another part of speech is another synset
        ("s", "car", False),
        ("unknown", "unknown", False),
    ],
)
def test_forms_with_a_synset_in_common_are_synonyms(
    wordnet: Path, one: str, other: str, *, expected: bool
) -> None:
    assert share(wordnet, one, other) is expected


def test_wordnet_links_words_in_the_synonym_stage(wordnet: Path) -> None:
    vocabulary = Vocabulary()
    first = vocabulary.column([["he", "bought", "big", "automobiles"]])
    second = vocabulary.column([["he", "purchased", "a", "large", "car"]])
    found = aligner(f"match:stages=exact+stem+synonym,synonyms={wordnet}").align(
        first, second, vocabulary
    )
    assert found.segment(0) == [(0, 0), (1, 1), (2, 3), (3, 4)]


def test_the_words_of_a_line_are_one_group_in_any_case(tmp_path: Path) -> None:
    path = tmp_path / "groups"
    path.write_text("Big\tlarge  huge\n\nhuge vast\r\n", encoding="utf-8")
    assert share(path, "big", "huge")
    assert share(path, "vast", "huge")
    assert not share(path, "big", "vast")
    kept = read_synonyms(str(path), fold=False)
    assert (kept("Big"), kept("big")) == ((1,), ())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no synonyms"),
        (b" \n\n", "one group a line"),
        (b"a b\n\xff c\n", ":2: is not UTF-8"),
    ],
)
def test_wrong_files_are_named_with_what_would_be_right(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "groups"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_synonyms(str(path), fold=True)


def test_a_missing_file_or_index_is_named(tmp_path: Path, wordnet: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere: cannot be opened: No such file"):
        read_synonyms(str(tmp_path / "nowhere"), fold=True)
    (wordnet / "index.adj").unlink()
    with pytest.raises(InputError, match=r"no file index.adj; name a WordNet folder"):
        read_synonyms(str(wordnet), fold=True)


@pytest.mark.parametrize(
    "line", ["car n", "car n x 0 1 0 1", "car n 2 0 2 0 00000100", "car n 1 0 1 0 x"]
)
def test_a_broken_index_line_is_named(wordnet: Path, line: str) -> None:
    (wordnet / "index.noun").write_text(LICENCE + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"index.noun:2: is no line of a WordNet 3 index"):
        read_synonyms(str(wordnet), fold=True)
