"""Runs of `kilter permutation` that differ in one option alone."""

from tests.cli.demonstration import Elsewhere, Table, shown, talk, threads

DEMONSTRATED: dict[str, Table] = {
    "permutation": {
        "--format": shown("permutation in/orders.txt"),
        "--output": shown("permutation in/orders.txt", "", "out.tsv", "out.parquet"),
        "--resume": Elsewhere(
            "tests/render/table/test_parquet_parts.py",
            "test_a_killed_run_goes_on_and_leaves_the_same_file",
        ),
        "--column": shown("permutation in/orders.parquet", "", "first", "second", errors=("",)),
        "--metric": shown("permutation in/orders.txt --format tsv", "", "kendall", "ulam"),
        "--beta": shown("permutation in/orders.txt --format tsv", "0.6", "0.4"),
        "--gamma": shown("permutation in/orders.txt --format tsv", "0", "0.4"),
        "--branching": shown("permutation in/mixed-orders.txt --format tsv"),
        "--tree": shown("permutation in/orders.txt"),
        "--binary": shown("permutation in/orders.txt --tree bracketed"),
        "--trees": shown("permutation in/one-order.txt --tree bracketed"),
        "--max-trees": shown(
            "permutation in/one-order.txt --trees weak", "1", "1000", errors=("1",)
        ),
        "--complexity": shown("permutation in/orders.txt"),
        "--forest": shown("permutation in/orders.txt"),
        "--draw": shown("permutation in/one-order.txt"),
        "--pairs": shown("permutation in/pairs.txt", errors=("",)),
        "--zero-based": shown("permutation in/zero.txt", errors=("",)),
        "--on-error": shown("permutation in/wrong-orders.txt", errors=("stop",)),
        "--engine": Elsewhere(
            "tests/run/engine/test_ray.py",
            "test_ray_leaves_the_same_file_also_when_a_worker_is_killed",
        ),
        "--workers": Elsewhere(
            "tests/cli/permutation/test_permutation.py",
            "test_any_number_of_workers_leaves_the_same_file",
        ),
        "--jobs": threads("permutation in/orders.txt"),
        "--quiet": talk("permutation in/wrong-orders.txt --on-error skip"),
    },
}
