"""Keys of words."""

import gc
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.aligners import word_key as similar_word
from kilter.aligners.registry import aligner
from kilter.aligners.word_key import (
    WordKeys,
    WordKeySets,
    head,
    read_synonyms,
    similar_pairs,
    spoken,
    word_keys,
)
from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError
from kilter.core.links import Link, LinkBatch
from tests.oracles import match as oracle
from tests.thorough import examples


def test_words_match_by_key_and_others_have_none() -> None:
    vocabulary = Vocabulary()
    numbers = vocabulary.numbers(["Walk", "walk", "talk", "unasked"])
    single = WordKeys(str.lower).of(numbers[:3], vocabulary)
    assert single[0] == single[1] != single[2]
    assert single[3] == -1


def test_a_word_may_have_several_keys_and_a_vocabulary_may_grow() -> None:
    vocabulary = Vocabulary()
    keys = WordKeySets(str.lower, set)  # their letters
    first = vocabulary.numbers(["ab"])
    assert [part.tolist() for part in keys.of(first, vocabulary)] == [[0, 2], [0, 1]]
    both = np.concatenate([first, vocabulary.numbers(["BC"])])
    offsets, flat = keys.of(both, vocabulary)
    assert offsets.tolist() == [0, 2, 4]
    assert len({*flat.tolist()}) == 3
    assert len({*flat[:2].tolist()} & {*flat[2:].tolist()}) == 1


def test_keys_that_nobody_wants_any_more_are_gone_at_once() -> None:
    class Key:
        """What a weak reference can point to."""

    made: list[ref[Key]] = []

    def keys_of(forms: Sequence[str]) -> Iterator[Key]:
        for _ in forms:
            key = Key()
            made.append(ref(key))
            yield key

    vocabulary = Vocabulary()
    gc.disable()
    try:
        keys = WordKeys(str, keys_of)
        keys.of(vocabulary.numbers(["one", "other"]), vocabulary)
        assert [key() is None for key in made] == [False, False]
        del keys
        assert [key() is None for key in made] == [True, True]
    finally:
        gc.enable()


def test_a_vocabulary_has_its_keys_of_a_kind_once_and_takes_them_along() -> None:
    vocabulary = Vocabulary()
    made: list[WordKeys] = []

    def make() -> WordKeys:
        made.append(WordKeys(str))
        return made[-1]

    assert word_keys(vocabulary, "plain", make) is word_keys(vocabulary, "plain", make)
    assert word_keys(vocabulary, "other", make) is not made[0]
    assert len(made) == 2
    del vocabulary
    gc.collect()
    assert len(WordKeys(str).of(np.zeros(0, np.int32), Vocabulary())) == 0


def test_words_fold_by_the_rules_of_their_language() -> None:
    words = ["Işık", "ışık", "IŞIK", "işik", "İzmir", "izmir"]

    def keys(vocabulary: Vocabulary, kept: WordKeys) -> list[int]:
        return [int(key) for key in kept.of(vocabulary.numbers(words), vocabulary)]

    one, other, capitals, dotted, upper, lower = keys(
        Vocabulary(turkic=True), WordKeys(str.casefold)
    )
    assert one == other == capitals != dotted
    assert upper == lower
    one, other, capitals, dotted, upper, lower = keys(Vocabulary(), WordKeys(str.casefold))
    assert one != other
    assert one != capitals != other
    assert capitals == dotted
    assert upper == lower
    assert len(set(keys(Vocabulary(turkic=True), WordKeys(str)))) == 6


# The stage `similar`: words that share most of their characters, without any resource.


WORDS = st.text(alphabet="abABéß1.-", min_size=1, max_size=9)
SENTENCES = st.lists(WORDS, max_size=5)
PAIRS = st.lists(st.tuples(SENTENCES, SENTENCES), max_size=4)


def offered(
    pairs: list[tuple[list[str], list[str]]], links: LinkBatch | None = None, *, jobs: int = 1
) -> list[dict[Link, float]]:
    vocabulary = Vocabulary()
    first = vocabulary.column([one for one, _ in pairs])
    second = vocabulary.column([other for _, other in pairs])
    free = LinkBatch.of([[] for _ in pairs]) if links is None else links
    found = similar_pairs(first, second, free, vocabulary, fold=True, jobs=jobs)
    borders = found.offsets.tolist()
    return [
        {
            (row, col): certainty
            for (row, col), certainty in zip(
                found.cells[begin:end].tolist(), found.certainty[begin:end].tolist(), strict=True
            )
        }
        for begin, end in pairwise(borders)
    ]


