"""Kilter measures word order in machine translation, says why, and measures the measures."""

# Little is imported before it is asked for: until the command has begun, an interrupt is not quiet.
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kilter import preorder, reorder, sentence
    from kilter.agreement.language_pairs import pair_averages
    from kilter.agreement.published import published_tables
    from kilter.aligners.aligner import Aligner
    from kilter.aligners.registry import aligner
    from kilter.errors import InputError, KilterError, MissingToolError, OptionError
    from kilter.formats.conllu import Treebank, read_conllu, read_trees, write_conllu
    from kilter.formats.link_writer import write_links
    from kilter.formats.links import link_problems, read_links
    from kilter.judgments.reader import read_judgments
    from kilter.metrics.metric import Metric
    from kilter.metrics.registry import metric, metric_names
    from kilter.parsers.parser import Parser
    from kilter.parsers.registry import parser
    from kilter.perturbations.perturbation import PerturbationType
    from kilter.pipeline.agreement.evaluation_file import EvaluationFile, read_evaluation_file
    from kilter.pipeline.agreement.evaluation_inputs import EvaluationInputs, JudgmentPolicy
    from kilter.pipeline.agreement.meta import MetaSettings, meta
    from kilter.pipeline.agreement.option_search import TuneSettings
    from kilter.pipeline.agreement.sensitivity import label_sensitivity, perturbation_sensitivity
    from kilter.pipeline.agreement.tune import tune, tune_metrics
    from kilter.pipeline.align import align
    from kilter.pipeline.explanation.explain import explain, explain_segments
    from kilter.pipeline.explanation.report import report
    from kilter.pipeline.explanation.segment_choice import SegmentChoice
    from kilter.pipeline.explanation.system_errors import SystemErrors, order_errors
    from kilter.pipeline.parse import parse
    from kilter.pipeline.permutation import permutation_scores
    from kilter.pipeline.perturb import PerturbedRow, perturb
    from kilter.pipeline.preordering.select import Selection
    from kilter.pipeline.published.published import published, published_list
    from kilter.pipeline.scoring.compare import compare
    from kilter.pipeline.scoring.given_score import compare_scores
    from kilter.pipeline.scoring.links import LinkPath, Links
    from kilter.pipeline.scoring.nbest import rerank, score_nbest
    from kilter.pipeline.scoring.score import score
    from kilter.pipeline.scoring.settings import Settings
    from kilter.pipeline.scoring.structure_files import StructureFiles
    from kilter.pipeline.scoring.trees import Trees
    from kilter.pipeline.scoring.validate import ValidationReport, validate
    from kilter.pipeline.train_parser import TrainedParser, train_parser
    from kilter.preordering.rule_set import RuleSet
    from kilter.reports.page.system_report import SystemReport
    from kilter.statistics.resampling import Resampling
    from kilter.statistics.sample_size import sample_size
    from kilter.statistics.significance import holm
    from kilter.structures.dependency.dependency_tree import DependencyTree
    from kilter.structures.dependency.dependency_tree_column import DependencyTreeColumn
    from kilter.structures.judgment.judgments import Judgments
    from kilter.structures.link.link_batch import LinkBatch
    from kilter.structures.link.through_source import joined_links, source_permutations
    from kilter.structures.permutation.permutation import Permutation
    from kilter.structures.permutation.permutation_batch import PermutationBatch
    from kilter.structures.permutation.permutation_forest import PermutationForest
    from kilter.structures.permutation.permutation_tree import PermutationTree
    from kilter.structures.permutation.weak_factorization import check_tightness
    from kilter.structures.reordering.printed_order import PrintedOrder
    from kilter.structures.result.agreement_measure import AgreementMeasure
    from kilter.structures.result.analysis_result import AnalysisResult
    from kilter.structures.result.comparison import Comparison
    from kilter.structures.result.error_summary import ErrorSummary
    from kilter.structures.result.explanation import Explanation
    from kilter.structures.result.lint_report import LintReport
    from kilter.structures.result.meta_result import MetaResult, PairResult
    from kilter.structures.result.preorder_evaluation import PreorderEvaluation
    from kilter.structures.result.preorder_explanation import PreorderExplanation
    from kilter.structures.result.published_result import PublishedEntry, PublishedResult
    from kilter.structures.result.score_result import ScoreResult
    from kilter.structures.result.score_table import ScoreTable
    from kilter.structures.result.sensitivity_result import LabelResult, PerturbationResult
    from kilter.structures.result.tune_result import TunedMetrics, TuneResult
    from kilter.survey.analysis.power import PowerDesign, simulated_power
    from kilter.survey.simulation.effect import Effects

__version__ = "0.1.0"

