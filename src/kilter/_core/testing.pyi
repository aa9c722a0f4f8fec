import numpy as np
from numpy.typing import NDArray

def count_shift_edits_plainly(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
) -> NDArray[np.int64]: ...
def philox(
    block: int, resample: int, attempt: int, stream: int, seed: int
) -> tuple[int, int, int, int]: ...
def long_edit_distances(
    first_heads: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second_heads: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
    first_trees: NDArray[np.int64],
    second_trees: NDArray[np.int64],
    segments: NDArray[np.int64],
    links: NDArray[np.int32],
    link_offsets: NDArray[np.int64],
    jobs: int,
) -> NDArray[np.int64]: ...
def integer_products(
    rows: NDArray[np.uint8], weights: NDArray[np.int8], way: int
) -> NDArray[np.int32]: ...
def product_ways() -> int: ...
