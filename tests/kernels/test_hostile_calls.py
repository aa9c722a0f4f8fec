"""No call of the compiled core crashes it: it answers, or says what is wrong."""

from __future__ import annotations

import re
import signal
import threading
from itertools import starmap
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from kilter import _core
from tests.kernels import hostile
from tests.kernels.hostile import Call, ints, longs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GOOD = {call.name: call for call in hostile.good_calls()}
HOSTILE: dict[str, list[Call]] = {name: [] for name in GOOD}
for hostile_call in hostile.hostile_calls():
    HOSTILE[hostile_call.name].append(hostile_call)


def test_everything_in_the_core_is_called_with_hostile_arguments() -> None:
    functions = {name for name, value in hostile.public().items() if not isinstance(value, type)}
    classes = {name: value for name, value in hostile.public().items() if isinstance(value, type)}
    assert functions == set(hostile.FUNCTIONS)
    assert set(classes) == set(hostile.CLASSES)
    for name, kind in classes.items():
        assert set(hostile.methods(kind)) == set(hostile.CLASSES[name][1])


def test_there_are_many_hostile_calls() -> None:
    assert sum(map(len, HOSTILE.values())) >= 300


@pytest.mark.parametrize("name", GOOD)
def test_every_binding_names_its_arguments_and_says_what_it_returns(name: str) -> None:
    owner, _, method = name.partition(".")
    bound = hostile.public()[owner]
    if method:
        bound = getattr(bound, method)
    if isinstance(bound, type):
        assert bound.__doc__
        bound = vars(bound)["__init__"]
    ((signature, docstring, *_),) = bound.__nb_signature__
    named = re.findall(r"(\w+): ", signature.rpartition(" -> ")[0])
    assert sorted(named) == sorted(GOOD[name].arguments)
    assert docstring or bound.__name__ == "__init__"


@pytest.mark.parametrize("name", GOOD)
def test_the_good_call_is_answered(name: str) -> None:
    call = GOOD[name]
    call.function(**call.arguments)


@pytest.mark.parametrize("name", [name for name, calls in HOSTILE.items() if calls])
def test_hostile_calls_are_refused_or_answered(name: str) -> None:
    wrong = [fault for call in HOSTILE[name] if (fault := _fault(call)) is not None]
    assert not wrong, "\n".join(wrong)


def _fault(call: Call) -> str | None:
    """Return what is wrong with how a call ends, or None."""
    try:
        answer = call.function(**call.arguments)
    except Exception as error:  # noqa: BLE001 - any kind is looked at
        wanted = (TypeError, ValueError) if call.error is None else call.error
        return None if isinstance(error, wanted) else f"{call}: {type(error).__name__}: {error}"
    if call.error is not None:
        return f"{call}: answered, not a {call.error.__name__}"
    # What was read beside an array differs from call to call.
    again = call.function(**call.arguments)
    return None if _same(answer, again) else f"{call}: two answers to one question"


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(starmap(_same, zip(one, other, strict=True)))
    return one == other or type(one).__module__.endswith("_core")


def test_offsets_that_fall_are_refused_before_anything_is_read() -> None:
    values, offsets = ints(0, 1, 2), longs(0, 2_000_000_000, 3)
    with pytest.raises(ValueError, match="offsets fall from 2000000000 to 3 at entry 2"):
        _core.find_fault(values, offsets)


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_first_segment_that_is_no_permutation_is_named(jobs: int) -> None:
    lengths = np.random.default_rng(1).integers(0, 90, 2000)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    values = np.concatenate([np.arange(n, dtype=np.int32) for n in lengths])
    bad = [1500, 1999]
    for segment in bad:
        values[offsets[segment]] = lengths[segment]
    for function in (_core.score, _core.score_trees):
        with pytest.raises(ValueError, match=r"segment 1500 is no permutation: .* out of range"):
            function(values, offsets, 0.6, 0.0, False, 0.0, jobs)  # noqa: FBT003
    values[offsets[bad[0]]] = 1
    with pytest.raises(ValueError, match="1 at index 1 stands already at index 0"):
        _core.score_kendall(values, offsets, 0.0, jobs)


def test_links_out_of_order_change_no_edit_distance_in_silence() -> None:
    good = GOOD["edit_distances"].arguments
    for rows in ([(1, 0), (0, 1), (0, 0)], [(0, 1), (0, 1), (0, 0)]):
        with pytest.raises(ValueError, match="links are sorted, each once"):
            _core.edit_distances(**{**good, "links": hostile.links(*rows)})


def test_operator_scores_lie_between_0_and_1() -> None:
    for score in (-1.0, 1.5):
        with pytest.raises(ValueError, match=r"operator_scores\[0\] is"):
            _core.score_with_operators(ints(1, 0), np.array([score, 0, 0]), 0.6, False)  # noqa: FBT003