__all__ = [
    "AgreementMeasure",
    "Aligner",
    "AnalysisResult",
    "Comparison",
    "DependencyTree",
    "DependencyTreeColumn",
    "Effects",
    "ErrorSummary",
    "EvaluationFile",
    "EvaluationInputs",
    "Explanation",
    "InputError",
    "JudgmentPolicy",
    "Judgments",
    "KilterError",
    "LabelResult",
    "LinkBatch",
    "LinkPath",
    "Links",
    "LintReport",
    "MetaResult",
    "MetaSettings",
    "Metric",
    "MissingToolError",
    "OptionError",
    "PairResult",
    "Parser",
    "Permutation",
    "PermutationBatch",
    "PermutationForest",
    "PermutationTree",
    "PerturbationResult",
    "PerturbationType",
    "PerturbedRow",
    "PowerDesign",
    "PreorderEvaluation",
    "PreorderExplanation",
    "PrintedOrder",
    "PublishedEntry",
    "PublishedResult",
    "Resampling",
    "RuleSet",
    "ScoreResult",
    "ScoreTable",
    "SegmentChoice",
    "Selection",
    "Settings",
    "StructureFiles",
    "SystemErrors",
    "SystemReport",
    "TrainedParser",
    "Treebank",
    "Trees",
    "TuneResult",
    "TuneSettings",
    "TunedMetrics",
    "ValidationReport",
    "align",
    "aligner",
    "check_tightness",
    "compare",
    "compare_scores",
    "explain",
    "explain_segments",
    "holm",
    "joined_links",
    "label_sensitivity",
    "link_problems",
    "meta",
    "metric",
    "metric_names",
    "order_errors",
    "pair_averages",
    "parse",
    "parser",
    "permutation_scores",
    "perturb",
    "perturbation_sensitivity",
    "preorder",
    "published",
    "published_list",
    "published_tables",
    "read_conllu",
    "read_evaluation_file",
    "read_judgments",
    "read_links",
    "read_trees",
    "reorder",
    "report",
    "rerank",
    "sample_size",
    "score",
    "score_nbest",
    "sentence",
    "simulated_power",
    "source_permutations",
    "train_parser",
    "tune",
    "tune_metrics",
    "validate",
    "write_conllu",
    "write_links",
]

