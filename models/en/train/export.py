"""Write the trained student as the files of the distribution: integers where it computes in integers.

python export.py STUDENT.pt DATA VOCABULARY OUT_FOLDER

The graph is built by hand. Activations are rounded with the scales that training has learned, so
that what the model says about a sentence does not depend on the sentences beside it.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from network import ARC, ATTENTION_HEADS, LAYERS, PRODUCT, SUM, WEIGHT_LIMIT
from onnx import TensorProto, helper, numpy_helper

VERSION = "1.0.0"
ALIGN_LAYER = 3
MICROSOFT = "com.microsoft"
FLAT = np.array([-1, 384], dtype=np.int64)


class Graph:
    """A graph that grows node by node; names are numbered."""

    def __init__(self, state: dict[str, np.ndarray]) -> None:
        self.state = state
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, value: np.ndarray) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, kind: str, *inputs: str, domain: str = "", **attributes: object) -> str:
        return self.many(kind, 1, *inputs, domain=domain, **attributes)[0]

    def many(
        self, kind: str, outputs: int, *inputs: str, domain: str = "", **attributes: object
    ) -> list[str]:
        names = [f"n{len(self.nodes)}_{k}" for k in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, domain=domain, **attributes))
        return names

    def floats(self, name: str) -> str:
        return self.constant(self.state[name].astype(np.float32))

    def linear(self, x: str, name: str, zero: int = 128) -> str:
        """Add a product of 8-bit activations and 7-bit weights, as network.Quantised rounds them."""
        scale = self.constant(np.float32(math.exp(self.state[f"{name}.log_scale"])))
        weight = self.state[f"{name}.weight"].astype(np.float32)
        unit = np.maximum(np.abs(weight).max(1), 1e-8) / WEIGHT_LIMIT
        whole = np.round(weight / unit[:, None]).astype(np.int8)
        offset = self.constant(np.uint8(zero))
        return self.add(
            "MatMulIntegerToFloat",
            self.add("QuantizeLinear", x, scale, offset),
            self.constant(whole.T),
            scale,
            self.constant(unit.astype(np.float32)),
            offset,
            self.constant(np.zeros(len(unit), dtype=np.int8)),
            self.floats(f"{name}.bias"),
            domain=MICROSOFT,
        )

    def norm(self, x: str, skip: str, name: str) -> str:
        """Add x + skip, normalised: in simple steps, each of which the runtime has vectorised."""
        x = self.add("Add", x, skip)
        mean = self.add("ReduceMean", x, axes=[-1])
        centred = self.add("Sub", x, mean)
        spread = self.add("ReduceMean", self.add("Mul", centred, centred), axes=[-1])
        spread = self.add("Sqrt", self.add("Add", spread, self.constant(np.float32(1e-12))))
        unit = self.add("Div", centred, spread)
        scaled = self.add("Mul", unit, self.floats(f"{name}.weight"))
        return self.add("Add", scaled, self.floats(f"{name}.bias"))


def embedding(graph: Graph) -> str:
    """Add the sum of the vectors of piece, place and shape."""
    table = graph.state["pieces.weight"].astype(np.float32)
    unit = np.maximum(np.abs(table).max(1, keepdims=True), 1e-8) / 127
    whole = graph.add("Gather", graph.constant(np.round(table / unit).astype(np.int8)), "pieces")
    scale = graph.add("Gather", graph.constant(unit.astype(np.float32)), "pieces")
    piece = graph.add("Mul", graph.add("Cast", whole, to=TensorProto.FLOAT), scale)
    zero, one = (graph.constant(np.array([k], dtype=np.int64)) for k in (0, 1))
    length = graph.add("Shape", "pieces", start=1, end=2)
    places = graph.constant(graph.state["places.weight"].astype(np.float16))
    places = graph.add("Cast", places, to=TensorProto.FLOAT)
    place = graph.add("Slice", places, zero, length, zero, one)
    shape = graph.add("Gather", graph.floats("shapes.weight"), "shapes")
    return graph.norm(graph.add("Add", piece, place), shape, "norm")


def layer(graph: Graph, x: str, name: str) -> str:
    """Add one transformer layer."""
    query, key, value = graph.many(
        "Split",
        3,
        graph.linear(x, f"{name}.attention"),
        graph.constant(np.array([384, 384, 384], dtype=np.int64)),
        axis=-1,
    )
    seen = graph.add(
        "MultiHeadAttention", query, key, value, domain=MICROSOFT, num_heads=ATTENTION_HEADS
    )
    x = graph.norm(x, graph.linear(seen, f"{name}.output"), f"{name}.norm1")
    inner = graph.add("Gelu", graph.linear(x, f"{name}.inner"), domain=MICROSOFT)
    return graph.norm(x, graph.linear(inner, f"{name}.outer", zero=8), f"{name}.norm2")


def words(graph: Graph, x: str) -> str:
    """Add the mean of each word's first and last piece; positions count over the whole batch."""
    flat = graph.add("Reshape", x, graph.constant(FLAT))
    both = graph.add("Add", graph.add("Gather", flat, "first"), graph.add("Gather", flat, "last"))
    return graph.add("Mul", both, graph.constant(np.float32(0.5)))


