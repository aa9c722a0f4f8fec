"""All figures of a study, by name."""

from collections.abc import Iterator

from kilter.study.analysis.adjustment import adjust, adjusted_figures, effect_figures
from kilter.study.analysis.answer_distribution import (
    level_figures,
    level_use,
    question_table,
    question_table_figure,
)
from kilter.study.analysis.attention import (
    attention,
    attention_figure,
    control_answers,
    control_figure,
)
from kilter.study.analysis.completion_time import completion_figures, completion_times
from kilter.study.analysis.correlation_overview import overview_figures
from kilter.study.analysis.demographics import demographics, demographics_figures
from kilter.study.analysis.external_tool import external_correlations, external_figures
from kilter.study.analysis.hypothesis_table import hypothesis_figures, hypothesis_table
from kilter.study.analysis.judge_agreement import (
    agreement_figure,
    judge_agreement,
    leave_one_out_figures,
)
from kilter.study.analysis.judged_correlation import tool_correlations
from kilter.study.analysis.permutation_degree import answers_by_degree, degree_figure
from kilter.study.analysis.score_distribution import (
    score_distributions,
    score_figures,
    token_change_figure,
    token_changes,
)
from kilter.study.analysis.sentence_kind import answers_by_kind, kind_figure
from kilter.study.analysis.sentence_length import (
    language_figures,
    length_figure,
    length_scatter_figure,
    sentence_lengths,
    source_languages,
)
from kilter.study.analysis.subgroup import Split, published_splits, subgroup_figures
from kilter.study.analysis.tool_correlation import configuration_figures, correlation_figures
from kilter.study.analysis.uniformity import (
    quality_by_position,
    quality_by_questionnaire,
    quality_figure,
)
from kilter.study.analysis.variant_size import variant_size_figure, variant_sizes
from kilter.study.judgments.judgment_study import JudgmentStudy, SentenceGroup


def figures(made: JudgmentStudy, *, simulated: bool = False) -> dict[str, str]:
    """Return every figure that a study has; the pages of one are numbered from the second on."""
    drawn = [*_description(made, simulated=simulated), *_tools(made, simulated=simulated)]
    return {
        name if number == 1 else f"{name} {number}": picture
        for name, pictures in drawn
        for number, picture in enumerate(
            [pictures] if isinstance(pictures, str) else pictures, start=1
        )
    }


def _description(
    made: JudgmentStudy, *, simulated: bool
) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    positions, forms = quality_by_position(made), quality_by_questionnaire(made)
    yield "position", quality_figure(positions, by="position", simulated=simulated)
    yield "questionnaire", quality_figure(forms, by="questionnaire", simulated=simulated)
    lengths = sentence_lengths(made)
    yield "lengths", length_figure(lengths, simulated=simulated)
    yield "scatter", length_scatter_figure(lengths, simulated=simulated)
    yield "languages", language_figures(source_languages(made), simulated=simulated)
    yield "people", demographics_figures(demographics(made), simulated=simulated)
    yield "levels", level_figures(level_use(made), simulated=simulated)
    yield "tokens", token_change_figure(token_changes(made), simulated=simulated)
    yield "scores", score_figures(score_distributions(made), simulated=simulated)
    yield "kinds", kind_figure(answers_by_kind(made), simulated=simulated)
    yield "times", completion_figures(completion_times(made).participants, simulated=simulated)
    yield "controls", control_figure(control_answers(made), simulated=simulated)
    yield "care", attention_figure(attention(made), simulated=simulated)
    yield "sizes", variant_size_figure(variant_sizes(made), simulated=simulated)
    degrees = answers_by_degree(made)
    for question in made.questions:
        name = question.name
        yield f"degrees {name}", degree_figure(degrees, question=name, simulated=simulated)
    for group in SentenceGroup:
        table = question_table(made, sentences=group)
        yield f"table {group}", question_table_figure(table, simulated=simulated)


def _tools(made: JudgmentStudy, *, simulated: bool) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    names = [question.name for question in made.questions]
    adjustments = {name: adjust(made, name) for name in names}
    for name, found in adjustments.items():
        yield f"effects {name}", effect_figures(found, simulated=simulated)
        yield f"adjusted {name}", adjusted_figures(made, found, simulated=simulated)
    agreements = [judge_agreement(made, name) for name in names]
    yield "agreement", agreement_figure(agreements, simulated=simulated)
    yield "others", leave_one_out_figures(agreements, simulated=simulated)
    rows = tool_correlations(made, adjustments=adjustments)
    for name in names:
        yield f"overview {name}", overview_figures(rows, question=name, simulated=simulated)
    for group in made.reported:
        yield f"rho {group}", correlation_figures(rows, sentences=group, simulated=simulated)
        for name in names:
            yield (
                f"configurations {group} {name}",
                configuration_figures(rows, question=name, sentences=group, simulated=simulated),
            )
    external = external_correlations(made, adjustments=adjustments)
    yield "external", external_figures(external, simulated=simulated)
    yield "hypotheses", hypothesis_figures(hypothesis_table(rows), simulated=simulated)
    for field, split in published_splits(made).items():
        if isinstance(split, Split):
            yield f"split {field}", _subgroups(made, split, simulated=simulated)


def _subgroups(made: JudgmentStudy, split: Split, *, simulated: bool) -> tuple[str, ...]:
    rows = [
        row
        for group in split.groups
        for row in tool_correlations(made, rows=group.rows, group=group.name)
    ]
    return subgroup_figures(
        rows,
        question="order",
        sentences=SentenceGroup.TRANSLATION,
        groups=split.groups,
        adjusted=False,
        simulated=simulated,
    )
