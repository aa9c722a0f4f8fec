"""Located order errors: kinds, places, costs and shares."""

import gzip
import json
from importlib.resources import files
from itertools import combinations
from itertools import permutations as all_orders
from math import fsum
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.links import LinkBatch
from kilter.results.explanation import (
    Direction,
    ErrorGrouping,
    ErrorKind,
    OrderErrors,
    SegmentErrors,
    WordState,
)
from kilter.run.explanation import order_errors as coarse_error
from kilter.run.explanation.order_errors import costed_metrics
from kilter.run.scoring.trees import Trees
from tests.published_data import FOLDER, needs_data
from tests.run.explanation_texts import located, located_with, put_right
from tests.strategies import permutations

LETTERS = [chr(code) for code in range(0x4E00, 0x4E00 + 60)]
"""Words that no stemmer changes."""


def one(hypothesis: str, reference: str, **options: object) -> SegmentErrors:
    return located([hypothesis], [reference], **options).segment(0)


def score_of(hypothesis: str, reference: str, metric: str) -> float:
    result = kilter.score([hypothesis], [reference], metrics=[metric], tokenize="none")
    score = result.system[metric].score
    assert score is not None
    return score


def said(found: SegmentErrors, hypothesis: str) -> list[tuple[str, str, str, int, int]]:
    words = hypothesis.split()
    return [
        (
            str(error.kind),
            " ".join(words[place] for place in error.words),
            str(error.direction),
            error.distance,
            error.belongs_before,
        )
        for error in found.errors
    ]


# What a reader calls out of order, and why the tool is to say the same.
WORKED = {
    "two neighbours changed places": (
        "the red big car stopped",
        "the big red car stopped",
        [("swap", "red big", "right", 1, 3)],
    ),
    "a verb stands at the end of its clause": (
        "I have the book read .",
        "I have read the book .",
        [("word", "read", "left", 2, 2)],
    ),
    "an adverb belongs to the end": (
        "yesterday he bought a car",
        "he bought a car yesterday",
        [("word", "yesterday", "right", 4, 5)],
    ),
    "a phrase was put first": (
        "in March the new shop opened its doors",
        "the new shop opened its doors in March",
        [("phrase", "in March", "right", 6, 8)],
    ),
    "two phrases changed places, and neither moved more than the other": (
        "on Monday in Rome it rained",
        "in Rome on Monday it rained",
        [("inversion", "on Monday in Rome", "left", 2, 0)],
    ),
    "subject and object changed places around a verb that stays": (
        "the mat sat on the cat",
        "the cat sat on the mat",
        [("word", "mat", "right", 4, 6), ("word", "cat", "left", 3, 2)],
    ),
    "a place is that of the right order, whatever else is out of place": (
        "a e d c b",
        "a b c d e",
        [("swap", "e d", "left", 1, 1), ("word", "c", "left", 2, 2), ("word", "b", "left", 3, 3)],
    ),
    "a word that belongs to the end passes over all that is misplaced too": (
        "Yesterday the man old saw in the park a dog .",
        "The old man saw a dog in the park yesterday .",
        [
            ("swap", "man old", "right", 1, 4),
            ("word", "Yesterday", "right", 9, 10),
            ("phrase", "a dog", "left", 3, 5),
        ],
    ),
    "each of three parts in reverse is told its final neighbour": (
        "x y z w e f g h",
        "e f g h w x y z",
        [("word", "w", "right", 4, 0), ("phrase", "x y z", "right", 5, 8)],
    ),
    "a phrase goes to the left though the word that follows it in the right order stands to its right": (
        "this morning the boy with him to school .",
        "the boy to school this morning with him .",
        [
            ("inversion", "this morning the boy", "left", 2, 6),
            ("phrase", "to school", "left", 4, 0),
        ],
    ),
    "words that are misplaced themselves and on the right side are not counted": (
        "this morning the boy went with him to school .",
        "the boy went to school this morning with him .",
        [
            ("inversion", "with him to school", "right", 2, 9),
            ("phrase", "this morning", "right", 5, 5),
        ],
    ),
    "nothing is out of order where words only differ": (
        "a bus takes people there",
        "a train brings people home",
        [],
    ),
}