def _in_threads(*works: Callable[[], object]) -> None:
    """Run works at the same time, and raise what one of them raised."""
    failures: list[BaseException] = []

    def run(work: Callable[[], object]) -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - told below
            failures.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_threads_may_share_a_reader() -> None:
    reader = _core.PermutationReader(pairs=False, zero_based=False)
    line, times = b"3 1 2\n", 2000
    taken: list[int] = []

    def feed() -> None:
        for _ in range(20):
            reader.feed(line * times)

    def take() -> None:
        for _ in range(50):
            values, offsets, lines = reader.take()
            assert len(offsets) == len(lines) + 1
            assert offsets[-1] == len(values) == 3 * len(lines)
            assert reader.problems() == []
            taken.append(len(lines))

    _in_threads(feed, feed, take)
    reader.finish()
    assert sum(taken) + len(reader.take()[2]) == 2 * 20 * times == reader.lines_read


def test_threads_may_share_a_trainer() -> None:
    random = np.random.default_rng(3)
    ids = random.integers(0, 30, 2000).astype(np.int32)
    offsets = np.arange(0, 2001, 20)

    def trainer() -> _core.EmTrainer:
        return _core.EmTrainer(ids, offsets, ids[::-1].copy(), offsets, 30, 30, 5, 10**6, 2)

    shared, alone = trainer(), trainer()
    expected = [alone.model1() for _ in range(6)]
    found: list[list[float]] = []

    def train() -> None:
        for _ in range(3):
            found.append(shared.model1())
            assert len(shared.table(0)[1]) == len(alone.table(0)[1])
            assert len(shared.jumps(1)) == 11

    _in_threads(train, train)
    assert sorted(map(tuple, found)) == sorted(map(tuple, expected))


def test_threads_may_share_perceptron_trainers() -> None:
    tagger = _core.TaggerTrainer(8, 3)
    parser = _core.ParserTrainer(8, 8, 3)
    tagging = hostile.CLASSES["TaggerTrainer"][1]["learn"]
    parsing = hostile.CLASSES["ParserTrainer"][1]["learn"]

    def learn() -> None:
        for _ in range(50):
            tagger.learn(**tagging)
            parser.learn(**parsing)
            assert np.isfinite(tagger.means()).all()
            assert np.isfinite(parser.means()[1]).all()

    _in_threads(learn, learn)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_array_that_changes_meanwhile_is_refused_or_scored(jobs: int) -> None:
    segments, length = 4000, 25
    good = np.tile(np.arange(length, dtype=np.int32), segments)
    values = good.copy()
    offsets = np.arange(0, good.size + 1, length)
    over = threading.Event()

    def change() -> None:
        random = np.random.default_rng(jobs)
        while not over.is_set():
            values[random.integers(0, values.size, 100)] = 2**31 - 1
            offsets[random.integers(1, segments, 10)] = -5
            values[:], offsets[:] = good, np.arange(0, good.size + 1, length)

    def score() -> None:
        try:
            for _ in range(60):
                try:
                    scores = _core.score(values, offsets, 0.6, 0.0, False, 0.0, jobs)[0]  # noqa: FBT003
                except ValueError as error:
                    assert re.search("permutation|offsets", str(error))  # noqa: PT017
                else:
                    assert ((scores >= 0) & (scores <= 1)).all()
        finally:
            over.set()

    _in_threads(score, change)


class Heard(Exception):  # noqa: N818 - what a handler of signals raises
    """A signal was heard."""


@pytest.fixture
def alarm() -> Iterator[None]:
    """Send a signal soon, whose handler raises `Heard`."""

    def handler(*_: object) -> None:
        raise Heard

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.03)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def _score(jobs: int) -> tuple[Any, ...]:
    values = np.random.default_rng(1).permuted(
        np.tile(np.arange(60, dtype=np.int32), (30_000, 1)), axis=1
    )
    flat = np.ascontiguousarray(np.tile(values.ravel(), 30))
    return (
        _core.score,
        (flat, np.arange(0, flat.size + 1, 60), 0.6, 0.0, False, 0.0, jobs),
    )


def _chains(size: int) -> dict[str, Any]:
    heads = np.arange(-1, size - 1, dtype=np.int32)
    combs = np.where(np.arange(size) % 2 == 0, np.arange(size) - 2, np.arange(size) - 1)
    combs[0] = -1
    return {
        "one": heads,
        "other": combs.astype(np.int32),
        "offsets": longs(0, size),
        "pair": longs(0),
        "links": np.stack([np.arange(size, dtype=np.int32)] * 2, axis=1),
    }


def _edits(_: int) -> tuple[Any, ...]:
    case = _chains(5000)
    sides = case["one"], case["offsets"], case["other"], case["offsets"]
    return (
        _core.edit_distances,
        (*sides, case["pair"], case["pair"], case["pair"], case["links"], case["offsets"], 1),
    )


