import enum
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kilter._core import testing as testing

class FlatMeasure(enum.Enum):
    KENDALL = 0

    KENDALL_SQRT = 1

    SPEARMAN = 2

    HAMMING = 3

    ULAM = 4

    FUZZY = 5

def score(
    values: NDArray[np.int32],
    offsets: NDArray[np.int64],
    beta: float,
    gamma: float,
    right_branching: bool,
    empty: float,
    jobs: int,
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.uint64]]: ...
def score_trees(
    values: NDArray[np.int32],
    offsets: NDArray[np.int64],
    beta: float,
    gamma: float,
    right_branching: bool,
    empty: float,
    jobs: int,
) -> NDArray[np.float64]: ...
def score_flat_operators(
    values: NDArray[np.int32],
    offsets: NDArray[np.int64],
    measure: FlatMeasure,
    beta: float,
    right_branching: bool,
    empty: float,
    jobs: int,
) -> NDArray[np.float64]: ...
def score_kendall(
    values: NDArray[np.int32], offsets: NDArray[np.int64], empty: float, jobs: int
) -> NDArray[np.float64]: ...
def score_beer(
    values: NDArray[np.int32], offsets: NDArray[np.int64], beta: float, empty: float, jobs: int
) -> NDArray[np.float64]: ...
def score_pairs(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
    empty: float,
    jobs: int,
) -> NDArray[np.float64]: ...
def block_moves(
    values: NDArray[np.int32], offsets: NDArray[np.int64], effort: int, jobs: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]: ...
def find_fault(values: NDArray[np.int32], offsets: NDArray[np.int64]) -> tuple[int, int, int]: ...
def tree(
    values: NDArray[np.int32],
) -> tuple[
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
]: ...
def linear_widths(values: NDArray[np.int32]) -> NDArray[np.int32]: ...
def log_tree_count(values: NDArray[np.int32]) -> float: ...
def score_with_operators(
    values: NDArray[np.int32],
    operator_scores: NDArray[np.float64],
    beta: float,
    right_branching: bool,
) -> tuple[float, float]: ...

class PermutationReader:
    def __init__(self, pairs: bool, zero_based: bool) -> None: ...
    def feed(self, data: bytes) -> None: ...
    def finish(self) -> None: ...
    def problems(self) -> list[tuple[int, int, int, int, int]]: ...
    def take(self) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]: ...
    @property
    def lines_read(self) -> int: ...

def format_rows(
    rows: int,
    columns: list[NDArray[Any] | tuple[NDArray[np.int32], NDArray[np.int64]] | list[str]],
    literals: list[str],
    widths: list[int],
    people: bool,
    list_separator: str,
    list_base: int,
) -> bytes: ...

class BleuSmoothing(enum.Enum):
    EXP = 0

    ADD_ONE = 1

    FLOOR = 2

    NONE = 3

def count_ngrams(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: Sequence[NDArray[np.int32]],
    second_offsets: Sequence[NDArray[np.int64]],
    jobs: int,
) -> NDArray[np.int64]: ...
def count_common_ngrams(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
    order: int,
    jobs: int,
) -> NDArray[np.int64]: ...
def sum_information(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: Sequence[NDArray[np.int32]],
    second_offsets: Sequence[NDArray[np.int64]],
    order: int,
) -> NDArray[np.float64]: ...
def count_word_errors(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
    jobs: int,
) -> NDArray[np.int64]: ...
def count_shift_edits(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
    jobs: int,
) -> NDArray[np.int64]: ...
def word_likeness(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
    letters: NDArray[np.int32],
    letter_offsets: NDArray[np.int64],
    jobs: int,
) -> NDArray[np.float64]: ...
def match_ribes(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
    jobs: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
def bleu_scores(
    rows: NDArray[np.float64], smoothing: BleuSmoothing, effective: bool, compensated: bool
) -> NDArray[np.float64]: ...

class Interner:
    def __init__(self) -> None: ...
    def number(self, word: str) -> int: ...
    def lines(
        self, lines: list[str], tokenized: bool
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...
    def words(self, first: int) -> list[str]: ...
    def __len__(self) -> int: ...

class LinkKey(enum.Enum):
    FIRST = 0

    MEAN = 1

    SPAN = 2

class NullWord(enum.Enum):
    PREVIOUS = 0

    NEXT = 1

    DROP = 2

def link_outside(
    links: NDArray[np.int32],
    offsets: NDArray[np.int64],
    first_lengths: NDArray[np.int64],
    second_lengths: NDArray[np.int64] | None,
) -> int: ...
def collect_links(
    owners: NDArray[np.int64], links: NDArray[np.int32], segments: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...
def linked_words(
    links: NDArray[np.int32], offsets: NDArray[np.int64], jobs: int
) -> NDArray[np.int64]: ...
def link_pairs(
    links: NDArray[np.int32], offsets: NDArray[np.int64], sequences: bool, jobs: int
) -> NDArray[np.int64]: ...
def reorder(
    links: NDArray[np.int32],
    offsets: NDArray[np.int64],
    lengths: NDArray[np.int64],
    key: LinkKey,
    null_word: NullWord,
    grouped: bool,
    jobs: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]: ...
def link_lines(
    data: bytes,
) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.int64], list[tuple[int, int, int]]]: ...
def match(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
    links: NDArray[np.int32],
    link_offsets: NDArray[np.int64],
    key_offsets: NDArray[np.int64],
    keys: NDArray[np.int32],
    crossings: bool,
    bound: int,
    trials: int,
    jobs: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint8]]: ...