@pytest.mark.parametrize("reason", WORKED)
def test_errors_are_what_a_reader_would_say(reason: str) -> None:
    hypothesis, reference, expected = WORKED[reason]
    assert said(one(hypothesis, reference), hypothesis) == expected


def test_words_without_link_are_never_an_order_error() -> None:
    found = one("he purchased car quickly a", "he bought a new car")
    assert [error.words for error in found.errors] == [(2, 4)]
    assert (found.unlinked, found.unlinked_reference) == ((1, 3), (1, 3))
    assert (found.added, found.missing) == ((), ())
    found = one("he really came", "he came back yesterday")
    assert (found.added, found.missing) == ((1,), (2, 3))
    assert (found.unlinked, found.unlinked_reference) == ((), ())


def test_a_span_holds_unlinked_words_between_linked_ones() -> None:
    found = one("w x q y a b c d e f", "a b c d e f w x y")
    (error,) = found.errors
    assert (error.words, error.span) == ((0, 1, 3), (0, 4))
    assert (error.direction, error.belongs_before) == (Direction.RIGHT, 10)


def test_equal_words_that_are_linked_crosswise_are_no_error() -> None:
    links = LinkBatch.of([[(0, 2), (1, 1), (2, 0)]])
    crossed = located(["the and The"], ["the and the"], links=links)
    assert crossed.counts.tolist() == [0]
    other = located(["one and two"], ["two and one"], links=links)
    assert other.counts.tolist() == [2]


def test_what_crosswise_links_of_equal_words_lose_is_told_apart() -> None:
    hypothesis, reference = "the mat sat on the cat", "the cat sat on the mat"
    found = one(hypothesis, reference)
    assert found.loss + found.crossed_loss == pytest.approx(
        1.0 - score_of(hypothesis, reference, "kendall")
    )
    assert found.crossed_loss == pytest.approx(5 / 15)
    assert one("b a", "a b").crossed_loss == 0.0


@given(st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=9))
def test_what_order_crossing_and_missing_words_lose_is_all_that_is_lost(words: list[str]) -> None:
    hypothesis, reference = " ".join(words), "a b c b a d e"
    found = one(hypothesis, reference)
    lost = found.loss + found.crossed_loss + found.missing_loss
    assert lost == pytest.approx(1.0 - score_of(hypothesis, reference, "kendall"), abs=1e-12)
    bare = one(hypothesis, reference, metrics=["kendall:penalty=false"])
    assert (bare.missing_loss, bare.metric) == (0.0, "kendall:penalty=false")


def test_patterns_in_which_no_block_moves_alone_are_complex() -> None:
    order = [4, 1, 6, 3, 0, 7, 2, 5]
    words = LETTERS[: len(order)]
    found = one(" ".join(words[place] for place in order), " ".join(words))
    kinds = {error.kind for error in found.errors}
    assert ErrorKind.COMPLEX in kinds
    nested = [3, 2, 1, 0, 5, 4]
    found = one(" ".join(words[place] for place in nested), " ".join(words[:6]))
    assert ErrorKind.COMPLEX not in {error.kind for error in found.errors}


@pytest.mark.parametrize(
    ("sizes", "kind", "marked"),
    [
        ((1, 1), "swap", 2),
        ((1, 2), "word", 1),
        ((2, 2), "inversion", 4),
        ((2, 3), "phrase", 2),  # 3 is one and a half times 2
        ((3, 4), "inversion", 7),
        ((4, 3), "inversion", 7),
        ((4, 6), "phrase", 4),
        ((4, 5), "inversion", 9),
        ((2, 4), "phrase", 2),
    ],
)
def test_blocks_are_inverted_where_neither_is_clearly_the_smaller(
    sizes: tuple[int, int], kind: str, marked: int
) -> None:
    left, right = LETTERS[: sizes[0]], LETTERS[10 : 10 + sizes[1]]
    (error,) = one(" ".join(left + right), " ".join(right + left)).errors
    assert (str(error.kind), len(error.words)) == (kind, marked)
    assert len(error.moved) == min(sizes)


