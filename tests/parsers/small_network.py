"""A network of random weights, as small as its kernels allow."""

import numpy as np

from kilter.parsers.network_file import ParserNetwork

WIDTH, DEPTH, ARC, LABEL, WORD, PIECE = 64, 2, 16, 16, 4, 3


def small_network(seed: int = 1) -> ParserNetwork:
    """Return a network of three known words, two pairs of tags and three labels."""
    chance = np.random.default_rng(seed)

    def numbers(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return chance.normal(0, 0.3, shape).astype(np.float32)

    def whole(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
        return chance.integers(-64, 65, shape).astype(np.int8)

    outputs = 2 * ARC + 2 * LABEL + 2
    return ParserNetwork(
        forms=np.array([3, 8, 2**31], np.uint32),
        words=numbers(4, WORD).astype(np.float16),
        pieces=numbers(32, PIECE).astype(np.float16),
        input=numbers(WORD + 9 * PIECE, WIDTH),
        input_bias=numbers(WIDTH),
        layers=whole(DEPTH, WIDTH, 3 * WIDTH),
        layer_scales=np.full((DEPTH, 3 * WIDTH), 0.005, np.float32),
        layer_bias=numbers(DEPTH, 3 * WIDTH),
        heads=whole(WIDTH, outputs),
        head_scales=np.full(outputs, 0.005, np.float32),
        head_bias=numbers(outputs),
        arcs=numbers(ARC, ARC),
        arc_bias=numbers(ARC),
        root_arc=numbers(ARC),
        root_label=numbers(LABEL),
        distance=numbers(5),
        labels=numbers(LABEL, 3),
        label_bias=numbers(3),
        tag_names=[("NOUN", "N"), ("VERB", "V")],
        label_names=["nsubj", "obj", "root"],
        card={"language": "xx", "settings": {"lowercase": True}},
    )
