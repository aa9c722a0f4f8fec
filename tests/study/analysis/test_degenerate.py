"""Whatever the data, every analysis gives numbers or reasons: never a NaN, never a crash."""

import random
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError
from kilter.stats.resampling import Resampling
from kilter.stats.undefined import Undefined
from kilter.study.analysis.adjustment import EffectSource, Estimator, adjust
from kilter.study.analysis.answer_distribution import level_use, question_table
from kilter.study.analysis.demographics import demographics
from kilter.study.analysis.external_tool import external_correlations
from kilter.study.analysis.hypothesis_table import hypothesis_table
from kilter.study.analysis.judge_agreement import judge_agreement
from kilter.study.analysis.judged_correlation import tool_correlations
from kilter.study.analysis.permutation_degree import answers_by_degree
from kilter.study.analysis.score_distribution import score_distributions, token_changes
from kilter.study.analysis.sentence_length import sentence_lengths, source_languages
from kilter.study.analysis.subgroup import Split, published_splits, split_by
from kilter.study.analysis.uniformity import quality_by_position, quality_by_questionnaire
from kilter.study.judgments.judgment_study import JudgmentStudy, SentenceGroup
from kilter.study.judgments.study_table import read_export
from tests.study.analysis.studies import (
    ITEMS,
    JUDGMENTS,
    PARTICIPANTS,
    crossed,
    permutation,
    scores,
    study,
    translation,
    write,
)
from tests.thorough import examples, tried
from tools.fuzz.reorderings import mutated


def check(value: Any, where: str = "result") -> None:
    """Fail if a number somewhere in a result is not finite; arrays follow the judgments and may have gaps."""
    if isinstance(value, float):
        assert isfinite(value), where
    elif isinstance(value, Undefined):
        assert value.reason, where
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            check(entry, f"{where}[{key}]")
    elif isinstance(value, tuple | list):
        for place, entry in enumerate(value):
            check(entry, f"{where}[{place}]")
    elif is_dataclass(value):
        for part in fields(value):
            check(getattr(value, part.name), f"{where}.{part.name}")


def analyse(made: JudgmentStudy) -> list[Any]:
    """Return every analysis of a study."""
    found: list[Any] = [
        quality_by_position(made), quality_by_questionnaire(made), sentence_lengths(made),
        source_languages(made), demographics(made), level_use(made), token_changes(made),
        answers_by_degree(made),
    ]  # fmt: skip
    found += [score_distributions(made, sentences=group) for group in SentenceGroup]
    found += [question_table(made, sentences=group) for group in SentenceGroup]
    names = [question.name for question in made.questions]
    adjustments = {}
    for name in names:
        predictors = [None, *made.tools[:1]]
        for estimator in Estimator:
            found += [
                adjust(made, name, estimator=estimator, source=source, predictor=predictor)
                for source in EffectSource
                for predictor in predictors
            ]
        adjustments[name] = adjust(made, name)
        found += [judge_agreement(made, name, sentences=group) for group in SentenceGroup]
    rows = tool_correlations(
        made,
        adjustments=adjustments,
        sentences=tuple(SentenceGroup),
        resampling=Resampling(resamples=20),
    )
    found += [rows, hypothesis_table(rows), external_correlations(made, adjustments=adjustments)]
    splits = [*published_splits(made).values(), split_by(made, "gender")]
    found += splits
    for split in splits:
        for group in split.groups if isinstance(split, Split) else ():
            found.append(tool_correlations(made, rows=group.rows, group=group.name))
    return found


LEVEL = st.none() | st.integers(1, 5)
SENTENCES = (
    translation("t0", shared=True), translation("t1", reference="", hypothesis=""),
    translation("t2", pair=None, reference="a b", hypothesis="b a c"),
    permutation("o1", "order", 1, degree_score=1.0, shared=True),
    permutation("b1", "both", 2, degree_score=0.0),
)  # fmt: skip


@st.composite
def studies(draw: st.DrawFn) -> JudgmentStudy:
    """Draw small studies: few people, gaps, constant answers, tools without scores."""
    people = draw(st.integers(1, 4))
    pairs = [(person, place) for person in range(people) for place in range(len(SENTENCES))]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, min_size=1))
    constant = draw(st.none() | st.integers(1, 5))
    rows = [
        (person, place, constant or draw(LEVEL), constant or draw(LEVEL))
        for person, place in sorted(chosen)
    ]
    value = st.sampled_from([0.0, 0.5, 1.0, np.nan])
    tools = [
        scores(name, [draw(value) for _ in SENTENCES], variant=variant, external=name == "theirs")
        for name, variant in (
            ("dted", "variant=b"),
            ("dted", "flat=true,variant=b"),
            ("theirs", ""),
        )
    ]
    field = st.fixed_dictionaries(
        {
            "age": st.sampled_from([None, "20", "40", "old"]),
            "gender": st.sampled_from([None, "female"]),
        }
    )
    return study(
        rows,
        SENTENCES,
        tools=tools,
        participants=people,
        fields={person: draw(field) for person in range(people)},
    )


@examples(60)
@given(made=studies())
def test_every_analysis_of_any_small_study_gives_numbers_or_reasons(made: JudgmentStudy) -> None:
    for result in analyse(made):
        check(result)


@pytest.mark.parametrize(
    "made",
    [
        crossed([[3, 4, 2]]),
        crossed([[None, None], [None, None]]),
        crossed([[3, 3, 3], [3, 3, 3]]),
        study([(0, 0, 1, 2)]),
        study([]),
    ],
    ids=["one participant", "no answer", "constant", "one judgment", "nothing"],
)
def test_degenerate_studies_give_numbers_or_reasons(made: JudgmentStudy) -> None:
    for result in analyse(made):
        check(result)


def test_mutated_exports_are_read_or_refused_with_their_place(tmp_path: Path) -> None:
    chance = random.Random(1)
    whole = {"judgments": JUDGMENTS, "items": ITEMS, "participants": PARTICIPANTS}
    refusals = []
    count = tried(300, quick=90)
    for number in range(count):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, text in whole.items():
            data = mutated(text, chance) if chance.random() < 0.5 else text
            (folder / f"{name}.csv").write_bytes(data.encode())
        try:
            found = read_export(folder)
        except InputError as error:
            refusals.append(str(error).startswith(str(folder)))
        else:
            for result in analyse(found) if number % 10 == 0 else []:
                check(result)
    assert all(refusals)
    assert count / 6 < len(refusals) < count - 10


def test_an_export_without_demographics_says_so_in_their_place(tmp_path: Path) -> None:
    found = read_export(write(tmp_path, participants=None))
    assert all(isinstance(value, Undefined) for value in demographics(found).values())
    assert all(isinstance(value, Undefined) for value in published_splits(found).values())