def test_a_tree_says_which_of_two_blocks_moved() -> None:
    # The first three words are a whole subtree, the others are none without them; those have fewer letters.
    words = ["in", "beautiful", "Switzerland", "it", "often", "rains"]
    tree = DependencyTree(
        words,
        heads=[2, 2, 5, 5, 5, -1],
        labels=["case", "amod", "obl", "nsubj", "advmod", "root"],
        tags=["ADP", "ADJ", "PROPN", "PRON", "ADV", "VERB"],
    )
    hypothesis, reference = " ".join(words), "it often rains in beautiful Switzerland"
    (error,) = one(hypothesis, reference).errors
    assert (error.kind, error.moved) == (ErrorKind.INVERSION, (3, 4, 5))
    trees = Trees(systems=(DependencyTreeColumn.of([tree]),))
    (error,) = one(hypothesis, reference, trees=trees).errors
    assert (error.kind, error.words) == (ErrorKind.PHRASE, (0, 1, 2))
    assert error.direction is Direction.RIGHT


def test_a_cost_is_what_the_metric_gains_when_the_error_alone_is_repaired() -> None:
    hypothesis, reference = "d b c a f e", "a b c d e f"
    found = one(hypothesis, reference, metrics=["pef", "kendall:penalty=false"])
    order = ["abcdef".index(word) for word in hypothesis.split()]
    moved = [place for error in found.errors for place in error.moved]
    for error in found.errors:
        put = put_right(order, error.moved, moved)
        repaired = " ".join("abcdef"[rank] for rank in put)
        for name, cost in error.cost.items():
            gain = score_of(repaired, reference, name) - score_of(hypothesis, reference, name)
            assert cost == pytest.approx(gain, abs=1e-12), (error, name)
    assert [*found.errors[0].cost] == ["pef", "kendall:penalty=false"]


@given(st.lists(permutations(max_size=16), min_size=1, max_size=8))
def test_what_is_told_of_an_error_is_true_in_the_right_order(orders: list[list[int]]) -> None:
    check_places(orders)


def test_what_is_told_of_an_error_is_true_of_every_order_of_six_words() -> None:
    check_places([[*order] for size in range(2, 7) for order in all_orders(range(size))])


def check_places(orders: list[list[int]]) -> None:
    """Check places, ways, costs and shares of errors by moving the words by hand."""
    found = located(
        [" ".join(LETTERS[word] for word in order) for order in orders],
        [" ".join(LETTERS[: len(order)]) for order in orders],
        metrics=["kendall:penalty=false"],
    )
    for order, states in zip(orders, found, strict=True):
        named = [place for error in states.errors for place in error.words]
        assert len(named) == len(set(named))
        moved = [place for error in states.errors for place in error.moved]
        assert not states.errors or fsum(error.share for error in states.errors) == pytest.approx(1)
        for error in states.errors:
            follows = 1 + max(order[place] for place in error.moved)
            assert [*order, len(order)][error.belongs_before] == follows
            ranks = sorted(order[place] for place in error.moved)
            if error.kind is ErrorKind.COMPLEX or ranks[-1] - ranks[0] >= len(ranks):
                continue  # words that go apart: the longest of their ways
            put, own = put_right(order, error.moved, moved), order[error.moved[0]]
            righted = sum(
                (word > own) == (put.index(word) > put.index(own)) != (order.index(word) > order.index(own))
                for word in order
            )  # fmt: skip
            # It may stand among those that stay as it should, or pass over words in its order alone.
            if righted:
                right = put.index(own) > error.moved[0]
                assert (error.distance, error.direction) == (righted, Direction(int(right)))
            else:
                assert error.cost["kendall:penalty=false"] < 1e-12
        for error in states.errors:
            gain = concordance(put_right(order, error.moved, moved)) - concordance(order)
            assert error.cost["kendall:penalty=false"] == pytest.approx(gain, abs=1e-12)


def concordance(order: list[int]) -> float:
    pairs = [*combinations(order, 2)]
    return sum(one < two for one, two in pairs) / len(pairs)


