"""The network of the embedded model: pieces in; tags, parts of arcs and labels, vectors out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter import _core

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Integers = NDArray[np.int64]

HEAD_OUTPUTS = ("sum1", "sum2", "product1", "product2", "upos", "xpos")
VECTOR = "vector"

_NORM = ("Add", "ReduceMean", "Sub", "Mul", "ReduceMean", "Add", "Sqrt", "Div", "Mul", "Add")
_LINEAR = ("QuantizeLinear", "MatMulIntegerToFloat")
_EMBEDDING = ("Gather", "Gather", "Cast", "Mul", "Shape", "Cast", "Slice", "Gather", "Add", *_NORM)
_ATTENTION = (*_LINEAR, "Split", "MultiHeadAttention", *_LINEAR, *_NORM)
_LAYER = (*_ATTENTION, *_LINEAR, "Gelu", *_LINEAR, *_NORM)
_WORDS = ("Reshape", "Gather", "Gather", "Add", "Mul")
_HEADS = (*_LINEAR, "Split", "Gelu", "Gelu", *_LINEAR)
_OUTPUTS = 9
_HEAD_WIDTH = 32


@dataclass(frozen=True, eq=False)
class Product:
    """A product of rounded numbers with whole weights: its sums are exact, then scaled for each column."""

    inverse: float
    zero: float
    weights: NDArray[np.int8]
    shift: NDArray[np.int32]
    unit: Floats
    bias: Floats

    def linear(self, begin: int = 0, end: int | None = None) -> _core.Linear:
        """Return the product with these columns of the weights, ready to be computed."""
        kept = slice(begin, end)
        return _core.Linear(
            np.ascontiguousarray(self.weights[:, kept]),
            self.shift[kept],
            self.unit[kept],
            self.bias[kept],
            self.inverse,
            self.zero,
        )


@dataclass(frozen=True, eq=False)
class Network:
    """A MiniLM encoder with heads for tags, arcs and labels, all products in 8-bit integers."""

    encoder: _core.Transformer
    shares: Floats
    root: Floats
    dependent: _core.Linear
    head: _core.Linear
    rest: _core.Linear
    arc: _core.Linear
    arc_rounding: tuple[float, float]
    sizes: dict[str, int]
    vector_layer: int

    def answer(
        self,
        pieces: Integers,
        shapes: Integers,
        first: Integers,
        last: Integers,
        outputs: Collection[str],
    ) -> dict[str, Floats]:
        """Return what is asked about the words of sentences of equally many pieces, a row for each.

        `first` and `last` are the places of the pieces at the ends of words, counted over all sentences.
        """
        found: dict[str, Floats] = {}
        whole = any(name != VECTOR for name in outputs)
        level = self.vector_layer if VECTOR in outputs else -1
        mixed, vectors = self.encoder.encode(
            pieces, shapes, self.shares if whole else self.shares[:0], level
        )
        if VECTOR in outputs:
            found[VECTOR] = _words(vectors, first, last)
        if whole:
            found |= self._heads(np.vstack((_words(mixed, first, last), self.root)))
        return {name: found[name] for name in outputs}

    def _heads(self, words: Floats) -> dict[str, Floats]:
        rounded = self.rest.rounded(words)
        dependent = self.dependent.gelu_bytes(rounded, *self.arc_rounding)
        found = {
            "dependent": self.arc.numbers(dependent, gelu=False),
            "head": self.head.numbers(rounded, gelu=True),
        }
        rest = self.rest.numbers(rounded, gelu=False)
        ends = [0, *accumulate(self.sizes[name] for name in HEAD_OUTPUTS)]
        for name, (begin, end) in zip(HEAD_OUTPUTS, pairwise(ends), strict=True):
            found[name] = rest[:, begin:end]
        return found


def _words(numbers: Floats, first: Integers, last: Integers) -> Floats:
    """Return the mean of each word's first and last piece."""
    both = numbers[first] + numbers[last]
    both *= np.float32(0.5)
    return both


def network(file: NetworkFile) -> Network:
    """Return the network of a file; a `ValueError` says that the file's graph is another one."""
    kinds = [node.kind for node in file.nodes]
    layers = kinds.count("MultiHeadAttention")
    mixing = ("Mul",) * (layers + 1) + ("Sum", *_WORDS, "Concat")
    ends = (*_HEADS, *_WORDS, *("Identity",) * _OUTPUTS)
    if layers == 0 or tuple(kinds) != (*_EMBEDDING, *_LAYER * layers, *mixing, *ends):
        raise ValueError("its operations are not those of a network that this version computes")
    return _Builder(file).network(layers)


