"""Runs of `kilter train` that differ in one option alone."""

from tests.cli.demonstration import Table, shown, talk, threads

_TRAIN = "train parser in/bank.conllu --passes 1 --voters 1 -o own.model"

DEMONSTRATED: dict[str, Table] = {
    "train parser": {
        "--output": shown("train parser in/bank.conllu --passes 1 --voters 1", "a", "b"),
        "--development": shown(_TRAIN, "", "in/more.conllu"),
        "--held-out": shown(_TRAIN, "", "0", "0.3"),
        "--lowercase": shown(_TRAIN),
        "--kind": shown(
            "train parser in/bank.conllu --passes 1 -o own.model", "perceptron", "network"
        ),
        "--passes": shown("train parser in/bank.conllu --voters 1 -o own.model", "1", "2"),
        "--voters": shown("train parser in/bank.conllu --passes 1 -o own.model", "1", "2"),
        "--beam": shown(_TRAIN, "1", "2", "8"),
        "--language": shown(_TRAIN, "", "fr"),
        "--seed": shown(_TRAIN, "", "2"),
        "--format": shown(_TRAIN),
        "--jobs": threads(_TRAIN),
        "--quiet": talk(_TRAIN, terminal=True),
    },
}
