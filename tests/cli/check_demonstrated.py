"""Runs of `kilter check` that differ in one option alone."""

import re
from dataclasses import replace

from tests.cli.demonstration import Demonstration, Table, shown, talk, threads
from tests.cli.text_demonstrated import text_command

_TEXTS = "-r in/reference.en --name local.en in/verb.en"
_FLOORS = f"check {_TEXTS} -m kendall --format tsv"
_COMPARED = f"check {_TEXTS} --format tsv --baseline in/local.en.kilter.json"
_LADDER = "check metric -r in/reference.en --format tsv"
_RULES = ("--aligner", "--parser")
"""A segment is explained with one of them."""


def _of_texts() -> Table:
    """Return the options that check shares with score; each metric has a floor, so that it is shown."""
    options: Table = {}
    for name, found in text_command("check").items():
        assert isinstance(found, Demonstration)
        metrics = re.findall(r"-m (\S+)", found.arguments) or ["kilter", "bleu"]
        floors = " ".join(f"--min {metric}=0" for metric in metrics)
        values = tuple(v for v in found.values if " " not in v or name not in _RULES)
        options[name] = replace(found, arguments=f"{found.arguments} {floors}", values=values)
    return options | {
        "--metric": shown(_COMPARED, "", "kilter", "order", "kilter order"),
        "--resamples": shown(_COMPARED, "50", "60"),
        "--seed": shown(_COMPARED, "1", "2"),
    }


DEMONSTRATED: dict[str, Table] = {
    "check": _of_texts()
    | {
        "--min": shown(_FLOORS, "kendall=0.1", "kendall=0.999", errors=("kendall=0.999",)),
        "--max": shown(_FLOORS, "kendall=0.1", "kendall=0.999", errors=("kendall=0.1",)),
        "--evidence": shown(_FLOORS, "0.5", "0.9"),
        "--baseline": shown(
            f"check {_TEXTS} --format tsv", "in/local.en.kilter.json", "in/verb.en.kilter.json"
        ),
        "--update": shown(f"check {_TEXTS} --format json --baseline new.kilter.json", errors=("",)),
        "--alpha": shown(f"{_COMPARED} --format json -m order --worse 9", "0.01", "0.02"),
        "--drop": shown(f"{_COMPARED} -m order", "0.05", "0.9"),
        "--worse": shown(f"{_COMPARED} -m order --drop 0.2", "0", "20", errors=("0",)),
        "--junit": shown(_COMPARED, "", "one.xml", "two.xml"),
        "--summary": shown(_COMPARED, "", "one.md", "two.md"),
        "--github": shown(f"{_COMPARED} --drop 0.2", "", "given"),
        "--report": shown(_COMPARED, "", "one.html", "two.html"),
        "--format": shown(f"check {_TEXTS} --baseline in/local.en.kilter.json"),
    },
    "check metric": {
        "--reference": shown("check metric kendall --format tsv", "in/reference.en", "in/local.en"),
        "--scores": shown("check metric --format tsv", "in/rungs.tsv", "in/metric.rungs.tsv"),
        "--lower-is-better": shown(
            "check metric --format tsv --scores in/metric.rungs.tsv", "", "metric"
        ),
        "--write": shown("check metric -r in/reference.en", "", "one", "two"),
        "--aligner": shown(f"{_LADDER} kendall", "", "ribes", "match ribes"),
        "--parser": shown("check metric dted -r in/spoken.en --format tsv", "perceptron", "model"),
        "--tokenize": shown(f"{_LADDER} bleu", "", "char", "none"),
        "--language": shown(f"{_LADDER} bleu", "en", "zh"),
        "--lowercase": shown(f"{_LADDER} bleu"),
        "--cache": shown(
            "check metric dted --parser perceptron -r in/spoken.en", "", "kept", "others"
        ),
        "--resamples": shown(f"{_LADDER} kendall", "50", "60"),
        "--seed": shown(f"{_LADDER} bleu", "1", "2"),
        "--jobs": threads(f"{_LADDER} kendall"),
        "--format": shown("check metric kendall -r in/reference.en"),
        "--quiet": talk("check metric kendall -r in/reference.en", terminal=True),
    },
}
