"""Correlations of judgments with tools: values, stars, intervals, subgroups, external tools."""

import numpy as np
import pytest

from kilter.stats.correlation import spearman
from kilter.stats.resampling import Resampling, bootstrap_indices
from kilter.stats.significance import correlation_p, holm
from kilter.stats.undefined import Undefined
from kilter.study.analysis.adjustment import adjust, tool_adjustments
from kilter.study.analysis.judged_correlation import Correlation, tool_correlations
from kilter.study.judgments.judgment_study import SentenceGroup
from tests.oracles import meta as oracle
from tests.study.analysis.correlated import ADJUSTED, ROWS, STUDY, made, on_translations, row
from tests.study.analysis.studies import crossed, permutation, scores, study, translation


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
    quality = np.arange(15) / 14
    values = {
        "well": quality,
        "badly": np.array([0.5, 0.4, 0.6] * 5),
        "nowhere": np.full(15, np.nan),
    }
    tools = [
        scores("x", quality, configuration="one"),
        scores("x", values[second], configuration="two"),
    ]
    levels = [[1 + k // 3 for k in range(15)]] * 2
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
    assert len(cell) == 5
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
    assert unscored == Undefined("0 sentences with answer and score; a correlation needs 15")


def test_type_both_is_correlated_where_it_occurs_and_absent_elsewhere() -> None:
    sentences = [permutation(f"b{k}", "both", k + 1) for k in range(15)]
    levels = [[1.0 + k % 5 for k in range(15)]] * 2
    tools = [scores("x", np.arange(15)), scores("wmt-rank", np.arange(15))]
    found = tool_correlations(crossed(levels, sentences=sentences, tools=tools))
    both = [entry for entry in found if entry.sentences == "both"]
    assert [(entry.question, entry.tool) for entry in both] == [("holistic", "x"), ("order", "x")]
    assert all(isinstance(entry.highest, float) for entry in both)
    assert not [entry for entry in ROWS if entry.sentences == "both"]


def test_rank_scores_are_for_translations_and_degree_scores_for_permutations() -> None:
    kinds = {
        name: {entry.sentences for entry in ROWS if entry.name == name}
        for name in ("wmt-rank", "degree")
    }
    assert kinds["wmt-rank"] == {SentenceGroup.TRANSLATION}
    assert SentenceGroup.TRANSLATION not in kinds["degree"]


def test_constant_answers_have_no_correlation() -> None:
    constant = crossed([[3] * 15, [3] * 15], tools=[scores("x", np.arange(15))])
    found = tool_correlations(constant)
    assert found[0].configurations[""] == Undefined("all answers are the same")


@pytest.mark.parametrize(("sentences", "known"), [(3, False), (14, False), (15, True)])
def test_fewer_than_15_sentences_have_no_correlation(sentences: int, *, known: bool) -> None:
    levels = [[1.0 + (k + person) % 5 for k in range(sentences)] for person in range(3)]
    external = crossed(
        levels,
        tools=[
            scores("own", np.arange(sentences)),
            scores("theirs", np.arange(sentences), external=True),
        ],
    )
    for entry in tool_correlations(external, sentences=[SentenceGroup.TRANSLATION]):
        (value,) = entry.configurations.values()
        assert isinstance(value, Correlation) is known
        if not known:
            expected = f"{sentences} sentences with answer and score; a correlation needs 15"
            assert value == Undefined(expected)
            assert not entry.is_starred


def test_intervals_stay_within_the_range_of_a_correlation() -> None:
    sentences = 15
    levels = [[1.0 + k % 5 for k in range(sentences)]] * 3
    perfect = crossed(levels, tools=[scores("x", np.array(levels[0]) / 7)])
    for seed in range(1, 5):
        found = tool_correlations(
            perfect,
            sentences=[SentenceGroup.TRANSLATION],
            resampling=Resampling(resamples=200, seed=seed),
        )
        for entry in found:
            (value,) = entry.configurations.values()
            assert isinstance(value, Correlation)
            assert value.rho == value.high == 1.0
            assert value.low == pytest.approx(1.0)


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


def test_means_of_sentences_are_of_plain_answers_where_people_judged_different_ones() -> None:
    # Mild and strict people judge different sentences: their effects change the order of means.
    chance = np.random.default_rng(6)
    rows = [
        (person, sentence, 3.0, float(np.clip(chance.integers(1, 4) + 2 * (person % 2), 1, 5)))
        for person in range(6)
        for sentence in range(16)
        if chance.random() < 0.6
    ]
    tool = chance.random(16)
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


def test_adjustments_by_tool_take_the_place_of_the_common_one() -> None:
    """Correlations are those with each tool's own adjusted answers; unadjusted ones and tests stay."""
    by_tool = tool_adjustments(STUDY)
    common = tool_correlations(STUDY, adjustments=ADJUSTED)
    own = tool_correlations(STUDY, adjustments=ADJUSTED, by_tool=by_tool)
    assert len(own) == len(common)
    differ = 0
    for one, other in zip(common, own, strict=True):
        assert (one.name, one.question, one.adjusted) == (
            other.name,
            other.question,
            other.adjusted,
        )
        for name, value in other.configurations.items():
            before = one.configurations[name]
            if isinstance(value, Undefined) or isinstance(before, Undefined):
                assert value == before
                continue
            assert (value.p, value.holm, value.judgments) == (
                before.p,
                before.holm,
                before.judgments,
            )
            if not one.adjusted:
                assert value == before
                continue
            adjusted = by_tool[one.question, one.name, name].scores
            tool = next(t for t in STUDY.tools if (t.name, t.configuration) == (one.name, name))
            x = tool.values[STUDY.sentence]
            rows = STUDY.rows(one.sentences) & ~np.isnan(x) & ~np.isnan(adjusted)
            assert value.rho == pytest.approx(float(spearman(adjusted[rows], x[rows])), abs=1e-12)
            differ += value.rho != before.rho
    assert differ > 0