# Names are looked up on first use, so that `import kilter` loads nothing heavy.
_HOMES = {
    "AgreementMeasure": "kilter.structures.result.agreement_measure",
    "Aligner": "kilter.aligners.aligner",
    "AnalysisResult": "kilter.structures.result.analysis_result",
    "Comparison": "kilter.structures.result.comparison",
    "DependencyTree": "kilter.structures.dependency.dependency_tree",
    "DependencyTreeColumn": "kilter.structures.dependency.dependency_tree_column",
    "Effects": "kilter.survey.simulation.effect",
    "ErrorSummary": "kilter.structures.result.error_summary",
    "EvaluationFile": "kilter.pipeline.agreement.evaluation_file",
    "EvaluationInputs": "kilter.pipeline.agreement.evaluation_inputs",
    "Explanation": "kilter.structures.result.explanation",
    "InputError": "kilter.errors",
    "JudgmentPolicy": "kilter.pipeline.agreement.evaluation_inputs",
    "Judgments": "kilter.structures.judgment.judgments",
    "KilterError": "kilter.errors",
    "LabelResult": "kilter.structures.result.sensitivity_result",
    "LinkBatch": "kilter.structures.link.link_batch",
    "LinkPath": "kilter.pipeline.scoring.links",
    "Links": "kilter.pipeline.scoring.links",
    "LintReport": "kilter.structures.result.lint_report",
    "MetaResult": "kilter.structures.result.meta_result",
    "MetaSettings": "kilter.pipeline.agreement.meta",
    "Metric": "kilter.metrics.metric",
    "MissingToolError": "kilter.errors",
    "OptionError": "kilter.errors",
    "PairResult": "kilter.structures.result.meta_result",
    "Parser": "kilter.parsers.parser",
    "Permutation": "kilter.structures.permutation.permutation",
    "PermutationBatch": "kilter.structures.permutation.permutation_batch",
    "PermutationForest": "kilter.structures.permutation.permutation_forest",
    "PermutationTree": "kilter.structures.permutation.permutation_tree",
    "PerturbationResult": "kilter.structures.result.sensitivity_result",
    "PerturbationType": "kilter.perturbations.perturbation",
    "PerturbedRow": "kilter.pipeline.perturb",
    "PowerDesign": "kilter.survey.analysis.power",
    "PreorderEvaluation": "kilter.structures.result.preorder_evaluation",
    "PreorderExplanation": "kilter.structures.result.preorder_explanation",
    "PrintedOrder": "kilter.structures.reordering.printed_order",
    "PublishedEntry": "kilter.structures.result.published_result",
    "PublishedResult": "kilter.structures.result.published_result",
    "Resampling": "kilter.statistics.resampling",
    "RuleSet": "kilter.preordering.rule_set",
    "ScoreResult": "kilter.structures.result.score_result",
    "ScoreTable": "kilter.structures.result.score_table",
    "SegmentChoice": "kilter.pipeline.explanation.segment_choice",
    "Selection": "kilter.pipeline.preordering.select",
    "Settings": "kilter.pipeline.scoring.settings",
    "StructureFiles": "kilter.pipeline.scoring.structure_files",
    "SystemErrors": "kilter.pipeline.explanation.system_errors",
    "SystemReport": "kilter.reports.page.system_report",
    "TrainedParser": "kilter.pipeline.train_parser",
    "Treebank": "kilter.formats.conllu",
    "Trees": "kilter.pipeline.scoring.trees",
    "TuneResult": "kilter.structures.result.tune_result",
    "TunedMetrics": "kilter.structures.result.tune_result",
    "TuneSettings": "kilter.pipeline.agreement.option_search",
    "ValidationReport": "kilter.pipeline.scoring.validate",
    "align": "kilter.pipeline.align",
    "aligner": "kilter.aligners.registry",
    "check_tightness": "kilter.structures.permutation.weak_factorization",
    "compare": "kilter.pipeline.scoring.compare",
    "compare_scores": "kilter.pipeline.scoring.given_score",
    "explain": "kilter.pipeline.explanation.explain",
    "explain_segments": "kilter.pipeline.explanation.explain",
    "holm": "kilter.statistics.significance",
    "joined_links": "kilter.structures.link.through_source",
    "label_sensitivity": "kilter.pipeline.agreement.sensitivity",
    "link_problems": "kilter.formats.links",
    "meta": "kilter.pipeline.agreement.meta",
    "metric": "kilter.metrics.registry",
    "metric_names": "kilter.metrics.registry",
    "order_errors": "kilter.pipeline.explanation.system_errors",
    "pair_averages": "kilter.agreement.language_pairs",
    "parse": "kilter.pipeline.parse",
    "parser": "kilter.parsers.registry",
    "permutation_scores": "kilter.pipeline.permutation",
    "perturb": "kilter.pipeline.perturb",
    "perturbation_sensitivity": "kilter.pipeline.agreement.sensitivity",
    "published": "kilter.pipeline.published.published",
    "published_list": "kilter.pipeline.published.published",
    "published_tables": "kilter.agreement.published",
    "read_conllu": "kilter.formats.conllu",
    "read_evaluation_file": "kilter.pipeline.agreement.evaluation_file",
    "read_judgments": "kilter.judgments.reader",
    "read_links": "kilter.formats.links",
    "read_trees": "kilter.formats.conllu",
    "report": "kilter.pipeline.explanation.report",
    "rerank": "kilter.pipeline.scoring.nbest",
    "sample_size": "kilter.statistics.sample_size",
    "score": "kilter.pipeline.scoring.score",
    "score_nbest": "kilter.pipeline.scoring.nbest",
    "simulated_power": "kilter.survey.analysis.power",
    "source_permutations": "kilter.structures.link.through_source",
    "train_parser": "kilter.pipeline.train_parser",
    "tune": "kilter.pipeline.agreement.tune",
    "tune_metrics": "kilter.pipeline.agreement.tune",
    "validate": "kilter.pipeline.scoring.validate",
    "write_conllu": "kilter.formats.conllu",
    "write_links": "kilter.formats.link_writer",
}
_MODULES = {"preorder", "reorder", "sentence"}
"""Commands with commands of their own, and metrics of one sentence: a module with a function for each."""


def __getattr__(name: str) -> "Any":
    from importlib import import_module  # noqa: PLC0415 - see above

    if name in _MODULES:
        return import_module(f"kilter.{name}")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'kilter' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def _renew_locks() -> None:
    """Free the locks of cached properties, which Python 3.11 has.

    In a forked child, a thread of its parent may hold one, and would never let go.
    """
    from functools import cached_property  # noqa: PLC0415 - see above

    for name, module in [*sys.modules.items()]:
        if name.startswith("kilter."):
            for kind in [each for each in vars(module).values() if isinstance(each, type)]:
                for value in vars(kind).values():
                    if isinstance(value, cached_property):
                        vars(value)["lock"] = type(vars(value)["lock"])()


if sys.version_info < (3, 12):
    os.register_at_fork(after_in_child=_renew_locks)
