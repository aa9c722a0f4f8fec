"""The files that the demonstrations of options read: samples, and variants of them."""

import io
import json
import re
import shutil
from contextlib import redirect_stdout
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from kilter.cli.main import run
from kilter.io.conllu import read_conllu
from kilter.io.link_format import LinkFormat
from kilter.io.stream import ByteSource
from kilter.preordering.dependency_tree_order import reorder_trees
from tests.cli.preorder.test_analyse import WORSE as MISLABELLED
from tests.cli.preorder.test_evaluate import REFERENCE
from tests.conllu_text import CATS, DOGS, conllu
from tests.docs.pages import ROOT
from tests.parsers.small_treebank import sentences
from tests.preordering.searched import HIDDEN, hidden_rules
from tests.study.running import PASSWORD, example

SYSTEMS = ("local", "verb", "phrase", "lexical")


def write_inputs(folder: Path) -> Path:
    """Return a new folder with every input."""
    shutil.copytree(ROOT / "examples", folder)
    _texts(folder)
    _links(folder)
    _trees(folder)
    _bank(folder)
    _latency(folder)
    _orders(folder)
    _judgments(folder)
    _published(folder)
    _outputs(folder)
    _studies(folder)
    _projects(folder)
    _printed(
        "parse",
        str(folder / "spoken.en"),
        "--parser",
        "perceptron",
        "--cache",
        str(folder / "kept"),
    )
    for name in ("local.en", "verb.en"):
        texts = ["-r", str(folder / "reference.en"), str(folder / name), "--name", "local.en"]
        _printed("score", *texts, "--save", str(folder / f"{name}.kilter.json"))
    return folder


def _bank(folder: Path) -> None:
    """Write a treebank of a made-up language, and references in another order, in which words are tied."""
    (folder / "bank.conllu").write_text(sentences(40), encoding="utf-8")
    (folder / "more.conllu").write_text(sentences(9, 2), encoding="utf-8")
    trees = read_conllu(ByteSource(str(folder / "bank.conllu"))).trees
    order = reorder_trees(trees, hidden_rules())
    places = [order.order[begin:end].tolist() for begin, end in pairwise(order.offsets.tolist())]
    words = trees.sentences()
    groups = [[row[:2], row[2:4], *([place] for place in row[4:])] for row in places]
    listed = [(" ".join(own), json.dumps(each)) for own, each in zip(words, groups, strict=True)]
    _write(folder / "bank.jsonl", *_jsonl(*listed))
    _write(folder / "bank.jsonl.any", *_jsonl(*listed))
    _write(folder / "bank.positions.any", *(" ".join(map(str, row)) for row in places))
    text = [" ".join(own[place] for place in row) for own, row in zip(words, places, strict=True)]
    _write(folder / "bank.text.any", *text)
    (folder / "own.toml").write_text(HIDDEN, encoding="utf-8")
    _write(folder / "bank2.txt", *(" ".join(own) for own in words))
    # Sentences that are not learned from, as they are and turned round.
    others = [f"{own[0]} {' '.join(own)}" for own in words[:12]]
    _write(folder / "others.txt", *others)
    turned = [
        json.dumps([[place] for place in reversed(range(len(own.split())))]) for own in others
    ]
    _write(folder / "others.jsonl", *_jsonl(*zip(others, turned, strict=True)))