def test_what_an_error_costs_does_not_depend_on_where_other_misplaced_words_stand() -> None:
    # Both belong before the three words that stay. Before "d", where that stands, "c" would gain one pair only.
    found = one("e f g d c", "c d e f g", metrics=["kendall"])
    costs = {error.moved: error.cost["kendall"] for error in found.errors}
    assert costs == {(3,): pytest.approx(3 / 10), (4,): pytest.approx(4 / 10)}


def test_moves_that_share_words_are_one_error() -> None:
    order = [4, 3, 2, 1, 0, 5, 7, 6]
    words = LETTERS[: len(order)]
    found = one(" ".join(words[place] for place in order), " ".join(words))
    assert found.moves > len(found.errors)
    tangle, swap = found.errors
    assert (tangle.kind, tangle.words, tangle.moved) == (ErrorKind.COMPLEX, *2 * [(0, 1, 2, 3)])
    assert (swap.kind, swap.words) == (ErrorKind.SWAP, (6, 7))
    assert not found.coarse


SIX = [[*order] for order in all_orders(range(6))]


def six_words() -> OrderErrors:
    texts = [" ".join(LETTERS[word] for word in order) for order in SIX]
    return located(texts, len(SIX) * [" ".join(LETTERS[:6])])


def test_no_order_of_six_words_has_a_negative_share(monkeypatch: pytest.MonkeyPatch) -> None:
    found = six_words()
    assert found.shares.min() > -1e-12
    monkeypatch.setattr("kilter.run.explanation.order_errors.ROUNDING", np.inf)
    single = six_words()
    negative = {*single.segments()[single.shares < -1e-12].tolist()}
    assert negative
    assert {*found.segments()[np.abs(found.shares - single.shares) > 1e-12].tolist()} <= negative


def test_where_no_order_of_repairs_will_do_a_share_is_the_mean_over_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "kilter.run.explanation.order_errors._backward_gains",
        lambda *given: np.full(len(given[-1]), -1.0),
    )
    monkeypatch.setattr("kilter.run.explanation.order_errors.ROUNDING", -1.0)
    found = six_words()
    for segment in np.flatnonzero(found.counts == 3)[::9].tolist():
        begin, end = found.offsets[segment : segment + 2].tolist()
        order, means = SIX[segment], np.zeros(end - begin)
        errors = [error.moved for error in found.segment(segment).errors]
        moved = [place for error in errors for place in error]
        for turns in all_orders(range(end - begin)):
            goes: list[int] = []
            for turn in turns:
                before = concordance(put_right(order, goes, moved))
                goes += errors[turn]
                means[turn] += concordance(put_right(order, goes, moved)) - before
        assert found.shares[begin:end] == pytest.approx(means / means.sum(), abs=1e-12)


def test_the_loss_is_that_of_the_first_metric_with_its_penalty() -> None:
    hypothesis, reference = "b a", "a b c d"
    found = located([hypothesis], [reference])
    loss = score_of("a b", reference, "kendall") - score_of(hypothesis, reference, "kendall")
    assert found.losses[0] == pytest.approx(loss)
    assert found.error(0).cost["kendall"] == pytest.approx(loss)


@given(st.lists(permutations(max_size=14), min_size=1, max_size=3), st.data())
def test_repairing_all_errors_restores_the_order_and_shares_add_up(
    orders: list[list[int]], data: st.DataObject
) -> None:
    kept = [data.draw(st.sets(st.sampled_from(range(14)))) for _ in orders]
    hypotheses = [
        " ".join([*(LETTERS[word] for word in order if word not in out), "extra"])
        for order, out in zip(orders, kept, strict=True)
    ]
    references = [" ".join([*LETTERS[: len(order)], "other"]) for order in orders]
    found = located(hypotheses, references)
    for segment, states in enumerate(found):
        *_, last = found.moves.replay(segment)
        assert list(last) == list(range(len(last)))
        assert states.lower <= states.moves
        assert bool(states.errors) == bool(states.moves)
        assert len(states.errors) <= states.moves
        named = [place for error in states.errors for place in error.words]
        assert len(named) == len(set(named))
        if states.errors:
            assert fsum(error.share for error in states.errors) == pytest.approx(1.0, abs=1e-12)
            assert states.loss > 0
        words = hypotheses[segment].split()
        for error in states.errors:
            assert list(error.words) == sorted(set(error.words))
            assert set(error.moved) <= set(error.words)
            assert 0 <= error.belongs_before <= len(words)
            assert all(words[place] != "extra" for place in error.words)
            assert error.kind is not ErrorKind.SWAP or len(error.words) == 2
        every = [*states.added, *states.unlinked]
        assert [words[place] for place in every] == ["extra"]


