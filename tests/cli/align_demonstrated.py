"""Runs of align, parse, rerank and perturb that differ in one option alone."""

from tests.cli.demonstration import Elsewhere, Table, shown, talk, threads

_PERTURB = "perturb in/moved.reference.conllu"
_AGREEING = "align --source in/links.en --target in/links.ja"


DEMONSTRATED: dict[str, Table] = {
    "rerank": {
        **dict.fromkeys(
            (
                "--links",
                "--links-source-hypothesis",
                "--links-source-reference",
                "--via-source",
                "--link-format",
            ),
            Elsewhere(
                "tests/cli/test_rerank.py",
                "test_links_come_from_the_list_from_files_or_from_an_aligner",
            ),
        ),
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
        "--tokenize": shown("align in/local.en -r in/reference2.en", "", "none", "char"),
        "--language": shown("align in/local.en -r in/reference2.en", "en", "de"),
        "--lowercase": shown(
            "align in/local.en -r in/reference2.en --aligner match:case=keep,stages=exact"
        ),
        "--probabilities": shown("align in/local.en -r in/reference2.en --format naacl"),
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
            "tests/cli/test_resumed.py", "test_a_killed_run_goes_on_after_its_parts"
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
            "tests/cli/test_resumed.py", "test_a_killed_run_goes_on_after_its_parts"
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
}