def _write(path: Path, *lines: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{line}\n" for line in lines)
    path.write_text(
        text.rstrip("\n") + "\n\n" if ".conllu" in path.name else text, encoding="utf-8"
    )
    return str(path)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _printed(*arguments: str) -> list[str]:
    out = io.StringIO()
    with redirect_stdout(out):
        assert run([*arguments]) == 0
    return out.getvalue().splitlines()


def _texts(folder: Path) -> None:
    for name in ("local", "verb"):
        split = [re.sub(r"([.,])", r" \1", line) for line in _lines(folder / f"{name}.en")]
        _write(folder / f"{name}.tok.en", *split)
    source = _lines(folder / "source.tok.de")
    _write(folder / "source.same.de", *(" ".join(["x"] * len(line.split())) for line in source))
    _write(folder / "source.back.de", *(" ".join(line.split()[::-1]) for line in source))
    columns = [["reference", "local", "verb"]]
    texts = [_lines(folder / f"{name}.en") for name in columns[0]]
    columns += map(list, zip(*texts, strict=True))
    _write(folder / "columns.tsv", *map("\t".join, columns))
    _write(folder / "doubt.en", "to alpha beta gamma delta over under")
    _write(folder / "doubt.ref.en", "alpha beta gamma delta to here there")
    _write(
        folder / "kilter.jsonl",
        *_printed(
            "spans",
            "convert",
            str(folder / "marked.jsonl"),
            "--annotator",
            "ben",
            "--to",
            "kilter",
            "-q",
        ),
    )
    for name, turn in (("up", 1), ("down", -1)):
        rows = [f"{s}.en\t{n}\t{turn * n}" for s in ("local", "verb") for n in range(1, 49)]
        _write(folder / f"{name}.tsv", *rows)
    _write(folder / "tagged.tags", "OK BAD OK")
    _write(folder / "tagged.en", "a red cat")
    _write(folder / "one.en", "here he drinks tea so often")
    _write(folder / "one.ref.en", "he so often drinks tea here")
    _write(
        folder / "list.nbest",
        "0 ||| the cat walks on the mat ||| lm= -1 ||| -9",
        "0 ||| on the mat walked The Cat ||| lm= -2 ||| -1",
        "1 ||| a dog ||| lm= -5 ||| -9",
        "1 ||| dog a ||| lm= -1 ||| -8",
    )
    _write(folder / "nbest.ref", "the cat walks on the mat", "a dog")
    _write(folder / "nbest.other", "on the mat walks the cat", "dog a")
    _write(
        folder / "few.nbest",
        "0 ||| walks",
        "0 ||| walked he",
        "1 ||| THE CAT",
        "1 ||| the dog",
        "2 ||| cats",
        "2 ||| x cat y z w v",
    )
    _write(folder / "few.ref", "walked", "the cat", "cat")
    _write(
        folder / "nbest.tsv",
        "one\ttwo",
        "the cat walks on the mat\ton the mat walks the cat",
        "a dog\tdog a",
    )
    _write(folder / "empty.en", "", *_lines(folder / "local.en")[1:])
    _write(folder / "short.en", *_lines(folder / "local.en")[:7])
    _write(folder / "three.en", *_lines(folder / "local.en")[:3])
    _write(folder / "three.ref.en", *_lines(folder / "reference.en")[:3])
    _write(folder / "stems.en", "the walls were falling", "he walks home", "she walked away")
    _write(folder / "stems.ref.en", "the wall was falling", "he walked home", "she walks away")
    _write(folder / "spoken.en", "The cat, the dog (and I) don't sleep.", "We eat bread.")


def _links(folder: Path) -> None:
    reference = str(folder / "reference.tok.en")
    for name in ("local", "verb"):
        text = str(folder / f"{name}.tok.en")
        for form in LinkFormat:
            made = _printed(
                "align", "-r", reference, text, "--format", str(form), "--tokenize", "none"
            )
            _write(folder / f"{name}.{form}", *made)
        _write(
            folder / f"{name}.source",
            *_printed("align", "--source", str(folder / "source.tok.de"), "--target", text,
                      "--aligner", "ibm1", "--tokenize", "none"),
        )  # fmt: skip
        for path in (folder / f"{name}.sure-possible", folder / f"{name}.sure-possible-1"):
            _write(path, *(line.replace("-", "p", 1) for line in _lines(path)))
    _write(folder / "straight.links", *["0-0 1-1 2-2"] * 48)
    _write(folder / "several.links", *["0-0 0-1 1-2"] * 48)
    _write(folder / "beyond.links", *["0-99"] * 48)
    _write(
        folder / "other.source-reference.links",
        *_printed("align", "--source", str(folder / "source.tok.de"), "--target", reference,
                  "--aligner", "ibm1", "--tokenize", "none"),
    )  # fmt: skip
    _write(folder / "beyond3.links", *["0-20"] * 3)
    _write(folder / "spaced.ja", "猫は庭で寝る。", "犬も寝る。")
    # Three sentences to be reordered, with links that share words and words that have none.
    _write(folder / "make.source", "a b c d", "e f g", "h i")
    _write(folder / "more.source", "a b c d e", "e f g", "h i")
    _write(folder / "moves.tsv", "one\tother", "0-0 1-1\t0-1 1-0", "0-0\t0-0", "0-0\t0-0")
    _write(folder / "make.target", "w x y z", "u v w", "s t")
    _write(folder / "more.target", "w y x z", "u v w", "s t")
    _write(folder / "make.short", "w x", "u v w", "s t")
    _write(folder / "make.links", "0-2 1-2 3-0", "0-1 1-0 1-2", "0-1 1-0")
    _write(folder / "make.one", "0-2 1-3 3-0", "0-1 1-0", "0-1 1-0")
    _write(folder / "make.possible", "0-2 1-2 3p0", "0-1 1-0 1p2", "0-1 1-0")
    # Rules differ in what they sort by, where words without link go, and whether words are tied.
    _write(folder / "rule.source", "a b c d e")
    _write(folder / "rule.links", "0-0 0-5 1-2 3-1 3-3 4-3")
    _write(folder / "articles", "the dog der hund は 犬")
    _write(folder / "articles.links", "1-1 3-3 5-5")
    _write(folder / "allowed", "c g")
    forms = {
        "pharaoh": ["0-2 3-0", "0-1 1-0", "0-1 1-0"],
        "pharaoh-1": ["1-3 4-1", "1-2 2-1", "1-2 2-1"],
        "sure-possible": ["0-2 3-0 1p1", "0-1 1-0", "0-1 1-0"],
        "sure-possible-1": ["1-3 4-1 2p2", "1-2 2-1", "1-2 2-1"],
        "talp": ["1-3 4-1", "1-2 2-1", "1-2 2-1"],
        "target-lists": ["3,,0,", "1,0,", "1,0"],
        "naacl": ["1 1 3 S", "1 4 1 S", "2 1 2", "2 2 1", "3 1 2", "3 2 1"],
        "moses": ["0=2 3=0", "0=1 1=0", "0=1 1=0"],
        "giza": [
            "# Sentence pair (1) source length 4 target length 4 alignment score : 1",
            "w x y z",
            "NULL ({ 2 4 }) a ({ 3 }) b ({ }) c ({ }) d ({ 1 })",
            "# Sentence pair (2) source length 3 target length 3 alignment score : 1",
            "u v w",
            "NULL ({ 3 }) e ({ 2 }) f ({ 1 }) g ({ })",
            "# Sentence pair (3) source length 2 target length 2 alignment score : 1",
            "s t",
            "NULL ({ }) h ({ 2 }) i ({ 1 })",
        ],
        "moses-trace": [
            "w x |3-3,wa=0-0| y z |0-2,wa=0-0|",
            "u |1-1| v |0-0| w ||| 0-1 1-0",
            "s t ||| 0-1 1-0",
        ],
        "fast-align": ["0-2 3-0 ||| -1.5", "0-1 1-0 ||| -2", "0-1 1-0 ||| -3"],
    }
    for name, lines in forms.items():
        _write(folder / f"make.{name}", *lines)
    head = "Line2Start:Length\tLine1Start:Length\tModule\t\tScore"
    meteor = []
    for number, (source, target, pairs) in enumerate(
        [("a b c d", "w x y z", ["2:1\t\t\t0:1", "0:1\t\t\t3:1"]), ("e f g", "u v w", []), ("h i", "s t", [])],
        start=1,
    ):  # fmt: skip
        meteor += [f"Alignment\t{number}", source, target, head]
        meteor += [f"{pair}\t\t\t0\t\t1.0" for pair in pairs] + [""]
    _write(folder / "make.meteor", *meteor)


def _trees(folder: Path) -> None:
    for name in ("system", "reference"):
        trees = (folder / f"trees-{name}.conllu").read_text(encoding="utf-8")
        _write(folder / f"other-{name}.conllu", _rehung(trees))
    shutil.copy(folder / "trees-system.en", folder / "trees-second.en")
    _write(folder / "good.conllu", conllu(CATS, DOGS))
    _write(folder / "bad.conllu", conllu(MISLABELLED, DOGS))
    _write(folder / "gold.conllu", conllu(CATS, tuple((w, t, h, "dep") for w, t, h, _ in DOGS)))
    _write(folder / "cats.en", "Cats chase small mice at night .", "Dogs sleep .")
    _write(folder / "mice.en", "Cats at night chase small mice .", "Dogs sleep .")
    several = conllu(CATS, DOGS).replace("# sent_id = 2", "# parse = 1\n# sent_id = 2")
    second = conllu(DOGS).replace("# sent_id = 1", "# parse = 2\n# sent_id = 2")
    _write(folder / "several.conllu", several + second)
    two_roots = "1\tDogs\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
    _write(folder / "roots.conllu", two_roots)
    # The tags of the language tell the two nouns apart, the universal ones do not.
    tagged = [
        "1\tcats\t_\tNOUN\tNNS\t_\t2\tnsubj\t_\t_",
        "2\tsee\t_\tVERB\tVBP\t_\t0\troot\t_\t_",
        "3\tbread\t_\tNOUN\tNN\t_\t2\tobj\t_\t_",
    ]
    _write(folder / "tagged.conllu", "# text = cats see bread", *tagged, "")
    moved = (folder / "moved.reference.conllu").read_text(encoding="utf-8")
    _write(folder / "moved.en", *re.findall(r"# text = (.*)", moved))
    _write(folder / "other.moved.conllu", _rehung(moved))
    hypothesis = (folder / "moved.hypothesis.conllu").read_text(encoding="utf-8")
    _write(folder / "hypothesis.en", *re.findall(r"# text = (.*)", hypothesis))
    _write(folder / "other.hypothesis.conllu", hypothesis.replace("NOUN", "ADJ"))
    _write(folder / "different.conllu", hypothesis.replace("loaves", "rolls"))
    _write(folder / "capitals.en", "They say BREAD , Baker , Children and Warm .")
    twice = (("the", "DET", 2, "det"), ("dog", "NOUN", 3, "nsubj"), ("saw", "VERB", 0, "root"),
             ("the", "DET", 5, "det"), ("cat", "NOUN", 3, "obj"))  # fmt: skip
    _write(folder / "twice.conllu", conllu(twice))
    words = '["the", "dog", "saw", "the", "cat"]'
    _write(folder / "twice.jsonl", f'{{"words": {words}, "groups": [[3], [1], [0], [4], [2]]}}')
    _write(folder / "tiedref.txt", "Cats {{ chase mice }} small at night .", "Dogs sleep .")
    _write(folder / "hard.en", "go Go go stop", "a a b", "one two one two")


def _rehung(trees: str) -> str:
    """Return trees in which every word but the first hangs from the word before it."""
    lines = []
    for line in trees.splitlines():
        cells = line.split("\t")
        if len(cells) == 10 and cells[0].isdigit():
            cells[6] = str(int(cells[0]) - 1)
            cells[7] = "dep" if cells[0] != "1" else "root"
        lines.append("\t".join(cells))
    return "\n".join(lines)


def _latency(folder: Path) -> None:
    _write(folder / "wait1.delays", "1 2 3 4", "1 2 3", "1 2")
    _write(folder / "wait2.delays", "2 3 4 4", "2 3 3", "2 2")
    _write(folder / "short.ref", "w x", "u", "s t")
    _write(folder / "spoken.times", "0.2 0.9 1.1 3", "0.5 1 2", "1 2")
    shared = {"source": "rec.wav", "reference": "w x"}
    rows = [
        {
            "prediction": "w x y z",
            "delays": [1, 1, 3, 4],
            "elapsed": [2, 2, 4, 5],
            "source_length": 4,
        },
        {"prediction": "u v w", "delays": [1, 2, 3], "elapsed": [2, 3, 4], "source_length": 3},
        {"prediction": "s t", "delays": [1, 1], "elapsed": [2, 3], "source_length": 2},
    ]
    _write(folder / "spoken.log", *(json.dumps(row | shared) for row in rows))
    stream = [
        {"id": 0, "metadata": {"wav_name": "rec.wav"}},
        *(
            {"id": 0, "total_audio_processed": time, "computation_time": 0.1,
             "generated_tokens": [word], "deleted_tokens": []}
            for time, word in enumerate("wxus", 1)
        ),
    ]  # fmt: skip
    _write(folder / "stream.log", *map(json.dumps, stream))
    for name, offset in (("one", 0), ("other", 1)):
        entries = (f"{{wav: rec.wav, offset: {offset + k}, duration: 2}}" for k in (0, 2, 3))
        _write(folder / f"{name}.yaml", f"[{', '.join(entries)}]")
    _write(folder / "profile.links", "0-0 1-1 2-2 3-3", "0-1 1-0", "0-0")
    _write(folder / "profile.possible", "0-0 1p1 2p3 3p2", "0-1 1-0", "0-0")
    for name, label in (("first", "obj"), ("second", "obl")):
        _write(
            folder / f"{name}.latency.conllu",
            *(
                line
                for words in (["a", "b", "c", "d"], ["e", "f", "g"], ["h", "i"])
                for line in [*_flat_tree(words, label), ""]
            ),
        )


def _flat_tree(words: list[str], label: str) -> list[str]:
    heads = [(0, "root"), *[(1, label)] * (len(words) - 1)]
    return [
        f"{k}\t{word}\t_\tX\t_\t_\t{head}\t{name}\t_\t_"
        for k, (word, (head, name)) in enumerate(zip(words, heads, strict=True), 1)
    ]


def _orders(folder: Path) -> None:
    _write(folder / "wrong-orders.txt", "2 1 3", "1 1 2", "3 1 2")
    _write(folder / "mixed-orders.txt", "2 1 3 4 6 5 7", "1 3 2 4")
    columns = {"first": [[2, 1, 3], [1, 2]], "second": [[3, 2, 1], [2, 1]]}
    pq.write_table(pa.table(columns), folder / "orders.parquet")
    _write(folder / "zero.txt", "1 0 2", "2 0 1")
    _write(folder / "pairs.txt", "2 1 3 ||| 1 3 2", "3 1 2 ||| 2 3 1")
    (folder / "catsref.txt").write_text(REFERENCE, encoding="utf-8")
    _write(folder / "otherref.txt", "Cats chase small mice at night .", "sleep Dogs .")
    # Words that occur twice tell matching by form from matching by place.
    _write(folder / "words.text", "the dog the cat", "a b c")
    _write(folder / "sys.text", "the dog cat the", "b a c")
    _write(folder / "sys2.text", "cat the dog the", "c b a")
    _write(folder / "ref.positions", "2 {{ 3 1 }} 0", "2 {{ 0 1 }}")
    _write(folder / "sys.positions", "0 1 3 2", "1 0 2")
    for name, lines in {
        "text": ["the {{ cat dog }} the", "c {{ a b }}"],
        "positions": ["2 {{ 3 1 }} 0", "2 {{ 0 1 }}"],
        "jsonl": _jsonl(("the dog the cat", "[[2], [3, 1], [0]]"), ("a b c", "[[2], [0, 1]]")),
    }.items():
        _write(folder / f"ref.{name}.any", *lines)
    for name, lines in {
        "text": ["Cats night at small mice chase .", "Dogs sleep ."],
        "positions": ["0 5 4 2 3 1 6", "0 1 2"],
        "jsonl": _jsonl(
            ("Cats chase small mice at night .", "[[0], [5], [4], [2], [3], [1], [6]]"),
            ("Dogs sleep .", "[[0], [1], [2]]"),
        ),
    }.items():
        _write(folder / f"cats.{name}.any", *lines)
    for rules in ("r1", "r4"):
        made = _printed("preorder", "apply", "-q", "-r", rules, str(folder / "trees.conllu"))
        _write(folder / f"{rules}.txt", *made)
    _write(folder / "sys.text.any", "the dog cat the", "b a c")
    _write(folder / "sys.positions.any", "0 1 3 2", "1 0 2")
    one = _jsonl(("the dog the cat", "[[0], [1], [3], [2]]"), ("a b c", "[[1], [0], [2]]"))
    _write(folder / "sys.jsonl.any", *one)
    shutil.copy(folder / "ref.jsonl.any", folder / "ref.jsonl")
    _write(folder / "same.text", "x x x x", "y y y")
    _write(folder / "other.positions", "3 0 1 2", "0 2 1")
    mirrored = _jsonl(("the dog the cat", "[[0], [3, 1], [2]]"), ("a b c", "[[0, 1], [2]]"))
    _write(folder / "mirrored.jsonl", *mirrored)
    rated = [("sys", 1, "x", 4), ("sys", 2, "x", 1), ("other", 1, "x", 6), ("other", 2, "x", 2)]
    rated += [("sys", 1, "y", 5), ("other", 1, "y", 3), ("other", 2, "y", 2)]
    _write(
        folder / "rated.csv",
        "system,segment,rater,rating",
        *(f"{system}.positions,{segment},{who},{score}" for system, segment, who, score in rated),
    )
    given = [("sys", 1, 0.4), ("sys", 2, 0.3), ("other", 1, 0.9), ("other", 2, 0.1)]
    _write(folder / "given.tsv", *(f"{name}.positions\t{k}\t{score}" for name, k, score in given))


def _jsonl(*sentences: tuple[str, str]) -> list[str]:
    return [
        f'{{"words": {json.dumps(words.split())}, "groups": {groups}}}'
        for words, groups in sentences
    ]


def _judgments(folder: Path) -> None:
    scores, pairs, errors, answers = [], [], [], []
    for place in range(48):
        values = [(7 * place + 3 * k * k) % 11 for k in range(4)]
        for name, value in zip(SYSTEMS, values, strict=True):
            scores.append(f"{name}.en\t{place + 1}\t{value / 4}")
            severity = ("Major", "Minor", "Neutral")[value % 3]
            errors.append(f"{name}.en\t{place + 1}\tr\tStyle\t{severity}")
            holistic, order = 1 + value % 5, 1 + (value * 3) % 5
            answers.append(f"p1,1,{place + 1},wmt_{name}.en.de-en #{place + 1},{holistic},{order}")
        best, worst = values.index(max(values)), values.index(min(values))
        pairs.append(f"{place + 1}\t{SYSTEMS[best]}.en\t{SYSTEMS[worst]}.en")
    head = "system\tsegment\tscore"
    _write(folder / "scores.tsv", head, *scores)
    _write(folder / "fewer.tsv", head, *scores[: 4 * 20])
    for prefix, names, count in (
        ("tok", ("local.tok.en", "verb.tok.en"), 48),
        (
            "trees",
            ("trees-system.en", "trees-reference.en"),
            len(_lines(folder / "trees-system.en")),
        ),
    ):
        rows = [
            f"{name}\t{place + 1}\t{(7 * place + 5 * k) % 11}"
            for place in range(count)
            for k, name in enumerate(names)
        ]
        _write(folder / f"{prefix}.scores.tsv", head, *rows)
        texts = ("reference.tok.en" if prefix == "tok" else "trees-reference.en", *names)
        changed = zip(*(_lines(folder / name) for name in texts), strict=True)
        _write(
            folder / f"{prefix}.perturbed.tsv",
            "kind\treference\toriginal\tperturbed",
            *("\t".join(("all", *row)) for row in changed),
        )
    _write(
        folder / "blank.perturbed.tsv", "kind\treference\toriginal\tperturbed", "none\ta b\ta b\t"
    )
    _write(
        folder / "empty.pairs.tsv",
        "seg\tbetter\tworse",
        *["2\tempty.en\tverb.en", "3\tverb.en\tempty.en"],
    )
    _write(folder / "pairs.tsv", "seg\tbetter\tworse", *pairs)
    _write(folder / "repeated.tsv", "seg\tbetter\tworse", *pairs, *pairs[:9], *pairs[:9])
    _write(folder / "mqm.tsv", "system\tseg_id\trater\tcategory\tseverity", *errors)
    _write(
        folder / "answers.csv", "participant,questionnaire,position,sentence,holistic,order", *answers
    )  # fmt: skip
    mixed = "seg better worse system segment score seg_id rater category severity participant "
    mixed += "srcIndex questionnaire position sentence holistic order system1Id system1rank system2Id system2rank"
    rows = []
    for place, pair in enumerate(pairs):
        name, better, worse = pair.split("\t")
        marked = ("Minor", "Major") if place % 3 else ("Major", "Minor")
        rows.append(
            f"{pair}\t{better}\t{name}\t{place % 7}\t{name}\tr\tStyle\t{marked[0]}\tp\t{name}\t1\t{name}\t"
            f"wmt_{better}.de-en #{name}\t{1 + place % 5}\t{1 + place % 3}\t{better}\t2\t{worse}\t1"
        )
        rows.append(
            f"{pair}\t{worse}\t{name}\t{place % 5}\t{name}\tr\tStyle\t{marked[1]}\tq\t{name}\t1\t{name}\t"
            f"wmt_{worse}.de-en #{name}\t{1 + place % 4}\t{1 + place % 2}\t{better}\t1\t{worse}\t2"
        )
    _write(folder / "mixed.tsv", "\t".join(mixed.split()), *rows)
    few = [line.split("\t") for line in _lines(folder / "perturbed.tsv")[:5]]
    few[1][3] = few[1][2]  # an original that nothing was done to
    _write(folder / "few.tsv", *map("\t".join, few))
    evaluation = (folder / "evaluation.toml").read_text(encoding="utf-8")
    _write(folder / "other-evaluation.toml", evaluation.replace("kendall", "ulam"))
    flat = [line.split("\t") for line in sorted(scores, key=lambda line: line.split("\t")[0])]
    ordered = sorted(flat, key=lambda row: (row[0], int(row[1])))
    _write(folder / "me/human-scores/de-en.one.seg.score", *(f"{a}\t{c}" for a, _, c in ordered))
    _write(folder / "me/human-scores/de-en.two.seg.score", *(f"{a}\t-{c}" for a, _, c in ordered))
    _write(folder / "one.seg.score", *(f"{a}\t{c}" for a, _, c in ordered))
    metric = [f"{a}\t{b}\t{(int(b) * 5 + len(a) * 3) % 13}" for a, b, _ in flat]
    _write(folder / "metric.tsv", *metric)
    for name, fall in (("rungs.tsv", 3), ("metric.rungs.tsv", 5)):
        rungs = [("reference", k, 9) for k in range(1, 31)]
        rungs += [("swap", k, 9 - k % fall) for k in range(1, 31)]
        _write(folder / name, *("\t".join(map(str, row)) for row in rungs))
    _write(folder / "metric2.tsv", *(line + "1" for line in metric))
    ranks = _lines(folder / "rankings.csv")
    second = [
        re.sub(r"^German,English", "Czech,English", line).replace(",local.en,", ",LOCAL,", 1)
        for line in ranks[1:30]
    ]
    _write(
        folder / "two-pairs.csv", *ranks[:31], *(line.replace("LOCAL", "local.en") for line in second)
    )  # fmt: skip


def _published(folder: Path) -> None:
    """Write data with the layout of a published table's, about the systems of the sample."""
    for name, shift in (("published", 0), ("published-other", 1)):
        place = folder / name / "wmt13-de-en"
        pairs = [
            f"{segment}\t{SYSTEMS[(segment + shift) % 4]}\t{SYSTEMS[(segment * 3 + shift + 1) % 4]}"
            for segment in range(1, 49)
            if segment % 2 == 0
        ]
        _write(place / "pairs.tsv", "seg\tbetter\tworse", *pairs)
        for text, given in (("ref.en", "reference.en"), ("src.de", "source.de")):
            _write(place / text, *_lines(folder / given))
        for system in SYSTEMS:
            _write(place / "sys" / f"{system}.txt", *_lines(folder / f"{system}.en"))


def _outputs(folder: Path) -> None:
    # Of these outputs, one has the verb of the reference, which an English stemmer alone can see.
    _write(folder / "walk.ref.en", "she walks home", "he walks on")
    _write(folder / "walk" / "a.en", "she walked home", "he walked on")
    _write(folder / "walk" / "b.en", "she ran home", "he ran on")
    _write(
        folder / "walk.tsv", "seg\tbetter\tworse", "1\ta.en\tb.en", "2\tb.en\ta.en", "1\ta.en\tb.en"
    )
    for name in SYSTEMS:
        target = folder / "outputs" / f"{name}.en"
        target.parent.mkdir(exist_ok=True)
        shutil.copy(folder / f"{name}.en", target)
    shutil.copytree(folder / "outputs", folder / "fewer-outputs")
    (folder / "fewer-outputs" / "verb.en").unlink()
    other = folder / "other-outputs"
    shutil.copytree(folder / "outputs", other)
    shutil.copy(folder / "verb.en", other / "local.en")


def _projects(folder: Path) -> None:
    """Write projects of links to annotate: one as it was created, and one that A and B are done with."""
    _write(folder / "links.en", "I read books", "She sleeps here", "we sing")
    _write(folder / "links.ja", "私 は 本 を 読む", "彼女 は ここ で 寝る", "私たち は 歌う")
    _write(folder / "links.short", "本 を 私 が 読む")
    _write(folder / "one.links", "0-0 0-1 2-2 2-3 1-4", "0-0 2-2", "0-0")
    _write(folder / "two.links", "0-0 2-2 1p4", "0-0 0-1 2-2 1-4", "0-2")
    _write(folder / "two.plain", "0-0 2-2 1-4", "0-0 0-1 2-2 1-4", "")
    project = str(folder / "project")
    with redirect_stdout(io.StringIO()):
        create = ["annotate", "create", project, "-s", str(folder / "links.en"), "-q", "-t",
                  str(folder / "links.ja"), "--annotators", "A,B", "--source-language", "en"]  # fmt: skip
        assert run(create) == 0
    shutil.copytree(project, folder / "project-done")
    for name, links in (("A", "one.links"), ("B", "two.plain")):
        given = ["--links", str(folder / links), "--link-format", "pharaoh", "--done", "-q"]
        done = ["annotate", "import", str(folder / "project-done"), "--annotator", name]
        assert run([*done, *given]) == 0
    shutil.copytree(folder / "project-done", folder / "project-decided")
    given = ["--links", str(folder / "two.links"), "--link-format", "sure-possible", "-q", "--done"]
    assert (
        run(["annotate", "import", str(folder / "project-decided"), "--adjudicated", *given]) == 0
    )
    begun = ["--links", str(folder / "one.links"), "--replace", "-q", "--link-format", "pharaoh"]
    assert (
        run(["annotate", "import", str(folder / "project-decided"), "--annotator", "A", *begun])
        == 0
    )
    shutil.copy(folder / "project-decided" / "annotations.db", folder / "annotations.db")


def _studies(folder: Path) -> None:
    example(folder / "study")
    (folder / "password").write_text(PASSWORD + "\n", encoding="utf-8")
    shutil.copytree(folder / "study", folder / "study-new")
    for name in ("items.jsonl", "keys.json", "questionnaires.jsonl"):
        (folder / "study-new" / name).unlink()
    shutil.copytree(folder / "study-new", folder / "study-small")
    small = folder / "study-small" / "study.toml"
    text = small.read_text(encoding="utf-8")
    small.write_text(text.replace("sentences = 24", "sentences = 1"), encoding="utf-8")
    rows = [
        f"{person},{1 + place},{position},{1 + (position + place) % 5},{1 + position % 4}"
        for place, person in enumerate(("anna", "otto", "lena", "emil"))
        for position in range(1, 16)
    ]
    _write(folder / "typed.csv", "participant,questionnaire,position,holistic,order", *rows)
    columns = ["participant", "first_language_english", "years_fluent"]
    columns += [
        f"languages_{k}_{part}"
        for k in range(1, 6)
        for part in ("name", "fluency", "qualifications")
    ]
    columns += [
        "gender",
        "nationality",
        "education",
        "disability",
        "disability_text",
        "grammar_attention",
        "age",
    ]
    people = [["anna", "yes", *[""] * 16, "female", *[""] * 5, "31"]]
    people.append(["otto", "yes", *[""] * 16, "male", *[""] * 5, "52"])
    _write(folder / "people.csv", ",".join(columns), *map(",".join, people))
    _write(folder / "effects.toml", 'schema = "kilter.effects/1"', "careless = 0.9")
    shutil.copytree(folder / "study", folder / "study-filled")
    assert run(["survey", "import", str(folder / "study-filled"), str(folder / "typed.csv"), "-q",
                "--participants", str(folder / "people.csv")]) == 0  # fmt: skip
    shutil.copy(folder / "study-filled" / "answers.db", folder / "answers.db")
    _write(folder / "wrong-people.csv", "participant,age", "nobody,31")
    shutil.copytree(folder / "study-filled", folder / "study-other")
    assert (
        run(["survey", "export", str(folder / "study-filled"), "-q", "-o", str(folder / "filled")])
        == 0
    )
    _write(folder / "code", _lines(folder / "filled" / "participants.csv")[1].partition(",")[0])
    assert run(["survey", "print", str(folder / "study"), "--questionnaire", "1", "-q", "-o",
                str(folder / "booklets")]) == 0  # fmt: skip
    _write(folder / "scans" / "blank.png")
    _write(folder / "typed2.csv", "participant,questionnaire,position,holistic,order",
           *(re.sub(r"^", "x", row) for row in rows))  # fmt: skip
    assert (
        run(["survey", "import", str(folder / "study-other"), str(folder / "typed2.csv"), "-q"])
        == 0
    )
    shutil.copy(folder / "study-other" / "answers.db", folder / "other.db")
    shutil.copy(folder / "answers.db", folder / "study" / "copy.db")
    shutil.copytree(folder / "study", folder / "grouped")
    with redirect_stdout(io.StringIO()):
        run(["survey", "links", str(folder / "grouped"), "--label", "1", "--group", "staff"])
    shutil.copy(folder / "grouped" / "answers.db", folder / "grouped.db")
    assert run(["survey", "simulate", str(folder / "study"), "--participants", "8", "-q", "-o",
                str(folder / "export")]) == 0  # fmt: skip
    _write(folder / "hypotheses.toml", "[[hypothesis]]", 'id = "H1"', 'claim = "kendall is as good as itself"',
           'question = "order"', 'better = ["kendall"]', 'than = ["kendall"]')  # fmt: skip
    items = _lines(folder / "export" / "items.csv")
    names = [line.split(",")[0] for line in items[1:]]
    _write(folder / "tool.csv", "sentence,tool,score",
           *(f"{name},tool,{k * 7 % 10 / 10}" for k, name in enumerate(names)))  # fmt: skip