def build(state: dict[str, np.ndarray], upos: int, xpos: int) -> onnx.ModelProto:
    graph = Graph(state)
    layers = [embedding(graph)]
    for k in range(LAYERS):
        layers.append(layer(graph, layers[-1], f"layers.{k}"))
    share = np.exp(state["mix"].astype(np.float64))
    share /= share.sum()
    parts = [
        graph.add("Mul", x, graph.constant(np.float32(s)))
        for x, s in zip(layers, share, strict=True)
    ]
    root = graph.constant(state["root"].astype(np.float32)[None])
    word = graph.add("Concat", words(graph, graph.add("Sum", *parts)), root, axis=0)
    sizes = [ARC, ARC, SUM, SUM, PRODUCT, PRODUCT, upos, xpos]
    dep, head, *rest = graph.many(
        "Split",
        len(sizes),
        graph.linear(word, "heads"),
        graph.constant(np.array(sizes, dtype=np.int64)),
        axis=-1,
    )
    dep, head = (graph.add("Gelu", x, domain=MICROSOFT) for x in (dep, head))
    found = [graph.linear(dep, "arc", zero=8), head, *rest, words(graph, layers[ALIGN_LAYER])]
    names = ["dependent", "head", "sum1", "sum2", "product1", "product2", "upos", "xpos", "vector"]
    widths = [*sizes, 384]
    for old, new in zip(found, names, strict=True):
        graph.nodes.append(helper.make_node("Identity", [old], [new]))
    grid, line = ["batch", "length"], ["word"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, shape)
        for name, shape in (("pieces", grid), ("shapes", grid), ("first", line), ("last", line))
    ]
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [f"rows_{name}", width])
        for name, width in zip(names, widths, strict=True)
    ]
    body = helper.make_graph(graph.nodes, "kilter-model-en", inputs, outputs, graph.constants)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(
        body, opset_imports=opsets, ir_version=8, producer_name="kilter-model-en"
    )


def main(student: Path, data: Path, vocabulary: Path, out: Path) -> None:
    state = {
        key: value.float().numpy()
        for key, value in torch.load(student, map_location="cpu")["state"].items()
    }
    names = json.loads((data / "names.json").read_text(encoding="utf-8"))
    out.mkdir(parents=True, exist_ok=True)
    model = build(state, len(names["upos"]), len(names["xpos"]))
    (out / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
    shutil.copyfile(vocabulary, out / "vocab.txt")
    labels = np.concatenate([state["label.weight"], state["label.bias"][:, None]], axis=1)
    np.save(out / "labels.npy", labels.astype(np.float32))
    files = ("model.onnx", "vocab.txt", "labels.npy")
    config = {
        "format": "kilter-model/1",
        "version": VERSION,
        "language": "en",
        "upos": names["upos"],
        "xpos": names["xpos"],
        "labels": names["label"],
        "sha256": {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in files},
    }
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
