"""A stranger finds any line from names: one name for one thing, small files, a test file per module."""

import ast
import re
from collections import defaultdict
from fnmatch import fnmatch
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
LONG = {
    "reports/study/tool_correlation.py": "the analysis with the most tables, beside its figures",
}
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
        ("aligners/aligner.py", "aligners/registry.py", "parsers/parser.py", "parsers/registry.py"),
        "what all plugins of a kind promise is asked of all that are registered",
        ("test_aligner_contract.py", "test_parser_contract.py", "test_options_of_plugins.py"),
    ),
    Elsewhere(
        ("metrics/citation.py", "metrics/one_segment.py", "metrics/operator_score.py"),
        "a list, a choice, and the frame of the functions of metrics: used by many, asked of all",
        ("test_metric_contract.py", "metrics/test_text_metrics.py"),
    ),
    Elsewhere(
        ("metrics/ngram.py", "metrics/meteor_chunk.py", "metrics/dependency_tree_metric.py"),
        "means something only in the metric that is built on it or that it is a part of",
        ("metrics/test_bleu.py", "metrics/test_meteor.py", "metrics/test_dted.py"),
    ),
    Elsewhere(
        (
            "metrics/reordering_metric.py",
            "metrics/tied_order.py",
            "structures/reordering/order_match.py",
            "structures/reordering/printed_order.py",
            "structures/reordering/reordering.py",
        ),
        "readings of tied words are compared with an oracle through the metrics that need them",
        ("metrics/test_frs.py", "kernels/test_reordering.py", "structures/link/test_link_rule.py"),
    ),
    Elsewhere(
        ("aligners/em_model.py", "aligners/lint_words.py"),
        "values without behaviour of their own: what is trained, and lists of words",
        ("aligners/test_em_model_file.py", "aligners/test_lint.py"),
    ),
    Elsewhere(
        ("judgments/column_name.py", "judgments/mean_score.py"),
        "shared by formats of judgments, whose tests read files with these names and means",
        ("judgments/test_assessment.py", "judgments/test_mqm.py"),
    ),
    Elsewhere(
        ("options/argument.py",),
        "every argument of every public function is tried, which no test of the module could",
        ("test_arguments.py",),
    ),
    Elsewhere(
        ("perturbations/draw.py", "formats/perturbation.py"),
        "shapes of results, seen in every perturbation and in what the command writes",
        ("perturbations/test_perturbation.py", "cli/test_perturb.py"),
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
        (
            "structures/link/link_origin.py",
            "structures/permutation/permutation_pair.py",
            "structures/dependency/dependency_path.py",
        ),
        "one side of a structure whose tests ask for both",
        (
            "structures/link/test_link_batch.py",
            "structures/permutation/test_permutation.py",
            "kernels/test_derp.py",
        ),
    ),
    Elsewhere(
        ("structures/judgment/judgments.py",),
        "columns that readers fill and agreement counts",
        ("judgments/test_reader.py", "agreement/test_agreement.py"),
    ),
    Elsewhere(
        ("structures/result/*.py",),
        "what a function of kilter returns, held to what its command prints",
        ("test_front_door.py", "docs/test_examples.py", "reports/test_columns.py"),
    ),
    Elsewhere(
        ("pipeline/parse.py", "pipeline/reordering/score.py", "pipeline/scoring/compare.py"),
        "what a command does, and no more: its tests are those of the command",
        ("cli/test_parse.py", "cli/reorder/test_score.py", "cli/test_compare.py"),
    ),
    Elsewhere(
        ("pipeline/survey/*.py",),
        "what commands of the survey do, from files to files",
        ("cli/survey/test_analyse.py", "cli/survey/test_simulate.py", "survey/paper/test_scan.py"),
    ),
    Elsewhere(
        ("reports/table/*.py", "reports/study/*.py"),
        "every column of every report is held to the attribute that it names, by cases of its own",
        ("reports/test_columns.py", "reports/test_judgment_figures.py", "docs/test_examples.py"),
    ),
    Elsewhere(
        ("reports/chart/*.py", "reports/page/report_folder.py"),
        "a part of every figure; what holds of figures is asked of all of them",
        ("reports/test_judgment_figures.py", "reports/chart/test_picture_file.py"),
    ),
    Elsewhere(
        ("cli/permutation/*.py",),
        "what one command writes, by its options",
        ("cli/test_permutation.py",),
    ),
    Elsewhere(
        ("cli/option/*.py", "cli/group/*.py", "cli/talk/*.py"),
        "every option of every command is tried, and every way to talk to people",
        ("cli/test_every_option.py", "cli/test_outputs.py", "cli/test_surroundings.py"),
    ),
    Elsewhere(
        ("cli/meta/agreement.py", "cli/preorder/select.py"),
        "one of several commands of a group on the same files",
        ("cli/meta/test_meta.py", "cli/preorder/test_evaluate.py", "cli/test_every_option.py"),
    ),
    Elsewhere(
        ("cli/survey/*.py",),
        "commands on a study that runs, in the order in which people call them",
        ("cli/test_survey_data.py", "survey/paper/test_booklet.py", "survey/paper/test_scan.py"),
    ),
    Elsewhere(
        ("survey/analysis/judged_correlation.py", "survey/analysis/variant.py"),
        "shared by the analyses that correlate",
        ("survey/analysis/test_tool_correlation.py", "survey/analysis/test_external_tool.py"),
    ),
    Elsewhere(
        ("survey/analysis/study_table.py",),
        "checks of tables against one another, seen through the reader of exports",
        ("survey/analysis/test_export_reader.py",),
    ),
    Elsewhere(
        ("survey/design/item_text.py", "survey/instrument/answer_form.py"),
        "what participants see and send, on pages and on paper",
        ("survey/web/test_participant_pages.py", "survey/exchange/test_intake.py"),
    ),
    Elsewhere(
        ("survey/paper/form.py", "survey/paper/scan/registration.py", "survey/paper/scan/sheet.py"),
        "printed pages that are drawn on, bent and read again need all of them at once",
        ("survey/paper/test_scan.py", "survey/paper/test_booklet.py"),
    ),
    Elsewhere(
        ("survey/store/model.py", "survey/store/migrations/*.py"),
        "tables, which are those that migrations make in real databases",
        ("survey/store/test_database.py", "survey/test_crash.py"),
    ),
    Elsewhere(
        ("survey/web/*.py",),
        "parts of the server, which is tested while it runs",
        (
            "survey/test_security.py",
            "survey/web/test_participant_pages.py",
            "survey/test_browser.py",
        ),
    ),
)


def _mirror(module: str) -> Path:
    path = Path(module)
    return TESTS / path.parent / f"test_{path.name}"


def _words(name: str) -> list[str]:
    """Return the words of a module's or a class's name, in lower case."""
    parts = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)
    return [part.lower() for part in parts]


def _classes() -> dict[str, list[str]]:
    found = defaultdict(list)
    for module in MODULES:
        for node in ast.walk(ast.parse((SOURCE / module).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(module)
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
    patterns = [pattern for entry in ELSEWHERE for pattern in entry.modules]
    missing = [
        module
        for module in MODULES
        if not _mirror(module).exists()
        and not any(fnmatch(module, pattern) for pattern in patterns)
    ]
    assert missing == []


@pytest.mark.parametrize("entry", ELSEWHERE, ids=lambda entry: entry.modules[0])
def test_a_reason_is_needed_and_names_tests_that_are_there(entry: Elsewhere) -> None:
    without = [module for module in MODULES if not _mirror(module).exists()]
    for pattern in entry.modules:
        assert any(fnmatch(module, pattern) for module in without), pattern
    for test in entry.tests:
        assert "def test_" in (TESTS / test).read_text(encoding="utf-8"), test
