"""Runs of `kilter preorder` that differ in one option alone."""

from tests.cli.demonstration import Elsewhere, Table, shown, talk, threads

_SIX = "-r en-verb-final -R in/references.txt in/trees.conllu in/parsed.conllu"
_EVALUATE = "preorder evaluate -r en-verb-final -R in/catsref.txt --format tsv"
_ANALYSE = "preorder analyse -r en-verb-final -R in/catsref.txt --minimum 1"
_RULES = "preorder analyse -r en-verb-final -R in/references.txt in/trees.conllu --analysis rules --top 0 --format tsv"
_SELECT = "preorder select -R in/catsref.txt in/bad.conllu in/good.conllu"
_SELECTED = f"{_SELECT} -r en-verb-final"


DEMONSTRATED: dict[str, Table] = {
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
        "--reference-format": shown(
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
        "--marks": shown(f"preorder evaluate {_SIX}"),
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
        "--reference-format": shown(
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
        "--reference-format": shown(
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
        "--reference-format": shown(
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
}
