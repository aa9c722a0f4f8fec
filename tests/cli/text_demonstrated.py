"""Runs of commands over texts that differ in one option alone: score, compare, explain."""

from dataclasses import replace

from tests.cli.demonstration import Demonstration, Elsewhere, Table, shown, talk, threads

_TOKENS = "-r in/reference.tok.en in/local.tok.en in/verb.tok.en --tokenize none --format tsv"
SOURCE_HYPOTHESIS = (
    "--links-source-hypothesis in/local.source --links-source-hypothesis in/verb.source"
)
SOURCE_REFERENCE = "--links-source-reference in/gold.source-reference.links"
_TREES = (
    "-r in/trees-reference.en in/trees-system.en in/trees-second.en --tokenize none "
    "-m derp -m dted --format tsv"
)
_OF_SYSTEMS = "--trees in/trees-system.conllu --trees in/trees-system.conllu"


def text_command(name: str) -> Table:
    """Return the options that score and compare share."""
    start, tokens, trees = (f"{name} {part}" for part in ("--format tsv", _TOKENS, _TREES))
    two = f"{start} -r in/reference.en in/local.en in/verb.en"
    three = f"{start} -r in/three.ref.en in/three.en in/three.ref.en"
    from_source = f"{tokens} -s in/source.tok.de {SOURCE_HYPOTHESIS}"
    return {
        "--reference": shown(
            f"{start} in/local.en in/verb.en -m kendall", "in/reference.en", "in/reference2.en"
        ),
        "--source": shown(
            f"{tokens} -m frs {SOURCE_HYPOTHESIS} {SOURCE_REFERENCE}",
            "in/source.tok.de",
            "in/source.same.de",
        ),
        "--column": shown(
            f"{start} -m kendall -r in/reference.en in/columns.tsv in/verb.en",
            "hypothesis=local",
            "hypothesis=verb",
        ),
        "--metric": shown(two, "", "kendall", "bleu", "kendall bleu"),
        "--links": shown(
            f"{tokens} -m kendall",
            "",
            "in/straight.links in/verb.pharaoh",
            "in/local.pharaoh in/straight.links",
        ),
        "--links-source-hypothesis": shown(
            f"{tokens} -m crossings -s in/source.tok.de",
            "in/local.source in/verb.source",
            "in/straight.links in/verb.source",
        ),
        "--links-source-reference": shown(
            f"{from_source} -m frs",
            "in/gold.source-reference.links",
            "in/other.source-reference.links",
        ),
        "--via-source": shown(f"{from_source} {SOURCE_REFERENCE} -m kendall --order-rule drop"),
        "--link-format": shown(f"{tokens} -m kendall -a in/local.{{}} -a in/verb.{{}}", apart=True),
        "--order-rule": shown(
            f"{tokens} -m kendall -a in/local.pharaoh -a in/verb.pharaoh",
            "",
            "birch",
            "mean:null=next",
        ),
        "--trees": shown(
            f"{trees} --trees-reference in/trees-reference.conllu",
            "in/trees-system.conllu in/trees-system.conllu",
            "in/trees-system.conllu in/other-system.conllu",
        ),
        "--trees-reference": shown(
            f"{trees} {_OF_SYSTEMS}", "in/trees-reference.conllu", "in/other-reference.conllu"
        ),
        # No metric looks at trees of the source: they are read, and must be those of its words.
        "--trees-source": shown(
            f"{trees} {_OF_SYSTEMS} --trees-reference in/trees-reference.conllu -s in/trees-system.en",
            "in/trees-system.conllu",
            "in/trees-reference.conllu",
            errors=("in/trees-reference.conllu",),
        ),
        "--name": shown(f"{two} -m kendall", "", "one two", "one three"),
        "--aligner": shown(f"{two} -m kendall", "", "ribes", "match ribes"),
        "--parser": shown(trees, "perceptron", "model", "perceptron model"),
        "--tokenize": shown(f"{two} -m bleu", "", "char", "none"),
        "--language": shown(
            f"{start} -m coverage in/stems.en in/stems.ref.en -r in/stems.ref.en", "en", "de"
        ),
        "--lowercase": shown(f"{start} in/local.en in/verb.en -r in/reference2.en -m bleu"),
        # Results are the same; the folder is there afterwards.
        "--cache": shown(f"{trees} --parser perceptron", "", "kept", "others"),
        "--empty": shown(
            f"{start} in/empty.en in/verb.en -r in/reference.en -m bleu", errors=("stop",)
        ),
        "--resamples": shown(f"{two} -m kendall", "50", "60"),
        "--seed": shown(f"{two} -m kendall", "1", "2"),
        "--jobs": threads(f"{two} -m kendall"),
        "--quiet": talk(f"{three} -m kendall"),
    }


