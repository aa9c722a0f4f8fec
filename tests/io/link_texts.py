"""Links as text, in every format."""

from collections.abc import Iterator

import numpy as np

from kilter.io.links import LinkFile
from kilter.io.stream import ByteSource


class Text(ByteSource):
    """Bytes at hand, in chunks of any size."""

    def __init__(self, text: str | bytes, size: int = 7) -> None:
        super().__init__("links.txt")
        self.data = text.encode() if isinstance(text, str) else text
        self.size = size

    def raw_chunks(self, *, again: bool = False) -> Iterator[bytes]:
        del again
        for start in range(0, len(self.data), self.size):
            yield self.data[start : start + self.size]


def segments(file: LinkFile) -> list[list[tuple[int, int]]]:
    return [file.sure.segment(k) for k in range(len(file.sure))]


def lengths(*pairs: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    first, second = zip(*pairs, strict=True)
    return np.array(first), np.array(second)


METEOR = """Alignment\t1\t0.5\t0.5\t0.1\t0.4
the mat sat
a cat sat on it
Line2Start:Length\tLine1Start:Length\tModule\t\tScore
1:1\t\t\t1:1\t\t\t1\t\t0.6
2:3\t\t\t2:1\t\t\t3\t\t0.6

Alignment\t2\t0\t0\t0\t0

nothing here
Line2Start:Length\tLine1Start:Length\tModule\t\tScore

"""


GIZA = """# Sentence pair (1) source length 3 target length 4 alignment score : 1.2e-05
er hat ihn gesehen
NULL ({ }) he ({ 1 }) saw ({ 2 4 }) him ({ 3 })
# Sentence pair (2) source length 1 target length 2 alignment score : 0.5
na ja
NULL ({ 1 }) well ({ 2 })
# Sentence pair (3) source length 2 target length 0 alignment score : 1

NULL ({ }) a ({ }) ({ ({ })
"""


READ = [
    ("giza", GIZA, [[(0, 0), (1, 1), (1, 3), (2, 2)], [(0, 1)], []]),
    ("fast-align", "0-0 1-2 ||| -4.25\n ||| -1e-3\n1-0\n", [[(0, 0), (1, 2)], [], [(1, 0)]]),
    (
        "fast-align",
        "a b ||| c d ||| 0-1 1-0 ||| -7\n||| x ||| |||  ||| 3\n",
        [[(0, 1), (1, 0)], []],
    ),
    ("pharaoh", "0-1 1-0 0-1\n\n2-2", [[(0, 1), (1, 0)], [], [(2, 2)]]),
    ("pharaoh", "0-0\t1-1 \n", [[(0, 0), (1, 1)]]),
    ("pharaoh-1", "1-2 2-1\n", [[(0, 1), (1, 0)]]),
    (
        "target-lists",
        "6,6,7_8,,4\n\n,,\n3\n",
        [[(4, 4), (6, 0), (6, 1), (7, 2), (8, 2)], [], [], [(3, 0)]],
    ),
    ("moses", "0-1=2 2=0-1\n\n", [[(0, 2), (1, 2), (2, 0), (2, 1)], []]),
    (
        "moses-trace",
        "the house |0-1| is |2-2|\n\n |3-3| a |0-0|\n",
        [[(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)], [], [(0, 0)]],
    ),
    (
        "moses-trace",
        "is small |2-3,wa=1-1 0-0,total=-3.2| it |0-1,wa=1-0| \nit &#124; is ||| 0-0 2-2\na |1-1| b |0-0| ||| 0-1\n",
        [[(1, 2), (2, 0), (3, 1)], [(0, 0), (2, 2)], [(0, 1)]],
    ),
    ("meteor", METEOR, [[(1, 1), (2, 2)], []]),
    ("meteor", "Alignment\na b\nb\nLine2Start:Length\n0:1 1:1 0 1.0\n", [[(1, 0)]]),
]
