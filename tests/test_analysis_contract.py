"""What every analysis of a judgment study promises, and every sub-report that is made of a study.

An analysis is a public function of a module of `kilter.study.analysis` whose first argument is a study; a
report is one that returns a sub-report. Both are found by that, so that a new one is held to the contract
by being there.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib import import_module
from inspect import Parameter, getmembers, getsource, isfunction, signature
from math import isfinite
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pytest

import kilter.study.analysis
import kilter.study.judgments
from kilter.render.page.sub_report import SubReport
from kilter.stats.resampling import Resampling
from kilter.stats.undefined import Undefined
from kilter.study.analysis.chapter import study_sections
from kilter.study.analysis.settings import AnalysisSettings
from kilter.study.design.study import ItemKind
from kilter.study.judgments.judgment_study import JudgedSentence, JudgmentStudy
from tests.study.analysis.studies import permutation, scores, study, translation


def modules(package: Any) -> Iterator[Any]:
    for found in iter_modules(package.__path__, f"{package.__name__}."):
        yield import_module(found.name)


def of_a_study(package: Any) -> dict[str, Callable[..., Any]]:
    """Return the public functions of a package whose first argument is a study."""
    return {
        name: function
        for module in modules(package)
        for name, function in getmembers(module, isfunction)
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and [each.annotation for each in signature(function).parameters.values()][:1]
        in (["JudgmentStudy"], [JudgmentStudy])
    }


REPORTS = {
    name: function
    for name, function in of_a_study(kilter.study.analysis).items()
    if "SubReport" in str(signature(function).return_annotation)
}
_STEPS = {"study_sections", "scored", "analyse_study"}
ANALYSES = {
    name: function
    for name, function in of_a_study(kilter.study.analysis).items()
    if name not in REPORTS.keys() | _STEPS and not name.endswith("_figures")
}


def judged() -> JudgmentStudy:
    """Return a study with translations, permutations, missing answers, tools and fields."""
    sentences = [
        *(translation(f"t{k}", hypothesis=" ".join("abcd"[k:]), shared=k < 2) for k in range(4)),
        permutation("o1", "order", 2),
        permutation("o2", "order", 4),
        permutation("s1", "swap", 2),
    ]
    answers = [(4, 5), (2, None), (5, 5), (3, 4), (1, 1), (2, 3), (None, 2)]
    rows = [
        (person, place, answers[(place + person) % 7][0], answers[(place + 2 * person) % 7][1])
        for person in range(4)
        for place in range(7)
    ]
    tools = [
        scores("one", range(7)),
        scores("two", [3, 1, 4, 1, 5, np.nan, 2], external=True),
        scores("dted", [2, 1, 4, 3, 5, 6, 7], variant="variant=c"),
    ]
    people = {k: {"age": str(20 + 9 * k), "languages": "English (native)"} for k in range(3)}
    return study(rows, sentences, tools=tools, fields=people)


def compared() -> JudgmentStudy:
    """Return a study that asks which of two translations is better, and nothing else."""
    pairs = [("a", "b"), ("b", "a"), ("a", "c"), ("b", "c"), ("a", "b"), ("c", "a")]
    sentences = [
        JudgedSentence(
            id=f"i{k}", kind=ItemKind.PAIR, system=one, second_system=other, pair="de-en"
        )
        for k, (one, other) in enumerate(pairs)
    ]
    made = study([(p, s, None, None) for p in range(3) for s in range(6)], sentences)
    answers = np.array([1, 0.5, 0, 1, 1, np.nan] * 3)
    return replace(made, questions=(), levels={}, preferences={"preference": answers})


STUDIES: dict[str, Callable[[], JudgmentStudy]] = {
    "many": judged,
    "pairs": compared,
    "one judgment": lambda: study([(0, 0, 3, 3)]),
    "no answer": lambda: study([(0, 0, None, None), (1, 0, None, None)]),
    "all alike": lambda: study([(p, s, 3, 3) for p in range(2) for s in range(3)]),
}
every_study = pytest.mark.parametrize("made", STUDIES)
every_analysis = pytest.mark.parametrize("name", ANALYSES)


def calls(function: Callable[..., Any], of: JudgmentStudy) -> list[dict[str, str]]:
    """Return what an analysis needs beside the study: a question, or a field of participants."""
    needed = [
        parameter.name
        for parameter in [*signature(function).parameters.values()][1:]
        if parameter.default is Parameter.empty
    ]
    assert set(needed) <= {"question", "field"}, f"a study does not say what {needed} should be"
    asked = sorted({field for person in of.participants for field in person.fields})
    values = {"question": [each.name for each in of.questions], "field": asked}
    return [{needed[0]: value} for value in values[needed[0]]] if needed else [{}]


def results(name: str, of: JudgmentStudy) -> list[Any]:
    return [ANALYSES[name](of, **asked) for asked in calls(ANALYSES[name], of)]


def check(value: Any, where: str) -> None:
    """Fail if a result holds a number that is none, a type that can be changed, or an empty reason."""
    if isinstance(value, float):
        assert isfinite(value), where
    elif isinstance(value, Undefined):
        assert value.reason, where
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            check(entry, f"{where}[{key}]")
    elif isinstance(value, tuple):
        for place, entry in enumerate(value):
            check(entry, f"{where}[{place}]")
    elif is_dataclass(value) and not isinstance(value, type):
        assert type(value).__dataclass_params__.frozen, where  # type: ignore[attr-defined]
        for entry in fields(value):
            check(getattr(value, entry.name), f"{where}.{entry.name}")
    else:  # arrays follow the judgments and may have gaps
        assert value is None or isinstance(value, (str, int, np.ndarray)), f"{where}: {value!r}"


def same(one: Any, other: Any) -> bool:
    """Return whether two results are equal, arrays included."""
    if isinstance(one, np.ndarray):
        return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f"))
    if isinstance(one, Mapping):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one) and not isinstance(one, type):
        return type(one) is type(other) and all(
            same(getattr(one, entry.name), getattr(other, entry.name)) for entry in fields(one)
        )
    return bool(one == other)


@every_analysis
def test_it_says_what_it_returns(name: str) -> None:
    function = ANALYSES[name]
    assert (function.__doc__ or "").startswith("Return ")
    assert signature(function).return_annotation is not Parameter.empty


@every_analysis
@every_study
def test_it_gives_numbers_or_reasons_in_types_that_stay_as_they_are(name: str, made: str) -> None:
    for result in results(name, STUDIES[made]()):
        check(result, name)


@every_analysis
def test_it_leaves_the_study_alone_and_gives_the_same_again(name: str) -> None:
    whole, untouched = judged(), judged()
    first = results(name, whole)
    assert same(whole, untouched)
    assert same(results(name, whole), first)


@every_analysis
def test_a_report_or_the_chapter_uses_it(name: str) -> None:
    """An analysis that nobody sees would be dead code."""
    rooms = [*modules(kilter.study.judgments), *modules(kilter.study.analysis)]
    uses = sum(getsource(room).count(f"{name}(") for room in rooms)
    assert uses > 1  # its definition is the first


@cache
def chapter(made: str) -> list[SubReport]:
    settings = AnalysisSettings(resampling=Resampling(resamples=20), smallest_group=1)
    sections = [make() for make in study_sections(STUDIES[made](), settings)]
    return [report for section in sections for report in section.reports]


@every_study
def test_every_report_of_the_chapter_can_be_read(made: str) -> None:
    names = [report.name for report in chapter(made)]
    assert len(set(names)) == len(names)
    for report in chapter(made):
        assert report.title, report.name
        assert all(report.text) and report.text, report.name  # noqa: PT018 - one sentence or more
        for table in report.tables:
            assert all(len(row) == len(table.columns) for row in table.rows), report.name
            check(table.rows, report.name)
        for figure in report.figures:
            assert figure.svg.startswith("<svg"), report.name
            assert figure.caption, report.name
            assert figure.alternative, report.name


@pytest.mark.parametrize("name", REPORTS)
def test_the_chapter_has_every_report_of_a_study(name: str) -> None:
    needed = [
        each
        for each in signature(REPORTS[name]).parameters.values()
        if each.default is Parameter.empty
    ]
    if len(needed) > 1:  # what else it needs, the chapter computes: it is there if it is imported
        assert REPORTS[name] in vars(import_module("kilter.study.analysis.chapter")).values()
        return
    made = REPORTS[name](judged())
    assert made.name in {report.name for report in chapter("many")}
