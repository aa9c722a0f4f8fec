"""Runs of `kilter preorder search` that differ in one option alone."""

from tests.cli.demonstration import Table, shown, talk, threads

_FROM = "preorder search in/bank.conllu -R in/bank.jsonl"
_SEARCH = f"{_FROM} -o found.toml --passes 1 --folds 0"

DEMONSTRATED: dict[str, Table] = {
    "preorder search": {
        "--output": shown(f"{_FROM} --passes 1 --folds 0", "a.toml", "b.toml"),
        "--rules": shown(_SEARCH, "", "en-verb-final"),
        "--reference": shown(
            "preorder search in/bank.conllu -o a.toml --passes 1 --folds 0",
            "in/bank.jsonl",
            "in/bank2.txt",
        ),
        "--reference-format": shown(
            "preorder search in/bank.conllu -R in/bank.{}.any -o a.toml --passes 1 --folds 0",
            apart=True,
        ),
        "--objective": shown(_SEARCH),
        "--conditions": shown(_SEARCH, "", "--no-conditions"),
        "--lemmas": shown(_SEARCH, errors=("given",)),
        "--folds": shown(f"{_FROM} -o found.toml --passes 1", "0", "2"),
        "--held-out": shown(_SEARCH, "0", "0.5"),
        "--min-count": shown(_SEARCH, "1", "1000"),
        "--minimum-gain": shown(_SEARCH, "0", "0.9"),
        "--min-gain-errors": shown(_SEARCH, "0", "100"),
        "--passes": shown(f"{_FROM} -o found.toml --folds 0 --minimum-gain 0.1", "1", "2"),
        "--seed": shown(_SEARCH, "1", "2"),
        "--match": shown(_SEARCH),
        "--ties": shown(_SEARCH),
        "--joints": shown(_SEARCH),
        "--format": shown(_SEARCH),
        "--jobs": threads(_SEARCH),
        "--quiet": talk(_SEARCH, terminal=True),
    },
}
