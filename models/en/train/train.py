"""Train teachers on EWT, then one quantised student on EWT and on what the teachers say.

python train.py teacher DATA SEED OUT     train one teacher
python train.py student DATA SEED OUT TEACHER...   distil
Settings come from settings.json beside this file; NAME=VALUE in the environment overrides one.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from network import LAYERS, Answer, Network
from torch import Tensor
from torch.nn import functional

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def settings(role: str) -> dict[str, float]:
    """Return the settings of a role, with those of the environment."""
    path = Path(__file__).with_name("settings.json")
    known: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))[role]
    return {name: float(os.environ.get(name, value)) for name, value in known.items()}


@dataclass
class Batch:
    ids: Tensor
    shapes: Tensor
    mask: Tensor
    first: Tensor
    last: Tensor
    heads: Tensor
    upos: Tensor
    xpos: Tensor
    label: Tensor
    words: Tensor
    kind: Tensor
    index: list[int]

    def answer(self, network: Network, heads: Tensor) -> Answer:
        """Return what the network says, labels for the given heads."""
        # Where nothing is learned the sums stay exact.
        half = DEVICE.type == "cuda" and network.training
        with torch.autocast(DEVICE.type, torch.bfloat16, enabled=half):
            found = network(self.ids, self.shapes, self.mask, self.first, self.last, heads)
        present = functional.pad(self.words, (1, 0), value=True)
        found.arcs = found.arcs.float().masked_fill(~present[:, None, :], -1e9)
        return found


class Data:
    """The arrays of prepare.py on the device, cut into batches of similar length."""

    def __init__(self, path: Path) -> None:
        arrays = {k: v.astype(np.int64) for k, v in np.load(path).items()}
        self.pieces, self.words = arrays["pieces"], arrays["words"]
        self.kind = arrays["kind"]
        self.flat = {
            k: torch.from_numpy(v).to(DEVICE)
            for k, v in arrays.items()
            if k not in ("pieces", "words", "kind")
        }
        self.piece_start = np.concatenate([[0], np.cumsum(self.pieces)])
        self.word_start = np.concatenate([[0], np.cumsum(self.words)])

    def plan(self, chosen: np.ndarray, budget: int, rng: random.Random | None) -> list[list[int]]:
        """Return groups of sentences whose padded pieces stay within the budget."""
        noise = rng.random if rng else lambda: 0.0
        order = sorted(chosen.tolist(), key=lambda s: self.pieces[s] + 6 * noise())
        groups: list[list[int]] = []
        longest = 0
        for s in order:
            longest = max(longest, self.pieces[s])
            if not groups or longest * (len(groups[-1]) + 1) > budget:
                groups.append([])
                longest = self.pieces[s]
            groups[-1].append(s)
        if rng:
            rng.shuffle(groups)
        return groups

    def batch(self, group: list[int]) -> Batch:
        def padded(names: list[str], start: np.ndarray, size: np.ndarray) -> list[Tensor]:
            width = int(size[group].max())
            begin = torch.from_numpy(start[group]).to(DEVICE)
            length = torch.from_numpy(size[group]).to(DEVICE)
            steps = torch.arange(width, device=DEVICE)
            mask = steps < length[:, None]
            at = torch.where(mask, begin[:, None] + steps, 0)
            return [torch.where(mask, self.flat[name][at], 0) for name in names] + [mask]

        ids, shapes, mask = padded(["ids", "shapes"], self.piece_start, self.pieces)
        names = ["first", "last", "heads", "upos", "xpos", "label"]
        rest = padded(names, self.word_start, self.words)
        kind = torch.from_numpy(self.kind[group]).to(DEVICE)
        return Batch(ids, shapes, mask, *rest, kind, group)


def fewer_capitals(batch: Batch) -> None:
    """Write some sentences all in lower or all in upper case."""
    chance = torch.rand(len(batch.ids), 1, device=DEVICE)
    batch.shapes = torch.where(chance < 0.08, 0, batch.shapes)
    batch.shapes = torch.where(chance > 0.97, 2, batch.shapes)


def evaluate(network: Network, data: Data) -> dict[str, float]:
    """Return the accuracy of greedy heads, labels and tags."""
    network.eval()
    right = dict.fromkeys(("uas", "las", "upos", "xpos"), 0)
    with torch.no_grad():
        for group in data.plan(np.arange(len(data.words)), 16384, None):
            batch = data.batch(group)
            heads = batch.answer(network, batch.heads).arcs.argmax(-1)
            found = batch.answer(network, heads)
            head = (heads == batch.heads) & batch.words
            right["uas"] += int(head.sum())
            right["las"] += int((head & (found.labels.argmax(-1) == batch.label)).sum())
            right["upos"] += int(((found.upos.argmax(-1) == batch.upos) & batch.words).sum())
            right["xpos"] += int(((found.xpos.argmax(-1) == batch.xpos) & batch.words).sum())
    return {name: round(100 * count / int(data.words.sum()), 2) for name, count in right.items()}


def optimiser(network: Network, s: dict[str, float]) -> torch.optim.Optimizer:
    """Return AdamW with smaller steps in lower layers and without decay of vectors."""
    groups = []
    for name, parameter in network.named_parameters():
        if name.startswith("layers."):
            rate = s["rate"] * s["layer_decay"] ** (LAYERS - 1 - int(name.split(".")[1]))
        elif name.startswith(("pieces", "places", "norm")):
            rate = s["rate"] * s["layer_decay"] ** LAYERS
        else:
            rate = s["head_rate"]
        if name.endswith("log_scale"):
            rate = s.get("scale_rate", 0.0)
        decay = s["weight_decay"] if parameter.ndim > 1 else 0.0
        groups.append({"params": [parameter], "lr": rate, "weight_decay": decay})
    fused = DEVICE.type == "cuda"
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-6, fused=fused)


def make(data: Path, drop: float) -> Network:
    names = json.loads((data / "names.json").read_text(encoding="utf-8"))
    network = Network(*(len(names[key]) for key in ("upos", "xpos", "label")), drop)
    weights = {k: torch.from_numpy(v).float() for k, v in np.load(data / "encoder.npz").items()}
    network.load_encoder(weights)
    return network.to(DEVICE)


class Average:
    """The running mean of a network's parameters."""

    def __init__(self, network: Network, decay: float) -> None:
        self.decay = decay
        self.mean = [p.detach().clone() for p in network.parameters()]

    def update(self, network: Network, step: int) -> None:
        decay = min(self.decay, (1 + step) / (10 + step))
        torch._foreach_lerp_(self.mean, [p.detach() for p in network.parameters()], 1 - decay)

    def into(self, network: Network) -> None:
        for parameter, mean in zip(network.parameters(), self.mean, strict=True):
            parameter.data.copy_(mean)


