#include "permutation_tree.hpp"

#include <algorithm>

namespace kilter {
namespace {

// Walks down the stack with a running minimum and maximum. Fast on what sentences look like and
// quadratic on odd/even interleavings, so it works on a budget and then gives way to the next one.
struct WalkingOracle {
    std::int64_t budget;
    bool exhausted = false;

    void popped(std::int32_t) {}
    void pushed(std::int32_t) {}
    std::int32_t find(const std::vector<GrowingNode>& nodes, const std::vector<std::int32_t>& stack,
                      const GrowingNode& node, std::int32_t i) {
        std::int32_t low = node.low;
        std::int32_t high = node.high;
        for (auto index = static_cast<std::int32_t>(stack.size()) - 1; index >= 0; --index) {
            const GrowingNode& below = nodes[static_cast<std::size_t>(stack[static_cast<std::size_t>(index)])];
            low = std::min(low, below.low);
            high = std::max(high, below.high);
            if (--budget < 0) {
                exhausted = true;
                return -1;
            }
            if (high - low > i) {  // more values than there are positions up to i
                return -1;
            }
            if (high - low == i - below.start) {
                return index;
            }
        }
        return -1;
    }
};

// Answers in amortised constant time from the generators: [x..i] is an interval exactly when
// rightmost[x] >= i and leftmost[i] <= x. A candidate that fails the first test fails it for ever.
struct GeneratorOracle {
    const std::vector<std::int32_t>& rightmost;
    const std::vector<std::int32_t>& leftmost;
    std::vector<std::int32_t>& candidates;
    static constexpr bool exhausted = false;