class _Builder:
    """Takes constants from nodes, one after another in the order that was checked."""

    def __init__(self, file: NetworkFile) -> None:
        self._file = file
        self._at = 0

    def _next(self, kinds: Sequence[str]) -> list[Node]:
        nodes = self._file.nodes[self._at : self._at + len(kinds)]
        self._at += len(kinds)
        return list(nodes)

    def _constant(self, node: Node, place: int, kind: str, axes: int) -> NDArray[Any]:
        """Return a constant input of a node, of this kind of number and with so many axes."""
        name = node.inputs[place] if place < len(node.inputs) else ""
        found = self._file.constants.get(name)
        if found is None or found.dtype != kind or found.ndim != axes:
            raise ValueError(f"an operation {node.kind} lacks a constant that it needs")
        return found

    def _floats(self, node: Node, place: int = 1) -> Floats:
        return self._constant(node, place, "float32", 1)

    def _number(self, node: Node, place: int, kind: str = "float32") -> Any:
        """Return a constant that is one number."""
        found = self._constant(node, place, kind, 1)
        if found.size != 1:
            raise ValueError(f"an operation {node.kind} has {found.size} numbers in place of one")
        return found[0]

    def _norm(self) -> tuple[Floats, Floats]:
        *_, above_zero, _, _, weight, bias = self._next(_NORM)
        if self._number(above_zero, 1) != np.float32(1e-12):
            raise ValueError("a norm adds another number to variances than 1e-12")
        return self._floats(weight), self._floats(bias)

    def _product(self) -> Product:
        _, product = self._next(_LINEAR)
        weights = self._constant(product, 1, "int8", 2)
        scale, zero = self._number(product, 2), self._number(product, 4, "uint8")
        if not scale > 0 or self._constant(product, 5, "int8", 1).any():
            raise ValueError(
                "a product has a scale that is not above 0, or weights around a number"
            )
        shift = weights.sum(axis=0, dtype=np.int64) * int(zero)
        return Product(
            inverse=float(np.float32(1) / scale),
            zero=float(zero),
            weights=weights,
            shift=shift.astype(np.int32),
            unit=self._floats(product, 3) * scale,
            bias=self._floats(product, 6),
        )

    def _layer(self) -> _core.TransformerLayer:
        attention = self._product()
        _, heads = self._next(("Split", "MultiHeadAttention"))
        if heads.integers.get("num_heads", 0) * _HEAD_WIDTH != len(attention.weights):
            raise ValueError(f"its attention has heads of another width than {_HEAD_WIDTH}")
        output, norm1, inner = self._product(), self._norm(), self._product()
        self._next(("Gelu",))
        outer, norm2 = self._product(), self._norm()
        return _core.TransformerLayer(
            attention.linear(), output.linear(), *norm1, inner.linear(), outer.linear(), *norm2
        )

    def network(self, count: int) -> Network:
        whole, unit, _, _, _, places, _, shapes, _ = self._next(_EMBEDDING[: -len(_NORM)])
        norm = self._norm()
        levels = [self._made()]
        layers = []
        for _ in range(count):
            layers.append(self._layer())
            levels.append(self._made())
        shares = [self._number(node, 1) for node in self._next(("Mul",) * (count + 1))]
        *_, concatenation = self._next(("Sum", *_WORDS, "Concat"))
        heads = self._product()
        (split,) = self._next(("Split",))
        parts = self._constant(split, 1, "int64", 1).tolist()
        self._next(("Gelu", "Gelu"))
        arc = self._product()
        (vector, *_) = self._next(_WORDS)
        width = len(norm[1])
        root = self._constant(concatenation, 1, "float32", 2)
        if (
            vector.inputs[:1] not in levels
            or len(parts) != len(HEAD_OUTPUTS) + 2
            or min(parts) < 1
            or heads.weights.shape != (width, sum(parts))
            or (len(arc.weights), root.shape) != (parts[0], (1, width))
        ):
            raise ValueError("its outputs are not those of a network that this version computes")
        dependent, head, *sizes = parts
        return Network(
            encoder=_core.Transformer(
                self._constant(whole, 0, "int8", 2),
                self._constant(unit, 0, "float32", 2).ravel(),
                self._constant(places, 0, "float16", 2).astype(np.float32),
                self._constant(shapes, 0, "float32", 2),
                *norm,
                layers,
            ),
            shares=np.array(shares, dtype=np.float32),
            root=root,
            dependent=heads.linear(0, dependent),
            head=heads.linear(dependent, dependent + head),
            rest=heads.linear(dependent + head),
            arc=arc.linear(),
            arc_rounding=(arc.inverse, arc.zero),
            sizes={
                "dependent": len(arc.bias),
                "head": head,
                **dict(zip(HEAD_OUTPUTS, sizes, strict=True)),
                VECTOR: width,
            },
            vector_layer=levels.index(vector.inputs[:1]),
        )

    def _made(self) -> tuple[str, ...]:
        """Return the name of what the last node made."""
        return self._file.nodes[self._at - 1].outputs


