from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

_Ints: TypeAlias = NDArray[np.int32]
_Offsets: TypeAlias = NDArray[np.int64]
_Floats: TypeAlias = NDArray[np.float64]
_Singles: TypeAlias = NDArray[np.float32]
_Bytes: TypeAlias = NDArray[np.int8]
_Octets: TypeAlias = NDArray[np.uint8]
_Parts: TypeAlias = NDArray[np.uint32]

def build_details() -> dict[str, str]: ...
def score(
    values: _Ints,
    offsets: _Offsets,
    beta: float,
    gamma: float,
    right_branching: bool,
    empty: float,
    jobs: int,
) -> tuple[_Floats, _Ints, NDArray[np.uint64]]: ...
def score_trees(
    values: _Ints,
    offsets: _Offsets,
    beta: float,
    gamma: float,
    right_branching: bool,
    empty: float,
    jobs: int,
) -> _Floats: ...
def score_flat_operators(
    values: _Ints,
    offsets: _Offsets,
    measure: int,
    beta: float,
    right_branching: bool,
    empty: float,
    jobs: int,
) -> _Floats: ...
def score_kendall(values: _Ints, offsets: _Offsets, empty: float, jobs: int) -> _Floats: ...
def format_rows(
    rows: int,
    columns: list[NDArray[Any] | tuple[_Ints, _Offsets] | list[str]],
    literals: list[str],
    widths: list[int],
    people: bool,
    list_separator: str,
    list_base: int,
) -> bytes: ...
def distinct_values(
    values: NDArray[np.uint64], most: int
) -> tuple[NDArray[np.uint64], _Ints] | None: ...
def pack_bits(numbers: _Ints, width: int) -> _Octets: ...
def score_beer(
    values: _Ints, offsets: _Offsets, beta: float, empty: float, jobs: int
) -> _Floats: ...
def score_pairs(
    first: _Ints,
    first_offsets: _Offsets,
    second: _Ints,
    second_offsets: _Offsets,
    empty: float,
    jobs: int,
) -> _Floats: ...
def block_moves(
    values: _Ints, offsets: _Offsets, effort: int, jobs: int
) -> tuple[_Ints, _Offsets, _Ints]: ...
def find_fault(values: _Ints, offsets: _Offsets) -> tuple[int, int, int]: ...
def tree(values: _Ints) -> tuple[_Ints, _Ints, _Ints, _Ints, _Ints, _Ints, _Ints]: ...
def linear_widths(values: _Ints) -> _Ints: ...
def log_tree_count(values: _Ints) -> float: ...
def score_with_operators(
    values: _Ints, operator_scores: _Floats, beta: float, right_branching: bool
) -> tuple[float, float]: ...
def link_outside(
    links: _Ints, offsets: _Offsets, first_lengths: _Offsets, second_lengths: _Offsets | None
) -> int: ...
def collect_links(owners: _Offsets, links: _Ints, segments: int) -> tuple[_Ints, _Offsets]: ...
def linked_words(links: _Ints, offsets: _Offsets, jobs: int) -> _Offsets: ...
def link_pairs(links: _Ints, offsets: _Offsets, sequences: bool, jobs: int) -> _Offsets: ...
def reorder(
    links: _Ints,
    offsets: _Offsets,
    lengths: _Offsets,
    key: int,
    null_word: int,
    grouped: bool,
    jobs: int,
) -> tuple[_Ints, _Ints, _Ints, _Offsets]: ...
def link_lines(
    data: bytes,
) -> tuple[_Ints, NDArray[np.uint8], _Offsets, list[tuple[int, int, int]]]: ...
def count_ngrams(
    ids: _Ints,
    offsets: _Offsets,
    reference_ids: list[_Ints],
    reference_offsets: list[_Offsets],
    jobs: int,
) -> _Offsets: ...
def count_common_ngrams(
    ids: _Ints,
    offsets: _Offsets,
    reference_ids: _Ints,
    reference_offsets: _Offsets,
    order: int,
    jobs: int,
) -> _Offsets: ...
def word_likeness(
    ids: _Ints,
    offsets: _Offsets,
    reference_ids: _Ints,
    reference_offsets: _Offsets,
    letters: _Ints,
    letter_offsets: _Offsets,
    jobs: int,
) -> _Floats: ...
def sum_information(
    ids: _Ints,
    offsets: _Offsets,
    reference_ids: list[_Ints],
    reference_offsets: list[_Offsets],
    order: int,
) -> _Floats: ...
def count_word_errors(
    ids: _Ints, offsets: _Offsets, reference_ids: _Ints, reference_offsets: _Offsets, jobs: int
) -> _Offsets: ...
def count_shift_edits(
    ids: _Ints,
    offsets: _Offsets,
    reference_ids: _Ints,
    reference_offsets: _Offsets,
    jobs: int,
    plainly: bool,
) -> _Offsets: ...
def match_ribes(
    ids: _Ints, offsets: _Offsets, reference_ids: _Ints, reference_offsets: _Offsets, jobs: int
) -> tuple[_Offsets, _Ints]: ...
def resampled_sums(
    statistics: _Floats, seed: int, stream: int, resamples: int, jobs: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], _Ints]: ...

