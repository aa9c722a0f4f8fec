"""For every option of every command: runs that it makes a difference to.

Results are compared without signatures, which name options also where nobody looked at them. Files are
those of `option_files`.
"""

from dataclasses import replace
from importlib import import_module
from pathlib import Path

from kilter.reports.table.table import TableFormat
from tests.cli.demonstration import Demonstration, Elsewhere, shown, talk, threads

Table = dict[str, Demonstration | Elsewhere]

_TOKENS = "-r in/reference.tok.en in/local.tok.en in/verb.tok.en --tokenize none --format tsv"
_SOURCE_HYPOTHESIS = (
    "--links-source-hypothesis in/local.source --links-source-hypothesis in/verb.source"
)
_SOURCE_REFERENCE = "--links-source-reference in/gold.source-reference.links"
_TREES = (
    "-r in/trees-reference.en in/trees-system.en in/trees-second.en --tokenize none "
    "-m derp -m dted --format tsv"
)
_OF_SYSTEMS = "--trees in/trees-system.conllu --trees in/trees-system.conllu"


def _text_command(name: str) -> Table:
    """Return the options that score and compare share."""
    start, tokens, trees = (f"{name} {part}" for part in ("--format tsv", _TOKENS, _TREES))
    two = f"{start} -r in/reference.en in/local.en in/verb.en"
    three = f"{start} -r in/three.ref.en in/three.en in/three.ref.en"
    from_source = f"{tokens} -s in/source.tok.de {_SOURCE_HYPOTHESIS}"
    return {
        "--reference": shown(
            f"{start} in/local.en in/verb.en -m kendall", "in/reference.en", "in/reference2.en"
        ),
        "--source": shown(
            f"{tokens} -m frs {_SOURCE_HYPOTHESIS} {_SOURCE_REFERENCE}",
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
        "--through-source": shown(f"{from_source} {_SOURCE_REFERENCE} -m kendall --rule drop"),
        "--link-format": shown(f"{tokens} -m kendall -a in/local.{{}} -a in/verb.{{}}", apart=True),
        "--rule": shown(
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
    for name, option in _text_command("explain").items():
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
        "--summary": shown("explain in/one.en -r in/one.ref.en -m kendall"),
        "--permutation-trees": shown("explain in/one.en -r in/one.ref.en -m kendall"),
        "--most": shown(
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
        "--no-color": Elsewhere(
            "tests/cli/test_explain.py",
            "test_a_terminal_shows_colours_unless_somebody_wants_none",
        ),
        "--quiet": talk("explain in/one.en -r in/one.ref.en -m kendall", terminal=True),
    }


_ONE = ("--aligner", "--parser")
_SCORED = "-r in/reference.en in/local.en in/verb.en -m kendall"
_JUDGED = "--judgments in/rankings.csv -r in/reference.en --systems in/outputs"


def _structure(tokens: str, trees: str) -> Table:
    """Return the options of links and trees that commands over judgments share with score."""
    source = f"{tokens} -s in/source.tok.de"
    of_systems = "--trees in/trees-system.conllu --trees in/trees-reference.conllu"
    from_source = f"{source} {_SOURCE_HYPOTHESIS}"
    return {
        "--links": shown(
            tokens,
            "",
            "in/straight.links in/verb.pharaoh",
            "in/local.pharaoh in/straight.links",
        ),
        # Metrics of the hypothesis' order do not look at source links: they are read, and must be right.
        "--links-source-hypothesis": shown(
            source,
            "in/local.source in/verb.source",
            "in/local.source in/none",
            errors=("in/local.source in/none",),
        ),
        "--links-source-reference": shown(
            from_source, "in/gold.source-reference.links", "in/none", errors=("in/none",)
        ),
        "--through-source": shown(f"{from_source} {_SOURCE_REFERENCE} --rule drop"),
        "--link-format": shown(f"{tokens} -a in/local.{{}} -a in/verb.{{}}", apart=True),
        "--rule": shown(f"{tokens} -a in/local.pharaoh -a in/verb.pharaoh", "", "birch", "mean:null=next"),
        "--trees": shown(
            f"{trees} --trees-reference in/trees-reference.conllu",
            "in/trees-system.conllu in/trees-reference.conllu",
            "in/other-system.conllu in/trees-reference.conllu",
        ),
        "--trees-reference": shown(
            f"{trees} {of_systems}", "in/trees-reference.conllu", "in/other-reference.conllu"
        ),
        "--trees-source": shown(
            f"{trees} {of_systems} --trees-reference in/trees-reference.conllu -s in/trees-system.en",
            "in/trees-system.conllu",
            "in/trees-reference.conllu",
            errors=("in/trees-reference.conllu",),
        ),
        "--parser": shown(trees, "perceptron", "model"),
    }  # fmt: skip


_TOKEN_TEXTS = (
    "--judgments in/tok.scores.tsv -r in/reference.tok.en --systems in/local.tok.en "
    "--systems in/verb.tok.en --tokenize none"
)
_TREE_TEXTS = (
    "--judgments in/trees.scores.tsv -r in/trees-reference.en --systems in/trees-system.en "
    "--systems in/trees-reference.en --tokenize none"
)


_TUNED_TREES = f"tune -m dted -o base --method grid --steps 3 --folds 0 --format tsv {_TREE_TEXTS}"


def _judgment_command(name: str, rest: str, measured: str) -> Table:
    """Return the options that meta and tune share; `measured` shows a little of everything."""
    start = f"{name} {rest} --format tsv"
    texts = "-r in/reference.en --systems in/outputs"
    pairs = f"{start} {measured} {texts}"
    return {
        "--judgments": shown(pairs, "in/rankings.csv", "in/pairs.tsv", "in/scores.tsv"),
        "--reference": shown(
            f"{start} --judgments in/rankings.csv --systems in/outputs",
            "in/reference.en",
            "in/reference2.en",
            "in/reference.en in/reference2.en",
        ),
        "--systems": shown(
            f"{start} --judgments in/rankings.csv -r in/reference.en",
            "in/outputs",
            "in/other-outputs",
        ),
        # No metric of texts looks at the source: it is read, and must have as many lines.
        "--source": shown(
            f"{start} {_JUDGED}",
            "in/source.de",
            "in/trees-reference.en",
            errors=("in/trees-reference.en",),
        ),
        "--column": shown(
            f"{start} --judgments in/rankings.csv -r in/columns.tsv --systems in/outputs",
            "reference=reference",
            "reference=local",
        ),
        "--pair": shown(
            f"{start} {texts} --judgments in/two-pairs.csv",
            "",
            "German-English",
            "Czech-English",
            errors=("",),
        ),
        "--judgment-format": shown(
            f"{start} {texts} --judgments in/mixed.tsv",
            errors=("mt-metrics-eval",),
            same=(("auto", "ranking"),),
        ),
        "--judgment-name": shown(
            f"{start} {texts} --judgments in/me", "", "one", "two", errors=("",)
        ),
        "--question": shown(f"{start} {texts} --judgments in/answers.csv", "order", "holistic"),
        "--threshold": shown(f"{start} {texts} --judgments in/scores.tsv", "0", "0.5", "1.5"),
        "--unscored": shown(
            f"{start} --judgments in/rankings.csv -r in/reference.en --systems in/fewer-outputs",
            errors=("stop",),
        ),
        "--repeated": shown(f"{start} {texts} --judgments in/repeated.tsv"),
        "--identical": shown(
            f"{start} -r in/reference.en --systems in/other-outputs --judgments in/rankings.csv"
        ),
        "--aligner": shown(f"{start} {_JUDGED}", "", "ribes", "match ribes"),
        "--tokenize": shown(f"{start} {_JUDGED}", "", "char"),
        "--empty": shown(
            f"{start} --judgments in/empty.pairs.tsv -r in/reference.en --systems in/empty.en "
            "--systems in/verb.en",
            errors=("stop",),
        ),
        "--language": shown(f"{start} {_JUDGED} -r in/reference2.en", "en", "de"),
        "--lowercase": shown(f"{start} {_JUDGED} -r in/reference2.en"),
        "--cache": shown(
            f"{start} {_JUDGED} -r in/reference2.en --aligner embedding", "", "kept", "others"
        ),
        "--quiet": talk(f"{start} {_JUDGED}"),
        "--jobs": threads(f"{start} {_JUDGED}"),
        "--format": shown(f"{name} {rest} {_JUDGED}"),
    }


_META = "meta -m kendall -m full --resamples 20"
_AGREED = f"{_META} {_JUDGED} --format tsv"
_TUNE = "tune -m full -o alpha"
_TUNED = f"tune -m full {_JUDGED}"
_FOUND = f"{_TUNE} {_JUDGED} --format tsv"
_NOTICED = "meta sensitivity in/perturbed.tsv --resamples 20 --format tsv"
_LABELLED = "meta sensitivity --labels in/labelled.tsv --resamples 20 --format tsv"
_MAKE = "reorder make -s in/make.source -a in/make.links"
_MOVES = "reorder statistics -s in/make.source -a in/make.links --format tsv"
_LINT = "reorder lint -s in/make.source -t in/make.target"
_LINTED = f"{_LINT} -a in/make.one --format tsv"
_ORDERS = "reorder score in/ref.jsonl in/sys.text in/sys2.text --format tsv"
_REORDERED = "reorder score in/references.txt in/r1.txt in/r4.txt --format tsv"
_SIX = "-r en-verb-final -R in/references.txt in/trees.conllu in/parsed.conllu"
_EVALUATE = "preorder evaluate -r en-verb-final -R in/catsref.txt --format tsv"
_ANALYSE = "preorder analyse -r en-verb-final -R in/catsref.txt --minimum 1"
_RULES = "preorder analyse -r en-verb-final -R in/references.txt in/trees.conllu --analysis rules --top 0 --format tsv"
_SELECT = "preorder select -R in/catsref.txt in/bad.conllu in/good.conllu"
_SELECTED = f"{_SELECT} -r en-verb-final"
_PERTURB = "perturb in/moved.reference.conllu"
_REPORT = "-o report --no-png --resamples 20 -m kendall --aligner match --parser perceptron"
_ANALYSED = f"survey analyse in/export {_REPORT}"
_SCAN, _SERVE = "tests/cli/survey/test_scan.py", "tests/cli/survey/test_serve.py"
_PASSWORD = "tests/cli/survey/test_password.py"
_CHANGED_PASSWORD = "test_a_changed_password_counts_at_once_and_ends_all_sessions"
_ACCOUNT = "tests/cli/survey/test_account.py"
_EVERY_ACCOUNT = (
    "test_every_account_has_its_password_and_what_it_does_is_written_down_with_its_name"
)

_AGREEING = "align --source in/links.en --target in/links.ja"

DEMONSTRATED: dict[str, Table] = {
    "": {"--verbose": shown("--version"), "--version": shown("", errors=("",))},
    "demo": {
        "--compare": shown("demo"),
        "--report": shown("demo", "one.html", "two.html"),
        "--quiet": talk("demo"),
    },
    "score": _text_command("score")
    | {
        "--format": shown(f"score {_SCORED}"),
        "--segments": shown(f"score {_SCORED}", "", "out.tsv", "out.jsonl"),
        "--statistics": shown(f"score {_SCORED} --segments out.tsv"),
        "--margins": shown(f"score {_SCORED} --segments out.tsv"),
        "--resume": Elsewhere(
            "tests/cli/test_score.py", "test_a_killed_run_goes_on_with_its_segments"
        ),
        "--engine": shown(f"score {_SCORED}", "local", "elsewhere", errors=("elsewhere",)),
        "--workers": Elsewhere(
            "tests/cli/test_score.py", "test_workers_and_pipes_make_no_difference"
        ),
        "--nbest": shown("score -r in/nbest.ref -m kendall in/list.nbest", errors=("",)),
        "--cite": shown(f"score {_SCORED}"),
    },
    "explain": _explained(),
    "compare": _text_command("compare")
    | {
        "--scores": shown("compare --format tsv", "in/scores.tsv", "in/metric.tsv"),
        "--lower-is-better": shown("compare --format tsv --scores in/metric.tsv", "", "metric"),
        "--baseline": shown(f"compare {_SCORED} --format tsv", "", "verb.en"),
        "--test": shown(f"compare {_SCORED} --format tsv"),
        "--marks": shown("compare -r in/reference.en in/local.en in/verb.en -m ulam --format tsv"),
        "--format": shown(f"compare {_SCORED}"),
    },
    "rerank": {
        "--weight": shown("rerank in/list.nbest", "score", "lm", "lm=-1"),
        "--reference": shown("rerank in/list.nbest -w kendall", "in/nbest.ref", "in/nbest.other"),
        # No metric of texts looks at the source: it is read, and must have as many lines.
        "--source": shown(
            "rerank in/list.nbest -w kendall -r in/nbest.ref",
            "in/nbest.other",
            "in/three.en",
            errors=("in/three.en",),
        ),
        "--column": shown(
            "rerank in/list.nbest -w kendall -r in/nbest.tsv", "reference=one", "reference=two"
        ),
        "--aligner": shown("rerank in/few.nbest -w coverage -r in/few.ref", "", "ribes"),
        "--tokenize": shown("rerank in/few.nbest -w f1 -r in/few.ref", "none", "char"),
        "--language": shown("rerank in/few.nbest -w coverage -r in/few.ref", "en", "de"),
        "--lowercase": shown("rerank in/few.nbest -w f1 -r in/few.ref"),
        "--format": shown("rerank in/list.nbest -w score"),
        "--jobs": threads("rerank in/list.nbest -w kendall -r in/nbest.ref"),
    },
    "align": {
        "--reference": shown("align in/local.en", "in/reference.en", "in/reference2.en"),
        "--source": shown(
            "align --target in/reference.tok.en", "in/source.tok.de", "in/source.back.de"
        ),
        "--target": shown(
            "align --source in/source.tok.de", "in/reference.tok.en", "in/verb.tok.en"
        ),
        "--column": shown(
            "align in/columns.tsv -r in/reference.en", "hypothesis=local", "hypothesis=verb"
        ),
        "--aligner": shown("align in/local.en -r in/reference2.en", "", "ribes"),
        "--tokenize": shown("align in/local.en -r in/reference2.en", "", "13a", "char"),
        "--language": shown("align in/local.en -r in/reference2.en", "en", "de"),
        "--lowercase": shown(
            "align in/local.en -r in/reference2.en --aligner match:case=keep,stages=exact"
        ),
        "--certainty": shown("align in/local.en -r in/reference2.en --format naacl"),
        # An aligner makes no possible links, which alone tell these formats apart.
        "--format": shown(
            "align in/local.en -r in/reference.en",
            same=(
                ("pharaoh", "sure-possible"),
                ("pharaoh-1", "sure-possible-1"),
                ("pharaoh-1", "talp"),
                ("sure-possible-1", "talp"),
            ),
        ),
        "--agreement": shown(
            f"{_AGREEING} --link-format pharaoh",
            "in/one.links in/two.plain",
            "in/two.plain in/one.links",
        ),
        "--link-format": shown(
            "align --source in/make.source --agreement in/make.{} in/make.{}", apart=True
        ),
        "--possible": shown(
            f"{_AGREEING} --agreement in/one.links in/two.links --link-format sure-possible"
        ),
        "--intervals": shown(f"{_AGREEING} --agreement in/one.links in/one.links"),
        "--table": shown(f"{_AGREEING} --agreement in/one.links in/one.links"),
        "--output": shown("align in/local.en -r in/reference.en", "", "out.links", "out.jsonl"),
        "--resume": Elsewhere(
            "tests/cli/option/test_resumed.py", "test_a_killed_run_goes_on_after_its_parts"
        ),
        "--cache": shown(
            "align in/local.en -r in/reference.en --aligner embedding", "", "kept", "others"
        ),
        "--engine": shown(
            "align in/local.en -r in/reference.en", "local", "elsewhere", errors=("elsewhere",)
        ),
        "--workers": Elsewhere(
            "tests/cli/test_align.py", "test_any_number_of_workers_writes_the_same_links"
        ),
        "--jobs": threads("align in/local.en -r in/reference.en"),
        "--quiet": talk(
            "align --source in/source.tok.de --target in/reference.tok.en", terminal=True
        ),
    },
    "parse": {
        "--parser": shown("parse in/spoken.en", "", "perceptron"),
        "--tokenize": shown("parse in/spoken.en --parser perceptron", "", "none"),
        "--nbest": shown("parse in/spoken.en --parser perceptron", "", "2", "4"),
        "--output": shown("parse in/spoken.en --parser perceptron", "", "out.conllu"),
        "--resume": Elsewhere(
            "tests/cli/option/test_resumed.py", "test_a_killed_run_goes_on_after_its_parts"
        ),
        "--cache": shown("parse in/spoken.en --parser perceptron", "", "kept", "others"),
        "--engine": shown(
            "parse in/spoken.en --parser perceptron", "local", "elsewhere", errors=("elsewhere",)
        ),
        "--workers": Elsewhere(
            "tests/cli/test_parse.py",
            "test_any_number_of_workers_writes_the_same_trees",
        ),
        "--jobs": threads("parse in/spoken.en --parser perceptron"),
        "--quiet": talk("parse in/spoken.en --parser perceptron", terminal=True),
    },
    "validate": {
        "--reference": shown(
            "validate in/local.en",
            "",
            "in/reference.en",
            "in/three.ref.en",
            errors=("in/three.ref.en",),
        ),
        "--source": shown(
            "validate in/local.en",
            "",
            "in/source.de",
            "in/three.ref.en",
            errors=("in/three.ref.en",),
        ),
        "--column": shown(
            "validate in/columns.tsv",
            "hypothesis=local",
            "hypothesis=global",
            errors=("hypothesis=global",),
        ),
        "--links": shown(
            "validate in/local.tok.en -r in/reference.tok.en",
            "",
            "in/local.pharaoh",
            "in/beyond.links",
            errors=("in/beyond.links",),
        ),
        "--links-source-hypothesis": shown(
            "validate in/local.tok.en -s in/source.tok.de",
            "",
            "in/local.source",
            "in/beyond.links",
            errors=("in/beyond.links",),
        ),
        "--links-source-reference": shown(
            "validate -r in/reference.tok.en -s in/source.tok.de",
            "",
            "in/gold.source-reference.links",
            "in/beyond.links",
            errors=("in/beyond.links",),
        ),
        "--through-source": shown(
            "validate in/local.tok.en -r in/reference.tok.en -s in/source.tok.de "
            f"--links-source-hypothesis in/several.links {_SOURCE_REFERENCE}",
            errors=("given",),
        ),
        "--link-format": shown(
            "validate in/local.tok.en -r in/reference.tok.en -a in/local.{}", apart=True
        ),
        "--rule": shown(
            "validate in/local.tok.en -r in/reference.tok.en -a in/several.links",
            "one-to-one",
            "birch",
            errors=("one-to-one",),
        ),
        "--trees": shown(
            "validate in/trees-system.en",
            "",
            "in/trees-system.conllu",
            "in/trees-reference.conllu",
            errors=("in/trees-reference.conllu",),
        ),
        "--trees-reference": shown(
            "validate -r in/trees-reference.en",
            "",
            "in/trees-reference.conllu",
            "in/trees-system.conllu",
            errors=("in/trees-system.conllu",),
        ),
        "--trees-source": shown(
            "validate -s in/trees-reference.en",
            "",
            "in/trees-reference.conllu",
            "in/trees-system.conllu",
            errors=("in/trees-system.conllu",),
        ),
        "--tokenize": shown(
            "validate in/trees-system.en -r in/trees-reference.en -a in/beyond3.links",
            "none",
            "char",
            errors=("none",),
        ),
        "--language": shown("validate in/spaced.ja -r in/spaced.ja", "en", "zh", errors=("en",)),
        "--metric": shown(
            "validate in/local.tok.en -r in/reference.tok.en -a in/several.links",
            "tau",
            "kendall",
            errors=("kendall",),
        ),
        "--aligner": shown(
            "validate in/local.en -r in/reference.en -l de",
            "match",
            "embedding",
            errors=("embedding",),
        ),
        "--parser": shown(
            "validate in/local.en -r in/reference.en -l de -m bleu",
            "",
            "model",
            errors=("model",),
        ),
        "--empty": shown(
            "validate in/empty.en -r in/reference.en", "keep", "stop", errors=("stop",)
        ),
        "--quiet": talk("validate in/local.en"),
    },
    "perturb": {
        "--type": shown(f"{_PERTURB} -d 2 --hypothesis in/moved.hypothesis.conllu"),
        "--degree": shown(_PERTURB, "", "2", "2-3"),
        "--variants": shown(f"{_PERTURB} -d 2", "1", "2"),
        "--trees": shown(
            "perturb in/moved.en -t phrase -d 3",
            "in/moved.reference.conllu",
            "in/other.moved.conllu",
        ),
        "--hypothesis": shown(
            f"{_PERTURB} -t choice -d 2", "in/moved.hypothesis.conllu", "in/different.conllu"
        ),
        "--trees-hypothesis": shown(
            f"{_PERTURB} -t choice -d 2 --hypothesis in/hypothesis.en",
            "in/moved.hypothesis.conllu",
            "in/other.hypothesis.conllu",
        ),
        "--parser": shown(
            "perturb in/moved.en -t phrase -d 3", "perceptron", "conllu:file=in/other.moved.conllu"
        ),
        "--tags": shown("perturb in/tagged.conllu -t swap -d 2"),
        "--case-from": shown(f"{_PERTURB} -d 3", "", "in/capitals.en"),
        "--possible-only": shown(f"{_PERTURB} -d 12-13"),
        "--attempts": shown("perturb in/hard.en -d 1-5 --variants 3", "1", "40"),
        "--seed": shown(f"{_PERTURB} -d 3", "1", "2"),
        "--format": shown(f"{_PERTURB} -d 3"),
        "--cache": shown(
            "perturb in/moved.en -t phrase -d 3 --parser perceptron", "", "kept", "others"
        ),
        "--jobs": threads("perturb in/moved.en -t phrase -d 3 --parser perceptron"),
        "--quiet": talk(f"{_PERTURB} -d 12"),
    },
    "permutation": {
        "--format": shown("permutation in/orders.txt"),
        "--output": shown("permutation in/orders.txt", "", "out.tsv", "out.parquet"),
        "--resume": Elsewhere(
            "tests/reports/table/test_parquet_parts.py",
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
        "--most": shown("permutation in/one-order.txt --trees weak", "1", "1000", errors=("1",)),
        "--complexity": shown("permutation in/orders.txt"),
        "--forest": shown("permutation in/orders.txt"),
        "--draw": shown("permutation in/one-order.txt"),
        "--pairs": shown("permutation in/pairs.txt", errors=("",)),
        "--zero-based": shown("permutation in/zero.txt", errors=("",)),
        "--on-error": shown("permutation in/wrong-orders.txt", errors=("stop",)),
        "--engine": Elsewhere(
            "tests/engine/test_ray.py", "test_ray_leaves_the_same_file_also_when_a_worker_is_killed"
        ),
        "--workers": Elsewhere(
            "tests/cli/permutation/test_permutation.py",
            "test_any_number_of_workers_leaves_the_same_file",
        ),
        "--jobs": threads("permutation in/orders.txt"),
        "--quiet": talk("permutation in/wrong-orders.txt --on-error skip"),
    },
    "reorder make": {
        "--source": shown("reorder make -a in/make.links", "in/make.source", "in/make.target"),
        "--links": shown("reorder make -s in/make.source", "in/make.links", "in/make.one"),
        "--target": shown(_MAKE, "in/make.target", "in/make.short", errors=("in/make.short",)),
        "--link-format": shown("reorder make -s in/make.source -a in/make.{}", apart=True),
        "--possible": shown(
            "reorder make -s in/make.source -a in/make.possible --link-format sure-possible"
        ),
        "--rule": shown("reorder make -s in/rule.source -a in/rule.links", errors=("one-to-one",)),
        "--null": shown(f"{_MAKE} --rule birch"),
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
        "--reference-form": shown(
            "reorder score in/ref.{}.any in/sys.positions -s in/words.text --form positions",
            apart=True,
        ),
        "--form": shown("reorder score in/ref.jsonl in/sys.{}.any -s in/words.text", apart=True),
        "--match": shown("reorder score in/ref.jsonl in/sys.positions --format tsv"),
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
        "--possible": shown(
            "reorder statistics -s in/make.source -a in/make.possible --link-format sure-possible"
        ),
        "--column": shown(
            "reorder statistics -s in/make.source -a in/moves.tsv --format tsv",
            "links=one",
            "links=other",
        ),
        "--rule": shown(
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
    "preorder apply": {
        "--rules": shown("preorder apply in/good.conllu", "r1", "r4", "en-verb-final"),
        "--parser": shown("preorder apply in/hard.en -r en-verb-final", "perceptron", "model"),
        "--tokenize": shown("preorder apply in/cats.en -r r2 --parser perceptron", "none", "char"),
        "--cache": shown(
            "preorder apply in/cats.en -r r2 --parser perceptron", "", "kept", "others"
        ),
        "--lowercase-trees": Elsewhere(
            "tests/cli/preorder/test_apply.py",
            "test_lower_cased_trees_are_written_as_their_text_is",
        ),
        "--source": Elsewhere(
            "tests/cli/preorder/test_apply.py",
            "test_lower_cased_trees_are_written_as_their_text_is",
        ),
        "--format": shown("preorder apply in/good.conllu -r r4"),
        "--jobs": threads("preorder apply in/good.conllu -r r4"),
        "--quiet": talk("preorder apply in/roots.conllu -r r4"),
    },
    "preorder evaluate": {
        "--rules": shown(
            "preorder evaluate -R in/catsref.txt --format tsv in/good.conllu",
            "r1",
            "en-verb-final",
            "r1 r4",
        ),
        "--reference": shown(
            "preorder evaluate -r r1 in/good.conllu --format tsv",
            "in/catsref.txt",
            "in/otherref.txt",
        ),
        "--reference-form": shown(
            "preorder evaluate -r r1 in/good.conllu -R in/cats.{}.any", apart=True
        ),
        "--parser": shown(f"{_EVALUATE} -s in/cats.en", "perceptron", "model"),
        "--source": shown(f"{_EVALUATE} --parser perceptron", "in/cats.en", "in/mice.en"),
        "--cache": shown(f"{_EVALUATE} -s in/cats.en --parser perceptron", "", "kept", "others"),
        "--gold": shown(f"{_EVALUATE} in/good.conllu", "", "in/gold.conllu", "in/bad.conllu"),
        "--lowercase-trees": Elsewhere(
            "tests/cli/preorder/test_evaluate.py",
            "test_lower_cased_trees_score_as_those_of_the_text",
        ),
        "--match": shown("preorder evaluate -r r1 in/twice.conllu -R in/twice.jsonl --format tsv"),
        "--ties": shown("preorder evaluate -r r1 in/good.conllu -R in/tiedref.txt --format tsv"),
        "--joints": shown(f"{_EVALUATE} in/bad.conllu"),
        "--format": shown("preorder evaluate -r r1 -R in/catsref.txt in/good.conllu"),
        "--segments": shown(f"{_EVALUATE} in/good.conllu", "", "out.tsv"),
        "--watch": Elsewhere(
            "tests/cli/preorder/test_evaluate.py", "test_watching_shows_what_an_edit_did"
        ),
        "--resamples": shown(f"preorder evaluate {_SIX} --format tsv", "50", "61"),
        "--seed": shown(f"preorder evaluate {_SIX} --format tsv --resamples 50", "1", "2"),
        "--jobs": threads(f"{_EVALUATE} in/good.conllu"),
        "--quiet": talk("preorder evaluate -r r1 -R in/catsref.txt in/several.conllu"),
    },
    "preorder analyse": {
        "--rules": shown(
            "preorder analyse -R in/catsref.txt in/good.conllu", "r1", "en-verb-final", "r1 r4"
        ),
        "--sort": shown(f"{_ANALYSE} --analysis words in/bad.conllu"),
        "--trees": shown(f"{_ANALYSE} --analysis sentences in/bad.conllu"),
        "--reference": shown(
            "preorder analyse -r r1 in/good.conllu", "in/catsref.txt", "in/otherref.txt"
        ),
        "--reference-form": shown(
            "preorder analyse -r r1 in/good.conllu -R in/cats.{}.any", apart=True
        ),
        "--parser": shown(f"{_ANALYSE} -s in/cats.en", "perceptron", "model"),
        "--source": shown(f"{_ANALYSE} --parser perceptron", "in/cats.en", "in/mice.en"),
        "--cache": shown(f"{_ANALYSE} -s in/cats.en --parser perceptron", "", "kept", "others"),
        "--gold": shown(f"{_ANALYSE} in/bad.conllu", "in/gold.conllu", "in/good.conllu"),
        "--analysis": shown(f"{_ANALYSE} in/bad.conllu"),
        "--minimum": shown(
            "preorder analyse -r en-verb-final -R in/catsref.txt in/bad.conllu", "1", "2"
        ),
        "--top": shown(f"{_ANALYSE} in/bad.conllu", "0", "1"),
        "--lowercase-trees": Elsewhere(
            "tests/cli/preorder/test_evaluate.py",
            "test_lower_cased_trees_score_as_those_of_the_text",
        ),
        "--match": shown("preorder analyse -r r1 in/twice.conllu -R in/twice.jsonl --minimum 1"),
        "--ties": shown("preorder analyse -r r1 in/good.conllu -R in/tiedref.txt --minimum 1"),
        "--joints": shown(f"{_ANALYSE} in/bad.conllu"),
        "--format": shown(f"{_ANALYSE} in/bad.conllu --analysis words"),
        "--resamples": shown(f"{_RULES}", "5", "23"),
        "--seed": shown(f"{_RULES} --resamples 5", "1", "2"),
        "--jobs": threads(f"{_ANALYSE} in/bad.conllu"),
        "--quiet": talk(f"{_ANALYSE} in/several.conllu"),
    },
    "preorder explain": {
        "--rules": shown("preorder explain --segment 1 in/good.conllu", "r1", "r4", "r1 r4"),
        "--segment": shown("preorder explain -r r4 in/good.conllu", "1", "2"),
        "--reference": shown(
            "preorder explain -r r1 --segment 1 in/good.conllu",
            "",
            "in/catsref.txt",
            "in/otherref.txt",
        ),
        "--reference-form": shown(
            "preorder explain -r r1 --segment 1 in/good.conllu -R in/cats.{}.any", apart=True
        ),
        "--match": shown("preorder explain -r r1 --segment 1 in/twice.conllu -R in/twice.jsonl"),
        "--ties": shown("preorder explain -r r1 --segment 1 in/good.conllu -R in/tiedref.txt"),
        "--joints": shown("preorder explain -r r1 --segment 1 in/good.conllu -R in/catsref.txt"),
        "--format": shown("preorder explain -r r4 --segment 1 in/good.conllu"),
        "--quiet": talk("preorder explain -r r4 --segment 1 in/roots.conllu"),
    },
    "preorder select": {
        "--rules": shown(_SELECT, "r1", "en-verb-final"),
        "--reference": shown(
            "preorder select -r en-verb-final in/bad.conllu in/good.conllu",
            "in/catsref.txt",
            "in/otherref.txt",
        ),
        "--reference-form": shown(
            "preorder select -r r1 in/bad.conllu in/good.conllu -R in/cats.{}.any", apart=True
        ),
        "--minimum": shown(f"preorder select {_SIX}", "0", "0.9"),
        "--changed-only": shown(_SELECTED),
        "--match": shown("preorder select -r r1 in/twice.conllu -R in/twice.jsonl"),
        "--ties": shown("preorder select -r r1 in/good.conllu -R in/tiedref.txt"),
        "--joints": shown(_SELECTED),
        "--statistics": shown(_SELECTED, "", "out.tsv"),
        "--jobs": threads(_SELECTED),
        "--quiet": talk(_SELECTED),
    },
    "meta": _judgment_command("meta", "-m kendall -m full --resamples 20", "")
    | _structure(
        f"meta -m kendall --measure pearson --resamples 20 --format tsv {_TOKEN_TEXTS}",
        f"meta -m derp -m dted --measure pearson --resamples 20 --format tsv {_TREE_TEXTS}",
    )
    | {
        "--evaluation": shown(
            "meta --resamples 20 --format tsv", "in/evaluation.toml", "in/other-evaluation.toml"
        ),
        "--metric": shown(
            f"meta {_JUDGED} --resamples 20 --format tsv", "", "kendall", "bleu", "kendall bleu"
        ),
        "--scores": shown(
            "meta --judgments in/scores.tsv --format tsv --resamples 20",
            "m=in/metric.tsv",
            "m=in/metric2.tsv",
            "n=in/metric.tsv",
        ),
        "--lower-is-better": shown(
            "meta --judgments in/scores.tsv --scores m=in/metric.tsv --format tsv --resamples 20",
            "",
            "m",
        ),
        "--measure": shown(
            f"{_AGREED} --judgments in/scores.tsv".replace("--judgments in/rankings.csv", "")
        ),
        "--ratings": shown(
            "meta -m kendall -r in/reference.en --systems in/outputs --resamples 20 --format tsv",
            "in/scores.tsv",
            "in/fewer.tsv",
        ),
        "--tau": shown("meta -m hamming --resamples 20 --format tsv " + _JUDGED),
        "--human-ties": shown(_AGREED),
        "--engine": shown(_AGREED, "local", "elsewhere", errors=("elsewhere",)),
        "--workers": Elsewhere(
            "tests/cli/meta/test_meta.py", "test_workers_score_systems_and_change_no_byte"
        ),
        "--resample": shown(_AGREED),
        "--test": shown(f"{_META} {_JUDGED}"),
        "--controls": shown(_AGREED),
        "--baseline": shown(
            "meta --evaluation in/evaluation.toml --resamples 20", "", "bleu", "full"
        ),
        "--published": shown(
            f"meta -m full:order=kendall --resamples 20 {_JUDGED} --format tsv",
            "",
            "wmt13-de-en",
            "in/none",
            errors=("in/none",),
        ),
        "--plot": shown(_AGREED, "", "out.svg"),
        "--resamples": shown(f"meta -m kendall {_JUDGED} --format tsv", "20", "31"),
        "--seed": shown(_AGREED, "1", "2"),
    },
    "meta sensitivity": _structure(
        "meta sensitivity in/tok.perturbed.tsv -m kendall --tokenize none --resamples 20 --format tsv",
        "meta sensitivity in/trees.perturbed.tsv -m dted -m derp --tokenize none --resamples 20 --format tsv",
    )
    | {
        "--metric": shown(_NOTICED, "", "kendall", "bleu"),
        "--labels": shown(
            "meta sensitivity in/labelled.tsv --resamples 20 -m kendall", errors=("",)
        ),
        "--tag": shown(f"{_LABELLED} -m kendall", "order", "w*d"),
        "--lexical": shown(
            "meta sensitivity in/perturbed.tsv --resamples 20 --format json -m kendall", "", "word"
        ),
        "--window": shown(f"{_LABELLED} -m kendall", "0", "1"),
        "--aligner": shown(f"{_NOTICED} -m kendall", "", "ribes"),
        "--tokenize": shown(f"{_NOTICED} -m kendall", "", "char"),
        "--source": shown(
            f"{_NOTICED} -m kendall", "", "in/trees-reference.en", errors=("in/trees-reference.en",)
        ),
        "--empty": shown(
            "meta sensitivity in/tok.perturbed.tsv in/blank.perturbed.tsv -m kendall --resamples 20",
            errors=("stop",),
        ),
        "--language": shown(f"{_NOTICED} -m coverage", "en", "de"),
        "--lowercase": shown(f"{_NOTICED} -m bleu"),
        "--cache": shown(f"{_NOTICED} -m kendall --aligner embedding", "", "kept", "others"),
        "--resamples": shown(
            "meta sensitivity in/perturbed.tsv --format tsv -m kendall", "20", "31"
        ),
        "--seed": shown(f"{_NOTICED} -m kendall", "1", "2"),
        "--jobs": threads(f"{_NOTICED} -m kendall"),
        "--quiet": talk("meta sensitivity in/perturbed.tsv in/few.tsv -m kendall --resamples 20"),
        "--format": shown("meta sensitivity in/perturbed.tsv -m kendall --resamples 20"),
    },
    "tune": _judgment_command("tune", "-m full -o alpha", "")
    | _structure(
        f"tune -m full -o alpha --folds 0 --format tsv {_TOKEN_TEXTS}",
        _TUNED_TREES,
    )
    | {
        "--rule": shown(
            f"tune -m full -o alpha --folds 0 --format tsv {_TOKEN_TEXTS} -a in/local.pharaoh "
            "-a in/verb.pharaoh",
            "",
            "birch",
        ),
        # People prefer one of two outputs: which trees they have changes scores, but not which is higher.
        "--trees": shown(
            f"{_TUNED_TREES} --trees-reference in/trees-reference.conllu",
            "in/trees-system.conllu in/trees-reference.conllu",
            "in/trees-reference.conllu in/trees-reference.conllu",
            errors=("in/trees-reference.conllu in/trees-reference.conllu",),
        ),
        "--trees-reference": shown(
            f"{_TUNED_TREES} --trees in/trees-system.conllu --trees in/trees-reference.conllu",
            "in/trees-reference.conllu",
            "in/trees-system.conllu",
            errors=("in/trees-system.conllu",),
        ),
        "--parser": shown(
            _TUNED_TREES,
            "perceptron",
            "none",
            errors=("none",),
        ),
        "--language": shown(
            "tune -m full:order=coverage -o alpha --judgments in/walk.tsv -r in/walk.ref.en "
            "--systems in/walk --folds 0 --format tsv",
            "en",
            "de",
        ),
        "--metric": shown(f"tune {_JUDGED} -o alpha --format tsv", "full", "sen"),
        "--option": shown(f"{_TUNED} --format tsv", "alpha", "alpha=0.2..0.3"),
        "--method": shown("tune -m full -o alpha --steps 3 --folds 0 --format json " + _JUDGED),
        "--objective": shown(f"{_TUNED} -o alpha"),
        "--restarts": shown(
            f"tune -m pef -o beta -o gamma --method hill-climbing --folds 0 {_JUDGED} --format json",
            "1",
            "3",
        ),
        "--steps": shown(f"{_TUNED} -o alpha --format tsv", "4", "5"),
        "--folds": shown(f"{_TUNED} -o alpha --format json", "0", "3"),
        "--plot": shown(f"{_TUNED} -o alpha", "", "out.svg"),
        "--weights": shown(
            f"tune -m order -o near --steps 2 --folds 0 --method grid {_JUDGED}", "", "out.json"
        ),
        "--seed": shown(f"{_TUNED} -o alpha --format json", "1", "2"),
    },
    "survey check": {"--permutations": shown("survey check study-new")},
    "survey create": {
        "--allow-smaller": shown(
            "survey create study-small --password-file in/password", errors=("",)
        ),
        "--example": shown("survey create --password-file in/password new", errors=("",)),
        "--password-file": shown("survey create study-new", "", "in/password"),
        "--permutations": shown("survey create study-new --password-file in/password"),
        "--quiet": talk("survey create study-new --password-file in/password"),
    },
    "survey serve": {
        name: Elsewhere(_SERVE, "test_every_option_of_the_server_reaches_it")
        for name in (
            "--connections",
            "--database",
            "--host",
            "--joins",
            "--port",
            "--proxy",
            "--public-url",
            "--quiet",
            "--workers",
        )
    },
    "survey password": {
        "--database": Elsewhere(_PASSWORD, _CHANGED_PASSWORD),
        "--password-file": Elsewhere(_PASSWORD, _CHANGED_PASSWORD),
        "--account": Elsewhere(_ACCOUNT, _EVERY_ACCOUNT),
    },
    "survey account": {
        name: Elsewhere(_ACCOUNT, _EVERY_ACCOUNT)
        for name in ("--add", "--remove", "--password-file", "--database")
    },
    "survey links": {
        "--group": shown("survey links study --add 1", "", "students"),
        "--add": shown("survey links study", "", "1", "2"),
        "--label": shown("survey links study --group staff", "", "1", "2-3"),
        "--public-url": shown("survey links study", "", "https://survey.example.org"),
        "--database": shown("survey links study", "", "sqlite:///in/grouped.db"),
        "--format": shown("survey links study"),
    },
    "survey status": {
        "--database": shown("survey status study", "", "sqlite:///in/answers.db"),
        "--format": shown("survey status study-filled"),
    },
    "survey export": {
        "--output": shown("survey export study-filled", "out", "other"),
        "--format": shown("survey export study-filled -o out"),
        "--metric": shown("survey export study-filled -o out", "", "kendall", "bleu"),
        "--quiet": talk("survey export study-filled -o out"),
        "--database": shown("survey export study -o out", "", "sqlite:///in/answers.db"),
        "--identified": shown("survey export study-filled -o out"),
        "--ratings": shown("survey export study-filled -o out"),
        "--archive": shown("survey export study-filled -o out"),
    },
    "survey import": {
        "--participants": shown(
            "survey import study in/typed.csv",
            "",
            "in/people.csv",
            "in/wrong-people.csv",
            errors=("in/wrong-people.csv",),
        ),
        "--group": shown("survey import study in/typed.csv", "", "staff"),
        "--database": shown("survey import study in/typed.csv", "", "sqlite:///other.db"),
        "--quiet": talk("survey import study in/typed.csv"),
    },
    "survey erase": {
        "--judgments": shown("survey erase study-filled -", stdin="code"),
        "--database": shown(
            "survey erase study -", "", "sqlite:///study/copy.db", errors=("",), stdin="code"
        ),
    },
    "survey simulate": {
        "--output": shown("survey simulate in/study --participants 2", "out", "other"),
        "--format": shown("survey simulate in/study --participants 2 -o out"),
        "--metric": shown("survey simulate in/study --participants 2 -o out", "", "kendall"),
        "--ratings": shown("survey simulate in/study --participants 2 -o out"),
        "--quiet": talk("survey simulate in/study --participants 2 -o out"),
        "--seed": shown("survey simulate in/study --participants 2 -o out", "1", "2"),
        "--participants": shown("survey simulate in/study -o out", "2", "3"),
        "--effects": shown(
            "survey simulate in/study --participants 3 -o out", "", "in/effects.toml"
        ),
    },
    "survey analyse": {
        "--output": shown(_ANALYSED.replace("-o report", ""), "report", "other"),
        "--study": shown(f"survey analyse {_REPORT}", "study-filled", "study-other"),
        "--database": shown(
            f"survey analyse {_REPORT} --study study",
            "sqlite:///in/answers.db",
            "sqlite:///in/other.db",
        ),
        "--scores": shown(_ANALYSED, "", "in/tool.csv"),
        "--metric": shown(_ANALYSED.replace("-m kendall", ""), "kendall", "bleu"),
        "--aligner": shown(_ANALYSED.replace("--aligner match", ""), "match", "ribes"),
        "--parser": shown(
            _ANALYSED.replace("-m kendall", "-m derp").replace("--parser perceptron", ""),
            "perceptron",
            "model",
        ),
        "--adjustment": shown(_ANALYSED),
        "--shared-only": shown(_ANALYSED),
        "--split": shown(_ANALYSED, "", "gender", "age=30"),
        "--baseline": shown(_ANALYSED, "", "kendall"),
        "--smallest-group": shown(_ANALYSED, "1", "2"),
        "--by-tool": shown(_ANALYSED),
        "--published": shown(_ANALYSED),
        "--correction": shown(_ANALYSED),
        "--no-png": shown(_ANALYSED.replace("--no-png", "")),
        "--resamples": shown(_ANALYSED.replace("--resamples 20", ""), "20", "31"),
        "--seed": shown(_ANALYSED, "", "2"),
        "--jobs": threads(_ANALYSED),
        "--quiet": talk(_ANALYSED),
    },
    "survey print": {
        "--output": shown("survey print study --questionnaire 1", "out", "other"),
        "--questionnaire": shown("survey print study -o out", "1", "2"),
        "--language": shown("survey print study -o out --questionnaire 1", "en", "de"),
        "--copies": shown("survey print study -o out --questionnaire 1", "1", "1-2"),
        "--font": shown(
            "survey print study -o out --questionnaire 1",
            "",
            "in/password",
            errors=("in/password",),
        ),
        "--quiet": talk("survey print study -o out --questionnaire 1"),
    },
    "survey scan": {
        "--forms": shown(
            "survey scan study in/scans",
            "in/booklets",
            "in/outputs",
            errors=("in/booklets", "in/outputs"),
        ),
        "--review": Elsewhere(_SCAN, "test_somebody_may_confirm_that_there_is_no_answer"),
        "--participant": Elsewhere(_SCAN, "test_a_name_can_be_given_for_copies_made_by_hand"),
        "--participants": Elsewhere(_SCAN, "test_scanned_booklets_are_imported_like_typed_ones"),
        "--group": Elsewhere(_SCAN, "test_scanned_booklets_are_imported_like_typed_ones"),
        "--incomplete": Elsewhere(
            _SCAN, "test_missing_pages_are_named_and_taken_only_when_that_is_said"
        ),
        "--database": shown(
            "survey scan study in/scans --forms in/booklets",
            "",
            "sqlite:///other.db",
            errors=("", "sqlite:///other.db"),
        ),
        "--quiet": talk("survey scan study in/scans --forms in/booklets", errors=("", "given")),
    },
    "metrics": {
        "--format": shown("metrics kendall"),
        "--cite": shown("metrics kendall"),
        "--check": shown("metrics max-op", "", "tight"),
        "--longest": shown("metrics max-op --check tight", "3", "4"),
    },
    "cache": {
        "--clear": Elsewhere("tests/cli/test_cache.py", "test_a_cache_is_shown_and_cleared"),
        "--maker": Elsewhere("tests/cli/test_cache.py", "test_one_maker_is_cleared"),
        "--older-than": Elsewhere("tests/cli/test_cache.py", "test_what_is_old_is_cleared"),
        "--format": shown("cache in/kept"),
    },
    "completion": {},
}

# Further commands have files of their own.
for _path in sorted(Path(__file__).parent.glob("*_demonstrated.py")):
    DEMONSTRATED |= import_module(f"tests.cli.{_path.stem}").DEMONSTRATED
