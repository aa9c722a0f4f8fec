"""Runs of `kilter reorder` that differ in one option alone."""

from kilter.render.table.table import TableFormat
from tests.cli.demonstration import Elsewhere, Table, shown, talk, threads

_MAKE = "reorder make -s in/make.source -a in/make.links"
_MOVES = "reorder statistics -s in/make.source -a in/make.links --format tsv"
_LINT = "reorder lint -s in/make.source -t in/make.target"
_LINTED = f"{_LINT} -a in/make.one --format tsv"
_ORDERS = "reorder score in/ref.jsonl in/sys.text in/sys2.text --format tsv"
_REORDERED = "reorder score in/references.txt in/r1.txt in/r4.txt --format tsv"


_PROFILE = "reorder profile in/first.latency.conllu in/second.latency.conllu --format tsv"

DEMONSTRATED: dict[str, Table] = {
    "reorder make": {
        "--source": shown("reorder make -a in/make.links", "in/make.source", "in/make.target"),
        "--links": shown("reorder make -s in/make.source", "in/make.links", "in/make.one"),
        "--target": shown(_MAKE, "in/make.target", "in/make.short", errors=("in/make.short",)),
        "--link-format": shown("reorder make -s in/make.source -a in/make.{}", apart=True),
        "--possible": shown(
            "reorder make -s in/make.source -a in/make.possible --link-format sure-possible"
        ),
        "--order-rule": shown(
            "reorder make -s in/rule.source -a in/rule.links", errors=("one-to-one",)
        ),
        "--null": shown(f"{_MAKE} --order-rule birch"),
        "--ties": shown(_MAKE),
        "--format": shown(_MAKE),
        "--jobs": threads(_MAKE),
    },
    "reorder score": {
        "--source": shown(
            "reorder score in/ref.positions in/sys.positions --format tsv",
            "in/words.text",
            "in/same.text",
        ),
        "--reference-format": shown(
            "reorder score in/ref.{}.any in/sys.positions -s in/words.text --system-format positions",
            apart=True,
        ),
        "--system-format": shown(
            "reorder score in/ref.jsonl in/sys.{}.any -s in/words.text", apart=True
        ),
        "--match": shown("reorder score in/ref.jsonl in/sys.positions --format tsv"),
        "--details": shown("reorder score in/ref.jsonl in/sys.text in/sys2.text"),
        "--ties": shown(_ORDERS),
        "--joints": shown(_ORDERS),
        "--format": shown("reorder score in/ref.jsonl in/sys.text"),
        "--segments": shown(_ORDERS, "", "out.tsv"),
        "--resamples": shown(_REORDERED, "50", "61"),
        "--seed": shown(_REORDERED, "1", "2"),
        "--jobs": threads(_ORDERS),
    },
    "reorder statistics": {
        "--source": shown(
            "reorder statistics -a in/make.links --format tsv", "in/make.source", "in/more.source"
        ),
        "--links": shown(
            "reorder statistics -s in/make.source --format tsv", "in/make.links", "in/make.one"
        ),
        "--target": shown(_MOVES, "", "in/make.target", "in/make.short", errors=("in/make.short",)),
        "--link-format": Elsewhere(
            "tests/cli/reorder/test_statistics.py",
            "test_links_of_every_format_are_read_or_refused",
        ),
        "--aligner": shown(
            "reorder statistics -s in/make.source -t in/make.source --format tsv",
            "match",
            "same",
            errors=("same",),
        ),
        "--possible": shown(
            "reorder statistics -s in/make.source -a in/make.possible --link-format sure-possible"
        ),
        "--column": shown(
            "reorder statistics -s in/make.source -a in/moves.tsv --format tsv",
            "links=one",
            "links=other",
        ),
        "--order-rule": shown(
            "reorder statistics -s in/rule.source -a in/rule.links --format tsv",
            "birch",
            "talbot",
            "mean",
            "drop",
            "birch:null=drop",
            same=(("drop", "birch:null=drop"), ("birch", "talbot")),
        ),
        "--ahead": shown(_MOVES, "1", "3"),
        "--figure": shown(_MOVES, "", "order.svg", "order.png"),
        "--format": shown("reorder statistics -s in/make.source -a in/make.links"),
        "--engine": shown(_MOVES, "local", "elsewhere", errors=("elsewhere",)),
        "--workers": Elsewhere(
            "tests/cli/reorder/test_statistics.py",
            "test_lines_tables_and_workers_give_the_same_numbers_and_a_picture",
        ),
        "--jobs": threads(_MOVES),
        "--quiet": talk(_MOVES, terminal=True),
    },
    "reorder profile": {
        "--links": shown(_PROFILE, "", "in/make.one", "in/profile.links"),
        "--link-format": Elsewhere(
            "tests/cli/reorder/test_profile.py", "test_links_of_other_formats_are_read"
        ),
        "--possible": shown(f"{_PROFILE} -a in/profile.possible --link-format sure-possible"),
        "--resamples": shown("reorder profile in/trees.conllu --format tsv", "50", "61"),
        "--seed": shown("reorder profile in/trees.conllu --format tsv", "1", "2"),
        "--format": shown("reorder profile in/trees.conllu"),
    },
    "reorder lint": {
        "--source": shown(
            "reorder lint -a in/make.one -t in/make.target --format tsv",
            "in/make.source",
            "in/make.target",
            errors=("in/make.source", "in/make.target"),
        ),
        "--target": shown(
            "reorder lint -a in/make.one -s in/make.source --format tsv",
            "in/make.target",
            "in/make.source",
            errors=("in/make.source", "in/make.target"),
        ),
        "--links": shown(
            _LINT, "in/make.one", "in/make.links", errors=("in/make.one", "in/make.links")
        ),
        "--link-format": shown(
            f"{_LINT} --severity source-unaligned=warning --severity target-unaligned=warning -a in/make.{{}}",
            apart=True,
        ),
        "--possible": shown(
            f"{_LINT} -a in/make.possible --link-format sure-possible", errors=("", "given")
        ),
        "--language": shown(
            "reorder lint -s in/articles -t in/articles -a in/articles.links --format tsv",
            errors=("en", "de", "ja", "none"),
        ),
        "--target-language": shown(
            "reorder lint -s in/links.en -t in/links.ja -a in/one.links --format tsv --severity "
            "source-unaligned=warning --severity target-unaligned=warning",
            same=(("en", "de"), ("en", "none"), ("de", "none")),
        ),
        "--allow": shown(_LINTED, "", "in/allowed", errors=("", "in/allowed")),
        "--severity": shown(
            f"{_LINTED} --severity target-unaligned=off",
            "",
            "source-unaligned=off",
            "source-unaligned=warning",
            errors=("",),
        ),
        "--summary": shown(f"{_LINT} -a in/make.one", errors=("", "given")),
        "--format": shown(f"{_LINT} -a in/make.one", errors=tuple(TableFormat)),
    },
}
