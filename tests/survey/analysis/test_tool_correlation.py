"""Correlations of judgments with tools: values, stars, intervals, subgroups, external tools."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from kilter.statistics.correlation import spearman
from kilter.statistics.resampling import Resampling, bootstrap_indices
from kilter.statistics.significance import holm
from kilter.statistics.student import correlation_p
from kilter.statistics.undefined import Undefined
from kilter.survey.analysis.adjustment import adjust
from kilter.survey.analysis.external_tool import external_correlations
from kilter.survey.analysis.hypothesis_table import hypothesis_table
from kilter.survey.analysis.judged_correlation import Correlation
from kilter.survey.analysis.judgment_study import (
    JudgedSentence,
    JudgmentStudy,
    SentenceGroup,
)
from kilter.survey.analysis.subgroup import Split, published_splits, split_by
from kilter.survey.analysis.tool_correlation import ToolCorrelation, tool_correlations
from kilter.survey.design.study import ItemKind
from tests.oracles import meta as oracle
from tests.survey.analysis.studies import crossed, permutation, scores, study, translation


def made(*, people: int = 6, translations: int = 20, seed: int = 1) -> JudgmentStudy:
    """Return a study whose tools know the quality of sentences well, badly, or not at all."""
    chance = np.random.default_rng(seed)
    sentences = [translation(f"t{k}") for k in range(translations)]
    sentences += [permutation(f"o{k}", "order", k + 1, degree_score=1 - k / 4) for k in range(5)]
    quality = chance.random(len(sentences))
    judged = quality + 0.2 * chance.normal(size=(people, len(sentences)))
    judged += 0.2 * chance.normal(size=(people, 1))
    levels = np.clip(np.rint(1 + 4 * judged), 1, 5)
    degree = [np.nan] * translations + [1.0, 0.75, 0.5, 0.25, 0.0]
    tools = [
        scores("dted", quality, variant="variant=b", configuration="one"),
        scores("dted", quality + 0.3 * chance.random(len(sentences)), variant="variant=b", configuration="two"),
        scores("dted", chance.random(len(sentences)), variant="variant=b,flat=true"),
        scores("bleu", np.full(len(sentences), 0.5)),
        scores("wmt-rank", [*quality[:translations], *[np.nan] * 5]),
        scores("degree", degree),
        scores("theirs", [*quality[:15], *[np.nan] * 10], external=True),
        scores("rare", [*quality[:14], *[np.nan] * 11], external=True),
    ]  # fmt: skip
    fields = {
        0: {"age": "29", "education": "Masters"},
        1: {"age": "30", "education": "undergraduate"},
        2: {"age": "51"},
    }
    return crossed(levels.tolist(), sentences=sentences, tools=tools, fields=fields)


STUDY = made()
ADJUSTED = {name: adjust(STUDY, name) for name in ("holistic", "order")}
ROWS = tool_correlations(STUDY, adjustments=ADJUSTED, resampling=Resampling(resamples=200))


def row(name: str, **wanted: object) -> ToolCorrelation:
    asked = {
        "question": "order",
        "sentences": SentenceGroup.TRANSLATION,
        "adjusted": False,
    } | wanted
    (found,) = [
        entry
        for entry in ROWS
        if entry.name == name and all(getattr(entry, key) == value for key, value in asked.items())
    ]
    return found


def test_rho_and_p_are_those_of_judgments_and_scores() -> None:
    found = row("dted:variant=b").configurations["two"]
    assert isinstance(found, Correlation)
    rows = STUDY.rows(SentenceGroup.TRANSLATION)
    values = STUDY.tools[1].values[STUDY.sentence]
    expected = float(spearman(STUDY.levels["order"][rows], values[rows]))
    assert found.rho == pytest.approx(expected)
    assert (found.judgments, found.sentences) == (120, 20)
    assert found.p == correlation_p(expected, 120)
    means = STUDY.levels["order"].reshape(6, 25)[:, :20].mean(axis=0)
    of_means = float(spearman(means, STUDY.tools[1].values[:20]))
    assert found.sentence_p == pytest.approx(correlation_p(of_means, 20))
    assert isinstance(found.low, float)
    assert isinstance(found.high, float)
    assert found.low < found.rho < found.high


def test_adjusted_values_are_correlated_and_unadjusted_ones_tested() -> None:
    plain = row("dted:variant=b").configurations["one"]
    found = row("dted:variant=b", adjusted=True).configurations["one"]
    assert isinstance(plain, Correlation)
    assert isinstance(found, Correlation)
    assert found.rho != plain.rho
    assert found.p == plain.p


def test_a_tool_shows_its_range_and_a_star_if_all_configurations_are_significant() -> None:
    found = row("dted:variant=b")
    values = [
        value.rho for value in found.configurations.values() if isinstance(value, Correlation)
    ]
    assert (found.highest, found.lowest) == (max(values), min(values))
    assert len(values) == 2
    assert found.is_starred
    assert not row("dted:variant=b,flat=true").is_starred


@pytest.mark.parametrize(
    ("second", "starred"), [("well", True), ("badly", False), ("nowhere", False)]
)
def test_one_configuration_that_is_not_significant_takes_the_star(
    second: str, *, starred: bool
) -> None:
    quality = np.arange(12) / 11
    values = {
        "well": quality,
        "badly": np.array([0.5, 0.4, 0.6] * 4),
        "nowhere": np.full(12, np.nan),
    }
    tools = [
        scores("x", quality, configuration="one"),
        scores("x", values[second], configuration="two"),
    ]
    levels = [[1 + k // 3 for k in range(12)]] * 2
    found = tool_correlations(crossed(levels, tools=tools), sentences=[SentenceGroup.TRANSLATION])
    assert [entry.is_starred for entry in found] == [starred] * 2


def test_p_values_are_corrected_over_all_tools_on_the_same_judgments() -> None:
    cell = [
        value
        for entry in ROWS
        if (entry.question, entry.sentences, entry.adjusted) == ("order", "translation", False)
        for value in entry.configurations.values()
        if isinstance(value, Correlation)
    ]
    assert len(cell) == 6
    assert [value.holm for value in cell] == holm([float(str(value.p)) for value in cell])
    assert [value.sentence_holm for value in cell] == holm(
        [float(str(value.sentence_p)) for value in cell]
    )


def test_scores_that_do_not_vary_or_do_not_exist_say_so() -> None:
    found = row("bleu")
    assert found.configurations[""] == Undefined("bleu gives all these sentences the same score")
    assert found.highest == Undefined("no configuration has a correlation")
    assert not found.is_starred
    swap = row("bleu", sentences=SentenceGroup.SWAP).configurations[""]
    assert swap == Undefined("there is no judgment about such a sentence")
    unscored = row("theirs", sentences=SentenceGroup.ORDER).configurations[""]
    assert unscored == Undefined("0 judgments with answer and score; three are needed")


def test_rank_scores_are_for_translations_and_degree_scores_for_permutations() -> None:
    kinds = {
        name: {entry.sentences for entry in ROWS if entry.name == name}
        for name in ("wmt-rank", "degree")
    }
    assert kinds["wmt-rank"] == {SentenceGroup.TRANSLATION}
    assert SentenceGroup.TRANSLATION not in kinds["degree"]


def test_constant_answers_have_no_correlation() -> None:
    constant = crossed([[3] * 4, [3] * 4], tools=[scores("x", [0.1, 0.2, 0.3, 0.4])])
    found = tool_correlations(constant)
    assert found[0].configurations[""] == Undefined("all answers are the same")


def test_the_table_of_external_tools() -> None:
    found = {
        (entry.question, entry.tool): entry
        for entry in external_correlations(STUDY, adjustments=ADJUSTED)
    }
    theirs, rare = found["order", "theirs"], found["order", "rare"]
    assert (theirs.count, theirs.coverage) == (15, 75.0)
    assert isinstance(theirs.correlation, Correlation)
    assert (rare.count, rare.coverage) == (14, 70.0)
    assert rare.correlation == Undefined("14 common sentences; fewer than 15 are left out")
    assert len(found) == 4


def test_subgroups_are_correlated_on_their_own_judgments() -> None:
    young, old = _groups(split_by(STUDY, "age", threshold=30)).groups
    assert (young.name, young.participants, young.judgments) == ("age < 30", 1, 25)
    assert (old.name, old.participants) == ("age >= 30", 2)
    found = tool_correlations(STUDY, rows=old.rows, group=old.name)
    value = found[0].configurations["one"]
    assert isinstance(value, Correlation)
    assert value.judgments == 40
    assert {entry.group for entry in found} == {"age >= 30"}


def test_judgments_of_a_subgroup_are_those_that_are_analysed() -> None:
    control = JudgedSentence(id="k", kind=ItemKind.SHUFFLED, reference="a", hypothesis="a")
    listed = [translation("t"), permutation("o", "order", 1), control]
    fields = {0: {"age": "20"}, 1: {"age": "50"}, 2: {"age": "50"}}
    made = crossed([[1, 2, 5]] * 3, sentences=listed, fields=fields)
    young, old = _groups(split_by(made, "age", threshold=50)).groups
    assert (young.participants, young.judgments, int(young.rows.sum())) == (1, 2, 3)
    assert (old.participants, old.judgments, int(old.rows.sum())) == (2, 4, 6)


def _groups(split: Split | Undefined) -> Split:
    assert isinstance(split, Split)
    return split


def test_the_published_splits() -> None:
    found = published_splits(STUDY)
    education = _groups(found["education"])
    assert [group.name for group in education.groups] == [
        "education up to undergraduate",
        "education masters or higher",
    ]
    assert [group.participants for group in education.groups] == [1, 1]
    assert education.missing == 4
    assert _groups(found["age"]).missing == 3
    assert found["language_points"] == Undefined(
        "no participant can be placed by language_points: nobody gave a number"
    )
    assert isinstance(split_by(STUDY, "shoe_size"), Undefined)
    values = _groups(split_by(STUDY, "education"))
    assert [group.name for group in values.groups] == [
        "education Masters",
        "education undergraduate",
    ]


def test_a_group_without_participants_is_named_and_undefined() -> None:
    _, old = _groups(split_by(STUDY, "age", threshold=90)).groups
    assert old.participants == 0
    found = tool_correlations(STUDY, rows=old.rows, group=old.name)
    assert all(isinstance(entry.highest, Undefined) for entry in found)


def test_hypotheses_come_from_the_correlations_of_one_group_of_sentences() -> None:
    found = {result.id: result for result in hypothesis_table(ROWS)}
    assert found["STRUC"].variants == ("b",)
    assert found["STRUC"].supported is True
    assert "no baseline" not in found["EVAL"].result
    assert found["EVAL_DERP"].result.startswith("undefined: no variant of DERP")
    assert set(found["EVAL_CONF"].numbers) == {"b", "fb", "threshold"}
    on_swaps = hypothesis_table(ROWS, sentences=SentenceGroup.SWAP)
    assert all(isinstance(result.supported, Undefined) for result in on_swaps)


def test_few_sentences_are_no_test_by_sentences() -> None:
    levels = [[1.0, 3.0, 5.0], [2.0, 3.0, 4.0], [1.0, 2.0, 5.0]]
    few = crossed(levels, tools=[scores("random", [0.1, 0.2, 0.9])])
    (first, *_) = tool_correlations(few)
    (value,) = first.configurations.values()
    assert isinstance(value, Correlation)
    assert value.sentence_p == Undefined("3 sentences; the test by sentences needs 10")


def on_translations(values: NDArray[np.float64], people: int, sentences: int) -> list[list[float]]:
    """Return answers about each translation of a crossed study, sentence by sentence."""
    listed: list[list[float]] = values.reshape(people, -1)[:, :sentences].T.tolist()
    return listed


@pytest.mark.parametrize("adjusted", [False, True])
def test_an_interval_is_of_the_scores_that_are_correlated_and_a_p_value_of_plain_ones(
    *, adjusted: bool
) -> None:
    made_of = made(people=4, seed=3)
    adjustment = adjust(made_of, "order")
    drawn = Resampling(resamples=25, seed=4)
    rows = tool_correlations(
        made_of, adjustments={"order": adjustment}, resampling=drawn,
        sentences=[SentenceGroup.TRANSLATION],
    )  # fmt: skip
    (entry,) = [
        entry
        for entry in rows
        if (entry.question, entry.name, entry.adjusted) == ("order", "dted:variant=b", adjusted)
    ]
    found = entry.configurations["two"]
    assert isinstance(found, Correlation)
    plain = on_translations(made_of.scores("order"), 4, 20)
    used = on_translations(adjustment.scores, 4, 20) if adjusted else plain
    tool = made_of.tools[1].values.tolist()

    def rho(answers: list[list[float]], sentences: list[int]) -> float:
        judged = [value for s in sentences for value in answers[s]]
        return oracle.spearman(judged, [tool[s] for s in sentences for _ in answers[s]])

    again = [rho(used, draw) for draw in bootstrap_indices(20, resamples=25, seed=4).tolist()]
    low, high = np.quantile(again, [0.025, 0.975])
    assert found.rho == pytest.approx(rho(used, [*range(20)]))
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)
    assert found.p == pytest.approx(correlation_p(rho(plain, [*range(20)]), 80))
    means = [round(sum(answers) / 4, 9) for answers in plain]
    of_means = oracle.spearman(means, tool[:20])
    assert found.sentence_p == pytest.approx(correlation_p(of_means, 20))
    assert rho(used, [*range(20)]) == pytest.approx(rho(plain, [*range(20)])) or adjusted


@pytest.mark.parametrize("question", ["holistic", "order"])
def test_external_tools_are_correlated_with_adjusted_scores_and_tested_on_plain_ones(
    question: str,
) -> None:
    found, plain = (
        next(
            entry.correlation
            for entry in external_correlations(STUDY, adjustments=given)
            if (entry.question, entry.tool) == (question, "theirs")
        )
        for given in (ADJUSTED, None)
    )
    assert isinstance(found, Correlation)
    assert isinstance(plain, Correlation)
    tool = STUDY.tools[6].values.tolist()
    for value, answers in ((found, ADJUSTED[question].scores), (plain, STUDY.scores(question))):
        listed = on_translations(answers, 6, 15)
        expected = oracle.spearman(
            [score for judged in listed for score in judged],
            [tool[s] for s, judged in enumerate(listed) for _ in judged],
        )
        assert value.rho == pytest.approx(expected)
    assert (found.p, found.sentence_p) == (plain.p, plain.sentence_p)
    assert found.rho != plain.rho


def test_a_configuration_without_correlation_takes_the_star_of_its_tool() -> None:
    quality = np.random.default_rng(1).random(20)
    levels = np.clip(np.rint(1 + 4 * np.tile(quality, (5, 1))), 1, 5)
    tools = [
        scores("dted", quality, configuration="one"),
        scores("dted", np.full(20, 0.5), configuration="two"),
        scores("derp", quality, configuration="one"),
        scores("derp", quality**2, configuration="two"),
    ]
    starred = {
        entry.tool: entry.is_starred
        for entry in tool_correlations(crossed(levels.tolist(), tools=tools))
        if entry.sentences is SentenceGroup.TRANSLATION
    }
    assert starred == {"dted": False, "derp": True}


def test_missing_answers_are_those_about_the_sentences_of_the_row() -> None:
    sentences = [*(translation(f"t{k}") for k in range(3)), permutation("o", "order", 1)]
    levels = [[1, None, 3, None], [2, 3, None, 4], [5, 4, 3, None]]
    found = tool_correlations(
        crossed(levels, sentences=sentences, tools=[scores("x", [0.1, 0.2, 0.3, 0.4])])
    )
    missing = {entry.sentences: entry.missing for entry in found if entry.question == "order"}
    assert missing[SentenceGroup.TRANSLATION] == 2
    assert missing[SentenceGroup.ORDER] == 2
    assert missing[SentenceGroup.SWAP] == 0


def test_judgments_of_a_group_leave_out_control_items() -> None:
    control = JudgedSentence(id="k", kind=ItemKind.IDENTICAL, reference="a", hypothesis="a")
    listed = crossed(
        [[1, 2, 5], [2, 3, 5]],
        sentences=[translation("s0"), translation("s1"), control],
        fields={0: {"age": "20"}, 1: {"age": "40"}},
    )
    groups = _groups(split_by(listed, "age", threshold=30)).groups
    assert [group.judgments for group in groups] == [2, 2]


def test_means_of_sentences_are_of_plain_answers_where_people_judged_different_ones() -> None:
    # Mild and strict people judge different sentences: their effects change the order of means.
    chance = np.random.default_rng(6)
    rows = [
        (person, sentence, 3.0, float(np.clip(chance.integers(1, 4) + 2 * (person % 2), 1, 5)))
        for person in range(6)
        for sentence in range(14)
        if chance.random() < 0.6
    ]
    tool = chance.random(14)
    ragged = study(rows, tools=[scores("x", tool)])
    adjusted = {"order": adjust(ragged, "order")}
    sides = [
        value
        for entry in tool_correlations(ragged, adjustments=adjusted)
        if (entry.question, entry.sentences) == ("order", SentenceGroup.TRANSLATION)
        for value in entry.configurations.values()
    ]
    plain, found = sides
    assert isinstance(plain, Correlation)
    assert isinstance(found, Correlation)
    shown = sorted({sentence for _, sentence, *_ in rows})

    def of_means(values: list[float]) -> float:
        judged = [[v for v, row in zip(values, rows, strict=True) if row[1] == s] for s in shown]
        means = [round(sum(each) / len(each), 9) for each in judged]
        return oracle.spearman(means, tool[shown].tolist())

    expected = of_means([level for *_, level in rows])
    assert expected != pytest.approx(of_means(adjusted["order"].scores.tolist()), abs=1e-3)
    assert plain.sentence_p == pytest.approx(correlation_p(expected, len(shown)))
    assert found.sentence_p == plain.sentence_p
    assert found.rho != pytest.approx(plain.rho, abs=1e-3)


def halved(entry: ToolCorrelation) -> ToolCorrelation:
    """Return a row whose correlations are half as large where the question is holistic."""
    if entry.question != "holistic":
        return entry
    values = {
        name: replace(value, rho=value.rho / 2) if isinstance(value, Correlation) else value
        for name, value in entry.configurations.items()
    }
    return replace(entry, configurations=values)


def test_hypotheses_take_each_question_s_correlations_as_its_own() -> None:
    found = {result.id: result for result in hypothesis_table([halved(entry) for entry in ROWS])}
    order, flat, rank = (
        [
            value.rho
            for value in row(name, adjusted=True).configurations.values()
            if isinstance(value, Correlation)
        ]
        for name in ("dted:variant=b", "dted:variant=b,flat=true", "wmt-rank")
    )
    # The study asked both questions alike, so that half of order's correlations are holistic's.
    assert found["ORD"].numbers["b"] == pytest.approx(max(order) - min(order) / 2)
    assert found["EVAL"].numbers["b"] == pytest.approx(min(order) - max(rank))
    assert found["STRUC"].numbers["b"] == pytest.approx(min(order) - max(flat))
