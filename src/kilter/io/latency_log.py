"""When each word of a translation was said: logs of SimulEval, OmniSTEval and simulstream, and plain numbers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.corpus import row_offsets
from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.settings import checked
from kilter.io.stream import ByteSource, byte_source
from kilter.io.table import json_object
from kilter.io.text import read_text, text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

WORDS = "words"
"""The unit of delays that count source words."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DelayedText:
    """A translation and when each of its words was said: after how many source words, or at what time.

    `delays` holds those of all segments one after another, None where nobody knows. `source_lengths` are in the
    same unit. `ends` says when the recording of a segment ends, where a log of recordings was cut into segments.
    """

    name: str
    words: tuple[tuple[str, ...], ...]
    delays: NDArray[np.float64] | None
    source_lengths: NDArray[np.float64]
    reference_lengths: NDArray[np.int64] | None = None
    ends: NDArray[np.float64] | None = None
    unit: str = WORDS
    sources: tuple[str, ...] | None = None
    """The source texts, where the log holds them."""
    offsets: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "offsets", row_offsets(np.array([*map(len, self.words)], np.int64))
        )
        if self.delays is not None and len(self.delays) != self.offsets[-1]:
            raise InputError(
                f"has {counted(len(self.delays), 'delay')} for {counted(int(self.offsets[-1]), 'word')}; every word "
                "needs one",
                where=self.name,
            )

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    @checked
    def of(
        cls,
        lines: object,
        source: object,
        *,
        delays: Iterable[Iterable[float]] | None = None,
        references: object = None,
        name: str = "system",
    ) -> DelayedText:
        """Return a text, words between blanks, with the number of source words read before each word.

        >>> DelayedText.of(["er hat gelesen"], ["he has read"], delays=[[1, 2, 3]]).delays.tolist()
        [1.0, 2.0, 3.0]
        """
        text, heard = (
            text_lines(each, where=called)
            for each, called in ((lines, "lines"), (source, "source"))
        )
        _check_count(len(heard), len(text), "source", name)
        rows = (
            None
            if delays is None
            else [_numbers(each, name, k) for k, each in enumerate(delays, 1)]
        )
        if rows is not None:
            _check_count(len(rows), len(text), "delays", name)
        words = [tuple(line.split()) for line in text]
        for number, (row, said) in enumerate(zip(rows or (), words, strict=False), 1):
            _check_delays(row, said, f"{name}:{number}")
        return cls(
            name=name,
            words=tuple(words),
            delays=None if rows is None else np.array([x for row in rows for x in row], np.float64),
            source_lengths=np.array([len(line.split()) for line in heard], np.float64),
            reference_lengths=None
            if references is None
            else _lengths(text_lines(references, where="references"), len(text), name),
            sources=heard,
        )


def holds_delays(path: str) -> bool:
    """Return whether a file is a log: JSON lines, not a text."""
    start = next(byte_source(path).chunks(again=True), b"").lstrip()
    return start.startswith(b"{")


@checked
def read_delays(
    source: ByteSource | str,
    *,
    elapsed: bool = False,
    references: Sequence[str] | None = None,
    audio: Sequence[Mapping[str, Any]] | None = None,
    name: str | None = None,
) -> DelayedText:
    """Return what a log of SimulEval, OmniSTEval or simulstream holds; its keys say whose it is.

    With `elapsed`, delays include the time of computing. simulstream logs recordings: they are cut into the
    segments that `audio` lists, with `references`, by the fewest word edits.
    """
    file = byte_source(source)
    entries = [
        (number, json_object(line, where=f"{file.name}:{number}"))
        for number, line in enumerate(read_text(file, held="a log"), 1)
        if line.strip()
    ]
    called = name or file.name
    keys = entries[0][1].keys() if entries else set()
    if "metadata" in keys or "total_audio_processed" in keys:
        return _recordings(file.name, entries, called, elapsed, references, audio)
    if "emission_cu" in keys:
        fields = ("emission_ca" if elapsed else "emission_cu", "reference")
    elif {"prediction", "delays", "source_length"} <= keys:
        fields = ("elapsed" if elapsed else "delays", "reference")
    else:
        raise InputError(
            "is no log of SimulEval, OmniSTEval or simulstream; a line needs prediction, delays and source_length",
            where=f"{file.name}:{entries[0][0] if entries else 1}",
        )
    return _instances(file.name, entries, called, fields, references)