def _explained() -> Table:
    """Return the options of explain that are those of score, but for chance; the worst segments show them."""
    worst = "explain --format json --worst 3"
    options: Table = {}
    for name, option in text_command("explain").items():
        if name in ("--resamples", "--seed") or not isinstance(option, Demonstration):
            continue
        asked = option.arguments.replace("explain --format tsv", worst, 1)
        if not asked.startswith(worst):
            asked = asked.replace("explain", worst, 1).replace(" --format tsv", "", 1)
        # An explanation follows one aligner and one parser.
        several = tuple(value for value in option.values if " " not in value or name not in _ONE)
        options[name] = replace(option, arguments=asked, values=several)
    return options | {
        "--segment": shown(f"explain {_SCORED} --format json", "1", "2", "1 3"),
        "--worst": shown(f"explain {_SCORED} --format json", "1", "2"),
        "--worst-order": shown(f"explain {_SCORED} --format json", "1", "2"),
        "--largest-difference": shown(
            f"explain {_SCORED} in/phrase.en --format json",
            "local.en verb.en",
            "local.en phrase.en",
        ),
        "--count": shown(
            f"explain {_SCORED} --format json --largest-difference local.en verb.en", "1", "2"
        ),
        "--scores": shown(
            f"explain {_SCORED} --format json --worst 2", "", "in/up.tsv", "in/down.tsv"
        ),
        "--lower-is-better": shown(
            f"explain {_SCORED} --format json --worst 2 --scores in/up.tsv",
            "",
            "up",
            "other",
            errors=("other",),
        ),
        "--all": shown("explain in/doubt.en -r in/doubt.ref.en --format spans"),
        "--ignore": shown(f"explain {_SCORED} --all --format spans", "", "short"),
        "--summary": shown("explain in/one.en -r in/one.ref.en -m kendall"),
        "--permutation-trees": shown("explain in/one.en -r in/one.ref.en -m kendall"),
        "--max-trees": shown(
            "explain in/one.en -r in/one.ref.en -m kendall --permutation-trees weak",
            "1",
            "1000",
            errors=("1",),
        ),
        "--format": shown("explain in/one.en -r in/one.ref.en -m kendall"),
        "--picture": shown(
            "explain in/one.en -r in/one.ref.en -m dted -m derp --parser perceptron --format svg"
        ),
        "--output": shown("explain in/one.en -r in/one.ref.en -m kendall", "", "out.txt", "other"),
        "--work": shown("explain in/one.en -r in/one.ref.en"),
        "--no-color": Elsewhere(
            "tests/cli/test_explain.py",
            "test_a_terminal_shows_colours_unless_somebody_wants_none",
        ),
        "--quiet": talk("explain in/one.en -r in/one.ref.en -m kendall", terminal=True),
    }


_ONE = ("--aligner", "--parser")
_SCORED = "-r in/reference.en in/local.en in/verb.en -m kendall"


DEMONSTRATED: dict[str, Table] = {
    "score": text_command("score")
    | {
        "--format": shown(f"score {_SCORED}"),
        "--segments": shown(f"score {_SCORED}", "", "out.tsv", "out.jsonl"),
        "--statistics": shown(f"score {_SCORED} --segments out.tsv"),
        "--agreement-margins": shown(f"score {_SCORED} --segments out.tsv"),
        "--save": shown(f"score {_SCORED}", "", "one.kilter.json", "two.kilter.json.gz"),
        "--resume": Elsewhere(
            "tests/cli/test_score.py", "test_a_killed_run_goes_on_with_its_segments"
        ),
        "--engine": shown(f"score {_SCORED}", "local", "elsewhere", errors=("elsewhere",)),
        "--workers": Elsewhere(
            "tests/cli/test_score.py", "test_workers_and_pipes_make_no_difference"
        ),
        "--nbest": shown("score -r in/nbest.ref -m kendall in/list.nbest", errors=("",)),
        "--cite": shown(f"score {_SCORED}"),
        "--details": shown(f"score {_SCORED}"),
        "--percent": shown(f"score {_SCORED}"),
    },
    "explain": _explained(),
    "compare": text_command("compare")
    | {
        "--scores": shown("compare --format tsv", "in/scores.tsv", "in/metric.tsv"),
        "--lower-is-better": shown("compare --format tsv --scores in/metric.tsv", "", "metric"),
        "--baseline": shown(f"compare {_SCORED} --format tsv", "", "verb.en"),
        "--test": shown(f"compare {_SCORED} --format tsv"),
        "--marks": shown("compare -r in/reference.en in/local.en in/verb.en -m ulam --format tsv"),
        "--format": shown(f"compare {_SCORED}"),
        "--details": shown(f"compare {_SCORED}"),
        "--percent": shown(f"compare {_SCORED}"),
    },
}