def gold_loss(batch: Batch, found: Answer, where: Tensor, s: dict[str, float]) -> Tensor:
    def entropy(scores: Tensor, right: Tensor, smooth: float = 0.0) -> Tensor:
        return functional.cross_entropy(scores.float()[where], right[where], label_smoothing=smooth)

    return (
        entropy(found.arcs, batch.heads)
        + entropy(found.labels, batch.label, s["smoothing"])
        + s["tag_weight"] * entropy(found.upos, batch.upos, s["smoothing"])
        + s["tag_weight"] * entropy(found.xpos, batch.xpos, s["smoothing"])
    )


def train_teacher(data: Path, seed: int, out: Path) -> None:
    s = settings("teacher")
    torch.manual_seed(seed)
    rng = random.Random(seed)
    train, dev = Data(data / "train.npz"), Data(data / "dev.npz")
    chosen = np.flatnonzero(train.kind <= int(s["kinds"]))
    network = make(data, s["drop"])
    opt = optimiser(network, s)
    epochs = int(s["epochs"])
    steps = epochs * len(train.plan(chosen, int(s["budget"]), None))
    average = Average(network, s["average"])
    step, begin = 0, time.time()
    base = [group["lr"] for group in opt.param_groups]
    for epoch in range(epochs):
        network.train()
        for group in train.plan(chosen, int(s["budget"]), rng):
            step += 1
            set_rates(opt, base, step / steps, s["warmup"])
            batch = train.batch(group)
            fewer_capitals(batch)
            found = batch.answer(network, batch.heads)
            loss = gold_loss(batch, found, batch.words, s)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            opt.step()
            average.update(network, step)
        if epoch % 6 == 5 or epoch == epochs - 1:
            print(
                f"teacher {seed} epoch {epoch} loss {loss.item():.3f}",
                evaluate(network, dev),
                f"{time.time() - begin:.0f} s",
                flush=True,
            )
    average.into(network)
    print(f"TEACHER {seed}", json.dumps(s), "mean", evaluate(network, dev), flush=True)
    torch.save({k: v.half() for k, v in network.state_dict().items()}, out)


def set_rates(opt: torch.optim.Optimizer, base: list[float], done: float, warmup: float) -> None:
    """Rise to the full rate, then fall linearly to nothing."""
    factor = min(1.0, done / warmup) * max(0.0, 1 - done) / (1 - warmup)
    for group, rate in zip(opt.param_groups, base, strict=True):
        group["lr"] = rate * min(factor, 1.0)


