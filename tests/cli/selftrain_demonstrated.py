"""Runs of `kilter preorder selftrain` that differ in one option alone."""

from tests.cli.demonstration import Table, shown, talk, threads

_LEARNED = "preorder selftrain in/bank.conllu -r in/own.toml -o run"
_GIVEN = f"{_LEARNED} --voters 1 --rounds 1"
_QUICK = f"{_GIVEN} --passes 1"
_LONG = f"{_LEARNED} --voters 1 --passes 1 -R in/bank.jsonl --held-out 0.5"
_TRAINED = f"{_QUICK} -R in/bank.jsonl --held-out 0.5"

DEMONSTRATED: dict[str, Table] = {
    "preorder selftrain": {
        "--output": shown(
            "preorder selftrain in/bank.conllu -r in/own.toml -R in/bank.jsonl --voters 1 --rounds 0 --passes 1 "
            "--held-out 0.5",
            "a",
            "b",
        ),
        "--rules": shown(
            "preorder selftrain in/bank.conllu -R in/bank.jsonl -o run --voters 1 --rounds 0 --passes 1 "
            "--held-out 0.5",
            "in/own.toml",
            "r4",
        ),
        "--reference": shown(
            f"{_QUICK} --source in/bank2.txt --held-out 0.5", "in/bank.jsonl", "in/bank2.txt"
        ),
        "--reference-format": shown(
            f"{_QUICK} -R in/bank.{{}}.any --source in/bank2.txt --held-out 0.5", apart=True
        ),
        "--source": shown(
            f"{_QUICK} -R in/bank2.txt --held-out 0.5", "", "in/bank2.txt", errors=("",)
        ),
        "--held-out-reference": shown(
            f"{_QUICK} -R in/bank.jsonl --held-out-source in/others.txt",
            "in/others.txt",
            "in/others.jsonl",
        ),
        "--held-out-source": shown(
            f"{_QUICK} -R in/bank.jsonl --held-out-reference in/others.txt",
            "",
            "in/others.txt",
            errors=("",),
        ),
        "--held-out": shown(f"{_QUICK} -R in/bank.jsonl", "0.4", "0.5"),
        "--gold": shown(_TRAINED, "", "in/more.conllu"),
        "--rounds": shown(f"{_LONG} --minimum-gain 0", "0", "1"),
        "--nbest": shown(_TRAINED, "1", "20"),
        "--pick": shown(_TRAINED),
        "--minimum": shown(_TRAINED, "0", "1"),
        "--changed-only": shown(_TRAINED),
        "--weight": shown(_TRAINED, "1", "3"),
        "--treebank-weight": shown(_TRAINED, "1", "3"),
        "--minimum-gain": shown(f"{_LONG} --rounds 2", "0", "1"),
        "--contrasts": shown(_TRAINED),
        "--beam": shown(_TRAINED, "1", "8"),
        "--passes": shown(f"{_GIVEN} -R in/bank.jsonl --held-out 0.5", "1", "2"),
        "--voters": shown(
            f"{_LEARNED} --rounds 0 --passes 1 -R in/bank.jsonl --held-out 0.5", "1", "2"
        ),
        "--lowercase": shown(_TRAINED),
        "--seed": shown(_TRAINED, "1", "2"),
        "--match": shown(_TRAINED),
        "--ties": shown(_TRAINED),
        "--joints": shown(_TRAINED),
        "--format": shown(_TRAINED),
        "--jobs": threads(_TRAINED),
        "--quiet": talk(_TRAINED, terminal=True),
    },
}
