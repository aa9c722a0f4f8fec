"""Threads and processes: whoever calls, and however many at once, gets what one caller gets."""

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier, Event, Lock
from time import sleep
from typing import Any

import numpy as np
import pytest

import kilter
from kilter.aligners.em_model import load
from kilter.aligners.registry import aligner
from kilter.aligners.word_key import WordKeys, WordKeySets, word_keys
from kilter.core.corpus import Vocabulary
from kilter.core.once import ProcessLock, loaded_once
from kilter.core.permutation_batch import PermutationBatch
from kilter.core.registry import Registry
from kilter.io import tokenizer as sacrebleu
from kilter.io.output import write_file
from kilter.parsers.external import ExternalParser, ParsedWord
from kilter.parsers.registry import PARSERS
from tests.public_calls import CALLS, lines, public_names
from tests.thorough import some, tried

THREADS = tried(8, quick=4)
MODELS = {
    "score": "match",
    "score with trees": "perceptron",
    "score by the model": "encoder",
}


@pytest.fixture(autouse=True)
def _switching() -> Iterator[None]:
    """Let threads take turns as often as they can, so that what is not safe shows."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def together(work: Any, *, times: int = 1) -> list[Any]:
    """Return what some threads get that all begin at the same moment, each several times."""
    start = Barrier(THREADS)

    def one(number: int) -> list[Any]:
        start.wait()
        return [work(number) for _ in range(times)]

    with ThreadPoolExecutor(THREADS) as pool:
        return [each for found in pool.map(one, range(THREADS)) for each in found]


def run(name: str) -> Any:
    return CALLS[name].run()


def test_every_public_function_is_called_below() -> None:
    assert public_names() <= set(CALLS)


@pytest.mark.parametrize("name", some(CALLS, quick=[*CALLS][::6]))
def test_every_public_function_gives_threads_what_it_gives_one(name: str) -> None:
    alone = run(name)
    for found in together(lambda _: run(name)):
        assert found == alone


def inflected(ending: str, *, first: int) -> list[str]:
    """Return sentences of words that only their stems match with those of another ending."""
    stems = [
        f"{start}{middle}" for start in ("walk", "jump", "plant", "bark") for middle in "drstklp"
    ]
    return [
        " ".join(f"{stem}{'bdfgkmnprt'[(first + line) % 10]}{ending}" for stem in stems[line % 3 :])
        for line in range(20)
    ]


def test_scores_of_different_texts_do_not_mix_in_threads() -> None:
    def scored(number: int) -> Any:
        result = kilter.score(
            inflected("ing", first=number), inflected("ed", first=number), metrics=["f1", "meteor"]
        )
        return result.segment_arrays["meteor", "system"].tolist()

    alone = [scored(number) for number in range(THREADS)]
    assert min(map(min, alone)) > 0  # stems match
    times = tried(5, quick=2)
    found = together(scored, times=times)
    assert found == [each for one in alone for each in [one] * times]


@pytest.mark.parametrize("name", some(MODELS, quick=["score with trees"]))
def test_the_first_calls_of_a_process_may_come_at_once(name: str) -> None:
    """Nothing is loaded yet: imports, registries, models and tables are found by several threads."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        first, *others = pool.apply(_at_once, (name,))
    assert all(found == first for found in others)
    assert first == run(name)


def _at_once(name: str) -> list[Any]:
    return together(lambda _: run(name))


@pytest.mark.parametrize("method", some(["fork", "spawn", "forkserver"], quick=["fork"]))
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_processes_give_what_their_parent_gives(method: str) -> None:
    # Threads call others of them in `make test`, above.
    names = [name for name in CALLS if name not in ("meta", "tune")][
        tried(0, quick=1) :: tried(1, quick=3)
    ]
    alone = {name: run(name) for name in names}  # models are loaded before the fork
    with multiprocessing.get_context(method).Pool(2) as pool:
        for name, found in zip(names, pool.map(run, names), strict=True):
            assert found == alone[name], name


def test_words_of_a_vocabulary_are_listed_once_whoever_asks() -> None:
    for _ in range(20):
        vocabulary = Vocabulary()
        numbers = [vocabulary.number(f"w{k}") for k in range(2000)]
        for found in together(lambda _, words=vocabulary: list(words.words)):
            assert found == [f"w{k}" for k in range(2000)]
        assert len(vocabulary.words) == len(numbers)


