"""Kilter measures word order in machine translation, says why, and measures the measures."""

# Little is imported before it is asked for: until the command has begun, an interrupt is not quiet.
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kilter import preorder, reorder, sentence
    from kilter.aligners.aligner import Aligner
    from kilter.aligners.registry import aligner
    from kilter.core.dependency_tree import DependencyTree
    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.core.errors import InputError, KilterError, MissingToolError, OptionError
    from kilter.core.judgments import Judgments
    from kilter.core.link_rule import joined_links, source_permutations
    from kilter.core.links import LinkBatch
    from kilter.core.permutation import Permutation
    from kilter.core.permutation_batch import PermutationBatch
    from kilter.core.permutation_factorization import check_tightness
    from kilter.core.permutation_forest import PermutationForest
    from kilter.core.permutation_tree import PermutationTree
    from kilter.core.reordering import PrintedOrder
    from kilter.io.conllu import Treebank, read_conllu, read_trees, write_conllu
    from kilter.io.judgments.reader import read_judgments
    from kilter.io.link_writer import write_links
    from kilter.io.links import link_problems, read_links
    from kilter.metrics.metric import Metric
    from kilter.metrics.registry import metric, metric_names
    from kilter.parsers.parser import Parser
    from kilter.parsers.registry import parser
    from kilter.preordering.perturbations.perturbation import PerturbationType
    from kilter.preordering.rule_set import RuleSet
    from kilter.render.page.system_report import SystemReport
    from kilter.results.comparison import Comparison
    from kilter.results.explanation import ErrorSummary, Explanation
    from kilter.results.links import LintReport
    from kilter.results.meta_result import AgreementMeasure, MetaResult, PairResult
    from kilter.results.preordering import AnalysisResult, PreorderEvaluation, PreorderExplanation
    from kilter.results.published_result import PublishedEntry, PublishedResult
    from kilter.results.score_result import ScoreResult, ScoreTable
    from kilter.results.sensitivity_result import LabelResult, PerturbationResult
    from kilter.results.tune_result import TunedMetrics, TuneResult
    from kilter.run.align import align
    from kilter.run.explanation.explain import explain, explain_segments
    from kilter.run.explanation.report import report
    from kilter.run.explanation.segment_choice import SegmentChoice
    from kilter.run.explanation.system_errors import SystemErrors, order_errors
    from kilter.run.meta.evaluation_file import EvaluationFile, read_evaluation_file
    from kilter.run.meta.evaluation_inputs import EvaluationInputs, JudgmentPolicy
    from kilter.run.meta.language_pairs import pair_averages
    from kilter.run.meta.meta import MetaSettings, meta
    from kilter.run.meta.option_search import TuneSettings
    from kilter.run.meta.published import published_tables
    from kilter.run.meta.sensitivity import label_sensitivity, perturbation_sensitivity
    from kilter.run.meta.tune import tune, tune_metrics
    from kilter.run.parse import parse
    from kilter.run.permutation import permutation_scores
    from kilter.run.perturb import PerturbedRow, perturb
    from kilter.run.preordering.select import Selection
    from kilter.run.published.published import published, published_list
    from kilter.run.scoring.compare import compare
    from kilter.run.scoring.given_score import compare_scores
    from kilter.run.scoring.links import LinkPath, Links
    from kilter.run.scoring.nbest import rerank, score_nbest
    from kilter.run.scoring.score import score
    from kilter.run.scoring.settings import Settings
    from kilter.run.scoring.structure_files import StructureFiles
    from kilter.run.scoring.trees import Trees
    from kilter.run.scoring.validate import ValidationReport, validate
    from kilter.run.train_parser import TrainedParser, train_parser
    from kilter.stats.resampling import Resampling
    from kilter.stats.significance import holm, sample_size
    from kilter.study.analysis.power import PowerDesign, simulated_power
    from kilter.study.simulation.effect import Effects

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
    "AgreementMeasure": "kilter.results.meta_result",
    "Aligner": "kilter.aligners.aligner",
    "AnalysisResult": "kilter.results.preordering",
    "Comparison": "kilter.results.comparison",
    "DependencyTree": "kilter.core.dependency_tree",
    "DependencyTreeColumn": "kilter.core.dependency_tree_column",
    "Effects": "kilter.study.simulation.effect",
    "ErrorSummary": "kilter.results.explanation",
    "EvaluationFile": "kilter.run.meta.evaluation_file",
    "EvaluationInputs": "kilter.run.meta.evaluation_inputs",
    "Explanation": "kilter.results.explanation",
    "InputError": "kilter.core.errors",
    "JudgmentPolicy": "kilter.run.meta.evaluation_inputs",
    "Judgments": "kilter.core.judgments",
    "KilterError": "kilter.core.errors",
    "LabelResult": "kilter.results.sensitivity_result",
    "LinkBatch": "kilter.core.links",
    "LinkPath": "kilter.run.scoring.links",
    "Links": "kilter.run.scoring.links",
    "LintReport": "kilter.results.links",
    "MetaResult": "kilter.results.meta_result",
    "MetaSettings": "kilter.run.meta.meta",
    "Metric": "kilter.metrics.metric",
    "MissingToolError": "kilter.core.errors",
    "OptionError": "kilter.core.errors",
    "PairResult": "kilter.results.meta_result",
    "Parser": "kilter.parsers.parser",
    "Permutation": "kilter.core.permutation",
    "PermutationBatch": "kilter.core.permutation_batch",
    "PermutationForest": "kilter.core.permutation_forest",
    "PermutationTree": "kilter.core.permutation_tree",
    "PerturbationResult": "kilter.results.sensitivity_result",
    "PerturbationType": "kilter.preordering.perturbations.perturbation",
    "PerturbedRow": "kilter.run.perturb",
    "PowerDesign": "kilter.study.analysis.power",
    "PreorderEvaluation": "kilter.results.preordering",
    "PreorderExplanation": "kilter.results.preordering",
    "PrintedOrder": "kilter.core.reordering",
    "PublishedEntry": "kilter.results.published_result",
    "PublishedResult": "kilter.results.published_result",
    "Resampling": "kilter.stats.resampling",
    "RuleSet": "kilter.preordering.rule_set",
    "ScoreResult": "kilter.results.score_result",
    "ScoreTable": "kilter.results.score_result",
    "SegmentChoice": "kilter.run.explanation.segment_choice",
    "Selection": "kilter.run.preordering.select",
    "Settings": "kilter.run.scoring.settings",
    "StructureFiles": "kilter.run.scoring.structure_files",
    "SystemErrors": "kilter.run.explanation.system_errors",
    "SystemReport": "kilter.render.page.system_report",
    "TrainedParser": "kilter.run.train_parser",
    "Treebank": "kilter.io.conllu",
    "Trees": "kilter.run.scoring.trees",
    "TuneResult": "kilter.results.tune_result",
    "TunedMetrics": "kilter.results.tune_result",
    "TuneSettings": "kilter.run.meta.option_search",
    "ValidationReport": "kilter.run.scoring.validate",
    "align": "kilter.run.align",
    "aligner": "kilter.aligners.registry",
    "check_tightness": "kilter.core.permutation_factorization",
    "compare": "kilter.run.scoring.compare",
    "compare_scores": "kilter.run.scoring.given_score",
    "explain": "kilter.run.explanation.explain",
    "explain_segments": "kilter.run.explanation.explain",
    "holm": "kilter.stats.significance",
    "joined_links": "kilter.core.link_rule",
    "label_sensitivity": "kilter.run.meta.sensitivity",
    "link_problems": "kilter.io.links",
    "meta": "kilter.run.meta.meta",
    "metric": "kilter.metrics.registry",
    "metric_names": "kilter.metrics.registry",
    "order_errors": "kilter.run.explanation.system_errors",
    "pair_averages": "kilter.run.meta.language_pairs",
    "parse": "kilter.run.parse",
    "parser": "kilter.parsers.registry",
    "permutation_scores": "kilter.run.permutation",
    "perturb": "kilter.run.perturb",
    "perturbation_sensitivity": "kilter.run.meta.sensitivity",
    "published": "kilter.run.published.published",
    "published_list": "kilter.run.published.published",
    "published_tables": "kilter.run.meta.published",
    "read_conllu": "kilter.io.conllu",
    "read_evaluation_file": "kilter.run.meta.evaluation_file",
    "read_judgments": "kilter.io.judgments.reader",
    "read_links": "kilter.io.links",
    "read_trees": "kilter.io.conllu",
    "report": "kilter.run.explanation.report",
    "rerank": "kilter.run.scoring.nbest",
    "sample_size": "kilter.stats.significance",
    "score": "kilter.run.scoring.score",
    "score_nbest": "kilter.run.scoring.nbest",
    "simulated_power": "kilter.study.analysis.power",
    "source_permutations": "kilter.core.link_rule",
    "train_parser": "kilter.run.train_parser",
    "tune": "kilter.run.meta.tune",
    "tune_metrics": "kilter.run.meta.tune",
    "validate": "kilter.run.scoring.validate",
    "write_conllu": "kilter.io.conllu",
    "write_links": "kilter.io.link_writer",
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
