"""The match aligner: stages, case, rules, and what it says about wrong options and files."""

from pathlib import Path

import pytest

from kilter.aligners import word_key
from kilter.aligners.match import Match
from kilter.aligners.registry import ALIGNERS, aligner
from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError, OptionError
from kilter.core.links import Link, LinkBatch


def align(specification: str, *pairs: tuple[str, str], jobs: int = 1) -> LinkBatch:
    vocabulary = Vocabulary()
    first = vocabulary.column([pair[0].split() for pair in pairs])
    second = vocabulary.column([pair[1].split() for pair in pairs])
    return aligner(specification).align(first, second, vocabulary, jobs=jobs)


def links(specification: str, first: str, second: str) -> list[Link]:
    return align(specification, (first, second)).segment(0)


def test_the_example_of_the_thesis_is_linked_by_words_then_stems() -> None:
    first, second = "the mat had sat on the cat", "cats had sat on a mat"
    assert links("match:stages=exact", first, second) == [(1, 5), (2, 1), (3, 2), (4, 3)]
    assert links("match", first, second) == [(1, 5), (2, 1), (3, 2), (4, 3), (6, 0)]


def test_words_match_in_any_case_unless_they_are_to_keep_it() -> None:
    assert links("match", "The Straße", "STRASSE the") == [(0, 1), (1, 0)]
    assert links("match:case=keep,stages=exact", "The cat", "the cat") == [(1, 1)]


def test_stems_are_those_of_the_language() -> None:
    assert links("match:language=de", "die Häuser", "das Haus") == [(1, 1)]
    assert links("match:language=none", "the cats", "the cat") == [(0, 0)]
    assert links("match:stages=stem", "the cats", "the cat") == [(0, 0), (1, 1)]


def test_a_stem_does_not_take_a_word_that_an_equal_one_needs() -> None:
    assert links("match", "cats cat", "cat") == [(1, 0)]


def test_synonyms_come_last_and_may_share_any_group(tmp_path: Path) -> None:
    path = tmp_path / "groups"
    path.write_text("car Auto\tautomobile\nauto automatic\n", encoding="utf-8")
    specification = f"match:stages=exact+stem+synonym,synonyms={path}"
    assert links(specification, "the Car", "an auto") == [(1, 1)]
    assert links(specification, "car", "automatic") == []
    # Both words find a partner only if auto goes to automatic.
    assert links(specification, "auto car", "automobile automatic") == [(0, 1), (1, 0)]


def test_a_changed_synonym_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "groups"
    path.write_text("car auto\n", encoding="utf-8")
    specification = f"match:stages=exact+synonym,synonyms={path}"
    assert links(specification, "car", "auto") == [(0, 0)]
    path.write_text("car automobile\n", encoding="utf-8")
    assert links(specification, "car", "auto") == []


def test_rules_differ_where_fewest_chunks_cross_more() -> None:
    first, second = "a b c a", "x a c b a b"
    chunks, crossings = (
        links(f"match:rule={rule}", first, second) for rule in ("chunks", "crossings")
    )
    assert chunks == [(0, 4), (1, 5), (2, 2), (3, 1)]
    assert crossings == [(0, 1), (1, 3), (2, 2), (3, 4)]


def test_jobs_change_nothing_and_empty_segments_have_no_links() -> None:
    pairs = [("a b a", "b a b"), ("", "a"), ("the cats sat", "cat the sits"), ("", "")] * 5
    one, three = align("match", *pairs), align("match", *pairs, jobs=3)
    assert [one.segment(k) for k in range(20)] == [three.segment(k) for k in range(20)]
    assert one.segment(1) == one.segment(3) == []
    assert one.bounded == ()


def test_no_segment_at_all_is_no_link_at_all() -> None:
    assert len(align("match")) == 0


def test_a_segment_beyond_the_bound_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kilter.aligners.match.SEARCH_BOUND", 0)
    found = align("match", ("a", "a"), ("a b a b b", "b a b b a"), ("b", "b"))
    assert found.bounded == (1,)
    assert found.counts.tolist() == [1, 5, 1]