class ResampledBlocks:
    def __init__(
        self,
        segments: int,
        systems: int,
        largest: _Floats,
        seed: int,
        resamples: int,
        jobs: int,
    ) -> None: ...
    def add(self, values: _Floats) -> None: ...
    def draw(self) -> None: ...
    def sums(self) -> tuple[NDArray[np.int64], NDArray[np.int64], _Ints]: ...

def resampled_indices(
    segments: int, count: int, seed: int, resamples: int, way: int
) -> NDArray[np.uint32]: ...
def draw_ways() -> int: ...
def drawn_sums(values: NDArray[np.int64], places: NDArray[np.int32]) -> NDArray[np.int64]: ...
def philox(
    block: int, resample: int, attempt: int, stream: int, seed: int
) -> tuple[int, int, int, int]: ...
def resampled_spearman(
    first: _Ints,
    second: _Ints,
    segment: _Ints,
    segments: int,
    seed: int,
    resamples: int,
    jobs: int,
) -> _Floats: ...
def count_sign_flips(differences: _Floats) -> int: ...
def bleu_scores(rows: _Floats, smoothing: int, effective: bool, compensated: bool) -> _Floats: ...

class Interner:
    def __init__(self) -> None: ...
    def number(self, word: str) -> int: ...
    def lines(self, lines: list[str], tokenized: bool) -> tuple[_Ints, _Offsets]: ...
    def words(self, first: int) -> list[str]: ...
    def __len__(self) -> int: ...

class PermutationReader:
    def __init__(self, pairs: bool, zero_based: bool) -> None: ...
    def feed(self, data: bytes) -> None: ...
    def finish(self) -> None: ...
    def problems(self) -> list[tuple[int, int, int, int, int]]: ...
    def take(self) -> tuple[_Ints, _Offsets, _Offsets]: ...
    @property
    def lines_read(self) -> int: ...

def match(
    first: _Ints,
    first_offsets: _Offsets,
    second: _Ints,
    second_offsets: _Offsets,
    links: _Ints,
    link_offsets: _Offsets,
    key_offsets: _Offsets,
    keys: _Ints,
    crossings: bool,
    bound: int,
    trials: int,
    jobs: int,
) -> tuple[_Ints, _Offsets, NDArray[np.uint8]]: ...
def match_cells(
    first: _Ints,
    first_offsets: _Offsets,
    second: _Ints,
    second_offsets: _Offsets,
    links: _Ints,
    link_offsets: _Offsets,
    cells: _Ints,
    cell_offsets: _Offsets,
    crossings: bool,
    bound: int,
    trials: int,
    jobs: int,
) -> tuple[_Ints, _Offsets, NDArray[np.uint8]]: ...
def similar_cells(
    first: _Ints,
    first_offsets: _Offsets,
    second: _Ints,
    second_offsets: _Offsets,
    links: _Ints,
    link_offsets: _Offsets,
    letters: _Ints,
    letter_offsets: _Offsets,
    heads: _Ints,
    threshold: float,
    least: int,
    jobs: int,
) -> tuple[_Ints, _Offsets, _Floats]: ...
def learned_cells(
    first: _Ints,
    first_offsets: _Offsets,
    second: _Ints,
    second_offsets: _Offsets,
    links: _Ints,
    link_offsets: _Offsets,
    words: int,
    iterations: int,
    neighbour: float,
    distance: float,
    alone: float,
    threshold: float,
    evidence: float,
    jobs: int,
) -> tuple[_Ints, _Offsets, _Floats]: ...

