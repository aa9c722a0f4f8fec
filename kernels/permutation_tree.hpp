// The flattened permutation tree: every node is an interval of positions that is also one of values.
#pragma once

#include <cstdint>

#include "shift_reduce.hpp"

namespace kilter {

// Nodes in preorder: a node's first child is the next entry, and `next` skips its whole subtree.
struct PermutationTree {
    WorkVector<std::int32_t> kind, start, end, low, children, parent, next;

    std::int32_t size() const { return static_cast<std::int32_t>(kind.size()); }
    void resize(std::size_t nodes);
};

// Builds trees; keeps its working space between calls.
class TreeBuilder {
public:
    void build(const std::int32_t* values, std::int32_t n, PermutationTree& tree);

private:
    // Collects inner nodes in the order in which they are finished: children before parents.
    struct Collector {
        struct Finished {
            std::int32_t kind, start, end, low, children;
        };
        WorkVector<Finished> nodes;

        void add(const OpenNode& node, std::int32_t end) {
            if (node.kind != kLeaf) {
                nodes.push_back({node.kind, node.start, end, node.low, node.children});
            }
        }
        void clear(std::int32_t) { nodes.clear(); }
        void shift() {}
        void extend(const OpenNode&, const OpenNode& newest, std::int32_t i) { add(newest, i + 1); }
        void pair(const OpenNode& below, const OpenNode& newest, std::int32_t, std::int32_t i) {
            add(newest, i + 1);
            add(below, newest.start);
        }
        void prime(const NodeStack& stack, std::size_t index, const OpenNode& newest,
                   std::int32_t i) {
            add(newest, i + 1);
            std::int32_t end = newest.start;
            for (std::size_t k = stack.size(); k-- > index;) {
                add(stack[k], end);
                end = stack[k].start;
            }
        }
        void finish(const OpenNode& root) { last = root; }
        OpenNode last{};
    };

    ShiftReduce shift_reduce_;
    Collector collector_;
    WorkVector<std::int32_t> free_, open_;
};

}  // namespace kilter
