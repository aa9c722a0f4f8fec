"""The tree with the most votes for its arcs, in memory that grows with the words alone [CLE]."""

from __future__ import annotations

import heapq
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from kilter.core.dependency_tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable

ANY = -2
"""The head of an arc that nobody voted for: every word outside is as good as any other."""


class _Arc(NamedTuple):
    """An arc into a word; heaps of them begin with the best. `loss` is what it falls short of votes."""

    loss: int
    head: int
    word: int


def vote_tree(arcs: Iterable[tuple[int, int, int]], size: int) -> list[int]:
    """Return the heads of the tree with one root whose arcs (word, head, votes) have the most votes.

    Any word may hang from any other without a vote. Chu and Liu's algorithm asks for the best arc into a
    node only, so that arcs without votes need not be listed: of those into a cycle, the one whose word
    loses least is enough. Which of equally good trees is found depends on the votes alone.

    >>> vote_tree([(0, 1, 2), (1, 0, 2), (1, -1, 1)], 2)
    [1, -1]
    """
    return _Contraction(arcs, size).heads() if size else []


class _Contraction:
    """Follows best arcs backwards; a path that meets itself becomes one node, as in the dense kernel."""

    def __init__(self, arcs: Iterable[tuple[int, int, int]], size: int) -> None:
        votes_of = Counter[tuple[int, int]]()
        for word, head, votes in arcs:
            votes_of[word, head] += votes
        self._size = size
        # One root arc more outweighs all votes there are, so that a tree has a single one.
        self._root = 1 + votes_of.total()
        self._heaps = [[_Arc(0, ANY, word), _Arc(self._root, ROOT, word)] for word in range(size)]
        for (word, head), votes in votes_of.items():
            self._heaps[word].append(_Arc((self._root if head == ROOT else 0) - votes, head, word))
        for heap in self._heaps:
            heapq.heapify(heap)
        self._shift = [0] * size
        """What every loss in a node's heap is too small by."""
        self._outside = [0] * size
        """A word that may lie outside a node; all before it lie inside."""
        self._parent = [-1] * size
        self._top = list(range(size))
        self._best: list[_Arc | None] = [None] * size

    def heads(self) -> list[int]:
        finished, on_path = set[int](), set[int]()
        for start in range(self._size):
            node = self._found(start)
            path: list[int] = []
            while node not in finished:
                path.append(node)
                on_path.add(node)
                head = self._choose(node)
                if head == ROOT:
                    break
                node = self._found(head)
                if node in on_path and node not in finished:
                    node = self._contract(path, node)
            finished.update(path)
        return self._expanded()

    def _found(self, word: int) -> int:
        """Return the outermost node that holds a word."""
        top = self._top
        while top[word] != word:
            top[word] = top[top[word]]
            word = top[word]
        return word

    def _choose(self, node: int) -> int:
        """Remember the best arc into a node and return its head."""
        heap = self._heaps[node]
        while True:
            loss, head, word = heap[0]
            if head == ANY:
                head = self._word_outside(node)
                inside = head == self._size
            else:
                inside = head != ROOT and self._found(head) == node
            if not inside:
                self._best[node] = _Arc(loss + self._shift[node], head, word)
                return head
            heapq.heappop(heap)

    def _word_outside(self, node: int) -> int:
        """Return the first word outside a node, or the number of words."""
        word = self._outside[node]
        while word < self._size and self._found(word) == node:
            word += 1
        self._outside[node] = word
        return word

    def _contract(self, path: list[int], first: int) -> int:
        """Make one node of the path from `first` to its end, which is taken off the path."""
        members = [path.pop()]
        while members[-1] != first:
            members.append(path.pop())
        node = len(self._parent)
        largest = max(members, key=lambda each: len(self._heaps[each]))
        for member in members:
            best = self._best[member]
            assert best is not None  # noqa: S101 - it was chosen on the way here
            self._shift[member] -= best.loss
        heap, shift = self._heaps[largest], self._shift[largest]
        for member in members:
            self._parent[member] = self._top[member] = node
            if member != largest:
                for loss, head, word in self._heaps[member]:
                    heapq.heappush(heap, _Arc(loss + self._shift[member] - shift, head, word))
            self._heaps[member] = []
        self._heaps[largest] = []
        self._parent.append(-1)
        self._top.append(node)
        self._heaps.append(heap)
        self._shift.append(shift)
        self._outside.append(max(self._outside[member] for member in members))
        self._best.append(None)
        return node

    def _expanded(self) -> list[int]:
        """Let the way into a cycle replace the arcs of all that it leads through, outer cycles first."""
        entered = set[int]()
        for node in range(len(self._parent) - 1, self._size - 1, -1):
            if node in entered:  # on the way into an outer one
                continue
            into = self._best[node]
            assert into is not None  # noqa: S101 - every node was entered
            member = into.word
            while member != node:
                self._best[member] = into
                entered.add(member)
                member = self._parent[member]
        return [arc.head for arc in self._best[: self._size] if arc is not None]