def _instances(
    file: str,
    entries: Sequence[tuple[int, dict[str, Any]]],
    name: str,
    fields: tuple[str, str],
    references: Sequence[str] | None,
) -> DelayedText:
    words, delays, lengths, ends, texts, sources = [], [], [], [], [], []
    if references is not None:
        _check_count(len(references), len(entries), "reference", file)
    for place, (number, entry) in enumerate(entries):
        where = f"{file}:{number}"
        said = tuple(_text(entry, "prediction", where).split())
        row = _numbers(_value(entry, fields[0], where), file, number)
        _check_delays(row, said, where)
        words.append(said)
        delays.append(row)
        lengths.append(_number(_value(entry, "source_length", where), "source_length", where))
        end = entry.get("time_to_recording_end")
        ends.append(None if end is None else _number(end, "time_to_recording_end", where))
        texts.append(entry.get(fields[1]) if references is None else references[place])
        sources.append(entry.get("source"))
    known = [isinstance(each, str) for each in texts]
    if any(known) and not all(known):
        raise InputError(
            "has no reference, but other lines have one",
            where=f"{file}:{entries[known.index(False)][0]}",
        )
    is_text = all(
        isinstance(each, str) and len(each.split()) == length
        for each, length in zip(sources, lengths, strict=True)
    )
    return DelayedText(
        name=name,
        words=tuple(words),
        delays=np.array([x for row in delays for x in row], np.float64),
        source_lengths=np.array(lengths, np.float64),
        reference_lengths=_lengths([str(each) for each in texts], len(texts), file)
        if all(known)
        else None,
        ends=None if None in ends else np.array(ends, np.float64),
        unit=WORDS if is_text else "ms",
        sources=tuple(map(str, sources)) if is_text else None,
    )


def _recordings(
    file: str,
    entries: Sequence[tuple[int, dict[str, Any]]],
    name: str,
    elapsed: bool,  # noqa: FBT001 - as the caller has it
    references: Sequence[str] | None,
    audio: Sequence[Mapping[str, Any]] | None,
) -> DelayedText:
    if references is None or audio is None:
        raise OptionError(
            f"{file} is a log of simulstream, of whole recordings; give the references and the YAML file of their "
            "segments (--audio)"
        )
    _check_count(len(references), len(audio), "reference", "the list of segments")
    said = _final_words(file, entries, elapsed=elapsed)
    words: list[tuple[str, ...]] = []
    delays: list[float] = []
    for recording in dict.fromkeys(_stem(each["wav"]) for each in audio):
        rows = [k for k, each in enumerate(audio) if _stem(each["wav"]) == recording]
        if rows != [*range(rows[0], rows[-1] + 1)]:
            raise InputError(f"the segments of {recording} do not follow one another", where=file)
        if recording not in said:
            raise InputError(f"holds nothing of the recording {recording}", where=file)
        for segment, times in cut_recording(
            said[recording],
            [references[k] for k in rows],
            [float(audio[k]["offset"]) for k in rows],
        ):
            words.append(segment)
            delays += times
    return recorded_text(
        name, words, delays, references, [float(each["duration"]) for each in audio]
    )


def cut_recording(
    said: Sequence[tuple[str, float]], references: Sequence[str], starts: Sequence[float]
) -> Iterator[tuple[tuple[str, ...], list[float]]]:
    """Yield the words of each segment of a recording with their delays from where it starts. Section 19.3

    >>> [*cut_recording([("a", 1.0), ("b", 3.5)], ["a", "b"], [0.0, 2.0])]
    [(('a',), [1.0]), (('b',), [1.5])]
    """
    cuts = segment_words([word for word, _ in said], [each.split() for each in references])
    for start, begin, end in zip(starts, [0, *cuts], [*cuts, len(said)], strict=True):
        segment = said[begin:end]
        yield tuple(word for word, _ in segment), [time - start for _, time in segment]


def recorded_text(
    name: str,
    words: Sequence[tuple[str, ...]],
    delays: Sequence[float],
    references: Sequence[str],
    durations: Sequence[float],
) -> DelayedText:
    """Return segments of recordings, in seconds."""
    return DelayedText(
        name=name,
        words=tuple(words),
        delays=np.array(delays, np.float64),
        source_lengths=np.array(durations, np.float64),
        reference_lengths=_lengths(references, len(durations), name),
        ends=np.full(len(durations), np.inf),
        unit="s",
    )


def _final_words(
    file: str, entries: Sequence[tuple[int, dict[str, Any]]], *, elapsed: bool
) -> dict[str, list[tuple[str, float]]]:
    """Return the words that stand at the end of each recording, each with the time when it was last written."""
    names: dict[Any, str] = {}
    found: dict[str, list[tuple[str, float]]] = {}
    for number, entry in entries:
        where = f"{file}:{number}"
        key = str(_value(entry, "id", where))
        if "metadata" in entry:
            names[key] = _stem(str(_value(entry["metadata"], "wav_name", where)))
            found[names[key]] = []
            continue
        if key not in names:
            raise InputError(
                f"has the id {key}, but no line before it names its recording", where=where
            )
        words = found[names[key]]
        time = _number(
            _value(entry, "total_audio_processed", where), "total_audio_processed", where
        )
        if elapsed:
            time += _number(_value(entry, "computation_time", where), "computation_time", where)
        for token in reversed(_list(entry, "deleted_tokens", where)):
            if not words or words[-1][0] != token:
                raise InputError(
                    f"deletes {token!r}, which is not the last word so far", where=where
                )
            words.pop()
        for token in _list(entry, "generated_tokens", where):
            if not isinstance(token, str) or "\u2581" in token or len(token.split()) != 1:
                raise InputError(
                    f"holds the token {token!r}; only logs of whole words are read", where=where
                )
            words.append((token, time))
    return found