def test_the_best_of_several_references_says_what_is_out_of_order() -> None:
    found = located(["b a c", "c a b"], [["a b c", "b a c"], ["c b a", "a b c"]])
    assert found.references.tolist() == [1, 0]
    assert found.counts.tolist() == [0, 1]
    assert found.segment(1).errors[0].words == (1, 2)


def test_a_rule_that_places_words_without_link_moves_them_along() -> None:
    links = LinkBatch.of([[(0, 1), (2, 0)]])
    found = located(["a x b"], ["b a"], links=links, rule="birch")
    assert (found.error(0).words, found.error(0).distance) == ((2,), 2)
    assert found.segment(0).added == (1,)
    assert located(["a x b"], ["b a"], links=links).error(0).words == (0, 2)


def test_segments_without_words_have_no_errors() -> None:
    found = located(["", "a", "b a"], ["a", "", "a b"])
    assert found.counts.tolist() == [0, 0, 1]
    assert found.segment(0).missing == (0,)
    assert found.segment(1).added == (0,)
    assert found.hypothesis_states.tolist() == [WordState.ADDED, *2 * [WordState.LINKED]]


def test_metrics_that_know_no_order_of_links_have_no_cost() -> None:
    chosen = costed_metrics({"bleu": kilter.metric("bleu"), "pef": kilter.metric("pef")})
    assert [*chosen] == ["pef"]
    assert [*costed_metrics({"bleu": kilter.metric("bleu")})] == ["order"]
    both = {"kendall": kilter.metric("kendall"), "order": kilter.metric("order")}
    assert [*costed_metrics(both)] == ["order", "kendall"]


def test_long_batches_are_repaired_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    hypotheses = ["b a c", "c b a", "d c a b"]
    references = ["a b c", "a b c", "a b c d"]
    whole = located(hypotheses, references)
    monkeypatch.setattr("kilter.run.explanation.order_errors.CHUNK", 4)
    parts = located(hypotheses, references)
    assert np.array_equal(whole.costs, parts.costs)


SAMPLE = {
    # What the systems of the bundled sample do wrong, as a reader of the sentence would say it.
    ("local", 1, "noun before its adjective, twice"): [
        ("swap", "council city"),
        ("swap", "budget new"),
    ],
    ("local", 2, "preposition behind its noun, not behind the verb, article behind its noun"): [
        ("swap", "Hamburg to"),
        ("swap", "leave not"),
        ("swap", "storm a"),
    ],
    ("local", 6, "adverb before the participle, and two pairs in German order"): [
        ("swap", "sharply risen"),
        ("swap", "customers many"),
        ("swap", "buy still"),
    ],
    ("local", 14, "adjective behind its noun"): [("swap", "village small")],
    ("verb", 1, "the participle ends the sentence; `has` has no counterpart"): [
        ("word", "approved")
    ],
    ("verb", 3, "verbs end both clauses"): [("word", "call"), ("word", "go")],
    ("verb", 4, "verbs end both clauses, and the time stands before the object"): [
        ("word", "lives"),
        ("word", "opened"),
        ("phrase", "last week"),
    ],
    ("verb", 7, "the infinitive ends the question"): [("word", "close")],
    ("verb", 8, "verb second, and the participle at the end"): [
        ("swap", "was nobody"),
        ("phrase", "seriously injured"),
    ],
    ("phrase", 1, "the phrase at the beginning belongs to the end, the adverb to the beginning"): [
        ("word", "yesterday"),
        ("phrase", "After a long debate"),
    ],
    ("phrase", 3, "two clauses of six words changed places: neither is the one that moved"): [
        ("inversion", "Before I go to the office I will call you tomorrow morning")
    ],
    ("phrase", 11, "two phrases stand elsewhere"): [
        ("phrase", "from Friday"),
        ("phrase", "from Leipzig"),
    ],
    ("phrase", 13, "two phrases belong to the end"): [
        ("phrase", "On Tuesday"),
        ("phrase", "on the allegations"),
    ],
}


