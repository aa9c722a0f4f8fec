"""A stranger finds any line from names: one name for one thing, small files, a test file per module."""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "kilter"
TESTS = ROOT / "tests"
MODULES = sorted(
    path.relative_to(SOURCE).as_posix()
    for path in SOURCE.rglob("*.py")
    if path.name != "__init__.py"
)

LONGEST = 400
LONG: dict[str, str] = {}
"""Files that answer for their length."""

PLAIN_TREES = {
    "pipeline/scoring/trees.py": "holds `Trees`",
    "Trees": "what users give to a run, who say it beside `Links`; a run has no other trees",
}
"""Names with a tree of which they do not say whether it is a permutation tree or a dependency tree."""


class Elsewhere(NamedTuple):
    """Modules without a test file of their name, why, and where they are tested."""

    modules: tuple[str, ...]
    reason: str
    tests: tuple[str, ...]


ELSEWHERE = (
    Elsewhere(
        ("__main__.py",),
        "the command, where only the package is known",
        ("test_front_door.py",),
    ),
    Elsewhere(
        ("structures/result/rule_search.py",),
        "the steps of a search for rules, made in one place and written in another",
        ("pipeline/preordering/test_search.py", "reports/table/test_rule_search.py"),
    ),
    Elsewhere(
        ("structures/result/self_training.py",),
        "the rounds of self-training, made in one place and written in another",
        ("pipeline/preordering/test_self_training.py", "reports/table/test_self_training.py"),
    ),
    Elsewhere(
        ("structures/result/rated_systems.py",),
        "what ratings say of systems, made in one place and written in another",
        ("pipeline/agreement/test_rated_systems.py", "reports/table/test_rated_systems.py"),
    ),
    Elsewhere(
        ("structures/result/parser_card.py",),
        "the card of a learned parser, made in one place and written in another",
        ("pipeline/test_train_parser.py", "reports/table/test_parser_card.py"),
    ),
    Elsewhere(
        (
            "pipeline/explanation/error_cost.py",
            "pipeline/explanation/ordered_word.py",
            "pipeline/explanation/misplaced_block.py",
            "structures/result/error_summary.py",
        ),
        "steps on the way to order errors and their sums: what they find shows in these",
        (
            "pipeline/explanation/test_order_errors.py",
            "pipeline/explanation/test_error_summary.py",
        ),
    ),
    Elsewhere(
        ("pipeline/scoring/resampled.py",),
        "scores on resamples, seen in the intervals and tests that are made of them",
        (
            "pipeline/scoring/test_significance.py",
            "pipeline/scoring/test_difference_parts.py",
        ),
    ),
    Elsewhere(
        ("cli/option/drawn_study.py",),
        "what the two commands that draw questionnaires share",
        ("cli/survey/test_check.py", "cli/survey/test_create.py"),
    ),
    Elsewhere(
        ("cli/option/nbest.py",),
        "what the two commands over n-best lists share",
        ("cli/test_rerank.py",),
    ),
    Elsewhere(
        ("aligners/aligner.py", "aligners/registry.py", "parsers/parser.py", "parsers/registry.py"),
        "what all plugins of a kind promise is asked of all that are registered",
        ("test_aligner_contract.py", "test_parser_contract.py", "test_options_of_plugins.py"),
    ),
    Elsewhere(
        (
            "encoder/sentence_pairs.py",
            "structures/link/meaning_batch.py",
            "structures/link/meaning_source.py",
            "pipeline/cache/kept_meaning.py",
        ),
        "blocks of sentences and what is kept of them, seen in what is made of them",
        (
            "encoder/test_meaning.py",
            "aligners/test_embedding.py",
            "pipeline/scoring/test_made_meanings.py",
        ),
    ),
    Elsewhere(
        ("metrics/citation.py", "metrics/dependency_tree_metric.py"),
        "a list, and the base of metrics of trees: asked of all that use them",
        ("test_metric_contract.py", "metrics/test_dted.py"),
    ),
    Elsewhere(
        ("aligners/em_model.py", "aligners/lint_words.py", "judgments/column_name.py"),
        "values without behaviour of their own: what is trained, lists of words and of names",
        ("aligners/test_em_model_file.py", "aligners/test_lint.py", "judgments/test_mqm.py"),
    ),
    Elsewhere(
        ("perturbations/draw.py", "formats/perturbation.py"),
        "shapes of results, seen in every perturbation and in what the command writes",
        ("perturbations/test_perturbation.py", "cli/test_perturb.py"),
    ),
    Elsewhere(
        ("pipeline/published/recipe.py",),
        "what the computations of printed tables take and give",
        ("pipeline/published/test_worked_table.py", "pipeline/published/test_published.py"),
    ),
    Elsewhere(
        ("formats/sacrebleu_module.py",),
        "imports another package once for all",
        ("metrics/test_chrf.py", "metrics/test_ter.py", "formats/test_tokenizer.py"),
    ),
    Elsewhere(
        (
            "structures/link/link.py",
            "structures/permutation/branching.py",
            "structures/result/document.py",
            "structures/text/corpus.py",
        ),
        "types that hold what others compute",
        ("test_dataclass.py", "test_metric_contract.py"),
    ),
    Elsewhere(
        ("structures/dependency/dependency_path.py",),
        "paths are compared with an oracle through the kernel that finds them",
        ("kernels/test_derp.py", "metrics/test_derp.py"),
    ),
    Elsewhere(
        (
            "structures/result/analysis_result.py",
            "structures/result/annotation_status.py",
            "structures/result/annotator_link.py",
            "structures/result/comparison.py",
            "structures/result/link_comparison.py",
            "structures/result/personal_link.py",
            "structures/result/pool_statistics.py",
            "structures/result/preorder_evaluation.py",
            "structures/result/preorder_explanation.py",
            "structures/result/study_status.py",
            "structures/result/tune_result.py",
        ),
        "each attribute is held to the place in the document and in the tables that names it",
        (
            "reports/table/test_preorder_analysis.py",
            "reports/table/test_annotation_status.py",
            "reports/table/test_annotator_link.py",
            "reports/table/test_link_comparison.py",
            "reports/table/test_comparison_columns.py",
            "reports/explanation/test_preorder_explanation.py",
            "reports/table/test_preorder.py",
            "reports/table/test_personal_link.py",
            "reports/table/test_pool_statistics.py",
            "reports/table/test_study_status.py",
            "reports/table/test_tuning.py",
        ),
    ),
    Elsewhere(
        ("pipeline/reordering/score.py", "cli/preorder/select.py", "cli/meta/agreement.py"),
        "what a command does, and no more: its tests are those of the command",
        ("cli/reorder/test_score.py", "cli/preorder/test_evaluate.py", "cli/meta/test_meta.py"),
    ),
    Elsewhere(
        (
            "pipeline/survey/analysis.py",
            "pipeline/survey/data.py",
            "pipeline/survey/scan.py",
        ),
        "what commands of the survey do, from files to files",
        ("cli/survey/test_analyse.py", "cli/survey/test_export.py", "cli/survey/test_scan.py"),
    ),
    Elsewhere(
        (
            "cli/option/judgment.py",
            "cli/option/output.py",
            "cli/option/preordering.py",
            "cli/option/reordering.py",
            "cli/option/execution.py",
            "cli/permutation/combination.py",
        ),
        "options of several commands: every option of every command is tried",
        ("cli/test_every_option.py", "cli/test_options.py", "cli/permutation/test_score_table.py"),
    ),
    Elsewhere(
        ("survey/analysis/judged_correlation.py",),
        "shared by the analyses that correlate",
        ("survey/analysis/test_tool_correlation.py", "survey/analysis/test_external_tool.py"),
    ),
    Elsewhere(
        ("survey/analysis/study_table.py",),
        "checks of tables against one another, seen through the reader of exports",
        ("survey/analysis/test_export_reader.py",),
    ),
    Elsewhere(
        (
            "survey/paper/document.py",
            "survey/paper/page_mark.py",
            "survey/paper/scan/registration.py",
        ),
        "printed pages that are drawn on, bent and read again need all of them at once",
        ("cli/survey/test_scan.py",),
    ),
    Elsewhere(
        (
            "survey/store/model.py",
            "survey/store/migrations/env.py",
            "survey/store/migrations/versions/v0001_answers.py",
            "survey/store/migrations/versions/v0002_attempts.py",
            "survey/store/migrations/versions/v0003_codes.py",
            "survey/store/migrations/versions/v0004_actions.py",
            "survey/store/migrations/versions/v0005_groups.py",
            "survey/store/migrations/versions/v0006_visits.py",
            "survey/store/migrations/versions/v0007_accounts.py",
            "survey/store/migrations/versions/v0008_closing.py",
            "survey/store/migrations/versions/v0009_analyses.py",
            "survey/store/migrations/versions/v0010_erasures.py",
        ),
        "tables, which are those that migrations make in real databases",
        ("survey/store/test_database.py", "survey/test_crash.py"),
    ),
    Elsewhere(
        ("survey/store/state.py",),
        "what the store gives back, and visits with it",
        ("survey/store/test_store.py", "survey/web/test_participant_pages.py"),
    ),
    Elsewhere(
        (
            "annotation/store/model.py",
            "annotation/store/migrations/env.py",
            "annotation/store/migrations/versions/v0001_annotations.py",
        ),
        "tables, which are those that migrations make in real databases",
        ("annotation/store/test_annotation_store.py", "annotation/test_crash.py"),
    ),
    Elsewhere(
        ("annotation/annotation.py", "annotation/drawn_link.py"),
        "what an annotator has made of a sentence, as it is stored and sent",
        ("annotation/store/test_annotation_table.py", "annotation/web/test_editor.py"),
    ),
    Elsewhere(
        ("annotation/web/request.py", "annotation/web/site.py"),
        "what every page of annotators goes through",
        ("annotation/test_security.py", "annotation/web/test_pages.py"),
    ),
    Elsewhere(
        ("cli/option/annotation.py", "cli/option/serving.py"),
        "what commands of annotation and of servers share",
        ("cli/annotate/test_links.py", "cli/annotate/test_serve.py", "cli/survey/test_serve.py"),
    ),
    Elsewhere(
        ("survey/web/request.py", "survey/web/service.py"),
        "parts of the server, which is tested while it runs",
        (
            "survey/web/test_server.py",
            "survey/test_security.py",
            "survey/web/test_participant_pages.py",
            "survey/test_browser.py",
        ),
    ),
)
"""Few: a new module gets a test file of its own rather than a line here."""