_NUMBER, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
_MORE = 0x80
_LONGEST_NUMBER = 10


class WireField(NamedTuple):
    """A field of a message: its number and its content, of a number its bytes."""

    number: int
    content: memoryview


def fields(message: memoryview) -> Iterator[WireField]:
    """Yield the fields of a message in their order; a `ValueError` says that it is none."""
    at = 0
    while at < len(message):
        key, at = number_at(message, at)
        kind = key & 7
        if kind == _BYTES:
            size, at = number_at(message, at)
        elif kind == _NUMBER:
            size = number_at(message, at)[1] - at
        elif kind in {_EIGHT_BYTES, _FOUR_BYTES}:
            size = 8 if kind == _EIGHT_BYTES else 4
        else:
            raise ValueError(f"a field of kind {kind} is none of a model")
        if at + size > len(message):
            raise ValueError("the model is cut off")
        yield WireField(key >> 3, message[at : at + size])
        at += size


def numbers(content: memoryview) -> list[int]:
    r"""Return the numbers of a field: one, or several that were written together.

    >>> numbers(memoryview(b"\xac\x02\x07"))
    [300, 7]
    """
    found, at = [], 0
    while at < len(content):
        value, at = number_at(content, at)
        found.append(value)
    return found


def number_at(message: memoryview, at: int) -> tuple[int, int]:
    """Return the number that begins at a place, seven bits a byte, and the place after it."""
    value = 0
    for place in range(_LONGEST_NUMBER):
        if at + place >= len(message):
            raise ValueError("the model is cut off")
        byte = message[at + place]
        value |= (byte & 0x7F) << (7 * place)
        if byte < _MORE:
            return value, at + place + 1
    raise ValueError("a number of the model is too long")


_GRAPH, _NODE, _CONSTANT = 7, 1, 5
_NODE_INPUT, _NODE_OUTPUT, _NODE_KIND, _NODE_ATTRIBUTE = 1, 2, 4, 5
_ATTRIBUTE_NAME, _ATTRIBUTE_INTEGER = 1, 3
_SIZES, _TYPE, _NAME, _CONTENT = 1, 2, 8, 9
"""The fields of a constant."""
_TYPES = {1: "float32", 2: "uint8", 3: "int8", 7: "int64", 10: "float16"}


@dataclass(frozen=True)
class Node:
    """One operation of a graph: the names of what it takes and makes, and its settings that are integers."""

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    integers: dict[str, int]


@dataclass(frozen=True, eq=False)
class NetworkFile:
    """A graph: its operations in their order, and its constants by name."""

    nodes: tuple[Node, ...]
    constants: dict[str, NDArray[Any]]


def read_network(model: bytes) -> NetworkFile:
    """Return what an ONNX file holds; a `ValueError` says that it is none."""
    nodes: list[Node] = []
    constants: dict[str, NDArray[Any]] = {}
    for graph in _within(memoryview(model), _GRAPH):
        for field in fields(graph.content):
            if field.number == _NODE:
                nodes.append(_node(field))
            elif field.number == _CONSTANT:
                name, array = _constant(field)
                constants[name] = array
    return NetworkFile(tuple(nodes), constants)


def _within(message: memoryview, number: int) -> Iterator[WireField]:
    return (field for field in fields(message) if field.number == number)


def _texts(field: WireField, number: int) -> tuple[str, ...]:
    return tuple(str(inner.content, "utf-8") for inner in _within(field.content, number))


def _node(field: WireField) -> Node:
    kind = "".join(_texts(field, _NODE_KIND))
    integers = {}
    for attribute in _within(field.content, _NODE_ATTRIBUTE):
        for integer in _within(attribute.content, _ATTRIBUTE_INTEGER):
            (integers["".join(_texts(attribute, _ATTRIBUTE_NAME))],) = numbers(integer.content)
    return Node(kind, _texts(field, _NODE_INPUT), _texts(field, _NODE_OUTPUT), integers)


def _constant(field: WireField) -> tuple[str, NDArray[Any]]:
    sizes: list[int] = []
    kind, content = 0, memoryview(b"")
    for inner in fields(field.content):
        if inner.number == _SIZES:
            sizes += numbers(inner.content)
        elif inner.number == _TYPE:
            (kind,) = numbers(inner.content)
        elif inner.number == _CONTENT:
            content = inner.content
    if kind not in _TYPES:
        raise ValueError(f"a constant of type {kind} is none of a model")
    stored = np.dtype(_TYPES[kind]).newbyteorder("<")
    # An axis that is longer than the content cannot even be asked for.
    if max(sizes, default=0) > len(content) or prod(sizes) * stored.itemsize != len(content):
        raise ValueError("a constant does not have its size")
    array = np.frombuffer(content, dtype=stored).reshape(sizes)
    return "".join(_texts(field, _NAME)), array.astype(_TYPES[kind])