    void popped(std::int32_t height) {
        while (!candidates.empty() && candidates.back() >= height) {
            candidates.pop_back();
        }
    }
    void pushed(std::int32_t index) { candidates.push_back(index); }
    std::int32_t find(const std::vector<GrowingNode>& nodes, const std::vector<std::int32_t>& stack,
                      const GrowingNode&, std::int32_t i) {
        const auto start_of = [&](std::int32_t index) {
            return nodes[static_cast<std::size_t>(stack[static_cast<std::size_t>(index)])].start;
        };
        while (!candidates.empty() &&
               rightmost[static_cast<std::size_t>(start_of(candidates.back()))] < i) {
            candidates.pop_back();
        }
        if (candidates.empty()) {
            return -1;
        }
        const std::int32_t index = candidates.back();
        return start_of(index) >= leftmost[static_cast<std::size_t>(i)] ? index : -1;
    }
};

constexpr std::int64_t kWalkingStepsPerElement = 8;

}  // namespace

void PermutationTree::resize(std::size_t nodes) {
    for (auto* column : {&kind, &start, &end, &low, &children, &parent, &next}) {
        column->resize(nodes);
    }
}

// For every element the widest range of values around it whose positions all lie right (or all
// left) of it; from these the furthest position that an interval starting (ending) there may reach.
void TreeBuilder::find_generators(const std::int32_t* values, std::int32_t n) {
    const auto size = static_cast<std::size_t>(n);
    positions_.resize(size);
    rightmost_.resize(size);
    leftmost_.resize(size);
    ranges_.resize(size);
    seen_.resize(size);
    constexpr std::int32_t kAhead = 16;  // far enough to hide a cache miss
    for (std::int32_t i = 0; i < n; ++i) {
        if (i + kAhead < n) {
            __builtin_prefetch(&positions_[static_cast<std::size_t>(values[i + kAhead])], 1);
        }
        positions_[static_cast<std::size_t>(values[i])] = i;
    }
    const auto find_ranges = [&](auto blocks) {
        std::int32_t top = -1;
        Seen* seen = seen_.data();
        for (std::int32_t value = 0; value < n; ++value) {
            const std::int32_t position = positions_[static_cast<std::size_t>(value)];
            while (top >= 0 && !blocks(seen[top].position, position)) {
                ranges_[static_cast<std::size_t>(seen[top].value)].high = value;
                --top;
            }
            ranges_[static_cast<std::size_t>(value)].low = top >= 0 ? seen[top].value : -1;
            seen[++top] = {position, value};
        }
        for (; top >= 0; --top) {
            ranges_[static_cast<std::size_t>(seen[top].value)].high = n;
        }
    };
    const auto inside = [&](const Range& range, std::int32_t value) {
        return value > range.low && value < range.high;
    };

    find_ranges([](std::int32_t earlier, std::int32_t position) { return earlier < position; });
    for (std::int32_t i = n - 1; i >= 0; --i) {
        if (i >= kAhead) {
            __builtin_prefetch(&ranges_[static_cast<std::size_t>(values[i - kAhead])]);
        }
        const Range range = ranges_[static_cast<std::size_t>(values[i])];
        std::int32_t j = i;
        while (j + 1 < n && inside(range, values[j + 1])) {
            j = rightmost_[static_cast<std::size_t>(j) + 1];
        }
        rightmost_[static_cast<std::size_t>(i)] = j;
    }
    find_ranges([](std::int32_t earlier, std::int32_t position) { return earlier > position; });
    for (std::int32_t i = 0; i < n; ++i) {
        if (i + kAhead < n) {
            __builtin_prefetch(&ranges_[static_cast<std::size_t>(values[i + kAhead])]);
        }
        const Range range = ranges_[static_cast<std::size_t>(values[i])];
        std::int32_t j = i;
        while (j > 0 && inside(range, values[j - 1])) {
            j = leftmost_[static_cast<std::size_t>(j) - 1];
        }
        leftmost_[static_cast<std::size_t>(i)] = j;
    }
}

// Shifts the elements from left to right; after each, reduces as long as the newest node forms an
// interval with nodes below it: two neighbours make or extend a linear node, more make a prime one.
template <class Oracle>
bool TreeBuilder::shift_reduce(const std::int32_t* values, std::int32_t n, Oracle& oracle) {
    nodes_.clear();
    nodes_.reserve(2 * static_cast<std::size_t>(n));
    stack_.clear();
    const auto node_at = [&](std::int32_t index) -> GrowingNode& {
        return nodes_[static_cast<std::size_t>(index)];
    };
    const auto add_child = [&](GrowingNode& parent, std::int32_t child) {
        node_at(parent.last_child).next_sibling = child;
        parent.last_child = child;
        ++parent.children;
    };
    for (std::int32_t i = 0; i < n; ++i) {
        auto newest = static_cast<std::int32_t>(nodes_.size());
        nodes_.push_back({kLeaf, i, i + 1, values[i], values[i], 0, -1, -1, -1});
        while (!stack_.empty()) {
            const std::int32_t below = stack_.back();
            const GrowingNode& right = node_at(newest);
            const std::int32_t kind = right.low == node_at(below).high + 1   ? kMonotone
                                      : right.high + 1 == node_at(below).low ? kInverted
                                                                             : kLeaf;
            if (kind != kLeaf) {
                const std::int32_t low = std::min(right.low, node_at(below).low);
                const std::int32_t high = std::max(right.high, node_at(below).high);
                std::int32_t joined = below;
                if (node_at(below).kind == kind) {
                    add_child(node_at(below), newest);
                } else {
                    joined = static_cast<std::int32_t>(nodes_.size());
                    nodes_.push_back(
                        {kind, node_at(below).start, 0, 0, 0, 1, below, below, -1});
                    add_child(node_at(joined), newest);
                }
                GrowingNode& node = node_at(joined);
                node.end = i + 1;
                node.low = low;
                node.high = high;
                stack_.pop_back();
                newest = joined;
            } else {
                const std::int32_t index = oracle.find(nodes_, stack_, right, i);
                if (oracle.exhausted) {
                    return false;
                }
                if (index < 0) {
                    break;
                }
                const std::int32_t first = stack_[static_cast<std::size_t>(index)];
                const auto joined = static_cast<std::int32_t>(nodes_.size());
                nodes_.push_back({kPrime, node_at(first).start, i + 1, right.low, right.high, 1,
                                  first, first, -1});
                GrowingNode& node = node_at(joined);
                const auto join = [&](std::int32_t child) {
                    node.low = std::min(node.low, node_at(child).low);
                    node.high = std::max(node.high, node_at(child).high);
                };
                join(first);
                for (std::size_t k = static_cast<std::size_t>(index) + 1; k < stack_.size(); ++k) {
                    join(stack_[k]);
                    add_child(node, stack_[k]);
                }
                add_child(node, newest);
                stack_.resize(static_cast<std::size_t>(index));
                newest = joined;
            }
            oracle.popped(static_cast<std::int32_t>(stack_.size()));
        }
        stack_.push_back(newest);
        oracle.pushed(static_cast<std::int32_t>(stack_.size()) - 1);
    }
    return true;
}

void TreeBuilder::write_preorder(std::int32_t root, PermutationTree& tree) const {
    tree.resize(nodes_.size());
    std::int32_t written = 0;
    std::int32_t parent = -1;
    std::int32_t source = root;
    // `next` holds the source index of a node's next sibling until its subtree has been written.
    while (true) {
        const GrowingNode& node = nodes_[static_cast<std::size_t>(source)];
        const auto at = static_cast<std::size_t>(written);
        tree.kind[at] = node.kind;
        tree.start[at] = node.start;
        tree.end[at] = node.end;
        tree.low[at] = node.low;
        tree.children[at] = node.children;
        tree.parent[at] = parent;
        tree.next[at] = node.next_sibling;
        ++written;
        if (node.kind != kLeaf) {
            parent = written - 1;
            source = node.first_child;
            continue;
        }
        std::int32_t done = written - 1;
        while (done >= 0 && tree.next[static_cast<std::size_t>(done)] < 0) {
            tree.next[static_cast<std::size_t>(done)] = written;
            done = tree.parent[static_cast<std::size_t>(done)];
        }
        if (done < 0) {
            return;
        }
        source = tree.next[static_cast<std::size_t>(done)];
        tree.next[static_cast<std::size_t>(done)] = written;
        parent = tree.parent[static_cast<std::size_t>(done)];
    }
}

void TreeBuilder::build(const std::int32_t* values, std::int32_t n, PermutationTree& tree) {
    if (n == 0) {
        tree.resize(0);
        return;
    }
    WalkingOracle walking{kWalkingStepsPerElement * n};
    if (!shift_reduce(values, n, walking)) {
        find_generators(values, n);
        candidates_.clear();
        GeneratorOracle generators{rightmost_, leftmost_, candidates_};
        shift_reduce(values, n, generators);
    }
    write_preorder(stack_.front(), tree);
}

}  // namespace kilter