def match_cells(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
    links: NDArray[np.int32],
    link_offsets: NDArray[np.int64],
    cells: NDArray[np.int32],
    cell_offsets: NDArray[np.int64],
    crossings: bool,
    bound: int,
    trials: int,
    jobs: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint8]]: ...
def similar_cells(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
    links: NDArray[np.int32],
    link_offsets: NDArray[np.int64],
    letters: NDArray[np.int32],
    letter_offsets: NDArray[np.int64],
    heads: NDArray[np.int32],
    threshold: float,
    least: int,
    jobs: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.float64]]: ...
def learned_cells(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
    links: NDArray[np.int32],
    link_offsets: NDArray[np.int64],
    words: int,
    iterations: int,
    neighbour: float,
    distance: float,
    alone: float,
    threshold: float,
    evidence: float,
    jobs: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.float64]]: ...

class Decoding(enum.Enum):
    MODEL1 = 0

    PATH = 1

    POSTERIOR = 2

class Symmetrization(enum.Enum):
    FORWARD = 0

    REVERSE = 1

    INTERSECTION = 2

    UNION = 3

    GROW_DIAG = 4

    GROW_DIAG_FINAL = 5

    GROW_DIAG_FINAL_AND = 6

class EmTrainer:
    def __init__(
        self,
        source: NDArray[np.int32],
        source_offsets: NDArray[np.int64],
        target: NDArray[np.int32],
        target_offsets: NDArray[np.int64],
        source_words: int,
        target_words: int,
        reach: int,
        cached_cells: int,
        jobs: int,
    ) -> None: ...
    def model1(self) -> list[float]: ...
    def hmm(self, null: float, uniform: float, agree: bool) -> list[float]: ...
    def table(
        self, direction: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]: ...
    def jumps(self, direction: int) -> NDArray[np.float64]: ...

def em_decode(
    source: NDArray[np.int32],
    source_offsets: NDArray[np.int64],
    target: NDArray[np.int32],
    target_offsets: NDArray[np.int64],
    offsets: NDArray[np.int64],
    targets: NDArray[np.int32],
    probabilities: NDArray[np.float64],
    jumps: NDArray[np.float64],
    null: float,
    uniform: float,
    decoding: Decoding,
    jobs: int,
) -> NDArray[np.int32]: ...
def symmetrize(
    forward: NDArray[np.int32],
    forward_offsets: NDArray[np.int64],
    reverse: NDArray[np.int32],
    reverse_offsets: NDArray[np.int64],
    rule: Symmetrization,
) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...

class Stream(enum.Enum):
    INDICES = 0

    SWAPS = 1

    FLIPS = 2

def resampled_counts(
    segments: int,
    first: int,
    size: int,
    seed: int,
    stream: Stream,
    start: int,
    resamples: int,
    jobs: int,
) -> NDArray[np.uint8]: ...
def resampled_indices(
    segments: int, count: int, seed: int, resamples: int
) -> NDArray[np.uint32]: ...
def resampled_spearman(
    first: NDArray[np.int32],
    second: NDArray[np.int32],
    segment: NDArray[np.int32],
    segments: int,
    seed: int,
    resamples: int,
    jobs: int,
) -> NDArray[np.float64]: ...
def count_sign_flips(differences: NDArray[np.float64]) -> int: ...