def similar(one: str, other: str) -> bool:
    return bool(offered([([one], [other])])[0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("organisation", "organization"),
        ("Philippine", "Philippines"),
        ("Regierung", "Regierungen"),
        ("unemplyment", "unemployment"),
        ("co-operate", "cooperate"),
        ("U.S.", "US"),
        ("1,000", "1.000"),
        ("2012er", "2012ers"),
        ("EINE", "einer"),
    ],
)
def test_words_that_share_most_of_their_characters_are_similar(one: str, other: str) -> None:
    assert similar(one, other)
    assert similar(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("der", "die"),
        ("den", "dem"),
        ("the", "then"),
        ("happy", "unhappy"),
        ("visible", "invisible"),
        ("legal", "illegal"),
        ("increase", "decrease"),
        ("inside", "outside"),
        ("minimum", "maximum"),
        ("state", "steps"),
        ("that", "than"),
        ("stopped", "started"),
        ("there", "these"),
        ("hopeful", "hopeless"),
        ("2011", "2012"),
        ("1.5", "15"),
        ("-5", "5"),
        ("20-year", "30-year"),
        ("...", ".."),
        ("猫", "猫猫"),
    ],
)
def test_short_words_antonyms_and_other_numbers_are_not(one: str, other: str) -> None:
    assert not similar(one, other)
    assert not similar(other, one)


@examples(200)
@given(pairs=PAIRS)
def test_pairs_are_those_of_the_definition(pairs: list[tuple[list[str], list[str]]]) -> None:
    expected = []
    for first, second in pairs:
        found = {}
        for row, one in enumerate(first):
            for col, other in enumerate(second):
                a, b = (spoken(word.casefold()) for word in (one, other))
                heads = [head(word.casefold(), said) for word, said in ((one, a), (other, b))]
                if not a or not b or heads[0] != heads[1]:
                    continue
                shared = oracle.shared_letters(a, b)
                dice = 2 * shared / (len(a) + len(b))
                if a == b or (shared >= 3 and dice > 0.4):
                    found[row, col] = 0.2 + 0.75 * dice
        expected.append(pytest.approx(found))
    assert offered(pairs) == expected
    assert offered(pairs, jobs=3) == expected


@examples(100)
@given(pairs=PAIRS)
def test_swapped_texts_have_swapped_pairs(pairs: list[tuple[list[str], list[str]]]) -> None:
    swapped = offered([(second, first) for first, second in pairs])
    turned = [{(col, row): value for (row, col), value in found.items()} for found in swapped]
    assert offered(pairs) == turned


def test_threads_without_segments_lose_nothing_of_others() -> None:
    # One segment is longer than all others: the second of three threads has none.
    pairs = [(["houses"] * 200, ["x"]), *[(["houses"], ["house"])] * 5]
    expected = [{}, *[{(0, 0): pytest.approx(0.2 + 0.75 * 8 / 11)}] * 5]
    assert [offered(pairs, jobs=jobs) for jobs in (1, 2, 3, 9)] == [expected] * 4


def test_words_with_a_link_are_left_alone() -> None:
    pairs = [(["houses", "house"], ["house", "housed"])]
    links = LinkBatch.of([[(1, 0)]])
    assert offered(pairs)[0].keys() == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert offered(pairs, links)[0].keys() == {(0, 1)}


def test_a_vocabulary_that_grew_keeps_what_was_known() -> None:
    vocabulary = Vocabulary()
    made = aligner("match:stages=exact+similar")
    first = vocabulary.column([["organisation"]])
    second = vocabulary.column([["organization"]])
    assert made.align(first, second, vocabulary).segment(0) == [(0, 0)]
    third = vocabulary.column([["Organisations", "--", "x"]])
    assert made.align(third, second, vocabulary).segment(0) == [(0, 0)]
    assert made.align(first, third, vocabulary).segment(0) == [(0, 0)]


def test_case_counts_where_it_is_kept() -> None:
    vocabulary = Vocabulary()
    first, second = vocabulary.column([["HOUSES"]]), vocabulary.column([["houses"]])
    found = [
        aligner(f"match:stages=similar,case={case}").align(first, second, vocabulary).segment(0)
        for case in ("fold", "keep")
    ]
    assert found == [[(0, 0)], []]


def test_forms_are_forgotten_with_their_vocabulary() -> None:
    before = len(similar_word._KEPT)
    assert similar("houses", "housed")
    assert len(similar_word._KEPT) == before


# Synonyms from plain files and from a small WordNet folder written for these tests.


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