def segment_words(words: Sequence[str], references: Sequence[Sequence[str]]) -> list[int]:
    """Return where words are cut so that segments have the fewest word edits from their references. Section 19.3

    Of several ways the one that, from the end, leaves out a reference word before it adds one or exchanges both; words that
    no reference word is in the way of belong to the earlier segment. These are the cuts of mweralign, which
    simulstream uses, on all 17 recordings that were compared.

    >>> segment_words("a b c d e".split(), [["a", "b"], ["c", "x", "e"]])
    [2]
    """
    flat = [word for reference in references for word in reference]
    numbers = {word: k for k, word in enumerate(dict.fromkeys([*words, *flat]))}
    one, other = (np.array([numbers[word] for word in side], np.int64) for side in (words, flat))
    costs = np.empty((len(one) + 1, len(other) + 1), np.int64)
    steps = np.arange(len(other) + 1)
    costs[0] = steps
    for row, word in enumerate(one, 1):
        best = np.empty(len(other) + 1, np.int64)
        best[0] = row
        best[1:] = np.minimum(costs[row - 1, :-1] + (other != word), costs[row - 1, 1:] + 1)
        # A run of left-out reference words costs one each: the least of what is before, brought along.
        costs[row] = np.minimum.accumulate(best - steps) + steps
    borders = np.cumsum([len(reference) for reference in references])[:-1].tolist()
    row, column, cuts = len(one), len(other), []
    for border in reversed(borders):
        while column > border:
            if costs[row, column] == costs[row, column - 1] + 1:
                column -= 1
            elif row and costs[row, column] == costs[row - 1, column] + 1:
                row -= 1
            else:
                row, column = row - 1, column - 1
        cuts.append(row)
    return cuts[::-1]


_ENTRY = re.compile(r"""(\w+)\s*:\s*("[^"]*"|'[^']*'|[^,}\n]+)""")


@checked
def read_audio(source: ByteSource | str) -> list[dict[str, Any]]:
    """Return the segments of recordings: a YAML list of entries with wav, offset and duration."""
    file = byte_source(source)
    text = "\n".join(read_text(file, held="a list of segments"))
    parts = re.findall(r"\{([^}]*)\}", text) or re.split(r"(?m)^\s*-\s", text)[1:]
    found = []
    for number, part in enumerate(parts, 1):
        entry: dict[str, Any] = {
            key: value.strip().strip("\"'") for key, value in _ENTRY.findall(part)
        }
        where = f"{file.name}, segment {number}"
        for key in ("offset", "duration"):
            entry[key] = _number(_value(entry, key, where), key, where)
        _value(entry, "wav", where)
        found.append(entry)
    if not found:
        raise InputError("lists no segment; each needs wav, offset and duration", where=file.name)
    return found


def delay_lines(lines: Sequence[str], *, name: str, first: int = 1) -> Iterator[list[float]]:
    """Yield the numbers of each line, between blanks."""
    for number, line in enumerate(lines, first):
        yield _numbers(line.split(), name, number)


def _numbers(values: object, name: str, number: int) -> list[float]:
    where = f"{name}:{number}"
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise InputError(
            f"holds the delays {values!r}; they must be a list of numbers", where=where
        )
    found = [_number(each, "a delay", where) for each in values]
    for earlier, later in itertools.pairwise(found):
        if later < earlier:
            raise InputError(
                f"has the delay {later:g} after {earlier:g}; delays never fall", where=where
            )
    return found


def _number(value: Any, called: str, where: str) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        found = float("nan")
    if not isfinite(found) or isinstance(value, bool):
        raise InputError(f"{called} is {value!r}, which is not a number", where=where)
    return found


def _value(entry: Any, key: str, where: str) -> Any:
    if not isinstance(entry, dict) or key not in entry:
        raise InputError(f"has no {key}", where=where)
    return entry[key]


def _list(entry: dict[str, Any], key: str, where: str) -> list[Any]:
    value = _value(entry, key, where)
    if not isinstance(value, list):
        raise InputError(f"{key} is {value!r}; it must be a list", where=where)
    return value


def _text(entry: dict[str, Any], key: str, where: str) -> str:
    value = _value(entry, key, where)
    if not isinstance(value, str):
        raise InputError(f"{key} is {value!r}; it must be a text", where=where)
    return value


def _check_delays(row: Sequence[float], words: Sequence[str], where: str) -> None:
    if len(row) != len(words):
        raise InputError(
            f"has {counted(len(row), 'delay')} for {counted(len(words), 'word')}; every word between blanks needs one",
            where=where,
        )


def _check_count(count: int, wanted: int, noun: str, name: str) -> None:
    if count != wanted:
        raise InputError(
            f"has {counted(wanted, 'segment')}, but there are {count} of {noun}; both need one per segment",
            where=name,
        )


def _lengths(lines: Sequence[str], count: int, name: str) -> NDArray[np.int64]:
    _check_count(len(lines), count, "reference", name)
    return np.array([len(line.split()) for line in lines], np.int64)


def _stem(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".wav")