class Lessons:
    """What the teachers say on the mean about every training sentence, in flat arrays."""

    def __init__(self, data: Data, teachers: list[Network]) -> None:
        self.data = data
        self.arc_start = np.concatenate([[0], np.cumsum(data.words * (data.words + 1))])
        half = {"dtype": torch.float16, "device": DEVICE}
        words = int(data.words.sum())
        self.arcs = torch.zeros(int(self.arc_start[-1]), **half)
        self.heads = torch.zeros(words, dtype=torch.int64, device=DEVICE)
        self.rest: list[Tensor] = []
        for group in data.plan(np.arange(len(data.words)), 32768, None):
            batch = data.batch(group)
            arcs, heads, rest = self._ask(batch, teachers)
            self.rest = self.rest or [torch.zeros(words, x.shape[-1], **half) for x in rest]
            cells, inside = self._cells(group)
            self.arcs[cells[inside]] = arcs[inside].half()
            at = self._words(group)[batch.words]
            self.heads[at] = heads[batch.words]
            for flat, found in zip(self.rest, rest, strict=True):
                flat[at] = found[batch.words].half()

    @staticmethod
    @torch.no_grad()
    def _ask(batch: Batch, teachers: list[Network]) -> tuple[Tensor, Tensor, list[Tensor]]:
        nobody = torch.zeros_like(batch.heads)
        arcs = sum(batch.answer(t, nobody).arcs.softmax(-1) for t in teachers) / len(teachers)
        # Labels are asked for at the true head or, where none is known, at the likeliest.
        heads = torch.where((batch.kind < 2)[:, None], batch.heads, arcs.argmax(-1))
        found = [batch.answer(t, heads) for t in teachers]
        rest = [
            sum(getattr(f, k).float().softmax(-1) for f in found) / len(found)
            for k in ("labels", "upos", "xpos")
        ]
        return arcs, heads, rest

    def _words(self, group: list[int]) -> Tensor:
        width = int(self.data.words[group].max())
        begin = torch.from_numpy(self.data.word_start[group]).to(DEVICE)
        return begin[:, None] + torch.arange(width, device=DEVICE)

    def _cells(self, group: list[int]) -> tuple[Tensor, Tensor]:
        count = torch.from_numpy(self.data.words[group]).to(DEVICE)[:, None, None]
        begin = torch.from_numpy(self.arc_start[group]).to(DEVICE)[:, None, None]
        width = int(self.data.words[group].max())
        row = torch.arange(width, device=DEVICE)[:, None]
        column = torch.arange(width + 1, device=DEVICE)
        return begin + row * (count + 1) + column, (row < count) & (column <= count)

    def of(self, batch: Batch) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Return heads, arc and other distributions of a batch, padded."""
        cells, inside = self._cells(batch.index)
        arcs = torch.where(inside, self.arcs[torch.where(inside, cells, 0)], 0)
        at = torch.where(batch.words, self._words(batch.index), 0)
        heads = torch.where(batch.words, self.heads[at], 0)
        return heads, arcs, [flat[at] for flat in self.rest]


def divergence(scores: Tensor, taught: Tensor, where: Tensor) -> Tensor:
    """Return the mean cross entropy between what was taught and what the student says."""
    # Absent heads have probability 0 and a huge negative score; their product has to stay 0.
    return (
        -(taught[where].float() * scores.float()[where].log_softmax(-1).clamp_min(-30))
        .sum(-1)
        .mean()
    )


def student_loss(
    batch: Batch, found: Answer, lesson: tuple[Tensor, Tensor, list[Tensor]], s: dict[str, float]
) -> Tensor:
    _, arcs, (labels, upos, xpos) = lesson
    taught = (
        divergence(found.arcs, arcs, batch.words)
        + divergence(found.labels, labels, batch.words)
        + s["tag_weight"] * divergence(found.upos, upos, batch.words)
        + s["tag_weight"] * divergence(found.xpos, xpos, batch.words)
    )
    gold = batch.words & (batch.kind < 2)[:, None]
    if not gold.any():
        return taught
    share = gold.sum() / batch.words.sum()
    return taught + s["gold_weight"] * share * gold_loss(batch, found, gold, s)


def near_original(batch: Batch, found: Answer, original: Network, layer: int) -> Tensor:
    """Return how far the vectors of a layer have turned from the published encoder's."""
    with (
        torch.no_grad(),
        torch.autocast(DEVICE.type, torch.bfloat16, enabled=DEVICE.type == "cuda"),
    ):
        shapes = torch.zeros_like(batch.shapes)
        before = original.encode(batch.ids, shapes, batch.mask)[layer].float()
    now = found.layers[layer].float()
    return (1 - functional.cosine_similarity(now, before, dim=-1))[batch.mask].mean()