@pytest.mark.parametrize("place", SAMPLE)
def test_errors_of_the_sample_are_what_a_reader_would_say(place: tuple[str, int, str]) -> None:
    system, segment, _ = place
    lines = sample_lines(system), sample_lines("reference")
    found, evaluation = located_with(*lines, tokenize="13a")
    words = evaluation.vocabulary.text(evaluation.hypothesis.tokens, segment - 1)
    said_here = [
        (str(error.kind), " ".join(words[place] for place in error.words))
        for error in found.segment(segment - 1).errors
    ]
    assert said_here == SAMPLE[place]


def test_other_words_in_the_same_order_are_no_order_error() -> None:
    found = located(sample_lines("lexical"), sample_lines("reference"), tokenize="13a")
    assert found.counts.sum() == 0


@needs_data("demetr")
def test_on_demetr_swaps_are_found_where_they_are_and_other_words_are_no_order_error() -> None:
    rows = demetr("minor_id14_word_swap")
    changed = [row["pert_sent"] for row in rows]
    found, evaluation = located_with(changed, [row["mt_sent"] for row in rows], tokenize="13a")
    lowered = evaluation.vocabulary.lowercase()
    hits = 0
    for segment, errors in enumerate(found):
        words, others = (
            lowered[text.tokens[segment]]
            for text in (evaluation.hypothesis, evaluation.references[0])
        )
        if len(words) == len(others):
            swapped = np.flatnonzero(words != others)
            named = {place for error in errors.errors for place in error.words}
            hits += bool(named) and swapped[0] <= min(named) and max(named) <= swapped[-1]
    assert hits >= 0.95 * len(rows)
    rows = demetr("critical_id7_antonym")
    changed = [row["pert_sent"] for row in rows]
    found = located(changed, [row["mt_sent"] for row in rows], tokenize="13a")
    assert (found.counts == 0).sum() >= 0.95 * len(rows)


