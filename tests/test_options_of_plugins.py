"""Every option of every metric, aligner and parser changes a result.

Options are found in the fields, values by their types and bounds, and inputs by a seeded search: what an
option does must show on one of them. An option whose value is a name or a file needs an entry here.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field
from enum import StrEnum
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from kilter.aligners.registry import ALIGNERS
from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError, MissingToolError
from kilter.core.evaluation import Evaluation
from kilter.core.registry import Configured
from kilter.metrics.fitted_weight import SCHEMA
from kilter.metrics.metric import LinkUse, Metric
from kilter.metrics.registry import metric_class, metric_names
from kilter.parsers.registry import PARSERS
from tests import texts
from tests.docs.pages import ROOT

_WORDS = ("a", "b", "c", "D", "d", "b.", ",", "Walks", "walk", "walked", "Häuser", "Haus", "猫犬")
_TRIALS = 150
_FURTHER = 7
"""How far beyond its default a number is tried that could go to a thousand."""


def values(kind: type[Configured], entry: Field[Any]) -> list[Any]:
    """Return the default of an option and others: all of a choice, the bounds of a number."""
    found = kind.option_type(entry.name)
    if issubclass(found, StrEnum):
        return [entry.default, *(value for value in found if value != entry.default)]
    if found is bool:
        return [entry.default, not entry.default]
    low, high = entry.metadata["low"], entry.metadata["high"]
    assert low is not None, "an option that is a text needs values of its own"
    default: Any = entry.default
    return [default, *(each for each in (low, min(high, default + _FURTHER)) if each != default)]


def options(kinds: Mapping[str, type[Configured]]) -> list[tuple[str, str]]:
    return [(name, entry.name) for name, kind in kinds.items() for entry in kind.declared()]


def option(kind: type[Configured], name: str) -> Field[Any]:
    (found,) = (entry for entry in kind.declared() if entry.name == name)
    return found


def check_each_value_is_seen(
    made: list[Any], result: Callable[[Any, Any], Any], inputs: Iterator[Any]
) -> None:
    """Assert that on some input each thing differs from another one, which has another value."""
    unseen = {*range(len(made))}
    for each in islice(inputs, _TRIALS):
        found = [result(thing, each) for thing in made]
        unseen -= {place for place in unseen if any(other != found[place] for other in found)}
        if not unseen:
            return
    pytest.fail(f"nothing tells {[made[place] for place in sorted(unseen)]} from the others")


METRICS: dict[str, type[Metric]] = {name: metric_class(name) for name in metric_names()}
BESIDE: dict[tuple[str, str], dict[str, Any]] = {
    ("dted", "mismatch"): {"variant": "co"},
    ("kilter", "worst"): {"encoder": "en"},
    ("dted", "weight"): {"variant": "cl"},
    ("dted", "base"): {"variant": "cl"},
    ("dted", "cap"): {"variant": "cl"},
    ("dted", "no_evidence"): {"variant": "cl"},
    ("ter", "asian"): {"normalized": True},
}
"""Options without which another one has nothing to say."""
METRIC_TEXTS = {"order": ["pef", "kendall", "ulam"], "lexical": ["bleu", "chrf", "f1"]}


def random_segment(chance: Random, *, one_to_one_only: bool) -> texts.Segment:
    """Return a segment with links of every kind; one in six has none."""

    def words(vocabulary: tuple[str, ...] = _WORDS) -> list[str]:
        return [chance.choice(vocabulary) for _ in range(chance.randrange(0, 9))]

    def one_to_one(first: int, second: int) -> list[texts.Link]:
        size = 0 if chance.random() < 1 / 6 else chance.randint(0, min(first, second))
        pair = chance.sample(range(first), size), chance.sample(range(second), size)
        return sorted(zip(*pair, strict=True))

    def several(first: int, second: int) -> list[texts.Link]:
        drawn = range(2 * min(first, second) if chance.random() < 5 / 6 else 0)
        return sorted({(chance.randrange(first), chance.randrange(second)) for _ in drawn})

    def heads(size: int) -> list[int]:
        order = chance.sample(range(size), size)
        found = [-1] * size
        for place, word in enumerate(order[1:], start=1):
            found[word] = order[chance.randrange(place)]
        return found

    hypothesis, source, references = words(), words(("x", "y", "z")), [words(), words()]
    direct = one_to_one if one_to_one_only else several
    if chance.random() < 1 / 2:  # the same words in another order, and in another case
        references[0] = [word.swapcase() for word in chance.sample(hypothesis, len(hypothesis))]
    return texts.Segment(
        hypothesis=hypothesis,
        references=references,
        links=[direct(len(hypothesis), len(other)) for other in references],
        source=source,
        source_links=several(len(source), len(hypothesis)),
        reference_links=[several(len(source), len(other)) for other in references],
        heads=heads(len(hypothesis)),
        reference_heads=[heads(len(other)) for other in references],
    )


def evaluations(use: LinkUse) -> Iterator[Evaluation]:
    chance, bare = Random(1), use is not LinkUse.ANY
    while True:
        segments = [random_segment(chance, one_to_one_only=bare) for _ in range(3)]
        yield texts.evaluation_of(segments)


def scores(metric: Any, evaluation: Evaluation) -> list[float]:
    """Return the scores of the segments and of the corpus."""
    found = metric.measure(evaluation)
    corpus = metric.corpus_score(found.statistics.sum(axis=0))
    known = np.nan_to_num(found.scores, nan=-1.0)
    return [*np.round(known, 12).tolist(), round(float(np.nan_to_num(corpus, nan=-1.0)), 12)]


def weight_files(folder: Path) -> list[str]:
    """Return files of weights that differ in what words weigh, and in the factor of disorder."""
    paths = []
    for share in (0.125, 0.75):
        document = {
            "schema": SCHEMA,
            "version": "own",
            "fitted_on": "nothing",
            "weights": {"none": {"characters": 1.0 - share, "words": share, "order": share}},
        }
        paths.append(folder / f"{share}.json")
        paths[-1].write_text(json.dumps(document), encoding="utf-8")
    return [*map(str, paths), "2"]


@pytest.mark.parametrize(("name", "field"), options(METRICS))
def test_every_option_of_a_metric_changes_a_score(name: str, field: str, tmp_path: Path) -> None:
    kind = METRICS[name]
    texts_of = METRIC_TEXTS | {"weights": weight_files(tmp_path)}
    is_text = kind.option_type(field) is str
    tried = texts_of[field] if is_text else values(kind, option(kind, field))
    made = [kind(**BESIDE.get((name, field), {}), **{field: value}) for value in tried]
    check_each_value_is_seen(made, scores, evaluations(kind.link_use))


ALIGNER_KINDS = {name: ALIGNERS.find(name) for name in ALIGNERS.names()}
Sides = tuple[list[list[str]], list[list[str]]]


def sides(segments: int) -> Iterator[Sides]:
    chance = Random(2)
    while True:
        first = [[chance.choice(_WORDS) for _ in range(8)] for _ in range(segments)]
        mixed = [chance.sample(line, 7) for line in first]
        other = chance.choice(_WORDS)
        yield first, [[word.swapcase() for word in (*line[:5], other, other)] for line in mixed]


def links(aligner: Any, given: Sides) -> list[tuple[int, int]]:
    vocabulary = Vocabulary()
    batch = aligner.align(*map(vocabulary.column, given), vocabulary)
    return [*map(tuple, batch.links.tolist()), *batch.offsets.tolist()]


def aligner_texts(folder: Path) -> dict[tuple[str, str], list[dict[str, str]]]:
    """Return options with a text for a value: the default, and what must give other links."""
    groups = folder / "groups"
    groups.write_text("a b\nc walks\n", encoding="utf-8")
    known = folder / "model"
    vocabulary = Vocabulary()
    column = vocabulary.column([["a", "b"], ["c"]])
    found: dict[tuple[str, str], list[dict[str, str]]] = {
        ("match", "stages"): [{}, {"stages": "exact"}, {"stages": "stem"}],
        ("match", "language"): [{}, {"language": "de"}, {"language": "none"}],
        ("match", "synonyms"): [{}, {"stages": "exact+stem+synonym", "synonyms": str(groups)}],
    }
    for name in ("ibm1", "hmm"):
        model = f"{known}.{name}"
        ALIGNER_KINDS[name](model=model).align(column, column, vocabulary)  # type: ignore[call-arg]
        found[name, "model"] = [{}, {"model": model}]
    return found


@pytest.mark.parametrize(
    ("name", "field"),
    [
        (name, field)
        for name, field in options(ALIGNER_KINDS)
        if name != "meteor" and (name, field) != ("embedding", "folder")
    ],
)
def test_every_option_of_an_aligner_changes_links(name: str, field: str, tmp_path: Path) -> None:
    kind = ALIGNER_KINDS[name]
    if kind.option_type(field) is str:
        made = [kind(**given) for given in aligner_texts(tmp_path)[name, field]]
    else:
        made = [kind(**{field: value}) for value in values(kind, option(kind, field))]
    check_each_value_is_seen(made, links, sides(12 if name in ("ibm1", "hmm") else 1))


def test_every_option_of_an_aligner_that_needs_a_program_is_in_its_tests() -> None:
    tests = (ROOT / "tests" / "aligners" / "test_meteor.py").read_text(encoding="utf-8")
    for name, field in options(ALIGNER_KINDS):
        assert name != "meteor" or f"{field}=" in tests or f"language={field}" in tests


PARSER_KINDS = {name: PARSERS.find(name) for name in PARSERS.names()}
_OF_MODELS = [("model", "folder"), ("perceptron", "folder"), ("embedding", "folder")]


def test_every_option_of_a_parser_is_shown_below_or_in_the_tests_of_the_parser() -> None:
    for name, field in {*options(PARSER_KINDS)} - {*_OF_MODELS, ("conllu", "file")}:
        tests = ROOT / "tests" / "parsers" / f"test_{name.replace('-', '_')}.py"
        assert f"{field}=" in tests.read_text(encoding="utf-8")


def test_a_file_of_trees_gives_its_own_trees() -> None:
    files = [ROOT / "examples" / f"{name}.conllu" for name in ("trees", "parsed")]
    lines = files[0].read_text(encoding="utf-8").splitlines()
    words = [line.removeprefix("# text = ").split() for line in lines if line.startswith("# text")]
    vocabulary = Vocabulary()
    column = vocabulary.column(words)
    heads = [
        PARSER_KINDS["conllu"](file=str(file)).parse(column, vocabulary).trees.heads.tolist()  # type: ignore[call-arg]
        for file in files
    ]
    assert heads[0] != heads[1]


@pytest.mark.parametrize(("name", "field"), _OF_MODELS)
def test_a_folder_without_a_model_is_refused(name: str, field: str, tmp_path: Path) -> None:
    made: Any = {**PARSER_KINDS, **ALIGNER_KINDS}[name](**{field: str(tmp_path)})
    vocabulary = Vocabulary()
    column = vocabulary.column([["a", "b"]])
    with pytest.raises((InputError, MissingToolError)) as raised:
        made.align(column, column, vocabulary) if name == "embedding" else made.parse(
            column, vocabulary
        )
    assert str(tmp_path) in str(raised.value)
