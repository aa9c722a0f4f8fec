"""What a gate lets pass, and what it does not."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.render.check_file import github_annotations, junit_xml
from kilter.results.check_result import CheckKind, CheckResult, Condition, WorseSegment
from kilter.run.check import CheckSettings, check_report, sign_test
from kilter.run.scoring.corpus import texts_from_api

FEW = kilter.Settings(metrics=("order", "bleu"), resampling=kilter.Resampling(resamples=200))
SETTINGS = CheckSettings(scoring=FEW)
WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "and",
    "looked",
    "at",
    "two",
    "birds",
    "in",
    "an",
    "old",
    "tree",
]


def references(count: int, seed: int = 1) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.sample(WORDS, 9)) for _ in range(count)]


def disturbed(lines: Sequence[str], rng: random.Random, *, share: float) -> list[str]:
    """Return lines, of which a share has two neighbouring blocks exchanged."""
    found = []
    for line in lines:
        words = line.split()
        if rng.random() < share:
            a, b, c = sorted(rng.sample(range(len(words) + 1), 3))
            words = words[:a] + words[b:c] + words[a:b] + words[c:]
        found.append(" ".join(words))
    return found


TARGET = references(80)
BEFORE = disturbed(TARGET, random.Random(2), share=0.5)


@pytest.fixture(scope="module")
def baseline() -> kilter.ScoreResult:
    return kilter.score(BEFORE, TARGET, settings=FEW)


def checked(
    lines: object, baseline: Any = None, target: object = TARGET, **more: Any
) -> CheckResult:
    return kilter.check(lines, target, baseline=baseline, settings=SETTINGS, **more)


def failed(result: CheckResult) -> set[tuple[CheckKind, str]]:
    return {(each.kind, each.name) for each in result.checks if not each.passed}


def test_what_is_not_worse_passes(baseline: kilter.ScoreResult) -> None:
    for lines in (BEFORE, TARGET):
        result = checked(lines, baseline)
        assert result.passed
        assert (result.faults, result.worse) == ((), ())
        assert result.verdict == "passed: 3 checks of 1 system, 80 segments, against the baseline"


def test_noise_passes_in_at_least_95_of_100_updates(baseline: kilter.ScoreResult) -> None:
    rng = random.Random(3)
    passed = 0
    for _ in range(100):
        # An update that translates a third of the segments anew, no better and no worse.
        anew = disturbed(TARGET, rng, share=0.5)
        lines = [new if rng.random() < 0.33 else old for old, new in zip(BEFORE, anew, strict=True)]
        passed += checked(lines, baseline).passed
    assert passed >= 95


def test_a_planted_loss_fails_and_is_explained(baseline: kilter.ScoreResult) -> None:
    worse = disturbed(BEFORE, random.Random(4), share=0.5)
    result = checked(worse, baseline)
    assert (CheckKind.LOSS, "order") in failed(result)
    assert {each.system for each in result.worse} == {"system"}
    assert len(result.worse) == 3
    for each in result.worse:
        assert (each.was, each.now) == (BEFORE[each.segment - 1], worse[each.segment - 1])
        assert each.reference == TARGET[each.segment - 1]
        assert each.before is not None
        assert each.after is not None
        assert each.before > each.after
        assert any("belongs" in line for line in each.explanation)
        assert all(line in str(result) for line in each.lines()[:1])
    assert result.faults[0].startswith("system: order is 0.")


def test_p_values_are_those_of_compare_corrected_for_all_checks(
    baseline: kilter.ScoreResult,
) -> None:
    worse = disturbed(BEFORE, random.Random(5), share=0.2)
    result = checked(worse, baseline)
    compared = kilter.compare(
        {"before": BEFORE, "now": worse}, TARGET, settings=FEW, tests=["randomisation"]
    )
    single = [each.pairs[0].p["randomisation"] for each in compared.metrics]  # type: ignore[index]
    losses = [each for each in result.checks if each.kind is CheckKind.LOSS]
    segments = result.checks[-1]
    assert segments.kind is CheckKind.SEGMENTS
    scores = [
        np.asarray(kilter.score(lines, TARGET, settings=FEW).segments["score"][:80])
        for lines in (BEFORE, worse)
    ]
    gains = scores[1] - scores[0]
    lost, gained = int((gains <= -0.5).sum()), int((gains >= 0.5).sum())
    assert segments.value == lost
    alone = sign_test(lost, gained) if lost + gained else None
    assert [each.p for each in (*losses, segments)] == kilter.holm([*single, alone])


def test_segments_that_got_badly_worse_fail_alone() -> None:
    target = references(40, seed=7)
    before = [line if k % 2 else " ".join(reversed(line.split())) for k, line in enumerate(target)]
    known = kilter.score(before, target, settings=FEW)
    # As many segments gain a little as nine lose all.
    now = [
        " ".join(reversed(line.split())) if k in range(1, 19, 2) else line
        for k, line in enumerate(before)
    ]
    result = checked(now, known, target, drop=0.9)
    assert (CheckKind.SEGMENTS, "segments that lost 0.9 order") in failed(result)
    assert "9 segments got badly worse, 0 as much better" in str(result)
    one = [" ".join(reversed(line.split())) if k == 1 else line for k, line in enumerate(before)]
    assert checked(one, known, target).passed
    assert [each.segment for each in checked(one, known, target).worse] == [2]
    strict = checked(one, known, target, worse=0)
    assert strict.faults == ("system: 1 segment got badly worse, 0 as much better; 0 may",)
    assert checked(one, known, target, worse=1).passed


def test_floors_and_ceilings() -> None:
    result = checked(BEFORE, floors={"order": 0.99, "bleu": 0.01}, ceilings={"bleu": 0.02})
    assert failed(result) == {(CheckKind.FLOOR, "order"), (CheckKind.CEILING, "bleu")}
    value = kilter.score(BEFORE, TARGET, settings=FEW).system["order"].value
    assert value is not None
    assert result.faults[0] == f"system: order is {value:.4f}, below 0.99"
    assert checked(BEFORE, floors={"order": value}, ceilings={"order": value}).passed
    with pytest.raises(OptionError, match="limit of chrf, which is not scored"):
        checked(BEFORE, floors={"chrf": 0.5})
    with pytest.raises(OptionError, match=r"evidence is 1\.5"):
        checked(BEFORE, evidence=1.5)


def test_too_little_evidence_and_missing_scores_fail() -> None:
    unlike = [f"nothing {k}" if k % 4 else line for k, line in enumerate(TARGET)]
    result = checked(unlike, evidence=0.5, floors={"order": 0.1})
    assert (CheckKind.EVIDENCE, "segments with evidence") in failed(result)
    assert "in 25% of the segments" in " ".join(result.faults)
    assert checked(unlike, evidence=0.25).passed
    result = checked([f"nothing {k}" for k in range(80)], floors={"order": 0.1})
    assert "order is missing" in " ".join(result.faults)
    with pytest.raises(OptionError, match="no metric tells"):
        kilter.check(["a"], ["a"], metrics="bleu", evidence=0.5)


def test_empty_and_missing_input_fails(baseline: kilter.ScoreResult) -> None:
    result = checked([""] * 80)
    assert result.faults == ("system: all 80 lines of it are empty",)
    result = checked({"other": BEFORE}, baseline)
    assert result.faults == (
        "system: is in the baseline, but not given; if other is this system, add --name system",
    )
    assert "other: not in the baseline, and compared with nothing" in result.notes
    with pytest.raises(InputError):
        checked([], baseline, [])
    with pytest.raises(InputError, match="there is no such baseline"):
        checked(BEFORE, "missing.kilter.json")


def test_another_reference_or_setting_than_that_of_the_baseline_is_refused(
    baseline: kilter.ScoreResult, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"another reference .*sha256 .* has "):
        checked(BEFORE, baseline, [*TARGET[:-1], "changed"])
    with pytest.raises(InputError, match="other settings"):
        checked(BEFORE, baseline, lowercase=True)
    with pytest.raises(InputError, match="no metric of this run"):
        kilter.check(BEFORE, TARGET, baseline=baseline, metrics="chrf")
    path = tmp_path / "some.kilter.json"
    checked(BEFORE).save(path)
    with pytest.raises(InputError, match="holds no scores but a CheckResult"):
        checked(BEFORE, path)


def test_a_system_that_nothing_is_known_of_any_more_has_lost(baseline: kilter.ScoreResult) -> None:
    result = checked([f"nothing {k}" for k in range(80)], baseline)
    assert "order is missing, and was 0." in " ".join(result.faults)


def test_two_systems_are_each_compared_with_their_own_baseline() -> None:
    texts = {"a": BEFORE, "b": TARGET}
    known = kilter.score(texts, TARGET, settings=FEW)
    assert checked(texts, known).passed
    result = checked({"a": BEFORE, "b": BEFORE}, known)
    assert {system for system in ("a", "b") if any(system == f[:1] for f in result.faults)} == {"b"}
    metric_new = kilter.check(texts, TARGET, baseline=known, metrics=("order", "chrf"))
    assert "chrf: not in the baseline, and not compared with it" in metric_new.notes


def test_the_sign_test_is_that_of_the_binomial_distribution() -> None:
    assert sign_test(0, 0) == 1.0
    for worse, better in [(5, 0), (6, 1), (2, 2), (0, 3)]:
        many = worse + better
        outcomes = [k.bit_count() for k in range(2**many)]
        far = sum(abs(2 * ones - many) >= abs(worse - better) for ones in outcomes)
        assert sign_test(worse, better) == pytest.approx(far / 2**many)


def test_junit_names_every_check_and_what_failed() -> None:
    worse = disturbed(BEFORE, random.Random(4), share=0.5)
    result = checked({'a<&"': worse}, kilter.score({'a<&"': BEFORE}, TARGET, settings=FEW))
    suite = ET.fromstring(junit_xml(result))[0]  # noqa: S314 - our own
    cases = [*suite]
    assert [each.get("classname") for each in cases] == ['a<&"'] * len(result.checks)
    assert suite.get("tests") == str(len(result.checks))
    told = [each for each in cases if len(each)]
    assert suite.get("failures") == str(len(told)) == str(len(result.faults))
    assert (told[0][0].text or "").splitlines()[0] == result.worse[0].lines()[0]


def test_annotations_of_github_are_one_line_each() -> None:
    worse = WorseSegment(
        system="a:b", segment=3, metric="order", before=1.0, after=None, was="50%", now="x\ny", reference="r",
        explanation=("why",), file="out,1.txt",
    )  # fmt: skip
    check = Condition(
        system="s",
        kind=CheckKind.LOSS,
        name="order",
        value=0.1,
        limit=0.2,
        passed=False,
        fault="it fell",
    )
    result = CheckResult(
        systems=("s",), segments=4, baseline="b", updated=False, alpha=0.05, drop=0.5, checks=(check,),
        worse=(worse,), signature="",
    )  # fmt: skip
    assert [*github_annotations(result)] == [
        "::error title=kilter check::s: it fell",
        (
            "::warning title=kilter check%3A segment 3 of a%3Ab,file=out%2C1.txt,line=3::segment 3 of a:b: "
            "order 1.00 -> missing%0Awas: 50%25%0Anow: x%0Ay%0Areference: r%0Awhy"
        ),
    ]


def test_a_report_sets_outputs_beside_those_of_the_baseline(baseline: kilter.ScoreResult) -> None:
    texts = texts_from_api(TARGET, TARGET)
    report = check_report(texts, SETTINGS, baseline=baseline)
    assert report.comparison.systems == ("system, baseline", "system")
    assert check_report(texts, SETTINGS).comparison.systems == ("system",)


def test_an_update_says_that_the_baseline_is_written() -> None:
    result = kilter.check(BEFORE, BEFORE, floors={"order": 0.5})
    assert result.as_baseline("b").verdict.endswith("80 segments; baseline written")
    alone = replace(result, checks=())
    assert alone.as_baseline("b").verdict == "baseline written: 1 system, 80 segments"
