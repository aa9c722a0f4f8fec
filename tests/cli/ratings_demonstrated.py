"""Runs of `kilter preorder ratings` that differ in one option alone."""

from tests.cli.demonstration import Table, shown, threads

_RATINGS = "preorder ratings in/rated.csv"
_SIX = "preorder ratings in/preorder-ratings.csv"
_ORDERS = f"{_RATINGS} in/sys.positions in/other.positions --format tsv --resamples 20"

DEMONSTRATED: dict[str, Table] = {
    "preorder ratings": {
        "--reference": shown(_ORDERS, "in/ref.jsonl", "in/ref.jsonl in/mirrored.jsonl"),
        "--scores": shown(f"{_RATINGS} --format tsv", "", "in/given.tsv", "mine=in/given.tsv"),
        "--lower-is-better": shown(f"{_RATINGS} --scores in/given.tsv --format tsv", "", "given"),
        "--match": shown(f"{_ORDERS} -R in/ref.jsonl"),
        "--ties": shown(f"{_ORDERS} -R in/ref.jsonl"),
        "--joints": shown(f"{_ORDERS} -R in/ref.jsonl"),
        "--format": shown(_RATINGS),
        "--resamples": shown(f"{_SIX} --format tsv", "20", "41"),
        "--seed": shown(f"{_SIX} --format tsv --resamples 20", "1", "2"),
        "--jobs": threads(f"{_ORDERS} -R in/ref.jsonl"),
    },
}
