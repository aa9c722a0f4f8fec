"""Agreement between participants: kappa by its definition, leave-one-out, data that show none."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.stats.correlation import ScaleLevel, krippendorff_alpha, spearman
from kilter.stats.undefined import Undefined
from kilter.study.analysis import judge_agreement as module
from kilter.study.analysis.judge_agreement import (
    JudgeAgreement,
    Weighting,
    agreement_figure,
    judge_agreement,
    leave_one_out_figures,
    weighted_kappa,
)
from kilter.study.judgments.judgment_study import SentenceGroup
from tests.oracles import meta as oracle
from tests.oracles.agreement import kappa
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.picture import parsed, texts
from tests.render.study_table import STUDY, check_report, faked
from tests.study.analysis.studies import crossed, study

LEVELS = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), max_size=12)


@pytest.mark.parametrize("weighting", Weighting)
@given(pairs=LEVELS)
def test_kappa_is_what_its_definition_says(
    weighting: Weighting, pairs: list[tuple[int, int]]
) -> None:
    first, second = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    found = weighted_kappa(first, second, levels=range(1, 6), weighting=weighting)
    expected = kappa(pairs, power=1 if weighting is Weighting.LINEAR else 2)
    if expected is None:
        assert isinstance(found, Undefined)
    else:
        assert found == pytest.approx(expected, abs=1e-12)


def test_quadratic_kappa_of_cohen_s_kind_by_hand() -> None:
    # Levels 1 to 3; observed 0.25 apart, expected (0.5 + 0.25) with these margins.
    one, two = np.array([1.0, 1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0, 3.0])
    found = weighted_kappa(one, two, levels=range(1, 4), weighting=Weighting.QUADRATIC)
    margins = np.outer([2, 1, 1], [1, 2, 1]) / 16
    apart = np.array([[0, 1, 4], [1, 0, 1], [4, 1, 0]])
    assert found == pytest.approx(1 - 0.25 / (margins * apart).sum())


GIVEN: list[list[int | None]] = [[1, 2, 3, 5, 4], [2, 2, 3, 5, None], [1, 3, 2, 4, 5]]
MADE = crossed(GIVEN)


def test_alpha_and_leave_one_out_of_a_study() -> None:
    found = judge_agreement(MADE, "order")
    units = [[1, 2, 1], [2, 2, 3], [3, 3, 2], [5, 5, 4], [4, 5]]
    assert (found.units, found.answers) == (5, 14)
    for scale in ScaleLevel:
        expected = krippendorff_alpha(units, values=range(1, 6), scale=scale)
        assert found.alpha[scale] == pytest.approx(expected)
    assert found.kappa[Weighting.LINEAR].pairs == 3


@pytest.mark.parametrize(("sentences", "known"), [(14, False), (15, True)])
def test_leaving_one_out_needs_15_sentences(sentences: int, *, known: bool) -> None:
    levels = np.random.default_rng(4).integers(1, 6, size=(3, sentences)).tolist()
    found = judge_agreement(crossed(levels), "order")
    for own, each in zip(levels, found.leave_one_out, strict=True):
        assert each.sentences == sentences
        others = np.mean([other for other in levels if other is not own], axis=0)
        if known:
            assert each.rho == pytest.approx(float(spearman(np.array(own, dtype=float), others)))
        else:
            assert each.rho == Undefined("14 common sentences; a correlation needs 15")
    assert isinstance(found.mean_leave_one_out, float) is known


def test_one_participant_agrees_with_nobody() -> None:
    found = judge_agreement(crossed([[1, 2, 3]]), "order")
    nobody = Undefined("no sentence was judged by two participants")
    assert set(found.alpha.values()) == {nobody}
    assert found.kappa[Weighting.LINEAR].mean == Undefined("there is one participant")
    assert found.mean_leave_one_out == Undefined("no participant can be compared with others")


def test_participants_without_common_sentences_say_so() -> None:
    apart = study([(0, 0, 1, 1), (0, 1, 2, 2), (1, 2, 3, 3), (1, 3, 4, 4)])
    found = judge_agreement(apart, "order")
    assert found.units == 0
    assert found.kappa[Weighting.QUADRATIC].mean == Undefined(
        "two participants judged no sentence in common"
    )
    assert found.leave_one_out[0].rho == Undefined("0 common sentences; a correlation needs 15")


def test_constant_answers_leave_no_disagreement_to_expect() -> None:
    found = judge_agreement(crossed([[3] * 4, [3] * 4]), "order")
    assert set(found.alpha.values()) == {Undefined("all answers are the same")}
    assert found.kappa[Weighting.LINEAR].mean == Undefined(
        "both participants always give the same answer"
    )
    assert str(found.mean_leave_one_out).startswith("undefined: ")


def test_a_group_of_sentences_that_nobody_judged_has_no_agreement() -> None:
    found = judge_agreement(MADE, "order", sentences=SentenceGroup.SWAP)
    assert found.units == 0
    assert all(isinstance(value, Undefined) for value in found.alpha.values())


@pytest.mark.parametrize("weighting", Weighting)
def test_kappa_of_a_study_is_that_of_its_pairs_of_participants(weighting: Weighting) -> None:
    each = []
    for first, second in combinations(GIVEN, 2):
        common = [(a, b) for a, b in zip(first, second, strict=True) if a and b]
        each.append(kappa(common, power=1 if weighting is Weighting.LINEAR else 2) or 0.0)
    found = judge_agreement(MADE, "order").kappa[weighting]
    assert found.mean == pytest.approx(sum(each) / 3)
    assert found.lowest == pytest.approx(min(each))
    assert found.highest == pytest.approx(max(each))
    assert (found.pairs, found.undefined) == (3, 0)
    assert min(each) < max(each)


def test_the_mean_of_the_others_is_without_oneself() -> None:
    given = [row * 4 for row in GIVEN]
    found = judge_agreement(crossed(given), "order")
    rhos = []
    for place, own in enumerate(given):
        others = [
            [row[s] for k, row in enumerate(given) if k != place and row[s]] for s in range(20)
        ]
        shared = [s for s in range(20) if own[s] and others[s]]
        means = [sum(v or 0 for v in others[s]) / len(others[s]) for s in shared]
        rhos.append(oracle.spearman([float(own[s] or 0) for s in shared], means))
        assert found.leave_one_out[place].rho == pytest.approx(rhos[-1])
    assert found.mean_leave_one_out == pytest.approx(sum(rhos) / 3)


@pytest.mark.parametrize(("low", "high"), [(0, 4), (3, 7)])
@given(pairs=LEVELS)
def test_kappa_is_the_same_wherever_levels_begin(
    low: int, high: int, pairs: list[tuple[int, int]]
) -> None:
    first, second = np.array(pairs, dtype=np.float64).reshape(-1, 2).T - 1 + low
    for weighting, power in ((Weighting.LINEAR, 1), (Weighting.QUADRATIC, 2)):
        found = weighted_kappa(first, second, levels=range(low, high + 1), weighting=weighting)
        expected = kappa(pairs, power=power)
        if expected is None:
            assert isinstance(found, Undefined)
        else:
            assert found == pytest.approx(expected, abs=1e-12)


DRAWN_LEVELS = [[1, 2, 3, 4], [2, 3, 4, 5], [1, 1, 2, 3]]


def test_agreement_shows_its_coefficients_or_reasons() -> None:
    made = crossed(DRAWN_LEVELS)
    found = [judge_agreement(made, question) for question in ("holistic", "order")]
    shown = texts(agreement_figure(found, simulated=False))
    for alpha in found[0].alpha.values():
        assert f"{alpha:.3f}" in shown
    assert any(text.endswith("(3 pairs)") for text in shown)
    many = judge_agreement(crossed([row * 4 for row in DRAWN_LEVELS]), "order")
    others = texts(*leave_one_out_figures([many], simulated=False))
    assert {"p0", "p1", "p2", "1.000 (16)"} <= set(others)
    alone = agreement_figure([judge_agreement(crossed([[1, 2]]), "order")], simulated=False)
    assert "undefined: no sentence was judged by two participants" in texts(alone)


def test_a_kappa_is_drawn_from_the_lowest_to_the_highest_of_all_pairs() -> None:
    found = judge_agreement(crossed(DRAWN_LEVELS), "order")
    kappas = [each for each in found.kappa.values() if isinstance(each.mean, float)]
    assert all(isinstance(each.lowest, float) for each in kappas)
    picture = parsed(agreement_figure([found], simulated=False))
    numbers = {text.text: float(text.get("x", "")) for text in picture.findall(".//{*}text")}
    zero, one = numbers["0"], numbers["1"]
    drawn = [
        tuple((float(line.get(end, "")) - zero) / (one - zero) for end in ("x1", "x2"))
        for line in picture.findall(".//{*}line")
        if line.get("stroke-width") == "2"
    ]
    for weighted in kappas:
        ends = (weighted.lowest, weighted.highest)
        assert any(line == pytest.approx(ends, abs=0.001) for line in drawn)


def judged(book: Book) -> Callable[..., JudgeAgreement]:
    def found(
        _study: object, question: str, *, sentences: SentenceGroup = SentenceGroup.ALL
    ) -> JudgeAgreement:
        made: JudgeAgreement = book.make(
            JudgeAgreement, question, str(sentences), question=question, sentences=sentences
        )
        return made

    return found


@case("agreement_report")
def test_columns_of_agreement_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(module, monkeypatch, judge_agreement=judged(book))
    titles = {
        "pairs": "kappa_linear_pairs",
        "undefined_pairs": "kappa_linear_undefined",
        "leave_one_out": "mean_leave_one_out",
        "leave-one-out rho": "mean_leave_one_out",
        "linear kappa": "kappa_linear_mean",
        "quadratic kappa": "kappa_quadratic_mean",
    }
    report = module.agreement_report(STUDY)
    for table in (report.data, *report.tables):
        for row in table.rows:
            by_group = [cell for cell in row if not isinstance(cell, str)]
            named = zip(table.names, row, strict=True)
            for column, cell in named:
                if cell in by_group:
                    path = book.places[cell]
                    assert book.named(titles.get(column, column), path), (column, path)
                    assert path[:2] == row[:2]


@case("leave_one_out_report")
def test_columns_of_leave_one_out_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(module, monkeypatch, judge_agreement=judged(book))
    check_report(book, module.leave_one_out_report(STUDY))