class EmTrainer:
    def __init__(
        self,
        source: _Ints,
        source_offsets: _Offsets,
        target: _Ints,
        target_offsets: _Offsets,
        source_words: int,
        target_words: int,
        reach: int,
        cached_cells: int,
        jobs: int,
    ) -> None: ...
    def model1(self) -> list[float]: ...
    def hmm(self, null: float, uniform: float, agree: bool) -> list[float]: ...
    def table(self, direction: int) -> tuple[_Offsets, _Ints, _Floats]: ...
    def jumps(self, direction: int) -> _Floats: ...

def em_decode(
    source: _Ints,
    source_offsets: _Offsets,
    target: _Ints,
    target_offsets: _Offsets,
    offsets: _Offsets,
    targets: _Ints,
    probabilities: _Floats,
    jumps: _Floats,
    null: float,
    uniform: float,
    decoding: int,
    jobs: int,
) -> _Ints: ...
def symmetrize(
    forward: _Ints,
    forward_offsets: _Offsets,
    reverse: _Ints,
    reverse_offsets: _Offsets,
    rule: int,
) -> tuple[_Ints, _Offsets]: ...
def edit_distances(
    heads: _Ints,
    offsets: _Offsets,
    other_heads: _Ints,
    other_offsets: _Offsets,
    firsts: _Offsets,
    seconds: _Offsets,
    segments: _Offsets,
    links: _Ints,
    link_offsets: _Offsets,
    jobs: int,
) -> _Offsets: ...
def path_edit_distances(
    heads: _Ints,
    offsets: _Offsets,
    other_heads: _Ints,
    other_offsets: _Offsets,
    firsts: _Offsets,
    seconds: _Offsets,
    segments: _Offsets,
    links: _Ints,
    link_offsets: _Offsets,
    jobs: int,
    path: int,
) -> _Offsets: ...
def flat_edit_distances(
    first_lengths: _Offsets,
    second_lengths: _Offsets,
    links: _Ints,
    link_offsets: _Offsets,
    jobs: int,
) -> _Offsets: ...
def mapping_fits(heads: _Ints, other_heads: _Ints) -> bool: ...
def edit_mapping(heads: _Ints, other_heads: _Ints, links: _Ints, model: int) -> _Ints: ...
def path_disparities(
    heads: _Ints,
    labels: _Ints,
    offsets: _Offsets,
    other_heads: _Ints,
    other_labels: _Ints,
    other_offsets: _Offsets,
    firsts: _Offsets,
    seconds: _Offsets,
    segments: _Offsets,
    links: _Ints,
    link_offsets: _Offsets,
    labelled: bool,
    jobs: int,
) -> _Offsets: ...
def reference_disparities(
    heads: _Ints,
    offsets: _Offsets,
    trees: _Offsets,
    segments: _Offsets,
    lengths: _Offsets,
    links: _Ints,
    link_offsets: _Offsets,
    jobs: int,
) -> _Offsets: ...
def flat_path_disparities(links: _Ints, link_offsets: _Offsets, jobs: int) -> _Offsets: ...
def path_edges(
    heads: _Ints,
    labels: _Ints,
    other_heads: _Ints,
    other_labels: _Ints,
    links: _Ints,
    kind: int,
) -> _Offsets: ...

MOST_EDIT_CELLS: int
MOST_EDIT_STEPS: int

def row_products(left: _Singles, right: _Singles) -> _Singles: ...
def meanings(
    vectors: _Singles,
    offsets: _Offsets,
    firsts: _Offsets,
    seconds: _Offsets,
    context: float,
    position: float,
    temperature: float,
    floor: float,
    jobs: int,
) -> tuple[_Singles, _Singles, _Floats]: ...

MOST_MEANING_CELLS: int