@dataclass(frozen=True)
class Key:
    """A key that takes its time to be looked up."""

    form: str
    place: int


def test_two_keys_never_get_the_same_number() -> None:
    vocabulary = Vocabulary()
    numbers = np.array([vocabulary.number(f"w{k}") for k in range(4000)], dtype=np.int32)
    keys = WordKeySets(str, lambda form: [Key(form, place) for place in range(20)])
    together(lambda number: keys.of(np.roll(numbers, 500 * number), vocabulary))
    _, found = keys.of(numbers, vocabulary)
    assert len(set(found.tolist())) == 20 * len(numbers)


def test_the_keys_of_a_vocabulary_are_made_once() -> None:
    vocabulary = Vocabulary()
    found = together(lambda _: word_keys(vocabulary, "kind", lambda: WordKeys(str)))
    assert len({id(keys) for keys in found}) == 1


def test_links_of_one_vocabulary_do_not_depend_on_who_else_aligns() -> None:
    texts = [[line.split() for line in lines(name, count=24)] for name in ("local", "reference")]

    def columns() -> tuple[Vocabulary, Any, Any]:
        words = Vocabulary()
        return words, words.column(texts[0]), words.column(texts[1])

    words, first, second = columns()
    alone = aligner("match").align(first, second, words).links.tolist()
    shared, one, other = columns()
    for found in together(lambda _: aligner("match").align(one, other, shared).links.tolist()):
        assert found == alone


def test_counts_of_a_batch_can_be_asked_for_while_scores_are_computed() -> None:
    values, offsets = np.array([1, 0, 2], dtype=np.int32), np.array([0, 3])
    alone = PermutationBatch(values, offsets).counts["chunks"].tolist()
    for _ in range(5):
        batch = PermutationBatch(values, offsets)

        def work(number: int, batch: PermutationBatch = batch) -> Any:
            for step in range(500):
                if number < 4:
                    batch.scores(beta=(number * 500 + step) / 2000)
                found = batch.counts["chunks"].tolist()
            return found

        assert all(found == alone for found in together(work))


def test_what_is_loaded_once_is_loaded_once_by_all_threads() -> None:
    loaded = []

    @loaded_once(2)
    def load(name: str) -> str:
        loaded.append(name)
        sleep(0.01)  # as a model takes its time
        return name.upper()

    assert together(lambda _: load("a")) == ["A"] * THREADS
    assert loaded == ["a"]


class Crowd:
    """A room that counts who is in it at once."""

    def __init__(self) -> None:
        self._counting = Lock()
        self._inside = 0
        self.most = 0
        self.visits = 0

    @contextmanager
    def visited(self) -> Iterator[None]:
        """Stay for as long as others need to come in, if they may."""
        self._count(1)
        sleep(0.005)
        try:
            yield
        finally:
            self._count(-1)

    def _count(self, step: int) -> None:
        with self._counting:
            self._inside += step
            self.most = max(self.most, self._inside)
            self.visits += step > 0


EXTERNAL = [name for name in PARSERS.names() if issubclass(PARSERS.find(name), ExternalParser)]


def test_parsers_of_other_packages_are_entered_by_one_thread_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crowd = Crowd()

    def stand_in(_: object, segments: Sequence[Sequence[str]]) -> Iterator[list[ParsedWord]]:
        for words in segments:
            with crowd.visited():
                yield [ParsedWord(place - 1, word, "X", "Y") for place, word in enumerate(words)]

    for name in EXTERNAL:
        monkeypatch.setattr(PARSERS.find(name), "_parsed", stand_in)

    def work(number: int) -> tuple[list[int], list[str]]:
        parser, vocabulary = PARSERS.find(EXTERNAL[number % len(EXTERNAL)])(), Vocabulary()
        words = vocabulary.column([[f"{number}a", f"{number}b"], [], [f"{number}c"]])
        trees = parser.parse(words, vocabulary).trees
        return trees.heads.tolist(), [vocabulary.words[label] for label in trees.labels.tolist()]

    found = together(work, times=2)
    expected = [
        ([-1, 0, -1], [f"{number}{letter}" for letter in "abc"]) for number in range(THREADS)
    ]
    assert found == [each for each in expected for _ in range(2)]
    assert (crowd.most, crowd.visits) == (1, 4 * THREADS)


