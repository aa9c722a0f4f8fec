"""One call of every public function, on the sample; what it gives can be compared."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import partial
from importlib import import_module
from inspect import isabstract, signature
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

import kilter
from tests.parsers.small_treebank import sentences

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
PAGE = ROOT / "docs" / "python.md"
COUNT = 6
"""Lines of each text: enough to disagree about, few enough to be quick."""


class Call(NamedTuple):
    """A function by its place, and arguments that it takes."""

    place: str
    arguments: Callable[[], dict[str, Any]]

    @property
    def function(self) -> Callable[..., Any]:
        module, _, name = self.place.partition(":")
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        return found  # type: ignore[no-any-return]

    def run(self) -> Any:
        return plain(self.function(**self.arguments()))


def lines(name: str, *, count: int = COUNT) -> list[str]:
    return (EXAMPLES / f"{name}.en").read_text(encoding="utf-8").splitlines()[:count]


def found(place: str, **arguments: Any) -> Any:
    return Call(place, dict).function(**arguments)


PAIR = ("local", "verb")


def loaded() -> Any:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.kilter.json"
        kilter.score(lines("local"), lines("reference"), metrics="bleu").save(path)
        return kilter.load(path)


def source_of(name: str) -> Any:
    return found("kilter.io.stream:ByteSource", path=str(EXAMPLES / name))


def trees(name: str = "trees.conllu") -> Any:
    return found("kilter.io.conllu:read_trees", source=source_of(name))


def banks() -> list[Any]:
    names = ("parsed.conllu", "trees.conllu")
    return [found("kilter.io.conllu:read_conllu", source=source_of(name)) for name in names]


def reference_order() -> Any:
    return found("kilter.io.reordering:read_reorderings", source=source_of("references.txt"))


def rules() -> Any:
    return found("kilter.preordering.rule_file:load_rule_set", name="en-verb-final")


def order() -> Any:
    return found(
        "kilter.preordering.dependency_tree_order:reorder_trees", trees=trees(), rules=rules()
    )


def links() -> Any:
    return found("kilter.core.links:LinkBatch.of", segments=[[(1, 0), (2, 2), (3, 1)]])


def delayed() -> Any:
    return kilter.DelayedText.of(["yomu hon o"], ["She reads a book"], delays=[[2, 4, 4]])


def translated() -> Any:
    return kilter.Translation.of(["yomu hon o"], ["She reads a book"], links())


def table_of_translations() -> Any:
    with TemporaryDirectory() as folder:
        path = f"{folder}/table.tsv"
        Path(path).write_text("Id\tSToken\tTGroup\tCross\n1\tyes\tja\t1\n", encoding="utf-8")
        return list(kilter.read_translations(path, name="one").values())


def self_trained() -> Any:
    """Return the rounds of self-training, which writes to a folder of its own."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "bank.conllu").write_text(sentences(24), encoding="utf-8")
        trees = kilter.read_trees(f"{folder}/bank.conllu")
        result = kilter.preorder.selftrain(
            f"{folder}/bank.conllu", "r4", kilter.preorder.apply(trees, "r4"),
            source=trees.sentences(), folder=folder, held_out=0.5, rounds=0, passes=1, voters=1,
        )  # fmt: skip
    return result.rounds


