"""Metrics in tasks of lm-evaluation-harness."""

import json
import sys
from typing import Any

import pytest

import kilter
from kilter.adapters.lm_eval import metric_functions, register, registered_name
from kilter.core.errors import MissingToolError, OptionError

TARGET = ["the cat sat on the mat", "she sleeps", "he reads a book"]
OUTPUT = ["on the mat the cat sat", "she sleeps", "a book he reads"]

UTILS = """
from kilter.adapters.lm_eval import metric_functions
order, corpus_order = metric_functions("order", tokenize="none")
"""
TASK = """
task: translation
dataset_path: json
dataset_kwargs: {{data_files: {data}}}
test_split: train
output_type: generate_until
doc_to_text: "{{{{source}}}}"
doc_to_target: "{{{{target}}}}"
generation_kwargs: {{until: ["END"]}}
metric_list:
  - metric: {metric}
    aggregation: {aggregation}
    higher_is_better: true
"""


@pytest.mark.parametrize("name", ["order", "bleu", "pef:beta=0.5"])
def test_pairs_are_aggregated_as_one_corpus(name: str) -> None:
    keep, corpus = metric_functions(name, tokenize="none")
    pairs = [keep([one], [other]) for one, other in zip(TARGET, OUTPUT, strict=True)]
    expected = kilter.score(OUTPUT, TARGET, metrics=name, tokenize="none")
    assert corpus(pairs) == expected.system[name].value
    assert keep.__name__ == registered_name(name)


def test_an_unknown_metric_is_refused_and_a_missing_harness_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(OptionError):
        metric_functions("nothing")
    monkeypatch.setitem(sys.modules, "lm_eval", None)
    with pytest.raises(MissingToolError, match="pip install lm-eval"):
        register("order")


@pytest.mark.parametrize("way", ["registered", "functions"])
def test_the_harness_scores_a_task_with_the_metric(way: str, tmp_path: Any) -> None:
    lm_eval = pytest.importorskip("lm_eval", reason="lm-eval is not installed")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Fixed(LM):  # type: ignore[misc]
        """Answers what it was told to."""

        def generate_until(self, requests: Any, **_: Any) -> list[str]:
            known = dict(zip(("one", "two", "three"), OUTPUT, strict=True))
            return [known[request.args[0]] for request in requests]

        def loglikelihood(self, requests: Any, **_: Any) -> Any:
            raise NotImplementedError

        def loglikelihood_rolling(self, requests: Any, **_: Any) -> Any:
            raise NotImplementedError

    rows = [
        json.dumps({"source": source, "target": target})
        for source, target in zip(("one", "two", "three"), TARGET, strict=True)
    ]
    data = tmp_path / "data.json"
    data.write_text("\n".join(rows) + "\n", encoding="utf-8")
    if way == "registered":
        metric = aggregation = register("order", tokenize="none")
    else:
        (tmp_path / "utils.py").write_text(UTILS, encoding="utf-8")
        metric, aggregation = "!function utils.order", "!function utils.corpus_order"
    task = tmp_path / "translation.yaml"
    task.write_text(
        TASK.format(data=data, metric=metric, aggregation=aggregation), encoding="utf-8"
    )
    manager = TaskManager(include_path=str(tmp_path), include_defaults=False)
    found = lm_eval.simple_evaluate(
        model=Fixed(), tasks=["translation"], task_manager=manager, bootstrap_iters=0
    )
    expected = kilter.score(OUTPUT, TARGET, metrics="order", tokenize="none").system["order"].value
    assert found["results"]["translation"]["kilter_order,none"] == expected