def test_sacrebleu_is_imported_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = Crowd()

    def stand_in(name: str) -> tuple[str, str | None]:
        with crowd.visited():
            return name, tempfile.tempdir

    def nowhere() -> str:
        if tempfile.tempdir is None:
            raise FileNotFoundError
        return tempfile.tempdir

    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "gettempdir", nowhere)
    monkeypatch.setattr(sacrebleu, "import_module", stand_in)
    found = together(lambda number: sacrebleu.sacrebleu_module(f"m{number}"))
    assert found == [(f"m{number}", "/") for number in range(THREADS)]
    assert (crowd.most, crowd.visits) == (1, THREADS)
    assert tempfile.tempdir is None


def _free(lock: ProcessLock, answers: Any) -> None:
    with lock:
        answers.put("free")


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_does_not_wait_for_a_lock_of_its_parent() -> None:
    lock, context = ProcessLock(), multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lock.__enter__).result()  # a thread that does not exist in the child
        child = context.Process(target=_free, args=(lock, answers))
        child.start()
        child.join(60)
        waiting = child.is_alive()
        if waiting:
            child.kill()
        pool.submit(lock.__exit__, None, None, None).result()
    assert not waiting
    assert answers.get() == "free"


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_computes_what_a_thread_of_its_parent_computes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python 3.11 locks every cached property while it is computed, for all objects of a class."""
    computing, over = Event(), Event()

    def slow(_: object) -> dict[str, Any]:
        computing.set()
        over.wait()
        return {}

    context = multiprocessing.get_context("fork")
    child = context.Process(target=_registered)
    with ThreadPoolExecutor(1) as pool:
        with monkeypatch.context() as patch:
            patch.setattr(vars(Registry)["_registered"], "func", slow)
            pool.submit(lambda: Registry[Any]("nothing", "thing").names())
            computing.wait()
        child.start()
        child.join(10)
        waiting = child.is_alive()
        if waiting:
            child.kill()
        over.set()
    assert not waiting
    assert child.exitcode == 0


def _registered() -> None:
    assert not Registry[Any]("nothing", "thing").names()


FORKING = """
import multiprocessing, threading
import numpy as np
from kilter.stats.resampling import bootstrap_sums

statistics, over = np.random.default_rng(1).integers(0, 9, (1, 3000, 20)) / 8.0, threading.Event()

def work():
    while not over.is_set():
        bootstrap_sums(statistics)

threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
codes = []
while len(codes) < 10 and None not in codes:
    child = multiprocessing.get_context("fork").Process(target=bootstrap_sums, args=(statistics,))
    child.start()
    child.join(30)
    codes.append(child.exitcode)
    child.kill()
over.set()
print(codes)
"""


def test_a_child_that_is_forked_while_threads_resample_can_resample() -> None:
    """OpenBLAS, by which numpy multiplies matrices in threads, has locks that stay closed in a child."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKING],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "2"},
        timeout=120,  # the parent may wait for ever, too
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == (f"{[0] * 10}\n", "")


def test_a_model_that_several_threads_write_at_once_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "model"
    texts = [[line.split() for line in lines(name)] for name in ("local", "reference")]

    def work(_: int) -> Any:
        words = Vocabulary()
        made = aligner(f"ibm1:model={path}")
        return made.align(words.column(texts[0]), words.column(texts[1]), words).links.tolist()

    found = together(work)
    assert all(each == found[0] for each in found)
    assert load(str(path)).kind == "ibm1"
    assert [each.name for each in tmp_path.iterdir()] == ["model"]


def test_a_file_that_several_threads_write_at_once_is_one_of_theirs(tmp_path: Path) -> None:
    path = tmp_path / "file"

    def work(number: int) -> None:
        for _ in range(100):
            write_file(path, str(number) * 1000)
            assert path.stat().st_size == 1000

    together(work)
    assert len({*path.read_text(encoding="ascii")}) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