def trained() -> Any:
    """Return the card of a parser and the bytes of its model."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "bank.conllu").write_text(sentences(24), encoding="utf-8")
        bank = kilter.read_conllu(f"{folder}/bank.conllu")
    found = kilter.train_parser(bank, passes=1, voters=1)
    return found.card.to_dict(), found.tables.to_bytes()


def scored(*metrics: str) -> Any:
    systems = {name: lines(name) for name in ("local", "verb")}
    return kilter.score(systems, lines("reference"), metrics=metrics or ("pef", "bleu"))


def explained() -> Any:
    return kilter.explain(
        lines("local")[0], lines("reference")[0], metrics=["pef", "ter"]
    ).to_dict()


def explained_segments() -> Any:
    found = kilter.explain_segments(lines("local"), lines("reference"), segments=[2, 1])
    return [each.to_dict() for each in found]


def located() -> Any:
    found = kilter.order_errors(lines("verb"), lines("reference"), metrics=["pef", "ulam"])
    return [(each.to_dict(), [*each.tags()]) for each in found]


def marked_spans() -> Any:
    return kilter.read_spans(str(EXAMPLES / "marked.jsonl"))


def reported() -> Any:
    systems = {name: lines(name) for name in ("local", "verb")}
    found = kilter.report(systems, lines("reference"), metrics="pef", resampling=few())
    return found.to_dict(), found.to_html()


def compared() -> Any:
    systems = {name: lines(name) for name in ("local", "verb")}
    return kilter.compare(systems, lines("reference"), metrics="pef", resampling=few()).to_dict()


def inputs(*metrics: str) -> Any:
    names = ("local.en", "verb.en", "phrase.en", "lexical.en")
    return kilter.EvaluationInputs(
        judgments=str(EXAMPLES / "rankings.csv"),
        references=(str(EXAMPLES / "reference.en"),),
        systems=tuple(str(EXAMPLES / name) for name in names),
        settings=kilter.Settings(metrics=metrics, resampling=few()),
    )


def few(**changes: Any) -> Any:
    return found("kilter.stats.resampling:Resampling", **{"resamples": 50, **changes})


def sensitivity_settings() -> Any:
    return kilter.Settings(metrics=("kendall", "bleu"), resampling=few())


def every_kind() -> list[Any]:
    kinds = found("kilter.preordering.perturbations.perturbation:PerturbationType", value="order")
    return [kinds]


def sentence_of(name: str) -> dict[str, Any]:
    """Return what the function of a metric needs, by the names of its arguments."""
    function = getattr(kilter.sentence, name)
    tree = kilter.DependencyTree(["a", "b", "c"], [1, -1, 1])
    values = {
        "permutation": kilter.Permutation([1, 0, 2]),
        "permutations": (kilter.Permutation([1, 0, 2]), kilter.Permutation([0, 1, 2])),
        "links": [(0, 1), (1, 0), (2, 2)],
        "lengths": (3, 3),
        "length": 3,
        "hypothesis_length": 3,
        "reference_length": 3,
        "references": [["a", "b", "c"]],
        "hypothesis": ["b", "a", "c"],
        "reference": ["a", "b", "c"],
        "system": [0, 1, 2],
    }
    if name in ("chrf", "ter"):
        values |= {"hypothesis": "b a c", "references": ["a b c"]}
    elif name == "frs":
        values |= {"reference": [[1], [0, 2]]}
    elif "DependencyTree" in str(signature(function)):
        values |= {"hypothesis": tree, "reference": tree}
    return {
        key: values[key]
        for key, each in signature(function).parameters.items()
        if each.default is each.empty and each.kind is not each.VAR_KEYWORD
    }


CALLS = {
    "score": Call("kilter:score", lambda: {
        "hypotheses": {name: lines(name) for name in ("local", "verb")},
        "references": lines("reference"),
        "metrics": ["bleu", "chrf", "ter", "kendall", "pef", "ribes", "meteor", "full", "f1"],
        "resampling": few(),
    }),
    "score with trees": Call("kilter:score", lambda: {
        "hypotheses": lines("verb"),
        "references": lines("reference"),
        "metrics": ["dted", "derp"],
        "parser": "perceptron",
        "resampling": few(),
    }),
    "score by the model": Call("kilter:score", lambda: {
        "hypotheses": lines("verb"),
        "references": lines("reference"),
        "metrics": ["dted", "kendall"],
        "aligner": "embedding",
        "parser": "model",
        "resampling": few(),
    }),
    "metric": Call("kilter:metric", lambda: {"specification": "pef:beta=0.5"}),
    "metric_names": Call("kilter:metric_names", dict),
    "permutation_scores": Call(
        "kilter:permutation_scores", lambda: {"values": [[0, 2, 1, 3], [2, 0, 3, 1], []]}
    ),
    "Permutation": Call("kilter:Permutation.from_one_based", lambda: {"values": [1, 3, 2, 4]}),
    "PermutationBatch": Call("kilter:PermutationBatch", lambda: {
        "values": np.array([1, 0, 0], dtype=np.int32), "offsets": np.array([0, 2, 3])
    }),
    "PermutationTree": Call("tests.public_calls:tree_of", lambda: {"values": [1, 3, 0, 2, 4]}),
    "PermutationForest": Call("tests.public_calls:forest_of", lambda: {"values": [0, 1, 2, 4, 3]}),
    "DependencyTree": Call("kilter:DependencyTree", lambda: {
        "words": ["Cats", "sleep"], "heads": [1, -1]
    }),
    "ScoreResult": Call("tests.public_calls:document", dict),
    "ScoreTable": Call("kilter:ScoreTable", lambda: {"columns": {"pef": np.array([0.5, 1.0])}}),
    "Settings": Call("kilter:Settings", lambda: {"metrics": ("pef", "bleu"), "resampling": few()}),
    "Comparison": Call("tests.public_calls:compared", dict),
    "compare": Call("kilter:compare", lambda: {
        "hypotheses": {name: lines(name) for name in ("local", "verb")},
        "references": lines("reference"), "metrics": ("pef", "bleu"), "resampling": few()
    }),
    "Explanation": Call("tests.public_calls:explained", dict),
    "SegmentChoice": Call("kilter:SegmentChoice", lambda: {"worst": 2}),
    "explain": Call("tests.public_calls:explained", dict),
    "explain_segments": Call("tests.public_calls:explained_segments", dict),
    "order_errors": Call("tests.public_calls:located", dict),
    "SystemErrors": Call("tests.public_calls:located", dict),
    "ErrorSummary": Call("tests.public_calls:located", dict),
    "report": Call("tests.public_calls:reported", dict),
    "SystemReport": Call("tests.public_calls:reported", dict),
    "compare_scores": Call("kilter:compare_scores", lambda: {
        "scores": str(EXAMPLES / "ratings.tsv"), "resampling": few()
    }),
    "compare_results": Call("kilter:compare_results", lambda: {
        "results": {name: kilter.score({name: lines(name)}, lines("reference"), metrics="bleu") for name in PAIR},
        "resampling": few(),
    }),
    "check": Call("kilter:check", lambda: {
        "hypotheses": lines("local"), "references": lines("reference"), "metrics": ["order"],
        "floors": {"order": 0.5}, "resamples": 20,
    }),
    "CheckResult": Call("kilter:check", lambda: {
        "hypotheses": lines("local"), "references": lines("reference"), "metrics": ["order"],
        "floors": {"order": 0.5}, "resamples": 20,
    }),
    "CheckSettings": Call("kilter:CheckSettings", lambda: {"evidence": 0.5, "drop": 0.25}),
    "metric_ladder": Call("kilter:metric_ladder", lambda: {
        "references": lines("reference"), "metrics": ["bleu"], "resampling": few()
    }),
    "LadderResult": Call("kilter:metric_ladder", lambda: {
        "references": lines("reference"), "metrics": ["bleu"], "resampling": few()
    }),
    "load": Call("tests.public_calls:loaded", dict),
    "score_nbest": Call("kilter:score_nbest", lambda: {
        "candidates": [list(group) for group in zip(lines("local"), lines("verb"), strict=True)],
        "references": lines("reference"),
        "metrics": ["kendall", "bleu"],
    }),
    "rerank": Call("kilter:rerank", lambda: {
        "candidates": [list(group) for group in zip(lines("local"), lines("verb"), strict=True)],
        "references": lines("reference"),
        "weights": {"kendall": 1.0, "lm": 0.5},
        "features": {"lm": [[0.0, 1.0]] * COUNT},
    }),
    "Span": Call("kilter:Span.of", lambda: {"line": "I see a cat", "start": 2, "end": 5}),
    "MarkedSegment": Call("kilter:MarkedSegment", lambda: {"segment": 1, "target": "I see a cat"}),
    "Spans": Call("kilter:Spans", lambda: {"segments": (kilter.MarkedSegment(segment=1, target="I see a cat"),)}),
    "variation": Call("kilter:variation", lambda: {
        "translations": {"a": translated()}, "resampling": few(),
    }),
    "VariationResult": Call("kilter:variation", lambda: {
        "translations": {"a": translated()}, "resampling": few(),
    }),
    "Translation": Call("kilter:Translation.of", lambda: {
        "lines": ["yomu hon o"], "source": ["She reads a book"], "links": links(),
    }),
    "read_translations": Call("tests.public_calls:table_of_translations", dict),
    "latency": Call("kilter:latency", lambda: {
        "systems": delayed(), "links": links(), "resampling": few(),
    }),
    "LatencyResult": Call("kilter:latency", lambda: {"systems": delayed(), "resampling": few()}),
    "DelayedText": Call("kilter:DelayedText.of", lambda: {
        "lines": ["yomu hon o"], "source": ["She reads a book"], "delays": [[2, 4, 4]],
    }),
    "read_delays": Call("kilter:read_delays", lambda: {
        "source": str(ROOT / "tests/golden/latency_logs/simuleval_1/instances.log")
    }),
    "read_audio": Call("kilter:read_audio", lambda: {
        "source": str(ROOT / "tests/golden/latency_logs/simulstream_1/audio.yaml")
    }),
    "align": Call("kilter:align", lambda: {
        "first": lines("local"), "second": lines("reference")
    }),
    "align by hmm": Call("kilter:align", lambda: {
        "first": lines("local"), "second": lines("reference"), "aligner": "hmm",
    }),
    "align_texts": Call("kilter.run.align:align_texts", lambda: {
        "first": ("local", lines("local")), "second": ("reference", lines("reference"))
    }),
    "aligner": Call("kilter:aligner", lambda: {"specification": "match", "language": "de"}),
    "parser": Call("kilter:parser", lambda: {"specification": "perceptron"}),
    "parse": Call("kilter:parse", lambda: {"lines": lines("local"), "parser": "perceptron"}),
    "parse_sentences": Call("kilter.run.parse:parse_sentences", lambda: {
        "sentences": [line.split() for line in lines("local")],
        "parser": found("kilter.parsers.registry:parser", specification="model"),
    }),
    "parse_nbest": Call("kilter.run.parse:parse_nbest", lambda: {
        "sentences": [line.split() for line in lines("local")],
        "parser": found("kilter.parsers.registry:parser", specification="perceptron"),
        "most": 2,
    }),
    "train_parser": Call("tests.public_calls:trained", dict),
    "TrainedParser": Call("tests.public_calls:trained", dict),
    "perturb": Call("kilter:perturb", lambda: {
        "references": lines("reference", count=2), "types": ["order", "phrase"], "degrees": [2, 3],
        "parser": "perceptron",
    }),
    "PerturbedRow": Call("tests.public_calls:perturbed", dict),
    "PerturbationType": Call("kilter:PerturbationType", lambda: {"value": "order"}),
    "perturb_texts": Call("kilter.run.perturb:perturb_texts", lambda: {
        "references": lines("reference"), "types": every_kind()
    }),
    "parsed_trees": Call("kilter.run.perturb:parsed_trees", lambda: {
        "texts": lines("reference"), "parser": "perceptron", "text_name": "reference"
    }),
    "validate": Call("kilter:validate", lambda: {
        "systems": [str(EXAMPLES / "local.en")], "references": [str(EXAMPLES / "reference.en")]
    }),
    "ValidationReport": Call("kilter:ValidationReport", dict),
    "reorder.make": Call("kilter.reorder:make", lambda: {
        "source": ["She reads a book"], "links": links(), "target": ["yomu hon o"]
    }),
    "reorder.score": Call("kilter.reorder:score", lambda: {
        "reference": reference_order(), "systems": {"system": printed()}, "resampling": few()
    }),
    "reorder.lint": Call("kilter.reorder:lint", lambda: {
        "source": ["She reads a book"], "target": ["yomu hon o"], "links": links()
    }),
    "reorder.statistics": Call("kilter.reorder:statistics", lambda: {
        "source": ["She reads a book"], "links": links(), "target": ["yomu hon o"]
    }),
    "reorder.profile": Call("kilter.reorder:profile", lambda: {
        "treebanks": {"en": trees()}, "resampling": few(),
    }),
    "reorder.read": Call("kilter.reorder:read", lambda: {"path": str(EXAMPLES / "references.txt")}),
    "reorder.lines": Call("kilter.reorder:lines", lambda: {"order": printed()}),
    **{
        f"sentence.{name}": Call(f"kilter.sentence:{name}", partial(sentence_of, name))
        for name in kilter.sentence.__all__
    },
    "joined_links": Call("kilter:joined_links", lambda: {
        "source_hypothesis": links(), "source_reference": links()
    }),
    "source_permutations": Call("kilter:source_permutations", lambda: {
        "source_hypothesis": links(), "source_reference": links(), "lengths": np.array([4])
    }),
    "link_problems": Call("kilter:link_problems", lambda: {
        "source": str(EXAMPLES / "gold.source-reference.links")
    }),
    "holm": Call("kilter:holm", lambda: {"p_values": [0.01, 0.04, None, 0.03]}),
    "sample_size": Call("kilter:sample_size", lambda: {"deviation": 0.3, "difference": 0.1}),
    "preorder.apply": Call("kilter.preorder:apply", lambda: {
        "trees": str(EXAMPLES / "trees.conllu"), "rules": "en-verb-final"
    }),
    "preorder.evaluate": Call("kilter.preorder:evaluate", lambda: {
        "parses": {"gold": trees()}, "rules": ["r1", "en-verb-final"],
        "reference": str(EXAMPLES / "references.txt"), "gold": trees(), "resampling": few(),
    }),
    "preorder.analyse": Call("kilter.preorder:analyse", lambda: {
        "parses": {"gold": trees()}, "rules": "en-verb-final", "reference": reference_order(),
        "minimum": 1, "resampling": few(),
    }),
    "preorder.explain": Call("kilter.preorder:explain", lambda: {
        "trees": trees(), "rules": ["r1", "en-verb-final"], "segment": 2,
        "reference": reference_order(),
    }),
    "preorder.search": Call("kilter.preorder:search", lambda: {
        "trees": found("kilter:parse", lines=["Anna reads a long letter ."] * 12,
                       parser="perceptron", tokenize="none"),
        "reference": ["Anna a long letter reads ."] * 12, "passes": 1, "folds": 0,
    }),
    "preorder.ratings": Call("kilter.preorder:ratings", lambda: {
        "ratings": str(EXAMPLES / "preorder-ratings.csv"),
        "orders": {name: found("kilter.preorder:apply", trees=trees(), rules=name)
                   for name in ("r1", "r4", "en-verb-final")},
        "references": {"manual": reference_order()}, "resampling": few(),
    }),
    "preorder.select": Call("kilter.preorder:select", lambda: {
        "trees": banks(), "rules": "en-verb-final", "reference": reference_order()
    }),
    "preorder.selftrain": Call("tests.public_calls:self_trained", dict),
    "preorder.write": Call("kilter.preorder:write", lambda: {
        "trees": banks(),
        "selection": found("kilter.preorder:select", trees=banks(), rules="en-verb-final",
                           reference=reference_order()),
    }),
    "preorder.rules": Call("kilter.preorder:rules", dict),
    "Treebank": Call("kilter:Treebank.of", lambda: {"trees": trees()}),
    "score_spans": Call("kilter:score_spans", lambda: {
        "gold": marked_spans(), "predicted": {}, "resampling": few()
    }),
    "SpanScores": Call("kilter:score_spans", lambda: {
        "gold": marked_spans(), "predicted": {}, "resampling": few()
    }),
    "read_spans": Call("kilter:read_spans", lambda: {"source": str(EXAMPLES / "marked.jsonl")}),
    "write_spans": Call("kilter:write_spans", lambda: {"spans": marked_spans(), "form": "mqm"}),
    "write_links": Call("kilter:write_links", lambda: {"links": links()}),
    "write_conllu": Call("kilter:write_conllu", lambda: {"treebank": banks()[0]}),
    "read_links": Call("kilter:read_links", lambda: {"source": str(EXAMPLES / "gold.source-reference.links")}),
    "DependencyTreeColumn": Call("tests.public_calls:trees", dict),
    "RuleSet": Call("tests.public_calls:rules", dict),
    "LintReport": Call("kilter.reorder:lint", lambda: {
        "source": ["She reads a book"], "target": ["yomu hon o"], "links": links()
    }),
    "PreorderEvaluation": Call("kilter.preorder:evaluate", lambda: {
        "parses": {"gold": trees()}, "rules": "r1", "reference": reference_order(),
        "resampling": few(),
    }),
    "AnalysisResult": Call("kilter.preorder:analyse", lambda: {
        "parses": {"gold": trees()}, "rules": "r1", "reference": reference_order(),
        "analyses": ["words"], "resampling": few(),
    }),
    "PreorderExplanation": Call("kilter.preorder:explain", lambda: {
        "trees": trees(), "rules": "en-verb-final", "segment": 1
    }),
    "Selection": Call("kilter.preorder:select", lambda: {
        "trees": banks()[0], "rules": "r1", "reference": reference_order()
    }),
    "read_judgments": Call("kilter:read_judgments", lambda: {
        "path": str(EXAMPLES / "rankings.csv")
    }),
    "Judgments": Call("kilter:read_judgments", lambda: {
        "path": str(EXAMPLES / "rankings.csv")
    }),
    "StructureFiles": Call("kilter:StructureFiles", lambda: {
        "links": ["a.links"], "source_hypothesis": ["b"], "source_reference": ["c"],
        "through_source": True, "link_format": "naacl", "trees": ["d"], "trees_reference": ["e"],
        "trees_source": "f",
    }),
    "EvaluationInputs": Call("kilter:EvaluationInputs", lambda: {
        "judgments": str(EXAMPLES / "rankings.csv")
    }),
    "JudgmentPolicy": Call("kilter:JudgmentPolicy", dict),
    "meta": Call("kilter:meta", lambda: {"inputs": {"de-en": inputs("full", "bleu")}}),
    "meta_preset": Call("kilter:meta_preset", lambda: {
        "inputs": {"de-en": inputs("full", "bleu")}, "preset": "wmt24"
    }),
    "PresetResult": Call("kilter:meta_preset", lambda: {
        "inputs": {"de-en": inputs("full", "bleu")}, "preset": "wmt24"
    }),
    "MetaSettings": Call("kilter:MetaSettings", dict),
    "MetaResult": Call("tests.public_calls:agreement", dict),
    "PairResult": Call("tests.public_calls:agreement", dict),
    "AgreementMeasure": Call("kilter:AgreementMeasure", lambda: {"value": "consistency"}),
    "tune": Call("kilter:tune", lambda: {
        "inputs": inputs("full"),
        "settings": kilter.TuneSettings(options=("alpha",), folds=2),
    }),
    "tune_metrics": Call("kilter:tune_metrics", lambda: {
        "inputs": inputs("full", "sen"),
        "settings": kilter.TuneSettings(options=("alpha",), folds=0, steps=2),
    }),
    "TunedMetrics": Call("kilter:tune_metrics", lambda: {
        "inputs": inputs("full", "sen"),
        "settings": kilter.TuneSettings(options=("alpha",), folds=0, steps=2),
    }),
    "TuneSettings": Call("kilter:TuneSettings", lambda: {"options": ("alpha",)}),
    "TuneResult": Call("tests.public_calls:tuned", dict),
    "read_evaluation_file": Call("kilter:read_evaluation_file", lambda: {
        "path": str(EXAMPLES / "evaluation.toml")
    }),
    "EvaluationFile": Call("kilter:read_evaluation_file", lambda: {
        "path": str(EXAMPLES / "evaluation.toml")
    }),
    "perturbation_sensitivity": Call("kilter:perturbation_sensitivity", lambda: {
        "paths": [str(EXAMPLES / "perturbed.tsv")], "settings": sensitivity_settings()
    }),
    "PerturbationResult": Call("kilter:perturbation_sensitivity", lambda: {
        "paths": [str(EXAMPLES / "perturbed.tsv")], "settings": sensitivity_settings()
    }),
    "label_sensitivity": Call("kilter:label_sensitivity", lambda: {
        "path": str(EXAMPLES / "labelled.tsv"), "settings": sensitivity_settings()
    }),
    "LabelResult": Call("kilter:label_sensitivity", lambda: {
        "path": str(EXAMPLES / "labelled.tsv"), "settings": sensitivity_settings()
    }),
    "published": Call("kilter:published", lambda: {"name": "th-5.1"}),
    "PublishedResult": Call("kilter:published", lambda: {"name": "th-3.4"}),
    "PublishedEntry": Call("kilter:published_list", dict),
    "published_list": Call("kilter:published_list", dict),
    "published_tables": Call("kilter:published_tables", dict),
    "pair_averages": Call("kilter:pair_averages", lambda: {"table": {"a": [0.5], "b": [0.25]}}),
    "check_tightness": Call("kilter:check_tightness", lambda: {"complexity": len, "longest": 4}),
    "Effects": Call("kilter:Effects", dict),
    "PowerDesign": Call("kilter:PowerDesign", dict),
    "simulated_power": Call("kilter:simulated_power", lambda: {
        "layout": kilter.PowerDesign(participants=4, sentences=6, shared=2).layout(seed=1),
        "effects": kilter.Effects(), "question": "order", "accuracy": 0.5, "repetitions": 20,
    }),
    "Resampling": Call("kilter.stats.resampling:Resampling", dict),
    "Drawing": Call("kilter.run.perturb:DrawSettings", dict),
    "Links": Call("kilter.run.scoring.links:Links", lambda: {
        "hypothesis_reference": ((links(),),)
    }),
    "LinkPath": Call("kilter.run.scoring.links:LinkPath", lambda: {"path": "one.links"}),
    "LinkBatch": Call("kilter.core.links:LinkBatch.of", lambda: {
        "segments": [[(0, 1), (1, 0)]]
    }),
    "Trees": Call("kilter.run.scoring.trees:Trees", lambda: {"references": [trees()]}),
    "read_conllu": Call("kilter.io.conllu:read_conllu", lambda: {
        "source": source_of("trees.conllu")
    }),
    "read_trees": Call("kilter.io.conllu:read_trees", lambda: {
        "source": source_of("trees.conllu")
    }),
    "read_reorderings": Call("kilter.io.reordering:read_reorderings", lambda: {
        "source": source_of("references.txt")
    }),
    "reordering_text": Call("kilter.io.reordering:reordering_text", lambda: {
        "words": ["a", "b"], "groups": [[1], [0]]
    }),
    "write_reorderings": Call("kilter.io.reordering:write_reorderings", lambda: {
        "texts": trees().sentences(), "reordering": order()
    }),
    "load_rule_set": Call("kilter.preordering.rule_file:load_rule_set", lambda: {
        "name": "en-verb-final"
    }),
    "reorder_trees": Call("kilter.preordering.dependency_tree_order:reorder_trees", lambda: {
        "trees": trees(), "rules": rules()
    }),
    "evaluate_preorder": Call("kilter.run.preordering.evaluate:evaluate_preorder", lambda: {
        "parses": {"gold": trees()}, "rule_sets": ["r1", "en-verb-final"],
        "reference": reference_order(), "resampling": few(),
    }),
    "analyse_preorder": Call("kilter.run.preordering.analyse:analyse_preorder", lambda: {
        "parses": {"gold": trees()}, "rules": "en-verb-final", "reference": reference_order(),
        "minimum": 1, "resampling": few(),
    }),
    "explain_preorder": Call("kilter.run.preordering.explain:explain_preorder", lambda: {
        "trees": trees(), "rule_sets": ["r1", "en-verb-final"], "segment": 1,
        "reference": reference_order(),
    }),
    "select_parses": Call("kilter.run.preordering.select:select_parses", lambda: {
        "banks": banks(), "rules": "en-verb-final", "reference": reference_order()
    }),
    "write_selection": Call("kilter.run.preordering.select:write_selection", lambda: {
        "banks": banks(),
        "selection": found("kilter.run.preordering.select:select_parses", banks=banks(),
                           rules="en-verb-final", reference=reference_order()),
    }),
    "lint": Call("kilter.aligners.lint:lint", lambda: {
        "source": [["She", "reads", "a", "book"]], "target": [["yomu", "hon", "o"]],
        "links": links(),
    }),
    "frs": Call("kilter.metrics.frs:frs", lambda: {
        "system": [0, 1, 2, 3], "reference": [[0], [1], [3], [2]]
    }),
    "chrf": Call("kilter.metrics.chrf:chrf", lambda: {
        "hypothesis": "a b c", "references": ["a c b"]
    }),
    "ter": Call("kilter.metrics.ter:ter", lambda: {"hypothesis": "a b c", "references": ["a c b"]}),
    "score_reorderings": Call("kilter.run.reordering.score:score_reorderings", lambda: {
        "reference": reference_order(), "systems": {"system": printed()}, "resampling": few()
    }),
    "reorder": Call("kilter.core.link_rule:reorder", lambda: {
        "links": links(), "lengths": [4], "rule": "talbot"
    }),
    "PrintedOrder": Call("tests.public_calls:printed", dict),
    "compute": Call("kilter.adapters.evaluate:compute", lambda: {
        "predictions": lines("local"), "references": lines("reference"),
        "metrics": ["kendall", "pef"], "resampling": few(),
    }),
    "predict": Call("kilter.adapters.comet:predict", lambda: {
        "rows": [{"mt": a, "ref": b} for a, b in zip(lines("local"), lines("reference"), strict=True)],
        "resampling": few(),
    }),
    "KilterMetric": Call("tests.public_calls:sacrebleu_score", dict),
    "Analysis": Call("kilter.results.preordering:Analysis", lambda: {"value": "words"}),
    "ByteSource": Call("tests.public_calls:read_bytes", dict),
}  # fmt: skip
"""Every public function by its name on the page, and more of those that hold models."""


def printed() -> Any:
    return found(
        "kilter.core.reordering:PrintedOrder.of",
        name="system",
        reordering=order(),
        sources=trees().sentences(),
    )


def perturbed() -> Any:
    return kilter.perturb(lines("reference", count=1), degrees=2)[0].to_dict()


def agreement() -> Any:
    return kilter.meta(inputs("f1")).to_dict()


def tuned() -> Any:
    return kilter.tune(inputs("full"), kilter.TuneSettings(options=("alpha",), folds=0)).to_dict()


def tree_of(values: list[int]) -> Any:
    return repr(kilter.Permutation(values).tree())


def forest_of(values: list[int]) -> Any:
    return repr(kilter.Permutation(values).forest())


def document() -> Any:
    return scored().to_dict()


_KEPT: list[Any] = []


def sacrebleu_score() -> Any:
    from kilter.adapters.sacrebleu import KilterMetric

    if not _KEPT:
        _KEPT.append(KilterMetric("pef", resampling=few()))
    metric = _KEPT[0]  # one for all threads
    score = metric.corpus_score(lines("local"), [lines("reference")])
    return [score.score, str(metric.get_signature())]


def read_bytes() -> bytes:
    return b"".join(source_of("rankings.csv").chunks())


def public_names() -> set[str]:
    """Return every name of the package, and every function and class that the page imports."""
    page = PAGE.read_text(encoding="utf-8")
    shown = re.findall(r"^>>> from kilter\.\S+ import (.+)$", page, re.MULTILINE)
    listed = {name.strip() for names in shown for name in names.split(",")}
    names = {name: getattr(kilter, name) for name in kilter.__all__}
    modules = {name: each for name, each in names.items() if isinstance(each, ModuleType)}
    inner = {f"{name}.{each}" for name, module in modules.items() for each in module.__all__}
    return (
        {name for name, each in names.items() if not _is_kind(each)} - {*modules} | inner | listed
    )


def _is_kind(each: Any) -> bool:
    """Return whether something is an error or what plugins are made of: there is nothing to call."""
    return isinstance(each, type) and (issubclass(each, BaseException) or isabstract(each))


def plain(value: Any) -> Any:  # noqa: PLR0911 - one line for each kind of value
    """Return a result in values that can be compared: exact numbers, nothing lazy."""
    if isinstance(value, Enum) or value is None or isinstance(value, (str, bytes, bool, int)):
        return value
    if isinstance(value, (float, np.generic)):
        return repr(value)
    if isinstance(value, np.ndarray):
        return (str(value.dtype), value.shape, plain(value.tolist()))
    if isinstance(value, Mapping):
        return [[plain(k), plain(each)] for k, each in value.items()]
    if isinstance(value, (list, tuple, Iterator)):
        return [plain(each) for each in value]
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if dataclasses.is_dataclass(value):
        return [
            type(value).__name__,
            *(plain(getattr(value, entry.name)) for entry in dataclasses.fields(value)),
        ]
    for name in ("words", "values", "columns"):
        if hasattr(value, name):
            inner = getattr(value, name)
            return plain(inner() if callable(inner) else inner)
    return repr(value)