def demetr(name: str) -> list[dict[str, str]]:
    with gzip.open(FOLDER / "demetr" / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        rows: list[dict[str, str]] = json.load(file)
    return rows


def sample_lines(name: str) -> list[str]:
    folder = files("kilter") / "sample"
    return (folder / f"{name}.en").read_text(encoding="utf-8").splitlines()


# Lines in which too much is out of order to locate every move.


HYPOTHESES = ["b a c", "a e d c b f x", "c a b", "a b"]
REFERENCES = ["a b c", "y a b c d e f", "a b c", "a b"]
METRICS = ["ulam", "kendall"]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let six words with three moves be too much, and three words with one not."""
    monkeypatch.setattr(coarse_error, "MOST", 11)


def errors() -> OrderErrors:
    return located(HYPOTHESES, REFERENCES, metrics=METRICS)


@pytest.mark.usefixtures("few")
def test_one_error_holds_all_words_that_are_out_of_place() -> None:
    found = errors()
    assert found.coarse_segments().tolist() == [1]
    segment = found.segment(1)
    assert segment.coarse
    (error,) = segment.errors
    assert error.kind is ErrorKind.COMPLEX
    assert error.words == error.moved == (1, 2, 3, 4)
    assert (error.distance, error.belongs_before, error.share) == (3, 1, 1.0)
    assert (segment.moves, segment.lower) == (3, 3)
    assert (segment.added, segment.missing) == ((6,), (0,))


@pytest.mark.usefixtures("few")
def test_a_coarse_error_costs_all_that_is_lost() -> None:
    found = errors().segment(1)
    scores = kilter.score(HYPOTHESES[1:2], REFERENCES[1:2], metrics=METRICS, tokenize="none")
    best = kilter.score(["a b c d e f x"], REFERENCES[1:2], metrics=METRICS, tokenize="none")
    for name in METRICS:
        reached, has = best.system[name].score, scores.system[name].score
        assert reached is not None
        assert has is not None
        lost = reached - has
        assert found.errors[0].cost[name] == pytest.approx(lost)
    assert found.loss == pytest.approx(found.errors[0].cost["ulam"])


def test_other_segments_are_as_they_would_be(monkeypatch: pytest.MonkeyPatch) -> None:
    fine = errors()
    monkeypatch.setattr(coarse_error, "MOST", 11)
    coarse = errors()
    for segment in (0, 2, 3):
        assert coarse.segment(segment) == fine.segment(segment)
    assert np.array_equal(coarse.moves.moves, fine.moves.moves)
    assert fine.segment(1).moves == coarse.segment(1).moves == len(fine.segment(1).errors)


@pytest.mark.usefixtures("few")
def test_people_are_told_by_which_rule() -> None:
    note = "3 moves of 6 linked words restore the order; these are too many to locate each"
    (found,) = kilter.order_errors(HYPOTHESES, REFERENCES, metrics=METRICS)
    (told,) = found.notes
    assert told.startswith(f"system, segment 2: {note}")
    assert "words times moves are more than 11" in told
    (shown,) = kilter.explain_segments(HYPOTHESES, REFERENCES, segments=2, metrics=METRICS)
    assert any(each.startswith(note) for each in shown.notes)
    assert shown.repair[-1].words == (0, 4, 3, 2, 1, 5)
    report = kilter.report(HYPOTHESES, REFERENCES, metrics=METRICS)
    assert told in report.notes


@pytest.mark.usefixtures("few")
def test_spans_tags_and_sums_have_the_coarse_error() -> None:
    (found,) = kilter.order_errors(HYPOTHESES, REFERENCES, metrics=METRICS)
    tags = [*found.tags()]
    assert tags[1] == "OK ORDER-COMPLEX ORDER-COMPLEX ORDER-COMPLEX ORDER-COMPLEX OK OK"
    (span,) = [*found.spans()][1]["error_spans"]
    assert (span["start_i"], span["end_i"], span["category"]) == (2, 9, "order/complex")
    groups = {group.name: group.errors for group in found.summary.groups[ErrorGrouping.KIND]}
    assert groups == {"complex": 1, "swap": 1, "word": 1}


def test_a_line_of_a_hundred_thousand_words_in_disorder_is_done_in_time() -> None:
    words = [f"w{number}" for number in range(100_000)]
    mixed = words.copy()
    Random(1).shuffle(mixed)
    found = located([" ".join(mixed), "b a"], [" ".join(words), "a b"])
    assert found.coarse_segments().tolist() == [0]
    (error,) = found.segment(0).errors
    assert error.cost["kendall"] == pytest.approx(0.5, abs=0.01)
    assert found.segment(1).errors[0].kind is ErrorKind.SWAP


def test_words_belong_before_one_that_stays_where_the_error_of_another_is_left_out() -> None:
    chance = Random(7)
    orders = [chance.sample(LETTERS[:12], 12) for _ in range(200)]
    errors = located([" ".join(order) for order in orders], [" ".join(LETTERS[:12])] * len(orders))
    moved = [{*errors.error(row).moved} for row in range(len(errors.kinds))]
    owners, seen = errors.segments(), 0
    for row, owner in enumerate(owners.tolist()):
        before = errors.error(row).belongs_before
        for other in np.flatnonzero(owners == owner).tolist():
            if other == row or before not in moved[other]:
                continue
            wanted = np.arange(len(moved)) != other
            kept = errors.where(wanted).error(row - (other < row))
            assert kept.belongs_before not in moved[other]
            assert kept.belongs_before == errors.stays_before[row]
            seen += 1
    assert seen > 20
    assert errors.where(np.ones(len(moved), dtype=bool)) is errors
