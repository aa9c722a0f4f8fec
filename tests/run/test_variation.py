"""Variation of translations: measures, laws, tables of TPR-DB."""

from itertools import permutations
from pathlib import Path

import pytest

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.render.table.segment_file import write_segments
from kilter.run.variation import read_translations
from tests.oracles import variation as oracle

SOURCE = ["he has read the book", "yes"]
TEXTS = {
    "close": ["er hat gelesen das Buch", "ja"],
    "usual": ["er hat das Buch gelesen", "ja"],
    "free": ["das Buch ist gelesen", "doch"],
}
LINKS = {
    "close": [[(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)], [(0, 0)]],
    "usual": [[(0, 0), (1, 1), (2, 4), (3, 2), (4, 3)], [(0, 0)]],
    "free": [[(1, 2), (2, 3), (3, 0), (4, 1)], []],
}
FEW = kilter.Resampling(resamples=40)


def translations() -> dict[str, kilter.Translation]:
    return {
        name: kilter.Translation.of(TEXTS[name], SOURCE, kilter.LinkBatch.of(LINKS[name]))
        for name in TEXTS
    }


def test_measures_of_translations() -> None:
    found = kilter.variation(translations(), resampling=FEW)
    assert (found.segments, found.words) == (2, 6)
    close, usual, free = (found.systems[name] for name in TEXTS)
    assert (close["literality"].value, close["cross"].value, close["crossings"].value) == (1, 1, 0)
    # "he", "has", "the"? no: gelesen +3, das -2, Buch 1, ja 1.
    assert usual["literality"].value == pytest.approx(4 / 6)
    assert usual["cross"].value == pytest.approx((1 + 1 + 3 + 2 + 1 + 1) / 6)
    assert usual["crossings"].value == pytest.approx(2 / 10)
    assert free["unaligned"].value == pytest.approx(2 / 6)
    assert free["sacr"].value is None
    assert close["same words"].value == pytest.approx((6 + 3) / 12)
    assert close["same order"].value == pytest.approx((4 + 2) / 12)
    pair = found.pairs[0]
    assert (pair.first, pair.second) == ("close", "usual")
    assert pair.same_words.value == 1.0
    assert pair.same_order.value == pytest.approx(4 / 6)
    renderings = [
        ["er", "er", "---"],
        ["hat", "hat", "ist"],
        ["gelesen"] * 3,
        ["das"] * 3,
        ["Buch"] * 3,
        ["ja", "ja", "---"],
    ]
    expected = sum(map(oracle.entropy, renderings)) / 6
    assert found.measures["HTra"].value == pytest.approx(expected)
    assert found.measures["AltT"].value == pytest.approx(9 / 6)


def test_what_people_share_is_the_ceiling() -> None:
    found = kilter.variation(translations(), people=["close", "usual"], resampling=FEW)
    assert list(found.agreement) == ["people", "free"]
    shared = {name: each["same words"].value for name, each in found.agreement.items()}
    assert shared == {"people": 1.0, "free": pytest.approx((3 + 3) / 12)}
    assert found.agreement["people"]["same order"].value == pytest.approx(4 / 6)
    assert kilter.variation(translations(), resampling=FEW).agreement == {}
    for people in (["close"], ["close", "nobody"], ["close", "close"]):
        with pytest.raises(OptionError, match="name two or more of: close, usual, free"):
            kilter.variation(translations(), people=people)


def test_law_equal_translations_have_no_entropy() -> None:
    one = translations()["usual"]
    found = kilter.variation({"a": one, "b": one, "c": one}, resampling=FEW)
    assert found.measures["HTra"].triple == (0, 0, 0)
    assert found.measures["HCross"].triple == (0, 0, 0)
    assert {pair.same_words.value for pair in found.pairs} == {1.0}
    assert {each.difference.value for each in found.differences} == {0.0}