def spanning_trees(scores: _Floats, lengths: _Offsets) -> _Ints: ...
def perceptron_tags(weights: _Bytes, parts: _Parts, offsets: _Offsets) -> _Ints: ...
def perceptron_trees(
    moves: _Bytes, labels: _Bytes, parts: _Parts, offsets: _Offsets, tags: _Ints
) -> tuple[_Ints, _Ints]: ...
def perceptron_beam_trees(
    moves: _Bytes,
    labels: _Bytes,
    parts: _Parts,
    offsets: _Offsets,
    tags: _Ints,
    width: int,
    alternatives: int,
    most: int,
) -> tuple[_Ints, _Ints, _Offsets, _Offsets]: ...
def recurrent_layer(sums: _Singles, offsets: _Offsets) -> tuple[_Singles, _Singles, _Singles]: ...
def recurrent_gradient(
    gates: _Singles, states: _Singles, slopes: _Singles, offsets: _Offsets
) -> _Singles: ...
def row_sums(rows: _Singles, places: _Offsets, count: int) -> _Singles: ...

class AdamLearner:
    def __init__(self, weights: _Singles) -> None: ...
    def step(self, gradient: _Singles, share: float, rate: float, decay: float) -> _Singles: ...

class TaggerTrainer:
    def __init__(self, bits: int, classes: int) -> None: ...
    def learn(self, parts: _Parts, offsets: _Offsets, tags: _Ints) -> None: ...
    def means(self) -> _Floats: ...

class ParserTrainer:
    def __init__(self, move_bits: int, label_bits: int, labels: int) -> None: ...
    def learn(
        self,
        parts: _Parts,
        offsets: _Offsets,
        tags: _Ints,
        heads: _Ints,
        names: _Ints,
        explore: bool,
    ) -> None: ...
    def learn_beam(
        self,
        parts: _Parts,
        offsets: _Offsets,
        tags: _Ints,
        heads: _Ints,
        names: _Ints,
        width: int,
    ) -> None: ...
    def means(self) -> tuple[_Floats, _Floats]: ...

def reordering_counts(
    groups: _Ints, offsets: _Offsets, local: bool, ends: bool, jobs: int
) -> NDArray[np.int64]: ...
def reordering_words(
    groups: _Ints, offsets: _Offsets, local: bool, jobs: int
) -> tuple[NDArray[np.uint8], _Ints]: ...
def tree_orders(
    heads: _Ints,
    offsets: _Offsets,
    child_slots: _Ints,
    backward: NDArray[np.uint8],
    head_slots: _Ints,
    jobs: int,
) -> _Ints: ...
def integer_products(rows: _Octets, weights: _Bytes, way: int) -> _Ints: ...
def product_ways() -> int: ...

class Linear:
    def __init__(
        self,
        weights: _Bytes,
        shift: _Ints,
        unit: _Singles,
        bias: _Singles,
        inverse: float,
        zero: float,
    ) -> None: ...
    def rounded(self, numbers: _Singles) -> _Octets: ...
    def numbers(self, rows: _Octets, gelu: bool) -> _Singles: ...
    def gelu_bytes(self, rows: _Octets, inverse: float, zero: float) -> _Octets: ...

class TransformerLayer:
    def __init__(
        self,
        attention: Linear,
        output: Linear,
        weight1: _Singles,
        bias1: _Singles,
        inner: Linear,
        outer: Linear,
        weight2: _Singles,
        bias2: _Singles,
    ) -> None: ...

class Transformer:
    def __init__(
        self,
        pieces: _Bytes,
        piece_units: _Singles,
        places: _Singles,
        shapes: _Singles,
        weight: _Singles,
        bias: _Singles,
        layers: list[TransformerLayer],
    ) -> None: ...
    def encode(
        self, pieces: _Offsets, shapes: _Offsets, shares: _Singles, level: int
    ) -> tuple[_Singles, _Singles]: ...

class ParserNetwork:
    def __init__(
        self,
        words: _Singles,
        pieces: _Singles,
        input: _Singles,  # noqa: A002
        input_bias: _Singles,
        layers: _Bytes,
        layer_scales: _Singles,
        layer_bias: _Singles,
        heads: _Bytes,
        head_scales: _Singles,
        head_bias: _Singles,
        arcs: _Singles,
        arc_bias: _Singles,
        root_arc: _Singles,
        root_label: _Singles,
        distance: _Singles,
        labels: _Singles,
        label_bias: _Singles,
        root: int,
    ) -> None: ...
    def encode(
        self, words: _Ints, pieces: _Ints, ids: _Ints, offsets: _Offsets, depth: int
    ) -> _Singles: ...
    def parse(
        self, words: _Ints, pieces: _Ints, ids: _Ints, offsets: _Offsets
    ) -> tuple[_Ints, _Ints, _Ints]: ...