class EditModel(enum.Enum):
    BASIC = 0

    LINKED = 1

    OPERATION = 2

    NODE = 3

class PathKind(enum.Enum):
    LABELS = 0

    STRUCTURE = 1

    FLAT = 2

    REFERENCE = 3

def edit_distances(
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
def flat_edit_distances(
    first_lengths: NDArray[np.int64],
    second_lengths: NDArray[np.int64],
    links: NDArray[np.int32],
    link_offsets: NDArray[np.int64],
    jobs: int,
) -> NDArray[np.int64]: ...
def edit_mapping(
    first_heads: NDArray[np.int32],
    second_heads: NDArray[np.int32],
    links: NDArray[np.int32],
    model: EditModel,
) -> NDArray[np.int32]: ...
def mapping_fits(first_heads: NDArray[np.int32], second_heads: NDArray[np.int32]) -> bool: ...
def path_disparities(
    first_heads: NDArray[np.int32],
    first_labels: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second_heads: NDArray[np.int32],
    second_labels: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
    first_trees: NDArray[np.int64],
    second_trees: NDArray[np.int64],
    segments: NDArray[np.int64],
    links: NDArray[np.int32],
    link_offsets: NDArray[np.int64],
    labelled: bool,
    jobs: int,
) -> NDArray[np.int64]: ...
def reference_disparities(
    heads: NDArray[np.int32],
    offsets: NDArray[np.int64],
    trees: NDArray[np.int64],
    segments: NDArray[np.int64],
    lengths: NDArray[np.int64],
    links: NDArray[np.int32],
    link_offsets: NDArray[np.int64],
    jobs: int,
) -> NDArray[np.int64]: ...
def flat_path_disparities(
    links: NDArray[np.int32], link_offsets: NDArray[np.int64], jobs: int
) -> NDArray[np.int64]: ...
def path_edges(
    first_heads: NDArray[np.int32],
    first_labels: NDArray[np.int32],
    second_heads: NDArray[np.int32],
    second_labels: NDArray[np.int32],
    links: NDArray[np.int32],
    kind: PathKind,
) -> NDArray[np.int64]: ...
def spanning_trees(
    scores: NDArray[np.float64], lengths: NDArray[np.int64]
) -> NDArray[np.int32]: ...
def perceptron_tags(
    weights: NDArray[np.int8], parts: NDArray[np.uint32], offsets: NDArray[np.int64]
) -> NDArray[np.int32]: ...
def perceptron_trees(
    moves: NDArray[np.int8],
    labels: NDArray[np.int8],
    parts: NDArray[np.uint32],
    offsets: NDArray[np.int64],
    tags: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
def perceptron_beam_trees(
    moves: NDArray[np.int8],
    labels: NDArray[np.int8],
    parts: NDArray[np.uint32],
    offsets: NDArray[np.int64],
    tags: NDArray[np.int32],
    width: int,
    alternatives: int,
    most: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]: ...

class TaggerTrainer:
    def __init__(self, bits: int, classes: int) -> None: ...
    def learn(
        self, parts: NDArray[np.uint32], offsets: NDArray[np.int64], tags: NDArray[np.int32]
    ) -> None: ...
    def means(self) -> NDArray[np.float64]: ...

class ParserTrainer:
    def __init__(self, move_bits: int, label_bits: int, labels: int) -> None: ...
    def learn(
        self,
        parts: NDArray[np.uint32],
        offsets: NDArray[np.int64],
        tags: NDArray[np.int32],
        heads: NDArray[np.int32],
        names: NDArray[np.int32],
        explore: bool,
    ) -> None: ...
    def learn_beam(
        self,
        parts: NDArray[np.uint32],
        offsets: NDArray[np.int64],
        tags: NDArray[np.int32],
        heads: NDArray[np.int32],
        names: NDArray[np.int32],
        width: int,
    ) -> None: ...
    def means(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

def reordering_counts(
    groups: NDArray[np.int32], offsets: NDArray[np.int64], local: bool, ends: bool, jobs: int
) -> NDArray[np.int64]: ...
def reordering_words(
    groups: NDArray[np.int32], offsets: NDArray[np.int64], local: bool, jobs: int
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]: ...
def tree_orders(
    heads: NDArray[np.int32],
    offsets: NDArray[np.int64],
    child_slots: NDArray[np.int32],
    backward: NDArray[np.uint8],
    head_slots: NDArray[np.int32],
    jobs: int,
) -> NDArray[np.int32]: ...
def row_products(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float32]: ...
def meanings(
    vectors: NDArray[np.float32],
    offsets: NDArray[np.int64],
    firsts: NDArray[np.int64],
    seconds: NDArray[np.int64],
    context: float,
    position: float,
    temperature: float,
    floor: float,
    jobs: int,
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float64]]: ...

MOST_MEANING_CELLS: int = 134217728

class Linear:
    def __init__(
        self,
        weights: NDArray[np.int8],
        shift: NDArray[np.int32],
        unit: NDArray[np.float32],
        bias: NDArray[np.float32],
        inverse: float,
        zero: float,
    ) -> None: ...
    def rounded(self, numbers: NDArray[np.float32]) -> NDArray[np.uint8]: ...
    def numbers(self, rows: NDArray[np.uint8], gelu: bool) -> NDArray[np.float32]: ...
    def gelu_bytes(
        self, rows: NDArray[np.uint8], inverse: float, zero: float
    ) -> NDArray[np.uint8]: ...

class TransformerLayer:
    def __init__(
        self,
        attention: Linear,
        output: Linear,
        weight1: NDArray[np.float32],
        bias1: NDArray[np.float32],
        inner: Linear,
        outer: Linear,
        weight2: NDArray[np.float32],
        bias2: NDArray[np.float32],
    ) -> None: ...

class Transformer:
    def __init__(
        self,
        pieces: NDArray[np.int8],
        piece_units: NDArray[np.float32],
        places: NDArray[np.float32],
        shapes: NDArray[np.float32],
        weight: NDArray[np.float32],
        bias: NDArray[np.float32],
        layers: Sequence[TransformerLayer],
    ) -> None: ...
    def encode(
        self,
        pieces: NDArray[np.int64],
        shapes: NDArray[np.int64],
        shares: NDArray[np.float32],
        level: int,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]: ...

class ParserNetwork:
    def __init__(
        self,
        words: NDArray[np.float32],
        pieces: NDArray[np.float32],
        input: NDArray[np.float32],
        input_bias: NDArray[np.float32],
        layers: NDArray[np.int8],
        layer_scales: NDArray[np.float32],
        layer_bias: NDArray[np.float32],
        heads: NDArray[np.int8],
        head_scales: NDArray[np.float32],
        head_bias: NDArray[np.float32],
        arcs: NDArray[np.float32],
        arc_bias: NDArray[np.float32],
        root_arc: NDArray[np.float32],
        root_label: NDArray[np.float32],
        distance: NDArray[np.float32],
        labels: NDArray[np.float32],
        label_bias: NDArray[np.float32],
        root: int,
    ) -> None: ...
    def encode(
        self,
        words: NDArray[np.int32],
        pieces: NDArray[np.int32],
        ids: NDArray[np.int32],
        offsets: NDArray[np.int64],
        depth: int,
    ) -> NDArray[np.float32]: ...
    def parse(
        self,
        words: NDArray[np.int32],
        pieces: NDArray[np.int32],
        ids: NDArray[np.int32],
        offsets: NDArray[np.int64],
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]: ...

def recurrent_layer(
    sums: NDArray[np.float32], offsets: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]: ...
def recurrent_gradient(
    gates: NDArray[np.float32],
    states: NDArray[np.float32],
    slopes: NDArray[np.float32],
    offsets: NDArray[np.int64],
) -> NDArray[np.float32]: ...
def row_sums(
    rows: NDArray[np.float32], places: NDArray[np.int64], count: int
) -> NDArray[np.float32]: ...

class AdamLearner:
    def __init__(self, weights: NDArray[np.float32]) -> None: ...
    def step(
        self, gradient: NDArray[np.float32], share: float, rate: float, decay: float
    ) -> NDArray[np.float32]: ...

def build_details() -> dict[str, str]: ...
