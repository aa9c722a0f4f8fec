"""Runs of commands over judgments that differ in one option alone: meta and tune."""

from tests.cli.demonstration import Elsewhere, Table, shown, talk, threads
from tests.cli.text_demonstrated import SOURCE_HYPOTHESIS, SOURCE_REFERENCE

_JUDGED = "--judgments in/rankings.csv -r in/reference.en --systems in/outputs"


def _structure(tokens: str, trees: str) -> Table:
    """Return the options of links and trees that commands over judgments share with score."""
    source = f"{tokens} -s in/source.tok.de"
    of_systems = "--trees in/trees-system.conllu --trees in/trees-reference.conllu"
    from_source = f"{source} {SOURCE_HYPOTHESIS}"
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
        "--via-source": shown(f"{from_source} {SOURCE_REFERENCE} --order-rule drop"),
        "--link-format": shown(f"{tokens} -a in/local.{{}} -a in/verb.{{}}", apart=True),
        "--order-rule": shown(f"{tokens} -a in/local.pharaoh -a in/verb.pharaoh", "", "birch", "mean:null=next"),
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
        "--min-agreement": shown(
            f"{start} {texts} --judgments in/repeated.tsv", "0", "0.5", "1.5", errors=("1.5",)
        ),
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
_TUNED = f"tune -m full {_JUDGED}"
_NOTICED = "meta sensitivity in/perturbed.tsv --resamples 20 --format tsv"
_LABELLED = "meta sensitivity --labels in/labelled.tsv --resamples 20 --format tsv"


DEMONSTRATED: dict[str, Table] = {
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
        "--preset": shown(
            "meta --judgments in/scores.tsv -r in/reference.en --systems in/outputs -m pef -m bleu --format tsv"
        ),
        "--ranks": shown(
            "meta --judgments in/scores.tsv -r in/reference.en --systems in/outputs -m pef -m bleu --resamples 20 "
            "--preset wmt24 --format tsv"
        ),
        "--published": shown(
            f"meta -m full:order=kendall --resamples 20 {_JUDGED} --format tsv",
            "",
            "wmt13-de-en",
            "in/none",
            errors=("in/none",),
        ),
        "--plot": shown(_AGREED, "", "out.svg"),
        "--details": shown(f"{_META} {_JUDGED}"),
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
        "--details": shown("meta sensitivity in/perturbed.tsv -m kendall --resamples 20"),
    },
    "tune": _judgment_command("tune", "-m full -o alpha", "")
    | _structure(
        f"tune -m full -o alpha --folds 0 --format tsv {_TOKEN_TEXTS}",
        _TUNED_TREES,
    )
    | {
        "--order-rule": shown(
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
        "--details": shown(f"{_TUNED} -o alpha"),
        "--weights": shown(
            f"tune -m kilter -o order --steps 2 --folds 0 --method grid {_JUDGED}", "", "out.json"
        ),
        "--seed": shown(f"{_TUNED} -o alpha --format json", "1", "2"),
    },
}
