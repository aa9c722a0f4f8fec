"""Files of judgments, and what was read from them in short."""

from pathlib import Path

from kilter.core.judgments import Judgments

HEADER = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    + ",".join(f"system{k}Number,system{k}Id" for k in range(1, 6))
    + ","
    + ",".join(f"system{k}rank" for k in range(1, 6))
)


def task(
    segment: int, ranks: dict[str, int], *, pair: str = "Czech,English", judge: str = "j"
) -> str:
    slots = [*ranks.items(), *[("", -1)] * (5 - len(ranks))]
    ids = ",".join(f"{k},{name}" for k, (name, _) in enumerate(slots))
    return f"{pair},{segment},doc,{segment},{judge},{ids}," + ",".join(str(r) for _, r in slots)


def file(folder: Path, *lines: str, name: str = "judgments.csv", end: str = "\n") -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(line + end for line in lines).encode())
    return str(path)


def said(judgments: Judgments) -> list[tuple[int, str, str, int]]:
    """Return the pairs as people would say them: segment from 1, first, second, outcome."""
    pairs = judgments.pairs
    return [
        (int(segment) + 1, judgments.systems[a], judgments.systems[b], int(outcome))
        for segment, a, b, outcome in zip(
            pairs.segment, pairs.first, pairs.second, pairs.outcome, strict=True
        )
    ]


def given_scores(judgments: Judgments) -> dict[tuple[int, str], float]:
    scores = judgments.scores
    return {
        (int(segment) + 1, judgments.systems[system]): float(value)
        for segment, system, value in zip(scores.segment, scores.system, scores.value, strict=True)
    }
