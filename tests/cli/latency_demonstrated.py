"""Runs of `kilter latency` and `kilter variation` that differ in one option alone."""

from tests.cli.demonstration import Elsewhere, Table, shown, talk, threads

_TEXT = "latency in/make.target -s in/make.source"
_LINKED = f"{_TEXT} -a in/make.links --format tsv"
_SAMPLE = (
    "latency in/reference.tok.en -s in/source.tok.de -a in/gold.source-reference.links --format tsv"
)
_SPOKEN = "latency in/spoken.log --format tsv"

_ONE = "-a in/make.links --words words.tsv --format tsv"
_VARIED = "variation in/make.target -s in/make.source -a in/make.links --format tsv"
_VARIETY = "variation in/reference.tok.en -s in/source.tok.de -a in/gold.source-reference.links --format tsv"

DEMONSTRATED: dict[str, Table] = {
    "latency": {
        "--source": shown(
            f"{_SPOKEN} -a in/make.links",
            "in/make.source",
            "in/short.ref",
            errors=("in/short.ref",),
        ),
        "--reference": shown(_SPOKEN, "in/make.target", "in/short.ref"),
        "--links": shown(f"{_TEXT} --format tsv", "in/make.links", "in/make.one"),
        "--links-reference": shown(
            f"{_TEXT} -r in/make.target --format tsv", "in/make.links", "in/make.one"
        ),
        "--link-format": Elsewhere(
            "tests/cli/test_latency.py", "test_links_of_other_formats_are_read"
        ),
        "--possible": shown(
            f"{_TEXT} -a in/make.possible --link-format sure-possible --format tsv"
        ),
        "--delays": shown(f"{_TEXT} --format tsv", "in/wait1.delays", "in/wait2.delays"),
        "--audio": shown(
            "latency in/stream.log -r in/short.ref --format tsv", "in/one.yaml", "in/other.yaml"
        ),
        "--times": shown(f"{_SPOKEN} -s in/make.source -a in/make.links", "", "in/spoken.times"),
        "--trees": shown(_LINKED, "", "in/first.latency.conllu", "in/second.latency.conllu"),
        "--elapsed": shown(_SPOKEN),
        "--segments": shown(_LINKED, "", "out.tsv", "out.csv"),
        "--words": shown(_LINKED, "", "out.tsv", "out.csv"),
        "--figure": shown(_LINKED, "", "out.svg", "out.png"),
        "--segment": shown(f"{_LINKED} --figure out.svg", "1", "2"),
        "--report": shown(_LINKED, "", "out.html"),
        "--resamples": shown(_SAMPLE, "50", "61"),
        "--seed": shown(_SAMPLE, "1", "2"),
        "--format": shown(f"{_TEXT} -a in/make.links"),
        "--engine": shown(_LINKED, "local", "elsewhere", errors=("elsewhere",)),
        "--workers": Elsewhere("tests/cli/test_latency.py", "test_workers_change_nothing"),
        "--jobs": threads(_LINKED),
        "--quiet": talk(_LINKED, terminal=True),
    },
    "variation": {
        "--source": shown(
            f"variation in/make.target {_ONE}",
            "in/make.source",
            "in/more.source",
        ),
        "--links": shown(
            "variation in/make.target -s in/make.source --format tsv",
            "in/make.links",
            "in/make.one",
        ),
        "--link-format": Elsewhere(
            "tests/cli/test_variation.py", "test_links_of_other_formats_are_read"
        ),
        "--possible": shown(
            "variation in/make.target -s in/make.source -a in/make.possible --link-format sure-possible --format tsv"
        ),
        "--trees": shown(_VARIED, "", "in/first.latency.conllu", "in/second.latency.conllu"),
        "--people": shown(
            "variation in/make.target in/more.target -s in/make.source -a in/make.links -a in/make.links --format tsv",
            "",
            "make.target more.target",
        ),
        "--trees-target": Elsewhere(
            "tests/cli/test_variation.py", "test_trees_of_both_sides_give_sacr"
        ),
        "--segments": shown(_VARIED, "", "out.tsv", "out.csv"),
        "--words": shown(_VARIED, "", "out.tsv", "out.csv"),
        "--figure": shown(_VARIED, "", "out.svg", "out.png"),
        "--resamples": shown(_VARIETY, "50", "61"),
        "--seed": shown(_VARIETY, "1", "2"),
        "--jobs": threads(_VARIED),
        "--format": shown("variation in/make.target -s in/make.source -a in/make.links"),
    },
}
