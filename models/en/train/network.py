"""The network: a MiniLM encoder, and heads for tags, arcs and labels, all ready for 8-bit integers.

Every product with a weight matrix is a `Quantised` layer. With `quantise` on it rounds as the
exported model will: activations to 8 bits with one learned scale for each layer, weights to 7 bits
for each output. Seven bits are enough, and processors without VNNI then never overflow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

HIDDEN, LAYERS, ATTENTION_HEADS, INNER = 384, 6, 12, 1536
WEIGHT_LIMIT = 64
ARC, SUM, PRODUCT = 320, 256, 128


def rounded(x: Tensor) -> Tensor:
    """Return x rounded, with the gradient of the identity."""
    return x + (x.round() - x).detach()


class Quantised(nn.Module):
    """y = x W' + b; `zero` is the integer that stands for 0 among the activations 0 to 255."""

    def __init__(self, inputs: int, outputs: int, zero: int = 128) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) / math.sqrt(inputs))
        self.bias = nn.Parameter(torch.zeros(outputs))
        self.log_scale = nn.Parameter(torch.zeros(()))
        self.zero = zero
        self.quantise = False
        self.calibrate = False

    def weight_scale(self) -> Tensor:
        return self.weight.detach().abs().amax(1, keepdim=True).clamp_min(1e-8) / WEIGHT_LIMIT

    def forward(self, x: Tensor) -> Tensor:
        if self.calibrate:
            largest = x.detach().float().abs().flatten()
            kept = largest[torch.randint(len(largest), (200_000,), device=x.device)]
            scale = torch.quantile(kept, 0.99999) / (255 - self.zero)
            self.log_scale.data.copy_(torch.maximum(self.log_scale.data, scale.log()))
        if not self.quantise:
            return functional.linear(x, self.weight, self.bias)
        scale = self.log_scale.exp()
        whole = rounded((x.float() / scale).clamp(-self.zero, 255 - self.zero))
        unit = self.weight_scale()
        weight = rounded(self.weight / unit)
        # The integers are exact in bfloat16, and so is what autocast makes of them.
        y = functional.linear(whole, weight)
        return y.float() * (unit[:, 0] * scale) + self.bias


class Layer(nn.Module):
    """One transformer layer as BERT has it: normalised after each of its two halves."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = Quantised(HIDDEN, 3 * HIDDEN)
        self.output = Quantised(HIDDEN, HIDDEN)
        self.norm1 = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.inner = Quantised(HIDDEN, INNER)
        self.outer = Quantised(INNER, HIDDEN, zero=8)
        self.norm2 = nn.LayerNorm(HIDDEN, eps=1e-12)

    def forward(self, x: Tensor, mask: Tensor, drop: float) -> Tensor:
        batch, length, _ = x.shape
        q, k, v = (
            part.view(batch, length, ATTENTION_HEADS, -1).transpose(1, 2)
            for part in self.attention(x).chunk(3, -1)
        )
        seen = functional.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, dropout_p=0.1 if self.training else 0.0
        )
        y = self.output(seen.transpose(1, 2).reshape(batch, length, HIDDEN))
        x = self.norm1(x + functional.dropout(y, drop, self.training))
        y = self.outer(functional.gelu(self.inner(x)))
        return self.norm2(x + functional.dropout(y, drop, self.training))


@dataclass
class Answer:
    """What the network says about a batch; vectors are per piece, the rest per word."""

    upos: Tensor
    xpos: Tensor
    arcs: Tensor
    labels: Tensor
    layers: list[Tensor]


class Network(nn.Module):
    """Pieces in; tags, a score for every head of every word, and labels for given heads out."""

    def __init__(self, upos: int, xpos: int, labels: int, drop: float = 0.33) -> None:
        super().__init__()
        self.pieces = nn.Embedding(30522, HIDDEN)
        self.places = nn.Embedding(512, HIDDEN)
        self.shapes = nn.Embedding(5, HIDDEN)
        nn.init.zeros_(self.shapes.weight)
        self.norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.mix = nn.Parameter(torch.zeros(LAYERS + 1))
        self.root = nn.Parameter(torch.randn(HIDDEN) * 0.02)
        self.sizes = [ARC, ARC, SUM, SUM, PRODUCT, PRODUCT, upos, xpos]
        self.heads = Quantised(HIDDEN, sum(self.sizes))
        self.arc = Quantised(ARC, ARC, zero=8)
        self.label = nn.Linear(SUM + PRODUCT, labels)
        self.drop = drop

    def load_encoder(self, weights: dict[str, Tensor]) -> None:
        """Take the published weights of the encoder."""
        own = self.state_dict()
        own["pieces.weight"] = weights["embeddings.word_embeddings.weight"]
        own["places.weight"] = (
            weights["embeddings.position_embeddings.weight"]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        for part in ("weight", "bias"):
            own[f"norm.{part}"] = weights[f"embeddings.LayerNorm.{part}"]
            for k in range(LAYERS):
                old, new = f"encoder.layer.{k}.", f"layers.{k}."
                own[f"{new}attention.{part}"] = torch.cat(
                    [weights[f"{old}attention.self.{n}.{part}"] for n in ("query", "key", "value")]
                )
                for mine, theirs in (
                    ("output", "attention.output.dense"),
                    ("norm1", "attention.output.LayerNorm"),
                    ("inner", "intermediate.dense"),
                    ("outer", "output.dense"),
                    ("norm2", "output.LayerNorm"),
                ):
                    own[f"{new}{mine}.{part}"] = weights[f"{old}{theirs}.{part}"]
        self.load_state_dict({key: value.float() for key, value in own.items()})

    def quantised(self) -> list[Quantised]:
        return [module for module in self.modules() if isinstance(module, Quantised)]

    def encode(self, ids: Tensor, shapes: Tensor, mask: Tensor) -> list[Tensor]:
        """Return the vectors of all pieces after each layer, the embedding first."""
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(self.pieces(ids) + self.places(places) + self.shapes(shapes))
        x = functional.dropout(x, 0.1, self.training)
        seen = mask[:, None, None, :]
        out = [x]
        for layer in self.layers:
            out.append(layer(out[-1], seen, 0.1))
        return out

    def forward(
        self, ids: Tensor, shapes: Tensor, mask: Tensor, first: Tensor, last: Tensor, heads: Tensor
    ) -> Answer:
        layers = self.encode(ids, shapes, mask)
        weights = torch.softmax(self.mix, 0)
        x = sum(weights[k] * layer for k, layer in enumerate(layers))
        x = functional.dropout(x, self.drop, self.training)
        rows = torch.arange(len(ids), device=ids.device)[:, None]
        words = (x[rows, first] + x[rows, last]) * 0.5
        words = torch.cat([self.root.to(words.dtype).expand(len(ids), 1, -1), words], 1)
        dep, head, sum1, sum2, product1, product2, upos, xpos = self.heads(words).split(
            self.sizes, -1
        )
        dep, head = (
            functional.dropout(functional.gelu(part), self.drop, self.training)
            for part in (dep[:, 1:], head)
        )
        arcs = self.arc(dep) @ head.transpose(1, 2)
        both = torch.cat(
            [
                functional.relu(sum1[:, 1:] + sum2[rows, heads]),
                product1[:, 1:] * product2[rows, heads],
            ],
            -1,
        )
        labels = self.label(functional.dropout(both, self.drop, self.training))
        return Answer(upos[:, 1:], xpos[:, 1:], arcs, labels, layers)