def _mirror(module: str) -> Path:
    path = Path(module)
    return TESTS / path.parent / f"test_{path.name}"


def _words(name: str) -> list[str]:
    """Return the words of a module's or a class's name, in lower case."""
    parts = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)
    return [part.lower() for part in parts]


@cache
def _classes() -> dict[str, list[str]]:
    found = defaultdict(list)
    for module in MODULES:
        # To parse all modules would take longer than all other tests of this file.
        text = (SOURCE / module).read_text(encoding="utf-8")
        for name in re.findall(r"^[ \t]*class (\w+)[(:]", text, re.MULTILINE):
            found[name].append(module)
    return found


def test_a_class_name_stands_for_one_thing() -> None:
    twice = {name: places for name, places in _classes().items() if len(places) > 1}
    assert twice == {}


def test_a_tree_says_which_tree_it_is() -> None:
    names = {Path(module).stem: module for module in MODULES} | {name: name for name in _classes()}
    plain = set()
    for name, place in names.items():
        words = _words(name)
        for number, word in enumerate(words):
            kinds = ("permutation", "dependency")
            if word in ("tree", "trees") and (not number or words[number - 1] not in kinds):
                plain.add(place)
    assert plain == set(PLAIN_TREES)


def test_a_long_file_answers_for_itself() -> None:
    lengths = {
        module: len((SOURCE / module).read_text(encoding="utf-8").splitlines())
        for module in MODULES
    }
    assert {module for module, length in lengths.items() if length > LONGEST} == set(LONG)


def test_every_module_has_a_test_file_of_its_name_or_a_reason() -> None:
    without = {module for module in MODULES if not _mirror(module).exists()}
    assert without == {module for entry in ELSEWHERE for module in entry.modules}


@pytest.mark.parametrize("entry", ELSEWHERE, ids=lambda entry: entry.modules[0])
def test_a_reason_names_tests_that_are_there(entry: Elsewhere) -> None:
    for test in entry.tests:
        assert "def test_" in (TESTS / test).read_text(encoding="utf-8"), test