def test_law_the_order_of_translators_does_not_matter() -> None:
    given = translations()
    first = kilter.variation(given, resampling=FEW)
    for order in permutations(given):
        again = kilter.variation({name: given[name] for name in order}, resampling=FEW)
        assert again.measures == first.measures
        assert again.systems == {name: first.systems[name] for name in order}


def test_trees_give_constructions_and_syntactic_crossings() -> None:
    tree = kilter.DependencyTree(
        SOURCE[0].split(), [2, 2, -1, 4, 2], labels=["nsubj", "aux", "root", "det", "obj"]
    )
    yes = kilter.DependencyTree(["yes"], [-1], labels=["root"])
    trees = kilter.DependencyTreeColumn.of([tree, yes])
    target = kilter.DependencyTreeColumn.of(
        [
            kilter.DependencyTree(TEXTS["usual"][0].split(), [4, 4, 3, 4, -1]),
            kilter.DependencyTree(["ja"], [-1]),
        ]
    )
    usual = kilter.Translation.of(
        TEXTS["usual"], SOURCE, kilter.LinkBatch.of(LINKS["usual"]), trees=(trees, target)
    )
    # gelesen crosses "das Buch", which is one group.
    assert usual.sacr == (1, 0)
    found = kilter.variation(translations() | {"usual": usual}, trees=trees, resampling=FEW)
    assert found.systems["usual"]["sacr"].value == 0.5
    root = next(each for each in found.constructions if each.name == "root")
    assert (root.by, root.words) == ("relation", 2)
    assert root.measures["unaligned"].value == pytest.approx((0 + 1 / 3) / 2)
    with pytest.raises(InputError, match="the tree of segment 1 has 1 word, but the text has 5"):
        kilter.variation(translations(), trees=kilter.DependencyTreeColumn.of([yes, yes]))


def test_a_table_of_tpr_db_is_read_as_it_is_written(tmp_path: Path) -> None:
    found = kilter.variation(translations(), resampling=FEW)
    path = tmp_path / "words.tsv"
    write_segments(found.word_table(), str(path))
    again = kilter.variation(kilter.read_translations(str(path)), resampling=FEW)
    assert again.measures == found.measures
    for name, measures in found.systems.items():
        for measure in ("literality", "cross", "unaligned", "same words", "same order"):
            assert again.systems[name][measure] == measures[measure]
    assert again.systems["free"]["crossings"].value is None
    lone = tmp_path / "P01_T1.tsv"
    lone.write_text("Id\tSToken\tTGroup\tCross\n1\tyes\tja\t1\n2\t.\t---\t0\n", encoding="utf-8")
    (one,) = read_translations(str(lone), name="P01_T1").values()
    assert [each.alone for each in one.segments[0]] == [True, False]


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    given = translations()
    with pytest.raises(OptionError, match="there is nothing to compare"):
        kilter.variation({})
    other = kilter.Translation.of(["a"], ["b"], kilter.LinkBatch.of([[]]))
    with pytest.raises(InputError, match="b: has 1 segment, but a has 2"):
        kilter.variation({"a": given["free"], "b": other})
    other = kilter.Translation.of(["a", "b"], ["b", "yes"], kilter.LinkBatch.of([[], []]))
    with pytest.raises(InputError, match="has other source words in segment 1 than a"):
        kilter.variation({"a": given["free"], "b": other})
    with pytest.raises(
        InputError, match="has 1 segment, but the source has 2 and the links have 1"
    ):
        kilter.Translation.of(["a"], SOURCE, kilter.LinkBatch.of([[]]))
    path = tmp_path / "table.tsv"
    path.write_text("a\tb\n1\t2\n", encoding="utf-8")
    with pytest.raises(InputError, match="is not a table of source tokens of TPR-DB"):
        kilter.read_translations(str(path))
    path.write_text("SToken\tTGroup\tCross\na\tb\tx\n", encoding="utf-8")
    with pytest.raises(InputError, match="cross is 'x'"):
        kilter.read_translations(str(path))