def _paths(_: int) -> tuple[Any, ...]:
    case = _chains(5000)
    labels = np.arange(5000, dtype=np.int32) % 7
    sides = case["one"], labels, case["offsets"], case["other"], labels, case["offsets"]
    pairs = case["pair"], case["pair"], case["pair"]
    return (
        _core.path_disparities,
        (*sides, *pairs, case["links"], case["offsets"], True, 1),
    )


def _matches(_: int) -> tuple[Any, ...]:
    words = np.tile(np.arange(3, dtype=np.int32), 40)
    other = np.random.default_rng(2).permutation(words)
    segments = 2000
    offsets = np.arange(segments + 1) * len(words)
    sides = np.tile(words, segments), offsets, np.tile(other, segments), offsets
    empty = np.zeros((0, 2), dtype=np.int32), np.zeros(segments + 1, dtype=np.int64)
    keys = np.zeros(0, dtype=np.int64), np.arange(3, dtype=np.int32)
    return _core.match, (*sides, *empty, *keys, False, 1 << 24, 256, 1)


def _ngrams(_: int) -> tuple[Any, ...]:
    words = np.random.default_rng(2).integers(0, 5000, 5_000_000).astype(np.int32)
    hypothesis = words[:2_000_000].copy()
    sides = hypothesis, longs(0, len(hypothesis)), [words], [longs(0, len(words))]
    return _core.count_ngrams, (*sides, 1)


def _letters(_: int) -> tuple[Any, ...]:
    letters = np.random.default_rng(2).integers(97, 123, 2_000_000).astype(np.int32)
    offsets = longs(0, len(letters))
    return _core.count_common_ngrams, (letters, offsets, letters, offsets, 6, 1)


def _resamples(jobs: int) -> tuple[Any, ...]:
    return _core.resampled_counts, (2_000_000, 0, 2000, 1, _core.Stream.INDICES, 0, 4000, jobs)


def _wide_node(_: int) -> tuple[Any, ...]:
    values = np.arange(1_000_000, dtype=np.int32).reshape(-1, 2)[:, ::-1].reshape(-1).copy()
    return _core.score, (values, longs(0, len(values)), 0.6, 0.0, False, 0.0, 1)


def _flips(_: int) -> tuple[Any, ...]:
    return _core.count_sign_flips, (np.random.default_rng(4).random(30),)


def _correlations(_: int) -> tuple[Any, ...]:
    ranks = np.random.default_rng(5).permutation(200_000).astype(np.int32)
    return _core.resampled_spearman, (
        ranks,
        ranks,
        np.arange(200_000, dtype=np.int32),
        200_000,
        1,
        3000,
        1,
    )


def _network(_: int) -> tuple[Any, ...]:
    network = _core.ParserNetwork(**hostile.network_arguments())
    text = hostile.NETWORK_TEXT
    ids = np.random.default_rng(6).integers(0, 3, 400_000).astype(np.int32)
    return network.parse, (text["words"], text["pieces"], ids, longs(0, len(ids)))


LONG_WORK = [
    (_score, 1),
    (_score, 2),
    (_edits, 1),
    (_paths, 1),
    (_matches, 1),
    (_ngrams, 1),
    (_letters, 1),
    (_resamples, 1),
    (_resamples, 2),
    (_wide_node, 1),
    (_flips, 1),
    (_correlations, 1),
    (_network, 1),
]


def _stopped(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    """Return whether a call ended before its end; a signal that waits comes after it.

    No byte of Python runs between the end of the call and `extend`, so that an answer would be there.
    """
    answers: list[Any] = []
    with pytest.raises(Heard):
        answers.extend(starmap(function, [arguments]))
    return not answers


@pytest.mark.parametrize(("work", "jobs"), LONG_WORK)
def test_a_signal_stops_long_work(
    work: Callable[[int], tuple[Any, ...]], jobs: int, request: pytest.FixtureRequest
) -> None:
    function, arguments = work(jobs)
    request.getfixturevalue("alarm")
    assert _stopped(function, arguments)


def test_a_trainer_that_was_interrupted_trains_no_more(request: pytest.FixtureRequest) -> None:
    random = np.random.default_rng(6)
    ids = random.integers(0, 500, 100_000).astype(np.int32)
    offsets = np.arange(0, ids.size + 1, 100)
    trainer = _core.EmTrainer(ids, offsets, ids[::-1].copy(), offsets, 500, 500, 5, 10**8, 1)
    request.getfixturevalue("alarm")
    assert _stopped(trainer.hmm, (0.2, 0.1, True))
    with pytest.raises(ValueError, match="an earlier call was interrupted"):
        trainer.model1()