def test_links_make_permutations() -> None:
    batch = align("match", ("on the mat sat the cat", "the cat sat on the mat")).permutations()
    assert batch[0].tolist() == [3, 4, 5, 2, 0, 1]


def test_each_form_is_stemmed_once_for_a_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    stemmed: list[str] = []

    def stems(forms: list[str]) -> list[str]:
        stemmed.extend(forms)
        return [form[:2] for form in forms]

    monkeypatch.setattr("kilter.aligners.match.stemmer", lambda _: stems)
    vocabulary = Vocabulary()
    first = vocabulary.column([["Cats", "cats", "on"], ["dogs"]])
    second = vocabulary.column([["cat", "on"], ["dog"]])
    for _ in range(2):
        Match().align(first, second, vocabulary)
    assert sorted(stemmed) == ["cat", "cats", "dog", "dogs"]
    # The vocabulary has grown; what was known stays.
    third = vocabulary.column([["catty"], ["dogs"]])
    assert Match().align(first, third, vocabulary).counts.tolist() == [1, 1]
    assert sorted(stemmed) == ["cat", "cats", "catty", "dog", "dogs", "on"]


def test_keys_are_forgotten_with_their_vocabulary() -> None:
    before = len(word_key._KEPT)
    align("match", ("a", "b"))
    assert len(word_key._KEPT) == before


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        ("match:stages=stem+exact", "in this order"),
        ("match:stages=exact+exact", "each once"),
        ("match:stages=", "exact, stem, synonym"),
        ("match:stages=exact+paraphrase", "exact, stem, synonym"),
        ("match:language=xx", "no stemmer for language 'xx'"),
        ("match:stages=exact+synonym", "synonyms=/usr/share/wordnet"),
        ("match:synonyms=groups", "go together"),
        ("match:case=upper", "it can be fold, keep"),
        ("match:rule=best", "it can be balanced, chunks, crossings"),
    ],
)
def test_wrong_options_say_what_would_be_right(specification: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        aligner(specification)


def test_texts_of_different_length_are_refused() -> None:
    vocabulary = Vocabulary()
    column = vocabulary.column([["a"]])
    for name in ("match", "ribes"):
        with pytest.raises(InputError, match="1 and 0 segments"):
            aligner(name).align(column, vocabulary.column([]), vocabulary)


def test_the_signature_names_every_option() -> None:
    assert aligner("match").signature() == (
        "match(stages:exact+stem,language:en,synonyms:,case:fold,rule:balanced)"
    )
    assert aligner("match:rule=crossings").specification() == "match:rule=crossings"


def test_the_monolingual_aligners_are_registered() -> None:
    assert {"match", "ribes", "embedding"} <= set(ALIGNERS.names())
    for name in ("match", "ribes", "embedding"):
        found = ALIGNERS.find(name)
        assert found.name == name
        assert found.monolingual
        assert found.summary


def test_a_missing_file_of_synonyms_is_told_also_where_every_word_is_linked(tmp_path: Path) -> None:
    vocabulary = Vocabulary()
    column = vocabulary.column([["a", "b"]])
    found = Match(stages="exact+synonym", synonyms=str(tmp_path / "absent"))
    with pytest.raises(InputError, match="absent: cannot be opened"):
        found.align(column, column, vocabulary)


def test_a_segment_beyond_the_bound_in_an_early_stage_stays_named_after_later_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The stems of the second segment need no search, and its words need one.
    monkeypatch.setattr("kilter.aligners.match.SEARCH_BOUND", 0)
    pairs = ("cat", "cats"), ("a b a b b dog", "b a b b a dogs"), ("b", "b")
    assert align("match:stages=exact", *pairs).bounded == (1,)
    found = align("match", *pairs)
    assert found.bounded == (1,)
    assert found.counts.tolist() == [1, 6, 1]


def test_segments_beyond_the_bound_in_different_stages_are_all_named_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kilter.aligners.match.SEARCH_BOUND", 0)
    stems = "cat dog cat dog dog", "dogs cats dogs dogs cats"
    found = align("match", stems, ("a", "a"), ("a b a b b", "b a b b a"))
    assert found.bounded == (0, 2)
