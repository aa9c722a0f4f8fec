"""The peers, each called as its own documentation says; run by the environment that has them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

from benchmarks.comparison.measured import Load, Tool, Work, serve


def scipy_kendall(load: Load) -> Work:
    from scipy.stats import kendalltau

    rows = load["permutations"]
    return lambda: [(float(kendalltau(range(len(row)), row).statistic) + 1) / 2 for row in rows]


def scipy_spearman(load: Load) -> Work:
    from scipy.stats import spearmanr

    rows = load["permutations"]
    return lambda: [(float(spearmanr(range(len(row)), row).statistic) + 1) / 2 for row in rows]


def nltk_kendall(load: Load) -> Work:
    from nltk.translate.ribes_score import kendall_tau

    rows = load["permutations"]
    return lambda: [kendall_tau(row) for row in rows]


def permuta_kendall(load: Load) -> Work:
    from permuta import Perm

    perms = [Perm(row) for row in load["permutations"]]
    return lambda: [
        1 - perm.count_inversions() / (len(perm) * (len(perm) - 1) / 2) for perm in perms
    ]


def permuta_simple(load: Load) -> Work:
    from permuta import Perm

    perms = [Perm(row) for row in load["permutations"]]
    return lambda: [float(perm.is_simple()) for perm in perms]


def nltk_ribes(load: Load) -> Work:
    from nltk.translate.ribes_score import sentence_ribes

    pairs = _words(load)
    return lambda: [sentence_ribes([reference], hypothesis) for hypothesis, reference in pairs]


def compare_mt_ribes(load: Load) -> Work:
    from compare_mt.scorers import RibesScorer

    scorer, pairs = RibesScorer(), _words(load)
    return lambda: [
        scorer.score_sentence(reference, hypothesis)[0] / scorer.scale
        for hypothesis, reference in pairs
    ]


def nltk_meteor(load: Load) -> Work:
    from nltk.translate import meteor_score

    class _NoWords:
        def synsets(self, _: str) -> list[Any]:
            return []

    pairs = _words(load)
    options = {
        "stemmer": _Unchanged(),
        "wordnet": _NoWords(),
        "alpha": 0.9,
        "beta": 3.0,
        "gamma": 0.5,
    }
    return lambda: [
        meteor_score.single_meteor_score(reference, hypothesis, **options)
        for hypothesis, reference in pairs
    ]


class _Unchanged:
    def stem(self, word: str) -> str:
        return word


def meteor_jar(load: Load) -> Work:
    java = which("java")
    if java is None:
        raise FileNotFoundError("Java is not installed")
    found = find_spec("pycocoevalcap")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("pycocoevalcap")
    folder = Path(found.submodule_search_locations[0]) / "meteor"

    def work() -> list[float]:
        with tempfile.TemporaryDirectory() as given:
            for side in ("hypotheses", "references"):
                text = "".join(f"{line}\n" for line in load[side])
                (Path(given) / side).write_text(text, encoding="utf-8")
            done = subprocess.run(
                [
                    java,
                    "-Xmx2G",
                    "-jar",
                    str(folder / "meteor-1.5.jar"),
                    "hypotheses",
                    "references",
                    "-l",
                    "other",
                    "-m",
                    "exact",
                    "-w",
                    "1.0",
                    "-p",
                    "0.9 3.0 0.5 1.0",
                ],
                cwd=given,
                capture_output=True,
                text=True,
                check=True,
            )
            return [
                float(line.split()[-1])
                for line in done.stdout.splitlines()
                if line.startswith("Segment ")
            ]

    return work


def jiwer_wer(load: Load) -> Work:
    from jiwer import wer

    return lambda: [wer(load["references"], load["hypotheses"])]


def _sacrebleu(name: str) -> Tool:
    def tool(load: Load) -> Work:
        import sacrebleu

        made = {"bleu": sacrebleu.BLEU, "chrf": sacrebleu.CHRF, "ter": sacrebleu.TER}[name]

        def work() -> list[float]:
            return [made().corpus_score(load["hypotheses"], [load["references"]]).score / 100]

        return work

    return tool


def sacrebleu_bootstrap(load: Load) -> Work:
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.significance import PairedTest

    named = [(f"system{place}", system) for place, system in enumerate(load["systems"])]

    def work() -> list[float]:
        metric = BLEU(references=[load["references"]])
        test = PairedTest(
            named, {"BLEU": metric}, None, test_type="bs", n_samples=load["resamples"]
        )
        scores: list[Any] = list(test()[1]["BLEU"])
        return [result.score / 100 for result in scores]

    return work


def zss_edit(load: Load) -> Work:
    from zss import Node, simple_distance

    def built(labels: list[str], below: list[list[int]], place: int = 0) -> Any:
        return Node(labels[place], [built(labels, below, child) for child in below[place]])

    trees = [(built(*one), built(*other)) for one, other in load["trees"]]
    return lambda: [
        simple_distance(one, other, label_dist=lambda a, b: int(a != b)) for one, other in trees
    ]


def apted_edit(load: Load) -> Work:
    from apted import APTED, Config
    from apted.helpers import Tree

    def built(labels: list[str], below: list[list[int]], place: int = 0) -> Any:
        return Tree(labels[place], *(built(labels, below, child) for child in below[place]))

    trees = [(built(*one), built(*other)) for one, other in load["trees"]]
    return lambda: [APTED(one, other, Config()).compute_edit_distance() for one, other in trees]


def edist_edit(load: Load) -> Work:
    from edist.ted import standard_ted

    return lambda: [standard_ted(*one, *other) for one, other in load["trees"]]


def eflomal_links(load: Load) -> Work:
    program = Path(sys.executable).parent / "eflomal-align"

    def work() -> list[float]:
        with tempfile.TemporaryDirectory() as given:
            for side in ("source", "target"):
                text = "".join(f"{line}\n" for line in load[side])
                (Path(given) / side).write_text(text, encoding="utf-8")
            subprocess.run(
                [
                    str(program),
                    "-s",
                    "source",
                    "-t",
                    "target",
                    "-f",
                    "forward",
                    "-r",
                    "reverse",
                    "--overwrite",
                ],
                cwd=given,
                capture_output=True,
                check=True,
            )
            both = [
                [set(line.split()) for line in (Path(given) / name).read_text().splitlines()]
                for name in ("forward", "reverse")
            ]
        found = [one & other for one, other in zip(*both, strict=True)]
        return [f1(found, [set(links) for links in load["links"]])]

    return work


def f1(found: list[set[str]], gold: list[set[str]]) -> float:
    common = sum(len(one & other) for one, other in zip(found, gold, strict=True))
    return 2 * common / (sum(map(len, found)) + sum(map(len, gold)))


def _words(load: Load) -> list[tuple[list[str], list[str]]]:
    pairs = zip(load["hypotheses"], load["references"], strict=True)
    return [(hypothesis.split(), reference.split()) for hypothesis, reference in pairs]


TOOLS: dict[str, tuple[str, Tool]] = {
    "scipy kendalltau": ("scipy", scipy_kendall),
    "scipy spearmanr": ("scipy", scipy_spearman),
    "nltk kendall_tau": ("nltk", nltk_kendall),
    "permuta inversions": ("permuta", permuta_kendall),
    "permuta is_simple": ("permuta", permuta_simple),
    "nltk ribes": ("nltk", nltk_ribes),
    "compare-mt ribes": ("compare-mt", compare_mt_ribes),
    "nltk meteor": ("nltk", nltk_meteor),
    "METEOR 1.5 (Java)": ("pycocoevalcap", meteor_jar),
    "jiwer wer": ("jiwer", jiwer_wer),
    "sacreBLEU bleu": ("sacrebleu", _sacrebleu("bleu")),
    "sacreBLEU chrf": ("sacrebleu", _sacrebleu("chrf")),
    "sacreBLEU ter": ("sacrebleu", _sacrebleu("ter")),
    "sacreBLEU paired bootstrap": ("sacrebleu", sacrebleu_bootstrap),
    "zss": ("zss", zss_edit),
    "apted": ("apted", apted_edit),
    "edist": ("edist", edist_edit),
    "eflomal": ("eflomal", eflomal_links),
}

if __name__ == "__main__":
    serve(TOOLS)
