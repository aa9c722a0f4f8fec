"""Runs of `kilter validate` that differ in one option alone."""

from tests.cli.demonstration import Table, shown, talk
from tests.cli.text_demonstrated import SOURCE_REFERENCE

DEMONSTRATED: dict[str, Table] = {
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
            "validate --tokenize none in/local.tok.en -r in/reference.tok.en",
            "",
            "in/local.pharaoh",
            "in/beyond.links",
            errors=("in/beyond.links",),
        ),
        "--links-source-hypothesis": shown(
            "validate --tokenize none in/local.tok.en -s in/source.tok.de",
            "",
            "in/local.source",
            "in/beyond.links",
            errors=("in/beyond.links",),
        ),
        "--links-source-reference": shown(
            "validate --tokenize none -r in/reference.tok.en -s in/source.tok.de",
            "",
            "in/gold.source-reference.links",
            "in/beyond.links",
            errors=("in/beyond.links",),
        ),
        "--via-source": shown(
            "validate --tokenize none in/local.tok.en -r in/reference.tok.en -s in/source.tok.de "
            f"--links-source-hypothesis in/several.links {SOURCE_REFERENCE}",
            errors=("given",),
        ),
        "--link-format": shown(
            "validate --tokenize none in/local.tok.en -r in/reference.tok.en -a in/local.{}",
            apart=True,
        ),
        "--order-rule": shown(
            "validate --tokenize none in/local.tok.en -r in/reference.tok.en -a in/several.links",
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
            "validate --tokenize none in/local.tok.en -r in/reference.tok.en -a in/several.links",
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
}