def train_student(data: Path, seed: int, out: Path, teachers: list[Path]) -> None:
    s = settings("student")
    torch.manual_seed(seed)
    rng = random.Random(seed)
    train, dev = Data(data / "train.npz"), Data(data / "dev.npz")
    loaded = []
    for path in teachers:
        loaded.append(make(data, 0.0))
        loaded[-1].load_state_dict({k: v.float() for k, v in torch.load(path).items()})
        loaded[-1].eval()
    begin = time.time()
    print("ENSEMBLE", len(loaded), evaluate_mean(loaded, dev), flush=True)
    lessons = Lessons(train, loaded)
    print(f"lessons {time.time() - begin:.0f} s", flush=True)
    network, original = make(data, s["drop"]), make(data, 0.0)
    if s["from_teacher"]:
        network.load_state_dict(loaded[0].state_dict())
    original.eval()
    del loaded
    opt = optimiser(network, s)
    base = [group["lr"] for group in opt.param_groups]
    gold, made = np.flatnonzero(train.kind < 2), np.flatnonzero(train.kind == 2)
    epochs, budget = int(s["epochs"]), int(s["budget"])
    share = s["made_share"]
    per_epoch = len(
        train.plan(np.concatenate([gold, made[: int(share * len(made))]]), budget, None)
    )
    steps, step, quantised = epochs * per_epoch, 0, False
    average = Average(network, s["average"])
    for epoch in range(epochs):
        network.train()
        if not quantised and epoch >= s["quantise_from"] * epochs:
            quantised = True
            calibrate(network, train, gold)
            average = Average(network, s["average"])
        picked = np.array(rng.sample(made.tolist(), int(share * len(made))), dtype=np.int64)
        for group in train.plan(np.concatenate([gold, picked]), budget, rng):
            step += 1
            set_rates(opt, base, min(1.0, step / steps), s["warmup"])
            batch = train.batch(group)
            lesson = lessons.of(batch)
            fewer_capitals(batch)
            found = batch.answer(network, lesson[0])
            loss = student_loss(batch, found, lesson, s)
            if s["near_weight"]:
                loss = loss + s["near_weight"] * near_original(
                    batch, found, original, int(s["near_layer"])
                )
            opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            opt.step()
            average.update(network, step)
        if epoch % 4 == 3 or epoch == epochs - 1:
            print(
                f"student {seed} epoch {epoch} loss {loss.item():.3f}",
                evaluate(network, dev),
                f"{time.time() - begin:.0f} s",
                flush=True,
            )
    last = evaluate(network, dev)
    state = {k: v.detach().clone() for k, v in network.state_dict().items()}
    average.into(network)
    mean = evaluate(network, dev)
    if mean["las"] >= last["las"]:
        state = network.state_dict()
    print(f"STUDENT {seed}", json.dumps(s), "last", last, "mean", mean, flush=True)
    torch.save(
        {
            "state": {k: v.half() if v.ndim > 1 else v for k, v in state.items()},
            "las": max(mean["las"], last["las"]),
        },
        out,
    )


def evaluate_mean(teachers: list[Network], data: Data) -> dict[str, float]:
    right = dict.fromkeys(("uas", "las"), 0)
    for group in data.plan(np.arange(len(data.words)), 16384, None):
        batch = data.batch(group)
        with torch.no_grad():
            arcs = sum(batch.answer(t, batch.heads).arcs.softmax(-1) for t in teachers)
            heads = arcs.argmax(-1)
            labels = sum(batch.answer(t, heads).labels.float().softmax(-1) for t in teachers)
        head = (heads == batch.heads) & batch.words
        right["uas"] += int(head.sum())
        right["las"] += int((head & (labels.argmax(-1) == batch.label)).sum())
    return {name: round(100 * count / int(data.words.sum()), 2) for name, count in right.items()}


def calibrate(network: Network, data: Data, chosen: np.ndarray) -> None:
    """Set the scales of the activations from some batches, then switch rounding on."""
    for module in network.quantised():
        module.log_scale.data.fill_(-20.0)
        module.calibrate = True
    network.eval()
    with torch.no_grad():
        for group in data.plan(chosen, 8192, random.Random(1))[:12]:
            batch = data.batch(group)
            batch.answer(network, batch.heads)
    for module in network.quantised():
        module.calibrate, module.quantise = False, True
    network.train()


if __name__ == "__main__":
    torch.backends.cuda.matmul.allow_tf32 = True
    role, folder, number, target, *others = sys.argv[1:]
    if role == "teacher":
        train_teacher(Path(folder), int(number), Path(target))
    else:
        train_student(Path(folder), int(number), Path(target), [Path(other) for other in others])
