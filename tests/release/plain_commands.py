"""Command lines for an environment that holds the wheel alone: those that work, and those that want more.

They run in their order, in one folder with a copy of `examples/`; `> NAME` keeps standard output. Every command of
the program is among them.
"""

_TEXTS = "-r examples/reference.en examples/local.en"
_JUDGED = (
    "--judgments examples/rankings.csv -r examples/reference.en --systems examples/local.en "
    "--systems examples/verb.en --systems examples/phrase.en --systems examples/lexical.en -m kendall"
)
_TREES = "-r en-verb-final -R examples/references.txt examples/trees.conllu"
_STATED = "--no-png -m kendall --aligner match --parser conllu --resamples 20"

NBEST = "0 ||| a cat ||| lm= -3 ||| -5\n0 ||| cat a ||| lm= -4 ||| -6\n"
"""What list.nbest holds."""

PARTS = {"learn": slice(0, 40), "held": slice(40, None)}
"""Files with lines of those of the tutorial: sentences to learn from, and others to try on."""

WORK = (
    "demo",
    f"score {_TEXTS}",
    f"compare {_TEXTS} examples/verb.en",
    "explain 'the mat sat on the cat' 'the cat sat on the mat'",
    f"explain {_TEXTS} --worst 2 --format html > explained.html",
    f"report {_TEXTS} -o report.html",
    "permutation examples/orders.txt",
    "survey create --example study/ -q",
    "survey check study/",
    "survey account study/",
    "survey simulate study/ -o simulated/ --participants 8",
    f"survey analyse simulated/ -o report/ {_STATED}",
    f"align {_TEXTS} > local.links",
    "align --source examples/source.tok.de --target examples/reference.tok.en --aligner hmm > hmm.links",
    "parse examples/trees-reference.en --tokenize none --parser conllu:file=examples/trees-reference.conllu",
    "train parser examples/tutorial.conllu -o own.model",
    "parse learn.en --parser perceptron:model=own.model --tokenize none > learned.conllu",
    f"validate {_TEXTS}",
    "perturb examples/moved.reference.conllu -t phrase -d 4",
    "reorder make -s learn.en -t learn.ja -a learn.links --format jsonl > references.jsonl",
    "reorder make -s held.en -t held.ja -a held.links --format jsonl > held.jsonl",
    "reorder lint -s examples/tutorial.en -t examples/tutorial.ja -a examples/tutorial.links --severity source-unaligned=warning",
    "reorder score references.jsonl learn.en",
    "reorder statistics -s learn.en -t learn.ja -a learn.links",
    "preorder rules",
    "preorder apply -r en-verb-final examples/trees.conllu > reordered.txt",
    f"preorder evaluate {_TREES}",
    f"preorder analyse {_TREES}",
    f"preorder explain --segment 4 {_TREES}",
    f"preorder select {_TREES} examples/parsed.conllu",
    "preorder search -R references.jsonl --held-out 0 --folds 0 --passes 1 -o found.toml learned.conllu",
    (
        "preorder selftrain examples/tutorial.conllu -r found.toml -R references.jsonl --held-out-reference held.jsonl "
        "--rounds 1 --nbest 5 --passes 2 --voters 1 -o run/"
    ),
    "preorder ratings examples/preorder-ratings.csv",
    f"meta {_JUDGED}",
    "meta sensitivity examples/perturbed.tsv -m pef --resamples 20",
    "spans convert examples/marked.jsonl --annotator ann --to mqm",
    "spans check examples/marked.jsonl",
    "spans score examples/marked.jsonl --resamples 20",
    f"check {_TEXTS} --min order=0.5",
    "check metric -r examples/reference.en bleu --resamples 20",
    "latency -s examples/tutorial.en -a examples/tutorial.links examples/tutorial.ja",
    "variation -s examples/tutorial.en -a examples/tutorial.links examples/tutorial.ja",
    "reorder profile examples/tutorial.conllu --resamples 20",
    f"tune {_JUDGED} -o empty",
    "published list",
    "published th-5.1",
    "metrics pef",
    f"align {_TEXTS} --aligner match:stages=exact+learned --cache kept",
    "cache kept",
    "rerank list.nbest -w lm",
    "completion bash",
    "--version --verbose",
)
"""What works, each with exit code 0."""

_ANY = "examples/orders.txt"

WANT = {
    "arrow": (
        f"score {_TEXTS} --format parquet",
        "permutation examples/orders.parquet",
        f"score {_TEXTS} --segments scores.parquet",
        "survey simulate study/ -o wide/ --format parquet",
    ),
    "parse": (
        "parse examples/reference.en",
        "parse examples/reference.en --parser perceptron",
        f"align {_TEXTS} --aligner embedding",
        f"score {_TEXTS} -m derp",
        f"score {_TEXTS} -l en",
        "survey analyse simulated/ -o other/ --no-png",
    ),
    "zstd": (f"score {_TEXTS} --segments scores.tsv.zst",),
    "udpipe": ("parse examples/reference.en --parser udpipe:file=any.udpipe",),
    "spacy": ("parse examples/reference.en --parser spacy",),
    "stanza": ("parse examples/reference.en --parser stanza",),
    "moses": (f"score {_TEXTS} --tokenize moses:en",),
    "ja": (f"score {_TEXTS} --tokenize ja-mecab",),
    "ko": (f"score {_TEXTS} --tokenize ko-mecab",),
    "figures": (
        "survey analyse simulated/ -o other/",
        f"meta {_JUDGED} --measure segment_tau --plot agreement.png",
    ),
    "ray": ("permutation examples/orders.txt --engine ray",),
    "paper": ("survey print study/ -o paper/",),
    "survey": (
        "survey serve study/",
        "survey links study/",
        "survey status study/",
        "survey export study/ -o export/",
        f"survey import study/ {_ANY}",
        f"survey scan study/ {_ANY} --forms study/",
        "survey erase study/ TOKEN",
        "survey password study/",
        "survey analyse --study study/ -o other/ --no-png",
        "annotate create project/ -s examples/source.tok.de",
        "annotate serve project/",
        "annotate links project/",
        "annotate status project/",
        "annotate agreement project/",
        "annotate export project/ --agreed -o exported/",
        "annotate import project/ --adjudicated",
    ),
}
"""What ends with exit code 4 and the line that installs this extra, and leaves nothing behind."""

IN_PYTHON = {"pandas": "kilter.permutation_scores([[1, 0]]).to_pandas()"}
"""Extras that no command wants, and what wants them."""

TOGETHER = {"all"}
"""Extras that are made of others."""
